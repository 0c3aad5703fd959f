"""Tally solutions by a search that lists them: how many there are for each choice of copies, and of cells that stay open.

It takes as long as listing them all. A search by states can do better: see frontier/tally.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace

import numpy as np

from tiler.cover.cover import Cover
from tiler.question.events import Found, Progress, Run, Running
from tiler.question.question import Apart, Goal, Portion, Question
from tiler.question.result import Result, Stop

#: How a cover is searched.
Searching = Callable[[Cover, Question, Run], Running]


def listing(question: Question) -> Question:
    """The question for all solutions that a tally is made of."""
    return replace(question, goal=Goal.ENUMERATE, apart=())


def by_listing(search: Searching, cover: Cover, question: Question, run: Run) -> Running:
    """The events of a search for all solutions, without them, and their tally."""
    portion = Portions(cover, question.apart)
    tally: Counter[Portion] = Counter()
    with closing(search(cover, listing(question), run)) as running:
        for event in running:
            match event:
                case Found(options):
                    tally[portion.of(options)] += 1
                case Progress():
                    yield replace(event, found=tally.total())
                case Result():
                    yield replace(event, tally=tally if event.stop is Stop.DONE else None)
                case _:
                    yield event


class Portions:
    """To which portion of a tally each solution of a cover belongs."""

    def __init__(self, cover: Cover, apart: tuple[Apart, ...]) -> None:
        self._cover, self._apart = cover, apart
        self._tiles = len(cover.names) - len(cover.fillers)

    def of(self, options: tuple[int, ...]) -> Portion:
        """The portion of a solution, options of fillers included."""
        cover, chosen = self._cover, np.array(options, np.int64)
        fills = cover.fills[chosen]
        copies: list[int] = []
        items: list[int] = []
        if Apart.COPIES in self._apart:
            copies = np.bincount(cover.tile[chosen[~fills]], minlength=self._tiles).tolist()
        if Apart.OPEN in self._apart:
            # The fillers of corners leave no cell open.
            cells = cover.area
            items = sorted(item for o in chosen[fills].tolist() for item in cover.members[o].tolist() if item < cells)
        return Portion(tuple(copies), tuple(items))
