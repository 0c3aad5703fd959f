"""Keep a search tree in work units, for several threads or from a checkpoint.

A *work unit* is a part of a search: its nodes come one after the other when a single thread makes them. It can be divided in two
(`Divisible.give`); the later part then stands right behind the earlier one in the list. So the sums over all work units equal
the sums of one thread, once all are searched to their end. Solutions are handed over in the order of one thread: solutions of
the first work unit at once, the others when everything before them is done.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tiler.backends.searching.resumable import ROOM, Divisible, Gathering, Search
from tiler.kernels import EXHAUSTED, GROWING, SOLUTION, TerminationCheck
from tiler.question.events import Found, Progress, Saved

#: Nodes of the first step, and the most nodes of any step: on a large board a single node may take tenths of a second.
_FIRST_BUDGET, _LAST_BUDGET = 1, 1 << 40
_GROWTH = 8.0  # the budget of a step is at most this many times the budget before


class SolutionQueue:
    """Solutions that wait, in blocks."""

    def __init__(self) -> None:
        self._blocks = deque[Found]()
        self._number = 0

    def __len__(self) -> int:
        return self._number

    def add(self, block: Found) -> None:
        """Put a block behind the others."""
        if len(block):
            self._blocks.append(block)
            self._number += len(block)

    def move(self, other: SolutionQueue) -> None:
        """Put all that waits in another place behind these."""
        self._blocks += other._blocks
        self._number += other._number
        other._blocks.clear()
        other._number = 0

    def take(self, most: int | None = None) -> Iterator[Found]:
        """Hand over the blocks one by one, with at most `most` solutions, and forget them."""
        while self._blocks and most != 0:
            block = self._blocks.popleft()
            if most is not None and len(block) > most:
                block, rest = block.split(most)
                self._blocks.appendleft(rest)
            self._number -= len(block)
            most = None if most is None else most - len(block)
            yield block

    def flat(self) -> NDArray[np.int64]:
        """The solutions as one array, with -1 after each; `of_flat` reads it."""
        ends = [np.pad(block.rows, ((0, 0), (0, 1)), constant_values=-1) for block in self._blocks]
        ended = [rows[(rows >= 0) | (np.cumsum(rows < 0, axis=1) == 1)] for rows in ends]
        return np.concatenate([np.zeros(0, np.int64), *ended])

    @classmethod
    def of_flat(cls, array: NDArray[np.int64]) -> SolutionQueue:
        """The solutions in an array that `flat` made."""
        made = cls()
        made.add(Found.of([part[:-1].tolist() for part in np.split(array, np.flatnonzero(array < 0) + 1)[:-1]]))
        return made


class WorkUnit:
    """A work unit of a search tree, and the search that goes through it."""

    def __init__(self, search: Search, *, end: float = 1.0, budget: int = _FIRST_BUDGET) -> None:
        self.search = search
        self.end = end  #: the part of the whole tree that lies before its end
        self.open = 0.0  #: the part of the whole tree that it has still to search, when `measure` was called last
        self.budget = budget  #: nodes of its next step
        self.own = SolutionQueue()  #: its solutions that are not handed over yet
        self.behind = SolutionQueue()  #: solutions of finished work units that stood right behind it
        self._block = 1  # the most solutions of its next step
        self._termination = TerminationCheck("the search")

    def step(self, budget: int, most: int) -> int:
        """Search on for at most `budget` nodes, and keep the solutions, at most `most`; 0: only count them. So that nobody waits
        for the first ones, it is one at first, and each time twice as many."""
        search = self.search
        if most and isinstance(search, Gathering):
            code, rows = search.gather(budget, min(most, self._block))
            self.own.add(Found(rows))
        else:
            code = search.step(budget, most > 0)
            if most and code == SOLUTION:
                self.own.add(Found(search.chosen()))
        if code not in (EXHAUSTED, GROWING):
            self._termination.advance(search.nodes(), search.found())
        if code == SOLUTION:
            self._block = min(2 * self._block, ROOM)
        return code

    def aim(self, took: float, seconds: float) -> None:
        """Set the budget so that the next step takes `seconds`, when the last one took `took`. It grows gradually, since nodes
        are not equally hard."""
        self.budget = min(max(1, int(self.budget * min(_GROWTH, seconds / max(took, 1e-6)))), _LAST_BUDGET)

    def measure(self) -> bool:
        """Find out what part of the tree is open. Returns whether that can be known."""
        fraction = self.search.fraction()
        self.open = 0.0 if fraction is None else max(0.0, self.end - fraction)
        return fraction is not None


class WorkUnits:
    """The unfinished work units of a tree, in order, and the sums over the finished ones."""

    def __init__(self, search: Search, saved: Saved | None = None) -> None:
        """One work unit for the whole tree, or the work units that were saved."""
        self.units = [WorkUnit(search)]
        self.ready = SolutionQueue()  #: solutions that can be handed over
        self._nodes = self._found = 0
        self._stats: Mapping[str, Any] = {}
        self._spare: list[Divisible] = []
        if saved is not None:
            self._restore(search, saved)

    @property
    def has_spare(self) -> bool:
        """Whether a new work unit can reuse the arrays of a finished one."""
        return bool(self._spare)

    def nodes(self) -> int:
        """The number of nodes of all work units, finished ones included."""
        return self._nodes + sum(each.search.nodes() for each in self.units)

    def found(self) -> int:
        """The number of solutions, without those that are kept for later."""
        return self._found + sum(each.search.found() for each in self.units) - self.kept()

    def kept(self) -> int:
        """The number of solutions that are not handed over yet."""
        return len(self.ready) + sum(len(each.own) + len(each.behind) for each in self.units)

    def stats(self) -> Mapping[str, Any]:
        """The counters of all work units, finished ones included, other than the nodes."""
        stats = self._stats
        for each in self.units:
            stats = added(stats, each.search.stats())
        return stats

    def progress(self) -> Progress:
        """How far the search has come."""
        known = [each.measure() for each in self.units]
        fraction = min(1.0, max(0.0, 1.0 - sum(each.open for each in self.units))) if all(known) else None
        return Progress(self.nodes(), self.found(), fraction, self.stats())

    def saved(self) -> Saved:
        """The state of all work units. All solutions that are ready must have been taken before."""
        arrays: dict[str, NDArray[Any]] = {}
        for place, each in enumerate(self.units):
            arrays |= {f"{place}/{name}": array for name, array in each.search.arrays().items()}
            arrays |= {f"{place} own": each.own.flat(), f"{place} behind": each.behind.flat()}
        sums = {"nodes": self._nodes, "found": self._found, "stats": self._stats}
        return Saved(arrays, {"ends": [each.end for each in self.units], "sums": sums})

    def _restore(self, search: Search, saved: Saved) -> None:
        ends, sums = saved.note["ends"], saved.note["sums"]
        self._nodes, self._found, self._stats = sums["nodes"], sums["found"], sums["stats"]
        searches = [search]
        if isinstance(search, Divisible):
            searches += [search.twin() for _ in ends[1:]]
        self.units = [WorkUnit(each, end=end) for each, end in zip(searches, ends, strict=True)]
        for place, each in enumerate(self.units):
            before = f"{place}/"
            each.search.restore({name.removeprefix(before): a for name, a in saved.arrays.items() if name.startswith(before)})
            each.own = SolutionQueue.of_flat(saved.arrays[f"{place} own"])
            each.behind = SolutionQueue.of_flat(saved.arrays[f"{place} behind"])

    def taken(self, wanted: int | None = None) -> Iterator[Found]:
        """Hand over the solutions that are ready, block by block, and forget them. If a number is wanted in all, the others
        stay."""
        for waiting in (self.ready, self.units[0].own if self.units else self.ready):
            yield from waiting.take(None if wanted is None else wanted - self.found())

    def done(self, unit: WorkUnit) -> None:
        """Close a work unit that is searched to its end. Its solutions move to the work unit before it, or become ready."""
        place = self.units.index(unit)
        before = self.units[place - 1].behind if place else self.ready
        before.move(unit.own)
        before.move(unit.behind)
        self._close(unit)

    def drop(self, unit: WorkUnit) -> None:
        """Close a work unit whose solutions are no longer wanted; its nodes still count."""
        self._found -= unit.search.found() + len(unit.behind)
        self._close(unit)

    def _close(self, unit: WorkUnit) -> None:
        search = unit.search
        stats = added(self._stats, search.stats())
        self.units.remove(unit)
        self._nodes, self._found, self._stats = self._nodes + search.nodes(), self._found + search.found(), stats
        if isinstance(search, Divisible):
            self._spare.append(search)

    def divide(self, unit: WorkUnit) -> WorkUnit | None:
        """Give a part of a work unit to a new one, which stands right behind it; None if there is nothing to give."""
        search = unit.search
        if not isinstance(search, Divisible):
            return None
        other = self._spare.pop() if self._spare else search.twin()
        new, place = WorkUnit(other, end=unit.end, budget=unit.budget), self.units.index(unit) + 1
        if not search.give(other):
            self._spare.append(other)
            unit.open = 0.0
            return None
        self.units.insert(place, new)  # At once: from here on these branches are nowhere else.
        new.behind, unit.behind = unit.behind, new.behind
        new.measure()
        unit.end -= new.open
        unit.measure()
        return new


def added(counters: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """Counters of the same names added up: numbers, lists of them place by place, and mappings of them.

    >>> added({"tried": 3, "fits": [1, 2], "by": {"a": 1}}, {"fits": [5, 5, 5], "by": {"b": 2}})
    {'tried': 3, 'fits': [6, 7, 5], 'by': {'a': 1, 'b': 2}}
    """
    return {
        name: _sum(counters.get(name), more.get(name)) for name in [*counters, *(each for each in more if each not in counters)]
    }


def _sum(one: Any, other: Any) -> Any:
    if one is None or other is None:
        return other if one is None else one
    if isinstance(one, list):
        return [a + b for a, b in zip_longest(one, other, fillvalue=0)]
    return added(one, other) if isinstance(one, Mapping) else one + other
