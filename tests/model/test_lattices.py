"""The data of the lattices agree with themselves: what the group and the sides say, and what the corners of cells say."""

from __future__ import annotations

from collections.abc import Collection
from itertools import product

import numpy as np
import pytest
from brute_force import as_tiling, placements

from tiler.cover.board import BoardCover
from tiler.model import corners
from tiler.model.cell_numbers import CellNumbers
from tiler.model.instance import Instance
from tiler.model.lattice import Cell, Lattice, Shape, move
from tiler.model.lattices import CUBIC, LATTICES, SPHERES, SQUARE, fitted
from tiler.model.named_boards import region
from tiler.model.polyforms import one_sided
from tiler.model.tile import Tile
from tiler.model.wrap import FLAT


def patch(lattice: Lattice) -> list[Cell]:
    """The cells of the 27 (in the plane 9) units around the origin."""
    units = product((-1, 0, 1), repeat=lattice.dimension)
    return [
        tuple(unit * m + a for unit, m, a in zip(each, lattice.moduli, residue, strict=True))
        for each in units
        for residue in lattice.residues
    ]


@pytest.mark.parametrize("lattice", LATTICES.values(), ids=str)
class TestLattice:
    def test_the_group_is_every_matrix_that_keeps_lengths(self, lattice: Lattice) -> None:
        for reflections in (False, True):
            group = [isometry.matrix for isometry in lattice.isometries(reflections)]
            assert sorted(group) == sorted(corners.rigid_motions(lattice, reflections))
        assert 2 * len(lattice.isometries(reflections=False)) == len(lattice.isometries(reflections=True))

    def test_the_group_maps_cells_to_cells_and_corners_to_their_corners(self, lattice: Lattice) -> None:
        for isometry in lattice.isometries(reflections=True):
            for cell in patch(lattice):
                assert lattice.holds([isometry(cell)])
                image = sorted(map(isometry, corners.corners(lattice, cell)))
                assert tuple(image) == corners.corners(lattice, isometry(cell))

    def test_no_translation_is_missing(self, lattice: Lattice) -> None:
        """If all cells were again cells of the same shape after another translation, tiles could be moved so too."""
        shape = dict(zip(lattice.residues, map(sorted, lattice.corners), strict=True))
        first, *others = lattice.residues
        for other in others:
            moved = {
                residue: tuple((a + b - c) % m for a, b, c, m in zip(residue, other, first, lattice.moduli, strict=True))
                for residue in lattice.residues
            }
            assert not all(shape.get(to) == shape[residue] for residue, to in moved.items()), (first, other)

    def test_a_cell_is_the_centre_of_its_corners(self, lattice: Lattice) -> None:
        assert len(lattice.corners) == len(lattice.residues) == len(set(lattice.residues))
        for of in lattice.corners:
            assert len(set(of)) == len(of)
            assert all(sum(along) == 0 for along in zip(*of, strict=True))

    def test_neighbours_share_corners(self, lattice: Lattice) -> None:
        cells = patch(lattice)
        by_corners = corners.beside(lattice, cells, FLAT)
        for cell in cells:
            assert by_corners[cell] == [other for other in lattice.neighbours(cell) if other in by_corners]
        inner = [cell for cell in cells if len(by_corners[cell]) == len(lattice.neighbours(cell))]
        assert {tuple(a % m for a, m in zip(cell, lattice.moduli, strict=True)) for cell in inner} == set(lattice.residues)

    def test_the_checkerboard_tells_neighbours_apart(self, lattice: Lattice) -> None:
        cells = patch(lattice)
        colour = {cell: lattice.colour(cell) for cell in cells}
        if lattice.colours is None:
            assert set(colour.values()) == {0}
            assert has_odd_circle(lattice, cells)
        else:
            assert all(colour[cell] == -lattice.colour(other) != 0 for cell in cells for other in lattice.neighbours(cell))
        where = np.array(cells)
        assert CellNumbers.of(lattice, where).colours(where).tolist() == list(colour.values())

    def test_variants_are_the_turned_corners_in_the_same_order(self, lattice: Lattice) -> None:
        for reflections in (False, True):
            for shape in one_sided(lattice, 3):
                turned = lattice.variants(shape, reflections)
                solid = [corners.at_origin(corners.corners(lattice, cell) for cell in each) for each in turned]
                assert tuple(solid) == corners.turned(lattice, shape, reflections)

    def test_shapes_move_by_translations_only(self, lattice: Lattice) -> None:
        for shape in one_sided(lattice, 3):
            far = move(shape, tuple(7 * m for m in lattice.moduli))
            assert lattice.normalise(far) == shape
            assert lattice.corner(far) == tuple(7 * m for m in lattice.moduli)
        if not lattice.is_every_vector:
            first = product(*map(range, lattice.moduli))
            assert not lattice.holds([next(vector for vector in first if vector not in lattice.residues)])

    def test_parts_are_those_that_neighbours_join(self, lattice: Lattice) -> None:
        cells = patch(lattice)
        some = frozenset(cell for number, cell in enumerate(sorted(cells)) if number % 3)
        assert lattice.components(some) == sorted(parts(lattice, some), key=min)


def has_odd_circle(lattice: Lattice, cells: Collection[Cell]) -> bool:
    """Whether an odd number of these cells touch each other in a circle."""
    colour: dict[Cell, int] = {}
    for part in parts(lattice, frozenset(cells)):
        reached = [min(part)]
        colour[reached[0]] = 1
        for cell in reached:
            for other in part.intersection(lattice.neighbours(cell)):
                if other not in colour:
                    colour[other] = -colour[cell]
                    reached.append(other)
    return any(colour[cell] == colour.get(other) for cell in colour for other in lattice.neighbours(cell))


def parts(lattice: Lattice, cells: Shape) -> list[Shape]:
    left, found = set(cells), []
    while left:
        part, new = set[Cell](), {left.pop()}
        while new:
            part |= new
            new = {other for cell in new for other in lattice.neighbours(cell)} & left
            left -= new
        found.append(frozenset(part))
    return found


def test_a_flat_shape_is_one_of_the_plane() -> None:
    for lattice in LATTICES.values():
        if lattice.plane is None:
            continue
        for shape in one_sided(lattice.plane, 3):
            solid = lattice.lift(shape)
            assert lattice.holds(solid)
            assert fitted(lattice, solid) == fitted(lattice.plane, solid) == (lattice.plane, shape)
            assert fitted(lattice, shape) == (lattice.plane, shape)
            upright = solid | move(solid, (1,) + (0,) * lattice.plane.dimension)
            assert fitted(lattice, upright) == fitted(lattice.plane, upright) == (lattice, upright)


def test_the_lattice_is_told_by_the_numbers_of_a_cell_where_it_is_not_given() -> None:
    assert fitted(SQUARE, frozenset({(0, 0)}))[0] is SQUARE
    assert fitted(SQUARE, frozenset({(0, 0, 0), (1, 0, 0)}))[0] is CUBIC


def test_a_scattered_shape_that_begins_in_the_midst_of_a_unit_lies_only_where_its_cells_are() -> None:
    lattice = LATTICES["tetrahedra-octahedra"]
    board = frozenset({(-166, 10, -238), (-162, 6, -226)})
    tiles = (Tile("p1", frozenset({(6, 6, 14), (9, 13, 1)}), lattice=lattice), Tile("1", board, lattice=lattice))
    instance = Instance(board, tiles, lattice=lattice)
    cover = BoardCover.of(instance)
    assert as_tiling(cover.placements(range(len(cover)))) == placements(instance) == {("1", board)}


@pytest.mark.parametrize("side", [1, 2, 3, 5])
def test_balls_are_stacked(side: int) -> None:
    """A pyramid on a square and one on a triangle: their numbers, and how often each ball touches others."""
    pyramid, tetrahedron = (region(SPHERES, f"{name}:{side}") for name in ("pyramid", "tetrahedron"))
    assert len(pyramid) == sum(n * n for n in range(1, side + 1))
    assert len(tetrahedron) == sum(n * (n + 1) // 2 for n in range(1, side + 1))

    def touching(board: frozenset[tuple[int, ...]]) -> list[int]:
        return sorted(sum(other in board for other in SPHERES.neighbours(cell)) for cell in board)

    # Both are cut from the densest packing: within layers and to the next one, 4 and 4, or 6 and 3.
    squares = sum(2 * n * (n - 1) for n in range(1, side + 1)) + sum(4 * n * n for n in range(1, side))
    triangles = sum(3 * n * (n - 1) // 2 for n in range(1, side + 1)) + sum(3 * n * (n + 1) // 2 for n in range(1, side))
    assert (sum(touching(pyramid)), sum(touching(tetrahedron))) == (2 * squares, 2 * triangles)
