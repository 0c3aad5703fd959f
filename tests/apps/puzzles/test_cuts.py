"""Files for laser cutters, read back: how long the cuts are, what they enclose, and what is engraved; and pieces in plastic that
have tabs, bevels and cells of several sizes."""

from __future__ import annotations

from itertools import pairwise
from math import dist
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from commands import call
from hypothesis import given
from strategies import shapes
from test_print_sheets import is_closed, volume

from tiler import formats
from tiler.apps.puzzles.printing import cuts, meshes
from tiler.ask.solve import solve
from tiler.errors import BadOption
from tiler.model.instance import Instance
from tiler.model.lattice import Shape
from tiler.model.lattices import CUBIC, LATTICES
from tiler.model.polyforms import polyforms
from tiler.render.options import Lengths

Spot = tuple[float, float]
JIGSAW = "# mates: tab blank\n# border: flat\n\n2x1\n\n1:1 [flat tab flat flat]\n1:1 [flat flat flat blank]\n"


def read(path: Path, layer: str = "CUT") -> list[list[Spot]]:
    """The lines of a layer; closed ones end where they begin."""
    ezdxf = pytest.importorskip("ezdxf")
    document = ezdxf.readfile(path)
    assert document.header["$INSUNITS"] == 4  # mm
    lines = []
    for entity in document.modelspace().query(f'LWPOLYLINE[layer=="{layer}"]'):
        spots = [(x, y) for x, y in entity.get_points("xy")]
        lines.append([*spots, spots[0]] if entity.closed else spots)
    return lines


def written(path: Path) -> list[str]:
    ezdxf = pytest.importorskip("ezdxf")
    return [entity.dxf.text for entity in ezdxf.readfile(path).modelspace().query('TEXT[layer=="ENGRAVE"]')]


def length(lines: list[list[Spot]]) -> float:
    return sum(dist(a, b) for line in lines for a, b in pairwise(line))


def area(line: list[Spot]) -> float:
    return abs(sum(x * v - u * y for (x, y), (u, v) in pairwise(line))) / 2


def unique_sides(groups: list[Shape]) -> int:
    """How many sides of squares lie around some groups of cells."""
    sides = set()
    for cells in groups:
        for i, j in cells:
            for k, m in ((i + 1, j), (i - 1, j), (i, j + 1), (i, j - 1)):
                if (k, m) not in cells:
                    sides.add(frozenset([(i, j), (k, m)]))
    return len(sides)


def test_pieces_to_cut(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "pieces.dxf"
    instance = formats.inline(["6x10", "1:pentominoes"])
    asked = ["show", "6x10", "1:pentominoes", "-o", str(out), "--unit", "10"]
    status, said, _ = call(capsys, *asked)
    lines = read(out)
    around = sum(unique_sides([tile.shape]) for tile in instance.tiles)
    assert (status, len(lines)) == (0, 12)
    assert length(lines) == pytest.approx(10.0 * around)
    assert said.endswith(f", {around / 100:.3g} m to cut\n")
    assert sorted(written(out)) == sorted(tile.name for tile in instance.tiles)
    before = out.read_bytes()
    assert (call(capsys, *asked)[0], out.read_bytes()) == (0, before)
    for more, grown in ((["--kerf", "0.3"], 0.15), (["--gap", "0.2"], -0.1), (["--kerf", "0.3", "--gap", "0.1"], 0.1)):
        assert call(capsys, *asked, *more)[0] == 0
        # Every pentomino has four right turns more than left ones.
        areas = sorted(area(line) for line in read(out))
        wanted = sorted(500.0 + 10 * unique_sides([tile.shape]) * grown + 4 * grown * grown for tile in instance.tiles)
        assert areas == pytest.approx(wanted)
    assert call(capsys, *asked, "--plate", "100x100")[0] == 0
    beds = sorted(tmp_path.glob("pieces-*.dxf"))
    assert sum(len(read(bed)) for bed in beds) == 12
    assert all(0 <= a <= 100 + 1e-6 for bed in beds for line in read(bed) for spot in line for a in spot)


def test_pieces_in_place_share_their_cuts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "tiling.dxf"
    assert call(capsys, "solve", "6x10", "1:pentominoes", "--solver", "dlx", "-o", str(out), "--unit", "10")[0] == 0
    (tiling,) = solve(formats.inline(["6x10", "1:pentominoes"]), "dlx").solutions
    assert length(read(out)) == pytest.approx(10.0 * unique_sides([placed.cells for placed in tiling]))
    assert len(written(out)) == 12


def test_a_tab_and_its_socket_are_cut_once() -> None:
    instance = formats.parse(JIGSAW)
    (tiling,) = solve(instance, "dlx").solutions
    drawing = cuts.assembled(instance, tiling, Lengths(20.0))
    bent = [line for line in drawing.cuts if len(line.spots) > 2]
    straight = sum(dist(*line.spots) for line in drawing.cuts if len(line.spots) == 2)
    assert (len(bent), straight) == (1, pytest.approx(120.0))
    with pytest.raises(BadOption, match="share their cuts"):
        cuts.assembled(instance, tiling, Lengths(20.0, kerf=0.2))


def test_a_tray_to_cut_has_a_floor_and_a_frame(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "tray.dxf"
    assert call(capsys, "show", "5x4", "--tray", "-o", str(out), "--unit", "10", "--kerf", "0.2")[0] == 0
    # The outlines grow by half of the kerf all round, and the hole shrinks.
    assert sorted(map(area, read(out))) == pytest.approx([49.8 * 39.8, 70.2 * 60.2, 70.2 * 60.2])
    assert call(capsys, "show", "calendars/a-puzzle-a-day_s", "--tray", "-o", str(out))[0] == 0
    assert {"jan", "dec", "1", "31"} <= set(written(out))
    island = cuts.tray(formats.parse("xxx\nx_x\nxxx\n".replace("_", ".")), Lengths(10.0))
    assert sum(len(drawing.cuts) for drawing in island) == 4
    assert [len(each.spots) for drawing in island for each in drawing.engraved if isinstance(each, cuts.CutLine)] == [4]


def test_an_svg_to_cut_has_lines_and_no_ground(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "pieces.svg"
    assert call(capsys, "show", "4x4", "2:4L", "1:4T", "-o", str(out), "--cut", "--unit", "10", "--labels", "letters")[0] == 0
    root = ET.parse(out).getroot()
    space = "{http://www.w3.org/2000/svg}"
    assert root.attrib["width"].endswith("mm")
    assert root.attrib["viewBox"].split()[2:] == [root.attrib[side].removesuffix("mm") for side in ("width", "height")]
    cut, engraved = root.findall(f"{space}g")
    assert (cut.attrib["id"], cut.attrib["fill"], engraved.attrib["id"]) == ("cut", "none", "engrave")
    assert len(cut.findall(f"{space}path")) == 3
    assert [text.text for text in engraved.findall(f"{space}text")] == ["L", "L", "T"]
    assert not list(root.iter(f"{space}rect"))


def test_marks_and_colours_are_engraved() -> None:
    (drawing,) = cuts.pieces(formats.parse("2x1\n\n1:1 [red green red blue]\n1:1\n"))
    said = [each.said for each in drawing.engraved if not isinstance(each, cuts.CutLine)]
    assert [said.count(mark) for mark in ("red", "green", "blue")] == [2, 1, 1]


def test_names_are_written_as_they_can_be_read(tmp_path: Path) -> None:
    (drawing,) = cuts.pieces(formats.parse('{"board": [[0, 0]], "tiles": [{"name": "a\\u001b]0;é<&", "cells": [[0, 0]]}]}'))
    for form in cuts.FORMATS:
        path = tmp_path / f"x.{form}"
        path.write_bytes(cuts.write(drawing, "<&", form))
        assert b"\x1b" not in path.read_bytes()
    assert len(written(tmp_path / "x.dxf")) == 1
    ET.parse(tmp_path / "x.svg")


# Plastic.


@pytest.mark.parametrize("lattice", [each for each in LATTICES.values() if each.dimension == 2 and each.shared > 1], ids=str)
def test_flat_pieces_of_every_lattice_are_closed(lattice: object) -> None:
    for polyform in polyforms(lattice, 4)[::3]:  # type: ignore[arg-type]
        whole = meshes.surface(lattice, polyform.shape, Lengths(20.0, 0.0, 6.0)).triangles()  # type: ignore[arg-type]
        made = meshes.surface(lattice, polyform.shape, Lengths(20.0, 0.2, 6.0, 0.5)).triangles()  # type: ignore[arg-type]
        assert is_closed(whole[1])
        assert is_closed(made[1])
        assert 0 < volume(*made) < volume(*whole)
        assert np.ptp(made[0], axis=0)[2] == pytest.approx(5.8)


def test_a_ring_has_a_hole() -> None:
    shape = frozenset((i, j) for i in range(5) for j in range(5)) - {(1, 1), (3, 3), (1, 3)}
    corners, triangles = meshes.surface(LATTICES["square"], shape, Lengths(10.0, 0.0, 6.0)).triangles()
    assert is_closed(triangles)
    assert volume(corners, triangles) == pytest.approx(22 * 100 * 6)


def tabbed() -> Instance:
    return formats.read("edges/jigsaw-6-3x2_s")


def test_tabs_in_plastic_fit_their_sockets(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (made,) = meshes.pieces(tabbed(), Lengths(20.0, 0.0, 5.0))
    by_name = {mesh.name: volume(mesh.corners, mesh.triangles) for mesh in made}
    assert all(is_closed(mesh.triangles) for mesh in made)
    cell = 20.0 * 20.0 * 5.0
    # Four tabs more are as much as four sockets less, and two of each are nothing.
    assert by_name["tttt"] - cell == pytest.approx(cell - by_name["bbbb"])
    assert by_name["btbt"] == pytest.approx(cell)
    assert by_name["tttt"] > 1.1 * cell
    out = tmp_path / "p.stl"
    status, said, _ = call(capsys, "show", "edges/jigsaw-6-3x2_s", "-o", str(out), "--bevel", "0.5")
    assert (status, said.startswith("6 pieces, ")) == (0, True)


@given(shapes(3, 8))
def test_bevels_are_cut_off(shape: Shape) -> None:
    plain = meshes.surface(CUBIC, shape, Lengths(10.0, 0.2)).triangles()
    corners, triangles = meshes.surface(CUBIC, shape, Lengths(10.0, 0.2, bevel=1.0)).triangles()
    assert is_closed(triangles)
    assert np.allclose(np.ptp(corners, axis=0), np.ptp(plain[0], axis=0))
    assert 0.9 * volume(*plain) < volume(corners, triangles) < volume(*plain)


def test_a_bevelled_cube_has_the_volume_that_it_must() -> None:
    made = meshes.surface(CUBIC, frozenset({(0, 0, 0)}), Lengths(20.0, 0.4, bevel=2.0)).triangles()
    assert volume(*made) == pytest.approx(19.6**3 - 12 * 2 * 15.6 - 8 * (8 - 8 / 6))


def test_cells_may_have_a_size_for_each_direction(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corners, triangles = meshes.surface(CUBIC, frozenset({(0, 0, 0), (0, 0, 1)}), Lengths((20.0, 10.0, 5.0), 0.0)).triangles()
    assert is_closed(triangles)
    assert np.ptp(corners, axis=0).tolist() == [40.0, 10.0, 5.0]
    out = tmp_path / "x.stl"
    status, said, _ = call(capsys, "solve", "3x3x2", "2", "--solver", "dlx", "-o", str(out), "--unit", "20x10x5", "--gap", "0")
    assert (status, said) == (0, "sat: there is a tiling\n")
    points = np.frombuffer(out.read_bytes()[84:], np.dtype([("rows", "<f4", (12,)), ("more", "<u2")]))["rows"][:, 3:].reshape(
        -1, 3
    )
    assert np.ptp(points, axis=0).tolist() == [60.0, 30.0, 10.0]


def test_a_tray_for_a_board_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "tray.stl"
    assert call(capsys, "show", "6x10", "--tray", "-o", str(out))[:2] == (0, "tray, 96 x 156 x 4.5 mm\n")
    assert call(capsys, "show", "hex:2", "--lattice", "hexagonal", "--tray", "-o", str(out))[0] == 0


@pytest.mark.parametrize("bevel", [0.0, 1.0])
@pytest.mark.parametrize("gap", [0.0, 0.4])
def test_pieces_in_two_parts_have_holes_for_pins(gap: float, bevel: float) -> None:
    instance = formats.inline(["3x3x3", "1:4branch", "1:3L"])
    lengths = Lengths(20.0, gap, bevel=bevel)
    (whole,), (made,) = meshes.pieces(instance, lengths), meshes.pieces(instance, lengths, halves=True)
    assert all(is_closed(mesh.triangles) for mesh in made)
    branch = [mesh for mesh in made if mesh.name == "4branch"]
    assert [mesh.name for mesh in made].count("3L") == 1  # It has one layer.
    halves, pins = branch[:-1], branch[-1:]
    assert len(halves) == 2
    hole = (0.4 * (20 - gap - 2 * bevel)) ** 2 * 5.0
    shape = next(tile.shape for tile in instance.tiles if tile.name == "4branch")
    for mesh, layer in zip(halves, sorted({cell[0] for cell in shape}), strict=True):
        plain = meshes.surface(CUBIC, frozenset(cell for cell in shape if cell[0] == layer), lengths).triangles()
        assert volume(mesh.corners, mesh.triangles) == pytest.approx(volume(*plain) - hole)
    assert volume(pins[0].corners, pins[0].triangles) == pytest.approx((0.4 * (20 - gap - 2 * bevel) - gap) ** 2 * 9.6)
    assert len(whole) == 2
