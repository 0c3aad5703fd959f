"""Run the command `tiler`: find the module of the command, and turn errors into one line and an exit status."""

from __future__ import annotations

import argparse
import errno
import gc
import io
import os
import re
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext, redirect_stderr, suppress
from importlib import import_module
from itertools import groupby
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, NoReturn, TextIO

from tiler import extensions, printable
from tiler.cli.shared import declared
from tiler.errors import TilerError, nearest, suggest
from tiler.optional_packages import explained
from tiler.process import interrupts
from tiler.version import __version__

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

_QUESTIONS = ("solve", "count", "estimate", "sample", "prove", "show", "convert", "check", "compare")
_CAMPAIGN = ("bench", "corpus", "plot", "report", "archive", "reproduce")
_INSTALLATION = ("shapes", "lattices", "problems", "solvers", "new-solver", "selftest", "warm", "completion")


def _modules(folder: str, commands: Sequence[str]) -> dict[str, str]:
    return {command: f"tiler.cli.{folder}.{command.replace('-', '_')}" for command in commands}


#: The module of each command, of the engine and of apps.
_MODULES = {
    **_modules("questions", _QUESTIONS),
    **extensions.merged("commands"),
    **_modules("campaign", _CAMPAIGN),
    **_modules("installation", _INSTALLATION),
}
COMMANDS = tuple(_MODULES)
INTERRUPTED = 130
# In help texts, a line of a list: a word, at least two spaces, and its meaning. A comment behind code is no such line.
_ENTRY = re.compile(r"( *\S+ {2,})(?=[^ #])")
_SPARE = 2  # the columns that argparse leaves free
_LONGEST = 1000  # the most letters of a message
_COLLECTED_AFTER = 100_000  # new objects after which Python looks for garbage
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)

_EXITS = """\
exit status:
  0 answered   1 internal error   2 bad usage or input   3 not decided
  4 wrong: an answer does not hold, or is not the expected one
  130 interrupted
"""


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        print(f"{self.prog}: {_one_line(message)}; see {self.prog} --help", file=sys.stderr)
        raise SystemExit(2)

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        """Print a help text, and raise an error if that fails; argparse would ignore it."""
        (file or sys.stderr).write(message)
        sys.stdout.flush()  # Then argparse ends by SystemExit.


class HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """Paragraphs and lists of a description keep their lines, unless one of these is too long for the terminal."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return "\n".join(_lines(super()._fill_text(text, width, indent), width))


def _lines(text: str, width: int) -> Iterator[str]:
    for is_paragraph, group in groupby(text.splitlines(), key=lambda line: line[:1].strip() != ""):
        lines = list(group)
        if is_paragraph and _is_too_long(lines, width):
            yield from _filled(" ".join(lines), width)
            continue
        for line in lines:
            entry = None if is_paragraph or not _is_too_long([line], width) else _ENTRY.match(line)
            yield from [line] if entry is None else _filled(line[entry.end() :], width, entry[0])


def _is_too_long(lines: list[str], width: int) -> bool:
    return max(map(len, lines)) > width + _SPARE


def _filled(words: str, width: int, first: str = "") -> list[str]:
    import textwrap  # Imported here, since few users ask for help.

    return textwrap.wrap(words, width, initial_indent=first, subsequent_indent=" " * len(first))


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status; nothing but SystemExit for --help and bad usage comes out.

    On SIGTERM or SIGHUP, open files are closed, temporary folders are deleted, and the process ends by the signal.
    """
    if argv is None:
        # Numpy starts threads for linear algebra, which takes a third of its time to load; there is hardly any linear algebra
        # here.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        # Loaded modules are no garbage, and looking for garbage among them takes a tenth of a short run.
        gc.set_threshold(_COLLECTED_AFTER)
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        with interrupts.handled(restore=argv is not None):
            try:
                _prepare_streams()
                status = _run(arguments)
                sys.stdout.flush()
                return status
            except (Exception, KeyboardInterrupt) as error:
                return _failed(error, arguments)
    except KeyboardInterrupt:  # A second signal came while the first one was handled.
        return INTERRUPTED
    except interrupts.Terminated as ended:
        signal.signal(ended.number, signal.SIG_DFL)
        signal.raise_signal(ended.number)
        return 128 + ended.number
    finally:
        if argv is None:
            # The process ends now, and at its end Python would look through all objects for garbage: a fifth of a short run, and
            # seconds after Ctrl-C on a busy machine.
            gc.freeze()


def _failed(error: BaseException, arguments: Sequence[str]) -> int:
    """Say in a line what has gone wrong. Returns the exit status."""
    match error:
        case TilerError():
            return _fail(str(error), error.exit_code)
        case KeyboardInterrupt():
            return _fail("interrupted", INTERRUPTED)
        case BrokenPipeError():
            # The reader of our output has gone (as in `tiler shapes | head`): not an error, and nothing more can be said.
            _drop(sys.stdout)
            return 0
        case MemoryError():
            return _fail("the memory is exhausted", 1)
        case RecursionError():
            return _fail("nested too deeply", 1)
        case OSError():
            # Files name themselves (files.py); standard output, which is written to everywhere, does not.
            where = error.filename or ("standard output" if _stdout_fails() or error.errno in (*_FULL, errno.EBADF) else "")
            what = "it is closed" if where == "standard output" and error.errno == errno.EBADF else error.strerror or error
            return _fail(f"{f'{where}: ' if where else ''}{what}", 1)
    if os.environ.get("TILER_TRACEBACK"):
        raise error
    if isinstance(error, ModuleNotFoundError) and (missing := explained(error, arguments[0])):
        return _fail(str(missing), missing.exit_code)
    from tiler.backends import fault_origin

    fault = fault_origin.fault(error)
    if fault is not None:
        return _fail(f"{fault} (TILER_TRACEBACK=1 shows all)", 1)
    kind = type(error).__name__
    return _fail(f"internal error: {kind}: {error} (please report it; TILER_TRACEBACK=1 shows where)", 1)


def _prepare_streams() -> None:
    """Open stand-ins for streams that were closed at the start, so that no file opened later becomes standard output. Writing to
    this standard output is an error, since an answer would be lost; writing to stderr is not. To write letters that the terminal
    lacks is no error."""
    for name, mode, access in (("stdin", "r", os.O_RDWR), ("stdout", "w", os.O_RDONLY), ("stderr", "w", os.O_RDWR)):
        if getattr(sys, name) is None:
            # The lowest free number: the number of the stream, unless something else was opened there already.
            handle = os.open(os.devnull, access)
            setattr(sys, name, os.fdopen(handle, mode, encoding="utf-8", closefd=False))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _stdout_fails() -> bool:
    """Whether the rest of standard output cannot be written; then it is dropped, or else Python would try again at its end."""
    try:
        sys.stdout.flush()
    except OSError:
        _drop(sys.stdout)
        return True
    return False


def _drop(stream: TextIO) -> None:
    """Drop everything that is left in a stream, and everything that is written to it from now on."""
    with suppress(OSError, ValueError):  # In a test it may be no file.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _run(arguments: list[str]) -> int:
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        print(_overview())
        return 0 if arguments else 2
    if arguments[0] in ("-V", "--version"):
        if "--verbose" in arguments:
            from tiler.cli.installation import versions

            print(versions.verbose())
        else:
            print(f"tiler {__version__}")
        return 0
    name = arguments[0]
    if name not in COMMANDS:
        raise _UsageError(f"unknown command {name!r}{suggest(name, COMMANDS)}; there are {', '.join(COMMANDS)}")
    command = module_of(name)
    parser = _Parser(
        prog=f"tiler {name}",
        description=command.HELP,
        epilog=f"examples:\n{command.EXAMPLES}\n{_EXITS}",
        formatter_class=HelpFormatter,
        allow_abbrev=False,
    )
    configure(name, parser)
    # Options may stand between the shapes of a problem.
    args, unknown = parser.parse_known_intermixed_args(arguments[1:])
    if unknown:
        parser.error(_unrecognized(unknown, parser))
    declared.refuse_pairs(name, parser, args)
    if "load" in args:
        _load(args.load)
    _read_files_of_specs(args)
    with _talking(args):
        return int(command.run(args))


def _unrecognized(words: Sequence[str], parser: argparse.ArgumentParser) -> str:
    """What is wrong with words that are no arguments, with the options that look like the first of them that is one."""
    option = next((word.partition("=")[0] for word in words if word.startswith("-")), "")
    known = [name[2:] for action in parser._actions for name in action.option_strings if name.startswith("--")]
    likely = nearest(option.lstrip("-"), known, cutoff=0.6) if len(option) > 2 else []
    hint = f"; nearest: {', '.join(f'--{name}' for name in likely)}" if likely else ""
    return f"unrecognized arguments: {' '.join(words)}{hint}"


def module_of(command: str) -> ModuleType:
    """The module of a command."""
    return import_module(_MODULES[command])


def configure(command: str, parser: argparse.ArgumentParser) -> None:
    """Add the arguments of a command to a parser: its own, and those that every command has."""
    module_of(command).configure(parser)
    declared.add(parser, declared.TALK)


class _ErrorsOnly(io.TextIOBase):
    """A stream that lets only those lines through which say that an answer is wrong; other errors are raised."""

    def __init__(self, stream: TextIO) -> None:
        self._stream, self._begun = stream, ""

    def write(self, text: str) -> int:
        *lines, self._begun = (self._begun + text).split("\n")
        self._stream.writelines(f"{line}\n" for line in lines if line.startswith("tiler: wrong"))
        return len(text)


def _talking(args: argparse.Namespace) -> AbstractContextManager[object]:
    """While this is open, stderr has what --quiet or --verbose asks for."""
    if args.quiet:
        return redirect_stderr(_ErrorsOnly(sys.stderr))
    if args.verbose:
        from tiler.render import ticker

        return ticker.as_lines()
    return nullcontext()


def _load(files: Sequence[str]) -> None:
    """Load the user's own solvers: those in files, and the programs that `tiler.toml` declares."""
    from tiler.backends import registry

    registry.load_declared()
    if files:
        from tiler.backends import plugins

        for path in files:
            plugins.load(path)


def _read_files_of_specs(args: argparse.Namespace) -> None:
    """Put the content of files in the place of their names in the specs of solvers, as in `backtracking:cells=FILE`."""
    for name in ("solver", "solvers"):
        given = getattr(args, name, None)
        specs = given if isinstance(given, list) else [given] if isinstance(given, str) else []
        if any("=" in spec for spec in specs):
            from tiler.backends.registry import with_files

            read = [with_files(spec, Path()) for spec in specs]
            setattr(args, name, read if isinstance(given, list) else read[0])


class _UsageError(TilerError):
    exit_code = 2


def _overview() -> str:
    width = max(map(len, COMMANDS)) + 1
    commands = "\n".join(f"  {name:{width}}{module_of(name).HELP}" for name in COMMANDS)
    return f"""\
usage: tiler COMMAND ... (tiler COMMAND --help says more)

Tiling problems with polyominoes and polycubes: decide, count, draw, compare.

commands:
{commands}

examples:
  tiler solve 4L/10x10_u
  tiler solve 11x7 4T 3:3I
  tiler count 8x8 2 --time-limit 1m
  tiler bench --filter many-unique

{_EXITS}"""


def _fail(text: str, status: int) -> int:
    try:
        sys.stderr.write(f"tiler: {_one_line(text)}\n")
        sys.stderr.flush()
    except OSError:  # Then nobody can read the message.
        _drop(sys.stderr)
    return status


def _one_line(text: str) -> str:
    line = printable.line(" ".join(text.split()))
    # A message may quote a whole file; what is wrong with it stands at the end.
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST // 2]} ... {line[-_LONGEST // 2 :]}"
