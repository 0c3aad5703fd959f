"""All tilings as one object: the states of the frontier that lead to a tiling, as a decision diagram (cover/diagram.py)."""

from __future__ import annotations

from collections.abc import Generator

import numpy as np
from numpy.typing import NDArray

from tiler.backends.frontier import kernel_whole as kernel
from tiler.backends.frontier.kernel_profiles import TARGET
from tiler.backends.frontier.layers import Layers
from tiler.backends.frontier.model import Model
from tiler.cover.diagram import Diagram
from tiler.kernels import Ratchet, patience

_STEPS = 300_000
_ARCS = 1 << 18  # of one piece
_MOST_ROWS = (1 << 31) - 1
_BYTES = 44  # of each arc while they are put in order


def diagram(layers: Layers) -> Generator[None, None, Diagram | None]:
    """The diagram of complete layers, all kept, which are let go of; pauses many times a second. None if the budget of the layers
    does not suffice."""
    model = layers.model
    row_at = layers.first_rows
    if not layers.total():
        return Diagram.empty(model.cells + 1)
    arcs = yield from _arcs(layers)
    budget = layers.budget
    layers.free()
    yield
    if arcs is None or len(arcs) * _BYTES > budget:
        return None
    return _ordered(model, arcs, row_at)


def _arcs(layers: Layers) -> Generator[None, None, NDArray[np.int32] | None]:
    """Row before, option and row after of every step on a way to a tiling."""
    model, rows = layers.model, layers.first_rows[-1]
    if rows > _MOST_ROWS:
        return None
    is_sorted, alive = np.zeros(len(layers.spans), np.bool_), np.zeros(rows, np.bool_)
    most = 2 * int(np.bincount(layers.edges[: layers.edge_count, TARGET], minlength=1).max())
    state = np.zeros(kernel.STATE_SIZE, np.int64)
    piece = np.zeros((max(_ARCS, most), kernel.ARC_COLUMNS), np.int32)
    pieces, taken = [], 0
    alive[layers.first_rows[model.cells] :] = True
    for position in range(model.cells, 0, -1):
        here, done = layers.at(position), 0
        ratchet = Ratchet("the frontier's diagram")
        while done < len(here):
            done = int(
                kernel.arcs_into(
                    *(here, done, patience.share(_STEPS), model.fit_tile, model.counters, layers.links, layers.edges),
                    *(layers.spans, layers.rows, model.key_words, is_sorted, alive, piece, state),
                )
            )
            ratchet.turn(done, int(state[kernel.ROW_AT]), taken)
            if done < len(here) and state[kernel.MADE] + most > len(piece):
                pieces.append(piece[: int(state[kernel.MADE])].copy())
                taken += 1
                state[kernel.MADE] = 0
                if layers.bytes + taken * piece.nbytes > layers.budget:
                    return None
            yield
    return np.concatenate([*pieces, piece[: int(state[kernel.MADE])]])


def _ordered(model: Model, arcs: NDArray[np.int32], row_at: NDArray[np.int64]) -> Diagram:
    """Rows as nodes, arcs by the row before and the option."""
    source, target = arcs[:, kernel.SOURCE_ROW], arcs[:, kernel.TARGET_ROW]
    alive = np.zeros(int(row_at[-1]), np.bool_)
    alive[source] = alive[target] = True
    number = np.concatenate([[0], np.cumsum(alive)])
    option = model.fit_option[arcs[:, kernel.BY]]
    order = np.argsort((source.astype(np.int64) << 32) | option)
    starts = np.concatenate([[0], np.cumsum(np.bincount(number[source], minlength=int(number[-1])))]).astype(np.int64)
    layers = number[row_at]
    ends = np.ones(int(layers[-1] - layers[-2]), np.bool_)
    return Diagram.of(layers, starts, option[order], number[target[order]], ends)
