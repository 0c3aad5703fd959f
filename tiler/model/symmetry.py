"""Find the symmetry group of an instance: every isometry of the board, mirrors included, that maps the set of tiles with their
bounds onto itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import replace
from operator import add, sub
from typing import TYPE_CHECKING

from tiler.model.instance import Instance
from tiler.model.lattice import Cell, Isometry
from tiler.model.paint import CellSide
from tiler.model.wrap import Wrap
from tiler.process.cancellation import StopCheck, never_stop

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def cell_maps(instance: Instance, cells: Sequence[Cell], symmetries: Sequence[Isometry]) -> NDArray[np.int64]:
    """The images of the cells of a board under symmetries of an instance, as numbers into `cells`: shape (symmetries, cells)."""
    import numpy as np

    from tiler.model.cell_numbers import CellFinder, coordinates

    where = coordinates(cells)
    finder = CellFinder.of(instance.lattice, instance.wrap, where)
    return np.array([finder.find(symmetry.array(where)) for symmetry in symmetries], np.int64)


def tile_maps(instance: Instance, symmetries: Sequence[Isometry]) -> NDArray[np.int64]:
    """The images of the distinct tiles under symmetries of an instance, as their numbers: shape (symmetries, tiles). A mirror may
    take tiles to each other where they may not be reflected, and a rotation where they may not be turned."""
    import numpy as np

    tiles = instance.distinct_tiles
    number = {instance.looks(tile): t for t, tile in enumerate(tiles)}
    turns = [_turn_of_tiles(instance, symmetry) for symmetry in symmetries]
    maps = {turn: [number[instance.looks(tile, turn)] for tile in tiles] for turn in dict.fromkeys(turns)}
    return np.array([maps[turn] for turn in turns], np.int64).reshape(len(turns), len(tiles))


def group(instance: Instance, check_stop: StopCheck = never_stop) -> tuple[Isometry, ...]:
    """The symmetries of an instance, the identity first; the answer up to symmetry counts orbits under them.

    With reflections allowed, or in a set that holds every tile with its mirror image, mirrors qualify; in space a mirror of a
    flat piece is the piece turned over. (6x10 with the free pentominoes: 4. A 3x4x5 box with flat pieces: 8. Soma: 48.)
    """
    import numpy as np

    from tiler.model.cell_numbers import CellFinder, coordinates

    check_stop()
    lattice, wrap = instance.lattice, instance.wrap
    cells = sorted(instance.board) if wrap else list(instance.board)
    where = coordinates(cells)
    finder, low = CellFinder.of(lattice, wrap, where), where.min(0)
    # Cells have the same mark if they have the same colour, and are in the same set of cells that may stay open, or in none.
    marks = np.zeros(len(cells), np.int32)
    if instance.openings or instance.ground.colours:
        opening = {cell: number for number, (some, _, _) in enumerate(instance.openings) for cell in some}
        colour, kinds = dict(instance.ground.colours), dict[Hashable, int]()
        marks[:] = [kinds.setdefault((colour.get(cell), opening.get(cell)), len(kinds)) for cell in cells]
    kept = []
    for turn in turns_of_tiles(instance):
        check_stop()
        image = turn.array(where)
        if not (wrap.keeps(turn) if wrap else np.array_equal(np.ptp(image, 0), np.ptp(where, 0))):
            continue
        # The first cell goes to a cell of the board. Without a wrap, only one translation can take the image to the board.
        offsets = where - image[0] if wrap else low - image.min(0)[None]
        for offset in offsets[(offsets % lattice.moduli == 0).all(1)]:
            check_stop()
            to = finder.find(image + offset)
            symmetry = Isometry(turn.matrix, tuple(offset.tolist()))
            if (to >= 0).all() and (marks[to] == marks).all() and _ground_allows(instance, symmetry):
                kept.append(symmetry)
    return tuple(kept)


def conjugacy_classes(
    wrap: Wrap, symmetries: Sequence[Isometry], check_stop: StopCheck = never_stop
) -> list[tuple[Isometry, int]]:
    """One of every class of conjugate symmetries of a group, and the size of the class; the identity, which comes
    first, first. Symmetries that are conjugate keep equally many tilings."""

    def normal(symmetry: Isometry) -> Isometry:
        return Isometry(symmetry.matrix, wrap.reduce(symmetry.offset))

    number = {normal(symmetry): at for at, symmetry in enumerate(symmetries)}
    class_of = list(range(len(symmetries)))

    def first(at: int) -> int:
        while class_of[at] != at:
            class_of[at] = at = class_of[class_of[at]]
        return at

    for maker in _generators(wrap, list(number)):
        back = maker.inverse()
        for symmetry, at in number.items():
            check_stop()
            one, two = sorted((first(at), first(number[normal(maker.after(symmetry).after(back))])))
            class_of[two] = one
    sizes = Counter(map(first, range(len(symmetries))))
    return [(symmetries[at], sizes[at]) for at in sorted(sizes)]


def _generators(wrap: Wrap, symmetries: Sequence[Isometry]) -> list[Isometry]:
    """A generating set of a group: one symmetry with each matrix, and some translations."""
    by_matrix = {symmetry.matrix: symmetry for symmetry in reversed(symmetries)}
    identity = symmetries[0].matrix
    generators, made = (
        [symmetry for matrix, symmetry in by_matrix.items() if matrix != identity],
        {wrap.reduce(symmetries[0].offset)},
    )
    for symmetry in symmetries:
        if symmetry.matrix == identity and symmetry.offset not in made:
            generators.append(symmetry)
            new, step = set(made), symmetry.offset
            while step not in made:
                new |= {wrap.reduce(tuple(map(add, at, step))) for at in made}
                step = wrap.reduce(tuple(map(add, step, symmetry.offset)))
            made = new
    return generators


def _turn_of_tiles(instance: Instance, isometry: Isometry) -> Isometry | None:
    """The effect of an isometry on the tiles: if they may be turned, a rotation has no effect, and all mirrors have the same
    effect."""
    if instance.turning:
        return None if isometry.is_rotation else instance.lattice.a_mirror
    return replace(isometry, offset=(0,) * instance.dimension)


def turns_of_tiles(instance: Instance) -> list[Isometry]:
    """The isometries that fix the origin and take the tiles to tiles with the same bounds."""

    def bounds(turn: Isometry | None) -> dict[Hashable, tuple[int, int | None]]:
        return {instance.looks(tile, turn): (tile.at_least, tile.at_most) for tile in instance.distinct_tiles}

    isometries, mirrored = instance.lattice.isometries(reflections=True), instance.reflections and not instance.is_painted
    turns = [_turn_of_tiles(instance, isometry) for isometry in isometries]
    allowed = {turn: turn is None or mirrored or bounds(turn) == bounds(None) for turn in dict.fromkeys(turns)}
    return [isometry for isometry, turn in zip(isometries, turns, strict=True) if allowed[turn]]


def _ground_allows(instance: Instance, symmetry: Isometry) -> bool:
    """Whether an isometry keeps the demands of the board on its border."""
    if not instance.ground.border:
        return True
    reduce = instance.wrap.reduce

    def seen(side: CellSide, by: Isometry | None) -> CellSide:
        # A side is moved along the wrap, so that it begins at a cell of the board.
        cell, beyond = map(by, side) if by else side
        back = tuple(map(sub, reduce(cell), cell))
        return CellSide(tuple(map(add, cell, back)), tuple(map(add, beyond, back)))

    def border(by: Isometry | None) -> dict[CellSide, tuple[str, ...]]:
        return {seen(side, by): marks for side, marks in instance.ground.border}

    return border(None) == border(symmetry)
