"""Series of rectangles of one width: published recurrences, numbers counted one by one, and what is not proved."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from commands import call

from tiler import formats
from tiler.apps.mathematics import series as module
from tiler.apps.mathematics.series import _berlekamp_massey, series, sides_of
from tiler.ask.solve import solve
from tiler.errors import InputError
from tiler.question.question import Goal, Question

#: By width and tiles: the recurrence as published. Klarner and Pollack 1980 (A001835, A005178, A003775, A028468), A129682,
#: A046984, A165791.
PUBLISHED = {
    (3, "2"): (0, 4, 0, -1),
    (4, "2"): (1, 5, 1, -1),
    (5, "2"): (0, 15, 0, -32, 0, 15, 0, -1),
    (6, "2"): (1, 20, 10, -38, -10, 20, -1, -1),
    (2, "2 3I"): (2, 0, 1, -2, 1, -1),
    (4, "3L"): (0, 0, 10, 0, 0, -22, 0, 0, -4),
    (4, "2 3L"): (4, 21, -25, -65, -17, 24, -11, -15, 9),
}


@pytest.mark.parametrize(("width", "tiles"), PUBLISHED)
def test_published_recurrences(width: int, tiles: str) -> None:
    found = series((width,), tiles.split())
    assert found.recurrence == PUBLISHED[width, tiles]
    assert found.is_proved
    assert found.states is not None
    assert len(found.recurrence) <= found.states
    # The generating function gives the terms back.
    below = (1, *(-c for c in found.recurrence))
    product = [sum(below[i] * found.terms[n - i] for i in range(min(n, len(below) - 1) + 1)) for n in range(len(found.terms))]
    while product and not product[-1]:
        product.pop()
    assert tuple(product) == found.numerator


def test_terms_are_counts() -> None:
    found = series((5,), ["4L", "3L", "1"], reflections=True)
    for rows in range(1, 6):
        instance = formats.inline([f"5x{rows}", "4L", "3L", "1"], reflections=True)
        assert (
            solve(instance, "dlx" if rows < 4 else "frontier:order=diagonal", Question(Goal.COUNT)).result.count
            == found.terms[rows]
        )


def test_what_is_not_seen_whole_is_not_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_STATES", 3)
    monkeypatch.setattr(module, "_MOST_ROWS", 40)
    found = series((4,), ["2"])
    assert (found.recurrence, found.states, found.is_proved) == (PUBLISHED[4, "2"], None, False)
    monkeypatch.setattr(module, "_MOST_ROWS", 7)
    assert series((6,), ["2"], least=1).recurrence == ()


@pytest.mark.parametrize(("rows", "is_proved"), [(6, False), (7, True)])
def test_as_many_terms_as_the_proof_takes(rows: int, is_proved: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Order 4 and 4 states take 8 terms, one of them for no row."""
    # No two ends of rows have all the states, so that these are more than are to be looked at.
    monkeypatch.setattr(module, "MOST_STATES", 3)
    monkeypatch.setattr(module, "_MOST_ROWS", rows)
    found = series((3,), ["2"], least=1)
    assert (found.states, len(found.terms), found.is_proved) == (4, rows + 1, is_proved)


def test_the_shortest_recurrence_modulo_a_prime() -> None:
    fibonacci = [0, 1, 1, 2, 3, 5, 8, 13, 21, 34]
    assert _berlekamp_massey(fibonacci, 1009) == [1, 1]
    assert _berlekamp_massey([1, 2, 4, 8, 16, 32], 1009) == [2]
    assert _berlekamp_massey([0, 0, 0, 0], 1009) == []


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = call(capsys, "series", "3xn", "2", "--terms", "7")
    assert (status, err) == (0, "")
    assert out.splitlines() == [
        "terms       1, 0, 3, 0, 11, 0, 41, ...",
        "recurrence  a(n) = 4 a(n-2) - a(n-4) for n >= 4",
        "generating  (1 - x^2) / (1 - 4 x^2 + x^4)",
        "proved: order 4, as 4 states at the ends of rows show",
    ]
    status, out, _ = call(capsys, "series", "2xn", "2", "--format", "json")
    told = json.loads(out)
    assert (told["recurrence"], told["denominator"], told["numerator"], told["proved"]) == ([1, 1], [1, -1, -1], [1], True)
    for arguments, text in (
        (["4x4", "2"], "'4x4' is no board of any length; write 4xn"),
        (["4xn", "3:2"], "without bounds"),
        (["20xn", "5I"], "less than 64 cells"),
    ):
        status, out, err = call(capsys, "series", *arguments)
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert text in err


#: Of boxes, by their sides and tiles: terms as published (A006253, A028447, A028452), and what a brute force counts.
BOXES = {
    ((2, 2), "2"): (1, 2, 9, 32, 121, 450, 1681, 6272, 23409),
    ((2, 3), "2"): (1, 3, 32, 229, 1845, 14320, 112485),
    ((3, 3), "2"): (1, 0, 229, 0, 117805, 0, 64647289),
}


@pytest.mark.parametrize(("sides", "tiles"), BOXES)
def test_boxes(sides: tuple[int, int], tiles: str) -> None:
    found = series(sides, tiles.split())
    terms = BOXES[sides, tiles]
    assert (found.terms[: len(terms)], found.is_proved, found.sides) == (terms, True, sides)
    assert found[len(found.terms) - 1] == found.terms[-1]


def test_boxes_are_counted_one_by_one() -> None:
    found = series((3, 2), ["3L", "3I"])
    for layers in range(1, 4):
        instance = formats.inline([f"3x2x{layers}", "3L", "3I"])
        assert solve(instance, "dlx", Question(Goal.COUNT)).result.count == found.terms[layers]


def test_terms_beyond_those_that_were_counted() -> None:
    found = series((2,), ["2"])
    fibonacci = [1, 1]
    while len(fibonacci) <= 300:
        fibonacci.append(fibonacci[-1] + fibonacci[-2])
    assert found[300] == fibonacci[300]
    assert repr(found) == "Series(2xn: 1, 1, 2, 3, 5, 8, ..., order 2, proved)"
    for wrong in (-1, 10):
        with pytest.raises(IndexError, match="terms, from 0 on, and no recurrence"):
            replace(found, terms=(1, 2, 3), recurrence=(), states=None, is_proved=False)[wrong]


MARKED = [
    pytest.param((2,), ["1 [1 1 2 2]", "1 [2 2 1 1]", "1 [1 2 1 1]"], False, id="Wang tiles"),
    pytest.param((3,), ["1 [1 1 2 2]", "1 [1 2 1 2]"], True, id="turned"),
    pytest.param((2,), ["1 [r r . g]", "1 [g g r r]"], True, id="sides without marks"),
    pytest.param((2,), ["xx [1 . 2 3] [1 3 2 .]", "1 [2 3 1 3]", "1 [1 1 1 1]"], True, id="dominoes"),
    pytest.param((1,), ["1 [in x out x]", "1 [out x in x]", "1 [out x out x]"], False, id="mates"),
]


@pytest.mark.parametrize(("sides", "tiles", "turning"), MARKED)
def test_tiles_with_marks_as_boards_one_by_one(sides: tuple[int, ...], tiles: list[str], turning: bool) -> None:
    mates = "in out" if "in" in tiles[0] else None
    found = series(sides, tiles, turning=turning, mates=mates)
    assert found.is_proved
    assert found.terms[0] == 1
    for length in (1, 2, 3, 4):
        board = formats.inline([f"{sides[0]}x{length}", *tiles], turning=turning, mates=mates)
        assert solve(board, "backtracking", Question(Goal.COUNT)).result.count == found[length]


@pytest.mark.parametrize(("rows", "recurrence"), [(4, ()), (5, ()), (6, (1, 0, 1)), (9, (1, 0, 1))])
def test_a_recurrence_is_named_only_if_more_terms_than_twice_its_order_satisfy_it(
    rows: int, recurrence: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_STATES", 1)
    monkeypatch.setattr(module, "_MOST_ROWS", rows)
    found = series((3,), ["3I"], least=2)
    assert (found.terms[:5], found.recurrence, found.is_proved) == ((1, 1, 1, 2, 3), recurrence, False)
    if not recurrence:
        with pytest.raises(IndexError, match="no recurrence"):
            found[rows + 1]


#: By board and tiles, of lattices other than squares: what is known of the series.
LATTICES = {
    ("rhombus:1xn", "dikites"): (1, 2, 5, 12, 29, 70, 169, 408, 985),  # A000129
    ("rhombus:1xn", "didrafters"): (1, 5, 34, 233, 1597, 10946, 75025),  # A001519, every second one
    ("rhombus:3xn", "diamonds"): (1, 1, 1, 1, 1),  # MacMahon: a hexagon with a side 0 has one tiling by lozenges
    ("rhombus:2xn", "dihexes"): None,
    ("rhombus:2xn", "trihexes"): None,
    ("rhombus:2xn", "triamonds"): None,
    ("rhombus:1xn", "trikites"): None,
    ("rhombus:1xn", "tridrafters"): None,
    ("rhombus:2x1xn", "dihexprisms"): None,
    ("2xn", "diaboloes"): None,
    ("2xn", "disticks"): None,
    ("2xn", "tristicks"): None,
    ("rhombus:1xn", "monotrigs"): None,
}


@pytest.mark.parametrize(("board", "tiles"), LATTICES)
def test_other_lattices_as_boards_one_by_one(board: str, tiles: str) -> None:
    figure, sides = sides_of(board)
    found = series(sides, [tiles], figure=figure)
    assert (found.board, found.is_proved) == (board, True)
    known = LATTICES[board, tiles] or ()
    assert found.terms[: len(known)] == known
    for length in (1, 2, 3):
        problem = formats.inline([board.replace("n", str(length)), tiles])
        assert solve(problem, "backtracking", Question(Goal.COUNT)).result.count == found[length]


def test_no_length_has_a_tiling() -> None:
    with pytest.raises(InputError, match="no length has a tiling: pieces cannot add up to 1 cells and 4 for each row"):
        series((1,), ["dirhombs"], figure="rhombus:")
    with pytest.raises(InputError, match="no dimensions on the hexagonal lattice"):
        series((2,), ["dihexes"])
