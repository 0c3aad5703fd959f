"""Run a search for a function of `tiler`; if Ctrl-C ends it, raise Interrupted with what is known."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from typing import Any, TypeVar, cast

from tiler.api import arguments
from tiler.api.answers.answer import Answer
from tiler.api.answers.tiling import Tiling
from tiler.api.answers.tiling_block import TilingBlock
from tiler.api.arguments import LimitArguments, SearchArguments, ToldProgress
from tiler.api.monitoring import Following, following, unfinished
from tiler.ask import solve as asking
from tiler.ask.reasons import with_reason
from tiler.ask.session import AskingBoard, AskingRows
from tiler.ask.solve import Answered
from tiler.cover.cover import RowCover
from tiler.errors import BadArgument
from tiler.model.instance import Instance
from tiler.printable import shortened
from tiler.question.events import Found, Progress
from tiler.question.question import Question
from tiler.question.result import Stop

S = TypeVar("S")


def of_board(problem: Instance, solver: str, question: Question, limits: LimitArguments | SearchArguments) -> asking.TilingAnswer:
    answer = of_any(arguments.board(problem), solver, question, limits)
    assert isinstance(answer, asking.TilingAnswer)
    return answer


def of_any(
    problem: Instance | RowCover,
    solver: str,
    question: Question,
    limits: LimitArguments | SearchArguments,
    executor: str | None = None,
) -> Answered[Any]:
    """The answer of a search; Interrupted, with what it knows, if Ctrl-C ended it."""
    found: Answered[Any]
    with following(limits.get("progress", False), noun="tilings" if isinstance(problem, Instance) else "solutions") as follow:
        if isinstance(problem, Instance):
            found = with_reason(asking.solve(problem, solver, question, executor=executor, on_tick=follow.tick))
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


class Tilings(Generator[S, None, None]):
    """Tilings one by one, as they are asked for, or in blocks. Ctrl-C is remembered while some are looked for, and is the
    caller's otherwise. `close`, and leaving the loop, ends the search."""

    def __init__(self, problem: Instance | RowCover, solver: str, question: Question, progress: ToldProgress) -> None:
        """BadArgument if the problem is none; what the solver refuses is refused here, not when the first is asked for."""
        # Nothing that these hold leads back here, so that the search ends when nobody knows this object any more.
        follower = _Follower(progress)
        self._asking: AskingBoard | AskingRows
        if isinstance(problem, Instance):
            self._asking = asking.asked_tilings(problem, solver, question, follower.tick)
        elif isinstance(problem, RowCover):
            self._asking = asking.asked_solutions(problem, solver, question, follower.tick)
        else:
            arguments.refuse(problem)
        self._blocks = follower.blocks(self._asking)
        self._each = _one_by_one(self._blocks, self._asking)
        self._has_begun = False

    def blocks(self) -> Generator[TilingBlock, None, None]:
        """The tilings as arrays, many at a time: a first block of one tiling, then larger and larger ones. BadArgument if the
        search has begun, or if it is about a general exact cover.

        >>> import tiler
        >>> for block in tiler.tilings(tiler.make("2x2", "2"), solver="dlx").blocks():
        ...     block.to_numpy().tolist()
        [[[1, 1], [2, 2]]]
        [[[1, 2], [1, 2]]]
        """
        if not isinstance(self._asking, AskingBoard):
            raise BadArgument("blocks: of tilings of a board, not of solutions of a general exact cover")
        if self._has_begun:
            raise BadArgument("blocks: ask for them before the first tiling")
        self._has_begun = True
        return _in_blocks(self._blocks, self._asking)

    def __repr__(self) -> str:
        state = "begun" if self._has_begun else "not begun"
        return f"Tilings(of {shortened(self._asking.name)}, one by one in a loop; {state})"

    def __next__(self) -> S:
        self._has_begun = True
        return cast("S", next(self._each))

    def send(self, value: None) -> S:
        """As `next`."""
        return next(self)

    def throw(self, *error: Any) -> S:
        """Raise an error where the search is."""
        return cast("S", self._each.throw(*error))

    def close(self) -> None:
        """End the search."""
        self._each.close()
        self._blocks.close()


class _Follower:
    """Follows a search from one block to the next."""

    def __init__(self, progress: ToldProgress) -> None:
        self._progress = progress
        self._follow: Following | None = None

    def tick(self, progress: Progress) -> bool:
        """What the search calls."""
        return self._follow is None or self._follow.tick(progress)

    def blocks(self, asking: AskingBoard | AskingRows) -> Generator[Found, None, None]:
        """The blocks that the search finds; Interrupted or Unfinished if it is ended early."""
        found = 0
        with closing(asking.blocks()) as running:
            while True:
                with following(self._progress) as self._follow:
                    try:
                        block = next(running)
                    except StopIteration as end:
                        self._follow.refuse_interrupted(found)
                        if end.value.stop not in (Stop.DONE, Stop.SOLUTIONS):
                            unfinished(end.value)
                        return
                    self._follow.refuse_interrupted(found, f"{found:,} found until then")
                found += len(block)
                yield block


def _in_blocks(blocks: Generator[Found, None, None], asking: AskingBoard) -> Generator[TilingBlock, None, None]:
    with closing(blocks):
        for block in blocks:
            yield TilingBlock(block.rows, asking.cover)


def _one_by_one(blocks: Generator[Found, None, None], asking: AskingBoard | AskingRows) -> Generator[Any, None, None]:
    with closing(blocks):
        for block in blocks:
            yield from TilingBlock(block.rows, asking.cover) if isinstance(asking, AskingBoard) else block
