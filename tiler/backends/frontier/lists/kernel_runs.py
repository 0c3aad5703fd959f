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
    lay,
    owed,
    take,
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
    key: U64_2  #: (1, key words): scratch
    state: I64  #: by names

    @classmethod
    def new(cls, room: int, width: int, key_words: int) -> Pushed:
        """No record yet, with room for `room` records of a position and `width` words."""
        return cls(np.zeros((room, width + 1), np.uint64), np.zeros((1, key_words), np.uint64), np.zeros(STATE_SIZE, np.int64))


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
    fit_tile, counters, owing, words = rules.fit_tile, rules.counters, rules.owing, rules.key_words
    masks, links, edges, spans, rows = profiles.masks, profiles.links, profiles.edges, lists.spans, lists.rows
    out, key, state = pushed.out, pushed.key, pushed.state
    mask_words = masks.shape[1]
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
                for w in range(words):
                    key[0, w] = rows[row, w]
                if not take(counters, fit_tile[edges[edge, FIT]], key, 0):
                    continue
                if edges[edge, SYMMETRY] >= 0:
                    key[0, 0] = image_of(key[0, 0], maps.keys, edges[edge, SYMMETRY])
                if owing.size and owed(counters, owing, key, 0) > links[target, REST]:
                    continue
                record = state[FILL]
                state[FILL] += 1
                out[record] = 0
                out[record, 0] = np.uint64(links[target, POSITION])
                for w in range(mask_words):
                    out[record, 1 + w] = masks[target, w]
                for w in range(words):
                    out[record, 1 + mask_words + w] = key[0, w]
                for w in range(words, rows.shape[1]):
                    out[record, 1 + mask_words + w] = rows[row, w]
        state[EDGE_AT] += 1
        state[ROW_AT] = 0
    return True


@kernel()
def push(
    rules: WideRules, judging: Judging, fitting: Fitting, pushed: Pushed, records: U64_2, start: int, stop: int, position: int
) -> int:
    """Make records of the next states of sorted records from `start` to `stop`, all of one position. Returns where it stopped,
    before the end if `out` might not have room for the next states of one more record."""
    fit_masks, fit_tile, counters, owing = rules.fit_masks, rules.fit_tile, rules.counters, rules.owing
    cells, words = rules.possible.size - 1, rules.key_words
    mask, laid, places, rests, fresh = fitting.mask, fitting.laid, fitting.places, fitting.rests, judging.fresh
    out, key, state = pushed.out, pushed.key, pushed.state
    mask_words, width = mask.shape[1], records.shape[1]
    count = -1
    i = start
    while i < stop:
        same = count >= 0
        for w in range(mask_words):
            same = same and mask[0, w] == records[i, w]
        if not same:
            for w in range(mask_words):
                mask[0, w] = records[i, w]
            count = 0
            for fit in range(rules.fit_starts[position], rules.fit_starts[position + 1]):
                to = lay(position, mask, 0, fit_masks, fit, fresh)
                if to < 0:
                    continue
                rest = cells - to
                for w in range(mask_words):
                    rest -= population(fresh[w])
                if can_be_completed(rules, judging, to, rest):
                    laid[count] = fit
                    rests[count] = rest
                    places[count, 0] = np.uint64(to)
                    for w in range(mask_words):
                        places[count, 1 + w] = fresh[w]
                    count += 1
        if state[FILL] + count > out.shape[0]:
            return i
        for f in range(count):
            state[TRANSITIONS] += 1
            for w in range(words):
                key[0, w] = records[i, mask_words + w]
            if not take(counters, fit_tile[laid[f]], key, 0):
                continue
            if owing.size and owed(counters, owing, key, 0) > rests[f]:
                continue
            record = state[FILL]
            state[FILL] += 1
            for w in range(mask_words + 1):
                out[record, w] = places[f, w]
            for w in range(words):
                out[record, 1 + mask_words + w] = key[0, w]
            for w in range(mask_words + words, width):
                out[record, 1 + w] = records[i, w]
        i += 1
    return i


@kernel()
def combine(records: U64_2, order: I64, words: int, into: U64_2) -> int:
    """Copy records to `into` in an order. Neighbours in this order with equal first `words` words become one record, with the sum
    of their ways, which must fit its words. Returns the number of records in `into`."""
    count = 0
    for record in order:
        same = count > 0
        for w in range(words):
            same = same and into[count - 1, w] == records[record, w]
        if same:
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
        same = count > 0
        for w in range(words):
            same = same and out[count - 1, w] == blocks[best, at[best], w]
        if same:
            add_words(out, count - 1, blocks[best], at[best], words)
        else:
            if count == out.shape[0]:
                state[MERGED_COUNT] = count
                return OUT_FULL
            copy_row(blocks[best, at[best]], out[count])
            count += 1
        at[best] += 1
