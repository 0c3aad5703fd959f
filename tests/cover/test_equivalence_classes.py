"""Tilings are of one class just if a symmetry takes one to the other."""

from __future__ import annotations

from collections import defaultdict
from random import Random

import pytest

import tiler
from tiler import formats
from tiler.ask.solve import solve
from tiler.backends.registry import parse_spec
from tiler.cover.board import BoardCover
from tiler.cover.group_action import TilingClasses
from tiler.model.lattices import LATTICES
from tiler.question.question import Goal, Question
from tiler.selftest import brute_force, random_instances

PROBLEMS = {
    "dominoes": (["4x4", "2"], {}),
    "mirror images are tiles": (["3x4", "1:4L", "1:4J", "2"], {"reflections": False}),
    "open cells": (["oxx/xxx/xxo", "1:3L", "2"], {}),
    "in space": (["2x2x2", "2"], {}),
}


@pytest.mark.parametrize("lattice", ["square", "hexagonal", "triangular", "cubic"])
def test_painted_tilings_are_in_classes_as_by_brute_force(lattice: str) -> None:
    seen = 0
    for seed in range(25):
        instance = random_instances.instance(Random(seed), LATTICES[lattice], wrapped=seed % 3 == 0, painted=True)
        cover = BoardCover.of(instance) if instance.tiles else None
        if cover is None or not cover.has_twins or len(cover) > 60 or not 1 < tiler.count(instance) < 60:
            continue
        orbits = brute_force.orbits(instance)
        classes, found = TilingClasses(cover), defaultdict(set)
        for tiling in tiler.tilings(instance):
            found[classes.of(tiling.placements)].add(brute_force.as_tiling(tiling.placements))
        assert set(map(frozenset, found.values())) == orbits, seed
        seen += len(orbits) > 1
    assert seen


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
