"""Show and save whether some tiles tile the plane: in words, pictures and files."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Unpack

from tiler import printable
from tiler.amounts import counted
from tiler.door import construction
from tiler.door.answers import rectangle_proofs
from tiler.door.answers.saving import files_of, write
from tiler.door.answers.tiling import Look, Tiling, look_of
from tiler.door.monitoring import Following
from tiler.errors import BadOption, SpaceTileError
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.model.lattices import USUAL
from tiler.model.piece_sets import lattice_of
from tiler.model.tile import Tile
from tiler.process.cancellation import Stopped
from tiler.question.result import Stop
from tiler.render import drawing, gallery, image, pages
from tiler.render.options import USUAL as USUAL_LOOK
from tiler.render.options import PictureLook
from tiler.render.scene import SIDE
from tiler.studies import plane

_SPAN = 12 * SIDE  #: the side of the square that is drawn if no size is asked for: of twelve cells


@dataclass(frozen=True, repr=False)
class PlaneTiling:
    """Whether copies of some tiles tile the plane (`sat`: they do), and what shows it: a patch of a tiling, or a tile with
    as many copies around it as there can be. Notebooks draw it, `str` puts it into words, and `save` writes a file.

    >>> import tiler
    >>> found = tiler.plane("5X")
    >>> found, found.period
    (PlaneTiling(5X: sat), ((1, 2), (0, 5)))
    """

    asked: Instance  #: the tiles, and how they may be turned; its board does not matter
    up_to: int  #: the largest period that was looked at, in cells
    answer: plane.PlaneAnswer | None  #: None if a limit ended it
    stop: Stop = Stop.DONE  #: or that limit

    @property
    def name(self) -> str:
        """The names of the tiles."""
        return " ".join(tile.name for tile in self.asked.tiles)

    @property
    def status(self) -> Status:
        """`sat` if the plane is tiled, `unsat` if it cannot be, else `unknown`."""
        return Status.UNKNOWN if self.answer is None else self.answer.status

    @property
    def period(self) -> tuple[tuple[int, ...], ...] | None:
        """The translations of a tiling, if one is known."""
        period = self.answer and self.answer.period
        return tuple(map(tuple, period.wrap.vectors)) if period else None

    @property
    def heesch(self) -> int | None:
        """How often a single tile can be surrounded by copies of itself. If it does not tile the plane, this is the maximum."""
        return self.answer.heesch if self.answer else None

    @property
    def tiling(self) -> Tiling | None:
        """A patch of the tiling, or the tile and what surrounds it; None if there is nothing to draw."""
        return self.patch()

    def patch(self, span: float = _SPAN) -> Tiling | None:
        """The answer's tiling within a square of this side, in units of a drawing; some periods if no piece lies within the
        square."""
        if self.answer is None:
            return None
        laid = plane.patch(self.answer, span)
        if laid is not None:
            return Tiling(*laid)
        lattice, around = self.asked.tiles[0].lattice, self.answer.around
        if self.answer.hats is not None:
            around = plane.in_the_middle(lattice, self.answer.hats, span)
        if not around:
            return None
        board = frozenset(cell for placement in around for cell in placement.cells)
        own = self.asked.tiles[0] if self.answer.hats else Tile(around[0].tile, around[0].cells, lattice=lattice)
        return Tiling(Instance(board, (own,), self.asked.reflections, lattice=lattice), around)

    def __repr__(self) -> str:
        return (
            f"PlaneTiling({printable.shortened(self.name)}: {self.status}{'' if self.stop is Stop.DONE else f' ({self.stop})'})"
        )

    def __str__(self) -> str:
        return f"{printable.line(self.name)}: {self._in_words()}"

    def _repr_svg_(self) -> str | None:
        return self.tiling.svg() if self.tiling is not None else None

    def json(self) -> str:
        """A line, as `tiler plane --format json` prints it."""
        over = self.asked.turned_over
        return (
            json.dumps({"tiles": self.name, "turned_over": over, **(self.answer or plane.PlaneAnswer(Status.UNKNOWN)).summary()})
            + "\n"
        )

    def save(self, path: str | Path, **look: Unpack[Look]) -> None:
        """Write the answer to a file, by the ending of its name: the picture as .svg, .png or .pdf, everything as .json or .txt.

        A picture has the look that `Tiling.save` describes; with a `size`, a patch of that size.
        """
        drawn = partial(picture, [self], look=look_of(look)) if self.tiling is not None else None
        pictures = {form: partial(drawn, form) for form in ("svg", "png", "pdf")} if drawn else {}
        write(path, {**pictures, "json": self.json, "txt": lambda: f"{self}\n"})

    def row(self) -> tuple[str, str, str, str]:
        """The tiles, whether they tile the plane, the period, and the Heesch number: a line of a table."""
        answer = self.answer
        if answer is None:
            return self.name, "unknown", "", ""
        if answer.period is not None and answer.tiling is not None:
            least = "" if answer.is_least else "<= "
            return self.name, "yes", f"{least}{len(answer.tiling)} ({answer.period.wrap})", ""
        if answer.hats is not None:
            return self.name, "yes", "none", ""
        heesch = "" if answer.heesch is None else str(answer.heesch)
        if answer.hole_free not in (None, answer.heesch):
            heesch += f" ({answer.hole_free} without holes)"
        if answer.status is Status.UNSAT:
            return self.name, "no, it has a hole" if answer.has_hole else "no", "", heesch
        return self.name, "unknown", "", heesch and f">= {heesch}"

    def _in_words(self) -> str:
        answer = self.answer
        if answer is None:
            return f"unknown ({self.stop})"
        if answer.period is not None and answer.tiling is not None:
            least = "the smallest period" if answer.is_least else "a period; some smaller ones are not known"
            cells, copies = counted(len(answer.period.board), "cell"), counted(len(answer.tiling), "piece")
            return f"tiles the plane\n{least}: {cells}, {copies}, moved by {answer.period.wrap}"
        if answer.hats is not None:
            return (
                "tiles the plane, but never with a period (D. Smith, J. S. Myers, C. S. Kaplan, C. Goodman-Strauss, 2023)\n"
                f"no period of up to {self.up_to} cells was found; copies were laid around it {answer.heesch} times; the "
                "picture is laid by substitution"
            )
        if answer.uncovered is not None:
            cells = counted(answer.uncovered, "cell")
            return f"cannot tile the plane\na patch of {cells} cannot be covered, even by pieces that reach out of it"
        if answer.hole_free is not None:
            return self._heesch_in_words(answer, answer.hole_free)
        if answer.status is Status.UNSAT:
            hole = " (it has a hole)" if answer.has_hole else ""
            times = {0: "not once", 1: "once", 2: "twice"}.get(answer.heesch or 0, f"{answer.heesch} times")
            most = "" if not answer.heesch else ", and no more often"
            return (
                f"does not tile the plane{hole}\nit can be surrounded by copies of itself {times}{most} (by SAT; the last corona "
                f"may leave holes): its Heesch number is {answer.heesch}"
            )
        around = "" if answer.heesch is None else f"; it can be surrounded {counted(answer.heesch, 'time')} at least"
        return f"unknown: no period of up to {self.up_to} cells{around}"

    def _heesch_in_words(self, answer: plane.PlaneAnswer, hole_free: int) -> str:
        """The answer to the question about Heesch numbers."""
        least = "" if answer.status is Status.UNSAT else " at least"
        numbers = f"Heesch number{least}: {answer.heesch} if the last corona may have holes, {hole_free} if not"
        if answer.status is not Status.UNSAT:
            return f"unknown whether there are more coronas\n{numbers}"
        hole = " (it has a hole)" if answer.has_hole else ""
        checked = "" if answer.checked is None else f"\nproof checked: {counted(answer.checked, 'step')}"
        return f"does not tile the plane{hole}\n{numbers}{checked}"


def picture(found: Sequence[PlaneTiling], form: str, look: PictureLook = USUAL_LOOK) -> str | bytes:
    """A picture of some answers, as svg, png or pdf; for a single answer it is a patch with the size of the picture."""
    span = look.inches / image.PER_UNIT or _SPAN if len(found) == 1 else 0.0
    patches = [(each.name, tiling) for each in found if (tiling := each.patch(span)) is not None]
    if len(patches) == 1:
        ((_, only),) = patches
        return gallery.draw(only.instance, [only.placements], form, look)
    bordered = look._replace(inches=0.0)
    panels = [pages.one(drawing.panels(each.instance, each.placements, look=bordered), name) for name, each in patches]
    return files_of(lambda: pages.album(panels)._replace(inches=look.inches), "Tilings of the plane")[form]()


def in_numbers(found: Sequence[PlaneTiling]) -> str:
    """A sentence: how many tiles tile the plane, how many do not, and how many are unknown."""
    no = [each.answer for each in found if each.answer is not None and each.status is Status.UNSAT]
    holes = sum(answer.has_hole for answer in no)
    unknown = sum(each.status is Status.UNKNOWN for each in found)
    return (
        f"{len(found) - len(no) - unknown} of {counted(len(found), 'tile')} tile the plane, "
        f"{len(no) - holes} without holes do not, {holes} with holes do not" + (f", {unknown} are unknown" if unknown else "")
    )


def tiles_of(
    given: Sequence[construction.GivenTile],
    reflections: bool | None,
    lattice: str | None,
    *,
    turning: bool = True,
    mates: str | None = None,
) -> Instance:
    """The tiles, on a board that does not matter; BadOption if one of them is in space."""
    name = lattice or lattice_of(each for each in given if isinstance(each, str)).name
    try:
        board = "1x1" if name == USUAL.name else plane.cell_of(name)
        return construction.make(board, *given, reflections=reflections, lattice=lattice, turning=turning, mates=mates)
    except SpaceTileError as error:
        raise BadOption(f"the plane is tiled by flat tiles: {error}") from None


def find(asked: Instance, question: plane.PlaneQuestion, follow: Following) -> PlaneTiling:
    """Look for periods and coronas; if a limit or Ctrl-C ends that, there is no answer."""
    answer, stop = None, Stop.DONE
    try:
        answer = plane.ask(asked, question, threads=follow.threads, on_tick=follow.tick)
        if question.proofs is not None and answer.proof is not None:
            name = re.sub(r"[^A-Za-z0-9_-]", "_", asked.tiles[0].name)
            rectangle_proofs.write_drup(
                rectangle_proofs.folder(str(question.proofs)), f"{name}-{(answer.hole_free or 0) + 1}-coronas", answer.proof
            )
    except Stopped:
        stop = follow.stop or Stop.INTERRUPTED
    return PlaneTiling(asked, question.up_to, answer, stop)
