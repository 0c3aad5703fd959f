"""Depth-first search through the states of the frontier: to decide, and to find some tilings without waiting for whole layers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tiler.backends.frontier import kernel_profiles as profiles_kernel
from tiler.backends.frontier import kernel_search as kernel
from tiler.backends.frontier.model import Model
from tiler.kernels import EXHAUSTED, GROWING, Ratchet, as_python

_NODES = 20_000  # between two looks at the clock: 10 to 50 ms
_ENTRIES = 200_000  # of a table, that are entered anew between two looks


class FrontierSearch:
    """A search that can be stopped and resumed. No state below which nothing was found is entered twice, as long as there is
    memory to remember it.

    >>> from tiler import formats
    >>> from tiler.cover.board import BoardCover
    >>> search = FrontierSearch(Model.of(BoardCover.of(formats.inline(["2x2", "2"]))))
    >>> search.step(99, stop_at_solutions=True) == kernel.SOLUTION, search.chosen()
    (True, (0, 1))
    """

    def __init__(self, model: Model, budget: int = 1 << 62) -> None:
        """`budget` is how many bytes the arrays may take together."""
        self.model, self.budget = model, budget
        cells, most = model.cells, int(np.diff(model.fit_starts).max(initial=0))
        room = 1 << (2 * most + 1022).bit_length()
        self.short = False  #: whether the search ended because the budget is used up
        self._remembers = True
        self._growing: Iterator[None] = iter(())
        self._ratchet = Ratchet("the frontier's search")
        self._masks = np.zeros((room, model.mask_words), np.uint64)
        self._links = np.zeros((room, profiles_kernel.LINK_COLUMNS), np.int32)
        self._table = np.zeros(4 * room, np.int32)
        self._edges = np.zeros((4 * room, profiles_kernel.EDGE_COLUMNS), np.int32)
        self._failed = np.zeros((4096, model.key_words + 1), np.uint64)
        self._stack = np.zeros((cells + 2, kernel.STACK_COLUMNS), np.int64)
        self._keys = np.zeros((cells + 2, model.key_words), np.uint64)
        self._work = (np.full(cells + 1, -1, np.int64), np.zeros(cells + 1, np.int32), np.zeros(model.mask_words, np.uint64))
        self._state = np.zeros(kernel.STATE_SIZE, np.int64)
        self._links[0] = 0, 1, cells, -1, 0
        self._state[profiles_kernel.PROFILES] = self._state[kernel.ENTERED] = 1
        as_python(profiles_kernel.rehash)(self._table, self._masks, self._links, 0, 1)

    @property
    def bytes(self) -> int:
        """What the arrays take."""
        return sum(array.nbytes for array in (self._masks, self._links, self._table, self._edges, self._failed))

    def nodes(self) -> int:
        """The states entered."""
        return int(self._state[kernel.NODES])

    def found(self) -> int:
        """The solutions so far."""
        return int(self._state[kernel.FOUND])

    @property
    def profiles(self) -> int:
        """The profiles met."""
        return int(self._state[profiles_kernel.PROFILES])

    @property
    def failed(self) -> int:
        """The states remembered."""
        return int(self._state[kernel.FAILED])

    def stats(self) -> Mapping[str, Any]:
        """The counters besides the nodes."""
        return {"profiles": self.profiles, "failed": self.failed}

    def fraction(self) -> None:
        """Not known: states are met in more ways than one."""

    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """The state is not saved."""
        return {}

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        raise NotImplementedError

    def chosen(self) -> tuple[int, ...]:
        """The options laid at this node."""
        fits = self._stack[1 : int(self._state[kernel.DEPTH]) + 1, kernel.LAID]
        return tuple(self.model.fit_option[fits].tolist())

    def looked_at(self) -> None:
        """It is not traced."""

    def step(self, budget: int, stop_at_solutions: bool) -> int:
        """Search on for at most so many nodes: one of the codes of tiler.kernels, EXHAUSTED too if the memory is (`short`)."""
        model = self.model
        last = self.nodes() + min(budget, _NODES)
        while True:
            for _ in self._growing:
                return GROWING
            if self.short:
                return EXHAUSTED
            code = int(
                kernel.search(
                    *(model.fit_starts, model.fit_masks, model.fit_tile, model.counters, model.owing, *model.board),
                    *(self._table, self._masks, self._links, self._edges, self._failed, self._stack, self._keys),
                    *(*self._work, self._state, last - self.nodes(), stop_at_solutions, self._remembers),
                )
            )
            if code != kernel.FULL:
                return code
            # Each time it is full, an array is larger than the last time, or what failed is no longer remembered.
            self._ratchet.turn(self.nodes(), self.bytes, int(not self._remembers))
            self._growing = self._grow()

    def _grow(self) -> Iterator[None]:
        """Make room where there is none, with pauses."""
        most = int(np.diff(self.model.fit_starts).max(initial=0))
        if self._remembers and 2 * int(self._state[kernel.FAILED]) >= len(self._failed):
            if self.bytes + 4 * self._failed.nbytes > self.budget:
                self._remembers = False
            else:
                larger = np.zeros((4 * len(self._failed), self._failed.shape[1]), np.uint64)
                for start in range(0, len(self._failed), _ENTRIES):
                    stop = min(start + _ENTRIES, len(self._failed))
                    kernel.copy_failed(self._failed, start, stop, self.model.key_words, larger)
                    yield
                self._failed = larger
        if int(self._state[profiles_kernel.EDGES]) + most > len(self._edges):
            if self.bytes + self._edges.nbytes > self.budget:
                self.short = True
                return
            self._edges.resize((2 * len(self._edges), profiles_kernel.EDGE_COLUMNS), refcheck=False)
            yield
        if int(self._state[profiles_kernel.PROFILES]) + most >= len(self._masks):
            if self.bytes + self._masks.nbytes + self._links.nbytes + self._table.nbytes > self.budget:
                self.short = True
                return
            for array in (self._masks, self._links):
                array.resize((2 * len(array), array.shape[1]), refcheck=False)
                yield
            self._table = np.zeros(2 * len(self._table), np.int32)
            for start in range(0, self.profiles, _ENTRIES):
                profiles_kernel.rehash(self._table, self._masks, self._links, start, min(start + _ENTRIES, self.profiles))
                yield
