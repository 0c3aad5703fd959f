"""How many tilings use each placement: ways to reach a state, times ways to go on, summed up over the layers.

Products of the two would be long, so they are summed up modulo primes, and put together by the Chinese remainder theorem: no sum
is greater than the number of tilings, which the layers know.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from math import prod

import numpy as np

from tiler.backends.frontier import kernel_walk as kernel
from tiler.backends.frontier.layers import Layers
from tiler.kernels import Ratchet, patience

_TRANSITIONS = 300_000
_ROWS = 100_000
_OPTIONS = 1000


class Uses:
    """`run` works through complete layers, all kept; then `by_option` tells."""

    def __init__(self, layers: Layers) -> None:
        self._layers = layers
        self.total = layers.total()
        self._found: dict[int, int] = {}

    @property
    def bytes(self) -> int:
        """What `run` takes."""
        return 16 * self._layers.states * _primes_needed(self.total)

    def run(self) -> Iterator[float]:
        """From the last position to the first, pausing many times a second; yields the fraction done."""
        layers, model = self._layers, self._layers.model
        numbers: list[int] = []
        for prime in islice(_primes(), _primes_needed(self.total)):
            numbers.append(prime)
            yield 0.0
        primes = np.array(numbers, np.uint64)
        uses = np.zeros((len(model.fit_option), len(primes)), np.uint64)
        forth, back = (np.zeros((layers.states, len(primes)), np.uint64) for _ in range(2))
        rows = patience.share(_ROWS)
        for start in range(0, layers.states, rows):
            kernel.reduce_ways(layers.rows, model.key_words, start, min(start + rows, layers.states), primes, forth)
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
                        *(
                            here,
                            done,
                            patience.share(_TRANSITIONS),
                            model.fit_tile,
                            model.counters,
                            model.owing,
                            layers.links,
                            layers.edges,
                        ),
                        *(layers.spans, layers.rows, model.key_words, layers.slots, primes),
                        *(forth, back, uses, key),
                    )
                )
                ratchet.turn(done)
                yield 1 - position / model.cells
        product = prod(numbers)
        weights = [product // p * pow(product // p, -1, p) for p in numbers]
        for start in range(0, len(uses), _OPTIONS):
            yield 1.0
            some = slice(start, start + _OPTIONS)
            for option, residues in zip(model.fit_option[some].tolist(), uses[some].tolist(), strict=True):
                sum_ = sum(residue * weight for residue, weight in zip(residues, weights, strict=True)) % product
                if sum_:
                    self._found[option] = sum_

    def by_option(self) -> dict[int, int]:
        """The number of tilings that use each option of the cover; options in none are left out."""
        return dict(sorted(self._found.items()))


def _primes_needed(bound: int) -> int:
    """How many of the greatest primes below 2**31, each greater than 2**30, have a product that exceeds a bound.

    >>> _primes_needed(10), _primes_needed(10**30)
    (1, 4)
    """
    return bound.bit_length() // 30 + 1


def _primes() -> Iterator[int]:
    """The primes below 2**31, the greatest first.

    >>> list(islice(_primes(), 3))
    [2147483647, 2147483629, 2147483587]
    """
    return (number for number in range((1 << 31) - 1, 1 << 30, -2) if _is_prime(number))


def _is_prime(number: int) -> bool:
    """Whether an odd number from 9 to 3 * 10**9 is prime.

    Four bases tell (Jaeschke, On strong pseudoprimes to several bases, 1993).
    """
    twos = (number - 1 & 1 - number).bit_length() - 1
    for base in (2, 3, 5, 7):
        power = pow(base, number >> twos, number)
        if power not in (1, number - 1) and not any((power := power * power % number) == number - 1 for _ in range(twos - 1)):
            return False
    return True
