"""What the items of a cover are.

Solvers cover items, whatever they are. People ask about cells: whoever counts, draws, opens or names cells asks for the items of
that kind (`BoardCover.cells`), and never takes all items for cells.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Kind(StrEnum):
    """The kinds of items."""

    CELL = "cell"  #: of a board: must be covered, or is optional
    CORNER = "corner"  #: where two tiles made of edges must not cross; it may stay open
    ABSTRACT = "item"  #: of a general exact cover


class Item(NamedTuple):
    """What one item is. Its name is in `Cover.items`."""

    kind: Kind
    colours: int = 0  #: how many colours options can give it, from 1 on; 0: options that share it exclude each other


CELL, CORNER, ABSTRACT = map(Item, Kind)
