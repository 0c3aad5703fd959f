"""Sheets of shapes: every shape with its name, its cells, and nothing over anything else."""

from __future__ import annotations

import io
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from strategies import shapes

from tiler.cli.main import main
from tiler.model.lattice import Shape
from tiler.model.piece_sets import SETS
from tiler.model.shapes import parse_shape
from tiler.render import image, sheet, solid, svg

SVG = "{http://www.w3.org/2000/svg}"


def groups(document: str) -> dict[str, ElementTree.Element]:
    root = ElementTree.fromstring(document)
    return {str(each.findtext(f"{SVG}title")): each for each in root.findall(f"{SVG}g[@class='shape']")}


def corners(group: ElementTree.Element) -> list[tuple[float, float]]:
    """Of all areas and lines, as they lie on the sheet."""
    moved = re.fullmatch(r"translate\(([\d.-]+) ([\d.-]+)\)", group.attrib["transform"])
    assert moved
    x, y = map(float, moved.groups())
    found = []
    for path in group.iter(f"{SVG}path"):
        for letter, a, _, b in re.findall(r"([MLHV])(-?[\d.]+)( (-?[\d.]+))?", path.attrib["d"]):
            last = found[-1] if found else (0.0, 0.0)
            found.append({"H": (float(a), last[1]), "V": (last[0], float(a))}.get(letter) or (float(a), float(b)))
    return [(a + x, b + y) for a, b in found]


@pytest.mark.parametrize("name", ["pentominoes", "one-sided-hexominoes", "tetracubes", "bedlam", "heptominoes"])
def test_every_shape_is_there_and_keeps_its_distance(name: str) -> None:
    pieces = SETS[name].shapes()
    document = svg.of_page(sheet.page(pieces), "A sheet")
    found = groups(document)
    assert list(found) == list(pieces)
    root = ElementTree.fromstring(document)
    wide, high = (float(root.attrib[side]) for side in ("width", "height"))
    assert 0.6 < wide / high < 2.5
    boxes = []
    for piece, group in found.items():
        assert group.findtext(f"{SVG}text") == piece
        xs, ys = zip(*corners(group), strict=True)
        assert 0 < min(xs) < max(xs) < wide
        assert 0 < min(ys) < max(ys) < high
        boxes.append((min(xs), max(xs), min(ys), max(ys)))
    for number, (left, right, top, bottom) in enumerate(boxes):
        for other in boxes[:number]:
            assert right < other[0] or other[1] < left or bottom < other[2] or other[3] < top


def test_cells_and_borders_of_a_flat_shape() -> None:
    (group,) = groups(svg.of_page(sheet.page({"L": parse_shape("3L")}), "")).values()
    area, thin = (path.attrib["d"] for path in group.iter(f"{SVG}path"))
    assert (area.count("Z"), len(re.findall("[MHV]", area)), thin.count("M")) == (1, 6, 2)


@given(shapes(3, 7, 2))
def test_a_solid_shape_is_turned_and_not_mirrored(shape: Shape) -> None:
    turned = sheet._turned(shape)
    assert turned in sheet.CUBIC.variants(sheet.CUBIC.normalise(shape), reflections=False)
    seen = {side.cell for side in solid.seen(sheet.CUBIC, dict.fromkeys(turned, 0))}
    assert seen <= turned
    shown = set(dict(sheet._in_front(turned)).values())
    assert shown <= seen
    for other in sheet.CUBIC.variants(shape, reflections=False):
        assert len(set(dict(sheet._in_front(other)).values())) <= len(shown)


def test_what_lies_in_front_is_seen() -> None:
    # Three cells along the line of sight look like one.
    line = frozenset({(0, 0, 0), (1, 1, 1), (2, 2, 2)})
    assert set(dict(sheet._in_front(line)).values()) == {(2, 2, 2)}
    tower = frozenset({(0, 0, 0), (1, 0, 0)})
    assert {cell: list(dict(sheet._in_front(tower)).values()).count(cell) for cell in tower} == {(0, 0, 0): 4, (1, 0, 0): 6}


@pytest.mark.parametrize("form", ["png", "pdf"])
def test_pictures(form: str) -> None:
    import matplotlib.image

    data = image.of_page(sheet.page(SETS["soma"].shapes()), "Soma", form)
    assert data.startswith({"png": b"\x89PNG", "pdf": b"%PDF"}[form])
    assert data == image.of_page(sheet.page(SETS["soma"].shapes()), "Soma", form)
    if form == "png":
        high, wide, _ = matplotlib.image.imread(io.BytesIO(data)).shape
        assert 200 < high < 2000
        assert 200 < wide < 2000


# The command.


def test_sheets_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "sheet.svg"
    assert main(["shapes", "hexominoes", "4L", "-o", str(out)]) == 0
    assert len(groups(out.read_text())) == 36
    assert main(["shapes", "-o", str(out)]) == 0
    assert len(groups(out.read_text())) == 49
    assert capsys.readouterr() == ("", "")
    assert main(["shapes", "6", "-o", str(tmp_path / "sheet.txt")]) == 2
    assert main(["shapes", "octacubes", "-o", str(out)]) == 2
    assert main(["shapes", "hexominos", "-o", str(out)]) == 2
    assert main(["shapes", "10"]) == 2
    assert [line.partition(": ")[2] for line in capsys.readouterr().err.splitlines()] == [
        f"{tmp_path / 'sheet.txt'}: the name of a picture must end in .svg, .png, .pdf",
        "there is room for 5,000 shapes on a sheet, not for 6,922",
        "'hexominos' is not a shape; nearest: hexominoes, heptominoes, dominoes (see tiler shapes)",
        "shapes of 1 to 9 cells are listed, not of 10",
    ]


def test_galleries_in_text(capsys: pytest.CaptureFixture[str]) -> None:
    def words(*names: str) -> list[str]:
        assert main(["shapes", *names]) == 0
        out = capsys.readouterr().out
        assert max(map(len, out.splitlines())) <= 80
        return out.split()

    assert {"6-01", "6-35", "6c-01", "6c-77"} <= set(words("6"))
    assert "6-02m" not in words("6")
    assert {"6-02m", "6-35m"} <= set(words("one-sided-hexominoes"))
    assert {"4I", "4J", "4^", "4>"} <= set(words("4"))
    assert words("xxx./..xx/...x")[:3] == ["xxx./..xx/...x", "=", "6-22"]
    assert words("X", "5X")[:2] == ["X", "5X"]
    assert {*SETS, "6-01"} <= {word.strip(",.") for word in words()}
