"""An executor whose calls are made in this process, for tests of what is put together of them."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from tiler.process.executors import Call, Executor
from tiler.process.isolate import Outcome, RunEnd


class CallsHere(Executor):
    """Calls made in this process, at once; `before`, given the function and its arguments, says what comes of a call instead."""

    def __init__(self, before: Callable[..., Outcome[Any] | None] = lambda *call: None, slots: int = 2) -> None:
        self._before, self._slots = before, slots
        self.made: list[tuple[Any, Outcome[Any]]] = []  #: the last argument of each call, and its outcome

    @property
    def slots(self) -> int:
        return self._slots

    def submit(self, function: Any, *args: Any, seconds: float | None = None, megabytes: float | None = None) -> Call[Any]:
        call: Call[Any] = Call()
        call.result = self._before(function, *args) or Outcome(RunEnd.FINISHED, function(*args))
        self.made.append((args[-1], call.result))
        return call

    def wait(self, calls: Collection[Call[Any]], seconds: float) -> None: ...

    def close(self) -> None: ...
