"""Follow a question while it is answered: show or report progress, watch the limits of several searches together, and end at
Ctrl-C with what is known by then."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, NoReturn, TypeVar

from tiler.amounts import rounded
from tiler.api import arguments
from tiler.api.arguments import LimitArguments, SearchArguments, ToldProgress
from tiler.errors import Interrupted, Unfinished
from tiler.process.cancellation import Stopped
from tiler.process.interrupts import interruptible
from tiler.question.events import Found, Progress
from tiler.question.limit_watch import Watch
from tiler.question.parameters import FLAG, checked
from tiler.question.question import Limits
from tiler.question.result import Result, Stop
from tiler.render.ticker import Ticker

if TYPE_CHECKING:
    from tiler.cover.board import BoardCover
    from tiler.formats.tiling_lists import ListWriter

_NO_LIMITS = Limits()

S = TypeVar("S")


class Following:
    """A follower of one question. At each progress it looks at the limits, at Ctrl-C and at the caller's wish to stop."""

    def __init__(
        self, ticker: Ticker, tell: Callable[[Progress], object], interrupted: Callable[[], bool], limits: Limits
    ) -> None:
        self._tell, self.interrupted = tell, interrupted
        self._watch = Watch(limits, time.perf_counter())
        self.threads = limits.threads  #: for each search
        self._last = Progress()
        self.ticker = ticker  #: the line of progress; it is taken away before something else is printed
        self.stop: Stop | None = None  #: what ended it, if something did

    def tick(self, progress: Progress) -> bool:
        """Tell of progress; False if the search is to end."""
        self._last = progress
        if self.interrupted() or self._tell(progress) is False:
            self.stop = Stop.INTERRUPTED
        elif self.stop is None:
            self.stop = self._watch.exceeded()
        return self.stop is None

    def showing(self, on_solution: Callable[[S], None] | None) -> Callable[[S], None] | None:
        """A function that takes the line away before it hands a solution on; None for None."""

        def show(solution: S) -> None:
            self.ticker.clear()
            assert on_solution is not None
            on_solution(solution)

        return show if on_solution else None

    def writing(self, writer: ListWriter) -> Callable[[BoardCover, Found], None]:
        """A function that hands blocks of tilings to a writer; the line of progress tells of its pace."""
        started = time.perf_counter()

        def add(cover: BoardCover, block: Found) -> None:
            writer.add(cover, block)
            pace = writer.tilings / max(1e-3, time.perf_counter() - started)
            written = f", {writer.bytes / 1e6:,.0f} MB written" if writer.bytes else ""
            self.ticker.beside = f", {rounded(pace)} tilings/s{written}"

        return add

    def keep_line(self, stop: Stop) -> None:
        """Let the line stay if Ctrl-C or a limit ended the search."""
        if stop in (Stop.INTERRUPTED, Stop.TIME, Stop.MEMORY, Stop.NODES):
            self.ticker.keep()

    def check_stop(self) -> None:
        """The same within a stage that has no progress of its own to tell."""
        if not self.tick(self._last):
            assert self.stop is not None
            raise Stopped(self.stop)

    @property
    def reason(self) -> str:
        """The reason why the question ended, in words."""
        return "" if self.stop is None else Result.so_far(self.stop, found=0).reason

    def refuse_interrupted(self, answer: object, words: str = "") -> None:
        """Interrupted, with what is known, if Ctrl-C was pressed."""
        if self.interrupted():
            raise Interrupted(f"interrupted{words and f'; {words}'}", answer)

    @contextmanager
    def answering(self, words: str) -> Iterator[None]:
        """While this is open, an end of the searches before there is an answer is Interrupted, or Unfinished with these words."""
        try:
            yield
        except Stopped as stopped:
            self.refuse_interrupted(None)
            reason = self.reason or stopped.message
            raise Unfinished("; ".join(filter(None, [f"unfinished: {reason}", words])), 0, self.stop or "") from None


@contextmanager
def following(progress: ToldProgress, limits: Limits = _NO_LIMITS, noun: str = "tilings") -> Iterator[Following]:
    """While this is open, Ctrl-C is remembered, and progress is told. `limits` are those of several searches together: a single
    one looks at its own."""
    with Ticker(noun) as ticker, interruptible() as interrupted:
        tell = progress if callable(progress) else ticker.show if checked("progress", FLAG, progress) else _nothing
        yield Following(ticker, tell, interrupted, limits)


def followed(given: LimitArguments | SearchArguments, noun: str = "tilings") -> AbstractContextManager[Following]:
    """The same, with the arguments of a function."""
    return following(given.get("progress", False), arguments.limits(given), noun)


def known(result: Result, answer: S | None) -> S:
    """The answer of a search; Unfinished if a limit ended it before that was known."""
    if answer is None:
        unfinished(result)
    return answer


def unfinished(result: Result) -> NoReturn:
    """Unfinished, by the result of a search that a limit ended."""
    raise Unfinished(f"unfinished: {result.reason or result.stop}; {result.found:,} found until then", result.found, result.stop)


def _nothing(progress: Progress) -> None:
    """No progress is wanted."""
