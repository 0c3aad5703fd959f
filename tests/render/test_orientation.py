"""Colours by orientation, what is drawn over tilings, and sizes of pictures."""

from __future__ import annotations

import io
import json
import re
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import matplotlib.image
import pytest
from commands import call

from tiler import formats
from tiler.apps.mathematics import plane
from tiler.ask.solve import solve
from tiler.errors import BadOption
from tiler.model import verify
from tiler.model.instance import Instance
from tiler.model.tile import Placement, Tile
from tiler.question.question import Goal, Question
from tiler.render import cell_outlines, cells, drawing, image, orientation, overlays, svg, viewer
from tiler.render.colours import PieceColours, usual
from tiler.render.options import PictureLook
from tiler.render.scene import Patch

LOZENGES = formats.inline(["hex:2", "xx"], lattice="triangular")
DOMINOES = formats.inline(["4x4", "2"])


def of_text(*rows: str) -> tuple[Instance, list[Placement]]:
    """A tiling by dominoes with a letter for each."""
    found: dict[str, set[tuple[int, int]]] = {}
    for i, row in enumerate(rows):
        for j, sign in enumerate(row):
            found.setdefault(sign, set()).add((i, j))
    found.pop(".", None)
    tiling = [Placement("2", frozenset(some)) for _, some in sorted(found.items())]
    instance = formats.inline(["1x1", "2"])
    return Instance(frozenset(cell for placed in tiling for cell in placed.cells), instance.tiles), tiling


def every(instance: Instance) -> list[tuple[Placement, ...]]:
    return list(solve(instance, "dlx", Question(Goal.ENUMERATE)).solutions)


@pytest.mark.parametrize(
    ("words", "more", "number"),
    [
        (["4x4", "2"], {}, 4),
        (["2x2x2", "2"], {}, 6),
        (["hex:2", "xx"], {"lattice": "triangular"}, 3),
        (["rhombus:4x3", "dihexes"], {"lattice": "hexagonal"}, 3),
        (["3x4", "3L"], {}, 4),
        (["3x4", "3I", "1"], {}, 3),
        (["4x4", "2"], {"wrap": "rows columns"}, 4),
        (["4x3", "2"], {"wrap": "rows columns"}, 2),  # Round an odd torus black cells become white.
    ],
)
def test_kinds_of_pieces(words: list[str], more: dict[str, str], number: int) -> None:
    instance = formats.inline(words, **more)  # type: ignore[arg-type]
    kinds = orientation.kinds(instance, [tile.name for tile in instance.tiles])
    assert len(set(kinds)) == len(kinds) == number
    answer = solve(instance, "dlx", Question(Goal.ENUMERATE))
    seen = {kind for tiling in answer.solutions for kind in orientation.orientations(instance, tiling)}
    assert seen <= set(kinds)
    if all(tile.size == 2 for tile in instance.tiles):
        assert seen == set(kinds)


def test_frozen_dominoes_are_of_one_kind() -> None:
    """Of an Aztec diamond tiled in rows, those of the upper half and those of the lower one."""
    instance, tiling = of_text("..AA..", ".BBCC.", "DDEEFF", "GGHHII", ".JJKK.", "..LL..")
    kinds = orientation.orientations(instance, tiling)
    assert len(set(kinds[:6])) == len(set(kinds[6:])) == 1
    assert kinds[0] != kinds[-1]
    assert overlays.temperate(instance, tiling) == []


def test_a_piece_across_a_seam_lies_as_any_other() -> None:
    instance = formats.inline(["4x4", "2"], wrap="rows columns")
    across, upright = frozenset({(1, 3), (1, 0)}), frozenset({(3, 2), (0, 2)})
    kinds = orientation.orientations(instance, [Placement("2", some) for some in (across, upright)])
    alike = orientation.orientations(instance, [Placement("2", frozenset(some)) for some in ({(1, 1), (1, 2)}, {(1, 2), (2, 2)})])
    assert kinds == alike


def test_colours_say_orientation_where_all_tiles_are_of_two_cells() -> None:
    assert [usual(formats.inline(["4x3", *tiles])) for tiles in (["2"], ["2", "3L"], ["1:2", "3:2"])] == [
        *("orientation", "tile", "orientation")
    ]
    instance = formats.inline(["4x3", "3L"])
    for tiling in every(instance)[:4]:
        fills = PieceColours.of(instance, [tiling], "orientation").pieces[0]
        kinds = orientation.orientations(instance, tiling)
        assert all((fills[a] == fills[b]) == (kinds[a] == kinds[b]) for a, b in combinations(range(len(tiling)), 2))
        page = viewer.document(instance, [tiling], "orientation")
        told = json.loads(re.findall(r'id="data">(.*?)</script>', page)[0])
        assert [fill for _, fill, _ in told["frames"][0]] == fills
        document = svg.draw(instance, tiling, PictureLook("orientation"))
        assert sorted(re.findall(r'class="tile" fill="(#\w+)"', document)) == sorted(fills)


@pytest.mark.parametrize(
    ("instance", "number", "flip", "pieces"), [(DOMINOES, 36, 4, 2), (LOZENGES, 20, 3, 3)], ids=["dominoes", "lozenges"]
)
def test_heights_and_paths_tell_tilings(instance: Instance, number: int, flip: int, pieces: int) -> None:
    """Pieces that turn in their place change one height."""
    tilings = every(instance)
    heights = [overlays.heights(instance, tiling) for tiling in tilings]
    paths = [frozenset(overlays.paths(instance, tiling)) for tiling in tilings]
    assert len({tuple(sorted(each.items())) for each in heights}) == len(set(paths)) == len(tilings) == number
    flips = 0
    for (one, high), (other, low) in combinations(zip(tilings, heights, strict=True), 2):
        changed = [high[corner] - low[corner] for corner in high if high[corner] != low[corner]]
        assert all(change % flip == 0 for change in changed)
        if len(changed) == 1:
            flips += 1
            assert (len(set(one) - set(other)), abs(changed[0])) == (pieces, flip)
    assert flips
    ends = [Counter(spot for step in steps for spot in step) for steps in paths]
    assert all(max(each.values()) <= 2 for each in ends)  # Paths do not meet.
    assert len({frozenset(spot for spot, times in each.items() if times == 1) for each in ends}) == 1


def test_the_rest_is_not_frozen() -> None:
    instance, tiling = of_text("AABB", "CEFD", "CEFD", "GGHH")
    assert overlays.temperate(instance, tiling) == [(1, 1), (1, 2), (2, 1), (2, 2)]
    (panel,) = drawing.panels(instance, tiling, look=PictureLook(marks="frozen"))
    (line,) = [mark for mark in panel.marks if isinstance(mark, Patch) and mark.kind == "temperate"]
    assert [len(loop) for loop in line.loops] == [4]


@pytest.mark.parametrize(
    ("instance", "marks", "said"),
    [
        (formats.inline(["3x2", "3L"]), "heights", "every piece must be of two cells"),
        (formats.inline(["4x4", "2"], wrap="columns"), "paths", "nothing is wrapped"),
        (formats.inline(["2x2x2", "2"]), "heights", "in the plane"),
        (formats.inline(["2x2x2", "2"]), "frozen", "in the plane"),
        (formats.inline(["3x3", "2", "0..1:1"]), "paths", "every piece must be of two cells"),
        (of_text("ABB", "A.C", "DDC")[0], "heights", "a hole with more cells of one colour"),
    ],
)
def test_what_has_no_heights_or_paths(instance: Instance, marks: str, said: str) -> None:
    (tiling,) = solve(instance, "dlx").solutions
    with pytest.raises(BadOption, match=said):
        drawing.panels(instance, tiling, look=PictureLook(marks=marks))


def test_a_picture_has_the_size_asked_for() -> None:
    instance = formats.inline(["4x2", "2"])
    (tiling,) = solve(instance, "dlx").solutions
    document = svg.draw(instance, tiling, PictureLook(inches=24.0))
    assert re.search(r'width="24in" height="(12|13)\.\d+in"', document)
    high, wide, _ = matplotlib.image.imread(io.BytesIO(image.draw(instance, tiling, "png", PictureLook(inches=3.0)))).shape
    assert (wide, high < wide) == (600, True)


def test_small_cells_have_no_borders() -> None:
    """Every colour is one area then, of the cells of its pieces."""
    instance = formats.inline(["30x30", "2"])
    tiling = [Placement("2", frozenset({(i, j), (i, j + 1)})) for i in range(30) for j in range(i % 3 % 2, 29, 2)]
    (panel,) = drawing.panels(instance, tiling, look=PictureLook(inches=0.5))
    fills = Counter(PieceColours.of(instance, [tiling]).pieces[0])
    areas = {mark.fill: sum(map(_area, mark.loops)) for mark in panel.marks if isinstance(mark, Patch)}
    assert {fill: area / (2 * 20 * 20) for fill, area in areas.items() if fill in fills} == pytest.approx(fills)
    assert len(panel.marks) == len(fills) + (2 * len(tiling) < 900)
    assert svg.draw(instance, tiling, PictureLook(inches=0.5)).count('shape-rendering="crispEdges"') == len(panel.marks)
    assert not any(mark.border for mark in panel.marks if isinstance(mark, Patch))
    assert len(drawing.panels(instance, tiling, look=PictureLook(inches=5.0))[0].marks) > len(tiling)


def _area(loop: Sequence[tuple[float, float]]) -> float:
    return sum(a * d - c * b for (a, b), (c, d) in zip(loop, [*loop[1:], loop[0]], strict=True)) / 2


@pytest.mark.parametrize(("words", "more"), [(["1x1", "5F"], {}), (["hex:1", "xxx"], {"lattice": "triangular"})])
def test_a_patch_of_the_plane_fills_a_square(words: list[str], more: dict[str, str]) -> None:
    answer = plane.ask(formats.inline(words, reflections=True, **more), plane.PlaneQuestion(12))  # type: ignore[arg-type]
    laid = plane.patch(answer, 300.0)
    assert laid is not None
    instance, tiling = laid
    assert verify.error_in(instance, tiling) is None
    lattice = instance.lattice
    at = [cells.spot(lattice, point) for cell in instance.board for point in cell_outlines.polygon(lattice, cell)]
    assert all(-1e-6 <= a <= 300 + 1e-6 for spot in at for a in spot)
    covered = {cell for cell in instance.board if all(100 <= a <= 200 for a in cells.centre(lattice, cell))}
    beside = {other for cell in covered for other in lattice.neighbours(cell)}
    assert len(covered) >= 20
    assert beside <= instance.board


def test_options_of_pictures(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    small, large = tmp_path / "small.svg", tmp_path / "large.svg"
    assert (
        call(capsys, "plane", "4L", "-o", str(small))[0]
        == call(capsys, "plane", "4L", "-o", str(large), "--size", "14in")[0]
        == 0
    )
    assert large.read_text().count('class="tile"') > 2 * small.read_text().count('class="tile"')
    assert 'width="14in"' in large.read_text()
    for options, said in [
        (["--size", "10in"], "--size is about pictures"),
        (["--marks", "paths", "-o", str(tmp_path / "page.html")], "--marks is about pictures"),
        (["--size", "90in", "-o", str(tmp_path / "large.png")], "60in at most"),
        (["--size", "1000in", "-o", str(small)], "no size from 0.5in to 100in"),
        (
            ["--marks", "heights", "--colours", "stripes", "-o", str(small)],
            "neither a file nor one of tile, copy",
        ),
        (["--marks", "heights", "--open", "2", "-o", str(small)], "no cell may stay open"),
    ]:
        status, _, err = call(capsys, "solve", "4x4", "2", *options)
        assert (status, said in err) == (2, True), err
    assert call(capsys, "solve", "4x4", "2", "--marks", "paths", "--size", "5cm", "-o", str(small))[0] == 0
    assert 'class="paths"' in small.read_text()


def test_pieces_turned_over_have_another_colour() -> None:
    shape = frozenset({(0, 0), (0, 1), (0, 2), (1, 2)})
    lying = [shape, frozenset({(1, 1), (2, 1), (3, 1), (3, 0)}), frozenset({(4, 0), (4, 1), (4, 2), (5, 0)})]
    instance = Instance(frozenset().union(*lying), (Tile("J", shape),), reflections=True)
    upright, turned, over = PieceColours.of(instance, [[Placement("J", cells) for cells in lying]], "side").pieces[0]
    assert upright == turned != over
