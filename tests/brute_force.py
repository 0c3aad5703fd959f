"""All tilings of a small instance, found without any of Tiler's code for turning, placing or searching."""

from __future__ import annotations

from collections import Counter
from functools import cache, partial
from itertools import permutations, product

from hypothesis import assume, currently_in_test_context

from tiler.constraints import Constraint
from tiler.instance import Instance, Placement

Tiling = frozenset[tuple[str, frozenset[tuple[int, ...]]]]


MANY = 500


def tilings(instance: Instance) -> set[Tiling]:
    """Every tiling as a set of (tile, cells); the cells left over of the optional ones are in none.

    An instance with too many tilings is no example to test with: hypothesis draws another one.
    """
    dimension = len(min(instance.board))
    turned = {tile.name: images(tile.shape, dimension, instance.reflections) for tile in instance.tiles}
    # Tiles with the same images are one tile, called by the first name; their bounds add up.
    name_of = {}
    for tile in instance.tiles:
        name_of[tile.name] = next(other.name for other in instance.tiles if turned[other.name] == turned[tile.name])
    most: Counter[str] = Counter()
    least: Counter[str] = Counter()
    for tile in instance.tiles:
        most[name_of[tile.name]] += 10**9 if tile.at_most is None else tile.at_most
        least[name_of[tile.name]] += tile.at_least
    shapes = [(name, shape) for name in dict.fromkeys(name_of.values()) for shape in turned[name]]
    found: set[Tiling] = set()

    def extend(open_cells: frozenset[tuple[int, ...]], placed: tuple[tuple[str, frozenset[tuple[int, ...]]], ...]) -> None:
        used = Counter(name for name, _ in placed)
        if not open_cells:
            if all(used[name] >= number for name, number in least.items()):
                found.add(frozenset(placed))
                if currently_in_test_context():
                    assume(len(found) <= MANY)
            return
        target = min(open_cells)
        if target in instance.optional:
            extend(open_cells - {target}, placed)
        for name, shape in shapes:
            if used[name] == most[name]:
                continue
            for cell in shape:
                step = tuple(a - b for a, b in zip(target, cell, strict=True))
                cells = frozenset(tuple(a + b for a, b in zip(each, step, strict=True)) for each in shape)
                if cells <= open_cells:
                    extend(open_cells - cells, (*placed, (name, cells)))

    extend(instance.board, ())
    return found


Cells = frozenset[tuple[int, ...]]


def placements(instance: Instance) -> set[tuple[str, Cells]]:
    """Every way to lay a tile, named by the first that is congruent, on the board, so that each constraint allows it."""
    dimension = len(min(instance.board))
    allowed = set()
    for t, tile in enumerate(instance.distinct_tiles):
        turned = sorted(images(tile.shape, dimension, instance.reflections), key=sorted)
        for number, shape in enumerate(turned):
            for target in instance.board:
                step = tuple(a - b for a, b in zip(target, min(shape), strict=True))
                cells = frozenset(tuple(a + b for a, b in zip(cell, step, strict=True)) for cell in shape)
                if cells <= instance.board and all(_allows(each, t, number, cells) for each in instance.constraints):
                    allowed.add((tile.name, cells))
    return allowed


def _allows(constraint: Constraint, tile: int, orientation: int, cells: Cells) -> bool:
    marked = set(constraint.cells)
    if constraint.kind == "place":
        return not cells & marked or (tile == constraint.tile and cells == marked)
    if tile != constraint.tile:
        return True
    if constraint.kind == "lock":
        return orientation < constraint.orientations
    if constraint.kind == "within":
        low, high = constraint.cells
        return all(a <= x <= b for cell in cells for a, x, b in zip(low, cell, high, strict=True))
    return not cells & marked


def symmetries(instance: Instance) -> list[dict[tuple[int, ...], tuple[int, ...]]]:
    """Every isometry of the lattice that maps the board, its optional cells, the tiles with their bounds and what the constraints
    allow onto themselves: where it takes each cell."""
    dimension = len(min(instance.board))
    corner = [min(axis) for axis in zip(*instance.board, strict=True)]
    allowed = placements(instance) if instance.constraints else set()
    most: Counter[frozenset[Cells]] = Counter()
    least: Counter[frozenset[Cells]] = Counter()
    for tile in instance.tiles:
        turned = images(tile.shape, dimension, instance.reflections)
        most[turned] += 10**9 if tile.at_most is None else tile.at_most
        least[turned] += tile.at_least
    bounds = {(turned, least[turned], min(10**9, most[turned])) for turned in most}
    name_of = {images(t.shape, dimension, instance.reflections): t.name for t in instance.distinct_tiles}
    found = []
    for axes in permutations(range(dimension)):
        for signs in product((1, -1), repeat=dimension):
            turn = partial(_turned, axes=axes, signs=signs)
            lowest = [min(axis) for axis in zip(*map(turn, instance.board), strict=True)]
            to = {cell: tuple(a - b + c for a, b, c in zip(turn(cell), lowest, corner, strict=True)) for cell in instance.board}
            tile_to = {
                turned: images(frozenset(map(turn, next(iter(turned)))), dimension, instance.reflections) for turned in most
            }
            if set(to.values()) != instance.board or {to[cell] for cell in instance.optional} != instance.optional:
                continue
            if {(tile_to[turned], low, high) for turned, low, high in bounds} != bounds:
                continue
            names = {name_of[turned]: name_of[image] for turned, image in tile_to.items()}
            if {(names[name], frozenset(to[cell] for cell in cells)) for name, cells in allowed} == allowed:
                found.append(to)
    return found


def _turned(cell: tuple[int, ...], axes: tuple[int, ...], signs: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sign * cell[axis] for sign, axis in zip(signs, axes, strict=True))


def orbits(instance: Instance, some: set[Tiling]) -> set[frozenset[Tiling]]:
    """Tilings put together that a symmetry takes to each other."""
    dimension = len(min(instance.board))
    name_of = {image: t.name for t in instance.distinct_tiles for image in images(t.shape, dimension, instance.reflections)}

    def moved(tiling: Tiling, to: dict[tuple[int, ...], tuple[int, ...]]) -> Tiling:
        there = [frozenset(to[cell] for cell in cells) for _, cells in tiling]
        return frozenset((name_of[_at_origin(cells)], cells) for cells in there)

    group = symmetries(instance)
    return {frozenset(moved(tiling, to) for to in group) for tiling in some}


def _at_origin(cells: Cells) -> Cells:
    low = [min(axis) for axis in zip(*cells, strict=True)]
    return frozenset(tuple(a - b for a, b in zip(cell, low, strict=True)) for cell in cells)


def as_tiling(solution: tuple[Placement, ...]) -> Tiling:
    return frozenset((placement.tile, placement.cells) for placement in solution)


@cache
def images(shape: frozenset[tuple[int, ...]], dimension: int, reflections: bool) -> frozenset[frozenset[tuple[int, ...]]]:
    """Every way to turn a shape, at the origin."""
    cells = [(0,) * (dimension - len(cell)) + cell for cell in shape]
    found = set()
    for axes in permutations(range(dimension)):
        for signs in product((1, -1), repeat=dimension):
            crossings = sum(a > b for i, a in enumerate(axes) for b in axes[i + 1 :])
            if not reflections and (crossings + signs.count(-1)) % 2:
                continue
            image = [tuple(sign * cell[axis] for sign, axis in zip(signs, axes, strict=True)) for cell in cells]
            low = [min(column) for column in zip(*image, strict=True)]
            found.add(frozenset(tuple(a - b for a, b in zip(cell, low, strict=True)) for cell in image))
    return frozenset(found)
