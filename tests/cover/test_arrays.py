"""What is done with arrays of a million cells agrees with what takes a line to say, on small boards."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from square import components, isometries, lattice_of, lift, neighbours
from strategies import instances, scattered

from tiler import formats
from tiler.cover import csr, filters, group_action
from tiler.cover.board import BoardCover
from tiler.model.instance import Instance
from tiler.model.lattice import Cell, Shape, box
from tiler.model.symmetry import cell_maps, group
from tiler.model.tile import Placement
from tiler.render import grid


@given(instances(words=False))
def test_neighbours_of_a_board(instance: Instance) -> None:
    cover = BoardCover.of(instance)
    number = {cell: i for i, cell in enumerate(cover.cells)}
    beside = [[number.get(other, -1) for other in neighbours(cell)] for cell in cover.cells]
    assert cover.beside.tolist() == beside
    assert cover.neighbours.lists() == [[other for other in others if other >= 0] for others in beside]


@given(scattered(max_cells=12) | scattered(dimensions=3, max_cells=12))
def test_components_are_what_paths_reach(shape: Shape) -> None:
    def reached(start: Cell) -> Shape:
        cells = {start}
        for _ in shape:
            cells |= {other for cell in cells for other in neighbours(cell)} & shape
        return frozenset(cells)

    parts = {reached(cell) for cell in shape}
    assert components(shape) == sorted(parts, key=min)


@given(instances(words=False), st.data())
def test_placements_of_options_in_any_order(instance: Instance, data: st.DataObject) -> None:
    cover = BoardCover.of(instance)
    options = data.draw(st.lists(st.integers(0, len(cover) - 1))) if len(cover) else []
    expected = []
    for option in sorted(options):
        cells = frozenset(cover.cells[cell] for cell in cover.members[option])
        if cover.tile[option] < len(instance.distinct_tiles):
            expected.append(Placement(cover.tiles[cover.tile[option]].name, cells))
    assert cover.placements(options) == tuple(expected)
    assert cover.placements(np.array(options, np.int64)) == tuple(expected)


@given(instances(words=False), st.data())
def test_images_of_placements_under_any_maps(instance: Instance, data: st.DataObject) -> None:
    cover = BoardCover.of(instance)
    cells = len(cover.cells)
    maps = np.array(data.draw(st.lists(st.permutations(range(cells)), min_size=1, max_size=3)), np.int64)
    tiles = np.tile(np.arange(len(cover.tiles)), (len(maps), 1))
    options = list(zip(cover.tile.tolist(), cover.members.lists(), strict=True))
    number = {(tile, frozenset(members)): option for option, (tile, members) in enumerate(options)}
    expected = [[number.get((tile, frozenset(to[members].tolist())), -1) for tile, members in options] for to in maps]
    assert group_action.option_maps(cover, maps, tiles, cover.members).tolist() == expected


def test_images_whose_keys_collide_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    from tiler.cover import csr

    monkeypatch.setattr(csr.RowNumbers, "_keys", lambda self, rows: rows[:, 0].astype(np.uint64))
    rows = np.array([[3, 4], [1, 9], [1, 5], [1, 7], [0, 2]], np.int64)
    wanted = np.array([[1, 7], [0, 2], [1, 8], [1, 9], [9, 9], [1, 5], [3, 5]], np.int64)
    assert csr.RowNumbers(rows).find(wanted).tolist() == [3, 4, -1, 1, -1, 2, -1]


@given(instances(words=False, max_tiles=1))
def test_the_group_holds_every_isometry_that_keeps_board_and_tiles(instance: Instance) -> None:
    # A tile alone that may be reflected is kept by every isometry.
    instance = Instance(instance.board, instance.tiles, True, instance.optional, groups=instance.groups)
    kept = [instance.board, instance.optional, *(group.cells for group in instance.groups)]
    expected = set()
    low, _ = box(instance.board)
    for turn in isometries(instance.dimension, reflections=True):
        corner, _ = box(frozenset(map(turn, instance.board)))
        symmetry = replace(turn, offset=tuple(a - b for a, b in zip(low, corner, strict=True)))
        if all({symmetry(cell) for cell in cells} == cells for cells in kept):
            expected.add(symmetry)
    found = group(instance)
    assert set(found) == expected
    assert found[0] == isometries(instance.dimension, reflections=True)[0]
    cells = sorted(instance.board)
    expected_maps = [[cells.index(symmetry(cell)) for cell in cells] for symmetry in found]
    assert cell_maps(instance, cells, found).tolist() == expected_maps


@given(instances(words=False, max_cells=12), st.data())
def test_representatives_are_the_least_of_their_images(instance: Instance, data: st.DataObject) -> None:
    cover = BoardCover.of(instance)
    _, maps = group_action.images(cover, list(group(instance)))
    numbering = np.array(data.draw(st.permutations(range(len(cover.cells)))), np.int64)
    for t in range(len(instance.distinct_tiles)):
        rank = {int(o): sorted(numbering[cover.members[o]].tolist()) for o in cover.by_tile[t]}
        expected = [o for o in rank if all(rank[o] <= rank[image] for image in maps[:, o].tolist() if image in rank)]
        assert filters.representatives(cover, t, maps, numbering).tolist() == expected


@given(instances(words=False, max_cells=12, max_tiles=2), st.lists(st.integers(0, 3), min_size=3, max_size=3), st.data())
def test_sums_of_signed_surpluses(instance: Instance, drawn: list[int], data: st.DataObject) -> None:
    cover = BoardCover.of(instance)
    surplus = drawn[: len(cover.tiles)]
    without = data.draw(st.integers(0, len(surplus) - 1))
    copies = [int(most) - (t == without) for t, most in enumerate(cover.upper)]
    if min(copies) < 0 or sum(copies) > 9 or (cover.lower != cover.upper).any():
        return
    terms = [d for d, n in zip(surplus, copies, strict=True) for _ in range(n)]
    sums = {sum(sign * d for sign, d in zip(signs, terms, strict=True)) for signs in product((1, -1), repeat=len(terms))}
    possible = filters._sums(surplus, cover, without)
    assert {total for total in range(-40, 41) if possible(total)} == sums


@st.composite
def scenes(draw: st.DrawFn) -> tuple[Shape, list[Placement]]:
    """A board and placements that may overlap, or leave the board."""
    dimensions = draw(st.sampled_from([2, 3]))
    board = draw(scattered(dimensions, max_cells=14))
    cells = [tuple(a + b for a, b in zip(min(board), step, strict=True)) for step in product(range(-1, 4), repeat=dimensions)]
    parts = draw(st.lists(st.frozensets(st.sampled_from(cells), min_size=1, max_size=5), max_size=5))
    return board, [Placement("p", part) for part in parts]


@given(scenes())
def test_layers_show_the_last_placement_of_each_cell(scene: tuple[Shape, list[Placement]]) -> None:
    board, solution = scene
    solid = lift(board, 3)
    low, high = box(solid)
    owner = {cell: number for number, placement in enumerate(solution) for cell in lift(placement.cells, 3)}
    layers = grid.layers(board, solution)
    assert [len(layers), len(layers[0]), len(layers[0][0])] == [b - a + 1 for a, b in zip(low, high, strict=True)]
    for z, layer in enumerate(layers):
        empty = {(y, x) for y, row in enumerate(layer) for x, entry in enumerate(row) if entry in (grid.OUTSIDE, grid.HOLE)}
        for y, x in product(range(len(layer)), range(len(layer[0]))):
            cell = (low[0] + z, low[1] + y, low[2] + x)
            if cell in solid:
                assert layer[y][x] == owner.get(cell, grid.UNCOVERED)
            else:
                assert (y, x) in empty
        for part in components(empty):
            at_rim = any(y in (0, len(layer) - 1) or x in (0, len(layer[0]) - 1) for y, x in part)
            assert {layer[y][x] for y, x in part} == {grid.OUTSIDE if at_rim else grid.HOLE}


@given(scenes())
def test_touching_placements_share_a_side(scene: tuple[Shape, list[Placement]]) -> None:
    _, solution = scene
    owner = {cell: number for number, placement in enumerate(solution) for cell in placement.cells}
    expected: list[set[int]] = [set() for _ in solution]
    for cell, number in owner.items():
        expected[number] |= {owner[other] for other in neighbours(cell) if other in owner} - {number}
    assert grid.touching(lattice_of(cell for placement in solution for cell in placement.cells), solution) == [
        sorted(others) for others in expected
    ]


def test_the_clock_is_looked_at_while_images_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """At least once for so many options in each of three passes: their items, their keys, and where they are taken."""
    at_once = 16
    for module in (csr, group_action):
        monkeypatch.setattr(module, "_AT_ONCE", at_once)
    board = BoardCover.of(formats.inline(["12x12", "3L"]))
    looks: list[int] = []
    same = np.arange(len(board.items))[None, :], np.zeros((1, 1), np.int64)
    group_action.option_maps(board, *same, board.members, lambda: looks.append(1))
    assert len(looks) >= 3 * (len(board) // at_once)
