"""What the agreement of all backends does not reach: stopping and resuming at will, handing over, named copies, imbalance."""

from __future__ import annotations

from itertools import combinations_with_replacement, pairwise
from typing import Any

import numpy as np
import pytest
from brute_force import as_tiling, tilings
from corpus import boards
from hypothesis import example as always
from hypothesis import given, settings
from hypothesis import strategies as st
from stepping import solutions_of
from strategies import instances

from tiler import formats
from tiler.ask.solve import solve
from tiler.backends.base import Backend
from tiler.backends.dlx import driver as dlx_search
from tiler.backends.dlx.driver import DlxSearch, merged
from tiler.backends.dlx.kernel import HANDOFF
from tiler.backends.registry import parse_spec
from tiler.cover.board import BoardCover
from tiler.cover.cover import Cover
from tiler.errors import BadOption
from tiler.kernels import EXHAUSTED, SOLUTION
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.question.question import Goal, Limits, Question
from tiler.question.result import Stop

SPECS = [
    "dlx",
    "dlx:order=first",
    "dlx:order=cells",
    "dlx:order=mrv+cells:2",
    "dlx:order=mrv+forced:3,volume=1",
    "dlx:parity=on",
    "dlx:order=first,parity=on",
]
small = instances(max_cells=12, words=False)
FREE = [f"1:{letter}" for letter in "FILNPTUVWXYZ"]
SOMA = ["1:3L", "1:4L", "1:4S", "1:4T", "1:4^", "1:4<", "1:4>"]
COUNT = Question(Goal.COUNT)


@pytest.fixture(params=["levels", "one level"])
def memory(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a board so large that little is kept, and without."""
    if request.param == "one level":
        monkeypatch.setattr(dlx_search, "_LEVELS_BYTES", 0)


#: Problems in which the last stage begins at the root, below it, or is left and begun again.
STAGED = {
    "exact": ["4x5", "1:5I", "1:5L", "1:5V", "1:5P"],
    "below the root": ["3x20", *FREE],
    "owed, with slack": ["4x4", "1..2:4L", "1..2:1", "2"],
    "several copies": ["4x6", "3..5:4T", "2..:4L", "1..2:4O"],
    "more than 64 cells": ["5x14", "5I", "1:5P", "1:5L"],
    "unlimited": ["4x5", "2", "4I"],
}


def both_stages(cover: Cover, budget: int, **options: Any) -> list[tuple[int, list[int], list[tuple[int, ...]]]]:
    """Nodes, nodes by pieces left, and solutions in the order found, by degrees alone and with a last stage."""
    told = []
    for narrows in (False, True):
        search = DlxSearch(merged(cover), narrows=narrows, **options)
        found = solutions_of(search, budget)
        assert len(found) == len(set(map(frozenset, found))) == search.found()
        told.append((search.nodes(), search.fits().tolist(), found))
    return told


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize("order", ["mrv", "cells", "mrv+cells:3", "first+cells:3", "first+mrv:4", "mrv+forced:3"])
@pytest.mark.parametrize("name", STAGED)
def test_the_last_stage_searches_the_same_tree(name: str, order: str) -> None:
    cover = BoardCover.of(formats.inline(STAGED[name], reflections=True))
    by_degrees, staged = both_stages(cover, 10**6, order=order)
    assert by_degrees == staged
    assert by_degrees[0] > 0


@given(small, st.sampled_from(["mrv", "cells", "mrv+cells:3", "first+mrv:3"]), st.integers(1, 9))
def test_the_last_stage_can_be_stopped_at_every_node(instance: Instance, order: str, budget: int) -> None:
    cover = cover_of(instance)
    if cover is not None:
        by_degrees, staged = both_stages(cover, budget, order=order)
        assert by_degrees == staged


def test_a_general_exact_cover_has_a_last_stage_too() -> None:
    # Langford pairs of 7: 26 up to reflection. The two places of a number, and the number, are items.
    n = 7
    rows = [[f"n{i}", f"s{k}", f"s{k + i + 1}"] for i in range(1, n + 1) for k in range(2 * n - i - 1)]
    cover = Cover.from_rows(rows)
    by_degrees, staged = both_stages(cover, 10**6)
    assert by_degrees == staged
    assert len(staged[2]) == 52
    # With bounds for some rows, and items that may stay open.
    bounded = Cover.from_rows(
        [*rows, *([f"s{k}"] for k in range(2 * n))],
        secondary=[f"n{i}" for i in range(1, n + 1)],
        tile_of=["pair"] * len(rows) + ["single"] * 2 * n,
        at_least={"single": 10},
        at_most={"single": 10},
    )
    by_degrees, staged = both_stages(bounded, 10**6)
    assert by_degrees == staged
    assert staged[2]


def cover_of(instance: Instance) -> BoardCover | None:
    cover = BoardCover.of(instance)
    return None if cover.refusal() else cover


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize("spec", SPECS)
def test_tilings_are_those_of_the_brute_force(spec: str) -> None:
    for example in boards("plain", "constrained")[::6]:
        listed = solve(example.instance, spec, Question(Goal.ENUMERATE), cover=example.cover)
        found = [as_tiling(solution) for solution in listed.solutions]
        assert len(found) == len(example.tilings), example
        assert set(found) == example.tilings, example
        assert solve(example.instance, spec, COUNT, cover=example.cover).result.count == len(example.tilings), example


@settings(max_examples=80)
@given(small, st.sampled_from(["mrv", "first", "forced", "cells", "mrv+forced:2"]))
@always(formats.inline(["4x1", "4:1", "1..2:2"]), "forced")
@always(formats.inline(["4x1", "4:1", "1..2:2"]), "mrv+forced:2")
def test_named_copies_decide_as_merged_ones(instance: Instance, order: str) -> None:
    answer = solve(instance, f"dlx:copies=named,order={order}")
    expected = tilings(instance)
    assert answer.result.status == (Status.SAT if expected else Status.UNSAT)
    assert all(as_tiling(solution) in expected for solution in answer.solutions)


@pytest.mark.parametrize("how", ["", ",equal=off", ",uncounted=off", ",staggered=off", ",order=first", ",order=forced"])
def test_named_copies_leave_as_many_cells_open_as_are_asked_for(how: str) -> None:
    for least, most in combinations_with_replacement(range(6), 2):
        instance = formats.with_settings(formats.inline(["3x2", "2", "3L"]), {"open": f"{least}..{most}"})
        answer = solve(instance, f"dlx:copies=named{how}")
        expected = tilings(instance)
        assert answer.result.status == (Status.SAT if expected else Status.UNSAT), (least, most)
        assert all(as_tiling(solution) in expected for solution in answer.solutions)


def goals_of(backend: Backend) -> set[Goal]:
    return {goal for goal in Goal if backend.refusal(Question(goal)) is None}


@pytest.mark.parametrize("goal", [Goal.COUNT, Goal.ENUMERATE])
def test_named_copies_only_decide(goal: Goal) -> None:
    named = parse_spec("dlx:copies=named")
    assert goals_of(named) == {Goal.DECIDE, Goal.OPTIMISE}
    assert goals_of(parse_spec("dlx")) == {Goal.DECIDE, Goal.COUNT, Goal.ENUMERATE, Goal.TALLY, Goal.OPTIMISE}
    with pytest.raises(BadOption, match="copies=merged"):
        solve(formats.inline(["2x2", "2"]), named, Question(goal))


@pytest.mark.usefixtures("memory")
def test_budget_changes_nothing() -> None:
    @settings(max_examples=60)
    @given(small, st.sampled_from(["mrv", "first", "forced", "mrv+forced:2", "mrv+cells:2"]), st.booleans(), st.integers(1, 5))
    def check(instance: Instance, order: str, parity: bool, budget: int) -> None:
        cover = cover_of(instance)
        if cover is not None:
            whole, parts = (DlxSearch(merged(cover), order=order, parity=parity) for _ in range(2))
            assert solutions_of(whole, 10**6) == solutions_of(parts, budget)
            assert (whole.nodes(), whole.fits().tolist()) == (parts.nodes(), parts.fits().tolist())
            assert parts.step(1) == EXHAUSTED

    check()


@given(small)
def test_keeping_little_changes_nothing(instance: Instance) -> None:
    cover = cover_of(instance)
    if cover is not None:
        plain = DlxSearch(merged(cover))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(dlx_search, "_LEVELS_BYTES", 0)
            sparing = DlxSearch(merged(cover))
        assert solutions_of(plain, 7) == solutions_of(sparing, 7)
        assert plain.nodes() == sparing.nodes()


@pytest.mark.usefixtures("memory")
def test_what_is_handed_over_completes_the_count() -> None:
    @settings(max_examples=60)
    @given(small, st.integers(1, 6), st.integers(1, 9))
    def check(instance: Instance, pieces: int, budget: int) -> None:
        cover = cover_of(instance)
        if cover is None:
            return
        search = DlxSearch(merged(cover), handoff=pieces)
        found = []
        while (code := search.step(budget)) != EXHAUSTED:
            if code == SOLUTION:
                found.append(frozenset(search.chosen()))
            elif code == HANDOFF:
                chosen = search.chosen()
                assert search.pieces_left() <= pieces
                assert search._state.used.tolist() == np.bincount(cover.tile[list(chosen)], minlength=len(cover.tiles)).tolist()
                found += [frozenset(chosen + rest) for rest in completions(cover, chosen, search.alive())]
        expected = list(map(frozenset, solutions_of(DlxSearch(merged(cover)), 10**6)))
        assert len(found) == len(expected)
        assert set(found) == set(expected)

    check()


def completions(cover: BoardCover, chosen: tuple[int, ...], alive: np.ndarray) -> list[tuple[int, ...]]:
    """Every set of options left that covers the open cells within the bounds."""
    used = np.bincount(cover.tile[list(chosen)], minlength=len(cover.tiles))
    covered = {int(cell) for option in chosen for cell in cover.members[option]}
    open_cells = sorted(set(range(len(cover.cells))) - covered)
    if not open_cells:
        return [()] if (used >= cover.lower).all() else []
    found = []
    for option in np.flatnonzero(alive).tolist():
        cells = cover.members[option].tolist()
        if open_cells[0] in cells and covered.isdisjoint(cells) and used[cover.tile[option]] < cover.upper[cover.tile[option]]:
            found += [(option, *rest) for rest in completions(cover, (*chosen, option), alive)]
    return found


def test_pieces_left_at_a_handoff_are_exact_where_every_copy_is_used() -> None:
    search = DlxSearch(merged(BoardCover.of(formats.inline(["3x3x3", *SOMA]))), handoff=4)
    codes = []
    while (code := search.step(10**6)) != EXHAUSTED:
        codes.append(code)
        assert (len(search.chosen()), search.pieces_left()) == (3, 4)
    assert set(codes) == {HANDOFF}


def test_a_search_of_few_pieces_is_handed_over_at_once() -> None:
    search = DlxSearch(merged(BoardCover.of(formats.inline(["2x2", "2"]))), handoff=2)
    assert (search.step(9), search.chosen(), search.alive().all()) == (HANDOFF, (), True)
    assert search.step(9) == EXHAUSTED


@given(small, st.data())
def test_restricting_the_root_is_restricting_the_cover(instance: Instance, data: st.DataObject) -> None:
    cover = cover_of(instance)
    if cover is None:
        return
    keep = np.array(data.draw(st.lists(st.booleans(), min_size=len(cover), max_size=len(cover))), np.bool_)
    search = DlxSearch(merged(cover))
    if search.is_entered():
        search.restrict(keep)
        expected = [s for s in solutions_of(DlxSearch(merged(cover)), 10**6) if keep[list(s)].all()]
        assert set(map(frozenset, solutions_of(search, 3))) == set(map(frozenset, expected))


@pytest.mark.usefixtures("memory")
def test_restricting_every_node_by_one_placement_keeps_the_others() -> None:
    cover = BoardCover.of(formats.inline(["4x4", "2"]))
    expected = {frozenset(s) for s in solutions_of(DlxSearch(merged(cover)), 10**6)}
    for banned in range(len(cover)):
        search, found = DlxSearch(merged(cover)), set()
        keep = np.arange(len(cover)) != banned
        while (code := search.step(1)) != EXHAUSTED:
            if code == SOLUTION:
                found.add(frozenset(search.chosen()))
            elif search.is_entered():
                search.restrict(keep | ~search.alive())
        # The root is not restricted, so the option placed there may be the banned one.
        assert {s for s in expected if banned not in s} <= found <= expected


@given(small)
def test_same_search_every_time(instance: Instance) -> None:
    for spec in SPECS:
        one, two = (solve(instance, spec, Question(Goal.ENUMERATE, Limits(solutions=20))) for _ in range(2))
        assert (one.solutions, one.result.stats) == (two.solutions, two.result.stats)


@given(small)
def test_fraction_grows_from_0_to_1(instance: Instance) -> None:
    cover = cover_of(instance)
    if cover is not None:
        search, seen = DlxSearch(merged(cover)), [0.0]
        while search.step(1) != EXHAUSTED:
            seen.append(search.fraction())
        assert all(0 <= part <= 1 for part in seen)
        assert all(a <= b + 1e-9 for a, b in pairwise(seen))


def test_imbalance_settles_what_counting_cells_does_not() -> None:
    # The board without two opposite corners has 32 white cells and 30 black ones.
    mutilated = "/".join([".xxxxxxx", *["xxxxxxxx"] * 6, "xxxxxxx."])
    instance = formats.inline([mutilated, "2"])
    assert solve(instance, "dlx:parity=on").result.nodes == 0
    assert solve(instance, "dlx:parity=on").result.status is Status.UNSAT
    assert solve(instance, "dlx", Question(limits=Limits(nodes=5000))).result.stop is Stop.NODES


@pytest.mark.parametrize(
    ("shapes", "reflections", "count"),
    [
        # Kasteleyn 1961: domino tilings of rectangles.
        (["2x2", "2"], False, 2),
        (["6x6", "2"], False, 6728),
        (["2x2x3", "1x1x2"], False, 32),
        # Haselgrove 1960; Conway and Guy 1961: 240 up to the 48 symmetries of the cube.
        (["3x20", *FREE], True, 8),
        (["3x3x3", *SOMA], False, 11_520),
        # Scott 1958, up to the 8 symmetries of the square: 65.
        (["/".join(["xxxxxxxx"] * 3 + ["xxx..xxx"] * 2 + ["xxxxxxxx"] * 3), *FREE], True, 520),
        pytest.param(["6x10", *FREE], True, 9356, marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize("spec", ["dlx", "dlx:parity=on"])
def test_published_counts(shapes: list[str], reflections: bool, count: int, spec: str) -> None:
    assert solve(formats.inline(shapes, reflections=reflections), spec, COUNT).result.count == count


def test_equal_copies_are_not_told_apart() -> None:
    # An encoding that names the copies needs minutes.
    answer = solve(formats.inline(["11x7", "4T", "3:3I"]), "dlx")
    assert answer.result.status is Status.SAT
    assert answer.result.nodes < 1000


def test_stops_at_the_number_of_nodes() -> None:
    instance = formats.inline(["3x20", *FREE], reflections=True)
    result = solve(instance, "dlx", Question(Goal.COUNT, Limits(nodes=1000))).result
    assert (result.stop, result.count, result.nodes) == (Stop.NODES, None, 1000)
