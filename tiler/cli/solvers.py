"""`tiler solvers`: what there is to choose from."""

from __future__ import annotations

import argparse
import dataclasses
import inspect
import textwrap
from collections.abc import Sequence
from typing import Any

from tiler import printable
from tiler.cli import asking

_WIDTH = 79

HELP = "list the solvers and their options"
EXAMPLES = """\
  tiler solvers
  tiler solve 10x10 4L --solver backtracking:order=rare
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="*", metavar="NAME", help="only these, with how they work")
    asking.add_load(parser)


def run(args: argparse.Namespace) -> int:
    from tiler.backends.base import Backend, is_installed, pip_install
    from tiler.backends.plugins import broken
    from tiler.backends.registry import backends, parse_spec
    from tiler.question.question import Goal

    def describe(backend: type[Backend], at_length: bool) -> str:
        able = ", ".join(goal for goal in Goal if backend.can(goal))
        missing = backend.missing()
        absent = backend.absent() or (f"not installed: {pip_install(missing)}" if missing else None)
        state = absent or "installed"
        about = [textwrap.fill(part, 77) for part in inspect.cleandoc(backend.__doc__ or "").split("\n\n")]
        own = [field for field in dataclasses.fields(backend) if field.name not in common]
        return "\n".join(
            [
                f"{backend.name}  ({state}; can {able})",
                textwrap.indent("\n\n".join(about if at_length else about[:1]), "  "),
                *(_option(field, lacking(backend, field.name)) for field in own),
            ]
        )

    def lacking(backend: type[Backend], option: str) -> list[str]:
        """The values of an option that need what is not installed, with what to install."""
        extras = [(value, module) for (name, value), module in backend.extras.items() if name == option]
        return [f"{value} ({pip_install([module])})" for value, module in extras if not is_installed(module)]

    common = {field.name: field for field in dataclasses.fields(Backend)}
    chosen = [type(parse_spec(name)) for name in args.name] or list(backends().values())
    print("\n\n".join(describe(backend, at_length=bool(args.name)) for backend in chosen))
    for each in broken():
        print(f"\n{printable.line(each.name)}  (broken: {printable.line(each.why)})")
    print("\nEvery solver:")
    print("\n".join(map(_option, common.values())))
    if not args.name:
        print("\nA spec is NAME[:KEY=VALUE,...]; tiler solvers NAME tells how a solver works.")
    return 0


def _option(field: dataclasses.Field[Any], lacking: Sequence[str] = ()) -> str:
    """An option with its values, its meaning, its default, and those of its values that are `lacking`."""
    is_switch = isinstance(field.default, bool)
    values = "on|off" if is_switch else "|".join(field.metadata["choices"]) or ("N" if isinstance(field.default, int) else "...")
    default = ("on" if field.default else "off") if is_switch else field.default
    text = f"{field.metadata['help']} (default: {default})" + (f"; not installed: {', '.join(lacking)}" if lacking else "")
    head = f"    {field.name}={values}"
    if len(head) > _WIDTH:
        head = textwrap.fill(
            f"{field.name}={values.replace('|', ' | ')}", _WIDTH, initial_indent=" " * 4, subsequent_indent=" " * 8
        )
    return f"{head}\n" + textwrap.fill(text, _WIDTH - 5, initial_indent=" " * 8, subsequent_indent=" " * 8)
