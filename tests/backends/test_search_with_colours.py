"""Items with colours: searches that know them against all sets of rows, and against Algorithm C node for node."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from algorithm_c import AlgorithmC, macmahon
from specs import singles
from stepping import solutions_of

from tiler.ask.size.stochastic_enumeration import levels, roots
from tiler.ask.solve import solve_cover
from tiler.backends.backtracking import Backtracking
from tiler.backends.dlx import Dlx
from tiler.backends.dlx import driver as dlx_search
from tiler.backends.dlx.driver import DlxSearch, merged
from tiler.backends.registry import parse_spec
from tiler.cover.cover import Cover, RowCover
from tiler.kernels import SOLUTION
from tiler.model.expected import Status
from tiler.question.question import Goal, Question

#: Those of no board.
SPECS = [
    spec
    for spec in (*singles(Backtracking), *singles(Dlx), "dlx:copies=named,order=forced")
    if not any(
        word in spec for word in ("fill-row", "volume", "filter=parity", "probe", "anchor", "cells=columns", "cells=spiral")
    )
]
ALL = Question(Goal.ENUMERATE)


def drawn(seed: int) -> RowCover:
    """A cover with few rows; some items have colours in some rows or all, some rows tiles with bounds."""
    chance = Random(seed)
    primary, coloured = "abcdef"[: chance.randint(2, 6)], "xyz"[: chance.randint(1, 3)]
    rows = []
    for _ in range(chance.randint(2, 12)):
        row = chance.sample(primary, chance.randint(1, min(3, len(primary))))
        for item in coloured:
            row += chance.choice([[f"{item}:1"], [f"{item}:2"], [f"{item}:3"], [], [], [item] if seed % 3 == 0 else []])
        rows.append(row)
    keys = chance.choices("pqr", k=len(rows)) if seed % 2 else None
    kinds = sorted(set(keys or ()))
    least = {key: 1 for key in kinds if chance.random() < 0.3}
    most = {key: chance.randint(1, 3) for key in kinds if chance.random() < 0.5}
    secondary = [item for item in primary if any(item in row for row in rows) and chance.random() < 0.2]
    return Cover.from_rows(rows, secondary=secondary, tile_of=keys, at_least=least, at_most=most)


def brute_force(cover: RowCover) -> set[tuple[int, ...]]:
    """The solutions, by trying every set of rows that agree; tiles and items that may stay open as the cover has them."""
    rows = [{word.partition(":")[0]: word for word in map(str, row)} for row in cover.rows]
    must = {str(item) for number, item in enumerate(cover.items[: cover.given]) if number not in cover.may_stay_open}
    bounds, found = _bounds(cover), set()

    def extend(some: tuple[int, ...], given: dict[str, str]) -> None:
        """With any rows after the last one; two may share an item only where both give it the same colour."""
        used = Counter(cover.tile[list(some)].tolist())
        if must <= given.keys() and all(low <= used[t] <= high for t, (low, high) in enumerate(bounds)):
            found.add(some)
        for number in range(some[-1] + 1 if some else 0, len(rows)):
            if all(":" in word and given[name] == word for name, word in rows[number].items() if name in given):
                extend((*some, number), given | rows[number])

    extend((), {})
    return found


def _bounds(cover: Cover) -> list[tuple[int, int]]:
    return [
        (0, len(cover)) if is_filler else (low, high)
        for low, high, is_filler in zip(cover.lower.tolist(), cover.upper.tolist(), cover.is_filler.tolist(), strict=True)
    ]


@pytest.fixture(scope="module")
def examples() -> list[tuple[RowCover, set[tuple[int, ...]]]]:
    return [(cover, brute_force(cover)) for cover in map(drawn, range(120))]


def test_examples_are_of_all_sorts(examples: list[tuple[RowCover, set[tuple[int, ...]]]]) -> None:
    assert sum(cover.coloured is not None for cover, _ in examples) > 80
    assert sum(cover.coloured is not None and bool(found) for cover, found in examples) > 30
    # Colours make a difference: without them there are more solutions.
    plain = [solve_cover(_without_colours(cover), "dlx", ALL).result.found for cover, _ in examples]
    assert sum(number > len(found) for number, (_, found) in zip(plain, examples, strict=True)) > 30


def _without_colours(cover: RowCover) -> Cover:
    return replace(cover, coloured=None)


@pytest.mark.parametrize("spec", SPECS)
def test_searches_find_what_brute_force_finds(spec: str, examples: list[tuple[RowCover, set[tuple[int, ...]]]]) -> None:
    """Every second cover; another spec takes the others."""
    backend, first = parse_spec(spec), SPECS.index(spec) % 2
    for number, (cover, expected) in enumerate(examples[first::2], SPECS.index(spec) // 2):
        only_decides = backend.refusal(ALL, cover) is not None
        if not only_decides:
            found = solve_cover(cover, backend, ALL).solutions
            assert len(found) == len(set(found))
            assert set(found) == expected, cover.rows
        # Every second cover is counted, of the others a verdict is asked; another spec changes that over.
        if only_decides or number % 2:
            status = solve_cover(cover, backend).result.status
            assert status is (Status.SAT if expected else Status.UNSAT), cover.rows
        else:
            assert solve_cover(cover, backend, Question(Goal.COUNT)).result.count == len(expected)


@pytest.mark.parametrize("memory", ["levels", "one level"])
@pytest.mark.parametrize("order", ["mrv", "cells", "first+mrv:6", "mrv+forced:4"])
def test_the_last_stage_searches_the_same_tree(memory: str, order: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if memory == "one level":
        monkeypatch.setattr(dlx_search, "_LEVELS_BYTES", 0)
    told = []
    for narrows in (False, True):
        for budget in (97, 10**9):
            search = DlxSearch(merged(Cover.from_rows(_pieces(2, 3, 2, 4))), order=order, narrows=narrows)
            told.append((solutions_of(search, budget), search.nodes(), search.fits().tolist()))
    assert told[0][1] > 100
    assert told[1:] == told[:-1]


def test_the_last_stage_begins_below_the_root_too() -> None:
    told = []
    for narrows in (False, True):
        search = DlxSearch(merged(Cover.from_rows(macmahon(4, 6))), narrows=narrows)
        found = []
        while search.nodes() < 200_000:
            if search.step(200_000 - search.nodes()) == SOLUTION:
                found.append(search.chosen())
        told.append((search.fits().tolist(), found))
    assert told[0] == told[1]
    assert told[0][1]


def _pieces(height: int, width: int, seed: int, colours: int = 2) -> list[list[str]]:
    """Rows of a puzzle: squares cut out of a board with colours drawn at random on its sides, in all turns, on the board."""
    chance = Random(seed)
    north = [[chance.randrange(colours) for _ in range(width)] for _ in range(height + 1)]
    west = [[chance.randrange(colours) for _ in range(width + 1)] for _ in range(height)]
    rows = []
    for number in range(height * width):
        r, c = divmod(number, width)
        sides = (north[r][c], west[r][c + 1], north[r + 1][c], west[r][c])
        for n, e, s, w in sorted({sides[k:] + sides[:k] for k in range(4)}):
            for y in range(height):
                for x in range(width):
                    rows.append(
                        [f"p{number}", f"{y},{x}", f"h{y},{x}:{n}", f"h{y + 1},{x}:{s}", f"v{y},{x}:{w}", f"v{y},{x + 1}:{e}"]
                    )
    return rows


@pytest.mark.parametrize(
    "rows",
    [
        *(pytest.param(_pieces(2, 3, seed, colours), id=f"2x3 {colours}") for seed, colours in enumerate((5, 4, 4, 3))),
        pytest.param(_pieces(3, 3, 4, 7), id="3x3"),
        pytest.param([["a", "x:1"], ["b", "x:1"], ["a", "x"], ["b", "c", "x"], ["c", "x:2"], ["c", "y:1"]], id="alone"),
    ],
)
def test_nodes_are_those_of_algorithm_c(rows: list[list[str]]) -> None:
    oracle = AlgorithmC(rows)
    solutions = list(oracle.solutions())
    cover = Cover.from_rows(rows)
    result = parse_spec("dlx").solve(cover, ALL)
    assert {tuple(sorted(each)) for each in solutions} == set(result.solutions)
    assert result.nodes == oracle.nodes


@pytest.mark.parametrize("spec", ["dlx", "dlx:order=first", "dlx:order=cells", "backtracking"])
def test_trees_are_sampled_with_colours(spec: str) -> None:
    cover, backend = Cover.from_rows(_pieces(2, 3, 3, 4)), parse_spec(spec)
    result = backend.solve(cover, Question(Goal.COUNT))
    assert sum(levels(roots([backend.tree(cover)]), Random(1), 10**6)) == result.nodes


def test_macmahons_squares() -> None:
    rows = macmahon(4, 6)
    cover = Cover.from_rows(rows)
    assert (len(rows), len(cover.items)) == (1008, 48)
    assert cover.coloured is not None
    assert len(cover.coloured.items) == 38
    assert parse_spec("dlx").solve(cover, Question(Goal.DECIDE)).status is Status.SAT


@pytest.mark.slow
def test_macmahons_squares_have_their_number_of_solutions() -> None:
    # 13,328 up to the four symmetries of the rectangle and the swap of the two colours that are not on the border.
    result = parse_spec("dlx").solve(Cover.from_rows(macmahon(4, 6)), Question(Goal.COUNT))
    assert (result.count, result.nodes) == (106_624, 72_983_341)
