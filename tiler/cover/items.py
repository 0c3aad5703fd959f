"""What the items of a cover are.

Solvers cover items, whatever they are. People ask about cells: code that counts, draws, opens or names cells asks for the items
of that kind (`BoardCover.cells`), and never takes all items for cells.
"""

from __future__ import annotations

from enum import StrEnum


class Kind(StrEnum):
    """The kinds of items."""

    CELL = "cell"  #: of a board: must be covered, or is optional
    CORNER = "corner"  #: where two tiles made of edges must not cross; it may stay open
    ABSTRACT = "item"  #: of a general exact cover
