"""Make the layers of the frontier on disk: records are sent to the positions they lead to, sorted there, and merged.

A record is a row of words: mask of the profile, key, ways (see kernel_layers.py). Before it is sorted it begins with the
position it belongs to. Sorted records of one profile lie together, so its placements and their verdicts are still found once.

A transition costs its part of a sort, some hundred nanoseconds.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tiler.backends.frontier.shared.kernel_profiles import (
    EDGES,
    FIT,
    POSITION,
    REST,
    SOURCE,
    SYMMETRY,
    TARGET,
    Judging,
    StateLists,
    WideProfiles,
    WideRules,
    add_words,
    can_be_completed,
    copy_words,
    count_copy,
    counter_of,
    equal,
    lay,
)
from tiler.backends.frontier.shared.kernel_symmetries import WordMaps, image_of
from tiler.kernels import kernel
from tiler.kernels.arrays import I64, U64_2, U64_3, Bool
from tiler.kernels.inner import copy_row, population

#: Places in `state`: records in `out`, where to go on in the edges and in a list, transitions so far.
FILL, EDGE_AT, ROW_AT, TRANSITIONS = range(STATE_SIZE := 4)
#: Places in the `state` of `merge`: records in `out`, the run that needs its next records.
MERGED_COUNT, MERGED_RUN = range(MERGE_STATE_SIZE := 2)
#: What `merge` returns: everything is merged, a run needs its next records, `out` is full.
MERGED, REFILL, OUT_FULL = range(3)


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


class SortedRuns(NamedTuple):
    """The next records of each sorted run."""

    blocks: U64_3  #: (runs, room, width)
    at: I64  #: (runs,): the place of its next record in the block
    ends: I64  #: (runs,): the end of its records in the block
    is_last: Bool  #: (runs,): whether the block has its last records


@kernel()
def unload(
    rules: WideRules, maps: WordMaps, profiles: WideProfiles, lists: StateLists, pushed: Pushed, position: int, beyond: int
) -> bool:
    """Follow the edges from profiles before `position` to profiles after `beyond`, and make records of the next states. Returns
    False when `out` is full: then call it again."""
    words = rules.key_words
    masks, links, edges, spans, rows = profiles.masks, profiles.links, profiles.edges, lists.spans, lists.rows
    out, state = pushed.out, pushed.state
    keys = out[:, 1 + masks.shape[1] :]
    while state[EDGE_AT] < profiles.state[EDGES]:
        edge = state[EDGE_AT]
        source, target = edges[edge, SOURCE], edges[edge, TARGET]
        if links[source, POSITION] < position and links[target, POSITION] > beyond:
            while state[ROW_AT] < spans[source, 1] - spans[source, 0]:
                if state[FILL] == out.shape[0]:
                    return False
                row = spans[source, 0] + state[ROW_AT]
                state[ROW_AT] += 1
                state[TRANSITIONS] += 1
                record = state[FILL]
                out[record] = 0
                if not count_copy(rules, counter_of(rules, edges[edge, FIT]), links[target, REST], rows, row, keys, record):
                    continue
                if edges[edge, SYMMETRY] >= 0:
                    keys[record, 0] = image_of(keys[record, 0], maps.keys, edges[edge, SYMMETRY])
                state[FILL] += 1
                out[record, 0] = np.uint64(links[target, POSITION])
                copy_row(masks[target], out[record, 1:])
                copy_words(rows, row, keys, record, words, rows.shape[1])
        state[EDGE_AT] += 1
        state[ROW_AT] = 0
    return True


@kernel()
def push(
    rules: WideRules, judging: Judging, fitting: Fitting, pushed: Pushed, records: U64_2, start: int, stop: int, position: int
) -> int:
    """Make records of the next states of sorted records from `start` to `stop`, all of one position. Returns where it stopped,
    before the end if `out` might not have room for the next states of one more record."""
    cells, words = rules.possible.size - 1, rules.key_words
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
                copy_words(taken, i, keys, record, words, taken.shape[1])
        i += 1
    return i


@kernel()
def combine(records: U64_2, order: I64, words: int, into: U64_2) -> int:
    """Copy records to `into` in an order. Neighbours in this order with equal first `words` words become one record, with the sum
    of their ways, which must fit its words. Returns the number of records in `into`."""
    count = 0
    for record in order:
        if count > 0 and equal(into, count - 1, records, record, words):
            add_words(into, count - 1, records, record, words)
        else:
            copy_row(records[record], into[count])
            count += 1
    return count


@kernel()
def merge(runs: SortedRuns, words: int, out: U64_2, state: I64) -> int:
    """Merge sorted runs; records equal in their first `words` words become one. `state`: records in `out`, the run to refill.
    Returns one of the codes above.

    The last record in `out` may still get more ways, unless everything is merged.
    """
    blocks, at, ends, is_last = runs.blocks, runs.at, runs.ends, runs.is_last
    count = state[MERGED_COUNT]
    while True:
        best = -1
        for run in range(at.size):
            if at[run] == ends[run]:
                if is_last[run]:
                    continue
                state[MERGED_COUNT], state[MERGED_RUN] = count, run
                return REFILL
            if best < 0:
                best = run
                continue
            for w in range(words):
                a, b = blocks[run, at[run], w], blocks[best, at[best], w]
                if a != b:
                    if a < b:
                        best = run
                    break
        if best < 0:
            state[MERGED_COUNT] = count
            return MERGED
        if count > 0 and equal(out, count - 1, blocks[best], at[best], words):
            add_words(out, count - 1, blocks[best], at[best], words)
        else:
            if count == out.shape[0]:
                state[MERGED_COUNT] = count
                return OUT_FULL
            copy_row(blocks[best, at[best]], out[count])
            count += 1
        at[best] += 1
