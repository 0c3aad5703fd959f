"""Turn a function that calls back now and then into a generator: for code that cannot yield itself, such as a callback of a
library."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from typing import Generic, TypeVar

from tiler.process.threads import cpu_seconds, was_helped

T = TypeVar("T")
R = TypeVar("R")


def in_turns(work: Callable[[Callable[[T], None]], R]) -> Generator[T, None, R]:
    """Yield the values that `work` passes to its callback, one after the other; the value of the generator is the result of
    `work`.

    It runs in a thread of its own, but only while the generator is waited for: never at the same time as the caller. Once the
    generator is closed, the next time that `work` calls that function, GeneratorExit is raised there.

    >>> list(in_turns(lambda say: [say(n) for n in range(3)]))
    [0, 1, 2]
    """
    worker = _Worker(work)
    try:
        try:
            goes_on = worker.go_on()
        except RuntimeError:  # In a web page there are no threads: then it works to its end first.
            said = list[T]()
            result = work(said.append)
            yield from said
            return result
        while goes_on:
            yield worker.said.pop()
            goes_on = worker.go_on()
    finally:
        worker.stop()
    return worker.result()


class _Worker(Generic[T, R]):
    """The work and its thread."""

    def __init__(self, work: Callable[[Callable[[T], None]], R]) -> None:
        self._work = work
        self.said: list[T] = []  # the value that is passed and not yet taken, if there is one
        self._result: list[R] = []
        self._error: BaseException | None = None
        self._is_over = self._is_stopped = False
        self._took = self._began = 0.0  # CPU seconds of the thread, and its clock when its turn began
        self._mine, self._callers = threading.Semaphore(0), threading.Semaphore(0)
        self._thread: threading.Thread | None = None

    def go_on(self) -> bool:
        """Let it work until it passes a value or ends; return whether it passed one."""
        if self._thread is None:
            thread = threading.Thread(target=self._run, daemon=True)
            thread.start()
            self._thread = thread
        else:
            self._mine.release()
        self._callers.acquire()
        was_helped(self._took)
        return not self._is_over

    def stop(self) -> None:
        """End the call as soon as it reports something again."""
        self._is_stopped = True
        while self._thread is not None and not self._is_over:
            self.go_on()
        if self._thread is not None:
            self._thread.join()

    def result(self) -> R:
        if self._error is not None:
            raise self._error
        return self._result[0]

    def _run(self) -> None:
        self._began = cpu_seconds()
        try:
            self._result.append(self._work(self._say))
        except BaseException as error:  # Raised again where it is waited for.
            self._error = error
        self._is_over = True
        self._took = cpu_seconds() - self._began
        self._callers.release()

    def _say(self, thing: T) -> None:
        if self._is_stopped:
            raise GeneratorExit
        self.said.append(thing)
        self._took = cpu_seconds() - self._began
        self._callers.release()
        self._mine.acquire()
        self._began = cpu_seconds()
        if self._is_stopped:
            raise GeneratorExit
