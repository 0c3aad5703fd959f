"""Hold constraints on where tiles may lie, and placements that lie on the board already.

    lock: X 2                 the tile in its first 2 orientations only (1 if no number is given)
    within: X 0,0..4,2        only inside that box of cells, both corners included
    place: X 0,1 1,0 1,1 ...  a copy lies on exactly these cells; with `way 3` at the end, in its third orientation
    only: I2 0,0 0,1 4,4 5,4  copies lie nowhere but on these cells, listed copy by copy
    forbid: 3,3 4,4 for X     no copy covers any of these cells

A constraint only removes placements. Cells are row,column or layer,row,column, as the board has them: counted from 0.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from tiler.errors import InputError, suggest
from tiler.model.lattice import Cell, Isometry, Lattice, Shape
from tiler.model.tile import Tile
from tiler.model.wrap import Wrap

_CELL = r"-?[0-9]{1,9}(?:,-?[0-9]{1,9}){1,2}"
_FORMS = {
    "lock": (re.compile(r"(\S+)(?:\s+([0-9]{1,9}))?"), "TILE or TILE N"),
    "within": (re.compile(rf"(\S+)\s+({_CELL})\.\.({_CELL})"), "TILE ROW,COLUMN..ROW,COLUMN"),
    "place": (
        re.compile(rf"(\S+)((?:\s+{_CELL})+)(?:\s+way\s+([0-9]{{1,9}}))?"),
        "TILE ROW,COLUMN ... or TILE ROW,COLUMN ... way N",
    ),
    "only": (re.compile(rf"(\S+)((?:\s+{_CELL})+)"), "TILE ROW,COLUMN ROW,COLUMN ..."),
    "forbid": (re.compile(rf"({_CELL}(?:\s+{_CELL})*)\s+for\s+(\S+)"), "ROW,COLUMN ... for TILE"),
}

KINDS = tuple(_FORMS)


@dataclass(frozen=True)
class Constraint:
    """One of the kinds above.

    `tile` is the name of any of an instance's tiles, or another name of its shape; where that is merged into another tile, it
    stands for all copies of both. `cells` are those to place or forbid, those of all placements that are left, one behind the
    other, or the two corners of the box. `orientations` is the number of those that are left, of the kind `lock`; and the number
    of the one in which a copy is placed, counted from 1, of the kind `place`: 0 if any will do.
    """

    kind: str
    tile: str
    cells: tuple[Cell, ...] = ()
    orientations: int = 0

    def carried(self, isometry: Isometry, names: Mapping[str, str]) -> Constraint:
        """The same constraint where the board is carried by an isometry, and each tile has another name. The isometry must keep
        boxes, if this is one, and the numbers of orientations, if this has one."""
        cells: tuple[Cell, ...] = tuple(isometry.images(self.cells))
        if self.kind == "within":
            low, high = (tuple(map(choose, *cells)) for choose in (min, max))
            cells = low, high
        elif self.kind in ("place", "forbid"):
            cells = tuple(sorted(cells))
        return replace(self, tile=names[self.tile], cells=cells)


def carriers(constraints: Iterable[Constraint], isometries: tuple[Isometry, ...]) -> tuple[Isometry, ...]:
    """The isometries that keep the meaning of all constraints (`Constraint.carried`); the first one is the identity."""
    given = tuple(constraints)
    if any(constraint.orientations for constraint in given):  # These are numbered by the way in which the tile lies.
        return isometries[:1]
    if any(constraint.kind == "within" for constraint in given):  # A box must stay a box.
        return tuple(each for each in isometries if all(sum(map(abs, row)) == 1 for row in each.matrix))
    return isometries


def parse(kind: str, text: str) -> Constraint:
    """The constraint that a setting `kind: text` stands for. The instance checks later whether there is such a tile.

    >>> parse("within", "X 0,0..4,2")
    Constraint(kind='within', tile='X', cells=((0, 0), (4, 2)), orientations=0)
    """
    pattern, form = _FORMS[kind]
    match = pattern.fullmatch(text.strip())
    if match is None:
        raise InputError(f"{kind}: {text.strip()[:60]!r} is not of the form {form}")
    tile, *rest = match.groups() if kind != "forbid" else match.groups()[::-1]
    if kind == "lock":
        if rest[0] is not None and int(rest[0]) == 0:
            raise InputError(f"lock: {text.strip()!r} leaves no orientation")
        return Constraint(kind, tile, orientations=int(rest[0] or 1))
    way = rest.pop() if kind == "place" else None
    if way is not None and int(way) == 0:
        raise InputError(f"place: {text.strip()[:60]!r}: ways are counted from 1")
    cells = [tuple(map(int, cell.split(","))) for cell in " ".join(rest).split()]
    if kind == "only":
        return Constraint(kind, tile, tuple(cells))
    if kind != "within":
        return Constraint(kind, tile, tuple(sorted(set(cells))), int(way or 0))
    low, high = cells
    if len(low) != len(high) or any(a > b for a, b in zip(low, high, strict=True)):
        raise InputError(f"within: {text.strip()[:60]!r}: the corner with the smaller numbers comes first")
    return Constraint(kind, tile, (low, high))


def write(constraint: Constraint) -> str:
    """The text that `parse` reads as this constraint, unless there are spaces in the tile's name."""
    name = constraint.tile
    cells = [",".join(map(str, cell)) for cell in constraint.cells]
    if constraint.kind == "lock":
        return f"{name} {constraint.orientations}"
    if constraint.kind == "within":
        return f"{name} {'..'.join(cells)}"
    if constraint.kind == "place" and constraint.orientations:
        cells.append(f"way {constraint.orientations}")
    return f"{name} {' '.join(cells)}" if constraint.kind in ("place", "only") else f"{' '.join(cells)} for {name}"


def placements_left(constraint: Constraint, size: int) -> frozenset[Shape]:
    """The placements that a constraint `only` leaves to a tile of this size."""
    cells = constraint.cells
    return frozenset(frozenset(cells[start : start + size]) for start in range(0, len(cells), size))


def error_in(constraint: Constraint, lattice: Lattice, wrap: Wrap, board: Shape, tile: Tile, reflections: bool) -> str | None:
    """The reason why a constraint makes no sense for a board and its tile, which may be turned over or not; None if it does."""
    kind, cells = constraint.kind, frozenset(constraint.cells)
    if kind not in _FORMS:
        return f"{kind}: there is no such constraint{suggest(kind, KINDS)}; there are {', '.join(KINDS)}"
    if kind == "lock" and not constraint.orientations:
        return "lock: at least one orientation must be left"
    if kind == "within" and len(constraint.cells) != 2:
        return "within: a box has two corners"
    if kind in ("place", "only", "forbid") and not cells:
        return f"{kind}: there is no cell"
    if any(len(cell) != lattice.dimension for cell in cells):
        return f"{kind}: cells of this board have {lattice.dimension} numbers"
    missing = cells - board
    if kind in ("place", "only", "forbid") and missing:
        return f"{kind}: {min(missing)} is not a cell of the board"
    shape = lattice.lift(tile.shape)
    placed = {"place": frozenset({cells}), "only": placements_left(constraint, tile.size)}.get(kind, frozenset())
    for orientation in sorted(placed, key=sorted):
        if not any(wrap.fits(lattice, variant, orientation) for variant in lattice.variants(shape, reflections)):
            named = " ".join(",".join(map(str, cell)) for cell in sorted(orientation))
            mirrored = any(wrap.fits(lattice, variant, orientation) for variant in lattice.variants(shape, reflections=True))
            how = " (of its mirror image; reflections are not allowed)" if mirrored else ""
            return f"{kind}: {named[:60]} are not the cells of a {tile.name}{how}"
    return None
