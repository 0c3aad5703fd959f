"""Edges where no two pieces may cross: what to cover, beside the edges, so that they do not.

Two pieces cross in a corner if each has edges there on both sides of the other: on the square lattice if both go straight
through it. So at every corner there are *joints*, optional cells, and a piece with two edges that meet there covers those from
one of the edges to the other, the shorter way round: the one joint of a corner of squares if it goes straight, three of the six
at a corner of triangles if they are 120 degrees apart, all six if it goes straight. Of edges side by side, between which no other
can be, it covers none. Pieces cross if they would cover the same joint.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from itertools import combinations
from operator import add, sub

from tiler.model.constraints import Constraint, placements_left
from tiler.model.instance import Instance
from tiler.model.lattice import Cell, Isometry, Lattice, Shape

#: So many times finer are the coordinates of edges with joints.
FINER = 3


def with_joints(instance: Instance) -> Instance:
    """An instance in which pieces may not cross as one without such a rule, where joints are cells of the board and the tiles."""
    edges, joined = instance.lattice, lattice_with_joints(instance.lattice)
    board = finer(edges, instance.board)
    tiles = [replace(tile, shape=finer(edges, tile.shape), lattice=joined) for tile in instance.tiles]
    optional = _times(instance.optional) | frozenset(filter(joined.is_joint, board))
    size = {tile.name: tile.size for tile in instance.tiles}
    return replace(
        instance,
        board=board,
        optional=optional,
        tiles=tuple(tiles),
        lattice=joined,
        constraints=tuple(_constraint(edges, each, size[each.tile]) for each in instance.constraints),
        crossing=True,
    )


def _constraint(edges: Lattice, told: Constraint, size: int) -> Constraint:
    cells = tuple(tuple(FINER * a for a in cell) for cell in told.cells)
    if told.kind == "place":
        cells = tuple(sorted(finer(edges, frozenset(told.cells))))
    if told.kind == "only":
        left = sorted(sorted(finer(edges, each)) for each in placements_left(told, size))
        cells = tuple(cell for each in left for cell in each)
    return replace(told, cells=cells)


def without_joints(lattice: Lattice, cells: Iterable[Cell]) -> Shape:
    """The edges among cells of a lattice with joints, as they were."""
    return frozenset(tuple(a // FINER for a in cell) for cell in cells if not lattice.is_joint(cell))


def finer(edges: Lattice, shape: Shape) -> Shape:
    """Edges, and the joints that a piece with them covers."""
    ways, joints = _ways(edges), _joints(edges)
    corners = {tuple(map(sub, cell, way)) for cell in shape for way in ways}
    found = set(_times(shape))
    for corner in corners:
        if any(a % m for a, m in zip(corner, edges.moduli, strict=True)):
            continue
        there = [k for k, way in enumerate(ways) if tuple(map(add, corner, way)) in shape]
        for one, two in combinations(there, 2):
            found |= {tuple(FINER * a + b for a, b in zip(corner, joints[k], strict=True)) for k in _between(one, two, len(ways))}
    return frozenset(found)


def _between(one: int, two: int, ways: int) -> Iterable[int]:
    """The directions from one to another, of so many round a corner, the shorter way."""
    turn = (two - one) % ways
    if 2 * turn == ways:
        return range(ways)
    if turn in (1, ways - 1):
        return ()
    start, steps = (one, turn) if 2 * turn < ways else (two, ways - turn)
    return [(start + step) % ways for step in range(steps + 1)]


@cache
def lattice_with_joints(edges: Lattice) -> Lattice:
    """Its cells are the edges and the joints of a lattice of edges."""
    joints = sorted(set(_joints(edges)))
    moduli = tuple(FINER * m for m in edges.moduli)
    # A joint is the middle of two points, one of them the corner; neighbours are what meets in a corner.
    ends = [tuple(dict.fromkeys((tuple(-a for a in joint), joint))) for joint in joints]
    meeting = [*joints, *(tuple(FINER * a for a in way) for way in _ways(edges))]
    residue = tuple(a % m for a, m in zip(joints[0], moduli, strict=True))
    return replace(
        edges,
        moduli=moduli,
        residues=(*_scaled(edges.residues), *(tuple(a % m for a, m in zip(joint, moduli, strict=True)) for joint in joints)),
        sides=(
            *((one, two) for one, two in map(_scaled, edges.sides)),
            *((residue, tuple(map(sub, other, joints[0]))) for other in meeting if other != joints[0]),
        ),
        corners=(*map(_scaled, edges.corners), *ends),
        chart=None,
        joints=len(joints),
    )


@cache
def _ways(edges: Lattice) -> tuple[Cell, ...]:
    """From a corner to the middles of the edges there, in their order round it."""
    turn = Isometry(edges.rotations[0], (0,) * edges.dimension)
    ways = [edges.residues[0]]
    while turn(ways[-1]) != ways[0]:
        ways.append(turn(ways[-1]))
    return tuple(ways)


@cache
def _joints(edges: Lattice) -> tuple[Cell, ...]:
    """Seen from a corner, the joints for those ways: where they are four, only straight lines cross, and one joint is enough."""
    ways = _ways(edges)
    return ways if len(ways) > 4 else ((0,) * edges.dimension,) * len(ways)


def _times(cells: Iterable[Cell]) -> Shape:
    return frozenset(_scaled(cells))


def _scaled(cells: Iterable[Cell]) -> tuple[Cell, ...]:
    return tuple(tuple(FINER * a for a in cell) for cell in cells)
