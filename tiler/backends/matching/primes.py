"""Give primes below 2^31, and put whole numbers together from their remainders modulo several primes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

_BITS = 30  # the least number of bits of each prime


def primes() -> Iterator[int]:
    """The primes below 2^31, the largest first.

    >>> from itertools import islice
    >>> list(islice(primes(), 3))
    [2147483647, 2147483629, 2147483587]
    """
    return (number for number in range((1 << 31) - 1, 1 << _BITS, -2) if _is_prime(number))


def enough(bits: int) -> int:
    """How many of these primes are needed so that their product has more than `bits` bits."""
    return bits // _BITS + 1


def _is_prime(number: int) -> bool:
    """Whether a number is prime, by Miller's test. With these bases it is right for all numbers below 4,759,123,141 (Jaeschke
    1993)."""
    if any(number % small == 0 for small in (3, 5, 7, 11, 13, 17, 19, 23)):
        return False
    odd, twos = number - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for base in (2, 7, 61):
        power = pow(base, odd, number)
        if power in (1, number - 1):
            continue
        for _ in range(twos - 1):
            power = power * power % number
            if power == number - 1:
                break
        else:
            return False
    return True


class Remainders:
    """Finds numbers below the product of some primes from their remainders modulo each prime (the Chinese remainder theorem).

    >>> Remainders([101, 103]).number([1000 % 101, 1000 % 103])
    1000
    """

    def __init__(self, moduli: Sequence[int]) -> None:
        self._product = 1
        for modulus in moduli:
            self._product *= modulus
        self._parts = [
            (rest := self._product // modulus) * pow(rest % modulus, -1, modulus) % self._product for modulus in moduli
        ]

    def number(self, left: Sequence[int]) -> int:
        return sum(part * rest for part, rest in zip(self._parts, left, strict=True)) % self._product
