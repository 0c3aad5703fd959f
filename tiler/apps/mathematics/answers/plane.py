"""Show and save whether some tiles tile the plane: in words, pictures and files."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from tiler import printable
from tiler.amounts import counted
from tiler.api import construction
from tiler.api.answers.saving import PICTURES, Drawable, Forms, json_lines, pictures
from tiler.api.answers.tiling import Tiling
from tiler.api.monitoring import Following
from tiler.apps.mathematics import aperiodic, plane
from tiler.apps.mathematics.answers import proof_files
from tiler.errors import BadOption, SpaceTileError
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.model.lattices import USUAL
from tiler.model.piece_sets import lattice_of
from tiler.question.result import Stop
from tiler.render import drawing, gallery, image, pages
from tiler.render.options import USUAL as USUAL_LOOK
from tiler.render.options import PictureLook
from tiler.render.scene import SIDE

_SPAN = 12 * SIDE  #: the side of the square that is drawn if no size is asked for: of twelve cells


@dataclass(frozen=True, repr=False)
class PlaneTiling(Drawable):
    """Whether copies of some tiles tile the plane (`sat`: they do), and what shows it: a patch of a tiling, or a tile with
    as many copies around it as there can be. Notebooks draw it, `str` puts it into words, and `save` writes a file.

    >>> import tiler
    >>> found = tiler.plane("5X")
    >>> found, found.period
    (PlaneTiling(5X: sat), ((1, 2), (0, 5)))
    """

    asked: Instance  #: the tiles, and how they may be turned; its board does not matter
    answer: plane.PlaneAnswer  #: as far as it is known, if a limit ended it
    stop: Stop = Stop.DONE  #: or that limit

    @property
    def name(self) -> str:
        """The names of the tiles."""
        return " ".join(tile.name for tile in self.asked.tiles)

    @property
    def status(self) -> Status:
        """`sat` if the plane is tiled, `unsat` if it cannot be, else `unknown`."""
        return self.answer.status

    @property
    def period(self) -> tuple[tuple[int, ...], ...] | None:
        """The translations of a tiling, if one is known."""
        period = self.answer.period
        return tuple(map(tuple, period.wrap.vectors)) if period else None

    @property
    def orbits(self) -> int | None:
        """The number of orbits of the pieces, if a tiling with a period is known: two pieces are in one orbit if a symmetry of
        the tiling takes the first to the second. With `orbits` asked for, no tiling has fewer.

        >>> import tiler
        >>> tiler.plane("8-306", reflections=True, orbits=2).orbits
        2
        """
        return max(self.answer.orbits) + 1 if self.answer.orbits else None

    @property
    def heesch(self) -> int | None:
        """How often a single tile can be surrounded by copies of itself. If it does not tile the plane, this is the maximum."""
        return self.answer.heesch

    @property
    def tiling(self) -> Tiling | None:
        """A patch of the tiling, or the tile and what surrounds it; None if there is nothing to draw."""
        return self.patch()

    def patch(self, span: float = _SPAN) -> Tiling | None:
        """The answer's tiling within a square of this side, in units of a drawing; some periods if no piece lies within the
        square."""
        laid = plane.patch(self.answer, span)
        if laid is not None:
            return Tiling(*laid)
        (tile,) = self.asked.tiles[:1]
        around = self.answer.around
        if self.answer.aperiodic is not None:
            around = plane.in_the_middle(tile.lattice, self.answer.aperiodic, span)
        if not around:
            return None
        board = frozenset(cell for placement in around for cell in placement.cells)
        return Tiling(Instance(board, (tile,), self.asked.reflections, lattice=tile.lattice), around)

    def __repr__(self) -> str:
        return (
            f"PlaneTiling({printable.shortened(self.name)}: {self.status}{'' if self.stop is Stop.DONE else f' ({self.stop})'})"
        )

    def __str__(self) -> str:
        return f"{printable.line(self.name)}: {self._in_words()}"

    def with_groups(self, tiling: Tiling, look: PictureLook) -> PictureLook:
        """The look with colours for coronas and orbits, unless it has some."""
        return look if look.colours else look._replace(colours=plane.groups(self.answer, tiling.placements))

    def json(self) -> str:
        """A line, as `tiler plane --format json` prints it."""
        return json_lines([{"tiles": self.name, "turned_over": self.asked.turned_over, **self.answer.summary()}])

    def forms(self, look: PictureLook = USUAL_LOOK) -> Forms:
        """A patch, or the tile surrounded, as .svg, .png or .pdf (a look with a size has a patch of that size), everything as
        .json or .txt."""
        return {**pictures_of([self], look), "json": self.json, "txt": self.printed}

    def row(self) -> tuple[str, str, str, str, str]:
        """The tiles, whether they tile the plane, the period, its orbits, and the Heesch number: a line of a table."""
        answer = self.answer
        if answer.period is not None and answer.tiling is not None:
            least = "" if answer.is_least else "<= "
            return self.name, "yes", f"{least}{len(answer.tiling)} ({answer.period.wrap})", str(self.orbits or ""), ""
        if answer.aperiodic is not None:
            return self.name, "yes", "none", "", ""
        heesch = "" if answer.heesch is None else str(answer.heesch)
        if answer.hole_free not in (None, answer.heesch):
            heesch += f" ({answer.hole_free} without holes)"
        if answer.status is Status.UNSAT:
            return self.name, "no, it has a hole" if answer.has_hole else "no", "", "", heesch
        orbits = f">= {answer.refuted + 1}" if answer.refuted else ""
        return self.name, "unknown", "", orbits, f">= {heesch}" if answer.heesch else ""

    def _in_words(self) -> str:
        answer = self.answer
        if answer.period is not None and answer.tiling is not None:
            return f"tiles the plane\n{self._period_in_words(answer.period, len(answer.tiling))}"
        if answer.aperiodic is not None:
            laid, over = len(answer.aperiodic), aperiodic.reflected([placement.cells for placement in answer.aperiodic])
            return (
                "tiles the plane, but never with a period (D. Smith, J. S. Myers, C. S. Kaplan, C. Goodman-Strauss, 2023)\n"
                f"no period of up to {answer.tried} cells was found; copies were laid around it {_times(answer.heesch or 0)}\n"
                f"substitution lays {laid} pieces: {over} are turned over, 1 of {laid / over:.3f}; in the whole plane 1 of "
                f"{aperiodic.RATIO + 1:.3f}"
            )
        if answer.uncovered is not None:
            cells = counted(answer.uncovered, "cell")
            return f"cannot tile the plane\na patch of {cells} cannot be covered, even by pieces that reach out of it"
        if answer.hole_free is not None:
            return self._heesch_in_words(answer.hole_free)
        if answer.status is Status.UNSAT:
            hole = " (it has a hole)" if answer.has_hole else ""
            times = _times(answer.heesch) if answer.heesch else "not once"
            most = "" if not answer.heesch else ", and no more often"
            return (
                f"does not tile the plane{hole}\nit can be surrounded by copies of itself {times}{most} (by SAT; the last corona "
                f"may leave holes): its Heesch number is {answer.heesch}"
            )
        known = [f"no period of up to {answer.tried} cells"] if answer.tried else []
        known += [f"no tiling has {counted(answer.refuted, 'orbit')}{' or fewer' * (answer.refuted > 1)}"] * bool(answer.refuted)
        known += [f"it can be surrounded {counted(answer.heesch, 'time')} at least"] if answer.heesch else []
        return f"unknown{self._reason}{': ' if known else ''}{'; '.join(known)}"

    @property
    def _reason(self) -> str:
        """What ended the search before its end."""
        return "" if self.stop is Stop.DONE else f" ({self.stop})"

    def _period_in_words(self, torus: Instance, pieces: int) -> str:
        """The period of a tiling, and its orbits."""
        answer, orbits = self.answer, self.orbits
        of = f"{counted(len(torus.board), 'cell')}, {counted(pieces, 'piece')}, moved by {torus.wrap}"
        if answer.fewest:
            fewer = "" if orbits == 1 else f"; no tiling has {counted(answer.refuted, 'orbit')}{' or fewer' * (orbits != 2)}"
            return f"{_isohedral(orbits or 1)}{fewer}\na period: {of}"
        least = "the smallest period" if answer.is_least else "a period; some smaller ones are not known"
        # The symmetries of a longer period need not be all there are.
        most = "" if answer.is_least else "at most "
        return f"{least}: {of}" + (
            f"\n{most}{counted(orbits, 'orbit')} of pieces{': isohedral' * (orbits == 1)}" if orbits else ""
        )

    def _heesch_in_words(self, hole_free: int) -> str:
        """The answer to the question about Heesch numbers."""
        answer = self.answer
        least = "" if answer.status is Status.UNSAT else " at least"
        numbers = f"Heesch number{least}: {answer.heesch} if the last corona may have holes, {hole_free} if not"
        if answer.status is not Status.UNSAT:
            return f"unknown whether there are more coronas{self._reason}\n{numbers}"
        hole = " (it has a hole)" if answer.has_hole else ""
        checked = "" if answer.checked is None else f"\nproof checked: {counted(answer.checked, 'step')}"
        return f"does not tile the plane{hole}\n{numbers}{checked}"


def _times(number: int) -> str:
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def _isohedral(orbits: int) -> str:
    """A tiling by its number of orbits."""
    return (
        "isohedral: symmetries take any piece to any other" if orbits == 1 else f"{orbits}-isohedral: {orbits} orbits of pieces"
    )


def pictures_of(found: Sequence[PlaneTiling], look: PictureLook = USUAL_LOOK) -> Forms:
    """A picture of some answers, as svg, png and pdf, if there is anything to draw; for a single answer it is a patch with the
    size of the picture. Coronas, and orbits if there are several, have colours of their own."""
    shown = [each for each in found if each.tiling is not None]
    span = look.inches / image.PER_UNIT or _SPAN if len(shown) == 1 else 0.0
    patches = [(each, tiling) for each in shown if (tiling := each.patch(span)) is not None]
    if not patches:
        return {}
    if len(patches) == 1:
        ((each, only),) = patches
        draw = partial(gallery.draw, only.instance, [only.placements], look=each.with_groups(only, look))
        return {form: partial(draw, form) for form in PICTURES}
    bordered = look._replace(inches=0.0)
    panels = [
        pages.one(drawing.panels(tiling.instance, tiling.placements, look=each.with_groups(tiling, bordered)), each.name)
        for each, tiling in patches
    ]
    return pictures(lambda: pages.album(panels)._replace(inches=look.inches), "Tilings of the plane")


def in_numbers(found: Sequence[PlaneTiling]) -> str:
    """A sentence: how many tiles tile the plane, how many do not, and how many are unknown."""
    no = [each.answer for each in found if each.status is Status.UNSAT]
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
    """Look for periods and coronas; if a limit or Ctrl-C ends that, the answer is what is known by then."""
    answer = plane.ask(asked, question, threads=follow.threads, on_tick=follow.tick)
    if question.proofs is not None and answer.proof is not None:
        name = re.sub(r"[^A-Za-z0-9_-]", "_", asked.tiles[0].name)
        proof_files.write_drup(
            proof_files.folder(str(question.proofs)), f"{name}-{(answer.hole_free or 0) + 1}-coronas", answer.proof
        )
    return PlaneTiling(asked, answer, follow.stop or Stop.DONE)
