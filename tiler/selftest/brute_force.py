"""All tilings of a small instance and their orbits, found without any of Tiler's code for turning, placing or searching."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from functools import cache
from itertools import combinations, permutations, product
from math import atan2, cos, inf, pi, sin, sqrt
from operator import add
from typing import NamedTuple

import numpy as np

from tiler.model.constraints import Constraint
from tiler.model.instance import Instance
from tiler.model.lattice import Lattice
from tiler.model.tile import Placement

Cell = tuple[int, ...]
Cells = frozenset[Cell]
Tiling = frozenset[tuple[str, Cells]]


class TooManyError(Exception):
    """There are more tilings than were asked for."""


class Piece(NamedTuple):
    """A tile, or several that are the same turned about: every way to turn it, and how many copies may be used."""

    images: frozenset[Cells]
    least: int
    most: float


def tilings(instance: Instance, most: float = inf) -> set[Tiling]:
    """Every tiling as a set of (tile, cells), whatever the constraints; the cells left over of the optional ones are in none.

    TooManyError if there are more than `most`.
    """
    pieces = distinct(instance)
    shapes = [(name, shape) for name, piece in pieces.items() for shape in piece.images]
    found: set[Tiling] = set()

    @cache
    def covering(target: Cell) -> list[tuple[str, Cells]]:
        return [(name, cells) for name, shape in shapes for cells in {moved(instance, shape, cell, target) for cell in shape}]

    def extend(open_cells: Cells, placed: tuple[tuple[str, Cells], ...]) -> None:
        used = Counter(name for name, _ in placed)
        if not open_cells:
            left = instance.board.difference(*(cells for _, cells in placed))
            enough = instance.open is None or instance.open[0] <= len(left) <= instance.open[1]
            enough = enough and all(len(group.cells & left) == 1 for group in instance.groups)
            apart = instance.crossing or not any(cross(instance.lattice, a, b) for (_, a), (_, b) in combinations(placed, 2))
            if enough and apart and all(used[name] >= piece.least for name, piece in pieces.items()):
                found.add(frozenset(placed))
                if len(found) > most:
                    raise TooManyError
            return
        target = min(open_cells)
        if target in instance.optional:
            extend(open_cells - {target}, placed)
        for name, cells in covering(target):
            if used[name] < pieces[name].most and cells and cells <= open_cells:
                extend(open_cells - cells, (*placed, (name, cells)))

    extend(instance.board, ())
    return found


def cross(lattice: Lattice, one: Cells, two: Cells) -> bool:
    """Whether two pieces made of edges cross: round some point they take turns more than once."""
    basis = BASES[lattice.metric]
    round_point: dict[Cell, list[tuple[float, bool]]] = defaultdict(list)
    for is_first, piece in ((True, one), (False, two)):
        for edge in piece:
            # An edge is told by its middle, which is odd along it; the third edge of a triangle is as short as the others.
            along = np.array([edge[0] % 2, edge[1] % 2] if sum(a % 2 for a in edge) == 1 else [1, -1])
            for way in (along, -along):
                x, y = basis @ way
                round_point[tuple((edge - way).tolist())].append((atan2(y, x), is_first))
    for ends in round_point.values():
        owners = [is_first for _, is_first in sorted(ends)]
        if sum(a != b for a, b in zip(owners, owners[1:] + owners[:1], strict=True)) > 2:
            return True
    return False


def distinct(instance: Instance) -> dict[str, Piece]:
    """The tiles by name. Those with the same images are one, called by the first name; their bounds add up."""
    found: dict[frozenset[Cells], tuple[str, int, float]] = {}
    for tile in instance.tiles:
        turned = images(instance, tile.shape)
        name, least, most = found.get(turned, (tile.name, 0, 0))
        found[turned] = name, least + tile.at_least, most + (inf if tile.at_most is None else tile.at_most)
    return {name: Piece(turned, least, most) for turned, (name, least, most) in found.items()}


def as_tiling(solution: tuple[Placement, ...]) -> Tiling:
    return frozenset((placement.tile, placement.cells) for placement in solution)


def moved(instance: Instance, shape: Cells, cell: Cell, target: Cell) -> Cells:
    """The cells of the board that a shape covers where one of its cells comes to be another one; none if it cannot lie there."""
    step = [a - b for a, b in zip(target, cell, strict=True)]
    if any(a % m for a, m in zip(step, instance.lattice.moduli, strict=True)):
        return frozenset()
    there = places(instance)
    cells = [there.get(tuple(a + b for a, b in zip(each, step, strict=True))) for each in shape]
    return frozenset() if None in cells or len(set(cells)) < len(cells) else frozenset(cell for cell in cells if cell)


@cache
def places(instance: Instance) -> dict[Cell, Cell]:
    """The cells of the board, and on a wrapped one those some times round that are one with them."""
    found = {cell: cell for cell in instance.board}
    for vector in instance.wrap.vectors:
        times = [[n * a for a in vector] for n in range(-6, 7)]
        found = {tuple(map(add, at, step)): cell for at, cell in found.items() for step in times}
    return found


@cache
def images(instance: Instance, shape: Cells) -> frozenset[Cells]:
    """Every way to turn a shape, at the origin."""
    lattice = instance.lattice
    cells = [(0,) * (lattice.dimension - len(cell)) + cell for cell in shape]
    if not instance.turning:
        return frozenset({at_origin(cells, lattice)})
    return frozenset(at_origin(map(turn, cells), lattice) for turn in turns(lattice, instance.reflections))


@cache
def turns(lattice: Lattice, reflections: bool) -> tuple[Callable[[Cell], Cell], ...]:
    """The rotations, with mirrors if wanted, that map the lattice onto itself and leave the origin where it is.

    They turn points of the plane by angles, and points of space by the symmetries of the cube, or of a prism; back to whole
    numbers they are brought by rounding.
    """
    basis = BASES[lattice.metric]

    def turn(motion: np.ndarray) -> Callable[[Cell], Cell]:
        matrix = np.linalg.solve(basis, motion @ basis)
        return lambda cell: tuple(np.rint(matrix @ cell).astype(int).tolist())

    if lattice.dimension == 2:
        motions = flat_motions(4 if lattice.metric == ((1, 0), (0, 1)) else 6)
    elif lattice.metric[0] == (3, 0, 0):
        zeros = np.zeros((1, 2))
        motions = [np.block([[np.full((1, 1), up), zeros], [zeros.T, flat]]) for up in (1, -1) for flat in flat_motions(6)]
    else:
        ways = product(product((1, -1), repeat=3), permutations(range(3)))
        motions = [np.diag(signs) @ np.eye(3)[list(axes)] for signs, axes in ways]
    return tuple(turn(motion) for motion in motions if reflections or np.linalg.det(motion) > 0)


def flat_motions(times: int) -> list[np.ndarray]:
    """The rotations by parts of a whole turn, and each after a mirror."""
    turned = [
        np.array([[cos(angle), -sin(angle)], [sin(angle), cos(angle)]]) for angle in (2 * pi * k / times for k in range(times))
    ]
    return [*turned, *(each @ np.diag([1, -1]) for each in turned)]


#: Where the axes of a lattice lead, by the products that they have: in columns.
OBLIQUE = np.array([[sqrt(2), sqrt(0.5)], [0, sqrt(1.5)]])
BASES = {
    ((1, 0), (0, 1)): np.eye(2),
    ((2, 1), (1, 2)): OBLIQUE,
    ((1, 0, 0), (0, 1, 0), (0, 0, 1)): np.eye(3),
    ((3, 0, 0), (0, 2, 1), (0, 1, 2)): np.block([[np.full((1, 1), sqrt(3)), np.zeros((1, 2))], [np.zeros((2, 1)), OBLIQUE]]),
    ((2, 1, 1), (1, 2, 1), (1, 1, 2)): np.array([[0, 1, 1], [1, 0, 1], [1, 1, 0]]),
}


def at_origin(cells: Iterable[Cell], lattice: Lattice | None = None) -> Cells:
    """Moved so that the least coordinates are 0, or as little more as the translations of a lattice allow."""
    cells = list(cells)
    low = [min(column) for column in zip(*cells, strict=True)]
    if lattice is not None:
        low = [a - a % m for a, m in zip(low, lattice.moduli, strict=True)]
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
    return any(lies(instance, shape, cells) for shape in turned[: constraint.orientations])


def lies(instance: Instance, shape: Cells, cells: Cells) -> bool:
    """Whether a shape, moved, is these cells of the board."""
    return any(moved(instance, shape, min(shape), cell) == cells for cell in cells)


def copy_placed(instance: Instance, constraint: Constraint) -> tuple[str, Cells]:
    """The placement that a constraint `place` asks for."""
    return called(instance, constraint.tile)[0], frozenset(constraint.cells)


def called(instance: Instance, name: str) -> tuple[str, Piece]:
    """The piece that a tile of that name is, and what that piece is called."""
    tile = next(tile for tile in instance.tiles if tile.name == name)
    turned = images(instance, tile.shape)
    return next((first, piece) for first, piece in distinct(instance).items() if piece.images == turned)


def allowed_tilings(instance: Instance, most: float = inf) -> set[Tiling]:
    """Every tiling that keeps to the constraints."""
    return {tiling for tiling in tilings(instance, most) if obeys(instance, tiling)}


def orbits(instance: Instance, most: float = inf) -> set[frozenset[Tiling]]:
    """What is the same up to symmetry among the tilings that keep to the constraints."""
    image, whole = imaging(instance), symmetries(instance)
    return {frozenset(image(turn, tiling) for turn in whole) for tiling in allowed_tilings(instance, most)}


def symmetries(instance: Instance) -> list[Callable[[Cell], Cell | None]]:
    """Every isometry of the board, mirrors included, that maps the tiles with their bounds, and what the constraints leave of
    their placements, onto themselves."""
    pieces = distinct(instance)
    bounds = {piece.images: (piece.least, piece.most) for piece in pieces.values()}
    image, lying = imaging(instance), placements(instance)
    open_ = instance.optional - {cell for each in instance.constraints if each.kind == "place" for cell in each.cells}
    found = []
    for turn in turns(instance.lattice, True):
        turned = {
            frozenset(at_origin(map(turn, shape), instance.lattice) for shape in piece.images): (piece.least, piece.most)
            for piece in pieces.values()
        }
        if turned != bounds:
            continue
        if not all(one_cell(instance, turn, vector) for vector in instance.wrap.vectors):
            continue
        for symmetry in moved_back(instance, turn):
            to = {cell: symmetry(cell) for cell in instance.board}
            kept = (instance.board, open_, instance.optional, *(group.cells for group in instance.groups))
            if all({to[cell] for cell in some} == some for some in kept) and image(symmetry, lying) == lying:
                found.append(symmetry)
    return found


def one_cell(instance: Instance, turn: Callable[[Cell], Cell], vector: Cell) -> bool:
    """Whether cells that are one because of a vector of the wrap are so after a turn."""
    there, cell = places(instance), min(instance.board)
    moved_to = tuple(a + b for a, b in zip(cell, turn(vector), strict=True))
    return there.get(moved_to) == cell


def moved_back(instance: Instance, turn: Callable[[Cell], Cell]) -> list[Callable[[Cell], Cell | None]]:
    """The turn followed by a step that takes the board's corner back to where it was; on a wrapped board by any step."""
    there = places(instance)
    board = sorted(instance.board)
    turned = [turn(cell) for cell in board]
    if instance.wrap:
        steps = [tuple(a - b for a, b in zip(cell, turned[0], strict=True)) for cell in board]
    else:
        steps = [tuple(min(a) - min(b) for a, b in zip(zip(*board, strict=True), zip(*turned, strict=True), strict=True))]

    def symmetry(step: Cell) -> Callable[[Cell], Cell | None]:
        return lambda cell: there.get(tuple(a + b for a, b in zip(turn(cell), step, strict=True)))

    return [symmetry(step) for step in steps if not any(a % m for a, m in zip(step, instance.lattice.moduli, strict=True))]


def placements(instance: Instance) -> Tiling:
    """Wherever a tile may lie, as the constraints have it."""
    found = set()
    for name, piece in distinct(instance).items():
        for shape in piece.images:
            for cell in instance.board:
                cells = moved(instance, shape, min(shape), cell)
                if cells and may_lie(instance, name, cells):
                    found.add((name, cells))
    return frozenset(found)


def may_lie(instance: Instance, name: str, cells: Cells) -> bool:
    """Whether a placement keeps to the constraints and overlaps no copy that they place."""
    placed = [copy_placed(instance, each) for each in instance.constraints if each.kind == "place"]
    return all(keeps_to(instance, each, name, cells) for each in instance.constraints) and all(
        (name, cells) == copy or cells.isdisjoint(copy[1]) for copy in placed
    )


def imaging(instance: Instance) -> Callable[[Callable[[Cell], Cell | None], Tiling], Tiling]:
    """What says where a symmetry takes placements; a mirror may turn a tile into another one."""
    pieces = distinct(instance).items()

    @cache
    def names_on(cells: Cells) -> list[str]:
        """The tiles that may lie on some cells."""
        return [name for name, piece in pieces if any(lies(instance, shape, cells) for shape in piece.images)]

    def image(symmetry: Callable[[Cell], Cell | None], tiling: Tiling) -> Tiling:
        found = set()
        for name, cells in tiling:
            there = frozenset(cell for cell in map(symmetry, cells) if cell is not None)
            # Across a seam cells may be those of several tiles; then the tile is none that was turned into another one.
            names = names_on(there)
            found.add((name if name in names else names[0], there))
        return frozenset(found)

    return image
