"""Describe lattices and tiles as data, so that the page only adds and looks up: cells as they are drawn, the vectors by which
they repeat, the orientations of tiles and what a turn makes of each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from math import atan2, pi

from tiler.apps.studio import painting
from tiler.apps.studio.messages import CellKindMessage, LatticeMessage, PeriodMessage, Spot
from tiler.model import paint
from tiler.model.instance import Instance
from tiler.model.lattice import Isometry, Lattice
from tiler.model.paint import Form
from tiler.model.tile import Tile
from tiler.render import cell_outlines, cells


@cache
def lattice_message(lattice: Lattice) -> LatticeMessage:
    """How the cells of a lattice are drawn, and how they repeat."""
    origin = lattice.residues[0]
    start = _centre(lattice, origin)
    periods = []
    for axis, modulus in enumerate(lattice.moduli):
        vector = tuple(modulus * (axis == other) for other in range(lattice.dimension))
        end = _centre(lattice, tuple(a + b for a, b in zip(origin, vector, strict=True)))
        periods.append(PeriodMessage(vector, painting.spot((end[0] - start[0], end[1] - start[1]))))

    layered = lattice.dimension == 3 and cells.has_layers(lattice)
    kinds = [
        CellKindMessage(
            residue,
            painting.spot(_centre(lattice, residue)),
            tuple(map(painting.spot, cells.alone(lattice, residue))),
            painting.sides(lattice, residue),
            _beyond(lattice, residue),
        )
        for residue in lattice.residues
    ]
    return LatticeMessage(
        lattice.name,
        lattice.dimension,
        lattice.has_edges,
        tuple(periods[layered:]),
        periods[0] if layered else None,
        tuple(kinds),
    )


def _centre(lattice: Lattice, cell: tuple[int, ...]) -> Spot:
    plane = lattice if lattice.dimension == 2 else lattice.plane
    if plane is not None:
        return cells.centre(plane, cell)
    outline = cells.alone(lattice, cell)
    x, y = (sum(axis) / len(outline) for axis in zip(*outline, strict=True))
    return x, y


def _beyond(lattice: Lattice, cell: tuple[int, ...]) -> tuple[tuple[int, ...] | None, ...]:
    """For each face of a cell in space the cell that shares it."""
    if lattice.dimension == 2:
        return ()
    owner = {
        frozenset(face.corners): other for other in lattice.neighbours(cell) for face in cell_outlines.faces_of(lattice, other)
    }
    return tuple(owner.get(frozenset(face.corners)) for face in cell_outlines.faces_of(lattice, cell))


def moves(instance: Instance, tile: Tile) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """For each orientation of a tile, in the order of `Instance.variants`, the one after a turn to the right, after turning over
    (in space, tipping), and in space the mirror image; -1 where that is not allowed."""
    forms: tuple[Form, ...] = tuple(zip(instance.variants(tile), instance.coats(tile), strict=True))
    number = {form: index for index, form in enumerate(forms)}
    shape = instance.lattice.lift(tile.shape)
    front, back = (
        coat.carried(lambda cell: paint.lifted(cell, instance.dimension)) for coat in (tile.paint.front, tile.paint.back)
    )

    # A painted tile shows its back after a mirror, so that an orientation is found by an isometry that leads to it.
    by_turn = {
        turn: number[paint.turned(instance.lattice, (shape, front if turn.is_rotation else back), turn)]
        for turn in instance.turns
    }
    way_to = {index: turn for turn, index in reversed(by_turn.items())}

    def after(turn: Isometry | None) -> tuple[int, ...]:
        if turn is None or turn not in by_turn:
            return (-1,) * len(forms)
        return tuple(by_turn[turn.after(way_to[index])] for index in range(len(forms)))

    turn, tip, mirror = generators(instance.lattice)
    if instance.dimension == 2:
        return after(turn), after(mirror), (-1,) * len(forms)
    return after(turn), after(tip), after(mirror)


@cache
def generators(lattice: Lattice) -> tuple[Isometry, Isometry | None, Isometry]:
    """The least turn to the right as the layer is drawn, in space a way to tip a piece, and a mirror that exchanges left and
    right where there is one. Turns and tips together reach every rotation."""
    rotations = list(lattice.isometries(reflections=False)[1:])
    mirrors = [isometry for isometry in lattice.isometries(reflections=True) if not isometry.is_rotation]
    if lattice.dimension == 2:
        return min(rotations, key=lambda turn: _angle(lattice, turn)), None, max(mirrors, key=_keeps_rows(lattice))

    upright = [turn for turn in rotations if _keeps_layers(turn)] or rotations
    turn = min(upright, key=lambda turn: _angle(lattice.plane, _flat(turn)) if lattice.plane else upright.index(turn))
    whole = len(rotations) + 1
    tips = sorted((tip for tip in rotations if not _keeps_layers(tip)), key=lambda tip: -_reached((turn, tip)))
    tip = tips[0] if tips else None
    if tip is not None and _reached((turn, tip)) < whole:
        turn = max(rotations, key=lambda other: _reached((other, tip)))
    return turn, tip, mirrors[0]


def _keeps_layers(turn: Isometry) -> bool:
    return turn.matrix[0] == (1, 0, 0) and all(row[0] == 0 for row in turn.matrix[1:])


def _flat(turn: Isometry) -> Isometry:
    return Isometry(tuple(row[1:] for row in turn.matrix[1:]), (0, 0))


def _angle(plane: Lattice, turn: Isometry) -> float:
    """The angle of a rotation, clockwise as it is drawn, above 0."""
    start = cell_outlines.page(plane, (0, 1))
    end = cell_outlines.page(plane, turn((0, 1)))
    angle = (atan2(end[1], end[0]) - atan2(start[1], start[0])) % (2 * pi)
    return angle if angle > 1e-9 else 2 * pi


def _keeps_rows(plane: Lattice) -> Callable[[Isometry], float]:
    """A measure of how well a mirror exchanges left and right."""

    def measure(mirror: Isometry) -> float:
        x, y = cell_outlines.page(plane, (0, 1))
        a, b = cell_outlines.page(plane, mirror((0, 1)))
        return -((a + x) ** 2) - (b - y) ** 2

    return measure


def _reached(turns: Sequence[Isometry]) -> int:
    """The number of rotations that some rotations make together."""
    reached = {turns[0].matrix: turns[0]}
    waiting = [turns[0]]
    for isometry in waiting:
        for turn in turns:
            product = turn.after(isometry)
            if product.matrix not in reached:
                reached[product.matrix] = product
                waiting.append(product)
    return len(reached)
