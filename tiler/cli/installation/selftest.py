"""`tiler selftest`: test whether all installed solvers answer correctly on this machine."""

from __future__ import annotations

import argparse
import shlex
import textwrap
import time
from typing import TYPE_CHECKING

from tiler.cli.main import INTERRUPTED
from tiler.cli.shared import declared
from tiler.cli.shared.declared import OPTIONS
from tiler.errors import BadOption
from tiler.question.events import Progress
from tiler.question.parameters import COMMON, declare, fields_of, parameter, read_by

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tiler.selftest.run import AskedQuestion, Failure, Totals

HELP = "compare every solver with a brute force, on small problems"
EXAMPLES = """\
  tiler selftest
  tiler selftest --minutes 10 --seed 7
  tiler selftest --solver dlx --solver fila
"""

_DESCRIPTION = """\
First put some sixty tiny problems with names to the solvers, each of which needs one thing
(lower bounds, open cells, marks, general exact covers, ...), the smallest first; then
problems of 40 to 72 cells whose number of tilings is known; then draw small problems on
every lattice, flat and wrapped. Ask every question to all installed solvers, with various
options, and compare the answers with a brute force that shares no code with them. First
print the verdict, and what was not tried: questions that a solver refuses, and what the
time did not suffice for; then how many answers were compared.

Stop at a wrong answer, and at a question that ends the process or does not end within
twice its limit of ten seconds: make the problem smaller, write it with the right number
to a file, and print the command that asks the question again.

Exit status: 0 if every answer was right, 3 if a question had no answer within its limit
or nothing could be compared, 4 if an answer was wrong.
"""
_LINE_SECONDS = 10.0  # between two lines of progress where there is no terminal


_OPTIONS = declare(minutes=parameter(1.0, "run for M minutes (default: 1)", read_by(float, "M")))


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    declared.add(
        parser,
        fields_of(COMMON, OPTIONS, _OPTIONS),
        *("minutes", "seed", "solvers", "load"),
        seed={"help": "draw other problems", "metavar": "N"},
        solvers={"help": "test only this solver", "metavar": "NAME", "absent": ""},
    )


def run(args: argparse.Namespace) -> int:
    from tiler.backends.registry import backends, parse_spec
    from tiler.render.ticker import Ticker
    from tiler.selftest import isolated, summary
    from tiler.selftest.run import Totals

    if not 0 < args.minutes < 1e6:
        raise BadOption("--minutes must be more than 0")
    chosen = [type(parse_spec(name)) for name in args.solvers]
    there = chosen or [backend for backend in backends().values() if not backend.missing()]
    totals, seconds = Totals(), 60 * args.minutes
    began = time.monotonic()
    ended = ""
    with Ticker(lines_every=_LINE_SECONDS) as ticker:

        def show(totals: Totals, asked: AskedQuestion | None) -> None:
            share = min(1.0, (time.monotonic() - began) / seconds)
            ticker.show(Progress(fraction=share, where=_where(totals, asked)))

        try:
            isolated.run(there, seconds, args.seed, totals=totals, on_tick=show)
        except KeyboardInterrupt:
            ended = "interrupted: "
    missing = [name for name, backend in backends().items() if backend.missing() and not chosen]
    absent = f"; not installed: {', '.join(missing)}" if missing else ""
    print(_filled(f"{ended}{summary.verdict(totals)}{absent}"))
    if totals.failure is not None:
        _tell(totals.failure, args.load)
    _say(totals)
    if totals.failure is not None:
        return 4
    if ended:
        return INTERRUPTED
    return 0 if totals.answers and not totals.unanswered else 3


def _where(totals: Totals, asked: AskedQuestion | None) -> str:
    """How far the self-test is, in words."""
    from tiler.selftest import examples

    if asked is None:
        return "the brute force"
    every = len(examples.BOARDS) + len(examples.COVERS) + len(examples.known_examples())
    problem = f"named problem {totals.instances} of {every}, {asked.name}" if asked.name else f"random problem {totals.drawn}"
    return f"{problem}: {asked.spec}, {asked.question}"


def _say(totals: Totals) -> None:
    """Print how many answers were compared."""
    compared = f"{totals.answers.total():,} answers compared with a brute force"
    print(f"{totals.instances:,} problems, {totals.solvable:,} of them with tilings; {compared}")
    for place, word in enumerate(("solver", "lattice", "question")):
        columns = [f"{name} {number:,}" for name, number in totals.by(place).items()]
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


def _filled(text: str) -> str:
    """A sentence in lines of 80 columns, those after the first indented."""
    return textwrap.fill(text, 80, subsequent_indent="  ", break_on_hyphens=False)


def _tell(failure: Failure, loaded: Sequence[str]) -> None:
    """Write the problem to a file, unless it comes with Tiler, and print the command that asks again."""
    from tiler.selftest import examples
    from tiler.selftest.run import COMMANDS

    named = f" about *{failure.name}*" if failure.name else ""
    print(_filled(f"wrong: {failure.words}{named}: {failure.wrong}"))
    path = failure.name if failure.name in examples.KNOWN else _write(failure)
    command = COMMANDS[failure.question].format(file=path, spec=shlex.quote(failure.spec))
    print(f"ask again: {command}{''.join(f' --load {shlex.quote(file)}' for file in loaded)}")


def _write(failure: Failure) -> str:
    """Write the problem to a file, print it unless it is long, and return the name of the file."""
    from tiler.process import files
    from tiler.selftest import summary

    content = summary.content(failure).rstrip()
    name = failure.name.replace(",", "").replace(" ", "-") if isinstance(failure.problem, str) else failure.problem.digest
    ending = "dlx" if isinstance(failure.problem, str) else "json" if content.startswith("{") else "txt"
    path = f"selftest-{name}.{ending}"
    files.write(path, f"{content}\n".encode())
    print(f"the problem, written to {path}{'' if ending == 'json' else f':{chr(10)}{content}'}")
    return path
