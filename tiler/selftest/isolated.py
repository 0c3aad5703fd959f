"""Run the self-test in a process of its own, so that a question that hangs it ends nothing else, and one that crashes it is
reported like a wrong answer. A search looks at its limit of seconds itself; this is for code that never looks. The process
reports each question, what it has compared, and when it loads kernels, through a named pipe. If the parent hears nothing for too
long, it kills the process, and another one goes on behind that question: a solver that overruns its own limit is wrong.
"""

from __future__ import annotations

import math
import os
import pickle
import select
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from tiler.backends.base import Backend
from tiler.kernels import loading
from tiler.process import isolate, supervisor, temporary
from tiler.process.isolate import RunEnd
from tiler.selftest import run as unwatched
from tiler.selftest import shrinking
from tiler.selftest.compare import BOUND
from tiler.selftest.run import AskedQuestion, Failure, Totals

_PATIENCE = 2  # how many times the bound of an answer are waited for, as the machine may be busy
_TICK_SECONDS = 0.1
_GRACE_SECONDS = 2.0  # for the process to end by itself when the time is over
_ASKING, _COMPARED, _LOADING = b"A", b"C", b"L"


def run(
    backends: Sequence[type[Backend]],
    seconds: float = math.inf,
    seed: int = 0,
    *,
    totals: Totals,
    problems: int | None = None,
    most: int = 1,
    bound: float = BOUND,
    on_tick: Callable[[Totals, AskedQuestion | None], None] = lambda totals, asked: None,
) -> None:
    """What `tiler.selftest.run.run` does, told in `totals`; the seconds are kept to whatever the process does. A question that
    ends the process, or that does not stop at its limit, is a failure. `on_tick` is called some ten times a second, with the
    question that is waited for. KeyboardInterrupt if that was interrupted; an error of its own comes out as it is."""
    end = time.monotonic() + seconds

    def child(pipe: Path) -> None:
        writing = os.open(pipe, os.O_WRONLY)

        def asking(asked: AskedQuestion) -> None:
            supervisor.send(writing, _ASKING, pickle.dumps(asked))

        def compared(totals: Totals) -> None:
            supervisor.send(writing, _COMPARED, pickle.dumps(totals))

        loading.on_change = lambda is_loading: supervisor.send(writing, _LOADING, pickle.dumps(is_loading))
        left = end - time.monotonic()
        compared(
            unwatched.run(
                backends, left, seed, problems=problems, most=most, bound=bound, totals=totals, on_ask=asking, on_tick=compared
            )
        )

    while True:
        with temporary.folder() as folder:
            pipe = folder / "told"
            os.mkfifo(pipe)
            reading = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)
            try:
                with isolate.start(child, pipe) as running:
                    asked = _listen(running, reading, end, totals, bound, on_tick)
            finally:
                os.close(reading)
        if asked is None or len(totals.failures) >= most:
            return
        totals.trials, totals.restarts = asked.trial + 1, totals.restarts + 1


def _listen(
    running: isolate.IsolatedRun[None],
    reading: int,
    end: float,
    totals: Totals,
    bound: float,
    on_tick: Callable[[Totals, AskedQuestion | None], None],
) -> AskedQuestion | None:
    """Note in `totals` what the process tells. Returns the question that hung or ended it, None if there is none."""
    poll = select.poll()
    poll.register(reading, select.POLLIN)
    poll.register(running, select.POLLIN)
    buffer, since = bytearray(), time.monotonic()
    asked: AskedQuestion | None = None
    is_loading = over = False
    while not over:
        poll.poll(1000 * _TICK_SECONDS)
        over = running.wait(0)
        for kind, content in supervisor.frames(_read(reading, buffer)):
            since = time.monotonic()
            if kind == _ASKING:
                asked = pickle.loads(content)
            elif kind == _LOADING:
                is_loading = pickle.loads(content)
            else:
                asked = None
                vars(totals).update(vars(pickle.loads(content)))
        on_tick(totals, asked)
        now = time.monotonic()
        if not over and now > end + _GRACE_SECONDS + shrinking.SECONDS * bool(totals.failures):
            if asked is not None and not is_loading and not totals.failures:
                totals.unanswered.append(Failure(**vars(asked), wrong="it was still at work when the time was over"))
            return None
        if not over and asked is not None and not is_loading and now - since > _PATIENCE * bound:
            totals.fail(asked, f"it is still at work after {_PATIENCE * bound:g} s, though its limit was {bound:g} s")
            return asked
    outcome = running.outcome()
    if outcome.ended is RunEnd.INTERRUPTED:
        raise KeyboardInterrupt
    if outcome.error is not None:
        raise outcome.error
    if outcome.ended is RunEnd.FINISHED or asked is None:
        return None
    totals.fail(asked, f"it ended the process: {outcome.reason}")
    return asked


def _read(reading: int, buffer: bytearray) -> bytearray:
    """The buffer, with all that can be read without waiting."""
    while True:
        try:
            buffer += os.read(reading, 1 << 16)
        except BlockingIOError:
            return buffer
