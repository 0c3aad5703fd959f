"""One scene for all: where panels lie on pages, lines joined, and colours that picture, sheet and page for browsers share."""

from __future__ import annotations

import io
import json
import re
from itertools import combinations, permutations
from math import dist

import matplotlib.image
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tiler import formats
from tiler.apps.puzzles.printing import print_sheets
from tiler.ask.solve import solve
from tiler.errors import BadOption
from tiler.model.lattice import Lattice
from tiler.model.lattices import LATTICES
from tiler.model.polyforms import polyforms
from tiler.question.question import Goal, Limits, Question
from tiler.render import cell_outlines, colours, image, pages, scene, svg, text, viewer
from tiler.render.colours import BY, PieceColours
from tiler.render.options import PictureLook
from tiler.render.scene import Page, Panel, Patch

PLANE = [lattice for lattice in LATTICES.values() if lattice.dimension == 2 and lattice.shared == 2]
panels = st.builds(
    lambda heading, wide, high: Panel(heading, wide, high, [Patch([[(0, 0), (wide, 0), (wide, high), (0, high)]], "#ff0000")]),
    *(st.sampled_from(["", "1", "layer 12", "a longer name"]), st.floats(1, 300), st.floats(1, 300)),
)


@given(st.lists(panels, min_size=1, max_size=8), st.sampled_from([pages.of_tiling, pages.side_by_side, pages.album]))
def test_panels_lie_on_the_page_and_not_on_each_other(some: list[Panel], how: object) -> None:
    page: Page = how(some)  # type: ignore[operator]
    assert len(page.placed) == len(some)
    for panel, (x, y) in page.placed:
        assert min(x, y) >= 0
        assert x + panel.width <= page.width
        assert y + panel.height <= page.height
        for a, b in (spot for mark in panel.marks for spot in scene.spots_of(mark)):
            assert -1e-6 <= a <= panel.width + 1e-6
            assert -1e-6 <= b <= panel.height + 1e-6
    for (one, (x, y)), (two, (a, b)) in combinations(page.placed, 2):
        assert x + one.width <= a or a + two.width <= x or y + one.height <= b or b + two.height <= y


def test_pictures_of_an_album_fill_boxes_of_one_size() -> None:
    some = [Panel("x" * 40, wide, high, [Patch([[(0, 0), (wide, high)]], "none", 2.0)]) for wide, high in ((10, 5), (600, 900))]
    for (panel, _), before in zip(pages.album(some).placed, some, strict=True):
        patch = panel.marks[0]
        assert isinstance(patch, Patch)
        times = 150 / max(before.width, before.height)
        assert max(panel.width, panel.height) <= 150
        (left, top), (right, bottom) = patch.loops[0]
        assert (right - left, bottom - top) == pytest.approx((times * before.width, times * before.height))
        assert patch.border == pytest.approx(2 * times)
        said = [mark.said for mark in panel.marks if isinstance(mark, scene.Label)]
        assert ("".join(said[::-1]), max(map(len, said)) < 30) == ("x" * 40, True)


@pytest.mark.parametrize("lattice", PLANE, ids=str)
@given(data=st.data())
def test_long_lines_are_made_of_all_sides_within(lattice: Lattice, data: st.DataObject) -> None:
    shape = data.draw(st.sampled_from(polyforms(lattice, 6))).shape
    sides = cell_outlines.inner_lines(lattice, shape)
    lines = cell_outlines.long_lines(lattice, [shape])
    assert all(sum(_holds(line, side) for line in lines) == 1 for side in sides)
    assert sum(map(_length, lines)) == pytest.approx(sum(map(_length, sides)))
    for one, two in permutations(lines, 2):
        assert one[1] != two[0] or not _holds((one[0], two[1]), (one[0], one[1]))


Line = tuple[tuple[int, ...], tuple[int, ...]]


def _holds(line: Line, part: Line) -> bool:
    """Whether both ends of the one lie on the other."""
    (a, b), (e, f) = line
    return all(
        (c - a) * (f - b) == (d - b) * (e - a) and min(a, e) <= c <= max(a, e) and min(b, f) <= d <= max(b, f) for c, d in part
    )


def _length(line: Line) -> float:
    return dist(*line)


def test_picture_sheet_and_page_agree_on_colours() -> None:
    instance = formats.inline(["6x2", "2:2", "1:4L", "1:4J"])
    (tiling,) = solve(instance, "dlx").solutions
    (fills,), tiles = PieceColours.of(instance, [tiling]).pieces, PieceColours.of(instance, ()).tiles
    page = viewer.document(instance, [tiling])
    told = json.loads(re.findall(r'id="data">(.*?)</script>', page)[0])
    assert [fill for _, fill, _ in told["frames"][0]] == fills
    assert told["colours"] == [tiles[tile.name] for tile in instance.distinct_tiles]
    assert sorted(re.findall(r'class="tile" fill="(#\w+)"', svg.draw(instance, tiling))) == sorted(fills)
    single = {placed.tile: fill for placed, fill in zip(tiling, fills, strict=True) if placed.tile != "2"}
    assert single == {name: tiles[name] for name in single}
    sheet = print_sheets.draw(instance, print_sheets.SheetLook())[0].decode("latin-1")
    for fill in tiles.values():
        red, green, blue = (int(fill[k : k + 2], 16) / 255 for k in (1, 3, 5))
        assert any(
            all(abs(float(a) - b) < 0.001 for a, b in zip(found, (red, green, blue), strict=True))
            for found in re.findall(r"([\d.]+)\s([\d.]+)\s([\d.]+)\srg", sheet)
        )


def test_a_tile_has_the_same_colour_in_all_tilings_of_an_album() -> None:
    """Also in those where other tiles are used."""
    instance = formats.inline(["4x3", *(f"0..1:{tile}" for tile in ("1", "2", "3I", "3L", "4O", "4L", "5P"))])
    tilings = solve(instance, "dlx", Question(Goal.ENUMERATE, Limits(solutions=40))).solutions
    assert len({frozenset(placed.tile for placed in tiling) for tiling in tilings}) > 1
    chosen = PieceColours.of(instance, tilings)
    assert {
        (placed.tile, fill)
        for tiling, fills in zip(tilings, chosen.pieces, strict=True)
        for placed, fill in zip(tiling, fills, strict=True)
    } <= set(chosen.tiles.items())


def test_a_document_and_an_image_are_of_one_form() -> None:
    instance = formats.inline(["3x3x2", "2"])
    (tiling,) = solve(instance, "dlx").solutions
    found = re.search(r'width="(\d+)" height="(\d+)"', svg.draw(instance, tiling))
    assert found is not None
    high, wide, _ = matplotlib.image.imread(io.BytesIO(image.draw(instance, tiling))).shape
    assert wide / high == pytest.approx(int(found[1]) / int(found[2]), rel=0.02)


@pytest.mark.parametrize("how", [*BY, None, {"5X": "#000000", "F": "#00ff00"}], ids=str)
def test_every_picture_of_an_instance_has_the_same_colours(how: str | dict[str, str] | None) -> None:
    """A solution, another one, the sheet, the clues on it, the page for a browser, and the text of a terminal."""
    instance = formats.parse("# fill: 5X #aa0000\n# place: X 2,0 1,1 2,1 3,1 2,2\n\n6x10\n\n1:pentominoes\n")
    tilings = solve(instance, "dlx", Question(Goal.ENUMERATE, Limits(solutions=2))).solutions
    assert tilings
    look = PictureLook(how)
    tiles = PieceColours.of(instance, (), how).tiles
    for tiling, fills in zip(tilings, PieceColours.of(instance, tilings, how).pieces, strict=True):
        if how not in ("orientation", "side"):
            assert {placed.tile: fill for placed, fill in zip(tiling, fills, strict=True)} == tiles
        assert sorted(re.findall(r'class="tile" fill="(#\w+)"', svg.draw(instance, tiling, look))) == sorted(fills)
        page = json.loads(re.findall(r'id="data">(.*?)</script>', viewer.document(instance, [tiling], how))[0])
        assert [fill for _, fill, _ in page["frames"][0]] == fills
        assert page["colours"] == [tiles[tile.name] for tile in instance.distinct_tiles]
        tones = {tone.terminal for tone in PieceColours.of(instance, [tiling], how).tones[0]}
        written = text.draw(instance, tiling, colour=True, look=look)
        assert {int(number) for number in re.findall(r"48;5;(\d+)m", written)} == tones
    sheet = print_sheets.draw(instance, print_sheets.SheetLook(colours=how))[0].decode("latin-1")
    seen = {_as_pdf(fill) for fill in tiles.values() if fill[1:3] != fill[3:5]}  # Greys are written in another way.
    assert {" ".join(found) for found in re.findall(r"([\d.]+)\s([\d.]+)\s([\d.]+)\srg", sheet)} >= seen
    if how in (None, "tile"):
        assert tiles["5X"] == "#aa0000"
    if isinstance(how, dict):
        assert (tiles["5X"], tiles["5F"]) == ("#000000", "#00ff00")


def _as_pdf(fill: str) -> str:
    return " ".join(f"{int(fill[k : k + 2], 16) / 255:.10f}".rstrip("0").rstrip(".") for k in (1, 3, 5))


def test_colours_of_other_tiles_are_refused() -> None:
    instance = formats.inline(["4x4", "4L"])
    with pytest.raises(BadOption, match="the colours are of other tiles; there are 4L"):
        PieceColours.of(instance, (), {"5X": "#000000"})


def test_copies_on_the_board_are_those_of_the_sheet() -> None:
    instance = formats.inline(["4x4", "2:4I", "2:4O"])
    (tiling, *_) = solve(instance, "dlx").solutions
    (fills,) = PieceColours.of(instance, [tiling], "copy").pieces
    assert sorted(fills) == sorted(map(colours.fill, range(4)))
    assert {fill for placed, fill in zip(tiling, fills, strict=True) if placed.tile == "4I"} == {colours.fill(0), colours.fill(1)}
