"""Pictures of boards that are not of squares or cubes."""

from __future__ import annotations

from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest
from commands import call
from hypothesis import given
from hypothesis import strategies as st

import tiler
from tiler import formats
from tiler.ask.solve import solve
from tiler.model.instance import Instance
from tiler.model.lattice import Lattice, Shape
from tiler.model.lattices import HEXAGONAL, LATTICES, SPHERES, TETRAKIS, TRIANGULAR, TRIANGULAR_PRISMS
from tiler.model.named_boards import region
from tiler.model.polyforms import polyforms
from tiler.model.tile import Placement, Tile
from tiler.question.question import Goal, Question
from tiler.render import cell_outlines, drawing, image, scene, svg, text
from tiler.render.colours import PieceColours

OTHERS = [lattice for lattice in LATTICES.values() if not lattice.has_boxes]
POLYGONS = [lattice for lattice in LATTICES.values() if lattice.dimension == 2 and lattice.shared == 2]
SOLIDS = [lattice for lattice in LATTICES.values() if lattice.dimension == 3 and lattice.shared > 1]


def area(loop: list[tuple[int, ...]]) -> int:
    """Twice the area in units of the coordinates, positive if the corners go round clockwise."""
    return sum(c * b - a * d for (a, b), (c, d) in pairwise([*loop, loop[0]]))


@pytest.mark.parametrize("lattice", POLYGONS, ids=str)
@given(data=st.data())
def test_outlines_hold_the_cells_and_no_more(lattice: Lattice, data: st.DataObject) -> None:
    shape: set[tuple[int, ...]] = set()
    for form in data.draw(st.lists(st.sampled_from(polyforms(lattice, 4)), min_size=1, max_size=3)):
        shape ^= data.draw(st.sampled_from(lattice.variants(form.shape, reflections=True)))
    loops = cell_outlines.outline(lattice, shape)
    assert sum(map(area, loops)) == sum(area(cell_outlines.polygon(lattice, cell)) for cell in shape)
    for loop in loops:
        for a, b, c in zip(loop, [*loop[1:], loop[0]], [*loop[2:], *loop[:2]], strict=True):
            assert area([a, b, c]) != 0  # No corner where the outline goes straight on.
    sides = sum(len(cell_outlines.polygon(lattice, cell)) for cell in shape)
    beside = sum(other in shape for cell in shape for other in lattice.neighbours(cell))
    assert 2 * len(cell_outlines.inner_lines(lattice, shape)) == beside <= sides


def test_cells_that_touch_at_a_corner_have_loops_of_their_own() -> None:
    around = [cell for cell in region(TRIANGULAR, "hex:1") if cell[0] % 3 == 1]
    assert sorted(map(len, cell_outlines.outline(TRIANGULAR, around))) == [3, 3, 3]
    ring = region(HEXAGONAL, "hex:2") - {(1, 1)}
    assert sorted(map(len, cell_outlines.outline(HEXAGONAL, ring))) == [6, 18]


@pytest.mark.parametrize("lattice", SOLIDS, ids=str)
def test_faces_make_a_body(lattice: Lattice) -> None:
    for residue, corners in zip(lattice.residues, lattice.corners, strict=True):
        faces = cell_outlines.faces(lattice)[residue]
        assert {corner for face in faces for corner in face.corners} == set(corners)
        edges = [edge for face in faces for edge in pairwise([*face.corners, face.corners[0]])]
        assert len({frozenset(edge) for edge in edges}) * 2 == len(edges)
        assert len(corners) - len(edges) // 2 + len(faces) == 2  # Euler
    around = {
        cell: {frozenset(face.corners) for face in cell_outlines.faces_of(lattice, cell)}
        for cell in polyforms(lattice, 2)[0].shape
    }
    one, two = around.values()
    assert len(one & two) == 1


@pytest.mark.parametrize("metric", {lattice.metric: lattice for lattice in LATTICES.values()}.values(), ids=str)
def test_points_are_as_far_apart_as_the_metric_says(metric: Lattice) -> None:
    lattice, size = metric, metric.dimension
    at = cell_outlines.page if size == 2 else cell_outlines.space
    axes = [at(lattice, tuple(lattice.fine * int(i == j) for j in range(size))) for i in range(size)]
    for i, one in enumerate(axes):
        for j, two in enumerate(axes):
            assert sum(a * b for a, b in zip(one, two, strict=True)) == pytest.approx(lattice.metric[i][j])


def tiled(lattice: Lattice) -> tuple[Instance, list[Placement]]:
    """Two pieces of four side by side or one above the other, and a cell more that may stay open."""
    shape = polyforms(lattice, 4)[-1].shape
    far = frozenset(tuple(a + 9 * m for a, m in zip(cell, lattice.moduli, strict=True)) for cell in shape)
    spare = next(other for other in lattice.neighbours(min(far)) if other not in far)
    tile = Tile("<a & b>", shape, lattice=lattice)
    board: Shape = shape | far | {spare}
    return Instance(board, (tile,), optional=frozenset({spare}), lattice=lattice), [
        Placement(tile.name, shape),
        Placement(tile.name, far),
    ]


@pytest.mark.parametrize("lattice", OTHERS, ids=str)
def test_documents_have_every_tile_and_its_name(lattice: Lattice) -> None:
    instance, solution = tiled(lattice)
    document = ET.fromstring(svg.draw(instance, solution))
    tiles = [node for node in document.iter() if node.get("class") == "tile"]
    assert {node[0].text for node in tiles} == {"<a & b>"}
    fills = {node.get("fill") if node.get("fill") != "none" else node.get("stroke") for node in tiles}
    if lattice.dimension == 2:
        assert len(tiles) == 2
        assert len(fills) in (1, 2)
    assert len(tiles) >= 2
    ET.fromstring(svg.draw(instance, ()))


@pytest.mark.parametrize("lattice", [HEXAGONAL, TRIANGULAR_PRISMS, SPHERES, LATTICES["square-edges"]], ids=str)
@pytest.mark.parametrize("form", ["png", "pdf"])
def test_images(lattice: Lattice, form: str) -> None:
    made = image.draw(*tiled(lattice), form)
    assert made.startswith({"png": b"\x89PNG", "pdf": b"%PDF"}[form])
    assert made == image.draw(*tiled(lattice), form)


@pytest.mark.parametrize(
    ("lattice", "board", "tile", "lines"),
    [("square", "3x3", "2", 6), ("hexagonal", "rhombus:2x2", "x.x", 6), ("square-edges", ".x.x/x.x.", "1-1", 3)],
)
def test_where_a_board_goes_on_at_its_other_side_is_dashed(lattice: str, board: str, tile: str, lines: int) -> None:
    flat, instance = (formats.inline([board, tile], lattice=lattice, wrap=wrap) for wrap in (None, "columns"))
    (panel,) = drawing.panels(instance, ())
    dashed = [mark for mark in panel.marks if isinstance(mark, scene.Lines) and mark.dashed]
    assert [len(mark.ends) for mark in dashed] == [lines]
    assert "stroke-dasharray" in svg.draw(instance, ())
    assert not any(isinstance(mark, scene.Lines) and mark.dashed for mark in drawing.panels(flat, ())[0].marks)


def test_text_is_a_letter_for_every_cell_on_a_map() -> None:
    shapes = polyforms(HEXAGONAL, 4)
    instance, solution = tiled(HEXAGONAL)
    lines = text.draw(instance, solution, colour=False).split("\n")
    assert sorted("".join(lines).replace(" ", "")) == sorted("AAAABBBB·")
    assert len(shapes) == 7
    assert "\x1b[38;5;16;48;5;" in text.draw(instance, solution, colour=True)
    prisms = text.draw(*tiled(TRIANGULAR_PRISMS), colour=False, width=30)
    assert all(f"layer {z}" in prisms for z in range(4))


def test_text_lists_cells_where_there_is_no_map() -> None:
    instance, solution = tiled(TETRAKIS)
    first = sorted(solution[0].cells)
    assert text.draw(instance, solution, colour=False).split("\n")[0] == "<a & b>  " + " ".join(f"{x},{y}" for x, y in first)


def test_heat_and_proof_are_drawn_on_every_lattice(capsys: pytest.CaptureFixture[str], tmp_path) -> None:
    heat = tmp_path / "heat.svg"
    assert call(capsys, "count", "hex:1", "xx", "--lattice", "triangular", "--by-cell", "-o", str(heat))[0] == 0
    assert heat.read_text().count("2 of 2 tilings") == 6
    for form, start in (("svg", b"<svg"), ("png", b"\x89PNG")):
        proof = tmp_path / f"proof.{form}"
        status, out, _ = call(capsys, "prove", "tri:4", "xx", "--lattice", "triangular", "-o", str(proof))
        assert (status, out.splitlines()[0]) == (0, "unsat: there is no tiling")
        assert proof.read_bytes().startswith(start)
    _, out, _ = call(capsys, "prove", "tri:4", "xx", "--lattice", "triangular")
    assert "checkerboard: every tile1 covers exactly 1 black cell; 8 tiles cover 8; the\nboard has 6" in out
    assert "░░██░░██░░██░░\n  ░░██░░██░░\n    ░░██░░\n      ░░" in out


def test_the_list_of_lattices(capsys: pytest.CaptureFixture[str], tmp_path) -> None:
    status, out, _ = call(capsys, "lattices")
    assert status == 0
    assert all(f"{name}: {lattice.what}\n" in out for name, lattice in LATTICES.items())
    assert call(capsys, "lattices", "hexagonal")[1] == (
        "hexagonal: hexagons\n  boards  hex:5, hexagon:3,4,5, tri:6, rhombus:6x10\n  maps    x.x.x   x.x/.x   x.x/...x\n"
    )
    assert call(capsys, "lattices", "hexagon") == (
        *(2, ""),
        f"tiler: 'hexagon' is no lattice; nearest: hexagonal, hexagonal-prisms; there are {', '.join(LATTICES)}\n",
    )
    sheet = tmp_path / "sheet.svg"
    assert call(capsys, "lattices", "-o", str(sheet))[0] == 0
    words = [node.text for node in ET.fromstring(sheet.read_text()).iter() if node.tag.endswith("text")]
    assert words == list(LATTICES)
    assert call(capsys, "lattices", "-o", str(tmp_path / "sheet.txt"))[0] == 2


@pytest.mark.parametrize(
    ("told", "more", "kinds"),
    [
        (("aztec:6", "2"), {}, 4),
        (("6x6", "2"), {"wrap": "rows columns"}, 4),
        (("3x4", "2"), {"wrap": "rows columns"}, 2),  # Round an odd side black cells become white.
        (("hex:3", ".xx"), {"lattice": "triangular"}, 3),
        (("rhombus:4x4", "x.x"), {"lattice": "hexagonal"}, 3),
    ],
)
def test_pieces_of_two_cells_have_the_colour_of_their_orientation(
    told: tuple[str, ...], more: dict[str, str], kinds: int
) -> None:
    instance = tiler.make(*told, **more)
    tilings = [solve(instance, "auto", Question(Goal.SAMPLE, seed=seed)).solutions[0] for seed in range(6)]
    pieces = PieceColours.of(instance, tilings).pieces
    assert len({colour for each in pieces for colour in each}) == kinds
    ways: dict[str, set[object]] = {}
    for tiling, colours in zip(tilings, pieces, strict=True):
        for placement, colour in zip(tiling, colours, strict=True):
            first, second = sorted(placement.cells)
            ways.setdefault(colour, set()).add(tuple(b - a for a, b in zip(first, second, strict=True)))
    if not more.get("wrap"):
        assert all(len(each) == 1 for each in ways.values())
