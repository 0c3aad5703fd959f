"""Choose the search of dancing links that serves the options of the backend: with or without the volume filter at its nodes."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tiler import portable
from tiler.backends.dlx import Dlx
from tiler.backends.dlx.driver import DlxSearch, merged, named
from tiler.backends.searching.driver import drive
from tiler.backends.searching.resumable import Gathered
from tiler.cover.board import BoardCover, on_board
from tiler.cover.cover import Cover
from tiler.cover.filters import leaves_possible_regions, possible_sizes
from tiler.kernels import PAUSED, TerminationCheck
from tiler.process.cancellation import StopCheck, never_stop
from tiler.question.events import RunningSearch, SearchContext
from tiler.question.question import Question


def search(backend: Dlx, cover: Cover, question: Question, context: SearchContext) -> RunningSearch:
    """Start the search of the backend `dlx`."""
    narrows = not backend.parity and backend.copies == "merged"
    return drive(_made(backend, cover, narrows, context.check_stop), question, context)


def tree(backend: Dlx, cover: Cover, check_stop: StopCheck = never_stop) -> DlxSearch | FilteredSearch:
    """The search at its root, for estimates of its size."""
    return _made(backend, cover, False, check_stop)


def _made(backend: Dlx, cover: Cover, narrows: bool, check_stop: StopCheck) -> DlxSearch | FilteredSearch:
    order, parity = backend.order, backend.parity
    if backend.volume:
        board = on_board(cover, f"{backend.name}: volume={backend.volume}")
        return FilteredSearch(board, backend.volume, order=order, parity=parity, narrows=narrows, check_stop=check_stop)
    matrix = named(backend, cover, check_stop) if backend.copies == "named" else merged(cover, check_stop)
    return DlxSearch(matrix, order=order, parity=parity, narrows=narrows, check_stop=check_stop)


class FilteredNode(NamedTuple):
    """A node of the tree: the node of dancing links, and the options placed."""

    state: Any
    chosen: tuple[int, ...]


class FilteredSearch:
    """Dancing links; while more than `volume` pieces are left, the volume filter is applied after every placement.

    The filter removes each placement that, placed alone, leaves a region of open cells which no set of the pieces left can fill.
    This is sound if all tiles are connected; otherwise, and with `volume=0`, nothing is filtered. See `DlxSearch` on the handoff.
    Source: M. Busche, FILA, 2018 (volume filter).
    """

    def __init__(
        self,
        cover: BoardCover,
        volume: int,
        *,
        order: str = "mrv",
        parity: bool = False,
        handoff: int = 0,
        narrows: bool = False,
        check_stop: StopCheck = never_stop,
    ) -> None:
        self._cover = cover
        watched = volume if cover.tiles_are_connected else 0
        dlx = DlxSearch(
            merged(cover, check_stop),
            order=order,
            parity=parity,
            handoff=handoff,
            watched=watched,
            narrows=narrows,
            check_stop=check_stop,
        )
        self._above: tuple[int, ...] = ()  # the options placed at the node where the search began
        self._is_filtered = watched > 0
        self._watched = watched
        self._possible: dict[tuple[int, ...], NDArray[np.bool_]] = {}
        self._search_by(dlx)

    def _search_by(self, dlx: DlxSearch) -> None:
        self._dlx = dlx
        self.nodes, self.found, self.stats, self.fits, self.alive = dlx.nodes, dlx.found, dlx.stats, dlx.fits, dlx.alive
        self.fraction, self.arrays, self.restore, self.turn_back = dlx.fraction, dlx.arrays, dlx.restore, dlx.turn_back
        self.leave, self.looked_at = dlx.leave, dlx.looked_at

    def step(self, budget: int, stop_at_solutions: bool) -> int:
        """Search on for at most `budget` nodes; one of the codes of tiler.kernels, or HANDOFF."""
        return self._filtered(budget, lambda left: self._dlx.step(left, stop_at_solutions))

    def gather(self, budget: int, most: int) -> tuple[int, NDArray[np.int32]]:
        """See `tiler.backends.searching.resumable.Gathering`; the code may also be HANDOFF."""
        solutions = Gathered(most)
        code = self._filtered(budget, lambda left: solutions.add(*self._dlx.gather(left, solutions.left), self._above))
        return code, solutions.all()

    def _filtered(self, budget: int, search: Callable[[int], int]) -> int:
        """Call `search` with the nodes that are left, until it ends or the budget does, and filter in between."""
        last = self.nodes() + budget
        termination = TerminationCheck("dancing links with the volume filter")
        while True:
            code = search(last - self.nodes())
            if code != PAUSED:
                return code
            termination.advance(self.nodes())
            if self._is_filtered and self._dlx.is_entered() and self._dlx.pieces_left() > self._watched:
                self._filter()
            if self.nodes() >= last:
                return code

    def twin(self) -> FilteredSearch:
        """See `tiler.backends.searching.resumable.Divisible` on `twin` and `give`."""
        other = copy(self)
        other._possible = {}
        other._search_by(self._dlx.twin())
        return other

    def give(self, other: FilteredSearch) -> bool:
        """Give away untried options; those that were filtered out are gone in the twin too."""
        return self._dlx.give(other._dlx)

    def chosen(self) -> tuple[int, ...]:
        """The options placed."""
        return self._above + self._dlx.chosen()

    def root(self) -> FilteredNode | None:
        """The node at which the search starts: on this and the next two see `tiler.backends.searching.tree.Tree`."""
        node = self._dlx.root()
        return None if node is None else FilteredNode(node, ())

    def child(self) -> FilteredNode | None:
        """The node just made below the root; None if nothing can be below it."""
        node = self._dlx.child()
        return None if node is None else FilteredNode(node, self.chosen())

    def enter(self, node: FilteredNode) -> None:
        """Make a node the root."""
        self._above = node.chosen
        self._dlx.enter(node.state, node.chosen)

    def _filter(self) -> None:
        cover, chosen, alive = self._cover, self.chosen(), self._dlx.alive()
        left = tuple((cover.upper - portable.bincount(cover.tile[list(chosen)], minlength=len(cover.tiles))).tolist())
        if left not in self._possible:
            self._possible[left] = possible_sizes(cover.sizes.tolist(), left, len(cover.items))
        filled = np.zeros(len(cover.items), np.bool_)
        for option in chosen:
            filled[cover.members[option]] = True
        keep = leaves_possible_regions(cover, self._possible[left], filled, alive)
        if not keep[alive].all():
            self._dlx.restrict(keep)
