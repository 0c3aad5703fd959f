"""Search count vectors: how many copies of each tile a tiling could use, by area and bounds alone.

N is the set of all n with lower <= n <= upper and sum n_i size_i = area. A colouring refutes single members of N, and an
impossibility proof has to refute them all. N is never listed but searched as a knapsack, tile by tile. For each combination of
residues, the bits of one integer say which areas can be reached.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from tiler.cover.bounds import chunks

#: The most combinations of residues that are kept at a time.
MAX_RESIDUES = 20_000


@dataclass(frozen=True)
class Congruence:
    """The condition that a colouring puts on the counts: sum n_i values_i = total, modulo `modulus` or, if that is 0, exactly."""

    modulus: int
    values: tuple[int, ...]
    total: int


@dataclass(frozen=True)
class CountVectors:
    """The set N.

    >>> counts = CountVectors(10, (2, 3), (0, 0), (5, 3))
    >>> list(counts.some(9)), counts.find(), counts.find([Congruence(2, (0, 1), 1)])
    ([(5, 0), (2, 2)], (2, 2), None)
    """

    area: int
    sizes: tuple[int, ...]
    lower: tuple[int, ...]
    upper: tuple[int, ...]

    def find(self, congruences: Sequence[Congruence] = ()) -> tuple[int, ...] | None:
        """A member of N that all congruences allow, or None. OverflowError if that takes more than `MAX_RESIDUES`."""
        layers = self._layers(congruences)
        residues = tuple(c.total % c.modulus if c.modulus else c.total for c in congruences)
        if not layers[-1].get(residues, 0) >> self.area & 1:
            return None
        return self._trace(layers, residues, congruences)

    def some(self, most: int) -> Iterator[tuple[int, ...]]:
        """Members of N, at most `most`."""
        return islice(self._list(len(self.sizes) - 1, self.area, self._layers(())), most)

    def best(self, weights: Sequence[int]) -> int | None:
        """The greatest sum n_i weights_i over N, exactly; None if N is empty. Takes time proportional to the area."""
        area = self.area
        best: list[int | None] = [0, *[None] * area]
        for size, least, most, weight in zip(self.sizes, self.lower, self.upper, weights, strict=True):
            if least > most:
                return None
            shift = least * size
            before_shift: list[int | None] = [None] * min(shift, area + 1)
            best = before_shift + [b if b is None else b + least * weight for b in best[: max(0, area + 1 - shift)]]
            for chunk in chunks(min(most - least, area // size)):
                step, gain = chunk * size, chunk * weight
                for a in range(area, step - 1, -1):
                    before, after = best[a - step], best[a]
                    if before is not None and (after is None or before + gain > after):
                        best[a] = before + gain
        return best[area]

    def _layers(self, congruences: Sequence[Congruence]) -> list[dict[tuple[int, ...], int]]:
        """For each n the areas that the first n tiles can have together, as bits, for each combination of residues."""
        if any(least > most for least, most in zip(self.lower, self.upper, strict=True)):
            return [{}] * (1 + len(self.sizes))
        layers = [{(0,) * len(congruences): 1}]
        for t in range(len(self.sizes)):
            layers.append(self._add(layers[-1], t, congruences))
        return layers

    def _add(self, layer: dict[tuple[int, ...], int], t: int, congruences: Sequence[Congruence]) -> dict[tuple[int, ...], int]:
        """The areas reached with copies of one more tile, for each combination of residues."""
        size, window = self.sizes[t], (1 << (self.area + 1)) - 1
        steps = tuple(congruence.values[t] for congruence in congruences)

        def moved(layer: dict[tuple[int, ...], int], copies: int) -> dict[tuple[int, ...], int]:
            result: dict[tuple[int, ...], int] = {}
            for residues, areas in layer.items():
                shifted = (areas << (copies * size)) & window if copies * size <= self.area else 0
                if shifted:
                    to = _reduced([r + copies * step for r, step in zip(residues, steps, strict=True)], congruences)
                    result[to] = result.get(to, 0) | shifted
            return result

        layer = moved(layer, self.lower[t])
        for chunk in chunks(min(self.upper[t] - self.lower[t], self.area // size)):
            layer = dict(layer)
            for residues, areas in moved(layer, chunk).items():
                layer[residues] = layer.get(residues, 0) | areas
            if len(layer) > MAX_RESIDUES:
                raise OverflowError
        return layer

    def _trace(
        self, layers: list[dict[tuple[int, ...], int]], residues: tuple[int, ...], congruences: Sequence[Congruence]
    ) -> tuple[int, ...]:
        area, counts = self.area, []
        for t in range(len(self.sizes) - 1, -1, -1):
            steps = [congruence.values[t] for congruence in congruences]
            for n in range(self.upper[t], self.lower[t] - 1, -1):
                rest = area - n * self.sizes[t]
                before = _reduced([r - n * step for r, step in zip(residues, steps, strict=True)], congruences)
                if rest >= 0 and layers[t].get(before, 0) >> rest & 1:
                    break
            area, residues = rest, before
            counts.append(n)
        return tuple(reversed(counts))

    def _list(self, t: int, area: int, layers: list[dict[tuple[int, ...], int]]) -> Iterator[tuple[int, ...]]:
        if not layers[t + 1].get((), 0) >> area & 1:
            return
        if t < 0:
            yield ()
            return
        for n in range(self.lower[t], min(self.upper[t], area // self.sizes[t]) + 1):
            for head in self._list(t - 1, area - n * self.sizes[t], layers):
                yield (*head, n)


def _reduced(residues: list[int], congruences: Sequence[Congruence]) -> tuple[int, ...]:
    return tuple([r % c.modulus if c.modulus else r for r, c in zip(residues, congruences, strict=True)])
