"""Forecast how long the rest of a campaign takes, from the runs that are made."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

from tiler.bench.job import Job
from tiler.bench.record import Record


class TimeLeft:
    """The seconds of the runs that are left, one at a time. Each takes as long as the mean of those by its solver; if there are
    none, as long as its limit, so that a forecast is rather too long."""

    def __init__(self, todo: Iterable[Job], done: Iterable[Record] = ()) -> None:
        self._limits: dict[str, float] = defaultdict(float)
        self._left: Counter[str] = Counter()
        self._took: dict[str, float] = defaultdict(float)
        self._made: Counter[str] = Counter()
        for job in todo:
            self._left[job.solver] += 1
            self._limits[job.solver] += job.question.limits.seconds or 0.0
        for record in done:
            self._count(record)

    def ended(self, record: Record) -> None:
        """Take note of a run that was left until now."""
        solver = str(record["solver"])
        self._left[solver] -= 1
        self._count(record)

    def _count(self, record: Record) -> None:
        solver = str(record["solver"])
        self._made[solver] += 1
        self._took[solver] += record.get("wall_seconds") or 0.0

    @property
    def seconds(self) -> float:
        """The forecast."""
        made = self._made
        return sum(
            self._took[solver] / made[solver] * number if made[solver] else self._limits[solver]
            for solver, number in self._left.items()
        )
