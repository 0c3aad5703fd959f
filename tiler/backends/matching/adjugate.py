"""Compute the adjugate of an antisymmetric matrix modulo a prime: its Pfaffian times its inverse, or the limit of this where
there is no inverse."""

from __future__ import annotations

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
