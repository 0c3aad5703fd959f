"""Make the tree of a search of FILA available for estimates of its size. A node is the options placed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tiler.backends.fila.kernel_window_children import WindowNodes
from tiler.backends.fila.list_search import ListSearch
from tiler.backends.fila.window_search import WindowSearch
from tiler.cover.board import BoardCover


class FilaTree:
    """A search that can be put at any of its nodes; see `tiler.backends.searching.tree.Tree`."""

    def __init__(self, cover: BoardCover, search: ListSearch | WindowSearch) -> None:
        self._cover, self._search = cover, search
        self._above: tuple[int, ...] = ()
        self.step, self.nodes, self.found, self.turn_back = search.step, search.nodes, search.found, search.turn_back

    @staticmethod
    def of(cover: BoardCover, search: ListSearch | WindowSearch) -> FilaTree:
        """The tree of a search."""
        return WindowTree(cover, search) if isinstance(search, WindowSearch) else FilaTree(cover, search)

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
