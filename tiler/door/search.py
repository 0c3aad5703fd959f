"""Run a search for a function of `tiler`; if Ctrl-C ends it, raise Interrupted with what is known."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from typing import Any

from tiler.ask import solve as asking
from tiler.ask.solve import Answered
from tiler.cover.cover import RowCover
from tiler.door import arguments
from tiler.door.answers.answer import Answer
from tiler.door.answers.tiling import Tiling
from tiler.door.monitoring import Following, ToldProgress, following, unfinished
from tiler.model.instance import Instance
from tiler.question.events import Progress
from tiler.question.question import Question
from tiler.question.result import Result, Stop


def of_board(problem: Instance, solver: str, question: Question, progress: ToldProgress) -> asking.TilingAnswer:
    told = of_any(arguments.board(problem), solver, question, progress)
    assert isinstance(told, asking.TilingAnswer)
    return told


def of_any(
    problem: Instance | RowCover, solver: str, question: Question, progress: ToldProgress, executor: str | None = None
) -> Answered[Any]:
    """The answer of a search; Interrupted, with what it knows, if Ctrl-C ended it."""
    found: Answered[Any]
    with following(progress, noun="tilings" if isinstance(problem, Instance) else "solutions") as follow:
        if isinstance(problem, Instance):
            found = asking.solve(problem, solver, question, executor=executor, on_tick=follow.tick)
        elif isinstance(problem, RowCover):
            found = asking.solve_cover(problem, solver, question, on_tick=follow.tick)
        else:
            arguments.refuse(problem)
        # Also where it came too late to end the search: it must not be lost.
        follow.refuse_interrupted(answer(problem, found), f"{found.result.found:,} found until then")
    return found


def answer(problem: Instance | RowCover, found: Answered[Any]) -> Answer[Any]:
    result = found.result
    last = found.solutions[-1] if found.solutions else None
    return Answer(
        status=result.status,
        stop=result.stop,
        tiling=Tiling(problem, last) if isinstance(problem, Instance) and last is not None else last,
        solver=found.solver,
        seconds=found.encode_seconds + found.solve_seconds,
        message=result.reason if result.stop is not Stop.DONE else result.message,
        stats={"nodes": result.nodes, **result.stats},
        found=result.found,
        value=result.value,
        bound=result.bound,
        turned_over=problem.turned_over if isinstance(problem, Instance) else None,
    )


class AskedTilings:
    """Tilings one by one, as they are asked for: Ctrl-C is remembered while one is looked for, and is the caller's otherwise."""

    def __init__(self, problem: Instance | RowCover, progress: ToldProgress) -> None:
        self._problem, self._progress = problem, progress
        self._follow: Following | None = None

    def tick(self, progress: Progress) -> bool:
        """What the search calls."""
        return self._follow is None or self._follow.tick(progress)

    def each(self, running: Generator[Any, None, Result]) -> Generator[Any, None, None]:
        """What a search finds, as it is shown."""
        found = 0
        with closing(running):
            while True:
                with following(self._progress) as self._follow:
                    try:
                        solution = next(running)
                    except StopIteration as end:
                        self._follow.refuse_interrupted(found)
                        if end.value.stop not in (Stop.DONE, Stop.SOLUTIONS):
                            unfinished(end.value)
                        return
                    self._follow.refuse_interrupted(found, f"{found:,} found until then")
                found += 1
                yield Tiling(self._problem, solution) if isinstance(self._problem, Instance) else solution
