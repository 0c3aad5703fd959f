"""Reasons why there is no tiling are true, and say what a person would say."""

from __future__ import annotations

from dataclasses import replace

import pytest
from brute_force import allowed_tilings
from corpus import boards

import tiler
from tiler.apps.puzzles import why_not
from tiler.model.constraints import Constraint, parse
from tiler.model.instance import Instance


def laid(instance: Instance, *pieces: str) -> Instance:
    return replace(instance, constraints=tuple(parse("place", text) for text in pieces))


AT_SIGHT = [
    (tiler.make("5x5", "1:5X", "1:5I"), "area", "all pieces together have 10 cells, the board 25", ()),
    (
        laid(tiler.make("3x3", "1:V", "1:4O", "1:2"), "2 1,1 1,2"),
        "area",
        "on the cells still empty: pieces of 4 and 5 cells cannot add up to 7 cells",
        None,
    ),
    (laid(tiler.make("4x1", "2"), "2 0,1 0,2"), "cell", "no piece can cover the cells 0,0 0,3", ((0, 0), (0, 3))),
    (
        laid(tiler.make("7x3", "1:3I", "9:2"), "3I 0,3 1,3 2,3"),
        "area",
        "no pieces fill the 9 cells around the cell 0,0",
        tuple((row, column) for row in range(3) for column in range(3)),
    ),
    (laid(tiler.make("8x8", "2", "2:1"), "1 0,0", "1 7,7", "1 4,4"), "piece", "1 is laid 3 times, but there are only 2", ()),
    (
        laid(tiler.make("3x1", "2", "1:1"), "2 0,0 0,1", "2 0,1 0,2"),
        "cell",
        "two of the pieces laid cover the cell 0,1",
        ((0, 1),),
    ),
    (laid(tiler.make("3x1", "2", "1:1", open=1), "2 0,0 0,1"), "", "", ()),
    (laid(tiler.make("2x1", "2"), "2 0,0 0,1"), "", "", ()),
]


@pytest.mark.parametrize(("instance", "kind", "sentence", "cells"), AT_SIGHT)
def test_at_sight(instance: Instance, kind: str, sentence: str, cells: object) -> None:
    reason = why_not.at_sight(instance)
    if not kind:
        assert reason is None
        return
    assert reason is not None
    assert (reason.kind, reason.sentence) == (kind, sentence)
    assert cells is None or reason.cells == cells


def test_a_piece_may_be_named_as_one_that_it_is_merged_with() -> None:
    """What may be turned over is one piece in two copies; the rest of the problem knows it by its first name."""
    puzzle = tiler.make("4x2", "4L", "4J", reflections=True)
    asked = replace(puzzle, constraints=(Constraint("forbid", "4J", ((0, 3),)), parse("place", "4L 0,0 0,1 0,2 1,0")))
    reason = why_not.at_sight(asked)
    assert reason is not None
    assert reason.cells == ((0, 3), (1, 1), (1, 2), (1, 3))


def test_a_colouring_of_the_rest() -> None:
    """Two opposite corners are covered by pieces laid; both are white."""
    reason = why_not.explain(laid(tiler.make("8x8", "2", "2:1"), "1 0,0", "1 7,7"))
    assert reason.kind == "colouring"
    assert reason.sentence.startswith("on the cells still empty: checkerboard: every 2 covers exactly 1 black cell;")
    assert (len(reason.colours), sum(reason.colours.values()), reason.sums) == (62, 32, {"2": 1})
    assert reason.to_json()["colours"][0] == [(0, 1), 1]


@pytest.mark.parametrize("sides", [("5x4", "1:tetrominoes"), ("6x6", "4L"), ("3x3x3", "1x2x2", "5:1")])
def test_a_proof_or_a_search(sides: tuple[str, ...]) -> None:
    reason = why_not.explain(tiler.make(*sides))
    assert reason.sentence == tiler.prove(tiler.make(*sides)).sentence or reason.kind in ("area", "search")


def test_a_reason_at_sight_is_true() -> None:
    """Where a reason is given at sight there is no tiling; also with the pieces of a tiling laid there is none."""
    given = 0
    for example in boards("plain", "constrained"):
        if why_not.at_sight(example.instance) is not None:
            given += 1
            assert not example.tilings
        for tiling in sorted(example.tilings, key=repr)[:3]:
            pieces = [Constraint("place", name, tuple(sorted(cells))) for name, cells in sorted(tiling, key=repr)[:2]]
            asked = replace(example.instance, constraints=(*example.instance.constraints, *pieces))
            assert allowed_tilings(asked)
            assert why_not.at_sight(asked) is None
    assert given
