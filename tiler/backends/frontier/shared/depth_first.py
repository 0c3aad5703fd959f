"""Search depth first through the states of the frontier: to decide, and to find some tilings without waiting for whole layers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tiler.backends.frontier.shared import kernel_search as kernel
from tiler.backends.frontier.shared.budgeted import Budgeted
from tiler.backends.frontier.shared.model import Model
from tiler.backends.frontier.shared.profiles import Profiles
from tiler.backends.frontier.shared.symmetries import Symmetries
from tiler.kernels import EXHAUSTED, GROWING, TerminationCheck, bind

_NODES = 20_000  # between two looks at the clock: 10 to 50 ms
_ENTRIES = 200_000  # states entered into a new table between two looks at the clock


class FrontierSearch(Budgeted):
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
        super().__init__(model, budget)
        self._remembers = True
        self._growing: Iterator[None] = iter(())
        self._termination = TerminationCheck("the frontier's search")
        self._profiles = Profiles(model)
        self._maps = Symmetries.none(model.cells).maps(model)
        self._descent = kernel.Descent(
            failed=np.zeros((4096, model.key_words + 1), np.uint64),
            stack=np.zeros((model.cells + 2, kernel.STACK_COLUMNS), np.int64),
            keys=np.zeros((model.cells + 2, model.key_words), np.uint64),
            state=np.zeros(kernel.STATE_SIZE, np.int64),
        )
        self._state = self._descent.state
        self._state[kernel.ENTERED] = 1
        self._bind()

    def _bind(self) -> None:
        """Give the kernel its arrays, which may be larger ones than before."""
        known = self._profiles
        self._search = bind(kernel.search, self.model.rules, self._maps, known.arrays, known.judging, self._descent)

    @property
    def bytes(self) -> int:
        """The bytes that the arrays take."""
        return self._profiles.bytes + self._descent.failed.nbytes

    def nodes(self) -> int:
        """The number of states entered."""
        return int(self._state[kernel.NODES])

    def found(self) -> int:
        """The number of solutions so far."""
        return int(self._state[kernel.FOUND])

    @property
    def profiles(self) -> int:
        """The number of profiles met."""
        return self._profiles.count

    @property
    def failed(self) -> int:
        """The number of failed states that are remembered."""
        return int(self._state[kernel.FAILED])

    def stats(self) -> Mapping[str, Any]:
        """The counters other than the nodes."""
        return {"profiles": self.profiles, "failed": self.failed}

    def fraction(self) -> None:
        """None: how much is done is not known, since a state can be reached in several ways."""

    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """Nothing: the state of this search cannot be saved."""
        return {}

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        raise NotImplementedError

    def chosen(self) -> tuple[int, ...]:
        """The options laid at this node."""
        fits = self._descent.stack[1 : int(self._state[kernel.DEPTH]) + 1, kernel.LAID]
        return tuple(option for option in self.model.fit_option[fits].tolist() if option >= 0)

    def looked_at(self) -> None:
        """None: this search is not traced."""

    def step(self, budget: int, stop_at_solutions: bool) -> int:
        """Search on for at most `budget` nodes. Returns one of the codes of tiler.kernels; EXHAUSTED also if the memory is used
        up (`short`)."""
        last = self.nodes() + min(budget, _NODES)
        while True:
            for _ in self._growing:
                return GROWING
            if self.short:
                return EXHAUSTED
            code = int(self._search(last - self.nodes(), stop_at_solutions, self._remembers))
            if code != kernel.FULL:
                return code
            # Each time an array is full, it is made larger, or failed states are no longer remembered.
            self._termination.advance(self.nodes(), self.bytes, int(not self._remembers))
            self._growing = self._grow()

    def _grow(self) -> Iterator[None]:
        """Make room in the arrays that are full, with pauses."""
        failed = self._descent.failed
        if self._remembers and 2 * self.failed >= len(failed):
            if self.bytes + 4 * failed.nbytes > self.budget:
                self._remembers = False
            else:
                larger = np.zeros((4 * len(failed), failed.shape[1]), np.uint64)
                for start in range(0, len(failed), _ENTRIES):
                    stop = min(start + _ENTRIES, len(failed))
                    kernel.copy_failed(failed, start, stop, self.model.key_words, larger)
                    yield
                self._descent = self._descent._replace(failed=larger)
                self._bind()
        if (yield from self._profiles.make_room(self.model.most_fits, self.affords)):
            yield from self._profiles.rehash()
        self._bind()
