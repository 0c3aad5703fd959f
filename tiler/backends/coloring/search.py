"""Run the prover as a search: its progress becomes events, and what it finds out becomes a result."""

from __future__ import annotations

from collections.abc import Callable

from tiler.backends.coloring import Coloring, missing_stages
from tiler.backends.coloring.mark_weights import of_one_look
from tiler.backends.coloring.prove import Effort, Findings, prove
from tiler.cover.board import BoardCover
from tiler.cover.remainder import Remainder
from tiler.model.expected import Status
from tiler.process.callback_generator import in_turns
from tiler.question.events import Progress, Run, Running
from tiler.question.question import Question
from tiler.question.result import Result, Stop


def search(backend: Coloring, cover: BoardCover, question: Question, run: Run) -> Running:
    """What the backend does. The stages call back, from within a linear program too, so they run in turns with the caller."""
    whole = of_one_look(cover)
    findings = Findings(painted=None if cover.coloured is None else Remainder.of(cover))
    effort = Effort(tuple(backend.stages.split("+")), backend.nodes, backend.placements, float(backend.seconds))
    remainder = Remainder.of(whole)

    def work(say: Callable[[Progress], None]) -> None:
        prove(remainder, effort, findings, lambda: say(Progress(findings.nodes, stats=findings.stats)))

    yield from in_turns(work)
    if findings.proof is None:
        untried = "" if findings.tiling else missing_stages()
        message = "; ".join(filter(None, (findings.failure(remainder), untried)))
        return Result(Status.UNKNOWN, Stop.UNDECIDED, nodes=findings.nodes, stats=findings.stats, message=message)
    from tiler.backends.coloring.sentence import sentence  # Most problems have a tiling.

    certificate = cover.certificate(findings.proof)
    message = sentence(remainder, findings.proof)
    return Result(Status.UNSAT, Stop.DONE, certificate=certificate, nodes=findings.nodes, stats=findings.stats, message=message)
