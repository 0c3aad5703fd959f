"""The `tiler` command: finds the command's module, and turns errors into one line and an exit code."""

from __future__ import annotations

import argparse
import io
import os
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn

from tiler import __version__, interrupts
from tiler.errors import TilerError, suggest

COMMANDS = (
    "solve",
    "count",
    "estimate",
    "sample",
    "prove",
    "show",
    "convert",
    "check",
    "shapes",
    "solvers",
    "bench",
    "plot",
    "report",
)
INTERRUPTED = 130

_EXITS = """\
exit status:
  0 answered   1 internal error   2 bad usage or input   3 not decided
  4 wrong: an answer does not hold or contradicts the expected one   130 interrupted
"""


class _Parser(argparse.ArgumentParser):
    """Errors are one line."""

    def error(self, message: str) -> NoReturn:
        print(f"{self.prog}: {_one_line(message)}; see {self.prog} --help", file=sys.stderr)
        raise SystemExit(2)


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status; nothing but SystemExit for --help and bad usage comes out.

    On SIGTERM or SIGHUP what is open is closed, temporary folders go, and the process dies of the signal.
    """
    try:
        with interrupts.handled(restore=argv is not None):
            return _main(argv)
    except KeyboardInterrupt:  # A second one, while the first was answered.
        return INTERRUPTED
    except interrupts.Terminated as ended:
        signal.signal(ended.number, signal.SIG_DFL)
        signal.raise_signal(ended.number)
        return 128 + ended.number


def _main(argv: Sequence[str] | None) -> int:
    arguments = list(sys.argv[1:] if argv is None else argv)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # A title with letters that the terminal lacks is no error.
    try:
        status = _run(arguments)
        sys.stdout.flush()
        return status
    except TilerError as error:
        return _fail(str(error), error.exit_code)
    except KeyboardInterrupt:
        return _fail("interrupted", INTERRUPTED)
    except BrokenPipeError:
        # The reader of our output has gone (as in `tiler shapes | head`): not an error, and nothing more can be said.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except MemoryError:
        return _fail("the memory is exhausted", 1)
    except RecursionError:
        return _fail("nested too deeply", 1)
    except OSError as error:
        return _fail(f"{error.strerror or error}{f': {error.filename}' if error.filename else ''}", 1)
    except Exception as error:
        if os.environ.get("TILER_TRACEBACK"):
            raise
        kind = type(error).__name__
        return _fail(f"internal error: {kind}: {error} (please report it; TILER_TRACEBACK=1 shows where)", 1)


def _run(arguments: list[str]) -> int:
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        print(_overview())
        return 0 if arguments else 2
    if arguments[0] in ("-V", "--version"):
        print(f"tiler {__version__}")
        return 0
    name = arguments[0]
    if name not in COMMANDS:
        raise _UsageError(f"unknown command {name!r}{suggest(name, COMMANDS)}; there are {', '.join(COMMANDS)}")
    command = import_module(f"tiler.cli.{name}")
    parser = _Parser(
        prog=f"tiler {name}",
        description=command.HELP,
        epilog=f"examples:\n{command.EXAMPLES}\n{_EXITS}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    command.configure(parser)
    # Options may stand between the shapes of a problem.
    return int(command.run(parser.parse_intermixed_args(arguments[1:])))


class _UsageError(TilerError):
    exit_code = 2


def _overview() -> str:
    commands = "\n".join(f"  {name:9}{import_module(f'tiler.cli.{name}').HELP}" for name in COMMANDS)
    return f"""\
usage: tiler COMMAND ... (tiler COMMAND --help tells more)

Tiling problems with polyominoes and polycubes: decide, count, draw, compare.

commands:
{commands}

examples:
  tiler solve problems/4L/10x10_u.txt
  tiler solve 11x7 4T 3:3I
  tiler count 8x8 2 --time-limit 1m
  tiler bench --filter many-unique

{_EXITS}"""


def _fail(text: str, status: int) -> int:
    sys.stderr.write(f"tiler: {_one_line(text)}\n")
    return status


def _one_line(text: str) -> str:
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
