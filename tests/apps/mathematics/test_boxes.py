"""Boxes that copies of a tile fill, against published orders; boxes that two methods refute; and tiles that fill none at all.

Orders: K. Dahlke's list of polycubes (github.com/eklhad/trec, theorems/hexlist-3d), mirror images allowed.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from itertools import product
from math import prod
from pathlib import Path

import pytest
from commands import call

from tiler import formats
from tiler.apps.mathematics import two_methods
from tiler.apps.mathematics.box_corners import _Edges, no_corner
from tiler.apps.mathematics.rectangles import Rectangles, Verdict
from tiler.ask.solve import TilingAnswer, solve
from tiler.errors import BadSolution
from tiler.model import verify
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.model.lattice import Cell, Shape
from tiler.model.lattices import CUBIC, SQUARE
from tiler.question.question import Question


def boxes(tile: str, **options: bool) -> Rectangles:
    return Rectangles(formats.inline(["1x1x2", tile]).tiles, True, seconds=20, in_space=True, **options)


@pytest.mark.parametrize(
    ("tile", "sides"),
    [
        ("4S", (2, 3, 4)),
        ("4^", (2, 2, 2)),
        ("5U", (2, 3, 5)),
        pytest.param("5N", (2, 4, 5), marks=pytest.mark.long),
        ("6c-05", (2, 3, 6)),
        ("6-13", (1, 3, 4)),
    ],
)
def test_published_orders(tile: str, sides: tuple[int, ...]) -> None:
    found = boxes(tile, twice=True)
    *before, last = found.by_copies(12)
    assert (last.sides, last.status) == (sides, Status.SAT)
    assert {each.status for each in before} <= {Status.UNSAT}
    assert found.order() == (prod(sides) // found.tiles[0].size, True)
    board = frozenset(product(*map(range, sides)))
    assert verify.error_in(Instance(board, found.tiles, reflections=True), last.tiling or ()) is None


def variants(tile: str, dimension: int, reflections: bool) -> list[Shape]:
    (given,) = formats.inline(["1x1x2", tile]).tiles
    shape = frozenset((*(0,) * (dimension - len(cell)), *cell) for cell in given.shape)
    return list((CUBIC if dimension == 3 else SQUARE).variants(shape, reflections))


@pytest.mark.parametrize(
    ("tile", "dimension"),
    [("4S", 2), ("5F", 2), ("5N", 2), ("5W", 2), ("5Z", 2), ("5X", 3), ("V1", 3), ("6c-32", 3), ("6c-50", 3), ("6c-52", 3)],
)
def test_tiles_that_fill_none_at_all(tile: str, dimension: int) -> None:
    why = no_corner(variants(tile, dimension, reflections=True), dimension)
    assert why is not None
    assert "some edge" in str(why)


@pytest.mark.parametrize(
    ("tile", "dimension"), [("3L", 2), ("4T", 2), ("5Y", 2), ("6-09", 2), ("4S", 3), ("5U", 3), ("5W", 3), ("6c-01", 3)]
)
def test_tiles_that_fill_some_have_corners(tile: str, dimension: int) -> None:
    """But for the last, of which nobody knows."""
    assert no_corner(variants(tile, dimension, reflections=True), dimension, most=500) is None


def ends_by_hand(ways: frozenset[Shape], first: Shape, longest: int, across: int, depth: int = 1) -> set[Shape]:
    """What can lie at the far end of edges up to a length, cell by cell; `first` lies at the near one."""
    found: set[Shape] = set()
    near = list(product(range(depth), repeat=across))

    def follow(covered: Shape, last: Shape, length: int) -> None:
        wanted = next(((at, *cell) for at in range(length) for cell in near if (at, *cell) not in covered), None)
        if wanted is None:
            found.add(last)
            return
        for shape in ways:
            for origin in shape:
                moved = moved_by(shape, tuple(a - b for a, b in zip(wanted, origin, strict=True)))
                inside = all(0 <= cell[0] < length and min(cell[1:]) >= 0 for cell in moved)
                if inside and not moved & covered:
                    further = along(moved) > along(covered)
                    follow(covered | moved, shape if further else last, length)

    def along(cells: Shape) -> int:
        return max((cell[0] for cell in cells if not any(cell[1:])), default=-1)

    for length in range(1, longest + 1):
        if max(cell[0] for cell in first) < length:
            follow(first, first, length)
    return found


def moved_by(shape: Shape, by: Cell) -> Shape:
    return frozenset(tuple(a + b for a, b in zip(cell, by, strict=True)) for cell in shape)


@pytest.mark.parametrize(
    ("tile", "dimension", "reflections", "longest"),
    [
        ("3L", 2, False, 8),
        ("4L", 2, False, 9),
        ("4S", 2, True, 8),
        ("V1", 3, True, 5),
        ("4^", 3, False, 4),
        ("6c-52", 3, True, 4),
    ],
)
def test_ends_of_edges_by_hand(tile: str, dimension: int, reflections: bool, longest: int) -> None:
    """Edges of any length have no other ends than short ones, and those are found too."""
    ways = frozenset(variants(tile, dimension, reflections))
    edges = _Edges(dimension, 1, 10**6)
    firsts = [shape for shape in sorted(ways, key=sorted) if (0,) * dimension in shape]
    assert firsts
    for first in firsts:
        assert edges.ends(ways, first) == ends_by_hand(ways, first, longest, dimension - 1)


@pytest.mark.parametrize(
    ("tile", "longest"),
    [("3L", 6), ("4L", 8), ("4T", 7), *(pytest.param(tile, 9, marks=pytest.mark.slow) for tile in ("4L", "4T"))],
)
def test_ends_of_edges_two_cells_deep(tile: str, longest: int) -> None:
    ways = frozenset(variants(tile, 2, reflections=True))
    edges = _Edges(2, 2, 10**6)
    for first in (shape for shape in sorted(ways, key=sorted) if (0, 0) in shape):
        found = edges.ends(ways, first)
        assert found is not None
        assert found == ends_by_hand(ways, first, longest, 1, depth=2)


def test_a_tile_without_corners_needs_no_search(capsys: pytest.CaptureFixture[str]) -> None:
    told = call(capsys, "rectangles", "6c-52", "--reflections", "--copies", "9")
    assert told[0] == 0
    assert "fills no box at all: whatever lies in a corner" in told[1]
    assert not list(boxes("6c-52").by_copies(9))


def test_mirror_images_are_one_where_tiles_may_be_reflected(capsys: pytest.CaptureFixture[str]) -> None:
    ways = {"4<": 1, "4>": 1}
    for more, lines in (((), 2), (("--reflections",), 1)):
        out = call(capsys, "rectangles", *ways, "--each", "--copies", "2", *more)[1]
        assert len(out.splitlines()) == 1 + lines


@pytest.mark.long
def test_refuted_twice_with_proofs_that_hold(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And what a kill tears off is found out again, and nothing else."""
    records, proofs = tmp_path / "boxes.jsonl", tmp_path / "proofs"
    arguments = ["rectangles", "5U", "--reflections", "--boxes", "--copies", "6"]
    arguments += ["--records", str(records), "--proofs", str(proofs)]
    status, first, _ = call(capsys, *arguments)
    assert (status, first.splitlines()[2:4]) == (0, ["prime (copies): 2x3x5 (6)", "order: 6"])
    lines = [json.loads(line) for line in records.read_text().splitlines()]
    kinds = set()
    for line in lines:
        if line["how"] not in ("colouring", "search") or line["status"] == "sat":
            continue
        assert len(line["methods"]) == (2 if line["how"] == "search" else 1)
        file = proofs / line["proof"]["file"]
        assert hashlib.sha256(file.read_bytes()).hexdigest() == line["proof"]["sha256"]
        kinds.add(file.suffix)
        board = file.stem.rpartition("-")[2]
        of = [] if file.suffix == ".json" else ["--of", str(file.with_suffix(".cnf"))]
        assert call(capsys, "check", board, "5U", "--reflections", str(file), *of)[0] == 0, line["sides"]
    assert kinds == {".json", ".drup"}
    texts = records.read_text().splitlines()
    records.write_text("\n".join([*texts[:-2], texts[-2][:50]]))
    assert call(capsys, *arguments)[1] == first
    again = records.read_text().splitlines()
    assert (len(again), [json.loads(line)["sides"] for line in again[-2:]]) == (
        len(texts) + 1,
        [line["sides"] for line in lines[-2:]],
    )


def test_what_was_refuted_without_a_proof_is_refuted_again_for_one() -> None:
    found = boxes("5U")
    plain = found.decide((2, 4, 5))
    wanting = boxes("5U", twice=True)
    wanting.recall(plain, 20)
    assert not wanting.known
    wanting.recall(wanting.decide((2, 4, 5)), 20)
    assert [each.solver for each in wanting.known[2, 4, 5].methods] == ["dlx", "sat"]
    once = replace(wanting.known[2, 4, 5], sides=(2, 5, 6), methods=wanting.known[2, 4, 5].methods[:1])
    for verdict in (Verdict((2, 5, 5), Status.UNKNOWN, "limit"), once):
        for seconds, is_taken in ((10, False), (20, True)):
            wanting.recall(verdict, seconds)
            assert (verdict.sides in wanting.known) is is_taken


def test_the_methods_after_the_first_two(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the SAT engine and the states are not through in time, image lists refute the box a second time."""
    instance = formats.inline(["3x4x6", "6-33"])

    def late(asked: Instance, solver: str, *rest: Question, **more: object) -> TilingAnswer:
        answer = solve(asked, solver)
        if solver not in ("sat", "frontier"):
            return answer
        return replace(answer, result=replace(answer.result, status=Status.UNKNOWN))

    monkeypatch.setattr(two_methods, "solve", late)
    found = two_methods.decide(instance, Question(), lambda progress: True)
    assert found.status is Status.UNSAT
    assert [each.solver for each in found.methods if each.status is Status.UNSAT] == ["dlx", "fila"]


def test_methods_that_disagree(monkeypatch: pytest.MonkeyPatch) -> None:
    instance = formats.inline(["2x2", "2"])

    def wrong(asked: Instance, solver: str, *rest: Question, **more: object) -> TilingAnswer:
        answer = solve(asked, solver)
        if solver != "dlx":
            return answer
        return replace(answer, solutions=(), result=replace(answer.result, status=Status.UNSAT))

    monkeypatch.setattr(two_methods, "solve", wrong)
    with pytest.raises(BadSolution, match="sat found a tiling where dlx says"):
        two_methods.decide(instance, Question(), lambda progress: True)


def test_what_has_no_single_tile_has_no_number_of_copies(capsys: pytest.CaptureFixture[str]) -> None:
    assert "--each" in call(capsys, "rectangles", "3I", "3L", "--copies", "3")[2]
