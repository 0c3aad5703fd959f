"""A diagram (diagram.py) in the making, layer by layer from its end: nodes with the same arcs are made one.

Source: D. Revuz, "Minimisation of acyclic deterministic automata in linear time", Theoretical Computer Science 92 (1992),
181-189.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tiler.cover.diagram import Diagram, Numbers
from tiler.process.look import Look, unhurried

MOST_NODES = (1 << 31) - 1

_SALT = np.uint64(0x9E3779B97F4A7C15)


class Building:
    """A reduced diagram in the making: layer by layer, from the end to the root. Nodes are numbered as they come: the end, which
    is there from the start, is 0."""

    def __init__(self, look: Look = unhurried) -> None:
        self._look = look
        self._degrees: list[NDArray[np.int32]] = []  # of the nodes of each layer, as the other two from the end on
        self._options: list[NDArray[np.int32]] = []
        self._targets: list[NDArray[np.int32]] = []
        self.nodes, self.arcs = 1, 0

    @property
    def bytes(self) -> int:
        """What it takes, and the diagram when it is put together."""
        return 20 * self.nodes + 12 * self.arcs

    def layer(self, degree: NDArray[np.integer], option: NDArray[np.int32], target: NDArray[np.integer]) -> Numbers:
        """The layer before those that are there: how many arcs each of its nodes has, shape (nodes,), at least 1; and the arcs,
        ascending by option within a node, with the numbers of the nodes that they lead to. Returns the number of each node,
        which is that of another one if they have the same arcs."""
        nodes, begins = len(degree), np.cumsum(degree) - degree
        code = np.add.reduceat(_mixed(target, option), begins)
        self._look()
        order = np.argsort(code, kind="stable")
        self._look()
        is_first = np.ones(nodes, np.bool_)
        is_first[1:] = code[order[1:]] != code[order[:-1]]
        stands = np.empty(nodes, np.int64)  # by node: the first with the same code
        stands[order] = order[np.maximum.accumulate(np.where(is_first, np.arange(nodes), 0))]
        # Codes may be equal by chance: what they say is held against the arcs.
        others = np.flatnonzero(stands != np.arange(nodes))
        others = others[degree[others] == degree[stands[others]]]
        here, there = (ranges(begins[which], degree[which]) for which in (others, stands[others]))
        equal = (target[here] == target[there]) & (option[here] == option[there])
        self._look()
        is_kept = np.ones(nodes, np.bool_)
        is_kept[others] = ~np.logical_and.reduceat(equal, np.cumsum(degree[others]) - degree[others])
        stands[is_kept] = np.flatnonzero(is_kept)
        # In the diagram all numbers are turned round: then the nodes of the layer, and their arcs, are in this order.
        number = self.nodes + np.count_nonzero(is_kept) - np.cumsum(is_kept)
        arcs = np.repeat(is_kept, degree)
        for pieces, array in ((self._degrees, degree[is_kept]), (self._options, option[arcs]), (self._targets, target[arcs])):
            pieces.append(array.astype(np.int32))
        self.nodes += len(self._degrees[-1])
        self.arcs += len(self._options[-1])
        if self.nodes > MOST_NODES:
            raise MemoryError(f"a diagram of {self.nodes:,} nodes")
        return number[stands]

    def diagram(self) -> Diagram:
        """The diagram, when the layer of the root is there, its only node; of the layers nothing is kept."""
        layers = np.cumsum([0, *map(len, reversed(self._degrees)), 1])
        starts = np.zeros(self.nodes + 1, np.int64)
        np.cumsum(self._together(self._degrees), out=starts[1:-1])
        starts[-1] = self.arcs
        option, target = self._together(self._options), self._together(self._targets)
        return Diagram(layers, starts, option, np.subtract(self.nodes - 1, target, out=target))

    def _together(self, pieces: list[NDArray[np.int32]]) -> NDArray[np.int32]:
        """The arrays from the last to the first as one; each is let go of as soon as it is in there."""
        whole, done = np.empty(sum(map(len, pieces)), np.int32), 0
        while pieces:
            self._look()
            piece = pieces.pop()
            whole[done : done + len(piece)] = piece
            done += len(piece)
        return whole


def ranges(first: Numbers, count: Numbers) -> Numbers:
    """So many numbers from each of these on, one after the other."""
    before = np.cumsum(count) - count
    return np.asarray(np.arange(int(count.sum())) + np.repeat(first - before, count))


def _mixed(to: NDArray[np.integer], options: NDArray[np.int32]) -> NDArray[np.uint64]:
    """A code for each arc, of which sums tell sets of arcs apart."""
    word = to.astype(np.uint64)
    word <<= np.uint64(32)
    word ^= options.astype(np.uint64)
    for turn in (30, 27, 31):
        word ^= word >> np.uint64(turn)
        word *= _SALT
    word ^= word >> np.uint64(29)
    return word
