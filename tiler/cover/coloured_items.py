"""Keep the items that several options may share if all give them the same colour: Knuth's secondary items with colours.

They are separate from the items that are covered exactly once: they are not counted in areas, they have no fillers, and the
orders of search ignore them. On a board they are the sides of cells that have marks.

Source: Knuth, The Art of Computer Programming 4B, section 7.2.2.1, exact covering with colors.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tiler import portable
from tiler.cover.csr import Csr, Ints
from tiler.errors import InputError

Row = tuple[Hashable, ...]


def split_colour(item: Hashable) -> tuple[Hashable, str] | None:
    """Split an item of a row that is written ITEM:COLOUR into the item and its colour. Returns None for any other item.

    >>> split_colour("x:red"), split_colour("x"), split_colour(":x"), split_colour(3)
    (('x', 'red'), None, None, None)
    """
    at = item.find(":", 1) if isinstance(item, str) else -1
    return (item[:at], item[at + 1 :]) if at > 0 else None  # type: ignore[index]


@dataclass(frozen=True, eq=False)
class ColouredItems:
    """Which colours options give to which items. Two options exclude each other if they give an item two colours."""

    items: tuple[Hashable, ...]  #: their names
    colours: tuple[str, ...]  #: names of the colours: colour c is called `colours[c - 1]`
    given: Csr  #: for each option the items to which it gives a colour, as numbers into `items`
    colour: Ints  #: of the shape of `given.values`: the colour given to this item, counted from 1

    @classmethod
    def of_rows(cls, rows: Sequence[Row]) -> tuple[tuple[Row, ...], ColouredItems | None]:
        """Split the rows of an exact cover. Returns the rows without items that have a colour in some row, and these items as
        `ColouredItems`, or None if there are none.

        A row that has such an item without a colour shares it with no other: it gives it a colour of its own.
        """
        with_colour = {item: both for item in dict.fromkeys(item for row in rows for item in row) if (both := split_colour(item))}
        if not with_colour:
            return tuple(rows), None
        items = {name: number for number, name in enumerate(dict.fromkeys(name for name, _ in with_colour.values()))}
        colours: dict[str | int, int] = {}  # a colour is known by its name, or by the number of the only row that gives it
        given: list[list[int]] = []
        colour_of: list[int] = []
        for number, row in enumerate(rows):
            here: dict[int, int] = {}
            for item in row:
                name, colour = with_colour.get(item, (item, number))
                if name not in items:
                    continue
                if colour == "":
                    raise InputError(f"row {number}: {item} has no colour behind the colon")
                if items[name] in here:
                    raise InputError(f"row {number} has the item {name} twice")
                here[items[name]] = colours.setdefault(colour, len(colours) + 1)
            given.append(sorted(here))
            colour_of += [here[item] for item in given[-1]]
        names = tuple(colour if isinstance(colour, str) else f"of row {colour} alone" for colour in colours)
        plain = tuple(tuple(item for item in row if item not in with_colour and item not in items) for row in rows)
        return plain, cls(tuple(items), names, Csr.from_lists(given), np.array(colour_of, np.int32))

    def restrict(self, keep: NDArray[np.bool_]) -> ColouredItems:
        """Only the options marked in `keep`, shape (options,)."""
        colour = self.colour[portable.repeat(keep, np.diff(self.given.starts))]
        return replace(self, given=self.given.restrict(keep), colour=colour)

    @cached_property
    def binding(self) -> ColouredItems | None:
        """Only the items to which options give at least two colours, since the others exclude nothing; None if there are none."""
        pairs = np.unique(np.stack([self.given.values, self.colour]), axis=1)
        binds = portable.bincount(pairs[0], minlength=len(self.items)) > 1
        if not binds.any():
            return None
        kept = binds[self.given.values]
        starts = portable.starts_of(kept)[self.given.starts]
        number = (portable.cumsum(binds) - 1).astype(np.int32)
        items = tuple(item for item, binding in zip(self.items, binds.tolist(), strict=True) if binding)
        given = Csr(starts, number[self.given.values[kept]])
        return replace(self, items=items, given=given, colour=self.colour[kept])

    def followed(self, options: int) -> ColouredItems:
        """The same for a larger number of options, where the options added give no colours."""
        starts = np.append(self.given.starts, np.full(options - len(self.given), self.given.starts[-1]))
        return replace(self, given=Csr(starts, self.given.values))

    def of_option(self, option: int) -> list[tuple[int, int]]:
        """The items to which an option gives a colour, each with its colour."""
        some = slice(self.given.starts[option], self.given.starts[option + 1])
        return list(zip(self.given.values[some].tolist(), self.colour[some].tolist(), strict=True))

    @cached_property
    def option(self) -> Ints:
        """The option that gives each entry of `colour`, an array of the same shape."""
        return portable.repeat(np.arange(len(self.given), dtype=np.int32), np.diff(self.given.starts))

    def disagreeing(self, option: int) -> NDArray[np.bool_]:
        """Marks, shape (options,), of the options that give some item a different colour than one option does."""
        wanted = np.zeros(len(self.items), np.int32)
        for item, colour in self.of_option(option):
            wanted[item] = colour
        there = wanted[self.given.values]
        marks = np.zeros(len(self.given), np.bool_)
        marks[self.option[(there != 0) & (there != self.colour)]] = True
        return marks

    def error_in(self, options: Iterable[int]) -> str | None:
        """A sentence about an item to which a set of options gives two colours; None if there is none."""
        seen: dict[int, int] = {}
        for option in options:
            for item, colour in self.of_option(option):
                if seen.setdefault(item, colour) != colour:
                    both = " and ".join(self.colours[number - 1] for number in (seen[item], colour))
                    return f"item {self.items[item]} is given the colours {both}"
        return None
