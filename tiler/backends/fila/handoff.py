"""Start a search in dancing links, and go on with FILA where few pieces are left, on the images still alive.

The twelve pentominoes on 6x10, up to symmetry, take half of the time with `handoff=11` that they take with a window alone (0.19
and 0.35 s), and an eighth of what they take without a window. Most rows of the article on FILA are searches like this.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tiler.backends.dlx.kernel import HANDOFF
from tiler.backends.dlx.search import FilteredNode, FilteredSearch
from tiler.backends.fila.list_search import ListSearch
from tiler.backends.searching.resumable import Gathered
from tiler.cover.board import BoardCover
from tiler.kernels import EXHAUSTED, TerminationCheck


class Handoff:
    """A search by dancing links until `pieces` are left, then by FILA; a node is a placement made by either.

    While more than `volume` pieces are left (0: never) the volume filter is applied after every placement of dancing links.
    """

    def __init__(self, cover: BoardCover, fila: ListSearch, pieces: int, volume: int) -> None:
        self._cover, self._fila = cover, fila
        self._fillers = np.ones(len(fila.cover) - len(cover), np.bool_)  # the options of pins, which are always alive
        self._dlx = FilteredSearch(cover, volume, handoff=pieces)
        self._in_fila = False  # the present node is FILA's; otherwise it is a node of dancing links
        self._prefix: tuple[int, ...] = ()

    def step(self, budget: int, stop_at_solutions: bool) -> int:
        """Search on for at most `budget` nodes; one of the codes of tiler.kernels."""
        return self._go_on(
            budget, lambda left: self._fila.step(left, stop_at_solutions), lambda left: self._dlx.step(left, stop_at_solutions)
        )

    def gather(self, budget: int, most: int) -> tuple[int, NDArray[np.int32]]:
        """See `tiler.backends.searching.resumable.Gathering`."""
        solutions = Gathered(most)

        def below(left: int) -> int:
            code, rows = self._fila.gather(left, solutions.left)
            rows = np.where(rows < len(self._cover), rows, -1)
            rows.view(np.uint32).sort(axis=1)  # -1, for options of pins, is the largest word.
            return solutions.add(code, rows, self._prefix)

        code = self._go_on(budget, below, lambda left: solutions.add(*self._dlx.gather(left, solutions.left)))
        return code, solutions.all()

    def _go_on(self, budget: int, below: Callable[[int], int], above: Callable[[int], int]) -> int:
        """Let FILA search below nodes of dancing links, each for the nodes that are left."""
        last = self.nodes() + budget
        termination = TerminationCheck("dancing links above FILA")
        while True:
            if self._in_fila:
                code = below(last - self.nodes())
                if code != EXHAUSTED:
                    return code
                self._in_fila = False
            code = above(last - self.nodes())
            if code != HANDOFF:
                return code
            termination.advance(self._dlx.nodes())
            self._prefix = self._dlx.chosen()
            self._begin(self._dlx.alive())
            self._in_fila = True

    def twin(self) -> Handoff:
        """See `tiler.backends.searching.resumable.Divisible` on `twin` and `give`."""
        other = copy(self)
        other._dlx, other._fila = self._dlx.twin(), self._fila.twin()
        other._in_fila = False
        return other

    def give(self, other: Handoff) -> bool:
        """Give away branches of dancing links; the part that FILA searches is not divided."""
        given = self._dlx.give(other._dlx)
        if given:
            other._in_fila = False
            other._fila.count_anew()
        return given

    def root(self) -> FilteredNode | None:
        """The node at which the search starts: on this and the next three see `tiler.backends.searching.tree.Tree`."""
        return self._dlx.root()

    def child(self) -> FilteredNode | None:
        """The node just made below the root; None if nothing can be below it. In FILA, marks of shape (options,) say which
        options are alive there."""
        chosen = self.chosen()
        if not self._in_fila:
            return self._dlx.child()
        cover = self._cover
        if int(cover.sizes[cover.tile[list(chosen)]].sum()) == len(cover.items):
            return None
        alive = self._dlx.alive()
        for option in chosen[len(self._prefix) :]:
            alive &= ~cover.touching(option)
        return FilteredNode(alive, chosen)

    def turn_back(self) -> None:
        """Leave out everything below the node just made."""
        (self._fila if self._in_fila else self._dlx).turn_back()

    def enter(self, node: FilteredNode) -> None:
        """Make a node the root."""
        self._prefix = node.chosen
        self._in_fila = isinstance(node.state, np.ndarray)
        if self._in_fila:
            self._dlx.leave(node.state)
            self._begin(node.state)
        else:
            self._dlx.enter(node)

    def _begin(self, alive: NDArray[np.bool_]) -> None:
        """Let FILA begin where dancing links stand."""
        self._fila.begin(self._prefix, np.concatenate([alive, self._fillers]))

    def nodes(self) -> int:
        """The images placed since the start."""
        return self._dlx.nodes() + self._fila.nodes()

    def found(self) -> int:
        """The solutions since the start."""
        return self._dlx.found() + self._fila.found()

    def chosen(self) -> tuple[int, ...]:
        """The options placed."""
        if not self._in_fila:
            return self._dlx.chosen()
        return self._prefix + tuple(each for each in self._fila.chosen() if each < len(self._cover))

    def looked_at(self) -> int | None:
        """The cell for which the last image was placed; None: for its tile."""
        return self._fila.looked_at() if self._in_fila and self._fila.chosen() else self._dlx.looked_at()

    def stats(self) -> Mapping[str, Any]:
        """The counters, as of `Search.stats`. Every placement of dancing links counts as a fit."""
        stats = self._fila.stats()
        # With pins, FILA finds the number of pieces from the open cells, and dancing links from the copies: FILA's is the larger
        # one.
        fits = np.array(stats["fits"], np.int64)
        fits[: len(self._dlx.fits())] += self._dlx.fits()
        return {**stats, "fits": fits.tolist()}

    def fraction(self) -> float:
        """The part of the tree that is done, as if all branches of a node were equal."""
        return self._dlx.fraction()

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The whole state of the search, for checkpoints."""
        above = {f"above {name}": array for name, array in self._dlx.arrays().items()}
        return {**above, **self._fila.arrays(), "in fila": np.array(self._in_fila)}

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what `arrays` gave, in a search that was made in the same way."""
        self._dlx.restore({name: arrays[f"above {name}"] for name in self._dlx.arrays()})
        self._in_fila = bool(arrays["in fila"])
        if self._in_fila:
            self._prefix = self._dlx.chosen()
            self._begin(self._dlx.alive())
            self._fila.restore(arrays)
        else:
            own = self._fila.arrays()
            self._fila.restore(
                {**own, **{name: arrays[name] for name in ("fits", "nofits", "targets", "counters") if name in own}}
            )
