"""Rectangles against what is published, and against a brute force where they are small.

Orders: K. Dahlke's lists of polyominoes that fill rectangles (github.com/eklhad/trec, theorems/hexlist-2d and solution-2d), the
greatest of each size also in OEIS A126140, after S. W. Golomb, "Polyominoes" (1994), chapter 8. Prime rectangles: of the P
pentomino polyominoes.org/data/5P, of the Y pentomino T. Sillke in sci.math, 20 November 1992; of the trominoes and tetrominoes
D. A. Klarner, "Packing a rectangle with congruent N-ominoes", Journal of Combinatorial Theory 7 (1969).
"""

from __future__ import annotations

import json
from math import prod
from pathlib import Path

import pytest
from brute_force import tilings
from commands import call

from tiler import formats
from tiler.apps.mathematics.rectangles import Rectangles, Sides, Verdict
from tiler.ask.solve import solve
from tiler.errors import BadOption
from tiler.model import piece_sets, verify
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.model.lattice import Shape
from tiler.model.lattices import SQUARE
from tiler.model.tile import Tile


def rectangles(*shapes: str, reflections: bool = True) -> Rectangles:
    return Rectangles(formats.inline(["1x1", *shapes], reflections=reflections).tiles, reflections, seconds=20)


def filled(found: Rectangles, longest: int) -> set[Sides]:
    return {each.sides for each in found.up_to(longest) if each.status is Status.SAT}


@pytest.mark.parametrize(
    ("tile", "longest", "primes", "order"),
    [
        ("3L", 9, [(2, 3), (5, 9)], 2),
        ("4L", 9, [(2, 4), (3, 8)], 2),
        ("4T", 9, [(4, 4)], 4),
        ("5P", 15, [(2, 5), (7, 15)], 2),
        ("5Y", 10, [(5, 10)], 10),
        ("xxx/xxx/x..", 14, [(14, 14)], 28),
    ],
)
def test_published_primes_and_orders(tile: str, longest: int, primes: list[Sides], order: int) -> None:
    found = rectangles(tile)
    verdicts = list(found.up_to(longest))
    assert Status.UNKNOWN not in {each.status for each in verdicts}
    assert [each.sides for each in found.primes] == primes
    assert found.order() == (order, True)
    for prime in found.primes:
        board = frozenset((row, column) for row in range(prime.sides[0]) for column in range(prime.sides[1]))
        assert verify.error_in(Instance(board, found.tiles, reflections=True), prime.tiling or ()) is None


@pytest.mark.slow
@pytest.mark.parametrize(("board", "shape", "copies"), [("19x28", "xxxxx/.xx..", 76), ("23x24", "xxxxx/.x...", 92)])
def test_the_largest_orders(board: str, shape: str, copies: int) -> None:
    """That rectangles of this size are filled; that no smaller ones are is Dahlke's result, not shown here."""
    answer = solve(formats.inline([board, shape], reflections=True), "sat")
    assert len(answer.solutions[0]) == copies


#: By rows of eight cells in hexadecimal digits, as Dahlke writes them; the others of up to six cells fill none, but for the Y
#: hexomino, whose least one is too large for the test below.
_ORDERS = {
    **{"e0": 1, "c080": 2, "f0": 1, "e080": 2, "e040": 4, "c0c0": 1, "f8": 1, "f080": 2, "f040": 10, "e0c0": 2, "fc": 1},
    **{"f880": 2, "f0c0": 2, "f0a0": 2, "f060": 4, "e0e0": 1, "c0e080": 18, "e0c080": 2, "e080c0": 2},
}


def _of_rows(digits: str) -> Shape:
    rows = [int(digits[at : at + 2], 16) for at in range(0, len(digits), 2)]
    return frozenset((row, column) for row, bits in enumerate(rows) for column in range(8) if bits >> (7 - column) & 1)


@pytest.mark.slow
def test_orders_of_all_polyominoes_of_up_to_six_cells() -> None:
    orders = {_of_rows(rows): order for rows, order in _ORDERS.items()}
    named = ("trominoes", "tetrominoes", "pentominoes", "hexominoes")
    shapes = [shape for name in named for shape in piece_sets.ALL[name].shapes().values()]
    for shape in shapes:
        found = Rectangles((Tile("tile", shape),), True, seconds=20)
        published = next((orders[each] for each in SQUARE.variants(shape, True) if each in orders), None)
        list(found.up_to(12))
        assert found.order() == (None if published is None else (published, True)), sorted(shape)
    assert len(shapes) == 2 + 5 + 12 + 35


@pytest.mark.slow
def test_rectangles_of_the_y_pentomino() -> None:
    """What is decided in the time there is agrees with Sillke's list of primes."""
    published = {(5, 10), (9, 20), (10, 14), (10, 16), (11, 20), (13, 20)}
    published |= {(14, 15), (15, 15), (15, 16), (15, 17), (15, 19), (17, 20)}
    found = rectangles("5Y")
    told = list(found.up_to(20))
    assert {each.sides for each in told if each.is_prime} <= published
    assert not {each.sides for each in told if each.status is Status.UNSAT} & published
    assert len(found.primes) >= 8


@pytest.mark.parametrize(
    ("shapes", "reflections"), [(("3L",), False), (("4L",), True), (("3I", "2x2"), False), (("4S", "4T"), True)]
)
def test_small_ones_by_brute_force(shapes: tuple[str, ...], reflections: bool) -> None:
    found = rectangles(*shapes, reflections=reflections)
    boards = {
        each.sides: formats.inline(["x".join(map(str, each.sides)), *shapes], reflections=reflections) for each in found.up_to(5)
    }
    assert filled(found, 5) == {sides for sides, instance in boards.items() if tilings(instance)}


def test_what_is_cut_is_not_searched_and_odd_numbers_are_refuted() -> None:
    found = rectangles("4L")
    by_sides = {each.sides: each for each in found.up_to(8)}
    assert (by_sides[2, 8].how, by_sides[2, 8].tiling) == ("parts", None)
    odd = [each for each in by_sides.values() if prod(each.sides) % 8 == 4 and min(each.sides) > 3]
    assert {each.how for each in odd} == {"colouring"}
    assert all("odd number" in each.reason for each in odd)


def test_a_prime_that_may_be_none_is_marked(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(Rectangles, "_parts", lambda self, sides: None)
    assert "2x3? (2), 5x9? (15)" in call(capsys, "rectangles", "3L", "--up-to", "9")[1]


def test_a_tile_that_fills_no_rectangle() -> None:
    assert "corner" in rectangles("5X").none_at_all
    assert not rectangles("3L").none_at_all


def test_boxes_in_space() -> None:
    found = Rectangles(formats.inline(["2x2x2", "2"]).tiles, False)
    assert found.dimension == 2  # What is flat fills rectangles.
    solid = Rectangles(formats.inline(["2x2x2", "4branch"]).tiles, False)
    assert filled(solid, 3) == {(2, 2, 2)}


def test_numbers_of_copies_are_refused() -> None:
    with pytest.raises(BadOption, match="leave out the numbers"):
        rectangles("3:3L")


def test_the_command_goes_on_from_its_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records, sheet = tmp_path / "records.jsonl", tmp_path / "primes.svg"
    arguments = ["rectangles", "3L", "--up-to", "9", "--records", str(records), "-o", str(sheet)]
    status, first, _ = call(capsys, *arguments)
    assert status == 0
    assert "prime (copies): 2x3 (2), 5x9 (15)\norder: 2\n" in first
    assert sheet.read_text().count("3L ") >= 2
    lines = records.read_text().splitlines()
    assert len(lines) == 45
    records.write_text("\n".join([*lines[:-1], lines[-1][:20]]))  # torn
    assert call(capsys, *arguments)[1] == first
    again = records.read_text().splitlines()
    assert (again[-1].partition('"seconds"')[0], len(again)) == (lines[-1].partition('"seconds"')[0], 46)
    table = call(capsys, "rectangles", "3I", "3L", "--each", "--up-to", "4")[1]
    assert [line.split()[:3] for line in table.splitlines()[1:]] == [["3I", "1x3", "1"], ["3L", "2x3", "2"]]
    data = [json.loads(line) for line in call(capsys, "rectangles", "3I", "--up-to", "3", "--format", "json")[1].splitlines()]
    assert [each["sides"] for each in data if each["prime"]] == [[1, 3]]


def test_lines_that_are_no_records_are_passed_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records = tmp_path / "records.jsonl"
    arguments = ["rectangles", "2", "--up-to", "3", "--records", str(records)]
    _, told, _ = call(capsys, *arguments)
    lines = [json.loads(line) for line in records.read_text().splitlines()]
    prime = next(line for line in lines if line["prime"])
    wrong = [
        *(
            3,
            {"schema": prime["schema"]},
            *({**prime, "sides": sides} for sides in (5, [1], [0, 2], ["1", 2], [1, 10**30], [1, 1, 2])),
        ),
        *({**prime, "tiling": tiling} for tiling in (None, 3, [3], [{"tile": "2", "cells": [[0, 0]]}])),
        *({**prime, name: []} for name in ("tiles", "limit", "status", "how", "reason", "seconds", "prime")),
    ]
    records.write_text("".join(f"{json.dumps(each)}\n" for each in wrong) + "[" * 100_000 + "\n")
    assert call(capsys, *arguments) == (0, told, "")
    written = records.read_text().splitlines()[len(wrong) + 1 :]
    assert [json.loads(line)["sides"] for line in written] == [line["sides"] for line in lines]
    assert call(capsys, *arguments) == (0, told, "")
    assert records.read_text().splitlines()[len(wrong) + 1 :] == written


def test_an_order_is_proved_only_if_every_smaller_box_is_refuted() -> None:
    found = rectangles("4L")
    list(found.up_to(4))
    assert found.order() == (2, True)
    found.recall(Verdict((2, 2), Status.UNKNOWN, "limit"), 20)
    assert found.order() == (2, False)
