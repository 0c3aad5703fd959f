"""Stop long stages that are not searches: listing placements, filters, finding symmetries. Such a stage gets a `StopCheck` and
calls it many times a second. At a limit, or when the caller wants it, the check raises `Stopped`, which ends the stage; its
results are dropped. The caller that asked the question turns that into an answer (tiler/ask).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

StopCheck = Callable[[], None]
T = TypeVar("T")

_OFTEN = 1024  # things between two checks; each takes some microseconds


class Stopped(Exception):  # noqa: N818
    """The stage is to end; `why` is a word for the reason, one of `tiler.question.result.Stop`, and `message` says more, if there
    is more to say."""

    def __init__(self, why: str, message: str = "") -> None:
        super().__init__(why)
        self.why, self.message = why, message


def never_stop() -> None:
    """A check for callers without limits, which does nothing."""


def with_stop_checks(things: Iterable[T], check_stop: StopCheck) -> Iterator[T]:
    """Yield the things, with a check before the first one and after each thousand."""
    for number, each in enumerate(things):
        if number % _OFTEN == 0:
            check_stop()
        yield each
