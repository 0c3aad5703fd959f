"""Answer questions about one opened problem while somebody plays: can it still be completed, in how many ways, what fits where.

All tilings are kept as one diagram where there is time and memory to make it; then each answer takes milliseconds. Else a short
search decides, and numbers are not known.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tiler import portable
from tiler.ask.solution_diagram import whole
from tiler.ask.solve import solve
from tiler.cover import diagram_operations
from tiler.cover.board import BoardCover
from tiler.cover.diagram import Diagram
from tiler.errors import InputError, TilerError
from tiler.model.constraints import Constraint
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.model.lattice import Cell
from tiler.question.question import Limits, Question
from tiler.question.result import Result
from tiler.studies import why_not
from tiler.studies.why_not import WhyNot
from tiler.studio.message_json import read
from tiler.studio.messages import LaidMessage, LaidTileMessage, WhyMessage

#: Limits of the diagram of all tilings while a player waits, and while nobody asks for anything.
SET_LIMITS, IDLE_LIMITS = (Limits(seconds=seconds, megabytes=1500, threads=1) for seconds in (0.5, 30.0))
PATIENCE = Limits(seconds=0.5, megabytes=1500, threads=1)  #: limits of the search where there is no diagram
MANY = "many"  #: a number of tilings that is not known, but above 0

Marks = NDArray[np.bool_]


class Live:
    """The live answers about an instance, with its cover."""

    def __init__(self, instance: Instance, cover: BoardCover) -> None:
        self.instance, self.cover = instance, cover
        self._diagram: Diagram | None = None
        self._tried = 0.0  # seconds for which the diagram was tried to be made, in vain
        self._cell_number = {cell: number for number, cell in enumerate(cover.cells)}
        self._covers = self._incidence()
        self._shown = int((~cover.fills).sum())

    def _incidence(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """For each pair of an option and a cell that it covers, both."""
        members = self.cover.members
        owner = portable.repeat(portable.arange(len(self.cover)), np.diff(members.starts))
        are_cells = members.values < len(self.cover.cells)
        return owner[are_cells], members.values[are_cells].astype(np.int64)

    @property
    def has_diagram(self) -> bool:
        """Whether numbers are known."""
        return self._diagram is not None

    def diagram(self, limits: Limits, going_on: Callable[[], bool] = lambda: True) -> Diagram | None:
        """All tilings; None if that takes too much time or memory. Only a call with more time tries again."""
        if self._diagram is None and (limits.seconds or 0.0) > self._tried:
            try:
                made = whole(self.instance, limits, on_tick=lambda progress: going_on())
            except (TilerError, MemoryError):
                made = None
            if made is not None and not isinstance(made, Result):
                self._diagram = made[1]
            elif going_on():
                self._tried = limits.seconds or 0.0
        return self._diagram

    def lay(self, revision: int, laid: Sequence[LaidTileMessage]) -> LaidMessage:
        """The answer to a move; InputError if a tile is laid on no cells of the board, or is unknown."""
        started = time.perf_counter()
        chosen, allowed, misfit = self._marks(laid)
        open_options = allowed & ~chosen
        open_options &= self._has_copies_left(laid)[self.cover.tile]
        covered = self._covered(laid)
        dead = self._cells_with(0, open_options, covered)
        placeable = np.flatnonzero(open_options[: self._shown])

        reason = misfit
        diagram = self.diagram(SET_LIMITS) if misfit is None else None
        if reason is None and diagram is None:
            reason = _message_of(why_not.at_sight(with_laid(self.instance, laid)))

        possible: bool | None = False
        count: str | None = "0"
        forced: list[int] = []
        numbers: dict[int, str | None] = dict.fromkeys(placeable.tolist(), "0")
        leading = open_options
        if diagram is not None:
            part = diagram_operations.restrict_options(diagram, chosen | open_options)
            uses, total = diagram_operations.option_counts(part), part.total
            possible, count = total > 0, str(total)
            numbers = {option: str(uses.get(option, 0)) for option in placeable.tolist()}
            forced = [option for option in placeable.tolist() if total and uses.get(option) == total]
            leading = open_options & np.isin(portable.arange(len(self.cover)), list(uses))
        elif reason is None:
            possible, count = self._decided(laid)
            numbers = dict.fromkeys(placeable.tolist(), "0" if possible is False else None)
        if possible is False and reason is None:
            reason = _message_of(why_not.explain(with_laid(self.instance, laid)))
        single = self._cells_with(1, leading, covered) if possible is not False else []
        if possible and diagram is None:
            forced = self._last_on(single, open_options)
        return LaidMessage(
            revision,
            possible,
            count,
            tuple(forced),
            tuple(numbers.items()),
            tuple(dead),
            tuple(single),
            reason,
            round(time.perf_counter() - started, 6),
        )

    def _marks(self, laid: Sequence[LaidTileMessage]) -> tuple[Marks, Marks, WhyMessage | None]:
        """Marks, shape (options,), of the options laid, and of all that go with them; and what is wrong with the tiles laid."""
        chosen = np.zeros(len(self.cover), np.bool_)
        allowed = np.ones(len(self.cover), np.bool_)
        taken: set[Cell] = set()
        misfit = None
        for tile in laid:
            number = self.instance.number_of(tile.tile, "laid")
            wrong = next((cell for cell in tile.cells if cell not in self._cell_number), None)
            if wrong is not None:
                raise InputError(f"laid: {tile.tile} covers {','.join(map(str, wrong))}, which is no cell of the board")
            touched = self._touching(tile.cells)
            area = self.cover.areas[self.cover.tile]
            same = (touched == len(tile.cells)) & (area == len(tile.cells)) & (self.cover.tile == number)
            if tile.orientation is not None:
                same &= self.cover.variant == tile.orientation
            if taken & set(tile.cells):
                cells = tuple(sorted(taken & set(tile.cells)))
                misfit = misfit or WhyMessage(f"{tile.tile} lies on another piece", "cell", cells=cells)
            elif not same.any():
                misfit = misfit or WhyMessage(f"{tile.tile} may not lie there", "cell", cells=tile.cells)
            taken |= set(tile.cells)
            chosen |= same
            allowed &= same | (touched == 0)
        return chosen, allowed | chosen, misfit

    def _touching(self, cells: Sequence[Cell]) -> NDArray[np.int64]:
        """The number of these cells that each option covers, shape (options,)."""
        owner, member = self._covers
        marked = np.zeros(len(self.cover.cells), np.bool_)
        marked[[self._cell_number[cell] for cell in cells]] = True
        return portable.bincount(owner[marked[member]], minlength=len(self.cover))

    def _has_copies_left(self, laid: Sequence[LaidTileMessage]) -> Marks:
        """Marks, shape (tiles,), of the tiles of which another copy may be laid."""
        used = np.zeros(len(self.cover.tiles), np.int64)
        for tile in laid:
            used[self.instance.number_of(tile.tile, "laid")] += 1
        return np.asarray(used < self.cover.upper)

    def _covered(self, laid: Sequence[LaidTileMessage]) -> Marks:
        covered = np.zeros(len(self.cover.cells), np.bool_)
        covered[[self._cell_number[cell] for tile in laid for cell in tile.cells]] = True
        return covered

    def _cells_with(self, number: int, options: Marks, covered: Marks) -> list[Cell]:
        """The cells without a tile that this number of options could cover."""
        owner, member = self._covers
        over = portable.bincount(member[options[owner]], minlength=len(self.cover.cells))
        return [self.cover.cells[cell] for cell in np.flatnonzero((over == number) & ~covered).tolist()]

    def _last_on(self, cells: Sequence[Cell], options: Marks) -> list[int]:
        """The options that are the last ones over some cells."""
        touched = self._touching(cells) > 0
        return [option for option in np.flatnonzero(touched & options).tolist() if option < self._shown]

    def _decided(self, laid: Sequence[LaidTileMessage]) -> tuple[bool | None, str | None]:
        """Whether there is a tiling, and how many, as far as a short search can tell."""
        try:
            answer = solve(with_laid(self.instance, laid), question=Question(limits=PATIENCE))
        except TilerError:
            return None, None
        return {Status.SAT: (True, MANY), Status.UNSAT: (False, "0")}.get(answer.result.status, (None, None))


def _message_of(reason: WhyNot | None) -> WhyMessage | None:
    return None if reason is None else read(WhyMessage, reason.to_json())


def with_laid(instance: Instance, laid: Sequence[LaidTileMessage]) -> Instance:
    """The problem in which some tiles lie on the board already."""
    if not laid:
        return instance
    placed = tuple(
        Constraint("place", tile.tile, tuple(sorted(tile.cells)), 0 if tile.orientation is None else tile.orientation + 1)
        for tile in laid
    )
    return replace(instance, constraints=(*instance.constraints, *placed), about=instance.about.unanswered)
