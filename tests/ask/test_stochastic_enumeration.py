"""The sizes of trees by stochastic enumeration."""

from __future__ import annotations

import random
from collections.abc import Iterator
from statistics import fmean

import numpy as np
import pytest

from tiler import formats
from tiler.ask.size import stochastic_enumeration
from tiler.backends.registry import parse_spec
from tiler.cover.board import BoardCover
from tiler.kernels import python_time
from tiler.process import threads as process_threads
from tiler.question.question import Goal, Question

PIECES = ["5x7", "1:5P", "1:5L", "1:5V", "1:5U", "1:5Y", "1:5W", "1:5I"]
COUNT = Question(Goal.COUNT)


@pytest.mark.parametrize("spec", ["dlx", "fila", "fila:window=off", "fila:order=s", "backtracking"])
def test_samples_have_the_size_of_the_tree_as_their_mean(spec: str) -> None:
    backend, cover = parse_spec(spec), BoardCover.of(formats.inline(PIECES, reflections=True))
    nodes = backend.solve(cover, COUNT).nodes
    roots = stochastic_enumeration.roots([backend.tree(cover)])
    assert sum(stochastic_enumeration.levels(roots, random.Random(0), 1 << 30)) == nodes
    sizes = [sum(stochastic_enumeration.levels(roots, random.Random(seed), 8)) for seed in range(60)]
    assert len(set(sizes)) > 1
    assert fmean(sizes) == pytest.approx(nodes, rel=0.25)


def test_guides_are_trees_of_the_options_kept() -> None:
    backend, cover = parse_spec("dlx"), BoardCover.of(formats.inline(PIECES, reflections=True))
    keeps = [np.arange(len(cover)) % 7 != rest for rest in range(7)]
    guides = iter(stochastic_enumeration.guides(backend, cover, keeps))
    for keep in keeps:
        part = cover.restrict(keep)
        nodes = 0 if part.refusal() else backend.solve(part, COUNT).nodes
        if nodes:
            assert sum(stochastic_enumeration.levels([next(guides)], random.Random(0), 1 << 30)) == nodes
    assert all(sum(stochastic_enumeration.levels([rooted], random.Random(0), 1 << 30)) == 0 for rooted in guides)


@pytest.mark.parametrize("spec", ["dlx", "fila", "fila:window=off", "backtracking"])
def test_samples_are_the_same_by_any_number_of_threads(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process_threads, "ROUND_SECONDS", 0.001)
    python_time.exhaust()
    backend, cover = parse_spec(spec), BoardCover.of(formats.inline(PIECES, reflections=True))
    roots = [stochastic_enumeration.roots([backend.tree(cover)]) for _ in range(4)]

    def walks() -> list[Iterator[float]]:
        return [stochastic_enumeration.walk(root, random.Random(seed), 8) for seed, root in enumerate(roots)]

    one = [list(walk) for walk in walks()]
    assert len({sum(levels) for levels in one}) > 1
    for threads in (1, 3):
        assert stochastic_enumeration.at_once(walks(), threads) == one


def test_a_tree_begins_anew_among_other_options() -> None:
    cover = BoardCover.of(formats.inline(PIECES, reflections=True))
    tree = stochastic_enumeration.guide(parse_spec("dlx"), cover)
    assert tree is not None
    keeps = [np.arange(len(cover)) % 3 != rest for rest in range(3)]
    for keep in keeps:
        again, twin = (
            stochastic_enumeration.levels(stochastic_enumeration.narrowed(each, [keep]), random.Random(0), 8)
            for each in (tree, tree.twin())
        )
        new = stochastic_enumeration.levels(stochastic_enumeration.guides(parse_spec("dlx"), cover, [keep]), random.Random(0), 8)
        assert again == twin == new
        assert sum(new) > 100
