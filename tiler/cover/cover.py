"""The exact-cover model: every placement of every tile, listed once, as arrays that all backends share.

An option of the cover is a placement; its items are the cells it covers (each covered exactly once) and its tile (used between
`lower` and `upper` times). Copies of a tile have no names. Optional cells are covered by a tile of the model's own, the *filler*:
a monomino that lies on optional cells only, as often as there are any, and never shows in an answer.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tiler.errors import InputError
from tiler.model.constraints import Constraint
from tiler.model.instance import Instance
from tiler.model.lattice import Cell, Shape, box
from tiler.model.tile import Placement, Tile
from tiler.question.watch import Look, unhurried

Ints = NDArray[np.int32]

#: The most placements, and cells covered by placements, that a cover may list.
MAX_PLACEMENTS = 20_000_000
MAX_ENTRIES = 100_000_000

_FILLER = Tile("", frozenset({(0, 0)}))

# Options that are numbered in one go, without a look at the clock.
_AT_ONCE = 1 << 16


class Keeps(StrEnum):
    """Which solutions of the instance a filtered cover still has."""

    ALL = "all"
    REPRESENTATIVES = "representatives"  #: at least one of every orbit under the symmetry group


class Csr(NamedTuple):
    """Lists of unequal length in two arrays: list i is `values[starts[i]:starts[i + 1]]`, in ascending order."""

    starts: NDArray[np.int64]
    values: Ints

    @classmethod
    def of(cls, lists: Sequence[Sequence[int]]) -> Csr:
        """From lists of integers."""
        starts = np.concatenate([[0], np.cumsum([len(each) for each in lists])]).astype(np.int64)
        return cls(starts, np.array([value for each in lists for value in each], np.int32))

    def __getitem__(self, i: int) -> Ints:  # type: ignore[override]
        return self.values[self.starts[i] : self.starts[i + 1]]

    def __len__(self) -> int:
        return len(self.starts) - 1

    def lists(self) -> list[list[int]]:
        """All lists as Python integers."""
        values, starts = self.values.tolist(), self.starts.tolist()
        return [values[a:b] for a, b in pairwise(starts)]


@dataclass(frozen=True, eq=False)
class ExactCover:
    """An instance with all its placements.

    Options are numbered from 0, by tile, then variant, then position; all arrays over options have shape (options,).
    """

    instance: Instance
    tiles: tuple[Tile, ...]  #: the distinct tiles, then the filler if there are optional cells
    cells: tuple[Cell, ...]  #: the cells of the board, sorted
    tile: Ints  #: the option's tile
    variant: Ints  #: its variant, a number into `variants[tile]`
    offset: Ints  #: shape (options, dimension): how far the variant is moved
    members: Csr  #: the cells each option covers, as numbers into `cells`
    lower: NDArray[np.int64]  #: shape (tiles,): how often a tile must be used
    upper: NDArray[np.int64]  #: shape (tiles,): how often a tile can be used, never more than fill the board
    bounded: NDArray[np.bool_]  #: shape (tiles,): whether these bounds can bind; others need no counter
    origin: Ints  #: the option's number in the unfiltered cover
    keeps: Keeps = Keeps.ALL
    is_whole: bool = True  #: whether these are all placements of the instance

    @classmethod
    def of(cls, instance: Instance, look: Look = unhurried) -> ExactCover:
        """List every placement: some 1e7 covered cells a second. InputError if there are more than `MAX_PLACEMENTS`.

        `look` is called at every cell of every variant, so that at most `MAX_BOX` placements are looked at in between.
        """
        tiles = instance.distinct_tiles + ((_FILLER,) if instance.optional else ())
        _refuse_too_many(instance, tiles)
        cells = _sorted(instance.board, look)
        look()
        grid = _Grid.of(cells)
        tile, variant, offset, sizes, covered = [], [], [], [], []
        for t, each in enumerate(tiles):
            for v, shape in enumerate(instance.variants(each)):
                where, members = grid.placements(shape, look)
                if each is _FILLER:
                    optional = np.fromiter(map(instance.optional.__contains__, cells), np.bool_, len(cells))[members[:, 0]]
                    where, members = where[optional], members[optional]
                tile.append(np.full(len(members), t, np.int32))
                variant.append(np.full(len(members), v, np.int32))
                offset.append(where)
                sizes.append(np.full(len(members), each.size, np.int64))
                covered.append(members.ravel())
        starts = np.concatenate([[0], np.cumsum(np.concatenate(sizes))]).astype(np.int64)
        lower, upper, bounded = _bounds(instance, tiles)
        cover = cls(
            instance,
            tiles,
            cells,
            np.concatenate(tile),
            np.concatenate(variant),
            np.concatenate(offset),
            Csr(starts, np.concatenate(covered)),
            lower,
            upper,
            bounded,
            np.arange(len(starts) - 1, dtype=np.int32),
        )
        return cover._constrained(look) if instance.constraints else cover

    def _constrained(self, look: Look) -> ExactCover:
        """The cover without what the instance's constraints rule out, numbered anew: nobody sees the others."""
        keep = np.ones(len(self), np.bool_)
        for each in self.instance.constraints:
            look()
            keep &= self._allowed(each)
        return replace(self.restrict(keep), origin=np.arange(int(keep.sum()), dtype=np.int32), is_whole=True)

    def _allowed(self, constraint: Constraint) -> NDArray[np.bool_]:
        """Shape (options,): whether a constraint leaves an option. See constraints.py for what the kinds mean."""
        others: NDArray[np.bool_] = self.tile != constraint.tile
        sizes = np.diff(self.members.starts)
        if constraint.kind == "lock":
            return np.asarray(others | (self.variant < constraint.orientations))
        if constraint.kind == "within":
            low, high = map(np.array, constraint.cells)
            inside = np.logical_and(self.where >= low, self.where <= high).all(axis=1)
            return np.asarray(others | (self._covering(np.asarray(inside)) == sizes))
        marked = np.zeros(len(self.cells), np.bool_)
        marked[[bisect_left(self.cells, cell) for cell in constraint.cells if cell in self.instance.board]] = True
        touched = self._covering(marked)
        if constraint.kind == "forbid":
            return np.asarray(others | (touched == 0))
        # Whatever else touches the cells of the placed copy would overlap it.
        placed = (touched == len(constraint.cells)) & (sizes == len(constraint.cells))
        return np.asarray((touched == 0) | (placed & ~others))

    def _covering(self, marked: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Shape (options,): how many of the cells marked, shape (cells,), each option covers."""
        before = np.concatenate([[0], np.cumsum(marked[self.members.values])])
        return np.asarray(before[self.members.starts[1:]] - before[self.members.starts[:-1]])

    def __len__(self) -> int:
        """The number of options."""
        return len(self.tile)

    @cached_property
    def variants(self) -> tuple[tuple[Shape, ...], ...]:
        """The variants of every tile."""
        return tuple(self.instance.variants(tile) for tile in self.tiles)

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """Shape (tiles,): the cells of a tile."""
        return np.array([tile.size for tile in self.tiles], np.int64)

    @cached_property
    def where(self) -> NDArray[np.int64]:
        """Shape (cells, dimension): the coordinates of the cells."""
        return _coordinates(self.cells)

    @cached_property
    def beside(self) -> NDArray[np.int64]:
        """Shape (cells, 4 or 6): the neighbours of each cell, least first, -1 where there is none."""
        low, high = self.where.min(0), self.where.max(0)
        # With a margin, so that a step never wraps round an edge; in ascending order, as the cells are.
        strides = np.cumprod([1, *(high - low + 3)[:0:-1]])[::-1]
        number = np.full(int((high - low + 3).prod()), -1, np.int64)
        code = (self.where - low + 1) @ strides
        number[code] = np.arange(len(code))
        return np.asarray(number[code[:, None] + np.sort(np.concatenate([strides, -strides]))])

    @cached_property
    def around(self) -> Csr:
        """The neighbours of each cell: those that share a side with it."""
        there = self.beside >= 0
        return Csr(np.concatenate([[0], np.cumsum(there.sum(1))]).astype(np.int64), self.beside[there].astype(np.int32))

    @cached_property
    def by_cell(self) -> Csr:
        """The options that cover each cell."""
        options = np.repeat(np.arange(len(self), dtype=np.int32), np.diff(self.members.starts))
        return _group(self.members.values, options, len(self.cells))

    @cached_property
    def by_tile(self) -> Csr:
        """The options of each tile."""
        return _group(self.tile, np.arange(len(self), dtype=np.int32), len(self.tiles))

    def option_maps(self, cell_maps: NDArray[np.int64], look: Look = unhurried) -> NDArray[np.int64]:
        """Where maps of the cells, shape (maps, cells), take the options: (maps, options), -1 where the image is no option."""
        images = np.empty((len(cell_maps), len(self)), np.int64)
        filler = np.array([tile is _FILLER for tile in self.tiles])[self.tile]
        sizes = np.diff(self.members.starts)
        # Options on the same cells are the same, but for the filler and a monomino.
        for size, is_filler in sorted(set(zip(sizes.tolist(), filler.tolist(), strict=True))):
            options = np.flatnonzero((sizes == size) & (filler == is_filler))
            cells = self.members.values[self.members.starts[options][:, None] + np.arange(size)].astype(np.int64)
            numbers = _RowNumbers(cells)
            for image, to in zip(images, cell_maps, strict=True):
                for first in range(0, len(options), _AT_ONCE):
                    look()
                    some = slice(first, first + _AT_ONCE)
                    found = numbers.of(np.sort(to[cells[some]], axis=1))
                    image[options[some]] = np.where(found >= 0, options[found], -1)
        return images

    def touching(self, option: int) -> NDArray[np.bool_]:
        """Shape (options,): those that share a cell with an option, itself among them."""
        taken = np.zeros(len(self.cells), np.bool_)
        taken[self.members[option]] = True
        return np.logical_or.reduceat(taken[self.members.values], self.members.starts[:-1])

    def restrict(self, keep: NDArray[np.bool_], keeps: Keeps | None = None) -> ExactCover:
        """The cover with only the options marked in `keep` (shape (options,)), renumbered; `origin` leads back."""
        sizes = np.diff(self.members.starts)
        return replace(
            self,
            tile=self.tile[keep],
            variant=self.variant[keep],
            offset=self.offset[keep],
            members=Csr(
                np.concatenate([[0], np.cumsum(sizes[keep])]).astype(np.int64), self.members.values[np.repeat(keep, sizes)]
            ),
            origin=self.origin[keep],
            keeps=keeps or self.keeps,
            is_whole=self.is_whole and bool(keep.all()),
        )

    def placements(self, options: Iterable[int]) -> tuple[Placement, ...]:
        """What a set of this cover's options puts on the board, by tile and position; the filler is left out."""
        shown = np.sort(np.fromiter(options, np.int64))
        names = [tile.name for tile in self.tiles]
        starts, ends = self.members.starts[shown], self.members.starts[shown + 1]
        if self.tiles[-1] is _FILLER:
            ends = np.where(self.tile[shown] == len(self.tiles) - 1, starts, ends)
        sizes = ends - starts
        first = np.cumsum(sizes) - sizes
        covered = self.members.values[np.arange(int(sizes.sum())) + np.repeat(starts - first, sizes)].tolist()
        cells = list(map(self.cells.__getitem__, covered))
        return tuple(
            Placement(names[tile], frozenset(cells[at : at + size]))
            for tile, at, size in zip(self.tile[shown].tolist(), first.tolist(), sizes.tolist(), strict=True)
            if size
        )

    def refusal(self) -> str | None:
        """Why there can be no tiling, where that needs no search: no sum of tiles has the board's area, a cell that no placement
        covers, or a tile that must be used more often than it has placements. None if nothing of the kind is seen."""
        area = len(self.cells)
        if not _reachable(area, self.sizes.tolist(), self.lower.tolist(), self.upper.tolist()):
            return f"area: no choice of tiles within their bounds covers {self._area_in_words()}"
        count = np.bincount(self.members.values, minlength=area)
        if not count.all():
            bare = [self.cells[cell] for cell in np.flatnonzero(count == 0)]
            shown = ", ".join(str(cell) for cell in bare[:3]) + (", ..." if len(bare) > 3 else "")
            return f"cell: no placement covers {shown}"
        placements = np.bincount(self.tile, minlength=len(self.tiles))
        for t in np.flatnonzero(placements < self.lower):
            name, needed = self.tiles[t].name, self.lower[t]
            return f"tile: {name} must be used {needed} times but has {placements[t]} placements"
        return None

    def _area_in_words(self) -> str:
        area, optional = len(self.cells), len(self.instance.optional)
        return f"{area - optional} to {area} cells" if optional else f"exactly {area} cells"


@dataclass(frozen=True)
class _Grid:
    """The board as a flat array of cell numbers (-1: none), with a margin so that a tile never wraps round an edge."""

    strides: NDArray[np.int64]
    base: NDArray[np.int64]  # position of each cell in `number`
    number: Ints
    cells: Ints  # shape (cells, dimension)
    sides: tuple[int, ...]

    @classmethod
    def of(cls, cells: tuple[Cell, ...]) -> _Grid:
        where = _coordinates(cells)
        low, high = where.min(0), where.max(0)
        sides = high - low + 1
        # A variant reaches less than `sides` beyond its first cell along each axis, in either direction but the first: the margin
        # before a row is also the one behind the row before.
        padded = 2 * sides
        strides = np.concatenate([np.cumprod(padded[::-1])[::-1][1:], [1]]).astype(np.int64)
        shift = sides.copy()
        shift[0] = 0
        base = (where - low + shift) @ strides
        number = np.full(int(padded.prod()), -1, np.int32)
        number[base] = np.arange(len(cells), dtype=np.int32)
        return cls(strides, base, number, where.astype(np.int32), tuple(sides.tolist()))

    def placements(self, shape: Shape, look: Look) -> tuple[Ints, Ints]:
        """Every offset at which a shape lies on the board, shape (n, dimension), and the cells covered there, shape (n, size)."""
        _, high = box(shape)
        form = np.array(sorted(shape), np.int64)
        if any(b >= side for b, side in zip(high, self.sides, strict=True)):
            return np.empty((0, form.shape[1]), np.int32), np.empty((0, len(form)), np.int32)
        # Anchored at its first cell; every other cell narrows down where it can lie.
        first = self.base
        alive = np.arange(len(first))
        steps = (form - form[0]) @ self.strides
        for step in steps[1:]:
            look()
            alive = alive[self.number[first[alive] + step] >= 0]
        first = first[alive]
        members = np.empty((len(alive), len(steps)), np.int32)
        for column, step in enumerate(steps):
            look()
            members[:, column] = self.number[first + step]
        return (self.cells[alive] - form[0]).astype(np.int32), members


class _RowNumbers:
    """Finds the number of a row among many, all different: `rows` has shape (rows, width), cells in ascending order."""

    def __init__(self, rows: NDArray[np.int64]) -> None:
        self._rows = rows
        # Any odd factors will do, as equal keys are told apart; these spread the keys.
        self._factors = np.cumprod(np.full(rows.shape[1], 0x9E3779B97F4A7C15, np.uint64))
        keys = self._keys(rows)
        self._order = np.argsort(keys, kind="stable")
        self._sorted = keys[self._order]

    def _keys(self, rows: NDArray[np.int64]) -> NDArray[np.uint64]:
        """A number for each row, ordered by the first cell first: rows beside each other are looked for beside each other."""
        mixed = (rows.astype(np.uint64) * self._factors).sum(1, dtype=np.uint64)
        return np.asarray(rows[:, 0].astype(np.uint64) << np.uint64(40) | mixed >> np.uint64(24))

    def of(self, wanted: NDArray[np.int64]) -> NDArray[np.int64]:
        """Shape (wanted,): the numbers of some rows, -1 for those that are not among them."""
        keys = self._keys(wanted)
        at = np.searchsorted(self._sorted, keys)
        found = np.full(len(wanted), -1, np.int64)
        todo = np.arange(len(wanted))
        while len(todo):
            todo = todo[at[todo] < len(self._sorted)]
            todo = todo[self._sorted[at[todo]] == keys[todo]]
            number = self._order[at[todo]]
            same = (self._rows[number] == wanted[todo]).all(1)
            found[todo[same]] = number[same]
            todo = todo[~same]
            at[todo] += 1
        return found


def _sorted(board: Shape, look: Look) -> tuple[Cell, ...]:
    """The cells of a board in ascending order; faster than comparing tuples."""
    look()
    cells = list(board)
    where = _coordinates(cells)
    look()
    order = np.lexsort(where.T[::-1])
    look()
    return tuple(map(cells.__getitem__, order.tolist()))


def _coordinates(cells: Sequence[Cell]) -> NDArray[np.int64]:
    """Shape (cells, dimension)."""
    dimension = len(cells[0])
    return np.fromiter(chain.from_iterable(cells), np.int64, dimension * len(cells)).reshape(-1, dimension)


def _group(keys: Ints, values: Ints, groups: int) -> Csr:
    """The values by key, in their order."""
    starts = np.concatenate([[0], np.cumsum(np.bincount(keys, minlength=groups))]).astype(np.int64)
    return Csr(starts, values[np.argsort(keys, kind="stable")])


def _bounds(instance: Instance, tiles: tuple[Tile, ...]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
    """lower, upper and bounded of every tile, as tight as the area makes them.

    If the others, all used as often as they can, leave cells over, a tile with a bound must fill them: so where the areas of
    limited tiles add up to the board's, every copy has to be used.
    """
    area = len(instance.board)
    sizes = [tile.size for tile in tiles]
    fills = [area // size if tile is not _FILLER else len(instance.optional) for tile, size in zip(tiles, sizes, strict=True)]
    upper = [full if tile.at_most is None else min(full, tile.at_most) for tile, full in zip(tiles, fills, strict=True)]
    limited = [most < full for most, full in zip(upper, fills, strict=True)]
    total = sum(most * size for most, size in zip(upper, sizes, strict=True))
    lower = []
    for tile, most, size, is_limited in zip(tiles, upper, sizes, limited, strict=True):
        left_by_others = area - (total - most * size)
        lower.append(max(tile.at_least, -(-left_by_others // size) if is_limited else 0))
    bounded = [least > 0 or is_limited for least, is_limited in zip(lower, limited, strict=True)]
    return np.array(lower, np.int64), np.array(upper, np.int64), np.array(bounded, np.bool_)


def _reachable(area: int, sizes: list[int], lower: list[int], upper: list[int]) -> bool:
    """Whether some numbers of copies within the bounds have this area: subset sums as bits of one integer."""
    if any(least > most for least, most in zip(lower, upper, strict=True)):
        return False
    rest = area - sum(least * size for least, size in zip(lower, sizes, strict=True))
    if rest < 0:
        return False
    more = [most - least for least, most in zip(lower, upper, strict=True)]
    return bool(subset_sums(sizes, more, rest) >> rest & 1)


def subset_sums(sizes: Sequence[int], copies: Sequence[int], most: int) -> int:
    """The sums up to `most` of at most so many copies of each size, as bits of one integer.

    >>> bin(subset_sums([3, 2], [1, 2], 8))
    '0b10111101'
    """
    window, sums = (1 << (most + 1)) - 1, 1
    for size, number in zip(sizes, copies, strict=True):
        left, step = number, 1
        while left > 0:
            taken = min(step, left)
            sums |= (sums << (taken * size)) & window
            left, step = left - taken, 2 * step
    return sums


def _refuse_too_many(instance: Instance, tiles: tuple[Tile, ...]) -> None:
    cells = len(instance.board)
    counts = [(len(instance.variants(tile)), tile.size) for tile in tiles if tile.size <= cells]
    placements = cells * sum(count for count, _ in counts)
    entries = cells * sum(count * size for count, size in counts)
    if placements > MAX_PLACEMENTS or entries > MAX_ENTRIES:
        raise InputError(
            f"too large: {cells:,} cells and {len(tiles)} tiles may have {placements:,} placements with {entries:,} cells; "
            f"the limits are {MAX_PLACEMENTS:,} and {MAX_ENTRIES:,}"
        )
