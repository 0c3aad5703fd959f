"""Tilings by two cells that a symmetry keeps, counted as matchings of the quotient graph."""

from __future__ import annotations

import json
import math
import random
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

import tiler
from tiler.ask.recount import Recount, recount
from tiler.ask.solve import solve
from tiler.ask.symmetry import burnside, decomposition
from tiler.ask.symmetry.burnside import DrawnBoard
from tiler.backends.dlx import Dlx
from tiler.backends.matching import Matching, gadgets
from tiler.backends.registry import parse_spec
from tiler.cover.board import BoardCover
from tiler.cover.bounds import Bounds
from tiler.cover.cover import Cover
from tiler.cover.csr import Csr
from tiler.cover.embedded_graph import EmbeddedCover
from tiler.cover.group_action import actions
from tiler.cover.split import restrict, split
from tiler.model.instance import Instance
from tiler.question.question import Goal, Limits, Question

COUNT = Question(Goal.COUNT)
UP_TO_SYMMETRY = Question(Goal.COUNT, up_to_symmetry=True)


def counted(cover: Cover, spec: str) -> int:
    count = parse_spec(spec).solve(cover, COUNT).count
    assert count is not None
    return count


def kept(instance: Instance) -> list[Cover]:
    """The covers of the tilings that each symmetry but the identity keeps; those that it keeps none of are left out."""
    cover = BoardCover.of(instance)
    turned, maps = actions(cover)
    parts = burnside.burnside_parts(Matching(), cover, turned, maps)
    assert parts is not None
    assert all(isinstance(part.cover, EmbeddedCover) for part in parts[1:])
    return [part.cover for part in parts[1:] if isinstance(part.backend, Matching)]


SQUARES = [
    *("1x2", "1x4", "2x3", "3x3", "3x4", "4x4", "4x5", "5x5", "4x6", "5x6", "6x6", "2x7", "6x7"),
    "xxxxxx/xxxxxx/xx..xx/xx..xx/xxxxxx/xxxxxx",
    "xxxxxx/x.xx.x/xxxxxx/xxxxxx/x.xx.x/xxxxxx",
    "xxxxx/x.x.x/xxxxx/xxxxx/x.x.x/xxxxx",
    "xxxxxx/x.xx.x/xxxxxx/xxxxxx/xxxxxx/xxxxxx",
    "xx..xx/xx..xx",  # two parts, which are each other's images or have an axis each
    "xx..xx/xx..xx/xx..xx/......./x.....x",  # cells that nothing covers
    "aztec:3",
]


@pytest.mark.parametrize("board", SQUARES)
def test_dominoes_that_stay_are_matchings(board: str) -> None:
    """In the plane every symmetry of squares has a quotient that can be drawn."""
    instance = tiler.make(board, "2")
    covers = kept(instance)
    group = len(actions(BoardCover.of(instance))[0])
    assert len(covers) == group - 1
    assert [counted(cover, "matching") for cover in covers] == [counted(cover, "dlx") for cover in covers]


@pytest.mark.parametrize(
    ("board", "tile", "lattice"),
    [
        *((f"hexagon:{sides}", ".xx", "triangular") for sides in ("1,1,2", "1,2,2", "2,2,2", "2,2,3")),
        *((f"rhombus:{sides}", "x.x", "hexagonal") for sides in ("3x4", "4x4")),
    ],
)
def test_lozenges_and_pairs_of_hexagons_that_stay_are_matchings(board: str, tile: str, lattice: str) -> None:
    instance = tiler.make(board, tile, lattice=lattice)
    covers = kept(instance)
    assert len(covers) == len(actions(BoardCover.of(instance))[0]) - 1
    assert [counted(cover, "matching") for cover in covers] == [counted(cover, "dlx") for cover in covers]


@pytest.mark.parametrize("wrap", ["rows", "columns", "rows columns"])
@pytest.mark.parametrize("board", ["2x4", "3x4", "4x4"])
def test_on_cylinders_and_tori_those_that_can_be_drawn_are_matchings(board: str, wrap: str) -> None:
    instance = tiler.make(board, "2", wrap=wrap)
    covers = kept(instance)
    assert covers
    assert [counted(cover, "matching") for cover in covers] == [counted(cover, "dlx") for cover in covers]


@pytest.mark.parametrize("sides", [(8, 6), (10, 10)])
def test_a_mirror_keeps_the_tilings_of_half_the_board_with_open_cells_beside_the_axis(sides: tuple[int, int]) -> None:
    """Counted by states."""
    columns, rows = sides
    cover = BoardCover.of(tiler.make(f"{columns}x{rows}", "2"))
    turned, maps = actions(cover)
    (mirror,) = (number for number, cells in enumerate(turned) if cells[:2].tolist() == [columns - 1, columns - 2])
    half = tiler.make(f"{columns // 2}x{rows}", "2")
    half = replace(half, optional=frozenset((row, 0) for row in range(rows)))
    (fixed,) = burnside.fixed_covers(cover, turned[mirror], maps[mirror], DrawnBoard.of(cover)) or ()
    assert counted(fixed, "matching") == counted(BoardCover.of(half), "frontier")


def path(items: int, alone: list[int]) -> EmbeddedCover:
    """Items in a row, each joined to the next; `alone` says how many options cover it alone."""
    rows = [(item, item + 1) for item in range(items - 1)]
    around = tuple(tuple(number for number, row in enumerate(rows) if item in row) for item in range(items))
    single = [(item,) for item, times in enumerate(alone) for _ in range(times)]
    zeros, most = np.zeros(2, np.int64), np.array([items // 2, items], np.int64)
    return EmbeddedCover(
        items=tuple(range(items)),
        names=("pair", "alone"),
        tile=np.array([0] * len(rows) + [1] * len(single), np.int32),
        members=Csr.from_lists([*rows, *single]),
        sizes=np.array([2, 1], np.int64),
        bounds=Bounds(zeros, most, np.zeros(2, np.bool_)),
        weights=zeros,
        origin=np.arange(len(rows) + len(single), dtype=np.int32),
        around=around,
        points=np.arange(2.0 * items).reshape(items, 2),
    )


def matchings(vertices: frozenset[int], ends: list[tuple[int, int]]) -> int:
    """By trying everything."""

    @cache
    def rest(left: frozenset[int]) -> int:
        return sum(rest(left - {a, b}) for a, b in ends if min(left) == a and b in left) if left else 1

    return rest(vertices)


@pytest.mark.parametrize("items", range(1, 6))
def test_every_choice_of_legs_has_one_matching_of_the_chain(items: int) -> None:
    for alone in ([1] * items, [1, *(item % 2 for item in range(items - 1))], [0] * (items - 1) + [1]):
        graph = gadgets.drawing(path(items, alone))
        assert graph is not None
        assert graph.genus == 0
        ends = [(a, b) for a, b in graph.pairs.ends.tolist() if a >= items]
        ends_of_legs = {a: b for a, b in graph.pairs.ends.tolist() if a < items <= b}
        assert sorted(ends_of_legs) == [item for item in range(items) if alone[item]]
        chain = frozenset(range(items, graph.pairs.cells))
        for number in range(len(ends_of_legs) + 1):
            for used in combinations(ends_of_legs.values(), number):
                assert matchings(chain - {*used}, ends) == ((items - number) % 2 == 0), (alone, used)


def test_options_of_one_item_have_their_multiplicities() -> None:
    drawn = random.Random(30)
    for _ in range(60):
        items = drawn.randrange(1, 9)
        cover = path(items, [drawn.randrange(4) for _ in range(items)])
        if cover.refusal() is None:
            assert counted(cover, "matching") == counted(cover, "dlx")


def test_pieces_of_a_drawn_cover_are_drawn() -> None:
    for cover in kept(tiler.make("4x5", "2")):
        pieces = [restrict(cover, piece.choices) for piece in split([cover], 4)]
        assert len(pieces) >= 4
        assert sum(counted(piece, "matching") for piece in pieces) == counted(cover, "matching")


@pytest.mark.parametrize(("copies", "count"), [("", 930), ("18*", 930), ("1..:", 930), ("17*", 0)])
def test_bounds_that_the_area_sets_anyway_do_not_bind(copies: str, count: int) -> None:
    instance = tiler.make("6x6", f"{copies.replace('*', ':')}2")
    answer = solve(instance, "auto", UP_TO_SYMMETRY).result
    assert answer.count == count
    if count:
        cover = BoardCover.of(instance)
        whole = decomposition.decomposed(Matching(), cover, Goal.COUNT)
        assert {type(part.backend) for part in whole.parts} == {Matching}


@pytest.mark.parametrize("threads", [1, 2])
def test_what_cannot_be_drawn_is_searched_beside_the_rest(threads: int) -> None:
    instance = tiler.make("4x4", "2", wrap="rows columns")
    whole = decomposition.decomposed(Matching(), BoardCover.of(instance), Goal.COUNT)
    assert {type(part.backend) for part in whole.parts} == {Matching, Dlx}
    asked = replace(UP_TO_SYMMETRY, limits=Limits(threads=threads))
    assert solve(instance, "matching", asked).result.count == 13  # by brute force


def test_a_count_by_matchings_is_counted_again() -> None:
    instance = tiler.make("5x6", "2")
    answer = json.loads(json.dumps(solve(instance, "auto", UP_TO_SYMMETRY).summary()))
    assert recount(instance, answer, 1.0) == Recount(4, 4, 0, ("dlx",))
    answer["parts"]["found"][1] += 4
    answer["count"] += 1
    answer["stats"]["found"] += 1
    assert "part 2 of 4" in str(recount(instance, answer, 1.0).wrong)


def test_large_squares_have_whole_numbers_up_to_symmetry() -> None:
    """What symmetries keep is a multiple of the group's order, or the count fails."""
    answer = solve(tiler.make("16x16", "2"), "auto", UP_TO_SYMMETRY)
    assert answer.result.parts is not None
    assert answer.result.parts.found[0] == 2444888770250892795802079170816
    assert answer.result.parts.solver.startswith("matching")


@pytest.mark.parametrize("side", [2, 5, 8])
def test_plane_partitions_with_a_symmetry_are_as_many_as_the_theorems_say(side: int) -> None:
    """Lozenges of a hexagon are the plane partitions in a cube: cyclically symmetric ones (Andrews 1979) and symmetric ones
    (Andrews 1978)."""
    cover = BoardCover.of(tiler.make(f"hexagon:{side},{side},{side}", ".xx", lattice="triangular"))
    turned, maps = actions(cover)
    drawn, same = DrawnBoard.of(cover), np.arange(len(cover.cells))
    by_order: dict[int, list[int]] = {2: [], 3: []}
    for cells, options in zip(turned, maps, strict=True):
        order = next(number for number in range(1, 7) if (power(cells, number) == same).all())
        if order in by_order:
            covers = burnside.fixed_covers(cover, cells, options, drawn)
            by_order[order].append(sum(counted(each, "matching") for each in covers or ()))
    sides = range(1, side + 1)
    cyclic = math.prod(Fraction(3 * i - 1, 3 * i - 2) for i in sides)
    cyclic *= math.prod(Fraction(side + i + j - 1, 2 * i + j - 1) for i in sides for j in sides[i - 1 :])
    symmetric = math.prod(Fraction(side + i + j - 1, i + j - 1) for i in sides for j in sides[i - 1 :])
    assert by_order[3] == [cyclic, cyclic]
    assert by_order[2].count(int(symmetric)) == 3


def power(cells: NDArray[np.int64], number: int) -> NDArray[np.int64]:
    """Where a symmetry takes the cells, a number of times."""
    return cells if number == 1 else cells[power(cells, number - 1)]
