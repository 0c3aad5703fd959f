"""Answer questions about one opened problem while somebody plays: can it still be completed, in how many ways, what fits where.

All tilings are kept as one diagram where there is time and memory to make it; then each answer takes milliseconds. Else those
that go on from the tiles laid are listed, if they are few. Else a short search decides, and numbers are not known.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tiler import extensions, portable
from tiler.apps.studio.message_json import read
from tiler.apps.studio.messages import LaidMessage, LaidTileMessage, WhyMessage
from tiler.ask.solution_diagram import whole
from tiler.ask.solve import asked_tilings, solve
from tiler.cover import diagram_operations
from tiler.cover.board import BoardCover
from tiler.cover.diagram import Diagram
from tiler.errors import InputError, TilerError
from tiler.model.constraints import Constraint
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.model.lattice import Cell
from tiler.model.placed import with_constraints
from tiler.process.memory import megabytes_beside
from tiler.question.events import Events
from tiler.question.question import Goal, Limits, Question
from tiler.question.result import Result, Stop

#: Limits of the diagram of all tilings while a player waits, and while nobody asks for anything; megabytes are beside those that
#: the process has taken already.
SET_LIMITS, IDLE_LIMITS = (Limits(seconds=seconds, megabytes=1500, threads=1) for seconds in (0.5, 30.0))
#: Limits of a list of tilings where there is no diagram, while a player waits, and while nobody asks for anything.
LIST_LIMITS, IDLE_LIST_LIMITS = (Limits(seconds=seconds, megabytes=1500, threads=1) for seconds in (0.2, 60.0))
MOST_IN_LIST = 5_000_000  #: tiles in the tilings of a list, together
PATIENCE = Limits(seconds=0.5, megabytes=1500, threads=1)  #: limits of the search where there is neither
MANY = "many"  #: a number of tilings that is not known, but above 0

Marks = NDArray[np.bool_]


class _List(NamedTuple):
    """Tilings that go on from some tiles laid."""

    chosen: Marks  #: shape (options,): of those tiles
    rows: NDArray[np.int32]  #: shape (tilings, most tiles): their options; shorter rows end with -1


class Live:
    """The live answers about an instance, with its cover."""

    def __init__(self, instance: Instance, cover: BoardCover) -> None:
        self.instance, self.cover = instance, cover
        self._diagram: Diagram | None = None
        self._tried = 0.0  # seconds for which the diagram was tried to be made, in vain
        self._list: _List | None = None
        self._unlisted: Marks | None = None  # tiles laid for which a list was tried to be made while nobody waits, in vain
        self._cell_number = {cell: number for number, cell in enumerate(cover.cells)}
        self._covers = self._incidence()
        self._shown = int((~cover.fills).sum())

    def _incidence(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """For each pair of an option and a cell that it covers, both."""
        members = self.cover.members
        owner = portable.repeat(portable.arange(len(self.cover)), np.diff(members.starts))
        are_cells = members.values < len(self.cover.cells)
        return owner[are_cells], members.values[are_cells].astype(np.int64)

    def diagram(self, limits: Limits, going_on: Callable[[], bool] = lambda: True) -> Diagram | None:
        """All tilings; None if that takes too much time or memory. Only a call with more time tries again."""
        if self._diagram is None and (limits.seconds or 0.0) > self._tried:
            try:
                made = whole(self.instance, _now(limits), on_tick=lambda progress: going_on())
            except (TilerError, MemoryError):
                made = None
            if made is not None and not isinstance(made, Result):
                self._diagram = made[1]
            elif going_on():
                self._tried = limits.seconds or 0.0
        return self._diagram

    def lay(self, revision: int, laid: Sequence[LaidTileMessage], going_on: Callable[[], bool] = lambda: True) -> LaidMessage:
        """The answer to a move; InputError if a tile is laid on no cells of the board, or is unknown. Numbers that are not known
        yet are left for later once `going_on` says no."""
        started = time.perf_counter()
        chosen, allowed, misfit = self._marks(laid)
        open_options = allowed & ~chosen
        open_options &= self._has_copies_left(laid)[self.cover.tile]
        covered = self._covered(laid)
        dead = self._cells_with(0, open_options, covered)
        placeable = np.flatnonzero(open_options[: self._shown])

        reason = misfit
        known = self._uses(laid, chosen, open_options, going_on) if misfit is None else None
        if reason is None and known is None:
            reason = _message_of(extensions.service("why_not").at_sight(with_laid(self.instance, laid)))

        possible: bool | None = False
        count: str | None = "0"
        forced: list[int] = []
        numbers: dict[int, str | None] = dict.fromkeys(placeable.tolist(), "0")
        leading = open_options
        if known is not None:
            total, uses = known
            possible, count = total > 0, str(total)
            numbers = {option: str(uses.get(option, 0)) for option in placeable.tolist()}
            forced = [option for option in placeable.tolist() if total and uses.get(option) == total]
            leading = open_options & np.isin(portable.arange(len(self.cover)), list(uses))
        elif reason is None:
            possible, count = self._decided(laid)
            numbers = dict.fromkeys(placeable.tolist(), "0" if possible is False else None)
        if possible is False and reason is None:
            reason = _message_of(extensions.service("why_not").explain(with_laid(self.instance, laid)))
        single = self._cells_with(1, leading, covered) if possible is not False else []
        if possible and known is None:
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

    def _uses(
        self, laid: Sequence[LaidTileMessage], chosen: Marks, open_options: Marks, going_on: Callable[[], bool]
    ) -> tuple[int, dict[int, int]] | None:
        """The number of tilings that go on from the tiles laid, and for each option the number of those with it; None if they
        are not known. Where tiles lie a list is often made sooner than the diagram."""
        is_first = self._diagram is None and bool(laid)
        if is_first and self.list_tilings(laid, LIST_LIMITS, going_on):
            return self._uses_in_list(chosen, open_options)
        diagram = self.diagram(SET_LIMITS, going_on)
        if diagram is not None:
            part = diagram_operations.restrict_options(diagram, chosen | open_options)
            return part.total, diagram_operations.option_counts(part)
        if not is_first and self.list_tilings(laid, LIST_LIMITS, going_on):
            return self._uses_in_list(chosen, open_options)
        return None

    def list_tilings(self, laid: Sequence[LaidTileMessage], limits: Limits, going_on: Callable[[], bool] = lambda: True) -> bool:
        """List the tilings that go on from the tiles laid. Whether all are known: they may be too many, or take too long."""
        chosen, _, misfit = self._marks(laid)
        is_known = self._list is not None and not (self._list.chosen & ~chosen).any()
        if is_known or misfit is not None or (self._unlisted is not None and np.array_equal(self._unlisted, chosen)):
            return is_known
        found: list[NDArray[np.int32]] = []
        try:
            question = Question(Goal.ENUMERATE, limits=_now(limits))
            asking = asked_tilings(with_laid(self.instance, laid), question=question, on_tick=lambda progress: going_on())
            with Events(asking.blocks()) as blocks:
                for block in blocks:
                    found.append(block.rows)
                    if sum(rows.size for rows in found) > MOST_IN_LIST or not going_on():
                        break
                else:
                    is_known = blocks.result.stop is Stop.DONE
        except (TilerError, MemoryError):
            is_known = False
        if is_known:
            self._list = _List(chosen, self._numbered(asking.cover, found))
        elif limits is IDLE_LIST_LIMITS and going_on():
            self._unlisted = chosen
        return is_known

    def _numbered(self, cover: BoardCover, blocks: Sequence[NDArray[np.int32]]) -> NDArray[np.int32]:
        """Tilings of another cover of the board, by the options of this one; all in one array."""
        own = {key: option for option, key in enumerate(_keys(self.cover))}
        number = np.array([*(own[key] for key in _keys(cover)), -1], np.int32)
        rows = np.full((sum(map(len, blocks)), max((block.shape[1] for block in blocks), default=0)), -1, np.int32)
        first = 0
        for block in blocks:
            rows[first : first + len(block), : block.shape[1]] = number[block]
            first += len(block)
        return rows

    def _uses_in_list(self, chosen: Marks, open_options: Marks) -> tuple[int, dict[int, int]]:
        """The same by the list."""
        assert self._list is not None
        allowed = np.append(chosen | open_options, True)  # for the -1 at the end of a row
        rows = self._list.rows[allowed[self._list.rows].all(axis=1)]
        uses = portable.bincount(rows[rows >= 0], minlength=len(self.cover))
        owner, member = self._covers
        covered = portable.bincount(member, uses[owner], len(self.cover.cells))
        fills = np.flatnonzero(self.cover.fills & open_options)
        uses[fills] = len(rows) - covered[self.cover.members.values[self.cover.members.starts[fills]]]
        return len(rows), {option: int(uses[option]) for option in np.flatnonzero(uses).tolist()}

    def _decided(self, laid: Sequence[LaidTileMessage]) -> tuple[bool | None, str | None]:
        """Whether there is a tiling, and how many, as far as a short search can tell."""
        try:
            answer = solve(with_laid(self.instance, laid), question=Question(limits=_now(PATIENCE)))
        except TilerError:
            return None, None
        return {Status.SAT: (True, MANY), Status.UNSAT: (False, "0")}.get(answer.result.status, (None, None))


def _now(limits: Limits) -> Limits:
    """These limits, beside the megabytes that the process has taken already, and no more than are free."""
    return replace(limits, megabytes=megabytes_beside(1.0, limits.megabytes or 0))


def _keys(cover: BoardCover) -> Iterator[tuple[int, int, tuple[Cell, ...]]]:
    """What tells each option of a cover of the board from the others: its tile, its orientation and its cells."""
    cells = cover.cells
    for tile, variant, members in zip(cover.tile.tolist(), cover.variant.tolist(), cover.members.lists(), strict=True):
        yield tile, variant, tuple(cells[member] for member in members if member < len(cells))


def _message_of(reason: Any) -> WhyMessage | None:
    return None if reason is None else read(WhyMessage, reason.to_json())


def with_laid(instance: Instance, laid: Sequence[LaidTileMessage]) -> Instance:
    """The problem in which some tiles lie on the board already."""
    if not laid:
        return instance
    placed = (
        Constraint("place", tile.tile, tuple(sorted(tile.cells)), 0 if tile.orientation is None else tile.orientation + 1)
        for tile in laid
    )
    return replace(with_constraints(instance, placed), about=instance.about.unanswered)
