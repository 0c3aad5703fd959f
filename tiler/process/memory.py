"""Measure the memory of processes, and the free memory, in MiB: on Linux by what the kernel says of it, elsewhere by psutil."""

from __future__ import annotations

import gc
import math
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module

from tiler.optional_packages import need

_MIB = 1 << 20
_MOST_IN_32_BITS = 2048


def resident_megabytes(pid: int | None = None) -> float:
    """The resident memory of a process, by default this one; 0 if it is gone or belongs to another user. MissingDependency if
    that cannot be found out here."""
    if sys.platform == "linux":
        try:
            with open(f"/proc/{pid or 'self'}/statm") as numbers:
                return int(numbers.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / _MIB
        except (OSError, IndexError):
            return 0.0
    if sys.platform == "emscripten":
        return _page_megabytes()
    need("a limit of memory", "psutil")
    import psutil

    try:
        return float(psutil.Process(pid).memory_info().rss / _MIB)
    except psutil.Error:
        return 0.0


def megabytes_together(pids: Sequence[int], limit: float) -> float:
    """The resident memory of several processes. A page that they share, as after a fork, counts for each of them, but once where
    the sum would be over the limit (by Linux's PSS). MissingDependency if that cannot be found out here."""
    resident = [resident_megabytes(pid) for pid in pids]
    taken = sum(resident)
    return taken if taken <= limit else max(*resident, sum(map(_proportional_megabytes, pids)))


def _proportional_megabytes(pid: int) -> float:
    """The resident memory of a process where a page that n processes share counts 1/n, or all of it where that is unknown. It
    takes a millisecond or two a gigabyte."""
    with suppress(OSError, ValueError), open(f"/proc/{pid}/smaps_rollup") as lines:
        for line in lines:
            if line.startswith("Pss:"):
                return float(line.split()[1]) / 1024
    return resident_megabytes(pid)


def free_megabytes() -> float:
    """The memory that could be used now without swapping anything out; where that is unknown, half of `all_megabytes`."""
    if sys.platform == "emscripten":
        return all_megabytes() - _page_megabytes()
    with suppress(OSError), open("/proc/meminfo") as lines:
        for line in lines:
            if line.startswith("MemAvailable:"):
                return float(line.split()[1]) / 1024
    try:
        import psutil
    except ImportError:
        return all_megabytes() / 2
    return float(psutil.virtual_memory().available / _MIB)


def megabytes_beside(share: float, most: float = math.inf) -> int:
    """A limit of resident memory for a question to a process that has answered others before: what it has taken already, and
    beside it this share of what is free, at least 256 MiB and at most `most`."""
    return math.ceil(resident_megabytes() + min(most, max(256, share * free_megabytes())))


def all_megabytes() -> int:
    """The memory of the machine; where that is unknown, and in a web page, what a process of 32 bits can have."""
    if sys.platform == "emscripten":
        return _MOST_IN_32_BITS
    with suppress(ValueError, OSError, AttributeError):
        pages = os.sysconf("SC_PHYS_PAGES")
        if pages > 0:
            return pages * os.sysconf("SC_PAGE_SIZE") >> 20
    try:
        import psutil
    except ImportError:
        return _MOST_IN_32_BITS
    return int(psutil.virtual_memory().total) >> 20


def _page_megabytes() -> float:
    """The memory that Python has in a web page: it grows, and never shrinks."""
    pyodide_js = import_module("pyodide_js")
    return float(pyodide_js._module.HEAPU8.length / _MIB)


@contextmanager
def without_collector() -> Iterator[None]:
    """A block that makes many objects, none of them garbage: the garbage collector would look at all of them again and again,
    which takes twice as long as to make them."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
