"""How assemblies on squares or cubes come apart, by sets of cells: shares nothing with the search for it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations

from tiler.model.lattice import Shape, move

Assembly = tuple[Shape, ...]


def at_first(shapes: Assembly) -> Assembly:
    """The same, with the least cell of all at the origin."""
    least = tuple(min(along) for along in zip(*(cell for shape in shapes for cell in shape), strict=True))
    return tuple(move(shape, tuple(-a for a in least)) for shape in shapes)


def moves_of(shapes: Assembly) -> Iterator[tuple[frozenset[int], Assembly | None]]:
    """Every move of some pieces, and where all are after it; None if they are off for good."""
    count, dimension = len(shapes), len(next(iter(shapes[0])))
    far = 1 + max(abs(a - b) for one in shapes for two in shapes for c in one for d in two for a, b in zip(c, d, strict=True))
    for size in range(1, count):
        for some in combinations(range(count), size):
            still = {cell for p in range(count) if p not in some for cell in shapes[p]}
            for axis in range(dimension):
                for sign in (1, -1):
                    for steps in range(1, far + 1):
                        by = tuple(sign * steps * (a == axis) for a in range(dimension))
                        moved = tuple(move(shape, by) if p in some else shape for p, shape in enumerate(shapes))
                        if any(not still.isdisjoint(moved[p]) for p in some):
                            break
                        yield frozenset(some), at_first(moved)
                    else:
                        yield frozenset(some), None


def ends_of(part: Assembly, most: int | None = None) -> tuple[int, list[tuple[Assembly, ...]]]:
    """With how few moves a part can be separated, at most so many, and into what; nothing if it cannot be."""
    layer, seen, depth = {at_first(part)}, {at_first(part)}, 0
    found: set[tuple[Assembly, ...]] = set()
    while layer and not found and depth != most:
        depth += 1
        after: set[Assembly] = set()
        for shapes in layer:
            for some, moved in moves_of(shapes):
                if moved is not None:
                    after.add(moved)
                else:
                    inside = tuple(shape for p, shape in enumerate(shapes) if p in some)
                    outside = tuple(shape for p, shape in enumerate(shapes) if p not in some)
                    found.add(tuple(sorted((at_first(inside), at_first(outside)), key=str)))
        layer = after - seen
        seen |= after
    return depth, sorted(found, key=str)


@cache
def levels_of(parts: tuple[Assembly, ...]) -> tuple[int, ...] | None:
    """The least levels: what comes off by one move does so first, then the largest part is separated with as few moves as can be;
    all ways to do that are tried. None: it cannot be done."""
    parts = tuple(part for part in parts if len(part) > 1)
    if not parts:
        return ()
    of = {part: ends_of(part, 1) for part in parts}
    if not any(split for _, split in of.values()):
        largest = max(map(len, parts))
        of = {part: ends_of(part) for part in parts if len(part) == largest}
    found = []
    for part, (depth, splits) in of.items():
        rest = list(parts)
        rest.remove(part)
        for split in splits:
            below = levels_of(tuple(sorted((*rest, *split), key=str)))
            if below is None:
                return None
            found.append((depth, *below))
    return min(found) if found else None


def comes_apart(part: Assembly) -> bool:
    """Whether all its pieces can be separated. Which come off first makes no difference, so that the first way will do."""
    if len(part) == 1:
        return True
    for size in range(1, len(part)):
        for some in combinations(range(len(part)), size):
            if _goes_off(part, some):
                split = [tuple(shape for p, shape in enumerate(part) if (p in some) is inside) for inside in (True, False)]
                return all(map(comes_apart, split))
    return levels_of((part,)) is not None


def _goes_off(part: Assembly, some: tuple[int, ...]) -> bool:
    """Whether a single move takes these pieces off."""
    going = [cell for p in some for cell in part[p]]
    still = [cell for p, shape in enumerate(part) if p not in some for cell in shape]
    for axis in range(len(going[0])):
        beside = {cell[:axis] + cell[axis + 1 :]: set[int]() for cell in still}
        for cell in still:
            beside[cell[:axis] + cell[axis + 1 :]].add(cell[axis])
        met = [(cell[axis], beside.get(cell[:axis] + cell[axis + 1 :], set())) for cell in going]
        if all(max(others, default=at - 1) < at for at, others in met) or all(
            min(others, default=at + 1) > at for at, others in met
        ):
            return True
    return False
