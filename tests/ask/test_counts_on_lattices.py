"""Counts on other lattices than the square and the cubic one, as others have published them."""

from __future__ import annotations

import pytest

from tiler import formats
from tiler.ask.solve import solve
from tiler.cover import group_action
from tiler.errors import BadOption
from tiler.model.instance import Instance
from tiler.model.lattice import Lattice
from tiler.model.lattices import HEXAGONAL, TRIANGULAR
from tiler.model.named_boards import region
from tiler.model.polyforms import polyforms
from tiler.model.tile import Tile
from tiler.question.question import Goal, Question

COUNT = Question(Goal.COUNT)
UP_TO_SYMMETRY = Question(Goal.COUNT, up_to_symmetry=True)


def one_of_each(lattice: Lattice, size: int, board: str) -> Instance:
    tiles = [Tile(f"{n}", form.shape, 1, lattice=lattice) for n, form in enumerate(polyforms(lattice, size))]
    return Instance(region(lattice, board), tuple(tiles), reflections=True, lattice=lattice)


# T. H. O'Beirne, 1961: the hexiamonds on the rhombus; the tetrahexes: Gardner, Mathematical Magic Show, 1977.
@pytest.mark.parametrize(
    ("lattice", "size", "board", "count", "apart"),
    [(TRIANGULAR, 6, "rhombus:6x6", 624, 156), (HEXAGONAL, 4, "rhombus:4x7", 18, 9), (HEXAGONAL, 4, "rhombus:7x4", 18, 9)],
    ids=["hexiamonds", "tetrahexes", "tetrahexes lying"],
)
@pytest.mark.parametrize("solver", ["dlx", "fila", "frontier"])
def test_one_of_each(lattice: Lattice, size: int, board: str, count: int, apart: int, solver: str) -> None:
    instance = one_of_each(lattice, size, board)
    assert solve(instance, solver, COUNT).result.count == count
    assert solve(instance, solver, UP_TO_SYMMETRY).result.count == apart


def macmahon(a: int, b: int, c: int) -> int:
    """The ways to cover a hexagon with sides a, b, c, a, b, c of triangles with pairs of them. (P. A. MacMahon, 1916)"""
    count, parts = 1, 1
    for i in range(1, a + 1):
        for j in range(1, b + 1):
            for k in range(1, c + 1):
                count, parts = count * (i + j + k - 1), parts * (i + j + k - 2)
    return count // parts


@pytest.mark.parametrize("side", [1, 2, 3])
@pytest.mark.parametrize("solver", ["dlx", "fila", "frontier", "backtracking"])
def test_pairs_of_triangles_in_a_hexagon(side: int, solver: str) -> None:
    (diamond,) = polyforms(TRIANGULAR, 2)
    instance = Instance(region(TRIANGULAR, f"hex:{side}"), (Tile("2", diamond.shape, lattice=TRIANGULAR),), lattice=TRIANGULAR)
    assert solve(instance, solver, COUNT).result.count == macmahon(side, side, side)


# P. W. Kasteleyn, The statistics of dimers on a lattice, 1961: on the torus.
@pytest.mark.parametrize(("side", "count"), [(4, 272), pytest.param(6, 90176, marks=pytest.mark.long)])
@pytest.mark.parametrize("solver", ["dlx", "frontier"])
def test_dominoes_on_a_torus(side: int, count: int, solver: str) -> None:
    instance = formats.inline([f"{side}x{side}", "2"], wrap="rows columns")
    assert solve(instance, solver, COUNT).result.count == count


@pytest.mark.parametrize("words", ["rows columns", "columns", "0,4 4,1", "0,4 4,2"])
def test_large_groups_are_counted_by_their_classes(words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    instance = formats.inline(["4x4", "2", "1..2:3L", "3I"], wrap=words)
    listed = solve(instance, "dlx", UP_TO_SYMMETRY).result
    assert listed.count == len(solve(instance, "dlx", Question(Goal.ENUMERATE, up_to_symmetry=True)).solutions)
    monkeypatch.setattr(group_action, "MAX_IMAGES", 100)
    by_class = solve(instance, "dlx", UP_TO_SYMMETRY).result
    assert (by_class.count, by_class.symmetry) == (listed.count, listed.symmetry)
    assert by_class.stats["method"] == "burnside"
    shared = solve(instance, "dlx", UP_TO_SYMMETRY, executor="local:1").result
    assert shared.count == listed.count
    with pytest.raises(BadOption, match=r"up to symmetry: a group of .* takes .* placements to more images than are listed"):
        solve(instance, "dlx", Question(Goal.ENUMERATE, up_to_symmetry=True))
