"""The layers of the frontier on disk: records are pushed on to the positions they lead to, sorted there, and merged.

A record is a row of words: mask of the profile, key, ways (see kernel_layers.py). Before it is sorted it begins with the
position it belongs to. Sorted records of one profile lie together, so its placements and their verdicts are still found once.

    out      uint64[.., 1 + width]       records to be sorted, `state[FILL]` of them so far
    mask     uint64[1, mask words]       scratch: a profile
    laid, places, targets, rests         scratch: the fits of a profile, where they lead to, the open cells there
    blocks   uint64[runs, .., width]     the next records of each sorted run, from `at` to `ends`; `is_last`: there are no more

A transition costs its part of a sort, some hundred nanoseconds.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tiler.backends.frontier.kernel_profiles import (
    FIT,
    POSITION,
    REST,
    SOURCE,
    SYMMETRY,
    TARGET,
    add_words,
    can_be_completed,
    lay,
    owed,
    take,
)
from tiler.backends.frontier.kernel_symmetries import image_of
from tiler.kernels import kernel
from tiler.kernels.bits import population

#: Places in `state`: records in `out`, where to go on in the edges and in a list, transitions so far.
FILL, EDGE_AT, ROW_AT, TRANSITIONS = range(STATE_SIZE := 4)
#: Places in the `state` of `merge`: records in `out`, the run that needs its next records.
MERGED_COUNT, MERGED_RUN = range(MERGE_STATE_SIZE := 2)
#: What `merge` returns: everything is merged, a run needs its next records, `out` is full.
MERGED, REFILL, OUT_FULL = range(3)

_COUNTERS = "int32[::1],int64[:,::1],int32[::1]"


@kernel(
    f"boolean({_COUNTERS},int64,int64,uint64[:,::1],int32[:,::1],int32[:,::1],int64,int64[:,::1],uint64[:,::1],int64,"
    "uint64[:,::1],uint64[:,:,::1],uint64[:,::1],int64[::1])"
)
def unload(
    fit_tile: NDArray[np.int32],
    counters: NDArray[np.int64],
    owing: NDArray[np.int32],
    position: int,
    beyond: int,
    masks: NDArray[np.uint64],
    links: NDArray[np.int32],
    edges: NDArray[np.int32],
    edge_count: int,
    spans: NDArray[np.int64],
    rows: NDArray[np.uint64],
    words: int,
    key: NDArray[np.uint64],
    key_images: NDArray[np.uint64],
    out: NDArray[np.uint64],
    state: NDArray[np.int64],
) -> bool:
    """Records for all that edges from before a position lead to, beyond another; False when `out` is full, to be called again."""
    mask_words = masks.shape[1]
    while state[EDGE_AT] < edge_count:
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
                    key[0, 0] = image_of(key[0, 0], key_images, edges[edge, SYMMETRY])
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


@kernel(
    f"int64(uint64[:,::1],int64,int64,int64,int64[::1],uint64[:,::1],{_COUNTERS},int64[::1],int32[::1],boolean[::1],int64[::1],"
    "int32[::1],uint64[::1],int64[::1],int64,uint64[:,::1],int64[::1],uint64[:,::1],int64[::1],uint64[:,::1],"
    "uint64[:,::1],int64[::1])"
)
def push(
    records: NDArray[np.uint64],
    start: int,
    stop: int,
    position: int,
    fit_starts: NDArray[np.int64],
    fit_masks: NDArray[np.uint64],
    fit_tile: NDArray[np.int32],
    counters: NDArray[np.int64],
    owing: NDArray[np.int32],
    around_starts: NDArray[np.int64],
    around: NDArray[np.int32],
    possible: NDArray[np.bool_],
    seen: NDArray[np.int64],
    queue: NDArray[np.int32],
    fresh: NDArray[np.uint64],
    work_state: NDArray[np.int64],
    words: int,
    mask: NDArray[np.uint64],
    laid: NDArray[np.int64],
    places: NDArray[np.uint64],
    rests: NDArray[np.int64],
    key: NDArray[np.uint64],
    out: NDArray[np.uint64],
    state: NDArray[np.int64],
) -> int:
    """Records of what the sorted ones from `start` to `stop` lead to; returns where it stopped, if `out` might not hold the next.

    `laid` has the fits of the profile in `mask`, `places` their masks after the position each leads to.
    """
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
            for fit in range(fit_starts[position], fit_starts[position + 1]):
                to = lay(position, mask, 0, fit_masks, fit, fresh)
                if to < 0:
                    continue
                rest = possible.size - 1 - to
                for w in range(mask_words):
                    rest -= population(fresh[w])
                if can_be_completed(to, rest, around_starts, around, possible, seen, queue, fresh, work_state):
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


@kernel("int64(uint64[:,::1],int64[::1],int64,uint64[:,::1])")
def combine(records: NDArray[np.uint64], order: NDArray[np.int64], words: int, into: NDArray[np.uint64]) -> int:
    """Copy records in an order, equal ones (in their first `words` words) as one; returns how many there are then. There must be
    words enough for the sums of ways."""
    count = 0
    for record in order:
        same = count > 0
        for w in range(words):
            same = same and into[count - 1, w] == records[record, w]
        if same:
            add_words(into, count - 1, records, record, words)
        else:
            into[count] = records[record]
            count += 1
    return count


@kernel("int64(uint64[:,:,::1],int64[::1],int64[::1],boolean[::1],int64,uint64[:,::1],int64[::1])")
def merge(
    blocks: NDArray[np.uint64],
    at: NDArray[np.int64],
    ends: NDArray[np.int64],
    is_last: NDArray[np.bool_],
    words: int,
    out: NDArray[np.uint64],
    state: NDArray[np.int64],
) -> int:
    """Merge sorted runs; records equal in their first `words` words become one. `state`: records in `out`, the run to refill.

    The last record in `out` may still grow, unless everything is merged.
    """
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
            out[count] = blocks[best, at[best]]
            count += 1
        at[best] += 1
