"""Parallel search: the answers of one process, whatever is killed on the way."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import psutil
import pytest
from calls_here import CallsHere
from clusters import cluster
from commands import call
from following import result_of
from hypothesis import given, settings
from hypothesis import strategies as st
from processes import lives, wait_until
from strategies import instances

from tiler import formats
from tiler.ask import planner
from tiler.ask.checkpoint import Checkpoint
from tiler.ask.parts import Decomposition, Done
from tiler.ask.solve import TilingAnswer, solve
from tiler.ask.split import parallel, worker
from tiler.ask.split.worker import Assignment, Searched
from tiler.ask.symmetry import burnside, decomposition
from tiler.backends.registry import parse_spec
from tiler.cli.main import main
from tiler.cover.board import BoardCover
from tiler.cover.split import Subproblem, split
from tiler.errors import BackendError, BadOption, InputError, TilerError
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.process import executors
from tiler.process.isolate import Outcome, RunEnd
from tiler.question.events import NO_EXTRAS, Progress
from tiler.question.plan import Way
from tiler.question.question import Goal, Limits, Question
from tiler.question.result import Stop

SOMA = ["3x3x3", "1:3L", "1:4L", "1:4S", "1:4T", "1:4^", "1:4<", "1:4>"]
#: Boards that take one process some 0.03, 0.2 and 1.4 seconds, and their tilings.
SMALL, FEW = ["8x7", "4T", "4L", "4S"], 27_868
MEDIUM, SOME = ["8x8", "4T", "4L", "4S"], 180_066
LARGE, MANY = ["9x8", "4T", "4L", "4S"], 1_194_806
COUNT = Question(Goal.COUNT)
LOST: Outcome[Any] = Outcome(RunEnd.CRASHED, last_line="killed")


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The trial ends at the first look at the clock, so that searches of a moment are split too; into fewer parts than usual."""
    monkeypatch.setattr(planner, "_TRIAL_SECONDS", 0.0)
    monkeypatch.setattr(parallel, "_PER_SLOT", 8)
    monkeypatch.setattr(parallel, "_LISTED", 16)


# --- in this process


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch, at_once: None) -> None:
    """Searches are split at once, and their calls made in this process."""
    monkeypatch.setattr(executors, "connect", lambda where, prepare: CallsHere(slots=int(where.removeprefix("local:"))))


def late_at_first(every: int, told: set[int]) -> Callable[..., Outcome[Any]]:
    """The outcomes of calls in which each subproblem, or every second one and so on, is out of time when it is told for the
    first time; `told` are those that were."""

    def called(search: Any, assignment: Assignment, limits: Limits, numbered: Any) -> Outcome[Any]:
        late = {number for number, _ in numbered if number % every == 0} - told
        told.update(late)
        cut = [Searched(number, 0, Status.UNKNOWN, Stop.TIME, 0, {}, "") for number in sorted(late)]
        return Outcome(RunEnd.FINISHED, [*search(assignment, limits, [each for each in numbered if each[0] not in late]), *cut])

    return called


def test_subproblems_that_ran_out_of_time_are_told_again() -> None:
    assignment = Assignment(formats.inline(["6x6", "2"]), parse_spec("dlx").spec, Goal.COUNT, False)
    totals, told = parallel._Totals.of(worker.decomposition_of(assignment), 40, None), set[int]()
    result = result_of(parallel._run(assignment, totals, CallsHere(late_at_first(1, told)), COUNT, NO_EXTRAS))
    assert (result.stop, result.count) == (Stop.DONE, 6728)
    assert told == set(range(len(totals.subproblems)))


def test_subproblems_that_were_lost_are_told_again() -> None:
    assignment = Assignment(formats.inline(["6x6", "2"]), parse_spec("dlx").spec, Goal.COUNT, False)
    totals, lost = parallel._Totals.of(worker.decomposition_of(assignment), 40, None), set[int]()

    def lose(search: Any, assignment: Assignment, limits: Limits, numbered: Any) -> Outcome[Any] | None:
        """Every subproblem is lost once."""
        new = {number for number, _ in numbered} - lost
        lost.update(new)
        return LOST if new else None

    calls = CallsHere(lose)
    result = result_of(parallel._run(assignment, totals, calls, COUNT, NO_EXTRAS))
    assert (result.stop, result.count) == (Stop.DONE, 6728)
    assert lost == set(range(len(totals.subproblems)))
    # What was lost before may be what ends its worker: it gets a call of its own.
    assert {len(numbered) for numbered, outcome in calls.made if outcome is not LOST} == {1}
    with pytest.raises(BackendError, match="dlx: a subproblem was lost 3 times: lost: killed"):
        result_of(parallel._run(assignment, replace(totals, counts={}), CallsHere(lambda *call: LOST), COUNT, NO_EXTRAS))


def test_progress_tells_what_calls_under_way_have_found() -> None:
    class SharesMemory(CallsHere):
        shares_memory = True

    assignment = Assignment(formats.inline(["6x6", "2"]), parse_spec("dlx").spec, Goal.COUNT, False)
    totals, late = parallel._Totals.of(worker.decomposition_of(assignment), 40, None), late_at_first(1, set())

    def begun(search: Any, *call: Any) -> Outcome[Any]:
        search.keywords["tell"](5)
        return late(search, *call)

    search = parallel._run(assignment, totals, SharesMemory(begun, slots=2), COUNT, NO_EXTRAS)
    first = next(event for event in search if isinstance(event, Progress))
    search.close()
    assert (first.fraction, first.found) == (0, 10)


def test_a_part_that_nobody_can_decide_leaves_the_whole_undecided() -> None:
    assignment = Assignment(formats.inline(["4x4", "2"]), parse_spec("dlx").spec, Goal.DECIDE, False)
    totals = parallel._Totals.of(worker.decomposition_of(assignment), 2, None)
    stops = [Stop.UNDECIDED] + [Stop.DONE] * (len(totals.subproblems) - 1)
    for number, stop in enumerate(stops):
        totals.take(Searched(number, 0, Status.UNSAT if stop is Stop.DONE else Status.UNKNOWN, stop, 0, {}, ""))
    result = totals.result(Goal.DECIDE, Stop.DONE)
    assert (result.status, result.stop) == (Status.UNKNOWN, Stop.UNDECIDED)


def test_parts_that_are_cut_short_give_a_lower_bound() -> None:
    totals = parallel._Totals(Decomposition(Way.BURNSIDE, 8, (), 8), 1, (), sums=Done(found=16), partly=1)
    result = totals.result(Goal.COUNT, Stop.TIME)
    assert (result.status, result.count, result.found) == (Status.SAT, None, 3)


def counted(assignment: Assignment, pieces: int) -> int:
    """What the subproblems of an assignment come to."""
    whole = worker.decomposition_of(assignment)
    numbered = list(enumerate(split([part.cover for part in whole.parts], pieces)))
    searched = [one for each in numbered for one in worker.search(assignment, Limits(), [each])]
    assert [one.number for one in searched] == list(range(len(numbered)))
    found = sum(one.found * whole.parts[each.part].times for one, (_, each) in zip(searched, numbered, strict=True))
    count, rest = divmod(found, whole.divisor)
    assert rest == 0
    return count


@settings(max_examples=100)
@given(
    instances(max_cells=12, words=False),
    st.sampled_from(["backtracking", "dlx", "dlx:filter=dead+parity", "fila", "frontier"]),
    st.booleans(),
    st.integers(1, 40),
)
def test_the_parts_add_up(instance: Instance, spec: str, up_to_symmetry: bool, pieces: int) -> None:
    expected = solve(instance, "backtracking", Question(Goal.COUNT, up_to_symmetry=up_to_symmetry)).result.count
    assert counted(Assignment(instance, parse_spec(spec).spec, Goal.COUNT, up_to_symmetry), pieces) == expected


@settings(max_examples=50)
@given(instances(max_cells=12, words=False), st.integers(1, 40))
def test_the_parts_add_up_without_anchor_and_mean(instance: Instance, pieces: int) -> None:
    expected = solve(instance, "backtracking", Question(Goal.COUNT, up_to_symmetry=True)).result.count
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(burnside, "_MOST_SHARES", -1)
        patch.setattr(decomposition, "anchors", lambda *arguments: iter(()))
        assert counted(Assignment(instance, parse_spec("dlx").spec, Goal.COUNT, True), pieces) == expected


@settings(max_examples=100)
@given(instances(max_cells=12, words=False), st.sampled_from(["dlx", "fila", "backtracking:anchor=auto"]), st.integers(1, 40))
def test_some_part_has_a_tiling_if_there_is_one(instance: Instance, spec: str, pieces: int) -> None:
    assignment = Assignment(instance, parse_spec(spec).spec, Goal.DECIDE, False)
    parts = split([part.cover for part in worker.decomposition_of(assignment).parts], pieces)
    searched = [worker.search(assignment, Limits(), [each])[0] for each in enumerate(parts)]
    expected = solve(instance, "backtracking").result.status
    assert any(one.solution is not None for one in searched) == (expected is Status.SAT)


@pytest.mark.parametrize(("board", "spec", "count"), [("4x4", "sat", 36), ("2x4", "cpsat", 5)])
def test_engines_search_parts(board: str, spec: str, count: int) -> None:
    backend = parse_spec(spec)
    if backend.missing():
        pytest.skip(f"{backend.name} is not installed")
    assert counted(Assignment(formats.inline([board, "2"]), backend.spec, Goal.COUNT, False), 4) == count


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("shapes", "spec", "count"),
    [
        (SOMA, "dlx", 11_520),
        (["6x6", "2"], "frontier", 6728),
        (["6x6", "4T"], "dlx", 0),
        (["2x1", "2"], "dlx", 1),
        (["3x3", "4I"], "dlx", 0),
    ],
)
def test_counts(shapes: list[str], spec: str, count: int) -> None:
    instance = formats.inline(shapes)
    result = solve(instance, spec, COUNT, executor="local:2").result
    assert (result.count, result.stop) == (count, Stop.DONE)
    # Where the area says that there is no tiling, there is nothing to search.
    assert ("subproblems" in result.stats) == (BoardCover.of(instance).refusal() is None)


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("shapes", "spec", "count", "order", "method"),
    [(SOMA, "backtracking", 240, 48, "anchor"), (["6x6", "2"], "dlx", 930, 8, "burnside")],
)
def test_counts_up_to_symmetry(shapes: list[str], spec: str, count: int, order: int, method: str) -> None:
    answer = solve(formats.inline(shapes), spec, Question(Goal.COUNT, up_to_symmetry=True), executor="local:2")
    assert (answer.result.count, answer.result.symmetry, answer.result.stats["method"]) == (count, order, method)
    assert answer.result.stats["subproblems"] >= 16


@pytest.mark.usefixtures("here")
def test_decisions() -> None:
    none = solve(formats.inline(["10x10", "4L"]), "backtracking", executor="local:2")
    assert (none.result.status, none.result.stop) == (Status.UNSAT, Stop.DONE)
    assert none.result.stats["subproblems"] >= 16
    one = solve(formats.inline(SOMA), "backtracking", executor="local:2")
    assert (one.result.status, one.result.stop, len(one.solutions)) == (Status.SAT, Stop.DONE, 1)


def test_what_is_over_in_a_moment_is_not_split() -> None:
    answer = solve(formats.inline(["4x4", "2"]), "dlx", COUNT, executor="local:2")
    assert answer.result.count == 36
    assert "subproblems" not in answer.result.stats


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("up_to_symmetry", [False, True])
def test_tilings_are_listed_in_one_order(up_to_symmetry: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever becomes of the parts first."""
    instance = formats.inline(["4x4", "2"])
    every = Question(Goal.ENUMERATE, up_to_symmetry=up_to_symmetry)
    alone = solve(instance, "dlx", every)
    one = solve(instance, "dlx", every, executor="local:1")
    late = set[int]()
    monkeypatch.setattr(executors, "connect", lambda where, prepare: CallsHere(late_at_first(2, late)))
    assert solve(instance, "dlx", every, executor="local:2").solutions == one.solutions
    assert len(late) > 3
    assert len(one.solutions) == len(alone.solutions) == one.result.found == one.result.count > 3
    assert one.result.symmetry == alone.result.symmetry
    if not up_to_symmetry:
        assert set(one.solutions) == set(alone.solutions)
    few = Question(Goal.ENUMERATE, Limits(solutions=3), up_to_symmetry=up_to_symmetry)
    limited = solve(instance, "dlx", few, executor="local:2")
    assert limited.solutions == one.solutions[:3]
    assert (limited.result.stop, limited.result.found) == (Stop.SOLUTIONS, 3)


def test_what_is_refused() -> None:
    instance = formats.inline(["4x4", "2"])
    with pytest.raises(BadOption, match="only deciding, counting and listing can be split; leave out --executor"):
        solve(instance, "auto", Question(Goal.SAMPLE, samples=1, seed=1), executor="local:2")
    with pytest.raises(BadOption, match="'here' is no executor"):
        solve(instance, "dlx", COUNT, executor="here")
    with pytest.raises(BadOption, match="coloring: it cannot count; these can count: auto, backtracking,"):
        solve(instance, "coloring", COUNT, executor="local:2")


def test_another_version_is_refused() -> None:
    assignment = Assignment(formats.inline(["4x4", "2"]), parse_spec("dlx").spec, Goal.COUNT, False, version="0.0")
    with pytest.raises(TilerError, match=r"a worker has another version of Tiler: .*, not 0\.0"):
        worker.prepare(assignment)


# --- checkpoints


def stopped(instance: Instance, path: Path, after: float) -> TilingAnswer:
    """A count that ends when this part of it is done."""

    def tick(progress: Progress) -> bool:
        return (progress.fraction or 0.0) < after

    checkpoint = Checkpoint.open(path, instance, parse_spec("dlx"), COUNT, split=True)
    return solve(instance, "dlx", COUNT, executor="local:2", checkpoint=checkpoint, on_tick=tick)


@pytest.mark.usefixtures("here")
def test_it_goes_on_where_it_was_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, instance = tmp_path / "state", formats.inline(SMALL)
    monkeypatch.setattr(parallel, "_PER_SLOT", 16)
    monkeypatch.setattr(parallel, "_MOST_AT_ONCE", 1)
    found = 0
    for after in (0.05, 0.3, 0.6):
        result = stopped(instance, path, after).result
        assert (result.stop, result.count) == (Stop.INTERRUPTED, None)
        assert found < result.found < FEW
        found = result.found
    # What is done is not done again, on however many processes.
    told: list[int] = []
    take = parallel._Totals.take

    def note(totals: parallel._Totals, one: worker.Searched) -> None:
        told.append(one.number)
        take(totals, one)

    monkeypatch.setattr(parallel._Totals, "take", note)
    checkpoint = Checkpoint.open(path, instance, parse_spec("dlx"), COUNT, split=True)
    result = solve(instance, "dlx", COUNT, executor="local:1", checkpoint=checkpoint).result
    assert result.count == FEW
    assert 0 < len(told) <= 0.4 * result.stats["subproblems"]


@pytest.mark.usefixtures("here")
def test_checkpoints_of_another_count_are_refused(tmp_path: Path) -> None:
    path, instance, dlx = tmp_path / "state", formats.inline(SMALL), parse_spec("dlx")
    stopped(instance, path, 0.05)
    for other, backend, is_split, text in [
        (formats.inline(SOMA), dlx, True, "a checkpoint of another instance"),
        (instance, parse_spec("dlx:order=first"), True, "a checkpoint of another solver"),
        (instance, dlx, False, "a checkpoint of another goal: count, split, not count"),
    ]:
        with pytest.raises(InputError, match=text):
            Checkpoint.open(path, other, backend, COUNT, split=is_split)
    checkpoint = Checkpoint.open(path, instance, dlx, COUNT, split=True)
    assert checkpoint.saved is not None
    checkpoint.saved = replace(checkpoint.saved, note={**checkpoint.saved.note, "split": "of another time"})
    with pytest.raises(InputError, match="a checkpoint of another split"):
        solve(instance, "dlx", COUNT, executor="local:2", checkpoint=checkpoint)


# --- by processes of this machine


@pytest.mark.usefixtures("at_once")
def test_processes_count_and_list() -> None:
    assert solve(formats.inline(["6x6", "2"]), "backtracking", COUNT, executor="local:2").result.count == 6728
    listed = solve(formats.inline(["3x4", "2"]), "dlx", Question(Goal.ENUMERATE), executor="local:2")
    assert len(set(listed.solutions)) == listed.result.count == 11


@pytest.mark.parametrize("up_to_symmetry", [False, True])
def test_an_interrupted_count_tells_what_unfinished_parts_have(up_to_symmetry: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """In few pieces, none of which would be done for years."""
    monkeypatch.setattr(parallel, "_PER_SLOT", 1)
    monkeypatch.setattr(planner, "_TRIAL_SECONDS", 0.0)
    told: list[Progress] = []

    def on_tick(now: Progress) -> bool:
        told.append(now)
        return now.fraction is None or now.found == 0  # Of the trial no fraction is told.

    question = Question(Goal.COUNT, Limits(seconds=100), up_to_symmetry)
    result = solve(formats.inline(["18x18", "3I"]), "dlx", question, on_tick=on_tick, executor="local:2").result
    assert (result.status, result.stop, result.count) == (Status.SAT, Stop.INTERRUPTED, None)
    assert told[-1].fraction == 0
    assert result.found == told[-1].found > 0
    assert psutil.Process().children(recursive=True) == []


@pytest.mark.long
def test_limits() -> None:
    instance = formats.inline(LARGE)
    for seconds in (1.0, 4.0, 16.0):  # On a busy machine processes may not even have started after the first.
        late = solve(instance, "dlx", Question(Goal.COUNT, Limits(seconds=seconds)), executor="local:2").result
        if late.found:
            break
    assert (late.status, late.stop, late.count) == (Status.SAT, Stop.TIME, None)
    assert 0 < late.found < MANY
    few = solve(instance, "dlx", Question(Goal.COUNT, Limits(nodes=1000)), executor="local:2").result
    assert (few.stop, few.count) == (Stop.NODES, None)


@pytest.mark.long
@pytest.mark.usefixtures("at_once")
def test_a_search_that_needs_too_much_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    def hoard(assignment: Assignment, limits: Limits, subproblems: list[tuple[int, Subproblem]], tell: Any) -> list[Searched]:
        kept = []
        while True:
            kept.append(bytearray(1 << 26))

    monkeypatch.setattr(worker, "search", hoard)
    result = solve(formats.inline(LARGE), "dlx", Question(Goal.COUNT, Limits(megabytes=1000)), executor="local:1").result
    assert (result.status, result.stop, result.count) == (Status.UNKNOWN, Stop.MEMORY, None)


@pytest.mark.long
@pytest.mark.usefixtures("at_once")
def test_a_run_that_is_killed_is_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    search = worker.search

    def frail(assignment: Assignment, limits: Limits, subproblems: list[tuple[int, Subproblem]], tell: Any) -> list[Searched]:
        try:
            (tmp_path / str(subproblems[0][0] % 5)).touch(exist_ok=False)
        except FileExistsError:
            return search(assignment, limits, subproblems)
        os.kill(os.getpid(), signal.SIGKILL)
        return []

    monkeypatch.setattr(worker, "search", frail)
    assert solve(formats.inline(["6x6", "2"]), "dlx", COUNT, executor="local:2").result.count == 6728
    assert list(tmp_path.iterdir())


@pytest.mark.usefixtures("at_once")
def test_a_run_that_always_dies_ends_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "search", lambda *arguments, tell: os._exit(7))
    with pytest.raises(BackendError, match="dlx: a subproblem was lost 3 times: exited with status 7"):
        solve(formats.inline(["6x6", "2"]), "dlx", COUNT, executor="local:2")


# --- the command


def of_command(path: Path) -> list[int]:
    """The processes with this path in their command line: the command, its supervisors and its runs."""
    listed = ((each.pid, each.info["cmdline"] or ()) for each in psutil.process_iter(["cmdline"]))
    return [pid for pid, words in listed if pid != os.getpid() and any(str(path) in word for word in words)]


def start(path: Path) -> subprocess.Popen[str]:
    """A count that is split at once, in calls of a moment, and saved after each."""
    code = (
        "import sys; from pathlib import Path; from tiler import formats;"
        "from tiler.ask import planner; from tiler.ask.split import parallel;"
        "from tiler.backends.registry import parse_spec;"
        "from tiler.ask.checkpoint import Checkpoint; from tiler.question.question import *; from tiler.ask.solve import solve;"
        "planner._TRIAL_SECONDS = 0.0; parallel._PER_SLOT = 16; parallel._MOST_AT_ONCE = 1;"
        f"i = formats.inline({MEDIUM!r}); q = Question(Goal.COUNT); b = parse_spec('dlx');"
        "c = Checkpoint.open(Path(sys.argv[1]), i, b, q, split=True, seconds=0);"
        "print(solve(i, b, q, checkpoint=c, executor='local:2').result.count)"
    )
    return subprocess.Popen([sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE, text=True)


def written(path: Path) -> int:
    """When a file was written, if it is there."""
    return path.stat().st_mtime_ns if path.exists() else 0


def killed(path: Path, seconds: float) -> str:
    """What a count printed that is killed so long after it saved something."""
    process, before = start(path), written(path)
    wait_until(lambda: process.poll() is not None or written(path) != before)
    with suppress(subprocess.TimeoutExpired):
        process.wait(seconds)
    process.kill()
    out = process.communicate()[0]
    assert written(path) > before
    wait_until(lambda: not of_command(path))
    return out


@pytest.mark.long
def test_kills_at_random_moments_lose_nothing(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    path, chance = tmp_path / "state", random.Random(1)
    out = ""
    for _ in range(30 if request.config.getoption("--slow") else 1):
        out = out or killed(path, chance.uniform(0, 0.1))
    assert (out or start(path).communicate(timeout=120)[0]) == f"{SOME}\n"


@pytest.mark.long
def test_ctrl_c_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "state"
    command = [sys.executable, "-m", "tiler", "count", "12x10", "4T", "4L", "4S", "--solver", "dlx", "--executor", "local:2"]
    command += ["--checkpoint", str(path)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    # Two runs and their supervisors.
    wait_until(lambda: len(of_command(path)) >= 5)
    process.send_signal(signal.SIGINT)
    out, talk = process.communicate(timeout=60)
    assert process.returncode == 130
    assert out.startswith("at least ")
    assert talk == "tiler: interrupted\n"
    assert not of_command(path)
    assert path.exists()


@pytest.mark.usefixtures("at_once")
def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", *SOMA, "--executor", "local:2"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "sat: there is a tiling"
    assert main(["count", *SMALL, "--solver", "dlx", "--executor", "local:2", "--up-to-symmetry", "--format", "json"]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert (summary["count"], summary["symmetry"], summary["stop"]) == (14_062, 2, "done")
    assert summary["stats"]["subproblems"] >= 16


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (
            ["solve", "4x4", "2", "--executor", "local:2", "--optimise"],
            "the heaviest tiling is found by one search; leave out one of them",
        ),
        (["count", "4x4", "2", "--executor", "local:0"], "'local:0' is no executor"),
        (["count", "4x4", "2", "--executor", "local:2", "--trace"], "one search is followed"),
        (["count", "4x4", "2", "--executor", "local:2", "--by-cell"], "a table counts every tiling, in one go"),
        (["count", "4x4", "2", "--executor", "cloud:7"], "'cloud:7' is no executor"),
    ],
)
def test_what_the_command_refuses(arguments: list[str], text: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, talk = call(capsys, *arguments)
    assert (status, out) == (2, "")
    assert text in talk
    assert len(talk.splitlines()) == 1


# --- Dask


@pytest.mark.long
@pytest.mark.usefixtures("at_once")
@pytest.mark.filterwarnings("ignore")
def test_a_lost_worker_costs_only_what_it_held() -> None:
    killed: list[int] = []

    def tick(progress: Progress) -> bool:
        if progress.fraction and progress.fraction > 0.1 and not killed:
            killed.append(min(client.run(os.getpid).values()))
            os.kill(killed[0], signal.SIGKILL)
        return True

    with cluster(__file__, workers=2, threads=1) as (address, _):
        distributed: Any = import_module("distributed")
        client = distributed.Client(address)
        result = solve(formats.inline(MEDIUM), "dlx", COUNT, executor=f"dask:{address}", on_tick=tick).result
        client.close()
    assert not lives(*killed)
    assert result.count == SOME


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_scheduler_that_comes_back_is_given_what_is_missing() -> None:
    again: list[str] = []
    with ExitStack() as second, cluster(__file__, workers=2, threads=1) as (address, first):

        def tick(progress: Progress) -> bool:
            if progress.fraction and progress.fraction > 0.1 and not again:
                assert progress.fraction < 1
                first.kill()
                first.wait()
                port = int(address.rpartition(":")[2])
                again.append(second.enter_context(cluster(__file__, workers=1, threads=1, port=port))[0])
            return True

        result = solve(formats.inline(LARGE), "dlx", COUNT, executor=f"dask:{address}", on_tick=tick).result
    assert again == [address]
    assert result.count == MANY
    assert result.parts is not None
    assert None not in result.parts.found


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_lost_scheduler_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executors, "_RECONNECT_SECONDS", 0.0)
    with cluster(__file__, workers=2, threads=1) as (address, scheduler):

        def tick(progress: Progress) -> bool:
            if progress.fraction:
                scheduler.kill()
            return True

        with pytest.raises(BackendError, match=f"the connection to the Dask scheduler at {address} is lost"):
            solve(formats.inline(LARGE), "dlx", COUNT, executor=f"dask:{address}", on_tick=tick)
