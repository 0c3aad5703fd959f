"""What a tiling makes true: the variables of a CNF, as its comments say, held against the problem.

A tiling makes a variable true if its placement is made; if the variable has the number of a copy, only if that copy is the one.
The copies of a tile are numbered from 1 in the order of their least cells. So every tiling gives each variable one value, and the
functions here are about these values. Placements are listed by the naive code that checks certificates (coloring/rest.py), and
crossings found by the angles of edges round a corner: neither depends on how a cover lists them. No encoding plays a part.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise

from tiler.backends.coloring.rest import Rest
from tiler.backends.sat.dimacs import Meaning
from tiler.model import corners
from tiler.model.instance import Instance
from tiler.model.lattice import Cell
from tiler.printable import shortened
from tiler.question.certificate import Placed


class NotShownError(Exception):
    """Why it is not shown that a CNF is that of a problem."""


class PlacementVariables:
    """An instance, and the variables that mean something in it. NotShownError unless they are one for each placement, or for each
    copy that may be there."""

    def __init__(self, instance: Instance, meanings: Mapping[int, Meaning]) -> None:
        self.instance = instance
        rest = Rest(instance)
        self.least, self.most, self.board = rest.least, rest.most, rest.board
        self.fillers = len(instance.groups) or bool(instance.optional)
        self.tiles = len(rest.sizes) - self.fillers  #: those that have names; cells that stay open come after them
        self.number = {cell: i for i, cell in enumerate(rest.board)}
        self.placements: list[list[Placed]] = [[] for _ in rest.sizes]  #: of each tile, by their least cells
        for placed in sorted(rest.placements, key=lambda placed: (placed[1], placed)):
            self.placements[placed[0]].append(placed)
        self.meant: dict[int, tuple[Placed, int]] = {}  #: placement and copy of each variable
        self.copies: dict[Placed, dict[int, int]] = {placed: {} for placed in rest.placements}  #: variables by copy
        for variable, meaning in sorted(meanings.items()):
            self._mean(variable, meaning)
        for tile, placements in enumerate(self.placements):
            self._check_all_are_there(tile, placements)

    def tile(self, name: str) -> int | None:
        """The number of a tile; the one without a name are the cells that stay open, unless there are groups of them."""
        if name:
            return self.instance.find(name)
        return self.tiles if self.fillers == 1 else None

    def variables(self, tile: int, copy: int) -> list[int]:
        """Those of a tile with a number, 0 for none, in ascending order."""
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
        by_cells = all(one[1] <= two[1] for one, two in pairwise(order))
        whole = sorted(order) == sorted(self.placements[order[0][0]]) if order else False
        return by_cells and whole and all(row == order[number:] for number, row in enumerate(placed))

    def exclude(self, variables: Sequence[int]) -> bool:
        """Whether no two of them are true together, since they meet or cross, or are copies of one placement."""
        placed = [self.meant[variable][0] for variable in variables]
        cells = [frozenset(each[1:]) for each in placed]
        rings = [self._met(each) for each in cells]

        def cross(i: int, j: int) -> bool:
            return any(_take_turns(ring, part, rings[j][ring]) for ring, part in rings[i].items() if ring in rings[j])

        return all(not cells[i].isdisjoint(cells[j]) or cross(i, j) for i in range(len(placed)) for j in range(i))

    def is_symmetry(self, cells: Sequence[int], tiles: Mapping[int, int]) -> bool:
        """Whether every tiling, its cells and tiles led to others, is a tiling."""
        if sorted(cells) != list(range(len(self.board))):
            return False
        if sorted(tiles) != sorted(tiles.values()) or not all(0 <= tile < self.tiles for tile in tiles):
            return False
        if any((self.least[one], self.most[one]) != (self.least[two], self.most[two]) for one, two in tiles.items()):
            return False
        # Cells that may stay open have placements too, so these are led to each other.
        led = {self.led(placed, cells, tiles) for of_tile in self.placements for placed in of_tile}
        if led != self.copies.keys():
            return False
        rings = {_least_turn(ring) for ring in self._rings}
        return rings == {_least_turn([cells[cell] for cell in ring]) for ring in self._rings}

    def led(self, placed: Placed, cells: Sequence[int], tiles: Mapping[int, int]) -> Placed:
        """Where a placement is led to."""
        return (tiles.get(placed[0], placed[0]), *sorted(cells[cell] for cell in placed[1:]))

    def _mean(self, variable: int, meaning: Meaning) -> None:
        tile = self.tile(meaning.placement.tile)
        cells = [self.number.get(cell, -1) for cell in meaning.placement.cells]
        placed = (-1 if tile is None else tile, *sorted(cells))
        if placed not in self.copies:
            name = shortened(meaning.placement.tile) or "an open cell"
            raise NotShownError(f"variable {variable}: {name} cannot lie there in this problem")
        if meaning.copy in self.copies[placed] or meaning.copy > self.most[placed[0]]:
            raise NotShownError(f"variable {variable}: it means what another does, or a copy that there is not")
        self.copies[placed][meaning.copy] = variable
        self.meant[variable] = placed, meaning.copy

    def _check_all_are_there(self, tile: int, placements: list[Placed]) -> None:
        before = dict[int, int]()  # How many placements have lesser least cells: no more copies have lower numbers.
        for i, placed in enumerate(placements):
            before.setdefault(placed[1], i)
        without_numbers = {0} == self._numbers(tile)
        for placed in placements:
            needed = {0} if without_numbers else set(range(1, min(self.most[tile], before[placed[1]] + 1) + 1))
            if not needed <= self.copies[placed].keys() or (0 in self.copies[placed]) != without_numbers:
                where = self.board[placed[1]]
                raise NotShownError(f"there are not all variables for placements whose least cell is {where}")

    def _numbers(self, tile: int) -> set[int]:
        return {copy for placed in self.placements[tile] for copy in self.copies[placed]}

    @cached_property
    def _by_copy(self) -> dict[tuple[int, int], list[int]]:
        found = defaultdict[tuple[int, int], list[int]](list)
        for variable, (placed, copy) in self.meant.items():
            found[placed[0], copy].append(variable)
        return found

    @cached_property
    def _over(self) -> list[list[int]]:
        found: list[list[int]] = [[] for _ in self.board]
        for variable, (placed, _) in self.meant.items():
            for cell in placed[1:]:
                found[cell].append(variable)
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
    """Whether two placements cross: round the corner they take turns more than once."""
    owners = [cell in one for cell in ring if cell in one or cell in two]
    return sum(a != b for a, b in zip(owners, owners[1:] + owners[:1], strict=True)) > 2


def _least_turn(ring: Sequence[int]) -> tuple[int, ...]:
    """A ring as one of the rows that it is read as, from anywhere and either way round."""

    def turns() -> Iterator[tuple[int, ...]]:
        for way in (list(ring), list(ring)[::-1]):
            for i in range(len(way)):
                yield tuple(way[i:] + way[:i])

    return min(turns())
