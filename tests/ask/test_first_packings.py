"""Packings that a beam finds before the search for the best one goes on: the answer is the same as without them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tiler import formats
from tiler.ask import first_packings, planner
from tiler.ask.solve import solve
from tiler.backends.registry import parse_spec
from tiler.cover.board import BoardCover
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.question.events import NO_EXTRAS, Progress, RunningSearch
from tiler.question.question import Goal, Limits, Question
from tiler.question.result import Result, Stop

BEST = Question(Goal.OPTIMISE, Limits(threads=1))


def packing(blocks: list[str], weight: int = 1, open: str = "0..") -> Instance:
    """An instance whose heaviest tiling covers the most cells."""
    instance = formats.inline(blocks, reflections=True, open=open)
    return replace(instance, tiles=tuple(replace(tile, weight=weight * tile.size) for tile in instance.tiles))


PROBLEMS = {
    "all cells": packing(["4x5", "0..3:4L", "0..3:4T", "0..2:3I"]),
    "some stay open": packing(["5x5", "0..2:5X", "0..2:4S", "0..1:3I"], weight=3),
    "some must stay open": packing(["4x4", "0..4:4T", "0..2:3L"], open="2..9"),
    "many copies": packing(["5x5", "5X", "4O"]),
    "none": packing(["3x3", "1:5I", "2..:5X"]),
    "in space": packing(["3x3x2", "0..3:4T", "0..2:4S"]),
}


@pytest.mark.parametrize("name", PROBLEMS)
def test_the_best_packing_is_found_and_proved(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    by_dlx = solve(PROBLEMS[name], "dlx", BEST).result
    monkeypatch.setattr(first_packings, "_ALONE_SECONDS", 0.0)
    answer = solve(PROBLEMS[name], "auto", BEST)
    assert (answer.result.status, answer.result.value, answer.result.stop) == (by_dlx.status, by_dlx.value, Stop.DONE)
    assert answer.result.bound == by_dlx.bound
    if answer.result.status is Status.SAT:
        covered = sum(len(placement.cells) for placement in answer.solutions[-1])
        assert covered * PROBLEMS[name].tiles[0].weight == answer.result.value * PROBLEMS[name].tiles[0].size


def test_cpsat_proves_that_there_is_nothing_better(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ortools")
    monkeypatch.setattr(first_packings, "_ALONE_SECONDS", 0.0)
    monkeypatch.setattr(planner, "_FEW_TILES", 0)
    result = solve(PROBLEMS["some stay open"], "auto", BEST).result
    best = solve(PROBLEMS["some stay open"], "dlx", BEST).result.value
    assert (result.value, result.bound, result.stats["chosen"]) == (best, best, "cpsat")


def test_a_search_that_ends_early_keeps_what_the_beam_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search is asked for better packings only; what is known of these is made an answer about all."""
    monkeypatch.setattr(first_packings, "_ALONE_SECONDS", 0.0)
    cover = BoardCover.of(PROBLEMS["some stay open"])
    (filler,) = cover.fillers
    asked = []

    def search(cover: BoardCover) -> RunningSearch:
        asked.append(int(cover.upper[filler]))
        yield Progress(bound=75)
        return Result.so_far(Stop.TIME, found=0, nodes=5, bound=72)

    running = first_packings.searched(parse_spec("beam"), search, cover, BEST, NO_EXTRAS)
    events = []
    while True:
        try:
            events.append(next(running))
        except StopIteration as end:
            result = end.value
            break
    values = [event.value for event in events if isinstance(event, Progress) and event.value is not None]
    assert values == sorted(values)
    assert (result.status, result.stop, result.bound) == (Status.SAT, Stop.TIME, 72)
    assert asked == [25, 25 - result.value // 3 - 1]
    assert result.nodes > 5


def test_who_is_asked_first() -> None:
    auto = parse_spec("auto")

    def first(instance: Instance, spec: str = "auto", question: Question = BEST) -> bool:
        cover, backend = BoardCover.of(instance), parse_spec(spec)
        (candidate,) = planner.plan(backend, cover, question).candidates
        return planner.packs_first(candidate, backend, cover, question, NO_EXTRAS) is not None

    assert first(PROBLEMS["all cells"])
    assert not first(PROBLEMS["all cells"], "auto:among=dlx")
    assert not first(PROBLEMS["all cells"], "dlx")
    assert not first(PROBLEMS["all cells"], str(auto), Question(Goal.OPTIMISE, Limits(nodes=7)))
    # The weights have to be those of the cells.
    assert not first(replace(PROBLEMS["all cells"], tiles=tuple(replace(t, weight=1) for t in PROBLEMS["all cells"].tiles)))
    assert not first(packing(["4x4", "2"]))  # by matching
    # Nothing stays open.
    assert not first(formats.inline(["4x4", "4L"]))
