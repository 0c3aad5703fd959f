"""Name the shapes of lattices other than the square and the cubic one: by common names, and by numbers.

On every lattice the shapes of each size are numbered in the order of polyforms.py: `6-01` to `6-82` are the hexagonal ones of six
cells, and an `m` at the end marks the mirror image of one that is not its own. Some also have common names; `-m` marks their
mirror images. `a4-01` are polyaboloes: made of half squares, 4 of them here, each of two cells of the tetrakis lattice.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache

from tiler.errors import InputError
from tiler.model import text_maps
from tiler.model.lattice import Cell, Lattice, Shape
from tiler.model.lattices import HEXAGONAL, KITES, TETRAKIS, TRIANGULAR
from tiler.model.numbered_names import among, by_number

#: The most cells of shapes that have numbers, in the plane and in space: lists of larger shapes are too long to be of use.
MOST = {2: 8, 3: 5}
_MOST_HALF_SQUARES = 6
_NAME = re.compile(r"(a?)([0-9]{1,9})-([0-9]{1,9})(m?)")

# As T. H. O'Beirne named the hexiamonds, and as Martin Gardner has the tetrahexes.
_COMMON: Mapping[Lattice, Mapping[str, str]] = {
    TRIANGULAR: {
        "bar": ".xxxxxx",
        "sphinx": ".xxxxx/..x",
        "yacht": ".xxxx/..x.x",
        "lobster": ".xxxx/..xx",
        "hook": ".xxxx/...xx",
        "chevron": ".xxxx/....xx",
        "crook": "xxxxx/x",
        "crown": "xxxxx/..x",
        "signpost": "xxxx/..xx",
        "butterfly": ".xxx/.xxx",
        "hexagon": "xxx/xxx",
        "snake": "xxx/..xxx",
    },
    HEXAGONAL: {
        "bar": "x.x.x.x",
        "pistol": "x.x.x/.x",
        "worm": "x.x.x/.....x",
        "bee": "x.x/.x.x",
        "wave": "x.x/...x.x",
        "arch": "x.x/...x/..x",
        "propeller": "x/.x.x/x",
    },
}

# D. Smith, J. S. Myers, C. S. Kaplan, C. Goodman-Strauss, An aperiodic monotile, 2023: figure 1 and section 6.
_COMMON_CELLS: Mapping[Lattice, Mapping[str, Shape]] = {
    KITES: {
        "hat": frozenset({(5, 14), (10, 19), (14, 29), (19, 10), (19, 19), (19, 34), (29, 5), (29, 14)}),
        "turtle": frozenset({(5, 14), (10, 19), (14, 29), (19, 10), (19, 19), (29, 5), (29, 14), (34, 19), (38, 5), (43, 10)}),
    },
}


def common_names(lattice: Lattice) -> tuple[str, ...]:
    """The common names of shapes of a lattice."""
    return (*_COMMON.get(lattice, ()), *_COMMON_CELLS.get(lattice, ()))


def lattice_of(name: str) -> Lattice | None:
    """The lattice on which that is a common name, if it is one on a single lattice.

    >>> lattice_of("hat").name, lattice_of("bar")
    ('kites', None)
    """
    having = [lattice for lattice in (*_COMMON, *_COMMON_CELLS) if name in _common(lattice)]
    return having[0] if len(having) == 1 else None


def named(lattice: Lattice, name: str) -> Shape | None:
    """The shape of that name on a lattice; None if there is no such name. InputError if it is a number without a shape.

    >>> named(HEXAGONAL, "bee") == named(HEXAGONAL, "4-4")
    True
    """
    match = _NAME.fullmatch(name)
    if match is None:
        return _common(lattice).get(name)
    if match[1] and lattice != TETRAKIS:
        return None
    there = half_squares(int(match[2])) if match[1] else numbered(lattice, int(match[2]))
    return among(there, name, of=f" of the {lattice} lattice")


def name_of(lattice: Lattice, shape: Shape) -> str | None:
    """The common name of a shape, turned or not (never reflected); None if it has none."""
    return _names_by_shape(lattice).get(lattice.canonical(shape, reflections=False))


def shapes_by_name(lattice: Lattice, size: int, *, one_sided: bool) -> Mapping[str, Shape]:
    """All shapes of a size by their names; with mirror images if they are told apart."""
    kept = {name: shape for name, shape in numbered(lattice, size).items() if one_sided or not name.endswith("m")}
    return {name_of(lattice, shape) or name: shape for name, shape in kept.items()}


def half_squares(size: int) -> Mapping[str, Shape]:
    """The polyaboloes of this number of half squares by number, as `numbered`. InputError if there is no list of that size."""
    if not 1 <= size <= _MOST_HALF_SQUARES:
        raise InputError(f"polyaboloes of 1 to {_MOST_HALF_SQUARES} half squares have numbers such as a3-1, not of {size}")
    return by_number(f"a{size}", [(shape, _mirror(TETRAKIS, shape)) for shape in _aboloes(size)])


@cache
def numbered(lattice: Lattice, size: int) -> Mapping[str, Shape]:
    """The shapes of a size by number, each followed by its mirror image if that is another. InputError if there is no list
    of that size."""
    # This module imports numpy.
    from tiler.model.polyforms import polyforms

    most = MOST[lattice.dimension]
    if not 1 <= size <= most:
        raise InputError(f"shapes of 1 to {most} cells of the {lattice} lattice have numbers such as 3-1, not of {size}")
    return by_number(str(size), polyforms(lattice, size))


def _mirror(lattice: Lattice, shape: Shape) -> Shape | None:
    """The mirror image of a shape in canonical form; None if it can be turned into the shape."""
    turned = lattice.variants(shape, reflections=False)
    return next((other for other in lattice.variants(shape, reflections=True) if other not in turned), None)


@cache
def _common(lattice: Lattice) -> Mapping[str, Shape]:
    named = {}
    for name, shape in {**_drawn(lattice), **_COMMON_CELLS.get(lattice, {})}.items():
        turned = lattice.canonical(shape, reflections=False)
        mirror = _mirror(lattice, shape)
        # If the number of a mirror image has no m, its name has none either.
        named[name] = shape if mirror is None or sorted(turned) < sorted(mirror) else mirror
        if mirror is not None:
            named[f"{name}-m"] = max([turned, mirror], key=sorted)
    return named


def _drawn(lattice: Lattice) -> Mapping[str, Shape]:
    """The shapes that have a map."""
    found = {}
    for name, rows in _COMMON.get(lattice, {}).items():
        places = [(i, j) for i, row in enumerate(rows.split("/")) for j, letter in enumerate(row) if letter == "x"]
        found[name] = lattice.normalise(text_maps.cells_at(lattice, places) or frozenset())
    return found


@cache
def _names_by_shape(lattice: Lattice) -> Mapping[Shape, str]:
    return {lattice.canonical(shape, reflections=False): name for name, shape in _common(lattice).items()}


@cache
def _aboloes(size: int) -> tuple[Shape, ...]:
    """The free polyaboloes: half squares joined by whole edges, in canonical form and ascending order."""
    if size == 1:
        grown = {frozenset(half) for half in _halves((0, 0))}
    else:
        grown = {larger for shape in _aboloes(size - 1) for larger in _with_a_half_more(shape)}
    return tuple(sorted({TETRAKIS.canonical(shape, reflections=True) for shape in grown}, key=sorted))


def _with_a_half_more(shape: Shape) -> Iterable[Shape]:
    for cell in shape:
        square = _square(cell)
        for other in TETRAKIS.neighbours(cell):
            # The half square across an outer edge, which is a leg of that half square, too.
            if _square(other) != square:
                yield from (shape | half for half in _halves(_square(other)) if other in half and not half & shape)
        # The other half of the same square, across the diagonal.
        inside = {other for other in TETRAKIS.neighbours(cell) if _square(other) == square} & shape
        rest = _all_of(square) - shape
        if inside and len(rest) == 2:
            yield shape | rest


def _square(cell: Cell) -> Cell:
    return tuple(a // 6 for a in cell)


def _all_of(square: Cell) -> Shape:
    return frozenset(tuple(6 * a + b for a, b in zip(square, residue, strict=True)) for residue in TETRAKIS.residues)


def _halves(square: Cell) -> list[Shape]:
    cells = _all_of(square)
    return [frozenset({one, two}) for one in cells for two in TETRAKIS.neighbours(one) if two in cells and one < two]
