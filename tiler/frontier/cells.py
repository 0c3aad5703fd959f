"""How many tilings use each placement: ways to reach a state, times ways to go on, summed up over the layers.

Products of the two would be long, so they are summed up modulo primes, and put together by the Chinese remainder theorem: no sum
is greater than the number of tilings, which the layers know.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

import numpy as np

from tiler.frontier.layers import Layers
from tiler.kernels import Ratchet
from tiler.kernels import frontier_walk as kernel

_TRANSITIONS = 300_000
_ROWS = 1_000_000


class Uses:
    """`run` works through complete layers, all kept; then `by_option` tells."""

    def __init__(self, layers: Layers) -> None:
        self._layers = layers
        self.total = layers.total()
        self._primes = _primes_beyond(self.total)
        self._uses = np.zeros((len(layers.model.fit_option), len(self._primes)), np.uint64)

    @property
    def bytes(self) -> int:
        """What `run` takes."""
        return 16 * self._layers.states * len(self._primes)

    def run(self) -> Iterator[float]:
        """From the last position to the first, pausing many times a second; yields the fraction done."""
        layers, model = self._layers, self._layers.model
        primes = np.array(self._primes, np.uint64)
        forth, back = (np.zeros((layers.states, len(primes)), np.uint64) for _ in range(2))
        for start in range(0, layers.states, _ROWS):
            kernel.reduce_ways(layers.rows, model.key_words, start, min(start + _ROWS, layers.states), primes, forth)
            yield 0.0
        for profile in layers.at(model.cells):
            back[slice(*layers.spans[profile].tolist())] = 1
        key = np.zeros((1, model.key_words), np.uint64)
        for position in range(model.cells, 0, -1):
            here, done = layers.at(position), 0
            ratchet = Ratchet("the frontier's way back")
            while done < len(here):
                done = int(
                    kernel.credit(
                        *(here, done, _TRANSITIONS, model.fit_tile, model.counters, model.owing, layers.links, layers.edges),
                        *(layers.spans, layers.rows, model.key_words, layers.slots, primes),
                        *(forth, back, self._uses, key),
                    )
                )
                ratchet.turn(done)
                yield 1 - position / model.cells

    def by_option(self) -> dict[int, int]:
        """The number of tilings that use each option of the cover; options in none are left out."""
        product = prod(self._primes)
        weights = [product // p * pow(product // p, -1, p) for p in self._primes]
        options = self._layers.model.fit_option.tolist()
        found = {}
        for option, residues in zip(options, self._uses.tolist(), strict=True):
            uses = sum(residue * weight for residue, weight in zip(residues, weights, strict=True)) % product
            if uses:
                found[option] = uses
        return dict(sorted(found.items()))


def _primes_beyond(bound: int) -> list[int]:
    """The greatest primes below 2**31, as many as make their product exceed a bound.

    >>> _primes_beyond(10), len(_primes_beyond(10**30))
    ([2147483647], 4)
    """
    found: list[int] = []
    candidate = (1 << 31) - 1
    while prod(found) <= bound:
        if _is_prime(candidate):
            found.append(candidate)
        candidate -= 2
    return found


def _is_prime(number: int) -> bool:
    return all(number % divisor for divisor in range(3, int(number**0.5) + 1, 2))
