"""Answer questions about the tilings with certain features (ask/features/predicates.py), which no backend knows. For *every piece
on the border*, placements are removed before the search. For the other features all tilings are looked at when they are found,
block by block (sieves.py), so counting takes as long as listing all tilings. For rectangles without fault lines see
fault_free.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tiler import portable
from tiler.amounts import counted
from tiler.ask.features.feature import Holds
from tiler.ask.features.predicates import FEATURES, border_of
from tiler.ask.features.sieves import SIEVES, sieve
from tiler.cover.board import BoardCover
from tiler.cover.group_action import actions
from tiler.errors import BadOption
from tiler.model.expected import Status
from tiler.process.cancellation import StopCheck, Stopped
from tiler.question.events import Events, Found, Progress, RunningSearch
from tiler.question.question import Goal, Question
from tiler.question.result import Result, Stop

_SEARCHED = "border"
_GOALS = (Goal.DECIDE, Goal.COUNT, Goal.ENUMERATE)


def refuse(question: Question, *, alone: bool) -> None:
    """BadOption if a question cannot have features; `alone` says that one search answers it, which is not saved."""
    if not question.features:
        return
    named = ", ".join(question.features)
    unknown = [name for name in question.features if name not in FEATURES]
    if unknown:
        raise BadOption(f"there is no feature {unknown[0]!r}; there are {', '.join(FEATURES)}")
    if question.goal not in _GOALS:
        raise BadOption(
            f"{named}: tilings with features can be decided, counted and listed; the goal here is to {question.goal.verb}"
        )
    if not alone:
        raise BadOption(
            f"{named}: one search looks at all tilings, and it cannot be split or saved; leave out executor and checkpoint"
        )


def asked_of_backend(question: Question) -> Question:
    """The question that a search is to answer, so that the tilings with the features can be told from it."""
    if not _looked_for(question):
        return question
    return replace(question, goal=Goal.ENUMERATE, limits=replace(question.limits, solutions=None), features=())


def narrowed(cover: BoardCover, question: Question) -> BoardCover:
    """The cover without the placements that a feature rules out, numbered anew."""
    if _SEARCHED not in question.features:
        return cover
    border = border_of(cover.instance)
    on_border = np.fromiter((cell in border for cell in cover.items), np.bool_, len(cover.items))
    keep = portable.reduceat(np.logical_or, on_border[cover.members.values], cover.members.starts[:-1]) | cover.fills
    return replace(cover.restrict(keep), origin=np.arange(int(keep.sum()), dtype=np.int32))


def sifted(running: RunningSearch, cover: BoardCover, question: Question, check_stop: StopCheck) -> RunningSearch:
    """Turn the events of a search for the question of `asked_of_backend` into those of an answer to the question itself.
    `check_stop` is called while a tiling is looked at."""
    looked_for = _looked_for(question)
    if not looked_for:
        result = yield from running
        return replace(result, message="; ".join(filter(None, [result.message, "the search had no placements off the border"])))
    has = sieve(cover, [name for name in looked_for if name in SIEVES])
    others = [holds for name in looked_for if (holds := FEATURES[name].holds) is not None]
    found = seen = nodes = 0
    stats: dict[str, object] = {}
    with Events(running) as events:
        for event in events:
            match event:
                case Found():
                    chosen: list[int] = []
                    stop: Stopped | None = None
                    looked_at = len(event)
                    for number in np.flatnonzero(has(event.rows)).tolist():
                        try:
                            if not others or _has_all(others, cover, event.rows[number], check_stop):
                                chosen.append(number)
                        except Stopped as stopped:  # What was found until then is known.
                            looked_at, stop = number + 1, stopped
                            break
                        if found + len(chosen) == question.solutions_wanted:
                            looked_at = number + 1
                            break
                    seen += looked_at
                    found += len(chosen)
                    if question.goal is not Goal.COUNT and chosen:
                        yield Found(event.rows[chosen])
                    if stop is not None:
                        all_stats = {**stats, "looked_at": seen}
                        return Result.so_far(Stop(stop.why), found=found, nodes=nodes, stats=all_stats, message=stop.message)
                    if found == question.solutions_wanted:
                        decides = question.goal is Goal.DECIDE
                        end = Stop.DONE if decides else Stop.SOLUTIONS
                        order = len(actions(cover)[1]) if question.up_to_symmetry and not decides else None
                        return Result(Status.SAT, end, found, symmetry=order, nodes=nodes, stats={**stats, "looked_at": seen})
                case Progress():
                    nodes, stats = event.nodes, dict(event.stats)
                    yield replace(event, found=found, stats={**event.stats, "looked_at": seen})
                case _:
                    yield event
    return _of(events.result, question, found, seen)


def _has_all(features: Sequence[Holds], cover: BoardCover, options: NDArray[np.int32], check_stop: StopCheck) -> bool:
    tiling = cover.placements(options[options >= 0].tolist())
    return all(holds(cover.instance, tiling, check_stop) for holds in features)


def _of(result: Result, question: Question, found: int, seen: int) -> Result:
    """The result of a search, given how many tilings it found and how many of them have the features."""
    done = result.stop is Stop.DONE
    status = Status.SAT if found else Status.UNSAT if done else Status.UNKNOWN
    message = result.message
    decides = question.goal is Goal.DECIDE
    if done and not message and seen:
        message = f"{counted(seen, 'tiling')} looked at one by one" + (", none as asked" if decides and not found else "")
    count = found if done and not decides else None
    symmetry = None if decides else result.symmetry
    stats = {**result.stats, "looked_at": seen}
    return replace(result, status=status, found=found, count=count, symmetry=symmetry, stats=stats, message=message)


def _looked_for(question: Question) -> tuple[str, ...]:
    return tuple(name for name in question.features if name != _SEARCHED)
