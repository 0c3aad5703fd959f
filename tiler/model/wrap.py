"""Define a wrap: translations that lead back to the same cell, so that the plane becomes a cylinder or a torus.

Cells that differ by a sum of its vectors are one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tiler.errors import InputError
from tiler.model.lattice import Cell, Isometry, Lattice, Shape, box

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


_AXES = ("layers", "rows", "columns")


@dataclass(frozen=True)
class Wrap:
    """Independent vectors in Hermite normal form: each begins with more zeros than the one before, and its first number that is
    not 0, the *pivot*, is positive. Made by `wrap_of`; without vectors nothing is wrapped."""

    vectors: tuple[Cell, ...] = ()

    def __str__(self) -> str:
        """The text that `parse_wrap` reads."""
        return " ".join(map(_shown, self.vectors))

    def __bool__(self) -> bool:
        return bool(self.vectors)

    def reduce(self, cell: Cell) -> Cell:
        """The representative of a cell: among all cells equal to it under the wrap, the one with coordinates at the pivots from 0
        to below the pivots.

        >>> wrap_of([(0, 5), (2, 3)]).reduce((3, 1))
        (1, 3)
        """
        for vector in self.vectors:
            pivot = next(axis for axis, a in enumerate(vector) if a)
            times = cell[pivot] // vector[pivot]
            cell = tuple([a - times * b for a, b in zip(cell, vector, strict=True)])
        return cell

    def array(self, cells: NDArray[np.int64]) -> NDArray[np.int64]:
        """The representatives of cells in an array of shape (cells, dimension)."""
        import numpy as np

        for vector in self.vectors:
            pivot = next(axis for axis, a in enumerate(vector) if a)
            cells = cells - (cells[:, pivot] // vector[pivot])[:, None] * np.array(vector)
        return cells

    def times(self, factor: int) -> Wrap:
        """The wrap for points on a grid that is finer by this factor."""
        return Wrap(tuple(tuple(factor * a for a in vector) for vector in self.vectors))

    def keeps(self, turn: Isometry) -> bool:
        """Whether an isometry maps equal cells of the wrap to equal cells."""
        nothing = (0,) * len(turn.offset)
        return all(self.reduce(Isometry(turn.matrix, nothing)(vector)) == nothing for vector in self.vectors)

    def fits(self, lattice: Lattice, shape: Shape, cells: Shape) -> bool:
        """Whether some translation of the lattice moves a shape to exactly these cells, each once."""
        return self.lying(lattice, shape, cells) is not None

    def lying(self, lattice: Lattice, shape: Shape, cells: Shape) -> Shape | None:
        """A shape moved by a translation of its lattice so that it is these cells, each once: in one piece, even where it lies
        across a seam. None if no translation does."""
        return next(self.all_lying(lattice, shape, cells), None)

    def all_lying(self, lattice: Lattice, shape: Shape, cells: Shape) -> Iterator[Shape]:
        """All shapes that `lying` could return: across a seam several translations may lead to the same cells."""
        if not self.vectors:
            if lattice.normalise(cells) == lattice.normalise(shape):
                yield cells
            return
        there, first = {self.reduce(cell) for cell in cells}, min(shape)
        for cell in sorted(there):
            step = [a - b for a, b in zip(cell, first, strict=True)]
            if len(shape) != len(cells) or any(a % m for a, m in zip(step, lattice.moduli, strict=True)):
                continue
            moved = frozenset(tuple([a + b for a, b in zip(other, step, strict=True)]) for other in shape)
            if set(map(self.reduce, moved)) == there:
                yield moved

    def error_in(self, lattice: Lattice, cells: Iterable[Cell]) -> str | None:
        """The reason why a board with these cells cannot have this wrap; None if it can."""
        for vector in self.vectors:
            if len(vector) != lattice.dimension:
                return f"wrap: {_shown(vector)} has {len(vector)} numbers, cells of the board have {lattice.dimension}"
            if any(a % m for a, m in zip(vector, lattice.moduli, strict=True)):
                return f"wrap: {_shown(vector)} takes cells of the {lattice} lattice to cells of another kind, or to no cell"
        seen: dict[Cell, Cell] = {}
        for cell in sorted(cells) if self.vectors else ():
            other = seen.setdefault(self.reduce(cell), cell)
            if other != cell:
                return f"wrap: it makes the cells {_shown(other)} and {_shown(cell)} of the board the same"
        return None


#: The wrap of a board that is not wrapped.
FLAT = Wrap()


def wrap_of(vectors: Sequence[Cell]) -> Wrap:
    """The wrap that these vectors make; InputError if they are not independent.

    >>> wrap_of([(4, 0), (2, 3)]).vectors
    ((2, 3), (0, 6))
    """
    rows = [list(vector) for vector in vectors]
    if len({len(row) for row in rows}) > 1:
        raise InputError(f"wrap: {' '.join(map(_shown, vectors))}: a vector must have as many numbers as a cell")
    basis: list[list[int]] = []
    for axis in range(len(rows[0]) if rows else 0):
        # Euclid's algorithm on the numbers along this axis.
        while sum(bool(row[axis]) for row in rows) > 1:
            least = min((row for row in rows if row[axis]), key=lambda row: abs(row[axis]))
            for row in rows:
                if row is not least and row[axis]:
                    times = row[axis] // least[axis]
                    row[:] = [a - times * b for a, b in zip(row, least, strict=True)]
        pivot = next((row for row in rows if row[axis]), None)
        if pivot is not None:
            rows.remove(pivot)
            if pivot[axis] < 0:
                pivot[:] = [-a for a in pivot]
            for row in basis:
                times = row[axis] // pivot[axis]
                row[:] = [a - times * b for a, b in zip(row, pivot, strict=True)]
            basis.append(pivot)
    if rows:
        raise InputError(f"wrap: {' '.join(map(_shown, vectors))}: these vectors are not independent; leave one out")
    return Wrap(tuple(map(tuple, basis)))


def parse_wrap(text: str, lattice: Lattice, board: Shape) -> Wrap:
    """The wrap that a setting stands for: `columns`, `rows columns` (`layers` too in space) lead as far as the board reaches
    along these axes; vectors are numbers in the order of coordinates, `5,0 2,3`.

    >>> from tiler.model.lattices import SQUARE
    >>> parse_wrap("rows columns", SQUARE, frozenset({(0, 0), (3, 5)})).vectors
    ((4, 0), (0, 6))
    """
    low, high = box(board)
    moduli = lattice.moduli[-len(low) :]
    vectors: list[Cell] = []
    for word in text.split():
        if word in _AXES[-len(low) :]:
            at = _AXES[-len(low) :].index(word)
            reach = (high[at] // moduli[at] - low[at] // moduli[at] + 1) * moduli[at]
            vectors.append(tuple(reach if axis == at else 0 for axis in range(len(low))))
        elif re.fullmatch(r"-?[0-9]{1,6}(,-?[0-9]{1,6}){1,2}", word):
            vectors.append(tuple(map(int, word.split(","))))
        else:
            axes = ", ".join(_AXES[-len(low) :])
            raise InputError(f"wrap: {word[:40]!r} is none of {axes}, and no vector such as {','.join('0' * (len(low) - 1))},5")
    if not vectors:
        raise InputError("wrap: there is no vector")
    return wrap_of(vectors)


def _shown(cell: Cell) -> str:
    return ",".join(map(str, cell))
