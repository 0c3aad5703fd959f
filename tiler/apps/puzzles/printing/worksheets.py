"""Write worksheets: several problems on a page, from easy to hard for people, with their pieces; and their solutions on the last
pages. Lengths are in mm.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from tiler.api.answers import instance_picture
from tiler.apps.puzzles.grade import Grade, grade
from tiler.ask.solve import solve
from tiler.errors import InputError
from tiler.model.instance import Instance
from tiler.model.placed import placed
from tiler.render import drawing, image, pages, papers, svg
from tiler.render.cell_outlines import Spot
from tiler.render.colours import Colouring
from tiler.render.options import PictureLook
from tiler.render.pages import LETTER
from tiler.render.papers import BETWEEN, MARGIN, PAPERS, TITLE, line_of_words, scaled, sheet
from tiler.render.scene import SIDE, Label, Lines, Page, Panel

_WORDS = 4.0  # size of letters
_SMALL_CELL = 12.0  # the side of a cell, at most
_ALIKE = 1.5  # if the scales of the problems on a page differ by less than this, they get one
_GREY = "#767676"
_BESIDE = 18.0  # units between pieces


class WorksheetLook(NamedTuple):
    per_page: int = 4  #: problems on a page
    solutions: bool = False
    paper: str = papers.USUAL
    colours: Colouring = None


class Exercise(NamedTuple):
    """A problem on a worksheet."""

    title: str
    level: str  #: how hard it is, in a word; or nothing
    board: Panel
    pieces: Sequence[Panel]
    solution: Panel


def draw(instances: Sequence[Instance], look: WorksheetLook, form: str = "pdf") -> list[bytes]:
    """The content of files: one PDF, or an SVG or a PNG for each page. InputError if a problem has no tiling."""
    graded = sorted(((instance, grade(instance)) for instance in instances), key=lambda each: _rank(each[1]))
    exercises = [_exercise(instance, level, look) for instance, level in graded]
    these = laid_out(exercises, look.per_page, look.paper, solutions=look.solutions)
    if form == "svg":
        return [svg.of_page(page, "worksheet").encode() for page in these]
    return [image.of_pages(these, "worksheets")] if form == "pdf" else [image.of_page(page, "worksheet", form) for page in these]


def _rank(level: Grade | None) -> tuple[object, ...]:
    """For sorting: problems that are too large for a grade come last."""
    return (True,) if level is None else (False, *level.key)


def _exercise(instance: Instance, level: Grade | None, look: WorksheetLook) -> Exercise:
    found = solve(instance).solutions
    if not found:
        raise InputError(f"{instance.heading or 'a problem'}: there is no tiling, so it is not for a worksheet")
    colours = PictureLook(look.colours)
    board = pages.one(drawing.panels(instance, placed(instance), look=colours), "")
    pieces = [pages.named(piece) for piece in instance_picture.pieces_of(instance, colours)]
    solution = pages.one(drawing.panels(instance, found[0], look=colours), "")
    return Exercise(instance.about.title, level.level if level else "", board, pieces, solution)


def laid_out(exercises: Sequence[Exercise], per_page: int, paper: str, *, solutions: bool) -> list[Page]:
    """Pages with some problems each and a line for a name, then pages with all solutions."""
    width, height = PAPERS[paper]
    room = width - 2 * MARGIN, height - 2 * MARGIN - 2 * BETWEEN
    columns = math.ceil(math.sqrt(per_page / 2)) if per_page > 2 else 1
    rows = math.ceil(per_page / columns)
    numbered = list(enumerate(exercises, 1))
    made = []
    for first in range(0, len(numbered), per_page):
        some = numbered[first : first + per_page]
        boxes = [_Box(f"{n}. {each.title}".strip(), each.level, [each.board, *each.pieces]) for n, each in some]
        made.append(sheet(width, height, [(_name_line(width), (0.0, 0.0)), *_in_boxes(boxes, columns, rows, room)]))
    if solutions:
        heading = line_of_words("Solutions", MARGIN, MARGIN + _WORDS, room[0], TITLE)
        across, down = (4, 5)
        for first in range(0, len(numbered), across * down):
            boxes = [_Box(f"{n}.", "", [each.solution]) for n, each in numbered[first : first + across * down]]
            made.append(sheet(width, height, [(heading, (0.0, 0.0)), *_in_boxes(boxes, across, down, room)]))
    return made


class _Box(NamedTuple):
    """What stands in a box of a worksheet: a line of words, another at its right end, and panels."""

    words: str
    beside: str
    panels: Sequence[Panel]


def _in_boxes(boxes: Sequence[_Box], columns: int, rows: int, room: Spot) -> list[tuple[Panel, Spot]]:
    wide, high = (room[0] + BETWEEN) / columns - BETWEEN, (room[1] + BETWEEN) / rows - BETWEEN
    above = _WORDS + 0.5 * BETWEEN
    laid = [_largest(box.panels, wide, high - above, _SMALL_CELL / SIDE) for box in boxes]
    scales = [scale for scale, _ in laid]
    is_one = max(scales) < _ALIKE * min(scales)
    placed = []
    for number, box in enumerate(boxes):
        x = MARGIN + number % columns * (wide + BETWEEN)
        y = MARGIN + 2 * BETWEEN + number // columns * (high + BETWEEN)
        level = LETTER * _WORDS * (len(box.beside) + 1) if box.beside else 0.0
        placed.append((line_of_words(box.words, 0.0, _WORDS, wide - level, _WORDS), (x, y)))
        words = Label((wide - level, _WORDS), box.beside, _WORDS * 0.9, _GREY)
        placed.append((Panel("", 0.0, 0.0, [words]), (x, y)))
        times, spots = _largest(box.panels, wide, high - above, min(scales) if is_one else scales[number])
        corners = [(x + a * times, y + above + b * times) for a, b in spots]
        placed += [(scaled(panel, times), corner) for panel, corner in zip(box.panels, corners, strict=True)]
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


def _name_line(width: float) -> Panel:
    y = MARGIN + _WORDS
    start = MARGIN + LETTER * _WORDS * 6
    line = Lines([((start, y + 0.8), (width / 2, y + 0.8))], _GREY, 0.25)
    return Panel("", 0.0, 0.0, [Label((MARGIN, y), "Name:", _WORDS), line])
