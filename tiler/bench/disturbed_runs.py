"""Find the runs that other programs disturbed, by the load of the machine and the CPU seconds in their records."""

from __future__ import annotations

from collections.abc import Iterable

from tiler.bench.record import Record
from tiler.question.result import Stop

#: The load that a run of ours makes beside its own: the process that watches it, the start of its engine, the keeping of records.
#: Short runs of engines, two at a time on two cores, made a load of up to 3.3, while longer ones among them got a core each.
_BESIDE = 0.65
_SHARE = 0.5  # a search that gets less than this part of a core had to wait for one
_LEAST_SECONDS = 1.0  # seconds; in a shorter run, most time goes into starting the process


def is_disturbed(record: Record) -> bool:
    """Whether a run shared the processor: when it began, the load was higher than the cores and our own runs explain, or it got
    less than half of a core."""
    cores, jobs = (record.get("environment") or {}).get("cores") or 0, record.get("jobs") or 1
    busy = bool(cores) and (record.get("load") or 0.0) > max(cores, jobs) + _BESIDE * jobs
    wall, cpu = record.get("wall_seconds"), record.get("cpu_seconds")
    return busy or (wall is not None and cpu is not None and wall >= _LEAST_SECONDS and cpu < _SHARE * wall)


def is_starved(record: Record) -> bool:
    """Whether a run came to its time limit with less than half of it in CPU seconds: other programs took the processor, or the
    solver waited."""
    limit, cpu = record["limits"].get("seconds"), record.get("cpu_seconds")
    return record["stop"] == Stop.TIME and bool(limit) and cpu is not None and cpu < _SHARE * float(limit or 0.0)


def disturbed(records: Iterable[Record]) -> int:
    """The number of runs that shared the processor."""
    return sum(map(is_disturbed, records))


def starved(records: Iterable[Record]) -> int:
    """How many runs came to their time limit with less than half of it in CPU seconds."""
    return sum(map(is_starved, records))
