"""Hint at the next piece: a placement that lies in every tiling with the pieces placed so far, if there is one; else one of some
tiling. Say in how many ways the tiling can be finished, or why it cannot.

The first tiling has all candidates. For a candidate, a tiling without it is looked for. If there is none, the candidate is
forced. If there is one, the candidates that it lacks are dropped. So there are at most as many searches as pieces, and one more.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tiler.amounts import counted
from tiler.api.answers.saving import Forms, Savable, json_lines, pictures
from tiler.apps.puzzles import why_not
from tiler.apps.puzzles.why_not import WhyNot
from tiler.ask.solve import solve
from tiler.backends.coloring import picture
from tiler.cover.board import BoardCover
from tiler.errors import InputError
from tiler.model.constraints import Constraint
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.model.placed import placed, with_constraints
from tiler.model.tile import Placement, Placements
from tiler.process.cancellation import Stopped
from tiler.question.events import Progress
from tiler.question.question import Goal, Limits, Question
from tiler.question.result import Stop
from tiler.render import drawing, pages, text
from tiler.render.colours import PieceColours
from tiler.render.scene import Page

SCHEMA = "tiler-hint-1"

_PATIENCE = 2.0  #: seconds for counting the ways to finish
_CAPTION = 60  #: letters in a line below a picture

_HOW = {
    True: "it lies there in every tiling",
    False: "it lies there in a tiling; no piece is forced",
    None: "it lies there in a tiling; a limit ended the search for a piece that is forced",
}


@dataclass(frozen=True, repr=False)
class Hint(Savable):
    """The next piece of a tiling; `str` says it in words and draws it with the pieces placed before.

    >>> import tiler
    >>> tiler.hint(tiler.make("3x2", "3I"))
    Hint(3I 0,0 0,1 0,2: forced)
    """

    instance: Instance
    status: Status  #: whether there is a tiling with the pieces placed so far
    placement: Placement | None = None  #: the next piece; None if there is no tiling, or no piece is left
    is_forced: bool | None = None  #: whether it lies in every tiling; None if a limit ended the search before that was known
    tilings: int | None = None  #: the number of tilings with the pieces placed so far; None if they were not counted to the end
    why: WhyNot | None = None  #: why there is none

    @property
    def notation(self) -> str:
        """The piece and its cells, as the constraint `place` takes them."""
        if self.placement is None:
            return ""
        return " ".join([self.placement.tile, *(",".join(map(str, cell)) for cell in sorted(self.placement.cells))])

    @property
    def sentence(self) -> str:
        """The hint in words, without a drawing."""
        if self.why is not None:
            before = placed(self.instance)
            verdict = "there is no tiling with these pieces: take one back" if before else "there is no tiling"
            return f"{verdict}\nwhy not: {self.why.sentence}"
        if self.placement is None:
            return "no piece is left to place"
        ways = "many ways" if self.tilings is None else counted(self.tilings, "way")
        return f"place {self.notation}: {_HOW[self.is_forced]}\nthe board can be finished in {ways}"

    def __repr__(self) -> str:
        how = {True: "forced", False: "not forced", None: "perhaps forced"}[self.is_forced]
        return f"Hint({self.notation}: {how})" if self.placement else f"Hint({self.status})"

    def __str__(self) -> str:
        if self.placement is None:
            return self.sentence
        lying = [*placed(self.instance), self.placement]
        return f"{self.sentence}\n\n{text.draw(self.instance, lying, colour=False)}"

    def forms(self) -> Forms:
        """The drawing as .svg, .png or .pdf, everything as .json, the words with a drawing in letters as .txt."""
        drawn = pictures(self.page, self.instance.heading or "hint")
        return {**drawn, "json": lambda: json_lines([self.summary()]), "txt": self.printed}

    def page(self) -> Page:
        """The board with the pieces placed before and the next one; or the cells and colours that show why there is no tiling."""
        before = placed(self.instance)
        if self.why is not None and (self.why.colours or self.why.cells):
            return self._page_of_reason(self.why)
        lying = before if self.placement is None else [*before, self.placement]
        caption = textwrap.wrap(self.sentence.replace("\n", "; "), _CAPTION)
        return pages.of_tiling(drawing.panels(self.instance, lying), caption)

    def _page_of_reason(self, why: WhyNot) -> Page:
        """The pieces laid, and the cells that the reason is about in black, or the colours of all cells that are still empty."""
        pieces = placed(self.instance)
        numbers = {cell: why.colours.get(cell, int(cell in why.cells)) for cell in sorted(self.instance.board)}
        fills = PieceColours.of(self.instance, ()).tiles
        laid = tuple((piece.cells, fills[piece.tile]) for piece in pieces)
        shown = picture.ProofPicture(self.instance.lattice, numbers, laid)
        return picture.page(shown, why.sentence)

    def summary(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "schema": SCHEMA,
            "instance": self.instance.name,
            "digest": self.instance.digest,
            "turned_over": self.instance.turned_over,
            "status": self.status,
            "placement": self.placement and self.placement.to_json(),
            "forced": self.is_forced,
            "tilings": self.tilings,
            "why": self.why and self.why.to_json(),
        }


def find(instance: Instance, *, threads: int = 1, on_tick: Callable[[Progress], bool] = lambda progress: True) -> Hint:
    """The next piece, beside those that constraints `place` put on the board.

    Stopped if the caller ends it before a tiling is found; InputError if some piece can lie on the same cells with other colours
    or marks.
    """
    cover = BoardCover.of(instance)
    if cover.has_twins:
        raise InputError("a hint names cells, but some piece can lie on the same cells with other colours or marks")

    def tiling(asked: Instance) -> Placements | None:
        answer = solve(asked, question=Question(limits=Limits(threads=threads)), on_tick=on_tick)
        if answer.result.stop not in (Stop.DONE, Stop.SOLUTIONS):
            raise Stopped(answer.result.stop, answer.result.reason)
        return answer.solutions[0] if answer.solutions else None

    first = tiling(instance)
    if first is None:
        return Hint(instance, Status.UNSAT, tilings=0, why=why_not.explain(instance, on_tick=on_tick))
    before = {placement.cells for placement in placed(instance)}
    left = [placement for placement in first if placement.cells not in before]
    question = Question(Goal.COUNT, Limits(seconds=_PATIENCE, threads=threads))
    known = Hint(instance, Status.SAT, tilings=solve(instance, question=question, on_tick=on_tick).result.count)
    if not left:
        return known
    options = cover.placements(range(len(cover)))
    choice = left[0]
    try:
        while left:
            other = tiling(_without(instance, left[0], options))
            if other is None:
                return replace(known, placement=left[0], is_forced=True)
            left = [placement for placement in left if placement in other]
    except Stopped:
        return replace(known, placement=choice)
    return replace(known, placement=choice, is_forced=False)


def _without(instance: Instance, placement: Placement, options: Sequence[Placement]) -> Instance:
    """The problem in which a tile may lie everywhere but there."""
    others = [other for other in options if other.tile == placement.tile and other.cells != placement.cells]
    cells = tuple(cell for other in others or [placement] for cell in sorted(other.cells))
    return with_constraints(instance, [Constraint("only" if others else "forbid", placement.tile, cells)])
