"""Answers by matchings: which part serves which question."""

from __future__ import annotations

from tiler.backends.coloring.sentence import hall, tutte
from tiler.backends.matching import Matching
from tiler.backends.matching.match import Matcher
from tiler.cover.board import BoardCover
from tiler.model.expected import Status
from tiler.question.certificate import Certificate, TutteSet
from tiler.question.events import Found, Progress, Run, Running
from tiler.question.question import Question
from tiler.question.result import Result, Stop


def search(backend: Matching, cover: BoardCover, question: Question, run: Run) -> Running:
    """What the backend does."""
    run.look()
    yield from _decide(cover)


def _decide(cover: BoardCover) -> Running:
    """A tiling, or why there is none."""
    matcher = Matcher.of(cover)
    running = matcher.run()
    while True:
        try:
            yield Progress(next(running))
        except StopIteration as ended:
            covers: bool = ended.value
            break
    if covers:
        yield Found(matcher.pairs.options(matcher.mate))
        yield Result(Status.SAT, Stop.DONE, 1, nodes=matcher.nodes)
    elif not cover.is_whole:
        # A certificate is about all placements.
        yield Result(Status.UNSAT, Stop.DONE, nodes=matcher.nodes)
    else:
        proof = matcher.refutation()
        message = tutte(cover, proof) if isinstance(proof, TutteSet) else hall(proof)
        certificate = Certificate(cover.instance.digest, proof, cover.instance.name)
        yield Result(Status.UNSAT, Stop.DONE, certificate=certificate, nodes=matcher.nodes, message=message)
