"""Answer one question: from the instance to the cover, the backend and the verified answer; or from a general exact cover on.

This is what the command line, the benchmark and scripts call:

>>> from tiler import formats
>>> from tiler.question.question import Goal
>>> solve(formats.inline(["4x4", "2"]), question=Question(Goal.COUNT)).result.count
36
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Hashable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from tiler.ask.features import filtered_search
from tiler.ask.features.predicates import refuse_senseless
from tiler.ask.session import AskingBoard, AskingRows, Listeners, Rows
from tiler.backends.base import Backend
from tiler.backends.registry import parse_spec, refuse
from tiler.cover.cover import RowCover
from tiler.errors import BadOption
from tiler.model.expected import Expected, Status
from tiler.model.instance import Instance
from tiler.model.tile import Placements
from tiler.question.events import Found, Progress
from tiler.question.parameters import COMMON
from tiler.question.question import Goal, Question
from tiler.question.result import Result

if TYPE_CHECKING:
    from tiler.ask.checkpoint import Checkpoint
    from tiler.cover.board import BoardCover

SCHEMA = "tiler-answer-1"

DEFAULT_SOLVER: str = COMMON["solver"].default
DECIDE = Question()

S = TypeVar("S")


@dataclass(frozen=True, kw_only=True)
class Answered(ABC, Generic[S]):
    """A result with its solutions, all verified, and the seconds that it took.

    All seconds are wall clock. A limit of seconds is for the first two together; verifying and drawing have no limit.
    """

    solver: str  #: the full spec
    result: Result
    solutions: tuple[S, ...]
    encode_seconds: float  #: seconds for listing all placements
    solve_seconds: float  #: seconds of the backend, its filters and its own encoding included
    verify_seconds: float  #: seconds for verifying solutions, and certificates
    draw_seconds: float  #: seconds in `on_solution`, which draws solutions or writes them down
    threads: int = 1  #: the most threads; with several processes, in each of them

    @property
    @abstractmethod
    def expected(self) -> Expected:
        """What the problem file says about the answer."""

    @property
    @abstractmethod
    def about(self) -> dict[str, Any]:
        """The instance, ready for JSON."""

    def summary(self) -> dict[str, Any]:
        """The answer without its solutions, ready for JSON."""
        result = self.result
        best = {} if result.value is result.bound is None else {"value": result.value, "bound": result.bound}
        return {
            "schema": SCHEMA,
            **self.about,
            "solver": self.solver,
            "status": result.status,
            "stop": result.stop,
            "count": result.count,
            "symmetry": result.symmetry,
            **best,
            **({"parts": result.parts.to_json()} if result.parts is not None else {}),
            "encode_seconds": self.encode_seconds,
            "solve_seconds": self.solve_seconds,
            "verify_seconds": self.verify_seconds,
            "draw_seconds": self.draw_seconds,
            "threads": self.threads,
            "stats": {**result.counters, **({} if result.plan is None else {"plan": result.plan.to_json()})},
            "message": result.message,
        }


@dataclass(frozen=True, kw_only=True)
class TilingAnswer(Answered[Placements]):
    """The answer to a question about an instance."""

    instance: Instance
    features: tuple[str, ...] = ()  #: the features that were asked for

    @property
    def about(self) -> dict[str, Any]:
        instance = self.instance
        return {"instance": instance.name, "digest": instance.digest, "turned_over": instance.turned_over}

    @property
    def expected(self) -> Expected:
        known = self.instance.about.expected
        if not self.features:
            return known
        # A file says nothing about tilings with features, unless there is no tiling at all.
        return Expected(Status.UNSAT) if known.verdict is Status.UNSAT else Expected()


@dataclass(frozen=True, kw_only=True)
class CoverAnswer(Answered[Rows]):
    """The answer to a question about a general exact cover."""

    cover: RowCover
    name: str = ""

    @property
    def about(self) -> dict[str, Any]:
        return {"cover": self.name}

    @property
    def expected(self) -> Expected:
        return Expected()


def solve(
    instance: Instance,
    solver: str | Backend = DEFAULT_SOLVER,
    question: Question = DECIDE,
    *,
    on_solution: Callable[[Placements], None] | None = None,
    on_tick: Callable[[Progress], bool] | None = None,
    on_node: Callable[[Placements, Hashable], None] | None = None,
    stride: Callable[[], int | None] | None = None,
    on_block: Callable[[BoardCover, Found], None] | None = None,
    checkpoint: Checkpoint | None = None,
    executor: str | None = None,
    cover: BoardCover | None = None,
) -> TilingAnswer:
    """Ask a backend about an instance.

    Every solution is verified as it is found; BadSolution if one does not hold. With `on_solution` they are handed over one by
    one and not kept, else they are in the answer; or with `on_block` in blocks, by options of the cover. `on_tick` is called many
    times a second; when it returns False, the search stops. `on_node` gets the placements on the stack after every node, in the
    order in which they were made, and the cell for which the last was chosen (None: for its tile, which had to be used): slow. A
    `stride` says each time how many nodes lie before the next call; None, those of a fiftieth of a second, which is not slow.
    With a `checkpoint` the search goes on from there, and is saved there now and then and when it stops early. An `executor`
    (`local:2`, `dask:ADDRESS`) makes several processes share the work: see parallel.py. A `cover` that was made of the instance
    before saves listing its placements again.
    """
    if question.goal is Goal.OPTIMISE and question.up_to_symmetry:
        raise BadOption("up to symmetry, tilings can be counted and listed, but not optimised")
    backend = _ready_for_tilings(instance, solver, question, alone=checkpoint is None and executor is None)
    if executor is not None:
        question = replace(question, limits=replace(question.limits, threads=1))  # In each process, as there are several.
    asking = AskingBoard(
        instance, backend, question, Listeners(on_solution, on_tick, on_node, on_block=on_block, stride=stride), checkpoint, cover
    )
    result = asking.ask(executor)
    return TilingAnswer(instance=instance, features=question.features, **asking.fields(result))


def solve_cover(
    cover: RowCover,
    solver: str | Backend = DEFAULT_SOLVER,
    question: Question = DECIDE,
    *,
    name: str = "",
    on_solution: Callable[[Rows], None] | None = None,
    on_tick: Callable[[Progress], bool] | None = None,
    on_node: Callable[[Rows, Hashable], None] | None = None,
) -> CoverAnswer:
    """Ask a backend that needs no board about a general exact cover: as `solve`, with numbers of rows for placements.

    >>> from tiler.cover.cover import Cover
    >>> cover = Cover.from_rows([["a", "b"], ["c"], ["a", "c"], ["b"]])
    >>> solve_cover(cover, "dlx", Question(Goal.ENUMERATE)).solutions
    ((0, 1), (2, 3))
    """
    if question.up_to_symmetry:
        raise BadOption("a general exact cover has no board, so its symmetries are not known")
    backend = _ready(solver, question)
    asking = AskingRows(cover, name, backend, question, Listeners(on_solution, on_tick, on_node))
    result = asking.ask()
    return CoverAnswer(cover=cover, name=name, **asking.fields(result))


def each_tiling(
    instance: Instance,
    solver: str | Backend = DEFAULT_SOLVER,
    question: Question = DECIDE,
    on_tick: Callable[[Progress], bool] | None = None,
) -> Generator[Placements, None, Result]:
    """The tilings that a backend finds, each verified, as they are asked for. What the generator returns is the result; closing
    it ends the search, and the processes that it runs in. `on_tick` is as for `solve`."""
    return asked_tilings(instance, solver, question, on_tick).solutions()


def asked_tilings(
    instance: Instance,
    solver: str | Backend = DEFAULT_SOLVER,
    question: Question = DECIDE,
    on_tick: Callable[[Progress], bool] | None = None,
) -> AskingBoard:
    """The question for tilings, which hands them over one by one or in blocks, as they are asked for."""
    backend = _ready_for_tilings(instance, solver, question)
    return AskingBoard(instance, backend, question, Listeners(on_tick=on_tick))


def asked_solutions(
    cover: RowCover,
    solver: str | Backend = DEFAULT_SOLVER,
    question: Question = DECIDE,
    on_tick: Callable[[Progress], bool] | None = None,
) -> AskingRows:
    """The same of a general exact cover."""
    return AskingRows(cover, "", _ready(solver, question), question, Listeners(on_tick=on_tick))


def _ready_for_tilings(instance: Instance, solver: str | Backend, question: Question, *, alone: bool = True) -> Backend:
    """The backend, if it can answer a question about tilings, which may have features; see `filtered_search.refuse`."""
    if not question.features:
        return _ready(solver, question)
    filtered_search.refuse(question, alone=alone)
    refuse_senseless(instance, question.features)
    return _ready(solver, filtered_search.asked_of_backend(question))


def _ready(solver: str | Backend, question: Question) -> Backend:
    """The backend with its code loaded, if it can answer the question. Loading is not part of the solver's time. If the backend
    leaves the choice of solver open, the plan says whose code is needed."""
    backend = parse_spec(solver) if isinstance(solver, str) else solver
    refuse(backend, question)
    if not backend.delegates:
        with suppress(ImportError):  # The code that needs it will say so.
            backend.preload()
    return backend
