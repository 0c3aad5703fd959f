"""Write worksheets: problems from easy to hard for people, with their pieces, and their solutions on the last page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tiler.api.answers import instance_picture
from tiler.apps.puzzles.grade import Grade, grade
from tiler.apps.puzzles.printing import worksheet_pages
from tiler.apps.puzzles.printing.worksheet_pages import Exercise
from tiler.ask.solve import solve
from tiler.errors import InputError
from tiler.model.instance import Instance
from tiler.model.placed import placed
from tiler.render import drawing, image, pages, papers, svg
from tiler.render.colours import Colouring
from tiler.render.options import PictureLook


class WorksheetLook(NamedTuple):
    per_page: int = 4  #: problems on a page
    solutions: bool = False
    paper: str = papers.USUAL
    colours: Colouring = None


def draw(instances: Sequence[Instance], look: WorksheetLook, form: str = "pdf") -> list[bytes]:
    """The content of files: one PDF, or an SVG or a PNG for each page. InputError if a problem has no tiling."""
    graded = sorted(((instance, grade(instance)) for instance in instances), key=lambda each: _rank(each[1]))
    exercises = [_exercise(instance, level, look) for instance, level in graded]
    these = worksheet_pages.laid_out(exercises, look.per_page, look.paper, solutions=look.solutions)
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
