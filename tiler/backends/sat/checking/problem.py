"""Say what a tiling makes true: the variables of a CNF, as its comments describe them, compared with the problem.

A tiling makes a variable true if its placement is made; if the variable has the number of a copy, only if that copy makes it. The
copies of a tile are numbered from 1 in the order of their least cells. So every tiling gives each variable one value, and the
functions here are about these values. Placements are listed by the naive code that checks certificates
(coloring/remaining_cells.py), and crossings are found by the angles of edges round a corner: neither depends on how a cover lists
them. Encodings play no part here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import NamedTuple

from tiler.backends.coloring.remaining_cells import ResidualBoard
from tiler.backends.coloring.visible_paint import CellEnd, PaintedBoard, PlacedLook
from tiler.backends.sat.dimacs import Meaning
from tiler.model import corners
from tiler.model.instance import Instance
from tiler.model.lattice import Cell, Matrix
from tiler.model.paint import Coat
from tiler.printable import shortened


class NotShownError(Exception):
    """The reason why it is not shown that a CNF belongs to a problem."""


class Laid(NamedTuple):
    """A placement, and its visible paint."""

    tile: int
    cells: tuple[int, ...]  #: ascending
    look: PlacedLook = PlacedLook()


class PlacementVariables:
    """An instance and its variables. NotShownError unless there is exactly one variable for each placement, or for each placement
    and each copy that may lie there."""

    def __init__(self, instance: Instance, meanings: Mapping[int, Meaning]) -> None:
        self.instance = instance
        rest = ResidualBoard(instance)
        self.least, self.most, self.board = rest.least, rest.most, rest.board
        self.fillers = len(instance.groups) or bool(instance.optional)
        self.tiles = len(rest.sizes) - self.fillers  #: the tiles with names; cells that stay open come after them
        self.number = {cell: i for i, cell in enumerate(rest.board)}
        self.ground = PaintedBoard(instance, self.number)
        if not self.ground.is_paired:
            raise NotShownError("a mark has several mates: what the clauses say of such marks is not checked")
        every = [
            Laid(placed[0], placed[1:], look) for placed in rest.placements for look in rest.looks.get(placed, {PlacedLook()})
        ]
        self.placements: list[list[Laid]] = [[] for _ in rest.sizes]  #: of each tile, by their least cells
        for placed in sorted(every, key=lambda placed: (placed.cells[0], placed)):
            self.placements[placed.tile].append(placed)
        self.meant: dict[int, tuple[Laid, int]] = {}  #: placement and copy of each variable
        self.copies: dict[Laid, dict[int, int]] = {placed: {} for placed in every}  #: variables by copy
        for variable, meaning in sorted(meanings.items()):
            self._mean(variable, meaning)
        for tile, placements in enumerate(self.placements):
            self._check_all_are_there(tile, placements)

    def tile(self, name: str, cells: Sequence[int] = ()) -> int | None:
        """The number of a tile. A tile without a name stands for cells that stay open, those of one group: the group of the first
        of these cells, which are given by their numbers."""
        if name:
            return self.instance.find(name)
        if self.fillers < 2:
            return self.tiles if self.fillers else None
        return self._group_of.get(cells[0]) if cells else None

    def tile_among(self, variables: Iterable[int]) -> int | None:
        """The number of a tile without a name: the one that these variables place. If they place none, it is the tile of a group
        in which no cell can stay open."""
        placed = (self.meant[each][0] for each in variables if each in self.meant)
        found = next((each for each in placed if each.tile >= self.tiles), None)
        if found is not None:
            return found.tile
        return next((tile for tile in range(self.tiles, len(self.placements)) if not self.placements[tile]), None)

    def variables(self, tile: int, copy: int) -> list[int]:
        """The variables of a tile with this number of a copy, 0 for none, in ascending order."""
        return self._by_copy.get((tile, copy), [])

    def over(self, cell: Cell) -> list[int]:
        """The variables that cover a cell or leave it open."""
        return self._over[self.number[cell]]

    def rows(self, tile: int) -> list[list[int]]:
        """The variables of each copy, from the first on."""
        return [self.variables(tile, copy) for copy in range(1, 1 + max(self._numbers(tile), default=0))]

    def are_in_order(self, rows: Sequence[Sequence[int]]) -> bool:
        """Whether there is one order of all placements of a tile, by their least cells, in which each copy has all but the first
        ones, one fewer than its number."""
        if not rows:
            return False
        placed = [[self.meant[variable][0] for variable in row] for row in rows]
        order = placed[0]
        by_cells = all(one.cells[0] <= two.cells[0] for one, two in pairwise(order))
        whole = sorted(order) == sorted(self.placements[order[0].tile]) if order else False
        return by_cells and whole and all(row == order[number:] for number, row in enumerate(placed))

    def exclude(self, variables: Sequence[int]) -> bool:
        """Whether no two of them are true together, since they meet or cross, or are copies of one placement."""
        placed = [self.meant[variable][0] for variable in variables]
        cells = [frozenset(each.cells) for each in placed]
        rings = [self._met(each) for each in cells]

        def cross(i: int, j: int) -> bool:
            return any(_take_turns(ring, part, rings[j][ring]) for ring, part in rings[i].items() if ring in rings[j])

        return all(not cells[i].isdisjoint(cells[j]) or cross(i, j) for i in range(len(placed)) for j in range(i))

    def images(self, cells: Sequence[int], tiles: Mapping[int, int]) -> Iterator[dict[Laid, Laid]]:
        """Where placements are led to, if cells and tiles are led to others, in all ways that make a tiling of every tiling.
        Where sides have marks there may be several: on a board of one row a half turn and a mirror do the same with cells."""
        if sorted(cells) != list(range(len(self.board))):
            return
        if sorted(tiles) != sorted(tiles.values()) or not all(0 <= tile < self.tiles for tile in tiles):
            return
        if any((self.least[one], self.most[one]) != (self.least[two], self.most[two]) for one, two in tiles.items()):
            return
        rings = {_least_turn(ring) for ring in self._rings}
        if rings != {_least_turn([cells[cell] for cell in ring]) for ring in self._rings}:
            return
        are_marked = any(placed.look.marks for placed in self.copies)
        for rows in corners.rigid_motions(self.instance.lattice, reflections=True) if are_marked else [None]:
            if rows is None or self._keeps_sides(cells, rows):
                images = {placed: image(placed, cells, tiles, rows) for placed in self.copies}
                # Cells that may stay open have placements too, so a symmetry takes these to each other.
                if set(images.values()) == self.copies.keys():
                    yield images

    def _keeps_sides(self, cells: Sequence[int], rows: Matrix) -> bool:
        """Whether both ends of a side are led to ends of one side, if the steps from cell to cell are turned by a matrix. Marks
        are led along unchanged, so they fit where they did."""

        def image(end: CellEnd) -> CellEnd:
            return cells[end[0]], corners.applied(rows, end[1])

        return all(self._opposite(image(near)) == image(far) for near, far in self._ends.items())

    def _opposite(self, end: CellEnd) -> CellEnd | None:
        cell = self.board[end[0]]
        return self.ground.other_end(cell, tuple(a + b for a, b in zip(cell, end[1], strict=True)))

    def given(self, cell: Cell, beyond: Cell) -> dict[int, str] | None:
        """What the variables say of the mark on a side between two cells of the board, as seen from the first of them: those that
        give it one. None if there is no such side."""
        if cell not in self.number or (near := (self.number[cell], _step(cell, beyond))) not in self._ends:
            return None
        far = self._ends[near]
        found = {}
        for variable, (placed, _) in self.meant.items():
            for end, mark in placed.look.marks:
                if end in (near, far):
                    found[variable] = mark if end == near else self.ground.mate(mark)
        return found

    def _mean(self, variable: int, meaning: Meaning) -> None:
        cells = tuple(sorted(self.number.get(cell, -1) for cell in meaning.placement.cells))
        tile = self.tile(meaning.placement.tile, cells)
        placed = Laid(-1 if tile is None else tile, cells, self._look(meaning.placement.coat))
        if placed not in self.copies:
            name = shortened(meaning.placement.tile) or "an open cell"
            raise NotShownError(f"variable {variable}: {name} cannot lie there in this problem")
        if meaning.copy in self.copies[placed] or meaning.copy > self.most[placed.tile]:
            raise NotShownError(f"variable {variable}: it means what another does, or a copy that there is not")
        self.copies[placed][meaning.copy] = variable
        self.meant[variable] = placed, meaning.copy

    def _look(self, coat: Coat) -> PlacedLook:
        """What a comment says of paint; sides that there are not are at ends that no placement has."""
        marks = [((self.number.get(side.cell, -1), _step(side.cell, side.beyond)), mark) for side, mark in coat.marks]
        return PlacedLook(
            tuple(sorted(marks)), tuple(sorted((self.number.get(cell, -1), colour) for cell, colour in coat.colours))
        )

    def _check_all_are_there(self, tile: int, placements: list[Laid]) -> None:
        before = dict[int, int]()  # A copy's number is at most one more than the number of placements with lesser least cells.
        for i, placed in enumerate(placements):
            before.setdefault(placed.cells[0], i)
        without_numbers = {0} == self._numbers(tile)
        for placed in placements:
            needed = {0} if without_numbers else set(range(1, min(self.most[tile], before[placed.cells[0]] + 1) + 1))
            if not needed <= self.copies[placed].keys() or (0 in self.copies[placed]) != without_numbers:
                where = self.board[placed.cells[0]]
                raise NotShownError(f"there are not all variables for placements whose least cell is {where}")

    def _numbers(self, tile: int) -> set[int]:
        return {copy for placed in self.placements[tile] for copy in self.copies[placed]}

    @cached_property
    def _group_of(self) -> dict[int, int]:
        """The tile without a name that leaves a cell open, for each cell that may stay open."""
        return {placed.cells[0]: placed.tile for tile in self.placements[self.tiles :] for placed in tile}

    @cached_property
    def _by_copy(self) -> dict[tuple[int, int], list[int]]:
        found = defaultdict[tuple[int, int], list[int]](list)
        for variable, (placed, copy) in self.meant.items():
            found[placed.tile, copy].append(variable)
        return found

    @cached_property
    def _over(self) -> list[list[int]]:
        found: list[list[int]] = [[] for _ in self.board]
        for variable, (placed, _) in self.meant.items():
            for cell in placed.cells:
                found[cell].append(variable)
        return found

    @cached_property
    def _ends(self) -> dict[CellEnd, CellEnd]:
        """The other end of the side, for each end that has a mark in some placement or is opposite to one; none on the border."""
        found = {}
        for near in {end for placed in self.copies for end, _ in placed.look.marks}:
            far = self._opposite(near)
            if far is not None:
                found[near], found[far] = far, near
        return found

    def _met(self, cells: frozenset[int]) -> dict[tuple[int, ...], frozenset[int]]:
        """The rings of which a placement has more than one cell, and which cells these are."""
        shared = {ring: cells.intersection(ring) for ring in self._rings}
        return {ring: part for ring, part in shared.items() if len(part) > 1}

    @cached_property
    def _rings(self) -> list[tuple[int, ...]]:
        """The cells round every corner, in order, where some are enough to cross."""
        if self.instance.crossing:
            return []
        lattice = self.instance.lattice
        around = defaultdict[corners.Point, list[tuple[float, int]]](list)
        for i, cell in enumerate(self.board):
            start, end = corners.corners(lattice, cell)
            around[start].append((corners.angle(lattice, start, end), i))
            around[end].append((corners.angle(lattice, end, start), i))
        return [tuple(cell for _, cell in sorted(ring)) for ring in around.values() if len(ring) > 3]


@lru_cache(1 << 12)
def _take_turns(ring: tuple[int, ...], one: frozenset[int], two: frozenset[int]) -> bool:
    """Whether two placements cross: round the corner their edges alternate more than once."""
    owners = [cell in one for cell in ring if cell in one or cell in two]
    return sum(a != b for a, b in zip(owners, owners[1:] + owners[:1], strict=True)) > 2


def image(placed: Laid, cells: Sequence[int], tiles: Mapping[int, int], rows: Matrix | None = None) -> Laid:
    """Where a placement is led to, if cells and tiles are led to others; steps from cell to cell by a matrix."""
    there = tuple(sorted(cells[cell] for cell in placed.cells))
    marks = sorted(((cells[end[0]], corners.applied(rows, end[1]) if rows else end[1]), mark) for end, mark in placed.look.marks)
    colours = sorted((cells[cell], colour) for cell, colour in placed.look.colours)
    return Laid(tiles.get(placed.tile, placed.tile), there, PlacedLook(tuple(marks), tuple(colours)))


def _step(cell: Cell, beyond: Cell) -> Cell:
    return tuple(b - a for a, b in zip(cell, beyond, strict=True))


def _least_turn(ring: Sequence[int]) -> tuple[int, ...]:
    """The least row that a ring gives when it is read from any place in either direction."""

    def turns() -> Iterator[tuple[int, ...]]:
        for way in (list(ring), list(ring)[::-1]):
            for i in range(len(way)):
                yield tuple(way[i:] + way[:i])

    return min(turns())
