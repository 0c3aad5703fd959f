"""What can be asked from Python. Limits: `seconds` of wall clock and `megabytes` of memory; None is no limit."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn, overload

from tiler import formats
from tiler.ask import estimate as estimating
from tiler.ask import solve as asking
from tiler.ask import whole as wholly
from tiler.ask.estimate import Estimate
from tiler.ask.solve import Answered
from tiler.backends.registry import parse_spec
from tiler.cover.cover import RowCover
from tiler.door import benchmark as benchmarking
from tiler.door import given
from tiler.door.answer import Answer
from tiler.door.benchmark import Benchmark
from tiler.door.proof import Proof, refuse_unproving
from tiler.door.tiling import Tiling
from tiler.door.tiling_set import TilingSet
from tiler.door.uses import Uses
from tiler.errors import BadArgument, Unfinished
from tiler.formats import dlx
from tiler.model.instance import Instance
from tiler.question.question import Goal, Question
from tiler.question.result import Result, Stop


def instance(
    board: str,
    *tiles: str,
    reflections: bool | None = None,
    as_named: bool = False,
    lattice: str | None = None,
    wrap: str | None = None,
    crossing: bool = True,
    open: int | str | None = None,
    weights: Mapping[str, int] | None = None,
) -> Instance:
    """A board and tiles or sets of them, in the notation of the command line and of problem files.

    `reflections` says whether tiles may be turned over: if it is left out, they may if there is a set such as `1:pentominoes`.
    What a set says against it is refused, unless sets stand `as_named`, for the pieces of their names and no more. `lattice` is
    one that `tiler lattices` lists, if not that of the first set, or the square or the cubic one. `wrap` is what leads back to
    the board, such as 'rows columns' for a torus; where cells are edges, `crossing` says whether two tiles may cross in a corner.
    At most so many cells stay `open`, of those marked o, or of all where none is marked; '2..2' are exactly two. `weights` says
    what each copy of a tile weighs, where the heaviest tiling is asked for.
    InputError says what of it is no shape.

    >>> instance("11x7", "4T", "3:3I")
    Instance(11x7 4T 3:3I: 77 cells, 2 tiles)
    >>> instance("6x10", "1:pentominoes").reflections
    True
    >>> instance("hex:2", "x.x", lattice="hexagonal").lattice.what
    'hexagons'
    >>> count(instance("4x4", "2", wrap="rows columns")), count(instance("3x3", "2", open=1))
    (272, 18)
    """
    if not isinstance(board, str):
        raise BadArgument(f"board: {given.shown(board)} is not a text, such as '6x10'")
    for tile in tiles:
        if not isinstance(tile, str):
            raise BadArgument(
                f"tiles: {given.shown(tile)} is not a text; name each by itself: tiler.instance('6x10', '2', '3:4L')"
            )
    if not tiles:
        raise BadArgument("tiles: there is none; name at least one behind the board: tiler.instance('6x10', '2', '3:4L')")
    told = None if reflections is None else given.flag(reflections, "reflections")
    for name, value in (("lattice", lattice), ("wrap", wrap)):
        if not isinstance(value, str | None):
            example = "hexagonal" if name == "lattice" else "rows columns"
            raise BadArgument(f"{name}: {given.shown(value)} is not a text, such as '{example}'")
    if isinstance(open, bool) or not isinstance(open, int | str | None):
        raise BadArgument(f"open: {given.shown(open)} is not a number of cells, such as 3 or '2..4'")
    named, crossed = given.flag(as_named, "as_named"), given.flag(crossing, "crossing")
    made = formats.inline([board, *tiles], reflections=told, as_named=named, lattice=lattice, wrap=wrap, crossing=crossed)
    made = made if open is None else formats.opened(made, str(open))
    return formats.weighed(made, [f"{name} {weight}" for name, weight in (weights or {}).items()])


def read(path: str | Path) -> Instance:
    """The instance in a problem file, as text, JSON or one of BurrTools. InputError says what is wrong in which line."""
    if str(path).lower().endswith(".dlx"):
        raise BadArgument(f"path={str(path)!r}: a general exact cover, which has no board; read it with tiler.read_cover")
    return formats.read(given.path(path))


def read_cover(path: str | Path) -> RowCover:
    """The general exact cover in a file in the format of Knuth's programs (.dlx), for `solve`, `count` and `tilings`."""
    name = str(given.path(path))
    return dlx.parse(formats.load(name, dlx.MAX_BYTES), source=name)


@overload
def solve(
    problem: Instance,
    *,
    solver: str = ...,
    optimise: bool = ...,
    features: Sequence[str] = ...,
    seconds: float | None = ...,
    megabytes: int | None = ...,
    jobs: int | None = ...,
) -> Answer[Tiling]: ...
@overload
def solve(
    problem: RowCover,
    *,
    solver: str = ...,
    optimise: bool = ...,
    seconds: float | None = ...,
    megabytes: int | None = ...,
    jobs: int | None = ...,
) -> Answer[tuple[int, ...]]: ...
def solve(
    problem: Instance | RowCover,
    *,
    solver: str = asking.DEFAULT_SOLVER,
    optimise: bool = False,
    features: Sequence[str] = (),
    seconds: float | None = None,
    megabytes: int | None = None,
    jobs: int | None = None,
) -> Answer[Any]:
    """Is there a tiling? With `optimise` the heaviest: the one with the largest sum of the weights of its tiles.

    Of a general exact cover the answer has the numbers of the rows of a solution. With `jobs` so many processes share the search
    for a tiling. Of tilings with certain `features`, such as "fault-free", see `count`.

    >>> print(solve(instance("3x2", "3L"), solver="dlx").tiling)
    ┌───────┬───┐
    │       │   │
    │   ┌───┘   │
    │   │       │
    └───┴───────┘
    """
    goal = Goal.OPTIMISE if given.flag(optimise, "optimise") else Goal.DECIDE
    question = Question(goal, given.limits(seconds, megabytes), features=given.features(features, problem))
    executor = given.executor(jobs, problem)
    if executor is not None and optimise:
        raise BadArgument("jobs: the heaviest tiling is looked for by one process; leave it out")
    found: Answered[Any]
    shown: tuple[Any, ...]
    if isinstance(problem, Instance):
        told = asking.solve(problem, solver, question, executor=executor)
        found, shown = told, tuple(Tiling(problem, placements) for placements in told.solutions)
    elif isinstance(problem, RowCover):
        found = asking.solve_cover(problem, solver, question)
        shown = found.solutions
    else:
        given.refuse(problem)
    result = found.result
    return Answer(
        status=result.status,
        stop=result.stop,
        tiling=shown[-1] if shown else None,
        solver=found.solver,
        seconds=found.encode_seconds + found.solve_seconds,
        message=result.reason if result.stop is not Stop.DONE else result.message,
        stats={"nodes": result.nodes, **result.stats},
        value=result.value,
        bound=result.bound,
    )


def count(
    problem: Instance | RowCover,
    *,
    up_to_symmetry: bool = False,
    features: Sequence[str] = (),
    solver: str = asking.DEFAULT_SOLVER,
    seconds: float | None = None,
    megabytes: int | None = None,
    jobs: int | None = None,
) -> int:
    """How many tilings? Up to symmetry those that symmetries of the board turn into each other count once.

    With `features` only the tilings that have all of them: "fault-free" (no line runs from border to border between pieces),
    "no-crossroads" (no four pieces meet in a point), "apart" (no two pieces of one kind touch), "border" (every piece is on the
    border). Unfinished, with how many were found, if a limit ends the search.

    >>> count(instance("8x8", "2")), count(instance("4x4", "2"), up_to_symmetry=True)
    (12988816, 9)
    >>> count(instance("5x6", "2"), features=["fault-free"])
    6
    """
    question = Question(
        Goal.COUNT,
        given.limits(seconds, megabytes),
        given.flag(up_to_symmetry, "up_to_symmetry"),
        features=given.features(features, problem),
    )
    executor = given.executor(jobs, problem)
    if isinstance(problem, Instance):
        result = asking.solve(problem, solver, question, executor=executor).result
    elif isinstance(problem, RowCover):
        result = asking.solve_cover(problem, solver, question).result
    else:
        given.refuse(problem)
    if result.count is None:
        _stopped(result)
    return result.count


@overload
def tilings(
    problem: Instance,
    *,
    limit: int | None = ...,
    up_to_symmetry: bool = ...,
    features: Sequence[str] = ...,
    solver: str = ...,
    seconds: float | None = ...,
    megabytes: int | None = ...,
) -> Generator[Tiling, None, None]: ...
@overload
def tilings(
    problem: RowCover,
    *,
    limit: int | None = ...,
    up_to_symmetry: bool = ...,
    solver: str = ...,
    seconds: float | None = ...,
    megabytes: int | None = ...,
) -> Generator[tuple[int, ...], None, None]: ...
def tilings(
    problem: Instance | RowCover,
    *,
    limit: int | None = None,
    up_to_symmetry: bool = False,
    features: Sequence[str] = (),
    solver: str = asking.DEFAULT_SOLVER,
    seconds: float | None = None,
    megabytes: int | None = None,
) -> Generator[Any, None, None]:
    """All tilings, or the first `limit`, one by one as they are found; whoever leaves the loop ends the search.

    Of a general exact cover they are numbers of rows. Unfinished, after the last one, if another limit ends the search.

    >>> sum(len(tiling) for tiling in tilings(instance("3x2", "2"), limit=2))
    6
    """
    question = Question(
        Goal.ENUMERATE,
        given.limits(seconds, megabytes, None if limit is None else given.positive(limit, "limit")),
        given.flag(up_to_symmetry, "up_to_symmetry"),
        features=given.features(features, problem),
    )
    # Refused here and now, not when the first is asked for.
    if isinstance(problem, Instance):
        return _each(asking.each_tiling(problem, solver, question), lambda placements: Tiling(problem, placements))
    if isinstance(problem, RowCover):
        return _each(asking.each_solution(problem, solver, question), lambda rows: rows)
    given.refuse(problem)


def sample(
    problem: Instance,
    number: int = 1,
    *,
    seed: int = 0,
    solver: str = asking.DEFAULT_SOLVER,
    seconds: float | None = None,
    megabytes: int | None = None,
) -> tuple[Tiling, ...]:
    """So many tilings at random, drawn independently, each tiling as likely as any other; none if there is none.

    The same seed draws the same. Unfinished if a limit ends the search.

    >>> len(sample(instance("8x8", "2"), 3, seed=1))
    3
    """
    question = Question(
        Goal.SAMPLE,
        given.limits(seconds, megabytes),
        samples=given.positive(number, "number"),
        seed=given.whole(seed, "seed", 0),
    )
    told = asking.solve(given.board(problem), solver, question)
    if told.result.stop not in (Stop.DONE, Stop.SOLUTIONS):
        _stopped(told.result)
    return tuple(Tiling(problem, placements) for placements in told.solutions)


def tiling_set(problem: Instance, *, seconds: float | None = None, megabytes: int | None = None) -> TilingSet:
    """All tilings as one object, searched for once: it counts those with and without some placements, draws at random, lists them
    from any one on, and is saved to a file.

    It takes the time and memory of drawing tilings at random by `frontier`. Unfinished if a limit ends the search.

    >>> tilings = tiling_set(instance("4x4", "2"))
    >>> placement = tilings[0].placements[0]
    >>> tilings.count, tilings.including(placement).count, tilings.excluding(placement).count
    (36, 18, 18)
    """
    made = wholly.whole(given.board(problem), given.limits(seconds, megabytes))
    if isinstance(made, Result):
        _stopped(made)
    return TilingSet(problem, *made)


def prove(problem: Instance, *, solver: str = "coloring", seconds: float | None = None, megabytes: int | None = None) -> Proof:
    """A proof that there is no tiling, to be read: by a colouring, or by weights and cases. If none is found, that says nothing.

    >>> print(prove(instance("6x6", "4L")).sentence)
    row stripes: every 4L covers an odd number of black cells; 9 tiles cover an odd number; the board has 18
    """
    refuse_unproving(parse_spec(solver))
    return Proof(asking.solve(given.board(problem), solver, Question(Goal.PROVE, given.limits(seconds, megabytes))))


def uses(
    problem: Instance, *, solver: str = asking.DEFAULT_SOLVER, seconds: float | None = None, megabytes: int | None = None
) -> Uses:
    """For every placement the number of tilings with it, and so how many cover each cell with each tile.

    Unfinished if a limit ends the search.
    """
    told = asking.solve(given.board(problem), solver, Question(Goal.USES, given.limits(seconds, megabytes)))
    if told.result.uses is None:
        _stopped(told.result)
    return Uses(told)


def estimate(
    problem: Instance, *, solver: str = "dlx", samples: int | None = None, seed: int = 0, up_to_symmetry: bool = False
) -> Estimate:
    """What a complete search would take, before it is made: nodes, tilings and seconds, with their intervals of 95 %.

    Of a count by states (`frontier`) the nodes are states, whose intervals are the typical error; `states` says more, also bytes.
    """
    return estimating.estimate(
        parse_spec(solver),
        given.board(problem),
        samples=None if samples is None else given.positive(samples, "samples"),
        seed=given.whole(seed, "seed", 0),
        up_to_symmetry=given.flag(up_to_symmetry, "up_to_symmetry"),
    )


def benchmark(
    problems: Sequence[Instance],
    *,
    solvers: Sequence[str] = (),
    goal: str = "decide",
    seconds: float = 10.0,
    megabytes: int = 2048,
    repeat: int = 1,
    folder: str | Path | None = None,
) -> Benchmark:
    """Every instance against every solver (by default each that is installed), one limited run each, and the records of the runs.

    The goal is `decide` or `count`. With a `folder` the records are kept there, as `tiler bench -o` keeps them, and runs that it
    has already are not made again.
    """
    if isinstance(problems, Instance) or not isinstance(problems, Sequence):
        raise BadArgument(f"problems: {given.shown(problems)} is not a list of instances: [tiler.instance(board, *tiles), ...]")
    if isinstance(solvers, str):
        raise BadArgument(f"solvers: {solvers!r} is not a list of specs; write [{solvers!r}]")
    if goal not in (Goal.DECIDE, Goal.COUNT):
        raise BadArgument(f"goal={goal!r}: it must be 'decide' or 'count'")
    question = Question(Goal(goal), given.limits(seconds, megabytes))
    where = None if folder is None else given.path(folder)
    return benchmarking.run([given.board(each) for each in problems], solvers, question, given.positive(repeat, "repeat"), where)


def _each(running: Generator[Any, None, Result], shown: Any) -> Generator[Any, None, None]:
    """What a search finds, as it is shown."""
    try:
        while True:
            try:
                found = next(running)
            except StopIteration as end:
                if end.value.stop not in (Stop.DONE, Stop.SOLUTIONS):
                    _stopped(end.value)
                return
            yield shown(found)
    finally:
        running.close()


def _stopped(result: Result) -> NoReturn:
    raise Unfinished(f"unfinished: {result.reason or result.stop}; {result.found:,} found until then", result.found, result.stop)
