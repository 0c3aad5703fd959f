"""Let one solver search at a pace that can be changed, and tell how far it is, at most thirty times a second.

This runs in the process of a worker. At full speed the search goes on undisturbed: fifty times a second it hands over the pieces
that lie, and they are told only if somebody sees them.
"""

from __future__ import annotations

import dataclasses
import threading
import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from statistics import median

from tiler import kernels
from tiler.amounts import counted, duration
from tiler.apps.studio import geometry
from tiler.apps.studio.engine import instance_of
from tiler.apps.studio.messages import Data
from tiler.apps.studio.race_messages import (
    CellOrderMessage,
    Goal,
    OrderRaceMessage,
    RaceAboutMessage,
    RaceOrderMessage,
    RacerMessage,
    RacerStateMessage,
    RaceSolverMessage,
    RaceTileMessage,
)
from tiler.ask.solve import TilingAnswer, solve
from tiler.backends.backtracking import Backtracking, cell_orders
from tiler.backends.base import Backend
from tiler.backends.registry import able, backends, parse_spec
from tiler.cover.board import BoardCover
from tiler.errors import BadOption, InputError, TilerError
from tiler.model.instance import Instance
from tiler.model.text_maps import has_maps
from tiler.model.tile import Placement
from tiler.process.memory import megabytes_beside
from tiler.question import question as questions
from tiler.question.events import Progress
from tiler.question.question import Limits, Question
from tiler.question.result import Stop
from tiler.render.colours import PieceColours

PICTURES = 30  #: the most pictures in a second
MOST_CELLS = 1_000  #: of a board on which solvers race
MOST_SECONDS = 600.0  #: CPU seconds of a racer
_RATE_SECONDS = 0.5  # over which nodes a second are measured
_SHARE_OF_MEMORY = 0.1  # of what is free that a racer may use
_AGAIN_SECONDS = 0.05  # a search that takes less is measured several times
_MOST_AGAIN = 5
_GOALS: tuple[Goal, ...] = ("decide", "count")

#: How solvers work, for people who have never heard of them.
_IN_WORDS: Mapping[str, str] = {
    "backtracking": "Goes from cell to cell in a fixed order, and lays the first piece that covers the next empty cell.",
    "dlx": "Looks at all empty cells and all pieces, and goes on where there are the fewest ways to go on.",
    "fila": "Goes along the short side, and knows from a list which pieces fit between those that lie already.",
    "auto": "Chooses one of the other solvers for this board.",
}

Tell = Callable[[RacerStateMessage], None]


class RacePace:
    """How fast a search may go on. Another thread may change it at any time."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self.per_second: int | None = None  #: nodes a second; None is full speed, 0 a pause
        self._steps = 0
        self._due = 0.0
        self.is_seen = True  #: whether somebody looks
        self.was_slowed = False  #: whether the search ever waited

    def change(self, per_second: int | None, steps: int = 0) -> None:
        """Another pace. In a pause that many more nodes may be made."""
        with self._changed:
            # The same pace once more takes no steps away that are still to be made.
            self._steps = self._steps + steps if per_second == 0 else 0
            self.per_second, self._due = per_second, 0.0
            self._changed.notify_all()

    def stride(self) -> int | None:
        """The nodes up to the next picture; None at full speed."""
        if self.per_second is None:
            return None
        return max(1, self.per_second // PICTURES)

    def wait(self, nodes: int, on_pause: Callable[[], object]) -> None:
        """Wait until that many more nodes may be made. Before it waits in a pause it calls `on_pause` once."""
        is_told = False
        with self._changed:
            while True:
                now = time.monotonic()
                if self.per_second is None:
                    return
                self.was_slowed = True
                if self.per_second == 0:
                    if self._steps > 0:
                        self._steps -= 1
                        return
                    if not is_told:
                        on_pause()
                    is_told = True
                    self._changed.wait()
                    continue
                if self._due <= now:
                    # What was late is not made up for, or the search would hurry after a change of pace.
                    self._due = max(self._due, now - 1 / PICTURES) + nodes / self.per_second
                    return
                self._changed.wait(self._due - now)


class Racer:
    """A solver with a problem, ready to search."""

    def __init__(self, problem: Data, goal: Goal, racer: RacerMessage, pace: RacePace, tell: Tell) -> None:
        """InputError or Refused if it cannot be asked."""
        self._instance = _small(instance_of(problem))
        self._backend = backend_of(self._instance, racer)
        self._question = question_of(goal)
        self._pace, self._tell = pace, tell
        self._cover = BoardCover.of(self._instance)
        reason = self._backend.refusal(self._question, self._cover)
        if reason is None and not self._backend.can_trace:
            reason = "it does not show its steps"
        if reason is not None:
            raise InputError(f"{self._backend.name}: {reason}")
        self._tile = {tile.name: number for number, tile in enumerate(self._instance.distinct_tiles)}
        self._cell = {cell: number for number, cell in enumerate(self._cover.cells)}
        self._drawn: dict[Placement, tuple[int, ...]] = {}
        self._state = RacerStateMessage(str(self._backend), "searching")
        self._stack: Sequence[Placement] | None = None
        self._told = 0.0
        self._rated: tuple[float, int] = (0.0, 0)
        self._started = 0.0
        self._is_over_time = False
        kernels.load()  # Or the first steps would run as Python, which nobody wants to see or to measure.

    def search(self) -> None:
        """Search to the end; what is known is told meanwhile."""
        self._started = time.thread_time()
        self._rated = time.monotonic(), 0
        answer = solve(
            self._instance,
            self._backend,
            self._question,
            on_node=self._visit,
            on_tick=self._tick,
            stride=self._pace.stride,
            cover=self._cover,
        )
        seconds: float | None = time.thread_time() - self._started
        result = answer.result
        tiling = answer.solutions[0] if answer.solutions else None
        self._state = dataclasses.replace(
            self._state,
            nodes=int(result.nodes or 0),
            found=str(result.count or 0) if self._question.goal is questions.Goal.COUNT else str(len(answer.solutions)),
            status=str(result.status),
            pieces=self._pieces(tiling or ()),
        )
        if result.stop is not Stop.DONE and tiling is None:
            said = f"it was stopped after {duration(MOST_SECONDS)} of work" if self._is_over_time else result.reason
            self._say("ended", sentence=said)
            return
        if self._pace.was_slowed:
            self._say("measuring")
            seconds = self._measured(answer)
        self._say("done", seconds=seconds)

    def _measured(self, before: TilingAnswer) -> float | None:
        """CPU seconds of the same search at full speed; None if they are too many."""
        limits = dataclasses.replace(self._question.limits, seconds=MOST_SECONDS)
        question = dataclasses.replace(self._question, limits=limits)
        found: list[float] = []
        while sum(found) < _AGAIN_SECONDS and len(found) < _MOST_AGAIN:
            started = time.thread_time()
            answer = solve(self._instance, self._backend, question, cover=self._cover)
            found.append(time.thread_time() - started)
            if answer.result.status is not before.result.status:
                return None
        return median(found)

    def _visit(self, stack: Sequence[Placement], item: Hashable) -> None:
        self._stack = stack

    def _tick(self, progress: Progress) -> bool:
        if self._stack is None:  # The search has not begun.
            return True
        if time.thread_time() - self._started > MOST_SECONDS:
            self._is_over_time = True
            return False
        now, pace = time.monotonic(), self._pace.per_second
        is_slow = pace is not None and 0 < pace <= PICTURES
        if is_slow or (pace != 0 and self._pace.is_seen and now - self._told >= 1 / PICTURES):
            self._picture(progress, pace)
        self._pace.wait(self._pace.stride() or 1, lambda: self._picture(progress, 0))
        self._stack = None
        return True

    def _picture(self, progress: Progress, pace: int | None) -> None:
        now = self._told = time.monotonic()
        since, nodes = self._rated
        rate = self._state.per_second
        if now - since >= _RATE_SECONDS:
            rate, self._rated = round((progress.nodes - nodes) / (now - since)), (now, int(progress.nodes))
        self._state = dataclasses.replace(
            self._state,
            nodes=int(progress.nodes),
            per_second=0 if pace == 0 else rate,
            found=str(progress.found),
            pieces=self._pieces(self._stack or ()),
            pace=pace,
        )
        self._say("paused" if pace == 0 else "searching")

    def _pieces(self, stack: Sequence[Placement]) -> tuple[tuple[int, ...], ...]:
        return tuple(map(self._piece, stack))

    def _piece(self, placement: Placement) -> tuple[int, ...]:
        known = self._drawn.get(placement)
        if known is None:
            cells = sorted(map(self._cell.__getitem__, placement.cells))
            known = self._drawn[placement] = (self._tile[placement.tile], *cells)
        return known

    def _say(self, state: str, seconds: float | None = None, sentence: str = "") -> None:
        self._state = dataclasses.replace(self._state, state=state, seconds=seconds, sentence=sentence)  # type: ignore[arg-type]
        self._tell(self._state)


def question_of(goal: Goal) -> Question:
    """The question that all racers are asked, each with one thread."""
    limits = Limits(megabytes=megabytes_beside(_SHARE_OF_MEMORY), threads=1)
    return Question(questions.Goal(goal), limits)


def backend_of(instance: Instance, racer: RacerMessage) -> Backend:
    """The backend that races, with the order of cells that was drawn. No file is read."""
    backend = parse_spec(racer.solver)
    if not racer.cells:
        return backend
    if not isinstance(backend, Backtracking):
        raise BadOption(f"{backend.name} takes no order of cells; backtracking does")
    if len(racer.cells) != len(set(racer.cells)) or set(racer.cells) != set(instance.board):
        known = len(set(racer.cells) & set(instance.board))
        raise InputError(f"the order has {known:,} of the {counted(len(instance.board), 'cell')} of the board, or some twice")
    return dataclasses.replace(backend, cells=cell_orders.drawn(instance.lattice, racer.cells))


def order_file(message: OrderRaceMessage) -> RaceOrderMessage:
    """An order of cells as the file that the command reads."""
    instance = _small(instance_of(message.problem))
    backend = backend_of(instance, RacerMessage(Backtracking.name, message.cells))
    assert isinstance(backend, Backtracking)
    return RaceOrderMessage(cell_orders.in_lines(backend.cells))


def about(problem: Data) -> RaceAboutMessage:
    """What the page needs to know of a problem before a race."""
    instance = _small(instance_of(problem))
    cover = BoardCover.of(instance)
    fills = PieceColours.of(instance, ()).tiles
    number_of = {cell: number for number, cell in enumerate(cover.cells)}
    orders = tuple(
        CellOrderMessage(name, tuple(number_of[cell] for cell in cell_orders.in_order(name, instance.lattice, instance.board)))
        for name in cell_orders.PRESETS
    )
    return RaceAboutMessage(
        instance.heading,
        geometry.lattice_message(instance.lattice),
        cover.cells,
        tuple(RaceTileMessage(tile.name, fills[tile.name]) for tile in instance.distinct_tiles),
        orders,
        has_maps(instance.lattice),
        tuple(_solver(name, cover) for name in able("can_trace")),
    )


def _solver(name: str, cover: BoardCover) -> RaceSolverMessage:
    kind = backends()[name]
    refusals = []
    for goal in _GOALS:
        try:
            reason = kind().refusal(question_of(goal), cover)
        except TilerError as error:
            reason = str(error)
        refusals.append((goal, reason or ""))
    sentence = _IN_WORDS.get(name) or (kind.__doc__ or "").strip().partition("\n")[0]
    return RaceSolverMessage(name, sentence, issubclass(kind, Backtracking), tuple(refusals))


def _small(instance: Instance) -> Instance:
    if len(instance.board) > MOST_CELLS:
        raise InputError(f"the board has {len(instance.board):,} cells; solvers race on boards up to {MOST_CELLS:,}")
    if not instance.tiles:
        raise InputError("there is no piece yet; draw or choose some in the room Puzzle")
    return instance
