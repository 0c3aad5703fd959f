"""Hint at the next piece: a placement that lies in every tiling with the pieces placed so far, if there is one; else one of some
tiling.

The first tiling has all candidates. For a candidate, a tiling without it is looked for. If there is none, the candidate is
forced. If there is one, the candidates that it lacks are dropped. So there are at most as many searches as pieces, and one more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from tiler.ask.session import Placements
from tiler.ask.solve import solve
from tiler.cover.board import BoardCover
from tiler.errors import InputError
from tiler.model.constraints import Constraint, placed
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.model.tile import Placement
from tiler.process.cancellation import Stopped
from tiler.question.events import Progress
from tiler.question.question import Limits, Question
from tiler.question.result import Stop
from tiler.render import text


@dataclass(frozen=True, repr=False)
class Hint:
    """The next piece of a tiling; `str` says it in words and draws it with the pieces placed before.

    >>> import tiler
    >>> tiler.hint(tiler.make("3x2", "3I"))
    Hint(3I 0,0 0,1 0,2: forced)
    """

    instance: Instance
    status: Status  #: whether there is a tiling with the pieces placed so far
    placement: Placement | None = None  #: the next piece; None if there is no tiling, or no piece is left
    is_forced: bool | None = None  #: whether it lies in every tiling; None if a limit ended the search before that was known

    @property
    def notation(self) -> str:
        """The piece and its cells, as the constraint `place` takes them."""
        if self.placement is None:
            return ""
        return " ".join([self.placement.tile, *(",".join(map(str, cell)) for cell in sorted(self.placement.cells))])

    def __repr__(self) -> str:
        how = {True: "forced", False: "not forced", None: "perhaps forced"}[self.is_forced]
        return f"Hint({self.notation}: {how})" if self.placement else f"Hint({self.status})"

    def __str__(self) -> str:
        before = placed(self.instance.constraints)
        if self.status is Status.UNSAT:
            return "there is no tiling with these pieces: take one back" if before else "there is no tiling"
        if self.placement is None:
            return "no piece is left to place"
        how = {
            True: "it lies there in every tiling",
            False: "it lies there in a tiling; no piece is forced",
            None: "it lies there in a tiling; a limit ended the search for a piece that is forced",
        }[self.is_forced]
        return f"place {self.notation}: {how}\n\n{text.draw(self.instance, [*before, self.placement], colour=False)}"


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
        return Hint(instance, Status.UNSAT)
    before = {placement.cells for placement in placed(instance.constraints)}
    left = [placement for placement in first if placement.cells not in before]
    if not left:
        return Hint(instance, Status.SAT)
    options = cover.placements(range(len(cover)))
    choice = left[0]
    try:
        while left:
            other = tiling(_without(instance, left[0], options))
            if other is None:
                return Hint(instance, Status.SAT, left[0], is_forced=True)
            left = [placement for placement in left if placement in other]
    except Stopped:
        return Hint(instance, Status.SAT, choice)
    return Hint(instance, Status.SAT, choice, is_forced=False)


def _without(instance: Instance, placement: Placement, options: Sequence[Placement]) -> Instance:
    """The problem in which a tile may lie everywhere but there."""
    others = [other for other in options if other.tile == placement.tile and other.cells != placement.cells]
    if others:
        cells = tuple(cell for other in others for cell in sorted(other.cells))
        constraint = Constraint("only", placement.tile, cells)
    else:
        constraint = Constraint("forbid", placement.tile, tuple(sorted(placement.cells)))
    return replace(instance, constraints=(*instance.constraints, constraint))
