"""Sets of pieces out of a pool, beside a count of each set."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations, product
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest
from brute_force import orbits
from commands import call

import tiler
from tiler.apps.puzzles import piece_sets
from tiler.apps.puzzles.answers.piece_sets import ChosenPieces, WantedPieces
from tiler.apps.puzzles.piece_sets import choose
from tiler.errors import InputError
from tiler.formats.pieces import with_pool
from tiler.process.cancellation import Stopped
from tiler.question.events import Progress
from tiler.question.result import Stop

TETROMINOES = ("4I", "4L", "4O", "4S", "4T")
#: The sets of five pentominoes with one tiling of 5x5 up to symmetry.
NINETEEN = """
FLPUW FLPUX FLPVW FLPVY FLUYZ FNTVY FPTUY LNPWY LNUVZ LNUWY LPTUX LPTUZ LPTWY LPUVW LPVYZ LUVYZ NPUVY NPUYZ PVWYZ
"""
CALENDAR = "# labels: am pm\n# labels: 1 2 3 4 5\n# group: half am pm\n# group: day 1..5\n\noo...\nooooo\nxxxxx\n\n1:1\n"


def test_sets_with_one_tiling() -> None:
    found = tiler.choose(tiler.make("5x5", "1:pentominoes"), pieces=5, unique=True)
    assert {"".join(name[-1] for name in each.pieces) for each in found} == set(NINETEEN.split())
    for each in list(found)[:2]:
        assert tiler.count(each.instance, up_to_symmetry=True) == 1
        assert tiler.count(each.instance) == each.tilings
        assert each.solution is not None


@pytest.mark.slow
def test_all_sets_by_a_count_of_each() -> None:
    found = {"".join(name[-1] for name in each.pieces): each.tilings for each in tiler.choose(tiler.make("5x5", "1:pentominoes"))}
    for names in combinations("FILNPTUVWXYZ", 5):
        alone = tiler.make("5x5", *(f"1:5{name}" for name in names), reflections=True)
        assert tiler.count(alone) == found.get("".join(names), 0)
        assert (tiler.count(alone, up_to_symmetry=True) == 1) is ("".join(names) in NINETEEN.split())


def test_numbers_of_copies_are_those_of_single_counts() -> None:
    problem = tiler.make("4x4", *(f"2:{name}" for name in TETROMINOES))
    found = {each.pieces: each.tilings for each in tiler.choose(problem, pieces=4)}
    for copies in product(range(3), repeat=5):
        if sum(copies) == 4:
            used = [(n, name) for n, name in zip(copies, TETROMINOES, strict=True) if n]
            alone = tiler.make("4x4", *(f"{n}..{n}:{name}" for n, name in used))
            pieces = tuple(name for n, name in used for _ in range(n))
            assert tiler.count(alone) == found.get(pieces, 0)


def test_any_number_of_a_piece_is_as_many_as_a_set_has(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """What a problem has without a limit can be chosen several times; of a pool there is one of each."""
    wanted = WantedPieces(4)
    bounded = choose(tiler.make("4x4", "4:4O", "4:4T", "4:4L"), wanted).found
    free = choose(tiler.make("4x4", "4O", "4T", "4L"), wanted).found
    assert [(each.pieces, each.tilings) for each in free] == [(each.pieces, each.tilings) for each in bounded]
    assert {("4O",) * 4, ("4T",) * 4, ("4L",) * 4} < {each.pieces for each in free}
    assert len(choose(tiler.make("4x4", "4O", "4T", "4L"), WantedPieces()).found) == len(free)
    file = tmp_path / "any.txt"
    file.write_text("4x4\n\n4O\n4T\n4L\n")
    assert "4O 4O 4O 4O" in call(capsys, "choose", str(file), "--pieces", "4")[1]
    assert call(capsys, "choose", "4x3", "--from", "4O", "4T", "4L", "--pieces", "3")[1].startswith("1 set of 3 pieces")
    assert len(tiler.choose(tiler.make("4x3", "1"), pool=("4O", "4T", "4L"), pieces=3)) == 0
    assert len(tiler.choose(tiler.make("4x3", "1"), pool=("3:4O", "3:4L"), pieces=3)) > 0


def test_every_set_of_open_cells_has_a_tiling(tmp_path: Path) -> None:
    file = tmp_path / "calendar.txt"
    file.write_text(CALENDAR)
    pool = ("1", "2", "3I", "3L", "4L", "4T", "5P", "5V")
    found = tiler.choose(tiler.read(file), pool=pool, all_open=True)
    fewest = {each.pieces: each.fewest[1] if each.fewest else None for each in found}
    for number in range(1, 5):
        for names in combinations(pool, number):
            alone = with_pool(tiler.read(file), [f"1..1:{name}" for name in names])
            least = min(tiler.by_open(alone, solver="dlx").values(), default=0)
            assert fewest.get(names, 0) == least
    assert set(fewest.values()) == {1, 2}
    twice = tiler.choose(tiler.read(file), pool=pool, all_open=True, at_least=2)
    assert [each.pieces for each in twice] == [pieces for pieces, least in fewest.items() if least and least >= 2]


def test_orders_and_seeds() -> None:
    problem = tiler.make("5x4", "1:pentominoes")
    whole = sorted((each.tilings for each in choose(problem, WantedPieces(4)).found), reverse=True)
    assert [each.tilings for each in choose(problem, WantedPieces(4, most=True, limit=4)).found] == whole[:4] == [20, 16, 12, 12]
    drawn = [choose(problem, WantedPieces(4, limit=3, seed=seed)) for seed in (1, 1, 2)]
    assert drawn[0].found == drawn[1].found != drawn[2].found
    assert not drawn[0].is_all
    assert sorted(each.tilings for each in choose(problem, WantedPieces(4, at_least=12)).found) == whole[3::-1]


def test_what_cannot_be_chosen() -> None:
    with pytest.raises(InputError, match="no cell of the board may stay open"):
        tiler.choose(tiler.make("3x3", "3L"), all_open=True)
    with pytest.raises(InputError, match="a solution for each choice"):
        tiler.choose(tiler.make("3x3", "3L", open=1), unique=True)
    with pytest.raises(Stopped):
        choose(tiler.make("10x12", "1:pentominoes", "1:hexominoes"), WantedPieces(unique=True), on_tick=lambda progress: False)


def test_the_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, out, _ = call(capsys, "choose", "5x3", "--from", "pentominoes", "--pieces", "3", "--unique")
    assert (status, out.splitlines()[-2]) == (
        0,
        "220 sets of 3 pieces, which may be turned over, 7 with a tiling; 7 with one tiling up to symmetry",
    )
    same = call(capsys, "choose", "5x3", "1:pentominoes", "--pieces", "3", "--unique")[1]
    assert same == out
    lines = [json.loads(line) for line in call(capsys, "choose", "5x3", "1:pentominoes", "--format", "json")[1].splitlines()]
    assert {each["schema"] for each in lines} == {"tiler-pieces-1"}
    file = tmp_path / "calendar.txt"
    file.write_text(CALENDAR)
    status, out, _ = call(
        capsys, "choose", str(file), "--from", "3L", "4L", "2", "1", "--all-open", "-o", str(tmp_path / "s.txt")
    )
    assert (status, out) == (0, "")
    assert "; 1 with a tiling for every set of open cells" in (tmp_path / "s.txt").read_text()


def test_what_was_chosen_is_written_as_problems(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    calendar, folder = tmp_path / "calendar.txt", tmp_path / "puzzles"
    calendar.write_text(f"# title: Week\n# count: 7\n# fill: 1 red\n{CALENDAR}")
    arguments = ("choose", str(calendar), "--from", "3L", "4L", "2", "1", "4T", "--all-open", "--format", "problem")
    status, out, _ = call(capsys, *arguments, "-o", f"{folder}/")
    assert (status, out.splitlines()[1].split()[:5]) == (0, ["3L", "2", "1", "4T", "72"])
    written = [tiler.read(file) for file in sorted(folder.iterdir())]
    assert [(each.name, each.heading, each.about.expected.count) for each in written] == [
        ("puzzles/1", "Week", 72),
        ("puzzles/2", "Week", 92),
    ]
    asked = tiler.read(calendar)
    assert all((each.board, each.labels, each.groups) == (asked.board, asked.labels, asked.groups) for each in written)
    assert call(capsys, "count", str(folder / "2.txt"))[:2] == (0, "92\n")
    assert call(capsys, *arguments)[:2] == (0, (folder / "1.txt").read_text())
    said = call(capsys, *arguments, "--at-least", "5")
    assert said[:2] == (2, "")
    assert said[2].startswith("tiler: no problem is written: 31 sets")
    assert call(capsys, *arguments, "--limit", "2")[2].endswith("several go into a folder: -o puzzles/ --format problem\n")
    assert call(capsys, *arguments[:-2], "-o", str(folder))[2].endswith("a folder holds problem files: --format problem\n")


def test_progress_tells_of_the_sets_and_can_end_it(tmp_path: Path) -> None:
    file = tmp_path / "calendar.txt"
    file.write_text(CALENDAR)
    problem = with_pool(tiler.read(file), ["1", "2", "3I", "3L", "4L", "4T"])
    told: list[Progress] = []

    def until(last: str) -> Callable[[Progress], bool]:
        return lambda progress: (told.append(progress) or True) and not progress.where.startswith(last)

    wanted = WantedPieces(all_open=True)
    whole = choose(problem, wanted, on_tick=until("nothing"))
    of = f"of {whole.with_tilings}"
    assert {each.where.split(", ")[0] for each in told if each.where.startswith("set")} == {
        f"set {number + 1} {of}" for number in range(whole.with_tilings)
    }
    assert told[-1].found == len(whole.found) - 1
    part = choose(problem, wanted, on_tick=until(f"set 9 {of}"))
    assert (part.ended, part.looked_at, part.is_all) == ("interrupted", 8, False)


def test_no_set_is_looked_at_that_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    problem, asked = tiler.make("5x5", "1:pentominoes"), []
    ask = piece_sets._Chooser._ask
    monkeypatch.setattr(piece_sets._Chooser, "_ask", lambda *args: asked.append(args) or ask(*args))
    found = choose(problem, WantedPieces(5, limit=2))
    assert (len(found.found), found.is_all, len(asked)) == (2, False, 3)


def test_what_was_found_when_a_limit_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    problem, ask, asked = tiler.make("5x5", "1:pentominoes"), piece_sets._Chooser._ask, []

    def ends_soon(*args: Any) -> Any:
        asked.append(args)
        if len(asked) > 3:
            raise Stopped("time", "the time limit is over")
        return ask(*args)

    monkeypatch.setattr(piece_sets._Chooser, "_ask", ends_soon)
    found = choose(problem, WantedPieces(5))
    assert (len(found.found), found.looked_at, found.is_all) == (2, 2, False)
    assert str(found).endswith("unfinished (the time limit is over): 2 of 45 sets were looked at, there may be more")


def test_sets_of_another_size_than_the_board() -> None:
    none = tiler.choose(tiler.make("7x7", "1:hexominoes"), pieces=8)
    assert str(none).endswith(
        " sets of 8 pieces, which may be turned over, all of 48 cells, where 49 are to be covered, 0 with a tiling"
    )
    assert str(tiler.choose(tiler.make("2x3", "1:3L", "1:3I", "1:2"), pieces=2)).count("3 sets of 2 pieces, 1 of 6 cells") == 1


def test_one_tiling_where_it_is_said_which_cells_stay_open() -> None:
    pool = ("1", "2", "3I", "3L", *TETROMINOES)
    alone = tiler.make("4x3", *(f"1:{name}" for name in pool), reflections=False).with_open(frozenset({(1, 1)}))
    numbers = {names: len(orbits(with_pool(alone, [f"1..1:{name}" for name in names]))) for names in combinations(pool, 3)}
    assert {1, 2} <= set(numbers.values())
    found = tiler.choose(alone, pieces=3, unique=True)
    assert {each.pieces for each in found} == {names for names, number in numbers.items() if number == 1}
    assert all(each.solution for each in found)


def test_pieces_that_may_be_turned_over_are_called_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    board, pool = tmp_path / "board.txt", ["--from", "5F", "5P", "5L", "5W", "5U", "--pieces", "5"]
    board.write_text("5x5\n")
    for more, tilings in (([], 4), (["--reflections"], 8)):
        out = call(capsys, "choose", str(board), *pool, *more)[1]
        assert out.split()[10] == str(tilings)
        assert ("which may be turned over" in out) is bool(more)
        (line,) = call(capsys, "choose", str(board), *pool, *more, "--format", "json")[1].splitlines()
        assert json.loads(line)["reflections"] is bool(more)
    assert "turned over" not in call(capsys, "choose", "2x2", "--from", "1", "2", "4O", "--reflections")[1]
    status, _, err = call(capsys, "choose", str(board), "--from", "pentominoes", "--no-reflections")
    assert (status, "pentominoes may be turned over, but reflections are not allowed" in err) == (2, True)


def test_pieces_without_end_that_must_be_used() -> None:
    (found,) = tiler.choose(tiler.make("2x2", "2..:2"))
    assert (found.pieces, found.tilings) == (("2", "2"), 2)


def test_a_limit_says_whether_there_are_more() -> None:
    problem = tiler.make("5x3", "1:pentominoes")
    for limit in (5, 6, 7, 8):
        found = choose(problem, WantedPieces(3, limit=limit))
        assert (len(found.found), found.is_all) == (min(limit, 7), limit >= 7)


def test_drawn_sets_are_those_that_are_counted(tmp_path: Path) -> None:
    """The draws go through all sets, each once, and say of each what the tally of all says."""
    for asked in (WantedPieces(3), WantedPieces(3, unique=True), WantedPieces(3, at_least=8)):
        problem = tiler.make("5x3", *(f"1:5{letter}" for letter in "FLPUVY"), reflections=True)
        counted, drawn = choose(problem, asked), choose(problem, replace(asked, seed=3))
        assert drawn.is_all
        assert (drawn.sets, drawn.looked_at, drawn.with_tilings) == (20, 20, 4)
        assert sorted(drawn.found, key=attrgetter("pieces")) == sorted(counted.found, key=attrgetter("pieces"))
    file = tmp_path / "calendar.txt"
    file.write_text(CALENDAR)
    calendar = with_pool(tiler.read(file), ["1", "2", "3I", "3L", "4L", "4T"])
    counted, drawn = (choose(calendar, WantedPieces(all_open=True, seed=seed)) for seed in (None, 3))
    assert drawn.with_tilings == counted.with_tilings
    assert {(each.pieces, each.fewest and each.fewest[1]) for each in drawn.found} == {
        (each.pieces, each.fewest and each.fewest[1]) for each in counted.found
    }


def test_sets_are_drawn_from_pools_that_nobody_can_count() -> None:
    problem = tiler.make("6x10", "1:pentominoes", "1:hexominoes", "1:heptominoes")
    told: list[ChosenPieces] = []
    found = choose(problem, WantedPieces(10, limit=1, at_least=2, seed=1), on_found=told.append)
    assert (found.sets > 10**15, found.looked_at >= 1, found.is_all) == (True, True, False)
    assert tuple(told) == found.found
    assert " drawn, " in str(found)


def test_parts_of_a_board_are_turned_one_by_one() -> None:
    """Two squares: one tiling of each, up to its own symmetries, is one tiling of both."""
    board = "xxx.xxx/xxx.xxx/xxx.xxx"
    pool = ("1:4O", "1:5V", "1:4L", "1:5P", "1:5U", "1:2", "1:3I", "1:3L")
    found = choose(tiler.make(board, *pool, reflections=True), WantedPieces(unique=True))
    alone = {}
    for names in (names for number in (2, 3, 4) for names in combinations(pool, number)):
        if sum(int(name[2]) for name in names) == 9:
            alone[names] = tiler.count(tiler.make("3x3", *names, reflections=True), up_to_symmetry=True)
    splits: Counter[frozenset[str]] = Counter()
    for some, others in combinations([names for names, number in alone.items() if number], 2):
        if not set(some) & set(others):
            splits[frozenset(name[2:] for name in (*some, *others))] += alone[some] * alone[others]
    assert {frozenset(each.pieces) for each in found.found} == {names for names, number in splits.items() if number == 1}
    assert 0 < len(found.found) < len(splits)
    assert "each of the 2 parts of the board turned by itself" in str(found)


def test_a_limit_in_the_last_stage_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_late(*args: Any, **how: Any) -> None:
        raise Stopped(Stop.TIME)

    monkeypatch.setattr(piece_sets, "grade", too_late)
    found = choose(tiler.make("5x3", "1:pentominoes"), WantedPieces(3))
    assert (found.is_all, found.ended) == (False, "the time limit is over")


@pytest.mark.parametrize("how", [{}, {"all_open": True}, {"seed": 1}, {"most": True}])
def test_no_pieces_are_no_set(how: dict[str, Any]) -> None:
    """All cells may stay open, so that the board is covered without a piece too."""
    problem = tiler.make("3x1", "2:1", "1:2", open="0..3")
    sets = tiler.choose(problem, **how)
    fitting = [["1"], ["1", "1"], ["1", "2"], *([] if "all_open" in how else [["2"]])]  # The cell in the middle cannot stay open.
    assert sorted(sorted(each.pieces) for each in sets) == fitting
