"""The specs that between them use every option of a backend, made from its class: a new option or backend is in them by itself.

Choices, switches and the filters are known from the class. Of an option that takes other words or numbers, `VALUES` says which
to try; there the list has to be made longer by hand.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from itertools import combinations, product
from tempfile import gettempdir

from tiler.backends.base import Backend, is_installed
from tiler.backends.registry import backends, parse_spec
from tiler.cover.filters import FILTERS
from tiler.errors import BadOption
from tiler.question.question import Goal, Question

#: By backend and option, or for every backend by the option alone.
VALUES: dict[str, tuple[str, ...]] = {
    "filter": (*FILTERS, "+".join(FILTERS)),
    "anchor": ("auto",),
    "auto.among": ("dlx", "fila", "frontier", "lattice+dlx", "dlx+frontier+fila"),
    "coloring.stages": ("area", "area+lattice", "weights", "lattice+probe", "pairs", "cases"),
    "coloring.nodes": ("0", "3"),
    "coloring.placements": ("0", "100"),
    "coloring.seconds": ("5",),
    "cpsat.seed": ("3",),
    "cpsat.workers": ("2",),
    "dlx.order": ("first", "forced", "cells", "mrv+cells:2", "mrv+forced:3", "first+mrv:4"),
    "dlx.volume": ("1", "3"),
    "fila.order": (
        *("auto", "e", "s", "radial", "x", "-yx", "zy"),
        *("e:3+f:1", "f:9+s:2+radial:1", "x+y:2", "f+e:3", "-x+radial:3"),
    ),
    "fila.axes": ("yx", "-xy", "z"),
    "fila.handoff": ("1", "2", "3", "20"),
    "fila.volume": ("1", "3"),
    "fila.window": ("off", "0", "3", "9"),
    "frontier.threads": ("2",),
    "frontier.spill": (gettempdir(),),
    "ilp.seed": ("3",),
    "sat.seed": ("3",),
    "sat.preprocess": ("on", "block+cover+condition+elim", "decompose+probe+probehbr+subsume+vivify+elim"),
}
OF_EVERY_BACKEND = tuple(field.name for field in dataclasses.fields(Backend))

Options = dict[str, str]


#: What is refused for many covers, and tried by tests of its own.
CONDITIONAL = {("sat", "cell", "at-least")}


def values(backend: type[Backend], field: dataclasses.Field[object]) -> list[str]:
    """The values to try of an option beside its default; none, if somebody has to think of some."""
    words = field.metadata["choices"] or VALUES.get(f"{backend.name}.{field.name}") or VALUES.get(field.name) or ()
    default = str(field.default)
    if isinstance(field.default, bool):
        words, default = ("on", "off"), "on" if field.default else "off"
    known = [word for word in words if (backend.name, field.name, word) not in CONDITIONAL]
    return [word for word in known if word != default and _is_there(backend, field.name, word)]


def singles(backend: type[Backend]) -> list[str]:
    """The default, and every value of every option, where need be with one of another option without which it is refused."""
    tried = [(field.name, word) for field in dataclasses.fields(backend) for word in values(backend, field)]
    return list(dict.fromkeys([backend.name, *filter(None, (_completed(backend, {name: word}) for name, word in tried))]))


def pairs(backend: type[Backend]) -> list[str]:
    """Every two values of two of the backend's own options."""
    own = [field for field in dataclasses.fields(backend) if field.name not in OF_EVERY_BACKEND]
    found: list[str | None] = []
    for one, other in combinations(own, 2):
        for first, second in product(values(backend, one), values(backend, other)):
            found.append(_completed(backend, {one.name: first, other.name: second}))
    return list(dict.fromkeys(filter(None, found)))


def _completed(backend: type[Backend], options: Options) -> str | None:
    """The spec of these options; if it is refused with them alone, with one more."""
    specs = (_spec(backend, each) for each in _with_one_more(backend, options))
    return next(filter(_is_accepted, specs), None)


def _with_one_more(backend: type[Backend], options: Options) -> Iterator[Options]:
    yield options
    for field in dataclasses.fields(backend):
        if field.name not in options:
            yield from ({**options, field.name: word} for word in values(backend, field))


def _spec(backend: type[Backend], options: Options) -> str:
    return f"{backend.name}:{','.join(f'{name}={word}' for name, word in options.items())}"


def _is_accepted(spec: str) -> bool:
    """Whether something can be asked."""
    try:
        return parse_spec(spec).refusal(Question()) is None
    except BadOption:
        return False


def _is_there(backend: type[Backend], option: str, word: str) -> bool:
    module = backend.extras.get((option, word))
    return module is None or is_installed(module)


#: The backends that can be asked here about anything (one for tilings by two cells has tests of its own): searches of our own,
#: which take a millisecond, those of engines, which take a process for every answer, and provers, which do nothing else and may
#: not know.
INSTALLED = [backend for backend in backends().values() if not backend.missing() and backend.name != "matching"]
PROVERS = [backend for backend in INSTALLED if Goal.COUNT not in backend.goals]
ENGINES = [backend for backend in INSTALLED if backend.requires and backend not in PROVERS]
SEARCHES = [backend for backend in INSTALLED if not backend.requires and backend not in PROVERS]
