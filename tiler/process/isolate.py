"""Make one limited run: call a function in a process group of its own. All its processes are gone when the call is over, whatever
happened.

The caller forks a small supervisor, which forks the run, each in a session of its own. The supervisor waits for the first of: the
run's end, its deadline, too much memory, the caller's death (end of file on a pipe that the caller alone holds). Then it kills
all that is left of the run with SIGKILL, since engines ignore or survive gentler signals, and reports the outcome. So no process
outlives a run, and none outlives the caller, even after kill -9.

The run is forked from the caller as it is: what the caller has imported costs the run nothing. It has no terminal; standard input
is empty, output is dropped, the last line of standard error is kept, and other open files are closed. Descendants that left the
group are killed too, on Linux even those whose parents are dead. What happens in the two processes is in supervisor.py.
"""

from __future__ import annotations

import math
import os
import pickle
import select
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, TypeVar

from tiler.errors import TilerError
from tiler.process import supervisor
from tiler.process.interrupts import exit_in_words, postponed

T = TypeVar("T")

CAN_FORK = hasattr(os, "fork") and hasattr(select, "poll")  #: whether this system can make such runs


class RunEnd(StrEnum):
    """How a run ended."""

    FINISHED = "finished"  #: the function returned
    RAISED = "raised"  #: the function raised an exception
    TIME = "time"  #: killed at the deadline
    MEMORY = "memory"  #: it used, or was refused, more memory than allowed
    CRASHED = "crashed"  #: it exited or was killed by a signal before the function was done
    INTERRUPTED = "interrupted"  #: by a SIGINT of its own


@dataclass(frozen=True)
class Outcome(Generic[T]):
    """The outcome of a run. Seconds and MiB are unrounded. `wall_seconds` last from the fork of the run to its end. `cpu_seconds`
    are those of the run and its descendants. `peak_megabytes` is the largest resident memory: of each process exactly, of all
    together at intervals; for a page that several share see `memory.megabytes_together`. It starts at `baseline_megabytes`, the
    pages inherited from the caller.
    """

    ended: RunEnd
    value: T | None = None
    error: TilerError | None = None  #: the exception raised; one that is no TilerError appears as a TilerError that names it
    exit_status: int | None = None  #: the exit status as in `subprocess`: negative for the number of the signal that killed it
    wall_seconds: float = 0.0
    cpu_seconds: float = 0.0
    peak_megabytes: float = 0.0
    baseline_megabytes: float = 0.0
    last_line: str = ""  #: the last line of standard error

    @property
    def reason(self) -> str:
        """A sentence that says how it ended; empty if it finished."""
        if self.ended is RunEnd.RAISED:
            return str(self.error)
        if self.ended is not RunEnd.CRASHED:
            return {RunEnd.TIME: "out of time", RunEnd.MEMORY: "out of memory", RunEnd.INTERRUPTED: "interrupted"}.get(
                self.ended, ""
            )
        how = "lost" if self.exit_status is None else exit_in_words(self.exit_status)
        return f"{how}: {self.last_line}" if self.last_line else how


def run(function: Callable[..., T], *args: Any, seconds: float | None = None, megabytes: float | None = None) -> Outcome[T]:
    """Call a function in isolation and wait for the outcome; None means no limit.

    The result must be picklable; function and arguments need not be. Costs two forks of the calling process, some
    milliseconds. TilerError if no process can be started.

    >>> run(divmod, 7, 2).value
    (3, 1)
    """
    with start(function, *args, seconds=seconds, megabytes=megabytes) as running:
        return running.outcome()


def start(function: Callable[..., T], *args: Any, seconds: float | None = None, megabytes: float | None = None) -> IsolatedRun[T]:
    """Begin what `run` does, without waiting."""
    limits = (math.inf if limit is None else limit for limit in (seconds, megabytes))
    running: IsolatedRun[T] | None = None
    try:
        with postponed():
            running = _start(supervisor.Task(function, args, *limits))
    except KeyboardInterrupt:
        if running is not None:
            running.close()
        raise
    return running


def _start(task: supervisor.Task) -> IsolatedRun[Any]:
    if not CAN_FORK:
        raise TilerError("a run of its own needs a system that forks processes: Linux, macOS, or WSL on Windows")
    alive, alive_here = os.pipe()
    channel, channel_there = os.pipe()
    try:
        pid = supervisor.fork()
    except OSError as error:
        for end in (alive, alive_here, channel, channel_there):
            os.close(end)
        raise TilerError(f"cannot start a process: {error.strerror}") from None
    if pid == 0:
        try:
            supervisor.supervise(task, alive, channel_there)
        finally:  # In any case the caller's code must not continue in this second process.
            os._exit(1)
    os.close(alive)
    os.close(channel_there)
    return IsolatedRun(pid, alive_here, channel)


class IsolatedRun(Generic[T]):
    """A run under way, made by `start`. `close` ends it, whatever it is doing; leaving a `with` block closes it."""

    def __init__(self, supervisor_pid: int, alive: int, channel: int) -> None:
        self._supervisor, self._alive, self._channel = supervisor_pid, alive, channel
        self._buffer = bytearray()
        self._run: int | None = None
        self._outcome: Outcome[T] | None = None
        self._closed = False

    def __enter__(self) -> IsolatedRun[T]:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def fileno(self) -> int:
        """A file number for `select` over several runs; when it is readable, `wait` has something to do."""
        return self._channel

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the outcome, at most this many seconds; return whether it is there."""
        deadline = math.inf if seconds is None else time.monotonic() + seconds
        poll = select.poll()
        poll.register(self._channel, select.POLLIN)
        while self._outcome is None:
            left = deadline - time.monotonic()
            if not poll.poll(None if left == math.inf else max(0.0, left) * 1000):
                return False
            chunk = os.read(self._channel, 1 << 20)
            self._buffer += chunk
            for kind, content in supervisor.frames(self._buffer):
                if kind == supervisor.STARTED:
                    self._run = int.from_bytes(content, "big")
                else:
                    self._outcome = _outcome(pickle.loads(content))
            if not chunk and self._outcome is None:
                self._outcome = Outcome(RunEnd.CRASHED, last_line="the process that watched it died")
                if self._run is not None:
                    supervisor.kill_group(self._run)
        return True

    def outcome(self) -> Outcome[T]:
        """Wait for the outcome as long as it takes."""
        self.wait()
        assert self._outcome is not None
        return self._outcome

    def close(self) -> None:
        """Kill all processes of the run. Returns when they are gone."""
        with postponed():
            if self._closed:
                return
            self._closed = True
            os.close(self._alive)
            os.close(self._channel)
            for _ in supervisor.until(2 * supervisor.DYING_SECONDS):
                if os.waitpid(self._supervisor, os.WNOHANG)[0]:
                    return
            # The supervisor itself hangs; somebody may have stopped it.
            for pid in filter(None, (self._run, self._supervisor)):
                supervisor.kill_group(pid)
            os.waitpid(self._supervisor, 0)


def _outcome(report: supervisor.Report) -> Outcome[Any]:
    error = value = None
    if report.greedy or report.kind == supervisor.NO_MEMORY:
        ended = RunEnd.MEMORY
    elif report.kind == supervisor.VALUE:
        ended, value = RunEnd.FINISHED, pickle.loads(report.content)
    elif report.kind == supervisor.ERROR:
        ended, error = RunEnd.RAISED, supervisor.unpack_error(report.content)
    elif report.late:
        ended = RunEnd.TIME
    elif report.kind == supervisor.INTERRUPT or report.exit_status == -signal.SIGINT:
        ended = RunEnd.INTERRUPTED
    else:
        ended = RunEnd.CRASHED
    return Outcome(
        ended,
        value,
        error,
        report.exit_status,
        report.wall_seconds,
        report.cpu_seconds,
        report.peak_megabytes,
        report.baseline_megabytes,
        report.last_line,
    )
