"""Run the self-test in a process of its own, so that a question that hangs or crashes it is reported like a wrong answer. A
search looks at its limit of seconds itself; this is for code that never looks. The process reports each question, and what it has
compared, through a named pipe. If the parent hears nothing for too long, it kills the process, and knows the question.
"""

from __future__ import annotations

import os
import pickle
import select
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from tiler.backends.base import Backend
from tiler.process import isolate, supervisor, temporary
from tiler.process.isolate import Ended
from tiler.selftest import run as unwatched
from tiler.selftest.run import Asked, Failure, Tally

#: For one question: five times the limit of a search, as kernels may have to be compiled, on a busy machine.
_MOST_SECONDS = 300.0
_TICK_SECONDS = 0.1
_ASKING, _COMPARED = b"A", b"C"


def run(
    backends: Sequence[type[Backend]],
    seconds: float,
    seed: int = 0,
    *,
    tally: Tally,
    on_tick: Callable[[Tally], None] = lambda tally: None,
) -> None:
    """What `tiler.selftest.run.run` does, told in `tally`; a question without an answer for five minutes is a failure, and so
    is one that ends the process. KeyboardInterrupt if that was interrupted; an error of its own comes out as it is."""
    with temporary.folder() as folder:
        pipe = folder / "told"
        os.mkfifo(pipe)
        reading = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)
        try:
            with isolate.start(_child, backends, seconds, seed, pipe) as running:
                _listen(running, reading, tally, on_tick)
        finally:
            os.close(reading)


def _child(backends: Sequence[type[Backend]], seconds: float, seed: int, pipe: Path) -> None:
    writing = os.open(pipe, os.O_WRONLY)

    def asking(asked: Asked) -> None:
        supervisor.send(writing, _ASKING, pickle.dumps(asked))

    def compared(tally: Tally) -> None:
        supervisor.send(writing, _COMPARED, pickle.dumps(tally))

    compared(unwatched.run(backends, seconds, seed, on_ask=asking, on_tick=compared))


def _listen(running: isolate.Running[None], reading: int, tally: Tally, on_tick: Callable[[Tally], None]) -> None:
    poll = select.poll()
    poll.register(reading, select.POLLIN)
    poll.register(running, select.POLLIN)
    buffer, asked, since = bytearray(), None, time.monotonic()
    over = False
    while not over:
        poll.poll(1000 * _TICK_SECONDS)
        over = running.wait(0)
        for kind, content in supervisor.frames(_read(reading, buffer)):
            since = time.monotonic()
            if kind == _ASKING:
                asked = pickle.loads(content)
            else:
                asked = None
                vars(tally).update(vars(pickle.loads(content)))
                on_tick(tally)
        if not over and asked is not None and time.monotonic() - since > _MOST_SECONDS:
            tally.failure = Failure(**vars(asked), wrong=f"no answer after {_MOST_SECONDS:g} s")
            return
    outcome = running.outcome()
    if outcome.ended is Ended.INTERRUPTED:
        raise KeyboardInterrupt
    if outcome.error is not None:
        raise outcome.error
    if outcome.ended is not Ended.FINISHED and asked is not None:
        tally.failure = Failure(**vars(asked), wrong=f"it ended the process: {outcome.reason}")


def _read(reading: int, buffer: bytearray) -> bytearray:
    """The buffer, with all that can be read without waiting."""
    while True:
        try:
            buffer += os.read(reading, 1 << 16)
        except BlockingIOError:
            return buffer
