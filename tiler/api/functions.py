"""Answer questions about an instance, from Python. Limits are `seconds` of wall clock, a number or text such as "1m", and
`memory` in MB or as text such as "2G"; None means no limit. `threads` is the largest number of cores that a search uses, by
default all that the process may use; no answer depends on it. With `progress=True` a line shows how far a search is; a function
given as `progress` is called with each `Progress`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack, overload

from tiler import formats
from tiler.api import arguments, construction, search
from tiler.api.answers.answer import Answer
from tiler.api.answers.counts import OpenCounts, Uses
from tiler.api.answers.proof import Proof, refuse_unproving
from tiler.api.answers.tiling import SomeTilings, Tiling
from tiler.api.arguments import LimitArguments, SearchArguments, ToldProgress
from tiler.api.call_errors import offered
from tiler.api.monitoring import followed, following, known
from tiler.ask import solve as asking
from tiler.ask.size import estimate as estimating
from tiler.ask.size.estimate import Estimate
from tiler.backends.registry import parse_spec
from tiler.cover.cover import RowCover
from tiler.errors import BadArgument, InputError
from tiler.formats import dlx, tiling_lists
from tiler.model.instance import Instance
from tiler.model.verify_blocks import errors_in
from tiler.optional_packages import need
from tiler.question.parameters import PATH, checked
from tiler.question.question import Goal, Question, TallyBy
from tiler.question.result import Stop

if TYPE_CHECKING:
    from tiler.api.answers.benchmark import Benchmark

make = construction.make  # which makes boards for questions about tiles too


@offered()
def read(path: str | Path) -> Instance:
    """The instance in a problem file, as text, JSON or one of BurrTools. InputError says what is wrong in which line."""
    if str(path).lower().endswith(".dlx"):
        raise BadArgument(f"path={str(path)!r}: a general exact cover, which has no board; read it with tiler.read_cover")
    return formats.read(Path(path))


@offered()
def read_cover(path: str | Path) -> RowCover:
    """The general exact cover in a file in the format of Knuth's programs (.dlx), for `solve`, `count` and `tilings`."""
    return dlx.read(path)


@offered()
def read_tilings(path: str | Path, problem: Instance) -> tuple[Tiling, ...]:
    """The tilings in a file that `tiler solve --all -o FILE` wrote, as .json, .jsonl, .npz or .csv. All are verified: InputError
    names the first line that is no tiling of the problem."""
    board, name = arguments.board(problem), str(checked("path", PATH, path))
    listed = [(number, tiling) for number, tiling in tiling_lists.lines(name) if isinstance(tiling, list)]
    for (number, _), wrong in zip(listed, errors_in(board, [tiling for _, tiling in listed]), strict=True):
        if wrong:
            raise InputError(wrong, name, number)
    return SomeTilings(Tiling(board, tuple(tiling)) for _, tiling in listed)


@overload
def solve(
    problem: Instance,
    *,
    solver: str = ...,
    optimise: bool = ...,
    features: Sequence[str] = ...,
    executor: str | None = ...,
    **limits: Unpack[SearchArguments],
) -> Answer[Tiling]: ...
@overload
def solve(
    problem: RowCover,
    *,
    solver: str = ...,
    optimise: bool = ...,
    executor: str | None = ...,
    **limits: Unpack[SearchArguments],
) -> Answer[tuple[int, ...]]: ...
@offered()
def solve(
    problem: Instance | RowCover,
    *,
    solver: str = asking.DEFAULT_SOLVER,
    optimise: bool = False,
    features: Sequence[str] = (),
    executor: str | None = None,
    **limits: Unpack[SearchArguments],
) -> Answer[Any]:
    """Find out whether there is a tiling. With `optimise` find the heaviest one, with the largest sum of the weights of its
    tiles. For a general exact cover, the answer has the numbers of the rows of a solution. With an `executor`, such as "local:2"
    or "dask:ADDRESS", processes share the search. `features`, such as "fault-free", are as for `count`.

    >>> print(solve(make("3x2", "3L"), solver="dlx").tiling)
    ┌───────┬───┐
    │       │   │
    │   ┌───┘   │
    │   │       │
    └───┴───────┘
    """
    goal = Goal.OPTIMISE if optimise else Goal.DECIDE
    question = Question(goal, arguments.limits(limits), features=tuple(features))
    found = search.of_any(problem, solver, question, limits, executor)
    return search.answer(problem, found)


@offered()
def count(
    problem: Instance | RowCover,
    *,
    up_to_symmetry: bool = False,
    features: Sequence[str] = (),
    solver: str = asking.DEFAULT_SOLVER,
    executor: str | None = None,
    **limits: Unpack[SearchArguments],
) -> int:
    """Count the tilings. Up to symmetry, tilings that symmetries of the board turn into each other count once.

    With `features` only the tilings that have all of them: "fault-free" (every straight line through the board cuts a piece),
    "no-crossroads" (no four pieces meet in a point), "apart" (no two pieces of one kind touch), "border" (every piece is on the
    border). Unfinished, with how many were found, if a limit ends the search.

    >>> count(make("8x8", "2")), count(make("4x4", "2"), up_to_symmetry=True)
    (12988816, 9)
    >>> count(make("5x6", "2"), features=["fault-free"])
    6
    """
    question = Question(Goal.COUNT, arguments.limits(limits), up_to_symmetry, features=tuple(features))
    result = search.of_any(problem, solver, question, limits, executor).result
    return known(result, result.count)


@overload
def tilings(
    problem: Instance,
    *,
    limit: int | None = ...,
    up_to_symmetry: bool = ...,
    features: Sequence[str] = ...,
    solver: str = ...,
    **limits: Unpack[SearchArguments],
) -> search.Tilings[Tiling]: ...
@overload
def tilings(
    problem: RowCover,
    *,
    limit: int | None = ...,
    up_to_symmetry: bool = ...,
    solver: str = ...,
    **limits: Unpack[SearchArguments],
) -> search.Tilings[tuple[int, ...]]: ...
@offered()
def tilings(
    problem: Instance | RowCover,
    *,
    limit: int | None = None,
    up_to_symmetry: bool = False,
    features: Sequence[str] = (),
    solver: str = asking.DEFAULT_SOLVER,
    **limits: Unpack[SearchArguments],
) -> search.Tilings[Any]:
    """All tilings, or the first `limit`, one by one as they are found; leaving the loop ends the search. For a general exact
    cover each is a list of row numbers. Unfinished, after the last one, if another limit ends the search. `.blocks()` gives
    arrays instead, thousands of tilings at a time.

    >>> sum(len(tiling) for tiling in tilings(make("3x2", "2"), limit=2))
    6
    """
    question = Question(Goal.ENUMERATE, arguments.limits(limits, limit), up_to_symmetry, features=tuple(features))
    return search.Tilings(problem, solver, question, limits.get("progress", False))


@offered()
def sample(
    problem: Instance,
    number: int = 1,
    *,
    seed: int = 0,
    solver: str = asking.DEFAULT_SOLVER,
    **limits: Unpack[SearchArguments],
) -> tuple[Tiling, ...]:
    """Tilings at random, drawn independently, all with the same probability; an empty tuple if there is no tiling.

    The same seed draws the same. Unfinished if a limit ends the search.

    >>> len(sample(make("8x8", "2"), 3, seed=1))
    3
    """
    question = Question(Goal.SAMPLE, arguments.limits(limits), samples=number, seed=seed)
    answer = search.of_board(problem, solver, question, limits)
    drawn = answer.solutions if answer.result.stop in (Stop.DONE, Stop.SOLUTIONS) else None
    return SomeTilings(Tiling(problem, placements) for placements in known(answer.result, drawn))


@offered()
def prove(
    problem: Instance,
    *,
    solver: str = "coloring",
    **limits: Unpack[LimitArguments],
) -> Proof:
    """Look for a proof that there is no tiling, in words: by a colouring, or by weights and cases. If there is none, a search of
    at most two seconds looks for a tiling; if it finds none either, the answer is unknown.

    >>> print(prove(make("6x6", "4L")).sentence)
    row stripes: every 4L covers an odd number of black cells; 9 tiles cover an odd number; the board has 18
    """
    refuse_unproving(parse_spec(solver))
    within = arguments.limits({**limits, "threads": 1})

    def ask(question: Question, by: str = asking.DEFAULT_SOLVER) -> asking.TilingAnswer:
        return search.of_board(problem, by, question, limits)

    return Proof.of(ask(Question(Goal.PROVE, within), solver), within, ask)


@offered()
def uses(
    problem: Instance,
    *,
    solver: str = asking.DEFAULT_SOLVER,
    **limits: Unpack[SearchArguments],
) -> Uses:
    """Count, for every placement, the tilings with it; and so, for every cell and tile, the tilings in which the tile covers the
    cell.

    Unfinished if a limit ends the search.
    """
    answer = search.of_board(problem, solver, Question(Goal.USES, arguments.limits(limits)), limits)
    known(answer.result, answer.result.uses)
    return Uses(answer)


@offered()
def by_open(
    problem: Instance,
    *,
    solver: str = asking.DEFAULT_SOLVER,
    **limits: Unpack[SearchArguments],
) -> OpenCounts:
    """Count the tilings for every set of open cells. For a calendar puzzle this is the number of solutions of each date.

    Unfinished if a limit ends the search.

    >>> found = by_open(make("5x1", "2", open=1))
    >>> found[(0, 2),], found.without
    (1, (((0, 1),), ((0, 3),)))
    """
    question = Question(Goal.TALLY, arguments.limits(limits), tally_by=(TallyBy.OPEN,))
    answer = search.of_board(problem, solver, question, limits)
    known(answer.result, answer.result.tally)
    return OpenCounts(answer)


@offered()
def estimate(
    problem: Instance,
    *,
    solver: str = asking.DEFAULT_SOLVER,
    samples: int | None = None,
    seed: int = 0,
    up_to_symmetry: bool = False,
    seconds: float | str | None = estimating.SECONDS,
    memory: int | str | None = None,
    progress: ToldProgress = False,
) -> Estimate:
    """Estimate a complete search before it is made: nodes, tilings and seconds, with their intervals of 95 %.

    For a count by states (`frontier`) the nodes are states, whose intervals are the typical error; `states` says more, also
    bytes. If a limit ends it, the samples drawn until then are the estimate, which is not `is_complete`; Unfinished if they are
    too few.
    """
    backend, board = parse_spec(solver), arguments.board(problem)
    with followed({"seconds": seconds, "memory": memory, "progress": progress}) as follow:
        with follow.answering("too few samples were drawn"):
            found = estimating.estimate(
                backend,
                board,
                samples=samples,
                seed=seed,
                up_to_symmetry=up_to_symmetry,
                going_on=follow.tick,
                check_stop=follow.check_stop,
            )
        follow.refuse_interrupted(found)
    return found


@offered()
def benchmark(
    problems: Sequence[Instance | str] | None = None,
    *,
    solvers: Sequence[str] = (),
    goal: str = "decide",
    seconds: float | str = 10.0,
    memory: int | str = 2048,
    threads: int = 1,
    repeat: int = 1,
    folder: str | Path | None = None,
    progress: ToldProgress = False,
) -> Benchmark:
    """Run every solver (by default all installed ones, each where it can answer) on every problem, within limits, and return the
    records of the runs.

    A problem is an instance, or the name of a file or of a problem that is installed with Tiler. The goal is `decide` or `count`.
    A run has one thread, unless `threads` says more. With a `folder` the records are kept there, as `tiler bench -o` keeps them,
    and runs that it has already are not made again. Without problems the records in the folder are returned, of this function or
    of `tiler bench`, as `tiler.Benchmark.open(folder)` does; InputError if there are none.
    """
    need("a benchmark", "msgspec")
    from tiler.api.answers import benchmark as benchmarking

    if problems is None:
        if folder is None:
            raise BadArgument("problems: there are none to run; tiler.problems() lists names")
        return benchmarking.Benchmark.open(folder)
    if isinstance(problems, str):
        raise BadArgument(f"problems: {problems!r} is not a list; write [{problems!r}], or tiler.problems({problems!r})")
    if isinstance(problems, Instance) or not isinstance(problems, Sequence):
        raise BadArgument(f"problems: {arguments.shown(problems)} is not a list of instances: [tiler.make(board, *tiles), ...]")
    if not problems:
        raise BadArgument("problems: there are none to run; tiler.Benchmark.open(folder) reads the records in a folder")
    if isinstance(solvers, str):
        raise BadArgument(f"solvers: {solvers!r} is not a list of specs; write [{solvers!r}]")
    within = arguments.limits({"seconds": seconds, "memory": memory, "threads": threads})
    question = Question(Goal(goal), within)
    where = None if folder is None else Path(folder)
    boards = [read(each) if isinstance(each, str) else arguments.board(each) for each in problems]
    with following(progress) as follow:
        return benchmarking.run(boards, solvers, question, repeat, where, follow)
