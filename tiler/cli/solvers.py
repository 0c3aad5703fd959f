"""`tiler solvers`: what there is to choose from."""

from __future__ import annotations

import argparse
import dataclasses
import inspect
import textwrap

HELP = "list the solvers and their options"
EXAMPLES = """\
  tiler solvers
  tiler solve 10x10 4L --solver backtracking:order=rare
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="*", metavar="NAME", help="only these, with how they work")


def run(args: argparse.Namespace) -> int:
    from tiler.backends.base import Backend, backends, parse_spec
    from tiler.query import Goal

    def describe(backend: type[Backend], at_length: bool) -> str:
        able = ", ".join(goal for goal in Goal if goal in backend.goals) + (", prove" if backend.proves else "")
        missing = backend.missing()
        state = f"not installed: pip install {' '.join(missing)}" if missing else "installed"
        about = [textwrap.fill(part, 77) for part in inspect.cleandoc(backend.__doc__ or "").split("\n\n")]
        lines = [f"{backend.name}  ({state}; can {able})"]
        lines += [textwrap.indent("\n\n".join(about if at_length else about[:1]), "  ")]
        for field in dataclasses.fields(backend):
            choices = "|".join(field.metadata["choices"]) or (
                "on|off" if isinstance(field.default, bool) else type(field.default).__name__
            )
            default = ("on" if field.default else "off") if isinstance(field.default, bool) else field.default
            text = f"{field.metadata['help']} (default: {default})"
            lines += [f"    {field.name}={choices}", textwrap.fill(text, 74, initial_indent=" " * 8, subsequent_indent=" " * 8)]
        return "\n".join(lines)

    chosen = [type(parse_spec(name)) for name in args.name] or list(backends().values())
    print("\n\n".join(describe(backend, at_length=bool(args.name)) for backend in chosen))
    if not args.name:
        print("\nA spec is NAME[:KEY=VALUE,...]; tiler solvers NAME tells how a solver works.")
    return 0
