"""Hold the time limit of a command while it reads its problem: parsers look at no clock."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Concatenate, ParamSpec, TypeVar

from tiler import printable
from tiler.errors import Unfinished
from tiler.process import interrupts
from tiler.question.result import Stop

#: The least time that reading has: some limits are shorter than the imports of the modules that read.
LEAST_SECONDS = 2.0

P = ParamSpec("P")
T = TypeVar("T")


def in_time(
    read: Callable[Concatenate[argparse.Namespace, P], T],
) -> Callable[Concatenate[argparse.Namespace, P], T]:
    """A function that reads what arguments name, and raises Unfinished at their time limit, but not before `LEAST_SECONDS`. The
    search has that time again."""

    def limited(args: argparse.Namespace, /, *more: P.args, **named: P.kwargs) -> T:
        limit = getattr(args, "seconds", None)
        seconds = None if limit is None else max(limit, LEAST_SECONDS)

        def ended() -> Unfinished:
            what = printable.shortened(printable.line(" ".join(args.problem)))
            return Unfinished(f"{what}: not read within {seconds:g} s, the time limit", 0, Stop.TIME)

        with interrupts.time_limit(seconds, ended):
            return read(args, *more, **named)

    return limited
