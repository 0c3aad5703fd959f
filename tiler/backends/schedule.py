"""Read schedules: orderings joined by `+`, each with the most pieces left at which it applies, as in `e:11+f:3`."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class Phase(NamedTuple):
    """An ordering, and the most pieces left at which it applies; None: from the start."""

    ordering: str
    most: int | None


def schedule(text: str) -> tuple[Phase, ...]:
    """The phases of a schedule without errors. The first phase applies from the start, whatever its number.

    >>> schedule("e:11+f:3")
    (Phase(ordering='e', most=None), Phase(ordering='f', most=3))
    """
    (first, _, _), *later = [entry.partition(":") for entry in text.split("+")]
    return Phase(first, None), *[Phase(ordering, int(number)) for ordering, _, number in later]


def error_in(text: str, wrong: Callable[[str], str | None]) -> str | None:
    """What is wrong with a schedule, or None; `wrong` says what is wrong with an ordering.

    >>> error_in("e:3+f:5", lambda ordering: None)
    'the numbers of pieces left must fall'
    """
    last: int | None = None
    for position, entry in enumerate(text.split("+")):
        ordering, colon, number = entry.partition(":")
        reason = wrong(ordering)
        if reason is not None:
            return reason
        if not colon:
            if position:
                return f"{ordering} needs the number of pieces left from which it applies, as in {ordering}:3"
            continue
        if not (number.isascii() and number.isdigit() and 0 < int(number) < 10**9):
            return f"{number!r} is no number of pieces left"
        if last is not None and int(number) >= last:
            return "the numbers of pieces left must fall"
        last = int(number)
    return None
