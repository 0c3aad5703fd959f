"""Compute bounds on how often tiles can be used, from their sizes and the area alone; and which sums of sizes there are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Bounds:
    """Bounds for every tile, in arrays of shape (tiles,): how often it must be used, how often it can be used, and whether these
    bounds can bind; tiles whose bounds cannot bind need no counter.

    `asked` is the lower bound before it was raised because of the area; None if it is the same as `lower`.
    """

    lower: NDArray[np.int64]
    upper: NDArray[np.int64]
    bounded: NDArray[np.bool_]
    asked: NDArray[np.int64] | None = None

    @classmethod
    def of(
        cls, area: int, sizes: Sequence[int], at_least: Sequence[int], at_most: Sequence[int | None], fills: Sequence[int]
    ) -> Bounds:
        """Make bounds as tight as the area allows. `fills` has for each tile the largest number of copies for which the board has
        room.

        If the others, all used as often as they can, leave items over, a tile with a bound must fill them: so where the areas of
        limited tiles add up to the board's, every copy has to be used.
        """
        upper = [full if most is None else min(full, most) for most, full in zip(at_most, fills, strict=True)]
        limited = [most < full for most, full in zip(upper, fills, strict=True)]
        total = sum(most * size for most, size in zip(upper, sizes, strict=True))
        lower = []
        for least, most, size, is_limited in zip(at_least, upper, sizes, limited, strict=True):
            left_by_others = area - (total - most * size)
            lower.append(max(least, -(-left_by_others // size) if is_limited else 0))
        bounded = [least > 0 or is_limited for least, is_limited in zip(lower, limited, strict=True)]
        return cls(
            np.array(lower, np.int64), np.array(upper, np.int64), np.array(bounded, np.bool_), np.array(at_least, np.int64)
        )

    def with_filler(self, least: int, most: int) -> Bounds:
        """The bounds with one more tile, a filler."""
        return Bounds(
            np.append(self.lower, least),
            np.append(self.upper, most),
            np.append(self.bounded, False),
            None if self.asked is None else np.append(self.asked, 0),
        )


def is_reachable(area: int, sizes: Sequence[int], lower: Sequence[int], upper: Sequence[int]) -> bool:
    """Whether some numbers of copies within the bounds have this area."""
    if any(least > most for least, most in zip(lower, upper, strict=True)):
        return False
    rest = area - sum(least * size for least, size in zip(lower, sizes, strict=True))
    if rest < 0:
        return False
    more = [most - least for least, most in zip(lower, upper, strict=True)]
    return bool(subset_sums(sizes, more, rest) >> rest & 1)


def subset_sums(sizes: Sequence[int], copies: Sequence[int], most: int) -> int:
    """The sums up to `most` of at most `copies` copies of each size, as bits of one integer.

    >>> bin(subset_sums([3, 2], [1, 2], 8))
    '0b10111101'
    """
    window, sums = (1 << (most + 1)) - 1, 1
    for size, number in zip(sizes, copies, strict=True):
        for some in chunks(number):
            sums |= (sums << (some * size)) & window
    return sums


def chunks(copies: int) -> Iterator[int]:
    """Numbers such that the sums of some of them are exactly the numbers from 0 to `copies`."""
    step = 1
    while copies > 0:
        yield min(step, copies)
        copies, step = copies - step, 2 * step


def possible_sums(sizes: Sequence[int], copies: Sequence[int], most: int) -> NDArray[np.bool_]:
    """Marks, shape (most + 1,), of the numbers that are among the `subset_sums`."""
    bits = np.frombuffer(subset_sums(sizes, copies, most).to_bytes(most // 8 + 1, "little"), np.uint8)
    return np.unpackbits(bits, bitorder="little")[: most + 1].astype(np.bool_)
