"""`tiler solve`: find out whether there is a tiling, and show one, some or all."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from tiler.amounts import counted
from tiler.cli.questions import exact_covers
from tiler.cli.questions.live_view import Watcher
from tiler.cli.shared import arguments, objectives, output
from tiler.cli.shared.album import Album, add_lengths, add_look, look_of
from tiler.errors import BadOption
from tiler.formats import tilings
from tiler.model.expected import Status
from tiler.question.quantities import positive
from tiler.question.question import Goal, Question
from tiler.question.result import Stop
from tiler.render import text

if TYPE_CHECKING:
    from tiler.ask.session import Placements
    from tiler.ask.solve import TilingAnswer
    from tiler.model.instance import Instance
    from tiler.render.options import PictureLook

HELP = "decide whether a board can be tiled, and draw a tiling"
EXAMPLES = """\
  tiler solve problems/4L/10x10_u.txt
  tiler solve 11x7 4T 3:3I
  tiler solve 8x8 2 --limit 3
  tiler solve 3x3x3 1:3L 1:4L 1:4S 1:4T 1:4branch 1:4left 1:4right
  tiler solve problems/many-unique/5r-06x10_s.txt -o tiling.svg
  tiler solve 6x10 1:pentominoes --all --up-to-symmetry -o pages.pdf
  tiler solve 4x4x4 4L 4T --limit 9 -o view.html
  tiler solve classic/soma_s -o cube.3mf --unit 20 --gap 0.3
  tiler solve 6x6 4L 3I --trace --solver dlx -o search.html
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

_DRAWN = (*output.PAGES, *output.SOLIDS)
_WORDS = {
    Status.SAT: "sat: there is a tiling",
    Status.UNSAT: "unsat: there is no tiling",
    Status.UNKNOWN: "unknown",
}


def configure(parser: argparse.ArgumentParser) -> None:
    arguments.add_problem(parser, covers=True)
    arguments.add_search(parser)
    arguments.add_executor(parser)
    arguments.add_features(parser)
    several = parser.add_mutually_exclusive_group()
    several.add_argument("--all", action="store_true", help="print every tiling as soon as it is found")
    several.add_argument("--limit", metavar="N", type=positive, help="print the first N tilings")
    objectives.add(several)
    several.add_argument("--unique", action="store_true", help="say whether there is exactly one tiling up to symmetry")
    parser.add_argument(
        "--format",
        choices=("text", "json", *output.LISTS, "dimacs", *output.PAGES, *output.SOLIDS),
        help="choose the format (default: the ending of OUT, else text)",
    )
    parser.add_argument("-o", "--output", metavar="OUT", help="write the tilings to a file, and only the verdict to stdout")
    add_look(parser)
    add_lengths(parser.add_argument_group("a tiling in plastic (-o solution.stl, or .3mf with every piece an object)"))
    parser.add_argument(
        "--watch",
        action="store_true",
        help="draw the search in the terminal while it runs (by dlx, unless --solver names another)",
    )
    parser.add_argument(
        "--proof",
        metavar="FILE",
        help="write a DRUP proof that there is no tiling, and its clauses into a .cnf beside it; needs --solver sat",
    )


def run(args: argparse.Namespace) -> int:
    if arguments.is_cover(args):
        return exact_covers.solve(args)
    form = output.format_of(args.format, args.output, (*_WRITERS, *_DRAWN, *output.LISTS))
    limit = 2 if args.unique else args.limit
    if form in _DRAWN and args.unique:
        raise BadOption(f"whether it is unique is no picture ({form}); leave out --unique")
    if form in _DRAWN and form != "svg" and args.output in (None, "-"):
        raise BadOption(f"a {form} goes into a file: -o tiling.{form}")
    look = look_of(args, form)
    executor, goal = args.executor, arguments.goal_of(args)
    if executor and goal is Goal.OPTIMISE:
        raise BadOption("the heaviest tiling is found by one search; leave out --executor, or --optimise")
    if args.watch and (executor or args.trace):
        raise BadOption("--watch follows one search on the terminal: leave out --executor and --trace")
    if args.proof:
        _refuse_unproving(args.solver)
        if executor:
            raise BadOption("a proof is of one search; leave out --executor")
        if goal in (Goal.ENUMERATE, Goal.OPTIMISE):
            raise BadOption("a proof says that there is no tiling; leave out --all, --limit, --unique or --optimise")
    instance, best_of = objectives.of(args, arguments.read_problem(args))
    features = arguments.features_of(args)
    question = Question(goal, arguments.limits(args, limit), args.up_to_symmetry or args.unique, features=features)
    if form in output.LISTS:
        return _list(args, instance, question, form)
    with _proof_writer(args.proof) as write_proof, output.opened(args.output, even_empty=form not in _DRAWN) as out:
        album = Album(instance, form, look) if form in _DRAWN else None
        write = album.add if album else _WRITERS[form](out, instance, look)
        on_node = album.step if album and args.trace else Watcher.of(instance) if args.watch else None
        answer = arguments.ask(
            args,
            instance,
            question,
            None if goal is Goal.OPTIMISE else write,
            executor=executor,
            on_node=on_node,
        )
        for best in answer.solutions:  # Tilings come heavier and heavier; the last one counts.
            write(best)
        write_proof(answer)
        if album:
            album.write(out)
        shown = answer.result.found > 0 and form != "dimacs"
        if form == "json":
            unique = {"unique": is_unique(answer)} if args.unique else {}
            objective = {"objective": best_of.name} if goal is Goal.OPTIMISE else {}
            print(json.dumps({**answer.summary(), **objective, **unique}), file=out)
        elif form == "dimacs":
            print(f"s {arguments.DIMACS[answer.result.status][0]}", file=out)
        elif form == "text" and not shown:
            print(verdict(answer, best_of), file=out)
        elif form == "text" and goal is Goal.OPTIMISE:
            print(f"\n{best_of.in_words(answer)}", file=out)
        elif form == "text" and goal is Goal.ENUMERATE:
            print(f"\n{_unique(answer) if args.unique else _how_many(answer)}", file=out)
        elif album and not shown and not album.steps:
            print(f"tiler: {verdict(answer, best_of)}; nothing to draw", file=sys.stderr)
    if args.output and out is not sys.stdout:
        print(verdict(answer, best_of))
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
        print(_how_many(answer) if answer.result.found else verdict(answer))
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
                why = f"this takes no search: {verdict(answer)}" if answer.result.status is Status.UNSAT else verdict(answer)
                kept = "".join(f"; {output.left_alone(each)}" for each in (path, beside) if Path(each).is_file())
                print(f"tiler: no proof written; {why}{kept}", file=sys.stderr)

        yield write


def verdict(answer: TilingAnswer, best_of: objectives.Objective = objectives.WEIGHT) -> str:
    """The verdict in a line, with the reason if there is one."""
    if answer.result.bound is not None and answer.result.status is Status.UNKNOWN:
        return f"{_WORDS[Status.UNKNOWN]}: {best_of.in_words(answer)}"
    why = arguments.reason(answer) if answer.result.stop is not Stop.SOLUTIONS else ""
    return _WORDS[answer.result.status] + (f" ({why})" if why and answer.result.status is not Status.SAT else "")


def _how_many(answer: TilingAnswer) -> str:
    found = answer.result.found
    number = f"{counted(found, 'tiling')}{arguments.symmetry_in_words(answer)}"
    if answer.result.stop is Stop.DONE:
        return f"{number}, no more"
    return f"the first {number}" + ("" if answer.result.stop is Stop.SOLUTIONS else f" ({arguments.reason(answer)})")


def is_unique(answer: TilingAnswer) -> bool | None:
    """Whether there is exactly one tiling up to symmetry, of an answer with two at most; None if that is not known."""
    found = answer.result.found
    return False if found > 1 else found == 1 if answer.result.stop is Stop.DONE else None


def _unique(answer: TilingAnswer) -> str:
    """Whether the tiling found is the only one, in words."""
    order = f"up to symmetry (a group of {answer.symmetry})"
    unique = is_unique(answer)
    if unique is None:
        return f"unknown ({arguments.reason(answer)})"
    return f"unique: the only tiling {order}" if unique else f"not unique: there is another tiling {order}"


def _write_text(out: TextIO, instance: Instance, look: PictureLook) -> Callable[[Placements], None]:
    colour, width = output.is_coloured(out), output.width_of(out)
    first = True

    def write(solution: Placements) -> None:
        nonlocal first
        print(_WORDS[Status.SAT] if first else "", file=out)
        print(text.draw(instance, solution, colour=colour, width=width, look=look), file=out)
        first = False

    return write


def _write_json(out: TextIO, instance: Instance, look: PictureLook) -> Callable[[Placements], None]:
    return lambda solution: print(tilings.line(solution), file=out)


def _write_nothing(out: TextIO, instance: Instance, look: PictureLook) -> Callable[[Placements], None]:
    return lambda solution: None


_WRITERS = {
    "text": _write_text,
    "json": _write_json,
    "dimacs": _write_nothing,
}
