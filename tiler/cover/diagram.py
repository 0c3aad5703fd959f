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

Numbers = NDArray[np.int64]
Marks = NDArray[np.bool_]

_LIMB = 32  # bits of a number of solutions in one place
_LOW = np.uint64((1 << _LIMB) - 1)
_SALTS = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F))
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
    def of(cls, layers: Numbers, starts: Numbers, option: NDArray[np.int32], target: NDArray[np.integer], ends: Marks) -> Diagram:
        """The reduced diagram of a graph in layers, where some nodes of the last layer, shape (nodes in it,), are `ends`."""
        keep = np.ones(len(option), np.bool_)
        return _reduced(*_trimmed(layers, starts, option, target, keep, ends))

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

    @cached_property
    def total(self) -> int:
        """How many solutions there are, exactly."""
        return self._below([0])[0] if self.nodes else 0

    @cached_property
    def _ways(self) -> NDArray[np.uint32]:
        """Shape (nodes, places): the paths from each node to the end, 32 bits in a place, the lowest first."""
        ways = np.zeros((self.nodes, 1), np.uint32)
        ways[-1:] = 1
        for first, last in _layers(self.layers, from_end=True):
            arcs = slice(self.starts[first], self.starts[last])
            if arcs.start == arcs.stop:
                continue
            # So many terms of 32 bits that the sum has less than 64 are added up before there is a carry.
            sums = np.add.reduceat(ways[self.target[arcs]].astype(np.uint64), self.starts[first:last] - arcs.start)
            carry = np.zeros(last - first, np.uint64)
            for place in range(ways.shape[1]):
                carry += sums[:, place]
                sums[:, place] = carry & _LOW
                carry >>= np.uint64(_LIMB)
            ways[first:last] = sums
            if carry.any():
                ways = np.concatenate([ways, np.zeros((self.nodes, 1), np.uint32)], axis=1)
                ways[first:last, -1] = carry
        return ways

    def _below(self, nodes: Collection[int] | NDArray[np.integer]) -> list[int]:
        """The solutions below each of these nodes."""
        return [sum(word << (_LIMB * i) for i, word in enumerate(words)) for words in self._ways[list(nodes)].tolist()]

    def solution(self, number: int) -> tuple[int, ...]:
        """The options of the solution of this number, from 0 on, in the order in which they cover items; IndexError if there is
        none. Solutions are in the order of their options: the first ones' first."""
        if not 0 <= number < self.total:
            raise IndexError(number)
        node, options = 0, []
        while node < self.nodes - 1:
            arc = int(self.starts[node])
            for ways in self._below(self.target[arc : self.starts[node + 1]]):
                if number < ways:
                    break
                number -= ways
                arc += 1
            options.append(int(self.option[arc]))
            node = int(self.target[arc])
        return tuple(options)

    def solutions(self, first: int = 0) -> Iterator[tuple[int, ...]]:
        """The solutions from this number on."""
        if not 0 <= first < self.total:
            return
        # The arcs on the path: all of the solutions below the later arcs of each node are still to come.
        path, node, number = list[int](), 0, first
        for option in self.solution(number):
            arc = int(self.starts[node]) + int(np.searchsorted(self.option[self.starts[node] : self.starts[node + 1]], option))
            path.append(arc)
            node = int(self.target[arc])
        starts, options, targets, end = self.starts, self.option, self.target, self.nodes - 1
        while True:
            yield tuple(options[path].tolist())
            while path:
                arc = path.pop()
                node = int(targets[path[-1]]) if path else 0
                if arc + 1 < starts[node + 1]:
                    break
            else:
                return
            path.append(arc + 1)
            while (node := int(targets[path[-1]])) != end:
                path.append(int(starts[node]))

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
            number += sum(self._below(self.target[first : first + at]))
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
        for first, last in _layers(self.layers, from_end=True):
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


def _layers(layers: Numbers, *, from_end: bool = False) -> Iterator[tuple[int, int]]:
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
    for first, last in _layers(layers):
        arcs = slice(starts[first], starts[last])
        reached[target[arcs][keep[arcs] & reached[source[arcs]]]] = True
    alive[layers[-2] :] = reached[layers[-2] :] & ends
    for first, last in _layers(layers, from_end=True):
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
    nodes = len(starts) - 1
    if not nodes:
        return Diagram.empty(len(layers) - 1)
    stands = np.arange(nodes)  # by node: the first with the same paths
    stands[layers[-2] :] = layers[-2]
    for first, last in _layers(layers, from_end=True):
        if last - first == 1:
            continue
        arcs = slice(int(starts[first]), int(starts[last]))
        begins, degree = starts[first:last] - arcs.start, np.diff(starts[first : last + 1])
        to, options = stands[target[arcs]], option[arcs]
        codes = [np.add.reduceat(_mixed(to, options, salt), begins) for salt in _SALTS]
        order = np.lexsort((np.arange(last - first), *codes))
        alike = np.ones(last - first, np.bool_)
        alike[0] = False
        for code in codes:
            alike[1:] &= code[order][1:] == code[order][:-1]
        group = np.empty(last - first, np.int64)
        group[order] = order[np.maximum.accumulate(np.where(alike, 0, np.arange(last - first)))]
        # Codes may be equal by chance: what they say is held against the arcs.
        same = degree == degree[group]
        compared = _ranges(np.where(same, begins[group], begins), degree)
        equal = (to == to[compared]) & (options == options[compared])
        same &= np.logical_and.reduceat(equal, begins)
        stands[first:last] = np.where(same, first + group, np.arange(first, last))
    kept = stands == np.arange(nodes)
    if kept.all():
        return Diagram(layers, starts, option, target)
    number = np.concatenate([[0], np.cumsum(kept)])
    degree = np.diff(starts)
    arcs_kept = np.repeat(kept, degree)
    new_starts = np.concatenate([[0], np.cumsum(degree[kept])]).astype(np.int64)
    return Diagram(number[layers], new_starts, option[arcs_kept], number[stands[target[arcs_kept]]].astype(np.int32))


def _mixed(to: Numbers, options: NDArray[np.int32], salt: np.uint64) -> NDArray[np.uint64]:
    """A code for each arc, of which sums tell sets of arcs apart."""
    word = (to.astype(np.uint64) << np.uint64(32)) ^ options.astype(np.uint64)
    for turn in (30, 27, 31):
        word = (word ^ (word >> np.uint64(turn))) * salt
    return word ^ (word >> np.uint64(29))
