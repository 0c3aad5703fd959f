"""Draw matchings at random, each exactly as likely as any other (as far as the pseudorandom coins are random).

An Aztec diamond is shuffled (kernel_random_matchings.py). For any other graph of black and white vertices in the plane, edges
that are in no matching are left out. Then coupling from the past draws a matching: the faces of every part are flipped by the
same coins from its highest and its lowest matching. This begins further and further in the past, with the same coins at the same
times, until both matchings have become one by now.

On a torus, and where vertices do not have two colours, edges are first drawn one by one: each edge on a vertex is drawn with its
share of the matchings, by exact counts. The other edges on its ends are then left out. This ends when the rest lies in the plane
and has two colours.
"""

from __future__ import annotations

import random
from collections.abc import Generator, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tiler import portable
from tiler.backends.matching import kernel_random_matchings
from tiler.backends.matching.count import MatchingCounter
from tiler.backends.matching.faces import EmbeddedComponent, EmbeddedGraph
from tiler.backends.matching.graph import Mate, Pairs, black_and_white, colours
from tiler.backends.matching.kernel_random_matchings import DOWN, LEFT, RIGHT, UP, Diamond, Faces
from tiler.backends.matching.match import Matcher
from tiler.cover.board import BoardCover
from tiler.kernels import TerminationCheck, python_time
from tiler.process.cancellation import StopCheck

_FIRST = 8  # the number of sweeps in the first run
_COINS = 1 << 24  # flips between two looks at the clock
_MOST_KEPT = 256  # the number of graphs kept for further tilings, each with what is known about it


def order_of_diamond(cover: BoardCover, pairs: Pairs) -> int | None:
    """The order of a board that is an Aztec diamond on which all dominoes may be placed; None for any other board."""
    where = _corner(cover)
    order = int(where[:, 0].max() + 1) // 2
    if where.shape[1] != 2 or len(where) != 2 * order * (order + 1) or len(pairs.ends) != 4 * order * order:
        return None
    inside = np.abs(2 * where + 1 - 2 * order).sum(axis=1) <= 2 * order
    steps = np.abs(where[pairs.ends[:, 0]] - where[pairs.ends[:, 1]]).sum(axis=1)
    return order if bool(inside.all() and (steps == 1).all() and (pairs.times == 1).all()) else None


def _corner(cover: BoardCover) -> NDArray[np.int64]:
    where = cover.where
    return np.asarray(where - where.min(axis=0))


def shuffled(cover: BoardCover, order: int, seed: tuple[int, ...]) -> Generator[None, None, Mate]:
    """A tiling of an Aztec diamond, with a pause after each order."""
    draw = np.random.default_rng(seed)
    diamond = Diamond.new(0)
    for size in range(1, order + 1):
        larger = Diamond.new(size)
        coins = draw.integers(0, 1 << 64, size=size * (size + 1) // 128 + 1, dtype=np.uint64)
        kernel_random_matchings.shuffle(diamond, larger, size, coins)
        diamond = larger
        yield
    where = _corner(cover)
    number = np.full((2 * order, 2 * order), -1, np.int64)
    number[where[:, 0], where[:, 1]] = portable.arange(len(where))
    ways = diamond.ways.reshape(2 * order, 2 * order)
    mate = np.full(len(where), -1, np.int32)
    for both, step in (((UP, DOWN), (0, 1)), ((LEFT, RIGHT), (1, 0))):
        rows, columns = np.nonzero(np.isin(ways, both))
        here, there = number[rows, columns], number[rows + step[0], columns + step[1]]
        mate[here], mate[there] = there, here
    return mate


@dataclass(frozen=True, eq=False)
class Flips:
    """A connected part of a graph whose edges are all in some matching, and its highest and lowest one."""

    ends: NDArray[np.int64]  #: shape (edges, 2): cells of the board
    faces: Faces
    high: NDArray[np.uint8]  #: shape (edges,): which are matched
    low: NDArray[np.uint8]

    @classmethod
    def of(cls, drawn: EmbeddedComponent, pairs: Pairs, mate: Mate, is_white: NDArray[np.bool_]) -> Iterator[Flips | None]:
        """Make the flips of the connected parts, with pauses: the generator yields None, and at last the flips."""
        ends = pairs.ends[drawn.edges]
        outer = max(drawn.faces, key=len)
        lists = []
        for face in drawn.faces:
            if face is outer:
                continue
            white = [bool(is_white[drawn.cells[drawn.tail(dart)]]) for dart in face]
            lists.append([dart >> 1 for side in (False, True) for dart, is_ in zip(face, white, strict=True) if is_ is side])
        starts = portable.starts_of([len(each) for each in lists])
        faces = Faces(starts, np.array([edge for each in lists for edge in each], np.int32))
        matched = (mate[ends[:, 0]] == ends[:, 1]).astype(np.uint8)
        most = python_time.share(max(1, _COINS // max(1, len(lists))))
        extremes = []
        for up in (True, False):
            extreme = matched.copy()
            while kernel_random_matchings.settle(faces, extreme, up, most) == most:
                yield None
            extremes.append(extreme)
        yield cls(ends, faces, *extremes)

    @property
    def count(self) -> int:
        """The number of faces."""
        return len(self.faces.starts) - 1

    def coupled(self, seed: tuple[int, ...]) -> Generator[None, None, NDArray[np.uint8]]:
        """The edges of a random matching, as marks of shape (edges,)."""
        if not self.count:
            return self.high
        words = (self.count + 63) // 64
        termination = TerminationCheck("coupling from the past")
        run = 0
        while True:
            high, low = self.high.copy(), self.low.copy()
            differences = 1
            # The run before was half as long, and both runs end now: so its coins are thrown last in this one.
            for block in range(run, -1, -1):
                draw = np.random.default_rng((*seed, block))
                left = _FIRST << max(0, block - 1)
                while left:
                    some = min(left, max(1, python_time.share(_COINS) // self.count))
                    coins = draw.integers(0, 1 << 64, size=some * words, dtype=np.uint64)
                    differences = kernel_random_matchings.sweep(self.faces, high, low, coins, some)
                    left -= some
                    yield
            if not differences:
                return high
            run += 1
            termination.advance(run)


@dataclass(frozen=True, eq=False)
class EdgeChances:
    """The edges on one cell, and the number of matchings with each of them."""

    edges: list[int]  #: of the whole graph
    ways: list[int]

    def drawn(self, chance: random.Random) -> int:
        """Draw one of the edges, with a probability in proportion to the number of matchings with it."""
        number = chance.randrange(sum(self.ways))
        for edge, ways in zip(self.edges, self.ways, strict=True):
            if number < ways:
                return edge
            number -= ways
        raise ValueError("there are not as many matchings")


class Sampler:
    """Draws random tilings of a board of which one tiling is known."""

    def __init__(self, cover: BoardCover, pairs: Pairs, mate: Mate, check_stop: StopCheck) -> None:
        self._cover, self._pairs, self._mate, self._check_stop = cover, pairs, mate, check_stop
        self._order = order_of_diamond(cover, pairs)
        self._known: dict[bytes, list[Flips] | EdgeChances] = {}

    def draw(self, seed: int, number: int) -> Generator[None, None, Mate]:
        """Draw one tiling. The seed and the tiling's number determine the coins."""
        if self._order is not None:
            return (yield from shuffled(self._cover, self._order, (seed, number)))
        chance = random.Random(f"{seed} {number}")
        ends, numbers = self._pairs.ends, portable.arange(len(self._pairs.ends))
        left = np.ones(len(ends), np.bool_)
        while isinstance(known := (yield from self._about(left)), EdgeChances):
            edge = known.drawn(chance)
            left &= ~np.isin(ends, ends[edge]).any(axis=1) | (numbers == edge)
        mate = np.full(self._pairs.cells, -1, np.int32)
        for which, part in enumerate(known):
            matched = yield from part.coupled((seed, number, which))
            ends = part.ends[matched == 1]
            mate[ends[:, 0]], mate[ends[:, 1]] = ends[:, 1], ends[:, 0]
        return mate

    def _about(self, left: NDArray[np.bool_]) -> Generator[None, None, list[Flips] | EdgeChances]:
        """The way to go on with the edges that are left: flips, or the chances of the edges on one cell."""
        name = left.tobytes()
        if name not in self._known:
            pairs, mate = self._pairs.kept(left), self._mate
            if not left.all():
                matcher = Matcher(pairs, 1, 0)
                for _ in matcher.run():
                    yield
                mate = matcher.mate
            drawn, is_white = EmbeddedGraph.of(self._cover, pairs), colours(pairs.cells, pairs.ends)
            if is_white is None or drawn.genus:
                known: list[Flips] | EdgeChances = yield from self._choice(drawn, mate, np.flatnonzero(left))
            else:
                known = yield from self._flips(pairs, mate, is_white)
            if len(self._known) >= _MOST_KEPT:
                return known
            self._known[name] = known
        return self._known[name]

    def _choice(self, drawn: EmbeddedGraph, mate: Mate, numbers: NDArray[np.int64]) -> Generator[None, None, EdgeChances]:
        """The chances of the edges on the first cell that has several. Cells are taken along the shorter side, since that soon
        cuts a torus open."""
        several = portable.bincount(drawn.pairs.ends.reshape(-1), minlength=drawn.pairs.cells) > 1
        where = self._cover.where
        shorter, longer = np.argsort(np.ptp(where, axis=0), kind="stable")
        order = np.lexsort((where[:, shorter], where[:, longer]))
        cell = int(order[several[order]][0])
        part = next(each for each in drawn.parts(self._check_stop) if cell in each.cells)
        counter = MatchingCounter.of(part, drawn.pairs.times, mate, self._check_stop, with_uses=True)
        for _ in counter.run():
            yield
        edges = np.flatnonzero((drawn.pairs.ends[part.edges] == cell).any(axis=1)).tolist()
        return EdgeChances([int(numbers[part.edges[edge]]) for edge in edges], [counter.uses[edge] for edge in edges])

    def _flips(self, pairs: Pairs, mate: Mate, is_white: NDArray[np.bool_]) -> Generator[None, None, list[Flips]]:
        """The flips of the connected parts, after the edges in no matching are left out."""
        pairs = pairs.kept(allowed(pairs, mate, is_white, self._check_stop))
        parts = []
        for drawn in EmbeddedGraph.of(self._cover, pairs).parts(self._check_stop):
            for made in Flips.of(drawn, pairs, mate, is_white):
                if made is None:
                    yield
                else:
                    parts.append(made)
            yield
        return parts


def allowed(pairs: Pairs, mate: Mate, is_white: NDArray[np.bool_], check_stop: StopCheck) -> NDArray[np.bool_]:
    """Marks, shape (edges,), of the edges that are in some perfect matching: the edges of one matching, and the edges on circles
    of which every second edge is in it.

    Such a circle is one of the graph in which a black cell leads to the cells matched with its white neighbours; strongly
    connected components tell (Tarjan 1972).
    """
    black, white = black_and_white(pairs.ends, is_white)
    to = mate[white].astype(np.int64)
    after: list[list[int]] = [[] for _ in range(pairs.cells)]
    for here, there in zip(black.tolist(), to.tolist(), strict=True):
        after[here].append(there)
    component = np.array(_components(after, check_stop))
    return np.asarray((to == black) | (component[black] == component[to]))


def _components(after: list[list[int]], check_stop: StopCheck) -> list[int]:
    """For each vertex, the number of its strongly connected component."""
    found, component = [0] * len(after), [-1] * len(after)
    count, stack, low = 0, [], [0] * len(after)
    for root in range(len(after)):
        if found[root]:
            continue
        path = [(root, iter(after[root]))]
        count += 1
        found[root] = low[root] = count
        stack.append(root)
        steps = 0
        while path:
            if steps % 1024 == 0:
                check_stop()
            steps += 1
            vertex, rest = path[-1]
            for other in rest:
                if not found[other]:
                    count += 1
                    found[other] = low[other] = count
                    stack.append(other)
                    path.append((other, iter(after[other])))
                    break
                if component[other] < 0:
                    low[vertex] = min(low[vertex], found[other])
            else:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[vertex])
                if low[vertex] == found[vertex]:
                    while component[vertex] < 0:
                        component[stack.pop()] = vertex
    return component
