"""The benchmark: what is chosen, what is recorded, what survives being killed, and what is made of the answers.

Run as a program, this file is `tiler` with the solvers below, for the tests that kill it.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import re
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import pytest
from commands import status_of
from processes import SOON, environment_for, lives, wait_until
from records import record_of_run

from tiler.backends import registry
from tiler.backends.base import Backend
from tiler.bench import campaign, code_fingerprint, corpus, environment, job, judge, measure, record, store
from tiler.bench.job import Job
from tiler.bench.plan import CampaignPart
from tiler.bench.record import Category
from tiler.bench.store import Store
from tiler.cli.main import main
from tiler.cover.board import BoardCover
from tiler.cover.cover import Cover
from tiler.errors import BadOption, MissingDependency, TilerError, UnknownBackend
from tiler.formats import inline
from tiler.model.about import About
from tiler.model.expected import Expected, Status
from tiler.process import isolate
from tiler.process.isolate import Outcome, RunEnd
from tiler.question.events import Found, RunningSearch, SearchContext, without_events
from tiler.question.question import Goal, Limits, Question
from tiler.question.result import Result, Stop

BACKTRACKING = "backtracking:filter=off,anchor=off,order=default,cells=rows"
PROBLEMS = {"a/02_s": "2x2\n\n2\n", "a/10_s": "10x2\n\n2\n", "b/odd_u": "# tags: small, odd\n3x3\n\n2\n", "b/plain": "4x2\n\n2\n"}


@dataclass(frozen=True)
class Liar(Backend):
    """Says that there is no tiling."""

    name: ClassVar[str] = "liar"

    def search(self, cover: Cover, question: Question, context: SearchContext) -> RunningSearch:
        return without_events(Result(Status.UNSAT, Stop.DONE, count=0))


@dataclass(frozen=True)
class Bungler(Backend):
    """Says that its first option alone is a tiling."""

    name: ClassVar[str] = "bungler"

    def search(self, cover: Cover, question: Question, context: SearchContext) -> RunningSearch:
        yield Found((0,))
        return Result(Status.SAT, Stop.DONE)


@dataclass(frozen=True)
class Crasher(Backend):
    """Dies."""

    name: ClassVar[str] = "crasher"

    def search(self, cover: Cover, question: Question, context: SearchContext) -> RunningSearch:
        print("crasher: out of luck", file=sys.stderr)
        os.kill(os.getpid(), signal.SIGSEGV)
        raise AssertionError


@dataclass(frozen=True)
class Odd(Backend):
    """Has statistics that are not JSON."""

    name: ClassVar[str] = "odd"

    def search(self, cover: Cover, question: Question, context: SearchContext) -> RunningSearch:
        return without_events(Result(Status.UNSAT, Stop.DONE, stats={"what": object()}))


@dataclass(frozen=True)
class Stubborn(Backend):
    """Fails to answer on the instance named by STUBBORN_ON, where it and a child ignore all but SIGKILL; else says unsat.

    STUBBORN_PIDS is a file that then gets the two process ids and that of their supervisor.
    """

    name: ClassVar[str] = "stubborn"

    def search(self, cover: Cover, question: Question, context: SearchContext) -> RunningSearch:
        assert isinstance(cover, BoardCover)
        if cover.instance.name != os.environ.get("STUBBORN_ON"):
            return without_events(Result(Status.UNSAT, Stop.DONE))
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        me = os.getpid()
        child = os.fork()
        if child:
            Path(os.environ["STUBBORN_PIDS"]).write_text(f"{me} {child} {os.getppid()} .")
        time.sleep(1000)
        raise AssertionError


FAKES: tuple[type[Backend], ...] = (Liar, Bungler, Crasher, Odd, Stubborn)


def furnished(folder: Path, monkeypatch: pytest.MonkeyPatch, fakes: Iterable[type[Backend]]) -> Path:
    """The folder, with four problems, as the working directory, and these solvers for as long as the test runs."""
    for name, content in PROBLEMS.items():
        path = folder / "problems" / f"{name}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    # What a test registers goes with it, also the programs that its campaigns declare.
    monkeypatch.setattr(registry, "_registered", dict(registry.backends()))
    for fake in fakes:
        monkeypatch.setitem(registry._registered, fake.name, fake)
    # To look at the machine takes a while; how busy it is, is no concern of these tests.
    monkeypatch.setattr(environment, "busy_cores", lambda: 0.0)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return furnished(tmp_path, monkeypatch, FAKES)


def bench(*arguments: str, plots: bool = False, repeats: bool = False) -> int:
    """Unless `repeats`, a run is made once, and not again for 0.2 s of the processor. Small boards come first, by each solver."""
    without = [*([] if plots else ["--no-plots"]), *([] if repeats else ["--no-warm-repeats"])]
    return status_of("bench", "-o", "out", "--order", "size", *without, *arguments)


def records(folder: str | Path = "out") -> tuple[record.Record, ...]:
    return record.read(Path(folder)).records


# --- corpus


def test_names_are_folder_and_file_and_small_numbers_come_first(here: Path) -> None:
    for name in ("README.md", "a/.hidden.txt", "c/4x4_u", "c/LICENSE"):
        path = here / "problems" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("4x4\n\n4L\n")
    assert list(corpus.names(Path("problems"))) == ["a/02_s", "a/10_s", "b/odd_u", "b/plain", "c/4x4_u"]
    (here / "problems/a/2_s.json").write_text("{}")
    assert list(corpus.names(Path("problems")))[:3] == ["a/02_s", "a/2_s", "a/10_s"]


@pytest.mark.parametrize(
    ("filters", "tags", "chosen"),
    [
        ([], [], ["a/02_s", "a/10_s", "b/odd_u", "b/plain"]),
        (["a/"], [], ["a/02_s", "a/10_s"]),
        (["*_s"], [], ["a/02_s", "a/10_s"]),
        (["?/[op]*"], [], ["b/odd_u", "b/plain"]),
        (["02", "plain"], [], ["a/02_s", "b/plain"]),
        ([], ["odd"], ["b/odd_u"]),
        (["b"], ["large", "small"], ["b/odd_u"]),
    ],
)
def test_filters_and_tags(here: Path, filters: list[str], tags: list[str], chosen: list[str]) -> None:
    assert [instance.name for instance in corpus.select(corpus.find_folder(), filters, tags)] == chosen


def test_a_glob_is_about_the_whole_name() -> None:
    assert not corpus.fits("4L/10x10_u", "10*")
    assert corpus.fits("4L/10x10_u", "*10*")


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--filter", "plane"], "no problem of 4 in problems fits 'plane'; nearest: b/plain; families: a (2), b (2)"),
        (["--filter", "a/", "--filter", "2r*"], "no problem of 4 in problems fits '2r*'; families: a (2), b (2)"),
        (["--tag", "huge"], "no problem of 4 has the tag huge; there are odd, small"),
        (["--problems", "nowhere"], "nowhere: there is no such folder"),
        (["--problems", "empty"], "empty: there are no problem files in it (*.txt, *.json)"),
        (["--solver", "lier"], "unknown solver 'lier'; nearest: liar"),
        (["--solver", "liar:x=1"], "liar: unknown option 'x'; it has filter, anchor"),
        (["--time-limit", "soon"], "'soon' is not a duration"),
    ],
)
def test_bad_usage_is_one_line_and_exit_2(
    here: Path, arguments: list[str], text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "empty").mkdir()
    status = bench(*arguments)
    error = capsys.readouterr().err
    assert (status, error.count("\n")) == (2, 1)
    assert text in error
    assert not (here / "out").exists()


def test_an_unreadable_problem_is_named(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "problems/a/broken.txt").write_text("4x4\n\n4K\n")
    assert bench("--solver", "backtracking") == 2
    assert "problems/a/broken.txt:3: " in capsys.readouterr().err
    assert bench("--solver", "backtracking", "--filter", "b/*") == 0


# --- store


def numbered(line: bytes) -> dict[str, Any] | None:
    """The record of a schema made up for these tests."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and found.get("schema") == "s" else None


def test_a_torn_line_costs_no_other(tmp_path: Path) -> None:
    with Store(tmp_path) as opened:
        opened.append({"schema": "s", "n": 1})
        opened.append({"schema": "s", "n": 2})
    whole = opened.runs.read_bytes()
    opened.runs.write_bytes(whole[:-5])
    with Store(tmp_path) as opened:
        opened.append({"schema": "s", "n": 3})
        opened.append({"schema": "s", "n": 4})
        assert store.read(tmp_path, numbered) == store.Contents(tuple({"schema": "s", "n": n} for n in (1, 3, 4)), skipped=1)
    assert store.read(tmp_path / "none", numbered) == store.Contents()


def test_lines_that_are_no_records_are_counted(tmp_path: Path) -> None:
    lines = [
        b'{"schema":"s"}',
        b"garbage",
        b"",
        b'{"schema":"other"}',
        b"[" * 100_000,
        b"\xff\x00",
        b"7",
        b'{"schema":"s","n":1}',
    ]
    (tmp_path / store.RUNS).write_bytes(b"\n".join(lines))
    assert store.read(tmp_path, numbered) == store.Contents(({"schema": "s"}, {"schema": "s", "n": 1}), skipped=5)


def test_two_processes_append_at_once(tmp_path: Path) -> None:
    def write(writer: int) -> None:
        with Store(tmp_path) as opened:
            for number in range(300):
                opened.append({"schema": "s", "writer": writer, "number": number, "padding": "x" * 3000})

    running = [isolate.start(write, writer) for writer in range(2)]
    assert [one.outcome().reason for one in running] == ["", ""]
    for one in running:
        one.close()
    contents = store.read(tmp_path, numbered)
    assert contents.skipped == 0
    for writer in range(2):
        assert [record["number"] for record in contents.records if record["writer"] == writer] == list(range(300))


def test_a_full_disk_is_an_error_and_loses_nothing(tmp_path: Path) -> None:
    def fill() -> None:
        sys.dont_write_bytecode = True  # Cut off modules would stay; see failures.full_disk.
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
        with Store(tmp_path) as opened:
            opened.append({"schema": "s", "n": 1})
            opened.append({"schema": "s", "padding": "x" * 200})

    outcome = isolate.run(fill)
    assert type(outcome.error) is TilerError
    assert str(outcome.error).startswith(f"{tmp_path / store.RUNS}: cannot be written: ")
    with Store(tmp_path) as opened:
        opened.append({"schema": "s", "n": 2})
    assert [record["n"] for record in store.read(tmp_path, numbered).records] == [1, 2]


def test_a_folder_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadOption, match=r"cannot write .*/file/runs.jsonl: "):
        Store(tmp_path / "file")


def test_env_json_is_replaced_whole(tmp_path: Path) -> None:
    with Store(tmp_path) as opened:
        opened.write_environment({"n": 1})
        opened.write_environment({"n": 2})
    assert json.loads((tmp_path / store.ENVIRONMENT).read_text()) == {"n": 2}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["env.json", "runs.jsonl"]


# --- campaign


def test_a_record_says_it_all(here: Path) -> None:
    assert bench("--solver", "backtracking", "--filter", "a/02", "--time-limit", "7s", "--memory-limit", "6G") == 0
    (record,) = records()
    asked = {
        "schema": "tiler-run-1",
        "instance": "a/02_s",
        "digest": inline(["2x2", "2"]).digest,
        "cells": 4,
        "expected": {"verdict": "sat", "count": None},
        "solver": "backtracking:filter=off,anchor=off,order=default,cells=rows",
        "goal": "decide",
        "limits": {"seconds": 7.0, "megabytes": 6144, "solutions": None, "nodes": None, "threads": 1},
        "seed": 0,
    }
    answered = {
        "status": "sat",
        "stop": "done",
        "count": None,
        "verified": 1,
        "error": None,
        "category": "correct",
        "message": "",
    }
    assert asked.items() <= record.items()
    assert answered.items() <= record.items()
    assert 0 < record["encode_seconds"] + record["solve_seconds"] < record["wall_seconds"]
    assert 0 < record["baseline_megabytes"] <= record["peak_megabytes"]
    assert record["cpu_seconds"] > 0
    assert record["stats"]["nodes"] == 2
    assert {"tiler", "python", "numpy"} <= record["versions"].keys()
    assert record["environment"].keys() == {"platform", "cpu", "cores", "memory_megabytes", "commit"}
    assert record["sources"] == code_fingerprint.fingerprint_of("backtracking")
    assert record["started"].endswith("Z")
    assert json.loads(Path("out/env.json").read_text())["environment"] == record["environment"]
    assert os.uname().nodename not in json.dumps(record["environment"]).split()


def test_what_a_program_printed_stands_beside_the_numbers_without_names_of_people() -> None:
    job = Job(inline(["2x2", "2"]), "backtracking", Question(Goal.DECIDE))
    answered, on = measure.answer(job)
    answered["stats"] = {"nodes": 2, "log": [f"reading {Path.home()}/in.cnf"]}
    made = measure.record_of(job, Outcome(RunEnd.FINISHED, measure.Measured(answered, on)), "2026-01-01T00:00:00Z", 1)
    assert made["stats"] == {"nodes": 2, "log": ["reading ~/in.cnf"]}


def test_every_instance_against_every_solver_once(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    solvers = ["--solver", "backtracking", "--solver", "backtracking:order=rare", "--solver", "backtracking:order=default"]
    assert bench("--filter", "a/", *solvers) == 0
    pairs = [(record["instance"], record["solver"].partition("order=")[2].partition(",")[0]) for record in records()]
    assert pairs == [("a/02_s", "default"), ("a/02_s", "rare"), ("a/10_s", "default"), ("a/10_s", "rare")]
    captured = capsys.readouterr()
    assert "4 runs (2 problems, 2 solvers), 0 of them recorded already, at most 40 s" in captured.err
    assert captured.err.count("tiler bench: loading 2 solvers\n") == 1
    assert captured.err.count("correct") == 4
    assert bench(*solvers) == 0
    assert len(records()) == 8
    captured = capsys.readouterr()
    assert "8 runs (4 problems, 2 solvers), 4 of them recorded already" in captured.err
    # The faster one comes first; a long name is in two lines.
    rows = [line.split()[:5] for line in captured.out.splitlines()]
    assert all([name, "2", "0", "0", "1"] in rows for name in ("backtracking", "backtracking:order"))
    assert "1 problem is left out: it has no tiling at sight" in captured.out
    assert max(map(len, captured.out.splitlines())) <= 80
    assert bench(*solvers, "--time-limit", "9s") == 0
    assert len(records()) == 16


def test_a_run_that_ignores_its_limit(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STUBBORN_ON", "a/10_s")
    monkeypatch.setenv("STUBBORN_PIDS", str(here / "pids"))
    assert bench("--filter", "a/10_s", "--solver", "stubborn", "--time-limit", "0.3s") == 0
    (record,) = records()
    assert (record["status"], record["stop"], record["category"]) == ("unknown", "time", "unknown")
    assert record["solve_seconds"] is None
    assert record["message"] == "out of time"
    assert 0.3 <= record["wall_seconds"] < SOON
    assert not any(map(lives, pids(here)))  # On a busy machine there may be none: the time was over before they began.


def test_wrong_answers_are_loud(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert bench("--solver", "liar", "--solver", "bungler", "--solver", "backtracking", "--filter", "a/10") == 4
    assert [(record["solver"].partition(":")[0], record["category"]) for record in records()] == [
        ("liar", "wrong"),
        ("bungler", "wrong"),
        ("backtracking", "correct"),
    ]
    out = capsys.readouterr().out
    assert "wrong: a/10_s  liar: the answer is unsat, but sat is expected" in out
    assert "wrong: a/10_s  bungler: bungler answered with a wrong solution" in out
    # The campaign stays marked, whatever part of it is looked at.
    assert bench("--solver", "backtracking", "--filter", "b/") == 4
    assert "2 wrong answers among all 5 records" in capsys.readouterr().err


def test_a_later_tiling_refutes_an_unchecked_answer(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert bench("--solver", "liar", "--filter", "b/plain") == 0
    assert bench("--solver", "liar", "--solver", "backtracking", "--filter", "b/plain") == 4
    assert [record["category"] for record in records()] == ["unchecked", "verified"]
    out = capsys.readouterr().out
    assert "wrong: b/plain  liar: backtracking:filter=off,anchor=off,order=default,cells=rows found a tiling, and it holds" in out
    assert bench("--solver", "backtracking", "--solver", "liar", "--filter", "b/plain", "--time-limit", "9s") == 4
    assert records()[-1]["category"] == "wrong"


def test_failures_are_records(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert bench("--solver", "crasher", "--solver", "odd", "--filter", "a/02") == 0
    crashed, odd = records()
    assert (crashed["category"], crashed["stop"], crashed["error"]) == ("error", "error", "crashed")
    assert crashed["message"] == "killed by SIGSEGV: crasher: out of luck"
    assert odd["category"] == "error"
    assert "not JSON serializable" in odd["message"]
    assert "error: a/02_s  crasher: killed by SIGSEGV: crasher: out of luck" in capsys.readouterr().out


def record_of(status: str, **fields: Any) -> dict[str, Any]:
    record = {"digest": "d", "goal": "decide", "status": status, "stop": "done", "count": None, "verified": 0, "error": None}
    record |= fields
    return {"solver": "x", **record, "category": judge.categorise(record)[0]}


@pytest.mark.parametrize(
    ("record", "category"),
    [
        (record_of("sat", expected={"verdict": "sat"}), "correct"),
        (record_of("sat", expected={"verdict": "unsat"}), "wrong"),
        (record_of("unsat", expected={"verdict": "sat"}), "wrong"),
        (record_of("unsat"), "unchecked"),
        (record_of("unsat", proved=True), "certified"),
        (record_of("sat", verified=1), "verified"),
        (record_of("sat"), "unchecked"),
        (record_of("sat", goal="count", count=36, verified=36), "unchecked"),
        (record_of("unsat", goal="count", count=0, proved=True), "certified"),
        (record_of("unknown", stop="time", expected={"verdict": "sat"}), "unknown"),
        (record_of("unknown", stop="error", error="crashed"), "error"),
        (record_of("unknown", stop="error", error="BadSolution"), "wrong"),
        (record_of("sat", goal="count", count=36, expected={"verdict": "sat", "count": 36}), "correct"),
        (record_of("sat", goal="count", count=35, expected={"verdict": "sat", "count": 36}), "wrong"),
        (record_of("sat", goal="count", count=36, expected={"verdict": "sat", "count": None}), "unchecked"),
        (record_of("sat", goal="count", stop="time", expected={"verdict": "sat", "count": 36}), "unknown"),
        (record_of("sat", goal="count", stop="time", expected={"verdict": "unsat"}), "wrong"),
        (record_of("unsat", goal="count", count=0, expected={"verdict": "unsat", "count": None}), "correct"),
        (record_of("unsat", goal="count", count=0, expected={"verdict": "unsat", "count": 0}), "correct"),
    ],
)
def test_categories(record: dict[str, Any], category: str) -> None:
    assert record["category"] == category


@pytest.mark.parametrize(
    ("together", "categories"),
    [
        ([record_of("sat", verified=1), record_of("unsat")], "verified wrong"),
        ([record_of("sat", verified=1), record_of("unsat", digest="other")], "verified unchecked"),
        ([record_of("sat"), record_of("unsat", proved=True), record_of("unsat")], "wrong certified wrong"),
        # As an earlier version stored it.
        ([record_of("sat", verified=1) | {"category": "unchecked"}], "verified"),
        ([record_of("sat"), record_of("unsat"), record_of("unknown", stop="time")], "wrong wrong unknown"),
        ([record_of("sat", goal="count", count=n) for n in (92, 92, 94)], "wrong wrong wrong"),
        ([record_of("sat", goal="count", count=92), record_of("sat", verified=1)], "unchecked verified"),
        # Expected was unsat, but there is a tiling: then those who agreed with the file are wrong with it.
        ([record_of(s, verified=s == "sat", expected={"verdict": "unsat"}) for s in ("sat", "unsat")], "wrong wrong"),
    ],
)
def test_answers_to_one_question_must_agree(together: list[dict[str, Any]], categories: str) -> None:
    judged = judge.judge(together)
    assert " ".join(record["category"] for record in judged) == categories
    assert judge.judge(judged) == judged


def test_what_is_a_job_of_its_own() -> None:
    instance = replace(inline(["4x4", "2"]), name="square")
    one = Job(instance, "backtracking:order=default", Question(limits=Limits(10, 100)))
    same = Job(replace(instance, about=About("T", expected=Expected(count=36))), one.solver, Question(limits=Limits(10.0, 100)))
    assert one.key == same.key
    others = [
        replace(one, instance=replace(instance, name="other")),
        replace(one, instance=replace(inline(["4x5", "2"]), name="square")),
        replace(one, solver="backtracking:order=rare"),
        replace(one, question=Question(limits=Limits(11, 100))),
        replace(one, question=Question(limits=Limits(10, 200))),
        replace(one, question=Question(limits=Limits(10, 100, threads=2))),
        replace(one, question=Question(Goal.COUNT, limits=Limits(10, 100))),
        replace(one, repeat=1),
        replace(one, form=1),
    ]
    assert len({each.key for each in [one, *others]}) == 10
    assert job.matrix([instance, instance], [one.solver], one.question) == (one,)
    assert job.key_of({name: value for name, value in one.head.items() if name != "repeat"}) == one.key


def test_counts_are_recorded_exactly(here: Path) -> None:
    instance = replace(inline(["4x4", "2"]), name="square", about=About(expected=Expected(count=36)))
    record = record_of_run(Job(instance, "backtracking", Question(Goal.COUNT)))
    assert (record["count"], record["category"]) == (36, Category.CORRECT)


def test_which_solvers(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert campaign.full_specs(["backtracking", "backtracking:order=default"]) == (BACKTRACKING,)
    monkeypatch.setattr(Liar, "goals", frozenset({Goal.COUNT}))
    monkeypatch.setattr(Odd, "requires", ("no_such_module",))
    by_default = campaign.full_specs()
    assert BACKTRACKING in by_default
    assert any(spec.startswith("stubborn") for spec in by_default)
    assert not any(spec.startswith(("liar", "odd")) for spec in by_default)
    with pytest.raises(MissingDependency, match="pip install no_such_module"):
        campaign.full_specs(["odd"])
    with pytest.raises(UnknownBackend):
        campaign.full_specs(["back"])


def test_long_specs_and_short_lines(here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Liar, "name", "liar-of-a-very-long-name-that-leaves-no-room-for-numbers")
    monkeypatch.setitem(registry._registered, Liar.name, Liar)
    assert bench("--solver", Liar.name, "--filter", "odd_u") == 0
    lines = capsys.readouterr().out.splitlines()
    first, *numbers = lines[1].split()
    assert first + lines[2].strip() == Liar.name
    assert numbers[:3] == ["0", "0", "0"]  # No solver searches for a tiling of an odd board.
    assert max(map(len, lines)) <= 80


def test_the_environment_names_nobody() -> None:
    text = json.dumps([environment.environment(), environment.versions()])
    assert str(Path.home()) not in text
    assert environment.environment() == environment.environment()


# --- a campaign that is cut short


def surroundings(here: Path) -> dict[str, str]:
    """The environment of this file as a program."""
    return environment_for(__file__, STUBBORN_ON="b/plain", STUBBORN_PIDS=str(here / "pids"))


@contextmanager
def program(here: Path) -> Iterator[subprocess.Popen[str]]:
    """A campaign in a process of its own that hangs at the second of its four runs, that of the second smallest board."""
    command = [
        sys.executable,
        __file__,
        "bench",
        *("--order", "size"),
        "--no-plots",
        "--no-warm-repeats",
        "--solver",
        "stubborn",
        "-o",
        "out",
        "--time-limit",
        "5m",
    ]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=here, env=surroundings(here), stdout=pipe, stderr=pipe, text=True) as harness:
        try:
            yield harness
        finally:
            harness.kill()


def pids(here: Path) -> list[int]:
    path = here / "pids"
    words = path.read_text().split() if path.exists() else []
    return [int(word) for word in words[:3]] if len(words) == 4 else []


@pytest.mark.parametrize("torn", [0, 20])
def test_the_next_goes_on_after_what_is_recorded(here: Path, torn: int) -> None:
    """Also where the last record is torn."""
    assert bench("--solver", "backtracking", "--filter", "a/") == 0
    before = (here / "out/runs.jsonl").read_bytes()
    left = before[: len(before) - torn]
    (here / "out/runs.jsonl").write_bytes(left)
    assert bench("--solver", "backtracking") == 0
    assert sorted(record["instance"] for record in records()) == ["a/02_s", "a/10_s", "b/odd_u", "b/plain"]
    assert (here / "out/runs.jsonl").read_bytes().startswith(left + (b"\n" if torn else b"{"))


@pytest.mark.long
def test_kill_9_leaves_no_ghosts_and_the_next_goes_on(here: Path) -> None:
    with program(here) as harness:
        started = wait_until(lambda: pids(here))
        assert all(map(lives, started))
        harness.kill()
    wait_until(lambda: not any(map(lives, started)))
    assert [record["instance"] for record in records()] == ["a/02_s"]
    before = (here / "out/runs.jsonl").read_bytes()
    # Whoever works on the code while the tests run must not break this one: hence --reuse.
    assert bench("--solver", "stubborn", "--time-limit", "5m", "--reuse") == 4
    assert sorted(record["instance"] for record in records()) == ["a/02_s", "a/10_s", "b/odd_u", "b/plain"]
    assert (here / "out/runs.jsonl").read_bytes().startswith(before + b"{")


@pytest.mark.long
def test_two_at_a_time_do_not_make_every_run_twice(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with program(here) as harness:
        started = wait_until(lambda: pids(here))
        for option in ("--reuse", "--fresh"):
            assert bench("--solver", "liar", option) == 2
            told = f"tiler: out: process {harness.pid} runs tiler bench there; wait for its end, or choose another folder: -o\n"
            assert capsys.readouterr().err == told
        # Who only reads need not wait.
        assert main(["report", "out"]) == 4
        assert [record["instance"] for record in records()] == ["a/02_s"]
        harness.kill()
        harness.wait()
        # At once, while what it left may still be about to be killed.
        assert bench("--solver", "liar", "--filter", "b/odd_u") == 4
        assert [record["instance"] for record in records()] == ["a/02_s", "b/odd_u"]
    wait_until(lambda: not any(map(lives, started)))


@pytest.mark.long
def test_the_lock_of_another_process_and_its_end(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "out").mkdir()
    with (here / "out" / store.LOCK).open("w") as file:
        file.write("4711\n")
        file.flush()
        fcntl.flock(file, fcntl.LOCK_EX)
        command = [sys.executable, "-m", "tiler", "bench", "-o", "out", "--no-plots", "--solver", "dlx", "--filter", "a/"]
        done = subprocess.run(command, cwd=here, capture_output=True, text=True)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("tiler: out: process 4711 runs tiler bench there; ")
        assert os.listdir(here / "out") == [store.LOCK]
    # Its text is left from somebody who has died: that is no lock.
    assert bench("--solver", "liar", "--filter", "b/odd_u") == 0
    assert (here / "out" / store.LOCK).read_text() == ""


def test_a_file_system_without_locks_is_warned_of(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(file: int, operation: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("fcntl.flock", none)
    assert bench("--solver", "liar", "--filter", "b/odd_u") == 0
    assert "tiler bench: warning: out cannot be locked (No locks available); two at a time" in capsys.readouterr().err
    assert len(records()) == 1


@pytest.mark.long
def test_ctrl_c_keeps_the_records_and_leaves_no_ghosts(here: Path) -> None:
    with program(here) as harness:
        started = wait_until(lambda: pids(here))
        harness.send_signal(signal.SIGINT)
        out, err = harness.communicate(timeout=SOON)
    assert harness.returncode == 130
    assert not any(map(lives, started))
    assert out.splitlines()[1].split()[:5] == ["stubborn", "0", "1", "0", "-"]
    assert "interrupted: 1 of 4 runs recorded" in err
    assert "Traceback" not in err
    assert [record["instance"] for record in records()] == ["a/02_s"]
    assert bench("--solver", "stubborn", "--time-limit", "5m", "--reuse") == 4
    assert len(records()) == 4


def test_a_terminal_gets_a_bar_and_red(here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for stream in (sys.stdout, sys.stderr):
        monkeypatch.setattr(stream, "isatty", lambda: True)
    assert bench("--solver", "liar", "--solver", "crasher", "--filter", "a/") == 4
    captured = capsys.readouterr()
    assert "\033[31;1mwrong: a/02_s" in captured.out
    assert "4/4" in captured.err
    monkeypatch.setenv("NO_COLOR", "1")
    assert bench("--solver", "liar", "--filter", "a/") == 4
    assert "\033[" not in capsys.readouterr().out


def test_in_a_narrow_terminal_names_are_cut_short_and_not_the_time_left(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setattr(Liar, "name", "liar-of-a-very-long-name-that-leaves-no-room-for-numbers")
    monkeypatch.setitem(registry._registered, Liar.name, Liar)
    assert bench("--solver", Liar.name, "--filter", "a/") == 4
    shown = re.sub(r"\033\[[0-9;?]*[A-Za-z]", "", capsys.readouterr().err)
    bars = [line for line in re.split(r"[\r\n]", shown) if "left" in line and "liar-of" in line]
    assert bars
    for line in bars:
        assert re.search(r"\d/2 \d:\d\d:\d\d left (?:\d:\d\d:\d\d|-:--:--) ", line), line
        assert len(line) <= 80


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # A background job of a shell starts with it ignored.
    for kind in FAKES:
        registry.register(kind)
    sys.exit(main())


def test_all_files_of_a_folder_that_is_named_take_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("problems").mkdir()
    for name, tag in (("a", "thesis"), ("b", "mine")):
        Path(f"problems/{name}.txt").write_text(f"# tags: {tag}\n2x2\n\n2\n")
    assert [len(CampaignPart(folder, solvers=("dlx",)).runs().jobs) for folder in ("problems", None)] == [2, 1]
