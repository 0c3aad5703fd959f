"""Campaigns: what is run by default or from a file, repeats, several at a time, old results, and what is drawn at the end."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest
from commands import status_of
from processes import SOON, lives, wait_until
from records import record_of_run
from test_bench import FAKES, PROBLEMS, bench, furnished, records, surroundings

from tiler.backends import registry
from tiler.backends.base import Backend
from tiler.bench import campaign, environment, plan, stats, store
from tiler.bench import record as record_module
from tiler.bench.job import Job
from tiler.bench.store import Store
from tiler.cover.cover import Cover
from tiler.errors import BadOption, InputError
from tiler.formats import inline
from tiler.model.expected import Status
from tiler.question.events import RunningSearch, SearchContext, without_events
from tiler.question.question import Goal, Limits, Question
from tiler.question.result import Result, Stop
from tiler.report.panels import limits_in_words


@dataclass(frozen=True)
class Fickle(Backend):
    """Changes its mind when asked again."""

    name: ClassVar[str] = "fickle"
    asked: ClassVar[list[int]] = []

    def search(self, cover: Cover, question: Question, context: SearchContext) -> RunningSearch:
        self.asked.append(1)
        return without_events(Result(Status.UNSAT if len(self.asked) == 1 else Status.SAT, Stop.DONE))


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return furnished(tmp_path, monkeypatch, (*FAKES, Fickle))


def pairs() -> list[tuple[str, str, int]]:
    return [(record["instance"], record["solver"].partition(":")[0], record["repeat"]) for record in records()]


# --- what is run


def test_runs_with_other_numbers_of_threads_are_other_runs(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each is made by itself, nothing compares them, and what is drawn and printed says how many there were."""
    asked = ("--filter", "a/02", "--solver", "dlx")
    (here / "plan.toml").write_text("threads = 2\n")
    for arguments in (asked, ("plan.toml", *asked), ("--threads", "3", *asked), asked, ("plan.toml", *asked)):
        bench(*arguments)
    assert [record["limits"]["threads"] for record in records()] == [1, 2, 3]
    assert "limits of a run: 10 s, 2048 MiB, 2 threads" in capsys.readouterr().out
    read = record_module.read(here / "out").records
    assert [len(group) for group in stats.series(read)] == [1, 1, 1]
    words = [limits_in_words(stats.tabulate(group).limits) for group in stats.series(read)]
    assert words == ["10 s, 2048 MiB", "10 s, 2048 MiB, 2 threads", "10 s, 2048 MiB, 3 threads"]


def test_records_of_older_code_had_one_thread(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bench("--filter", "a/02", "--solver", "dlx")
    (old,) = records()
    del old["limits"]["threads"]
    (here / "out/runs.jsonl").write_text(json.dumps(old) + "\n")
    bench("--filter", "a/02", "--solver", "dlx")
    assert len(records()) == 1


def test_by_default_the_thesis_problems(here: Path) -> None:
    (here / "problems/b/odd_u.txt").write_text("# tags: thesis\n3x3\n\n2\n")
    assert bench("--solver", "backtracking") == 0
    assert [record["instance"] for record in records()] == ["b/odd_u"]
    assert bench("--solver", "backtracking", "--filter", "a/") == 0
    assert len(records()) == 3


def test_by_default_every_backend_that_can(here: Path) -> None:
    names = {spec.partition(":")[0] for spec in campaign.full_specs()}
    installed = {name for name, backend in registry.backends().items() if not backend.missing()}
    able = {name for name in installed if Goal.PROVE in registry.backends()[name].goals}
    assert able - names == {"coloring"}  # It can only prove that there is no tiling: it is asked if it is named, or to prove.
    assert "coloring" in {spec.partition(":")[0] for spec in campaign.full_specs(goal=Goal.PROVE)}
    assert all(registry.parse_spec(spec) == type(registry.parse_spec(spec))() for spec in campaign.full_specs())


def test_only_changes_of_the_package_make_a_commit_uncertain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def git(*arguments: str) -> str:
        named = ("-c", "user.name=A", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false")
        return subprocess.run(
            ["git", *named, *arguments], cwd=tmp_path, check=True, capture_output=True, text=True
        ).stdout.strip()

    monkeypatch.setattr(environment, "_PACKAGE", tmp_path / "tiler")
    assert environment.environment()["commit"] is None
    for name in ("tiler/search.py", "results/runs.jsonl"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text("1\n")
    git("init", "-q")
    assert environment.environment()["commit"] is None
    git("add", "-A")
    git("commit", "-qm", "First")
    commit = git("rev-parse", "HEAD")[:12]
    (tmp_path / "results/runs.jsonl").write_text("1\n2\n")
    (tmp_path / "results/new.jsonl").write_text("3\n")
    assert environment.environment()["commit"] == commit
    (tmp_path / "tiler/search.py").write_text("2\n")
    assert environment.environment()["commit"] == f"{commit}+changes"
    git("checkout", "-q", "tiler")
    (tmp_path / "tiler/new.py").write_text("3\n")
    assert environment.environment()["commit"] == f"{commit}+changes"


def test_goal_count(here: Path) -> None:
    (here / "problems/a/02_s.txt").write_text("# count: 2\n\n2x2\n\n2\n")
    assert bench("--solver", "backtracking", "--filter", "a/", "--goal", "count") == 0
    assert [(record["goal"], record["count"], record["category"]) for record in records()] == [
        ("count", 2, "correct"),
        ("count", 89, "unchecked"),
    ]


def test_repeats_come_after_one_another(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert bench("--solver", "backtracking", "--solver", "dlx", "--filter", "a/", "--repeat", "2") == 0
    assert pairs() == [
        (instance, solver, repeat)
        for repeat in range(2)
        for instance in ("a/02_s", "a/10_s")
        for solver in ("backtracking", "dlx")
    ]
    assert "8 runs (2 problems, 2 solvers, 2 times), 0 of them recorded already, at most 80 s" in capsys.readouterr().err
    assert bench("--solver", "backtracking", "--solver", "dlx", "--filter", "a/", "--repeat", "3") == 0
    assert len(records()) == 12


def test_short_runs_are_repeated_within_the_process(here: Path) -> None:
    assert bench("--solver", "backtracking", "--filter", "a/02", repeats=True) == 0
    assert bench("--solver", "backtracking", "--filter", "a/10") == 0
    repeated, single = records()
    warm = repeated["warm"]
    assert warm["runs"] > 2
    assert warm["least_seconds"] <= repeated["solve_seconds"] <= warm["most_seconds"]
    assert 0 < warm["wall_seconds"] < repeated["wall_seconds"]
    assert repeated["solve_seconds"] < warm["first_seconds"]
    assert single["warm"] is None


def test_an_answer_that_changes_is_wrong(here: Path) -> None:
    assert bench("--solver", "fickle", "--filter", "a/10", repeats=True) == 4
    (record,) = records()
    assert (record["category"], record["error"]) == ("wrong", "BadSolution")
    assert record["message"].endswith("answered unsat, and sat when asked again")


# --- several at a time


@pytest.mark.long
def test_two_at_a_time_give_the_same_answers(here: Path) -> None:
    solvers = ["--solver", "backtracking", "--solver", "dlx", "--solver", "liar"]
    assert bench(*solvers, "--jobs", "2") == 4

    def answers() -> list[Any]:
        return sorted((r["instance"], r["solver"], r["status"], r["category"]) for r in records())

    both = answers()
    assert all(record["jobs"] == 2 for record in records())
    assert bench(*solvers, "--fresh") == 4
    assert answers() == both
    assert len(both) == 12


def test_executors_on_the_command_line(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert bench("--solver", "backtracking", "--filter", "a/", "--executor", "local:2") == 0
    assert bench("--executor", "cloud:2") == 2
    assert "'cloud:2' is no executor" in capsys.readouterr().err
    assert bench("--executor", "local:2", "--jobs", "2") == 2
    assert "give one of them" in capsys.readouterr().err


@pytest.mark.long
def test_kill_9_of_several_leaves_no_ghosts(here: Path) -> None:
    command = [sys.executable, str(Path(__file__).with_name("test_bench.py")), "bench", "--no-plots", "-o", "out"]
    command += ["--order", "size", "--solver", "stubborn", "--time-limit", "5m", "--jobs", "2"]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, cwd=here, env=surroundings(here), stderr=quiet, stdout=quiet) as harness:
        path = here / "pids"
        started = wait_until(lambda: path.exists() and path.read_text().endswith(".") and path.read_text().split()[:3])
        wait_until(lambda: len(records()) == 3)
        harness.kill()
    wait_until(lambda: not any(lives(int(pid)) for pid in started))
    assert bench("--solver", "stubborn", "--time-limit", "5m", "--jobs", "2", "--reuse") == 4
    assert sorted(record["instance"] for record in records()) == sorted(PROBLEMS)


@pytest.mark.long
def test_two_harnesses_make_every_run_once(here: Path) -> None:
    command = [sys.executable, "-m", "tiler", "bench", "--no-plots", "-o", "out", "--no-warm-repeats", "--solver", "backtracking"]
    both = [subprocess.Popen(command, cwd=here, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    statuses = []
    for one in both:
        out, err = one.communicate(timeout=SOON)
        statuses.append(one.returncode)
        if one.returncode == 2:
            other = next(each.pid for each in both if each is not one)
            assert err.startswith(f"tiler: out: process {other} runs tiler bench there; ")
        else:
            assert out.splitlines()[1].split()[:5] == ["backtracking", "2", "0", "0", "1"]
    assert sorted(statuses) in ([0, 2], [0, 0])  # Where one was over before the other began.
    assert sorted(record["instance"] for record in records()) == sorted(PROBLEMS)


# --- old results


def test_records_of_another_version_are_kept_but_not_used(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert bench("--solver", "liar", "--filter", "a/") == 4
    with monkeypatch.context() as other:
        other.setattr(environment, "surroundings", lambda: {"versions": {}, "environment": {}})
        assert bench("--solver", "liar", "--filter", "a/", "--reuse") == 4
        assert len(records()) == 2
        capsys.readouterr()
        assert bench("--solver", "backtracking", "--filter", "a/") == 0
        assert "2 records by other versions of the code kept, but not used; --reuse uses them" in capsys.readouterr().err
        assert len(records()) == 4
    assert bench("--solver", "backtracking", "--filter", "a/") == 4
    assert len(records()) == 6


def test_records_of_an_earlier_layout_are_kept_and_said_to_be_so(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They have a fingerprint of all files together, in their environment, as the reference results do."""
    assert bench("--solver", "backtracking", "--filter", "a/") == 0
    runs = Path("out/runs.jsonl")
    old = [record | {"environment": {**record["environment"], "sources": "0123"}} for record in records()]
    for record in old:
        del record["sources"]
    runs.write_text("".join(f"{json.dumps(record)}\n" for record in old))
    capsys.readouterr()
    assert bench("--solver", "backtracking", "--filter", "a/", "--reuse") == 0
    assert (len(records()), "earlier layout" in capsys.readouterr().err) == (2, False)
    assert bench("--solver", "backtracking", "--filter", "a/02") == 0
    said = "2 records by other versions of the code (all of an earlier layout) kept, but not used; --reuse uses them"
    assert capsys.readouterr().err.count(said) == 1
    mixed = [*old, records()[-1] | {"sources": "another"}]
    runs.write_text("".join(f"{json.dumps(record)}\n" for record in mixed))
    assert bench("--solver", "backtracking", "--filter", "a/02") == 0
    assert "3 records by other versions of the code (2 of an earlier layout) kept, but not used" in capsys.readouterr().err


def test_fresh_moves_the_old_results_aside(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(3):
        assert bench("--solver", "backtracking", "--filter", "a/02", "--fresh") == 0
        assert len(records()) == 1
        assert ("the old results are in" in capsys.readouterr().err) == (number > 0)
    assert len(records("out.1")) == len(records("out.2")) == 1


# --- a campaign file


def test_a_campaign_file(here: Path) -> None:
    (here / "extra.txt").write_text("4x1\n\n2\n")
    (here / "plan.toml").write_text(
        'title = "Two parts"\noutput = "elsewhere"\norder = "size"\nsolvers = ["backtracking"]\ntime-limit = "3s"\n'
        'memory-limit = "1G"\nrepeat = 2\n'
        '[[part]]\nfilter = ["a/02"]\n[[part]]\ninstances = ["extra.txt"]\ntime-limit = 5\nrepeat = 1\nsolvers = "dlx"\n'
    )
    from tiler.cli.main import main

    assert main(["bench", "plan.toml", "--no-plots", "--no-warm-repeats"]) == 0
    found = [(r["instance"], r["solver"].partition(":")[0], r["limits"]["seconds"], r["repeat"]) for r in records("elsewhere")]
    # Of several runs of one problem the second comes when all problems had one.
    extra = found[1][0]
    assert extra in ("extra", f"{here.name}/extra")
    assert found == [("a/02_s", "backtracking", 3.0, 0), (extra, "dlx", 5.0, 0), ("a/02_s", "backtracking", 3.0, 1)]
    assert store.title_of(here / "elsewhere") == "Two parts"
    # Options win, but --filter chooses among the problems of the file.
    assert bench("plan.toml", "--solver", "dlx", "--filter", "a/", "--time-limit", "2s", "--repeat", "1") == 0
    assert [(r["instance"], r["solver"].partition(":")[0], r["limits"]["seconds"]) for r in records()] == [("a/02_s", "dlx", 2.0)]


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("solvers = [", "plan.toml: "),
        ('solver = ["dlx"]', 'plan.toml: a program is declared as [[solver]]; what is to be run is solvers = ["dlx"]'),
        ("filter = 7", 'plan.toml: filter must be a list of texts, such as ["a", "b"]'),
        ('goal = "enumerate"', "plan.toml: goal must be decide or count"),
        ("threads = 0", "plan.toml: threads must be a whole number from 1 to 1,024"),
        ("repeat = 0", "plan.toml: repeat must be a whole number from 1"),
        ('time-limit = "soon"', "plan.toml: time-limit: 'soon' is not a duration"),
        ("time-limit = true", "plan.toml: time-limit: 'True' is neither a text nor a number"),
        ("part = 3", "plan.toml: a part is written as [[part]]"),
        ('solvrs = ["dlx"]', "plan.toml: unknown setting 'solvrs'; nearest: solvers"),
        ("problems = 3", "plan.toml: problems must be a text"),
        ("title = 3", "plan.toml: title must be a text"),
    ],
)
def test_bad_campaign_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str, text: str) -> None:
    monkeypatch.chdir(tmp_path)
    Path("plan.toml").write_text(content)
    with pytest.raises(InputError) as caught:
        plan.read("plan.toml")
    assert str(caught.value).startswith(text)


# --- at the end


@pytest.mark.long
def test_plots_at_the_end(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for side in (4, 6, 8):
        (here / f"problems/a/square-{side}x{side}_s.txt").write_text(f"{side}x{side}\n\n2\n")
    assert bench("--filter", "a/square", "--solver", "backtracking", "--solver", "dlx", plots=True) == 0
    out = capsys.readouterr().out
    drawn = {path.stem for path in (here / "out/plots").glob("*.svg")}
    assert {"survival", "scaling", "instances", "heatmap", "scatter", "profile"} <= drawn
    assert f"plots: {len(drawn)} figures as svg and pdf with their data in out/plots; tiler report says more" in out
    for stem in drawn:
        assert (here / f"out/plots/{stem}.csv").exists()


def test_nothing_to_draw(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert bench("--filter", "a/02", "--solver", "crasher", plots=True) == 0
    assert "plots" not in capsys.readouterr().out
    assert not (here / "out/plots").exists()


def test_warnings(here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(environment, "cores", lambda: 2)
    monkeypatch.setattr(environment, "busy_cores", lambda: 1.6)
    assert bench("--solver", "backtracking", "--filter", "a/02") == 0
    assert "warning: the machine is busy (1.6 of 2 cores at work)" in capsys.readouterr().err
    monkeypatch.setattr(environment, "busy_cores", lambda: 0.1)
    assert bench("--solver", "dlx", "--filter", "a/02") == 0
    assert "warning" not in capsys.readouterr().err
    assert bench("--solver", "dlx", "--filter", "a/10", "--jobs", "3") == 0
    assert "warning: 3 runs at a time on 2 cores" in capsys.readouterr().err


def test_busy_cores_are_a_number_of_cores() -> None:
    assert -0.1 <= environment.busy_cores(0.05) <= (os.cpu_count() or 1) + 0.1


def test_a_run_that_is_not_repeated() -> None:
    record = record_of_run(Job(inline(["4x4", "2"]), "backtracking", Question(Goal.COUNT, Limits(5.0))))
    assert (record["count"], record["category"], record["warm"]) == (36, "unchecked", None)


@pytest.mark.parametrize("plots", [False, pytest.param(True, marks=pytest.mark.long)])
def test_ctrl_c_draws_what_there_is(
    here: Path, plots: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    append = Store.append

    def interrupted(self: Store, record: Any) -> None:
        append(self, record)
        if len(records()) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(Store, "append", interrupted)
    assert bench("--solver", "backtracking", plots=plots) == 130
    assert "interrupted: 3 of 4 runs recorded" in capsys.readouterr().err
    if plots:
        assert (here / "out/plots/survival.svg").exists()
        assert status_of("report", "out") == 0


@pytest.mark.long
def test_a_first_figure_while_it_runs(here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("tiler.cli.campaign.progress.FIRST_FIGURE_SECONDS", 0.0)
    assert bench("--filter", "a/", "--filter", "plain", "--solver", "backtracking", plots=True) == 0
    assert "a first figure is in out/plots/survival.svg" in capsys.readouterr().err
    # Beside other runs it would disturb them.
    assert bench("--solver", "dlx", "--filter", "a/", "--jobs", "2", plots=True) == 0
    assert "first figure" not in capsys.readouterr().err


def test_what_is_not_installed_is_told_by_a_dry_run(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = '[[solver]]\nname = "none {}"\ncommand = "{}"\ninput = "cnf"\noutput = "dimacs"\n'
    (here / "campaign.toml").write_text(
        'output = "out"\nfilter = ["a/"]\nsolvers = ["dlx", "none 1", "none 2"]\n'
        + table.format(1, "no-program-1 {cnf}")
        + table.format(2, "sh -c no-program-2 {cnf}")
        + 'needs = ["sh", "no-program-2"]\n'
    )
    lacks = [f"none {n}: it needs the program no-program-{n}, which is not to be found here" for n in (1, 2)]
    assert status_of("bench", "campaign.toml", "--dry-run") == 0
    said = capsys.readouterr()
    assert [line for line in said.err.splitlines() if "needs" in line] == [f"tiler bench: not installed: {one}" for one in lacks]
    assert [line.split()[:3] for line in said.out.splitlines()[-2:]] == [["none", "1", "2"], ["none", "2", "2"]]
    assert status_of("bench", "campaign.toml") == 2
    assert capsys.readouterr().err == f"tiler: {'; '.join(lacks)}\n"
    assert not (here / "out").exists()


def test_a_dry_run_makes_nothing(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    solvers = ["--solver", "coloring", "--solver", "backtracking"]
    options = [*solvers, "--filter", "a/", "--filter", "odd", "--dry-run"]
    assert bench(*options) == 0
    said = capsys.readouterr()
    assert not (here / "out").exists()
    assert "6 runs (3 problems, 2 solvers), 0 of them recorded already, at most 60 s" in said.err
    assert "2 runs by coloring come last: it can only prove that there is no tiling" in said.err
    assert [line.split()[:4] for line in said.out.splitlines()[1:]] == [
        ["coloring", "3", "2", "0"],
        ["backtracking", "3", "0", "0"],
    ]
    assert bench(*options, "--verbose") == 0
    order = [(line.split()[0], line.split()[1].partition(":")[0]) for line in capsys.readouterr().out.splitlines()]
    assert order == [
        ("a/02_s", "backtracking"),
        ("b/odd_u", "coloring"),
        ("b/odd_u", "backtracking"),
        ("a/10_s", "backtracking"),
        ("a/02_s", "coloring"),
        ("a/10_s", "coloring"),
    ]
    done = ["--solver", "backtracking", "--filter", "a/02"]
    assert bench(*done) == 0
    capsys.readouterr()
    for words in ([], ["--verbose"]):
        assert bench(*done, "--dry-run", *words) == 0
        assert capsys.readouterr().out == "nothing to run\n"


def test_quiet_and_verbose(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert bench("--solver", "backtracking", "--filter", "a/02", "--quiet") == 0
    assert "1/1" not in capsys.readouterr().err
    assert bench("--solver", "backtracking:order=rare", "--filter", "a/02", "--verbose") == 0
    said = capsys.readouterr().err
    assert "tiler bench: a/02_s: backtracking:filter=off,anchor=off,order=rare,cells=rows, seed 0" in said
    assert "1/1  a/02_s" in said
    assert bench("--quiet", "--verbose") == 2


def test_a_star_stands_for_every_value() -> None:
    encodings = campaign.full_specs(["sat:encoding=*,engine=minicard"])
    assert len(encodings) > 20
    assert len(campaign.full_specs(["sat:encoding=*"])) == len(encodings) - 1  # Native constraints need that engine.
    for wrong, why in (
        ("coloring:nodes=*", "there is no list of values"),
        ("sat:enc=*", "unknown option 'enc'; nearest: encoding"),
    ):
        with pytest.raises(BadOption, match=why):
            campaign.full_specs([wrong])
