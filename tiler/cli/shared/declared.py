"""Make the options of a command from the parameters that a question declares (tiler/question/parameters.py)."""

from __future__ import annotations

import argparse
from dataclasses import Field
from typing import Any, TypeVar

from tiler.question.parameters import COMMON, FLAG, SECONDS, Table, fields_of, option_of

Q = TypeVar("Q")


def add(parser: Any, declaration: type | Table = COMMON, *names: str, **helps: str) -> dict[str, Any]:
    """Add the parameters of a declaration, or those with these names; `helps` are other help texts, by parameter. The groups of
    options that exclude each other are returned, by name."""
    groups: dict[str, Any] = {}
    for name, field in fields_of(declaration).items():
        if names and name not in names:
            continue
        group = field.metadata["excludes"]
        if group and group not in groups:
            groups[group] = parser.add_mutually_exclusive_group()
        _add(groups.get(group, parser), field, helps.get(name, field.metadata["help"]))
    return groups


def _add(parser: Any, field: Field[Any], help: str) -> None:
    told = field.metadata
    default = field.default if told["kind"] is not SECONDS or field.default is None else f"{field.default:g}s"
    absent = told["absent"] if default is None else default
    ends = f" (default: {absent})" if absent not in ("", None) and "(default: " not in help else ""
    if told["kind"] is FLAG and default is None:
        parser.add_argument(option_of(field), action=argparse.BooleanOptionalAction, default=None, help=f"{help}{ends}")
    elif told["kind"] is FLAG:
        parser.add_argument(option_of(field), action="store_true", help=help)
    else:
        parser.add_argument(
            option_of(field),
            metavar=told["metavar"] or told["kind"].metavar,
            type=told["kind"].read,
            default=field.default,
            help=f"{help}{ends}",
        )


def given(args: argparse.Namespace, declaration: type[Q]) -> Q:
    """The question that the arguments ask."""
    return declaration(**{name: value_of(args, field) for name, field in fields_of(declaration).items()})


def value_of(args: argparse.Namespace, field: Field[Any]) -> Any:
    """The value that the arguments have for a parameter; an option such as --no-turning says the opposite."""
    value = getattr(args, option_of(field).removeprefix("--").replace("-", "_"))
    return not value if field.default is True else value
