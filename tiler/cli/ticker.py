"""A line of progress on a terminal."""

from __future__ import annotations

import shutil
import sys
import time
from contextlib import suppress

from tiler.amounts import duration, rounded
from tiler.question.events import Progress


class Ticker:
    """A line on stderr that is rewritten while a search runs for more than a second; silent if stderr is no terminal."""

    def __init__(self, noun: str = "tilings") -> None:
        self._noun = noun
        self._started: float | None = None  # when it was told of first: loading code takes a while too
        self._next = float("inf")
        self._shown = False
        self._first: tuple[float, Progress] | None = None  # when it was, and how far a search from a checkpoint was then

    def __enter__(self) -> Ticker:
        return self

    def __exit__(self, *error: object) -> None:
        self.clear()

    def clear(self) -> None:
        """Take the line away, so that something else can be printed."""
        if self._shown:
            self._shown = False
            with suppress(OSError):
                sys.stderr.write("\r\033[K")
                sys.stderr.flush()

    def keep(self) -> None:
        """Leave the line where it is: of a search that was interrupted it says how far that came."""
        if self._shown:
            self._shown = False
            with suppress(OSError):
                sys.stderr.write("\n")
                sys.stderr.flush()

    def show(self, progress: Progress) -> None:
        now = time.perf_counter()
        if self._started is None:
            self._started = now
            self._next = now + 1 if sys.stderr.isatty() else float("inf")
        if self._first is None or not self._first[1].nodes:  # What is set up before the search has no pace.
            self._first = now, progress
        if now < self._next:
            return
        self._next, self._shown = now + 0.2, True
        line = progress_in_words(progress, now - self._started, self._first[1], now - self._first[0], self._noun)
        sys.stderr.write(f"\r\033[K{line[: shutil.get_terminal_size().columns - 1]}")
        sys.stderr.flush()


def progress_in_words(now: Progress, total: float, before: Progress, seconds: float, noun: str = "tilings") -> str:
    """A line about a search that has run for `total` seconds, and took so many `seconds` from one progress to the other.

    >>> progress_in_words(Progress(5_000_000, 12, 0.25), 10, Progress(1_000_000, 0, 0.05), 8)
    '10 s: 25.00% done, some 30 s left, 5,000,000 nodes, 500,000/s, 12 tilings'
    >>> progress_in_words(Progress(5_000_000, 0, 0.25, where="layer 15 of 60, 1.2 GB"), 10, Progress(1_000_000, 0, 0.05), 8)
    '10 s: layer 15 of 60, 1.2 GB, some 30 s left, 5,000,000 states, 500,000/s'
    """
    words = [now.where] if now.where else []
    if now.fraction is not None:
        if not now.where:
            words.append(f"{now.fraction:.2%} done")
        gained = now.fraction - (before.fraction or 0)
        if gained > 0 and seconds > 2:
            words.append(f"some {duration(seconds * (1 - now.fraction) / gained, 2)} left")
    words.append(f"{now.nodes:,} {'states' if now.where else 'nodes'}")
    if seconds:
        words.append(f"{rounded((now.nodes - before.nodes) / seconds)}/s")
    if not now.where:  # A count by states knows nothing before its end.
        words.append(f"{now.found:,} {noun}")
    return f"{duration(total, 2)}: {', '.join(words)}"
