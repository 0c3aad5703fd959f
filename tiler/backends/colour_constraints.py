"""Write the coloured items of a cover as constraints, for engines that know nothing of colours.

An item is left out if all options give it the same colour, because it constrains nothing.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tiler.cover.cover import Cover


@dataclass(frozen=True)
class Agreement:
    """The options that colour an item, listed by colour. In a solution, all options that colour the item are in the same list."""

    item: int  #: its number among the coloured items
    options: dict[int, list[int]]  #: by colour, both ascending; at least two colours

    def colour_of(self) -> dict[int, int]:
        """The colour that each option of `options` gives the item."""
        return {option: colour for colour, options in self.options.items() for option in options}


@dataclass(frozen=True)
class SideEnd:
    """Options that give an item a colour and cover one common item. That item is covered once, so at most one of them is used."""

    covers: int
    options: list[int]


def agreements(cover: Cover) -> list[Agreement]:
    """The agreements of a cover, in the order of their items; items with fewer than two colours are left out."""
    if cover.coloured is None:
        return []
    found: list[dict[int, list[int]]] = [{} for _ in cover.coloured.items]
    for option, item, colour in zip(
        cover.coloured.option.tolist(), cover.coloured.given.values.tolist(), cover.coloured.colour.tolist(), strict=True
    ):
        found[item].setdefault(colour, []).append(option)
    return [Agreement(item, dict(sorted(options.items()))) for item, options in enumerate(found) if len(options) > 1]


def ends(cover: Cover, agreement: Agreement) -> list[SideEnd]:
    """Group the options of an agreement by an item that all options of a group cover. Greedy choice keeps the groups few: on a
    board there is one for each cell beside the side."""
    left = set(agreement.colour_of())
    found = []
    while left:
        often = Counter(item for option in sorted(left) for item in cover.members[option].tolist())
        item, _ = min(often.items(), key=lambda each: (-each[1], each[0]))
        part = sorted(left.intersection(cover.by_item[item].tolist()))
        found.append(SideEnd(item, part))
        left.difference_update(part)
    return found
