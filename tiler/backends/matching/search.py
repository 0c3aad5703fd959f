"""Choose the part that answers each question by matchings."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tiler.backends import external
from tiler.backends.coloring.sentence import hall, tutte
from tiler.backends.matching import Matching
from tiler.backends.matching.count import MatchingCounter
from tiler.backends.matching.faces import EmbeddedGraph
from tiler.backends.matching.gadgets import drawing
from tiler.backends.matching.graph import Pairs, black_and_white, colours
from tiler.backends.matching.match import Matcher
from tiler.backends.matching.sample import Sampler
from tiler.cover.board import BoardCover
from tiler.cover.cover import Cover
from tiler.cover.embedded_graph import EmbeddedCover
from tiler.errors import BackendError
from tiler.model.expected import Status
from tiler.process.cancellation import StopCheck
from tiler.question.certificate import TutteSet
from tiler.question.events import Events, Found, Progress, RunningSearch, SearchContext
from tiler.question.question import Goal, Question
from tiler.question.result import Result, Stop


def search(backend: Matching, cover: Any, question: Question, context: SearchContext) -> RunningSearch:
    """Start the search of the backend `matching`, of a BoardCover or, to count, of an EmbeddedCover."""
    context.check_stop()
    counts = isinstance(cover, EmbeddedCover) or question.goal in (Goal.COUNT, Goal.USES)
    drawn = drawing(cover, context.check_stop) if counts else None  # The backend's `refusal` has shown that it can be drawn.
    matcher = Matcher.of(cover) if drawn is None else Matcher(drawn.pairs, 1, 0)
    yield from matcher.run()
    if question.goal in (Goal.DECIDE, Goal.PROVE):
        return (yield from _decided(matcher, cover))
    if not matcher.covers:
        uses: dict[int, int] | None = {} if question.goal is Goal.USES else None
        return Result(Status.UNSAT, Stop.DONE, count=0, uses=uses, nodes=matcher.nodes)
    if drawn is not None:
        return (yield from _count(matcher, drawn, cover, context.check_stop, with_uses=question.goal is Goal.USES))
    if question.goal is Goal.OPTIMISE:
        return (yield from _optimised(matcher, cover, question))
    return (yield from _sample(matcher, cover, question, context.check_stop))


def _decided(matcher: Matcher, cover: BoardCover) -> RunningSearch:
    """Find a tiling, or the reason why there is none."""
    if matcher.covers:
        yield Found(matcher.pairs.options(matcher.mate))
        return Result(Status.SAT, Stop.DONE, 1, nodes=matcher.nodes)
    proof = matcher.refutation()
    message = tutte(cover, proof) if isinstance(proof, TutteSet) else hall(proof)
    certificate = cover.certificate(proof)
    return Result(Status.UNSAT, Stop.DONE, certificate=certificate, nodes=matcher.nodes, message=message)


def _count(matcher: Matcher, graph: EmbeddedGraph, cover: Cover, check_stop: StopCheck, *, with_uses: bool) -> RunningSearch:
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


def _sample(matcher: Matcher, cover: BoardCover, question: Question, check_stop: StopCheck) -> RunningSearch:
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


def _optimised(matcher: Matcher, cover: BoardCover, question: Question) -> RunningSearch:
    """Find a tiling of the largest weight. The assignment solver looks at no clock, so it runs in a separate process."""
    weights = cover.weights[cover.tile]

    def work(report: external.Channel) -> external.Conclusion:
        report.stats(nodes=matcher.nodes)
        options = heaviest(matcher.pairs, weights)
        report.solution(options)
        value = int(weights[list(options)].sum())
        return external.Conclusion(exhausted=True, value=value, bound=value)

    return external.run("ortools", work, question)


def heaviest(pairs: Pairs, weights: NDArray[np.int64]) -> tuple[int, ...]:
    """The options of a perfect matching with the greatest sum of weights; the weights have shape (options,). The graph must have
    a perfect matching. OR-Tools finds it in whole numbers (Goldberg and Kennedy, An efficient cost scaling algorithm for the
    assignment problem, 1995).

    Where cells may stay open, the graph is matched with a twin of itself in which colours are exchanged; a cell is matched with
    its twin instead of staying open. So a matching of the two is one of each, and twice the heaviest weighs as much.
    """
    from ortools.graph.python.linear_sum_assignment import SimpleLinearSumAssignment  # Few questions need it.

    is_white = colours(pairs.cells, pairs.ends)
    if is_white is None:
        raise BackendError("the graph is not bipartite")
    pair_of = np.flatnonzero(pairs.edge_of >= 0)
    edges = pairs.edge_of[pair_of]
    # Take the heaviest option on each pair of cells, and the first one if several weigh the same.
    order = np.lexsort((pair_of, -weights[pair_of], edges))
    best = pair_of[order][np.unique(edges[order], return_index=True)[1]]
    black, white = black_and_white(pairs.ends, is_white)
    options = best
    may_open = np.flatnonzero(pairs.filler_of >= 0)
    if len(may_open):
        # The twin of a black cell is among the white cells, and the twin of a white one among the black cells.
        opened = np.where(is_white[may_open], may_open + pairs.cells, may_open)
        twins = np.where(is_white[may_open], may_open, may_open + pairs.cells)
        black, white = (
            np.concatenate([black, white + pairs.cells, opened]),
            np.concatenate([white, black + pairs.cells, twins]),
        )
        options = np.concatenate([best, best, pairs.filler_of[may_open]])
    gains = weights[options].copy()
    if len(may_open):
        gains[-len(may_open) :] *= 2
    lefts, left = np.unique(black, return_inverse=True)
    right = np.unique(white, return_inverse=True)[1]
    solver = SimpleLinearSumAssignment()
    arcs = solver.add_arcs_with_cost(left.astype(np.int32), right.astype(np.int32), gains.max() - gains)
    if solver.solve() != SimpleLinearSumAssignment.Status.OPTIMAL:
        raise BackendError("the assignment solver found no matching")
    arc_of = {(int(a), int(b)): int(arc) for a, b, arc in zip(left, right, arcs, strict=True)}
    chosen = [arc_of[node, solver.right_mate(node)] for node in range(len(lefts))]
    # The edges of the twin are left out; a cell matched with its own twin stays open.
    return tuple(sorted(int(options[arc]) for arc in chosen if not len(best) <= arc < 2 * len(best) or not len(may_open)))
