"""`tiler completion`: print the script with which a shell completes commands, options, solvers and names of problems, by
shtab."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from tiler.cli.shared import declared
from tiler.optional_packages import need
from tiler.question.parameters import declare, one_of, parameter

HELP = "print a script that lets the tab key complete commands"
EXAMPLES = """\
  eval "$(tiler completion bash)"                              # in ~/.bashrc
  tiler completion zsh > ~/.zfunc/_tiler                       # a folder of fpath
"""

#: Functions of the scripts that complete names of problems as well as files.
_PROBLEMS = {"bash": "_tiler_problems", "zsh": "_tiler_problems"}
_PREAMBLES = {
    "bash": """
_tiler_problems() {{
  compgen -f -- "$1"
  compgen -W "{names}" -- "$1"
}}
""",
    "zsh": """
_tiler_problems() {{
  _files
  compadd -- {names}
}}
""",
}


def configure(parser: argparse.ArgumentParser) -> None:
    declared.add(parser, declare(shell=parameter(None, "the shell that you use", one_of(*_PREAMBLES), by_place=True)))


def run(args: argparse.Namespace) -> int:
    need("completion", "shtab")
    import shtab

    from tiler.formats import library

    preamble = _PREAMBLES[args.shell].format(names=" ".join(library.names()))
    print(shtab.complete(whole(), shell=args.shell, preamble=preamble))
    return 0


def whole() -> argparse.ArgumentParser:
    """One parser for all commands and their options, for shtab; each command by itself has its own parser."""
    from tiler.cli import main

    parser = argparse.ArgumentParser(prog="tiler")
    parser.add_argument("-V", "--version", action="store_true", help="print the version")
    commands = parser.add_subparsers(metavar="COMMAND")
    for name in main.COMMANDS:
        each = commands.add_parser(name, help=main.module_of(name).HELP)
        main.configure(name, each)
        for action in _actions(each):
            _tell(action)
    return parser


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """The arguments of a command that take a value, if the value cannot be completed yet."""
    return (action for action in parser._actions if action.nargs != 0 and not action.choices)


def _tell(action: argparse.Action) -> None:
    import shtab

    from tiler.backends.registry import backends

    form = str(action.metavar or "")
    if action.dest == "solver":
        action.choices = sorted(backends())
    elif action.dest == "problem":
        action.complete = {**shtab.FILE, **_PROBLEMS}  # type: ignore[attr-defined]
    elif form.startswith(("OUT", "FILE", "ANSWER", "CAMPAIGN")):
        action.complete = shtab.FILE  # type: ignore[attr-defined]
    elif form.startswith(("FOLDER", "DIR", "RESULTS")) and action.dest != "family":
        action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]
