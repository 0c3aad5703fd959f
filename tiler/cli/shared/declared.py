"""Make the arguments of a command from the parameters that a question declares (tiler/question/parameters.py), and from those
that only commands have."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from tiler import printable
from tiler.errors import BadOption
from tiler.question import pairs
from tiler.question.parameters import COMMON, FLAG, SECONDS, WORDS, Table, declare, fields_of, one_of, options_of, parameter

Q = TypeVar("Q")

#: Arguments that several commands have.
OPTIONS = declare(
    problem=parameter(
        (), "a problem file, - for standard input, or a board and tiles", WORDS, metavar="FILE|-|SHAPES", nargs="+", by_place=True
    ),
    tiles=parameter((), "a shape, or a set such as pentominoes", WORDS, metavar="TILE", nargs="+", by_place=True),
    each=parameter(False, "ask about each tile by itself, not about all together"),
    load=parameter((), "load a file with solvers of your own", WORDS, metavar="FILE.py", nargs="append"),
    format=parameter(None, "choose the format", one_of("text", "json"), absent="the ending of OUT, else text"),
    output=parameter(None, "write the answer to a file", WORDS, option="-o --output", metavar="OUT"),
    problems=parameter(
        None, "take the problems in this folder", WORDS, metavar="FOLDER", absent="problems/ here, else those of Tiler"
    ),
    filter=parameter((), "", WORDS, metavar="TEXT|GLOB|/REGEX/", nargs="append"),
    title=parameter(None, "set the heading", WORDS, metavar="TITLE"),
)
#: Arguments that every command has.
TALK = declare(
    quiet=parameter(False, "print nothing on stderr but errors", option="-q --quiet"),
    verbose=parameter(
        False, "print progress on stderr as lines, also into a file or a pipe; bench prints each run", option="-v --verbose"
    ),
)
#: What is printed, by commands that print text unless another format is named.
PRINTED: Mapping[str, Any] = {"help": "choose what is printed", "default": "text"}


def add(parser: Any, declaration: type | Table = COMMON, *names: str, **changes: str | Mapping[str, Any]) -> None:
    """Add the parameters of a declaration, or those with these names. By parameter `changes` has another help text, or whatever
    else is declared otherwise."""
    fields = fields_of(declaration)
    groups: dict[str, Any] = {}
    for name in names or fields:
        field, change = fields[name], changes.get(name, {})
        settings = {"default": field.default, **field.metadata, **({"help": change} if isinstance(change, str) else change)}
        flags = [name] if settings["by_place"] else options_of(field)
        group = settings["excludes"]
        if group and group not in groups:
            groups[group] = parser.add_mutually_exclusive_group()
        action = groups.get(group, parser).add_argument(*flags, **_keywords(settings))
        action.dest = name


def _keywords(settings: Mapping[str, Any]) -> dict[str, Any]:
    """What argparse is told about a parameter."""
    kind, nargs = settings["kind"], settings["nargs"]
    default = None if settings["default"] is dataclasses.MISSING else settings["default"]
    usual = f"{default:g}s" if kind is SECONDS and default is not None else default
    absent = settings["absent"] if default in (None, ()) else "" if kind is FLAG else usual
    notes = ["may be repeated"] * (nargs == "append") + [f"default: {absent}"] * (
        absent != "" and "(default: " not in settings["help"]
    )
    ends = f" ({'; '.join(notes)})" if notes else ""
    help = f"{settings['help']}{ends}".replace("%", "%%")
    if kind is FLAG and default is None:
        return {"help": help, "action": argparse.BooleanOptionalAction, "default": None}
    if kind is FLAG:
        return {"help": help, "action": "store_false" if default else "store_true"}
    takes = {"action": "append"} if nargs == "append" else {"nargs": nargs} if nargs else {}
    choices = {"choices": kind.choices} if kind.choices else {}
    metavar = settings["metavar"] or kind.metavar or None
    return {
        **{"help": help, "metavar": metavar, "type": kind.read},
        **{"default": list(default) if nargs and isinstance(default, tuple) else default},
        **takes,
        **choices,
    }


def given(args: argparse.Namespace, declaration: type[Q]) -> Q:
    """The question that the arguments ask."""
    return declaration(**values(args, *fields_of(declaration)))


def values(args: argparse.Namespace, *names: str) -> dict[str, Any]:
    """The values that the arguments have for these parameters."""
    return {name: getattr(args, name) for name in names}


def refuse_pairs(command: str, parser: argparse.ArgumentParser, args: argparse.Namespace) -> None:
    """BadOption if arguments of a command do not go together."""
    given = {}
    for action in parser._actions:
        value = getattr(args, action.dest, action.default)
        if value != action.default and (not isinstance(value, list) or action.const is None or action.const in value):
            given[action.dest] = action.option_strings[0] if action.option_strings else str(action.metavar)
    path, *beside = getattr(args, "problem", ()) or [None]
    if path is not None and _names_problem(path, args, alone=not beside):
        given[pairs.COVER if is_cover(args) else pairs.FILE] = printable.line(path)
    pairs.refuse(command, given, BadOption)


def _names_problem(path: str, args: argparse.Namespace, *, alone: bool) -> bool:
    """Whether a word, or the first of several, is a problem; the board of the first of several gets other tiles."""
    from tiler import formats

    lattice = getattr(args, "lattice", None)
    return Path(path).is_file() or not formats.is_board(path, lattice) if alone else formats.names_problem(path, lattice)


def is_cover(args: argparse.Namespace) -> bool:
    """Whether the problem is a general exact cover, not a board with tiles."""
    return len(args.problem) == 1 and (getattr(args, "dlx", False) or args.problem[0].lower().endswith(".dlx"))
