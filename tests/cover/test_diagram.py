"""What is read from a file is a diagram only if its arrays are those of one, and its paths solutions: each way to fail."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tiler.cover.cover import Cover
from tiler.cover.diagram import Diagram

#: Its options by number: the first of two items, both, and the second.
COVER = Cover.from_rows([["a"], ["a", "b"], ["b"]])

#: Two nodes between root and end.
FOUR = {"layers": [0, 1, 3, 4], "starts": [0, 2, 3, 4, 4], "option": [0, 1, 2, 2]}


def diagram(**arrays: list[int]) -> Diagram:
    """The diagram of both solutions, or one with some arrays changed."""
    both = {"layers": [0, 1, 2, 3], "starts": [0, 2, 3, 3], "option": [0, 1, 2], "target": [1, 2, 2]}
    types = {"layers": np.int64, "starts": np.int64, "option": np.int32, "target": np.int32}
    made: dict[str, Any] = {name: np.array(arrays.get(name, both[name]), types[name]) for name in both}
    return Diagram(**made)


def test_a_diagram_is_taken_for_one() -> None:
    assert diagram().is_sound(len(COVER))
    assert diagram().covers(COVER)
    assert list(diagram().solutions()) == [(0, 2), (1,)]
    assert Diagram.empty(3).is_sound(len(COVER))
    assert Diagram.empty(3).covers(COVER)


@pytest.mark.parametrize(
    "arrays",
    {
        "a node that no arc leads to": {**FOUR, "target": [1, 3, 3, 3]},
        "a node without arcs": {"layers": [0, 1, 3, 4], "starts": [0, 2, 3, 3, 3], "target": [1, 2, 3]},
        "an arc within a layer": {**FOUR, "target": [1, 2, 2, 3]},
        "an arc back": {"target": [1, 2, 1]},
        "an arc to the root": {"target": [1, 2, 0]},
        "an arc beyond the end": {"target": [1, 3, 2]},
        "two roots": {"layers": [0, 2, 2, 3], "starts": [0, 2, 3, 3]},
        "two ends": {"layers": [0, 1, 1, 3], "starts": [0, 2, 2, 2], "option": [0, 1], "target": [1, 2]},
        "arcs behind the end": {"starts": [0, 1, 2, 3]},
        "options out of order": {"option": [1, 0, 2]},
        "an option twice": {"option": [1, 1, 2]},
        "an option that there is not": {"option": [0, 1, 3]},
        "an option below the first": {"option": [-1, 1, 2]},
        "arcs without an option": {"option": [0, 1]},
        "arcs that belong to no node": {"starts": [0, 1, 2, 2]},
        "arcs before the first": {"starts": [1, 2, 3, 3]},
        "nodes that begin before the last one": {"starts": [0, 3, 2, 3]},
        "layers out of order": {"layers": [0, 2, 1, 3]},
        "nodes before the first layer": {"layers": [1, 1, 2, 3]},
        "nodes behind the last layer": {"layers": [0, 1, 1, 2]},
        "no layer": {"layers": [0]},
        "arcs, but no node": {"layers": [0, 0, 0, 0], "starts": [3]},
    }.items(),
    ids=lambda each: each[0],
)  # fmt: skip
def test_arrays_that_are_no_diagram(arrays: tuple[str, dict[str, list[int]]]) -> None:
    assert not diagram(**arrays[1]).is_sound(len(COVER))


@pytest.mark.parametrize(
    "paths",
    [
        diagram(target=[1, 1, 2]),  # an item twice
        diagram(target=[2, 2, 2], option=[0, 1, 2]),  # one path leaves an item out
        diagram(layers=[0, 1, 1, 2], starts=[0, 1, 1], option=[0], target=[1]),  # the only path does
    ],
    ids=["an item twice", "an item left out", "an item always left out"],
)
def test_paths_that_are_no_solutions(paths: Diagram) -> None:
    assert not paths.covers(COVER)
