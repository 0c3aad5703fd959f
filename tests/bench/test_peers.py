"""The scripts that ask packages of others: what they read, and what they measure of ours; the packages are not installed here."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tiler import formats
from tiler.bench import corpus
from tiler.bench.campaign import full_specs
from tiler.bench.job import Job
from tiler.cli.main import main
from tiler.question.question import Goal, Question

SCRIPTS = Path(__file__).parents[2] / "scripts"


def script(name: str) -> ModuleType:
    if str(SCRIPTS) not in sys.path:
        sys.path.insert(0, str(SCRIPTS))
    return importlib.import_module(name)


def test_ours_is_measured() -> None:
    (spec,) = full_specs(["dlx"])
    for goal, answer in ((Goal.COUNT, 36), (Goal.DECIDE, 1)):
        measured = script("peers").measure_ours(Job(formats.inline(["4x4", "2"]), spec, Question(goal)))
        assert (measured.answer, measured.problem) == (answer, "")
        assert measured.runs >= 1


def test_only_peers_that_know_marks_are_asked_about_them() -> None:
    (spec,) = full_specs(["dlx"])
    (marked,) = corpus.select(SCRIPTS.parent / "problems", ["edges/macmahon-9-3x3_s"])
    job = Job(marked, spec, Question(Goal.COUNT))
    peers = script("peers")
    assert [name for name in peers.PEERS if peers.able(name, job)] == ["xcover", "pyxcc"]
    marks = peers._task(job)["marks"]
    assert any(marks)
    assert len(marks) == len(peers._task(job)["options"])


def test_graphillion_is_asked_for_matchings_only(tmp_path: Path) -> None:
    out = tmp_path / "out.dlx"
    count = script("count_covers").COUNTERS["graphillion"]
    assert main(["convert", "4x1", "1:2", "1", "-o", str(out)]) == 0
    with pytest.raises(SystemExit, match="two primary items"):
        count(*script("count_covers").read(str(out)))
    assert count(["a", "b", "c"], [], [["a", "b"]]) == 0


def test_an_exact_cover_is_read_from_knuths_text(tmp_path: Path) -> None:
    out = tmp_path / "out.dlx"
    assert main(["convert", "3x2", "1:3L", "3:1", "-o", str(out)]) == 0
    with pytest.raises(SystemExit, match="several times"):
        script("count_covers").read(str(out))
    assert main(["convert", "4x1", "1:2", "1", "-o", str(out)]) == 0
    primary, secondary, options = script("count_covers").read(str(out))
    assert (primary, secondary) == (["0,0", "0,1", "0,2", "0,3"], ["#1"])
    pairs = [["0,0", "0,1"], ["0,1", "0,2"], ["0,2", "0,3"]]
    assert sorted(map(sorted, options)) == sorted([["#1", *pair] for pair in pairs] + [[cell] for cell in primary])


def test_colours_are_read_from_knuths_text(tmp_path: Path) -> None:
    counters, path = script("count_covers"), tmp_path / "knuth.dlx"
    path.write_text("| from TAOCP 7.2.2.1\np q r | x y\np q x y:A\np r x:A y\np x:B\nq x:A\nr y:B\n")
    primary, secondary, options = counters.read(str(path))
    assert (primary, secondary) == (["p", "q", "r"], ["x", "y"])
    assert counters.is_coloured(options)
    assert [[counters.split(item) for item in items if counters.split(item)[0] in secondary] for items in options] == [
        [("x", ""), ("y", "A")],
        [("x", "A"), ("y", "")],
        [("x", "B")],
        [("x", "A")],
        [("y", "B")],
    ]
    assert not counters.is_coloured([["p", "x"], ["q"]])
    with pytest.raises(SystemExit, match="colours are not for this package"):
        counters.COUNTERS["exact-cover"](primary, secondary, options)


def test_a_cnf_for_counters_is_read(tmp_path: Path) -> None:
    out = tmp_path / "out.cnf"
    assert main(["convert", "2x2", "2", "-o", str(out), "--format", "pwmc", "--weight", "2 3"]) == 0
    cnf = script("count_models").read(str(out))
    assert (cnf.variables, cnf.shown, cnf.is_weighted) == (4, {1, 2, 3, 4}, True)
    assert cnf.weights == {literal: "3" if literal > 0 else "1" for literal in (1, 2, 3, 4, -1, -2, -3, -4)}
    assert len(cnf.clauses) == 8


def test_answers_to_random_instances_are_compared(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    formats_of_others = script("check_formats")
    monkeypatch.setattr(sys, "argv", ["check_formats.py", "--instances", "2", "--only", "wcnf", "--seed", "1"])
    rc2, *_ = formats_of_others.PROGRAMS["wcnf"]
    lies = """{python} -c 'print("s UNSATISFIABLE")' {file}"""
    for program, status, tally in ((rc2, 0, "{'right': 2}"), (lies, 4, "{'wrong': 2}")):
        monkeypatch.setitem(formats_of_others.PROGRAMS, "wcnf", (program,))
        assert formats_of_others.main() == status
        assert capsys.readouterr().out.count(tally) == 2  # To decide, and for the optimum.
