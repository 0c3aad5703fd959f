"""Reductions of a cover: placements that no tiling uses (or, for `anchor`, that a symmetric tiling can do without) are left out.

Every filter is a pure function from a cover to a smaller one, with the reason it is sound; `origin` leads back to the placements
as the unfiltered cover numbers them. Each is an option of every backend: `filter=dead+volume`, `anchor=5X`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from tiler.cover import Csr, ExactCover, Keeps, subset_sums
from tiler.errors import BadOption, suggest
from tiler.geometry import is_connected, neighbours
from tiler.symmetry import actions


def dead(cover: ExactCover) -> ExactCover:
    """Leave out placements beside which some cell has no placement left, or some tile too few; repeated until nothing changes.

    Sound: a tiling that used such a placement would leave that cell open, or use that tile too seldom.
    """
    from tiler.kernels.filters import leaves_something_everywhere

    while True:
        keep = leaves_something_everywhere(*cover.members, cover.tile, *cover.by_cell, *cover.by_tile, cover.lower, cover.upper)
        if keep.all():
            return cover
        cover = cover.restrict(keep)


def volume(cover: ExactCover) -> ExactCover:
    """Leave out placements that close off a region whose size the other tiles, within their bounds, cannot make up.

    Sound where all tiles are connected: each lies in one region then. Each placement is looked at alone on the empty board, once.
    Source: Busche, FILA, 2018 (volume filter).
    """
    return cover.restrict(leaves_fillable_regions(cover))


def leaves_fillable_regions(cover: ExactCover) -> NDArray[np.bool_]:
    """Shape (options,): the placements that `volume` keeps."""
    everywhere = np.ones(len(cover), np.bool_)
    if not all(is_connected(tile.shape) for tile in cover.tiles):
        return everywhere
    from tiler.kernels.filters import leaves_possible_regions

    possible = possible_sizes(cover.sizes.tolist(), cover.upper.tolist(), len(cover.cells))
    nowhere = np.zeros(len(cover.cells), np.bool_)
    return leaves_possible_regions(*cover.members, cover.tile, *around(cover), possible, nowhere, everywhere)


def around(cover: ExactCover) -> Csr:
    """The neighbours of each cell, as numbers of cells."""
    number = {cell: i for i, cell in enumerate(cover.cells)}
    return Csr.of([[number[other] for other in neighbours(cell) if other in number] for cell in cover.cells])


def possible_sizes(sizes: Sequence[int], copies: Sequence[int], cells: int) -> NDArray[np.bool_]:
    """Shape (tiles, cells + 1): whether so many copies of the tiles, less one of this, can have so many cells together."""
    rows = []
    for without in range(len(sizes)):
        left = [most - (t == without) for t, most in enumerate(copies)]
        bits = np.frombuffer(subset_sums(sizes, left, cells).to_bytes(cells // 8 + 1, "little"), np.uint8)
        rows.append(np.unpackbits(bits, bitorder="little")[: cells + 1])
    return np.array(rows, np.bool_)


def parity(cover: ExactCover) -> ExactCover:
    """Colour the cells like a chessboard; leave out placements after which the other tiles cannot make up the colours left.

    Sound: a tile covers d more cells of one colour than of the other, the same d wherever it lies; so the surplus of black
    is a sum of terms +d and -d, one per copy. Where every copy has to be used these sums are known exactly, else their range is.
    """
    colour = np.array([1 if sum(cell) % 2 == 0 else -1 for cell in cover.cells], np.int64)
    surplus = np.add.reduceat(colour[cover.members.values], cover.members.starts[:-1])
    board = int(colour.sum())
    per_tile = [max(abs(sum(1 if sum(cell) % 2 == 0 else -1 for cell in v)) for v in variants[:1]) for variants in cover.variants]
    keep = np.ones(len(cover), np.bool_)
    for t in np.unique(cover.tile).tolist():  # A tile without placements may have no copy to spare.
        mendable = _sums(per_tile, cover, without=t)
        for d in np.unique(surplus[cover.tile == t]).tolist():
            keep[(cover.tile == t) & (surplus == d)] = mendable(board - d)
    return cover.restrict(keep)


def anchor(cover: ExactCover, name: str, numbering: NDArray[np.int64]) -> ExactCover:
    """Restrict a tile that every tiling uses exactly once to one placement of each orbit under the symmetry group.

    Of an orbit the placement is kept that is least in the numbering of the cells (shape (cells,), the rank of each). `name` is
    the tile's, or `auto` for the one with the smallest part kept. Sound: turn a tiling so that this tile lies where it is kept.
    The cover must hold all placements: filters come later. Source: Busche, FILA, 2018 (redundancy filter).
    """
    maps = actions(cover)[1]
    if len(maps) == 1:
        return cover
    if name == "auto":
        once = [t for t, tile in enumerate(cover.tiles) if tile.name and cover.lower[t] == cover.upper[t] == 1]
    else:
        once = [anchor_tile(cover, name)]
    if not once:
        return cover
    kept = {t: representatives(cover, t, maps, numbering) for t in once}
    t = min(once, key=lambda t: len(kept[t]) / max(1, len(cover.by_tile[t])))
    keep = cover.tile != t
    keep[kept[t]] = True
    return cover.restrict(keep, Keeps.REPRESENTATIVES)


def anchor_tile(cover: ExactCover, name: str) -> int:
    """The tile of that name; BadOption if it cannot be an anchor."""
    names = [tile.name for tile in cover.tiles]
    if name not in names:
        raise BadOption(f"anchor={name}: there is no such tile{suggest(name, filter(None, names))}")
    t = names.index(name)
    if not cover.lower[t] == cover.upper[t] == 1:
        raise BadOption(f"anchor={name}: only a tile that every tiling uses exactly once can be an anchor")
    return t


def representatives(cover: ExactCover, t: int, maps: NDArray[np.int64], numbering: NDArray[np.int64]) -> list[int]:
    """The options of a tile that are the least, in a numbering of the cells, of those that the symmetries take them to.

    `maps` are those of `ExactCover.option_maps`. A mirror may turn the tile into another one: then it says nothing about it.
    """

    def rank(option: int) -> list[int]:
        return sorted(numbering[cover.members[option]].tolist())

    ranks = {int(option): rank(option) for option in cover.by_tile[t]}
    return [o for o in ranks if all(ranks[o] <= ranks[image] for image in maps[:, o].tolist() if image in ranks)]


def probe(cover: ExactCover) -> ExactCover:
    """Leave out placements that lead to a contradiction by what they force, one after the other: see tiler/prover/probe.py."""
    from tiler.prover.probe import probe

    return probe(cover)


FILTERS: dict[str, Callable[[ExactCover], ExactCover]] = {"dead": dead, "volume": volume, "parity": parity, "probe": probe}


def problem(names: str) -> str | None:
    """What is wrong with the value of the option `filter`: names joined by `+`, or `off`."""
    unknown = [name for name in names.split("+") if name not in FILTERS and names != "off"]
    return f"{unknown[0]!r} is no filter{suggest(unknown[0], FILTERS)}; there are {', '.join(FILTERS)}" if unknown else None


def apply(cover: ExactCover, names: str) -> ExactCover:
    """The cover after the filters of the option `filter`, in the order in which they are named."""
    for name in names.split("+") if names != "off" else ():
        cover = FILTERS[name](cover)
    return cover


def _sums(surplus: list[int], cover: ExactCover, without: int) -> Callable[[int], bool]:
    """A test for what the copies beside one of a tile can sum up to, each counted with a sign of its choice."""
    least = [int(n) - (t == without) for t, n in enumerate(cover.lower)]
    most = [int(n) - (t == without) for t, n in enumerate(cover.upper)]
    reach = sum(d * n for d, n in zip(surplus, most, strict=True))
    if least != most:
        return lambda total: abs(total) <= reach
    # Bit reach + s of the integer: s is a possible sum.
    sums = 1 << reach
    for d, n in zip(surplus, most, strict=True):
        for _ in range(n if d else 0):
            sums = sums << d | sums >> d
    return lambda total: abs(total) <= reach and bool(sums >> (reach + total) & 1)
