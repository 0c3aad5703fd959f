"""Sets of pieces from pools drawn at random, on every lattice, beside a brute force about each set by itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, product
from random import Random

import pytest
from brute_force import allowed_tilings, orbits

import tiler
from tiler.apps.puzzles.answers.piece_sets import WantedPieces
from tiler.apps.puzzles.piece_sets import choose
from tiler.model.constraints import Constraint
from tiler.model.instance import Instance
from tiler.model.lattice import Lattice, Shape
from tiler.model.lattices import LATTICES, fitted
from tiler.model.tile import Tile

Copies = tuple[int, ...]

QUICK = ("square", "triangular", "kites", "spheres")
EVERY = [pytest.param(name, marks=[] if name in QUICK else [pytest.mark.slow]) for name in LATTICES]


def pool(drawn: Random, lattice: Lattice, *, turning: bool = True, open_cells: int = 0) -> Instance:
    """A connected board, and a pool of pieces, where each may be used a few times or not at all."""
    board = connected(drawn, lattice, 4 + open_cells)
    flat, board = fitted(lattice, board)
    shapes = [connected(drawn, flat, drawn.randint(1, 3)) for _ in range(3)]
    tiles = [Tile(f"p{number}", shape, drawn.randint(1, 2), lattice=flat) for number, shape in enumerate(shapes)]
    some = frozenset(drawn.sample(sorted(board), open_cells))
    return Instance(board, tuple(tiles), turning and drawn.random() < 0.5, some, lattice=flat, turning=turning)


def connected(drawn: Random, lattice: Lattice, size: int) -> Shape:
    cells = [lattice.residues[0]]
    while len(cells) < size:
        cells.append(drawn.choice(sorted({other for cell in cells for other in lattice.neighbours(cell)} - set(cells))))
    return frozenset(cells)


def sets_of(instance: Instance) -> Iterator[tuple[Copies, Instance]]:
    """Every set of pieces of a pool, with the problem in which all of them are to be used."""
    pieces = instance.distinct_tiles
    for copies in product(*(range((tile.at_most or 0) + 1) for tile in pieces)):
        if any(copies):
            tiles = (replace(tile, at_least=n, at_most=n) for tile, n in zip(pieces, copies, strict=True) if n)
            yield copies, replace(instance, tiles=tuple(tiles))


def chosen(instance: Instance, wanted: WantedPieces) -> set[Copies]:
    names = [tile.name for tile in instance.distinct_tiles]
    every = [Counter(one.pieces) for one in choose(instance, wanted).found]
    return {tuple(pieces[name] for name in names) for pieces in every}


@pytest.mark.parametrize("name", EVERY)
def test_unique_is_one_tiling_up_to_symmetry(name: str) -> None:
    for seed in range(2):
        instance = pool(Random(f"{name} {seed}"), LATTICES[name], turning=seed > 0)
        single = {copies for copies, alone in sets_of(instance) if len(orbits(alone)) == 1}
        assert chosen(instance, WantedPieces(unique=True)) == single
        assert chosen(instance, WantedPieces(unique=True, seed=1)) == single


def test_a_set_may_have_more_symmetries_than_its_pool() -> None:
    """Where pieces are not turned, two single cells and a domino can be mirrored, but the pool of them and an L cannot."""
    instance = tiler.make("2x2", "1:x/x", "1:4O", "2:1", "1:3L", turning=False)
    (found,) = tiler.choose(instance, pieces=3, unique=True)
    assert (len(found.pieces), found.tilings) == (3, 2)
    assert tiler.count(found.instance, up_to_symmetry=True) == 1


@pytest.mark.parametrize("name", EVERY)
def test_all_open_is_a_tiling_for_every_set_of_open_cells(name: str) -> None:
    for seed in range(2):
        instance = pool(Random(f"{name} {seed}"), LATTICES[name], open_cells=2 + seed)
        kept = {copies for copies, alone in sets_of(instance) if fewest(alone) > 0}
        assert chosen(instance, WantedPieces(all_open=True)) == kept
        assert chosen(instance, WantedPieces(all_open=True, seed=1)) == kept


def fewest(alone: Instance) -> int:
    """The least number of tilings for one set of open cells, of the sets that leave as many cells as the pieces have."""
    room = len(alone.board) - sum(tile.at_least * tile.size for tile in alone.tiles)
    numbers = Counter(alone.board.difference(*(cells for _, cells in tiling)) for tiling in allowed_tilings(alone))
    every = combinations(sorted(alone.optional), room) if 0 <= room <= len(alone.optional) else ()
    return min((numbers[frozenset(cells)] for cells in every), default=0)


def test_constraints_about_pieces_that_are_not_chosen() -> None:
    """Locks are about the sets with their piece; a piece that must lie somewhere is in every set."""
    instance = tiler.make("2x3", "1:3I", "2:3L", "1:2", "1:1")
    locked = replace(instance, constraints=(Constraint("lock", "3I", orientations=1),))
    fixed = replace(instance, constraints=(Constraint("place", "3L", ((0, 0), (0, 1), (1, 0))),))
    for seed in (None, 1):
        assert chosen(locked, WantedPieces(seed=seed)) == {(0, 2, 0, 0), (0, 1, 1, 1)}
        assert chosen(fixed, WantedPieces(seed=seed)) == {(0, 2, 0, 0), (0, 1, 1, 1)}
