"""Colours of cells and marks of sides in pictures, on sheets, in the page for browsers, and in text."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import partial
from itertools import combinations
from math import isclose

import pytest

from tiler import formats
from tiler.apps.puzzles.printing import print_sheets
from tiler.cover.board import BoardCover
from tiler.model.colour_names import COLOUR_NAMES
from tiler.model.instance import Instance
from tiler.model.lattice import Lattice
from tiler.model.lattices import LATTICES
from tiler.model.paint import BLANK, CellSide, Coat
from tiler.model.tile import Placement
from tiler.render import cells, drawing, paint, svg, text, viewer
from tiler.render.paint import Inks
from tiler.render.scene import Patch, spots_of

SQUARES = "# colours: r red, g green\n\n2x1\n\n1:1 [rrrg]\n1:1 [rggg]\n"
JIGSAW = "# mates: tab blank\n# border: flat\n\n2x1\n\n1:1 [flat tab flat flat]\n1:1 [flat flat flat blank]\n"
TWO_FACES = "# colours: b black, w white\n# reflections: yes\n\nbw\nwb\n\n2:bw | wb\n"
HEXAGON = "# lattice: hexagonal\n\nhex:1\n\n1:x [abcdef]\n"
TRIANGLES = "# lattice: triangular\n# border: red blue\n\ntri:1\n\n1:.x [red red blue]\n"
CUBE = "# colours: r red, g green, b blue, y yellow, w white, c cyan\n\n1x1x2\n\n2:1 [rgbywc]\n"


def first_tiling(instance: Instance) -> list[Placement]:
    """The cells covered one by one, whether marks match or not."""
    cover = BoardCover.of(instance)
    found: list[Placement] = []
    for placement in cover.placements(range(len(cover))):
        used = Counter(each.tile for each in found)
        copies = instance.distinct_tiles[instance.number_of(placement.tile)].at_most
        if not any(placement.cells & each.cells for each in found) and used[placement.tile] < (copies or 9):
            found.append(placement)
    assert sum(len(each.cells) for each in found) == len(instance.board)
    return found


def area(patch: Patch) -> float:
    (loop,) = patch.loops
    return abs(sum(x * v - u * y for (x, y), (u, v) in zip(loop, [*loop[1:], loop[0]], strict=True))) / 2


@pytest.mark.parametrize("problem", [SQUARES, HEXAGON, TRIANGLES])
def test_triangles_share_out_a_cell_with_marks_all_round(problem: str) -> None:
    instance = formats.parse(problem)
    inks = Inks.of(instance)
    lattice = instance.lattice
    for placement in first_tiling(instance):
        marks = paint.areas(lattice, placement.coat, inks, lambda point: cells.spot(lattice, point))
        patches = [mark for mark in marks if isinstance(mark, Patch)]
        (cell,) = placement.cells
        whole = area(Patch([cells.alone(lattice, cell)], ""))
        assert all(isclose(area(patch), whole / len(patches)) for patch in patches)
        assert Counter(patch.title for patch in patches) == Counter(mark for _, mark in placement.coat.marks)
        assert {patch.title: patch.fill for patch in patches}.items() <= inks.fills.items()


def test_some_marks_are_bands_along_their_sides() -> None:
    instance = formats.parse("1x1\n\n1 [r . . b]\n")
    (placement,) = first_tiling(instance)
    lattice = instance.lattice
    marks = paint.areas(lattice, placement.coat, Inks.of(instance), lambda point: cells.spot(lattice, point))
    assert sorted(len(mark.loops[0]) for mark in marks if isinstance(mark, Patch)) == [4, 4]


def test_names_and_letters_of_colours_have_these_colours() -> None:
    instance = formats.parse("# mates: in out\n\n2x1\n\n1 [red g other in]\n1 [r k more out]\n")
    fills = Inks.of(instance).fills
    named = {"red": "red", "g": "green", "k": "black"}
    assert {name: fills[name] for name in named} == {name: COLOUR_NAMES[colour] for name, colour in named.items()}
    assert fills["in"] == fills["out"]
    assert len(set(fills.values())) == len(fills) - 1


def crossing(loop: list[tuple[float, float]]) -> bool:
    """Whether two sides of a loop that have no corner in common cross."""
    sides = list(zip(loop, [*loop[1:], loop[0]], strict=True))

    def turn(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
        return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

    return any(
        turn(a, b, c) * turn(a, b, d) < 0 and turn(c, d, a) * turn(c, d, b) < 0
        for (a, b), (c, d) in combinations(sides, 2)
        if len({a, b, c, d}) == 4
    )


def test_a_tab_and_its_socket_are_one_line() -> None:
    instance = formats.parse(JIGSAW)
    cover = BoardCover.of(instance)
    ways = {(min(each.cells), mark): each for each in cover.placements(range(len(cover))) for _, mark in each.coat.marks}
    left, right = ways[(0, 0), "tab"], ways[(0, 1), "blank"]
    for tiling in ([left, right], [right, left]):
        (panel,) = drawing.panels(instance, tiling)
        loops = {mark.title: mark.loops for mark in panel.marks if isinstance(mark, Patch) and mark.kind == "tile"}
        (one,), (other,) = loops[left.tile], loops[right.tile]
        between = {(round(x, 6), round(y, 6)) for x, y in one} & {(round(x, 6), round(y, 6)) for x, y in other}
        assert max(x for x, _ in between) > panel.width / 2 + 3  # The tab reaches into the right half, and so does the socket.
        assert area(Patch([one], "")) > area(Patch([other], ""))
        assert area(Patch([one], "")) + area(Patch([other], "")) == pytest.approx(panel.width * panel.height)


@pytest.mark.parametrize(
    "lattice", [lattice for lattice in LATTICES.values() if lattice.dimension == 2 and lattice.shared > 1], ids=str
)
@pytest.mark.parametrize("pair", range(4))
def test_sockets_all_round_a_cell_do_not_meet(lattice: Lattice, pair: int) -> None:
    inks = Inks({}, {"t": True, "s": False}, {"t": pair, "s": pair}, True)
    for cell in lattice.residues:
        beyond = list(lattice.neighbours(cell))
        tabs, sockets = (
            paint.outline(
                lattice,
                [cell],
                Coat((), tuple((CellSide(cell, other), mark) for other in beyond)),
                inks,
                partial(cells.spot, lattice),
            )
            for mark in "ts"
        )
        (plain,) = paint.outline(lattice, [cell], BLANK, inks, partial(cells.spot, lattice))
        assert len(tabs) == len(sockets) == 1
        assert not crossing(tabs[0])
        assert not crossing(sockets[0])
        grown, left = area(Patch(tabs, "")) - area(Patch([plain], "")), area(Patch([plain], "")) - area(Patch(sockets, ""))
        assert grown == pytest.approx(left)
        assert grown > 0


@pytest.mark.parametrize("problem", [SQUARES, JIGSAW, TWO_FACES, HEXAGON, TRIANGLES, CUBE])
def test_every_picture_shows_what_is_painted(problem: str) -> None:
    instance = formats.parse(problem)
    tiling, inks = first_tiling(instance), Inks.of(instance)
    seen = {name for each in tiling for name in (*dict(each.coat.colours).values(), *dict(each.coat.marks).values())}
    document = svg.draw(instance, tiling)
    page = json.loads(re.findall(r'id="data">(.*?)</script>', viewer.document(instance, [tiling]))[0])
    assert all(len(piece) == 4 for piece in page["frames"][0])
    told = json.dumps(page["frames"])
    for name in seen - inks.tabs.keys() - {"flat"}:
        assert inks.fills[name] in told
        assert instance.dimension == 3 or inks.fills[name] in document
    if instance.dimension == 2:
        assert print_sheets.draw(instance, print_sheets.SheetLook())[0].startswith(b"%PDF")


def test_a_sheet_shows_backs_as_they_are_seen_from_behind() -> None:
    instance = formats.parse(TWO_FACES)
    _, (front, _), (back, _), *_ = print_sheets.pages(instance, print_sheets.SheetLook())[0].placed
    black = COLOUR_NAMES["black"]

    def at(panel: object) -> list[float]:
        patches = [mark for mark in panel.marks if isinstance(mark, Patch) and mark.fill == black]  # type: ignore[attr-defined]
        return sorted(x for patch in patches for x, _ in patch.loops[0])

    # Its black cell is the left one, and so it is behind: turned over, the black cell of the back is at the left again.
    assert at(front) == pytest.approx(at(back))
    assert (front.heading, back.heading) == ("bw|wb", "bw|wb (back)")


def test_borders_that_want_marks_are_drawn_outside() -> None:
    instance = formats.parse(TRIANGLES)
    lattice = instance.lattice
    bands = list(paint.wanted(instance, lattice, Inks.of(instance), lambda point: cells.spot(lattice, point)))
    assert Counter(band.title for band in bands if isinstance(band, Patch)) == {"red": 3, "blue": 3}
    (panel,) = drawing.panels(instance, ())
    plain = drawing.panels(formats.parse(TRIANGLES.replace("# border: red blue\n", "")), ())[0]
    assert panel.width > plain.width


@pytest.mark.parametrize(
    ("marks", "rows", "below"),
    [
        ("1 2 x A", ("   1   ", " A   2 ", "   x   "), ""),
        # What stands for itself stands for no other name.
        ("a ab 12 1", ("   a   ", " 1   c ", "   b   "), "\n\nb 12, c ab"),
    ],
)
def test_a_mark_of_one_character_is_drawn_as_it_is(marks: str, rows: tuple[str, ...], below: str) -> None:
    instance = formats.parse(f"# turning: no\n\n1x1\n\n1:1 [{marks}]\n")
    shown = text.draw(instance, first_tiling(instance), colour=False)
    assert shown == "\n".join(["┌───────┐", *(f"│{row}│" for row in rows), "└───────┘"]) + below


def test_text_has_letters_for_colours_and_marks() -> None:
    instance = formats.parse(SQUARES)
    one, two = (
        next(each for each in BoardCover.of(instance).placements(range(16)) if each.tile == name and each.cells == {cell})
        for name, cell in (("rrrg", (0, 0)), ("rggg", (0, 1)))
    )
    wanted = ["┌───────┬───────┐", "│   {}   │   {}   │", "│ {}   {} │ {}   {} │", "│   {}   │   {}   │", "└───────┴───────┘"]
    signs = [{side.beyond: mark[0] for side, mark in each.coat.marks} for each in (one, two)]
    ways = [(-1, 0), (0, -1), (0, 1), (1, 0)]
    top, left, right, bottom = ([each[y, x + n] for n, each in enumerate(signs)] for y, x in ways)
    between = [sign for pair in zip(left, right, strict=True) for sign in pair]
    drawn = "\n".join(wanted).format(*top, *between, *bottom)
    assert text.draw(instance, [one, two], colour=False) == f"{drawn}\n\ng green, r red"
    two_faces = formats.parse(TWO_FACES)
    assert "│ b   w │" in text.draw(two_faces, first_tiling(two_faces), colour=False)
    assert text.draw(two_faces, (), colour=False).endswith("\n\nb black, w white")


def test_pieces_with_tabs_lie_apart_on_a_sheet() -> None:
    instance = formats.read("edges/jigsaw-6-3x2_s")
    placed = [each for page in print_sheets.pages(instance, print_sheets.SheetLook())[1:] for each in page.placed]
    boxes = []
    for panel, (left, top) in placed:
        spots = [spot for mark in panel.marks for spot in spots_of(mark)]
        across, down = [left + x for x, _ in spots], [top + y for _, y in spots]
        boxes.append((min(across), max(across), min(down), max(down)))
        assert min(*across, *down) >= print_sheets.MARGIN - 1e-6
    for (a, b, c, d), (e, f, g, h) in combinations(boxes, 2):
        assert max(e - b, a - f, g - d, c - h) >= print_sheets.GAP - 1e-6
