"""Say why there is no tiling with the tiles laid: by area at once, by a cell that nothing covers, or by the prover."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tiler.ask.solve import solve
from tiler.backends.coloring import picture
from tiler.cover.board import BoardCover
from tiler.cover.bounds import is_reachable
from tiler.errors import TilerError
from tiler.model.constraints import Constraint
from tiler.model.instance import Instance
from tiler.model.lattice import Cell
from tiler.question.certificate import Certificate, Colourings
from tiler.question.question import Goal, Limits, Question
from tiler.studio.messages import LaidTileMessage, WhyMessage

PATIENCE = Limits(seconds=1.0, megabytes=1500, threads=1)  #: limits of the prover
_FEW = 3  #: cells that a sentence names


def at_once(instance: Instance, cover: BoardCover, laid: Sequence[LaidTileMessage], dead: Sequence[Cell]) -> WhyMessage | None:
    """A reason that is seen without a search; None if there is none."""
    if not is_reachable(cover.area, cover.areas.tolist(), cover.lower.tolist(), cover.upper.tolist()):
        return WhyMessage(cover.refusal() or "the areas do not add up", "area")
    for number, tile in enumerate(instance.distinct_tiles):
        used = sum(instance.number_of(one.tile, "laid") == number for one in laid)
        if used > cover.upper[number]:
            room = f"{int(cover.upper[number]):,} of {tile.name} can be used, but {used:,} lie there"
            return WhyMessage(room, "area")
    if dead:
        named = " ".join(instance.called(cell) for cell in dead[:_FEW]) + (" ..." if len(dead) > _FEW else "")
        return WhyMessage(f"nothing covers {'the cell' if len(dead) == 1 else 'the cells'} {named}", "cell", cells=tuple(dead))
    return None


def after_all(instance: Instance, laid: Sequence[LaidTileMessage]) -> WhyMessage:
    """The reason that the prover finds within its patience; else that a search found no tiling."""
    nothing = WhyMessage("a search has tried all ways: there is no tiling with these pieces", "search")
    placed = tuple(Constraint("place", tile.tile, tuple(sorted(tile.cells))) for tile in laid)
    asked = replace(instance, constraints=(*instance.constraints, *placed), about=instance.about.unanswered)
    try:
        answer = solve(asked, "coloring", Question(Goal.PROVE, PATIENCE))
    except TilerError:
        return nothing
    certificate = answer.result.certificate
    if not isinstance(certificate, Certificate):
        return nothing
    cells = sorted(instance.board)
    weights = picture.weights_of(certificate.proof, len(cells))
    if weights is None:
        return WhyMessage(answer.result.message, "search")
    kind, sums = "colouring", None
    if isinstance(certificate.proof, Colourings):
        first = certificate.proof.colourings[0]
        kind = "parity" if first.modulus == 2 else "colouring"
        names = [tile.name for tile in instance.distinct_tiles]
        values = dict(zip(names, first.values, strict=False))
        sums = {"board": sum(weights), "modulus": first.modulus, "tiles": values}
    colours = tuple(zip(cells, weights, strict=True))
    return WhyMessage(answer.result.message, "parity" if kind == "parity" else "colouring", colours, sums)
