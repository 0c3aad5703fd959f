"""Share code among the commands that ask a solver: the arguments of a problem and of a search, Ctrl-C, progress, exit status."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Hashable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from tiler import printable
from tiler.ask.features.predicates import FEATURES
from tiler.cli import reading
from tiler.cli.main import INTERRUPTED
from tiler.cli.shared import counters, declared, output
from tiler.errors import BadOption, InputError
from tiler.model.expected import Status
from tiler.model.instance import NO_TILE
from tiler.process import threads
from tiler.question.parameters import COMMON, PROBLEM
from tiler.question.question import Goal, Limits, Question
from tiler.question.result import Stop

if TYPE_CHECKING:
    from tiler.ask.session import Placements, Rows
    from tiler.ask.solve import Answered, CoverAnswer, TilingAnswer
    from tiler.backends.base import Backend
    from tiler.cover.cover import RowCover
    from tiler.door.monitoring import Following
    from tiler.formats.tiling_lists import ListWriter
    from tiler.model.instance import Instance

S = TypeVar("S")

_CONSTRAINTS = {
    "lock": ("TILE N", "let a tile lie in its first N orientations only (default: 1)"),
    "within": ("TILE ROW,COL..ROW,COL", "let a tile lie only inside this box of cells"),
    "place": ("TILE ROW,COL ROW,COL ...", "put a copy of a tile on exactly these cells"),
    "only": ("TILE ROW,COL ...", "let copies of a tile lie only on these cells, listed copy by copy"),
    "forbid": ("ROW,COL ... for TILE", "let no copy of a tile cover these cells"),
}

_OF_BOARDS = (
    *("legend", "mates", "fits", "checkered", "border_marks", "as_named", "lattice", "wrap", "no_crossing", "no_turning"),
    *("open", "open_cells", "by_open", "up_to_symmetry", "unique", "proof", "by_cell", "checkpoint"),
    *("colours", "marks", "size", "names", "unit", "gap", "height", "executor", "watch", "maximise", "minimise"),
    *(name.replace("-", "_") for name in FEATURES),
)

#: Options about colours and marks for boards written on the command line, by the names of the same settings in files.
_PAINT = {"legend": "colours", "mates": "mates", "fits": "fits", "checkered": "checkered"}

_WATCHED = "dlx"

DIMACS = {Status.SAT: ("SATISFIABLE", 10), Status.UNSAT: ("UNSATISFIABLE", 20), Status.UNKNOWN: ("UNKNOWN", 0)}


def picture_of(out: str | None) -> str:
    """The format of a file to draw in, or nothing if none is named. BadOption if its name does not end like a picture's."""
    form = Path(out or "").suffix.lower().removeprefix(".")
    if out and form not in output.PICTURES:
        ends = ", ".join(f".{each}" for each in output.PICTURES)
        raise BadOption(f"{printable.line(out)}: the name of a picture must end in {ends}")
    return form


def add_problem(parser: argparse.ArgumentParser, *, covers: bool = False) -> None:
    """Add the arguments of a problem; with `covers` it may also be a general exact cover: see `is_cover`."""
    parser.add_argument(
        "problem", nargs="+", metavar="FILE|-|SHAPES", help="a problem file, - for standard input, or a board and tiles"
    )
    if covers:
        add_dlx(parser)
    declared.add(
        parser,
        PROBLEM,
        *("reflections", "as_named", "lattice", "wrap", "turning", "crossing", "open"),
        reflections="allow tiles to be turned over in the plane, or mirrored in space (default: as the file says, or as sets of "
        "pieces ask for, else no)",
    )
    parser.add_argument(
        "--open-cells",
        metavar='"jan 31"',
        help="leave exactly these cells open, of those marked o (of all, if none is marked): labels, or ROW,COL",
    )
    painted = parser.add_argument_group("colours and marks, if the board is on the command line")
    declared.add(painted, PROBLEM, *_PAINT)
    painted.add_argument(
        "--border-marks",
        action="append",
        default=[],
        metavar='"MARK ... at PLACE ..."',
        help="demand one of these marks on the border, or on its sides at top, right, bottom, left (as often as wanted)",
    )
    forms = parser.add_argument_group("constraints, each as often as wanted")
    for kind, (form, about) in _CONSTRAINTS.items():
        forms.add_argument(f"--{kind}", action="append", default=[], metavar=f'"{form}"', help=about)
    parser.add_argument(
        "--weight",
        action="append",
        default=[],
        metavar='"TILE N"',
        help="set the weight of each copy of a tile, for the heaviest tiling (as often as wanted; default: 0)",
    )


def add_dlx(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--dlx", action="store_true", help="read FILE as a general exact cover in Knuth's format, as if its name ended in .dlx"
    )


def add_search(parser: argparse.ArgumentParser) -> None:
    declared.add(parser, COMMON, "solver")
    add_load(parser)
    declared.add(parser, COMMON, "seconds", "memory", "threads", "up_to_symmetry")
    parser.add_argument(
        "--stats", action="store_true", help="print the plan, the seconds and the counters of the search on stderr"
    )
    parser.add_argument("--trace", action="store_true", help="print every placement and removal on stderr (slow)")


def add_features(parser: argparse.ArgumentParser) -> None:
    """Add the options that filter tilings by features: see ask/features/predicates.py."""
    group = parser.add_argument_group("keep only tilings with all of these features")
    for feature in FEATURES.values():
        group.add_argument(f"--{feature.name}", action="store_true", help=feature.help)


def features_of(args: argparse.Namespace) -> tuple[str, ...]:
    """The features that the arguments ask for."""
    return tuple(name for name in FEATURES if getattr(args, name.replace("-", "_")))


def add_load(parser: argparse.ArgumentParser) -> None:
    """For commands that take a solver; see cli/main.py."""
    parser.add_argument("--load", metavar="FILE.py", action="append", help="load a file with solvers of your own")


def threads_of(args: argparse.Namespace) -> int:
    """How many threads a search may have."""
    return getattr(args, "threads", None) or threads.default_threads()


def add_executor(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--executor",
        metavar="local:N|dask:ADDRESS",
        help="split a long search among processes of one thread each: N processes on this machine, for solvers that cannot use "
        "threads, or the workers of a Dask cluster; the memory limit is for each process",
    )


@reading.in_time
def read_problem(args: argparse.Namespace, *, board_alone: bool = False) -> Instance:
    """The instance that the arguments of `add_problem` name. InputError if it has no tiles, unless it may be a `board_alone`."""
    from tiler import formats

    if is_cover(args):
        takers = "tiler solve, count, convert and check take it"
        raise BadOption(f"{printable.line(args.problem[0])} is a general exact cover, which has no board; {takers}")
    if len(args.problem) == 1:
        instance = formats.read(
            args.problem[0],
            reflections=args.reflections,
            as_named=args.as_named,
            tell=lambda note: print(f"tiler: note: {note}", file=sys.stderr),
        )
        read = instance
        if not board_alone and not instance.tiles:
            raise InputError(NO_TILE, "<stdin>" if args.problem[0] == "-" else args.problem[0])
        if args.lattice is not None and args.lattice != instance.lattice.name:
            raise BadOption(f"--lattice {args.lattice}: the file has its own lattice, {instance.lattice}; leave out --lattice")
        if args.wrap is not None:
            raise BadOption("--wrap: leave it out; the file says whether its board is wrapped")
        for name in (*_PAINT, "border_marks"):
            if getattr(args, name):
                raise BadOption(f"--{name.replace('_', '-')}: leave it out; the file has its own colours and marks")
        crossing, turning = instance.crossing and not args.no_crossing, instance.turning and not args.no_turning
        instance = replace(instance, crossing=crossing, turning=turning)
    else:
        if args.wrap is not None and {"rows", "columns"} & set(args.problem):
            raise BadOption('--wrap takes both directions as one word: --wrap "rows columns"')
        instance = formats.inline(
            args.problem,
            reflections=args.reflections,
            lattice=args.lattice,
            wrap=args.wrap,
            crossing=not args.no_crossing,
            turning=not args.no_turning,
            as_named=args.as_named,
            paint={key: getattr(args, name) for name, key in _PAINT.items()},
            border=args.border_marks,
        )
        read = instance
    if args.open is not None:
        instance = formats.opened(instance, args.open)
    if args.open_cells is not None:
        instance = instance.with_open(args.open_cells)
    instance = formats.constrained(instance, [(kind, text) for kind in _CONSTRAINTS for text in getattr(args, kind)])
    # The answer that a file expects is the answer to the file's own question.
    instance = instance if instance == read else replace(instance, about=instance.about.unanswered)
    return formats.weighed(instance, args.weight)


def is_cover(args: argparse.Namespace) -> bool:
    """Whether the problem is a general exact cover, not a board with tiles."""
    return len(args.problem) == 1 and (getattr(args, "dlx", False) or args.problem[0].lower().endswith(".dlx"))


@reading.in_time
def read_cover(args: argparse.Namespace) -> RowCover:
    """The general exact cover that the arguments of `add_problem` name; BadOption if another argument is about a board."""
    from tiler import formats
    from tiler.formats import dlx

    for name in (*_CONSTRAINTS, *_OF_BOARDS):
        if getattr(args, name, None):
            raise BadOption(f"--{name.replace('_', '-')} is about boards; {printable.line(args.problem[0])} is an exact cover")
    if args.reflections is not None:
        raise BadOption("--reflections is about boards, not about a general exact cover")
    path = args.problem[0]
    cover = dlx.parse(formats.load(path, dlx.MAX_BYTES), source="<stdin>" if path == "-" else path)
    return dlx.weighed(cover, args.weight)


def goal_of(args: argparse.Namespace) -> Goal:
    """The goal of `tiler solve`."""
    if args.optimise or args.maximise or args.minimise:
        return Goal.OPTIMISE
    return Goal.ENUMERATE if args.all or args.limit or args.unique else Goal.PROVE if args.proof else Goal.DECIDE


def limits(args: argparse.Namespace, solutions: int | None = None) -> Limits:
    """The limits that the arguments name; a command need not have all of them."""
    time_limit, memory_limit = getattr(args, "time_limit", None), getattr(args, "memory_limit", None)
    return Limits(time_limit, memory_limit, solutions, threads=threads_of(args))


def ask(
    args: argparse.Namespace,
    instance: Instance,
    question: Question,
    on_solution: Callable[[Placements], None] | None = None,
    checkpoint: str | None = None,
    executor: str | None = None,
    on_node: Callable[[Placements, Hashable], None] | None = None,
    writer: ListWriter | None = None,
) -> TilingAnswer:
    """Ask the solver the arguments name, with progress on a terminal; Ctrl-C ends the search, and what is known is the answer.

    `on_node` is called with the placements that `--trace` would print. A `writer` takes the tilings in blocks; progress has its
    pace.
    """
    from tiler.ask.solve import solve
    from tiler.door.monitoring import following

    backend = _backend(args)
    if args.trace and executor:
        raise BadOption("--trace follows one search: leave out --executor")
    with following(True) as follow:
        if args.trace and on_node is None:
            on_node = counters.tracer(sys.stderr, counters.placed)
        kept = None
        if checkpoint is not None:
            from tiler.ask.checkpoint import Checkpoint

            kept = Checkpoint.open(Path(checkpoint), instance, backend, question, split=bool(executor))
        answer = solve(
            instance,
            backend,
            question,
            on_solution=follow.showing(on_solution),
            on_tick=follow.tick,
            on_node=on_node,
            on_block=None if writer is None else follow.writing(writer),
            checkpoint=kept,
            executor=executor,
        )
        follow.keep_line(answer.result.stop)
    if kept and answer.result.stop is Stop.DONE:
        kept.remove()
    if args.stats:
        print(counters.table(answer), file=sys.stderr)
    return answer


def ask_cover(
    args: argparse.Namespace, cover: RowCover, question: Question, on_solution: Callable[[Rows], None] | None = None
) -> CoverAnswer:
    """Ask the solver that the arguments name about a general exact cover."""
    from tiler.ask.solve import solve_cover
    from tiler.door.monitoring import following

    def in_words(row: int) -> str:
        return " ".join(map(str, cover.rows[row]))

    backend, name = _backend(args), "" if args.problem[0] == "-" else args.problem[0]
    with following(True, noun="solutions") as follow:
        on_node = counters.tracer(sys.stderr, in_words) if args.trace else None
        show = follow.showing(on_solution)
        answer = solve_cover(cover, backend, question, name=name, on_solution=show, on_tick=follow.tick, on_node=on_node)
        follow.keep_line(answer.result.stop)
    if args.stats:
        print(counters.table(answer), file=sys.stderr)
    return answer


def _backend(args: argparse.Namespace) -> Backend:
    """The solver that the arguments name; if they name none and the search is to be watched, a solver that can be watched."""
    from tiler.ask.solve import DEFAULT_SOLVER
    from tiler.backends.registry import parse_spec

    watched = getattr(args, "watch", False)
    backend = parse_spec(_WATCHED if watched and args.solver == DEFAULT_SOLVER else args.solver)
    if (args.trace or watched) and not backend.can_trace:
        raise BadOption(f"{backend.name} cannot trace its search")
    return backend


def exit_status(answer: Answered[Any], *, dimacs: bool = False) -> int:
    """The exit status of an answer; an answer that contradicts the problem file is reported on stderr. `dimacs`: the status of
    SAT solvers."""
    if contradicts(answer):
        return 4
    if dimacs and answer.result.stop not in (Stop.INTERRUPTED, Stop.ERROR):
        return DIMACS[answer.result.status][1]
    if answer.result.stop is Stop.INTERRUPTED:
        return INTERRUPTED
    if answer.result.stop is Stop.ERROR:
        return 1
    return 0 if answer.result.stop in (Stop.DONE, Stop.SOLUTIONS) else 3


def ended(follow: Following, *, known: bool, quiet: bool = False) -> int:
    """The exit status of several searches that were followed; what ended them is said on stderr, unless `quiet`."""
    if follow.stop is not None and not quiet:
        print(f"tiler: {follow.reason}", file=sys.stderr)
    if follow.stop is Stop.INTERRUPTED:
        return INTERRUPTED
    return 0 if known and follow.stop is None else 3


def contradicts(answer: Answered[Any]) -> str:
    """A sentence that says how an answer contradicts the problem file; empty if it does not. It is also printed on stderr."""
    expected, result = answer.expected, answer.result
    text = ""
    known = expected.count if answer.symmetry is None else expected.up_to_symmetry
    if result.count is not None and known is not None and result.count != known:
        text = f"counted {result.count}, but the problem file expects {known}"
    elif Status.UNKNOWN is not result.status is not (expected.verdict or result.status):
        text = f"the answer is {result.status}, but the problem file expects {expected.verdict}"
    if text:
        print(f"tiler: wrong: {printable.line(f'{text} ({answer.solver})')}", file=sys.stderr)
    return text


def symmetry_in_words(answer: Answered[Any]) -> str:
    """`up to symmetry (a group of 8)`, or nothing for a raw answer."""
    return "" if answer.symmetry is None else f" up to symmetry (a group of {answer.symmetry})"


def reason(answer: Answered[Any]) -> str:
    """Words that say why a search stopped, or how the answer is known; may be empty."""
    return answer.result.reason
