"""Labels of cells and names of pieces: they are in their cells, in letters of one size, on all kinds of pictures."""

from __future__ import annotations

import re

import pytest
from commands import call
from hypothesis import given
from hypothesis import strategies as st

from tiler import formats
from tiler.apps.puzzles.printing import print_sheets
from tiler.apps.puzzles.printing.print_sheets import SheetLook
from tiler.ask.solve import solve
from tiler.model.lattice import Lattice
from tiler.model.lattices import LATTICES, SQUARE
from tiler.render import cells, drawing, heat_maps, lettering, text
from tiler.render.lettering import Word
from tiler.render.options import USUAL
from tiler.render.scene import SIDE, Dots, Label, Mark, Patch

CALENDAR = "# labels: jan feb mar\n# labels: 1 2 30\n# group: month jan..mar\n# group: day 1..30\n\nooo\nooo\n\n1:4I\n1:4L\n"
POLYGONS = [lattice for lattice in LATTICES.values() if lattice.dimension == 2 and lattice.shared == 2]


def labels(marks: list[Mark]) -> dict[str, Label]:
    return {mark.said: mark for mark in marks if isinstance(mark, Label)}


def board(*, open_cells: str = "", clue: str = "") -> list[Mark]:
    instance = formats.parse(clue + CALENDAR)
    first, *_ = print_sheets.pages(instance.with_open(open_cells) if open_cells else instance, SheetLook(unit=20))
    (panel, _), *_ = first.placed
    return list(panel.marks)


def test_the_labels_of_a_calendar_are_on_its_sheet() -> None:
    found = labels(board())
    assert set(found) == {"jan", "feb", "mar", "1", "2", "30"}
    assert len({label.size for label in found.values()}) == 1
    for said, row, column in (("jan", 0, 0), ("mar", 0, 2), ("1", 1, 0)):
        x, y = found[said].at
        assert (x // 20, y // 20) == (column, row)
    # What lies there already hides them.
    assert set(labels(board(clue="# place: 4L 0,0 0,1 0,2 1,0\n"))) == {"2", "30", "4L"}


def test_cells_that_stay_open_are_hatched_on_a_sheet() -> None:
    def hatched(marks: list[Mark]) -> list[int]:
        return [len(mark.loops) for mark in marks if isinstance(mark, Patch) and mark.kind == "optional"]

    assert hatched(board(open_cells="jan 30")) == [2]
    assert hatched(board()) == []


def test_labels_of_drawings_and_heat_maps_have_one_size() -> None:
    (panel,) = drawing.panels(formats.parse(CALENDAR), ())
    shown = heat_maps.Heat(SQUARE, ((0, 0), (0, 1)), ("a",), ((1,), (2,)), 2, ("wide", "1"))
    document = heat_maps.svg(shown)
    assert len({label.size for label in labels(list(panel.marks)).values()}) == 1
    assert len(set(re.findall(r'font-size="([\d.]+)"[^>]*>(?:wide|1)<', document))) == 1


@pytest.mark.parametrize("lattice", POLYGONS, ids=str)
@given(said=st.text("abcimw1XYZ", min_size=1, max_size=12))
def test_words_stay_inside_cells(lattice: Lattice, said: str) -> None:
    for cell in lattice.residues:
        loop = cells.alone(lattice, cell)
        (label,) = lettering.written([Word(said, [loop])], SIDE)
        half, high = lettering.width(said) * label.size / 2, lettering.HIGH * label.size
        (x, y) = label.at
        for corner in ((x - half, y), (x + half, y), (x - half, y - high), (x + half, y - high)):
            turns = [
                (c - a) * (corner[1] - b) - (d - b) * (corner[0] - a)
                for (a, b), (c, d) in zip(loop, [*loop[1:], loop[0]], strict=True)
            ]
            assert min(turns) > 0  # to the right of all sides, which go round clockwise


def test_a_word_without_room_does_not_make_the_others_small() -> None:
    loop = cells.alone(SQUARE, (0, 0))
    one, two, long = (
        label.size for label in lettering.written([Word("a", [loop]), Word("bb", [loop]), Word("c" * 20, [loop])], 10.0)
    )
    assert one == two == 10.0
    assert long < 2.0


@pytest.mark.parametrize("problem", ["classic/soma_s", "calendars/a-puzzle-a-day_s"])
def test_names_have_one_size_and_no_dot_lies_on_them(problem: str) -> None:
    instance = formats.read(problem)
    instance = instance.with_open("jan 25") if instance.labels else instance
    tiling = solve(instance, "dlx").solutions[0]
    panels = drawing.panels(instance, tiling, look=USUAL._replace(names=True))
    names = [mark for panel in panels for mark in panel.marks if isinstance(mark, Label)]
    assert {label.said for label in names} >= {placement.tile for placement in tiling}
    assert len({label.size for label in names}) == 1
    for panel in panels:
        dots = [(*spot, mark.radius) for mark in panel.marks if isinstance(mark, Dots) for spot in mark.middles]
        for label in (mark for mark in panel.marks if isinstance(mark, Label)):
            (x, y), half = label.at, lettering.width(label.said) * label.size / 2
            for across, down, radius in dots:
                near = abs(across - x) < half + radius and y - lettering.HIGH * label.size - radius < down < y + radius
                assert not near, label.said


LONG = """\
# reflections: yes
# labels: january february march
# labels: 1 2 30
# group: month january..march
# group: day 1..30

ooo
ooo

1:4S
"""


@pytest.mark.parametrize("colour", [False, True])
def test_text_drawings_have_room_for_labels(colour: bool) -> None:
    instance = formats.parse(LONG)
    drawn = text.draw(instance, (), colour=colour, width=80)
    assert set(drawn.split()) >= {"1", "2", "30"}
    assert all(label in drawn for label in ("january", "february", "march"))
    narrow = text.draw(instance, (), colour=colour, width=20)
    assert max(map(len, narrow.partition("\n\n")[0].split("\n"))) <= 20
    assert "janu… january" in " ".join(narrow.split())
    (tiling,) = solve(instance.with_open("january 30"), "dlx").solutions[:1]
    assert "january" in text.draw(instance, tiling, colour=colour, width=80)
    assert "march" not in text.draw(instance, tiling, colour=colour, width=80)


def test_facts_fit_into_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    status, said, _ = call(capsys, "show", "calendars/weekdays_s")
    assert (status, "month, day, weekday, in the plane" in said) == (0, True)
    assert [line for line in said.split("\n") if len(line) > 80 and "https:" not in line] == []


def test_the_heat_map_of_a_calendar_has_numbers_and_a_scale_of_ratios() -> None:
    cells_ = tuple((0, k) for k in range(4))
    heat = heat_maps.Heat(
        SQUARE, cells_, ("jan",), ((0,), (2,), (20,), (200,)), 222, ("jan", "1", "2", "3"), frozenset(cells_[1:]), "x"
    )
    document = heat_maps.svg(heat)
    assert re.findall(r"<text[^>]*>([^<]*)</text>", document) == [
        "jan",
        "1",
        "2",
        "3",
        "2",
        "20",
        "200",
        "jan",  # The heading of the panel.
        "2",
        "200",
        "tilings",
        "x",
    ]
    shares = [heat_maps._Scale.of(heat).share(count) for (count,) in heat.counts]
    assert (shares[0], shares[3]) == (0.0, 1.0)
    assert shares[2] - shares[1] == pytest.approx(shares[3] - shares[2])
    plain = heat_maps.svg(heat_maps.Heat(SQUARE, cells_, ("2",), ((1,), (2,), (3,), (4,)), 4))
    assert re.findall(r"<text[^>]*>([^<]*)</text>", plain) == ["2", "0%", "100%", "of the tilings"]
