"""Draw over a tiling: heights of corners, and paths, for dominoes and lozenges; frozen regions for any tiles.

Heights and paths are another way to write down a tiling by dominoes or lozenges: it can be read off them. A height function makes
a tiling by lozenges the picture of a stepped surface.

Sources: Thurston, Conway's tiling groups, 1990; Lindström, On the vector representations of induced matroids, 1973; Jockusch,
Propp, Shor, Random domino tilings and the arctic circle theorem, math/9801068.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from tiler.errors import BadOption
from tiler.model.corners import Point
from tiler.model.instance import Instance
from tiler.model.lattice import Cell
from tiler.model.tile import Placement
from tiler.render import cell_outlines, cells, orientation
from tiler.render.cell_outlines import Spot
from tiler.render.grid import touching
from tiler.render.scene import BORDER, INK, SIDE, Label, Lines, Mark, Patch

MOST = 20_000  #: the most corners whose heights are written

_LINE = "#cc3311"  #: red of Paul Tol's vibrant scheme
_LETTER = 7.0  #: size of heights


class Overlay(NamedTuple):
    draw: Callable[[Instance, Sequence[Placement]], list[Mark]]  #: BadOption if the tiling has no such marks
    help: str


def heights(instance: Instance, tiling: Sequence[Placement]) -> dict[Point, int]:
    """The height of every corner of the board; in each connected part of the board the least corner has height 0.

    Along a side with a black cell to its right the height rises by 1. If a piece lies across the side, it falls instead: by the
    number of sides of a cell, less 1. BadOption if two ways to a corner give different heights.
    """
    partner = _partners(instance, tiling, "heights")
    lattice = instance.lattice
    sides = {len(cell_outlines.polygon(lattice, residue)) for residue in lattice.residues}
    if len(sides) > 1:
        raise BadOption(f"--marks heights: cells of the {lattice} lattice have different numbers of sides")
    falls = 1 - sides.pop()
    ways: dict[Point, list[tuple[Point, int]]] = {}
    for cell in sorted(instance.board):
        corners = cell_outlines.polygon(lattice, cell)
        across = set(cell_outlines.polygon(lattice, partner[cell]))
        for start, end in pairwise([*corners, corners[0]]):
            rise = lattice.colour(cell) * (falls if start in across and end in across else 1)
            ways.setdefault(start, []).append((end, rise))
            ways.setdefault(end, []).append((start, -rise))
    height: dict[Point, int] = {}
    for root in sorted(ways):
        if root in height:
            continue
        height[root] = 0
        reached = [root]
        for corner in reached:
            for other, rise in ways[corner]:
                if other not in height:
                    height[other] = height[corner] + rise
                    reached.append(other)
                elif height[other] != height[corner] + rise:
                    raise BadOption("--marks heights: the board has a hole with more cells of one colour than of the other")
    return height


def paths(instance: Instance, tiling: Sequence[Placement]) -> list[tuple[Spot, Spot]]:
    """The steps of paths that do not meet, as lines. Each piece has one step, except the pieces of one orientation.

    Paths cross only sides of one sort: between a white cell and its black neighbour in the direction furthest to the right. Every
    cell has one such side. If the two cells of a piece share it, the piece has no step.
    """
    partner = _partners(instance, tiling, "paths")
    lattice = instance.lattice
    white = [residue for residue in _units(instance) if lattice.colour(residue) < 0]
    ways = {tuple(tuple(b - a for a, b in zip(cell, other, strict=True)) for other in lattice.neighbours(cell)) for cell in white}
    if len(ways) > 1:
        raise BadOption(f"--marks paths: cells of the {lattice} lattice have neighbours in different directions")
    (unstepped,) = ways
    along = max(unstepped, key=lambda way: (cells.centre(lattice, way)[0], way))
    steps = []
    for cell in sorted(partner):
        if lattice.colour(cell) < 0:
            other = partner[cell]
            after = tuple(a + b for a, b in zip(cell, along, strict=True))
            before = tuple(a - b for a, b in zip(other, along, strict=True))
            if after != other:
                steps.append((_between(instance, before, other), _between(instance, cell, after)))
    return steps


def temperate(instance: Instance, tiling: Sequence[Placement]) -> list[Cell]:
    """The cells of pieces that are not frozen. A piece is frozen if it lies on the border, or touches a frozen piece of the same
    orientation."""
    kinds = orientation.orientations(instance, tiling)
    around = touching(instance.lattice, tiling, instance.wrap)
    border = {side.cell for side in instance.border}
    frozen = {number for number, placement in enumerate(tiling) if not border.isdisjoint(placement.cells)}
    reached = sorted(frozen)
    for number in reached:
        new = [other for other in around[number] if kinds[other] == kinds[number] and other not in frozen]
        frozen.update(new)
        reached += new
    return sorted(cell for number, placement in enumerate(tiling) if number not in frozen for cell in placement.cells)


def _heights(instance: Instance, tiling: Sequence[Placement]) -> list[Mark]:
    height_of = heights(instance, tiling)
    if len(height_of) > MOST:
        raise BadOption(f"--marks heights: the board has {len(height_of):,} corners; at most {MOST:,} numbers are written")
    placed = [(cells.spot(instance.lattice, corner), height) for corner, height in sorted(height_of.items())]
    discs = [Patch([cells.circle(spot, 0.22 * SIDE)], "#ffffff") for spot, _ in placed]
    return [*discs, *(Label((x, y + 0.36 * _LETTER), str(height), _LETTER, INK, centred=True) for (x, y), height in placed)]


def _paths(instance: Instance, tiling: Sequence[Placement]) -> list[Mark]:
    return [Lines(steps, _LINE, 0.2 * SIDE, kind="paths")] if (steps := paths(instance, tiling)) else []


def _frozen(instance: Instance, tiling: Sequence[Placement]) -> list[Mark]:
    refuse(instance, "frozen")
    lattice = instance.lattice
    rest = temperate(instance, tiling)
    width = max(2 * BORDER, cells.span(lattice, instance.board) / 250)
    return [Patch(cells.outlines(lattice, lattice, rest), "none", width, _LINE, kind="temperate")] if rest else []


#: The overlays by the value of `--marks`.
OVERLAYS: Mapping[str, Overlay] = {
    "heights": Overlay(_heights, "for dominoes and lozenges: the height of each corner"),
    "paths": Overlay(_paths, "for dominoes and lozenges: paths that do not meet"),
    "frozen": Overlay(_frozen, "a line round the pieces that are not frozen"),
}


def refuse(instance: Instance, marks: str) -> None:
    """BadOption if no tiling of the instance can have marks of this kind."""
    lattice = instance.lattice
    if instance.dimension != 2 or lattice.has_edges:
        raise BadOption(f"--marks {marks}: it is drawn in the plane, on cells side by side")
    if marks == "frozen":
        return
    if lattice.colours is None or instance.wrap:
        raise BadOption(f"--marks {marks}: only on cells of two colours, and where nothing is wrapped")
    if not all(tile.size == 2 and tile.is_connected for tile in instance.tiles):
        raise BadOption(f"--marks {marks}: every piece must be of two cells with a common side")
    if instance.optional:
        raise BadOption(f"--marks {marks}: no cell may stay open")


def _partners(instance: Instance, tiling: Sequence[Placement], marks: str) -> dict[Cell, Cell]:
    """For every cell the other cell of its piece. BadOption if a cell of the board is not covered."""
    refuse(instance, marks)
    partner: dict[Cell, Cell] = {}
    for placement in tiling:
        one, other = placement.cells
        partner[one], partner[other] = other, one
    if partner.keys() != instance.board:
        raise BadOption(f"--marks {marks}: every cell must be covered")
    return partner


def _units(instance: Instance) -> list[Cell]:
    """Cells of all kinds and of both colours."""
    lattice = instance.lattice
    return [cell for residue in lattice.residues for cell in (residue, *lattice.neighbours(residue))]


def _between(instance: Instance, one: Cell, other: Cell) -> Spot:
    """The middle of the side that two neighbours share."""
    lattice = instance.lattice
    shared = set(cell_outlines.polygon(lattice, one)) & set(cell_outlines.polygon(lattice, other))
    (a, b), (c, d) = (cells.spot(lattice, point) for point in shared)
    return (a + c) / 2, (b + d) / 2
