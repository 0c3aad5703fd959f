"""Filters leave out placements that no tiling needs, and nothing else."""

from __future__ import annotations

from itertools import product
from operator import add, mul

import numpy as np
import pytest
from brute_force import as_tiling, number, tilings
from corpus import boards
from hypothesis import assume, given
from hypothesis import strategies as st
from square import components
from strategies import instances

from tiler import formats
from tiler.ask.solve import solve
from tiler.cover import filters
from tiler.cover.board import BoardCover
from tiler.cover.cover import SolutionsKept
from tiler.cover.group_action import TilingClasses
from tiler.errors import BadOption
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.model.lattices import LATTICES
from tiler.model.tile import Tile
from tiler.model.wrap import wrap_of
from tiler.question.question import Goal, Question

PENTOMINOES = [f"1:{letter}" for letter in "FILNPTUVWXYZ"]
SIX_BY_TEN = formats.inline(["10x6", *PENTOMINOES], reflections=True)


def short_side_first(cover: BoardCover) -> np.ndarray:
    return np.array([6 * x + y for y, x in cover.cells], np.int64)


@pytest.mark.parametrize("name", [*filters.FILTERS, "dead+volume+parity"])
def test_filters_keep_every_tiling(name: str) -> None:
    for board in boards("plain"):
        answer = solve(board.instance, f"backtracking:filter={name}", Question(Goal.ENUMERATE))
        assert set(map(as_tiling, answer.solutions)) == board.tilings, board


@pytest.mark.parametrize("name", [*filters.FILTERS, "+".join(filters.FILTERS)])
@pytest.mark.parametrize(
    "shapes",
    [
        ["4x1", "1:2", "2:1", "1:5X"],  # too large a tile
        ["4x1", "1..1:2", "2:1", "1:5I"],
        ["4x1", "2", "5X"],
        ["4x4", "2", "9:1x9"],
        ["2x3", "2", "1:4I"],  # small enough, but it fits nowhere
        ["3x1", "1:3I", "5:2"],  # more copies than fit
        ["2x2", "9:1", "9:4O"],
        ["xo/ox", "1:2", "1:3I"],
        ["2x2x2", "2", "1:1x1x3"],
        ["2x2", "2", "1..:5X"],
        ["1x1", "1", "2"],
    ],
)
def test_filters_take_tiles_that_do_not_fit(name: str, shapes: list[str]) -> None:
    instance = formats.inline(shapes)
    answer = solve(instance, f"dlx:filter={name}", Question(Goal.ENUMERATE))
    assert set(map(as_tiling, answer.solutions)) == tilings(instance)
    cover = BoardCover.of(instance)
    assert len(filters.apply(cover.restrict(np.zeros(len(cover), np.bool_)), name)) == 0


@given(instances(max_cells=12, words=False))
def test_dead_placements_are_those_that_leave_something_bare(instance: Instance) -> None:
    cover = BoardCover.of(instance)
    assume(cover.refusal() is None)
    filtered = filters.dead(cover)
    kept = set(filtered.origin.tolist())
    alive = set(range(len(cover)))
    while True:
        bare = set()
        for option in alive:
            mine = set(cover.members[option].tolist())
            single = cover.upper[cover.tile[option]] == 1
            others = [
                o
                for o in alive
                if not mine & set(cover.members[o].tolist()) and not (single and cover.tile[o] == cover.tile[option])
            ]
            reached = mine.union(*(cover.members[o].tolist() for o in others))
            counts = np.bincount(cover.tile[[option, *others]], minlength=len(cover.tiles))
            # Of a tile that may overlap itself only the copies beside this one are counted.
            if len(reached) < len(cover.cells) or (counts < cover.lower).any():
                bare.add(option)
        if not bare:
            break
        alive -= bare
    # Once a cell is bare there is nothing left to find.
    assert kept == alive or (not alive and filtered.refusal())


@pytest.mark.parametrize("spec", ["backtracking:anchor=auto", "backtracking:anchor=auto,filter=dead+volume+parity"])
def test_anchor_keeps_a_tiling_of_every_orbit(spec: str) -> None:
    for board in boards("plain"):
        assert bool(board.tilings) == bool(solve(board.instance, spec).solutions)
        cover = board.cover
        anchored = filters.anchor(cover, "auto", np.arange(len(cover.cells), dtype=np.int64))
        lying = {cells for option in range(len(anchored)) for _, cells in as_tiling(anchored.placements([option]))}
        kept = {tiling for tiling in board.tilings if all(cells in lying for _, cells in tiling)}
        if anchored.keeps is SolutionsKept.ALL:
            assert kept == board.tilings, board
        else:
            assert all(orbit & kept for orbit in board.orbits.values()), board


@given(st.lists(st.tuples(st.integers(1, 4), st.integers(0, 3)), min_size=1, max_size=3), st.integers(0, 20))
def test_possible_sizes_leave_out_a_copy_of_the_placed_tile(tiles: list[tuple[int, int]], cells: int) -> None:
    sizes, copies = zip(*tiles, strict=True)
    for without, row in enumerate(filters.possible_sizes(sizes, copies, cells).tolist()):
        left = [range(max(0, n - (t == without)) + 1) for t, n in enumerate(copies)]
        sums = {sum(a * b for a, b in zip(sizes, some, strict=True)) for some in product(*left)}
        assert row == [number in sums for number in range(cells + 1)]


def test_busches_figures() -> None:
    cover = BoardCover.of(SIX_BY_TEN)
    x = list(cover.names).index("X")
    anchored = filters.anchor(cover, "X", short_side_first(cover))
    assert (len(cover), len(anchored), len(anchored.by_tile[x]), anchored.keeps) == (2056, 2032, 8, SolutionsKept.REPRESENTATIVES)
    centres = {tuple(anchored.offset[o] + 1) for o in anchored.by_tile[x]}
    assert centres == {(y, x) for y in (1, 2) for x in range(1, 5)}
    filtered = filters.volume(anchored)
    assert (len(filtered), len(filtered.by_tile[x])) == (1907, 7)


def test_parity_knows_that_a_lone_t_unbalances_the_board() -> None:
    # An even number of T tetrominoes is needed where all other tiles are balanced.
    instance = formats.inline(["4x4", "1:4T", "3:4L"])
    cover = BoardCover.of(instance)
    assert cover.refusal() is None
    refusal = filters.parity(cover).refusal()
    assert refusal is not None
    assert refusal.startswith("cell: no placement covers")
    assert len(filters.parity(BoardCover.of(formats.inline(["4x4", "2:4T", "2:4L"])))) > 0


def test_raw_counts_are_refused_where_orbits_are_represented() -> None:
    with pytest.raises(BadOption, match="anchor=X keeps a part of each orbit only"):
        solve(SIX_BY_TEN, "backtracking:anchor=X", Question(Goal.COUNT))
    for shapes, anchor in ((["4x4", "2"], "2"), (["3x4", "1:3I", "2", "3L"], "3I")):
        with pytest.raises(BadOption, match="only a tile that every tiling uses exactly once"):
            solve(formats.inline(shapes), f"backtracking:anchor={anchor}")
    with pytest.raises(BadOption, match="anchor=Q: there is no such tile"):
        solve(SIX_BY_TEN, "backtracking:anchor=Q")
    with pytest.raises(BadOption, match="filter=vloume: 'vloume' is no filter; nearest: volume; there are dead, volume, parity"):
        solve(SIX_BY_TEN, "backtracking:filter=vloume")


@given(instances(max_cells=16, disconnected=False, words=False))
def test_volume_leaves_out_what_closes_off_a_region_of_no_sum(instance: Instance) -> None:
    cover = BoardCover.of(instance)
    expected = []
    for option in range(len(cover)):
        left = [int(most) - (t == cover.tile[option]) for t, most in enumerate(cover.upper)]
        sums = {0}
        for size, copies in zip(cover.sizes.tolist(), left, strict=True):
            sums = {total + size * n for total in sums for n in range(copies + 1)}
        open_ = instance.board - {cover.cells[cell] for cell in cover.members[option]}
        if all(len(part) in sums for part in components(open_)):
            expected.append(option)
    assert filters.volume(cover).origin.tolist() == expected


#: Lengths of a board in units of its lattice, and the axes along which it is wrapped: no checkerboard goes round odd ones.
WRAPPED = [
    *(("square", (3, 4), axes) for axes in ((0,), (1,), (0, 1))),
    *(("square", (5, 3), axes) for axes in ((0,), (1,), (0, 1))),
    *(("cubic", tuple(3 if axis == odd else 2 for axis in range(3)), (odd,)) for odd in range(3)),
    *(("triangular", lengths, axes) for lengths in ((1, 3), (3, 1), (2, 2)) for axes in ((0,), (1,), (0, 1))),
    *(("tetrakis", lengths, axes) for lengths in ((1, 3), (1, 2)) for axes in ((0,), (1,), (0, 1))),
    *(("triangular-prisms", lengths, (0,)) for lengths in ((3, 1, 2), (4, 1, 1), (3, 2, 1))),
]


@pytest.mark.parametrize(("lattice", "lengths", "axes"), WRAPPED)
def test_a_checkerboard_that_does_not_go_round_rules_nothing_out(
    lattice: str, lengths: tuple[int, ...], axes: tuple[int, ...]
) -> None:
    """On cylinders and tori, covered by every pair of cells with a common side, and now and then a single cell."""
    on = LATTICES[lattice]
    units = [tuple(map(mul, on.moduli, unit)) for unit in product(*map(range, lengths))]
    board = frozenset(tuple(map(add, unit, residue)) for unit in units for residue in on.residues)
    pairs = {on.canonical(frozenset({each, other}), reflections=False) for each in on.residues for other in on.neighbours(each)}
    wrap = wrap_of([tuple(on.moduli[at] * lengths[at] * (at == axis) for at in range(on.dimension)) for axis in axes])
    tiles = [Tile(f"pair{number}", pair, lattice=on) for number, pair in enumerate(sorted(pairs, key=sorted))]
    if len(board) % 2:
        tiles.append(Tile("one", frozenset({on.residues[0]}), 1, 1, lattice=on))
    instance = Instance(board, tuple(tiles), lattice=on, wrap=wrap)
    expected = number(instance)
    for spec in ("dlx:filter=parity", "dlx:order=first,parity=on", "backtracking:filter=dead+volume+parity"):
        assert solve(instance, spec, Question(Goal.COUNT)).result.count == expected > 0, spec
    assert solve(instance, "coloring", Question(Goal.PROVE)).result.status is Status.UNKNOWN


def test_a_mirror_that_changes_two_tiles_rules_nothing_out() -> None:
    instance = formats.inline(["3x4", "1..1:4L", "1..1:4J", "2"], reflections=False)
    cover = BoardCover.of(instance)
    expected = solve(instance, "dlx", Question(Goal.ENUMERATE, up_to_symmetry=True)).solutions
    for name in ("4L", "4J"):
        anchored = filters.anchor(cover, name, np.arange(len(cover.cells), dtype=np.int64))
        assert anchored.keeps is SolutionsKept.REPRESENTATIVES
        places = {frozenset(cover.cells[cell] for cell in cover.members[o].tolist()) for o in anchored.origin.tolist()}
        every = solve(instance, "dlx", Question(Goal.ENUMERATE)).solutions
        classes = TilingClasses(cover)
        kept = {classes.of(tiling) for tiling in every if all(each.cells in places for each in tiling)}
        assert kept == {classes.of(tiling) for tiling in expected}


@pytest.mark.parametrize("name", filters.FILTERS)
def test_pieces_in_two_parts_lie_in_several_regions(name: str) -> None:
    tiles = Tile("apart", frozenset({(0, 0), (0, 2)})), Tile("domino", frozenset({(0, 0), (0, 1)}))
    instance = Instance(frozenset({(0, column) for column in range(12)}), tiles)
    cover = BoardCover.of(instance)
    used = {placement.cells for tiling in solve(instance, "dlx", Question(Goal.ENUMERATE)).solutions for placement in tiling}
    left = filters.apply(cover, name)
    assert frozenset({(0, 4), (0, 6)}) in used
    assert used <= {frozenset(cover.cells[cell] for cell in left.members[option].tolist()) for option in range(len(left))}
