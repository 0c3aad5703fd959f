"""Make limited runs on this machine, several at a time, or by the workers of a Dask cluster.

An executor takes functions and gives calls; each call is one isolated run (isolate.py), wherever it happens, with its own limits
and an `Outcome`. The benchmark and parallel search submit to the same interface:

>>> with connect("local:2") as executor:
...     calls = [executor.submit(divmod, number, 3) for number in (7, 8)]
...     [executor.outcome(call).value for call in calls]
[(2, 1), (2, 2)]

With Dask, functions, arguments and results are pickled, and the workers must have the same Tiler installed. A worker has threads,
and a process with threads should not be forked: so every thread of a worker keeps a helper, a process of this module without
threads, which makes the runs. A helper ends with its worker, and a run with its helper. Another copy of Tiler
is a helper too (elsewhere.py).
"""

from __future__ import annotations

import contextlib
import dataclasses
import logging
import os
import pickle
import select
import subprocess
import sys
import threading
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import CancelledError
from importlib import import_module
from typing import Any, ClassVar, Generic, TypeVar

from tiler.errors import BackendError, BadOption, TilerError
from tiler.optional_packages import need
from tiler.process import isolate, supervisor
from tiler.process.isolate import IsolatedRun, Outcome, RunEnd

T = TypeVar("T")
W = TypeVar("W")
Prepare = Callable[[], object]

_CALL, _OUTCOME = b"C", b"O"
_LOOK_SECONDS = 0.2  # between two looks at whether a call is still wanted
_CONNECT_SECONDS = 15
_RECONNECT_SECONDS, _RETRY_SECONDS = 60.0, 5  # how long a scheduler may be away, and how long one attempt takes


class Call(Generic[T]):
    """A submitted call. Its executor knows more."""

    def __init__(self) -> None:
        self.result: Outcome[T] | None = None

    @property
    def is_done(self) -> bool:
        return self.result is not None


class Executor(ABC):
    """A place for limited runs. Leaving a `with` block ends all calls that are under way."""

    #: Whether calls are forked from this process, so that they can write to memory that it shares with its children.
    shares_memory: ClassVar[bool] = False

    @property
    @abstractmethod
    def slots(self) -> int:
        """How many calls are made at a time."""

    @abstractmethod
    def submit(
        self, function: Callable[..., T], *args: Any, seconds: float | None = None, megabytes: float | None = None
    ) -> Call[T]:
        """Call a function within limits, now or when there is a free slot; seconds count from the start of the call."""

    @abstractmethod
    def wait(self, calls: Collection[Call[Any]], seconds: float) -> None:
        """Return as soon as one of the calls is done, at the latest after `seconds`."""

    @abstractmethod
    def close(self) -> None:
        """End everything."""

    def ended(self, running: dict[Call[T], W], seconds: float) -> list[tuple[W, Outcome[T]]]:
        """Wait for one of the running calls, at most for `seconds`, and take those that are done out of `running`: what is kept
        with each of them, and its outcome."""
        if running:
            self.wait(running, seconds)
        else:
            time.sleep(seconds)  # All workers are lost; others may come.
        return [(running.pop(call), call.result) for call in list(running) if call.result is not None]

    def outcome(self, call: Call[T]) -> Outcome[T]:
        """Wait for the outcome of a call."""
        while call.result is None:
            self.wait([call], 1.0)
        return call.result

    def __enter__(self) -> Executor:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def check(spec: str) -> None:
    """BadOption if a spec is neither `local:N` nor `dask:ADDRESS`; nothing is connected to."""
    kind, _, where = spec.partition(":")
    local = kind == "local" and where.isascii() and where.isdigit() and 0 < int(where) <= 1024
    if not local and not (kind == "dask" and where):
        raise BadOption(f"{spec!r} is no executor; write local:N (N runs at a time) or dask:ADDRESS (tcp://host:8786)")


def connect(spec: str, prepare: Prepare | None = None) -> Executor:
    """The executor that `local:N` or `dask:ADDRESS` names.

    `prepare` is called once in each process from which runs are forked, to import what they need; for Dask it must be picklable.
    """
    check(spec)
    kind, _, where = spec.partition(":")
    return _Local(int(where), prepare) if kind == "local" else _Dask(where, prepare)


class _Local(Executor):
    """Runs forked from this process, which stays single-threaded."""

    shares_memory = True

    def __init__(self, slots: int, prepare: Prepare | None) -> None:
        self._slots = slots
        self._waiting: deque[tuple[Call[Any], Callable[[], IsolatedRun[Any]]]] = deque()
        self._running: dict[Call[Any], IsolatedRun[Any]] = {}
        if prepare is not None:
            prepare()

    @property
    def slots(self) -> int:
        return self._slots

    def submit(
        self, function: Callable[..., T], *args: Any, seconds: float | None = None, megabytes: float | None = None
    ) -> Call[T]:
        call: Call[T] = Call()
        self._waiting.append((call, lambda: isolate.start(function, *args, seconds=seconds, megabytes=megabytes)))
        self._fill()
        return call

    def wait(self, calls: Collection[Call[Any]], seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while not any(call.is_done for call in calls) and self._running:
            poll = select.poll()
            for running in self._running.values():
                poll.register(running.fileno(), select.POLLIN)
            left = deadline - time.monotonic()
            if left <= 0 or not poll.poll(left * 1000):
                return
            for call, running in list(self._running.items()):
                if running.wait(0):
                    call.result = running.outcome()
                    running.close()
                    del self._running[call]
            self._fill()

    def close(self) -> None:
        self._waiting.clear()
        while self._running:
            _, running = self._running.popitem()
            running.close()

    def _fill(self) -> None:
        while self._waiting and len(self._running) < self._slots:
            call, start = self._waiting.popleft()
            self._running[call] = start()


class _Dask(Executor):
    """Runs made by the workers of a Dask cluster."""

    def __init__(self, address: str, prepare: Prepare | None) -> None:
        need("dask", "distributed")
        self._dask: Any = import_module("distributed")
        try:
            self._client = self._dask.Client(address, timeout=_CONNECT_SECONDS)
        except (OSError, ValueError) as error:
            raise BadOption(f"no Dask scheduler answers at {address}: {_first_line(error)}") from None
        # Dask reports a lost connection at length; one line below says the same.
        logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
        self._address, self._prepare = address, prepare
        self._futures: dict[Call[Any], Any] = {}
        if self.slots == 0:
            self._client.close()
            raise BadOption(f"the Dask scheduler at {address} has no workers")

    @property
    def slots(self) -> int:
        return self._asked(lambda: sum(self._client.nthreads().values()), 0)

    def submit(
        self, function: Callable[..., T], *args: Any, seconds: float | None = None, megabytes: float | None = None
    ) -> Call[T]:
        call: Call[T] = Call()
        # Pickled here, by reference: the workers must not need what only this process has.
        task = pickle.dumps((self._prepare, function, args, seconds, megabytes))
        future = self._asked(lambda: self._client.submit(_on_worker, task, pure=False), None)
        if future is None:
            call.result = _LOST
        else:
            self._futures[call] = future
        return call

    def wait(self, calls: Collection[Call[Any]], seconds: float) -> None:
        futures = [self._futures[call] for call in calls if call in self._futures]

        def some() -> None:
            # Calls are cancelled if the scheduler ended and came back before we looked: they are done, and lost.
            with contextlib.suppress(TimeoutError, CancelledError):
                self._dask.wait(futures, timeout=seconds, return_when="FIRST_COMPLETED")

        if futures:
            self._asked(some, None)
        for call in [call for call in calls if call in self._futures and self._futures[call].done()]:
            call.result = _fetch(self._futures.pop(call))

    def _asked(self, ask: Callable[[], T], otherwise: T) -> T:
        """The scheduler's answer. If the scheduler has ended, the calls under way are lost. As soon as there is one again at its
        address, other calls can be made, and `otherwise` is returned."""
        try:
            return ask()
        except Exception:
            if self._client.status == "running":
                raise
            self._reconnect()
            return otherwise

    def _reconnect(self) -> None:
        """Find the scheduler again; BackendError if none answers for a while."""
        for call in self._futures:
            call.result = _LOST
        self._futures.clear()
        end = time.monotonic() + _RECONNECT_SECONDS
        while time.monotonic() < end:
            with contextlib.suppress(Exception):
                self._client.close(timeout=1)
            try:
                self._client = self._dask.Client(self._address, timeout=_RETRY_SECONDS)
                return
            except (OSError, ValueError):
                time.sleep(_LOOK_SECONDS)
        raise BackendError(f"the connection to the Dask scheduler at {self._address} is lost") from None

    def close(self) -> None:
        if self._futures:
            self._client.cancel(list(self._futures.values()))
            self._futures.clear()
        self._client.close()


#: The outcome of a call that was lost with its scheduler.
_LOST: Outcome[Any] = Outcome(RunEnd.CRASHED, last_line="the Dask scheduler ended, and its results are lost")


def _fetch(future: Any) -> Outcome[Any]:
    try:
        return unpack(future.result(timeout=_CONNECT_SECONDS))
    except Exception as error:  # Whatever Dask makes of a worker that died, or a task that was cancelled.
        if isinstance(error, TilerError):
            raise
        return Outcome(RunEnd.CRASHED, last_line=f"{type(error).__name__}: {_first_line(error)}")


def _first_line(error: BaseException) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)[:200]


# --- on a worker


_helpers = threading.local()


def _on_worker(task: bytes) -> bytes:
    """Let the helper of this thread make a run; end the run if the task was cancelled or its client has ended."""
    helper: RunHelper | None = getattr(_helpers, "one", None)
    if helper is None or not helper.lives:
        helper = _helpers.one = RunHelper()
    return helper.call(task, _is_unwanted)


def _is_unwanted() -> bool:
    """Whether the task that this thread of a worker is at has been cancelled or its client has gone."""
    dask: Any = import_module("distributed.worker")
    state = dask.get_worker().state.tasks.get(dask.thread_state.key)
    return state is None or state.state == "cancelled"


class RunHelper:
    """A process that runs this module, to make one run after the other: a worker of Dask is daemonic and cannot fork them
    itself, and another copy of Tiler needs a process of its own."""

    def __init__(self, python: Sequence[str] = (sys.executable,), environment: Mapping[str, str] | None = None) -> None:
        command = [*python, "-m", "tiler.process.executors"]
        # In a session of its own Ctrl-C does not reach another copy; it ends when its input does.
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            env=environment,
            start_new_session=environment is not None,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._stdin, self._stdout = self._process.stdin, self._process.stdout
        self._buffer = bytearray()

    @property
    def lives(self) -> bool:
        return self._process.poll() is None

    def send(self, task: bytes) -> None:
        """Hand it a task; nothing is done if it died."""
        with contextlib.suppress(BrokenPipeError):
            supervisor.send(self._stdin.fileno(), _CALL, task)

    def receive(self, seconds: float) -> bytes | None:
        """The packed outcome of the oldest task under way; None if there is none within `seconds`. A helper that died is given
        up, and its task is lost."""
        deadline = time.monotonic() + seconds
        while True:
            for _, content in supervisor.frames(self._buffer):
                return content
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self._stdout], [], [], left)[0]:
                return None
            chunk = os.read(self._stdout.fileno(), 1 << 20)
            if not chunk:
                self.close()
                return _pack(Outcome(RunEnd.CRASHED, last_line="the process that makes the runs died"))
            self._buffer += chunk

    def call(self, task: bytes, is_unwanted: Callable[[], bool]) -> bytes:
        """The packed outcome of a task. The helper is given up if it dies or the task is unwanted."""
        self.send(task)
        while (packed := self.receive(_LOOK_SECONDS)) is None:
            if is_unwanted():
                self.close()
                return _pack(Outcome(RunEnd.CRASHED, last_line="it is not wanted any more"))
        return packed

    def close(self) -> None:
        """End it. It kills its run first."""
        self._stdin.close()
        self._process.wait()
        self._stdout.close()


def _pack(outcome: Outcome[Any]) -> bytes:
    parts = None if outcome.error is None else supervisor.pack_error(outcome.error)
    return pickle.dumps((dataclasses.replace(outcome, error=None), parts))


def unpack(content: bytes) -> Outcome[Any]:
    """The outcome that a helper packed."""
    outcome, parts = pickle.loads(content)
    return dataclasses.replace(outcome, error=None if parts is None else supervisor.unpack_error(parts))


def _help() -> None:
    """Make the runs that standard input names, until standard input ends; if it ends during a run, the run is ended too."""
    requests, answers = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    buffer, tasks = bytearray(), deque[bytes]()
    prepared: set[bytes] = set()
    while True:
        while not tasks:
            chunk = os.read(requests, 1 << 20)
            if not chunk:
                return
            buffer += chunk
            tasks.extend(content for _, content in supervisor.frames(buffer))
        outcome = _make(tasks.popleft(), requests, prepared)
        if outcome is None:
            return
        supervisor.send(answers, _OUTCOME, _pack(outcome))


def _make(task: bytes, requests: int, prepared: set[bytes]) -> Outcome[Any] | None:
    """Make a run; None if standard input ended meanwhile."""
    try:
        prepare, function, args, seconds, megabytes = pickle.loads(task)
        known = pickle.dumps(prepare)
        if prepare is not None and known not in prepared:
            prepare()
            prepared.add(known)
        with isolate.start(function, *args, seconds=seconds, megabytes=megabytes) as running:
            while not running.wait(0):
                ready, _, _ = select.select([requests, running.fileno()], [], [])
                if requests in ready:
                    return None
            return running.outcome()
    except TilerError as error:
        return Outcome(RunEnd.RAISED, error=error)
    except Exception as error:  # Another version of Tiler, say.
        return Outcome(RunEnd.RAISED, error=TilerError(f"the worker cannot make the run: {type(error).__name__}: {error}"))


if __name__ == "__main__":
    _help()
