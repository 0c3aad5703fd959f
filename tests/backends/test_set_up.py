"""Searches of large boards look at the clock from the start, and what they work on is set up in linear time."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from following import Follower

from tiler import formats
from tiler.backends.frontier import dispatch
from tiler.backends.frontier.lists.layers import Layers
from tiler.backends.frontier.shared.model import Model
from tiler.backends.registry import parse_spec
from tiler.backends.searching.driver import fraction_done
from tiler.cover.board import BoardCover
from tiler.model.expected import Status
from tiler.process.cancellation import Stopped
from tiler.question.events import Progress, SearchContext
from tiler.question.question import Goal, Question
from tiler.question.result import Stop

PROMPTLY = 0.3  # CPU seconds, on a machine that others use too
FEW = 3


@cache
def large(*blocks: str) -> BoardCover:
    return BoardCover.of(formats.inline(blocks))


class IntoTheSearch(Follower):
    """Stops a search once it has told of its progress a few times."""

    told = 0

    def _is_enough(self) -> bool:
        self.told += self.last != Progress()
        return super()._is_enough() or self.told > FEW


SPECS = ["backtracking", "backtracking:order=fill-row", "dlx", "dlx:order=first", "fila", "fila:window=off", "fila:order=radial"]


#: These go on for a while, where the other searches are of the same kind: tables grow, and trees become deep.
FOLLOWED = ("frontier", Goal.COUNT), ("dlx", Goal.COUNT)


@pytest.mark.parametrize(
    ("spec", "goal"),
    [("frontier", Goal.DECIDE), *((spec, Goal.COUNT) for spec in [*SPECS, "frontier", "frontier:order=diagonal"])],
)
def test_ticks_are_never_far_apart_on_a_large_board(spec: str, goal: Goal) -> None:
    cover, backend = large("100x300", "2"), parse_spec(spec)
    backend.solve(large("4x4", "2"), Question(goal))  # Whatever has to be loaded is.

    def longest() -> float:
        clock = Follower(seconds=0.25) if (spec, goal) in FOLLOWED else IntoTheSearch()
        clock.follow(backend.start(cover, Question(goal), SearchContext(check_stop=clock.check_stop)))
        assert not isinstance(clock, IntoTheSearch) or clock.told > FEW
        return clock.longest

    # The first may still load a kernel that the small board did not need.
    assert longest() < PROMPTLY or longest() < PROMPTLY


@pytest.mark.parametrize(
    ("spec", "goal"),
    [
        *((spec, Goal.COUNT) for spec in ("dlx", "fila", "fila:window=off", "fila:order=s", "fila:handoff=2", "frontier")),
        *(("frontier", goal) for goal in (Goal.USES, Goal.SAMPLE, Goal.ENUMERATE)),
    ],
)
def test_a_set_up_can_be_stopped_anywhere(spec: str, goal: Goal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dispatch, "_LOOK_SECONDS", 0.0)  # Every pause is an event, however fast the machine is.
    cover, backend = BoardCover.of(formats.inline(["6x8", "2", "3I"])), parse_spec(spec)
    # What is looked at for each layer, forth and back, is stopped at some of them.
    for ticks in range(1, 8) if goal is Goal.COUNT else range(1, 120, 7):
        clock = Follower(ticks)
        clock.follow(backend.start(cover, Question(goal), SearchContext(check_stop=clock.check_stop)))
        result = clock.result
        if result is not None and clock.ticks == ticks:  # Else it was closed at a progress, or is over before.
            assert (result.status, result.stop, result.count) == (Status.UNKNOWN, Stop.INTERRUPTED, None)
        assert clock.ticks == ticks or (goal is Goal.SAMPLE and ticks > 40)
    with pytest.raises(Stopped):
        list(backend.search(cover, Question(Goal.COUNT), SearchContext(check_stop=Follower(1).check_stop)))


def test_positions_that_nothing_leads_to_are_passed_with_pauses() -> None:
    layers = Layers(Model.of(large("100x100", "3L")))  # An area that is no multiple of 3: nothing can be completed.
    assert sum(1 for _ in layers.build()) >= 10
    assert layers.total() == 0


def test_the_fraction_that_is_done_of_a_deep_tree() -> None:
    depth = 200_000
    ways = np.full(depth, 1)
    ways[[3, 5]] = 2, 5
    tried = np.zeros(depth, np.int64)
    tried[[3, 5]] = 1, 2
    assert fraction_done(ways, tried) == pytest.approx(0.5 + 0.2)
    assert fraction_done(np.full(depth, 3), np.full(depth, 2)) == pytest.approx(1)
    assert fraction_done(ways[:0], tried[:0]) == 0
