"""List the questions that functions of `tiler` ask, with their parameters, as data from which a page makes forms. All of it comes
from the declarations (question/parameters.py) and the signatures."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tiler.door.call_errors import OFFERED
from tiler.model.lattices import LATTICES
from tiler.question import pairs
from tiler.question import parameters as declared

#: Parameters that say what a question is about; a form has something else for them.
_SUBJECTS = ("problem", "problems", "tiles", "tiling")


@dataclass(frozen=True)
class FormParameter:
    """A parameter of a question."""

    name: str
    kind: str  #: the name of its ValueKind
    values: str  #: the values that it takes, in words, after "it must be"
    default: Any
    is_required: bool  #: whether it has no default
    help: str  #: begins with a verb
    metavar: str  #: a value, as help shows it
    absent: str  #: what the default None means
    choices: tuple[str, ...]  #: the values that it takes, where these are few
    excludes: tuple[str, ...]  #: the parameters that must keep their defaults if this one does not


@dataclass(frozen=True)
class Form:
    """A question: the name of its function, what it asks, and its parameters."""

    name: str
    help: str
    about: str  #: problem, problems, tiles or tiling
    parameters: tuple[FormParameter, ...]


def forms() -> tuple[Form, ...]:
    """All questions that take time, in the order in which help lists them; `apart` is a method of a tiling.

    >>> [form.name for form in forms() if form.about == "tiles"]
    ['rectangles', 'plane', 'series']
    """
    from tiler.door import functions, tiles
    from tiler.door.answers.tiling import Tiling

    places = [vars(functions), vars(tiles), vars(Tiling)]
    named = [(name, value) for place in places for name, value in place.items() if name in OFFERED and callable(value)]
    return tuple(_form(name, inspect.signature(value).parameters) for name, value in named if "seconds" in OFFERED[name].fields)


def _form(name: str, arguments: Mapping[str, inspect.Parameter]) -> Form:
    offer = OFFERED[name]
    about = next(subject for subject in _SUBJECTS if subject in arguments or subject == "tiling")
    asked = {other: field for other, field in offer.fields.items() if other not in (*_SUBJECTS, "progress")}
    parameters = (_parameter(name, field, arguments[other].default, asked) for other, field in asked.items())
    return Form(name, offer.help, about, tuple(parameters))


def _parameter(form: str, field: Any, default: Any, asked: declared.Table) -> FormParameter:
    told = field.metadata
    kind = told["kind"]
    return FormParameter(
        field.name,
        kind.name,
        kind.words,
        None if default is inspect.Parameter.empty else default,
        default is inspect.Parameter.empty,
        told["help"],
        told["metavar"] or kind.metavar,
        told["absent"],
        _choices(kind),
        pairs.excluded(form, field.name, asked),
    )


def _choices(kind: declared.ValueKind) -> tuple[str, ...]:
    from tiler.ask.features.predicates import FEATURES

    return tuple({"lattice": LATTICES, "features": FEATURES}.get(kind.name, kind.choices))
