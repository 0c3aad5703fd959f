"""Reduce a cover: leave out placements that no tiling uses (or, for `anchor`, that a symmetric tiling can do without).

Every filter is a pure function from a cover to a smaller one, with the reason why it is correct. `origin` gives for each
placement its number in the unfiltered cover. Each filter is an option of every backend: `filter=dead+volume`, `anchor=5X`.

Each takes a `check_stop`, which it calls many times a second. `check_stop` may end the filter by raising `Stopped`
(process/cancellation.py), because a part of a filter's work is worth nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from tiler import portable
from tiler.cover.board import BoardCover, on_board
from tiler.cover.bounds import possible_sums, subset_sums
from tiler.cover.cover import Cover, SolutionsKept
from tiler.cover.csr import Csr
from tiler.cover.group_action import actions
from tiler.errors import BadOption, suggest
from tiler.kernels import python_time
from tiler.process.cancellation import StopCheck, never_stop

if TYPE_CHECKING:
    from tiler.cover import kernel

C = TypeVar("C", bound=Cover)

# The steps that a kernel makes before it returns for a look at the clock; they take some hundredths of a second.
_BUDGET = 1 << 22


def dead(cover: C, check_stop: StopCheck = never_stop) -> C:
    """Leave out placements beside which some cell has no placement left, or some tile too few; repeated until nothing changes.

    Sound: a tiling that used such a placement would leave that cell open, or use that tile too seldom. Placements that give an
    item two colours are not beside each other.
    """
    from tiler.cover import kernel

    while True:
        options = kernel.Options(*cover.members, cover.tile)
        choices = kernel.Choices(*cover.by_item, *cover.by_tile, cover.lower, cover.upper)
        shades = _shades(cover)
        losses = kernel.Losses.new(len(cover), len(cover.items), len(cover.lower))
        keep = np.zeros(len(cover), np.bool_)
        done = 0
        while done < len(cover):
            check_stop()
            done = kernel.leaves_something_everywhere(options, choices, shades, losses, keep, done, python_time.share(_BUDGET))
        if keep.all():
            return cover
        cover = cast("C", cover.restrict(keep))


def _shades(cover: Cover) -> kernel.ItemColours:
    """The items with colours of a cover, in the form that the kernel takes."""
    from tiler.cover import kernel

    coloured = None if cover.coloured is None else cover.coloured.binding
    if coloured is None:
        none, nobody = np.zeros(1, np.int64), np.zeros(0, np.int32)
        return kernel.ItemColours(none, nobody, nobody, none, nobody, nobody)
    by_item = Csr.grouped(coloured.given.values, np.arange(len(coloured.colour), dtype=np.int32), len(coloured.items))
    options, colours = coloured.option[by_item.values], coloured.colour[by_item.values]
    return kernel.ItemColours(*coloured.given, coloured.colour, by_item.starts, options, colours)


def volume(cover: BoardCover, check_stop: StopCheck = never_stop) -> BoardCover:
    """Leave out placements that close off a region whose size the other tiles, within their bounds, cannot make up.

    This is correct where all tiles are connected, because every piece then lies in one region; otherwise nothing is left out.
    Each placement is looked at once, alone on the empty board.
    Source: Busche, FILA, 2018 (volume filter).
    """
    return cover.restrict(leaves_fillable_regions(cover, check_stop))


def leaves_fillable_regions(cover: BoardCover, check_stop: StopCheck = never_stop) -> NDArray[np.bool_]:
    """Marks, shape (options,), of the placements that `volume` keeps."""
    everywhere = np.ones(len(cover), np.bool_)
    if not cover.tiles_are_connected:
        return everywhere
    possible = possible_sizes(cover.sizes.tolist(), cover.upper.tolist(), len(cover.items))
    nowhere = np.zeros(len(cover.items), np.bool_)
    return leaves_possible_regions(cover, possible, nowhere, everywhere, check_stop)


def leaves_possible_regions(
    cover: BoardCover,
    possible: NDArray[np.bool_],
    filled: NDArray[np.bool_],
    alive: NDArray[np.bool_],
    check_stop: StopCheck = never_stop,
) -> NDArray[np.bool_]:
    """Marks, shape (options,), of the options `alive` that leave only regions of `possible` sizes, when some cells are filled.

    `possible` and `filled` are as in `OpenBoard` of tiler/cover/kernel.py.
    """
    from tiler.cover import kernel

    options, around = kernel.Options(*cover.members, cover.tile), kernel.OpenBoard(*cover.neighbours, possible, filled)
    regions = kernel.Regions.new(len(filled), len(possible))
    keep = np.zeros(len(cover), np.bool_)
    done = 0
    while done < len(cover):
        check_stop()
        done = kernel.leaves_possible_regions(options, around, regions, alive, keep, done, python_time.share(_BUDGET))
    return keep


def possible_sizes(sizes: Sequence[int], copies: Sequence[int], cells: int) -> NDArray[np.bool_]:
    """An array of shape (tiles, cells + 1): [t, n] is whether the tiles, within these numbers of copies and without one copy of
    t, can have n cells together."""
    alike = dict[tuple[int, int], NDArray[np.bool_]]()
    for without, pair in enumerate(zip(sizes, copies, strict=True)):
        if pair not in alike:
            alike[pair] = possible_sums(sizes, [most - (t == without) for t, most in enumerate(copies)], cells)
    return np.array([alike[pair] for pair in zip(sizes, copies, strict=True)], np.bool_)


def parity(cover: BoardCover, check_stop: StopCheck = never_stop) -> BoardCover:
    """Colour the cells like a checkerboard; leave out placements after which the other tiles cannot make up the colours left.

    Sound: a tile covers d more cells of one colour than of the other, the same d wherever it lies; so the surplus of black
    is a sum of terms +d and -d, one per copy. Where every copy has to be used these sums are known exactly, else their range is.
    """
    colour = cover.white
    if not colour.any():
        return cover
    surplus = portable.reduceat(np.add, colour[cover.members.values], cover.members.starts[:-1])
    board = int(colour.sum())
    per_tile = [abs(sum(map(cover.lattice.colour, variants[0]))) for variants in cover.variants]
    keep = np.ones(len(cover), np.bool_)
    for t in np.unique(cover.tile).tolist():  # A tile without placements may have no copy to spare.
        check_stop()
        options, mendable = cover.by_tile[t], _sums(per_tile, cover, without=t)
        for d in np.unique(surplus[options]).tolist():
            keep[options[surplus[options] == d]] = mendable(board - d)
    return cover.restrict(keep)


def anchor(cover: BoardCover, name: str, numbering: NDArray[np.int64], check_stop: StopCheck = never_stop) -> BoardCover:
    """Restrict a tile that every tiling uses exactly once to one placement of each orbit under the symmetry group.

    It keeps the placement of an orbit that is least in the numbering of the cells (shape (cells,), the rank of each). `name` is
    the tile's, or `auto` for the one with the smallest part kept. Sound: turn a tiling so that this tile lies where it is kept.
    The cover must hold all placements: filters come later. Source: Busche, FILA, 2018 (redundancy filter).
    """
    maps = actions(cover, check_stop)[1]
    if len(maps) == 1:
        return cover
    if name == "auto":
        once = [t for t in range(len(cover.names)) if not cover.is_filler[t] and cover.lower[t] == cover.upper[t] == 1]
    else:
        once = [anchor_tile(cover, name)]
    if not once:
        return cover
    kept = {t: representatives(cover, t, maps, numbering, check_stop) for t in once}
    t = min(once, key=lambda t: len(kept[t]) / max(1, len(cover.by_tile[t])))
    keep = cover.tile != t
    keep[kept[t]] = True
    return cover.restrict(keep, SolutionsKept.REPRESENTATIVES)


def anchor_tile(cover: Cover, name: str) -> int:
    """The tile of that name, on a board of any name that it has; BadOption if it cannot be an anchor."""
    names = list(cover.names)
    t = cover.instance.find(name) if isinstance(cover, BoardCover) else names.index(name) if name in names else None
    if t is None:
        raise BadOption(f"anchor={name}: there is no such tile{suggest(name, filter(None, names))}")
    if not cover.lower[t] == cover.upper[t] == 1:
        raise BadOption(f"anchor={name}: only a tile that every tiling uses exactly once can be an anchor")
    return t


def representatives(
    cover: BoardCover, t: int, maps: NDArray[np.int64], numbering: NDArray[np.int64], check_stop: StopCheck = never_stop
) -> NDArray[np.int64]:
    """The least option of each orbit of a tile's options, in a numbering of the cells.

    `maps` come from `group_action.actions`. A symmetry that takes the tile to another tile rules nothing out.
    """
    options = cover.by_tile[t].astype(np.int64)
    cells = numbering[cover.members.values[cover.members.starts[options][:, None] + portable.arange(int(cover.sizes[t]))]]
    place = np.empty(len(options), np.int64)
    place[np.lexsort(np.sort(cells, axis=1).T[::-1])] = portable.arange(len(options))
    rank = np.full(len(cover), len(options), np.int64)  # Images that belong to other tiles come last.
    rank[options] = place
    least = np.ones(len(options), np.bool_)
    for images in maps:
        check_stop()
        least &= place <= rank[images[options]]
    return options[least]


def probe(cover: BoardCover, check_stop: StopCheck = never_stop) -> BoardCover:
    """Leave out placements that lead to a contradiction because of what they force, one after the other: see propagation.py."""
    from tiler.cover.propagation import probe

    return probe(cover, check_stop)


#: The filters that need the cover of a board; the others work with any cover.
ON_BOARDS: dict[str, Callable[[BoardCover, StopCheck], BoardCover]] = {"volume": volume, "parity": parity, "probe": probe}
FILTERS = ("dead", *ON_BOARDS)


def error_in(names: str) -> str | None:
    """What is wrong with the value of the option `filter`: names joined by `+`, or `off`."""
    unknown = [name for name in names.split("+") if name not in FILTERS and names != "off"]
    return f"{unknown[0]!r} is no filter{suggest(unknown[0], FILTERS)}; there are {', '.join(FILTERS)}" if unknown else None


def apply(cover: C, names: str, check_stop: StopCheck = never_stop) -> C:
    """The cover after the filters of the option `filter`, in that order; BadOption if one needs a board and there is none."""
    for name in names.split("+") if names != "off" else ():
        if name == "dead":
            cover = dead(cover, check_stop)
        else:
            cover = cast("C", ON_BOARDS[name](on_board(cover, f"filter={name}"), check_stop))
    return cover


def _sums(surplus: list[int], cover: BoardCover, without: int) -> Callable[[int], bool]:
    """A function that tests whether the copies other than one of a tile can have some sum, where each counts with any sign."""
    least = [int(n) - (t == without) for t, n in enumerate(cover.lower)]
    most = [int(n) - (t == without) for t, n in enumerate(cover.upper)]
    reach = sum(d * n for d, n in zip(surplus, most, strict=True))
    if least != most:
        return lambda total: abs(total) <= reach
    # Begin with all signs negative; each copy with a positive sign then adds its surplus twice.
    sums = subset_sums([2 * d for d in surplus], [n if d else 0 for d, n in zip(surplus, most, strict=True)], 2 * reach)
    return lambda total: abs(total) <= reach and bool(sums >> (reach + total) & 1)
