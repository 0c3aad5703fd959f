"""A search that starts in dancing links and goes on with FILA, on the images still alive, where few pieces are left."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tiler.backends.dlx.kernel import HANDOFF
from tiler.backends.dlx.search import DlxSearch
from tiler.backends.fila.pieces import Pieces
from tiler.backends.fila.searches import SearchBelow
from tiler.cover.board import BoardCover
from tiler.cover.filters import leaves_possible_regions, possible_sizes
from tiler.kernels import EXHAUSTED, PAUSED, Ratchet


class _Node(NamedTuple):
    """A node of the tree: that of dancing links or, in FILA, which options are alive, shape (options,); and what is placed."""

    state: Any
    chosen: tuple[int, ...]


class Handoff:
    """Dancing links until `pieces` are left, then FILA; a node is a placement made by either.

    While more than `volume` pieces are left (0: never) the volume filter is applied after every placement of dancing links: an
    image goes that, looked at alone, leaves a region of open cells that no set of the pieces left can fill. Sound where all tiles
    are connected; elsewhere it does nothing.
    """

    def __init__(self, cover: BoardCover, fila: SearchBelow, pieces: int, volume: int) -> None:
        self._cover, self._fila = cover, fila
        self._dlx = DlxSearch.of(cover, handoff=pieces)
        self._in_fila = False  # FILA's state counts only then
        self._above: tuple[int, ...] = ()  # placed at the node where the search began
        self._prefix: tuple[int, ...] = ()
        self._count = Pieces(cover)
        self._placed = np.zeros(self._count.all + 1, np.int64)
        self._volume = volume if volume and cover.tiles_are_connected else self._count.all
        self._possible: dict[tuple[int, ...], NDArray[np.bool_]] = {}

    def step(self, budget: int, stop_at_solutions: bool) -> int:
        """Search on for at most so many nodes; one of the codes of tiler.kernels."""
        last = self.nodes() + budget
        ratchet = Ratchet("dancing links above FILA")
        while True:
            if self._in_fila:
                code = self._fila.step(last - self.nodes(), stop_at_solutions)
                if code != EXHAUSTED:
                    return code
                self._in_fila = False
            code = self._dlx.step(1, stop_at_solutions)
            if code == HANDOFF:
                self._prefix = self._above + self._dlx.chosen()
                self._fila.begin(self._prefix, self._dlx.alive())
                self._in_fila = True
            elif code == PAUSED:
                ratchet.turn(self.nodes())
                self._look_at_node()
                if self.nodes() >= last:
                    return code
            else:
                return code

    def root(self) -> _Node | None:
        """The node at which the search starts: on this and the next three see `tiler.backends.tree.Tree`."""
        node = self._dlx.root()
        return None if node is None else _Node(node, ())

    def child(self) -> _Node | None:
        """The node just made below the root; None if nothing can be below it."""
        chosen = self.chosen()
        if not self._in_fila:
            node = self._dlx.child()
            return None if node is None else _Node(node, chosen)
        cover = self._cover
        if int(cover.sizes[cover.tile[list(chosen)]].sum()) == len(cover.cells):
            return None
        alive = self._dlx.alive()
        for option in chosen[len(self._prefix) :]:
            alive &= ~cover.touching(option)
        return _Node(alive, chosen)

    def turn_back(self) -> None:
        """Leave out whatever is below the node just made."""
        (self._fila if self._in_fila else self._dlx).turn_back()

    def enter(self, node: _Node) -> None:
        """Make a node the root."""
        self._above = self._prefix = node.chosen
        self._in_fila = isinstance(node.state, np.ndarray)
        if self._in_fila:
            self._dlx.leave(node.state)
            self._fila.begin(node.chosen, node.state)
        else:
            self._dlx.enter(node.state, node.chosen)

    def nodes(self) -> int:
        """The images placed since the start."""
        return self._dlx.nodes() + self._fila.nodes()

    def found(self) -> int:
        """The solutions since the start."""
        return self._dlx.found() + self._fila.found()

    def chosen(self) -> tuple[int, ...]:
        """The options placed."""
        return self._prefix + self._fila.chosen() if self._in_fila else self._above + self._dlx.chosen()

    def looked_at(self) -> int | None:
        """The cell for which the last image was placed; None: for its tile."""
        return self._fila.looked_at() if self._in_fila and self._fila.chosen() else self._dlx.looked_at()

    def stats(self) -> Mapping[str, Any]:
        """As `Search.stats`; every placement of dancing links is a fit."""
        stats = self._fila.stats()
        return {**stats, "fits": (self._placed + stats["fits"]).tolist()}

    def fraction(self) -> float:
        """The part of the tree that is done, as if all branches of a node were equal."""
        return self._dlx.fraction()

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All the state there is, for checkpoints."""
        above = {f"above {name}": array for name, array in self._dlx.arrays().items()}
        return {**above, **self._fila.arrays(), "in fila": np.array(self._in_fila), "placed": self._placed}

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what `arrays` gave, in a search that was made in the same way."""
        self._dlx.restore({name: arrays[f"above {name}"] for name in self._dlx.arrays()})
        self._placed[...] = arrays["placed"]
        self._in_fila = bool(arrays["in fila"])
        if self._in_fila:
            self._prefix = self._dlx.chosen()
            self._fila.begin(self._prefix, self._dlx.alive())
            self._fila.restore(arrays)
        else:
            own = self._fila.arrays()
            self._fila.restore({**own, **{name: arrays[name] for name in ("fits", "nofits", "counters") if name in own}})

    def _look_at_node(self) -> None:
        """Count the placement just made, and filter what is left."""
        chosen = self._above + self._dlx.chosen()
        used = np.bincount(self._cover.tile[list(chosen)], minlength=len(self._cover.tiles))
        open_ = len(self._cover.cells) - int(used @ self._cover.sizes)
        before = open_ + int(self._cover.sizes[self._cover.tile[chosen[-1]]])
        self._placed[self._count.left(before, len(chosen) - 1)] += 1
        if self._count.left(open_, len(chosen)) > self._volume and self._dlx.is_entered():
            alive = self._dlx.alive()
            keep = self._fillable(chosen, used, alive)
            if not keep[alive].all():
                self._dlx.restrict(keep)

    def _fillable(self, chosen: tuple[int, ...], used: NDArray[np.int64], alive: NDArray[np.bool_]) -> NDArray[np.bool_]:
        cover = self._cover
        left = tuple((cover.upper - used).tolist())
        if left not in self._possible:
            self._possible[left] = possible_sizes(cover.sizes.tolist(), left, len(cover.cells))
        filled = np.zeros(len(cover.cells), np.bool_)
        for option in chosen:
            filled[cover.members[option]] = True
        return leaves_possible_regions(cover, self._possible[left], filled, alive)
