"""Replace items with colours by items that are covered exactly once, *pins*, for searches that know no colours.

A mark lies between two cells, its *ends*. It becomes a few pins. Each of its colours has a pattern: half of the pins. An option
at one end covers the pattern of its colour, and an option at the other end covers the pins that are not in the pattern. All
patterns have equally many pins. So two options at the ends are disjoint only if they have one colour, and then they cover all
pins. An option over both ends covers all pins. Where an option over one end gives no colour, pins can stay open: a filler covers
them.

So words of bits that tell whether options overlap also tell whether their colours agree, and a set of covered items tells which
colours wait for their other end. k colours need some log2 k pins, plus one or two.

Source: the patterns are Sperner's: sets of one size, none of which contains another (1928).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import combinations, islice
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tiler import portable
from tiler.cover import listing
from tiler.cover.board import BoardCover
from tiler.cover.csr import Csr
from tiler.errors import BadOption
from tiler.process.cancellation import StopCheck, never_stop

_ITEMS = 64  # items with colours treated between two looks at the clock


@dataclass(frozen=True, eq=False, kw_only=True)
class PinnedCover(BoardCover):
    """A cover without colours: the items of another one, and then its pins. Its options are those of the other one, and then
    those of the filler of pins, if there is one. The sizes of tiles do not count pins."""

    whole: BoardCover  #: the cover with colours
    ends: NDArray[np.int64]  #: shape (pins, 2): the two items between which each pin lies
    may_gape: NDArray[np.bool_]  #: shape (pins,): whether the filler can cover the pin

    @property
    def extent(self) -> int:
        return self.whole.extent

    def placed(self, rank: NDArray[np.int64]) -> NDArray[np.int64]:
        """The rank of every item in an order of the items of `whole`, in which `rank` has each at its place.

        Pins come before the later one of their ends: then the first open pin tells a part of the colour that is wanted there. If
        they may be open when both ends are covered, they come after it.
        """
        items = len(rank)
        later = rank[self.ends].max(1, initial=0)
        sort = np.concatenate([3 * rank, 3 * later + np.where(self.may_gape, 1, -1)])
        placed = np.empty(items + len(later), np.int64)
        placed[np.argsort(sort, kind="stable")] = portable.arange(len(placed))
        return placed

    def given(self, options: Iterable[int]) -> tuple[int, ...]:
        """The options among these that do not belong to the filler."""
        return tuple(option for option in options if option < len(self.whole))

    def given_item(self, item: int | None) -> int | None:
        """The item itself; for a pin, one of its ends."""
        items = len(self.whole.items)
        return item if item is None or item < items else int(self.ends[item - items, 1])

    @cached_property
    def beside(self) -> NDArray[np.int64]:
        """The neighbours of each item, where the pins of an end are neighbours of each other and of the end."""
        around = self.whole.neighbours.lists()
        first = len(around)
        at: list[list[int]] = [[] for _ in around]
        for pin, ends in enumerate(self.ends.tolist(), first):
            for end in ends:
                at[end].append(pin)
        for ends in self.ends.tolist():
            around.append(sorted({*ends, *(pin for end in ends for pin in at[end])} - {len(around)}))
        for item, pins in enumerate(at):
            around[item] += pins
        return Csr.from_lists(around).padded()

    @cached_property
    def tiles_are_connected(self) -> bool:
        """False: pins are in no region of cells, so the items of regions must not be counted here."""
        return False


def pinned(cover: BoardCover, check_stop: StopCheck = never_stop) -> PinnedCover:
    """A cover with pins in the place of its items with colours. BadOption if one of these has more than two ends."""
    pins = list(_all_pins(cover, check_stop))
    covering = [options for pin in pins for options in pin.covering]
    ends = [pin.ends for pin in pins for _ in pin.covering]
    may_gape = np.array([pin.may_gape for pin in pins for _ in pin.covering], np.bool_)
    gaping, items = np.flatnonzero(may_gape), len(cover.items)
    # For each option its items, then its pins; the options of the filler come last.
    owner = np.concatenate([portable.repeat(portable.arange(len(cover)), np.diff(cover.members.starts)), *covering])
    values = np.concatenate([cover.members.values, *(np.full(len(options), items + pin) for pin, options in enumerate(covering))])
    order = np.lexsort((values, owner))
    sizes = np.append(portable.bincount(owner, minlength=len(cover)), np.ones(len(gaping), np.int64))
    changed = {
        "items": (*cover.items, *(f"pin {pin}" for pin in range(len(covering)))),
        "members": Csr(
            portable.starts_of(sizes),
            np.concatenate([values[order], items + gaping]).astype(np.int32),
        ),
        "coloured": None,
        **(_filled(cover, len(gaping)) if len(gaping) else {}),
    }
    own = {field.name: getattr(cover, field.name) for field in fields(BoardCover)}
    return PinnedCover(**{**own, **changed}, whole=cover, ends=np.array(ends, np.int64).reshape(-1, 2), may_gape=may_gape)


def without_colours(cover: BoardCover, check_stop: StopCheck = never_stop) -> BoardCover:
    """The cover itself, or if some of its items have colours, the cover with pins in their place."""
    return cover if cover.coloured is None else pinned(cover, check_stop)


class _Pins(NamedTuple):
    """The pins of an item with colours."""

    ends: tuple[int, int]
    may_gape: bool
    covering: list[NDArray[np.int64]]  #: for each pin, the options that cover it


def _all_pins(cover: BoardCover, check_stop: StopCheck) -> Iterator[_Pins]:
    """The pins of every item whose colours can exclude something."""
    coloured = cover.coloured
    if coloured is None:
        return
    by_item = np.argsort(coloured.given.values, kind="stable")
    starts = np.searchsorted(coloured.given.values[by_item], portable.arange(len(coloured.items) + 1))
    for item, name in enumerate(coloured.items):
        if item % _ITEMS == 0:
            check_stop()
        givens = by_item[starts[item] : starts[item + 1]]
        colours, number = np.unique(coloured.colour[givens], return_inverse=True)
        options = coloured.option[givens].astype(np.int64)
        ends = _ends_of(cover, options, str(name)) if len(colours) > 1 else None
        if ends is not None:
            yield _pins_between(cover, ends, options, _patterns(len(colours))[number])


def _pins_between(cover: BoardCover, ends: tuple[int, int], options: NDArray[np.int64], pattern: NDArray[np.bool_]) -> _Pins:
    """The pins between two ends for these options; each option has a pattern, a row of shape (options, pins)."""
    over, others = (cover.by_item[end].astype(np.int64) for end in ends)
    both = np.intersect1d(over, others)
    at_first, at_second = np.isin(options, over), np.isin(options, others)
    covers = (at_first != at_second)[:, None] & (pattern == at_first[:, None])
    may_gape = len(np.setdiff1d(np.setxor1d(over, others), options)) > 0
    return _Pins(ends, may_gape, [np.concatenate([options[column], both]) for column in covers.T])


def _ends_of(cover: BoardCover, options: NDArray[np.int64], name: str) -> tuple[int, int] | None:
    """Two items such that each of these options covers one of them, and as few others as possible do. None if no two of these
    options can be used together."""
    members = cover.members
    best: tuple[int, int, int] | None = None
    for one in members[int(options[0])].tolist():
        over = cover.by_item[one].astype(np.int64)
        rest = options[~np.isin(options, over)]
        if not len(rest):
            return None
        items, times = np.unique(np.concatenate([members[option] for option in rest.tolist()]), return_counts=True)
        for other in items[times == len(rest)].tolist():
            without = np.setdiff1d(np.setxor1d(over, cover.by_item[other].astype(np.int64)), options)
            found = len(without), one, other
            best = found if best is None else min(best, found)
    if best is None:
        raise BadOption(f"item {name} is given colours over more than two cells; here it must be the mark of a side")
    return best[1], best[2]


def _filled(cover: BoardCover, gaping: int) -> dict[str, Any]:
    """The fields of a cover that change when a filler of `gaping` pins is added."""

    def longer(array: NDArray[np.int32], value: int) -> NDArray[np.int32]:
        return np.concatenate([array, np.full((gaping, *array.shape[1:]), value, array.dtype)])

    return {
        "tiles": (*cover.tiles, listing.FILLER),
        "names": (*cover.names, ""),
        "fillers": (*cover.fillers, len(cover.tiles)),
        "sizes": np.append(cover.sizes, 0),
        "weights": np.append(cover.weights, 0),
        "bounds": cover.bounds.with_filler(0, gaping),
        "tile": longer(cover.tile, len(cover.tiles)),
        "variant": longer(cover.variant, 0),
        "offset": longer(cover.offset, 0),
        "origin": longer(cover.origin, -1),
    }


def _patterns(colours: int) -> NDArray[np.bool_]:
    """The pattern of each colour, shape (colours, pins), with as few pins as possible.

    >>> _patterns(3).astype(int).tolist()
    [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    """
    pins = 2
    while comb(pins, pins // 2) < colours:
        pins += 1
    patterns = np.zeros((colours, pins), np.bool_)
    for row, chosen in zip(patterns, islice(combinations(range(pins), pins // 2), colours), strict=True):
        row[list(chosen)] = True
    return patterns
