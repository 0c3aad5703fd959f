"""`tiler solve`: find out whether there is a tiling, and show one, some or all."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from tiler.amounts import counted
from tiler.cli.questions import exact_covers
from tiler.cli.shared import arguments, declared, output, verdicts
from tiler.cli.shared.album import Album, add_lengths, add_look, look_of
from tiler.errors import BadOption
from tiler.formats import tilings
from tiler.model.expected import Status
from tiler.question.parameters import COMMON, WORDS, declare, fields_of, parameter
from tiler.question.question import Goal, Question
from tiler.render import text

if TYPE_CHECKING:
    from tiler.ask.solve import TilingAnswer
    from tiler.model.instance import Instance
    from tiler.model.tile import Placement

HELP = "decide whether a board can be tiled, and draw a tiling"
EXAMPLES = """\
  tiler solve problems/4L/10x10_u.txt
  tiler solve 11x7 4T 3:3I
  tiler solve heart.txt 5F 5N 5P 5W    (the board of a file with other pieces)
  tiler solve problems/classic/ problems/4L/06x06_u.txt    (several, folders too)
  tiler solve 8x8 2 --limit 3
  tiler solve 3x3x3 1:3L 1:4L 1:4S 1:4T 1:4branch 1:4left 1:4right
  tiler solve problems/many-unique/5r-06x10_s.txt -o tiling.svg
  tiler solve 6x10 1:pentominoes --all --up-to-symmetry -o pages.pdf
  tiler solve 4x4x4 4L 4T --limit 9 -o view.html
  tiler solve classic/soma_s -o cube.3mf --unit 20 --gap 0.3
  tiler solve 6x6 4L 3I --trace --solver dlx -o search.html
  tiler solve 6x6 4L 3I --trace --solver dlx -o search.gif
  tiler solve 4x4 2 --all --up-to-symmetry
  tiler solve 4x4 2 --all --format json
  tiler solve 8x6 2 --all -o all.npz
  tiler solve 6x10 1:pentominoes --all -o all.jsonl && tiler check 6x10 1:pentominoes all.jsonl
  tiler solve 8x8 5X --maximise cells
  tiler solve 7x5 5Y 3I --open 1 --minimise pieces
  tiler solve 6x8 2 --fault-free
  tiler solve 6x10 1:pentominoes --watch
  tiler solve problems/4L/10x10_u.txt --threads 1
  tiler solve problems/4L/06x06_u.txt --solver sat --proof out.drup
  tiler solve sudoku.dlx --all    (a general exact cover, in the format of Knuth's programs)
"""

_DRAWN = (*output.PAGES, *output.SOLIDS, "gif")
_EVERY = 0.1  # seconds between pictures of a search that is watched
_OPTIONS = declare(
    all=parameter(False, "print every tiling as soon as it is found", excludes="several"),
    unique=parameter(
        False, "say whether there is exactly one tiling up to symmetry: tiler count --up-to-symmetry says 1", excludes="several"
    ),
    watch=parameter(False, "draw the search in the terminal while it runs (by dlx, unless --solver names another)"),
    proof=parameter(
        None,
        "write a DRUP proof that there is no tiling, and its clauses into a .cnf beside it; needs --solver sat",
        WORDS,
        metavar="FILE",
    ),
)
_LIMIT = {"help": "print the first N tilings", "absent": ""}


def configure(parser: argparse.ArgumentParser) -> None:
    arguments.add_problem(parser, covers=True)
    arguments.add_search(parser, "up_to_symmetry", "trace")
    declared.add(parser, COMMON, "executor")
    arguments.add_features(parser)
    declared.add(parser, fields_of(COMMON, verdicts.OPTIONS, _OPTIONS), "all", "limit", *verdicts.OPTIONS, "unique", limit=_LIMIT)
    output.add(
        parser, "write the tilings to a file, and only the verdict to stdout", "text", "json", *output.LISTS, "dimacs", *_DRAWN
    )
    add_look(parser)
    add_lengths(parser.add_argument_group("a tiling in plastic (-o solution.stl, or .3mf) or wood (-o solution.dxf)"))
    declared.add(parser, _OPTIONS, "watch", "proof")


@arguments.one_by_one
def run(args: argparse.Namespace) -> int:
    if declared.is_cover(args):
        return exact_covers.solve(args)
    form = output.format_of(args.format, args.output, (*verdicts.FORMATS, *_DRAWN, *output.LISTS))
    limit = 2 if args.unique else args.limit
    if form in _DRAWN and args.unique:
        raise BadOption(f"whether it is unique is no picture ({form}); leave out --unique")
    if form == "gif" and not args.trace:
        raise BadOption("a moving picture shows a search: --trace --solver dlx")
    look = look_of(args, form)
    goal = verdicts.goal_of(args)
    if args.proof:
        _refuse_unproving(args.solver)
    instance, best_of = verdicts.of(args, arguments.read_problem(args))
    features = arguments.features_of(args)
    question = Question(goal, arguments.limits(args, limit), args.up_to_symmetry or args.unique, features=features)
    if form in output.LISTS:
        return _list(args, instance, question, form)
    with _proof_writer(args.proof) as write_proof, output.opened(args.output, even_empty=form not in _DRAWN) as out:
        album = Album(instance, form, look) if form in _DRAWN else None
        width = output.width_of(out)
        drawn = partial(text.draw, instance, colour=output.is_coloured(out), width=width, look=look)
        write = album.add if album else verdicts.writer(out, form, drawn, tilings.line)
        on_node = album.step if album and args.trace else Watcher.of(instance) if args.watch else None
        answer = arguments.ask(
            args,
            instance,
            question,
            None if goal is Goal.OPTIMISE else write,
            executor=args.executor,
            on_node=on_node,
        )
        for best in answer.solutions:  # Tilings come heavier and heavier; the last one counts.
            write(best)
        write_proof(answer)
        if album:
            album.write(out)
        words = verdicts.write_verdict(args, out, form, answer, best_of)
        if album and not answer.result.found and not album.steps:
            print(f"tiler: {words[0]}; nothing to draw", file=sys.stderr)
    if args.output and out is not sys.stdout:
        print(*words, sep="\n")
    return arguments.exit_status(answer, dimacs=form == "dimacs")


def _list(args: argparse.Namespace, instance: Instance, question: Question, form: str) -> int:
    """Write the tilings in blocks."""
    from tiler.formats.tiling_lists import ListWriter

    if question.goal is Goal.OPTIMISE or args.unique or args.watch or args.proof:
        raise BadOption(f"a .{form} is a list of tilings: ask for --all, or --limit N; for other questions write a .json")
    with ListWriter.of(form, args.output) as writer:
        answer = arguments.ask(args, instance, question, executor=args.executor, writer=writer)
        writer.answer = answer.summary()
    if args.output not in (None, "-"):
        print(verdicts.how_many(answer) if answer.result.found else verdicts.verdict(answer))
    return arguments.exit_status(answer)


def _refuse_unproving(spec: str) -> None:
    """BadOption if a spec names a solver whose proofs are not in DRUP."""
    from tiler.backends.registry import parse_spec
    from tiler.backends.sat import Sat

    backend = parse_spec(spec)
    if not isinstance(backend, Sat):
        raise BadOption(f"--proof: {backend.name} writes no DRUP proofs; sat does: --solver sat")


@contextmanager
def _proof_writer(path: str | None) -> Iterator[Callable[[TilingAnswer], None]]:
    """A function that writes the proof in an answer to its two files, or says why there is none; without a path it does
    nothing."""
    if path is None:
        yield lambda answer: None
        return
    from tiler.backends.sat.dimacs import cnf_beside
    from tiler.question.drup import Drup

    beside = cnf_beside(path)
    with output.opened(path, even_empty=False, quiet=True) as drup, output.opened(beside, even_empty=False, quiet=True) as cnf:

        def write(answer: TilingAnswer) -> None:
            proof = answer.result.certificate
            if isinstance(proof, Drup):
                drup.writelines(f"{line}\n" for line in proof.drup)
                cnf.writelines(f"{line}\n" for line in proof.cnf)
            else:
                known = "this takes no search: " if answer.result.status is Status.UNSAT else ""
                kept = "".join(f"; {output.left_alone(each)}" for each in (path, beside) if Path(each).is_file())
                print(f"tiler: no proof written; {known}{verdicts.verdict(answer)}{kept}", file=sys.stderr)

        yield write


class Watcher:
    """Takes the placements made so far, after every node, and draws some of them, each picture over the one before."""

    def __init__(self, draw: Callable[[Sequence[Placement]], str], stream: TextIO, room: int) -> None:
        """`room` is the number of lines of the terminal."""
        self._draw, self._stream, self._room = draw, stream, room
        self._next, self._lines, self._nodes = 0.0, 0, 0

    @classmethod
    def of(cls, instance: Instance) -> Watcher:
        """A watcher that draws on stderr. BadOption if stderr is no terminal."""
        if not sys.stderr.isatty():
            raise BadOption("--watch draws in a terminal; for a file there is --trace, as text or with -o search.html")
        import shutil

        coloured, (width, lines) = output.is_coloured(sys.stderr), shutil.get_terminal_size()

        def draw(stack: Sequence[Placement]) -> str:
            return text.draw(instance, stack, colour=coloured, width=width)

        return cls(draw, sys.stderr, lines)

    def __call__(self, stack: Sequence[Placement], _cell: object) -> None:
        self._nodes += 1
        now = time.perf_counter()
        if now < self._next:
            return
        self._next = now + _EVERY
        picture = self._draw(stack).rstrip("\n").split("\n")
        if len(picture) + 2 > self._room:
            high = f"the board takes {len(picture)} lines, and the terminal has {self._room}"
            raise BadOption(f"{high}: make it higher, or --trace -o search.html")
        back = f"\033[{self._lines}A" if self._lines else ""
        lines = [*picture, f"{counted(self._nodes, 'node')}, {len(stack)} placed"]
        self._stream.write(back + "".join(f"\r\033[K{line}\n" for line in lines))
        self._stream.flush()
        self._lines = len(lines)
