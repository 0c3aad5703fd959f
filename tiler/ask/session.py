"""A question while it is being answered: each solution is verified and handed over, and each stage has its own clock."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Hashable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from tiler import portable
from tiler.ask import execution
from tiler.ask.features import fault_free, filtered_search
from tiler.ask.planner import ASKED_FOR
from tiler.backends.base import Backend
from tiler.backends.branch_and_bound import Box
from tiler.cover.board import BoardCover
from tiler.cover.cover import Cover, RowCover
from tiler.cover.verify import error_in, may_be_wrong
from tiler.errors import BadSolution
from tiler.kernels import loading
from tiler.model.instance import Instance
from tiler.model.tile import Placements
from tiler.model.verify_blocks import BlockVerifier
from tiler.process.cancellation import Stopped
from tiler.question.events import Found, Progress, RunningSearch, Saved, SearchContext, Visited
from tiler.question.limit_watch import Watch
from tiler.question.plan import Candidate, Plan
from tiler.question.question import Goal, Question
from tiler.question.result import Result, Stop

if TYPE_CHECKING:
    from tiler.ask.checkpoint import Checkpoint

Rows = tuple[int, ...]  #: a solution of a general exact cover: numbers of its rows, ascending

C = TypeVar("C", bound=Cover)
S = TypeVar("S")


@dataclass(frozen=True)
class Listeners(Generic[S]):
    """Functions to call while a question is answered; see `tiler.ask.solve.solve`."""

    on_block: Callable[[Any, Found], None] | None = field(default=None, kw_only=True)

    on_solution: Callable[[S], None] | None = None
    on_tick: Callable[[Progress], bool] | None = None
    on_node: Callable[[S, Hashable], None] | None = None
    stride: Callable[[], int | None] | None = field(default=None, kw_only=True)


class _Asking(ABC, Generic[C, S]):
    """A question about an instance or a general exact cover: what both have in common."""

    name: str  #: the name of the problem
    cover: C  #: once it is made
    result: Result  #: once the question is answered

    def __init__(
        self,
        backend: Backend,
        question: Question,
        listeners: Listeners[S],
        checkpoint: Checkpoint | None = None,
    ) -> None:
        self._backend, self._question, self._listeners, self._checkpoint = backend, question, listeners, checkpoint
        self._kept: list[S] = []
        self._value: int | None = None  # the weight of the last solution
        self._progress = Progress()
        self._found = 0  # solutions handed over
        self._saved: Saved | None = None  # the last state of the search
        self._encode_seconds = self._verify_seconds = self._draw_seconds = 0.0
        self._solve_seconds: float | None = None
        self._started = time.perf_counter()
        self._watch = Watch(question.limits, self._started)
        saved = checkpoint.saved if checkpoint else None
        self._context = SearchContext(
            listeners.on_node is not None, checkpoint is not None, saved, self._check_stop, self._started
        )
        if listeners.stride is not None:
            self._context = replace(self._context, stride=listeners.stride)

    @abstractmethod
    def _encode(self) -> C:
        """Make the cover."""

    @abstractmethod
    def _shown(self, cover: C, options: Sequence[int]) -> S:
        """A solution, its options without those of fillers, in the form in which it is handed over."""

    @abstractmethod
    def _stack(self, cover: C, options: tuple[int, ...]) -> S:
        """The choices made so far, in their order."""

    @abstractmethod
    def _error_in(self, cover: C, block: Found) -> str | None:
        """A sentence that says what is wrong with the first wrong one of some solutions, without fillers; None if all hold."""

    @abstractmethod
    def _weight(self, cover: C, solution: S) -> int:
        """The sum of the weights in a solution."""

    @abstractmethod
    def _start(self, cover: C, executor: str | None) -> RunningSearch:
        """Start the search."""

    def _error_beside(self, cover: C, result: Result) -> str | None:
        """What is wrong with the rest of an answer, such as its certificate, in words that follow "answered with"."""
        if result.value is not None and self._value is not None and result.value != self._value:
            return f"a solution of {self.name} that weighs {self._value}, not {result.value}"
        return None

    def ask(self, executor: str | None = None) -> Result:
        """Answer the question, from the cover to the result. Solutions are handed over, or kept."""
        on_block, on_solution = self._listeners.on_block, self._listeners.on_solution
        with closing(self.blocks(executor)) as blocks:
            for block in blocks:
                if on_block is not None:
                    on_block(self.cover, block)
                    continue
                for options in block:
                    solution = self._shown(self.cover, options)
                    if on_solution is not None:
                        on_solution(solution)
                    elif self._question.goal is Goal.OPTIMISE:
                        self._kept = [solution]  # Each solution is better than the one before.
                    else:
                        self._kept.append(solution)
        return self.result

    def solutions(self) -> Generator[S, None, Result]:
        """Each solution, verified, as it is found; what the generator returns is the result. Closing it ends the search."""
        with closing(self.blocks()) as blocks:
            for block in blocks:
                for options in block:
                    yield self._shown(self.cover, options)
        return self.result

    def blocks(self, executor: str | None = None) -> Generator[Found, None, Result]:
        """Answer the question: make the cover, start the search, and take its events until it ends. Yields solutions in blocks,
        verified, by options of `cover` in ascending order, without those of fillers; a count has none. Returns the result, which
        `result` has too. Closing the generator ends the search."""
        try:
            try:
                cover = self.cover = self._encode()
            finally:
                self._encode_seconds = time.perf_counter() - self._started
            with closing(self._start(cover, executor)) as search:
                while True:  # `Events` would be one frame more on the stack of every search.
                    try:
                        event = next(search)
                    except StopIteration as ended:
                        result = ended.value
                        break
                    if isinstance(event, Found):
                        yield from self._handed_over(cover, event)
                    elif not self._goes_on(cover, event):
                        result = self._progress.ended(Stop.INTERRUPTED, self._found)
                        break
                if self._checkpoint is not None and self._saved is not None and result.stop is not Stop.DONE:
                    self._checkpoint.save(self._saved)
            self._solved()
            self.result = self._verified_result(cover, result)
        except Stopped as stopped:
            self.result = self._progress.ended(Stop(stopped.why), self._found, stopped.message)
        finally:
            self._solved()
        return self.result

    def _handed_over(self, cover: C, found: Found) -> Iterator[Found]:
        """Solutions that were found, without fillers, once they are verified; BadSolution if one is wrong. The time that the
        caller takes is drawing."""
        before = time.perf_counter()
        block = found.through(np.where(cover.fills, -1, portable.arange(len(cover))))
        wrong = self._error_in(cover, block)
        if wrong:
            raise BadSolution(f"{self._backend} answered with a wrong solution of {self.name}: {wrong}")
        if self._question.goal is Goal.OPTIMISE:
            *_, last = block
            self._value = self._weight(cover, self._shown(cover, last))
        self._found += len(block)
        verified = time.perf_counter()
        yield block
        drawn = time.perf_counter()
        self._verify_seconds += verified - before
        self._draw_seconds += drawn - verified
        self._watch.outside += drawn - before

    def _goes_on(self, cover: C, event: Progress | Visited | Saved) -> bool:
        """Take note of an event. Returns whether the search goes on."""
        match event:
            case Progress():
                self._progress = event
                return self._listeners.on_tick is None or self._listeners.on_tick(event)
            case Visited(options, item):
                if self._listeners.on_node is not None:
                    self._listeners.on_node(self._stack(cover, options), None if item is None else cover.items[item])
            case Saved():
                self._saved = event
                if self._checkpoint is not None and self._checkpoint.is_due():
                    self._checkpoint.save(event)
        return True

    def _verified_result(self, cover: C, result: Result) -> Result:
        """The result with its plan. BadSolution if something beside the solutions is wrong.

        A search for the heaviest solution that was ended early has the weight of the best so far, and an upper bound: from the
        sizes of the tiles, unless the search knows a better one.
        """
        if self._question.goal is Goal.OPTIMISE and result.stop is not Stop.DONE:
            box = Box.of(cover, cover.lower.tolist(), cover.upper.tolist()) if result.bound is None else None
            result = replace(result, value=self._value, bound=result.bound if box is None else box.weight)
        if result.plan is None:
            result = replace(result, plan=Plan((Candidate(str(self._backend), ASKED_FOR),)))
        before = time.perf_counter()
        wrong = self._error_beside(cover, result)
        if wrong:
            raise BadSolution(f"{self._backend} answered with {wrong}")
        self._verify_seconds += time.perf_counter() - before
        return result

    def fields(self, result: Result) -> dict[str, Any]:
        """The fields that all answers have."""
        return {
            "solver": self._backend.spec,
            "result": result,
            "solutions": tuple(self._kept),
            "encode_seconds": self._encode_seconds,
            "solve_seconds": self._solve_seconds or 0.0,
            "verify_seconds": self._verify_seconds,
            "draw_seconds": self._draw_seconds,
            "threads": self._question.limits.threads,
        }

    def _check_stop(self) -> None:
        """A look at the clock for the stages before a search, or before its next part."""
        if self._listeners.on_tick is not None and not self._listeners.on_tick(self._progress):
            raise Stopped(Stop.INTERRUPTED)
        self._watch.check_stop()

    def _solved(self) -> None:
        """Note that the backend is done: its clock stops, and the time for loading kernels is subtracted."""
        if self._solve_seconds is None:
            beside = self._encode_seconds + self._verify_seconds + self._draw_seconds
            self._solve_seconds = time.perf_counter() - self._started - beside - loading.since(self._started)


class AskingBoard(_Asking[BoardCover, Placements]):
    """A question about an instance."""

    def __init__(
        self,
        instance: Instance,
        backend: Backend,
        question: Question,
        listeners: Listeners[Placements],
        checkpoint: Checkpoint | None = None,
        cover: BoardCover | None = None,
    ) -> None:
        self._instance, self._listed = instance, cover
        self.name = instance.name or "the instance"
        super().__init__(backend, question, listeners, checkpoint)

    @cached_property
    def _verifier(self) -> BlockVerifier:
        # A count needs no verifier, and to make one takes tenths of a second for large pieces with many corners.
        return BlockVerifier(self._instance, self.cover.placements)

    def _encode(self) -> BoardCover:
        cover = BoardCover.of(self._instance, self._check_stop) if self._listed is None else self._listed
        return filtered_search.narrowed(cover, self._question) if self._question.features else cover

    def _shown(self, cover: BoardCover, options: Sequence[int]) -> Placements:
        return cover.laid(options)

    def _stack(self, cover: BoardCover, options: tuple[int, ...]) -> Placements:
        return tuple(each for option in options for each in cover.placements([option]))

    def _error_in(self, cover: BoardCover, block: Found) -> str | None:
        return self._verifier.error_in(block.rows)

    def _weight(self, cover: BoardCover, solution: Placements) -> int:
        weight_of = {tile.name: tile.weight for tile in self._instance.tiles}
        return sum(weight_of[placement.tile] for placement in solution)

    def _start(self, cover: BoardCover, executor: str | None) -> RunningSearch:
        """Start the search; with features, one whose tilings are filtered."""
        question = self._question
        if not question.features:
            return self._search(cover, question, executor)
        if fault_free.suits(self._instance, question):
            return fault_free.search(self._instance, self._backend, question, self._context)
        running = self._search(cover, filtered_search.asked_of_backend(question), executor)
        return filtered_search.sifted(running, cover, question, self._check_stop)

    def _search(self, cover: BoardCover, question: Question, executor: str | None) -> RunningSearch:
        """The search by several processes, up to symmetry, or by one search."""
        backend = self._backend
        if executor is not None:
            from tiler.ask.split import parallel

            return parallel.start(backend, cover, question, executor, self._context)
        if question.up_to_symmetry and question.goal in (Goal.COUNT, Goal.ENUMERATE):
            from tiler.ask.symmetry import orbits

            return orbits.start(backend, cover, question, self._context)
        return execution.start(backend, cover, question, self._context)

    def _error_beside(self, cover: BoardCover, result: Result) -> str | None:
        """What is wrong with a certificate, or with the numbers of uses. DRUP proofs are not checked here, since other programs
        do that, and counts are not, since that would be a second count.
        """
        if result.certificate is not None:
            from tiler.backends.coloring import checker
            from tiler.question.certificate import Certificate

            certificate = result.certificate
            wrong = checker.error_in(self._instance, certificate) if isinstance(certificate, Certificate) else None
            if wrong:
                return f"a wrong proof about {self.name}: {wrong}"
        if result.uses is not None:
            wrong = error_in_uses(cover, result.uses, result.count or 0)
            if wrong:
                return f"wrong numbers of uses in {self.name}: {wrong}"
        return super()._error_beside(cover, result)


class AskingRows(_Asking[RowCover, Rows]):
    """A question about a general exact cover."""

    def __init__(self, cover: RowCover, name: str, backend: Backend, question: Question, listeners: Listeners[Rows]) -> None:
        self._cover = cover
        self.name = name or "the exact cover"
        super().__init__(backend, question, listeners)

    def _encode(self) -> RowCover:
        return self._cover

    def _start(self, cover: RowCover, executor: str | None) -> RunningSearch:
        return execution.start(self._backend, cover, self._question, self._context)

    def _shown(self, cover: RowCover, options: Sequence[int]) -> Rows:
        return tuple(cover.row_of[option] for option in options)

    def _stack(self, cover: RowCover, options: tuple[int, ...]) -> Rows:
        return tuple(cover.row_of[option] for option in options if not cover.fills[option])

    def _error_in(self, cover: RowCover, block: Found) -> str | None:
        suspects = block.where(may_be_wrong(cover, block.rows))
        return next(filter(None, (error_in(cover, solution) for solution in suspects)), None)

    def _weight(self, cover: RowCover, solution: Rows) -> int:
        return int(cover.weights[cover.tile[np.searchsorted(cover.row_of, solution)]].sum())


def error_in_uses(cover: BoardCover, uses: Mapping[int, int], tilings: int) -> str | None:
    """What is wrong with the numbers of tilings that use each option: every item is covered once in each tiling."""
    numbers = [0] * len(cover.items)
    for option, number in uses.items():
        for item in cover.members[option].tolist():
            numbers[item] += number
    wrong = next((item for item, number in enumerate(numbers) if number != tilings), None)
    return None if wrong is None else f"{cover.items[wrong]} is covered in {numbers[wrong]} of {tilings} tilings"
