"""`tiler selftest`: test whether all installed solvers answer correctly on this machine."""

from __future__ import annotations

import argparse
import shlex
import sys
from typing import TYPE_CHECKING

from tiler.cli import asking
from tiler.errors import BadOption

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tiler.selftest.run import Failure, Tally

HELP = "compare every solver with a brute force, on random problems"
EXAMPLES = """\
  tiler selftest
  tiler selftest --minutes 10 --seed 7
  tiler selftest --solver dlx --solver fila
"""

_DESCRIPTION = """\
Draw small problems on every lattice, flat and wrapped. Ask every question to all
installed solvers, with various options, and compare the answers with a brute force that
shares no code with them. Print how many answers were compared. Stop at a wrong answer,
at a question without an answer for five minutes, and at one that ends the process: write
the problem to a file, and print the command that asks the question again.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    parser.add_argument("--minutes", type=float, default=1.0, metavar="M", help="run for M minutes (default: 1)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="draw other problems (default: 0)")
    parser.add_argument("--solver", action="append", metavar="NAME", help="test only this solver (may be repeated)")
    asking.add_load(parser)


def run(args: argparse.Namespace) -> int:
    from tiler.backends.registry import backends, parse_spec
    from tiler.selftest import watched
    from tiler.selftest.run import Tally

    if not 0 < args.minutes < 1e6:
        raise BadOption("--minutes must be more than 0")
    chosen = [type(parse_spec(name)) for name in args.solver or []]
    there = chosen or [backend for backend in backends().values() if not backend.missing()]
    tally = Tally()
    try:
        watched.run(there, 60 * args.minutes, args.seed, tally=tally, on_tick=_tick if sys.stderr.isatty() else _quiet)
    except KeyboardInterrupt:
        _say(tally)
        print("interrupted: so far no answer was wrong")
        return 130
    _say(tally)
    if tally.failure is not None:
        _tell(tally.failure, args.load or ())
        return 4
    missing = [name for name, backend in backends().items() if backend.missing() and not chosen]
    print("every answer was right" + (f"; not installed: {', '.join(missing)}" if missing else ""))
    return 0


def _quiet(tally: Tally) -> None:
    pass


def _tick(tally: Tally) -> None:
    if tally.answers.total() % 20 == 0:
        print(f"\r{tally.instances:,} problems, {tally.answers.total():,} answers", end="", file=sys.stderr, flush=True)


def _say(tally: Tally) -> None:
    """Print how many answers were compared."""
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr, flush=True)
    total = tally.answers.total()
    print(f"{tally.instances:,} problems, {tally.solvable:,} of them with tilings; {total:,} answers compared with a brute force")
    for place, word in enumerate(("solver", "lattice", "question")):
        columns = [f"{name} {number:,}" for name, number in tally.by(place).items()]
        print("\n".join(_wrapped(f"by {word}:", columns)))


def _wrapped(head: str, words: list[str]) -> list[str]:
    """Words in lines of 80 columns, those after the first indented."""
    lines = [head]
    for number, each in enumerate(words):
        more = f" {each}{',' if number < len(words) - 1 else ''}"
        if len(lines[-1]) + len(more) > 80:
            lines.append(" ")
        lines[-1] += more
    return lines


def _tell(failure: Failure, loaded: Sequence[str]) -> None:
    """Write the problem to a file, and print the command that asks again."""
    from tiler.formats import json
    from tiler.process import files
    from tiler.selftest.run import COMMANDS

    path = f"selftest-{failure.instance.digest}.json"
    content = json.write(failure.instance)
    files.write(path, content.encode())
    command = COMMANDS[failure.question].format(file=path, spec=shlex.quote(failure.spec))
    command += "".join(f" --load {shlex.quote(file)}" for file in loaded)
    print(f"wrong: {failure.spec}, asked to {failure.question}: {failure.wrong}")
    print(f"the problem, written to {path}:\n{content.rstrip()}\nask again: {command}")
