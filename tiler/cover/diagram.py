"""All solutions of a cover as one decision diagram: a graph in which every path from its root to its end is a solution.

A node stands for what is still to be covered (and for the copies left, where that matters), an arc for an option that covers the
first of it. Nodes lie in layers, by the first item still to be covered in some order; arcs lead to later layers. Of equal options
there is one arc, so that every solution is one path. Every node is on a path, and no two nodes of a layer have the same paths to
the end: there is no smaller such graph.

What is asked of it takes a look at every arc: how many solutions, those with or without some options, those that another diagram
has too. One solution takes a walk of as many steps as it has options.

Source: Knuth, The Art of Computer Programming 4A, section 7.1.4; D. Revuz, "Minimisation of acyclic deterministic automata in
linear time", Theoretical Computer Science 92 (1992), 181-189, for the reduction layer by layer.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tiler.cover.cover import Cover
from tiler.process.look import Look, unhurried

Numbers = NDArray[np.int64]
Marks = NDArray[np.bool_]

_LIMB = np.uint64(32)  # bits of a number of solutions in one place
_LOW = np.uint64((1 << 32) - 1)
_SALT = np.uint64(0x9E3779B97F4A7C15)
_MOST_NODES = (1 << 31) - 1


class Joined(StrEnum):
    """What is made of two diagrams: the solutions in both, in any of them, in the first but not in the second."""

    BOTH = "both"
    ANY = "any"
    FIRST = "first"


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
        """No solution."""
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
        """What the graph takes, without the numbers of solutions."""
        return self.layers.nbytes + self.starts.nbytes + self.option.nbytes + self.target.nbytes

    @property
    def total(self) -> int:
        """How many solutions there are, exactly."""
        return self.count()

    def count(self, look: Look = unhurried) -> int:
        """The same, with looks while they are counted, which is done once."""
        if not self.nodes:
            return 0
        if "_ways" not in self.__dict__:  # As `cached_property` does it, which passes no look on.
            self.__dict__["_ways"] = _ways(self, look)
        return self._below(0)

    @cached_property
    def _ways(self) -> NDArray[np.uint32]:
        return _ways(self, unhurried)

    def _below(self, node: int) -> int:
        """The solutions below a node."""
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
        """The solutions from this number on. Those from 0 on are not counted for that."""
        if not self.nodes or (first and not 0 <= first < self.total):
            return
        # The arcs on the path: all of the solutions below the later arcs of each node are still to come.
        path = self._path(first)
        chosen = self.option[path].tolist()
        # A number of a buffer takes half as long as one of an array.
        starts, options, targets, end = self.starts.data, self.option.data, self.target.data, self.nodes - 1
        while True:
            yield tuple(chosen)
            while path:
                arc = path.pop() + 1
                chosen.pop()
                if arc < starts[(targets[path[-1]] if path else 0) + 1]:
                    break
            else:
                return
            while True:
                path.append(arc)
                chosen.append(options[arc])
                if (node := targets[arc]) == end:
                    break
                arc = starts[node]

    def number_of(self, options: Collection[int], filler: int | None = None) -> int | None:
        """The number of a solution; None if it is none. From `filler` on options may be left out of it."""
        wanted, node, number, used = frozenset(options), 0, 0, 0
        if not self.nodes:
            return None
        while node < self.nodes - 1:
            first, last = int(self.starts[node]), int(self.starts[node + 1])
            here = self.option[first:last].tolist()
            at = next((at for at, option in enumerate(here) if option in wanted), None)
            if at is not None:
                used += 1
            elif filler is not None and here[-1] >= filler:
                at = len(here) - 1
            else:
                return None
            number += sum(map(self._below, self.target[first : first + at].tolist()))
            node = int(self.target[first + at])
        return number if used == len(wanted) else None

    def within(self, allowed: Marks) -> Diagram:
        """Only solutions of options that are marked, shape (options,)."""
        if not self.nodes:
            return self
        ends = np.ones(1, np.bool_)
        return _reduced(*_trimmed(self.layers, self.starts, self.option, self.target, allowed[self.option], ends))

    def counting(self, marked: Marks, least: int = 0, most: int | None = None) -> Diagram:
        """Only solutions with at least and at most so many of the options that are marked, shape (options,)."""
        if not self.nodes:
            return self
        # A node for each number of them so far; without `most` the last stands for `least` or more.
        highest = least if most is None else most
        width = highest + 1
        used = np.tile(np.arange(width), self.nodes)
        first, degree = np.repeat(self.starts[:-1], width), np.repeat(np.diff(self.starts), width)
        arcs = _ranges(first, degree)
        before = np.repeat(used, degree)
        after = before + marked[self.option[arcs]]
        keep = np.full(len(after), True) if most is None else after <= highest
        target = self.target[arcs] * np.int64(width) + np.minimum(after, highest)
        starts = np.concatenate([[0], np.cumsum(degree)])
        ends = np.arange(width) >= least
        return _reduced(*_trimmed(self.layers * width, starts, self.option[arcs], target, keep, ends))

    def joined(self, other: Diagram, how: Joined) -> Diagram:
        """The solutions of this diagram, of another of the same cover, or of both."""
        if not self.nodes or not other.nodes:
            kept = {Joined.BOTH: not self.nodes, Joined.ANY: not other.nodes, Joined.FIRST: True}[how]
            return self if kept else other
        # A node is a pair of nodes, or one node and none, which has the number after the last.
        none, width = (self.nodes, other.nodes), np.int64(other.nodes + 1)
        layer_of = [np.repeat(np.arange(len(each.layers) - 1), np.diff(each.layers)) for each in (self, other)]
        waiting: list[list[Numbers]] = [[] for _ in range(len(self.layers) - 1)]
        waiting[0].append(np.zeros(1, np.int64))
        pairs_of, arcs_of = [], []
        made = 0
        for some in waiting:
            pairs = np.unique(np.concatenate(some)) if some else np.zeros(0, np.int64)
            pairs_of.append(pairs)
            if not len(pairs):
                continue
            sides = [_arcs(self, pairs // width), _arcs(other, pairs % width)]
            at = np.union1d(sides[0][0], sides[1][0])
            to = [np.full(len(at), none[side]) for side in range(2)]
            for side in range(2):
                to[side][np.searchsorted(at, sides[side][0])] = sides[side][1]
            there = [to[side] < none[side] for side in range(2)]
            keep = {Joined.BOTH: there[0] & there[1], Joined.ANY: there[0] | there[1], Joined.FIRST: there[0]}[how]
            at, first, second = at[keep], to[0][keep], to[1][keep]
            target = first * width + second
            arcs_of.append((made + (at >> 32), (at & 0xFFFFFFFF).astype(np.int32), target))
            made += len(pairs)
            layer = np.where(first < none[0], layer_of[0][np.minimum(first, none[0] - 1)], 0)
            layer = np.where(second < none[1], layer_of[1][np.minimum(second, none[1] - 1)], layer)
            order = np.argsort(layer, kind="stable")
            found, begins = np.unique(layer[order], return_index=True)
            ends = np.append(begins, len(order))[1:]
            for number, begin, end in zip(found.tolist(), begins.tolist(), ends.tolist(), strict=True):
                waiting[number].append(np.unique(target[order[begin:end]]))
        layers = np.concatenate([[0], np.cumsum([len(pairs) for pairs in pairs_of])])
        every = np.concatenate(pairs_of)
        order = np.argsort(every)
        source, option, target = (np.concatenate(parts) for parts in zip(*arcs_of, strict=True))
        target = order[np.searchsorted(every[order], target)]
        starts = np.concatenate([[0], np.cumsum(np.bincount(source, minlength=len(every)))])
        last = pairs_of[-1]
        is_first, is_second = last // width < none[0], last % width < none[1]
        ends = {Joined.BOTH: is_first & is_second, Joined.ANY: is_first | is_second, Joined.FIRST: is_first & ~is_second}[how]
        return _reduced(*_trimmed(layers, starts, option, target, np.ones(len(option), np.bool_), ends))

    def covers(self, cover: Cover) -> bool:
        """Whether every path covers every item of a cover exactly once; how often tiles are used is not looked at."""
        width = -(-len(cover.items) // 64)
        masks = np.zeros((len(cover), width), np.uint64)
        bits = np.uint64(1) << (cover.members.values % 64).astype(np.uint64)
        owner = np.repeat(np.arange(len(cover)), np.diff(cover.members.starts))
        np.bitwise_or.at(masks, (owner, cover.members.values // 64), bits)
        rest = np.zeros((self.nodes, width), np.uint64)  # by node: what its paths to the end cover
        for first, last in layers_of(self.layers, from_end=True):
            arcs = slice(int(self.starts[first]), int(self.starts[last]))
            option, below = masks[self.option[arcs]], rest[self.target[arcs]]
            begins = self.starts[first:last] - arcs.start
            rest[first:last] = (option | below)[begins]
            same = (option | below) == np.repeat(rest[first:last], np.diff(self.starts[first : last + 1]), axis=0)
            if (option & below).any() or not same.all():
                return False
        return not self.nodes or sum(int(word).bit_count() for word in rest[0].tolist()) == len(cover.items)

    def is_sound(self, options: int) -> bool:
        """Whether the arrays are those of a diagram with arcs of so many options: of what is read from a file."""
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
        source = np.repeat(np.arange(self.nodes), degree)
        layer_of = np.repeat(np.arange(len(layers) - 1), np.diff(layers))
        inside = (option >= 0).all() and (option < options).all() and (target > 0).all() and (target < self.nodes).all()
        if not inside or (layer_of[target] <= layer_of[source]).any():
            return False
        ascending = option[1:] > option[:-1]
        ascending[starts[1:-2] - 1] = True  # From node to node.
        return bool(ascending.all()) and bool(np.bincount(target, minlength=self.nodes)[1:].all())


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
        here, there = (_ranges(begins[which], degree[which]) for which in (others, stands[others]))
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
        if self.nodes > _MOST_NODES:
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


def layers_of(layers: Numbers, *, from_end: bool = False) -> Iterator[tuple[int, int]]:
    """First node and end of every layer that has nodes, but for the last layer."""
    there = np.flatnonzero(np.diff(layers[:-1]))
    for layer in there[::-1].tolist() if from_end else there.tolist():
        yield int(layers[layer]), int(layers[layer + 1])


def _ranges(first: Numbers, count: Numbers) -> Numbers:
    """So many numbers from each of these on, one after the other."""
    before = np.cumsum(count) - count
    return np.asarray(np.arange(int(count.sum())) + np.repeat(first - before, count))


def _arcs(diagram: Diagram, nodes: Numbers) -> tuple[Numbers, Numbers]:
    """The arcs of some nodes (none, where a number is too large): which of the nodes, with the option in the lower 32 bits, and
    where they lead."""
    there = nodes < diagram.nodes
    known = np.where(there, nodes, 0)
    degree = np.where(there, np.diff(diagram.starts)[known], 0)
    arcs = _ranges(diagram.starts[known], degree)
    return (np.repeat(np.arange(len(nodes)), degree) << 32) | diagram.option[arcs], diagram.target[arcs].astype(np.int64)


def _trimmed(
    layers: Numbers, starts: Numbers, option: NDArray[np.int32], target: NDArray[np.integer], keep: Marks, ends: Marks
) -> tuple[Numbers, Numbers, NDArray[np.int32], NDArray[np.int32]]:
    """What is on paths from node 0 to one of the ends along arcs to be kept: layers, starts, options and targets."""
    nodes, degree = len(starts) - 1, np.diff(starts)
    source = np.repeat(np.arange(nodes), degree)
    reached, alive = np.zeros(nodes, np.bool_), np.zeros(nodes, np.bool_)
    reached[0] = True
    for first, last in layers_of(layers):
        arcs = slice(starts[first], starts[last])
        reached[target[arcs][keep[arcs] & reached[source[arcs]]]] = True
    alive[layers[-2] :] = reached[layers[-2] :] & ends
    for first, last in layers_of(layers, from_end=True):
        arcs = slice(starts[first], starts[last])
        alive[source[arcs][keep[arcs] & alive[target[arcs]]]] = True
    alive &= reached
    kept = np.flatnonzero(keep & alive[source] & alive[target])
    number = np.concatenate([[0], np.cumsum(alive)])
    new_starts = np.concatenate([[0], np.cumsum(np.bincount(source[kept], minlength=nodes)[alive])]).astype(np.int64)
    if number[-1] > _MOST_NODES:
        raise MemoryError(f"a diagram of {number[-1]:,} nodes")
    return number[layers], new_starts, option[kept], number[target[kept]].astype(np.int32)


def _reduced(layers: Numbers, starts: Numbers, option: NDArray[np.int32], target: NDArray[np.int32]) -> Diagram:
    """Nodes with the same paths to the end made one, in a graph in which every node is on a path."""
    if not len(starts) - 1:
        return Diagram.empty(len(layers) - 1)
    made, number = Building(), np.zeros(len(starts) - 1, np.int64)
    for first, last in zip(layers[-3::-1].tolist(), layers[-2:0:-1].tolist(), strict=True):
        arcs = slice(int(starts[first]), int(starts[last]))
        number[first:last] = made.layer(np.diff(starts[first : last + 1]), option[arcs], number[target[arcs]])
    return made.diagram()


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


def _ways(diagram: Diagram, look: Look) -> NDArray[np.uint32]:
    """The paths from each node to the end, shape (nodes, places): words of 32 bits, the lowest first, little-endian ones."""
    ways = np.zeros((diagram.nodes, 1), "<u4")
    ways[-1] = 1
    for first, last in layers_of(diagram.layers, from_end=True):
        look()
        arcs = slice(diagram.starts[first], diagram.starts[last])
        # So few terms of 32 bits that the sum has less than 64 are added up before there is a carry.
        sums = np.add.reduceat(ways[diagram.target[arcs]].astype(np.uint64), diagram.starts[first:last] - arcs.start)
        while (carry := sums >> _LIMB).any():
            if carry[:, -1].any():
                more = ((0, 0), (0, 1 + ways.shape[1] // 4))
                ways, sums, carry = (np.pad(each, more) for each in (ways, sums, carry))
            sums &= _LOW
            sums[:, 1:] += carry[:, :-1]
        ways[first:last] = sums
    return ways
