"""One question answered: instance to cover to backend to verified answer, with the clocks apart.

This is what the command line, the benchmark and scripts call:

>>> from tiler import formats
>>> from tiler.query import Goal
>>> solve(formats.inline(["4x4", "2"]), query=Query(Goal.COUNT)).result.count
36
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from tiler import verify
from tiler.backends.base import Backend, parse_spec
from tiler.errors import BadSolution
from tiler.instance import Instance, Placement
from tiler.query import Events, Goal, Progress, Query, Result

if TYPE_CHECKING:
    from tiler.checkpoint import Checkpoint

SCHEMA = "tiler-answer-1"

Solution = tuple[Placement, ...]

DEFAULT_SOLVER = "auto"
DECIDE = Query()


@dataclass(frozen=True)
class Answer:
    """A result with its solutions as placements, all verified, and what it took.

    `encode_seconds` is the time to list all placements; `solve_seconds` the backend's, filters and its own encoding included,
    without verifying and without whatever `on_solution` does. Both are wall clock.
    """

    instance: Instance
    solver: str  #: the full spec
    result: Result
    solutions: tuple[Solution, ...]
    encode_seconds: float
    solve_seconds: float
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
            "stats": dict(result.stats),
            "message": result.message,
        }


def solve(
    instance: Instance,
    solver: str | Backend = DEFAULT_SOLVER,
    query: Query = DECIDE,
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
    from tiler.cover import ExactCover

    backend = parse_spec(solver) if isinstance(solver, str) else solver
    for module in backend.imports:  # Loading code is nobody's solving.
        import_module(module)
    started = time.perf_counter()
    cover = ExactCover.of(instance)
    encoded = time.perf_counter()
    kept: list[Solution] = []
    outside = 0.0

    def take(options: tuple[int, ...]) -> None:
        nonlocal outside
        before = time.perf_counter()
        solution = cover.placements(options)
        wrong = verify.problem(instance, solution)
        if wrong:
            raise BadSolution(f"{backend} answered with a wrong solution of {instance.name or 'the instance'}: {wrong}")
        (on_solution or kept.append)(solution)
        outside += time.perf_counter() - before

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

    symmetry = None
    if executor is not None:
        from tiler import parallel

        result, symmetry = parallel.solve(backend, cover, query, Caller(), executor, started=started)
    elif query.up_to_symmetry and query.goal is not Goal.DECIDE:
        from tiler import orbits

        result, symmetry = orbits.solve(backend, cover, query, Caller(), started=started)
    else:
        result = backend.solve(cover, query, Caller(), started=started)
    solved = time.perf_counter()
    took = solved - encoded - outside
    for options in result.solutions:
        take(options)
    _check_certificate(instance, backend, result)
    return Answer(instance, backend.spec, result, tuple(kept), encoded - started, took, symmetry)


def _check_certificate(instance: Instance, backend: Backend, result: Result) -> None:
    """BadSolution if the answer comes with a certificate of the prover that does not hold."""
    if result.certificate is None:
        return
    from tiler.prover import checker
    from tiler.prover.certificate import Certificate

    wrong = checker.problem(instance, result.certificate) if isinstance(result.certificate, Certificate) else None
    if wrong:
        raise BadSolution(f"{backend} answered with a wrong proof about {instance.name or 'the instance'}: {wrong}")
