"""Stages that take long without being a search: listing placements, filters, the search for symmetries.

Such a stage is given a `Look`, which it calls many times a second, and which ends it by raising `Stopped`: at a limit, or when
the caller says so. What it has done by then is of no use. The caller who asked the question turns that into an answer
(tiler/ask).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Look = Callable[[], None]
T = TypeVar("T")

_OFTEN = 1024  # things to be looked at, of some microseconds each


class Stopped(Exception):  # noqa: N818
    """The stage is to end; `why` is a word for the reason, one of `tiler.question.result.Stop`, and `message` says more, if there
    is more to say."""

    def __init__(self, why: str, message: str = "") -> None:
        super().__init__(why)
        self.why, self.message = why, message


def unhurried() -> None:
    """The look of those without limits: nothing is looked at."""


def looking(things: Iterable[T], look: Look) -> Iterator[T]:
    """The things, with a look before the first and after each thousand."""
    for number, each in enumerate(things):
        if number % _OFTEN == 0:
            look()
        yield each
