"""Count the perfect matchings of a drawn graph, and those with each edge, by Kasteleyn's method, in whole numbers.

An edge is given the sign of its orientation (faces.py), times the number of placements on it. The Pfaffian of the antisymmetric
matrix of these numbers is, up to its sign, the number of perfect matchings. For a bipartite graph it is the determinant of the
part with a row for every black and a column for every white cell. On a torus four orientations are needed. Relative to one
matching, each orientation counts every other matching with a sign that depends on how it goes round. Half of the sum of three of
these numbers less the fourth counts every matching once.

Rows and columns are paired by some matching, and pairs are eliminated in an order of nested dissection. Up to signs, the minors
on the way are numbers of matchings of a part of the graph without some pairs. Each such part has at least one matching, so no
pivot is 0 unless the prime divides it; then another prime is taken. On a torus this holds as long as the eliminated part does
not go round the torus. So the pairs on two circles that cut the torus open come last, and there rows are exchanged.

The number of matchings with an edge is the derivative of the number of all matchings by the edge's weight. The derivative of a
determinant is an entry of the adjugate, which also exists where the matrix has no inverse; on a torus one of the four matrices
often has none. A small matrix is left of the last rows. Its adjugate (modular_arithmetic.py) is, up to a factor, the last part
of the adjugate of the whole matrix, and the other parts follow from it as for an inverse.

Sources: Kasteleyn, The statistics of dimers on a lattice, 1961; Tesler, Matchings in graphs on non-orientable surfaces, 2000;
Cimasoni and Reshetikhin, Dimers on surface graphs and spin structures, 2007, for the signs on a torus.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from tiler import portable
from tiler.backends.matching import dissection, modular_arithmetic
from tiler.backends.matching import kernel_pivots as kernel
from tiler.backends.matching.faces import EmbeddedComponent, SpanningTrees, kasteleyn_orientation
from tiler.backends.matching.graph import Mate, black_and_white, colours
from tiler.backends.matching.kernel_pivots import PRODUCT, ROW, SINGULAR, Dense, Pattern, Values
from tiler.backends.matching.modular_arithmetic import Remainders, primes, primes_needed
from tiler.errors import BackendError
from tiler.kernels import EXHAUSTED, TerminationCheck, python_time
from tiler.process.cancellation import StopCheck, with_stop_checks

_BUDGET = 5_000_000  # additions between two looks at the clock; each takes some nanoseconds


@dataclass(frozen=True, eq=False)
class KasteleynSystem:
    """The matrices of a drawn graph, one for each orientation, and the order in which their rows are eliminated."""

    drawn: EmbeddedComponent
    is_bipartite: bool
    pattern: Pattern
    transposed: NDArray[np.int64]  #: for each entry beyond the diagonal, the number of its mirror image before it
    left: int  #: the number of rows that are eliminated last
    entries: tuple[NDArray[np.int64], ...]  #: of each matrix, as `Pattern.own`
    signs: tuple[int, ...]  #: of each matrix's sum in the total; with four matrices the number is half of it
    places: NDArray[np.int64]  #: shape (edges, 2): row and column of each edge
    bits: int  #: the number of matchings has at most this many bits

    @classmethod
    def of(cls, drawn: EmbeddedComponent, times: NDArray[np.int64], mate: list[int], check_stop: StopCheck) -> KasteleynSystem:
        """`times` says how many placements each edge is, `mate` with what each vertex is matched in some perfect matching."""
        trees = SpanningTrees.of(drawn, check_stop)
        ends = np.array(drawn.ends, np.int64).reshape(-1, 2)
        is_white = colours(len(drawn.cells), ends)
        pairs = [(a, b) for a, b in enumerate(mate) if (a < b if is_white is None else not is_white[a])]
        pair_of = [0] * len(mate)
        for number, pair in enumerate(pairs):
            for vertex in pair:
                pair_of[vertex] = number
        circles = [trees.circle(drawn, edge) for edge in trees.rest]
        last = {pair_of[drawn.tail(dart)] for circle in circles for dart in circle}
        points = drawn.points[[a for a, _ in pairs]]
        around = [
            sorted({pair_of[drawn.tail(dart ^ 1)] for vertex in pair for dart in drawn.around[vertex]} - {number})
            for number, pair in enumerate(with_stop_checks(pairs, check_stop))
        ]
        ordered = dissection.elimination_order(points, around, last, check_stop)
        rows = dissection.fill_in(ordered, around, check_stop)
        size = 2 if is_white is None else 1
        wide = _widened(rows, size, check_stop)
        row_of, column_of = _numbered([pairs[number] for number in ordered], size)
        if is_white is None:
            ones = np.ones(len(ends), np.int64)
            sides = [(ends[:, 0], ends[:, 1], ones), (ends[:, 1], ends[:, 0], -ones)]
        else:
            sides = [(*black_and_white(ends, is_white), 1 - 2 * is_white[ends[:, 0]])]
        at = np.concatenate([row_of[one] for one, _, _ in sides])
        to = np.concatenate([column_of[other] for _, other, _ in sides])
        by_row = np.lexsort((to, at))
        own_starts = portable.starts_of(portable.bincount(at, minlength=len(wide)))
        pattern, transposed = _pattern(wide, own_starts, to[by_row].astype(np.int32), check_stop)
        entries, signs = [], []
        for number in range(len(trees.rest) + 1):
            for turned in combinations(trees.rest, number):
                against = kasteleyn_orientation(drawn, trees, set(turned), check_stop)
                sign = (1 - 2 * np.array(against, np.int64)) * times
                values = np.concatenate([sign * side for _, _, side in sides])[by_row]
                entries.append(values)
                # The sums are relative to the matching: as if all its edges had the sign 1.
                signs.append((-1) ** _is_odd(drawn, against, mate, circles))
        edge_places = np.stack([row_of[sides[0][0]], column_of[sides[0][1]]], axis=1)
        return cls(
            drawn,
            is_white is not None,
            pattern,
            transposed,
            size * len(last),
            tuple(entries),
            tuple(signs),
            edge_places,
            _bits(drawn, times),
        )

    @property
    def rows(self) -> int:
        return len(self.pattern.starts) - 1


def _is_odd(drawn: EmbeddedComponent, against: list[int], mate: list[int], circles: list[list[int]]) -> bool:
    """Whether this is the orientation whose number is subtracted: in it, matchings that go round the torus in any way count
    negatively."""
    return len(circles) == 2 and all(_turns(drawn, against, mate, circle) for circle in circles)


def _turns(drawn: EmbeddedComponent, against: list[int], mate: list[int], circle: list[int]) -> bool:
    """The quadratic form of a circle: the number of its darts against the orientation, plus the number of its vertices that are
    matched to its left, plus 1."""
    number = 1 + sum((against[dart >> 1] + dart) & 1 for dart in circle)
    for before, dart in zip([circle[-1], *circle[:-1]], circle, strict=True):
        vertex = drawn.tail(dart)
        darts = drawn.around[vertex]
        begin = darts.index(dart)
        for step in range(1, len(darts)):
            other = darts[(begin + step) % len(darts)]
            if other == before ^ 1:
                break
            number += drawn.tail(other ^ 1) == mate[vertex]
    return number % 2 == 1


def _widened(rows: list[list[int]], size: int, check_stop: StopCheck) -> list[list[int]]:
    """The pattern in which each row and column is replaced by `by` rows and columns."""
    if size == 1:
        return rows
    wide = []
    for number, row in enumerate(with_stop_checks(rows, check_stop)):
        later = [2 * other + side for other in row for side in range(2)]
        wide += [[2 * number + 1, *later], later]
    return wide


def _numbered(pairs: list[tuple[int, int]], size: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The row and the column of each vertex, -1 for none. Matched vertices meet on the diagonal."""
    rows, columns = np.full((2, 2 * len(pairs)), -1, np.int64)
    for number, (one, other) in enumerate(pairs):
        rows[one], columns[other] = size * number, size * number
        if size == 2:
            rows[other], columns[one] = 2 * number + 1, 2 * number + 1
    return rows, columns


def _pattern(
    rows: list[list[int]], own_starts: NDArray[np.int64], own: NDArray[np.int32], check_stop: StopCheck
) -> tuple[Pattern, NDArray[np.int64]]:
    starts = portable.starts_of([len(row) for row in rows])
    columns = np.array([column for row in with_stop_checks(rows, check_stop) for column in row], np.int32)
    here = portable.repeat(portable.arange(len(rows)), np.diff(starts))
    by_column = np.argsort(columns, kind="stable")
    before_starts = portable.starts_of(portable.bincount(columns, minlength=len(rows)))
    transposed = np.empty(len(columns), np.int64)
    transposed[by_column] = portable.arange(len(columns))
    return Pattern(starts, columns, before_starts, here[by_column].astype(np.int32), own_starts, own), transposed


def _bits(drawn: EmbeddedComponent, times: NDArray[np.int64]) -> int:
    """A number of bits that holds the number of matchings (Alon and Friedland 2008: it is at most the product of d!^(1/2d) over
    the vertices, where d is the degree). It is rounded up by more than the errors of floats."""
    nats = sum(math.lgamma(len(darts) + 1) / (2 * len(darts)) for darts in drawn.around)
    return int((nats + len(drawn.cells) / 2 * math.log(int(times.max()))) / math.log(2)) + 2


class MatchingCounter:
    """Counts the matchings of one system, prime by prime. If wanted, `uses` gets the number of matchings with each edge."""

    def __init__(self, system: KasteleynSystem, *, with_uses: bool) -> None:
        self._system, self._with_uses = system, with_uses
        self._values = Values.new(system.pattern, system.left, inverse=with_uses)
        self._termination = TerminationCheck("the elimination")
        self.nodes = 0
        self.count = 0
        self.uses: list[int] = []
        self.primes = 0

    @classmethod
    def of(
        cls, drawn: EmbeddedComponent, times: NDArray[np.int64], mate: Mate, check_stop: StopCheck, *, with_uses: bool
    ) -> MatchingCounter:
        """Prepare to count a part of a graph, from the `times` of all edges of the graph and a matching of all its cells."""
        inner = np.searchsorted(drawn.cells, mate[drawn.cells]).tolist()
        return cls(KasteleynSystem.of(drawn, times[drawn.edges], inner, check_stop), with_uses=with_uses)

    def run(self) -> Iterator[float]:
        """Count, with pauses at which it yields how much of the work is done."""
        wanted = primes_needed(self._system.bits)
        moduli: list[int] = []
        counts: list[int] = []
        uses: list[NDArray[np.int64]] = []
        for prime in primes():
            if len(moduli) == wanted:
                break
            total, with_edge = 0, np.zeros(len(self._system.places), np.int64)
            for number, sign in enumerate(self._system.signs):
                for share in self._eliminated(number, prime):
                    yield (len(moduli) + share) / wanted
                if self._is_singular:
                    break
                for _ in self._eliminated_last(prime):
                    yield len(moduli) / wanted
                factor = sign * self._product(number, prime) % prime
                total += factor * int(self._dense.progress[PRODUCT])
                if self._with_uses:
                    for _ in self._inverted(prime):
                        yield len(moduli) / wanted
                    with_edge = (with_edge + factor * self._derivatives(prime)) % prime
            if self._is_singular:
                continue
            half = pow(2, -1, prime) if len(self._system.signs) > 1 else 1
            moduli.append(prime)
            counts.append(total * half % prime)
            uses.append(with_edge * half % prime)
        self.primes = len(moduli)
        remainders = Remainders(moduli)
        self.count = remainders.number(counts)
        if self.count.bit_length() > self._system.bits:
            raise BackendError("the number of matchings is larger than it can be: please report it")
        for left in np.array(uses).T.tolist() if self._with_uses else ():
            self.uses.append(remainders.number(left))
            yield 1.0

    def _eliminated(self, number: int, prime: int) -> Iterator[float]:
        values, rows = self._values, max(1, self._system.rows)
        values.own[:] = self._system.entries[number] % prime
        values.sums[:] = 0  # The inverse leaves values there, which must be 0 again.
        values.counters[ROW] = 0
        self._is_singular = False
        while True:
            before = int(values.counters[ROW])
            code = kernel.eliminate(self._system.pattern, values, prime, python_time.share(_BUDGET))
            self.nodes += int(values.counters[ROW]) - before
            if code in (EXHAUSTED, SINGULAR):
                self._is_singular = code == SINGULAR
                yield 1.0
                return
            self._termination.advance(self.nodes)
            yield int(values.counters[ROW]) / rows

    def _eliminated_last(self, prime: int) -> Iterator[None]:
        """Eliminate what is left of the last rows, which gives its Pfaffian."""
        self._dense = Dense.of(self._antisymmetric(prime) if self._system.left else np.zeros((0, 0), np.int64))
        while kernel.pfaffian(self._dense, prime, python_time.share(_BUDGET)) != EXHAUSTED:
            yield

    def _product(self, number: int, prime: int) -> int:
        """The product of the pivots before the last rows, relative to the matching on the diagonal.

        This product, times the Pfaffian of what is left of the last rows, is the Pfaffian of the whole matrix.
        """
        system = self._system
        size = 1 if system.is_bipartite else 2
        product = 1
        for pivot in self._values.pivots[: system.rows - system.left : size].tolist():
            product = product * pivot % prime
        diagonal = system.entries[number][_diagonal(system.pattern)][::size]
        for entry in diagonal.tolist():
            product = product * (1 if entry > 0 else -1)
        return product % prime

    def _antisymmetric(self, prime: int) -> NDArray[np.int64]:
        """The last rows after the elimination of all others, as a part of the antisymmetric matrix."""
        left = self._values.left
        if not self._system.is_bipartite:
            return np.ascontiguousarray(left.reshape(len(left), -1, 2)[:, :, ::-1].reshape(len(left), -1))
        matrix = np.zeros((2 * len(left), 2 * len(left)), np.int64)
        matrix[::2, 1::2] = left
        matrix[1::2, ::2] = -left.T % prime
        return matrix

    def _inverted(self, prime: int) -> Iterator[None]:
        """Compute the inverse, times the Pfaffian of what is left of the last rows."""
        system, values, counters = self._system, self._values, self._values.counters
        times = int(self._dense.progress[PRODUCT])
        if system.left:
            self._invert_last(prime)
        counters[ROW] = system.rows - system.left
        while kernel.invert(system.pattern, values, system.transposed, times, prime, python_time.share(_BUDGET)) != EXHAUSTED:
            yield
        self.nodes += system.rows

    def _invert_last(self, prime: int) -> None:
        """Compute the last rows of the inverse, times the same Pfaffian."""
        system, values, pattern = self._system, self._values, self._system.pattern
        inverse = modular_arithmetic.adjugate(self._antisymmetric(prime), prime)
        if system.is_bipartite:
            inverse = inverse[1::2, ::2]
        else:
            inverse = inverse.reshape(len(inverse) // 2, 2, -1)[:, ::-1].reshape(len(inverse), -1)
        first = system.rows - system.left
        values.middle[first:] = inverse.diagonal()
        begin = int(pattern.starts[first])
        rows = portable.repeat(portable.arange(system.left), np.diff(pattern.starts[first:]))
        columns = pattern.columns[begin:] - first
        values.beyond[begin:], values.below[begin:] = inverse[rows, columns], inverse[columns, rows]

    def _derivatives(self, prime: int) -> NDArray[np.int64]:
        """For each edge, the share of the Pfaffian that matchings with this edge contribute."""
        system, values, pattern = self._system, self._values, self._system.pattern
        rows, columns = system.places.T
        keys = portable.repeat(portable.arange(system.rows), np.diff(pattern.starts)) * system.rows + pattern.columns
        low, high = np.minimum(rows, columns), np.maximum(rows, columns)
        at = np.searchsorted(keys, low * system.rows + high)
        at = np.minimum(at, max(0, len(keys) - 1))
        # The entry [column, row] of the inverse.
        mirrored = values.middle[rows] if not len(keys) else np.where(columns < rows, values.beyond[at], values.below[at])
        inverse = np.where(rows == columns, values.middle[rows], mirrored)
        own = portable.repeat(portable.arange(system.rows), np.diff(pattern.own_starts)) * system.rows + pattern.own
        entry = values.own[np.searchsorted(own, rows * system.rows + columns)]
        return np.asarray(entry * inverse % prime)


def _diagonal(pattern: Pattern) -> NDArray[np.int64]:
    """The numbers of the entries on the diagonal among the matrix's own entries."""
    rows = portable.repeat(portable.arange(len(pattern.own_starts) - 1), np.diff(pattern.own_starts))
    return np.flatnonzero(rows == pattern.own)
