"""Put pages on paper: a picture that fills a page, below a title; and worksheets with several problems on a page. Lengths are in
mm."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tiler import printable
from tiler.errors import BadOption
from tiler.render import pages, scene
from tiler.render.cell_outlines import Spot
from tiler.render.pages import LETTER
from tiler.render.scene import INK, SIDE, Label, Lines, Page, Panel

PAPERS: Mapping[str, tuple[float, float]] = {
    "A5": (148, 210),
    "A4": (210, 297),
    "A3": (297, 420),
    "A2": (420, 594),
    "letter": (215.9, 279.4),
    "tabloid": (279.4, 431.8),
}
INCH = 25.4
USUAL = "A4"
_MARGIN = 15.0
_TITLE, _WORDS, _LEAST = 6.0, 4.0, 2.5  # sizes of letters
_BETWEEN = 8.0  # between problems, and below lines of words
_CELL = 30.0  # the side of a cell, at most
_SMALL_CELL = 12.0  # on a worksheet
_ALIKE = 1.5  # if the scales of the problems on a page differ by less than this, they get one
_GREY = "#767676"
_BESIDE = 18.0  # units between pieces


class Exercise(NamedTuple):
    """A problem on a worksheet."""

    title: str
    level: str  #: how hard it is, in a word; or nothing
    board: Panel
    pieces: Sequence[Panel]
    solution: Panel


def filled(page: Page, title: str, times: float = 0.0) -> Page:
    """A page on paper of the usual size, upright or on its side, as large as there is room; or enlarged by `times`. A page with a
    size of its own is left alone. BadOption if there is no room for it."""
    if page.inches:
        return page
    width, height = PAPERS[USUAL] if page.width <= page.height * 1.05 else PAPERS[USUAL][::-1]
    wide, high = width - 2 * _MARGIN, height - 2 * _MARGIN - _TITLE - _BETWEEN
    most = min(wide / page.width, high / page.height)
    if times > most * 1.0001:
        raise BadOption(f"--unit: at most {100 * most / times:.0f} % of that has room on {USUAL}; or --size sets another size")
    times = times or min(most, _CELL / SIDE)
    left, top = _MARGIN + (wide - page.width * times) / 2, _MARGIN + _TITLE + _BETWEEN
    placed = [(_scaled(panel, times), (left + x * times, top + y * times)) for panel, (x, y) in page.placed]
    heading = _said(title, width / 2, _MARGIN + _TITLE, wide, _TITLE, centred=True)
    return _sheet(width, height, [*placed, (heading, (0.0, 0.0))])


def worksheets(exercises: Sequence[Exercise], per_page: int, paper: str, *, solutions: bool) -> list[Page]:
    """Pages with some problems each and a line for a name, then pages with all solutions."""
    width, height = PAPERS[paper]
    room = width - 2 * _MARGIN, height - 2 * _MARGIN - 2 * _BETWEEN
    columns = math.ceil(math.sqrt(per_page / 2)) if per_page > 2 else 1
    rows = math.ceil(per_page / columns)
    numbered = list(enumerate(exercises, 1))
    made = []
    for first in range(0, len(numbered), per_page):
        boxes = [_exercise(*each) for each in numbered[first : first + per_page]]
        made.append(_sheet(width, height, [(_name_line(width), (0.0, 0.0)), *_in_boxes(boxes, columns, rows, room)]))
    if solutions:
        heading = _said("Solutions", _MARGIN, _MARGIN + _WORDS, room[0], _TITLE)
        across, down = (4, 5)
        for first in range(0, len(numbered), across * down):
            boxes = [_solution(*each) for each in numbered[first : first + across * down]]
            made.append(_sheet(width, height, [(heading, (0.0, 0.0)), *_in_boxes(boxes, across, down, room)]))
    return made


class _Box(NamedTuple):
    """What stands in a box of a worksheet: a line of words, another at its right end, and panels."""

    words: str
    beside: str
    panels: Sequence[Panel]


def _exercise(number: int, exercise: Exercise) -> _Box:
    return _Box(f"{number}. {exercise.title}".strip(), exercise.level, [exercise.board, *exercise.pieces])


def _solution(number: int, exercise: Exercise) -> _Box:
    return _Box(f"{number}.", "", [exercise.solution])


def _in_boxes(boxes: Sequence[_Box], columns: int, rows: int, room: Spot) -> list[tuple[Panel, Spot]]:
    wide, high = (room[0] + _BETWEEN) / columns - _BETWEEN, (room[1] + _BETWEEN) / rows - _BETWEEN
    above = _WORDS + 0.5 * _BETWEEN
    laid = [_largest(box.panels, wide, high - above, _SMALL_CELL / SIDE) for box in boxes]
    scales = [scale for scale, _ in laid]
    is_one = max(scales) < _ALIKE * min(scales)
    placed = []
    for number, box in enumerate(boxes):
        x = _MARGIN + number % columns * (wide + _BETWEEN)
        y = _MARGIN + 2 * _BETWEEN + number // columns * (high + _BETWEEN)
        level = LETTER * _WORDS * (len(box.beside) + 1) if box.beside else 0.0
        placed.append((_said(box.words, 0.0, _WORDS, wide - level, _WORDS), (x, y)))
        words = Label((wide - level, _WORDS), box.beside, _WORDS * 0.9, _GREY)
        placed.append((Panel("", 0.0, 0.0, [words]), (x, y)))
        times, spots = _largest(box.panels, wide, high - above, min(scales) if is_one else scales[number])
        corners = [(x + a * times, y + above + b * times) for a, b in spots]
        placed += [(_scaled(panel, times), corner) for panel, corner in zip(box.panels, corners, strict=True)]
    return placed


def _largest(panels: Sequence[Panel], wide: float, high: float, most: float) -> tuple[float, list[Spot]]:
    """The first panel and the others in rows below it, and by how much they can be enlarged, `most` at most."""
    first, *others = panels
    times = min(most, *(wide / panel.width for panel in panels))
    while True:
        spots, bottom = [(0.0, 0.0)], first.height
        for row in pages.on_sheets([(panel.width, panel.height) for panel in others], (wide / times, math.inf), _BESIDE):
            spots += [(x, first.height + _BESIDE + y) for _, (x, y) in row]
            bottom = max([bottom, *(first.height + _BESIDE + y + others[number].height for number, (_, y) in row)])
        if bottom * times <= high:
            return times, spots
        times *= 0.97


def _scaled(panel: Panel, times: float) -> Panel:
    marks = [scene.moved(mark, 0.0, 0.0, times) for mark in panel.marks]
    return Panel(panel.heading, panel.width * times, panel.height * times, marks, kind=panel.kind)


def _said(words: str, x: float, y: float, wide: float, size: float, *, centred: bool = False) -> Panel:
    """A line of words in letters of a size, or smaller ones if there is no room."""
    fits = min(size, max(_LEAST, wide / (LETTER * max(1, len(words)))))
    said = printable.shortened(words, max(8, int(wide / (LETTER * fits))))
    return Panel("", 0.0, 0.0, [Label((x, y), said, fits, INK, centred)])


def _name_line(width: float) -> Panel:
    y = _MARGIN + _WORDS
    start = _MARGIN + LETTER * _WORDS * 6
    line = Lines([((start, y + 0.8), (width / 2, y + 0.8))], _GREY, 0.25)
    return Panel("", 0.0, 0.0, [Label((_MARGIN, y), "Name:", _WORDS), line])


def _sheet(width: float, height: float, placed: Sequence[tuple[Panel, Spot]]) -> Page:
    return Page(width, height, placed, inches=max(width, height) / INCH, grain=INCH / 72)
