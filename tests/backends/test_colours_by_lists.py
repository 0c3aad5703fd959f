"""FILA and the frontier on boards with marks at sides, beside a search that knows nothing but what excludes what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache

import pytest

from tests import coloured
from tiler.backends.frontier.halves.meet_in_the_middle import Halves
from tiler.backends.frontier.lists.layers import Layers
from tiler.backends.frontier.shared.model import Model
from tiler.backends.frontier.tables.hash_tables import Tables
from tiler.backends.registry import parse_spec
from tiler.cover.board import BoardCover
from tiler.question.question import Goal, Question

COVERS: dict[str, Callable[[], BoardCover]] = {
    "squares": lambda: coloured.at_random(["3x3", "1"], 1, share=1, copies=5),
    "three colours": lambda: coloured.at_random(["3x3", "1"], 2, share=0.9, copies=4, colours=3),
    "dominoes": lambda: coloured.at_random(["3x4", "2"], 1, share=0.6, copies=3),
    "bounds": lambda: coloured.at_random(["3x3", "1", "2:2", "1..3:2"], 1, share=0.7, copies=2),
    "corners": lambda: coloured.at_random(["4x4", "3L", "1"], 2, share=0.2, colours=3),
    "open cells": lambda: coloured.at_random(["3x3", "2", "2:1"], 1, share=0.6, copies=1, most_open=3),
    "torus": lambda: coloured.at_random(["3x3", "1"], 3, share=0.9, copies=5, wrap="rows columns"),
    "hexagons": lambda: coloured.at_random(["hex:2", "1-1"], 1, share=0.6, copies=3, lattice="hexagonal"),
    "space": lambda: coloured.at_random(["2x2x2", "1", "2"], 1, share=0.7, copies=2),
    "tetravex": lambda: coloured.tetravex(3, 3, 2, 1),
    "five pieces": lambda: coloured.at_random(["3x4", "1:1", "2:2", "2:3I", "1:3L"], 1, share=0.6, copies=2),
    "every copy, and sides without marks": lambda: coloured.at_random(["4x2", "1:1", "2:2", "1:3I"], 1, share=0.4, copies=2),
    "none": lambda: coloured.of_squares(2, 2, [(1, 1, 1, 2), (1, 1, 1, 3)]),
}
SPECS = [
    *("frontier", "frontier:order=diagonal", "frontier:order=breadth"),
    *("fila", "fila:window=off", "fila:window=3", "fila:nof=off,window=off", "fila:axes=-xy"),
    *(
        "fila:handoff=3",
        "fila:handoff=6,volume=8",
        "fila:order=e",
        "fila:order=s",
        "fila:order=radial",
        "fila:order=e:3+f:1",
        "fila:order=-yx,window=off",
    ),
]


@cache
def known(name: str) -> tuple[BoardCover, list[tuple[int, ...]]]:
    cover = COVERS[name]()
    return cover, coloured.solutions(cover) if cover.refusal() is None else []


def test_the_covers_have_solutions_of_all_kinds() -> None:
    assert {name: len(known(name)[1]) for name in COVERS if name != "none"}.keys() >= COVERS.keys() - {"none"}
    assert [name for name in COVERS if not known(name)[1]] == ["none"]


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("name", COVERS)
def test_all_solutions_are_found(name: str, spec: str) -> None:
    cover, expected = known(name)
    backend = parse_spec(spec)
    assert sorted(backend.solve(cover, Question(Goal.ENUMERATE)).solutions) == expected
    # Every second spec is asked for the number, the others for one solution; at the next cover that changes over.
    if ([*COVERS].index(name) + SPECS.index(spec)) % 2:
        assert backend.solve(cover, Question(Goal.COUNT)).count == len(expected)
    else:
        one = backend.solve(cover, Question(Goal.DECIDE))
        assert set(one.solutions) <= set(expected)
        assert len(one.solutions) == bool(expected)


@pytest.mark.parametrize("name", COVERS)
def test_uses_and_samples_of_the_frontier(name: str) -> None:
    cover, expected = known(name)
    counted = Counter(option for each in expected for option in each)
    assert parse_spec("frontier").solve(cover, Question(Goal.USES)).uses == counted
    drawn = parse_spec("frontier").solve(cover, Question(Goal.SAMPLE, samples=20)).solutions
    assert {tuple(sorted(each)) for each in drawn} <= set(expected)
    assert len(drawn) == (20 if expected else 0)


@pytest.mark.parametrize(
    ("form", "names"),
    [
        (Tables, {"squares", "three colours", "dominoes", "corners", "open cells", "hexagons", "space", "bounds", "five pieces"}),
        (Halves, {"tetravex"}),
        (Layers, {"torus", "tetravex", "squares", "open cells"}),
    ],
    ids=lambda each: getattr(each, "__name__", ""),
)
def test_each_form_of_the_count(form: type[Tables] | type[Halves] | type[Layers], names: set[str]) -> None:
    suited = set()
    for name in COVERS:
        cover, expected = known(name)
        if not expected:
            continue
        model = Model.of(cover)
        if form is Layers or form.suits(model):
            suited.add(name)
            states = form(model)
            for _ in states.build():
                pass
            assert states.total() == len(expected), name
    assert suited >= names
