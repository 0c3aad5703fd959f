"""Make a tally from the layers of the frontier: each key of the full board is one choice of copies or open cells, with its number
of tilings.

The model has counters for that: a field of the key for every tile, if copies are told apart; a bit for every cell that may stay
open, if open cells are told apart. Apart from that it is a count, with more states.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from tiler.backends.frontier.lists.layers import Layers
from tiler.backends.frontier.shared import kernel_profiles as kernel
from tiler.cover.board import BoardCover
from tiler.question.question import Apart, Portion


def tally(layers: Layers, cover: BoardCover, apart: tuple[Apart, ...]) -> dict[Portion, int]:
    """The number of tilings of every portion that has tilings, when the last position is reached."""
    model = layers.model
    spans = layers.lists.spans[layers.at(model.cells)].tolist()  # The last position has one profile, or none.
    rows = np.array([row for start, stop in spans for row in range(start, stop)], np.int64)
    keys = layers.lists.rows[rows, : model.key_words]
    tiles = model.counters[: len(cover.tiles) - len(cover.fillers)]
    copies = np.zeros((len(rows), len(tiles) if Apart.COPIES in apart else 0), np.int64)
    for t in range(copies.shape[1]):
        word, shift, field = tiles[t, [kernel.WORD, kernel.SHIFT, kernel.FIELD]].tolist()
        if word >= 0:
            copies[:, t] = (keys[:, word] >> np.uint64(shift)) & np.uint64(field)
    cells, words, shifts = model.open_bits[np.argsort(model.open_bits[:, 0], kind="stable")].T
    is_open = (keys[:, words] >> shifts.astype(np.uint64)) & np.uint64(1) > 0
    least, most = _open_cells(cover)
    found: Counter[Portion] = Counter()
    for row, used, marks in zip(rows.tolist(), copies.tolist(), is_open, strict=True):
        opened = tuple(cells[marks].tolist())
        if Apart.OPEN not in apart or least <= len(opened) <= most:
            found[Portion(tuple(used), opened)] += layers.ways(row)
    return dict(sorted(found.items()))


def _open_cells(cover: BoardCover) -> tuple[int, int]:
    """The smallest and the largest number of cells that may stay open. That one cell of each group stays open is in the
    states."""
    cells = cover.areas[list(cover.fillers)]
    return int(cells @ cover.lower[list(cover.fillers)]), int(cells @ cover.upper[list(cover.fillers)])
