"""Estimate the size of a search before it is made, by Knuth's Monte Carlo method.

A *dive* goes down from the root of the search tree, at every node to one of its d children, each equally likely, until there is
none. A node reached through nodes with d1, d2, ... children stands for d1 d2 ... nodes: the mean of their sums over dives is the
size of the tree, whatever its form, and tilings are estimated in the same way. The search itself makes the nodes: the dive only
chooses, so that the tree is the tree of the search, with its rules of branching and pruning.

Such sums vary wildly: most dives end early, and few see where the bulk of the tree is. So a dive goes back up, as long as the
subtree below is small enough to be searched as a whole, and takes the true size of this subtree instead: the mean is the same,
with much less variance.

Source: D. E. Knuth, "Estimating the efficiency of backtrack programs", Mathematics of Computation 29 (1975), 121-136.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from tiler.amounts import duration, rounded
from tiler.ask import planner
from tiler.ask.size import frontier_forecast
from tiler.ask.size.frontier_forecast import States
from tiler.ask.symmetry.decomposition import decomposed
from tiler.backends.base import Backend
from tiler.backends.frontier import Frontier
from tiler.backends.matching import Matching
from tiler.backends.registry import able, refuse
from tiler.backends.searching.tree import Tree, branches
from tiler.cover.board import BoardCover
from tiler.cover.cover import Cover
from tiler.errors import BadOption
from tiler.kernels import EXHAUSTED, python_time
from tiler.model.instance import Instance
from tiler.process.cancellation import StopCheck, Stopped, never_stop
from tiler.process.clocks import process_seconds
from tiler.question.events import Events, Progress
from tiler.question.question import Goal, Limits, Question

SCHEMA = "tiler-estimate-1"
SAMPLES = 1000
SECONDS = 60.0  #: the time for an estimate, unless its caller says otherwise

#: How many standard errors hold this share of the distribution of a mean of many samples.
CONFIDENCE, _ERRORS = 0.95, 1.96
_LEAST_SAMPLES = 20  # of every part of a search
_SLICE_SECONDS = 0.5
_SLICE_NODES = 100_000
_CHEAPER = 2.0  # a search is made if it is shorter than the dives by this factor, because its length is an estimate too
_WHOLE = 10_000  # a subtree with at most this number of nodes is searched


@dataclass(frozen=True)
class EstimatedNumber:
    """An estimate and its 95 % confidence interval, from the standard error of the mean."""

    mean: float
    low: float
    high: float

    @property
    def is_exact(self) -> bool:
        """Whether the number is exact, because the search was made."""
        return self.low == self.high

    def shown(self, number: float) -> str:
        """One of its numbers in words: all digits if it is exact, else only the digits that mean something."""
        return f"{round(number):,}" if self.is_exact else rounded(number)

    def times(self, factor: float) -> EstimatedNumber:
        return EstimatedNumber(self.mean * factor, self.low * factor, self.high * factor)


@dataclass(frozen=True, repr=False)
class Estimate:
    """What a complete search is expected to take."""

    nodes: EstimatedNumber  #: placements that fit and are made
    tilings: EstimatedNumber | None  #: unknown up to symmetry, where the search also meets tilings that do not count
    seconds: EstimatedNumber  #: CPU seconds: nodes times `seconds_per_node`
    seconds_per_node: float  #: of a slice of the true search, from its beginning
    samples: int
    symmetry: int | None  #: the order of the group, of a count up to symmetry
    is_complete: bool  #: whether all samples asked for were drawn
    searched: str  #: the solver whose search it is: the one asked about, or what that chooses among searches with trees

    states: States | None = None  #: of a count by states: those are the nodes; an interval is the typical error then

    def __repr__(self) -> str:
        tilings = f"{self.tilings.shown(self.tilings.mean)} tilings, " if self.tilings else ""
        return f"Estimate({self.nodes.shown(self.nodes.mean)} nodes, {tilings}{duration(self.seconds.mean)})"

    def summary(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "schema": SCHEMA,
            "nodes": asdict(self.nodes),
            "tilings": asdict(self.tilings) if self.tilings else None,
            "seconds": asdict(self.seconds),
            "confidence": CONFIDENCE if self.states is None else None,
            "seconds_per_node": self.seconds_per_node,
            "samples": self.samples,
            "symmetry": self.symmetry,
            "searched": self.searched,
            "complete": self.is_complete,
            **({} if self.states is None else {"states": self.states.summary()}),
        }


class _Step(NamedTuple):
    """A node on the path of a dive; None if there is none."""

    node: Any
    weight: float  #: how many nodes it stands for
    nodes: float  #: estimated, down to this depth
    solutions: float  #: estimated, above it


@dataclass
class _Sums:
    """Samples added up."""

    count: int = 0
    total: float = 0.0
    squares: float = 0.0

    def add(self, value: float) -> None:
        self.count += 1
        self.total += value
        self.squares += value * value

    @property
    def mean(self) -> float:
        return self.total / self.count if self.count else 0.0

    @property
    def variance(self) -> float:
        """The variance of the mean."""
        return max(0.0, self.squares / self.count - self.mean**2) / (self.count - 1) if self.count > 1 else 0.0


def estimate(
    backend: Backend,
    instance: Instance,
    *,
    samples: int | None = None,
    seed: int = 0,
    up_to_symmetry: bool = False,
    precision: float | None = None,
    going_on: Callable[[Progress], bool] = lambda progress: True,
    check_stop: StopCheck = never_stop,
) -> Estimate:
    """Estimate a complete search of an instance, a count say, from a number of dives, `SAMPLES` by default; the same seed makes
    the same dives. If the backend is `frontier`, which counts by states, `samples` are the states of each layer that are looked
    at.

    Up to symmetry the search has several parts, and the samples are shared among them. `going_on` is called between dives; when
    it returns False, the estimate so far is the answer. `check_stop` is called within dives too, and before them; if it raises
    `Stopped` after the least number of dives, the estimate so far is the answer. With a `precision` such as 0.1, it ends when the
    interval of the nodes reaches at most a tenth of their number to either side. If the search itself would take less time than
    the dives that are probably still needed, the search is made instead. BadOption if the backend has no tree to dive into.

    >>> from tiler import formats
    >>> from tiler.backends.registry import parse_spec
    >>> estimate(parse_spec("backtracking"), formats.inline(["2x3", "2"])).tilings
    EstimatedNumber(mean=3.0, low=3.0, high=3.0)
    """
    cover = BoardCover.of(instance, check_stop)
    (candidate,) = planner.split(backend, cover, Question(Goal.COUNT), check_stop).candidates
    asked, backend = backend, planner.backend_of(candidate, backend)
    reason = backend.refusal(Question(Goal.COUNT), cover)
    if reason is not None:
        raise BadOption(f"{asked.name}: {reason}")
    if isinstance(backend, Frontier):
        if precision is not None:
            raise BadOption(f"{asked.name}: --precision is for search trees; use --samples instead")
        python_time.exhaust()
        return _by_states(backend, cover, samples, seed, up_to_symmetry, going_on, check_stop)
    if not backend.can_estimate:
        names = ", ".join(able("can_estimate"))
        raise BadOption(f"{asked.name} has no search tree to estimate; these have: {names}; frontier has states")
    python_time.exhaust()  # Pace and progress are those of compiled code.
    parts, symmetry = _searches(backend, cover, up_to_symmetry, check_stop)
    trees = [_tree(*part, check_stop) for part in parts]
    roots = [tree.root() if tree else None for tree in trees]
    nodes, tilings = [_Sums() for _ in trees], [_Sums() for _ in trees]
    each = max(_LEAST_SAMPLES, -(-(samples or SAMPLES) // len(trees)))
    chance = random.Random(seed)
    unknown = {number for number, tree in enumerate(trees) if tree}
    rounds, needed, ended, pace, begun = 0, float(each), False, None, process_seconds()

    def so_far() -> Progress:
        words = f"{sum(sums.count for sums in nodes):,} paths"
        total = _figure(nodes)
        if rounds >= _LEAST_SAMPLES and total.mean:
            words += f", nodes known within {(total.high - total.mean) / total.mean:.0%}"
        return Progress(fraction=rounds / max(rounds, needed), where=words)

    # The parts by turns, so that an interrupted estimate is one of them all; a variance takes two samples.
    while not ended and unknown and rounds < each and (going_on(so_far()) or rounds < 2):
        rounds += 1
        for number in sorted(unknown):
            tree = trees[number]
            assert tree is not None
            try:
                sample = dive(tree, roots[number], chance, check_stop=check_stop)
            except Stopped:
                if rounds <= 2:
                    raise
                ended = True
                break
            nodes[number].add(sample.nodes)
            tilings[number].add(sample.solutions)
            if sample.is_whole:
                unknown.discard(number)
        if rounds % _LEAST_SAMPLES == 0 and unknown and not ended:
            spent, total = process_seconds() - begun, _figure(nodes)
            if precision is not None:
                if total.high - total.mean <= precision * total.mean:
                    break
                # The error shrinks with the root of the number of dives.
                needed = min(each, rounds * ((total.high - total.mean) / (precision * total.mean)) ** 2)
            if pace is None:
                pace = _pace(parts, trees, nodes)
                begun = process_seconds() - spent
            if total.mean * pace < spent * (needed - rounds) / rounds / _CHEAPER:
                unknown -= _searched(trees, roots, nodes, tilings, round(_CHEAPER * total.mean), going_on)
    total = _figure(nodes)
    pace = _pace(parts, trees, nodes) if pace is None else pace
    drawn = sum(sums.count for sums in nodes)
    return Estimate(
        total,
        None if up_to_symmetry else _figure(tilings),
        total.times(pace),
        pace,
        drawn,
        symmetry,
        not unknown
        or (rounds == each and not ended)
        or (precision is not None and total.high - total.mean <= precision * total.mean),
        str(backend),
    )


def _by_states(
    backend: Frontier,
    cover: BoardCover,
    samples: int | None,
    seed: int,
    up_to_symmetry: bool,
    going_on: Callable[[Progress], bool],
    check_stop: StopCheck,
) -> Estimate:
    """The estimate of a count by states. It cannot end early with a part of the answer; it raises `Stopped` if `going_on` returns
    False."""
    parts, symmetry = _searches(backend, cover, up_to_symmetry, check_stop)
    found = frontier_forecast.by_states(parts, pool=samples, seed=seed, going_on=going_on)
    factor = 1.0 if found.is_exact else frontier_forecast.TYPICAL
    return Estimate(
        EstimatedNumber(found.states, found.states / factor, found.states * factor),
        None,
        EstimatedNumber(
            found.seconds, found.seconds / frontier_forecast.TYPICAL_OF_BYTES, found.seconds * frontier_forecast.TYPICAL_OF_BYTES
        ),
        found.seconds_per_state,
        found.pool,
        symmetry,
        True,
        str(backend),
        found,
    )


def _pace(parts: Sequence[tuple[Backend, Cover]], trees: Sequence[Tree | None], nodes: Sequence[_Sums]) -> float:
    """CPU seconds per node, of the largest part."""
    largest = max(range(len(parts)), key=lambda number: nodes[number].mean)
    return _seconds_per_node(*parts[largest]) if trees[largest] else 0.0


def _searched(
    trees: Sequence[Tree | None],
    roots: Sequence[Any],
    nodes: list[_Sums],
    tilings: list[_Sums],
    most: int,
    going_on: Callable[[Progress], bool],
) -> set[int]:
    """Search every part as a whole, unless that takes more nodes than `most` together or the caller ends it; the parts with a
    known size."""
    made, done = 0, set[int]()
    for number, (tree, root) in enumerate(zip(trees, roots, strict=True)):
        if tree is None or root is None:
            continue
        tree.enter(root)
        before, found = tree.nodes(), tree.found()
        while (ended := tree.step(_SLICE_NODES, False) == EXHAUSTED) is False and made + tree.nodes() - before <= most:
            nodes_made = made + tree.nodes() - before
            if not going_on(Progress(nodes_made, tree.found() - found, min(1.0, _CHEAPER * nodes_made / most))):
                return done
        made += tree.nodes() - before
        if not ended:
            return done
        nodes[number], tilings[number] = _Sums(), _Sums()
        nodes[number].add(tree.nodes() - before)
        tilings[number].add(tree.found() - found)
        done.add(number)
    return done


class Dive(NamedTuple):
    nodes: float  #: of the tree, estimated
    solutions: float
    is_whole: bool  #: whether the whole tree was small enough to be searched: then it is no estimate


def dive(tree: Tree, root: Any, chance: random.Random, whole: int = _WHOLE, check_stop: StopCheck = never_stop) -> Dive:
    """One dive; a subtree with at most `whole` nodes is searched, and chance decides above it only."""
    path = [_Step(root, 1.0, 0.0, 0.0)]
    while path[-1].node is not None:
        step = path[-1]
        node, ways, found = None, 0, tree.found()
        # One of the children, each as likely as any other, without knowing how many there will be.
        for ways in branches(tree, step.node):
            check_stop()
            if chance.random() * ways < 1:
                node = tree.child()
        weight = step.weight * ways
        path.append(_Step(node, weight, step.nodes + weight, step.solutions + step.weight * (tree.found() - found)))
    best, is_whole = path.pop(), True
    while path and is_whole:
        step = path.pop()
        tree.enter(step.node)
        nodes, found = tree.nodes(), tree.found()
        check_stop()
        is_whole = tree.step(whole + 1, False) == EXHAUSTED
        below, solutions = tree.nodes() - nodes, tree.found() - found
        if is_whole:
            best = _Step(None, 0, step.nodes + step.weight * below, step.solutions + step.weight * solutions)
    return Dive(best.nodes, best.solutions, is_whole)


def _searches(
    backend: Backend, cover: BoardCover, up_to_symmetry: bool, check_stop: StopCheck
) -> tuple[list[tuple[Backend, Cover]], int | None]:
    """The searches of a count, and up to symmetry the order of the group. Parts that are counted by matchings are left out, as
    they take no time."""
    if not up_to_symmetry:
        return [(backend, cover)], None
    decomposition = decomposed(backend, cover, Goal.COUNT, check_stop)
    searched = [(part.backend, part.cover) for part in decomposition.parts if not isinstance(part.backend, Matching)]
    return searched, decomposition.order


def _tree(backend: Backend, cover: Cover, check_stop: StopCheck) -> Tree | None:
    """The tree of a search of an unfiltered cover; None if there is nothing to search."""
    refuse(backend, Question(Goal.COUNT))
    rest = frontier_forecast.reduced(backend, cover, check_stop)
    return None if rest is None else backend.tree(rest, check_stop)


def _figure(parts: Sequence[_Sums]) -> EstimatedNumber:
    """The sum over all parts."""
    mean = sum(part.mean for part in parts)
    error = _ERRORS * math.sqrt(sum(part.variance for part in parts))
    return EstimatedNumber(mean, max(0.0, mean - error), mean + error)


def _seconds_per_node(backend: Backend, cover: Cover) -> float:
    """CPU seconds per node, from a slice of the true search."""
    started = process_seconds()
    # From its first progress on: before that it sets up its tables.
    marks: list[tuple[float, int]] = []
    with Events(backend.start(cover, Question(Goal.COUNT, Limits(seconds=_SLICE_SECONDS)))) as events:
        for event in events:
            if isinstance(event, Progress):
                marks.append((process_seconds(), event.nodes))
    if len(marks) > 2:
        (first, before), (last, after) = marks[0], marks[-1]
        return (last - first) / max(1, after - before)
    return (process_seconds() - started) / max(1, events.result.nodes)
