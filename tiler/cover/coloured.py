"""Items that several options may share, if all give them the same colour: Knuth's secondary items with colours.

They stand beside the items that are covered exactly once and are none of them: no area, no filler and no order of search counts
them. On a board they are the sides of cells that have marks.

Source: Knuth, The Art of Computer Programming 4B, section 7.2.2.1, exact covering with colors.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tiler.cover.csr import Csr, Ints


@dataclass(frozen=True, eq=False)
class ColouredItems:
    """Which colours options give to which items. Two options exclude each other if they give an item two colours."""

    items: tuple[Hashable, ...]  #: their names
    colours: tuple[str, ...]  #: names of the colours: that of colour c is `colours[c - 1]`
    given: Csr  #: for each option the items that it gives a colour, as numbers into `items`
    colour: Ints  #: shape of `given.values`: the colour that is given, from 1

    def restrict(self, keep: NDArray[np.bool_]) -> ColouredItems:
        """Only the options marked in `keep`, shape (options,)."""
        colour = self.colour[np.repeat(keep, np.diff(self.given.starts))]
        return replace(self, given=self.given.restrict(keep), colour=colour)

    def of(self, option: int) -> list[tuple[int, int]]:
        """The items that an option gives a colour, each with its colour."""
        some = slice(self.given.starts[option], self.given.starts[option + 1])
        return list(zip(self.given.values[some].tolist(), self.colour[some].tolist(), strict=True))

    @cached_property
    def option(self) -> Ints:
        """Shape of `colour`: the option that gives it."""
        return np.repeat(np.arange(len(self.given), dtype=np.int32), np.diff(self.given.starts))

    def disagreeing(self, option: int) -> NDArray[np.bool_]:
        """Shape (options,): those that give some item another colour than an option does."""
        wanted = np.zeros(len(self.items), np.int32)
        for item, colour in self.of(option):
            wanted[item] = colour
        there = wanted[self.given.values]
        found = np.zeros(len(self.given), np.bool_)
        found[self.option[(there != 0) & (there != self.colour)]] = True
        return found

    def error_in(self, options: Iterable[int]) -> str | None:
        """Which item is given two colours by a set of options, in words; None if there is none."""
        seen: dict[int, int] = {}
        for option in options:
            for item, colour in self.of(option):
                if seen.setdefault(item, colour) != colour:
                    both = " and ".join(self.colours[each - 1] for each in (seen[item], colour))
                    return f"item {self.items[item]} is given the colours {both}"
        return None
