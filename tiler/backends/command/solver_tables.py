"""Make backends of `[[solver]]` tables: those of a campaign's file, and those of a user's own `tiler.toml`."""

from __future__ import annotations

import os
import re
import shlex
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tiler.backends.command import INPUTS, Program, define
from tiler.backends.languages import FORMS, LANGUAGES
from tiler.errors import BadOption, InputError, suggest
from tiler.process import files

_KEYS = ("name", "command", "input", "output", "model", "projects", "needs", "version", "colour", "folder")
_NEEDED = ("name", "command", "input", "output")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._+-]{0,39}")
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
_BRACES = re.compile(r"\{([a-z_]+)\}")


def load(path: Path) -> None:
    """Declare all programs in a user's file; InputError if it is wrong."""
    try:
        content = tomllib.loads(files.ordinary_file(path).read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, ValueError, RecursionError) as error:
        raise InputError(str(error).splitlines()[0], str(path)) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", str(path)) from None
    unknown = [key for key in content if key != "solver"]
    if unknown:
        raise InputError(f"unknown setting {unknown[0]!r}; there is [[solver]]", str(path))
    try:
        define_all(content.get("solver", []), path)
    except (InputError, BadOption) as error:
        raise InputError(str(error), str(path)) from None


def define_all(tables: Any, file: Path) -> tuple[str, ...]:
    """Register the backends of some tables of a file, and return their names. InputError says what is wrong with a table."""
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise InputError('a program is declared as [[solver]]; what is to be run is solvers = ["dlx"]')
    programs = [program_of(table, file.resolve()) for table in tables]
    names = [program.name for program in programs]
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise InputError(f"two solvers are called {twice[0]!r}")
    for program in programs:
        define(program)
    return tuple(names)


def program_of(table: Mapping[str, Any], file: Path) -> Program:
    """The program that a table of a file declares."""
    unknown = [key for key in table if key not in _KEYS]
    if unknown:
        raise InputError(f"[[solver]]: unknown key {unknown[0]!r}{suggest(unknown[0], _KEYS)}; there are {', '.join(_KEYS)}")
    lacking = [key for key in _NEEDED if not table.get(key)]
    if lacking:
        raise InputError(f"[[solver]]: {lacking[0]} is missing")
    name, given, answer = (_text(table, key) for key in ("name", "input", "output"))
    if not _NAME.fullmatch(name):
        raise InputError(f"[[solver]]: name {name!r}: letters, digits, blanks and ._+- please, at most 40")
    what = f"solver {name!r}"
    if given not in INPUTS:
        raise InputError(f"{what}: input must be one of {', '.join(INPUTS)}{suggest(given, INPUTS)}")
    outputs = sorted({form for name in INPUTS for form in LANGUAGES[name].answers}, key=list(FORMS).index)
    if answer not in outputs:
        raise InputError(f"{what}: output must be one of {', '.join(outputs)}{suggest(answer, outputs)}")
    fitting = LANGUAGES[given].answers
    if answer not in fitting:
        raise InputError(f"{what}: input {given} is answered as {' or '.join(fitting)}, not as {answer}")
    colour = _text(table, "colour") if "colour" in table else ""
    if colour and not _COLOUR.fullmatch(colour):
        raise InputError(f'{what}: colour must be as "#7b3f00"')
    model = _text(table, "model") if "model" in table else ""
    command = _words(table, "command")
    places = {*LANGUAGES[given].places, "out", "seed", "seconds", "megabytes", "python"}
    for place in _BRACES.findall(" ".join(command)):
        if place not in places:
            raise InputError(f"{what}: {{{place}}} stands for nothing; there are {', '.join(f'{{{p}}}' for p in sorted(places))}")
    projects = table.get("projects", False)
    if not isinstance(projects, bool) or (projects and (given, answer) != ("cnf", "count")):
        raise InputError(f"{what}: projects must be true or false, and is for counting models of a cnf")
    version = _words(table, "version")
    folder = os.path.normpath(file.parent / _text(table, "folder")) if "folder" in table else str(file.parent)
    needs = _words(table, "needs")
    program = Program(name, command, given, answer, model, colour, version, projects, folder, str(file), needs=needs)
    _check_model(program)
    return program


def _check_model(program: Program) -> None:
    """InputError if the model does not go with the program's input."""
    from tiler.backends.command.search import model_of

    try:
        model_of(program)
    except BadOption as error:
        raise InputError(f"solver {program.name!r}: {error}") from None


def _text(table: Mapping[str, Any], key: str) -> str:
    value = table[key]
    if not isinstance(value, str):
        raise InputError(f"[[solver]]: {key} must be a text")
    return value


def _words(table: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """The words of a command, which is a list of words, or a text as for a shell. No shell is started."""
    value: Any = table.get(key, [])
    if isinstance(value, str):
        try:
            value = shlex.split(value)
        except ValueError as error:
            raise InputError(f"[[solver]]: {key}: {error}") from None
    words: Sequence[Any] = value if isinstance(value, list) else [None]
    if not all(isinstance(word, str) and "\0" not in word for word in words):
        raise InputError(f"[[solver]]: {key} must be a text or a list of texts")
    return tuple(words)
