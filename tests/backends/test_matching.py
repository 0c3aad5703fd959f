"""Tilings by two cells as matchings: found, counted, drawn at random, or shown to be impossible."""

from __future__ import annotations

import math
import random
import signal
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

import tiler
from tiler.ask.solve import solve
from tiler.backends.coloring import checker
from tiler.backends.coloring.sentence import hall
from tiler.backends.matching import count
from tiler.backends.matching.count import KasteleynSystem
from tiler.backends.matching.faces import EmbeddedGraph
from tiler.backends.matching.graph import Pairs
from tiler.backends.matching.kernel_pivots import Dense
from tiler.backends.matching.match import Matcher
from tiler.cover.board import BoardCover
from tiler.errors import BadOption
from tiler.kernels import EXHAUSTED, PAUSED
from tiler.model import corners
from tiler.model.corners import Point
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.model.lattice import Cell, Lattice
from tiler.model.tile import Tile
from tiler.question.certificate import Certificate, Proof, TutteSet, Weights, of_json
from tiler.question.question import Goal, Limits, Question
from tiler.question.result import Stop

#: Boards in letters, with the two cells that tile them.
BOARDS = {
    "square": ("4x5", "2"),
    "hexagonal": ("hex:3", "x.x"),
    "triangular": ("hex:2", ".xx"),
    "cubic": ("2x3x3", "1x1x2"),
}
#: As many cells of each colour, and no tiling.
TRAPPED = ("x.x.x/xxxxx/.xxxx/xx..x/xxxxx/xxx.x", "2")


def graph_of(edges: list[tuple[int, int]], cells: int, may_open: list[int]) -> Pairs:
    """A graph that belongs to no board."""
    filler = np.full(cells, -1, np.int64)
    filler[may_open] = len(edges) + np.arange(len(may_open))
    numbers = np.arange(len(edges))
    return Pairs(np.array(edges, np.int64).reshape(-1, 2), numbers, np.ones(len(edges), np.int64), numbers, filler)


def covered(matcher: Matcher) -> bool:
    """What a matcher says when it is run to its end."""
    list(matcher.run())
    return matcher.covers


def can_be_covered(edges: list[tuple[int, int]], cells: int, may_open: list[int], most_open: int) -> bool:
    """The same by trying everything."""

    @cache
    def rest(left: int, opened: int) -> bool:
        if not left:
            return True
        cell = (left & -left).bit_length() - 1
        left &= left - 1
        if cell in may_open and opened < most_open and rest(left, opened + 1):
            return True
        others = [a + b - cell for a, b in edges if cell in (a, b)]
        return any(rest(left & ~(1 << other), opened) for other in others if left >> other & 1)

    return rest((1 << cells) - 1, 0)


def error_in_refutation(
    proof: Proof, edges: list[tuple[int, int]], cells: int, may_open: list[int], most_open: int
) -> str | None:
    """What is wrong with a reason why a graph has no matching."""
    if isinstance(proof, Weights):
        weights = proof.weights
        if any(weights[a] + weights[b] > 0 for a, b in edges) or any(weights[cell] > proof.values[-1] for cell in may_open):
            return "some cell has more neighbours"
        return None if sum(weights) > proof.values[-1] * most_open else "there are enough neighbours"
    assert isinstance(proof, TutteSet)
    part = list(range(cells))
    for _ in range(cells):
        for a, b in edges:
            if a not in proof.cells and b not in proof.cells:
                part[a] = part[b] = min(part[a], part[b])
    parts = [[cell for cell in range(cells) if part[cell] == name and cell not in proof.cells] for name in range(cells)]
    odd = [each for each in parts if len(each) % 2]
    closed = [each for each in odd if not set(each) & set(may_open)]
    size = len(proof.cells)
    return None if len(closed) > size or len(odd) > size + most_open else "there are too few odd parts"


def test_graphs_drawn_at_random_are_matched_if_they_can_be() -> None:
    drawn = random.Random(34)
    seen = set()
    for _ in range(400):
        cells = drawn.randrange(2, 13)
        share = drawn.choice((0.1, 0.15, 0.2, 0.3))
        edges = [(a, b) for a in range(cells) for b in range(a + 1, cells) if drawn.random() < share]
        may_open = sorted(drawn.sample(range(cells), drawn.choice((0, 0, 1, cells // 2))))
        most_open = drawn.randrange(len(may_open) + 1)
        matcher = Matcher(graph_of(edges, cells, may_open), 2, most_open)
        covers = covered(matcher)
        assert covers == can_be_covered(edges, cells, may_open, most_open), (edges, may_open, most_open)
        mate = matcher.mate.tolist()
        assert all(b < 0 or (mate[b] == a and (min(a, b), max(a, b)) in edges) for a, b in enumerate(mate))
        seen.add(covers)
        if not covers:
            proof = matcher.refutation()
            assert error_in_refutation(proof, edges, cells, may_open, most_open) is None, (edges, may_open, most_open)
            seen.add(type(proof))
    assert seen == {True, False, Weights, TutteSet}


def drawn_board(lattice: str, seed: int, *, opens: bool = False) -> Instance:
    """A board with holes, some of its cells optional if wanted."""
    drawn = random.Random(seed)
    whole = tiler.make(*BOARDS[lattice], lattice=lattice)
    cells = sorted(whole.board)
    board = frozenset(cells) - frozenset(drawn.sample(cells, drawn.randrange(2, len(cells) // 3, 2)))
    optional = frozenset(drawn.sample(sorted(board), 3)) if opens else frozenset()
    return replace(whole, board=board, optional=optional)


@pytest.mark.parametrize("opens", [False, True], ids=["covered", "open"])
@pytest.mark.parametrize("lattice", BOARDS)
def test_boards_are_decided_as_by_search(lattice: str, opens: bool) -> None:
    """Tilings and certificates are checked by whoever asks."""
    for seed in range(12):
        instance = drawn_board(lattice, seed, opens=opens)
        answer = solve(instance, "matching").result
        assert answer.status is solve(instance, "dlx").result.status, seed
        assert (answer.certificate is None) == (answer.status is Status.SAT), seed


DOMINO = frozenset({(0, 0), (0, 1)})


def test_a_trapped_board_has_too_few_neighbours() -> None:
    instance = tiler.make(*TRAPPED)
    answer = solve(instance, "matching").result
    assert answer.status is Status.UNSAT
    assert isinstance(answer.certificate, Certificate)
    proof = answer.certificate.proof
    assert isinstance(proof, Weights)
    assert proof.weights.count(1) == proof.weights.count(-1) + 1
    assert answer.message == hall(proof)
    assert solve(instance, "coloring:stages=area+lattice").result.status is Status.UNKNOWN  # balanced in colours


def with_odd_parts() -> Instance:
    """Four triangles of hexagonal cells apart from each other, beside one cell in the middle."""
    whole = tiler.make("x.x.x/.x.x.x", "x.x", lattice="hexagonal")
    board = {(0, 0)}
    for away in ((0, 1), (-1, 0), (1, -1)):
        far = (2 * away[0], 2 * away[1])
        third = {(0, 1): (1, 1), (-1, 0): (-2, 1), (1, -1): (1, -2)}[away]
        board |= {away, far, third}
    return replace(whole, board=frozenset(board))


def test_odd_parts_are_tuttes_set() -> None:
    instance = with_odd_parts()
    answer = solve(instance, "matching").result
    assert answer.certificate == Certificate(instance.digest, TutteSet((sorted(instance.board).index((0, 0)),)), instance.name)
    assert "3 parts" in answer.message


def wrong(instance: Instance, proof: Proof) -> str | None:
    return checker.error_in(instance, Certificate(instance.digest, proof))


def test_a_set_that_is_not_tuttes_is_refused() -> None:
    instance = with_odd_parts()
    middle = sorted(instance.board).index((0, 0))
    assert wrong(instance, TutteSet((middle,))) is None
    assert of_json(Certificate("", TutteSet((middle,))).to_json()).proof == TutteSet((middle,))
    others = [cell for cell in range(len(instance.board)) if cell != middle]
    for cells in [(), *[(cell,) for cell in others], *[(middle, cell) for cell in others], (middle, middle), (99,), (-1,)]:
        assert wrong(instance, TutteSet(cells)), cells
    assert wrong(replace(instance, optional=frozenset({(0, 2)})), TutteSet((middle,))) is None  # two parts may not
    assert wrong(replace(instance, optional=frozenset({(0, 2), (-2, 0)})), TutteSet((middle,)))
    assert wrong(tiler.make("5x5", "3I"), TutteSet(())) == "a placement covers 3 cells"


def test_weights_that_are_tampered_with_are_refused() -> None:
    instance = tiler.make(*TRAPPED)
    certificate = solve(instance, "matching").result.certificate
    assert isinstance(certificate, Certificate)
    assert isinstance(certificate.proof, Weights)
    weights, values = certificate.proof.weights, certificate.proof.values
    for cell, weight in enumerate(weights):
        for other in {-1, 0, 1} - {weight}:
            changed = Weights((*weights[:cell], other, *weights[cell + 1 :]), values)
            # What is left may be a proof too, if the cell was one too many.
            if wrong(instance, changed) is None:
                assert sum(changed.weights) > 0
    assert wrong(instance, Weights(weights, (1,)))
    assert wrong(instance, Weights(tuple(-each for each in weights), values))


def test_corners_are_told_by_kind_of_cell_when_a_proof_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not cell by cell: on a large board that takes longer than all else."""
    told = 0
    corners_of = corners.corners

    def counting(lattice: Lattice, cell: Cell) -> tuple[Point, ...]:
        nonlocal told
        told += 1
        return corners_of(lattice, cell)

    monkeypatch.setattr(corners, "corners", counting)
    instance = replace(tiler.make("30x30", "2"), board=tiler.make("30x30", "2").board - {(0, 0), (29, 29)})
    weights = tuple(1 if (row + column) % 2 else -1 for row, column in sorted(instance.board))
    assert wrong(instance, Weights(weights, (0,))) is None
    assert told < 90


FAR = Tile("far", frozenset({(0, 0), (0, 2)}), at_most=2)
KNIGHT = Tile("knight", frozenset({(0, 0), (1, 2)}))


@pytest.mark.parametrize(
    ("instance", "reason"),
    [
        (tiler.make("4x4", "4I"), "it is made for tiles of two cells"),
        (tiler.make("4x4", "2", "4I"), "it is made for tiles of two cells"),
        (replace(tiler.make("4x4", "2"), tiles=(FAR, Tile("2", DOMINO))), "it does not count the copies of each tile"),
        (tiler.make("4x4", "5:2", open=8), "it does not count the copies of a tile where cells may stay open"),
        (tiler.make("5x5", "2", open="3..3"), "it leaves as few cells open as it can, not a given number"),
        (tiler.make("2x2", "x.x", lattice="square-edges", crossing=False), "it does not know of edges that must not cross"),
    ],
)
def test_what_is_no_matching_is_refused(instance: Instance, reason: str) -> None:
    with pytest.raises(BadOption, match=reason):
        solve(instance, "matching")


@pytest.mark.parametrize(
    "instance",
    [
        tiler.make("4x4", "8:2"),
        tiler.make("5x5", "2", open="1..1"),
        replace(tiler.make("4x4", "2"), tiles=(replace(FAR, at_most=None), Tile("2", DOMINO))),
    ],
)
def test_bounds_that_cannot_bind_are_none(instance: Instance) -> None:
    assert solve(instance, "matching").result.status is Status.SAT


def test_the_prover_asks_for_a_matching() -> None:
    assert tiler.prove(tiler.make(*TRAPPED)).answer.result.stats["stage"] == "pairs"
    assert str(tiler.prove(tiler.make("4x4", "2"))).startswith("sat")
    assert str(tiler.prove(tiler.make("4x4", "2"), solver="matching")).startswith("sat: there is a tiling")


COUNT, USES = Question(Goal.COUNT), Question(Goal.USES)


def counted(instance: Instance, solver: str = "matching") -> int | None:
    return solve(instance, solver, COUNT).result.count


@pytest.mark.parametrize(("rows", "columns"), [(2, 2), (4, 5), (8, 8), (7, 10), (30, 32)])
def test_rectangles_have_as_many_tilings_as_kasteleyn_says(rows: int, columns: int) -> None:
    logarithm = 0.0
    for i in range(1, (rows + 1) // 2 + 1):
        for j in range(1, (columns + 1) // 2 + 1):
            factor = 4 * math.cos(math.pi * i / (rows + 1)) ** 2 + 4 * math.cos(math.pi * j / (columns + 1)) ** 2
            if factor > 1e-9 and 2 * i <= rows + 1 and 2 * j <= columns + 1:
                logarithm += math.log(factor) / (2 if 2 * i == rows + 1 or 2 * j == columns + 1 else 1)
    number = counted(tiler.make(f"{rows}x{columns}", "2"))
    assert number is not None
    assert math.isclose(math.log(number), logarithm, rel_tol=1e-12)


@pytest.mark.parametrize("order", [1, 2, 5, 12])
def test_aztec_diamonds_have_as_many_tilings_as_the_theorem_says(order: int) -> None:
    assert counted(tiler.make(f"aztec:{order}", "2")) == 2 ** (order * (order + 1) // 2)


@pytest.mark.parametrize("side", [1, 2, 3, 6])
def test_hexagons_have_as_many_tilings_as_macmahon_says(side: int) -> None:
    sizes = range(1, side + 1)
    boxes = math.prod(Fraction(i + j + k - 1, i + j + k - 2) for i in sizes for j in sizes for k in sizes)
    assert counted(tiler.make(f"hex:{side}", ".xx", lattice="triangular")) == boxes


#: Of one tile of two cells, so that every lattice in the plane is drawn on, and tori with odd sides and with twists.
WRAPPED = [
    *[("square", "4x4", wrap) for wrap in ("rows columns", "rows", "columns", "0,4 4,1", "0,4 4,2", "4,3")],
    *[("square", board, "rows columns") for board in ("2x2", "2x5", "3x4", "5x4", "3x6")],
    ("hexagonal", "rhombus:3x4", "rows columns"),
    ("hexagonal", "rhombus:4x3", "rows"),
    ("triangular", "rhombus:3x3", "rows columns"),
    ("triangular", "rhombus:4x3", "columns"),
]
PAIR = {"square": "2", "hexagonal": "x.x", "triangular": ".xx"}


def used_and_expected(instance: Instance) -> tuple[object, object]:
    """How many tilings there are, and how many have each placement; and the same by states."""
    results = [solve(instance, solver, USES).result for solver in ("matching", "frontier")]
    used, expected = ((each.count, {option: n for option, n in (each.uses or {}).items() if n}) for each in results)
    return used, expected


@pytest.mark.parametrize(("lattice", "board", "wrap"), WRAPPED)
def test_wrapped_boards_are_counted_as_by_states(lattice: str, board: str, wrap: str) -> None:
    instance = tiler.make(board, PAIR[lattice], lattice=lattice, wrap=wrap)
    drawn = random.Random(board + wrap)
    for holes in (0, 2, 4)[: len(instance.board) // 2]:
        with_holes = replace(instance, board=instance.board - set(drawn.sample(sorted(instance.board), holes)))
        used, expected = used_and_expected(with_holes)
        assert used == expected, holes


@pytest.mark.parametrize("lattice", [lattice for lattice in BOARDS if lattice != "cubic"])
def test_boards_with_holes_are_counted_as_by_states(lattice: str) -> None:
    """Uses of placements too."""
    for seed in range(10):
        instance = drawn_board(lattice, seed)
        used, expected = used_and_expected(instance)
        assert used == expected, seed


def test_a_board_for_several_primes_has_its_uses_counted() -> None:
    used, expected = used_and_expected(tiler.make("8x12", "2"))
    assert used == expected
    torus = solve(tiler.make("8x8", "2", wrap="rows columns"), "matching", USES).result
    assert torus.stats["primes"] == 2
    assert torus.count == 311_853_312
    # Every domino lies like every other.
    assert set((torus.uses or {}).values()) == {311_853_312 // 4}


def test_an_island_in_a_hole_is_counted_by_itself() -> None:
    ring = tiler.make("xxxxxx/x....x/x.xx.x/x.xx.x/x....x/xxxxxx", "2")
    assert counted(ring) == 2 * 2
    assert counted(tiler.make("xxxxxx/x....x/x.xxxx/x.xx.x/x....x/xxxxxx", "2")) == counted(
        tiler.make("xxxxxx/x....x/x.xxxx/x.xx.x/x....x/xxxxxx", "2"), "frontier"
    )


def test_placements_on_the_same_cells_are_told_apart_by_their_tiles() -> None:
    """Across the seam the two far cells of a tile are neighbours."""
    ring = replace(tiler.make("3x2", "2", wrap="columns"), tiles=(Tile("2", DOMINO), replace(FAR, at_most=None)))
    result, expected = (solve(ring, solver, USES).result for solver in ("matching", "frontier"))
    assert result.count == expected.count
    assert result.uses == {option: number for option, number in (expected.uses or {}).items() if number}


@pytest.mark.parametrize(
    ("instance", "question", "reason"),
    [
        (tiler.make("2x2x2", "1x1x2"), COUNT, "in space it cannot count"),
        (tiler.make("3x3", "2", open=1), COUNT, "where cells may stay open it cannot count"),
        (tiler.make("34x34", "2", wrap="rows columns"), Question(Goal.SAMPLE), "at random among at most 1024 cells"),
        (replace(tiler.make("4x4", "2"), tiles=(Tile("2", DOMINO), KNIGHT)), COUNT, "placements that cross each other"),
    ],
)
def test_what_has_no_drawing_is_refused(instance: Instance, question: Question, reason: str) -> None:
    with pytest.raises(BadOption, match=reason):
        solve(instance, "matching", question)


@pytest.mark.parametrize(("lattice", "told", "tile"), [("square", "6x6", "2"), ("hexagonal", "rhombus:4x4", "x.x")])
def test_a_torus_is_counted_in_small_steps(lattice: str, told: str, tile: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that limits are looked at between any two rows, those that are eliminated last too."""
    torus = tiler.make(told, tile, lattice=lattice, wrap="rows columns")
    expected, codes, pfaffian = counted(torus), [], count.kernel.pfaffian

    def stepping(dense: Dense, prime: int, budget: int) -> int:
        codes.append(pfaffian(dense, prime, budget))
        return codes[-1]

    monkeypatch.setattr(count, "_BUDGET", 1)
    monkeypatch.setattr(count.kernel, "pfaffian", stepping)
    assert counted(torus) == expected
    assert codes.count(PAUSED) >= codes.count(EXHAUSTED) > 0


def test_a_large_board_is_drawn_in_small_steps() -> None:
    """The drawing and the order of elimination are looked at many times, and any of these looks can end them."""
    cover = BoardCover.of(tiler.make("40x40", "2"))
    pairs, looks = Pairs.of(cover), 0
    matcher = Matcher.of(cover)
    assert covered(matcher)

    def check_stop() -> None:
        nonlocal looks
        looks += 1

    (drawn,) = EmbeddedGraph.of(cover, pairs).parts(check_stop)
    KasteleynSystem.of(drawn, pairs.times, matcher.mate.tolist(), check_stop)
    assert looks > len(cover.items) // 100


#: Boards and the tilings drawn on each: some ten for every tiling, or four where there are many.
DRAWN = [
    (("aztec:2", "2"), {}, 200),
    (("aztec:3", "2"), {}, 640),
    (("4x4", "2"), {}, 400),
    (("hex:2", ".xx"), {"lattice": "triangular"}, 300),
    (("holey:4", "2"), {}, 50),
    (("xxxx.xx/xxxx.xx/xxxxxx", "2"), {}, 400),
    (("xxxxx/x.xxx/x.xx/xxxxx/x", "2"), {}, 200),
    (("4x4", "2"), {"wrap": "rows"}, 480),
    (("4x4", "2"), {"wrap": "rows columns"}, 1088),
    (("3x4", "2"), {"wrap": "rows columns"}, 500),
    (("4x2", "2"), {"wrap": "0,4 2,1"}, 200),
    (("xxxx/xxxx/.x.x", "2"), {"wrap": "rows columns"}, 400),
    (("rhombus:3x4", "x.x"), {"lattice": "hexagonal"}, 300),
    (("rhombus:2x4", "x.x"), {"lattice": "hexagonal", "wrap": "rows columns"}, 500),
]


@pytest.mark.parametrize(("told", "more", "samples"), DRAWN)
def test_tilings_drawn_are_as_likely_as_each_other(told: tuple[str, ...], more: dict[str, str], samples: int) -> None:
    instance = tiler.make(*told, **more)
    number = solve(instance, "frontier", COUNT).result.count
    assert number
    drawn = solve(instance, "matching", Question(Goal.SAMPLE, samples=samples, seed=34)).solutions
    assert len(drawn) == samples
    often = Counter(frozenset(placement.cells for placement in tiling) for tiling in drawn)
    expected = samples / number
    squares = sum((seen - expected) ** 2 / expected for seen in often.values()) + (number - len(often)) * expected
    freedom = number - 1
    assert abs(squares - freedom) < 4.5 * math.sqrt(2 * freedom), squares


def test_the_seed_says_which_tilings_are_drawn() -> None:
    instance = tiler.make("aztec:6", "2")

    def drawn(seed: int) -> object:
        return solve(instance, "matching", Question(Goal.SAMPLE, samples=3, seed=seed)).solutions

    assert drawn(1) == drawn(1)
    assert drawn(1) != drawn(2)


def test_a_diamond_is_frozen_outside_of_the_arctic_circle() -> None:
    """Outside of the circle that touches its sides neighbours go one way; inside some do not (Jockusch, Propp and Shor 1998)."""
    order = 60
    [tiling] = solve(tiler.make(f"aztec:{order}", "2"), "matching", Question(Goal.SAMPLE, seed=1)).solutions
    lying = {cell: placement for placement in tiling for cell in placement.cells}
    for placement in tiling:
        (row, column), (row_too, column_too) = sorted(placement.cells)
        is_flat = row == row_too
        x, y = (column + column_too + 1 - 2 * order) / 2, (row + row_too + 1 - 2 * order) / 2
        # Fluctuations are of the order of the cube root.
        if math.hypot(x, y) > order / math.sqrt(2) + 3 * order ** (1 / 3):
            assert is_flat == (abs(y) > abs(x)), (x, y)
    inside = [placement for cell, placement in lying.items() if math.dist(cell, (order, order)) < order / 3]
    share = sum(len({row for row, _ in placement.cells}) == 1 for placement in inside) / len(inside)
    assert 0.4 < share < 0.6


@pytest.mark.parametrize("opens", [False, True], ids=["covered", "open"])
def test_the_heaviest_tiling_is_as_heavy_as_by_search(opens: bool) -> None:
    """Dominoes, and pairs of cells with two between them."""
    drawn = random.Random(5)
    seen = set()
    skipping = Tile("skip", frozenset({(0, 0), (0, 3)}))
    for _ in range(8):
        weights = [drawn.randrange(-3, 4) for _ in range(2)]
        tiles = tuple(replace(tile, weight=weight) for tile, weight in zip((Tile("2", DOMINO), skipping), weights, strict=True))
        board = frozenset(drawn.sample(sorted(tiler.make("5x4", "2").board), 16))
        optional = frozenset(drawn.sample(sorted(board), 5)) if opens else frozenset()
        instance = replace(tiler.make("5x4", "2"), board=board, optional=optional, tiles=tiles)
        result, expected = (solve(instance, solver, Question(Goal.OPTIMISE)).result for solver in ("matching", "dlx"))
        assert (result.status, result.value, result.bound) == (expected.status, expected.value, expected.bound)
        seen.add(result.status)
    assert Status.SAT in seen


def test_a_bound_on_open_cells_is_for_other_solvers() -> None:
    """Dominoes that weigh less than nothing, so that all cells would stay open."""
    instance = replace(tiler.make("ooo/ooo", "2"), tiles=(Tile("2", DOMINO, weight=-1),), open=(0, 2))
    with pytest.raises(BadOption, match="it optimises only where all cells that may stay open may do so together"):
        solve(instance, "matching", Question(Goal.OPTIMISE))
    assert solve(instance, question=Question(Goal.OPTIMISE)).result.value == -2
    unbounded = replace(instance, open=None)
    assert [solve(unbounded, each, Question(Goal.OPTIMISE)).result.value for each in ("matching", "auto")] == [0, 0]


def test_a_limit_ends_an_assignment_that_looks_at_no_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tiler.backends.matching.search.heaviest", lambda pairs, weights: signal.pause())
    board = replace(tiler.make("4x4", "2"), tiles=(Tile("2", DOMINO, weight=3),))
    result = solve(board, "matching", Question(Goal.OPTIMISE, Limits(seconds=0.1))).result
    assert (result.status, result.stop) == (Status.UNKNOWN, Stop.TIME)


def test_uses_of_several_parts_are_multiplied() -> None:
    """Two, two and three tilings: each placement of a square lies in half of all."""
    problem = tiler.make("xx.xx.xxx\nxx.xx.xxx", "2")
    found = tiler.uses(problem, solver="matching")
    assert found.tilings == 2 * 2 * 3
    by_brute_force = Counter(placement for tiling in tiler.tilings(problem, solver="dlx") for placement in tiling.placements)
    assert {placement: number for placement, number in found.items() if number} == dict(by_brute_force)


def test_few_tiles_of_one_cell_refute_more_odd_parts() -> None:
    """One copy for two parts, though a placement of one cell lies on each."""
    instance = tiler.make("x.x", "1:1", "2")
    assert wrong(instance, TutteSet(())) is None
    assert wrong(tiler.make("x.x", "2:1", "2"), TutteSet(())) is not None
