"""Name polyominoes and polycubes of 6 to 9 cells by numbers, as they have no letters: `6-01` to `6-35`, `6c-01` to `6c-77`.

The number before the hyphen counts cells. Polyominoes are numbered in the order of polyforms.py, that is by the cells of the
canonical form read from the top and the left: `6-01` is the straight one. The flat polycubes have the same numbers. A `c` marks
polycubes that do not lie flat, which are numbered by themselves, in the same order. All numbers of a kind have as many digits as
the last. An `m` at the end marks the mirror image of a piece that is not its own: of a polyomino that may not be turned over, or
of a polycube. The piece without it has the lesser canonical form.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

from tiler.errors import InputError
from tiler.model.lattice import Shape, box
from tiler.model.lattices import CUBIC, SQUARE, fitted

LEAST, MOST = 6, 9  #: cells of shapes with numbers: smaller shapes have names, and lists of larger ones are too long to be of use

_NAME = re.compile(r"([0-9]+)(c?)-([0-9]+)(m?)")


def is_name(text: str) -> bool:
    """Whether a text has the form of such a name, of any number of cells.

    >>> is_name("6-01m"), is_name("6x10")
    (True, False)
    """
    return _NAME.fullmatch(text) is not None


@cache
def numbered(size: int, solid: bool) -> Mapping[str, Shape]:
    """The polyominoes of a size, or the polycubes that do not lie flat, by name, each followed by its mirror image if that
    is another: 6 to 9 cells, see polyforms.py for what the first call costs.

    >>> [len(numbered(6, solid)) for solid in (False, True)]
    [60, 131]
    """
    # This module imports numpy.
    from tiler.model.polyforms import polyforms

    forms = [form for form in polyforms(CUBIC, size) if min(box(form.shape)[1])] if solid else polyforms(SQUARE, size)
    return by_number(f"{size}c" if solid else str(size), forms)


def by_number(before: str, forms: Sequence[tuple[Shape, Shape | None]]) -> Mapping[str, Shape]:
    """Shapes by name, a text and a number, each followed by its mirror image (None: it is its own).

    >>> list(by_number("3", [(frozenset(), None), (frozenset(), frozenset())]))
    ['3-1', '3-2', '3-2m']
    """
    digits = len(str(len(forms)))
    named: dict[str, Shape] = {}
    for number, (shape, mirror) in enumerate(forms, 1):
        name = f"{before}-{number:0{digits}}"
        named |= {name: shape} if mirror is None else {name: shape, f"{name}m": mirror}
    return named


def free(size: int, solid: bool) -> Mapping[str, Shape]:
    """The shapes of `numbered` without mirror images."""
    return {name: shape for name, shape in numbered(size, solid).items() if not name.endswith("m")}


def shape_called(name: str) -> Shape:
    """The shape of that name, which `is_name`; InputError if there is none, with those that there are.

    >>> sorted(shape_called("6-01"))
    [(0, 0), (0, 1), (0, 2), (0, 3), (0, 4), (0, 5)]
    """
    match = _NAME.fullmatch(name)
    size = int(match[1][:9]) if match else 0
    if match is None or not LEAST <= size <= MOST:
        raise InputError(f"{name[:40]!r} is not a shape; shapes of {LEAST} to {MOST} cells have names such as 6-01")
    return among(numbered(size, bool(match[2])), name, hint=f" (see tiler shapes {size})")


def among(there: Mapping[str, Shape], name: str, *, of: str = "", hint: str = "") -> Shape:
    """The shape with a number, of all that have one; InputError, with words about them and a hint, if it is not there."""
    if name in there:
        return there[name]
    if name.removesuffix("m") in there:
        raise InputError(f"{name!r} is not a shape: {name.removesuffix('m')} is its own mirror image; leave out the m")
    names = [other for other in there if not other.endswith("m")]
    raise InputError(f"{name[:40]!r} is not a shape{of}; there are {names[0]} to {names[-1]}{hint}")


def name_of(shape: Shape) -> str | None:
    """The name of a shape turned in whatever way, or None if it has no number. One that stands upright in space is taken for its
    mirror image, into which it can be turned there.

    >>> name_of(frozenset((row, 3) for row in range(6)))
    '6-01'
    """
    lattice, shape = fitted(SQUARE, shape)
    if not LEAST <= len(shape) <= MOST or not lattice.is_connected(shape):
        return None
    upright = [axis for axis, (a, b) in enumerate(zip(*box(shape), strict=True)) if a == b] if lattice == CUBIC else []
    if upright:
        (axis, *_) = upright
        flat = SQUARE.canonical(frozenset(cell[:axis] + cell[axis + 1 :] for cell in shape), reflections=True)
        return _names(len(shape), False)[flat]
    return _names(len(shape), lattice == CUBIC)[lattice.canonical(shape, reflections=False)]


@cache
def _names(size: int, solid: bool) -> Mapping[Shape, str]:
    return {shape: name for name, shape in numbered(size, solid).items()}
