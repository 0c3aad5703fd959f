"""Share code among the commands that ask a solver: the arguments of a problem and of a search, Ctrl-C, progress, exit status."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from tiler import printable
from tiler.ask.features.predicates import FEATURES
from tiler.cli.main import INTERRUPTED
from tiler.cli.shared import counters, declared, verdicts
from tiler.cli.shared.declared import OPTIONS
from tiler.errors import BadOption, InputError, Unfinished
from tiler.model.instance import NO_TILE, Instance
from tiler.process import interrupts, threads
from tiler.question.parameters import (
    BOARD_SETTINGS,
    COMMON,
    CONSTRAINTS,
    PAINT_SETTINGS,
    PROBLEM,
    WORDS,
    declare,
    fields_of,
    parameter,
)
from tiler.question.question import Goal, Limits, Question
from tiler.question.result import Stop

if TYPE_CHECKING:
    from tiler.api.monitoring import Following
    from tiler.ask.session import Rows
    from tiler.ask.solve import Answered, CoverAnswer, TilingAnswer
    from tiler.backends.base import Backend
    from tiler.cover.cover import RowCover
    from tiler.formats.tiling_lists import ListWriter
    from tiler.model.tile import Placements

P = ParamSpec("P")
T = TypeVar("T")

#: The least time that reading has: some limits are shorter than the imports of the modules that read.
LEAST_SECONDS = 2.0

BOARD = declare(
    dlx=parameter(False, "read FILE as a general exact cover in Knuth's format, as if its name ended in .dlx"),
    open_cells=parameter(
        None,
        "leave exactly these cells open, of those marked o (of all, if none is marked): labels, or ROW,COL",
        WORDS,
        metavar='"jan 31"',
    ),
)
_SEARCH = declare(
    stats=parameter(False, "print the plan, the seconds and the counters of the search on stderr"),
    trace=parameter(False, "print every placement and removal on stderr (slow)"),
)

_READ_WITH_A_FILE = ("reflections", "as_named", "lattice")
_WATCHED = "dlx"


def add_problem(parser: argparse.ArgumentParser, *, covers: bool = False) -> None:
    """Add the arguments of a problem; with `covers` it may also be a general exact cover: see `is_cover`."""
    declared.add(parser, OPTIONS, "problem")
    if covers:
        declared.add(parser, BOARD, "dlx")
    declared.add(
        parser,
        BOARD_SETTINGS,
        *BOARD_SETTINGS,
        reflections="allow tiles to be turned over in the plane, or mirrored in space (default: as the file says, or as sets of "
        "pieces ask for, else no)",
    )
    declared.add(parser, BOARD, "open_cells")
    declared.add(parser.add_argument_group("colours and marks, if the board is on the command line"), PAINT_SETTINGS)
    declared.add(parser.add_argument_group("constraints and weights"), fields_of(CONSTRAINTS, PROBLEM), *CONSTRAINTS, "weights")


def add_search(parser: argparse.ArgumentParser, *names: str) -> None:
    """Add the arguments of a search, and the common parameters of these names."""
    declared.add(
        parser,
        fields_of(COMMON, OPTIONS, _SEARCH),
        *("solver", "load", "seconds", "memory", "threads", *names, "stats"),
    )


def add_features(parser: argparse.ArgumentParser) -> None:
    """Add the options that filter tilings by features: see ask/features/predicates.py."""
    group = parser.add_argument_group("keep only tilings with all of these features")
    for feature in FEATURES.values():
        group.add_argument(
            f"--{feature.name}", action="append_const", const=feature.name, dest="features", default=[], help=feature.help
        )


def features_of(args: argparse.Namespace) -> tuple[str, ...]:
    """The features that the arguments ask for."""
    return tuple(name for name in FEATURES if name in args.features)


def threads_of(args: argparse.Namespace) -> int:
    """How many threads a search may have."""
    return getattr(args, "threads", None) or threads.default_threads()


def in_time(
    read: Callable[Concatenate[argparse.Namespace, P], T],
) -> Callable[Concatenate[argparse.Namespace, P], T]:
    """A function that reads what arguments name, and raises Unfinished at their time limit, but not before `LEAST_SECONDS`, since
    parsers look at no clock. The search has that time again."""

    def limited(args: argparse.Namespace, /, *more: P.args, **named: P.kwargs) -> T:
        limit = getattr(args, "seconds", None)
        seconds = None if limit is None else max(limit, LEAST_SECONDS)

        def ended() -> Unfinished:
            what = printable.shortened(printable.line(" ".join(args.problem)))
            return Unfinished(f"{what}: not read within {seconds:g} s, the time limit", 0, Stop.TIME)

        with interrupts.time_limit(seconds, ended):
            return read(args, *more, **named)

    return limited


@in_time
def read_problem(args: argparse.Namespace, *, board_alone: bool = False) -> Instance:
    """The instance that the arguments of `add_problem` name. InputError if it has no tiles, unless it may be a `board_alone`."""
    from tiler import formats
    from tiler.formats import pieces

    if declared.is_cover(args):
        takers = "tiler solve, count, convert and check take it"
        raise BadOption(f"{printable.line(args.problem[0])} is a general exact cover, which has no board; {takers}")
    path, *beside = args.problem
    names = [name for name in (*BOARD_SETTINGS, *PAINT_SETTINGS) if getattr(args, name) != PROBLEM[name].default]
    settings = declared.values(args, *names)
    opening = {"open": settings.pop("open", None)}
    is_alone = board_alone and not beside and formats.is_board(path, args.lattice) and not Path(path).is_file()
    if not is_alone and (not beside or formats.names_problem(path, args.lattice)):
        # A file, perhaps with a pool of pieces behind it.
        instance = formats.read(
            path,
            reflections=args.reflections,
            as_named=args.as_named,
            tell=lambda note: print(f"tiler: note: {note}", file=sys.stderr),
        )
        if beside:
            instance = pieces.with_pool(instance, beside, args.reflections)
        read = instance
        if not board_alone and not instance.tiles:
            raise InputError(NO_TILE, "<stdin>" if path == "-" else path)
        if args.lattice is not None and args.lattice != instance.lattice.name:
            raise BadOption(f"--lattice {args.lattice}: the file has its own lattice, {instance.lattice}; leave out --lattice")
        own = {name: value for name, value in settings.items() if name not in _READ_WITH_A_FILE}
        instance = formats.with_settings(instance, own)
    else:  # A board and pieces as words.
        if args.wrap is not None and {"rows", "columns"} & set(args.problem):
            raise BadOption('--wrap takes both directions as one word: --wrap "rows columns"')
        instance = formats.inline(args.problem, **settings)
        read = instance
    instance = formats.with_settings(instance, opening)
    if args.open_cells is not None:
        instance = instance.with_open(args.open_cells)
    instance = formats.with_settings(instance, declared.values(args, *CONSTRAINTS))
    # The answer that a file expects is the answer to the file's own question.
    instance = instance if instance == read else replace(instance, about=instance.about.unanswered)
    return formats.with_settings(instance, declared.values(args, "weights"))


@in_time
def read_cover(args: argparse.Namespace) -> RowCover:
    """The general exact cover that the arguments of `add_problem` name."""
    from tiler.formats import dlx

    return dlx.weighed(dlx.read(args.problem[0]), args.weights or ())


def one_by_one(run: Callable[[argparse.Namespace], int]) -> Callable[[argparse.Namespace], int]:
    """A command that runs for each of several problems, each below its name; its exit status is the largest of theirs."""

    def run_each(args: argparse.Namespace) -> int:
        paths = _problems(args)
        if paths is None:
            return run(args)
        if args.output or getattr(args, "proof", None):
            raise BadOption(f"-o and --proof write a file about one problem, and there are {len(paths)}")
        status = 0
        for one in _each(args, paths):
            if args.format in (None, "text"):
                print(f"{printable.line(one.problem[0])}:", flush=True)
            status = max(status, run(one))
            if status == INTERRUPTED:
                break
        return status

    return run_each


def separate(args: argparse.Namespace) -> list[argparse.Namespace]:
    """The arguments for each problem alone."""
    paths = _problems(args)
    return [args] if paths is None else _each(args, paths)


def _each(args: argparse.Namespace, paths: Sequence[str]) -> list[argparse.Namespace]:
    return [argparse.Namespace(**{**vars(args), "problem": [path]}) for path in paths]


def _problems(args: argparse.Namespace) -> list[str] | None:
    """The problems that the words name, if they are several or in a folder; None if they name one problem."""
    from tiler.formats import library, names_problem

    words = args.problem
    if not any(Path(word).is_dir() for word in words) and (len(words) == 1 or "-" in words):
        return None
    if not all(Path(word).is_dir() or names_problem(word, args.lattice) for word in words):
        return None
    paths: list[str] = []
    for word in words:
        endings = {f".{ending}" for ending in library.ENDINGS}
        inside = sorted(str(path) for path in Path(word).rglob("*") if path.suffix in endings) if Path(word).is_dir() else [word]
        if not inside:
            raise InputError("there is no problem in this folder", word)
        paths += inside
    return paths


def limits(args: argparse.Namespace, solutions: int | None = None) -> Limits:
    """The limits that the arguments name; a command need not have all of them."""
    return Limits(getattr(args, "seconds", None), getattr(args, "memory", None), solutions, threads=threads_of(args))


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
    from tiler.api.monitoring import following
    from tiler.ask.solve import DEFAULT_SOLVER, solve

    backend = _backend(args)
    with following(progress=True) as follow:
        if _is_traced(args) and on_node is None:
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
        if backend.name == DEFAULT_SOLVER and question.goal is Goal.DECIDE:
            from tiler.ask.reasons import with_reason

            answer = with_reason(answer)
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
    from tiler.api.monitoring import following
    from tiler.ask.solve import solve_cover

    def in_words(row: int) -> str:
        return " ".join(map(str, cover.rows[row]))

    backend, name = _backend(args), "" if args.problem[0] == "-" else args.problem[0]
    with following(progress=True, noun="solutions") as follow:
        on_node = counters.tracer(sys.stderr, in_words) if _is_traced(args) else None
        show = follow.showing(on_solution)
        answer = solve_cover(cover, backend, question, name=name, on_solution=show, on_tick=follow.tick, on_node=on_node)
        follow.keep_line(answer.result.stop)
    if args.stats:
        print(counters.table(answer), file=sys.stderr)
    return answer


def _is_traced(args: argparse.Namespace) -> bool:
    """Whether the search is to be traced; questions whose solvers cannot be traced have no such option."""
    return bool(getattr(args, "trace", False))


def _backend(args: argparse.Namespace) -> Backend:
    """The solver that the arguments name; if they name none and the search is to be watched, a solver that can be watched."""
    from tiler.ask.solve import DEFAULT_SOLVER
    from tiler.backends.registry import parse_spec

    watched = getattr(args, "watch", False)
    backend = parse_spec(_WATCHED if watched and args.solver == DEFAULT_SOLVER else args.solver)
    if (_is_traced(args) or watched) and not backend.can_trace:
        raise BadOption(f"{backend.name} cannot trace its search")
    return backend


def say_turning(asked: TilingAnswer | Instance) -> None:
    """Say on stderr whether pieces could be turned over, if one of them is chiral."""
    instance = asked if isinstance(asked, Instance) else asked.instance
    if instance.turned_over is None:
        return
    from tiler.ask import reasons

    words = reasons.turning(asked) if isinstance(asked, Instance) else reasons.turning_in(asked)
    sys.stdout.flush()
    print(f"tiler: note: {words}", file=sys.stderr)


def exit_status(answer: Answered[Any], *, dimacs: bool = False) -> int:
    """The exit status of an answer. An answer that contradicts the problem file is reported on stderr, and so is whether pieces
    could be turned over. `dimacs`: the status of SAT solvers."""
    from tiler.ask.solve import TilingAnswer

    if isinstance(answer, TilingAnswer) and answer.result.stop is not Stop.INTERRUPTED:
        say_turning(answer)
    if verdicts.contradicts(answer):
        return 4
    if dimacs and answer.result.stop not in (Stop.INTERRUPTED, Stop.ERROR):
        return verdicts.DIMACS[answer.result.status][1]
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
