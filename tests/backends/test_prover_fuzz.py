"""The prover never claims what is not so: against exhaustive search, on thousands of small problems."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product

import pytest
from brute_force import tilings
from hypothesis import given, settings
from square import canonical, neighbours, normalise
from strategies import instances

from tiler.ask.solve import solve
from tiler.cover.board import BoardCover
from tiler.model.constraints import Constraint
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.model.lattice import Cell, move
from tiler.model.tile import Tile
from tiler.question.question import Limits, Question

STAGES = ("area", "lattice", "weights", "probe", "cases")


def judge(instance: Instance, spec: str = "coloring") -> str:
    """The stage that proves that there is no tiling, or nothing. Certificates are checked on the way."""
    result = solve(instance, spec).result
    assert result.status is not Status.SAT
    assert (result.status is Status.UNSAT) == (result.certificate is not None)
    return str(result.stats["stage"]) if result.status is Status.UNSAT else ""


@settings(max_examples=200)
@given(instances(max_cells=12, words=False))
def test_no_false_claim(instance: Instance) -> None:
    solvable = bool(tilings(instance))
    found = {stage: judge(instance, f"coloring:stages={stage}") for stage in STAGES}
    assert not (solvable and any(found.values()))
    # On boards as small as this the case split always comes to an end.
    assert solvable or found["cases"]


def random_instance(rng: random.Random) -> Instance:
    """A board whose area some tiles have, mostly with holes: those that area alone refutes teach nothing."""
    dimension = rng.choice([2, 2, 3])
    tiles = []
    for index in range(rng.choice([1, 1, 2, 3])):
        shape: set[Cell] = {(0,) * dimension}
        for _ in range(rng.randint(1, 4)):
            shape.add(rng.choice(sorted({other for cell in shape for other in neighbours(cell)} - shape)))
        at_most = rng.choice([None, None, rng.randint(1, 4)])
        at_least = rng.randint(0, min(2, at_most or 2)) if rng.random() < 0.3 else 0
        tiles.append(Tile(f"p{index}", frozenset(shape), at_most, at_least))
    sides = [rng.randint(2, 4) for _ in range(2)] if dimension == 2 else [2, rng.randint(2, 3), rng.randint(2, 3)]
    cells = sorted(product(*map(range, sides)))
    rng.shuffle(cells)
    area = rng.choice(tiles).size * rng.randint(1, 4)
    board = frozenset(cells[: area if rng.random() < 0.8 else len(cells)])
    optional = frozenset(cell for cell in board if rng.random() < 0.2) if rng.random() < 0.2 else frozenset()
    kept = [tile for tile in tiles if len(next(iter(tile.shape))) == 2 or len({cell[0] for cell in board}) > 1] if board else []
    constraints = ()
    if kept and rng.random() < 0.1 and len({cell[0] for cell in board}) > 1:
        constraints = (Constraint("forbid", kept[0].name, (min(board),)), Constraint("lock", kept[0].name, orientations=1))
        constraints = constraints[: rng.randint(1, 2)]
    return Instance(
        board, tuple(kept) or (Tile("p", frozenset({(0, 0), (0, 1)})),), rng.random() < 0.5, optional, constraints=constraints
    )


@pytest.mark.parametrize("count", [100, pytest.param(5000, marks=pytest.mark.slow)])
def test_no_false_claim_on_boards_with_holes(count: int) -> None:
    rng = random.Random(7)
    seen: Counter[tuple[str, bool]] = Counter()
    for _ in range(count):
        instance = random_instance(rng)
        found = judge(instance)
        # Its tilings are verified; brute force would take too long for some of these.
        solvable = solve(instance, "backtracking").result.status is Status.SAT
        assert not (solvable and found), instance
        assert solvable or found, instance
        seen[found, solvable] += 1
    assert {stage for stage, _ in seen} >= {"", "area", "lattice", "weights"}


def free_polyominoes(most: int) -> list[frozenset[Cell]]:
    found = {frozenset({(0, 0)})}
    every = list(found)
    for _ in range(most - 1):
        found = {
            canonical(normalise(shape | {other}), reflections=True)
            for shape in found
            for cell in shape
            for other in neighbours(cell)
            if other not in shape
        }
        every += sorted(found, key=sorted)
    return every


@pytest.mark.parametrize("side", [5, pytest.param(10, marks=pytest.mark.slow)])
def test_rectangles(side: int) -> None:
    """All free polyominoes up to five cells on all rectangles, against a complete search."""
    shapes = free_polyominoes(5)
    assert len(shapes) == 1 + 1 + 2 + 5 + 12
    proved = open_ = 0
    for height in range(1, side + 1):
        for width in range(height, side + 1):
            board = frozenset(product(range(height), range(width)))
            for shape, reflections in product(shapes, (False, True)):
                if len(board) % len(shape):
                    continue
                instance = Instance(board, (Tile("p", shape),), reflections)
                cover = BoardCover.of(instance)
                result = solve(instance, "coloring:stages=lattice+weights+probe", cover=cover).result
                search = solve(instance, "dlx", Question(limits=Limits(nodes=20_000)), cover=cover).result
                assert not (result.status is Status.UNSAT and search.status is Status.SAT), instance
                proved += result.status is Status.UNSAT
                open_ += result.status is Status.UNKNOWN and search.status is Status.UNSAT
    assert proved > open_


def test_moving_a_board_changes_nothing() -> None:
    rng = random.Random(3)
    for _ in range(30):
        instance = random_instance(rng)
        if instance.constraints:
            continue
        offset = tuple(rng.randint(-9, 9) for _ in range(instance.dimension))
        moved = Instance(move(instance.board, offset), instance.tiles, instance.reflections, move(instance.optional, offset))
        first, second = (solve(each, "coloring").result.certificate for each in (instance, moved))
        assert first == second
