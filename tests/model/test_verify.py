"""The verifier accepts every tiling and refuses every change of one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import verified
from brute_force import tilings
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import instances

from tiler import formats
from tiler.model import corners, verify, verify_blocks
from tiler.model.instance import Instance
from tiler.model.lattice import Cell
from tiler.model.tile import Placement, Tile


def some_tiling(instance: Instance, data: st.DataObject) -> list[Placement]:
    found = sorted(tilings(instance), key=lambda tiling: sorted((name, sorted(cells)) for name, cells in tiling))
    assume(found)
    tiling = data.draw(st.sampled_from(found))
    placements = [Placement(name, cells) for name, cells in tiling]
    return sorted(placements, key=lambda placement: sorted(placement.cells))


@given(instances(max_cells=12, words=False), st.data())
def test_accepts_tilings_in_any_order(instance: Instance, data: st.DataObject) -> None:
    solution = some_tiling(instance, data)
    assert verified.error_in(instance, data.draw(st.permutations(solution))) is None


@given(instances(max_cells=12, words=False), st.data())
def test_refuses_changed_tilings(instance: Instance, data: st.DataObject) -> None:
    solution = some_tiling(instance, data)
    assume(solution)
    at = data.draw(st.integers(0, len(solution) - 1))
    placement = solution[at]
    others = solution[:at] + solution[at + 1 :]
    assert verified.error_in(instance, [*solution, placement])  # duplicated
    if not placement.cells <= instance.optional:
        assert verified.error_in(instance, others)  # dropped
    step = data.draw(st.sampled_from([(0, 1), (1, 0), (0, -3)]))
    moved = frozenset((*cell[:-2], cell[-2] + step[0], cell[-1] + step[1]) for cell in placement.cells)
    if not placement.cells <= instance.optional:
        assert verified.error_in(instance, [*others, Placement(placement.tile, moved)])  # shifted
    names = {tile.name for tile in instance.tiles} - {placement.tile}
    for name in sorted(names):
        if sorted(tile.name for tile in instance.distinct_tiles if tile.name in (name, placement.tile)) != [placement.tile]:
            assert verified.error_in(instance, [*others, Placement(name, placement.cells)])  # swapped for another tile
    assert verified.error_in(instance, [*others, Placement("no such tile", placement.cells)])
    fewer = frozenset(sorted(placement.cells)[1:])
    assert verified.error_in(instance, [*others, Placement(placement.tile, fewer)])  # a cell lost


@given(instances(max_cells=12, words=False), st.data())
def test_refuses_too_many_and_too_few_copies(instance: Instance, data: st.DataObject) -> None:
    solution = some_tiling(instance, data)
    used = [placement.tile for placement in solution]
    for name in sorted(set(used)):
        count = used.count(name)
        merged = next(tile for tile in instance.distinct_tiles if tile.name == name)
        others = tuple(replace(tile, at_least=0) for tile in instance.distinct_tiles if tile.name != name)
        if count > 1:
            tight = replace(merged, at_least=0, at_most=count - 1)
            assert "at most" in str(verified.error_in(replace(instance, tiles=(tight, *others)), solution))
        more = replace(merged, at_least=count + 1, at_most=None)
        assert "at least" in str(verified.error_in(replace(instance, tiles=(more, *others)), solution))


def square(*cells: Cell) -> frozenset[Cell]:
    return frozenset(cells)


@pytest.mark.parametrize(
    ("solution", "reason"),
    [
        ([("2", square((0, 0), (0, 1))), ("2", square((1, 0), (1, 1)))], None),
        ([("2", square((0, 0), (0, 1)))], "(1, 0) is not covered, nor is 1 other"),
        ([("2", square((0, 0), (1, 1))), ("2", square((1, 0), (0, 1)))], "placement 1 (2): its cells do not have the shape"),
        ([("2", square((0, 0), (0, 1))), ("2", square((0, 1), (1, 1)))], "placement 2 (2): (0, 1) is covered already"),
        ([("2", square((0, 1), (0, 2)))], "placement 1 (2): (0, 2) is not a cell of the board"),
        ([("2", square((0, 0, 1), (0, 0, 2)))], "placement 1 (2): (0, 0, 1) is not a cell of the board"),
        ([("2", frozenset())], "placement 1 (2): it covers no cell"),
        ([("3L", square((0, 0), (0, 1)))], "placement 1 (3L): there is no tile of that name"),
    ],
)
def test_says_what_is_wrong(solution: list[tuple[str, frozenset[Cell]]], reason: str | None) -> None:
    problem = verified.error_in(formats.inline(["2x2", "2"]), [Placement(*placement) for placement in solution])
    assert problem == reason or (problem or "").startswith(str(reason))


@pytest.mark.parametrize(("reflections", "holds"), [(False, False), (True, True)])
def test_reflections(reflections: bool, holds: bool) -> None:
    instance = formats.inline([".x/.x/xx", "4L"], reflections=reflections)
    assert (verified.error_in(instance, [Placement("4L", instance.board)]) is None) is holds


def test_flat_tiles_may_be_turned_over_in_space_chiral_ones_not() -> None:
    flat = formats.inline([".x/.x/xx/-/.x/.x/xx", "4L"])
    layers = [frozenset(cell for cell in flat.board if cell[0] == layer) for layer in (0, 1)]
    assert verified.error_in(flat, [Placement("4L", layer) for layer in layers]) is None
    chiral = formats.inline([".x/xx/-/../x.", "4<", "4>"])
    names = [name for name in ("4<", "4>") if verified.error_in(chiral, [Placement(name, chiral.board)]) is None]
    assert len(names) == 1


@given(instances(max_cells=12, words=False), st.data())
def test_a_verifier_says_the_same_of_a_solution_whatever_it_has_seen(instance: Instance, data: st.DataObject) -> None:
    solution = some_tiling(instance, data)
    cells = st.frozensets(st.sampled_from(sorted(instance.board)), max_size=3)
    names = st.sampled_from([*(tile.name for tile in instance.tiles), "no such tile"])
    placements = st.builds(Placement, names, cells) | st.sampled_from([*solution, Placement("p0", frozenset({(99, 99)}))])
    verifier = verify.Verifier(instance)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(verify, "_REMEMBERED", data.draw(st.sampled_from([0, 1, 1000])))
        for other in data.draw(st.lists(st.lists(placements, max_size=4) | st.just(solution), max_size=6)):
            assert verifier.error_in(other) == verified.error_in(instance, other)
    assert verifier.error_in(solution) is None


def test_a_verifier_looks_at_a_placement_once(monkeypatch: pytest.MonkeyPatch) -> None:
    instance = formats.inline(["4x2", "2"])
    upright = [Placement("2", square((0, x), (1, x))) for x in range(4)]
    lying = [Placement("2", square((y, x), (y, x + 1))) for y in range(2) for x in (0, 2)]
    looked: list[object] = []
    form = verify._Congruence.form
    monkeypatch.setattr(verify._Congruence, "form", lambda self, cells: looked.append(cells) or form(self, cells))
    verifier = verify.Verifier(instance)
    for solution in [upright, lying, upright[:2] + lying[1::2]] * 3:
        assert verifier.error_in(solution) is None
    assert len(looked) == 1 + 8


def test_a_shape_is_turned_once_however_its_placements_lie(monkeypatch: pytest.MonkeyPatch) -> None:
    instance = formats.inline(["3x2", "3L"])
    turned: list[object] = []
    turn = corners.turned
    monkeypatch.setattr(corners, "turned", lambda *shape: turned.append(shape) or turn(*shape))
    halves = [Placement("3L", square((0, 0), (0, 1), (1, 0))), Placement("3L", square((0, 2), (1, 1), (1, 2)))]
    assert verify.error_in(instance, halves) is None
    assert len(turned) == 1


@pytest.mark.parametrize(("dominoes", "reason"), [(1, "at least 2 are needed"), (2, None), (3, "at most 2 are allowed")])
def test_bounds_of_congruent_tiles_add_up(dominoes: int, reason: str | None) -> None:
    tiles = (
        Tile("lying", square((0, 0), (0, 1)), 1, 1),
        Tile("upright", square((0, 0), (1, 0)), 1, 1),
        Tile("1", square((0, 0))),
    )
    instance = Instance(frozenset((y, x) for y in range(2) for x in range(3)), tiles)
    solution = [Placement("lying" if x else "upright", square((0, x), (1, x))) for x in range(dominoes)]
    solution += [Placement("1", square(cell)) for cell in sorted(instance.board) if cell[1] >= dominoes]
    wrong = verified.error_in(instance, solution)
    assert wrong == reason or str(reason) in str(wrong)


def test_solutions_of_very_many_cells_are_checked_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks keep nothing for placements then."""
    monkeypatch.setattr(verify_blocks, "_MOST_WORDS", 0)
    instance = formats.inline(["4x2", "2"])
    upright = [Placement("2", square((0, x), (1, x))) for x in range(4)]
    lying = [Placement("2", square((y, x), (y, x + 1))) for y in range(2) for x in (0, 2)]
    placements = [*upright, *lying]
    blocks = verify_blocks.BlockVerifier(instance, lambda numbers: [placements[number] for number in numbers])
    assert blocks.error_in(np.array([[0, 1, 2, 3], [4, 5, 6, 7]], np.int32)) is None
    said = blocks.error_in(np.array([[0, 1, 2, 3, -1], [1, 2, 4, 6, 7]], np.int32))
    assert said is not None
    assert said == verify.error_in(instance, [placements[number] for number in (1, 2, 4, 6, 7)])
    assert len(blocks._words) == 1
