"""Compute modulo primes below 2^31: the primes, whole numbers from their remainders, and the adjugate of an antisymmetric matrix,
which is its Pfaffian times its inverse, or the limit of this where there is no inverse."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray


def adjugate(matrix: NDArray[np.int64], prime: int) -> NDArray[np.int64]:
    """Return the adjugate of a matrix of even size, with entries between 0 and a prime below 2^31.

    Entry [j, i] is the derivative of the Pfaffian by entry [i, j].

    >>> adjugate(np.array([[0, 0], [0, 0]]), 7).tolist()
    [[0, 6], [1, 0]]

    Rows and columns are eliminated two at a time, with exchanges, until the matrix has blocks of two rows on its diagonal.
    """
    left, size = matrix.copy(), len(matrix)
    taken = np.eye(size, dtype=np.int64)  # The operations on the rows, as one matrix.
    blocks = [0] * (size // 2)
    sign = 1
    for first in range(0, size, 2):
        rows, columns = np.nonzero(left[first:, first:])
        if not len(rows):
            break
        for to, at in ((first, first + int(rows[0])), (first + 1, first + int(columns[0]))):
            if to != at:
                sign = -sign
                left[[to, at]] = left[[at, to]]
                left[:, [to, at]] = left[:, [at, to]]
                taken[[to, at]] = taken[[at, to]]
        blocks[first // 2] = block = int(left[first, first + 1])
        inverse = pow(block, -1, prime)
        one = left[first + 2 :, first + 1] * inverse % prime
        other = (prime - left[first + 2 :, first]) * inverse % prime
        for each in (left, taken):
            off = one[:, None] * each[first] % prime + other[:, None] * each[first + 1] % prime
            each[first + 2 :] = (each[first + 2 :] - off) % prime
    adjoint = np.zeros_like(matrix)
    for number in range(len(blocks)):
        times = sign
        for block in blocks[:number] + blocks[number + 1 :]:
            times = times * block % prime
        one, other = taken[2 * number] * (times % prime) % prime, taken[2 * number + 1]
        product = one[:, None] * other % prime
        adjoint = (adjoint + product.T - product) % prime
    return adjoint


_BITS = 30  # the least number of bits of each prime


def primes() -> Iterator[int]:
    """The primes below 2^31, the largest first.

    >>> from itertools import islice
    >>> list(islice(primes(), 3))
    [2147483647, 2147483629, 2147483587]
    """
    return (number for number in range((1 << 31) - 1, 1 << _BITS, -2) if _is_prime(number))


def primes_needed(bits: int) -> int:
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
