"""General exact covers, made of rows: every backend that needs no geometry against a brute force, and the check of a solution."""

from __future__ import annotations

from collections import Counter
from itertools import chain, combinations
from random import Random
from typing import Any

import pytest
from corpus import Rows, by_night, covers, rows, solutions_of
from hypothesis import given, settings

from tiler.ask.solve import solve_cover
from tiler.backends.registry import parse_spec
from tiler.cover.cover import Cover
from tiler.cover.verify import error_in
from tiler.errors import BadOption, InputError
from tiler.formats.dlx import parse, write
from tiler.model.expected import Status
from tiler.question.question import Goal, Question

SEARCHES = ["backtracking", "backtracking:order=rare", "dlx", "dlx:order=first", "dlx:filter=dead", "auto"]
ENGINES = ["sat", "sat:encoding=amo-pairwise", "ilp:engine=highs", "cpsat"]
KNUTH = [["c", "e"], ["a", "d", "g"], ["b", "c", "f"], ["a", "d", "f"], ["b", "g"], ["d", "e", "g"]]


def check(spec: str, some: Rows) -> None:
    answer = solve_cover(some.cover, spec, Question(Goal.ENUMERATE))
    found = answer.solutions
    assert len(found) == len(set(found)) == answer.result.count
    assert set(found) == some.solutions
    assert [error_in(some.cover, options) for options in found] == [None] * len(found)
    assert solve_cover(some.cover, spec, Question(Goal.COUNT)).result.count == len(some.solutions)
    assert solve_cover(some.cover, spec).result.status is (Status.SAT if some.solutions else Status.UNSAT)


@pytest.mark.parametrize("spec", SEARCHES)
def test_searches_find_what_brute_force_finds(spec: str) -> None:
    for some in rows():
        check(spec, some)


@pytest.mark.long
@pytest.mark.parametrize("spec", ENGINES)
def test_engines_find_what_brute_force_finds(spec: str) -> None:
    for some in rows()[ENGINES.index(spec) :: 8]:
        check(spec, some)


def test_a_wrong_solution_is_seen() -> None:
    for some in rows()[::4]:
        numbers = range(len(some.given["rows"]))
        for chosen in chain.from_iterable(combinations(numbers, size) for size in range(len(numbers) + 1)):
            assert (error_in(some.cover, chosen) is None) is (chosen in some.solutions)


@by_night
@settings(max_examples=150)
@given(covers())
def test_searches_find_what_brute_force_finds_whatever_is_drawn(data: dict[str, Any]) -> None:
    some = Rows(Cover.from_rows(**data), frozenset(map(tuple, solutions_of(**data))), data)
    for spec in SEARCHES:
        check(spec, some)


def test_knuths_example() -> None:
    cover = Cover.from_rows(KNUTH)
    assert cover.items == ("c", "e", "a", "d", "g", "b", "f")
    assert parse_spec("dlx").solve(cover, Question(Goal.ENUMERATE)).solutions == ((0, 3, 4),)
    assert error_in(cover, (0, 3)) == "item g is not covered"
    assert error_in(cover, (0, 0)) == "an option is there twice, or there is no such option"


@pytest.mark.parametrize("spec", ["fila", "frontier", "coloring", "dlx:filter=volume", "dlx:anchor=x"])
def test_what_needs_a_board_says_so(spec: str) -> None:
    backend = parse_spec(spec)
    goal = Goal.PROVE if spec == "coloring" else Goal.DECIDE
    with pytest.raises(BadOption, match="needs a board"):
        backend.solve(Cover.from_rows(KNUTH), Question(goal))


@pytest.mark.parametrize(
    ("rows", "settings", "why"),
    [
        ([["a"], []], {}, "row 1 is empty"),
        ([["a", "a"]], {}, "row 0 has an item twice"),
        ([["a"]], {"secondary": ["b"]}, "no row covers the secondary item 'b'"),
        ([["a"]], {"tile_of": ["x", "y"]}, "tile_of has 2 keys for 1 rows"),
        ([["a"]], {"at_most": {"x": 1}}, "there is a bound for 'x'"),
        ([["a"]], {"tile_of": ["x"], "at_least": {"x": 2}, "at_most": {"x": 1}}, "tile x: 2..1 is not a range"),
    ],
)
def test_what_is_no_cover_is_refused(rows: list[list[str]], settings: dict[str, object], why: str) -> None:
    with pytest.raises(InputError, match=why):
        Cover.from_rows(rows, **settings)  # type: ignore[arg-type]


def test_matrices_with_empty_rows() -> None:
    """Rows without a 1 keep their numbers, and are in no solution."""
    drawn = Random(1)
    for number in range(25):
        matrix = [[int(drawn.random() < 0.35) for _ in range(4)] for _ in range(7)]
        rows = [[item for item, there in enumerate(row) if there] for row in matrix]
        secondary = [item for item in range(4) if any(row[item] for row in matrix) and drawn.random() < 0.2]
        keys = [drawn.choice("xy") for _ in matrix]
        weights = {key: drawn.randint(-2, 2) for key, row in zip(keys, rows, strict=True) if row}
        cover = Cover.from_matrix(matrix, secondary=secondary, tile_of=keys, weights=weights)
        primary = set(range(4)) - set(secondary)
        wanted = {
            chosen
            for size in range(5)
            for chosen in combinations([number for number, row in enumerate(rows) if row], size)
            if (covered := Counter(item for number in chosen for item in rows[number])).total() == len(covered)
            and primary <= covered.keys()
        }
        answer = solve_cover(cover, SEARCHES[number % len(SEARCHES)], Question(Goal.ENUMERATE))
        assert set(answer.solutions) == wanted
        assert answer.result.count == len(wanted)
        if not secondary:
            assert solve_cover(parse("\n".join(write(cover))), "dlx", Question(Goal.COUNT)).result.count == len(wanted)
        best = solve_cover(cover, "dlx", Question(Goal.OPTIMISE)).result.value
        assert best == max((sum(weights[keys[row]] for row in each) for each in wanted), default=None)


def test_what_is_taken_apart_by_mistake_is_refused() -> None:
    with pytest.raises(InputError, match="rows: 'ab' is one text"):
        Cover.from_rows("ab")
    with pytest.raises(InputError, match=r"Cover.from_matrix\(list\(rows.values\(\)\)\)"):
        Cover.from_matrix({0: [1, 0], 1: [0, 1]})  # type: ignore[arg-type]
