"""Check the arguments of the functions of tiler.api: BadArgument says in one line what is wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn, TypedDict

from tiler.cover.cover import RowCover
from tiler.errors import BadArgument
from tiler.model.instance import Instance
from tiler.process import threads as usual
from tiler.question import parameters
from tiler.question.events import Progress
from tiler.question.parameters import COMMON, argument, fields_of
from tiler.question.question import Limits

shown = parameters.shown
_LIMITS = fields_of(COMMON)
_MAKE = "make one: tiler.make('6x4', '2'), or tiler.read(path)"


#: What the functions of `tiler` take as `progress`: True shows a line, in a terminal or a notebook; a function is called with
#: each `Progress`, and ends the search by returning False.
ToldProgress = bool | Callable[[Progress], object]


class LimitArguments(TypedDict, total=False):
    """What every function takes that searches; the decorator `offered` lists these among its parameters."""

    seconds: float | str | None
    memory: int | str | None
    progress: ToldProgress


class SearchArguments(LimitArguments, total=False):
    """The same, of searches by several threads."""

    threads: int | None


#: What is taken where an argument is not given.
DEFAULTS = {"seconds": None, "memory": None, "threads": None, "progress": False}


def board(problem: object) -> Instance:
    """An instance, which a function needs; BadArgument for all else."""
    if isinstance(problem, Instance):
        return problem
    if isinstance(problem, RowCover):
        raise BadArgument(f"problem: {problem!r} has no board; only solve, count and tilings take a general exact cover")
    refuse(problem)


def refuse(problem: object) -> NoReturn:
    raise BadArgument(f"problem: {shown(problem)} is not an instance; {_MAKE}")


def limits(given: LimitArguments | SearchArguments, solutions: int | None = None) -> Limits:
    """The limits of a question; seconds may be text such as 1m; memory is in MB, or text such as 2G; without a number of threads
    there may be the usual one."""
    known = {name: argument(_LIMITS[name], given.get(name)) for name in ("seconds", "memory", "threads")}
    return Limits(known["seconds"], known["memory"], solutions, threads=known["threads"] or usual.default_threads())


def number(value: float | str | None) -> float:
    """Seconds that were checked; infinity is no limit."""
    assert isinstance(value, int | float)
    return value
