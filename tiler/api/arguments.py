"""Check the arguments of the functions of tiler.api: BadArgument says in one line what is wrong."""

from __future__ import annotations

from typing import NoReturn

from tiler.cover.cover import RowCover
from tiler.errors import BadArgument
from tiler.model.instance import Instance
from tiler.process import threads as usual
from tiler.question import parameters
from tiler.question.parameters import COMMON, argument, fields_of
from tiler.question.question import Limits

shown = parameters.shown
_LIMITS = fields_of(COMMON)
_MAKE = "make one: tiler.make('6x4', '2'), or tiler.read(path)"


def board(problem: object) -> Instance:
    """An instance, which a function needs; BadArgument for all else."""
    if isinstance(problem, Instance):
        return problem
    if isinstance(problem, RowCover):
        raise BadArgument(f"problem: {problem!r} has no board; only solve, count and tilings take a general exact cover")
    refuse(problem)


def refuse(problem: object) -> NoReturn:
    raise BadArgument(f"problem: {shown(problem)} is not an instance; {_MAKE}")


def limits(
    seconds: float | str | None, memory: int | str | None, solutions: int | None = None, *, threads: int | None = None
) -> Limits:
    """The limits of a question; seconds may be text such as 1m; memory is in MB, or text such as 2G; without a number of threads
    there may be the usual one."""
    given = {"seconds": seconds, "memory": memory, "threads": threads}
    known = {name: argument(_LIMITS[name], value) for name, value in given.items()}
    return Limits(known["seconds"], known["memory"], solutions, threads=known["threads"] or usual.default_threads())


def number(value: float | str | None) -> float:
    """Seconds that were checked; infinity is no limit."""
    assert isinstance(value, int | float)
    return value
