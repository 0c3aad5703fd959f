"""Counts in halves by calls to an executor, slice by slice: right whatever the memory of the workers, and whatever is lost."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from calls_here import CallsHere
from clusters import cluster
from following import result_of

from tiler import formats, kernels
from tiler.ask import planner
from tiler.ask.solve import solve
from tiler.ask.split import slices, worker
from tiler.ask.split.slices import Counted, Share
from tiler.ask.split.worker import Assignment
from tiler.backends.frontier.halves.shared_data import Slice
from tiler.backends.frontier.tables import forecast
from tiler.cover.board import BoardCover
from tiler.errors import BackendError
from tiler.process import executors
from tiler.process.isolate import Outcome, RunEnd
from tiler.question.events import NO_EXTRAS
from tiler.question.question import Goal, Limits, Question
from tiler.question.result import Result, Stop

COUNT = Question(Goal.COUNT)
BOARD = formats.inline(["6x10", *[f"1:5{letter}" for letter in "FILNPTUVWXYZ"]], reflections=True)
LOST: Outcome[Any] = Outcome(RunEnd.CRASHED, last_line="killed")


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forecasts of a moment, and no trial before calls are made."""
    monkeypatch.setattr(forecast, "POOL_OF_LISTS", 200)
    monkeypatch.setattr(planner, "_TRIAL_SECONDS", 0.0)
    kernels.load()


def counted(monkeypatch: pytest.MonkeyPatch, before: Callable[[Share], Outcome[Any] | None]) -> tuple[Result, CallsHere]:
    here = CallsHere(lambda function, *arguments: before(arguments[-1]))
    monkeypatch.setattr(executors, "connect", lambda where, prepare: here)
    assignment = Assignment(BOARD, "frontier", Goal.COUNT, up_to_symmetry=False)
    whole = worker.decomposition_of(assignment, BoardCover.of(BOARD))
    return result_of(slices.start(assignment, whole, "local:2", COUNT, NO_EXTRAS)), here


def full(share: Share) -> Outcome[Any] | None:
    """What is not split by two tiles is too large."""
    return Outcome(RunEnd.FINISHED, Counted(0, 1, 1, Stop.MEMORY, middle=30)) if share.cut is None else None


def test_what_is_too_large_is_split_at_the_middle(monkeypatch: pytest.MonkeyPatch) -> None:
    result, here = counted(monkeypatch, full)
    assert (result.count, result.stats["slices"]) == (9356, 4)
    made = [share for share, _ in here.made[1:]]
    assert {share.cut for share in made} == {30}
    assert sum(share.weight for share in made) == 1
    assert len({share.slice for share in made}) == 4


def test_a_slice_that_is_too_large_is_split_further(monkeypatch: pytest.MonkeyPatch) -> None:
    def first_again(share: Share) -> Outcome[Any] | None:
        if share.cut and share.slice.early.bit_count() + share.slice.late.bit_count() == 2 and share.slice.late == 0:
            return Outcome(RunEnd.MEMORY, None)  # Killed.
        return full(share)

    result, here = counted(monkeypatch, first_again)
    assert (result.count, result.stats["slices"]) == (9356, 7)
    assert len(here.made) == 1 + 4 + 4


@pytest.mark.parametrize("middle", [0, 33])
def test_parts_of_a_slice_are_cut_where_all_slices_are(middle: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def too_large(share: Share) -> Outcome[Any] | None:
        told = share.slice.early | share.slice.late
        if share.cut is not None and (told.bit_count() > 2 or share.slice.late):
            return None
        return Outcome(RunEnd.FINISHED, Counted(0, 1, 1, Stop.MEMORY, middle=27 if share.cut is None else middle))

    result, here = counted(monkeypatch, too_large)
    assert (result.count, result.stats["slices"]) == (9356, 7)
    assert {share.cut for share, _ in here.made[1:]} == {27}


def test_nothing_is_left_to_split_by(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slices, "_SPLIT_BY", 12)
    result, _ = counted(monkeypatch, lambda share: Outcome(RunEnd.FINISHED, Counted(0, 1, 1, Stop.MEMORY)))
    assert (result.count, result.stop) == (None, Stop.MEMORY)
    assert "do not suffice" in result.message


def test_a_lost_slice_is_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    lost = set[Slice]()

    def lose(share: Share) -> Outcome[Any] | None:
        if share.cut is None or share.slice in lost:
            return full(share)
        lost.add(share.slice)
        return LOST

    result, here = counted(monkeypatch, lose)
    assert (result.count, len(here.made)) == (9356, 1 + 2 * 4)
    with pytest.raises(BackendError, match="lost 3 times: "):
        counted(monkeypatch, lambda share: LOST)


def test_time_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    result, _ = counted(monkeypatch, lambda share: Outcome(RunEnd.TIME, None))
    assert (result.count, result.stop) == (None, Stop.TIME)


# --- with processes


@pytest.mark.parametrize("up_to_symmetry", [False, True])
def test_processes_count_what_one_counts(up_to_symmetry: bool) -> None:
    question = Question(Goal.COUNT, up_to_symmetry=up_to_symmetry)
    alone = solve(BOARD, "frontier", question)
    together = solve(BOARD, "frontier", question, executor="local:2")
    assert together.result.count == alone.result.count == (2339 if up_to_symmetry else 9356)
    assert together.result.stats["slices"] >= 1
    assert together.result.symmetry == alone.result.symmetry


def test_a_killed_worker_costs_its_slice_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = slices.count

    def count(assignment: Assignment, limits: Limits, megabytes: int, share: Share) -> Counted:
        told = full(share)
        if told is not None and told.value is not None:
            return told.value
        marker = tmp_path / f"{share.slice.early}-{share.slice.late}"
        if share.slice.late and not share.slice.early and not marker.exists():
            marker.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        with (tmp_path / "made").open("a") as file:
            file.write("x")
        return real(assignment, limits, megabytes, share)

    monkeypatch.setattr(slices, "count", count)
    answer = solve(BOARD, "frontier", COUNT, executor="local:2")
    assert (answer.result.count, answer.result.stats["slices"]) == (9356, 4)
    assert len((tmp_path / "made").read_text()) == 4


def test_a_cluster_counts_what_one_process_counts() -> None:
    with cluster(__file__, workers=2, threads=1) as (address, _):
        answer = solve(BOARD, "frontier", Question(Goal.COUNT, up_to_symmetry=True), executor=f"dask:{address}")
    assert (answer.result.count, answer.result.stats["slices"]) == (2339, 1)
