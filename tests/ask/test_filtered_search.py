"""Tilings with features, against their definitions read off the tilings of a brute force."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from brute_force import Tiling, as_tiling, tilings
from commands import call
from meanings import MEANING

import tiler
from tiler import formats
from tiler.ask.features.predicates import FEATURES
from tiler.ask.solve import solve
from tiler.errors import BadOption, InputError
from tiler.question.question import Goal, Limits, Question
from tiler.question.result import Stop

BOARDS = [["4x5", "2"], ["3x6", "3L", "3I"], ["xxxx/xxoxx/xxxxx", "3L", "2:2", "1:1"], ["5x3", "1", "2:5Y", "3I"]]


def test_all_features_are_tried() -> None:
    assert set(MEANING) == set(FEATURES)


@pytest.fixture(scope="module", params=BOARDS, ids=" ".join)
def known(request: pytest.FixtureRequest) -> tuple[tiler.Instance, set[Tiling]]:
    """A board and its tilings."""
    instance = formats.inline(request.param)
    return instance, tilings(instance)


@pytest.mark.parametrize("name", MEANING)
def test_the_tilings_with_a_feature(known: tuple[tiler.Instance, set[Tiling]], name: str) -> None:
    instance, every_tiling = known
    with_it = {tiling for tiling in every_tiling if MEANING[name](instance, tiling)}
    every = solve(instance, "dlx", Question(Goal.ENUMERATE, features=(name,)))
    assert set(map(as_tiling, every.solutions)) == with_it
    assert solve(instance, "auto", Question(Goal.COUNT, features=(name,))).result.count == len(with_it)
    one = solve(instance, "dlx", Question(Goal.DECIDE, features=(name,)))
    assert (len(one.solutions), one.result.found) == (bool(with_it), bool(with_it))


@pytest.mark.parametrize("name", sorted(set(MEANING) - {"takes-apart", "fault-free"}))
@pytest.mark.parametrize(
    "instance", [tiler.make("4x3", "2", "3L", open="1..2"), tiler.make("4x3", "2", "3L", wrap="rows columns")]
)
def test_cells_that_stay_open_and_seams(instance: tiler.Instance, name: str) -> None:
    with_it = {tiling for tiling in tilings(instance) if MEANING[name](instance, tiling)}
    listed = solve(instance, "dlx", Question(Goal.ENUMERATE, features=(name,))).solutions
    assert set(map(as_tiling, listed)) == with_it


def test_published_numbers() -> None:
    """R. L. Graham, "Fault-free tilings of rectangles", 1981: dominoes have some on 5 x 6, none on 4 x 6."""
    fault_free = Question(Goal.COUNT, features=("fault-free",))
    assert solve(formats.inline(["4x6", "2"]), "dlx", fault_free).result.count == 0
    assert solve(formats.inline(["5x6", "2"]), "dlx", fault_free).result.count == 6


def test_what_a_file_expects_is_not_about_features(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file knows how many tilings there are, not how many with a feature."""
    known = tmp_path / "known.txt"
    known.write_text("# verdict: sat\n# count: 36\n# count up to symmetry: 9\n\n4x4\n\n2\n")
    for feature, count in (("--takes-apart", "36\n"), ("--apart", "0\n")):
        assert call(capsys, "count", str(known), feature)[:2] == (0, count)
    assert call(capsys, "count", str(known), "--takes-apart", "--up-to-symmetry")[:2] == (0, "9 up to symmetry (a group of 8)\n")
    assert call(capsys, "solve", str(known), "--apart")[0] == 0
    known.write_text("# verdict: unsat\n\n4x4\n\n2\n")
    assert call(capsys, "solve", str(known), "--takes-apart")[0] == 4


def test_what_was_found_is_known_when_a_look_at_a_tiling_is_ended() -> None:
    ticks = iter(range(200))
    question = Question(Goal.COUNT, features=("takes-apart",))
    result = solve(formats.inline(["6x6", "2"]), "dlx", question, on_tick=lambda _: next(ticks) < 150).result
    assert result.stop is Stop.INTERRUPTED
    assert 0 < result.found < 6728


def test_up_to_symmetry_and_with_a_limit() -> None:
    instance = formats.inline(["5x6", "2"])
    question = Question(Goal.COUNT, up_to_symmetry=True, features=("fault-free",))
    raw = solve(instance, "dlx", replace(question, up_to_symmetry=False)).result
    orbits = solve(instance, "dlx", question).result
    assert (raw.count, orbits.count) == (6, 2)  # a tiling with its images: 4, and one that a half turn keeps: 2
    two = Question(Goal.ENUMERATE, Limits(solutions=2), features=("fault-free",))
    assert len(solve(instance, "dlx", two).solutions) == 2


def test_how_it_was_counted_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(capsys, "count", "4x4", "2", "--apart")[1:] == ("0\n", "tiler: 36 tilings looked at one by one\n")
    none = "unsat: there is no tiling (36 tilings looked at one by one, none as asked)\n"
    assert call(capsys, "solve", "4x4", "2", "--apart", "--solver", "dlx")[1] == none
    told = "tiler: by inclusion and exclusion over 8 sets of lines\n"
    assert call(capsys, "count", "4x4", "2", "--fault-free")[1:] == ("0\n", told)
    _, out, _ = call(capsys, "count", "4x5", "2", "--border", "--format", "json")
    assert "looked_at" not in json.loads(out)["stats"]
    assert "off the border" in json.loads(out)["message"]
    assert call(capsys, "solve", "4x4", "2", "--fault-free")[1].startswith("unsat: there is no tiling")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("solve", "4x4", "2", "--fault-free", "--optimise"), "can be decided, counted and listed"),
        (("solve", "4x4", "2", "--apart", "--executor", "local:2"), "it cannot be split"),
        (("count", "4x4", "2", "--border", "--checkpoint", "x"), "it cannot be split or saved"),
        (("count", "2x2x2", "2", "--no-crossroads"), "boards in the plane"),
        (("count", "hex:2", "x.x", "--lattice", "hexagonal", "--fault-free"), "squares or cubes"),
        (("count", "4x4", "2", "--apart", "--solver", "coloring"), "coloring: it cannot enumerate"),
        (("count", "4x4", "2", "--apart", "--by-cell"), "in one go"),
    ],
)
def test_what_cannot_be_combined_is_refused(arguments: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = call(capsys, *arguments)
    assert status == 2
    assert not out
    assert said in err
    assert err.count("\n") == 1


def test_a_feature_that_there_is_not() -> None:
    with pytest.raises(BadOption, match="there is no feature 'pretty'"):
        solve(formats.inline(["4x4", "2"]), "dlx", Question(Goal.COUNT, features=("pretty",)))


def test_open_cells(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(capsys, "count", "3x3", "2", "--open", "1..1")[1] == "18\n"
    assert call(capsys, "count", "3x3", "2", "--open", "1")[1] == "18\n"  # nine cells: one stays open, or three, ...
    assert call(capsys, "count", "2x2", "2", "--open", "4")[1] == call(capsys, "count", "oo/oo", "2")[1] == "7\n"
    assert call(capsys, "count", "2x2", "2", "--open", "2..")[1] == "5\n"
    assert formats.parse("# open: 1\n3x3\n\n2\n") == formats.with_settings(formats.inline(["3x3", "2"]), {"open": "0..1"})
    assert "2 to 4 of these stay open" in call(capsys, "show", "3x3", "2", "--open", "2..4")[1]
    for wrong in ("x", "3..2", ".."):
        with pytest.raises(InputError, match="open: "):
            formats.with_settings(formats.inline(["3x3", "2"]), {"open": wrong})
    with pytest.raises(InputError, match="10 cells cannot stay open"):
        formats.with_settings(formats.inline(["3x3", "2"]), {"open": "10.."})


def test_open_cells_in_other_formats(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cover = str(tmp_path / "cover.dlx")
    arguments = ["3x3", "2", "3I", "--open", "1..2"]
    assert call(capsys, "convert", *arguments, "-o", cover)[0] == 0
    assert call(capsys, "count", cover)[1] == call(capsys, "count", *arguments)[1]
    for name, said in (("cover.xmpuzzle", "cannot be written for BurrTools"), ("cover.cnf", "")):
        status, _, err = call(capsys, "convert", *arguments, "-o", str(tmp_path / name))
        assert (status, said in err) == (2 if said else 0, True)


def test_the_best_tiling(capsys: pytest.CaptureFixture[str]) -> None:
    """Most cells, most copies and fewest pieces, against all tilings."""
    board = formats.with_settings(formats.inline(["3x4", "4T", "3I"]), {"open": "0..12"})
    every = tilings(board)
    covered = max(sum(len(cells) for _, cells in tiling) for tiling in every)
    assert (
        f"\n{covered} cells covered: no tiling covers more\n"
        in call(capsys, "solve", "3x4", "4T", "3I", "--maximise", "cells")[1]
    )
    copies = max(sum(name == "3I" for name, _ in tiling) for tiling in every)
    out = call(capsys, "solve", "3x4", "4T", "3I", "--open", "12", "--maximise", "3I")[1]
    assert f"\n{copies} x 3I: no tiling has more\n" in out
    fewest = min(map(len, tilings(formats.inline(["4x3", "2", "3L", "1"]))))
    _, out, _ = call(capsys, "solve", "4x3", "2", "3L", "1", "--minimise", "pieces", "--format", "json")
    summary = json.loads(out.splitlines()[-1])
    assert (summary["objective"], summary["value"], summary["bound"]) == ("minimise pieces", -fewest, -fewest)
    assert call(capsys, "solve", "4x4", "2", "--weight", "2 3", "--minimise", "pieces")[0] == 2


def test_unique_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    def unique(*arguments: str) -> tuple[int, object]:
        status, out, _ = call(capsys, "solve", *arguments, "--unique", "--format", "json")
        return status, json.loads(out.splitlines()[-1])["unique"]

    assert unique("2x2", "2") == (0, True)
    assert unique("4x4", "2") == (0, False)
    assert unique("3x3", "2") == (0, False)
    assert unique("20x20", "5W", "5F", "--time-limit", "1ms") == (3, None)
