"""Tilings are of one class just if a symmetry takes one to the other."""

from __future__ import annotations

from collections import defaultdict

import pytest
from brute_force import as_tiling
from corpus import boards

import tiler
from tiler import formats
from tiler.ask.solve import solve
from tiler.backends.registry import parse_spec
from tiler.cover.board import BoardCover
from tiler.cover.group_action import TilingClasses
from tiler.question.question import Goal, Question

PROBLEMS = {
    "dominoes": (["4x4", "2"], {}),
    "mirror images are tiles": (["3x4", "1:4L", "1:4J", "2"], {"reflections": False}),
    "open cells": (["oxx/xxx/xxo", "1:3L", "2"], {}),
    "in space": (["2x2x2", "2"], {}),
}


def test_tilings_are_in_classes_as_by_brute_force() -> None:
    twins = 0
    for board in [board for board in boards() if board.order > 1 and len(board.tilings) > 1][::2]:
        classes, found = TilingClasses(board.cover), defaultdict(set)
        for tiling in tiler.tilings(board.instance):
            found[classes.of(tiling.placements)].add(as_tiling(tiling.placements))
        assert set(map(frozenset, found.values())) == set(board.orbits.values()), board
        twins += board.cover.has_twins
    assert twins


@pytest.mark.parametrize("name", PROBLEMS)
def test_there_are_as_many_classes_as_tilings_up_to_symmetry(name: str) -> None:
    words, how = PROBLEMS[name]
    instance = formats.inline(words, **how)
    classes, dlx = TilingClasses(BoardCover.of(instance)), parse_spec("dlx")
    every = solve(instance, dlx, Question(Goal.ENUMERATE)).solutions
    least = solve(instance, dlx, Question(Goal.ENUMERATE, up_to_symmetry=True)).solutions
    assert len(every) > len(least) > 1
    assert len({classes.of(each) for each in least}) == len(least)
    assert {classes.of(each) for each in every} == {classes.of(each) for each in least}
    assert tiler.count(instance, up_to_symmetry=True) == len(least)
