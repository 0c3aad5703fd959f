"""Check the arguments of the functions of tiler.door: BadArgument says in one line what is wrong."""

from __future__ import annotations

import math
from argparse import ArgumentTypeError
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from tiler.cover.cover import RowCover
from tiler.errors import BadArgument
from tiler.model.instance import Instance
from tiler.process import threads as usual
from tiler.question import quantities as written
from tiler.question.question import Limits

_MAKE = "make one: tiler.make(board, *tiles), or tiler.read(path)"


def board(problem: object) -> Instance:
    """An instance, which a function needs; BadArgument for all else."""
    if isinstance(problem, Instance):
        return problem
    if isinstance(problem, RowCover):
        raise BadArgument(f"problem: {problem!r} has no board; only solve, count and tilings take a general exact cover")
    refuse(problem)


def refuse(problem: object) -> NoReturn:
    raise BadArgument(f"problem: {shown(problem)} is not an instance; {_MAKE}")


def executor(where: str | None, problem: object) -> str | None:
    """Where processes search; which there are is looked at where they are used."""
    if where is not None and isinstance(problem, RowCover):
        raise BadArgument("executor: general exact covers are searched by one process; leave it out")
    return None if where is None else text(where, "executor")


def limits(
    seconds: float | str | None, memory: int | str | None, solutions: int | None = None, *, threads: int | None = None
) -> Limits:
    """The limits of a question; seconds may be text such as 1m; memory is in MB, or text such as 2G; without a number of threads
    there may be the usual one."""
    number = usual.default_threads() if threads is None else positive(threads, "threads")
    return Limits(_duration(seconds, "seconds"), None if memory is None else _megabytes(memory), solutions, threads=number)


def seconds_each(seconds: float | str | None) -> float:
    """The limit of each of several searches; infinity is none."""
    found = _duration(seconds, "seconds_each")
    return math.inf if found is None else float(found)


def _duration(value: object, name: str) -> float | None:
    """Seconds, as a number or as the command line takes them."""
    if isinstance(value, str):
        try:
            return written.seconds(value)
        except ArgumentTypeError as error:
            raise BadArgument(f"{name}: {error}") from None
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not value > 0:
        raise BadArgument(f"{name}={shown(value)}: it must be a number above 0, a text such as '1m', or None")
    return value


def _megabytes(memory: object) -> int:
    if isinstance(memory, str):
        try:
            return written.megabytes(memory)
        except ArgumentTypeError as error:
            raise BadArgument(f"memory: {error}") from None
    if isinstance(memory, bool) or not isinstance(memory, int) or memory < 1:
        raise BadArgument(f"memory={shown(memory)}: it must be a whole number of MB from 1, or a text such as '2G'")
    return memory


def features(names: Sequence[str], problem: object) -> tuple[str, ...]:
    """The features that tilings are to have; which there are is looked at where they are used."""
    if isinstance(names, str) or not isinstance(names, Sequence) or not all(isinstance(name, str) for name in names):
        raise BadArgument(f"features={shown(names)}: it must be a list of names, such as ['fault-free']")
    if names and isinstance(problem, RowCover):
        raise BadArgument("features: they are of tilings of a board; a general exact cover has none")
    return tuple(names)


def text(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise BadArgument(f"{name}: {shown(value)} is not a text")
    return value


def words(values: Sequence[str], name: str) -> tuple[str, ...]:
    """Several texts; a single one is refused, as its letters would be taken for them."""
    if isinstance(values, str) or not isinstance(values, Sequence):
        raise BadArgument(f"{name}={shown(values)}: it must be a list of texts")
    return tuple(text(value, name) for value in values)


def positive(value: object, name: str) -> int:
    return whole(value, name, 1)


def whole(value: object, name: str, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise BadArgument(f"{name}={shown(value)}: it must be a whole number from {least}")
    return value


def flag(value: object, name: str) -> bool:
    if not isinstance(value, bool):
        raise BadArgument(f"{name}={shown(value)}: it must be True or False")
    return value


def path(path: object) -> Path:
    if not isinstance(path, str | Path):
        raise BadArgument(f"path: {shown(path)} is not the name of a file")
    return Path(path)


def shown(value: object) -> str:
    """The beginning of a value, for a message."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
