"""Make the exact cover of an instance: every placement of every tile on its board, with the cells of each."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import repeat
from typing import Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from tiler import portable
from tiler.cover import listing
from tiler.cover.bounds import Bounds
from tiler.cover.cover import Cover, SolutionsKept
from tiler.cover.csr import Csr, Ints
from tiler.cover.items import ItemKind
from tiler.cover.paint_constraints import BoardPaint
from tiler.errors import BadOption, InputError
from tiler.model import crossing
from tiler.model.cell_numbers import CellFinder, CellNumbers, coordinates
from tiler.model.constraints import Constraint, placements_left
from tiler.model.crossing import FINER, Corner
from tiler.model.instance import NO_TILE, Instance
from tiler.model.lattice import Cell, Lattice, Shape
from tiler.model.paint import BLANK, Coat
from tiler.model.tile import Placement, Tile
from tiler.process.cancellation import StopCheck, never_stop
from tiler.process.memory import without_collector
from tiler.question.certificate import Certificate, Proof

_REMEMBERED = 1 << 19  # the most placements that a cover remembers

#: Properties derived from a cover that do not depend on its placements.
_OF_THE_BOARD = frozenset({"cells", "corners", "where", "numbers", "beside", "neighbours", "tiles_are_connected"})


@dataclass(frozen=True, eq=False, kw_only=True)
class BoardCover(Cover):
    """An instance with all its placements: options are placements, items the cells of the board, sorted, and after them the
    corners in which tiles must not cross, if there are any. An option's cells come before its corners.

    Options are numbered by tile, then variant, then position. Where a backend asks for a `BoardCover` it uses the geometry; all
    others do with a `Cover`.
    """

    instance: Instance
    tiles: tuple[Tile, ...]  #: the distinct tiles, then the fillers of optional cells, and of corners, if there are any
    variant: Ints  #: the option's variant, a number into `variants[tile]`
    offset: Ints  #: shape (options, dimension): how far the variant is moved
    _words: ClassVar[tuple[str, ...]] = "pieces", "cell", "the board", "placement"

    @classmethod
    def of(cls, instance: Instance, check_stop: StopCheck = never_stop) -> BoardCover:
        """List every placement: some 1e7 covered cells a second. InputError if there are more than `listing.MAX_PLACEMENTS`, or
        no tiles."""
        if not instance.tiles:
            raise InputError(NO_TILE)
        cells = listing.in_order(instance.board, check_stop)
        corners = [] if instance.crossing else crossing.crossed(instance.lattice, instance.board)
        optional, crossed = (listing.FILLER,) * len(instance.openings), (listing.CORNER_FILLER,) * bool(corners)
        tiles = instance.distinct_tiles + optional + crossed
        check_stop()
        listed = listing.placements(instance, tiles, cells, corners, check_stop)
        bounds, areas = _bounds(instance, len(cells))
        across = np.zeros(len(tiles), np.int64)
        if corners:
            across[: len(instance.distinct_tiles)] = [
                len(crossing.crossed(instance.lattice, tile.shape)) for tile in instance.distinct_tiles
            ]
            across[-1] = 1
            fewest, most = (max(0, len(corners) - int(copies @ across[:-1])) for copies in (bounds.upper, bounds.lower))
            bounds, areas = bounds.with_filler(fewest, most), [*areas, 0]
        cover = cls(
            instance=instance,
            tiles=tiles,
            items=(*cells, *corners),
            names=tuple(tile.name for tile in tiles),
            tile=listed.tile,
            variant=listed.variant,
            offset=listed.offset,
            members=listed.members,
            sizes=np.array(areas, np.int64) + across,
            bounds=bounds,
            weights=np.array([tile.weight for tile in tiles], np.int64),
            fillers=tuple(range(len(instance.distinct_tiles), len(tiles))),
            origin=np.arange(len(listed.tile), dtype=np.int32),
            coloured=listed.coloured,
        )
        return cover._constrained(check_stop) if instance.constraints else cover

    def _constrained(self, check_stop: StopCheck) -> BoardCover:
        """The cover without the placements that the instance's constraints rule out. The others get new numbers: no caller ever
        sees the placements ruled out."""
        keep = np.ones(len(self), np.bool_)
        for constraint in self.instance.constraints:
            check_stop()
            keep &= self.allowed(constraint)
        return replace(self.restrict(keep), origin=np.arange(int(keep.sum()), dtype=np.int32), is_whole=True)

    def allowed(self, constraint: Constraint) -> NDArray[np.bool_]:
        """Shape (options,): whether a constraint leaves an option. See constraints.py for what the kinds mean."""
        others: NDArray[np.bool_] = self.tile != self.instance.number_of(constraint.tile)
        if constraint.kind == "lock":
            return np.asarray(others | (self.variant < constraint.orientations))
        area = self.areas[self.tile]
        if constraint.kind == "within":
            low, high = map(np.array, constraint.cells)
            where = coordinates(self.cells)
            inside = np.asarray(np.logical_and(where >= low, where <= high).all(axis=1))
            return np.asarray(others | (self._covering(inside) == area))
        if constraint.kind == "only":
            return self._left(constraint, others)
        marked = np.zeros(len(self.cells), np.bool_)
        marked[[bisect_left(self.cells, cell) for cell in constraint.cells if cell in self.instance.board]] = True
        touched = self._covering(marked)
        if constraint.kind == "forbid":
            return np.asarray(others | (touched == 0))
        # Any other placement that touches the cells of the placed copy would overlap it.
        placed = (touched == len(constraint.cells)) & (area == len(constraint.cells))
        if constraint.orientations:
            placed &= self.variant == constraint.orientations - 1
        return np.asarray((touched == 0) | (placed & ~others))

    def _left(self, constraint: Constraint, others: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Marks, shape (options,), of the options that a constraint `only` leaves; `others` marks the options of other tiles."""
        size = self.tiles[self.instance.number_of(constraint.tile)].size
        left = {
            tuple(sorted(bisect_left(self.cells, cell) for cell in placement)) for placement in placements_left(constraint, size)
        }
        allowed = others.copy()
        for option in np.flatnonzero(~others).tolist():
            allowed[option] = tuple(sorted(self.members[option][:size].tolist())) in left
        return allowed

    def _covering(self, marked: NDArray[np.bool_]) -> NDArray[np.int64]:
        """The number of marked cells that each option covers, shape (options,); the marks have shape (cells,)."""
        there = np.append(marked, np.zeros(len(self.items) - len(marked), np.bool_))
        return np.diff(portable.starts_of(there[self.members.values])[self.members.starts])

    def certificate(self, proof: Proof) -> Certificate | None:
        """A proof about this cover as a certificate that the instance has no tiling. None if placements of the instance were left
        out: then the proof says nothing about the instance."""
        return Certificate(self.instance.digest, proof, self.instance.name) if self.is_whole else None

    @property
    def lattice(self) -> Lattice:
        """The lattice of the board."""
        return self.instance.lattice

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """The items that are cells: the first ones."""
        return cast("tuple[Cell, ...]", self.items[: len(self.instance.board)])

    @cached_property
    def corners(self) -> tuple[Corner, ...]:
        """The items that are corners: those after the cells."""
        return cast("tuple[Corner, ...]", self.items[len(self.instance.board) :])

    @cached_property
    def kinds(self) -> frozenset[ItemKind]:
        return frozenset({ItemKind.CELL, ItemKind.CORNER} if self.corners else {ItemKind.CELL})

    def kind_of(self, item: int) -> ItemKind:
        return ItemKind.CELL if item < len(self.cells) else ItemKind.CORNER

    def called(self, item: int) -> str:
        """An item in words: `2,3` for a cell, `corner 2,3` for a corner."""
        return ",".join(map(str, self.cells[item])) if item < len(self.cells) else str(self.items[item])

    def cells_of(self, option: int) -> list[int]:
        """The numbers of the cells that an option covers."""
        return list(self.members[option][: self.areas[self.tile[option]]].tolist())

    @cached_property
    def areas(self) -> NDArray[np.int64]:
        return np.array([0 if tile is listing.CORNER_FILLER else tile.size for tile in self.tiles], np.int64)

    @property
    def area(self) -> int:
        return len(self.cells)

    @cached_property
    def variants(self) -> tuple[tuple[Shape, ...], ...]:
        """The variants of every tile."""
        return tuple(tuple(shape for shape, _ in listing.forms(self.instance, tile)) for tile in self.tiles)

    @cached_property
    def coats(self) -> tuple[tuple[Coat, ...], ...]:
        """The visible paint of every variant of every tile."""
        return tuple(tuple(coat for _, coat in listing.forms(self.instance, tile)) for tile in self.tiles)

    @cached_property
    def board_paint(self) -> BoardPaint:
        """The board with the demands that it makes on painted tiles."""
        return BoardPaint.of(self.instance, self.cells)

    @cached_property
    def traits(self) -> tuple[NDArray[np.int64], Csr]:
        """All traits of options (see `BoardPaint.traits`), ascending, and for each option its own, as numbers into these."""
        rows: list[list[int]] = [[] for _ in range(len(self))]
        for t, coats in enumerate(self.coats):
            for v, coat in enumerate(coats):
                options = np.flatnonzero((self.tile == t) & (self.variant == v))
                traits = self.board_paint.traits(coat, self.offset[options]).tolist()
                for option, row in zip(options.tolist(), traits, strict=True):
                    rows[option] = row
        every, numbers = np.unique(np.array([trait for row in rows for trait in row], np.int64), return_inverse=True)
        return every, Csr(portable.starts_of([len(row) for row in rows]), numbers.astype(np.int32))

    @cached_property
    def where(self) -> NDArray[np.int64]:
        """Shape (items, dimension): the coordinates of the items; where there are corners, `FINER` times as fine as cells have
        them."""
        cells = coordinates(self.cells)
        return np.vstack([FINER * cells, [corner.fine for corner in self.corners]]) if self.corners else cells

    @cached_property
    def numbers(self) -> NDArray[np.int64]:
        """Shape (items,): the numbers of the cells in a grid, so that neighbours are some fixed numbers apart; where there are
        corners, those of the items."""
        return portable.arange(len(self.items)) if self.corners else CellNumbers.of(self.lattice, self.where).number(self.where)

    @cached_property
    def beside(self) -> NDArray[np.int64]:
        """Shape (items, most neighbours of an item): the neighbours of each item as numbers of items, in ascending order; -1
        where there is none."""
        if self.instance.wrap:
            return self._beside_across_seams()
        return self._beside_with_corners() if self.corners else self._beside_cells()

    def _beside_cells(self) -> NDArray[np.int64]:
        where = coordinates(self.cells)
        grid = CellNumbers.of(self.lattice, where, self.lattice.reach)
        number, cell = grid.number(where), grid.index(where)
        steps = grid.steps()
        beside = np.full((len(number), max(map(len, steps))), -1, np.int64)
        for kind, ways in enumerate(steps):
            mine = np.flatnonzero(number % len(steps) == kind) if len(steps) > 1 else portable.arange(len(number))
            beside[mine, : len(ways)] = cell[number[mine, None] + ways]
        return beside

    def _beside_with_corners(self) -> NDArray[np.int64]:
        around = [[other for other in row if other >= 0] for row in self._beside_cells().tolist()]
        for corner, others in enumerate(crossing.beside(self.lattice, self.cells, self.corners), len(self.cells)):
            around.append(others)
            for other in others:
                if other < len(self.cells):
                    around[other].append(corner)
        return Csr.from_lists(around).padded()

    def _beside_across_seams(self) -> NDArray[np.int64]:
        """The neighbours of each item on a wrapped board. On a narrow board, a cell may touch another on two sides, or touch
        itself."""
        finder = CellFinder.of(self.lattice, self.instance.wrap, self.where)
        kinds = finder.grid.number(finder.wrap.array(self.where)) % self.lattice.kinds
        beside = np.full((len(self.where), max(map(len, self.lattice.differences))), -1, np.int64)
        for kind, ways in enumerate(self.lattice.differences):
            mine = np.flatnonzero(kinds == kind)
            for column, way in enumerate(ways):
                beside[mine, column] = finder.find(self.where[mine] + way)
        beside[beside == portable.arange(len(beside))[:, None]] = -1
        beside.sort(axis=1)
        beside[:, 1:][beside[:, 1:] == beside[:, :-1]] = -1
        return beside

    @cached_property
    def neighbours(self) -> Csr:
        """The neighbours of each item, as numbers of items."""
        there = self.beside >= 0
        return Csr(portable.starts_of(there.sum(1)), self.beside[there].astype(np.int32))

    @cached_property
    def parts(self) -> int:
        """The number of connected parts of the board."""
        if not self.instance.wrap:
            return 1 if self.lattice.is_connected(self.instance.board) else len(self.lattice.components(self.instance.board))
        around, left, parts = self.neighbours.lists(), set(range(len(self.cells))), 0
        while left:
            parts += 1
            reached = [left.pop()]
            for cell in reached:
                new = left.intersection(around[cell])
                left -= new
                reached += new
        return parts

    @cached_property
    def has_twins(self) -> bool:
        """Whether some tile can lie on the same cells in several ways that show different colours or marks."""
        if not self.instance.is_painted:
            return False
        lying = {(tile, *sorted(members)) for tile, members in zip(self.tile.tolist(), self.members.lists(), strict=True)}
        return len(lying) < len(self)

    @cached_property
    def tiles_are_connected(self) -> bool:
        """Whether each tile lies in one region of open cells, wherever it is placed."""
        return all(tile.is_connected for tile in self.tiles)

    @cached_property
    def white(self) -> NDArray[np.int64]:
        """Shape (items,): 1 or -1, by the colour of the checkerboard; 0 where there is none: on the lattice, across a seam, in a
        corner."""
        if self.corners or not all(self.lattice.keeps_colours(vector) for vector in self.instance.wrap.vectors):
            return np.zeros(len(self.items), np.int64)
        return CellNumbers.of(self.lattice, self.where).colours(self.where)

    def restrict(self, keep: NDArray[np.bool_], keeps: SolutionsKept | None = None) -> BoardCover:
        """The cover with only the placements marked in `keep` (shape (options,)), renumbered; `origin` leads back."""
        part = replace(self, **self._restricted(keep, keeps), variant=self.variant[keep], offset=self.offset[keep])
        # Facts about the board and the tiles are still true.
        vars(part).update({name: known for name, known in vars(self).items() if name in _OF_THE_BOARD})
        return part

    def placements(self, options: Iterable[int]) -> tuple[Placement, ...]:
        """What a set of options puts on the board, by tile and position; the filler is left out. Placements are made once."""
        shown, made = self.shown(options), self._made
        new = [option for option in shown.tolist() if option not in made]
        if len(made) + len(new) > _REMEMBERED:
            return self._placements(shown)
        made.update(zip(new, self._placements(np.array(new, np.int64)), strict=True))
        return tuple(map(made.__getitem__, shown.tolist()))

    def laid(self, shown: Sequence[int]) -> tuple[Placement, ...]:
        """The same for options that are ascending and no fillers: faster, where their placements are made already."""
        try:
            return tuple(map(self._made.__getitem__, shown))
        except KeyError:
            return self.placements(shown)

    @cached_property
    def _made(self) -> dict[int, Placement]:
        """The placements that were asked for, by option."""
        return {}

    def _placements(self, shown: NDArray[np.int64]) -> tuple[Placement, ...]:
        """The placements of options that are no fillers, in their order."""
        sizes = self.areas[self.tile[shown]]
        first = portable.cumsum(sizes) - sizes
        covered = self.members.values[portable.ranges(self.members.starts[shown], sizes)].tolist()
        coats = map(self._coat_on, shown.tolist()) if self.instance.is_painted else repeat(BLANK)
        with without_collector():
            cells = list(map(self.cells.__getitem__, covered))
            return tuple(
                Placement(self.names[tile], frozenset(cells[at : at + size]), coat)
                for tile, at, size, coat in zip(self.tile[shown].tolist(), first.tolist(), sizes.tolist(), coats, strict=False)
            )

    def pieces_by_cell(self, rows: NDArray[np.int32]) -> NDArray[np.int32]:
        """For a block of tilings, rows of options that end with -1: which of its pieces covers each cell, from 1, shape (tilings,
        cells). 0: it is open."""
        row, column = np.nonzero(rows >= 0)
        starts, covered = self.members.take(rows[row, column])
        sizes = np.diff(starts)
        is_cell = covered < len(self.cells)  # Behind the cells there may be corners.
        pieces = np.zeros((len(rows), len(self.cells)), np.int32)
        pieces[portable.repeat(row, sizes)[is_cell], covered[is_cell]] = portable.repeat(column + 1, sizes)[is_cell]
        return pieces

    def _coat_on(self, option: int) -> Coat:
        """The visible paint of an option where it lies. Sides are named by their cells of the board."""
        seen: Coat = self.coats[self.tile[option]][self.variant[option]]
        coat = seen.moved(tuple(self.offset[option].tolist()))
        return coat.at_home(self.instance.wrap, self._home) if self.instance.wrap and coat else coat

    @cached_property
    def _home(self) -> dict[Cell, Cell]:
        """The cells of the board, by the same cells reduced across the seams."""
        return {self.instance.wrap.reduce(cell): cell for cell in self.cells}

    def meaning(self, option: int) -> dict[str, Any] | None:
        return next((placement.to_json() for placement in self.placements([option])), None)

    def item_in_words(self, item: int) -> str:
        label = self.instance.label_of(self.cells[item]) if item < len(self.cells) else ""
        return label or super().item_in_words(item)


def _bounds(instance: Instance, area: int) -> tuple[Bounds, list[int]]:
    """How often each tile can be used, judged by cells alone, and how many cells it covers: first the distinct tiles, then the
    fillers of optional cells, if there are any."""
    tiles = instance.distinct_tiles
    sizes = [tile.size for tile in tiles]
    least, most = [tile.at_least for tile in tiles], [tile.at_most for tile in tiles]
    fills = [area // size for size in sizes]
    for cells, least_open, most_open in instance.openings:
        sizes, least, most, fills = [*sizes, 1], [*least, least_open], [*most, most_open], [*fills, len(cells)]
    return Bounds.of(area, sizes, least, most, fills), sizes


def on_board(cover: Cover, what: str) -> BoardCover:
    """The cover, if it is the cover of a board. BadOption if it is a general exact cover; the message begins with the name of the
    feature that needs a board."""
    if not isinstance(cover, BoardCover):
        raise BadOption(f"{what} needs a board, not a general exact cover")
    return cover
