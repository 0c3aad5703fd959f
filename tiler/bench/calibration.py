"""Time a fixed computation again and again while a campaign runs, so that the drift of the machine is known.

Each record holds the seconds of the last calibration before its run. If these are 5 % longer in one campaign than in another, the
machine was slower, not the solver. The computation is plain Python, and no code that a campaign measures takes part in it.
"""

from __future__ import annotations

import time
from statistics import median

from tiler.process.executors import Executor

_EVERY_SECONDS = 1.0  # between two calibrations
_TIMES = 5
_QUEENS = 9
_PLACED = 352  # the ways to place them


def fixed_work() -> float:
    """The seconds of the fixed computation, a search for queens that do not attack each other with some 10,000 nodes: the median
    of five, as the seconds of a run are the median of its repeats."""
    return median(_timed() for _ in range(_TIMES))


def _timed() -> float:
    started = time.perf_counter()
    assert _queens(0, 0, 0) == _PLACED
    return time.perf_counter() - started


def _queens(columns: int, rising: int, falling: int) -> int:
    """The ways to place a queen in each of the other rows; a bit of the three numbers is a square that is attacked."""
    if columns == (1 << _QUEENS) - 1:
        return 1
    found, open_squares = 0, ((1 << _QUEENS) - 1) & ~(columns | rising | falling)
    while open_squares:
        square = open_squares & -open_squares
        open_squares ^= square
        found += _queens(columns | square, (rising | square) << 1, (falling | square) >> 1)
    return found


class Calibrator:
    """Calibrates where an executor makes its runs, each time in a process of its own."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self._seconds: float | None = None
        self._due = 0.0

    def seconds(self) -> float | None:
        """The seconds of the last calibration, which is made now if it is due; None if its process was lost."""
        if time.monotonic() >= self._due:
            self._seconds = self._executor.outcome(self._executor.submit(fixed_work)).value
            self._due = time.monotonic() + _EVERY_SECONDS
        return self._seconds
