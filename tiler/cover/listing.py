"""List placements: every position at which every variant of every tile lies on a board, by vectors of the board's cells. Where
tiles must not cross, list the corners that they go across too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tiler import portable
from tiler.cover.coloured_items import ColouredItems
from tiler.cover.csr import Csr, Ints, RowNumbers
from tiler.cover.paint_constraints import BoardPaint
from tiler.errors import InputError
from tiler.model.cell_numbers import CellFinder, CellNumbers, coordinates
from tiler.model.crossing import FINER, Corner, crossed
from tiler.model.instance import Instance
from tiler.model.lattice import Cell, Lattice, Shape
from tiler.model.paint import BLANK, Form
from tiler.model.tile import Tile
from tiler.process.cancellation import StopCheck, never_stop

#: The most placements, and cells covered by placements, that a cover may list.
MAX_PLACEMENTS = 20_000_000
MAX_ENTRIES = 100_000_000

_AT_ONCE = 1 << 16  # places of shapes, or cells, that are looked at together

#: The tiles that cover optional cells (one for each group of them), and corners, which stay open.
FILLER = Tile("", frozenset({(0, 0)}))
CORNER_FILLER = Tile("", frozenset({(0, 1)}))


class PlacementList(NamedTuple):
    """Placements by tile, then variant, then position; see `BoardCover` for the arrays."""

    tile: Ints
    variant: Ints
    offset: Ints
    members: Csr
    coloured: ColouredItems | None  #: sides that have marks


def placements(
    instance: Instance,
    tiles: Sequence[Tile],
    cells: tuple[Cell, ...],
    corners: Sequence[Corner],
    check_stop: StopCheck = never_stop,
) -> PlacementList:
    """List where the tiles lie on the sorted cells of the instance's board, and which of the corners they go across; corners have
    numbers after the cells. The fillers lie only on optional cells and on corners.

    `check_stop` is called at every cell of every variant; on a small board at several together, so that at most `_AT_ONCE`
    placements are looked at in between, or as many as there are cells. InputError if there are more than `MAX_PLACEMENTS`.
    """
    _refuse_too_many(instance, tiles)
    positions = _Wrapped.of(instance, cells) if instance.wrap else _Positions.of(instance.lattice, cells)
    across = _Corners.of(instance.lattice, cells, corners) if corners else None
    board_paint = BoardPaint.of(instance, cells) if instance.is_painted else None
    tile, variant, offset, covered, given = [], [], [], [], []
    ways = [forms(instance, kind) for kind in tiles]
    alike: dict[int, list[Shape]] = {}  # by size
    for shape, _ in chain.from_iterable(ways):
        alike.setdefault(len(shape), []).append(shape)
    listed = {size: positions.placements(shapes, check_stop) for size, shapes in alike.items()}
    for t, kind in enumerate(tiles):
        seen: set[bytes] = set()
        for v, (shape, coat) in enumerate(ways[t]):
            where, members = next(listed[len(shape)])
            if kind is CORNER_FILLER:
                members = np.arange(len(cells), len(cells) + len(corners), dtype=np.int32)[:, None]
                where = np.zeros((len(members), instance.dimension), np.int32)
            elif across:
                members = np.hstack([members, across.covered(shape, where)])
            if kind is FILLER:
                some, _, _ = instance.openings[t - len(instance.distinct_tiles)]
                optional = np.fromiter(map(some.__contains__, cells), np.bool_, len(cells))[members[:, 0]]
                where, members = where[optional], members[optional]
            if board_paint:
                check_stop()
                on_sides = board_paint.given(coat, where)
                accepted = board_paint.accepted(coat, where, on_sides)
                where, members = where[accepted], members[accepted]
                given.append(on_sides.only(accepted))
            if instance.wrap:
                new = _new_rows(np.hstack([members, board_paint.traits(coat, where)]) if board_paint else members, seen)
                where, members = where[new], members[new]
                if board_paint:
                    given[-1] = given[-1].only(new)
            tile.append(t)
            variant.append(v)
            offset.append(where)
            covered.append(members)
    numbers = list(map(len, covered))
    tile_of, variant_of, sizes = (
        portable.repeat(np.array(each, np.int32), numbers) for each in (tile, variant, [some.shape[1] for some in covered])
    )
    members_of = Csr(portable.starts_of(sizes), np.concatenate([some.ravel() for some in covered]))
    coloured = board_paint.coloured(given) if board_paint else None
    return PlacementList(tile_of, variant_of, np.concatenate(offset), members_of, coloured)


def forms(instance: Instance, tile: Tile) -> tuple[Form, ...]:
    """The variants of a tile with their coats. A filler covers one cell of any kind, so it has one form for each kind of cell; a
    filler of corners has one form."""
    if tile is CORNER_FILLER:
        return ((tile.shape, BLANK),)
    if tile is FILLER:
        return tuple((frozenset({cell}), BLANK) for cell in sorted(instance.lattice.residues))
    return tuple(zip(instance.variants(tile), instance.coats(tile), strict=True))


@dataclass(frozen=True)
class _Positions:
    """The cells of a board, and their numbers with a margin so that a tile never wraps round an edge."""

    grid: CellNumbers
    base: NDArray[np.int64]  #: the number of each cell
    cell: NDArray[np.int32]  #: for each number, the cell; -1 for none
    where: Ints  #: shape (cells, dimension)
    spans: NDArray[np.int64]  #: how far the board reaches along each axis

    @classmethod
    def of(cls, lattice: Lattice, cells: tuple[Cell, ...]) -> _Positions:
        where = coordinates(cells)
        spans = where.max(0) - where.min(0)
        # A variant extends fewer units than the board from its first cell along each axis, in either direction; one unit more if
        # it may begin in the middle of a unit.
        more = [1 if m == 1 else 2 for m in lattice.moduli]
        grid = CellNumbers.of(lattice, where, (spans // lattice.moduli + more).tolist())
        return cls(grid, grid.number(where), grid.index(where), where.astype(np.int32), spans)

    def placements(self, shapes: Sequence[Shape], check_stop: StopCheck) -> Iterator[tuple[Ints, Ints]]:
        """For each of some shapes of one size: every offset at which it lies on the board, shape (n, dimension), and the cells
        covered there, shape (n, size)."""
        cells = coordinates(list(chain.from_iterable(shapes))).reshape(len(shapes), len(shapes[0]), -1)
        at_once = max(1, _AT_ONCE // len(self.base))
        for first in range(0, len(cells), at_once):
            yield from self._of_some(cells[first : first + at_once], check_stop)

    def _of_some(self, shapes: NDArray[np.int64], check_stop: StopCheck) -> Iterator[tuple[Ints, Ints]]:
        """The same for shapes that are looked at together, shape (shapes, size, dimension)."""
        fits = (shapes.max(1) - shapes.min(1) <= self.spans).all(1, keepdims=True)
        ascending = portable.lexsort(shapes.transpose(2, 0, 1)[::-1])
        shapes = shapes[portable.arange(len(shapes))[:, None], ascending]
        numbers = self.grid.number(shapes.reshape(-1, shapes.shape[2])).reshape(shapes.shape[:2])
        steps = np.where(fits, numbers - numbers[:, :1], 0).T
        # The first cell of a shape can lie on all cells of its kind; every other cell, the last one first, narrows down where it
        # can lie: then some cells together, more each time, as fewer pairs of a shape and a cell are left.
        check_stop()
        there = fits & (self.cell[self.base + steps[-1][:, None]] >= 0)
        if self.grid.lattice.kinds > 1:
            there &= (self.base - numbers[:, :1]) % self.grid.lattice.kinds == 0
        pair = portable.flatnonzero(there)
        base, starts = np.tile(self.base, len(shapes)), portable.arange(len(shapes) + 1) * len(self.base)

        def found(columns: slice) -> Ints:
            """The cells on which some cells of the shapes lie, shape (cells, pairs)."""
            check_stop()
            step = steps[columns] if len(shapes) == 1 else portable.repeat(steps[columns], np.diff(ends()), axis=1)
            return self.cell[base[pair] + step]

        def ends() -> NDArray[np.intp]:
            """Where the pairs of each shape begin, and the end."""
            return np.searchsorted(pair, starts)

        columns = slice(1, 2)
        while columns.start < len(steps) - 1:
            pair = pair[(found(columns) >= 0).all(0)]
            columns = slice(columns.stop, columns.stop + min(2 * columns.stop, _columns_of(len(pair))))
        members = np.empty((len(pair), len(steps)), np.int32)
        for first in range(0, len(steps), _columns_of(len(pair))):
            columns = slice(first, first + _columns_of(len(pair)))
            members[:, columns] = found(columns).T
        limits = ends()
        at, corner = (portable.repeat(of, np.diff(limits), axis=0) for of in (starts[:-1], shapes[:, 0]))
        where = (self.where[pair - at] - corner).astype(np.int32)
        return ((where[a:b], members[a:b]) for a, b in pairwise(limits.tolist()))


def _columns_of(rows: int) -> int:
    """How many columns of a table with this number of rows are made at once."""
    return max(1, _AT_ONCE // max(1, rows))


@dataclass(frozen=True)
class _Wrapped:
    """The cells of a wrapped board."""

    finder: CellFinder
    where: NDArray[np.int64]  #: shape (cells, dimension)

    @classmethod
    def of(cls, instance: Instance, cells: tuple[Cell, ...]) -> _Wrapped:
        where = coordinates(cells)
        return cls(CellFinder.of(instance.lattice, instance.wrap, where), where)

    def placements(self, shapes: Sequence[Shape], check_stop: StopCheck) -> Iterator[tuple[Ints, Ints]]:
        """The positions as in `_Positions.placements`; but a shape may lie across a seam, and must not overlap itself. The cells
        covered are in ascending order."""
        return (self._of_one(shape, check_stop) for shape in shapes)

    def _of_one(self, shape: Shape, check_stop: StopCheck) -> tuple[Ints, Ints]:
        form = coordinates(sorted(shape))
        moduli = self.finder.grid.lattice.moduli
        offset = self.where - form[0]
        alive = np.flatnonzero((offset % moduli == 0).all(1))
        columns: list[Ints] = []
        for cell in form:
            check_stop()
            found = self.finder.find(offset[alive] + cell)
            there = found >= 0
            alive, columns = alive[there], [*(column[there] for column in columns), found[there]]
        members = np.sort(np.stack(columns, axis=1), axis=1)
        whole = (members[:, 1:] != members[:, :-1]).all(1)
        return offset[alive][whole].astype(np.int32), members[whole]


@dataclass(frozen=True)
class _Corners:
    """The corners of a board by number."""

    lattice: Lattice
    numbers: RowNumbers
    cells: int  #: the number of cells, which have the numbers before the corners

    @classmethod
    def of(cls, lattice: Lattice, cells: Sequence[Cell], corners: Sequence[Corner]) -> _Corners:
        return cls(lattice, RowNumbers(_fine(corners)), len(cells))

    def covered(self, shape: Shape, where: Ints) -> Ints:
        """The corners that a shape goes across at each offset, shape (offsets, corners)."""
        fine = [_fine([corner]) + FINER * where for corner in crossed(self.lattice, shape)]
        columns = [(self.numbers.find(points) + self.cells).astype(np.int32) for points in fine]
        return np.stack(columns, axis=1) if columns else np.empty((len(where), 0), np.int32)


def _fine(corners: Sequence[Corner]) -> NDArray[np.int64]:
    return np.array([corner.fine for corner in corners], np.int64)


def _new_rows(members: Ints, seen: set[bytes]) -> list[int]:
    """The numbers of the rows, shape (placements, cells), that were not seen before; now they are. Across a seam, two variants or
    two positions of a tile may cover the same cells."""
    new_rows = []
    for number, row in enumerate(members):
        key = row.tobytes()
        if key not in seen:
            seen.add(key)
            new_rows.append(number)
    return new_rows


def in_order(board: Shape, check_stop: StopCheck) -> tuple[Cell, ...]:
    """The cells of a board in ascending order; faster than comparing tuples."""
    check_stop()
    cells = list(board)
    where = coordinates(cells)
    check_stop()
    low, high = where.min(0), where.max(0) + 1
    if int((high - low).prod()) == len(cells):
        return tuple(product(*map(range, low.tolist(), high.tolist())))
    order = np.lexsort(where.T[::-1])
    check_stop()
    return tuple(map(cells.__getitem__, order.tolist()))


def _refuse_too_many(instance: Instance, tiles: Sequence[Tile]) -> None:
    cells = len(instance.board)
    counts = [(len(forms(instance, tile)), tile.size) for tile in tiles if tile.size <= cells]
    placements = cells * sum(count for count, _ in counts)
    entries = cells * sum(count * size for count, size in counts)
    if placements > MAX_PLACEMENTS or entries > MAX_ENTRIES:
        raise InputError(
            f"too large: {cells:,} cells and {len(tiles)} tiles may have {placements:,} placements with {entries:,} cells; "
            f"the limits are {MAX_PLACEMENTS:,} and {MAX_ENTRIES:,}"
        )
