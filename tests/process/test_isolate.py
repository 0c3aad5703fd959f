"""One limited run: whatever a run does, it ends, it leaves nothing behind, and its caller learns what happened."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from processes import SOON, environment_for, lives, wait_until

from tiler.errors import BadSolution, InputError, TilerError, UnknownBackend
from tiler.process import isolate, memory, supervisor
from tiler.process.interrupts import postponed
from tiler.process.isolate import RunEnd

LONG = 1000.0  # seconds that nobody waits for


def pids_in(path: Path, count: int) -> list[int]:
    """The process ids in a file, once so many have been written."""
    found = path.read_text().splitlines() if path.exists() else []
    return [int(line) for line in found] if len(found) == count else []


def note_pid(path: Path) -> None:
    with path.open("a") as file:
        file.write(f"{os.getpid()}\n")


def stay(path: Path, *, leave_group: bool = False) -> None:
    """A run that survives all but SIGKILL, with a child that does too."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    if os.fork() == 0 and leave_group:
        os.setsid()
    note_pid(path)
    time.sleep(LONG)


def test_a_value_and_its_measures() -> None:
    outcome = isolate.run(lambda: sum(i * i for i in range(300_000)))
    assert (outcome.ended, outcome.value, outcome.exit_status, outcome.reason) == (RunEnd.FINISHED, 8999955000050000, 0, "")
    assert outcome.cpu_seconds > 0
    assert 0 < outcome.wall_seconds < SOON
    assert 1 < outcome.baseline_megabytes <= outcome.peak_megabytes


def test_a_result_larger_than_any_pipe() -> None:
    assert len(isolate.run(lambda: b"x" * 30_000_000).value or b"") == 30_000_000


def test_descriptors_are_neither_leaked_nor_inherited() -> None:
    before = len(os.listdir("/dev/fd"))
    inherited = isolate.run(lambda: sorted(map(int, os.listdir("/dev/fd")))).value or []
    assert len(inherited) <= 5  # the three standard ones, the result, and the one that lists them
    assert len(os.listdir("/dev/fd")) == before


def test_the_deadline_kills_what_ignores_signals(tmp_path: Path) -> None:
    outcome = isolate.run(stay, tmp_path / "pids", seconds=1)
    assert (outcome.ended, outcome.reason, outcome.exit_status) == (RunEnd.TIME, "out of time", -signal.SIGKILL)
    assert 1 <= outcome.wall_seconds < SOON
    pids = pids_in(tmp_path / "pids", 2)
    assert pids
    assert not any(map(lives, pids))


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is one way only")
def test_both_ways_to_find_descendants_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    with subprocess.Popen(["sh", "-c", "sleep 1000 & sleep 1000"], start_new_session=True) as process:
        try:
            found = wait_until(lambda: len(of := supervisor._descendants(process.pid)) >= 2 and of)
            assert {process.pid, *found} <= {*supervisor._descendants(os.getpid())}
            monkeypatch.setattr(sys, "platform", "darwin")
            assert sorted(supervisor._descendants(process.pid)) == sorted(found)
            assert {process.pid, *found} <= {*supervisor._descendants(os.getpid())}
        finally:
            os.killpg(process.pid, signal.SIGKILL)


def test_memory_is_that_of_the_process_asked_about() -> None:
    own = memory.resident_megabytes()
    with subprocess.Popen(["sleep", "1000"]) as process:
        try:
            assert 0 < memory.resident_megabytes(process.pid) < own
        finally:
            process.kill()
    assert memory.resident_megabytes(process.pid) == 0.0
    assert own < memory.all_megabytes()
    assert 0 < memory.free_megabytes() < memory.all_megabytes()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nobody is told of orphans")
def test_leaving_the_group_does_not_help(tmp_path: Path) -> None:
    with isolate.start(lambda: stay(tmp_path / "pids", leave_group=True)):
        pids = wait_until(lambda: pids_in(tmp_path / "pids", 2))
        assert all(map(lives, pids))
    assert not any(map(lives, pids))


def test_a_grandchild_left_behind_is_killed_and_does_not_delay(tmp_path: Path) -> None:
    def abandon() -> str:
        if os.fork() == 0:
            note_pid(tmp_path / "pids")
            time.sleep(LONG)
        wait_until(lambda: pids_in(tmp_path / "pids", 1))
        return "done"

    outcome = isolate.run(abandon, seconds=LONG)
    assert (outcome.ended, outcome.value) == (RunEnd.FINISHED, "done")
    assert not lives(*pids_in(tmp_path / "pids", 1))


def test_a_fork_that_returns_too_does_not_garble_the_result() -> None:
    def both() -> int:
        me = os.getpid()
        if child := os.fork():
            os.waitpid(child, 0)
        return me

    outcome = isolate.run(both)
    assert outcome.ended is RunEnd.FINISHED
    assert isinstance(outcome.value, int)


def test_runs_within_runs_die_with_the_outer_one(tmp_path: Path) -> None:
    with isolate.start(isolate.run, stay, tmp_path / "pids") as running:
        pids = wait_until(lambda: pids_in(tmp_path / "pids", 2))
        assert not running.wait(0)
    wait_until(lambda: not any(map(lives, pids)))


def test_too_much_memory() -> None:
    def hog() -> None:
        taken = [bytearray(b"x" * (4 << 20)) for _ in range(250)]
        time.sleep(LONG)
        del taken

    limit = isolate.run(int).baseline_megabytes + 100
    outcome = isolate.run(hog, megabytes=limit)
    assert (outcome.ended, outcome.reason) == (RunEnd.MEMORY, "out of memory")
    assert outcome.peak_megabytes > limit


def test_too_much_memory_for_a_moment() -> None:
    limit = isolate.run(int).baseline_megabytes + 20
    outcome = isolate.run(lambda: len(b"x" * (60 << 20)), megabytes=limit)
    assert (outcome.ended, outcome.value) == (RunEnd.MEMORY, None)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a shared page counts for each process")
def test_what_processes_inherit_is_not_taken_by_each_of_them() -> None:
    def within() -> RunEnd:
        return isolate.run(time.sleep, LONG, seconds=4 * supervisor._LOOK_SECONDS).ended

    # Three processes are looked at: the run, and in it a supervisor and its run.
    outcome = isolate.run(within, megabytes=1.5 * isolate.run(int).baseline_megabytes)
    assert (outcome.ended, outcome.value) == (RunEnd.FINISHED, RunEnd.TIME)


def stop_with(number: int) -> None:
    os.kill(os.getpid(), number)
    time.sleep(LONG)


def flood() -> None:
    for line in range(5000):
        os.write(1, b"nobody reads this\n")
        os.write(2, b"x" * 999 + b"%d\n" % line)
    print("engine: gave up", file=sys.stderr)
    os._exit(3)


def say(error: BaseException) -> None:
    raise error


@pytest.mark.parametrize(
    ("function", "args", "ended", "reason"),
    [
        (os._exit, (3,), RunEnd.CRASHED, "exited with status 3"),
        (os._exit, (0,), RunEnd.CRASHED, "exited with status 0"),
        (sys.exit, (2,), RunEnd.CRASHED, "exited with status 2"),
        (stop_with, (signal.SIGSEGV,), RunEnd.CRASHED, "killed by SIGSEGV"),
        (stop_with, (signal.SIGTERM,), RunEnd.CRASHED, "killed by SIGTERM"),
        (stop_with, (signal.SIGINT,), RunEnd.INTERRUPTED, "interrupted"),
        (flood, (), RunEnd.CRASHED, "exited with status 3: engine: gave up"),
        (say, (MemoryError(),), RunEnd.MEMORY, "out of memory"),
        (say, (ValueError("seven"),), RunEnd.RAISED, "ValueError: seven (test_isolate.py:"),
        (lambda: lambda: None, (), RunEnd.RAISED, "PicklingError: "),
    ],
)
def test_how_runs_end(function: Callable[..., None], args: tuple[Any, ...], ended: RunEnd, reason: str) -> None:
    outcome = isolate.run(function, *args, seconds=LONG)
    assert outcome.ended is ended
    assert outcome.value is None
    if ended is RunEnd.RAISED:  # which word Python has for what cannot be pickled depends on its version
        assert isinstance(outcome.error, TilerError)
        assert outcome.reason.startswith(reason) or "pickle" in outcome.reason
    else:
        assert outcome.reason == reason


class _Private(BadSolution):
    """A kind of error with an __init__ of its own, as some have."""

    def __init__(self, tile: str, times: int) -> None:
        super().__init__(f"{tile} is used {times} times")
        self.times = times


def test_errors_come_out_as_they_were() -> None:
    for error in (InputError("what", "file", 7), UnknownBackend("dlxx", ["dlx"]), _Private("3I", 2)):
        outcome = isolate.run(say, error)
        assert outcome.ended is RunEnd.RAISED
        assert type(outcome.error) is type(error)
        assert str(outcome.error) == outcome.reason == str(error)
        assert vars(outcome.error) == vars(error)


def test_an_error_of_a_kind_that_cannot_be_sent() -> None:
    class Local(BadSolution):
        pass

    outcome = isolate.run(say, Local("the same text"))
    assert type(outcome.error) is BadSolution
    assert str(outcome.error) == "the same text"


def test_closed_standard_streams() -> None:
    def close() -> int:
        for descriptor in range(3):
            os.close(descriptor)
        return 5

    assert isolate.run(close).value == 5


def test_the_watcher_is_killed(tmp_path: Path) -> None:
    def call() -> None:
        (tmp_path / "supervisor").write_text(str(os.getppid()))
        note_pid(tmp_path / "pids")
        time.sleep(LONG)

    with isolate.start(call) as running:
        pids = wait_until(lambda: pids_in(tmp_path / "pids", 1))
        os.kill(int((tmp_path / "supervisor").read_text()), signal.SIGKILL)
        assert running.wait(SOON)
        assert running.outcome().reason == "lost: the process that watched it died"
    wait_until(lambda: not lives(*pids))


@pytest.mark.long
def test_the_caller_is_killed(tmp_path: Path) -> None:
    script = "import sys; from pathlib import Path; import test_isolate as t\nt.isolate.run(t.stay, Path(sys.argv[1]))"
    caller = subprocess.Popen([sys.executable, "-c", script, str(tmp_path / "pids")], env=environment_for(__file__))
    pids = wait_until(lambda: pids_in(tmp_path / "pids", 2))
    caller.kill()
    caller.wait()
    wait_until(lambda: not any(map(lives, pids)))


def test_several_at_once() -> None:
    running = [isolate.start(pow, 2, power) for power in range(8)]
    assert [one.outcome().value for one in running] == [1, 2, 4, 8, 16, 32, 64, 128]
    for one in running:
        one.close()
        one.close()


def test_ctrl_c_waits_through_a_delicate_moment() -> None:
    steps = []

    def delicate() -> None:
        with postponed():
            os.kill(os.getpid(), signal.SIGINT)
            steps.append("to the end")

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            delicate()
        assert steps == ["to the end"]
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)
