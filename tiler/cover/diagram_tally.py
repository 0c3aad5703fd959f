"""Tally the solutions of a diagram (diagram.py): how many there are for each choice of copies, or of cells that stay open.

A portion is written as a code: a field of bits for every tile, which has its copies, and a bit for every cell that may stay
open. An option adds to the code of the solutions with it. From the root to the end, layer by layer, each node gets the codes of
the ways to it, each with the number of these ways. A count by states could have the codes in its states; but most of these lead
nowhere, while every node of a diagram leads to the end.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tiler import portable
from tiler.cover.cover import Cover
from tiler.cover.diagram import Diagram
from tiler.question.question import Portion, TallyBy

_PAIRS = 1 << 17  # pairs of a node and a code that are passed on between two looks: some tens of milliseconds
_BITS = 64  # of a word
_PLACE = np.uint64(32)  # bits in each place of a number of ways
_LOW = np.uint64((1 << 32) - 1)


@dataclass(frozen=True, eq=False)
class PortionCodes:
    """How the portions of a cover's solutions are written."""

    adds: NDArray[np.uint64]  #: shape (options, words): what each option adds to the code
    fields: list[tuple[int, int, int]]  #: word, shift and greatest number: first of the tiles, then of the cells
    cells: tuple[int, ...]  #: the cells that may stay open, ascending; empty if the tally does not tell them apart

    @classmethod
    def of(cls, cover: Cover, tally_by: tuple[TallyBy, ...]) -> PortionCodes:
        """The codes for a tally that tells these apart."""
        tiles = len(cover.names) - len(cover.fillers) if TallyBy.COPIES in tally_by else 0
        firsts = cover.members.values[cover.members.starts[:-1]]
        opens = cover.fills & (firsts < cover.area)  # The fillers of corners leave no cell open.
        cells = tuple(portable.distinct(firsts[opens]).tolist()) if TallyBy.OPEN in tally_by else ()
        most = [min(int(upper), len(cover.items)) for upper in cover.upper[:tiles]] + [1] * len(cells)
        fields, word, shift = list[tuple[int, int, int]](), 0, 0
        for number in most:
            bits = number.bit_length()
            if shift + bits > _BITS:
                word, shift = word + 1, 0
            fields.append((word, shift, (1 << bits) - 1))
            shift += bits
        adds = np.zeros((len(cover), word + 1), np.uint64)
        field_of = {("cell", cell): tiles + number for number, cell in enumerate(cells)}
        for option in range(len(cover)):
            key = ("cell", int(firsts[option])) if opens[option] else ("tile", int(cover.tile[option]))
            field = field_of.get(key, key[1] if key[0] == "tile" and key[1] < tiles else None)
            if field is not None:
                adds[option, fields[field][0]] = 1 << fields[field][1]
        return cls(adds, fields, cells)

    def portion(self, code: list[int]) -> Portion:
        """The portion that a code stands for."""
        numbers = [code[word] >> shift & most for word, shift, most in self.fields]
        tiles = len(numbers) - len(self.cells)
        return Portion(
            tuple(numbers[:tiles]), tuple(cell for cell, is_open in zip(self.cells, numbers[tiles:], strict=True) if is_open)
        )


class _Pairs(NamedTuple):
    """Pairs of a node and a code, sorted by node, with the number of ways."""

    node: NDArray[np.int64]
    code: NDArray[np.uint64]  #: shape (pairs, words)
    ways: NDArray[np.uint64]  #: shape (pairs, places): one word, or little-endian places of 32 bits, the lowest first

    def some(self, part: slice) -> _Pairs:
        """The pairs of a slice."""
        return _Pairs(self.node[part], self.code[part], self.ways[part])

    @property
    def bytes(self) -> int:
        return self.node.nbytes + self.code.nbytes + self.ways.nbytes


class DiagramTally:
    """The tally of a diagram's solutions, while it is made: `steps` makes it."""

    def __init__(self, diagram: Diagram, codes: PortionCodes) -> None:
        self._diagram, self._codes = diagram, codes
        self._waiting: dict[int, list[_Pairs]] = defaultdict(list)  # by the layer of their nodes
        self.bytes = 0  #: the bytes of the pairs that wait

    def steps(self) -> Iterator[float]:
        """Go from the root to the end, pausing many times a second; yields the fraction of the nodes done."""
        diagram = self._diagram
        if not diagram.nodes:
            return
        bits = diagram.total.bit_length()
        ways = np.zeros((1, 1 if bits <= _BITS else -(-bits // 32)), np.uint64)
        ways[0, 0] = 1
        self._wait(0, _Pairs(np.zeros(1, np.int64), np.zeros((1, self._codes.adds.shape[1]), np.uint64), ways))
        for layer in range(len(diagram.layers) - 2):
            for pairs in self._taken(layer):
                merged = _merged(pairs)
                self._pass_on(merged)
                yield float(merged.node[-1]) / diagram.nodes

    def portions(self) -> dict[Portion, int]:
        """The number of solutions of every portion that has some, in order, once all steps are made."""
        pieces = self._waiting.get(len(self._diagram.layers) - 2, [])
        if not pieces:
            return {}
        _, codes, ways = _merged(pieces)
        numbers = [sum(number << 32 * place for place, number in enumerate(places)) for places in ways.tolist()]
        return dict(sorted(zip(map(self._codes.portion, codes.tolist()), numbers, strict=True)))

    def _wait(self, layer: int, pairs: _Pairs) -> None:
        self._waiting[layer].append(pairs)
        self.bytes += pairs.bytes

    def _taken(self, layer: int) -> Iterator[list[_Pairs]]:
        """The pairs that wait at a layer, some nodes at a time."""
        pieces = self._waiting.pop(layer, [])
        self.bytes -= sum(piece.bytes for piece in pieces)
        nodes = np.sort(np.concatenate([piece.node for piece in pieces])) if pieces else np.zeros(0, np.int64)
        ends = portable.distinct(np.append(nodes[_PAIRS::_PAIRS], self._diagram.layers[layer + 1])) if len(nodes) else nodes
        begins = [0] * len(pieces)
        for end in ends.tolist():
            stops = [int(np.searchsorted(piece.node, end)) for piece in pieces]
            if stops != begins:  # A node may have more pairs than are taken at a time.
                yield [piece.some(slice(begin, stop)) for piece, begin, stop in zip(pieces, begins, stops, strict=True)]
            begins = stops

    def _pass_on(self, pairs: _Pairs) -> None:
        """Take every arc from these nodes."""
        diagram = self._diagram
        begins, degree = diagram.starts[pairs.node], diagram.starts[pairs.node + 1] - diagram.starts[pairs.node]
        number = portable.repeat(portable.arange(len(degree)), degree)
        arc = portable.ranges(begins, degree)
        order = np.argsort(diagram.target[arc], kind="stable")
        arc, number = arc[order], number[order]
        node = diagram.target[arc].astype(np.int64)
        after = _Pairs(node, pairs.code[number] + self._codes.adds[diagram.option[arc]], pairs.ways[number])
        cuts = np.searchsorted(node, diagram.layers)
        for layer in portable.flatnonzero(np.diff(cuts)).tolist():
            self._wait(layer, after.some(slice(int(cuts[layer]), int(cuts[layer + 1]))))


def _merged(pieces: list[_Pairs]) -> _Pairs:
    """The same pairs, each once."""
    node, code, ways = (np.concatenate([piece[field] for piece in pieces]) for field in range(3))
    order = portable.lexsort((*code.T, node))
    node, code, ways = node[order], code[order], ways[order]
    is_new = np.ones(len(node), np.bool_)
    is_new[1:] = (node[1:] != node[:-1]) | (code[1:] != code[:-1]).any(1)
    starts = portable.flatnonzero(is_new)
    sums = portable.reduceat(np.add, ways, starts)
    for place in range(sums.shape[1] - 1):
        sums[:, place + 1] += sums[:, place] >> _PLACE
        sums[:, place] &= _LOW
    return _Pairs(node[starts], code[starts], sums)
