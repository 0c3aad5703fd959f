"""Searches of large boards look at the clock from the start, and what they work on is set up in linear time."""

from __future__ import annotations

import time
from functools import cache

import numpy as np
import pytest

from tiler import formats
from tiler.backends.base import parse_spec
from tiler.backends.drive import fraction_done
from tiler.backends.frontier.layers import Layers
from tiler.backends.frontier.model import Model
from tiler.backends.frontier.walk import Walk
from tiler.cover.cover import ExactCover
from tiler.model.expected import Status
from tiler.question.events import Events, Progress
from tiler.question.question import Goal, Question
from tiler.question.result import Stop
from tiler.question.watch import Stopped

PROMPTLY = 0.3  # CPU seconds, on a machine that others use too


class Clock(Events):
    """Stops after so many ticks or CPU seconds, and knows the longest time between two ticks."""

    def __init__(self, ticks: int = 1 << 60, seconds: float = 0.7) -> None:
        self.ticks, self.end = ticks, time.process_time() + seconds
        self.longest, self._before = 0.0, time.process_time()

    def tick(self, progress: Progress) -> bool:
        now = time.process_time()
        self.longest, self._before = max(self.longest, now - self._before), now
        self.ticks -= 1
        return self.ticks > 0 and now < self.end


@cache
def large(*blocks: str) -> ExactCover:
    return ExactCover.of(formats.inline(blocks))


SPECS = ["backtracking", "backtracking:order=fill-row", "dlx", "dlx:order=first", "fila", "fila:window=off", "fila:order=radial"]


@pytest.mark.parametrize(
    ("spec", "goal"),
    [("frontier", Goal.DECIDE), *((spec, Goal.COUNT) for spec in [*SPECS, "frontier", "frontier:order=diagonal"])],
)
def test_ticks_are_never_far_apart_on_a_large_board(spec: str, goal: Goal) -> None:
    cover, backend = large("200x300", "2"), parse_spec(spec)
    backend.solve(large("4x4", "2"), Question(goal))  # Whatever has to be loaded is.
    clock = Clock()
    backend.solve(cover, Question(goal), clock)
    assert clock.longest < PROMPTLY


@pytest.mark.parametrize("spec", ["dlx", "fila", "fila:window=off", "fila:order=s", "fila:handoff=2", "frontier"])
def test_a_set_up_can_be_stopped_anywhere(spec: str) -> None:
    cover, backend = ExactCover.of(formats.inline(["6x8", "2", "3I"])), parse_spec(spec)
    for ticks in range(1, 8):
        result = backend.solve(cover, Question(Goal.COUNT), Clock(ticks))
        assert (result.status, result.stop, result.count) == (Status.UNKNOWN, Stop.INTERRUPTED, None)
    with pytest.raises(Stopped):
        backend.search(cover, Question(Goal.COUNT), Clock(1))


def test_positions_that_nothing_leads_to_are_passed_with_pauses() -> None:
    layers = Layers(Model.of(large("100x100", "3L")))  # An area that is no multiple of 3: nothing can be completed.
    assert sum(1 for _ in layers.build()) >= 10
    assert layers.total() == 0


def test_drawing_pauses_within_a_tiling() -> None:
    layers = Layers(Model.of(large("3x2000", "1")), keep=True)
    for _ in layers.build():
        pass
    drawn = Walk(layers).draw(0)
    paused = 0
    while (options := next(drawn)) is None:
        paused += 1
    assert paused >= 10
    assert sorted(options) == list(range(6000))


def test_the_fraction_that_is_done_of_a_deep_tree() -> None:
    depth = 200_000
    ways = np.full(depth, 1)
    ways[[3, 5]] = 2, 5
    tried = np.zeros(depth, np.int64)
    tried[[3, 5]] = 1, 2
    assert fraction_done(ways, tried) == pytest.approx(0.5 + 0.2)
    assert fraction_done(np.full(depth, 3), np.full(depth, 2)) == pytest.approx(1)
    assert fraction_done(ways[:0], tried[:0]) == 0
