"""The sizes of trees by stochastic enumeration."""

from __future__ import annotations

import random
from statistics import fmean

import numpy as np
import pytest

from tiler import formats
from tiler.ask import sampling
from tiler.backends.registry import parse_spec
from tiler.cover.board import BoardCover
from tiler.question.question import Goal, Question

PIECES = ["5x7", "1:5P", "1:5L", "1:5V", "1:5U", "1:5Y", "1:5W", "1:5I"]
COUNT = Question(Goal.COUNT)


@pytest.mark.parametrize("spec", ["dlx", "fila", "fila:window=off", "fila:order=s", "backtracking"])
def test_samples_have_the_size_of_the_tree_as_their_mean(spec: str) -> None:
    backend, cover = parse_spec(spec), BoardCover.of(formats.inline(PIECES, reflections=True))
    nodes = backend.solve(cover, COUNT).nodes
    roots = sampling.roots([backend.tree(cover)])
    assert sum(sampling.levels(roots, random.Random(0), 1 << 30)) == nodes
    sizes = [sum(sampling.levels(roots, random.Random(seed), 8)) for seed in range(60)]
    assert len(set(sizes)) > 1
    assert fmean(sizes) == pytest.approx(nodes, rel=0.25)


def test_guides_are_trees_of_the_options_kept() -> None:
    backend, cover = parse_spec("dlx"), BoardCover.of(formats.inline(PIECES, reflections=True))
    keeps = [np.arange(len(cover)) % 7 != rest for rest in range(7)]
    guides = iter(sampling.guides(backend, cover, keeps))
    for keep in keeps:
        part = cover.restrict(keep)
        nodes = 0 if part.refusal() else backend.solve(part, COUNT).nodes
        if nodes:
            assert sum(sampling.levels([next(guides)], random.Random(0), 1 << 30)) == nodes
    assert all(sum(sampling.levels([rooted], random.Random(0), 1 << 30)) == 0 for rooted in guides)
