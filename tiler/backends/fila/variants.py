"""List the searches between which `order=auto` chooses: the first open cell, or the cell or tile with fewest placements.

The first has lists chosen by the next cells, and in one word it makes four times as many nodes a second. The second,
dancing links, makes fewer nodes. How many fewer depends on how narrow the board is; no rule is known. The other orders never win
by much. tiler/ask/planner.py chooses.
"""

from __future__ import annotations

from dataclasses import replace

from tiler.backends.dlx import Dlx
from tiler.backends.fila import Fila, orders
from tiler.backends.fila.window_search import refusal, words
from tiler.cover.board import BoardCover
from tiler.cover.pins import without_colours

#: With few pieces left, tiles are hardly ever the better choice, and looking at them takes time.
_FEWEST = "mrv+cells:6"


def fewest(backend: Fila) -> Dlx | None:
    """The search by the cell or tile with fewest placements. None with nof=off, which only a search by lists can obey."""
    if not backend.nof:
        return None
    return Dlx(filter=backend.filter, anchor=backend.anchor, order=_FEWEST, volume=backend.volume)


def first_open(backend: Fila, cover: BoardCover) -> list[Fila]:
    """The searches by the first open cell, one for every numbering along axes in which a window takes one word. The numbering
    with neighbours closest together comes first; if a window takes more words in all of them, it is the only one."""
    first = replace(backend, order=orders.FIRST)
    if backend.axes != "auto" or backend.handoff or not backend.nof:
        return [first]
    sweeps: dict[bytes, str] = {}
    for axes in ("auto", *orders.sweeps(cover)):
        sweeps.setdefault(orders.numbering(cover, axes).tobytes(), axes)
    able = [replace(first, axes=axes) for axes in sweeps.values() if has_window(replace(first, axes=axes), cover)]
    return able or [first]


def has_window(backend: Fila, cover: BoardCover) -> bool:
    """Whether a search in a fixed order chooses lists by the next cells, in one word."""
    if backend.window == "off" or backend.handoff or not backend.nof:
        return False
    listed = without_colours(cover)
    return refusal(listed, 1) is None and words(listed, orders.numbering(listed, backend.axes)) == 1
