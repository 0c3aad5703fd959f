"""Sheets measured in the PDF, and pieces in plastic as closed surfaces of the right size."""

from __future__ import annotations

import io
import math
import re
import zipfile
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from commands import call
from hypothesis import given
from PIL import Image
from strategies import shapes

from tiler import formats
from tiler.apps.puzzles.printing import meshes, print_sheets
from tiler.apps.puzzles.printing.print_sheets import SheetLook
from tiler.ask.solve import solve
from tiler.errors import BadOption
from tiler.model.lattice import Shape
from tiler.model.lattices import CUBIC, LATTICES
from tiler.render.options import Lengths

POINTS = 72 / 25.4  # in a mm


def strokes(page: bytes) -> list[list[tuple[float, float]]]:
    """The corners of every path in a PDF that is not compressed, in mm."""
    found: list[list[tuple[float, float]]] = []
    for x, y, how in re.findall(rb"(-?[\d.]+) (-?[\d.]+) ([ml])\b", page):
        if how == b"m":
            found.append([])
        found[-1].append((float(x) / POINTS, float(y) / POINTS))
    return found


def sizes(page: bytes) -> list[tuple[float, float]]:
    spans = [np.ptp(np.array(path), axis=0) for path in strokes(page)]
    return [(round(float(wide), 2), round(float(high), 2)) for wide, high in spans]


def test_a_sheet_is_as_large_as_it_says() -> None:
    page = print_sheets.draw(formats.inline(["8x5", "2:5L", "4I"]), SheetLook(unit=12.5))[0]
    assert b"595.27" in page  # the width of A4 in points
    assert sizes(page).count((100.0, 62.5)) == 1  # the board
    assert sizes(page).count((25.0, 50.0)) + sizes(page).count((50.0, 25.0)) == 2  # the two copies
    assert (12.5, 50.0) in sizes(page) or (50.0, 12.5) in sizes(page)


@pytest.mark.parametrize(
    ("board", "tile", "lattice", "size"),
    [
        ("tri:2", ".x", "triangular", (40.0, 20 * math.sqrt(3))),
        ("hex:1", "x", "hexagonal", (20.0, 40 / math.sqrt(3))),
        ("rhombus:1x1", "x", "hexagonal", (20.0, 40 / math.sqrt(3))),
    ],
)
def test_other_cells_are_as_large_as_the_sheet_says(board: str, tile: str, lattice: str, size: tuple[float, float]) -> None:
    page = print_sheets.draw(formats.inline([board, tile], lattice=lattice), SheetLook(unit=20))[0]
    assert (round(size[0], 2), round(size[1], 2)) in sizes(page)


def test_labels_colours_and_hatching(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "sheet.pdf"
    arguments = ["show", "6x10", "1:pentominoes", "-o", str(out), "--unit", "14"]
    sheets = set()
    for more in (["--labels", "letters"], ["--labels", "none"], ["--hatching"], ["--colours", "grey"], ["--colours", "few"]):
        assert call(capsys, *arguments, *more)[0] == 0
        sheets.add(out.read_bytes())
    assert len(sheets) == 5
    colours = tmp_path / "colours.txt"
    colours.write_text("X #ff0000\n3I #ff0000\n")
    assert call(capsys, "show", "3x3", "3I", "-o", str(out), "--colours", str(colours))[0] == 0
    assert re.search(rb"\b1 0 0 rg", out.read_bytes())
    status, _, err = call(capsys, "show", "3x3", "3L", "-o", str(out), "--colours", str(colours))
    assert (status, "the colours are of other tiles; there are 3L" in err) == (2, True)
    # Not every tile has to be named, and the picture of a tiling has the same colours.
    assert call(capsys, "show", "3x3", "3I", "3L", "-o", str(out), "--colours", str(colours))[0] == 0
    assert len(set(re.findall(rb"([\d.]+ [\d.]+ [\d.]+) rg", out.read_bytes()))) == 2


@pytest.mark.parametrize(("paper", "width"), [("a5", 148), ("A5", 148), ("Letter", 215.9)])
def test_names_of_paper_may_be_in_any_case(paper: str, width: float, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "sheet.svg"
    assert call(capsys, "show", "3x3", "3L", "-o", str(out), "--paper", paper)[0] == 0
    assert f'viewBox="0 0 {width:g} ' in out.read_text()


@pytest.mark.parametrize("form", ["svg", "png"])
def test_each_page_of_a_sheet_is_a_picture_of_its_size(form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / f"sheet.{form}"
    arguments = ["show", "16x2", "1:3L", "1:2", "-o", str(out), "--unit", "15", "--paper", "A4"]  # The board lies on its side.
    status, said, _ = call(capsys, *arguments)
    paths = [tmp_path / f"sheet-{number}.{form}" for number in (1, 2)]
    assert (status, said.split()) == (0, [str(path) for path in paths])
    assert sorted(tmp_path.iterdir()) == paths
    for path, (across, down) in zip(paths, [(297, 210), (210, 297)], strict=True):
        if form == "svg":
            document = ET.parse(path).getroot()
            wide, high = (float(document.attrib[side].removesuffix("in")) * 25.4 for side in ("width", "height"))
            assert document.attrib["viewBox"] == f"0 0 {across} {down}"  # so that units are mm
        else:
            with Image.open(path) as image:
                wide, high = (pixels / dots * 25.4 for pixels, dots in zip(image.size, image.info["dpi"], strict=True))
        assert (wide, high) == (pytest.approx(across, abs=0.2), pytest.approx(down, abs=0.2))


def test_few_pieces_are_on_the_page_of_the_board() -> None:
    few, many = (formats.inline(["4x5", f"{number}:4L"]) for number in (4, 40))
    (page,) = print_sheets.pages(few, SheetLook())
    assert len(page.placed) == 5
    (board, (_, top)), *pieces = page.placed
    assert min(y for _, (_, y) in pieces) > top + board.height
    assert all(y + piece.height <= page.height - print_sheets.MARGIN for piece, (_, y) in pieces)
    first, *others = print_sheets.pages(many, SheetLook())
    assert (len(first.placed), sum(len(page.placed) for page in others)) == (1, 40)


def test_hatchings_of_a_vector_sheet_differ() -> None:
    instance = formats.inline(["5x5", "1:5L", "1:5P", "1:5V", "1:5W"])
    document = print_sheets.draw(instance, SheetLook(hatching=True), "svg")[0].decode()
    patterns = re.findall(r'<pattern [^>]*id="(.*?)"', document)
    assert len(set(patterns)) == 4
    assert sorted(re.findall(r'fill="url\(#(.*?)\)"', document)) == sorted(patterns)


@pytest.mark.parametrize(
    ("shapes", "look", "said"),
    [
        (
            ["20x10", "2"],
            SheetLook(unit=15),
            "the board is 300 x 150 mm, and A4 has room for 277 x 190: --unit 13.8 at most, or --paper A3",
        ),
        (["200x10", "2"], SheetLook(unit=15), "--unit 1.3 at most"),
        (["2x2x2", "2"], SheetLook(), "for pieces in space -o pieces.stl"),
    ],
)
def test_what_does_not_fit_says_what_would(shapes: list[str], look: SheetLook, said: str) -> None:
    with pytest.raises(BadOption, match=re.escape(said)):
        print_sheets.pages(formats.inline(shapes), look)


def test_edges_cannot_be_cut_out() -> None:
    with pytest.raises(BadOption, match="edges, which have no area"):
        print_sheets.pages(formats.inline(["2x2", "2-1"], lattice="square-edges"), SheetLook())


def is_closed(triangles: np.ndarray) -> bool:
    """Whether every edge is gone along once each way."""
    edges = Counter((int(a), int(b)) for row in triangles for a, b in zip(row, np.roll(row, -1), strict=True))
    return all(number == 1 and edges[b, a] == 1 for (a, b), number in edges.items())


def volume(corners: np.ndarray, triangles: np.ndarray) -> float:
    a, b, c = (corners[triangles[:, k]] for k in range(3))
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)


@given(shapes(3, 8))
def test_surfaces_are_closed_and_drawn_in(shape: Shape) -> None:
    corners, triangles = meshes.surface(CUBIC, shape, Lengths(10.0, 1.0)).triangles()
    assert is_closed(triangles)
    whole, inner = 1000.0 * len(shape), volume(corners, triangles)
    assert 0.9**3 * whole - 1e-6 <= inner < whole
    spans = (np.ptp(np.array(sorted(shape)), axis=0) + 1) * 10.0 - 1.0
    assert np.allclose(np.ptp(corners, axis=0), spans[::-1])


def test_a_cube_with_a_gap_has_the_volume_that_it_must() -> None:
    corners, triangles = meshes.surface(CUBIC, frozenset({(0, 0, 0)}), Lengths(20.0, 0.4)).triangles()
    assert volume(corners, triangles) == pytest.approx(19.6**3)


@pytest.mark.parametrize("form", meshes.FORMATS)
def test_files_for_printers(form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / f"pieces.{form}"
    assert call(capsys, "show", "classic/soma_s", "-o", str(out), "--unit", "20", "--gap", "0.3")[0] == 0
    (made,) = meshes.pieces(formats.read("classic/soma_s"), Lengths(20.0, 0.3))
    data = out.read_bytes()
    triangles = sum(len(mesh.triangles) for mesh in made)
    if form == "stl":
        assert int.from_bytes(data[80:84], "little") == triangles
        assert len(data) == 84 + 50 * triangles
    else:
        with zipfile.ZipFile(io.BytesIO(data)) as file:
            model = file.read("3D/3dmodel.model").decode()
        assert (model.count("<object "), model.count("<triangle ")) == (7, triangles)
        assert 'unit="millimeter"' in model
    boxes = [(mesh.corners.min(0), mesh.corners.max(0)) for mesh in made]
    apart = [
        (low[:2] >= other_high[:2]).any() or (other_low[:2] >= high[:2]).any()
        for n, (low, high) in enumerate(boxes)
        for other_low, other_high in boxes[:n]
    ]
    assert all(apart)


def test_pieces_in_plastic_lie_on_plates(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    instance = formats.inline(["6x10", "1:pentominoes"])
    for plate, number in (((220.0, 220.0), 1), ((150.0, 90.0), 4)):
        made = meshes.pieces(instance, plate=plate)
        assert (len(made), sum(map(len, made))) == (number, 12)
        for some in made:
            assert (np.concatenate([mesh.corners for mesh in some]).max(0)[:2] <= plate).all()
    out = tmp_path / "p.stl"
    status, said, _ = call(capsys, "show", "6x10", "1:pentominoes", "-o", str(out), "--plate", "150x90")
    assert (status, [line.split(" piece")[0] for line in said.splitlines()]) == (
        0,
        [f"{tmp_path}/p-{k}.stl: {number}" for k, number in ((1, 4), (2, 3), (3, 3), (4, 2))],
    )
    assert [path.name for path in sorted(tmp_path.iterdir())] == [f"p-{k}.stl" for k in (1, 2, 3, 4)]


def test_with_trimesh_they_are_watertight(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trimesh = pytest.importorskip("trimesh")
    out = tmp_path / "pieces.stl"
    assert call(capsys, "show", "classic/soma_s", "-o", str(out))[0] == 0
    whole = trimesh.load(out)
    (made,) = meshes.pieces(formats.read("classic/soma_s"))
    assert whole.is_watertight
    assert whole.is_winding_consistent
    assert whole.volume == pytest.approx(sum(volume(mesh.corners, mesh.triangles) for mesh in made), rel=1e-4)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["3x3", "3L", "-o", "x.stl", "--gap", "9"], "too large for cells"),
        (["3x3", "3L", "-o", "x.stl", "--height", "0.1"], "flat pieces are higher than 0.5 mm and the gap, up to 200 mm"),
        (["9x9", "5I", "-o", "x.stl", "--plate", "60x60"], "tile 5I is 15 x 75 mm"),
        (["9x9", "5I", "-o", "x.stl", "--plate", "wide"], "no plate such as 220x220"),
        (["3x3", "3L", "-o", "x.pdf", "--paper", "B5"], "'B5' is no paper; there are A5, A4, A3, A2, letter, tabloid"),
        (["3x3", "3L", "-o", "x.jpeg"], ".svg, .png, .pdf, .stl, .3mf, .dxf"),
        (["3x3", "3L", "-o", "x.pdf", "--unit", "0"], "from 1 to 200 mm"),
        (["3x3", "3L", "-o", "x.pdf", "--tray"], "--tray does nothing for a sheet to cut out"),
        (["2x2", "2-1", "--lattice", "square-edges", "-o", "x.stl"], "are edges, which have no body"),
        (["hex:2", ".xx", "--lattice", "triangular", "-o", "x.stl", "--tray"], "not on the triangular lattice"),
        (["hex:2", ".xx", "--lattice", "triangular", "-o", "x.stl", "--unit", "9x9x8"], "on the triangular lattice give one"),
        (["3x3", "3L", "-o", "x.pdf", "--unit", "9x9x8"], "one length for all directions"),
        (["3x3", "3L", "-o", "x.stl", "--bevel", "2"], "a bevel of 2 mm: from 0 to"),
        (["3x3", "3L", "-o", "x.pdf", "--gap", "1"], "--gap does nothing for a sheet to cut out"),
        (["3x3", "3L", "-o", "x.stl", "--paper", "A3"], "--paper does nothing for a 3D printer"),
        (["3x3", "3L", "-o", "x.svg", "--kerf", "0.1"], "--kerf does nothing for a sheet to cut out"),
        (["3x3", "3L", "-o", "x.stl", "--tray", "--bevel", "1"], "--bevel does nothing for a tray"),
        (["3x3", "3L", "--unit", "9"], "--unit does nothing for what is printed here"),
        (["3x3", "3L", "-o", "x.dxf", "--kerf", "3"], "--kerf 3: from 0 to 1 mm"),
        (["3x3x3", "3L", "-o", "x.dxf"], "pieces of the plane can be cut out"),
        (["2x1", "2:1 [t b b b]", "--mates", "t b", "-o", "x.stl", "--tray"], "tabs can stand out of the board"),
    ],
)
def test_what_cannot_be_printed(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = call(capsys, "show", *arguments)
    assert (status, said in err, err.count("\n")) == (2, True, 1)


def test_the_board_of_a_sheet_shows_what_lies_there() -> None:
    plain, clue = (formats.parse(f"{head}5x5\n\n1:5P\n4:5L\n") for head in ("", "# place: 5P 0,0 0,1 1,0 1,1 2,0\n"))
    pages = [print_sheets.draw(each, SheetLook(unit=10))[0] for each in (plain, clue)]
    first = [page.partition(b"endstream")[0] for page in pages]
    assert [sizes(page).count((20.0, 30.0)) + sizes(page).count((30.0, 20.0)) for page in first] == [
        1,
        2,
    ]  # 5P, and as it lies on the board


@given(shapes(3, 7, lattice=LATTICES["hexagonal-prisms"]))
def test_surfaces_of_hexagonal_prisms_are_closed_and_drawn_in(shape: Shape) -> None:
    lattice = LATTICES["hexagonal-prisms"]
    corners, triangles = meshes.surface(lattice, shape, Lengths(10.0, 1.0)).triangles()
    assert is_closed(triangles)
    (whole_corners, whole_triangles) = meshes.surface(lattice, shape, Lengths(10.0, 0.0)).triangles()
    whole, inner = volume(whole_corners, whole_triangles), volume(corners, triangles)
    high = 10 * math.sqrt(1.5)  # As high as the lattice has it, where 10 mm lead from hexagon to hexagon.
    assert whole == pytest.approx(len(shape) * 50 * math.sqrt(3) * high)
    assert len(shape) * 0.81 * 50 * math.sqrt(3) * (high - 1) <= inner + 1e-6 < whole
    assert np.allclose((np.ptp(whole_corners, axis=0) - np.ptp(corners, axis=0))[[0, 2]], 1.0)


@pytest.mark.parametrize("form", meshes.FORMATS)
@pytest.mark.parametrize(
    ("shapes", "lattice"), [(["classic/soma_s"], None), (["4x4", "4L"], None), (["hex:2", "x.x.x", "x"], "hexagonal")], ids=str
)
def test_a_solution_in_plastic_has_the_size_of_its_board(
    form: str, shapes: list[str], lattice: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    instance = formats.read(shapes[0]) if len(shapes) == 1 else formats.inline(shapes, lattice=lattice)
    out = tmp_path / f"solution.{form}"
    more = ["--lattice", lattice] if lattice else []
    arguments = ["solve", *shapes, *more, "--solver", "dlx", "-o", str(out), "--unit", "20", "--gap", "0.4"]
    assert call(capsys, *arguments)[:2] == (0, "sat: there is a tiling\n")
    (tiling,) = solve(instance, "dlx").solutions
    made = meshes.assembled(instance, tiling, Lengths(20.0, 0.4))
    assert out.read_bytes() == meshes.write(made, instance.heading, form)
    board = meshes.surface(instance.lattice, instance.board, Lengths(20.0, 0.4)).corners
    assert np.allclose(np.ptp(np.concatenate([mesh.corners for mesh in made]), axis=0), np.ptp(board, axis=0))
    assert all(is_closed(mesh.triangles) for mesh in made)
    if form == "3mf":
        with zipfile.ZipFile(out) as file:
            assert file.read("3D/3dmodel.model").decode().count("<object ") == len(tiling)


@pytest.mark.parametrize(
    ("shapes", "lattice", "size"),
    [
        (["6x10", "1:pentominoes"], None, (6 * 15 + 6, 10 * 15 + 6, 2 + 2.5)),
        (["holey:8", "1:pentominoes"], None, (126, 126, 4.5)),
        (["3x3x3", "3L"], None, (51, 51, 9.5)),
        (["1x2", "2"], None, (21, 36, 4.5)),
        (["hex:1", "x"], "hexagonal", (15 + 6, (15 + 6) * 2 / math.sqrt(3), 4.5)),
    ],
    ids=str,
)
def test_a_tray_is_as_large_as_its_board_and_the_wall(
    shapes: list[str], lattice: str | None, size: tuple[float, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    instance = formats.inline(shapes, lattice=lattice)
    made = meshes.tray(instance)
    assert is_closed(made.triangles)
    assert np.allclose(np.ptp(made.corners, axis=0), size)
    cells = {cell[-2:] for cell in instance.board}
    (whole, _), high = np.unique(made.corners[:, 2], return_counts=True), made.corners[:, 2].max()
    assert whole.tolist() == [0.0, 2.0, high]
    # The floor is all of one thickness, and the wall stands on the rest of it.
    floor = meshes.surface(instance.lattice.plane or instance.lattice, frozenset(cells), Lengths(15.0, 0.0)).triangles()
    board = volume(*floor) / 5.0
    assert volume(made.corners, made.triangles) - board * 2 == pytest.approx((_area(made) - board) * high)
    out = tmp_path / "tray.stl"
    arguments = ["show", *shapes, *(["--lattice", lattice] if lattice else []), "-o", str(out), "--tray"]
    assert call(capsys, *arguments)[0] == 0
    assert out.read_bytes() == meshes.write([made], "", "stl")


def test_a_wrapped_board_has_no_tray() -> None:
    with pytest.raises(BadOption, match="a wrapped board has no border"):
        meshes.tray(formats.inline(["4x4", "2"], wrap="columns"))


def test_a_tray_larger_than_the_plate_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["show", "20x10", "1:pentominoes", "-o", str(tmp_path / "tray.stl"), "--tray"]
    status, _, told = call(capsys, *arguments)
    assert (status, list(tmp_path.iterdir())) == (2, [])
    assert told == "tiler: the tray is 306 x 156 mm, and the plate 220 x 220: --plate 306x220, or a smaller --unit\n"
    assert call(capsys, *arguments, "--plate", "306x220")[0] == 0


def _area(mesh: meshes.Mesh) -> float:
    """What a mesh covers of the ground."""
    below = mesh.corners[mesh.triangles][(mesh.corners[mesh.triangles][:, :, 2] == 0).all(1)]
    a, b = below[:, 1, :2] - below[:, 0, :2], below[:, 2, :2] - below[:, 0, :2]
    return float(np.abs(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum() / 2)


@pytest.mark.parametrize(("shapes", "high"), [(["3x3", "3L"], 8.0), (["3x3x1", "3L"], 12.0)])
def test_flat_pieces_are_as_high_as_is_wanted(shapes: list[str], high: float) -> None:
    for made in meshes.pieces(formats.inline(shapes), Lengths(12.0, 0.0, 8.0))[0]:
        assert np.ptp(made.corners[:, 2]) == pytest.approx(high)
