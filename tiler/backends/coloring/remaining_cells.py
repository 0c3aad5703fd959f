"""Follow what is left of a board while checker.py goes through a proof. It is made for that alone, and naive on purpose.

It lists placements with its own few lines, and knows only the contradictions that certificate.py lists under `Propagation`. What
is painted on tiles belongs to visible_paint.py; contradictions between marks do not count here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from copy import copy
from typing import TypeVar

from tiler.backends.coloring.visible_paint import Form, PaintedBoard, PlacedLook, SolidCoat, forms_of
from tiler.model import corners
from tiler.model.constraints import Constraint, placements_left
from tiler.model.corners import Point
from tiler.model.instance import Instance
from tiler.model.lattice import Cell, Lattice
from tiler.model.wrap import FLAT
from tiler.question.certificate import Placed

_Vertex = TypeVar("_Vertex", bound=Hashable)


class ResidualBoard:
    """A board, or what is left of one after placements were made or ruled out."""

    def __init__(self, instance: Instance) -> None:
        board, lattice = sorted(instance.board), instance.lattice
        number = {cell: i for i, cell in enumerate(board)}
        # Cells are known by their corners here (see corners.py): by the least of them, and where the others are from there.
        at: dict[tuple[Point, ...], dict[Point, int]] = {}
        seam = instance.wrap.times(lattice.fine)
        of_residue = {residue: corners.outlined(corners.corners(lattice, residue)) for residue in lattice.residues}
        for cell, i in number.items():
            residue = tuple([a % m for a, m in zip(cell, lattice.moduli, strict=True)])
            outline, point = of_residue[residue]
            moved = tuple([lattice.fine * (a - b) + c for a, b, c in zip(cell, residue, point, strict=True)])
            at.setdefault(outline, {})[seam.reduce(moved)] = i
        forms: list[list[Form]] = []
        self.painted = PaintedBoard(instance, number)
        self.least: list[int] = []  #: copies of each tile that must still be used
        self.most: list[int] = []  #: copies that may still be used
        number_of: dict[str, int] = {}
        for tile in instance.tiles:
            shape = [(0,) * (lattice.dimension - len(cell)) + cell for cell in tile.shape]
            turned = forms_of(lattice, shape, tile.paint, instance.reflections, instance.turning)
            if turned not in forms:
                forms.append(turned)
                self.least.append(0)
                self.most.append(0)
            t = number_of[tile.name] = forms.index(turned)
            self.least[t] += tile.at_least
            self.most[t] += len(board) if tile.at_most is None else tile.at_most
        constraints = [(number_of[each.tile], each) for each in instance.constraints]
        self.placements: set[Placed] = set()  #: those left
        #: What may be seen of a placement of a painted tile, also after it is ruled out.
        self.looks: dict[Placed, set[PlacedLook]] = {}
        for t, turned in enumerate(forms):
            is_painted = any(coat != SolidCoat() for _, coat in turned)
            for turn, (solid, coat) in enumerate(turned):
                (outline, begin), *others = [corners.outlined(cell) for cell in solid]
                ways = [(at.get(form, {}), _step(begin, point)) for form, point in others]
                for point, i in at.get(outline, {}).items():
                    cells = [i]
                    for known, way in ways:
                        cells.append(known.get(seam.reduce(tuple([a + b for a, b in zip(point, way, strict=True)])), -1))
                    if -1 in cells or len(set(cells)) < len(cells):
                        continue  # It would leave the board, or overlap itself.
                    if any(_forbids(*each, t, turn, [board[i] for i in cells]) for each in constraints):
                        continue
                    placed = (t, *sorted(cells))
                    if is_painted:
                        look = self.painted.seen(coat, _step(begin, point))
                        if look is None:
                            continue
                        self.looks.setdefault(placed, set()).add(look)
                    self.placements.add(placed)
        self.sizes = [len(turned[0][0]) for turned in forms]
        self.connected = all(_is_connected(tile.lattice, tile.shape) for tile in instance.tiles)
        sets = [(group.cells, 1, 1) for group in instance.groups] or [(instance.optional, *instance.stay_open)]
        for t, (optional, least_open, most_open) in enumerate(sets if instance.optional else [], len(forms)):
            # A cell that stays open is covered by a tile of its own, which is another one for each group.
            fillers = [cell for cell in optional if not any(_forbids(*each, t, 0, [cell]) for each in constraints)]
            self.placements |= {(t, number[cell]) for cell in fillers}
            self.sizes.append(1)
            self.least.append(least_open)
            self.most.append(most_open)
        self.most = [min(most, len(board) // size) for most, size in zip(self.most, self.sizes, strict=True)]
        # What the other tiles cannot cover, used as often as they may, is left to this one.
        reach = sum(most * size for most, size in zip(self.most, self.sizes, strict=True))
        for t, (most, size) in enumerate(zip(self.most, self.sizes, strict=True)):
            self.least[t] = max(self.least[t], -(-(len(board) - reach + most * size) // size))
        self.board = board
        self.open = set(number.values())  #: cells that no placement covers yet
        self._lattice, self._wrap = lattice, instance.wrap
        # Both are made when they are needed first.
        self.covering: dict[int, set[Placed]] = {}  #: the placements left that cover a cell
        self.around: list[list[int]] = []  #: the neighbours of each cell

    def copy(self) -> ResidualBoard:
        self._list()
        twin = copy(self)
        twin.least, twin.most = list(self.least), list(self.most)
        twin.placements, twin.open = set(self.placements), set(self.open)
        twin.covering = {cell: set(placements) for cell, placements in self.covering.items()}
        return twin

    def remove(self, placed: Placed) -> None:
        """Rule a placement out."""
        self._list()
        self.placements.remove(placed)
        for cell in placed[1:]:
            self.covering[cell].remove(placed)

    def place(self, placed: Placed) -> None:
        """Make a placement, and with it rule out all that meet it or have no copy left."""
        self._list()
        tile, *cells = placed
        self.least[tile] = max(0, self.least[tile] - 1)
        self.most[tile] -= 1
        for cell in cells:
            for other in list(self.covering[cell]):
                self.remove(other)
            del self.covering[cell]
            self.open.remove(cell)
        if self.most[tile] == 0:
            for other in [other for other in self.placements if other[0] == tile]:
                self.remove(other)

    def fails(self) -> bool:
        """Make all placements that are forced; whether that ends in a contradiction."""
        self._list()
        while True:
            forced = None
            for cell in sorted(self.open):
                if not self.covering[cell]:
                    return True
                if len(self.covering[cell]) == 1:
                    forced = next(iter(self.covering[cell]))
                    break
            left = Counter(placed[0] for placed in self.placements)
            for tile, least in enumerate(self.least):
                if left[tile] < least or self.most[tile] < least:
                    return True
                if left[tile] == least > 0 and forced is None:
                    forced = min(placed for placed in self.placements if placed[0] == tile)
            if forced is None:
                return self.connected and self._has_impossible_region()
            self.place(forced)

    def within(self) -> list[tuple[int, int, int]]:
        """Size, least and most copies of every tile, no more than there are placements."""
        left = Counter(placed[0] for placed in self.placements)
        return [
            (size, least, min(most, left[tile]))
            for tile, (size, least, most) in enumerate(zip(self.sizes, self.least, self.most, strict=True))
        ]

    def _list(self) -> None:
        if self.connected and not self.around:
            number = {cell: i for i, cell in enumerate(self.board)}
            around = corners.beside(self._lattice, self.board, self._wrap)
            self.around = [[number[other] for other in around[cell]] for cell in self.board]
        if not self.covering:
            self.covering = {cell: set() for cell in self.open}
            for placed in self.placements:
                for cell in placed[1:]:
                    self.covering[cell].add(placed)

    def _has_impossible_region(self) -> bool:
        sums = {0}
        for size, most in zip(self.sizes, self.most, strict=True):
            for copies in parts_of(min(most, len(self.open) // size)):
                sums |= {area + copies * size for area in sums if area + copies * size <= len(self.open)}
        beside = {cell: self.around[cell] for cell in self.open}
        return any(len(region) not in sums for region in connected_parts(beside))


def parts_of(copies: int) -> Iterator[int]:
    """1, 2, 4, ... and a last one: what some of them add up to is every number from 0 to `copies`."""
    part = 1
    while copies > 0:
        yield min(part, copies)
        copies, part = copies - part, 2 * part


def _step(start: Point, end: Point) -> Point:
    return tuple([b - a for a, b in zip(start, end, strict=True)])


def _forbids(named: int, constraint: Constraint, tile: int, turn: int, cells: list[Cell]) -> bool:
    """Whether a placement of a tile, in one of its sorted turns, is against a constraint on the tile `named`."""
    marked = set(constraint.cells)
    if constraint.kind == "place":
        is_it = tile == named and marked == set(cells) and constraint.orientations in (0, turn + 1)
        return not marked.isdisjoint(cells) and not is_it
    if tile != named:
        return False
    if constraint.kind == "forbid":
        return not marked.isdisjoint(cells)
    if constraint.kind == "lock":
        return turn >= constraint.orientations
    if constraint.kind == "only":
        return frozenset(cells) not in placements_left(constraint, len(cells))
    low, high = constraint.cells
    return any(not a <= x <= b for cell in cells for a, x, b in zip(low, cell, high, strict=True))


def _is_connected(lattice: Lattice, cells: Collection[Cell]) -> bool:
    return sum(1 for _ in connected_parts(corners.beside(lattice, cells, FLAT))) == 1


def connected_parts(beside: Mapping[_Vertex, Iterable[_Vertex]]) -> Iterator[list[_Vertex]]:
    """The connected parts of a graph, which is given by the neighbours of every vertex; neighbours that are no vertices do not
    count."""
    left = set(beside)
    while left:
        part = [left.pop()]
        for vertex in part:
            for other in beside[vertex]:
                if other in left:
                    left.remove(other)
                    part.append(other)
        yield part
