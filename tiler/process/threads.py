"""Use threads of this process: say how many there may be, and make calls by several of them at once.

A thread works only while somebody waits for it in `together`: between two events of a search there is none. So nothing has to be
stopped when a search is closed, saved or interrupted, and a process can be forked at any event. Kernels release the interpreter's
lock, so threads are worthwhile for them; each is called with arrays that no other thread writes to.
"""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from threading import Event, Thread, local
from typing import TypeVar, cast

from tiler.errors import BadOption
from tiler.process.clocks import thread_seconds

VARIABLE = "TILER_THREADS"
NAME = "together"  #: the first word of the names of threads
ROUND_SECONDS = 0.04
_GROUPS = Path("/sys/fs/cgroup")

T = TypeVar("T")


class _Helped(local):
    """The CPU seconds that other threads took for this one, while it waited."""

    seconds = 0.0


_helped = _Helped()


def cpu_seconds() -> float:
    """A clock of CPU seconds: those of this thread, and of others that worked for it while it waited."""
    return thread_seconds() + _helped.seconds


def was_helped(seconds: float) -> None:
    """Note that another thread has worked for this one, for this long by its own `cpu_seconds`."""
    _helped.seconds += seconds


def default_threads() -> int:
    """The default number of threads for a question: the number in the environment, else one for each core. BadOption if the
    environment has no number.
    """
    said = os.environ.get(VARIABLE, "").strip()
    if not said:
        return cores()
    if not said.isascii() or not said.isdigit() or int(said) < 1:
        raise BadOption(f"{VARIABLE}={said}: it must be a whole number from 1")
    return int(said)


def cores() -> int:
    """The cores that this process may use: those it is bound to, or fewer where its control group has a quota."""
    if hasattr(os, "process_cpu_count"):  # From Python 3.13 on.
        bound = os.process_cpu_count() or 1
    elif hasattr(os, "sched_getaffinity"):
        bound = len(os.sched_getaffinity(0))
    else:
        bound = os.cpu_count() or 1
    return max(1, min([bound, *map(int, _quotas())]))


def _quotas(root: Path = _GROUPS, membership: Path = Path("/proc/self/cgroup")) -> Iterator[float]:
    """Yield the number of cores that the quota of each control group of the process allows; nothing if there are no such
    groups."""
    for line in _lines(membership):
        _, controllers, path = line.split(":", 2)
        if controllers and "cpu" not in controllers.split(","):
            continue
        top = root / controllers if controllers else root
        group = top / path.lstrip("/")
        for each in [group, *(parent for parent in group.parents if parent.is_relative_to(top))]:
            if controllers:
                numbers = [*_lines(each / "cpu.cfs_quota_us"), *_lines(each / "cpu.cfs_period_us")]
            else:
                numbers = [word for text in _lines(each / "cpu.max") for word in text.split()]
            if len(numbers) == 2 and numbers[0].isdigit() and int(numbers[1]) > 0:  # Without a quota: max, or -1.
                yield int(numbers[0]) / int(numbers[1])


def _lines(path: Path) -> list[str]:
    """The lines of a file; none if it is not there."""
    try:
        return path.read_text().splitlines()
    except OSError:
        return []


def together(calls: Sequence[Callable[[], T]]) -> list[T]:
    """Make calls at the same time, the first by this thread, each other by a thread of its own, and return their results. It
    waits for all calls that have begun, even if one raises or Ctrl-C comes; then the first error in their order is raised. So a
    call must end soon.

    >>> together([lambda: 1, lambda: 2])
    [1, 2]
    """
    results: list[T | None] = [None] * len(calls)
    errors: dict[int, BaseException] = {}
    took = [0.0] * len(calls)
    ends = [Event() for _ in calls]
    begun: list[Thread] = []
    helped = dict[int, bool]()  # Whether a thread makes a call, or only this one may: the first one says which.

    def run(number: int) -> None:
        try:
            results[number] = calls[number]()
        except BaseException as error:  # Raised again below.
            errors[number] = error

    def help_with(number: int) -> None:
        if helped.setdefault(number, True):
            run(number)
            took[number] = cpu_seconds()  # The thread is new, and so is its clock.
        ends[number].set()

    others, own = range(1, len(calls)), [0] if calls else []
    interrupted: list[BaseException] = []
    try:
        for number in others:
            try:
                thread = Thread(target=help_with, args=(number,), name=f"{NAME} {number}", daemon=True)
                thread.start()
                begun.append(thread)
            except RuntimeError:  # The system gives no more threads.
                helped[number] = False
                own.append(number)
        for number in own:
            run(number)
            ends[number].set()
    except BaseException as error:  # A signal between two calls: it is not known whether the thread that was being started runs.
        interrupted.append(error)
    while True:
        try:
            for number in others:
                if not interrupted or helped.setdefault(number, False):
                    ends[number].wait()
            for thread in begun:  # Only now: a `join` that Ctrl-C interrupts takes the thread for ended.
                thread.join()
            break
        except BaseException as error:  # Ctrl-C.
            interrupted.append(error)
    was_helped(sum(took))
    if interrupted:
        raise interrupted[0]
    if errors:
        raise errors[min(errors)]
    return cast("list[T]", results)


def rounds(calls: Iterable[Callable[[float], bool]], threads: int) -> Iterator[None]:
    """Make calls again and again, several at the same time, until each has returned True. It is told the time (`perf_counter`)
    at which it should return. Between two rounds, when this yields, none of them runs."""
    waiting = deque(calls)

    def work() -> None:
        while True:
            try:
                call = waiting.popleft()
            except IndexError:
                return
            if not call(until):
                waiting.appendleft(call)
            if time.perf_counter() >= until:
                return

    while waiting:
        until = time.perf_counter() + ROUND_SECONDS
        together([work] * min(threads, len(waiting)))
        yield


def is_over(steps: Iterable[object], until: float) -> bool:
    """Take one step, and further ones until a time (`perf_counter`). Returns whether no step is left: a call for `rounds`."""
    return all(time.perf_counter() < until for _ in steps)
