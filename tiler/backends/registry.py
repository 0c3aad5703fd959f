"""List the backends, and read the specs that name one and its options: `fila`, `dlx:order=first,parity=on`."""

from __future__ import annotations

import dataclasses
import inspect
import itertools
import os
import pkgutil
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

from tiler.backends import plugins, thesis_names
from tiler.backends.base import Backend, word
from tiler.errors import BadOption, MissingDependency, Refused, UnknownBackend, suggest
from tiler.optional_packages import is_installed, need
from tiler.question.question import Goal, Question

B = TypeVar("B", bound="type[Backend]")

DECLARED = "tiler.toml"  #: a file in which a user declares programs as solvers

_registered: dict[str, type[Backend]] = {}


def register(backend: B) -> B:
    """Make a backend known under its name; every backend has this decorator. BadOption if another backend has that name, or if a
    method does not take the arguments that it will be called with."""
    _refuse_signatures(backend)
    if backend.name in _ours() and backend.name not in _registered and not backend.__module__.startswith("tiler.backends."):
        import_module(f"tiler.backends.{backend.name}")
    known = _registered.setdefault(backend.name, backend)
    if (known.__module__, known.__qualname__) != (backend.__module__, backend.__qualname__):
        raise BadOption(f"two backends are called {backend.name}: one in {known.__module__}, one in {backend.__module__}")
    _registered[backend.name] = backend
    return backend


#: The arguments with which methods of backends are called.
_CALLED: dict[str, tuple[str, ...]] = {
    "search": ("cover", "question", "context"),
    "refusal": ("question", "cover"),
    "solutions": ("cover",),  # of a Lister
}


def _refuse_signatures(backend: type[Backend]) -> None:
    for method, arguments in _CALLED.items():
        if not hasattr(backend, method):
            continue
        signature = inspect.signature(getattr(backend, method))
        try:
            signature.bind(None, *arguments)
        except TypeError:
            has, wants = ", ".join(signature.parameters), ", ".join(arguments)
            raise BadOption(
                f"{backend.name}: {method}({has}) cannot be called with {wants}: write {method}(self, {wants})"
            ) from None


def known(name: str) -> type[Backend] | None:
    """The backend of this name; None if there is none."""
    return backends().get(name)


def replace(backend: type[Backend]) -> None:
    """Make a backend known instead of another one with the same name."""
    _registered[backend.name] = backend


def backends() -> dict[str, type[Backend]]:
    """Every backend by name, in alphabetical order: the backends in this package, from other distributions, and those that the
    caller has registered."""
    for name in _ours():
        import_module(f"tiler.backends.{name}")
    plugins.broken()
    return dict(sorted(_registered.items()))


def load_declared() -> None:
    """Declare the programs that the user's `tiler.toml` declares as solvers: the file here, and the one in the folder for
    settings, whose programs a file here may replace. InputError if one of the files is wrong."""
    settings = Path(os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")) / "tiler"
    for path in (settings / DECLARED, Path(DECLARED)):
        if path.is_file():
            tables = import_module("tiler.backends.command.solver_tables")  # It imports this module; few users have such a file.
            tables.load(path)


@cache
def _ours() -> tuple[str, ...]:
    """The names of the backends in this package, which are the names of its folders."""
    package = import_module("tiler.backends")
    return tuple(module.name for module in pkgutil.iter_modules(package.__path__) if module.ispkg)


def able(what: str) -> list[str]:
    """The names of the backends whose class attribute `what`, such as `can_save`, is true."""
    return [name for name, backend in backends().items() if getattr(backend, what)]


def able_to(goal: Goal) -> list[str]:
    """The names of the backends that can reach a goal, with their default options."""
    return [name for name, backend in backends().items() if backend().refusal(Question(goal)) is None]


def refuse(backend: Backend, question: Question) -> None:
    """Raise Refused if a backend cannot answer a question; the message may name backends that can. Raise MissingDependency if
    its engine is not installed."""
    check_installed(backend)
    reason = backend.refusal(backend.search_question(question))
    if reason is not None:
        others = [name for name in able_to(question.goal) if name != backend.name]
        instead = f"; these can {question.goal.verb}: {', '.join(others)}" if not backend.can(question.goal) and others else ""
        raise Refused(f"{backend.name}: {reason}{instead}")


def check_installed(backend: Backend) -> None:
    """Raise MissingDependency if a module or a program that a backend needs, with its options, is not installed."""
    absent = backend.absent()
    if absent is not None:
        raise MissingDependency(f"{backend.name}: {absent}")
    for option, value in backend.programs:
        programs = backend.missing_program(option, value) if getattr(backend, option) == value else None
        if programs is not None:
            raise MissingDependency(f"{backend.name}: {option}={value} needs a program on the path: {programs}")
    wanted = [(backend.name, module) for module in backend.missing()]
    wanted += [
        (value, module)
        for (option, value), module in backend.extras.items()
        if value in str(getattr(backend, option)).split("+") and not is_installed(module)
    ]
    if wanted:
        need(wanted[-1][0], *(module for _, module in wanted))


def parse_spec(spec: str) -> Backend:
    """The backend that a spec names, or a name of the thesis. UnknownBackend or BadOption if the spec is wrong; the message names
    what there is.

    >>> parse_spec("backtracking:order=rare").spec
    'backtracking:filter=off,anchor=off,order=rare,cells=rows'
    >>> str(parse_spec("simple_rare"))
    'backtracking:order=rare'
    """
    backend, rest = _divided(spec)
    fields = {field.name: field for field in dataclasses.fields(backend)}
    values: dict[str, Any] = {}
    for part in rest.split(",") if rest else []:
        key, equals, value = part.partition("=")
        if not equals or key not in fields:
            raise BadOption(_unknown_option(backend, key, fields))
        if key in values:
            raise BadOption(f"{backend.name}: {key} is set twice")
        values[key] = _value(backend, fields[key], value)
    return backend(**values)


def with_files(spec: str, folder: Path) -> str:
    """A spec as a person wrote it, with the content of files in place of their names, which are relative to a folder. All other
    specs stay as they are, right or wrong. BadOption if a file cannot be used.

    For specs of other people, such as those that a page sends, there is `parse_spec` alone, which reads no file.
    """
    name, _, rest = spec.partition(":")
    if not rest or name not in _ours():
        return spec
    readers = {field.name: field.metadata.get("of_file") for field in dataclasses.fields(_divided(name)[0])}
    parts = []
    for part in rest.split(","):
        key, equals, value = part.partition("=")
        read = readers.get(key) if equals and value != "*" else None
        try:
            parts.append(part if read is None else f"{key}={read(value, folder)}")
        except BadOption as error:
            raise BadOption(f"{name}: {part}: {error}") from None
    return f"{name}:{','.join(parts)}"


def matching(spec: str) -> list[Backend]:
    """The backends that a spec stands for: `sat:encoding=*` stands for one backend of each encoding. Values that are refused
    together with the other options are left out, such as an encoding that only another engine knows. BadOption if none is left.

    >>> [str(each) for each in matching("dlx:parity=*")]
    ['dlx', 'dlx:parity=on']
    """
    if "=*" not in spec:
        return [parse_spec(spec)]
    backend, rest = _divided(spec)
    parts = []
    for part in rest.split(","):
        key, _, value = part.partition("=")
        parts.append([f"{key}={choice}" for choice in _choices(backend, key)] if value == "*" else [part])
    found: list[Backend] = []
    refused: list[BadOption] = []
    for chosen in itertools.product(*parts):
        try:
            found.append(parse_spec(f"{backend.name}:{','.join(chosen)}"))
        except BadOption as error:
            refused.append(error)
    if not found:
        raise refused[0]
    return found


def _choices(backend: type[Backend], key: str) -> Sequence[str]:
    """The values that an option may have; BadOption if it has no list of them."""
    fields = {field.name: field for field in dataclasses.fields(backend)}
    if key not in fields:
        raise BadOption(_unknown_option(backend, key, fields))
    choices: Sequence[str] = ("off", "on") if isinstance(fields[key].default, bool) else fields[key].metadata["choices"]
    if not choices:
        raise BadOption(f"{backend.name}: {key}=*: there is no list of values for {key}; name them")
    return choices


def _divided(spec: str) -> tuple[type[Backend], str]:
    """The backend that a spec begins with, and the options in it. If there is a folder of that name, no other backend is loaded.
    A name of the thesis is translated, unless a backend has that name."""
    name, _, options = spec.partition(":")
    if name in _ours():
        import_module(f"tiler.backends.{name}")
    known = _registered if name in _registered else backends()
    if name not in known:
        name, _, options = thesis_names.translated(spec).partition(":")
        if name in thesis_names.PROGRAMS:
            tables = import_module("tiler.backends.command.solver_tables")  # It imports this module.
            tables.define_all([thesis_names.PROGRAMS[name]], Path(DECLARED))
    if name not in _registered:
        reason = thesis_names.error_in(name)
        if reason is not None:
            raise BadOption(f"{name}: {reason}")
        raise UnknownBackend(name, known)
    return _registered[name], options


def _unknown_option(backend: type[Backend], key: str, fields: dict[str, Any]) -> str:
    if key in fields:
        return f"{backend.name}: {key} needs a value, as in {key}={word(fields[key].default)}"
    if key in backend.gone:
        return f"{backend.name}: {key}: {backend.gone[key]}"
    return f"{backend.name}: unknown option {key!r}{suggest(key, fields)}; it has {', '.join(fields)}"


def _value(backend: type[Backend], field: dataclasses.Field[Any], text: str) -> Any:
    choices, check = field.metadata["choices"], field.metadata["check"]
    error: str | None = None
    value: Any = text
    if isinstance(field.default, bool):
        choices, value = ("on", "off"), text == "on"
    elif isinstance(field.default, int):
        number = text.isascii() and text.isdigit() and len(text) <= 9
        error = None if number else "it must be a whole number"
        value = int(text) if number else 0
    if choices and text not in choices:
        error = f"it must be one of {', '.join(choices)}{suggest(text, choices)}"
    if error is None and check is not None:
        error = check(value)
    if error:
        raise BadOption(f"{backend.name}: {field.name}={text}: {error}")
    return value
