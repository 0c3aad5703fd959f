"""Strips: which lengths can be tiled, whether they add up, and boards that are put together from them."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import brute_force
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tiler import formats
from tiler.ask.solve import solve
from tiler.backends.registry import parse_spec
from tiler.backends.strips import Strips
from tiler.backends.strips.boxes import boxes_of
from tiler.backends.strips.layouts import Layouts, Strip, bricks, change
from tiler.backends.strips.search import Sweep, strips_of
from tiler.cover.board import BoardCover
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.model.lattices import SQUARE
from tiler.model.tile import Tile
from tiler.process.cancellation import never_stop
from tiler.question.question import Goal, Limits, Question
from tiler.question.result import Stop

#: Two rectangles that may not be turned: 17 rows of 2 cells, and 4 rows of 5.
UNTURNED = tuple(
    Tile(name, frozenset(product(range(rows), range(columns)))) for name, rows, columns in (("A", 17, 2), ("B", 4, 5))
)


def swept(instance: Instance, strip: Strip, most: int) -> list[int]:
    """The lengths that a sweep finds."""
    sweep = Sweep(instance, strip, most)
    for _ in sweep.run(1, never_stop):
        pass
    return sweep.lengths


def untiled(rows: int, columns: int) -> Instance:
    """A rectangle for the two tiles that may not be turned."""
    board = frozenset(product(range(rows), range(columns)))
    return Instance(board, UNTURNED, turning=False, lattice=SQUARE)


@pytest.mark.parametrize(
    ("blocks", "across", "most"),
    [
        (["3x3", "3L"], (2,), 9),
        (["3x3", "3L"], (3,), 8),
        (["3x3", "3L"], (5,), 6),
        (["3x3", "4T", "3I"], (4,), 5),
        (["4x4", "4L"], (4,), 5),
        (["4x4", "5P", "2x3"], (3,), 6),
        (["4x4", "2x2", "5P"], (4,), 6),
        (["3x3x3", "3L"], (2, 2), 3),
        (["2x2x2", "4T", "1x1x2"], (1, 2), 4),
    ],
)
def test_lengths_are_those_of_the_brute_force(blocks: list[str], across: tuple[int, ...], most: int) -> None:
    instance = formats.inline(blocks)
    for axis in range(len(across) + 1):
        strip = Strip(axis, across)
        boards = [frozenset(product(*map(range, strip.sides(length)))) for length in range(1, most + 1)]
        tiled = [length for length, board in enumerate(boards, 1) if brute_force.number(instance.on(board))]
        assert tiled
        assert swept(instance, strip, most) == tiled


def test_an_area_that_tiles_cannot_have_hides_no_length() -> None:
    """Nine rows of 20 cells can be filled, although pentominoes do not fill nine rows of 21."""
    instance = replace(formats.inline(["9x9", "5Y"]), reflections=True)
    assert swept(instance, Strip(1, (9,)), 21) == [20]
    # Two tiles of 20 cells, but no tiles at all, cover what they leave of nine rows of nine.
    assert swept(untiled(4, 4), Strip(1, (4,)), 9) == [5]


def test_strips_that_are_turned_are_swept_once() -> None:
    turned = formats.inline(["4x9", "3L"])
    assert [len(same) for same in strips_of(turned, (4, 9), 5)] == [2, 2, 2, 2, 1]
    assert [len(same) for same in strips_of(replace(turned, turning=False), (4, 9), 5)] == [1] * 9
    assert all(len(same) == 3 for same in strips_of(formats.inline(["4x4x4", "3L"]), (4, 4, 4), 1))


@given(st.sets(st.integers(1, 12), min_size=1, max_size=4), st.integers(1, 40))
def test_change(coins: set[int], total: int) -> None:
    sums = {0}
    for _ in range(total):
        sums |= {each + coin for each in sums for coin in coins if each + coin <= total}
    used = change(coins, total)
    assert bool(used) == (total in sums)
    assert not used or (sum(used) == total and set(used) <= coins)


def test_a_layout_fills_its_box_once() -> None:
    lengths = {Strip(0, (2,)): [3], Strip(1, (2,)): [3], Strip(0, (5,)): [9], Strip(1, (5,)): [9, 6]}
    layout = Layouts(lengths, 5).in_rows((11, 33))
    assert layout is not None
    covered = np.zeros((11, 33), np.int64)
    for (rows, columns), offsets in bricks(layout).items():
        for row, column in offsets.tolist():
            covered[row : row + rows, column : column + columns] += 1
    assert (covered == 1).all()


@pytest.mark.parametrize(
    ("blocks", "spec"),
    [
        (["33x35", "3L"], "strips"),
        (["41x9", "3L"], "strips"),
        (["24x20", "4L", "5P"], "strips"),
        (["18x12x5", "3L"], "strips"),
        (["4x6x9", "1x2x3"], "strips"),
        # An L, a frame and a staircase in space.
        (["x" * 12 + ("/" + "x" * 12) * 5 + ("/" + "x" * 6) * 10, "3L"], "strips"),
        (["x" * 18 + ("/" + "x" * 18) * 5 + ("/xxxxxx......xxxxxx") * 6 + ("/" + "x" * 18) * 6, "3L"], "strips:widest=3"),
        (["3x3x3", "1x1x1"], "strips:widest=3"),
    ],
)
def test_boards_are_put_together(blocks: list[str], spec: str) -> None:
    """Each tiling is verified."""
    answer = solve(formats.inline(blocks), spec)
    assert (answer.result.status, answer.result.stop, len(answer.solutions)) == (Status.SAT, Stop.DONE, 1)


def test_a_part_lies_the_other_way() -> None:
    """Strips of 4 rows do not add up to 21, and tiles of 17 rows are no narrow strip; together they do."""
    lengths = {same[0]: swept(untiled(21, 10), same[0], 34) for same in strips_of(untiled(21, 10), (21, 10), 14)}
    layouts = Layouts(lengths, 14)
    assert layouts.in_rows((21, 10)) is None
    assert layouts.in_two((21, 10)) is not None
    assert solve(untiled(21, 10), "strips").result.status is Status.SAT


def test_it_never_says_that_there_is_no_tiling() -> None:
    answer = solve(formats.inline(["6x6", "4T"]), "strips")
    assert (answer.result.status, answer.result.stop) == (Status.UNKNOWN, Stop.UNDECIDED)
    assert "strips of up to 14 cells across do not make up the board" in answer.result.message


def test_boards_are_cut_where_they_change() -> None:
    cover = BoardCover.of(formats.inline(["xxxx/xxxx/xx../xx../xx..", "1"]))
    assert [(box.corner, box.sides) for box in boxes_of(cover)] == [((0, 0), (2, 4)), ((2, 0), (3, 2))]
    apart = BoardCover.of(formats.inline(["xx.xx", "1"]))
    assert [box.sides for box in boxes_of(apart)] == [(1, 2), (1, 2)]
    solid = BoardCover.of(formats.inline(["xx/xx - x./..".replace(" - ", "\n-\n"), "1"]))
    assert sorted(box.sides for box in boxes_of(solid)) == [(1, 1, 1), (1, 2, 2)]


@pytest.mark.parametrize(
    ("blocks", "settings", "reason"),
    [
        (["hex:3", "x.x"], {"lattice": "hexagonal"}, "cells of the hexagonal lattice are none"),
        (["6x6", "6:3L", "4L"], {}, "tiles that may be used any number of times"),
        (["6x6", "3L"], {"wrap": "rows"}, "boards without seams, constraints, paint and cells that stay open"),
        (["/".join("x" * n for n in range(1, 40, 2)), "2"], {}, "straight cuts make more than 16 of this board"),
    ],
)
def test_what_is_refused(blocks: list[str], settings: dict[str, Any], reason: str) -> None:
    cover = BoardCover.of(formats.inline(blocks, **settings))
    said = Strips().refusal(Question(), cover)
    assert said is not None
    assert reason in said
    assert "\n" not in said


def test_a_filter_may_leave_a_placement_out() -> None:
    cover = BoardCover.of(formats.inline(["4x6", "3L"]))
    (solution,) = Strips().solve(cover, Question()).solutions
    part = cover.restrict(np.arange(len(cover)) != solution[3])
    assert Strips().solve(part, Question()).status is Status.UNKNOWN


def test_nodes_are_limited() -> None:
    answer = solve(formats.inline(["35x35", "5Y"]), "strips", Question(Goal.DECIDE, Limits(nodes=100)))
    assert (answer.result.status, answer.result.stop) == (Status.UNKNOWN, Stop.NODES)


def test_threads_find_the_same_lengths() -> None:
    instance = formats.inline(["9x30", "3L"])
    alone, shared = Sweep(instance, Strip(1, (9,)), 30), Sweep(instance, Strip(1, (9,)), 30)
    for sweep, threads in ((alone, 1), (shared, 3)):
        for _ in sweep.run(threads, never_stop):
            pass
    assert alone.lengths == shared.lengths
    assert parse_spec("strips").widest == 14
