"""Edges where no two pieces may cross: counts published elsewhere, the brute force, and what is refused."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
import verified
from brute_force import as_tiling, tilings
from commands import call
from corpus import boards

import tiler
from tiler import formats
from tiler.ask.solve import solve
from tiler.cli.main import main
from tiler.cover.board import BoardCover
from tiler.cover.items import ItemKind
from tiler.errors import BadOption, InputError
from tiler.formats import json, text
from tiler.model import corners, verify
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.model.lattice import Lattice
from tiler.model.lattices import SQUARE_EDGES, TRIANGULAR_EDGES
from tiler.model.piece_sets import ALL
from tiler.model.tile import Placement, Tile
from tiler.question.question import Goal, Question

pytestmark = pytest.mark.usefixtures("sat_in_this_process")

ALL_TILINGS, UP_TO_SYMMETRY = Question(Goal.ENUMERATE), Question(Goal.COUNT, up_to_symmetry=True)


def of(lattice: Lattice, board: str, *tiles: str) -> Instance:
    return formats.inline([board, *tiles], lattice=lattice.name, crossing=False, reflections=True)


SMALL = [
    of(SQUARE_EDGES, "2x2", "2-1", "2-2"),
    of(SQUARE_EDGES, "2x2", "3-1", "3-4", "3-2", "3-5"),
    of(SQUARE_EDGES, "2x2", "1:4-16", "2-1", "2-2"),
    of(TRIANGULAR_EDGES, "hex:1", "1..:2-1", "2-2", "2-3"),
    of(TRIANGULAR_EDGES, "hex:1", "3-01", "3-02", "3-03", "3-07", "3-12"),
    of(TRIANGULAR_EDGES, "hex:1", "3:2-2", "2:2-1", "2-3"),
]


@pytest.mark.parametrize("instance", SMALL, ids=lambda instance: instance.name)
def test_what_is_left_is_what_does_not_cross(instance: Instance) -> None:
    every, left = tilings(replace(instance, crossing=True)), tilings(instance)
    verifier = verify.Verifier(instance)
    assert left == {
        tiling for tiling in every if verifier.error_in([Placement(*placed) for placed in sorted(tiling, key=str)]) is None
    }
    assert 0 < len(left) < len(every)
    for solver in ("dlx", "fila", "backtracking", "frontier", "sat", "auto"):
        assert {as_tiling(each) for each in solve(instance, solver, ALL_TILINGS).solutions} == left


def test_ten_welded_tetrasticks_cover_a_square_in_three_ways() -> None:
    """As Polyform Puzzler has it: http://puzzler.sourceforge.net/docs/polysticks.html"""
    shapes = ALL["one-sided-tetrasticks"].shapes()
    ends = {name: Counter(end for cell in shape for end in corners.corners(SQUARE_EDGES, cell)) for name, shape in shapes.items()}
    welded = [name for name, met in ends.items() if max(met.values()) > 2]
    assert len(welded) == 10
    instance = formats.inline(["4x4", *(f"1:{name}" for name in welded)], lattice="square-edges", crossing=False)
    assert solve(instance, "dlx", UP_TO_SYMMETRY).result.count == 3


def test_the_tritrigs_cover_a_parallelogram_without_an_edge_in_nine_ways() -> None:
    """As Polyform Puzzler has it: http://puzzler.sourceforge.net/docs/polytrigs.html"""
    # Five edges by two; one inside is left out.
    board = formats.inline(["rhombus:5x2", "1-1"], lattice="triangular-edges").board - {(2, 5)}
    tiles = [Tile(name, shape, 1, 1, lattice=TRIANGULAR_EDGES) for name, shape in ALL["tritrigs"].shapes().items()]
    instance = Instance(board, tuple(tiles), reflections=True, lattice=TRIANGULAR_EDGES, crossing=False)
    assert solve(instance, "dlx", UP_TO_SYMMETRY).result.count == 9


def test_placements_are_of_edges_alone() -> None:
    instance = SMALL[0]
    (tiling,) = solve(instance, "dlx").solutions
    assert frozenset().union(*(placement.cells for placement in tiling)) == instance.board


def test_the_verifier_names_who_crosses() -> None:
    across, down, turn = {(2, 1), (2, 3)}, {(1, 2), (3, 2)}, {(1, 2), (2, 3)}
    board = formats.inline(["2x2", "2-1"], lattice="square-edges").board
    rest = [frozenset({cell}) for cell in sorted(board)]
    instance = replace(of(SQUARE_EDGES, "2x2", "1-1", "2-1", "2-2"), optional=board)
    crossed = [Placement("2-1", frozenset(across)), Placement("2-1", frozenset(down))]
    assert verified.error_in(instance, crossed) == "placements 1 (2-1) and 2 (2-1) cross at (2, 2)"
    assert verified.error_in(replace(instance, crossing=True), crossed) is None
    touching = [Placement("2-2", frozenset(turn)), *(Placement("1-1", cell) for cell in rest if not cell <= turn)]
    assert verified.error_in(instance, touching) is None


@pytest.mark.parametrize(
    "constraint",
    [
        ("place", "2-1 1,0 3,0"),
        ("within", "2-1 0,0..4,1"),
        ("forbid", "1,0 for 2-1"),
        ("only", "2-1 1,0 3,0 0,1 0,3"),
        ("lock", "2-1"),
    ],
)
def test_constraints_are_told_of_edges(constraint: tuple[str, str]) -> None:
    told = formats.constrained(SMALL[0], [constraint])
    assert text.parse(text.write(told)) == json.parse(json.write(told)) == told
    verifier = verify.Verifier(told)
    every = {as_tiling(each) for each in solve(SMALL[0], "dlx", ALL_TILINGS).solutions}
    left = {tiling for tiling in every if verifier.error_in([Placement(*placed) for placed in sorted(tiling, key=str)]) is None}
    assert {as_tiling(each) for each in solve(told, "dlx", ALL_TILINGS).solutions} == left


def test_an_instance_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    instance = SMALL[0]
    assert instance != replace(instance, crossing=True)
    assert instance.digest != replace(instance, crossing=True).digest
    assert "# crossing: no\n" in text.write(instance)
    assert main(["show", "2x2", "2-1", "2-2", "--lattice", "square-edges", "--no-crossing"]) == 0
    assert "where no two tiles may cross" in capsys.readouterr().out


def test_what_makes_no_sense_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(InputError, match="cells of the square lattice are no edges, so that nothing can cross"):
        formats.inline(["2x2", "2"], crossing=False)
    with pytest.raises(InputError, match="on a wrapped board pieces may cross"):
        formats.inline(["2x2", "2-1"], lattice="square-edges", wrap="rows", crossing=False)
    assert main(["solve", "2x2", "2-1", "2-2", "--lattice", "square-edges", "--no-crossing", "--solver", "coloring"]) == 2
    assert "coloring: proofs are about edges that tiles may cross" in capsys.readouterr().err


def test_auto_asks_no_prover() -> None:
    """Which would find the colouring that shows that there is none even where tiles may cross."""
    instance = of(SQUARE_EDGES, "2x2", "4-02", "4-15")
    assert solve(replace(instance, crossing=True), "coloring").result.status is Status.UNSAT
    assert solve(instance).result.status is Status.UNSAT
    with pytest.raises(BadOption, match="auto: proofs are about edges that tiles may cross"):
        solve(instance, "auto", Question(Goal.PROVE))


#: Beside those that answer about the whole corpus in tests/backends/test_agreement.py.
SEARCHES = (
    *("backtracking:filter=dead+volume+parity+probe", "dlx:order=first,volume=1"),
    *("fila:order=e", "fila:order=s,nof=off", "fila:window=3"),
)


@pytest.mark.parametrize("spec", [*SEARCHES, "sat", "ilp", "cpsat"])
def test_every_search_finds_what_does_not_cross(spec: str) -> None:
    # With more corners FILA takes a second in other orders.
    few = [board for board in boards("crossing") if len(board.cover.corners) < 8]
    if spec not in SEARCHES:
        few = [board for board in few if 0 < len(board.tilings) < 9][:2]
    for board in few:
        found = solve(board.instance, spec, ALL_TILINGS).solutions
        assert len(found) == len(board.tilings), board
        assert {as_tiling(each) for each in found} == board.tilings, board


def test_in_some_of_them_others_cross() -> None:
    crossed = [tiler.count(replace(board.instance, crossing=True)) > len(board.tilings) for board in boards("crossing")]
    assert sum(crossed) > 2


def test_what_is_counted_are_edges() -> None:
    """By cell, and as a set of tilings."""
    for board in [board for board in boards("crossing") if board.tilings]:
        instance = board.instance
        uses = tiler.uses(instance).by_cell
        assert set(uses) == instance.board
        for cell, by_tile in uses.items():
            covering = Counter(name for tiling in board.tilings for name, cells in tiling if cell in cells)
            covering[""] = len(board.tilings) - covering.total()
            assert +Counter(by_tile) == +covering
        every = tiler.TilingSet.of(instance)
        cell = min(instance.board)
        for tile in instance.distinct_tiles:
            there = sum(any(name == tile.name and cell in cells for name, cells in tiling) for tiling in board.tilings)
            assert every.including((tile.name, cell)).count == there
            assert every.excluding((tile.name, cell)).count == len(board.tilings) - there


def test_a_cover_says_what_its_items_are() -> None:
    instance = of(SQUARE_EDGES, "2x2", "1-1", "2-1")
    cover = BoardCover.of(replace(instance, open=(0, 1)))
    assert [cover.kind_of(item) for item in range(len(cover.items))] == [ItemKind.CELL] * 12 + [ItemKind.CORNER] * 5
    assert cover.kinds == {ItemKind.CELL, ItemKind.CORNER}
    assert BoardCover.of(replace(instance, crossing=True)).kinds == {ItemKind.CELL}
    assert set(cover.cells) == instance.board
    assert [str(corner) for corner in cover.corners] == [f"corner {at}" for at in ("0,2", "2,0", "2,2", "2,4", "4,2")]
    assert cover.areas.tolist() == [1, 2, 1, 0]
    assert cover.sizes.tolist() == [1, 3, 1, 1]
    assert ItemKind.CORNER not in BoardCover.of(replace(instance, crossing=True)).kinds


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        (("count", "2x2", "1-1", "--open", "1"), "13\n"),
        (("count", "2x2", "1-1", "--open", "1..2"), "78\n"),
        (("count", "2x2", "1-1", "--no-crossroads"), "0\n"),
        (("count", "3x1", "2-2", "2:2-1", "--apart"), "0\n"),
    ],
)
def test_counts_of_the_command(capsys: pytest.CaptureFixture[str], asked: tuple[str, ...], answer: str) -> None:
    assert call(capsys, *asked, "--lattice", "square-edges", "--no-crossing")[:2] == (0, answer)


def test_a_program_is_given_corners(tmp_path: Path) -> None:
    """Knuth's format has an item and an option for each corner, beside those of the edges."""
    target = tmp_path / "out.dlx"
    assert main(["convert", "2x2", "2-1", "2-2", "--lattice", "square-edges", "--no-crossing", "-o", str(target)]) == 0
    items, *options = [line for line in target.read_text().splitlines() if not line.startswith("|")]
    assert {"x0,2", "x2,2"} <= set(items.split())
    assert "x2,2" in options
