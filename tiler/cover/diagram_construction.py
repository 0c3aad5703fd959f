"""Build a diagram (diagram.py), layer by layer from its end: nodes with the same arcs become one.

Source: D. Revuz, "Minimisation of acyclic deterministic automata in linear time", Theoretical Computer Science 92 (1992),
181-189.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from tiler import portable
from tiler.cover import kernel_diagram as kernel
from tiler.cover.diagram import Diagram
from tiler.kernels import TerminationCheck, bind, python_time
from tiler.process.cancellation import StopCheck, never_stop

MOST_NODES = (1 << 31) - 1

_STEPS = 4_000_000


class DiagramBuilder:
    """A reduced diagram that is being built, layer by layer, from the end to the root. Nodes are numbered in the order in which
    they are made; the end, which is there from the start, has the number 0."""

    def __init__(self, check_stop: StopCheck = never_stop) -> None:
        self._check_stop = check_stop
        self._degrees: list[NDArray[np.int32]] = []  # the arcs of each node, layer by layer from the end on, like the next two
        self._options: list[NDArray[np.int32]] = []
        self._targets: list[NDArray[np.int32]] = []
        self.nodes, self.arcs = 1, 0

    @property
    def bytes(self) -> int:
        """The bytes that it takes, those of the finished diagram included."""
        return 20 * self.nodes + 12 * self.arcs

    def layer(self, nodes: int, pieces: Sequence[NDArray[np.int32]]) -> NDArray[np.int32]:
        """The layer before those that are there, of `nodes` nodes. Its arcs come in pieces and in any order: shape (arcs, 3), the
        node in this layer that each comes from, its option, and the number of the node that it leads to. Returns the number of
        each node; nodes with the same arcs have the same number, and a node without arcs has -1."""
        arcs, degrees = sum(map(len, pieces)), np.zeros(nodes, np.int64)
        for piece in pieces:
            run_to_end(bind(kernel.count, kernel.GivenArcs(piece, degrees)), len(piece), self._check_stop)
        begins = np.zeros(nodes + 1, np.int64)
        np.cumsum(degrees, out=begins[1:])
        layer = kernel.DiagramLayer(
            begins=begins,
            option=np.empty(arcs, np.int32),
            target=np.empty(arcs, np.int32),
            number=np.empty(nodes, np.int32),
            kept=np.zeros(nodes + 1, np.int64),
            codes=np.empty(nodes, np.uint64),
            slots=np.zeros(2 << int(np.count_nonzero(degrees)).bit_length(), np.int32),
            made=np.zeros(2, np.int64),
        )
        self._check_stop()
        ends = np.subtract(begins[1:], degrees, out=degrees)
        for piece in pieces:
            run_to_end(bind(kernel.group, kernel.GivenArcs(piece, ends), layer), len(piece), self._check_stop)
        run_to_end(bind(kernel.merge, layer), nodes, self._check_stop)
        kept, made = layer.made.tolist()
        # The diagram has all numbers in the opposite order: then the nodes of the layer, and their arcs, are in this order.
        number = np.where(layer.number < 0, -1, self.nodes + kept - 1 - layer.number).astype(np.int32)
        self._degrees.append(np.diff(layer.kept[: kept + 1]).astype(np.int32))
        for arrays, array in ((self._options, layer.option), (self._targets, layer.target)):
            array.resize((made,), refcheck=False)
            arrays.append(array)
        self.nodes += kept
        self.arcs += made
        if self.nodes > MOST_NODES:
            raise MemoryError(f"a diagram of {self.nodes:,} nodes")
        return number

    def diagram(self) -> Diagram:
        """Make the diagram. The last layer must be that of the root, its only node. The layers are not kept."""
        layers = portable.cumsum([0, *map(len, reversed(self._degrees)), 1])
        starts = np.zeros(self.nodes + 1, np.int64)
        np.cumsum(self._together(self._degrees), out=starts[1:-1])
        starts[-1] = self.arcs
        option, target = self._together(self._options), self._together(self._targets)
        return Diagram(layers, starts, option, np.subtract(self.nodes - 1, target, out=target))

    def _together(self, pieces: list[NDArray[np.int32]]) -> NDArray[np.int32]:
        """Join the arrays into one, the last array first. Each is freed as soon as it is copied."""
        whole, done = np.empty(sum(map(len, pieces)), np.int32), 0
        while pieces:
            self._check_stop()
            piece = pieces.pop()
            whole[done : done + len(piece)] = piece
            done += len(piece)
        return whole


def run_to_end(step: Callable[[int, int], int], number: int, check_stop: StopCheck) -> None:
    """Call a kernel that works through a number of things, again and again from where it stopped, until all are done, with a look
    between the calls."""
    done, termination = 0, TerminationCheck("what is done with a diagram")
    while done < number:
        done = step(done, python_time.share(_STEPS))
        termination.advance(done)
        check_stop()
