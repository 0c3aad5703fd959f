"""General exact covers, made of rows: every backend that needs no geometry against a brute force, and the check of a solution."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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

Rows = tuple[list[list[str]], list[str], list[str], dict[str, int], dict[str, int]]


@st.composite
def covers(draw: st.DrawFn) -> Rows:
    """Rows, secondary items, a key for each row, and bounds on some keys."""
    items = "abcde"[: draw(st.integers(1, 5))]
    row = st.sets(st.sampled_from(items), min_size=1).map(sorted)
    rows = draw(st.lists(row, min_size=1, max_size=7))
    there = sorted({item for row in rows for item in row})
    secondary = draw(st.lists(st.sampled_from(there), unique=True))
    keys = draw(st.lists(st.sampled_from("xy"), min_size=len(rows), max_size=len(rows)))
    some = st.dictionaries(st.sampled_from(sorted(set(keys))), st.integers(0, 2))
    at_least = draw(some)
    at_most = {key: max(1, most, at_least.get(key, 0)) for key, most in draw(some).items()}
    return rows, secondary, keys, at_least, at_most


def solutions(
    rows: list[list[str]], secondary: list[str], keys: list[str], low: dict[str, int], high: dict[str, int]
) -> set[tuple[int, ...]]:
    """All sets of rows that cover as they should, by trying every set."""
    primary = {item for row in rows for item in row} - set(secondary)
    found = set()
    for size in range(len(rows) + 1):
        for chosen in combinations(range(len(rows)), size):
            covered = Counter(item for number in chosen for item in rows[number])
            used = Counter(keys[number] for number in chosen)
            covers = max(covered.values(), default=0) <= 1 and primary <= set(covered)
            if covers and all(used[key] >= n for key, n in low.items()) and all(used[key] <= n for key, n in high.items()):
                found.add(chosen)
    return found


def check(spec: str, data: Rows) -> None:
    rows, secondary, keys, low, high = data
    cover = Cover.from_rows(rows, secondary=secondary, tile_of=keys, at_least=low, at_most=high)
    expected = solutions(*data)
    answer = solve_cover(cover, spec, Question(Goal.ENUMERATE))
    found = answer.solutions
    assert len(found) == len(set(found)) == answer.result.count
    assert set(found) == expected
    assert [error_in(cover, options) for options in found] == [None] * len(found)
    assert solve_cover(cover, spec, Question(Goal.COUNT)).result.count == len(expected)
    assert solve_cover(cover, spec).result.status is (Status.SAT if expected else Status.UNSAT)


@pytest.mark.parametrize("spec", SEARCHES)
@settings(max_examples=150)
@given(covers())
def test_searches_find_what_brute_force_finds(spec: str, data: Rows) -> None:
    check(spec, data)


@pytest.mark.long
@pytest.mark.parametrize("spec", ENGINES)
@settings(max_examples=15)
@given(covers())
def test_engines_find_what_brute_force_finds(spec: str, data: Rows) -> None:
    check(spec, data)


@given(covers(), st.data())
def test_a_wrong_solution_is_seen(data: Rows, draw: st.DataObject) -> None:
    rows, secondary, keys, low, high = data
    cover = Cover.from_rows(rows, secondary=secondary, tile_of=keys, at_least=low, at_most=high)
    some = tuple(draw.draw(st.lists(st.integers(0, len(rows) - 1), unique=True).map(sorted)))
    assert (error_in(cover, some) is None) is (some in solutions(*data))


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
