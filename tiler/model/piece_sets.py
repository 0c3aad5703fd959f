"""Make sets of pieces by name: all polyominoes or polycubes of one size, and the pieces of puzzles. `pentominoes` are the twelve
*free* ones; each stands for its mirror image too. `one-sided-pentominoes` are the eighteen pieces that may be turned but not
turned over. `pentacubes` are the 29 pieces in space, where a flat piece can be turned over, and other pieces and their mirror
images are two pieces. Other lattices have such sets, too, of shapes that lattice_shape_names.py names: `hexiamonds` and
`one-sided-tetrahexes` in the plane, `tetraspheres` in space. A set is made when it is asked for: see polyforms.py for what the
large ones cost.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache

from tiler.errors import InputError
from tiler.model import lattice_shape_names, numbered_names
from tiler.model.lattice import Lattice, Shape, dimension
from tiler.model.lattices import (
    DRAFTERS,
    HEXAGONAL,
    HEXAGONAL_PRISMS,
    KITES,
    RHOMBILLE,
    SPHERES,
    SQUARE_EDGES,
    TETRAKIS,
    TRIANGULAR,
    TRIANGULAR_EDGES,
    TRIANGULAR_PRISMS,
    USUAL,
    is_implied_by_cells,
)
from tiler.model.letter_names import named_shapes
from tiler.model.paint import PLAIN, Paint, coat_of


class Mirroring(Enum):
    """How a set treats mirror images."""

    FREE = "flat, and may be turned over"
    ONE_SIDED = "flat, and may not be turned over"
    SOLID = "in space, mirror images apart"


_POLYOMINOES = {
    **{1: "monominoes", 2: "dominoes", 3: "trominoes", 4: "tetrominoes", 5: "pentominoes"},
    **{6: "hexominoes", 7: "heptominoes", 8: "octominoes", 9: "nonominoes"},
}
_POLYCUBES = {
    **{3: "tricubes", 4: "tetracubes", 5: "pentacubes"},
    **{6: "hexacubes", 7: "heptacubes", 8: "octacubes", 9: "nonacubes"},
}
_PUZZLES = {
    "soma": ("3L", "4L", "4S", "4T", "4^", "4<", "4>"),
    "bedlam": ("4>", "L1", "L2", "L3", "J4", "S1", "S2", "T1", "T2", "V2", "5F", "5W", "5X"),
    "tetris-cube": ("5V", "5Y", "Q_", "6c-47m", "J4", "T2", "V2", "6c-75", "6c-18", "6c-19", "S1", "5N"),
}
_CHECKERED = ("black", "white")
# The letter of a free piece whose two mirror images have different letters.
_FREE = ("1", "2", "3I", "3L", *(f"4{letter}" for letter in "ILOST"), *(f"5{letter}" for letter in "FILNPTUVWXYZ"))


@dataclass(frozen=True)
class PieceSet:
    """A set of pieces: those of one size, or with `size` 0 those of a puzzle."""

    name: str
    kind: Mirroring
    size: int = 0
    lattice: Lattice = USUAL
    checkered: bool = False  #: cells have two colours, like a checkerboard, and each cell has the other colour on its back

    def paint(self, shape: Shape) -> Paint:
        """The paint of one of its pieces. If the set is checkered, at least half of the cells of the front are black."""
        if not self.checkered:
            return PLAIN
        most = 1 if sum(map(self.lattice.colour, shape)) > 0 else -1
        faces = ({cell: pair[self.lattice.colour(cell) != most] for cell in shape} for pair in (_CHECKERED, _CHECKERED[::-1]))
        front, back = (coat_of(face, {}) for face in faces)
        return Paint(front, back)

    def shapes(self) -> Mapping[str, Shape]:
        """Its pieces by name, in the order in which they are tiles of an instance."""
        return _shapes(self)


def _all() -> dict[str, PieceSet]:
    sets = [PieceSet(name, Mirroring.FREE, size) for size, name in _POLYOMINOES.items()]
    sets += [PieceSet(f"one-sided-{name}", Mirroring.ONE_SIDED, size) for size, name in _POLYOMINOES.items() if size > 3]
    sets += [PieceSet(name, Mirroring.SOLID, size) for size, name in _POLYCUBES.items()]
    sets += [PieceSet(name, Mirroring.SOLID) for name in _PUZZLES]
    sets.append(PieceSet("checkered-pentominoes", Mirroring.FREE, 5, checkered=True))
    return {piece_set.name: piece_set for piece_set in sets}


SETS: Mapping[str, PieceSet] = _all()

_SIZES = dict(enumerate(("mono", "di", "tri", "tetra", "penta", "hexa", "hepta", "octa"), 1))
_IAMONDS = ("moniamonds", "diamonds", "triamonds", "tetriamonds", "pentiamonds", "hexiamonds", "heptiamonds", "octiamonds")
_ABOLOES = ("monaboloes", "diaboloes", "triaboloes", "tetraboloes", "pentaboloes", "hexaboloes")
#: The names of sets on other lattices, by the number of cells. Sets of larger shapes would be too long.
_ELSEWHERE: Mapping[Lattice, Mapping[int, str]] = {
    TRIANGULAR: dict(enumerate(_IAMONDS, 1)),
    TETRAKIS: dict(enumerate(_ABOLOES, 1)),
    **{
        lattice: {size: before + ending for size, before in _SIZES.items() if size <= most}
        for lattice, ending, most in (
            *((HEXAGONAL, "hexes", 8), (SQUARE_EDGES, "sticks", 6), (TRIANGULAR_EDGES, "trigs", 5), (RHOMBILLE, "rhombs", 8)),
            *((KITES, "kites", 8), (DRAFTERS, "drafters", 6)),
            *((SPHERES, "spheres", 5), (HEXAGONAL_PRISMS, "hexprisms", 4), (TRIANGULAR_PRISMS, "triprisms", 5)),
        )
    },
}


def _elsewhere() -> dict[str, PieceSet]:
    sets = []
    for lattice, names in _ELSEWHERE.items():
        flat = lattice.dimension == 2
        sets += [PieceSet(name, Mirroring.FREE if flat else Mirroring.SOLID, size, lattice) for size, name in names.items()]
        sets += [PieceSet(f"one-sided-{name}", Mirroring.ONE_SIDED, size, lattice) for size, name in names.items() if flat]
    return {piece_set.name: piece_set for piece_set in sets}


#: The sets on all lattices, by name.
ALL: Mapping[str, PieceSet] = {**SETS, **_elsewhere()}


def lattice_of(words: Iterable[str]) -> Lattice:
    """The lattice of the first of some words that names a set, or a shape of one lattice alone (`hat`); else the usual one."""
    for word in words:
        lattice = ALL[word].lattice if word in ALL else None if word in named_shapes() else lattice_shape_names.lattice_of(word)
        if lattice is not None:
            return lattice
    return USUAL


def on(lattice: Lattice) -> Mapping[str, PieceSet]:
    """The sets of a lattice."""
    return (
        SETS
        if is_implied_by_cells(lattice)
        else {name: piece_set for name, piece_set in ALL.items() if piece_set.lattice == lattice}
    )


def of_size(size: int) -> Mapping[str, Shape]:
    """The polyominoes and then the polycubes that do not lie flat, of a size from 1 to 9, by name; those to 5 cells with their
    mirror images, which have letters, the others without. InputError for other sizes.

    >>> len(of_size(4)), len(of_size(6))
    (10, 112)
    """
    if not 1 <= size <= numbered_names.MOST:
        raise InputError(f"shapes of 1 to {numbered_names.MOST} cells are listed, not of {size}")
    if size < numbered_names.LEAST:
        return {name: shape for name, shape in named_shapes().items() if len(shape) == size}
    return {**numbered_names.free(size, solid=False), **numbered_names.free(size, solid=True)}


@cache
def _shapes(chosen: PieceSet) -> Mapping[str, Shape]:
    if not is_implied_by_cells(chosen.lattice):
        one_sided = chosen.kind is not Mirroring.FREE
        if chosen.lattice == TETRAKIS:
            return {
                name: shape
                for name, shape in lattice_shape_names.half_squares(chosen.size).items()
                if one_sided or name[-1] != "m"
            }
        return lattice_shape_names.shapes_by_name(chosen.lattice, chosen.size, one_sided=one_sided)
    if not chosen.size:
        letters = named_shapes()
        return {name: letters[name] if name in letters else numbered_names.shape_called(name) for name in _PUZZLES[chosen.name]}
    # A checkered piece turned over is not its mirror image, because the colours are exchanged.
    flat = _flat(chosen.size, one_sided=chosen.kind is Mirroring.ONE_SIDED or chosen.checkered)
    return flat if chosen.kind is not Mirroring.SOLID else {**flat, **_solid(chosen.size)}


def _flat(size: int, *, one_sided: bool) -> Mapping[str, Shape]:
    if size >= numbered_names.LEAST:
        return (numbered_names.numbered if one_sided else numbered_names.free)(size, solid=False)
    letters = {name: shape for name, shape in named_shapes().items() if len(shape) == size and dimension(shape) == 2}
    return letters if one_sided else {name: shape for name, shape in letters.items() if name in _FREE}


def _solid(size: int) -> Mapping[str, Shape]:
    if size >= numbered_names.LEAST:
        return numbered_names.numbered(size, solid=True)
    return {name: shape for name, shape in named_shapes().items() if len(shape) == size and dimension(shape) == 3}
