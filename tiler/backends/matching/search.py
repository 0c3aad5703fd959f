"""Choose the part that answers each question by matchings."""

from __future__ import annotations

from typing import Any

from tiler.backends import external
from tiler.backends.coloring.sentence import hall, tutte
from tiler.backends.matching import Matching
from tiler.backends.matching.count import MatchingCounter
from tiler.backends.matching.faces import EmbeddedGraph
from tiler.backends.matching.gadgets import drawing
from tiler.backends.matching.match import Matcher
from tiler.backends.matching.sample import Sampler
from tiler.cover.board import BoardCover
from tiler.cover.cover import Cover
from tiler.cover.embedded_graph import EmbeddedCover
from tiler.model.expected import Status
from tiler.process.cancellation import StopCheck
from tiler.question.certificate import TutteSet
from tiler.question.events import Events, Found, Progress, Run, Running
from tiler.question.question import Goal, Question
from tiler.question.result import Result, Stop


def search(backend: Matching, cover: Any, question: Question, run: Run) -> Running:
    """Start the search of the backend `matching`, of a BoardCover or, to count, of an EmbeddedCover."""
    run.check_stop()
    counts = isinstance(cover, EmbeddedCover) or question.goal in (Goal.COUNT, Goal.USES)
    drawn = drawing(cover, run.check_stop) if counts else None  # The backend's `refusal` has shown that it can be drawn.
    matcher = Matcher.of(cover) if drawn is None else Matcher(drawn.pairs, 1, 0)
    yield from matcher.run()
    if question.goal in (Goal.DECIDE, Goal.PROVE):
        return (yield from _decided(matcher, cover))
    if not matcher.covers:
        uses: dict[int, int] | None = {} if question.goal is Goal.USES else None
        return Result(Status.UNSAT, Stop.DONE, count=0, uses=uses, nodes=matcher.nodes)
    if drawn is not None:
        return (yield from _count(matcher, drawn, cover, run.check_stop, with_uses=question.goal is Goal.USES))
    if question.goal is Goal.OPTIMISE:
        return (yield from _optimised(matcher, cover, question))
    return (yield from _sample(matcher, cover, question, run.check_stop))


def _decided(matcher: Matcher, cover: BoardCover) -> Running:
    """Find a tiling, or the reason why there is none."""
    if matcher.covers:
        yield Found(matcher.pairs.options(matcher.mate))
        return Result(Status.SAT, Stop.DONE, 1, nodes=matcher.nodes)
    proof = matcher.refutation()
    message = tutte(cover, proof) if isinstance(proof, TutteSet) else hall(proof)
    certificate = cover.certificate(proof)
    return Result(Status.UNSAT, Stop.DONE, certificate=certificate, nodes=matcher.nodes, message=message)


def _count(matcher: Matcher, graph: EmbeddedGraph, cover: Cover, check_stop: StopCheck, *, with_uses: bool) -> Running:
    """Count the tilings: the product of the numbers of the connected parts. If wanted, also how many tilings have each
    placement."""
    pairs, mate = matcher.pairs, matcher.mate
    nodes, count, primes = matcher.nodes, 1, 0
    uses: dict[int, int] = {}
    drawn = graph.parts(check_stop)
    for done, part in enumerate(drawn):
        check_stop()
        counter = MatchingCounter.of(part, pairs.times, mate, check_stop, with_uses=with_uses)
        for share in counter.run():
            yield Progress(nodes + counter.nodes, fraction=(done + share) / len(drawn))
        nodes += counter.nodes
        primes = max(primes, counter.primes)
        # Numbers of tilings with a placement of another part are multiplied by the number of this part.
        uses = {edge: ways * counter.count for edge, ways in uses.items()}
        uses |= {edge: count * ways for edge, ways in zip(part.edges.tolist(), counter.uses, strict=False)}
        count *= counter.count
    by_option = None
    if with_uses:
        of_edge = enumerate(pairs.edge_of.tolist())
        by_option = {
            int(cover.origin[option]): uses[edge] // int(pairs.times[edge]) for option, edge in of_edge if uses.get(edge)
        }
    stats = {"parts": len(drawn), "primes": primes}
    return Result(Status.SAT, Stop.DONE, count, count, uses=by_option, nodes=nodes, stats=stats)


def _sample(matcher: Matcher, cover: BoardCover, question: Question, check_stop: StopCheck) -> Running:
    """Draw random tilings. The time that one takes depends on the tiling itself. So that short ones are not preferred, all are
    reported when all are drawn, or none."""
    sampler = Sampler(cover, matcher.pairs, matcher.mate, check_stop)
    drawn = []
    for number in range(question.samples):
        with Events(sampler.draw(question.seed, number)) as drawing:
            for _ in drawing:
                yield Progress(matcher.nodes, fraction=number / question.samples)
        drawn.append(Found(matcher.pairs.options(drawing.result)))
    yield from drawn
    return Result(Status.SAT, Stop.SOLUTIONS, question.samples, nodes=matcher.nodes)


def _optimised(matcher: Matcher, cover: BoardCover, question: Question) -> Running:
    """Find a tiling of the largest weight. The assignment solver looks at no clock, so it runs in a separate process."""
    weights = cover.weights[cover.tile]

    def work(report: external.Channel) -> external.Conclusion:
        from tiler.backends.matching.heaviest_matching import heaviest

        report.stats(nodes=matcher.nodes)
        options = heaviest(matcher.pairs, weights)
        report.solution(options)
        value = int(weights[list(options)].sum())
        return external.Conclusion(exhausted=True, value=value, bound=value)

    return external.run("ortools", work, question)
