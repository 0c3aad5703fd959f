"""Drive the beam search: pass after pass over the board, each with a wider beam."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tiler.amounts import counted, storage
from tiler.backends.beam import Beam, kernel
from tiler.backends.frontier.shared import kernel_profiles as profiles
from tiler.backends.frontier.shared.budgeted import budget_of
from tiler.backends.frontier.shared.model import Model
from tiler.backends.searching.driver import drive
from tiler.cover.board import BoardCover
from tiler.kernels import EXHAUSTED, GROWING, bind
from tiler.model.expected import Status
from tiler.question.events import RunningSearch, SearchContext
from tiler.question.question import Question
from tiler.question.result import Result, Stop

_OPEN, _SHUT_IN, _BORDER, _UNEVEN, _NOISE = 1000, 900, 20, 300, 300  # the weights of the score; kernel.Scoring explains them
_LEAST_PLACES = 4  # places of the hash table for each state of a heap


def search(backend: Beam, cover: BoardCover, question: Question, context: SearchContext) -> RunningSearch:
    """Search for a tiling; the answer is one, or unknown."""
    beam = BeamSearch(backend, cover, Model.of(cover, check_stop=context.check_stop), budget_of(question.limits))
    result = yield from drive(beam, question, context)
    if result.status is not Status.UNSAT:
        return result
    stop = Stop.MEMORY if beam.short else Stop.UNDECIDED
    return Result.so_far(stop, found=0, nodes=result.nodes, stats=result.stats, message=beam.verdict())


class BeamSearch:
    """A search that can be stopped and resumed, a generation of states after the other."""

    def __init__(self, backend: Beam, cover: BoardCover, model: Model, budget: int) -> None:
        """`budget` is how many bytes the arrays may take together."""
        self.model, self.budget = model, budget
        self.short = False  #: whether it stopped because the budget is used up
        self.passes = 0
        self._widest, self._seed = backend.widest, backend.seed
        self._is_over = False
        self._nodes = self._peak = 0
        self._scoring = _scoring(cover, model)
        self._looking = kernel.Looking(
            mask=np.zeros(model.mask_words, np.uint64),
            queue=np.zeros(self._scoring.smallest, np.int32),
            seen=np.zeros(model.cells, np.int64),
            looks=np.zeros(1, np.int64),
            results=np.zeros(2, np.int64),
        )
        self._begin(min(backend.width, backend.widest))

    def _begin(self, width: int) -> None:
        """Begin a pass over the board."""
        model = self.model
        self.width = width
        self.passes += 1
        reach = 64 * model.mask_words + 1
        heaps = np.zeros((reach, width), np.int32)
        table = np.zeros(1 << (_LEAST_PLACES * width).bit_length(), np.int32)
        each = 8 * (model.mask_words + model.key_words + 1) + 4 * kernel.LINK_COLUMNS
        # Memory of zeros is taken when it is written to: so there is room from the start, and only what is used counts.
        affordable = (self.budget - heaps.nbytes - table.nbytes) // each
        most = (model.cells + reach + 1) * width + 2 * model.most_fits
        room = min(most, affordable)
        if room < 2 * model.most_fits + 2:
            self.short = self._is_over = True
            return
        self._states = kernel.BeamStates(
            masks=np.zeros((room, model.mask_words), np.uint64),
            keys=np.zeros((room, model.key_words), np.uint64),
            links=np.zeros((room, kernel.LINK_COLUMNS), np.int32),
            scores=np.zeros(room, np.int64),
            table=table,
            heaps=heaps,
            sizes=np.zeros(reach, np.int64),
            fresh=np.zeros(model.mask_words, np.uint64),
            state=np.zeros(kernel.STATE_SIZE, np.int64),
        )
        state = self._state = self._states.state
        # The empty board, which is in the first place of its heap.
        self._states.links[0, kernel.PARENT] = self._states.links[0, kernel.CHAIN] = -1
        self._states.links[0, kernel.HOLDERS] = 1
        table[0] = 1
        self._states.sizes[0] = 1
        state[[kernel.FREE, kernel.USED, kernel.LIVE]] = -1, 1, 1
        scoring = self._scoring._replace(seed=np.uint64((self._seed << 10) + self.passes))
        self._search = bind(kernel.search, self.model.rules, scoring, self._states, self._looking, model.most_fits)

    def step(self, budget: int, stop_at_solutions: bool = True) -> int:
        """Search on until some `budget` states are made; one of the codes of the kernel. EXHAUSTED if it gives up (`verdict`)."""
        if self._is_over:
            return EXHAUSTED
        code = int(self._search(budget))
        if code == kernel.FULL:
            self.short = True
        elif code == EXHAUSTED and self.dropped and self.width < self._widest:
            self._end()
            self._begin(min(2 * self.width, self._widest))
            return GROWING
        elif code != EXHAUSTED:
            return code
        self._is_over = True
        return EXHAUSTED

    def _end(self) -> None:
        """End a pass: its counters are added to those of earlier ones."""
        self._nodes, self._peak = self.nodes(), self.peak

    @property
    def dropped(self) -> int:
        """The number of states that there was no room for in this pass."""
        return int(self._state[kernel.DROPPED])

    @property
    def peak(self) -> int:
        """The most states that there were at a time."""
        return max(self._peak, int(self._state[kernel.PEAK]))

    def verdict(self) -> str:
        """Why there is no answer."""
        if self.short:
            return f"the {storage(self.budget)} there are for states do not suffice for a width of {self.width:,}"
        if not self.dropped:
            return "no state was left out, and none led to a tiling: ask frontier, which can say that there is none"
        return f"no tiling was found with {counted(self.width, 'state')} at each cell"

    def nodes(self) -> int:
        """The number of states made since the start."""
        return self._nodes + int(self._state[kernel.NODES])

    def found(self) -> int:
        """1 if a tiling is found."""
        return int(self._state[kernel.LAST] > 0)

    def chosen(self) -> tuple[int, ...]:
        """The options of the tiling."""
        links = self._states.links
        options = []
        node = int(self._state[kernel.LAST])
        while node > 0:
            options.append(int(self.model.fit_option[links[node, kernel.LAID]]))
            node = int(links[node, kernel.PARENT])
        return tuple(option for option in reversed(options) if option >= 0)

    def looked_at(self) -> None:
        """None: this search is not traced."""

    def stats(self) -> Mapping[str, Any]:
        """The counters other than the nodes."""
        return {"passes": self.passes, "width": self.width, "most_states": self.peak}

    def fraction(self) -> None:
        """None: it is not known which pass will be the last."""

    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """Nothing: the state of this search cannot be saved."""
        return {}

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        raise NotImplementedError


def _scoring(cover: BoardCover, model: Model) -> kernel.Scoring:
    """What the score of a state is made of."""
    is_tile = model.fit_option >= 0
    is_filler = is_tile & cover.fills[model.fit_option]
    is_shared = model.counters[:, profiles.WORD] >= 0
    is_shared[model.fit_tile[is_filler | ~is_tile]] = False
    sizes = cover.sizes[(cover.upper > 0) & ~cover.is_filler]
    return kernel.Scoring(
        is_filler=is_filler,
        shared=np.flatnonzero(is_shared).astype(np.int32),
        copies=np.ascontiguousarray(model.counters[:, profiles.MOST]),
        smallest=int(sizes.min(initial=model.cells)),
        most_open=int(cover.upper[list(cover.fillers)].sum()),
        open_weight=_OPEN,
        shut_in_weight=_SHUT_IN,
        border_weight=_BORDER,
        uneven_weight=_UNEVEN,
        noise=_NOISE,
        seed=np.uint64(0),
    )
