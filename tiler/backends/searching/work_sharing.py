"""Let threads share a search tree, in rounds: between two rounds no thread runs.

In a round each thread searches in a work unit of its own (work_units.py), in steps of some two milliseconds. A thread without a
work unit takes one that waits. If none waits, it is given a part of the unit with most of the tree still open, as soon as that
unit pauses. A round ends after some forty milliseconds; then what happened in it is reported. So closing the search, limits,
Ctrl-C and checkpoints need not know about threads.
"""

from __future__ import annotations

import time
from itertools import takewhile
from threading import Condition

from tiler.backends.searching.resumable import ROOM
from tiler.backends.searching.work_units import WorkUnit, WorkUnits
from tiler.kernels import EXHAUSTED, PAUSED
from tiler.process.memory import resident_megabytes
from tiler.process.threads import ROUND_SECONDS, together
from tiler.question.question import Goal, Question

STEP_SECONDS = 0.002
#: Solutions kept for later. With more of them only the first work unit, whose solutions need not wait, is searched.
KEPT = 200_000


class Sharing:
    """A tree that several threads search."""

    def __init__(self, tree: WorkUnits, question: Question) -> None:
        self._tree, self._limits = tree, question.limits
        self._keeps = question.goal is not Goal.COUNT
        self._wanted = question.solutions_wanted
        self._left = 0  # solutions still wanted when the round begins
        self._has_room = True  # whether there seems to be memory for more work units
        self._changed = Condition()  # Its lock guards all that follows, and the tree's list and sums.
        self._until = 0.0
        self._over = False
        self._waiting: list[WorkUnit] = []
        self._searched: list[WorkUnit] = []
        self._idle = 0

    def round(self) -> None:
        """Search for one round. One thread at a time searches a work unit. When this returns or raises, no thread runs."""
        self._until, self._over = time.perf_counter() + ROUND_SECONDS, False
        self._waiting, self._searched, self._idle = list(self._tree.units), [], 0
        self._left = 0 if self._wanted is None else self._wanted - self._tree.found()
        together([self._work] * self._limits.threads)

    def _work(self) -> None:
        """What each thread does in a round."""
        try:
            while (unit := self._next()) is not None:
                self._search(unit)
        except BaseException:
            with self._changed:
                self._over = True
                self._changed.notify_all()
            raise

    def _next(self) -> WorkUnit | None:
        """A work unit for an idle thread; None when there will be none in this round."""
        with self._changed:
            self._idle += 1
            try:
                while not self._over:
                    unit = next((each for each in self._tree.units if each in self._waiting and self._is_needed(each)), None)
                    if unit is not None:
                        self._waiting.remove(unit)
                        self._searched.append(unit)
                        return unit
                    left = self._until - time.perf_counter()
                    if left <= 0 or not self._searched:
                        break
                    self._changed.wait(left)
                return None
            finally:
                self._idle -= 1

    def _search(self, unit: WorkUnit) -> None:
        """Search a work unit until it is done, or the round is over, or the work unit is not needed for now."""
        while True:
            before = time.perf_counter()
            with self._changed:
                most = self._room_for(unit)
            code = unit.step(unit.budget, most)
            now = time.perf_counter()
            if code == PAUSED:
                # The last step of a round is as long as the rest of it, so that threads end together.
                unit.aim(now - before, STEP_SECONDS if now >= self._until else min(STEP_SECONDS, self._until - now))
            with self._changed:
                is_over = self._over or now >= self._until
                is_needed = self._is_needed(unit)
                if code != EXHAUSTED and not is_over and is_needed:
                    if self._idle:
                        self._divide(unit)
                    continue
                self._searched.remove(unit)
                if code == EXHAUSTED:
                    self._tree.done(unit)
                elif self._wanted is not None and self._before(unit) >= self._left:
                    self._tree.drop(unit)
                elif not is_over:
                    self._waiting.append(unit)
                self._changed.notify_all()
                return

    def _is_needed(self, unit: WorkUnit) -> bool:
        """Whether a work unit is to be searched now. It is not if enough solutions are known that come before those it still has
        to find. If too many solutions are kept, only the first work unit is searched, because the kept ones wait for it."""
        if not self._keeps:
            return True
        tree, first = self._tree, self._tree.units[0]
        if tree.kept() >= KEPT and (unit is not first or len(tree.ready) + len(first.own) >= KEPT):
            return False
        return self._wanted is None or self._before(unit) + len(unit.own) < self._left

    def _room_for(self, unit: WorkUnit) -> int:
        """How many solutions the next step of a work unit may find: no more than are wanted, or can be kept."""
        if not self._keeps:
            return 0
        tree, first = self._tree, self._tree.units[0]
        wanted = ROOM if self._wanted is None else self._left - self._before(unit) - len(unit.own)
        kept = len(tree.ready) + len(first.own) if unit is first else tree.kept()
        return max(1, min(wanted, KEPT - kept))

    def _before(self, unit: WorkUnit) -> int:
        """How many solutions are known that come before a work unit."""
        earlier = takewhile(lambda each: each is not unit, self._tree.units)
        return len(self._tree.ready) + sum(len(each.own) + len(each.behind) for each in earlier)

    def _divide(self, unit: WorkUnit) -> None:
        """Give a part of a work unit to an idle thread, if this work unit is the one to be divided."""
        waiting = sum(map(self._is_needed, self._waiting))
        largest = max(each.open for each in self._searched)
        if (
            waiting >= self._idle
            or unit.open < largest
            or (self._keeps and self._tree.kept() >= KEPT)
            or not self._may_grow(unit)
        ):
            return
        try:
            new = self._tree.divide(unit)
        except MemoryError:
            # The threads that there are can go on without another one.
            self._has_room = False
            return
        if new is not None:
            self._waiting.append(new)
            self._changed.notify()

    def _may_grow(self, unit: WorkUnit) -> bool:
        """Whether there is memory for one more work unit."""
        megabytes = self._limits.megabytes
        if self._has_room and megabytes is not None and not self._tree.has_spare:
            size = sum(array.nbytes for array in unit.search.arrays().values())
            self._has_room = resident_megabytes() + size / (1 << 20) < megabytes
        return self._has_room or self._tree.has_spare
