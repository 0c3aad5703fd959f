"""Find the next states of some states of a layer: for forecasts (forecast.py).

A record is a row of words: mask of the profile, key (see kernel_layers.py). Before it is sorted it begins with the position it
belongs to. Sorted records of one profile lie together, so its placements and their verdicts are found once.

A transition costs its part of a sort, some hundred nanoseconds.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tiler.backends.frontier.shared.kernel_profiles import (
    Judging,
    WideRules,
    can_be_completed,
    copy_words,
    count_copy,
    counter_of,
    equal,
    lay,
)
from tiler.kernels import kernel
from tiler.kernels.arrays import I64, U64_2
from tiler.kernels.inner import copy_row, population

#: Places in `state`: records in `out`, transitions so far.
FILL, TRANSITIONS = range(STATE_SIZE := 2)


class Pushed(NamedTuple):
    """Records to be sorted. The first `state[FILL]` rows of `out` are made."""

    out: U64_2  #: (room, 1 + width)
    state: I64  #: by names

    @classmethod
    def new(cls, room: int, width: int) -> Pushed:
        """No record yet, with room for `room` records of a position and `width` words."""
        return cls(np.zeros((room, width + 1), np.uint64), np.zeros(STATE_SIZE, np.int64))


class Fitting(NamedTuple):
    """Working arrays: the fits of a profile that lead to profiles that can be completed."""

    mask: U64_2  #: (1, mask words): the profile
    laid: I64  #: (most,): the fits
    places: U64_2  #: (most, 1 + mask words): where each leads to, the position and the mask
    rests: I64  #: (most,): the open cells there

    @classmethod
    def new(cls, most: int, mask_words: int) -> Fitting:
        """Arrays with room for `most` fits."""
        places = np.zeros((most, mask_words + 1), np.uint64)
        return cls(np.zeros((1, mask_words), np.uint64), np.zeros(most, np.int64), places, np.zeros(most, np.int64))


@kernel()
def push(
    rules: WideRules, judging: Judging, fitting: Fitting, pushed: Pushed, records: U64_2, start: int, stop: int, position: int
) -> int:
    """Make records of the next states of sorted records from `start` to `stop`, all of one position. Returns where it stopped,
    before the end if `out` might not have room for the next states of one more record."""
    cells = rules.possible.size - 1
    mask, laid, places, rests, fresh = fitting.mask, fitting.laid, fitting.places, fitting.rests, judging.fresh
    out, state, mask_words = pushed.out, pushed.state, mask.shape[1]
    keys, taken = out[:, 1 + mask_words :], records[:, mask_words:]
    count = -1
    i = start
    while i < stop:
        if count < 0 or not equal(mask, 0, records, i, mask_words):
            copy_words(records, i, mask, 0, 0, mask_words)
            count = 0
            for fit in range(rules.fit_starts[position], rules.fit_starts[position + 1]):
                to = lay(position, mask, 0, rules.fit_masks, fit, fresh)
                if to < 0:
                    continue
                rest = cells - to
                for w in range(mask_words):
                    rest -= population(fresh[w])
                if can_be_completed(rules, judging, to, rest):
                    laid[count] = fit
                    rests[count] = rest
                    places[count, 0] = np.uint64(to)
                    copy_row(fresh, places[count, 1:])
                    count += 1
        if state[FILL] + count > out.shape[0]:
            return i
        for f in range(count):
            state[TRANSITIONS] += 1
            record = state[FILL]
            if count_copy(rules, counter_of(rules, laid[f]), rests[f], taken, i, keys, record):
                state[FILL] += 1
                copy_row(places[f], out[record])
        i += 1
    return i
