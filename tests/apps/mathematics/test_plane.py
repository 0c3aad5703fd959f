"""Tilings of the plane against published numbers.

Polyominoes without holes that do not tile, OEIS A054361 (J. Myers): 3 of 7 cells, 20 of 8, 198 of 9; those with holes, OEIS
A001419: 1, 6 and 37. Polyiamonds that do not, OEIS A071334: one of 7 cells.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from commands import call

import tiler
from tiler import formats
from tiler.apps.mathematics import plane
from tiler.apps.mathematics.tori import tori
from tiler.ask.solve import TilingAnswer
from tiler.errors import BadOption
from tiler.model import verify
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.model.lattices import HEXAGONAL, SQUARE, TRIANGULAR
from tiler.model.piece_sets import ALL
from tiler.model.tile import Tile
from tiler.question.events import Progress
from tiler.question.result import Result, Stop
from tiler.render import colours


def of_tiles(*tiles: Tile) -> Instance:
    """Tiles that may be turned over, on a board that does not matter."""
    return Instance(tiles[0].shape, tiles, reflections=True, lattice=tiles[0].lattice)


def answers(name: str, largest: int) -> list[tuple[Tile, plane.PlaneAnswer]]:
    tiles = [Tile(called, shape, lattice=ALL[name].lattice) for called, shape in ALL[name].shapes().items()]
    return [(tile, plane.ask(of_tiles(tile), plane.PlaneQuestion(largest))) for tile in tiles]


def refused(found: list[tuple[Tile, plane.PlaneAnswer]]) -> Counter[tuple[Status, bool]]:
    return Counter((answer.status, answer.has_hole) for _, answer in found)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "without", "with_holes", "largest"),
    [("heptominoes", 3, 1, 56), ("octominoes", 20, 6, 64), ("nonominoes", 198, 37, 72), ("heptiamonds", 1, 0, 42)],
)
def test_polyominoes_that_do_not_tile(name: str, without: int, with_holes: int, largest: int) -> None:
    counted = refused(answers(name, largest))
    assert (counted[Status.UNSAT, False], counted[Status.UNSAT, True], counted[Status.UNKNOWN, False]) == (without, with_holes, 0)


@pytest.mark.parametrize(("name", "none", "largest"), [("pentominoes", 0, 20), ("pentiamonds", 0, 30), ("tetrahexes", 0, 16)])
def test_small_ones(name: str, none: int, largest: int) -> None:
    found = answers(name, largest)
    assert refused(found)[Status.UNSAT, False] == none
    assert refused(found)[Status.UNKNOWN, False] == 0
    for _, answer in found:
        if answer.period is not None:
            assert answer.is_least
            assert verify.error_in(answer.period, answer.tiling or ()) is None
            laid = plane.patch(answer)
            assert laid is not None
            assert verify.error_in(*laid) is None


def test_a_heptiamond_that_does_not_tile() -> None:
    tile = Tile("7-11", ALL["heptiamonds"].shapes()["7-11"], lattice=TRIANGULAR)
    answer = plane.ask(of_tiles(tile), plane.PlaneQuestion(28))
    assert (answer.status, answer.heesch, answer.has_hole) == (Status.UNSAT, 1, False)


def test_a_hole_cannot_be_filled() -> None:
    ring = formats.inline(["1x1", "xxx/x.x/xx."], reflections=True).tiles
    answer = plane.ask(of_tiles(*ring), plane.PlaneQuestion(14))
    assert (answer.status, answer.heesch, answer.has_hole) == (Status.UNSAT, 0, True)


def test_orbits_by_the_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    picture = tmp_path / "orbits.svg"
    status, out, _ = call(capsys, "plane", "8-306", "--reflections", "--orbits", "3", "-o", str(picture))
    assert (status, "2-isohedral: 2 orbits of pieces; no tiling has 1 orbit" in out) == (0, True)
    assert all(colours.fill(2 * orbit) in picture.read_text() for orbit in (0, 1))
    found = tiler.plane("8-306", reflections=True, orbits=2)
    assert found.tiling is not None
    assert (found.orbits, found.status) == (2, Status.SAT)
    assert verify.error_in(found.tiling.instance, found.tiling.placements) is None
    status, out, _ = call(capsys, "plane", "7-105", "--reflections", "--orbits", "2", "--format", "json")
    data = json.loads(out)
    assert (status, data["refuted_orbits"], data["status"], data["orbits"]) == (3, 2, "unknown", None)
    assert "1 orbit of pieces: isohedral" in call(capsys, "plane", "5F", "--reflections")[1]
    assert "orbits are counted for a single tile" in call(capsys, "plane", "3L", "2", "--orbits", "1")[2]


def test_a_limit_leaves_what_is_known() -> None:
    ticks: list[str] = []

    def told(until: str) -> plane.PlaneAnswer:
        ticks.clear()
        hat = of_tiles(Tile("hat", ALL["octakites"].shapes()["hat"], lattice=ALL["octakites"].lattice))
        ask = plane.PlaneQuestion(coronas=5, heesch=until.startswith("corona"), orbits=None)

        def tick(progress: Progress) -> bool:
            ticks.append(progress.where)
            return not progress.where.startswith(until)

        return plane.ask(hat, ask, on_tick=tick)

    known = told("corona 2")
    assert (known.status, known.heesch, known.hole_free, len(known.rings)) == (Status.UNKNOWN, 1, 1, 2)
    known = told("corona 3")
    assert (known.heesch, known.hole_free, len(known.rings), set(ticks)) == (2, 2, 3, {"corona 1", "corona 2", "corona 3"})


def test_tori_up_to_symmetry() -> None:
    """Sublattices of the square lattice up to its symmetries: OEIS A145392 (rotations), A054346 (with mirrors)."""
    assert [len(list(tori(SQUARE, n, SQUARE.isometries(reflections=True)))) for n in range(1, 11)] == [
        1,
        2,
        2,
        4,
        3,
        5,
        3,
        7,
        5,
        7,
    ]
    assert [len(list(tori(SQUARE, n, SQUARE.isometries(reflections=False)))) for n in range(1, 11)] == [
        1,
        2,
        2,
        4,
        4,
        6,
        4,
        8,
        7,
        10,
    ]
    assert [len(list(tori(HEXAGONAL, n, HEXAGONAL.isometries(reflections=True)))) for n in range(1, 11)] == [
        1,
        1,
        2,
        3,
        2,
        3,
        3,
        5,
        4,
        4,
    ]
    assert len(list(tori(TRIANGULAR, 4, TRIANGULAR.isometries(reflections=True)))) == 3


def test_what_is_no_question(capsys: pytest.CaptureFixture[str]) -> None:
    assert "the plane is tiled by flat tiles" in call(capsys, "plane", "4branch")[2]
    assert "must end in .svg, .png, .pdf" in call(capsys, "plane", "3L", "-o", "x.txt")[2]
    assert "must end in .svg, .png, .pdf" in call(capsys, "rectangles", "3L", "-o", "x.txt")[2]
    with pytest.raises(BadOption, match="leave out the numbers"):
        plane.ask(formats.inline(["1x1", "2:3L"]))


def test_several_tiles_and_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "patch.svg"
    status, out, _ = call(capsys, "plane", "5F", "--reflections", "-o", str(picture))
    assert (status, out.splitlines()[0]) == (0, "5F: tiles the plane")
    assert "the smallest period: 10 cells, 2 pieces, moved by" in out
    assert picture.read_text().startswith("<svg")
    data = json.loads(call(capsys, "plane", "3L", "2", "--format", "json")[1])
    assert (data["status"], data["cells"], data["heesch"]) == ("sat", 2, None)
    assert "7-105: does not tile the plane" in call(capsys, "plane", "7-105", "--reflections", "--up-to", "28")[1]
    table = call(capsys, "plane", "tetrominoes", "--each")[1]
    assert "5 of 5 tiles tile the plane, 0 without holes do not, 0 with holes do not" in table
    assert call(capsys, "plane", "7-105", "--up-to", "7", "--coronas", "0")[0] == 3
    hexagons = call(capsys, "plane", "trihexes", "--each")[1]  # A set says itself what it is of.
    assert "3 of 3 tiles tile the plane" in hexagons


WANG = {
    "one of each by turns": (["1 [a x b x]", "1 [b x a x]"], 2),
    "a shifted period": (["1 [a x b y]", "1 [b y c z]", "1 [c z a x]"], 3),
}


@pytest.mark.parametrize("name", WANG)
def test_wang_tiles_have_a_least_period(name: str) -> None:
    tiles, cells = WANG[name]
    answer = plane.ask(formats.inline(["1x1", *tiles], turning=False), plane.PlaneQuestion(6))
    assert answer.period is not None
    assert answer.tiling is not None
    assert (len(answer.period.board), answer.is_least, answer.orbits) == (cells, True, None)
    assert verify.error_in(answer.period, answer.tiling) is None
    laid = plane.patch(answer)
    assert laid is not None
    assert verify.error_in(*laid) is None


def test_wang_tiles_that_would_tile_if_they_were_turned() -> None:
    tiles = ["1x1", "1 [a b a c]"]
    alone = plane.ask(formats.inline(tiles, turning=False), plane.PlaneQuestion(6))
    assert (alone.status, alone.uncovered) == (Status.UNSAT, 4)  # Nothing fits on its right.
    assert plane.ask(formats.inline(tiles), plane.PlaneQuestion(6)).status is Status.SAT


@pytest.mark.parametrize(
    ("tiles", "cells"),
    [
        (["1 [a b c d]", "1 [c d a e]"], 4),  # One pair fits, and no third beside it.
        (["1 [a b a c]", "1 [a c a d]", "1 [a d a e]", "1 [a e a f]", "1 [a f a g]"], 64),  # Five in a row.
    ],
)
def test_several_tiles_that_do_not_cover_a_patch(tiles: list[str], cells: int, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys, "plane", *tiles, "--no-turning", "--up-to", "12")
    assert (status, "cannot tile the plane" in out) == (0, True)
    assert f"a patch of {cells} cell{'s' if cells > 1 else ''} cannot be covered, even by pieces that reach out of it" in out


def test_eleven_wang_tiles_of_jeandel_and_rao_tile_no_small_torus(capsys: pytest.CaptureFixture[str]) -> None:
    """They tile the plane, but no torus: E. Jeandel and M. Rao, An aperiodic set of 11 Wang tiles (2021)."""
    words = "2421 2220 1131 1232 3133 0131 0001 3102 0212 1214 3312"  # Right, top, left, bottom.
    tiles = [f"1 [{top} {right} {bottom} {left}]" for right, top, left, bottom in words.split()]
    status, out, _ = call(capsys, "plane", *tiles, "--no-turning", "--up-to", "6")
    assert status == 3
    assert "unknown: no period of up to 6 cells" in out


def test_marks_that_fit_their_mates_tile_the_plane() -> None:
    tiles = ["1x1", "1 [in out out in]"]
    assert plane.ask(formats.inline(tiles, turning=False), plane.PlaneQuestion(2)).status is Status.UNSAT
    fitting = formats.inline(tiles, turning=False, mates="in out")
    assert plane.ask(fitting, plane.PlaneQuestion(2)).status is Status.SAT


def test_a_period_is_the_least_only_if_all_smaller_tori_are_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    solved, tori = plane._Search.solved, 0

    def first_undecided(search: plane._Search, instance: Instance) -> TilingAnswer:
        nonlocal tori
        tori += 1
        answer = solved(search, instance)
        return answer if tori > 1 else replace(answer, solutions=(), result=Result.so_far(Stop.TIME, found=0))

    asked = of_tiles(Tile("3L", ALL["trominoes"].shapes()["3L"]))
    assert plane.ask(asked).is_least
    monkeypatch.setattr(plane._Search, "solved", first_undecided)
    found = plane.ask(asked)
    assert (found.status, found.is_least) == (Status.SAT, False)


def test_pieces_may_reach_out_of_a_patch_on_all_its_sides() -> None:
    cross = replace(of_tiles(Tile("5X", ALL["pentominoes"].shapes()["5X"])), turning=False, reflections=False)
    found = plane.ask(cross, plane.PlaneQuestion(10))
    assert found.period is not None
    assert (found.status, len(found.period.board)) == (Status.SAT, 5)
