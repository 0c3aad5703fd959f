"""All engines live in one process, and none of their processes outlives a limit, Ctrl-C, or kill -9 of the caller."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from math import inf
from pathlib import Path

import pytest
from following import Follower, result_of
from processes import SOON, cpu_seconds, descendants, lives, wait_until

from tiler import formats
from tiler.ask.solve import solve
from tiler.backends import external
from tiler.backends.external import Channel, Conclusion
from tiler.backends.registry import backends
from tiler.errors import BackendError, BadOption, TilerError
from tiler.model.expected import Status
from tiler.process import isolate
from tiler.question.drup import Drup
from tiler.question.events import Progress
from tiler.question.question import Goal, Limits, Question
from tiler.question.result import Stop

HARD = ["18x18", "4L"]  # no engine decides it within minutes
ENGINES = ["sat:engine=cadical195", "ilp:engine=cbc", "ilp:engine=highs", "cpsat"]
MODULES = ("ortools.sat.python.cp_model", "pulp", "highspy", "pysat.solvers")


def has_worked(pids: set[int], seconds: float) -> bool:
    """Whether one of these processes, and it lives, has worked for so long."""
    return any(seconds < cpu_seconds(pid) < inf for pid in pids)


def at_work(caller: subprocess.Popen[str], spec: str) -> set[int]:
    """The processes below a caller, once one of them has worked for a while: the supervisor, the run, and for CBC its own."""
    pids: set[int] = wait_until(lambda: (found := descendants(caller.pid)) and has_worked(found, 0.5) and found)
    assert len(pids) == (3 if "cbc" in spec else 2)
    return pids


def start(spec: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tiler", "solve", *HARD, "--solver", spec]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)


@pytest.mark.long
@pytest.mark.parametrize("names", [MODULES, MODULES[::-1]])
def test_all_engines_import_into_one_process(names: tuple[str, ...]) -> None:
    code = f"from importlib import import_module\nfor name in {names}: import_module(name)\n" + (
        "from tiler import formats\nfrom tiler.ask.solve import solve\n"
        f"for spec in {ENGINES}: print(solve(formats.inline(['4x4', '2']), spec).result.status)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.stdout.split(), done.stderr) == (["sat"] * len(ENGINES), "")


@pytest.mark.long
@pytest.mark.parametrize("spec", ENGINES)
def test_a_time_limit_holds_and_leaves_nothing(spec: str) -> None:
    seen: set[int] = set()

    def check_stop(progress: Progress) -> bool:
        seen.update(descendants(os.getpid()))
        return True

    answer = solve(formats.inline(HARD), spec, Question(limits=Limits(seconds=0.5)), on_tick=check_stop)
    assert (answer.result.status, answer.result.stop) == (Status.UNKNOWN, Stop.TIME)
    assert len(seen) >= 2
    assert not any(map(lives, seen))


@pytest.mark.long
@pytest.mark.parametrize("spec", ENGINES)
def test_what_an_engine_told_is_kept_when_it_is_stopped(spec: str) -> None:
    result = solve(formats.inline(HARD), spec, on_tick=lambda progress: "variables" not in progress.stats).result
    assert (result.status, result.stop) == (Status.UNKNOWN, Stop.INTERRUPTED)
    assert result.stats["variables"] > 0


@pytest.mark.long
@pytest.mark.parametrize("spec", ENGINES[:3])
def test_ctrl_c_ends_it_and_leaves_nothing(spec: str) -> None:
    caller = start(spec)
    pids = at_work(caller, spec)
    caller.send_signal(signal.SIGINT)
    out, _ = caller.communicate(timeout=SOON)
    assert (out, caller.returncode) == ("unknown (interrupted)\n", 130)
    wait_until(lambda: not any(map(lives, pids)))


@pytest.mark.long
@pytest.mark.parametrize("spec", ENGINES[:3])
def test_kill_9_of_the_caller_leaves_nothing(spec: str) -> None:
    caller = start(spec)
    pids = at_work(caller, spec)
    caller.kill()
    caller.communicate()
    wait_until(lambda: not any(map(lives, pids)))


@pytest.mark.long
def test_within_an_isolated_run() -> None:
    seen: set[int] = set()
    with isolate.start(solve, formats.inline(HARD), "ilp:engine=cbc"):
        wait_until(lambda: seen.update(descendants(os.getpid())) or (len(seen) >= 4 and has_worked(seen, 0.3)))
    wait_until(lambda: not any(map(lives, seen)))
    assert isolate.run(lambda: solve(formats.inline(["4x4", "2"]), "sat").result.status).value is Status.SAT
    limited = isolate.run(lambda: solve(formats.inline(HARD), "sat", Question(limits=Limits(0.5))).result.stop, seconds=SOON)
    assert limited.value is Stop.TIME


def test_a_time_limit_keeps_what_was_found() -> None:
    def late(report: Channel) -> Conclusion:
        report.solution((1,))
        report.solution((2,))
        time.sleep(SOON)
        raise AssertionError

    told = Follower().follow(external.run("late", late, Question(Goal.ENUMERATE, Limits(seconds=2))))
    assert told.result is not None
    assert (told.result.status, told.result.stop, told.result.found) == (Status.SAT, Stop.TIME, 2)
    assert told.solutions == [(1,), (2,)]


@pytest.mark.long
def test_the_memory_limit_holds() -> None:
    def hog(report: Channel) -> Conclusion:
        taken = [bytearray(b"x" * (4 << 20)) for _ in range(500)]
        time.sleep(SOON)
        return Conclusion(exhausted=len(taken) > 0)

    limits = Limits(megabytes=int(isolate.run(int).baseline_megabytes) + 100)
    result = result_of(external.run("hog", hog, Question(limits=limits)))
    assert (result.status, result.stop) == (Status.UNKNOWN, Stop.MEMORY)


def work_of(end: Conclusion, options: list[tuple[int, ...]]) -> Callable[[Channel], Conclusion]:
    def work(report: Channel) -> Conclusion:
        report.stats(nodes=7)
        for each in options:
            if not report.solution(each):
                break
        return end

    return work


@pytest.mark.parametrize(
    ("goal", "end", "found", "status", "stop", "count"),
    [
        (Goal.DECIDE, Conclusion(True), 0, Status.UNSAT, Stop.DONE, None),
        (Goal.DECIDE, Conclusion(False), 2, Status.SAT, Stop.DONE, None),
        (Goal.DECIDE, Conclusion(False, "it gave up"), 0, Status.UNKNOWN, Stop.UNDECIDED, None),
        (Goal.COUNT, Conclusion(True), 3000, Status.SAT, Stop.DONE, 3000),
        (Goal.COUNT, Conclusion(False), 3000, Status.SAT, Stop.UNDECIDED, None),
        (Goal.ENUMERATE, Conclusion(True), 3000, Status.SAT, Stop.DONE, 3000),
        (Goal.ENUMERATE, Conclusion(True), 0, Status.UNSAT, Stop.DONE, 0),
    ],
)
def test_how_work_becomes_an_answer(
    goal: Goal, end: Conclusion, found: int, status: Status, stop: Stop, count: int | None
) -> None:
    options = [(i, i + 1) for i in range(found)]
    told = Follower().follow(external.run("x", work_of(end, options), Question(goal)))
    result = told.result
    assert result is not None
    assert (result.status, result.stop, result.count, result.message) == (status, stop, count, end.message)
    assert result.nodes == 7
    assert told.solutions == {Goal.DECIDE: options[:1], Goal.COUNT: [], Goal.ENUMERATE: options}[goal]


def test_a_proof_comes_out_of_the_process() -> None:
    result = solve(formats.inline(["5x4", "4L"]), "sat", Question(Goal.PROVE)).result
    assert isinstance(result.certificate, Drup)
    assert result.certificate.drup[-1] == "0"


def fail(error: BaseException) -> Callable[[Channel], Conclusion]:
    def work(report: Channel) -> Conclusion:
        report.solution((1,))
        raise error

    return work


def test_failures_of_an_engine() -> None:
    with pytest.raises(BackendError, match="x: ValueError: seven"):
        result_of(external.run("x", fail(ValueError("seven")), Question(Goal.ENUMERATE)))
    with pytest.raises(BadOption, match=r"^this$"):
        result_of(external.run("x", fail(BadOption("this")), Question(Goal.ENUMERATE)))
    with pytest.raises(BackendError, match="x: exited with status 3"):
        result_of(external.run("x", lambda report: os._exit(3), Question()))
    with pytest.raises(BackendError, match="x: killed by SIGSEGV"):
        result_of(external.run("x", lambda report: os.kill(os.getpid(), signal.SIGSEGV) or Conclusion(True), Question()))  # type: ignore[func-returns-value]
    result = result_of(external.run("x", fail(MemoryError()), Question(Goal.ENUMERATE)))
    assert (result.status, result.stop, result.found) == (Status.SAT, Stop.MEMORY, 1)


def test_files_of_an_engine_are_cleared_away() -> None:
    folders: list[Path] = []

    def work(report: Channel) -> Conclusion:
        (report.folder / "left behind").write_text("x")
        report.stats(folder=str(report.folder))
        return Conclusion(True)

    result = result_of(external.run("x", work, Question()))
    folders.append(Path(result.stats["folder"]))
    assert not folders[0].exists()


@pytest.mark.long
@pytest.mark.parametrize("name", ["sat", "ilp", "cpsat"])
def test_engines_are_looked_for_without_importing_them(name: str) -> None:
    backend = backends()[name]
    assert backend.missing() == ()
    code = (
        "import sys; from tiler.backends.registry import backends; backends();"
        "print([m for m in ('numpy', 'pysat', 'pulp', 'highspy', 'ortools') if m in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"


@pytest.mark.parametrize("spec", ["sat", "ilp:engine=highs", "ilp:engine=cbc"])
def test_where_no_process_can_be_forked_engines_run_within_this_one(
    spec: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(isolate, "CAN_FORK", False)
    instance = formats.inline(["2x3", "2"])
    found = solve(instance, spec, Question(Goal.ENUMERATE, Limits(seconds=60)))
    assert (len(found.solutions), found.result.stop) == (3, Stop.DONE)
    assert "limits are looked at when" in capfd.readouterr().err
    assert solve(formats.inline(["3x3", "2"]), spec, Question(Goal.DECIDE)).result.status is Status.UNSAT
    assert capfd.readouterr().err == ""
    with pytest.raises(TilerError, match="a run of its own needs a system that forks"):
        isolate.run(int)
