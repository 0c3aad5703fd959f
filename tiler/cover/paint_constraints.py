"""Find out from the paint of placements which of them the board accepts, and which colours they give to its sides.

A side between two cells of the board is an item with colours (see coloured_items.py). It is named by the lower of its two cells,
its near end, and its colour is the mark seen from there: a placement at the far end gives the mate of its own mark.

If some mark has several mates, a side is an item for each mark. A placement with this mark at the near end gives the item the
first colour, and a placement at the far end gives it the second colour if its own mark may not meet this one.

Everything else only removes placements: the colours of cells, the marks on the border, and sides between two cells of the same
placement.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from operator import add, sub
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tiler import portable
from tiler.cover.coloured_items import ColouredItems
from tiler.cover.csr import Csr, Ints
from tiler.model.cell_numbers import CellFinder, coordinates
from tiler.model.instance import Instance
from tiler.model.lattice import Cell
from tiler.model.paint import CellSide, Coat


class MarksOnSides(NamedTuple):
    """The marks on the sides of n placements of one form, with a column for each mark of the form."""

    side: NDArray[np.int64]  #: shape (n, marks): the side's number; -1 on the border of the board
    is_near: NDArray[np.bool_]  #: shape (n, marks): whether it is at the end by which the side is named
    mark: Ints  #: shape (marks,): its number among the marks of the board

    def only(self, some: NDArray[np.bool_] | list[int]) -> MarksOnSides:
        """The marks of some of the placements."""
        return MarksOnSides(self.side[some], self.is_near[some], self.mark)


@dataclass(frozen=True)
class BoardPaint:
    """The cells of a board and the board's demands on paint, as arrays.

    A *way* is the difference of a cell to one beside it, a number into `ways`. An *end* of a side is a cell and a way,
    cell * ways + way; the side has the number of its lower end.
    """

    instance: Instance
    cells: tuple[Cell, ...]
    finder: CellFinder
    ways: tuple[Cell, ...]  #: all ways that the lattice has, sorted
    marks: tuple[str, ...]  #: all marks of tiles and their mates, sorted
    meets: NDArray[np.bool_]  #: shape (marks, marks): whether two marks may meet on a side
    colours: tuple[str, ...]  #: all colours of tiles, sorted
    of_board: NDArray[np.int64]  #: shape (cells,): the number of its colour among those of the board, 0 for none
    accepts: NDArray[np.bool_]  #: shape (colours of tiles, colours of the board)
    wanted: NDArray[np.bool_]  #: shape (ends with a condition, marks): whether a mark may be there
    condition: NDArray[np.int64]  #: shape (ends,): which of these conditions holds there, -1 for none

    @classmethod
    def of(cls, instance: Instance, cells: tuple[Cell, ...]) -> BoardPaint:
        coats = [coat for tile in instance.tiles for coat in tile.paint.coats]
        found = {mark for coat in coats for _, mark in coat.marks}
        ground = instance.ground
        marks = sorted(found.union(*map(ground.mates_of, found)))
        colours = sorted({colour for coat in coats for _, colour in coat.colours})
        on_board = dict(ground.colours)
        of_board = {colour: number for number, colour in enumerate(sorted(set(on_board.values())), 1)}
        accepts = [[True, *(ground.accepts(colour, other) for other in of_board)] for colour in colours]
        ways = tuple(sorted({way for of_kind in instance.lattice.differences for way in of_kind}))
        finder = CellFinder.of(instance.lattice, instance.wrap, coordinates(cells))
        condition = np.full(len(cells) * len(ways) if ground.border else 0, -1, np.int64)
        for number, ((cell, beyond), _) in enumerate(ground.border):
            at = int(finder.find(np.array([cell], np.int64))[0])
            condition[at * len(ways) + ways.index(tuple(map(sub, beyond, cell)))] = number
        return cls(
            instance,
            cells,
            finder,
            ways,
            tuple(marks),
            np.array([[other in ground.mates_of(mark) for other in marks] for mark in marks], np.bool_).reshape(2 * [len(marks)]),
            tuple(colours),
            np.array([of_board.get(on_board.get(cell, ""), 0) for cell in cells], np.int64),
            np.array(accepts, np.bool_).reshape(len(colours), len(of_board) + 1),
            np.array([[mark in some for mark in marks] for _, some in ground.border], np.bool_).reshape(
                len(ground.border), len(marks)
            ),
            condition,
        )

    def accepted(self, coat: Coat, where: Ints, given: MarksOnSides) -> NDArray[np.bool_]:
        """Marks, shape (placements,), of the placements of a form that the board accepts; and the marks on the sides of these
        placements. How far each placement is moved is given in shape (placements, dimension)."""
        keep = np.ones(len(where), np.bool_)
        cells = self._at([cell for cell, _ in coat.colours], where)
        for column, (_, colour) in enumerate(coat.colours):
            keep &= self.accepts[self.colours.index(colour), self.of_board[cells[:, column]]]
        if self.instance.ground.border:
            conditions = self.condition[self._ends([side for side, _ in coat.marks], where)]
            for column, (_, mark) in enumerate(coat.marks):
                condition = conditions[:, column]
                keep &= (condition < 0) | self.wanted[condition, self.marks.index(mark)]
        if self.instance.wrap:
            for place in range(len(coat.marks)):
                for other in range(place):
                    both = (given.side[:, place] == given.side[:, other]) & (given.side[:, place] >= 0)
                    keep &= ~both | self.meets[given.mark[place], given.mark[other]]
        return keep

    def given(self, coat: Coat, where: Ints) -> MarksOnSides:
        """The marks on the sides of the placements of a form."""
        sides = [side for side, _ in coat.marks]
        near, far = self._ends(sides, where), self._ends([CellSide(side.beyond, side.cell) for side in sides], where)
        marks = np.array([self.marks.index(mark) for _, mark in coat.marks], np.int32)
        return MarksOnSides(np.where(far < 0, -1, np.minimum(near, far)), near <= far, marks)

    def traits(self, coat: Coat, where: Ints) -> NDArray[np.int64]:
        """Numbers that say what is painted where on the placements of a form, shape (placements, traits), ascending: the mark at
        each end, then the colour of each cell. Placements with equal rows look the same."""
        first = len(self.cells) * len(self.ways) * len(self.marks)
        colours = np.array([self.colours.index(colour) for _, colour in coat.colours], np.int64)
        marks = np.array([self.marks.index(mark) for _, mark in coat.marks], np.int64)
        on_cells = first + self._at([cell for cell, _ in coat.colours], where) * len(self.colours) + colours
        on_sides = self._ends([side for side, _ in coat.marks], where) * len(self.marks) + marks
        return np.sort(np.hstack([on_sides, on_cells]), axis=1)

    def turned_traits(
        self, traits: NDArray[np.int64], cell_map: NDArray[np.int64], matrix: Sequence[Sequence[int]]
    ) -> NDArray[np.int64]:
        """The images of some traits under a symmetry, which is given by the images of the cells, shape (cells,), and its
        matrix."""
        turn = np.array([self.ways.index(tuple((np.array(matrix) @ way).tolist())) for way in self.ways], np.int64)
        first = len(self.cells) * len(self.ways) * len(self.marks)
        is_mark = traits < first
        image = np.empty_like(traits)
        end, mark = np.divmod(traits[is_mark], max(1, len(self.marks)))
        cell, way = np.divmod(end, len(self.ways))
        image[is_mark] = (cell_map[cell] * len(self.ways) + turn[way]) * len(self.marks) + mark
        cell, colour = np.divmod(traits[~is_mark] - first, max(1, len(self.colours)))
        image[~is_mark] = first + cell_map[cell] * len(self.colours) + colour
        return image

    def coloured(self, parts: Iterable[MarksOnSides]) -> ColouredItems | None:
        """The coloured items of all placements, form after form; None if no side between two cells has a mark."""
        found, colours, counts = [], [], []
        for part in parts:
            item, colour = self._by_mates(part) if self.instance.ground.is_paired else self._by_conflicts(part)
            order = np.argsort(item, axis=1, kind="stable")
            item, colour = np.take_along_axis(item, order, 1), np.take_along_axis(colour, order, 1)
            # On a narrow torus a placement may have both ends of a side, with the same colour.
            new = item >= 0
            new[:, 1:] &= item[:, 1:] != item[:, :-1]
            found.append(item[new])
            colours.append(colour[new])
            counts.append(new.sum(1))
        every = np.concatenate(found)
        if not len(every):
            return None
        numbers, items = np.unique(every, return_inverse=True)
        given = Csr(portable.starts_of(np.concatenate(counts)), items.astype(np.int32))
        return ColouredItems(
            tuple(map(self._named, numbers.tolist())),
            self.marks if self.instance.ground.is_paired else ("near", "far"),
            given,
            np.concatenate(colours),
        )

    def _by_mates(self, given: MarksOnSides) -> tuple[NDArray[np.int64], Ints]:
        """The items of marks and their colours, of shape (placements, marks), where each mark has one mate; -1 for no item."""
        mate = np.nonzero(self.meets)[1][given.mark].astype(np.int32)
        return given.side, np.where(given.is_near, given.mark, mate) + np.int32(1)

    def _by_conflicts(self, given: MarksOnSides) -> tuple[NDArray[np.int64], Ints]:
        """The same where marks have any number of mates, of shape (placements, marks of the form * marks of the board)."""
        near, far = np.eye(len(self.marks), dtype=np.bool_)[given.mark], ~self.meets[given.mark]
        gives = (given.side >= 0)[:, :, None] & np.where(given.is_near[:, :, None], near, far)
        items = np.where(gives, given.side[:, :, None] * len(self.marks) + np.arange(len(self.marks)), -1)
        colours = np.where(given.is_near[:, :, None], np.int32(1), np.int32(2))
        shape = len(items), items.shape[1] * len(self.marks)
        return items.reshape(shape), np.broadcast_to(colours, gives.shape).reshape(shape)

    def _named(self, item: int) -> Hashable:
        side, mark = (item, None) if self.instance.ground.is_paired else divmod(item, len(self.marks))
        cell, way = divmod(side, len(self.ways))
        named = CellSide(self.cells[cell], tuple(map(add, self.cells[cell], self.ways[way])))
        return named if mark is None else (*named, self.marks[mark])

    def _at(self, cells: Sequence[Cell], where: Ints) -> NDArray[np.int64]:
        """The places of some cells of a form, shape (placements, cells), as numbers into `cells`; -1 beyond the board."""
        if not cells:
            return np.empty((len(where), 0), np.int64)
        every = where.astype(np.int64)[:, None] + np.array(cells, np.int64)
        return self.finder.find(every.reshape(-1, every.shape[2])).astype(np.int64).reshape(every.shape[:2])

    def _ends(self, sides: Sequence[CellSide], where: Ints) -> NDArray[np.int64]:
        """The ends of some sides of a form, shape (placements, sides); negative beyond the board."""
        ways = np.array([self.ways.index(tuple(map(sub, side.beyond, side.cell))) for side in sides], np.int64)
        return self._at([side.cell for side in sides], where) * len(self.ways) + ways
