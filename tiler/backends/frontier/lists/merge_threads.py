"""Let further threads help the first one to merge lists of states: see `gather` in kernel_layers.py."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tiler.backends.frontier.lists import kernel_layers as kernel
from tiler.backends.frontier.lists.kernel_layers import Merging
from tiler.backends.frontier.shared.model import Words
from tiler.kernels import ready

_FEWEST_TRANSITIONS = 10_000  # the fewest transitions of a call for each thread


class Helper(NamedTuple):
    """Arrays of one thread."""

    merging: Merging
    rows: Words  #: the rows that the thread makes, before they are copied to the lists

    @property
    def bytes(self) -> int:
        return self.rows.nbytes + self.merging.slots.nbytes


def helpers(before: list[Helper], most: int, share: int, *, largest: int, transitions: int, width: int) -> list[Helper]:
    """As many helpers as `share` bytes suffice for, at most `most`. In a call, a helper merges up to `transitions` transitions
    into rows of `width` words. It can always merge `largest` transitions, the most of one profile, since a profile is merged
    at once. The helpers `before` are used again if their arrays will do; else these are freed first."""
    slots = 1 << (2 * largest + 7).bit_length()
    least = 8 * width * (max(largest, _FEWEST_TRANSITIONS) + 1) + 4 * slots
    number = max(0, min(most, share // least))
    rows = 1 + max(largest, min(transitions, (share // max(1, number) - 4 * slots) // (8 * width) - 1))
    if len(before) >= number and all(_will_do(each, rows, slots, largest, width) for each in before[:number]):
        return before[:number]
    before.clear()
    ready(kernel.gather, kernel.put)
    return [_new(rows, slots, width) for _ in range(number)]


def _new(rows: int, slots: int, width: int) -> Helper:
    merging = Merging(np.zeros(slots, np.int32), np.zeros(kernel.STATE_SIZE, np.int64))
    return Helper(merging, np.empty((rows, width), np.uint64))


def _will_do(helper: Helper, rows: int, slots: int, largest: int, width: int) -> bool:
    has_room = largest < len(helper.rows) and rows <= 2 * len(helper.rows) and slots <= len(helper.merging.slots)
    return has_room and helper.rows.shape[1] == width


def cuts(sums: NDArray[np.int64], done: int, threads: int, most: int) -> list[int]:
    """Share out profiles among threads, from the profile `done` on; `sums[i]` is the number of transitions into the first i
    profiles. Returns the first profile of each thread, and the end. Each thread has about equally many transitions, and at most
    `most` of them, or a single profile.

    >>> cuts(np.array([0, 5, 10, 15, 20, 50, 60]), 0, 2, 12)
    [0, 2, 4]
    >>> cuts(np.array([0, 5, 10, 15, 20, 50, 60]), 4, 3, 12)
    [4, 5, 6, 6]
    """
    each = min(most, -(-int(sums[-1] - sums[done]) // threads))
    found = [done]
    for _ in range(threads):
        after = int(np.searchsorted(sums, sums[found[-1]] + each, "right")) - 1
        found.append(min(len(sums) - 1, max(after, found[-1] + 1)))
    return found
