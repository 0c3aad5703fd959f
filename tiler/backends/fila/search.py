"""Choose the search of FILA that serves the options of the backend: with a window, by lists alone, or below dancing links. Make
its tree available for estimates of its size; a node of the tree is the options placed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tiler import portable
from tiler.backends.fila import Fila, orders, window_search
from tiler.backends.fila.handoff import Handoff
from tiler.backends.fila.kernel_window import WindowNodes
from tiler.backends.fila.list_search import ListSearch
from tiler.backends.fila.window_search import WindowSearch
from tiler.backends.schedule import schedule
from tiler.backends.searching.driver import drive
from tiler.backends.searching.tree import Tree
from tiler.cover.board import BoardCover
from tiler.cover.pins import PinnedCover, without_colours
from tiler.errors import BadOption
from tiler.process.cancellation import StopCheck, never_stop
from tiler.question.events import Events, Found, RunningSearch, SearchContext, Visited
from tiler.question.question import Question


class FilaTree:
    """A search that can be put at any of its nodes; see `tiler.backends.searching.tree.Tree`."""

    def __init__(self, cover: BoardCover, search: ListSearch | WindowSearch) -> None:
        self._cover, self._search = cover, search
        self._above: tuple[int, ...] = ()
        self.step, self.nodes, self.found, self.turn_back = search.step, search.nodes, search.found, search.turn_back

    def root(self) -> tuple[int, ...]:
        return ()

    def child(self) -> tuple[int, ...] | None:
        chosen = self._above + self._search.chosen()
        covered = int(self._cover.sizes[self._cover.tile[list(chosen)]].sum())
        return None if covered == self._cover.extent else chosen

    def enter(self, node: tuple[int, ...]) -> None:
        self._above = node
        self._search.begin(node)


class WindowTree(FilaTree):
    """The tree of a search with a window, which makes the children of many nodes at once."""

    def __init__(self, cover: BoardCover, search: WindowSearch) -> None:
        super().__init__(cover, search)
        self._window = search
        self.children = search.children

    def rows(self, nodes: Sequence[tuple[int, ...]]) -> WindowNodes:
        """Nodes in the form that `children` takes."""
        found = []
        for node in nodes:
            self.enter(node)
            found.append(self._window.row())
        return WindowNodes._make(np.concatenate(parts) for parts in zip(*found, strict=True))


def search(backend: Fila, cover: BoardCover, question: Question, context: SearchContext) -> RunningSearch:
    """Start the search of the backend `fila`."""
    context.check_stop()
    # Cached properties, made here one by one, since the clock is looked at only in between.
    for derived in ("where", "beside"):
        getattr(cover, derived)
        context.check_stop()
    listed = without_colours(cover, context.check_stop)
    searching = make_search(backend, cover, listed, context.check_stop)
    running = drive(searching, question, context)
    if isinstance(searching, Handoff) or not isinstance(listed, PinnedCover):
        return running
    return _without_pins(running, listed)


def make_search(
    backend: Fila, cover: BoardCover, listed: BoardCover, check_stop: StopCheck = never_stop
) -> Handoff | WindowSearch | ListSearch:
    """The search of a cover; `listed` is the same cover after `without_colours`."""
    numbered = orders.numbering(listed, backend.axes, check_stop)
    if backend.handoff:
        return Handoff(cover, _below(backend, listed, numbered, check_stop), backend.handoff, backend.volume)
    return _window(backend, listed, numbered, check_stop) or _below(backend, listed, numbered, check_stop)


def _without_pins(running: RunningSearch, cover: PinnedCover) -> RunningSearch:
    """The events of a search of a cover with pins, translated to the options of the cover without pins."""
    given = np.where(portable.arange(len(cover)) < len(cover.whole), portable.arange(len(cover)), -1)
    with Events(running) as events:
        for event in events:
            match event:
                case Found():
                    yield event.through(given)
                case Visited(options, item):
                    yield Visited(cover.given(options), cover.given_item(item))
                case _:
                    yield event
    return events.result


def tree(backend: Fila, cover: BoardCover, check_stop: StopCheck = never_stop) -> Tree:
    """The search at its root, for estimates of its size."""
    check_stop()
    listed = without_colours(cover, check_stop)
    searching = make_search(backend, cover, listed, check_stop)
    if isinstance(searching, Handoff):
        return searching
    return WindowTree(listed, searching) if isinstance(searching, WindowSearch) else FilaTree(listed, searching)


def _below(backend: Fila, cover: BoardCover, numbered: NDArray[np.int64], check_stop: StopCheck) -> ListSearch:
    """The search without a window, which can begin at any node of dancing links."""
    phases = schedule(backend.order)
    if orders.single(backend.order):
        # The order f with its own numbering.
        numbered = orders.ranks(cover, backend.order, numbered)
        phases = schedule(orders.FIRST)
    return ListSearch(cover, phases, numbered, nof=backend.nof, tally=backend.tally, check_stop=check_stop)


def _window(backend: Fila, cover: BoardCover, numbered: NDArray[np.int64], check_stop: StopCheck) -> WindowSearch | None:
    """The search with a window: if the options ask for it, or with `auto` if it is possible; otherwise None."""
    if backend.window == "off" or not orders.single(backend.order):
        return None
    if backend.window == "auto" and (backend.handoff or not backend.nof or backend.tally):
        return None
    place = orders.ranks(cover, backend.order, numbered)
    check_stop()
    ahead = window_search.cells_ahead(cover) if backend.window == "auto" else int(backend.window)
    reason = window_search.refusal(cover, ahead)
    if reason is None:
        return WindowSearch(cover, place, ahead, check_stop)
    if backend.window != "auto":
        raise BadOption(f"fila: window={backend.window} is not possible here: {reason}; use window=auto")
    return None
