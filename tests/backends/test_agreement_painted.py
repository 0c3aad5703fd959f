"""Every backend's answers about boards whose tiles have colours and marks, beside those of the brute force."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest
from specs import INSTALLED

from tiler.backends.base import Backend
from tiler.cover.action import actions
from tiler.cover.board import BoardCover
from tiler.model.lattices import LATTICES
from tiler.selftest import brute_force, drawing
from tiler.selftest.brute_force import as_tiling
from tiler.selftest.compare import Example, answers

KINDS = [(lattice, wrapped) for lattice in LATTICES.values() for wrapped in (False, True)]


@cache
def examples() -> list[Example]:
    """Of every lattice one flat and one wrapped, and as many on boards of squares, hexagons and triangles."""
    drawn = Random(30)
    kinds = KINDS + [kind for kind in KINDS if kind[0].name in ("square", "hexagonal", "triangular")] * 2
    made = [Example.of(drawing.instance(drawn, lattice, wrapped=wrapped, painted=True)) for lattice, wrapped in kinds]
    return [example for example in made if example is not None]


def test_placements_and_symmetries_are_those_of_the_brute_force() -> None:
    coloured = solvable = turned = 0
    for example in examples():
        cover = BoardCover.of(example.instance)
        lying = [as_tiling(cover.placements([option])) for option in range(len(cover)) if not cover.fills[option]]
        assert len(lying) == len(set(lying))
        assert frozenset().union(*lying) == brute_force.placements(example.instance)
        assert len(actions(cover)[1]) == example.order
        coloured += cover.coloured is not None
        solvable += bool(example.tilings)
        turned += example.order > 1
    assert min(coloured, solvable, turned) > 5


@pytest.mark.parametrize("backend", INSTALLED, ids=lambda backend: backend.name)
def test_answers_are_those_of_the_brute_force(backend: type[Backend]) -> None:
    some = examples() if not backend.requires else examples()[::4]
    asked = [(example, question, wrong) for example in some for question, wrong in answers(example, backend.name)]
    assert [(str(example.instance), question, wrong) for example, question, wrong in asked if wrong] == []
