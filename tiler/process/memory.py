"""Measure the memory of processes, and the free memory, in MiB."""

from __future__ import annotations

from contextlib import suppress

_MIB = 1 << 20


def resident_megabytes(pid: int | None = None) -> float:
    """The resident memory of a process, by default this one; 0 if it is gone or belongs to another user."""
    import psutil

    try:
        return float(psutil.Process(pid).memory_info().rss / _MIB)
    except psutil.Error:
        return 0.0


def free_megabytes() -> float:
    """The memory that could be used now without swapping anything out."""
    with suppress(OSError), open("/proc/meminfo") as lines:  # On Linux; loading psutil takes longer than a small question.
        for line in lines:
            if line.startswith("MemAvailable:"):
                return float(line.split()[1]) / 1024
    import psutil

    return float(psutil.virtual_memory().available / _MIB)


def all_megabytes() -> int:
    """The memory of the machine."""
    import psutil

    return int(psutil.virtual_memory().total) >> 20
