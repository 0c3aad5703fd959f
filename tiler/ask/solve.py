"""One question answered: instance to cover to backend to verified answer, with the clocks apart.

This is what the command line, the benchmark and scripts call:

>>> from tiler import formats
>>> from tiler.question.question import Goal
>>> solve(formats.inline(["4x4", "2"]), question=Question(Goal.COUNT)).result.count
36
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from tiler.backends.base import Backend
from tiler.backends.registry import parse_spec, refuse
from tiler.cover.board import BoardCover
from tiler.errors import BackendError, BadSolution
from tiler.model.instance import Instance
from tiler.model.tile import Placement
from tiler.model.verify import Verifier
from tiler.process.look import Stopped
from tiler.question.certificate import Certificate
from tiler.question.events import Found, Progress, Run, Running, Saved, Visited
from tiler.question.question import Goal, Question
from tiler.question.result import Result, Stop
from tiler.question.watch import Watch

if TYPE_CHECKING:
    from tiler.ask.checkpoint import Checkpoint

SCHEMA = "tiler-answer-1"

Tiling = tuple[Placement, ...]

DEFAULT_SOLVER = "auto"
DECIDE = Question()


@dataclass(frozen=True)
class Answer:
    """A result with its solutions as placements, all verified, and what it took.

    All seconds are wall clock. A limit of seconds is one of the first two together: what is found is verified and drawn however
    long that takes.
    """

    instance: Instance
    solver: str  #: the full spec
    result: Result
    solutions: tuple[Tiling, ...]
    encode_seconds: float  #: to list all placements
    solve_seconds: float  #: the backend's, filters and its own encoding included
    verify_seconds: float  #: to verify solutions and what comes with the answer
    draw_seconds: float  #: in `on_solution`, which draws them or writes them down

    @property
    def symmetry(self) -> int | None:
        """The order of the group, in an answer up to symmetry."""
        return self.result.symmetry

    def summary(self) -> dict[str, Any]:
        """The answer without its solutions, ready for JSON."""
        result = self.result
        return {
            "schema": SCHEMA,
            "instance": self.instance.name,
            "digest": self.instance.digest,
            "solver": self.solver,
            "status": result.status,
            "stop": result.stop,
            "count": result.count,
            "symmetry": self.symmetry,
            "encode_seconds": self.encode_seconds,
            "solve_seconds": self.solve_seconds,
            "verify_seconds": self.verify_seconds,
            "draw_seconds": self.draw_seconds,
            "stats": {"found": result.found, **result.stats},
            "message": result.message,
        }


def solve(
    instance: Instance,
    solver: str | Backend = DEFAULT_SOLVER,
    question: Question = DECIDE,
    *,
    on_solution: Callable[[Tiling], None] | None = None,
    on_tick: Callable[[Progress], bool] | None = None,
    on_node: Callable[[Tiling], None] | None = None,
    checkpoint: Checkpoint | None = None,
    executor: str | None = None,
) -> Answer:
    """Ask a backend about an instance.

    Every solution is verified as it is found; BadSolution if one does not hold. With `on_solution` they are handed over one by
    one and not kept, else they are in the answer. `on_tick` is called many times a second; when it returns False, the search
    stops. `on_node` gets the placements on the stack after every node, in the order in which they were made: slow. With a
    `checkpoint` the search goes on from there, and is saved there now and then and when it stops early. An `executor` (`local:2`,
    `dask:ADDRESS`) makes several processes share the work: see parallel.py.
    """
    backend = parse_spec(solver) if isinstance(solver, str) else solver
    refuse(backend, question)
    for module in backend.preloads():  # Loading code is nobody's solving.
        with suppress(ImportError):  # Whoever needs it will say so.
            import_module(module)
    asking = _Asking(instance, backend, question, on_solution, on_tick, on_node, checkpoint)
    try:
        cover = asking.encode()
        result = asking.follow(cover, _start(backend, cover, question, asking.run, executor, asking.started))
        asking.check(cover, result)
    except Stopped as stopped:
        result = Result.so_far(Stop(stopped.why), found=0, stats={"nodes": 0})
    return asking.answer(result)


class _Asking:
    """A question while it is being answered: what is found is verified and handed over, and the clocks are kept apart."""

    def __init__(
        self,
        instance: Instance,
        backend: Backend,
        question: Question,
        on_solution: Callable[[Tiling], None] | None,
        on_tick: Callable[[Progress], bool] | None,
        on_node: Callable[[Tiling], None] | None,
        checkpoint: Checkpoint | None,
    ) -> None:
        self._instance, self._backend, self._question = instance, backend, question
        self._on_solution, self._on_tick, self._on_node, self._checkpoint = on_solution, on_tick, on_node, checkpoint
        self._verifier = Verifier(instance)
        self._tilings: list[Tiling] = []
        self._value: int | None = None  # of the last one
        self._progress = Progress()
        self._encode_seconds = self._verify_seconds = self._draw_seconds = 0.0
        self._solve_seconds: float | None = None
        self.started = time.perf_counter()
        self._watch = Watch(question.limits, self.started)
        saved = checkpoint.saved if checkpoint else None
        self.run = Run(on_node is not None, checkpoint is not None, saved, self._look)

    def _look(self) -> None:
        """What stages before a search, or before the next part of one, call."""
        if self._on_tick is not None and not self._on_tick(self._progress):
            raise Stopped(Stop.INTERRUPTED)
        self._watch.look()

    def encode(self) -> BoardCover:
        """List all placements."""
        try:
            return BoardCover.of(self._instance, self._look)
        finally:
            self._encode_seconds = time.perf_counter() - self.started

    def follow(self, cover: BoardCover, running: Running) -> Result:
        """Take the events of a search, and close it when it is over or the caller says so."""
        saved: Saved | None = None
        result: Result | None = None
        with closing(running):
            for event in running:
                match event:
                    case Found(options):
                        self._take(cover, options)
                    case Progress():
                        self._progress = event
                        if self._on_tick is not None and not self._on_tick(event):
                            result = Result.so_far(Stop.INTERRUPTED, found=event.found, stats=event.stats)
                            break
                    case Visited(options):
                        if self._on_node is not None:
                            self._on_node(tuple(each for option in options for each in cover.placements([option])))
                    case Saved():
                        saved = event
                        if self._checkpoint is not None and self._checkpoint.is_due():
                            self._checkpoint.save(event)
                    case Result():
                        result = event
            if self._checkpoint is not None and saved is not None and (result is None or result.stop is not Stop.DONE):
                self._checkpoint.save(saved)
        self._solved()
        if result is None:
            raise BackendError(f"{self._backend}: the search ended without a result")
        return result

    def _take(self, cover: BoardCover, options: tuple[int, ...]) -> None:
        """A solution was found: BadSolution if it does not hold."""
        before = time.perf_counter()
        tiling = cover.placements(options)
        wrong = self._verifier.error_in(tiling)
        if wrong:
            raise self._wrong(f"a wrong solution of {self._name}: {wrong}")
        verified = time.perf_counter()
        if self._question.goal is Goal.OPTIMISE:
            weight_of = {tile.name: tile.weight for tile in self._instance.tiles}
            self._value = sum(weight_of[placement.tile] for placement in tiling)
        if self._on_solution is not None:
            self._on_solution(tiling)
        elif self._question.goal is Goal.OPTIMISE:
            self._tilings = [tiling]  # Each is better than the one before.
        else:
            self._tilings.append(tiling)
        self._verify_seconds += verified - before
        drawn = time.perf_counter()
        self._draw_seconds += drawn - verified
        self._watch.outside += drawn - before

    def check(self, cover: BoardCover, result: Result) -> None:
        """BadSolution if what comes with the answer does not hold: a certificate of the prover, the uses of placements, or what
        the best tiling weighs.

        Not checked here are a DRUP proof, for which there are other programs, and counts: nothing shorter than counting tells.
        """
        before = time.perf_counter()
        if isinstance(result.certificate, Certificate):
            from tiler.backends.coloring import checker

            wrong = checker.error_in(self._instance, result.certificate)
            if wrong:
                raise self._wrong(f"a wrong proof about {self._name}: {wrong}")
        if result.value is not None and self._value is not None and result.value != self._value:
            raise self._wrong(f"a tiling of {self._name} that weighs {self._value}, not {result.value}")
        if result.uses is not None:
            wrong = error_in_uses(cover, result.uses, result.count or 0)
            if wrong:
                raise self._wrong(f"wrong numbers of uses in {self._name}: {wrong}")
        self._verify_seconds += time.perf_counter() - before

    def _wrong(self, what: str) -> BadSolution:
        return BadSolution(f"{self._backend} answered with {what}")

    @property
    def _name(self) -> str:
        return self._instance.name or "the instance"

    def _solved(self) -> None:
        """The backend is done: what comes now is not its time."""
        if self._solve_seconds is None:
            beside = self._encode_seconds + self._verify_seconds + self._draw_seconds
            self._solve_seconds = time.perf_counter() - self.started - beside

    def answer(self, result: Result) -> Answer:
        """All together."""
        self._solved()
        return Answer(
            self._instance,
            self._backend.spec,
            result,
            tuple(self._tilings),
            self._encode_seconds,
            self._solve_seconds or 0.0,
            self._verify_seconds,
            self._draw_seconds,
        )


def _start(backend: Backend, cover: BoardCover, question: Question, run: Run, executor: str | None, started: float) -> Running:
    """The way to answer: by several processes, up to symmetry, or by one search."""
    if executor is not None:
        from tiler.ask import parallel

        return parallel.start(backend, cover, question, executor, run, started=started)
    if question.up_to_symmetry and question.goal in (Goal.COUNT, Goal.ENUMERATE):
        from tiler.ask import orbits

        return orbits.start(backend, cover, question, run, started=started)
    return backend.start(cover, question, run, started=started)


def error_in_uses(cover: BoardCover, uses: Mapping[int, int], tilings: int) -> str | None:
    """What is wrong with the numbers of tilings that use each option: every cell is covered once in each tiling."""
    numbers = [0] * len(cover.cells)
    for option, number in uses.items():
        for cell in cover.members[option].tolist():
            numbers[cell] += number
    wrong = next((cell for cell, number in enumerate(numbers) if number != tilings), None)
    return None if wrong is None else f"{cover.cells[wrong]} is covered in {numbers[wrong]} of {tilings} tilings"
