"""Hold all solutions of a cover as one decision diagram: a graph in which every path from its root to its end is a solution.

A node stands for what is still to be covered (and for the copies left, where that matters). An arc is an option that covers the
first item of it. Nodes lie in layers, by the first item still to be covered in some order; arcs lead to later layers. Of equal
options there is one arc, so that every solution is one path. Every node is on a path, and no two nodes of a layer have the same
paths to the end. So there is no smaller such graph.

To count the solutions takes a look at every arc. To find one solution takes as many steps as it has options. Diagrams are made in
diagram_construction.py; diagram_operations.py makes them of other diagrams.

Source: Knuth, The Art of Computer Programming 4A, section 7.1.4.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tiler import portable
from tiler.cover.cover import Cover
from tiler.cover.kernel_diagram import list_paths
from tiler.kernels import EXHAUSTED, SOLUTION, bind
from tiler.kernels.arrays import SolutionRows
from tiler.process.cancellation import StopCheck, never_stop
from tiler.question.events import Found

Numbers = NDArray[np.int64]
Marks = NDArray[np.bool_]

_NUMBERS = 1 << 19  # numbers of options in a block of solutions

_LIMB = np.uint64(32)  # bits in each place of a number of solutions
_LOW = np.uint64((1 << 32) - 1)


@dataclass(frozen=True, eq=False)
class Diagram:
    """A reduced diagram. Nodes are numbered layer by layer, the root is 0, and the end is the last one; there is no node at all
    if there is no solution."""

    layers: Numbers  #: shape (layers + 1,): the first node of each layer; the end is the only node of the last one
    starts: Numbers  #: shape (nodes + 1,): the first arc of each node
    option: NDArray[np.int32]  #: shape (arcs,): ascending within a node
    target: NDArray[np.int32]  #: shape (arcs,)

    @classmethod
    def empty(cls, layers: int) -> Diagram:
        """The diagram without a solution."""
        nothing = np.zeros(0, np.int32)
        return cls(np.zeros(layers + 1, np.int64), np.zeros(1, np.int64), nothing, nothing)

    @property
    def nodes(self) -> int:
        return len(self.starts) - 1

    @property
    def arcs(self) -> int:
        return len(self.option)

    @property
    def bytes(self) -> int:
        """The bytes of the graph, without the numbers of solutions."""
        return self.layers.nbytes + self.starts.nbytes + self.option.nbytes + self.target.nbytes

    @property
    def total(self) -> int:
        """The exact number of solutions."""
        return self.count()

    def count(self, check_stop: StopCheck = never_stop) -> int:
        """The exact number of solutions. They are counted only once; `check_stop` is called meanwhile."""
        if not self.nodes:
            return 0
        if "_ways" not in self.__dict__:  # This is what `cached_property` does; but that cannot pass `check_stop` on.
            self.__dict__["_ways"] = _ways(self, check_stop)
        return self._below(0)

    @cached_property
    def _ways(self) -> NDArray[np.uint32]:
        return _ways(self, never_stop)

    def _below(self, node: int) -> int:
        """The number of solutions below a node."""
        return int.from_bytes(self._ways[node].tobytes(), "little")

    def _path(self, number: int) -> list[int]:
        """The arcs of the solution of this number."""
        node, end, path = 0, self.nodes - 1, list[int]()
        while node != end:
            arc = int(self.starts[node])
            while number and number >= (ways := self._below(int(self.target[arc]))):
                number -= ways
                arc += 1
            path.append(arc)
            node = int(self.target[arc])
        return path

    def solution(self, number: int) -> tuple[int, ...]:
        """The options of the solution of this number, from 0 on, in the order in which they cover items; IndexError if there is
        none. Solutions are in the order of their options: the first ones' first."""
        if not 0 <= number < self.total:
            raise IndexError(number)
        return tuple(self.option[self._path(number)].tolist())

    def solutions(self, first: int = 0) -> Iterator[tuple[int, ...]]:
        """The solutions from this number on. If the number is 0, nothing needs to be counted."""
        for block in self.blocks(first):
            yield from block

    def blocks(self, first: int = 0) -> Iterator[Found]:
        """The same in blocks. The first one holds one solution, each later one up to twice as many."""
        if not self.nodes or (first and not 0 <= first < self.total):
            return
        begun = self._path(first)
        path = np.zeros(len(self.layers), np.int64)
        path[: len(begun)], depth = begun, np.array([len(begun)], np.int64)
        room = max(1, _NUMBERS // len(path))
        rows = SolutionRows.new(room, len(path))
        list_on = bind(list_paths, self.starts, self.option, self.target, path, depth, rows)
        most, code = 1, SOLUTION
        while code != EXHAUSTED:
            code = list_on(most)
            yield Found(rows.taken())
            most = min(2 * most, room)

    def number_of(self, options: Collection[int], filler: int | None = None) -> int | None:
        """The number of a solution; None if it is no solution. Options from the number `filler` on may be left out of it."""
        wanted, node, number, used = frozenset(options), 0, 0, 0
        if not self.nodes:
            return None
        while node < self.nodes - 1:
            first, last = int(self.starts[node]), int(self.starts[node + 1])
            arcs = self.option[first:last].tolist()
            at = next((at for at, option in enumerate(arcs) if option in wanted), None)
            if at is not None:
                used += 1
            elif filler is not None and arcs[-1] >= filler:
                at = len(arcs) - 1
            else:
                return None
            number += sum(map(self._below, self.target[first : first + at].tolist()))
            node = int(self.target[first + at])
        return number if used == len(wanted) else None

    def covers(self, cover: Cover) -> bool:
        """Whether every path covers every item of a cover exactly once; how often tiles are used is not looked at."""
        width = -(-len(cover.items) // 64)
        masks = np.zeros((len(cover), width), np.uint64)
        bits = np.uint64(1) << (cover.members.values % 64).astype(np.uint64)
        owner = portable.repeat(portable.arange(len(cover)), np.diff(cover.members.starts))
        np.bitwise_or.at(masks, (owner, cover.members.values // 64), bits)
        rest = np.zeros((self.nodes, width), np.uint64)  # for each node, the items that its paths to the end cover
        for first, last in layers_of(self.layers, from_end=True):
            arcs = slice(int(self.starts[first]), int(self.starts[last]))
            option, below = masks[self.option[arcs]], rest[self.target[arcs]]
            begins = self.starts[first:last] - arcs.start
            rest[first:last] = (option | below)[begins]
            same = (option | below) == portable.repeat(rest[first:last], np.diff(self.starts[first : last + 1]), axis=0)
            if (option & below).any() or not same.all():
                return False
        return not self.nodes or sum(int(word).bit_count() for word in rest[0].tolist()) == len(cover.items)

    def is_sound(self, options: int) -> bool:
        """Whether the arrays, which come from a file, make a diagram over this number of options."""
        layers, starts, option, target = self.layers, self.starts, self.option, self.target
        if len(layers) < 2 or layers[0] or layers[-1] != self.nodes or (np.diff(layers) < 0).any():
            return False
        if starts[0] or starts[-1] != self.arcs or len(option) != len(target) or (np.diff(starts) < 0).any():
            return False
        if not self.nodes:
            return self.arcs == 0
        degree = np.diff(starts)
        if (layers[1], layers[-1] - layers[-2]) != (1, 1) or (degree[:-1] < 1).any() or degree[-1]:
            return False
        source = portable.repeat(portable.arange(self.nodes), degree)
        layer_of = portable.repeat(portable.arange(len(layers) - 1), np.diff(layers))
        inside = (option >= 0).all() and (option < options).all() and (target > 0).all() and (target < self.nodes).all()
        if not inside or (layer_of[target] <= layer_of[source]).any():
            return False
        ascending = option[1:] > option[:-1]
        ascending[starts[1:-2] - 1] = True  # From the arcs of one node to those of the next, options need not ascend.
        return bool(ascending.all()) and bool(portable.bincount(target, minlength=self.nodes)[1:].all())


def layers_of(layers: Numbers, *, from_end: bool = False) -> Iterator[tuple[int, int]]:
    """The first node and the end of every layer that has nodes, except the last layer."""
    there = np.flatnonzero(np.diff(layers[:-1]))
    for layer in there[::-1].tolist() if from_end else there.tolist():
        yield int(layers[layer]), int(layers[layer + 1])


def _ways(diagram: Diagram, check_stop: StopCheck) -> NDArray[np.uint32]:
    """The number of paths from each node to the end, shape (nodes, places): little-endian words of 32 bits, the lowest first."""
    ways = np.zeros((diagram.nodes, 1), "<u4")
    ways[-1] = 1
    for first, last in layers_of(diagram.layers, from_end=True):
        check_stop()
        arcs = slice(diagram.starts[first], diagram.starts[last])
        # Terms of 32 bits are added up, so few that the sum has less than 64 bits, before carries are made.
        sums = portable.reduceat(np.add, ways[diagram.target[arcs]].astype(np.uint64), diagram.starts[first:last] - arcs.start)
        while (carry := sums >> _LIMB).any():
            if carry[:, -1].any():
                more = ((0, 0), (0, 1 + ways.shape[1] // 4))
                ways, sums, carry = (np.pad(limbs, more) for limbs in (ways, sums, carry))
            sums &= _LOW
            sums[:, 1:] += carry[:, :-1]
        ways[first:last] = sums
    return ways
