"""List the questions that functions of `tiler` ask, with their parameters, and the solvers with their options, as data from which
a page makes forms. All of it comes from the declarations (question/parameters.py, the fields of backends) and the signatures."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tiler import extensions
from tiler.api.call_errors import OFFERED
from tiler.backends.base import word
from tiler.backends.registry import backends, check_installed
from tiler.errors import MissingDependency
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


@dataclass(frozen=True)
class SolverOption:
    """An option of a solver."""

    name: str
    help: str
    default: str  #: as a spec writes it
    choices: tuple[str, ...]  #: its values, where these are few


@dataclass(frozen=True)
class SolverForm:
    """A solver with its options."""

    name: str
    help: str
    missing: str  #: what has to be installed before it can be asked, in words; empty if nothing
    options: tuple[SolverOption, ...]


def solver_forms() -> tuple[SolverForm, ...]:
    """All solvers.

    >>> dlx = next(form for form in solver_forms() if form.name == "dlx")
    >>> next(option.choices for option in dlx.options if option.name == "parity")
    ('off', 'on')
    """
    made = []
    for name, backend in backends().items():
        fields = dataclasses.fields(backend)
        options = tuple(
            SolverOption(
                field.name,
                field.metadata["help"],
                word(field.default),
                ("off", "on") if isinstance(field.default, bool) else tuple(field.metadata["choices"]),
            )
            for field in fields
        )
        try:
            check_installed(backend())
            missing = ""
        except MissingDependency as error:
            missing = str(error)
        made.append(SolverForm(name, inspect.cleandoc(backend.__doc__ or "").partition("\n")[0], missing, options))
    return tuple(made)


def forms() -> tuple[Form, ...]:
    """All questions that take time, in the order in which help lists them; `apart` is a method of a tiling.

    >>> [form.name for form in forms() if form.about == "tiles"]
    ['rectangles', 'plane', 'series']
    """
    from tiler.api import functions
    from tiler.api.answers.tiling import Tiling

    places = [vars(functions), extensions.offered(), vars(Tiling)]
    named = [(name, value) for place in places for name, value in place.items() if name in OFFERED and callable(value)]
    return tuple(_form(name, inspect.signature(value).parameters) for name, value in named if "seconds" in OFFERED[name].fields)


def _form(name: str, arguments: Mapping[str, inspect.Parameter]) -> Form:
    offer = OFFERED[name]
    about = next(subject for subject in _SUBJECTS if subject in arguments or subject == "tiling")
    asked = {other: field for other, field in offer.fields.items() if other not in (*_SUBJECTS, "progress")}
    parameters = (_parameter(name, field, arguments[other].default, asked) for other, field in asked.items())
    return Form(name, offer.help, about, tuple(parameters))


def _parameter(form: str, field: Any, default: Any, asked: declared.Table) -> FormParameter:
    metadata = field.metadata
    kind = metadata["kind"]
    return FormParameter(
        field.name,
        kind.name,
        kind.words,
        None if default is inspect.Parameter.empty else default,
        default is inspect.Parameter.empty,
        metadata["help"],
        metadata["metavar"] or kind.metavar,
        metadata["absent"],
        _choices(kind),
        pairs.excluded(form, field.name, asked),
    )


def _choices(kind: declared.ValueKind) -> tuple[str, ...]:
    from tiler.ask.features.predicates import FEATURES

    return tuple({"lattice": LATTICES, "features": FEATURES}.get(kind.name, kind.choices))
