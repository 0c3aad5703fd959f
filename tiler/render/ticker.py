"""Show a line of progress, on a terminal or in a notebook."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Any, Protocol

from tiler.amounts import duration, rounded
from tiler.question.events import Progress

_AFTER = 1.0  # seconds before a line is shown

#: When the seconds left are forecast: the least share of the work that is done, and the factor by which paces may differ. The
#: layers of a count by states grow up to the middle, and a tree begins with branches that end at once: a search that takes for
#: ever is quick at first.
_OF_STATES, _OF_TREES = (0.25, 1.25), (0.01, 2.0)
_LEAST_SECONDS = 2.0
_TOLD = 0.001  # the least share of a tree that is shown as a number


class Pace:
    """Measures how fast a search goes, and forecasts its end."""

    def __init__(self) -> None:
        self._marks: list[tuple[float, float]] = []  # the seconds and the share of the work done, in order of time
        self._has_states = False

    def note(self, seconds: float, progress: Progress) -> None:
        """Note how far the search has come after this number of seconds."""
        if progress.fraction is None:
            return
        if bool(progress.where) is not self._has_states or (self._marks and progress.fraction < self._marks[-1][1]):
            self._marks = []  # Another search has taken over.
        self._has_states = bool(progress.where)
        self._marks.append((seconds, progress.fraction))

    def left(self) -> float | None:
        """The seconds until the end; None if they cannot be forecast yet.

        >>> steady, slower = Pace(), Pace()
        >>> for second in range(10):
        ...     steady.note(second, Progress(fraction=second / 40))
        ...     slower.note(second, Progress(fraction=0.5 - 0.5**second / 2))
        >>> steady.left(), slower.left()
        (31.0, None)
        """
        least, factor = _OF_STATES if self._has_states else _OF_TREES
        if not self._marks or self._marks[-1][0] - self._marks[0][0] < _LEAST_SECONDS or self._marks[-1][1] < least:
            return None
        whole, half, quarter = (self._pace(part) for part in (1, 2, 4))
        if not min(whole, half, quarter) or max(whole, half, quarter) > factor * min(whole, half, quarter):
            return None
        return (1 - self._marks[-1][1]) / half

    def _pace(self, part: int) -> float:
        """The share of the work done per second in the last part of the time: in its last half if `part` is 2."""
        now, done = self._marks[-1]
        since = now - (now - self._marks[0][0]) / part
        then, before = next(mark for mark in reversed(self._marks) if mark[0] <= since)
        return (done - before) / (now - then)


class _Screen(Protocol):
    """A place where a line is shown and rewritten."""

    every: float  #: seconds between two lines

    def show(self, line: str, fraction: float | None) -> None:
        """Show this line instead of the last one."""

    def clear(self, left: str) -> None:
        """Take the line away; where that cannot be, show what is `left` of it."""

    def keep(self) -> None:
        """Leave the line where it is."""


class _Terminal:
    every = 0.2

    def show(self, line: str, fraction: float | None) -> None:
        import shutil

        self._write(f"\r\033[K{line[: shutil.get_terminal_size().columns - 1]}")

    def clear(self, left: str) -> None:
        self._write("\r\033[K")

    def keep(self) -> None:
        self._write("\n")

    def _write(self, text: str) -> None:
        with suppress(OSError):
            sys.stderr.write(text)
            sys.stderr.flush()


class _Notebook:
    """A bar, with the line beside it."""

    every = 0.2

    def __init__(self, display: Any) -> None:
        self._display, self._handle = display, None

    def show(self, line: str, fraction: float | None) -> None:
        value = "" if fraction is None else f' value="{fraction:.4f}"'
        import html

        self._write({"text/html": f"<progress{value}></progress> {html.escape(line)}", "text/plain": line})

    def clear(self, left: str) -> None:
        # A cell's output can be rewritten, but not taken away: it would stay as an empty line.
        self._write({"text/plain": left})

    def keep(self) -> None:
        pass

    def _write(self, bundle: dict[str, str]) -> None:
        if self._handle is None:
            self._handle = self._display(bundle, raw=True, display_id=True)
        else:
            self._handle.update(bundle, raw=True)


class _Lines:
    """Lines one below the other, which a file or a pipe can take."""

    def __init__(self, every: float = 2.0) -> None:
        self.every = every

    def show(self, line: str, fraction: float | None) -> None:
        with suppress(OSError):
            print(f"tiler: {line}", file=sys.stderr, flush=True)

    def clear(self, left: str) -> None:
        pass

    def keep(self) -> None:
        pass


_shows_lines: ContextVar[bool] = ContextVar("shows_lines", default=False)


@contextmanager
def as_lines() -> Iterator[None]:
    """While this is open, progress is shown as lines, also where there is no terminal."""
    token = _shows_lines.set(True)
    try:
        yield
    finally:
        _shows_lines.reset(token)


def _screen(lines_every: float | None) -> _Screen | None:
    """The terminal, or the notebook that this runs in; else lines at intervals of these seconds, or nothing if they are None."""
    if _shows_lines.get():
        return _Lines()
    if sys.stderr.isatty():
        return _Terminal()
    running = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if hasattr(running, "kernel"):
        return _Notebook(sys.modules["IPython"].display.display)
    return None if lines_every is None else _Lines(lines_every)


class Ticker:
    """A line that is rewritten while a search runs for more than a second; silent if there is no terminal and no notebook,
    unless lines are wanted (`as_lines`), or `lines_every` says how many seconds lie between two lines there."""

    def __init__(self, noun: str = "tilings", lines_every: float | None = None) -> None:
        self._noun, self._lines_every = noun, lines_every
        self.beside = ""  #: what the line says in addition
        self._seconds = 0.0  # the time of the line that is shown, since the first call
        self._started: float | None = None  # the time of the first call of `show`; loading code before it takes a while too
        self._next = float("inf")
        self._screen: _Screen | None = None
        self._shown = False
        self._first: tuple[float, Progress] | None = None  # where the pace counts from
        self._pace = Pace()

    def __enter__(self) -> Ticker:
        return self

    def __exit__(self, *error: object) -> None:
        self.clear()

    def clear(self) -> None:
        """Take the line away, so that something else can be printed."""
        if self._shown and self._screen is not None:
            self._shown = False
            self._screen.clear(f"after {duration(self._seconds, 2)}")

    def keep(self) -> None:
        """Leave the line where it is: if Ctrl-C or a limit ended the search, the line says how far it came."""
        if self._shown and self._screen is not None:
            self._shown = False
            self._screen.keep()

    def show(self, progress: Progress) -> None:
        """Show how far the search is; called often, it rewrites the line five times a second."""
        time_now = time.perf_counter()
        if self._started is None:
            self._started = time_now
            self._screen = _screen(self._lines_every)
            self._next = time_now + _AFTER
        if self._screen is None:
            return
        if self._first is None or not _is_the_same_search(self._first[1], progress):
            self._first = time_now, progress
        if time_now < self._next:
            return
        self._next, self._shown = time_now + self._screen.every, True
        self._pace.note(time_now, progress)
        self._seconds = time_now - self._started
        line = progress_in_words(
            progress, self._seconds, self._first[1], time_now - self._first[0], self._noun, self._pace.left()
        )
        self._screen.show(line + self.beside, progress.fraction)


def _is_the_same_search(before: Progress, now: Progress) -> bool:
    """Whether the nodes since then tell the pace: not before the first nodes, and not where another search has taken over."""
    return 0 < before.nodes <= now.nodes and bool(before.where) is bool(now.where)


def progress_in_words(
    progress: Progress, total: float, before: Progress, seconds: float, noun: str = "tilings", left: float | None = None
) -> str:
    """A line about a search that has run for `total` seconds. It took `seconds` from `before` to `now`, and has `left` seconds to
    go, if that is known.

    >>> progress_in_words(Progress(5_000_000, 12, 0.25), 10, Progress(1_000_000, 0, 0.05), 8, left=30)
    '10 s: 25.00% done, some 30 s left, 5,000,000 nodes, 500,000/s, 12 tilings'
    >>> progress_in_words(Progress(5_000_000, 0, 0.25, where="layer 15 of 60, 1.2 GB"), 10, Progress(1_000_000, 0, 0.05), 8)
    '10 s: layer 15 of 60, 1.2 GB, 5,000,000 states, 500,000/s'
    >>> progress_in_words(Progress(5_000_000, 12, 0.00005), 10, Progress(1_000_000, 0, 0.00004), 8)
    '10 s: less than 0.1% done, 5,000,000 nodes, 500,000/s, 12 tilings'
    >>> progress_in_words(Progress(fraction=0.25, where="set 30 of 120, 1 found"), 10, Progress(), 8, left=30)
    '10 s: set 30 of 120, 1 found, some 30 s left'
    >>> progress_in_words(Progress(5_000_000, 12, where="layer 15 of 60"), 10, Progress(1_000_000), 8)
    '10 s: layer 15 of 60, 5,000,000 states, 500,000/s, at least 12 tilings'
    >>> progress_in_words(Progress(), 10, Progress(), 8)
    '10 s: preparing the search'
    """
    if progress == Progress():
        return f"{duration(total, 2)}: preparing the search"
    words = [progress.where] if progress.where else []
    if progress.fraction is not None and not progress.where:
        # Branches differ in size, so that a very small share is not exact enough to be shown.
        words.append(f"{progress.fraction:.2%} done" if progress.fraction >= _TOLD else f"less than {_TOLD:.1%} done")
    if left is not None:
        words.append(f"some {duration(left, 2)} left")
    if progress.nodes or not progress.where:  # A command that asks many short questions counts no nodes.
        words.append(f"{progress.nodes:,} {'states' if progress.where else 'nodes'}")
        words += [f"{rounded((progress.nodes - before.nodes) / seconds)}/s"] if seconds else []
    if not progress.where:
        words.append(f"{progress.found:,} {noun}")
    elif progress.found:  # A count by states knows nothing before its end; another search beside it does.
        words.append(f"at least {progress.found:,} {noun}")
    return f"{duration(total, 2)}: {', '.join(words)}"
