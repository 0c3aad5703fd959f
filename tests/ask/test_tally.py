"""Tallies: how many tilings use which copies and leave which cells open, beside single counts and a brute force."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from brute_force import tilings
from commands import call
from hypothesis import given
from hypothesis import strategies as st
from strategies import instances

import tiler
from tiler import formats
from tiler.ask.solve import solve
from tiler.cover import diagram_tally
from tiler.cover.board import BoardCover
from tiler.errors import BadOption, InputError
from tiler.model.instance import Instance
from tiler.question.question import Goal, Limits, Portion, Question, TallyBy
from tiler.question.result import Stop

OPEN, COPIES = (TallyBy.OPEN,), (TallyBy.COPIES,)
CALENDAR = "calendars/a-puzzle-a-day_s"

#: The number of solutions of some dates as others have published them.
PUBLISHED = {
    "oct 6": 7,  # https://github.com/anowell/today-puzzle
    "jan 20": 195,  # the same
    "may 1": 57,  # https://github.com/andrewmk/PuzzleADaySolver
}


def by_brute_force(instance: Instance, tally_by: tuple[TallyBy, ...]) -> dict[Portion, int]:
    """The tally, each tiling looked at by itself."""
    cover, found = BoardCover.of(instance), Counter[Portion]()
    number = {cell: n for n, cell in enumerate(cover.cells)}
    for tiling in tilings(instance):
        used = Counter(instance.number_of(name) for name, _ in tiling)
        copies = tuple(used[t] for t in range(len(instance.distinct_tiles)))
        left = instance.board.difference(*(cells for _, cells in tiling))
        opened = tuple(sorted(number[cell] for cell in left))
        found[Portion(copies if TallyBy.COPIES in tally_by else (), opened if TallyBy.OPEN in tally_by else ())] += 1
    return found


@pytest.mark.parametrize("spec", ["frontier", "dlx", "auto"])
@given(instances(max_cells=12, words=False), st.sampled_from([OPEN, COPIES, (*COPIES, *OPEN)]))
def test_tallies_are_those_of_a_brute_force(spec: str, instance: Instance, tally_by: tuple[TallyBy, ...]) -> None:
    result = solve(instance, spec, Question(Goal.TALLY, tally_by=tally_by)).result
    expected = by_brute_force(instance, tally_by)
    assert (result.count, result.tally) == (expected.total(), expected)


@pytest.mark.parametrize("spec", ["backtracking", "fila", "sat", "cpsat", pytest.param("ilp", marks=pytest.mark.long)])
def test_every_solver_that_lists_tilings_tallies_them(spec: str) -> None:
    instance = tiler.make("3x2", "3L", "1:1", "2", open=1)
    question = Question(Goal.TALLY, tally_by=(*COPIES, *OPEN))
    assert solve(instance, spec, question).result.tally == solve(instance, "frontier", question).result.tally


@pytest.mark.parametrize("tally_by", [OPEN, COPIES])
def test_tilings_by_two_cells_are_tallied_too(tally_by: tuple[TallyBy, ...]) -> None:
    instance = tiler.make("2x3", "2")
    assert solve(instance, "auto", Question(Goal.TALLY, tally_by=tally_by)).result.tally == by_brute_force(instance, tally_by)


@pytest.mark.parametrize("spec", ["frontier", "dlx"])
@pytest.mark.parametrize("most_open", [0, 1])
def test_edges_that_must_not_cross(spec: str, most_open: int) -> None:
    instance = tiler.make("2x2", "2-1", "2-2", lattice="square-edges", crossing=False, open=most_open)
    result = solve(instance, spec, Question(Goal.TALLY, tally_by=(*COPIES, *OPEN))).result
    assert result.tally == by_brute_force(instance, (*COPIES, *OPEN))


def test_more_cells_than_a_word_has_bits() -> None:
    instance = tiler.make("3x22", "4L", "3I", open="1..1")
    tally = solve(instance, "frontier", Question(Goal.TALLY, tally_by=OPEN)).result.tally or {}
    for number, cell in ((0, (0, 0)), (31, (10, 1)), (65, (21, 2))):
        assert tally.get(Portion(open=(number,)), 0) == tiler.count(instance.with_open(frozenset({cell})))
    assert sum(tally.values()) == tiler.count(instance) > 0


def test_areas_that_do_not_bound_the_open_cells() -> None:
    instance = tiler.make("5x3", "3L", "2", open="2")
    question = Question(Goal.TALLY, tally_by=OPEN)
    assert solve(instance, "auto", question).result.tally == solve(instance, "dlx", question).result.tally


#: Five groups of cells, one cell of each stays open: 4^5 sets, as with dice that say where blockers go.
DICE = """# reflections: yes
# group: a 0,0 1,1 4,3 3,2
# group: b 0,1 1,0 4,2 3,3
# group: c 0,2 1,3 4,1 2,0
# group: d 0,3 1,2 4,0 2,1
# group: e 2,2 2,3 3,0 3,1

oooo
oooo
oooo
oooo
oooo

1:2
1:3I
1:3L
1:3L
1:4O
"""


def test_groups_of_cells_as_dice_choose_them() -> None:
    """The states of a count that told the open cells apart were many times as many."""
    instance = formats.parse(DICE)
    question = Question(Goal.TALLY, tally_by=OPEN)
    result = solve(instance, "frontier", question).result
    assert result.tally == solve(instance, "dlx", question).result.tally
    assert result.count == tiler.count(instance) > 0
    assert result.nodes < 20_000


def test_more_tilings_than_a_word_counts() -> None:
    instance = tiler.make("3x61", "2", "3I", open="1..1")
    tally = solve(instance, "frontier", Question(Goal.TALLY, tally_by=OPEN)).result.tally or {}
    assert sum(tally.values()) == tiler.count(instance) > 2**64
    assert tally[Portion(open=(0,))] == tiler.count(instance.with_open(frozenset({(0, 0)})))


def test_pairs_are_passed_on_some_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also a node with more pairs than are taken at a time."""
    instance = tiler.make("4x3", "3L", "2", open="2")
    question = Question(Goal.TALLY, tally_by=(*COPIES, *OPEN))
    whole = solve(instance, "frontier", question).result.tally
    monkeypatch.setattr(diagram_tally, "_PAIRS", 3)
    assert solve(instance, "frontier", question).result.tally == whole == solve(instance, "dlx", question).result.tally


def test_several_workers_of_cpsat_are_refused() -> None:
    with pytest.raises(BadOption, match="one worker"):
        solve(tiler.make("3x1", "2", open=1), "cpsat:workers=2", Question(Goal.TALLY, tally_by=OPEN))
    with pytest.raises(BadOption, match="tally_by is for a tally"):
        Question(Goal.COUNT, tally_by=OPEN)


def test_a_tally_that_needs_more_memory_says_so() -> None:
    instance = formats.read(Path("problems/calendars/weekdays_s.txt"))
    result = solve(instance, "frontier", Question(Goal.TALLY, Limits(megabytes=400), tally_by=OPEN)).result
    assert (result.stop, result.tally, result.count) == (Stop.MEMORY, None, None)


@pytest.fixture(scope="module")
def dates() -> tiler.OpenCounts:
    return tiler.by_open(tiler.read(CALENDAR))


def test_dates_of_a_calendar(dates: tiler.OpenCounts) -> None:
    calendar = tiler.read(CALENDAR)
    by_name = {dates.named(cells): number for cells, number in dates.items()}
    assert (len(by_name), dates.tilings, dates.without) == (372, sum(by_name.values()), ())
    assert {date: by_name[date] for date in PUBLISHED} == PUBLISHED
    for date in ("feb 29", "dec 24"):
        assert by_name[date] == tiler.count(calendar.with_open(date), solver="dlx")


GROUPS = "# labels: a b c d e\n# group: x a\n# group: y b c\n"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (GROUPS.replace("d e", "") + "oo\no\n\n5I\n", "all pieces that fit together have 0 cells, the board 1"),
        (GROUPS + "# group: z d e\noo\noo\nox\n\n5I\n", "pieces of 5 cells cannot add up to 3 cells"),
        (GROUPS + "# group: z d e\noo\noo\nox\n\n4..:1\n", "the pieces that must be used have 4 cells, the board 3"),
    ],
    ids=["two groups", "three groups", "too many pieces"],
)
def test_groups_that_leave_no_area_of_tiles(text: str, why: str) -> None:
    found = tiler.by_open(formats.parse(text))
    assert (len(found), found.without, found.answer.result.message) == (0, (), f"area: {why}")
    assert str(found).splitlines()[-1] == "no set of open cells leaves an area that the tiles can have"


@pytest.mark.parametrize("solver", ["auto", "frontier", "dlx"])
@pytest.mark.parametrize("text", ["o\n\n1..:1\n", "xo\n\n1..:2\n", "# open: 0..1\n2x1\n\n2..:1\n"])
def test_cells_that_may_stay_open_but_never_do(text: str, solver: str) -> None:
    assert dict(tiler.by_open(formats.parse(text), solver=solver)) == {(): 1}


def test_a_cell_that_a_piece_must_cover_is_in_no_set_of_open_cells() -> None:
    text = "# labels: a b c d\n# group: x a b\n# group: y c d\n# place: 1 0,0\noo\noo\n\n1\n"
    found = tiler.by_open(formats.parse(text))
    assert dict(found) == {((0, 1), (1, 0)): 1, ((0, 1), (1, 1)): 1}
    assert [line.split() for line in str(found).splitlines()[:3]] == [["a", "b"], ["c", "0", "1"], ["d", "0", "1"]]


@pytest.mark.slow
def test_all_dates_by_single_counts(dates: tiler.OpenCounts) -> None:
    calendar = tiler.read(CALENDAR)
    assert dict(dates) == {cells: tiler.count(calendar.with_open(frozenset(cells)), solver="dlx") for cells in dates}


@pytest.mark.slow
def test_dates_with_weekdays_by_single_counts() -> None:
    calendar = tiler.read("calendars/weekdays_s")
    dates = tiler.by_open(calendar, solver="frontier")
    assert (len(dates), dates.tilings, dates.without) == (2604, 4_937_780, ())
    for cells, number in list(dates.items())[::200]:
        assert number == tiler.count(calendar.with_open(frozenset(cells)), solver="dlx")


def test_what_is_printed(dates: tiler.OpenCounts, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    told = str(dates).splitlines()
    assert told[0].split() == ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
    assert told[6].split()[10] == "7"  # oct 6, behind the day
    assert told[-2:] == ["fewest: oct 6 with 7; most: jan 25 with 216", "every set has a tiling"]
    status, out, _ = call(capsys, "count", "3x1", "2", "--open", "1", "--by-open")
    assert (status, out.splitlines()[-2:]) == (0, ["without a tiling (1): 0,1", "2"])
    lines = [json.loads(line) for line in call(capsys, "count", CALENDAR, "--by-open", "--format", "json")[1].splitlines()]
    assert {"schema": "tiler-by-open-1", "open": [[1, 3], [2, 5]], "labels": ["oct", "6"], "tilings": 7} in lines
    assert lines[-1]["count"] == dates.tilings
    for ending in ("svg", "json", "txt"):
        dates.save(tmp_path / f"dates.{ending}")
    for ending in ("png", "pdf"):
        tiler.by_open(tiler.make("3x1", "2", open=1)).save(tmp_path / f"three.{ending}")
    assert (tmp_path / "dates.svg").read_text().count(">jan<") == 13  # twelve boards, and the name of one


def test_too_many_sets_are_not_listed() -> None:
    found = tiler.by_open(tiler.make("7x3", "1:4I", "1:3I", open="14"))
    assert (found.is_complete, found.without) == (False, ())
    assert "sets without a tiling are not listed" in str(found)
    assert sum(found.values()) == found.tilings


def test_open_cells_by_their_labels(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys, "solve", CALENDAR, "--open-cells", "JAN 31")
    assert (status, "│jan│" in out, "│ 31│" in out) == (0, True, True)
    assert call(capsys, "count", CALENDAR, "--open-cells", "1,3 2,5")[:2] == (0, "7\n")
    said = [
        ("oct nov", "open cells: 1 cell of the group month stays open, but 2 are named"),
        ("oct", "open cells: 1 cell of the group day stays open, but none is named; there are 1..31"),
        ("oct 36", "no cell is called 36; nearest: 3, 6, 13; there are month jan..dec, day 1..31"),
        ("leo 3", "no cell is called leo; there are month jan..dec, day 1..31"),
        ("0,6 1", "open cells: 0,6 must not stay open"),
    ]
    for words, why in said:
        assert call(capsys, "solve", CALENDAR, "--open-cells", words) == (2, "", f"tiler: {why}\n")
    with pytest.raises(InputError, match="2 cells stay open, but 1 is named"):
        tiler.make("4x4", "2", open="2..2").with_open(frozenset({(0, 0)}))


def test_what_a_table_knows_at_its_limit_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    solver = ("--solver", "dlx", "--time-limit", "200ms")
    status, out, _ = call(capsys, "count", "9x9", "4L", "4T", "3I", "2", "--open", "1", "--by-open", *solver)
    assert (status, out[:9], int(out[9:]) > 0) == (3, "at least ", True)
