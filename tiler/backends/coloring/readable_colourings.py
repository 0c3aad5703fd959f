"""Find colourings that a reader can take in: black and white, with a short period.

The cells are put into classes by linear forms modulo small numbers, fewest classes first, and all ways to paint classes black are
tried at once. Let g be the greatest common divisor of the differences between the numbers of black cells under placements of the
same tile. Then each tile covers a fixed number of black cells modulo g (exactly, if g = 0). Such a colouring proves less than the
lattice stage, but its proof can be said in a sentence. It is made for boards of squares and cubes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby, product
from math import prod
from typing import TYPE_CHECKING

from tiler.cover.count_vectors import Congruence
from tiler.cover.remainder import Remainder
from tiler.model.lattice import box
from tiler.question.certificate import Colouring

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tiler.cover.board import BoardCover

_MOST_CLASSES = {2: 12, 3: 9}  #: by dimension: there are many more forms in space
_SAMPLES = 64  #: count vectors that a colouring is tried on before all are looked at
_AXES = {2: ("y", "x"), 3: ("z", "y", "x")}
_STRIPES: dict[tuple[int, ...], str] = {
    (1, 0): "row stripes",
    (0, 1): "column stripes",
    (1, 0, 0): "every other layer",
    (0, 1, 0): "every other row",
    (0, 0, 1): "every other column",
}


@dataclass(frozen=True)
class CellClasses:
    """Cells by the values of linear forms, each modulo a number; coordinates are counted from the least on the board."""

    forms: tuple[tuple[tuple[int, ...], int], ...]

    @property
    def number(self) -> int:
        return prod(modulus for _, modulus in self.forms)

    def of(self, cell: Sequence[int]) -> int:
        """The class of a cell, from 0."""
        result = 0
        for vector, modulus in self.forms:
            result = result * modulus + sum(a * b for a, b in zip(vector, cell, strict=True)) % modulus
        return result

    def of_all(self, cells: NDArray[np.int64]) -> NDArray[np.int64]:
        """The same for an array of shape (cells, dimension)."""
        import numpy as np

        result = np.zeros(len(cells), np.int64)
        for vector, modulus in self.forms:
            result = result * modulus + cells @ np.array(vector, np.int64) % modulus
        return result

    def name(self, black: Sequence[int]) -> str:
        """The colouring with these classes black, in words."""
        dimension = len(self.forms[0][0])
        if self.number == 2:
            vector = self.forms[0][0]
            if all(vector):
                return "checkerboard"
            if sum(vector) == 1:
                return _STRIPES[vector]
        forms = [f"{_form(vector, _AXES[dimension])} mod {modulus}" for vector, modulus in self.forms]
        values = []
        for each in black:
            rest, parts = each, []
            for _, modulus in reversed(self.forms):
                rest, part = divmod(rest, modulus)
                parts.append(str(part))
            values.append(", ".join(reversed(parts)))
        if len(forms) == 1:
            return f"{forms[0]} = {values[0]}" if len(values) == 1 else f"{forms[0]} in {{{', '.join(values)}}}"
        whole = f"({', '.join(forms)})"
        return f"{whole} = ({values[0]})" if len(values) == 1 else f"{whole} one of {', '.join(f'({v})' for v in values)}"


@cache
def all_classes(dimension: int) -> tuple[CellClasses, ...]:
    """What is tried, fewest classes first; among equals plain forms before combined ones.

    >>> [classes.name([1]) for classes in all_classes(2)[:3]]
    ['checkerboard', 'row stripes', 'column stripes']
    """
    most = _MOST_CLASSES[dimension]
    found = [CellClasses(((vector, modulus),)) for modulus in range(2, most + 1) for vector in _vectors(dimension, modulus)]
    units = [tuple(int(i == axis) for i in range(dimension)) for axis in range(dimension)]
    for moduli in product(range(1, most + 1), repeat=dimension):
        forms = tuple((unit, modulus) for unit, modulus in zip(units, moduli, strict=True) if modulus > 1)
        if len(forms) > 1 and prod(moduli) <= 12:
            found.append(CellClasses(forms))
    return tuple(sorted(found, key=lambda classes: (classes.number, len(classes.forms))))


def find(remainder: Remainder, tick: Callable[[], None]) -> Colouring | None:
    """The most readable colouring of a whole board that refutes all count vectors: few classes, then exact numbers and small
    moduli, then little black. None if there is none. On lattices whose cells are no boxes the checkerboard alone is tried."""
    if not remainder.cover.instance.has_boxes:
        return _checkerboard(remainder)
    samples = list(remainder.counts.some(_SAMPLES))
    for _, group in groupby(all_classes(remainder.cover.instance.dimension), key=lambda classes: classes.number):
        found: list[tuple[int, int, int, int, CellClasses]] = []
        for order, classes in enumerate(group):
            tick()
            found += [(modulus, mask.bit_count(), order, -mask, classes) for mask, modulus in _paint(remainder, classes, samples)]
        for modulus, _, _, mask, classes in sorted(found, key=lambda each: each[:4]):
            colouring = _colouring(remainder, classes, -mask, modulus)
            congruence = Congruence(modulus, colouring.values, sum(colouring.weights))
            if len(samples) < _SAMPLES or remainder.counts.find([congruence]) is None:
                return colouring
    return None


def _checkerboard(remainder: Remainder) -> Colouring | None:
    """The checkerboard of a lattice that has one, if that refutes all count vectors of a whole board."""
    import numpy as np

    from tiler import portable

    cover = remainder.cover
    if not cover.white.any() or not len(cover):
        return None
    black = (cover.white < 0).astype(np.int64)
    covered = portable.reduceat(np.add, black[cover.members.values], cover.members.starts[:-1])
    first = [
        int(covered[options[0]]) if len(options) else 0 for options in map(cover.by_tile.__getitem__, range(len(cover.tiles)))
    ]
    modulus = int(np.gcd.reduce(covered - np.array(first)[cover.tile]))
    if modulus == 1 or remainder.counts.find([Congruence(modulus, tuple(first), int(black.sum()))]) is not None:
        return None
    return Colouring(modulus, tuple(black.tolist()), tuple(value % modulus if modulus else value for value in first))


def recognise(colouring: Colouring, cover: BoardCover) -> str | None:
    """The name of a black and white colouring: of one with a short period on squares and cubes, of the checkerboard on any
    lattice that has one. None for any other."""
    if not set(colouring.weights) <= {0, 1}:
        return None
    if not cover.instance.has_boxes:
        pairs = set(zip(cover.white.tolist(), colouring.weights, strict=True))
        return "checkerboard" if len(pairs) == 2 == len({white for white, _ in pairs}) == len(set(colouring.weights)) else None
    cells = cover.cells
    low, _ = box(frozenset(cells))
    for classes in all_classes(len(low)):
        colour: dict[int, int] = {}
        for cell, weight in zip(cells, colouring.weights, strict=True):
            if colour.setdefault(classes.of([a - b for a, b in zip(cell, low, strict=True)]), weight) != weight:
                break
        else:
            return classes.name([number for number in sorted(colour) if colour[number]])
    return None


def _vectors(dimension: int, modulus: int) -> Iterator[tuple[int, ...]]:
    """Linear forms up to a factor: the diagonal first, then those with few and small coefficients."""
    # The last coefficient that is not 0 is 1: one vector for all its multiples.
    vectors = [v for v in product(range(modulus), repeat=dimension) if any(v) and next(filter(None, reversed(v))) == 1]
    small = [tuple(a if 2 * a <= modulus else a - modulus for a in v) for v in vectors]
    diagonal = (1,) * dimension
    return iter(sorted(small, key=lambda v: (v != diagonal, sum(map(bool, v)), sum(map(abs, v)), [-a for a in v])))


def _form(vector: tuple[int, ...], axes: Sequence[str]) -> str:
    parts = [(factor, axis) for factor, axis in zip(reversed(vector), reversed(axes), strict=True) if factor]
    terms = [f"{'-' if factor < 0 else '+'}{abs(factor) if abs(factor) > 1 else ''}{axis}" for factor, axis in parts]
    text = "".join(terms).removeprefix("+")
    return text if len(parts) == 1 else f"({text})"


def _paint(remainder: Remainder, classes: CellClasses, samples: Sequence[tuple[int, ...]]) -> list[tuple[int, int]]:
    """The colourings, as bits of classes that are black, that refute the samples, each with a modulus (0: exactly)."""
    import numpy as np

    from tiler import portable

    number = classes.number
    masks = np.arange(1, (1 << number) - 1, dtype=np.int64)
    black = masks[:, None] >> portable.arange(number) & 1
    gcd = np.zeros(len(masks), np.int64)
    values = []
    for rows in _histograms(remainder, classes):
        covered = black @ rows.T if len(rows) else np.zeros((len(masks), 1), np.int64)
        gcd = np.gcd(gcd, np.gcd.reduce(covered - covered[:, :1], axis=1))
        values.append(covered[:, 0])
    said = np.flatnonzero(gcd != 1)  # Modulo 1 nothing is said.
    board = portable.bincount(classes.of_all(_places(remainder)), minlength=number)
    tiles = np.stack(values)[:, said].T @ np.array(samples, np.int64).T
    missing = (black[said] @ board)[:, None] - tiles
    modulus = np.full(len(said), -1, np.int64)
    gcd = gcd[said]
    modulus[(gcd == 0) & (missing != 0).all(axis=1)] = 0
    for m in range(2, int(gcd.max(initial=0)) + 1):
        fits = (modulus < 0) & (gcd > 0) & (gcd % m == 0)
        modulus[fits] = np.where((missing[fits] % m != 0).all(axis=1), m, -1)
    return [(int(masks[said[i]]), int(modulus[i])) for i in np.flatnonzero(modulus >= 0)]


def _colouring(remainder: Remainder, classes: CellClasses, mask: int, modulus: int) -> Colouring:

    from tiler import portable

    black = mask >> portable.arange(classes.number) & 1
    values = [int(rows[0] @ black) if len(rows) else 0 for rows in _histograms(remainder, classes)]
    weights = tuple(black[classes.of_all(_places(remainder))].tolist())
    return Colouring(modulus, weights, tuple(value % modulus if modulus else value for value in values))


def _histograms(remainder: Remainder, classes: CellClasses) -> list[NDArray[np.int64]]:
    """For each tile, one row for each way in which a placement can cover the classes: its cells in each; shape (some,
    classes)."""
    import numpy as np

    from tiler import portable

    cover = remainder.cover
    offset = cover.offset.astype(np.int64) - np.array(box(frozenset(cover.cells))[0], np.int64)
    # Placements of one variant whose offsets are in one class cover the same classes.
    kind = cover.variant.astype(np.int64) * classes.number + classes.of_all(offset)
    result = []
    for t, variants in enumerate(cover.variants):
        mine = cover.by_tile[t]
        rows = set()
        for option in mine[np.unique(kind[mine], return_index=True)[1]].tolist():
            shape = np.array(sorted(variants[cover.variant[option]]), np.int64) + offset[option]
            rows.add(tuple(portable.bincount(classes.of_all(shape), minlength=classes.number).tolist()))
        result.append(np.array(sorted(rows), np.int64).reshape(len(rows), classes.number))
    return result


def _places(remainder: Remainder) -> NDArray[np.int64]:
    """The cells of the board, counted from the least coordinates; shape (cells, dimension)."""
    import numpy as np

    cells: NDArray[np.int64] = np.array(remainder.cover.cells, np.int64)
    cells -= cells.min(axis=0)
    return cells
