"""Name the kinds of items that a cover has.

Solvers cover items of all kinds, but users ask about cells. So code that counts, draws, opens or names cells must use only the
items of that kind (`BoardCover.cells`).
"""

from __future__ import annotations

from enum import StrEnum


class ItemKind(StrEnum):
    """The kinds of items."""

    CELL = "cell"  #: of a board: must be covered, or is optional
    CORNER = "corner"  #: where two tiles made of edges must not cross; it may stay open
    ABSTRACT = "item"  #: of a general exact cover
