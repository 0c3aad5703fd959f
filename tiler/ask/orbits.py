"""Answers up to symmetry: each orbit of tilings under the instance's group once.

Two ways that share nothing but the group, and agree in the tests. *Anchoring*: a tile that every tiling uses exactly once is
kept in one placement of each orbit; what symmetry then remains keeps that placement in place, and of the tilings it maps onto
each other only the least is taken. Without such a tile the least of all images is taken. *Burnside*: the number of orbits is the
mean, over the group, of the number of tilings that a symmetry maps onto themselves; those are the exact covers by whole orbits of
placements, an ordinary cover again, and much smaller.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tiler.backends.base import Backend
from tiler.cover import filters
from tiler.cover.action import actions
from tiler.cover.cover import Csr, ExactCover
from tiler.errors import BadSolution
from tiler.model.expected import Status
from tiler.model.tile import Tile
from tiler.question.events import Events, Progress
from tiler.question.question import Goal, Limits, Question
from tiler.question.result import Result, Stop
from tiler.question.watch import Look, unhurried

Maps = NDArray[np.int64]  # shape (symmetries, options)

#: The most ways to share the copies of bounded tiles among orbits of placements that Burnside's way goes through.
_MOST_SHARES = 2000

#: The most placements of the first anchor that are a part each, and how many more anchors there may be.
_MOST_ANCHORS, _MORE_ANCHORS = 64, 3

_Saved = tuple[Mapping[str, Any], Mapping[str, Any]]


def solve(
    backend: Backend, cover: ExactCover, question: Question, events: Events, *, started: float, look: Look = unhurried
) -> tuple[Result, int]:
    """Count or enumerate the tilings of an unfiltered cover up to symmetry; the answer and the order of the group.

    Solutions are streamed through `events`. `stats["method"]` is that of the plan. `look` is called while the plan is made.
    """
    plan = Decomposition.of(backend, cover, question.goal, look)
    raw = replace(question, up_to_symmetry=False)
    if plan.method == "plain":
        (part,) = plan.parts
        result = part.backend.solve(part.cover, raw, events, started=started)
    elif plan.method == "burnside":
        result = burnside(plan.parts, plan.order, question.limits, events, started)
    else:
        result = _search(plan.parts, raw, events, started)
    return replace(result, stats={**result.stats, "method": plan.method}), plan.order


@dataclass(frozen=True)
class Part:
    """A part of the search, and the symmetries (without the identity) under which only the least of its tilings counts."""

    backend: Backend
    cover: ExactCover
    maps: Maps


@dataclass(frozen=True)
class Decomposition:
    """The parts that make up an answer up to symmetry: their numbers of tilings, added up and divided by `divisor`.

    `method` is `anchor`, `canonical`, `burnside` or (for a group of one) `plain`; `order` is that of the group. Only `burnside`
    divides, and then only for counting.
    """

    method: str
    order: int
    parts: tuple[Part, ...]
    divisor: int = 1

    @classmethod
    def of(cls, backend: Backend, cover: ExactCover, goal: Goal, look: Look = unhurried) -> Decomposition:
        """The anchor is the tile that the backend's option names, else the one that leaves least to search."""
        turned, maps = actions(cover, look)
        order = len(maps)
        plain = replace(backend, anchor="off")
        if order == 1:
            return cls("plain", order, (Part(plain, cover, maps[1:]),))
        anchored = _anchored(plain, cover, maps, backend.anchor)
        if anchored is not None:
            return cls("anchor", order, anchored)
        fixed = burnside_parts(plain, cover, turned, maps, look) if goal is Goal.COUNT else None
        if fixed is not None:
            return cls("burnside", order, fixed, order)
        return cls("canonical", order, (Part(plain, cover, maps[1:]),))


def _anchored(backend: Backend, cover: ExactCover, maps: Maps, anchor: str) -> tuple[Part, ...] | None:
    """The search split by where the anchor lies, one placement of each orbit; None if no tile can be one.

    Each placement is a part of its own, with the symmetries that keep it, and nothing else that touches it: so the anchor is laid
    first, whatever the backend would lay first. (Where there are many, those with the same symmetries are one part.) Where
    symmetries are left, another tile is an anchor under them, and so on, some times.
    """
    names = [tile.name for tile in cover.tiles]
    once = [t for t in range(len(names)) if names[t] and cover.lower[t] == cover.upper[t] == 1]
    first = once if anchor in ("off", "auto") else [filters.anchor_tile(cover, anchor)]
    ranks = _ranks(cover, backend.numbering(cover))
    todo = _laid(cover, np.ones(len(cover), np.bool_), maps, first, ranks, _MOST_ANCHORS)
    if todo is None:
        return None
    parts: list[Part] = []
    for _ in range(_MORE_ANCHORS):
        deeper = []
        for keep, stable in todo:
            split = _laid(cover, keep, stable, once, ranks, 1) if len(stable) > 1 else None
            if split is None:
                parts.append(Part(backend, cover.restrict(keep), stable[1:]))
            else:
                deeper += split
        todo = deeper
    parts += [Part(backend, cover.restrict(keep), stable[1:]) for keep, stable in todo]
    return tuple(parts)


def _laid(
    cover: ExactCover, keep: NDArray[np.bool_], maps: Maps, once: Sequence[int], ranks: Maps, most: int
) -> list[tuple[NDArray[np.bool_], Maps]] | None:
    """What is left of the options marked in `keep`, which the maps (the identity first) take to each other, beside each placement
    of an anchor that is the least of its orbit, and the maps that keep it; up to `most` placements one by one.

    Of the tiles used `once` that these maps take to themselves, the one with fewest such placements is the anchor; None if there
    is no such tile that they move.
    """
    best: tuple[int, int, Maps] | None = None
    for t in once:
        options = cover.by_tile[t][keep[cover.by_tile[t]]]
        images = maps[:, options]
        if (images == options).all() or not (cover.tile[images] == t).all():
            continue
        kept = options[(ranks[images] >= ranks[options]).all(axis=0)]
        # A placement that is kept by a symmetry leaves work for another anchor.
        score = len(kept) + int((maps[1:, kept] == kept).any(axis=0).sum())
        if best is None or score < best[0]:
            best = score, t, kept.astype(np.int64)
    if best is None:
        return None
    _, t, kept = best
    groups: dict[tuple[int, ...], list[list[int]]] = {}
    for option in kept.tolist():
        stable = tuple(np.flatnonzero(maps[:, option] == option).tolist())
        alike = groups.setdefault(stable, [])
        if len(kept) <= most or not alike:
            alike.append([option])
        else:
            alike[0].append(option)
    others = keep & (cover.tile != t)
    laid = []
    for stable, alike in groups.items():
        for some in alike:
            left = others & ~cover.touching(some[0]) if len(some) == 1 else others.copy()
            left[some] = True
            laid.append((left, maps[list(stable)]))
    return laid


def _ranks(cover: ExactCover, numbering: Maps) -> Maps:
    """Shape (options,): their places when sorted by their cells in a numbering."""
    cells = [sorted(numbering[members].tolist()) for members in cover.members.lists()]
    ranks = np.empty(len(cells), np.int64)
    ranks[sorted(range(len(cells)), key=cells.__getitem__)] = np.arange(len(cells))
    return ranks


def count(part: Part, cover: ExactCover, question: Question, events: Events, *, started: float) -> tuple[int, Result]:
    """The tilings that count of a smaller cover taken from a part, and what the backend said."""
    collector = _Least(events, part.maps, question, Done(), None)
    return _solve(part, cover, question, collector, started)


def _solve(part: Part, cover: ExactCover, question: Question, collector: _Least, started: float) -> tuple[int, Result]:
    """Counting needs no look at the tilings of a part without symmetries."""
    goal = Goal.COUNT if question.goal is Goal.COUNT and not len(part.maps) else Goal.ENUMERATE
    result = part.backend.solve(cover, replace(question, goal=goal), collector, started=started)
    return int(result.stats.get("found", 0)) if goal is Goal.COUNT else collector.found, result


def _search(parts: Sequence[Part], question: Question, events: Events, started: float) -> Result:
    """Search the parts one after the other."""
    saved = events.restored() if events.saves else None
    done = Done.of(saved[1] if saved else {})
    first, stop = done.parts, Stop.DONE
    shares = _shares_of_work(parts)
    for number in range(first, len(parts)):
        part = parts[number]
        stretch = sum(shares[:number]), shares[number]
        collector = _Least(events, part.maps, question, done, saved if number == first else None, stretch)
        limits = replace(question.limits, solutions=None)
        if limits.nodes is not None:
            limits = replace(limits, nodes=max(1, limits.nodes - done.stats.get("nodes", 0)))
        found, result = _solve(part, part.cover, replace(question, limits=limits), collector, started)
        done = done.plus(found, result.stats)
        if collector.is_full or result.stop is not Stop.DONE:
            stop = Stop.SOLUTIONS if collector.is_full else result.stop
            break
    status = Status.SAT if done.found else Status.UNSAT if stop is Stop.DONE else Status.UNKNOWN
    stats = {"found": done.found, **done.told}
    return Result(status, stop, count=done.found if stop is Stop.DONE else None, stats=stats)


@dataclass(frozen=True)
class Done:
    """What the parts that are searched already have come to."""

    parts: int = 0
    found: int = 0
    stats: Mapping[str, int] = field(default_factory=dict)
    fits: Mapping[str, list[int]] = field(default_factory=dict)
    said: Mapping[str, str] = field(default_factory=dict)  #: by the first part that was asked

    @classmethod
    def of(cls, note: Mapping[str, Any]) -> Done:
        """As `note` wrote it down; nothing of nothing."""
        return cls(*(note[name] for name in cls().note())) if note else cls()

    def note(self) -> dict[str, Any]:
        counted = {"parts": self.parts, "found": self.found}
        return {**counted, "stats": dict(self.stats), "fits": dict(self.fits), "said": dict(self.said)}

    @property
    def told(self) -> dict[str, Any]:
        """The statistics."""
        return {**self.stats, **self.fits, **self.said}

    def plus(self, found: int, stats: Mapping[str, Any]) -> Done:
        """With one more part."""
        sums, lists, said = dict(self.stats), dict(self.fits), dict(self.said)
        for name, value in stats.items():
            if isinstance(value, int) and name != "found":
                sums[name] = sums.get(name, 0) + value
            elif isinstance(value, list):
                lists[name] = [a + b for a, b in zip_longest(lists.get(name, []), value, fillvalue=0)]
            elif isinstance(value, str):
                said.setdefault(name, value)
        return Done(self.parts + 1, self.found + found, sums, lists, said)


class _Least(Events):
    """Passes on the tilings that are the least of their images."""

    def __init__(
        self,
        events: Events,
        maps: Maps,
        question: Question,
        done: Done,
        saved: _Saved | None,
        stretch: tuple[float, float] = (0.0, 1.0),
    ) -> None:
        """`done` are the parts before this one, `stretch` is how much of all the work they were and this one is."""
        self._events, self._maps, self._query, self._done, self._saved = events, maps, question, done, saved
        self._stretch = stretch
        self.found = int(saved[1]["least"]) if saved else 0
        self.traces, self.saves = events.traces, events.saves

    def restored(self) -> _Saved | None:
        return self._saved

    def save(self, arrays: Mapping[str, Any], note: Mapping[str, Any], *, last: bool) -> None:
        self._events.save(arrays, {**self._done.note(), "least": self.found}, last=last)

    @property
    def is_full(self) -> bool:
        """Whether as many tilings as asked for are found."""
        wanted = self._query.solutions_wanted
        return wanted is not None and self._done.found + self.found >= wanted

    def solution(self, options: tuple[int, ...]) -> None:
        if self.is_full:
            return
        mine = sorted(options)
        if all(sorted(image) >= mine for image in self._maps[:, mine].tolist()):
            self.found += 1
            if self._query.goal is not Goal.COUNT:
                self._events.solution(tuple(mine))

    def tick(self, progress: Progress) -> bool:
        nodes, found = self._done.stats.get("nodes", 0), self._done.found
        before, here = self._stretch
        fraction = None if progress.fraction is None else before + here * progress.fraction
        total = Progress(nodes + progress.nodes, found + (self.found or progress.found), fraction)
        return self._events.tick(total) and not self.is_full

    def stack(self, options: tuple[int, ...]) -> None:
        self._events.stack(options)


def _shares_of_work(parts: Sequence[Part]) -> list[float]:
    """What part of the work each part may be, for want of better knowledge: the choices at the root, and the work doubles with
    every piece."""
    most = max(len(part.cover.cells) for part in parts)
    weights = []
    for cover in (part.cover for part in parts):
        choices = int(np.diff(cover.by_tile.starts).min())
        weights.append(max(1, choices) * 2.0 ** ((len(cover.cells) - most) / int(cover.sizes.min())))
    return [weight / sum(weights) for weight in weights]


def burnside_parts(
    backend: Backend, cover: ExactCover, turned: Maps, maps: Maps, look: Look = unhurried
) -> tuple[Part, ...] | None:
    """Covers whose solutions, all together, are the tilings that each symmetry maps onto themselves.

    `turned` and `maps` say where the symmetries, the identity first, take cells and options. The identity's share is the cover
    itself, for the given backend; the others are for `dlx`, which knows no geometry. None if the copies of bounded tiles can be
    shared among orbits of placements in too many ways.
    """
    from tiler.backends.dlx import Dlx

    parts = [Part(backend, cover, maps[:0])]
    for cell_map, option_map in zip(turned[1:], maps[1:], strict=True):
        look()
        fixed = fixed_covers(cover, cell_map, option_map)
        if fixed is None:
            return None
        parts += [Part(Dlx(), each, maps[:0]) for each in fixed]
    return tuple(parts)


def burnside(parts: Sequence[Part], order: int, limits: Limits, events: Events, started: float) -> Result:
    """Count orbits as the mean number of tilings that a symmetry of a group of this order maps onto themselves."""
    saved = events.restored() if events.saves else None
    done = Done.of(saved[1] if saved else {})
    first = done.parts
    shares = _shares_of_work(parts)
    for number in range(first, len(parts)):
        part = parts[number]
        stretch = sum(shares[:number]), shares[number]
        collector = _Least(events, part.maps, Question(Goal.COUNT), done, saved if number == first else None, stretch)
        result = part.backend.solve(part.cover, Question(Goal.COUNT, limits), collector, started=started)
        if result.count is None:
            # The fixed tilings still to come only add to the mean.
            done = done.plus(int(result.stats["found"]), result.stats)
            found = -(-done.found // order)
            status = Status.SAT if found else Status.UNKNOWN
            return replace(result, status=status, stats={"found": found, "nodes": done.stats.get("nodes", 0)})
        done = done.plus(result.count, result.stats)
    total, nodes = done.found, done.stats.get("nodes", 0)
    count = orbits_of(total, order)
    return Result(Status.SAT if count else Status.UNSAT, Stop.DONE, count=count, stats={"found": count, "nodes": nodes})


def orbits_of(fixed: int, order: int) -> int:
    """The number of orbits, from the number of tilings that each symmetry keeps, added up; BadSolution if it cannot be right."""
    count, rest = divmod(fixed, order)
    if rest:
        raise BadSolution(f"the symmetries keep {fixed} tilings in all, no multiple of {order}, the group's order: report this")
    return count


@dataclass(frozen=True)
class _Orbit:
    """Placements that a symmetry takes round, laid all at once."""

    cells: tuple[int, ...]  #: of the quotient board
    uses: tuple[tuple[int, int], ...]  #: tile and copies

    @property
    def kind(self) -> _Kind:
        """What it uses, and how many cells: orbits of one kind are alike as far as bounds and areas go."""
        return self.uses, len(self.cells)


_Kind = tuple[tuple[tuple[int, int], ...], int]


def fixed_covers(cover: ExactCover, cell_map: NDArray[np.int64], option_map: NDArray[np.int64]) -> list[ExactCover] | None:
    """Covers whose solutions, all together, are the tilings that a symmetry maps onto themselves; None if there are too many.

    The cells are those of the board taken round, the options whole orbits of placements that do not overlap. Where a bounded tile
    occurs in orbits of different kinds there is one cover for every way to share its copies among them.
    """
    orbits, cells = _orbits(cover, cell_map, option_map)
    kinds = sorted({orbit.kind for orbit in orbits})
    shares = _shares(cover, [kind for kind in kinds if any(cover.bounded[t] for t, _ in kind[0])])
    if shares is None:
        return None
    if not orbits:
        return []
    number = {kind: k for k, kind in enumerate(kinds)}
    orbits.sort(key=lambda orbit: number[orbit.kind])
    whole = replace(
        cover,
        tiles=tuple(Tile(f"orbit{k}", frozenset((0, x) for x in range(size))) for k, (_, size) in enumerate(kinds)),
        cells=tuple((0, x) for x in range(cells)),
        tile=np.array([number[orbit.kind] for orbit in orbits], np.int32),
        variant=np.zeros(len(orbits), np.int32),
        offset=np.zeros((len(orbits), 2), np.int32),
        members=Csr.of([orbit.cells for orbit in orbits]),
        origin=np.arange(len(orbits), dtype=np.int32),
        is_whole=False,
    )
    most = np.array([cells // size for _, size in kinds], np.int64)
    covers = []
    for share in shares:
        exact = np.array([kind in share for kind in kinds], np.bool_)
        copies = np.array([share.get(kind, 0) for kind in kinds], np.int64)
        upper = np.where(exact, copies, most)
        covers.append(replace(whole, lower=copies, upper=upper, bounded=exact).restrict(upper[whole.tile] > 0))
    return covers


def _orbits(cover: ExactCover, cell_map: NDArray[np.int64], option_map: NDArray[np.int64]) -> tuple[list[_Orbit], int]:
    """The orbits of placements that do not overlap, and the number of cells of the quotient board."""
    quotient = [-1] * len(cover.cells)
    cells = 0
    for start in range(len(quotient)):
        if quotient[start] < 0:
            at = start
            while quotient[at] < 0:
                quotient[at] = cells
                at = int(cell_map[at])
            cells += 1
    seen = [False] * len(cover)
    members, tile, to = cover.members.lists(), cover.tile.tolist(), option_map.tolist()
    orbits = []
    for start in range(len(cover)):
        if seen[start]:
            continue
        orbit = [start]
        while to[orbit[-1]] != start:
            orbit.append(to[orbit[-1]])
        for option in orbit:
            seen[option] = True
        covered = [cell for option in orbit for cell in members[option]]
        if len(set(covered)) == len(covered):
            uses = Counter(tile[option] for option in orbit)
            orbits.append(_Orbit(tuple(sorted({quotient[cell] for cell in covered})), tuple(sorted(uses.items()))))
    return orbits, cells


def _shares(cover: ExactCover, kinds: Sequence[_Kind]) -> list[dict[_Kind, int]] | None:
    """How often each kind may be used so that bounded tiles are within their bounds: all ways, or None if there are too many."""
    least = {t: int(cover.lower[t]) for t in np.flatnonzero(cover.bounded).tolist()}
    ways: list[tuple[dict[_Kind, int], dict[int, int]]] = [({}, {t: int(cover.upper[t]) for t in least})]
    for kind in kinds:
        longer = []
        for share, left in ways:
            uses = [(t, copies) for t, copies in kind[0] if t in left]
            for n in range(min(left[t] // copies for t, copies in uses) + 1):
                longer.append((share | {kind: n}, left | {t: left[t] - n * copies for t, copies in uses}))
        if len(longer) > _MOST_SHARES:
            return None
        ways = longer
    most = {t: int(cover.upper[t]) for t in least}
    return [share for share, left in ways if all(most[t] - left[t] >= least[t] for t in least)]
