"""All tilings of a small instance and their orbits, found without any of Tiler's code for turning, placing or searching."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache
from itertools import permutations, product
from math import inf
from typing import NamedTuple

from hypothesis import assume, currently_in_test_context

from tiler.model.constraints import Constraint
from tiler.model.instance import Instance
from tiler.model.tile import Placement

Cell = tuple[int, ...]
Cells = frozenset[Cell]
Tiling = frozenset[tuple[str, Cells]]


MANY = 500


class Piece(NamedTuple):
    """A tile, or several that are the same turned about: every way to turn it, and how many copies may be used."""

    images: frozenset[Cells]
    least: int
    most: float


def tilings(instance: Instance) -> set[Tiling]:
    """Every tiling as a set of (tile, cells), whatever the constraints; the cells left over of the optional ones are in none.

    An instance with too many tilings is no example to test with: hypothesis draws another one.
    """
    pieces = distinct(instance)
    shapes = [(name, shape) for name, piece in pieces.items() for shape in piece.images]
    found: set[Tiling] = set()

    def extend(open_cells: Cells, placed: tuple[tuple[str, Cells], ...]) -> None:
        used = Counter(name for name, _ in placed)
        if not open_cells:
            if all(used[name] >= piece.least for name, piece in pieces.items()):
                found.add(frozenset(placed))
                if currently_in_test_context():
                    assume(len(found) <= MANY)
            return
        target = min(open_cells)
        if target in instance.optional:
            extend(open_cells - {target}, placed)
        for name, shape in shapes:
            if used[name] == pieces[name].most:
                continue
            for cell in shape:
                step = tuple(a - b for a, b in zip(target, cell, strict=True))
                cells = frozenset(tuple(a + b for a, b in zip(each, step, strict=True)) for each in shape)
                if cells <= open_cells:
                    extend(open_cells - cells, (*placed, (name, cells)))

    extend(instance.board, ())
    return found


def distinct(instance: Instance) -> dict[str, Piece]:
    """The tiles by name. Those with the same images are one, called by the first name; their bounds add up."""
    found: dict[frozenset[Cells], tuple[str, int, float]] = {}
    for tile in instance.tiles:
        turned = images(tile.shape, instance.dimension, instance.reflections)
        name, least, most = found.get(turned, (tile.name, 0, 0))
        found[turned] = name, least + tile.at_least, most + (inf if tile.at_most is None else tile.at_most)
    return {name: Piece(turned, least, most) for turned, (name, least, most) in found.items()}


def as_tiling(solution: tuple[Placement, ...]) -> Tiling:
    return frozenset((placement.tile, placement.cells) for placement in solution)


@cache
def images(shape: Cells, dimension: int, reflections: bool) -> frozenset[Cells]:
    """Every way to turn a shape, at the origin."""
    cells = [(0,) * (dimension - len(cell)) + cell for cell in shape]
    return frozenset(at_origin(map(turn, cells)) for turn in turns(dimension, reflections))


@cache
def turns(dimension: int, reflections: bool) -> tuple[Callable[[Cell], Cell], ...]:
    """The rotations, with mirrors if wanted, that map the lattice onto itself and leave the origin where it is."""

    def turn(axes: tuple[int, ...], signs: tuple[int, ...]) -> Callable[[Cell], Cell]:
        return lambda cell: tuple(sign * cell[axis] for sign, axis in zip(signs, axes, strict=True))

    def is_rotation(axes: tuple[int, ...], signs: tuple[int, ...]) -> bool:
        return (sum(a > b for i, a in enumerate(axes) for b in axes[i + 1 :]) + signs.count(-1)) % 2 == 0

    ways = product(permutations(range(dimension)), product((1, -1), repeat=dimension))
    return tuple(turn(*way) for way in ways if reflections or is_rotation(*way))


def at_origin(cells: Iterable[Cell]) -> Cells:
    cells = list(cells)
    low = [min(column) for column in zip(*cells, strict=True)]
    return frozenset(tuple(a - b for a, b in zip(cell, low, strict=True)) for cell in cells)


def obeys(instance: Instance, tiling: Tiling) -> bool:
    """Whether a tiling keeps to the constraints, from the words of docs/reference/problems.md."""
    return all(
        all(keeps_to(instance, each, name, cells) for name, cells in tiling)
        and (each.kind != "place" or copy_placed(instance, each) in tiling)
        for each in instance.constraints
    )


def keeps_to(instance: Instance, constraint: Constraint, name: str, cells: Cells) -> bool:
    """Whether a placement keeps to what a constraint says about all copies of a tile."""
    meant, piece = called(instance, constraint.tile)
    if constraint.kind == "place" or name != meant:
        return True
    if constraint.kind == "forbid":
        return not cells & set(constraint.cells)
    if constraint.kind == "only":
        size = len(cells)
        return cells in [set(constraint.cells[i : i + size]) for i in range(0, len(constraint.cells), size)]
    if constraint.kind == "within":
        low, high = constraint.cells
        return all(low[i] <= cell[i] <= high[i] for cell in cells for i in range(len(cell)))
    turned = sorted(piece.images, key=sorted)
    return turned.index(at_origin(cells)) < constraint.orientations


def copy_placed(instance: Instance, constraint: Constraint) -> tuple[str, Cells]:
    """The placement that a constraint `place` asks for."""
    return called(instance, constraint.tile)[0], frozenset(constraint.cells)


def called(instance: Instance, name: str) -> tuple[str, Piece]:
    """The piece that a tile of that name is, and what that piece is called."""
    tile = next(tile for tile in instance.tiles if tile.name == name)
    turned = images(tile.shape, instance.dimension, instance.reflections)
    return next((first, piece) for first, piece in distinct(instance).items() if piece.images == turned)


def allowed_tilings(instance: Instance) -> set[Tiling]:
    """Every tiling that keeps to the constraints."""
    return {tiling for tiling in tilings(instance) if obeys(instance, tiling)}


def orbits(instance: Instance) -> set[frozenset[Tiling]]:
    """What is the same up to symmetry among the tilings that keep to the constraints."""
    pieces, whole = distinct(instance), symmetries(instance)
    return {frozenset(image(pieces, turn, tiling) for turn in whole) for tiling in allowed_tilings(instance)}


def symmetries(instance: Instance) -> list[Callable[[Cell], Cell]]:
    """Every isometry of the board, mirrors included, that maps the tiles with their bounds, and what the constraints leave of
    their placements, onto themselves."""
    pieces = distinct(instance)
    bounds = {piece.images: (piece.least, piece.most) for piece in pieces.values()}
    lying = placements(instance)
    open_ = instance.optional - {cell for each in instance.constraints if each.kind == "place" for cell in each.cells}
    found = []
    for turn in turns(instance.dimension, True):
        symmetry = moved_back(turn, instance.board)
        if {symmetry(cell) for cell in instance.board} != instance.board or {symmetry(cell) for cell in open_} != open_:
            continue
        if {symmetry(cell) for cell in instance.optional} != instance.optional:
            continue
        turned = {
            frozenset(at_origin(map(turn, shape)) for shape in piece.images): (piece.least, piece.most)
            for piece in pieces.values()
        }
        if turned == bounds and image(pieces, symmetry, lying) == lying:
            found.append(symmetry)
    return found


def moved_back(turn: Callable[[Cell], Cell], board: Cells) -> Callable[[Cell], Cell]:
    """The turn followed by the step that takes the board's corner back to where it was."""
    turned = [turn(cell) for cell in board]
    step = [min(a) - min(b) for a, b in zip(zip(*board, strict=True), zip(*turned, strict=True), strict=True)]
    return lambda cell: tuple(a + b for a, b in zip(turn(cell), step, strict=True))


def placements(instance: Instance) -> Tiling:
    """Wherever a tile may lie, as the constraints have it."""
    found = set()
    for name, piece in distinct(instance).items():
        for shape in piece.images:
            for cell in instance.board:
                step = [a - b for a, b in zip(cell, min(shape), strict=True)]
                cells = frozenset(tuple(a + b for a, b in zip(each, step, strict=True)) for each in shape)
                if cells <= instance.board and may_lie(instance, name, cells):
                    found.add((name, cells))
    return frozenset(found)


def may_lie(instance: Instance, name: str, cells: Cells) -> bool:
    """Whether a placement keeps to the constraints and overlaps no copy that they place."""
    placed = [copy_placed(instance, each) for each in instance.constraints if each.kind == "place"]
    return all(keeps_to(instance, each, name, cells) for each in instance.constraints) and all(
        (name, cells) == copy or cells.isdisjoint(copy[1]) for copy in placed
    )


def image(pieces: dict[str, Piece], symmetry: Callable[[Cell], Cell], tiling: Tiling) -> Tiling:
    """Where a symmetry takes placements; a mirror may turn a tile into another one."""

    def name_of(cells: Cells) -> str:
        return next(name for name, piece in pieces.items() if at_origin(cells) in piece.images)

    turned = [frozenset(map(symmetry, cells)) for _, cells in tiling]
    return frozenset((name_of(cells), cells) for cells in turned)
