"""Every backend's answers about boards whose tiles have colours and marks, beside those of the brute force."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest
from specs import INSTALLED

from tiler.backends.base import Backend
from tiler.cover.board import BoardCover
from tiler.cover.group_action import actions
from tiler.model.lattices import LATTICES
from tiler.selftest import brute_force, random_instances
from tiler.selftest.brute_force import as_tiling
from tiler.selftest.compare import Judged, answers
from tiler.selftest.examples import Example

pytestmark = pytest.mark.usefixtures("sat_in_this_process")

#: Lattice, whether it is wrapped, and a seed: boards with tilings, most of them several, most with marks, many with symmetries.
DRAWN = [
    *[("square", False, seed) for seed in (1, 14, 30)],
    *[("hexagonal", False, 0), ("triangular", False, 2), ("triangular", False, 39), ("tetrakis", False, 42), ("cubic", False, 1)],
    *[("square-edges", False, 38), ("rhombille", False, 2), ("rhombille", False, 36)],
    *[("square", True, seed) for seed in (1, 20, 27)],
    *[("hexagonal", True, 2), ("triangular", True, 2)],
]


@cache
def examples() -> list[Example]:
    made = (
        random_instances.instance(Random(seed), LATTICES[name], wrapped=wrapped, painted=True) for name, wrapped, seed in DRAWN
    )
    return [example for example in map(Example.of, made) if example is not None]


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
    assert coloured > 4
    assert solvable > 8
    assert turned > 4


@pytest.mark.parametrize("backend", INSTALLED, ids=lambda backend: backend.name)
def test_answers_are_those_of_the_brute_force(backend: type[Backend]) -> None:
    some = examples() if not backend.requires else examples()[::3]
    asked = [(example, question, *judgement) for example in some for question, judgement in answers(example, backend.name)]
    assert [each for each in asked if each[2] in (Judged.WRONG, Judged.UNANSWERED)] == []
