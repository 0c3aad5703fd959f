"""Check the arguments of functions of `tiler`, and describe them, as their questions declare them (question/parameters.py). The
error about an unknown argument names the right one."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, NamedTuple, ParamSpec, TypeVar

from tiler.api.arguments import DEFAULTS, LimitArguments, SearchArguments
from tiler.cover.cover import RowCover
from tiler.errors import BadArgument, nearest
from tiler.formats.settings import Settings
from tiler.question import pairs
from tiler.question import parameters as declared

P = ParamSpec("P")
R = TypeVar("R")

#: Other words for arguments, each with what it may stand for.
_MEANT = {
    **dict.fromkeys(("time", "timeout", "time_limit"), ("seconds",)),
    **dict.fromkeys(("megabytes", "memory_limit", "max_memory"), ("memory",)),
    **dict.fromkeys(("backend", "method", "engine"), ("solver", "solvers")),
    **dict.fromkeys(("cores", "cpus", "jobs", "n_jobs", "workers"), ("threads",)),
    **dict.fromkeys(("processes", "cluster"), ("executor",)),
    **dict.fromkeys(("count", "samples", "size", "k", "n", "how_many"), ("number", "limit", "pieces")),
    **dict.fromkeys(("symmetry", "symmetric"), ("up_to_symmetry",)),
    **dict.fromkeys(("random_state", "rng"), ("seed",)),
}
#: What is taken for an argument of a TypedDict that is not given.
_DEFAULTS = {**DEFAULTS, **{name: declared.PROBLEM[name].default for name in Settings.__annotations__}}
#: The end of each docstring.
_ERRORS = "BadArgument says which argument is none of these. Ctrl-C raises Interrupted, with what is known by then."


class Offer(NamedTuple):
    """A function of `tiler`, as its docstring and the declarations describe it."""

    help: str  #: the first sentence
    fields: declared.Table  #: its parameters
    names: tuple[str, ...]  #: of those that may be given by name


OFFERED: dict[str, Offer] = {}  #: by name


def offered(*questions: type) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A decorator for functions with the parameters of some questions, beside those that many have. Arguments are checked, and
    listed in the docstring. The error about an unknown argument says which one is meant, here or of another function. If the
    function takes solvers, it knows those that the user's `tiler.toml` declares."""
    fields = declared.fields_of(declared.COMMON, declared.PROBLEM, *questions)

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        signature = _expanded(function)
        parameters = {name: each for name, each in signature.parameters.items() if name != "self"}
        names = tuple(name for name, each in parameters.items() if each.kind is not inspect.Parameter.VAR_POSITIONAL)
        takes_solvers = not {"solver", "solvers"}.isdisjoint((*names, function.__name__))
        defaults = {name: each.default for name, each in parameters.items() if each.default is not inspect.Parameter.empty}
        about = inspect.cleandoc(function.__doc__ or "")
        offer = OFFERED[function.__name__] = Offer(
            " ".join(about.split()).partition(". ")[0].removesuffix("."), {name: fields[name] for name in parameters}, names
        )
        lines = declared.listed(offer.fields, defaults)
        function.__doc__ = "\n\n".join([about, "Parameters:", "\n".join(lines), _ERRORS])
        rest = [name for name in parameters if name not in names]
        places = [name for name, each in parameters.items() if each.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD]
        first = len(signature.parameters) - len(parameters)  # after self

        @wraps(function)
        def asked(*args: P.args, **kwargs: P.kwargs) -> R:
            for name in kwargs:
                if name not in names:
                    raise BadArgument(f"{function.__name__}: there is no argument {name!r}{_likely(name, names)}")
            if len(args) - first > len(places) and not rest:
                raise BadArgument(_too_many(function.__name__, places, args[first:]))
            for name, value in zip([*places, *rest * len(args)], args[first:], strict=False):
                declared.argument(fields[name], value)
            given = {name: name for name, value in kwargs.items() if name in defaults and value != defaults[name]}
            if any(isinstance(value, RowCover) for value in (*args, *kwargs.values())):
                given[pairs.COVER] = "the problem"
            pairs.refuse(function.__name__, given, BadArgument, offer.fields)
            for name, value in kwargs.items():
                kwargs[name] = declared.argument(fields[name], value)
            if takes_solvers:
                from tiler.backends import registry  # It takes a while to load.

                registry.load_declared()
            return function(*args, **kwargs)

        vars(asked)["__signature__"] = signature
        return asked

    return decorate


def _expanded(function: Callable[..., Any]) -> inspect.Signature:
    """The signature of a function, with the arguments of a TypedDict, as in `**limits: Unpack[LimitArguments]`, one by one."""
    signature = inspect.signature(function)
    parameters = []
    for each in signature.parameters.values():
        if each.kind is not inspect.Parameter.VAR_KEYWORD:
            parameters.append(each)
            continue
        (taken,) = (kind for kind in (LimitArguments, SearchArguments, Settings) if each.annotation == f"Unpack[{kind.__name__}]")
        kinds = {name: taken.__annotations__[name].__forward_arg__ for name in _DEFAULTS if name in taken.__annotations__}
        parameters += [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=_DEFAULTS[name], annotation=kind)
            for name, kind in kinds.items()
        ]
    return signature.replace(parameters=parameters)


def _too_many(function: str, places: list[str], given: tuple[object, ...]) -> str:
    """The error message about more arguments than a function takes without their names. A board and tiles, as a command takes
    them, are made a problem first."""
    if places[:1] == ["problem"] and all(isinstance(each, str) for each in given):
        return f"{function}: make the problem first: tiler.{function}(tiler.make({', '.join(map(repr, given))}))"
    there = f"only {' and '.join(places)}" if places else "none"
    return f"{function}: {len(given)} arguments without names, but it takes {there} so; name the others"


def _likely(name: str, names: tuple[str, ...]) -> str:
    """The end of the error message: which argument is probably meant."""
    meant = [*_MEANT.get(name, ()), *(each for each in names if each.startswith(name))]
    here = next((each for each in meant if each in names), None)
    if here is None:
        elsewhere = [other for other, offer in OFFERED.items() if name in offer.names]
        if elsewhere:
            return f"; it is an argument of {', '.join(elsewhere)}"
        here = next(iter(nearest(name, names)), None)
    return f"; write {here}=" if here else f"; there are {', '.join(names)}"
