"""Call engines that cannot be asked to stop. Each runs in a process of its own, which sends its answers while it works.

SAT, ILP and CP engines are foreign code that does not look at our clock, and some survive the signals that ought to end them. So
they always run through isolate.py, in a process group. The group is killed when the caller says stop (a limit, Ctrl-C), when
memory runs out, and when the caller dies. Solutions and counters are sent through a named pipe at once, so that they are not lost
when the process is killed.
"""

from __future__ import annotations

import os
import pickle
import select
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tiler.errors import BackendError, TilerError
from tiler.process import isolate, supervisor, temporary
from tiler.process.callback_generator import in_turns
from tiler.process.isolate import RunEnd
from tiler.question.drup import Drup
from tiler.question.events import Events, Found, Progress, RunningSearch
from tiler.question.question import Goal, Question
from tiler.question.result import Result, Stop

_SOLUTION, _FOUND, _STATS = b"S", b"F", b"T"
_TICK_SECONDS = 0.02
_STOPS = {RunEnd.TIME: Stop.TIME, RunEnd.MEMORY: Stop.MEMORY, RunEnd.INTERRUPTED: Stop.INTERRUPTED}


@dataclass(frozen=True)
class Conclusion:
    """How the work of an engine ended. `exhausted`: it looked at everything, so that no solution found means there is none."""

    exhausted: bool
    message: str = ""
    certificate: Drup | None = None
    value: int | None = None  #: OPTIMISE: the weight of the best solution
    bound: int | None = None


class Channel:
    """Sends answers from the child process: every solution when it is found, and counters when they become known.

    `folder` is for the engine's files; it is always removed at the end.
    """

    def __init__(self, question: Question, folder: Path, send: Callable[[bytes, Any], None]) -> None:
        self.question, self.folder, self._send = question, folder, send
        self.found = 0
        self._told = 0.0

    def solution(self, options: tuple[int, ...]) -> bool:
        """Send a solution. Returns whether more are wanted."""
        self.found += 1
        if self.question.goal is not Goal.COUNT:
            self._send(_SOLUTION, options)
        elif time.monotonic() - self._told > _TICK_SECONDS:
            self.tell_found()
        return self.found != self.question.solutions_wanted

    def tell_found(self) -> None:
        """Send the number of solutions so far."""
        self._told = time.monotonic()
        self._send(_FOUND, self.found)

    def stats(self, **numbers: Any) -> None:
        """Send counters, `nodes` among them; later values replace earlier ones."""
        self._send(_STATS, numbers)


def run(name: str, work: Callable[[Channel], Conclusion], question: Question) -> RunningSearch:
    """Call `work` in a process of its own until it ends; starting it costs some 15 ms. Closing the search kills that process.

    The answer is SAT if the work sent a solution, UNSAT if it ended exhausted without one, else UNKNOWN. BackendError, which
    begins with `name`, if the engine failed. If the work raises a subclass of TilerError, that error is raised here.
    """
    with temporary.folder() as folder:
        if not isolate.CAN_FORK:
            return (yield from _run_here(name, work, question, folder))
        pipe = folder / "answers"
        os.mkfifo(pipe)
        # Opened for reading and writing: so reading before the child has opened it does not give an end of file.
        reading = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)
        try:
            # Our clock leaves out the time in which solutions are verified. The engine works on then, so it has its own deadline.
            limits = {"seconds": question.limits.seconds, "megabytes": question.limits.megabytes}
            with isolate.start(_child, work, question, folder, pipe, **limits) as running:
                return (yield from _listen(name, running, _Answers(reading, question)))
        finally:
            os.close(reading)


def _child(work: Callable[[Channel], Conclusion], question: Question, folder: Path, pipe: Path) -> Conclusion:
    writing = os.open(pipe, os.O_WRONLY)
    os.chdir(folder)  # Some engines leave files in the current folder; this one is removed at the end.
    return _work(work, Channel(question, folder, lambda kind, value: supervisor.send(writing, kind, pickle.dumps(value))))


def _work(work: Callable[[Channel], Conclusion], report: Channel) -> Conclusion:
    end = work(report)
    if report.question.goal is Goal.COUNT:
        report.tell_found()
    return end


def _run_here(name: str, work: Callable[[Channel], Conclusion], question: Question, folder: Path) -> RunningSearch:
    """Call `work` within this process. Nothing can stop it between two of its reports, and a line on stderr says so."""
    if question.limits.seconds is not None or question.limits.megabytes is not None:
        text = f"tiler: limits are looked at when {name} reports something: this system cannot run it in a process of its own"
        print(text, file=sys.stderr, flush=True)
    answers = _Answers(-1, question)

    def call(say: Callable[[tuple[bytes, Any]], None]) -> Conclusion:
        return _work(work, Channel(question, folder, lambda kind, value: say((kind, value))))

    with Events(in_turns(call)) as reports:
        for kind, value in reports:
            yield from answers.note(kind, value)
            yield Progress(answers.nodes, answers.found, stats=answers.stats)
    return answers.result(reports.result)


def _listen(name: str, running: isolate.IsolatedRun[Conclusion], answers: _Answers) -> RunningSearch:
    poll = select.poll()
    poll.register(answers.pipe, select.POLLIN)
    poll.register(running, select.POLLIN)
    over = False
    while not over:
        poll.poll(1000 * _TICK_SECONDS)
        # First ask whether the process has ended, then read: so everything that it sent is in the pipe by then.
        over = running.wait(0)
        yield from answers.take(everything=over)
        if not over:
            yield Progress(answers.nodes, answers.found, stats=answers.stats)
    outcome = running.outcome()
    if outcome.value is not None:
        return answers.result(outcome.value)
    if outcome.ended in _STOPS:
        return Result.so_far(_STOPS[outcome.ended], found=answers.found, nodes=answers.nodes, stats=answers.stats)
    if outcome.error is not None and type(outcome.error) is not TilerError:
        raise outcome.error
    raise BackendError(f"{name}: {outcome.reason}")


@dataclass
class _Answers:
    """What has come through the pipe."""

    pipe: int
    question: Question
    found: int = 0
    nodes: int = 0
    stats: dict[str, Any] = field(default_factory=dict)
    buffer: bytearray = field(default_factory=bytearray)

    def take(self, *, everything: bool) -> Iterator[Found]:
        """Read what can be read without waiting, and yield its solutions. Reads once, or with `everything` until nothing is
        left."""
        while True:
            try:
                self.buffer += os.read(self.pipe, 1 << 16)
            except BlockingIOError:
                return
            for kind, content in supervisor.frames(self.buffer):
                yield from self.note(kind, pickle.loads(content))
            if not everything:
                return

    def note(self, kind: bytes, value: Any) -> Iterator[Found]:
        """Note a report, and yield its solution if it has one."""
        if kind == _STATS:
            self.nodes = value.pop("nodes", self.nodes)
            self.stats.update(value)
        elif kind == _FOUND:
            self.found = value
        else:
            self.found += 1
            yield Found(value)

    def result(self, end: Conclusion) -> Result:
        """The answer when the work has ended."""
        found, nodes, stats = self.found, self.nodes, self.stats
        result = Result.of_search(
            self.question, found=found, exhausted=end.exhausted, nodes=nodes, stats=stats, message=end.message
        )
        return replace(result, certificate=end.certificate, value=end.value, bound=end.bound)
