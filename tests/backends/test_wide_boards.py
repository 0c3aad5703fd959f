"""Boards of more than 64 cells and covers of more than 704 placements, for which searches take several words:
counts of all solvers that count them in a moment, beside those of a brute force that counts what is the same once."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest
from brute_force import number

from tiler import formats
from tiler.ask.solve import solve
from tiler.cover.board import BoardCover
from tiler.model.instance import Instance
from tiler.question.question import Goal, Question

COUNT = Question(Goal.COUNT)
_DRAWN, _MOST = 6, 3000  #: instances drawn, and the most tilings of one

#: Blocks, and a constraint.
GIVEN: list[tuple[list[str], list[tuple[str, str]]]] = [
    (["24x3", "3I", "1:2x3"], [("within", "2x3 0,0..2,1")]),
    (["17x4", "4L", "1:4T", "1:4S"], []),
    (["5x8", *(f"1:{letter}" for letter in "FILNPTUV")], []),
]
#: Those that are done with such boards in a moment.
SPECS = (
    *("dlx", "dlx:filter=dead+volume+parity+probe", "dlx:order=mrv+forced:3", "dlx:order=mrv+cells:2", "dlx:parity=on"),
    *("fila", "fila:order=e", "fila:order=s", "fila:order=e:3+f:1", "fila:window=off"),
    *("auto", "frontier"),
)


def strip(drawn: Random) -> Instance:
    """A board of three rows or columns, some bounds, and now and then a tile that must lie at one end."""
    long, lies = drawn.randint(22, 25), drawn.random() < 0.5
    tiles = drawn.sample(["2", "3I", "3L", "4L", "4O", "4T", "5P", "2x3"], 3)
    bounds = [drawn.choice(["", "1:", "2:", "0..2:", "1..3:", "1..1:"]) for _ in tiles]
    blocks = [f"{long}x3" if lies else f"3x{long}", *(bound + tile for bound, tile in zip(bounds, tiles, strict=True))]
    end = drawn.randint(2, 5)
    inside = f"{tiles[0]} 0,0..{f'2,{end}' if lies else f'{end},2'}"
    return formats.constrained(formats.inline(blocks), [("within", inside)] if drawn.random() < 0.5 else [])


@cache
def counted() -> tuple[tuple[Instance, int], ...]:
    """Instances with the number of their tilings."""
    given = [formats.constrained(formats.inline(blocks, reflections=len(blocks) > 5), told) for blocks, told in GIVEN]
    drawn, some = Random(3), list[Instance]()
    while len(some) < _DRAWN:
        made = strip(drawn)
        if BoardCover.of(made).refusal() is None and 0 < number(made) <= _MOST:
            some.append(made)
    return tuple((each, number(each)) for each in (*given, *some))


def test_they_are_wide() -> None:
    wide = [BoardCover.of(instance) for instance, _ in counted()]
    assert all(len(cover.cells) > 64 or len(cover) > 704 for cover in wide)
    assert {len(cover) > 704 for cover in wide} == {True, False}


@pytest.mark.parametrize("spec", SPECS)
def test_wide_boards_are_counted_as_by_the_brute_force(spec: str) -> None:
    for instance, expected in counted():
        assert solve(instance, spec, COUNT).result.count == expected, instance.name
