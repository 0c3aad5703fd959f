"""Check the arguments of functions of `tiler`: the error about an unknown argument names the right one."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from tiler.backends import user_config
from tiler.errors import BadArgument, nearest

P = ParamSpec("P")
R = TypeVar("R")

#: Other words for arguments.
_MEANT = {
    **dict.fromkeys(("time", "timeout", "time_limit"), "seconds"),
    **dict.fromkeys(("megabytes", "memory_limit", "max_memory"), "memory"),
    **dict.fromkeys(("backend", "method", "engine"), "solver"),
    **dict.fromkeys(("cores", "cpus", "jobs", "n_jobs", "workers"), "threads"),
    **dict.fromkeys(("processes", "cluster"), "executor"),
    **dict.fromkeys(("samples", "size", "k"), "number"),
    **dict.fromkeys(("symmetry", "symmetric"), "up_to_symmetry"),
}
_arguments: dict[str, tuple[str, ...]] = {}


def offered(function: Callable[P, R]) -> Callable[P, R]:
    """A function whose error about an unknown argument says which one is meant, here or of another function. If it takes solvers,
    it knows those that the user's `tiler.toml` declares."""
    parameters = inspect.signature(function).parameters
    names = tuple(name for name, each in parameters.items() if each.kind is not inspect.Parameter.VAR_POSITIONAL)
    takes_solvers = not {"solver", "solvers"}.isdisjoint((*names, function.__name__))
    _arguments[function.__name__] = names

    @wraps(function)
    def asked(*args: P.args, **kwargs: P.kwargs) -> R:
        for name in kwargs:
            if name not in names:
                raise BadArgument(f"{function.__name__}: there is no argument {name!r}{_likely(name, names)}")
        if takes_solvers:
            user_config.load()
        return function(*args, **kwargs)

    return asked


def _likely(name: str, names: tuple[str, ...]) -> str:
    """The end of the error message: which argument is probably meant."""
    meant = [_MEANT.get(name), *(each for each in names if each.startswith(name))]
    here = next((each for each in meant if each in names), None)
    if here is None:
        elsewhere = [other for other, others in _arguments.items() if name in others]
        if elsewhere:
            return f"; it is one of {', '.join(elsewhere)}"
        here = next(iter(nearest(name, names)), None)
    return f"; write {here}=" if here else f"; there are {', '.join(names)}"
