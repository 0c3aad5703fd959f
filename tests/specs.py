"""The specs that between them use every option of a backend, made from its class: a new option or backend is in them by itself.

The values of an option are known from its declaration: choices, on and off, or the values that it names to be tried.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from itertools import combinations, product

from tiler.backends.base import Backend
from tiler.backends.registry import backends, parse_spec
from tiler.errors import BadOption
from tiler.question.question import Goal, Question
from tiler.selftest.compare import values as tried

OF_EVERY_BACKEND = tuple(field.name for field in dataclasses.fields(Backend))

Options = dict[str, str]


#: What is refused for many covers, and tried by tests of its own.
CONDITIONAL = {("sat", "cell", "at-least")}


def values(backend: type[Backend], field: dataclasses.Field[object]) -> list[str]:
    """The values to try of an option beside its default."""
    return [word for word in tried(backend, field) if (backend.name, field.name, word) not in CONDITIONAL]


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


#: The backends that can be asked here about anything (one for tilings by two cells has tests of its own): searches of our own,
#: which take a millisecond, those of engines, which take a process for every answer, and provers, which do nothing else and may
#: not know.
INSTALLED = [backend for backend in backends().values() if not backend.missing() and backend.name != "matching"]
PROVERS = [backend for backend in INSTALLED if Goal.PROVE in backend.goals and Goal.COUNT not in backend.goals]
ENGINES = [backend for backend in INSTALLED if backend.requires and backend not in PROVERS]
SEARCHES = [backend for backend in INSTALLED if not backend.requires and backend not in PROVERS]
