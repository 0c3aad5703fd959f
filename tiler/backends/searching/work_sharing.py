"""Let threads share a search tree, in rounds: between two rounds no thread runs.

In a round each thread searches in a stretch of its own (subtrees.py), in steps of some two milliseconds. A thread without a
stretch takes one that waits. If none waits, it is given a part of the stretch with most of the tree still open, as soon as that
stretch pauses. A round ends after some forty milliseconds; then what happened in it is reported. So closing the search, limits,
Ctrl-C and checkpoints need not know about threads.
"""

from __future__ import annotations

import time
from itertools import takewhile
from threading import Condition

from tiler.backends.searching.resumable import ROOM
from tiler.backends.searching.subtrees import Stretch, Stretches
from tiler.kernels import EXHAUSTED, PAUSED
from tiler.process.memory import resident_megabytes
from tiler.process.threads import ROUND_SECONDS, together
from tiler.question.question import Goal, Question

STEP_SECONDS = 0.002
#: Solutions kept for later. With more of them only the first stretch, whose solutions need not wait, is searched.
KEPT = 200_000


class Sharing:
    """A tree that several threads search."""

    def __init__(self, tree: Stretches, question: Question) -> None:
        self._tree, self._limits = tree, question.limits
        self._keeps = question.goal is not Goal.COUNT
        self._wanted = question.solutions_wanted
        self._left = 0  # solutions still wanted when the round begins
        self._has_room = True  # whether there seems to be memory for more stretches
        self._changed = Condition()  # Its lock guards all that follows, and the tree's list and sums.
        self._until = 0.0
        self._over = False
        self._waiting: list[Stretch] = []
        self._searched: list[Stretch] = []
        self._idle = 0

    def round(self) -> None:
        """Search for one round. One thread at a time searches a stretch. When this returns or raises, no thread runs."""
        self._until, self._over = time.perf_counter() + ROUND_SECONDS, False
        self._waiting, self._searched, self._idle = list(self._tree.list), [], 0
        self._left = 0 if self._wanted is None else self._wanted - self._tree.found()
        together([self._work] * self._limits.threads)

    def _work(self) -> None:
        """What each thread does in a round."""
        try:
            while (stretch := self._next()) is not None:
                self._search(stretch)
        except BaseException:
            with self._changed:
                self._over = True
                self._changed.notify_all()
            raise

    def _next(self) -> Stretch | None:
        """A stretch for an idle thread; None when there will be none in this round."""
        with self._changed:
            self._idle += 1
            try:
                while not self._over:
                    stretch = next((each for each in self._tree.list if each in self._waiting and self._is_needed(each)), None)
                    if stretch is not None:
                        self._waiting.remove(stretch)
                        self._searched.append(stretch)
                        return stretch
                    left = self._until - time.perf_counter()
                    if left <= 0 or not self._searched:
                        break
                    self._changed.wait(left)
                return None
            finally:
                self._idle -= 1

    def _search(self, stretch: Stretch) -> None:
        """Search a stretch until it is done, or the round is over, or the stretch is not needed for now."""
        while True:
            before = time.perf_counter()
            with self._changed:
                most = self._room_for(stretch)
            code = stretch.step(stretch.budget, most)
            now = time.perf_counter()
            if code == PAUSED:
                # The last step of a round is as long as the rest of it, so that threads end together.
                stretch.aim(now - before, STEP_SECONDS if now >= self._until else min(STEP_SECONDS, self._until - now))
            with self._changed:
                is_over = self._over or now >= self._until
                is_needed = self._is_needed(stretch)
                if code != EXHAUSTED and not is_over and is_needed:
                    if self._idle:
                        self._divide(stretch)
                    continue
                self._searched.remove(stretch)
                if code == EXHAUSTED:
                    self._tree.done(stretch)
                elif self._wanted is not None and self._before(stretch) >= self._left:
                    self._tree.drop(stretch)
                elif not is_over:
                    self._waiting.append(stretch)
                self._changed.notify_all()
                return

    def _is_needed(self, stretch: Stretch) -> bool:
        """Whether a stretch is to be searched now. It is not if enough solutions are known that come before those it has still to
        find. If too many solutions are kept, only the first stretch is searched, because the kept ones wait for it."""
        if not self._keeps:
            return True
        tree, first = self._tree, self._tree.list[0]
        if tree.kept() >= KEPT and (stretch is not first or len(tree.ready) + len(first.own) >= KEPT):
            return False
        return self._wanted is None or self._before(stretch) + len(stretch.own) < self._left

    def _room_for(self, stretch: Stretch) -> int:
        """How many solutions the next step of a stretch may find: no more than are wanted, or can be kept."""
        if not self._keeps:
            return 0
        wanted = ROOM if self._wanted is None else self._left - self._before(stretch) - len(stretch.own)
        return max(1, min(wanted, KEPT - self._tree.kept()))

    def _before(self, stretch: Stretch) -> int:
        """How many solutions are known that come before a stretch."""
        earlier = takewhile(lambda each: each is not stretch, self._tree.list)
        return len(self._tree.ready) + sum(len(each.own) + len(each.behind) for each in earlier)

    def _divide(self, stretch: Stretch) -> None:
        """Give a part of a stretch to an idle thread, if this stretch is the one to be divided."""
        waiting = sum(map(self._is_needed, self._waiting))
        largest = max(each.open for each in self._searched)
        if (
            waiting >= self._idle
            or stretch.open < largest
            or (self._keeps and self._tree.kept() >= KEPT)
            or not self._may_grow(stretch)
        ):
            return
        try:
            new = self._tree.divide(stretch)
        except MemoryError:
            # The threads that there are can go on without another one.
            self._has_room = False
            return
        if new is not None:
            self._waiting.append(new)
            self._changed.notify()

    def _may_grow(self, stretch: Stretch) -> bool:
        """Whether there is memory for one more stretch."""
        megabytes = self._limits.megabytes
        if self._has_room and megabytes is not None and not self._tree.has_spare:
            size = sum(array.nbytes for array in stretch.search.arrays().values())
            self._has_room = resident_megabytes() + size / (1 << 20) < megabytes
        return self._has_room or self._tree.has_spare
