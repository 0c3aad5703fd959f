"""Exact covers in the text that Knuth's dancing links programs read.

Items are the cells, as `row,column` or `layer,row,column` from the board's corner, and `#1`, `#2`, ... for tiles with bounds; the
lines with `|` at the top say which tiles these are. If tiles are used once or at most once each, DLX1, DLX2 and their kin read
the text; other bounds are written as multiplicities, `least:most|#1`, for DLX3.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tiler import printable
from tiler.model.lattice import box

if TYPE_CHECKING:
    from tiler.cover.board import BoardCover


def write(cover: BoardCover, comments: Sequence[str] = ()) -> Iterator[str]:
    """The lines of the text, an option per line in the order of the cover."""
    low, _ = box(frozenset(cover.cells))
    names = [",".join(str(a - b) for a, b in zip(cell, low, strict=True)) for cell in cover.cells]
    primary, secondary = list(names), []
    item_of: dict[int, str] = {}
    for comment in comments:
        yield f"| {printable.joined(comment)}"
    for t, tile in enumerate(cover.tiles):
        if not cover.bounded[t]:
            continue
        item_of[t] = f"#{len(item_of) + 1}"
        lower, upper = int(cover.lower[t]), int(cover.upper[t])
        yield f"| {item_of[t]} {printable.joined(tile.name)}, from {lower} to {upper}"
        if (lower, upper) == (0, 1):
            secondary.append(item_of[t])
        else:
            primary.append(item_of[t] if lower == upper == 1 else f"{lower}:{upper}|{item_of[t]}")
    yield " ".join(primary + (["|", *secondary] if secondary else []))
    for option in range(len(cover)):
        tile_item = [item_of[t] for t in [int(cover.tile[option])] if t in item_of]
        yield " ".join(tile_item + [names[cell] for cell in cover.members[option].tolist()])
