"""Make all tilings one object: the states of the frontier that lead to a tiling, as a decision diagram (cover/diagram.py).

First the states are made as for a count, but all of them are kept (arcs.py). Then, from the last position back, come the arcs
that lead to tilings, and the diagram is made of these. At any time only one layer of the graph is not reduced.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from tiler.backends.frontier.diagram.arcs import StatesInLists, StatesInTables
from tiler.backends.frontier.shared.budgeted import Budgeted
from tiler.backends.frontier.shared.model import Model
from tiler.backends.frontier.tables.hash_tables import Tables
from tiler.cover.diagram import Diagram
from tiler.cover.diagram_construction import DiagramBuilder
from tiler.cover.kernel_diagram import COMES_FROM, LEADS_TO
from tiler.process.cancellation import StopCheck, never_stop

_MOST_STATES = (1 << 31) - 1
_BYTES_OF_ARC = 64  # bytes of each arc while a layer is sorted and reduced
_BYTES_OF_PLACE = 9  # bytes of each node while the solutions below it are counted, for every 32 bits of their number
_BYTES_OF_NODE = 16  # bytes of each node while the uses of options are counted


class SolutionDiagram(Budgeted):
    """All tilings of a board as one diagram, which `build` makes."""

    def __init__(self, model: Model, *, budget: int = 1 << 62, threads: int = 1, check_stop: StopCheck = never_stop) -> None:
        """`budget` is how many bytes the arrays may take together."""
        super().__init__(model, budget)
        self._check_stop = check_stop
        self._kept: StatesInTables | StatesInLists
        if Tables.suits(model):
            self._kept = StatesInTables(model, budget=budget, threads=threads, check_stop=check_stop)
        else:
            self._kept = StatesInLists(model, budget=budget, threads=threads)
        self._building = DiagramBuilder(check_stop)
        self._node = np.zeros(0, np.int32)
        self._back_at: int | None = None
        self.diagram = Diagram.empty(model.cells + 1)  #: the diagram of all tilings, when it is built

    @property
    def position(self) -> int:
        """The position that is being worked on, on the way forth or back."""
        return self._kept.position if self._back_at is None else self._back_at

    @property
    def transitions(self) -> int:
        return self._kept.transitions

    @property
    def profiles(self) -> int:
        return self._kept.profiles

    @property
    def bytes(self) -> int:
        """The bytes that the arrays take."""
        return self._kept.bytes + self._node.nbytes + self._building.bytes

    def total(self) -> int:
        """The number of tilings."""
        return self._kept.total()

    def drawn(self, seed: int) -> Iterator[tuple[int, ...]]:
        """Random tilings without end, drawn independently with Python's generator; there must be one."""
        total, chance = self.diagram.count(self._check_stop), random.Random(seed)
        while True:
            yield self.diagram.solution(chance.randrange(total))

    def build(self) -> Iterator[float]:
        """Go forth and back, pausing many times a second; yields the fraction done."""
        for fraction in self._kept.build():
            self.states = self._kept.states
            if not self.affords():
                return
            yield fraction / 2
        self.states = self._kept.states
        if self._kept.short or not self.affords(4 * self.states) or self.states > _MOST_STATES:
            self.short = True
            return
        if not self._kept.total():
            return
        first = self._kept.first
        self._node = np.full(int(first[-1]), -1, np.int32)
        self._node[first[-2] :] = 0
        places = 1 + self._kept.total().bit_length() // 32
        for position in range(self.model.cells - 1, -1, -1):
            self._back_at = position
            arcs = yield from self._kept.arcs(position, self._node)
            if not self.affords(_BYTES_OF_ARC * sum(map(len, arcs))):
                return
            here = slice(int(first[position]), int(first[position + 1]))
            if self.model.is_filled_up(position):
                self._pass_on(self._node[here], arcs)
            else:
                self._node[here] = self._building.layer(here.stop - here.start, arcs)
            self._node.resize((self._kept.let_go(position),), refcheck=False)
        self._kept.free()
        self._node = self._node[:0].copy()
        self.diagram = self._building.diagram()
        self.affords(self.diagram.nodes * (_BYTES_OF_NODE + _BYTES_OF_PLACE * places))

    def _pass_on(self, nodes: NDArray[np.int32], arcs: Sequence[NDArray[np.int32]]) -> None:
        """Treat each state of a position where only a filler fits as the node to which its only arc leads. The layer of this
        position is empty."""
        for piece in arcs:
            nodes[piece[:, COMES_FROM]] = piece[:, LEADS_TO]
        self._building.layer(0, [])
