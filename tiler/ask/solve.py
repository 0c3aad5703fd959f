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
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from tiler.backends.base import Backend, parse_spec
from tiler.errors import BadSolution
from tiler.model.instance import Instance
from tiler.model.tile import Placement
from tiler.model.verify import Verifier
from tiler.question.events import Events, Progress
from tiler.question.question import Goal, Question
from tiler.question.result import Result
from tiler.question.watch import Watch

if TYPE_CHECKING:
    from tiler.ask.checkpoint import Checkpoint

SCHEMA = "tiler-answer-1"

Solution = tuple[Placement, ...]

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
    solutions: tuple[Solution, ...]
    encode_seconds: float  #: to list all placements
    solve_seconds: float  #: the backend's, filters and its own encoding included
    verify_seconds: float  #: to verify solutions and a certificate
    draw_seconds: float  #: in `on_solution`, which draws them or writes them down
    symmetry: int | None = None  #: the order of the group, in an answer up to symmetry

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
            "stats": dict(result.stats),
            "message": result.message,
        }


def solve(
    instance: Instance,
    solver: str | Backend = DEFAULT_SOLVER,
    question: Question = DECIDE,
    *,
    on_solution: Callable[[Solution], None] | None = None,
    on_tick: Callable[[Progress], bool] | None = None,
    on_node: Callable[[Solution], None] | None = None,
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
    from tiler.cover.cover import ExactCover

    backend = parse_spec(solver) if isinstance(solver, str) else solver
    for module in backend.imports:  # Loading code is nobody's solving.
        import_module(module)
    started = time.perf_counter()
    kept: list[Solution] = []
    encode_seconds = verify_seconds = draw_seconds = 0.0
    symmetry: int | None = None
    cover: ExactCover
    verifier = Verifier(instance)

    def take(options: tuple[int, ...]) -> None:
        nonlocal verify_seconds, draw_seconds
        before = time.perf_counter()
        solution = cover.placements(options)
        wrong = verifier.error_in(solution)
        if wrong:
            raise BadSolution(f"{backend} answered with a wrong solution of {instance.name or 'the instance'}: {wrong}")
        verified = time.perf_counter()
        (on_solution or kept.append)(solution)
        verify_seconds += verified - before
        draw_seconds += time.perf_counter() - verified

    class Caller(Events):
        traces = on_node is not None
        saves = checkpoint is not None

        def restored(self) -> tuple[Mapping[str, Any], Mapping[str, Any]] | None:
            return checkpoint.saved if checkpoint is not None else None

        def save(self, arrays: Mapping[str, Any], note: Mapping[str, Any], *, last: bool) -> None:
            if checkpoint is not None and (last or checkpoint.is_due()):
                checkpoint.save(arrays, note)

        def stack(self, options: tuple[int, ...]) -> None:
            if on_node is not None:
                on_node(tuple(placement for option in options for placement in cover.placements([option])))

        def solution(self, options: tuple[int, ...]) -> None:
            take(options)

        def tick(self, progress: Progress) -> bool:
            return on_tick is None or on_tick(progress)

    caller = Caller()
    watch = Watch(caller, question.limits, started)

    def work() -> Result:
        nonlocal cover, encode_seconds, symmetry
        try:
            cover = ExactCover.of(instance, watch.look)
        finally:
            encode_seconds = time.perf_counter() - started
        if executor is not None:
            from tiler.ask import parallel

            result, symmetry = parallel.solve(backend, cover, question, caller, executor, started=started, look=watch.look)
        elif question.up_to_symmetry and question.goal is not Goal.DECIDE:
            from tiler.ask import orbits

            result, symmetry = orbits.solve(backend, cover, question, caller, started=started, look=watch.look)
        else:
            result = backend.solve(cover, question, caller, started=started)
        return result

    result = watch.answer(work)
    solve_seconds = time.perf_counter() - started - encode_seconds - verify_seconds - draw_seconds
    for options in result.solutions:
        take(options)
    before = time.perf_counter()
    _check_certificate(instance, backend, result)
    verify_seconds += time.perf_counter() - before
    return Answer(
        instance, backend.spec, result, tuple(kept), encode_seconds, solve_seconds, verify_seconds, draw_seconds, symmetry
    )


def _check_certificate(instance: Instance, backend: Backend, result: Result) -> None:
    """BadSolution if the answer comes with a certificate of the prover that does not hold."""
    if result.certificate is None:
        return
    from tiler.backends.coloring import checker
    from tiler.question.certificate import Certificate

    wrong = checker.error_in(instance, result.certificate) if isinstance(result.certificate, Certificate) else None
    if wrong:
        raise BadSolution(f"{backend} answered with a wrong proof about {instance.name or 'the instance'}: {wrong}")
