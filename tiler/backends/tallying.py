"""Tally solutions by listing them: count how many there are for each choice of copies, or of cells that stay open.

This takes as long as listing all solutions. A diagram of all solutions can be faster: see
cover/diagram_tally.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import replace

import numpy as np

from tiler import portable
from tiler.cover.cover import Cover
from tiler.question.events import Events, Found, Progress, RunningSearch
from tiler.question.question import Goal, Portion, Question, TallyBy
from tiler.question.result import Stop


def listing(question: Question) -> Question:
    """The question for the list of all solutions from which a tally is made."""
    return replace(question, goal=Goal.ENUMERATE, tally_by=())


def by_listing(running: RunningSearch, cover: Cover, question: Question) -> RunningSearch:
    """Tally the solutions that a search lists. Yields the events of the search but no solutions; the result has the tally."""
    tally: Counter[Portion] = Counter()
    with Events(running) as events:
        for event in events:
            match event:
                case Found():
                    tally.update(_portion(cover, question.tally_by, options) for options in event)
                case Progress():
                    yield replace(event, found=tally.total())
                case _:
                    yield event
    return replace(events.result, tally=tally if events.result.stop is Stop.DONE else None)


def _portion(cover: Cover, tally_by: Collection[TallyBy], options: tuple[int, ...]) -> Portion:
    """The portion of a tally that a solution belongs to; the solution is given with the options of fillers."""
    chosen = np.array(options, np.int64)
    fills = cover.fills[chosen]
    copies: list[int] = []
    items: list[int] = []
    if TallyBy.COPIES in tally_by:
        tiles = len(cover.names) - len(cover.fillers)
        copies = portable.bincount(cover.tile[chosen[~fills]], minlength=tiles).tolist()
    if TallyBy.OPEN in tally_by:
        cells = cover.area  # The fillers of corners leave no cell open.
        items = sorted(item for o in chosen[fills].tolist() for item in cover.members[o].tolist() if item < cells)
    return Portion(tuple(copies), tuple(items))
