"""All tilings of a small instance, found without any of Tiler's code for turning, placing or searching."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import permutations, product

from hypothesis import assume, currently_in_test_context

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
