"""Tilings as arrays: the same as one by one, in the same order."""

from __future__ import annotations

import gc
import weakref
from itertools import islice, pairwise

import numpy as np
import pytest

import tiler
from tiler.errors import BadArgument, BadSolution
from tiler.formats import inline
from tiler.model.instance import Instance

PROBLEMS = [["4x4", "2"], ["3x4", "2", "3L"], ["2x2x3", "2", "3I"], ["5x1", "2", "1:3I"], ["3x3", "2"]]


def made(words: list[str]) -> Instance:
    return inline(words)


@pytest.mark.parametrize("solver", ["dlx", "fila", "backtracking", "frontier", "fila:handoff=2", "dlx:volume=4", "auto"])
@pytest.mark.parametrize("words", PROBLEMS, ids="-".join)
def test_blocks_are_what_is_listed_one_by_one(words: list[str], solver: str) -> None:
    problem = made(words)
    try:
        one_by_one = [tiling.to_numpy() for tiling in tiler.tilings(problem, solver=solver)]
    except tiler.errors.TilerError as refused:
        pytest.skip(str(refused))
    blocks = list(tiler.tilings(problem, solver=solver).blocks())
    assert [len(block) for block in blocks[:1]] == [1][: len(one_by_one)]
    assert np.array_equal(np.concatenate([np.zeros((0, *np.shape(one_by_one)[1:])), *(b.to_numpy() for b in blocks)]), one_by_one)
    for block in blocks:
        assert [tiling.to_numpy().tolist() for tiling in block] == block.to_numpy().tolist()
        assert block[-1].placements == tuple(map(block.placement, block.options[-1][block.options[-1] >= 0]))
        for tiling, row in zip(block, block.by_cell(), strict=True):
            numbers = {cell: number for number, placement in enumerate(tiling.placements, 1) for cell in placement.cells}
            assert row.tolist() == [numbers.get(cell, 0) for cell in block.cells]


def test_the_first_tilings_are_found_before_the_others() -> None:
    nodes = []
    problem = tiler.make("8x8", "2")
    sizes = [len(block) for block in islice(tiler.tilings(problem, solver="dlx", progress=nodes.append).blocks(), 6)]
    assert sizes[0] == 1
    assert all(b <= 2 * a for a, b in pairwise(sizes))


@pytest.mark.parametrize("limit", [1, 2, 5, 36, 40])
@pytest.mark.parametrize("threads", [1, 3])
def test_a_limit_cuts_the_last_block(limit: int, threads: int) -> None:
    problem = tiler.make("4x4", "2")
    every = [tiling.placements for tiling in tiler.tilings(problem, solver="dlx")]
    some = [tiling.placements for tiling in tiler.tilings(problem, solver="dlx", limit=limit, threads=threads)]
    assert some == every[:limit]


def test_blocks_cannot_be_asked_for_too_late_or_of_rows() -> None:
    tilings = tiler.tilings(tiler.make("4x4", "2"), solver="dlx")
    next(tilings)
    with pytest.raises(BadArgument, match="before the first tiling"):
        tilings.blocks()
    cover = tiler.Cover.from_rows([["a"], ["b"]])
    with pytest.raises(BadArgument, match="general exact cover"):
        tiler.tilings(cover, solver="dlx").blocks()


def test_a_search_ends_when_nobody_knows_it_any_more() -> None:
    tilings = tiler.tilings(tiler.make("8x8", "2"), solver="dlx")
    next(tilings)
    known = weakref.ref(tilings._blocks)
    gc.disable()
    try:
        del tilings
        assert known() is None
    finally:
        gc.enable()


@pytest.mark.parametrize("asked", [slice(3, 9), slice(None), slice(-4, None), slice(30, 2, -3), slice(5, 5), slice(1, 36, 7)])
def test_slices_of_a_set(asked: slice) -> None:
    tilings = tiler.TilingSet.of(tiler.make("4x4", "2"))
    every = list(tilings)
    block = tilings[asked]
    assert [tiling.placements for tiling in block] == [tiling.placements for tiling in every[asked]]
    assert [tiling.placements for tiling in block[1:3]] == [tiling.placements for tiling in every[asked][1:3]]
    with pytest.raises(BadArgument, match="slice of whole numbers"):
        tilings[1.5:]  # type: ignore[misc]


def test_a_wrong_tiling_in_a_block_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    from tiler.kernels.arrays import SolutionRows

    taken = SolutionRows.taken

    def spoiled(rows: SolutionRows) -> np.ndarray:
        block = taken(rows)
        if len(block) > 3:
            block[3, 0] = block[3, 1]
        return block

    monkeypatch.setattr(SolutionRows, "taken", spoiled)
    with pytest.raises(BadSolution, match="answered with a wrong solution"):
        list(tiler.tilings(tiler.make("4x4", "2"), solver="backtracking"))
