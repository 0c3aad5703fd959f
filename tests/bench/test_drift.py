"""The same campaign made twice is not called a change, however the machine drifts; a true change is called.

The drift and the noise are those that we measured on a shared machine, with three solvers on 14 problems, three repeats, twice: a
campaign as a whole was up to 10 % faster or slower than the other, a round of repeats up to 15 %, and a run scattered by 10 to
20 %.
"""

from __future__ import annotations

import math
from random import Random
from typing import Any

import pytest
from records import record

from tiler.bench.compare import Change, compare

PAIRS = 20
SOLVERS = ("dlx", "backtracking", "fila")
PROBLEMS, REPEATS = 14, 3
CAMPAIGN, ROUND, RUN, CALIBRATION = 0.06, 0.05, 0.12, 0.06  # standard deviations of logarithms

Runs = list[dict[str, Any]]


class Machine:
    """A machine that drifts. A solver feels the drift more or less than the calibration does."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.feels = {solver: self.random.uniform(0.7, 1.3) for solver in SOLVERS}

    def drift(self) -> list[float]:
        """The drift in each round of a campaign."""
        campaign = self.random.gauss(0, CAMPAIGN)
        return [campaign + self.random.gauss(0, ROUND) for _ in range(REPEATS)]

    def campaign(self, slower: float = 1.0, drift: list[float] | None = None) -> Runs:
        """A campaign; all solvers but the last are slower by a factor."""
        runs, shifts = [], drift or self.drift()
        for repeat, shift in enumerate(shifts):
            for number in range(PROBLEMS):
                calibration = 0.014 * math.exp(shift + self.random.gauss(0, CALIBRATION))
                for solver in SOLVERS:
                    noise = math.exp(self.feels[solver] * shift + self.random.gauss(0, RUN))
                    seconds = 0.001 * 1.7**number * noise * (slower if solver != SOLVERS[-1] else 1.0)
                    fields = {"repeat": repeat, "calibration_seconds": calibration, "versions": {"python": "3.11"}}
                    runs.append(record(f"f/{number}", solver, seconds, turn=f"{repeat} {number} {solver}", **fields))
        return runs


def apart(runs: Runs) -> Runs:
    """The runs as if no turns were kept."""
    return [{**run, "turn": None} for run in runs]


def changes(before: Runs, after: Runs) -> dict[str, Change]:
    (found,) = compare(before, after)
    return {change.solver: change for change in found.changes}


def called(found: dict[str, Change]) -> set[str]:
    return {solver for solver, change in found.items() if change.is_sure}


def test_no_difference_is_called_between_a_campaign_and_itself() -> None:
    machine = Machine(1)
    differences = [called(changes(apart(machine.campaign()), apart(machine.campaign()))) for _ in range(PAIRS)]
    assert sum(map(len, differences)) <= 1


def test_a_true_change_is_called() -> None:
    machine = Machine(3)
    differences = [called(changes(apart(machine.campaign()), apart(machine.campaign(1.5)))) for _ in range(PAIRS)]
    assert sum("dlx" in some for some in differences) >= 0.75 * PAIRS
    assert sum(SOLVERS[-1] in some for some in differences) == 0


def test_no_difference_is_called_between_two_equal_codes_by_turns() -> None:
    machine = Machine(2)
    differences = []
    for _ in range(PAIRS):
        drift = machine.drift()
        differences.append(called(changes(machine.campaign(drift=drift), machine.campaign(drift=drift))))
    assert sum(map(bool, differences)) <= 1


def test_a_problem_is_slower_only_if_no_accident_made_it_so() -> None:
    """Of 42 runs of the same code, two or three seem slower by chance, as no repeat is as fast as before."""
    machine, named, sure = Machine(7), 0, 0
    for _ in range(PAIRS):
        before, after = apart(machine.campaign()), apart(machine.campaign())
        after = [{**run, "solve_seconds": run["solve_seconds"] * math.exp(machine.random.gauss(0, 0.3))} for run in after]
        (found,) = compare(before, after)
        named += len(found.slower)
        sure += len(found.surely_slower)
    assert named > PAIRS
    assert sure <= 1
    (found,) = compare(before, [{**run, "solve_seconds": 20 * run["solve_seconds"]} for run in before])
    assert len(found.surely_slower) > PROBLEMS


def test_turns_show_a_small_change() -> None:
    """A change that the drift between two campaigns hides."""
    machine, drift = Machine(4), [0.3, 0.0, -0.3]
    before, after = machine.campaign(drift=drift), machine.campaign(1.15, drift=drift)
    by_turns = changes(before, after)
    assert called(by_turns) == {"dlx", "backtracking"}
    assert all(by_turns[solver].low < 1 / 1.15 < by_turns[solver].high for solver in ("dlx", "backtracking"))
    assert all(change.is_by_turns and change.drift is None for change in by_turns.values())
    assert called(changes(apart(before), apart(after))) == set()


def test_without_calibrations_nothing_is_certain() -> None:
    machine = Machine(5)
    before, after = apart(machine.campaign()), apart(machine.campaign(5.0))
    assert called(changes(before, after)) == {"dlx", "backtracking"}
    bare = [{**run, "calibration_seconds": None} for run in after]
    found = changes(before, bare)
    assert called(found) == set()
    assert all(change.is_adrift for change in found.values())
    assert found["dlx"].is_outside
    other_python = [{**run, "versions": {"python": "3.14"}} for run in after]
    assert called(changes(before, other_python)) == set()


def test_a_machine_that_became_slower_is_no_change() -> None:
    """All solvers take 1.4 times as long, and so do the calibrations."""
    machine = Machine(6)
    before, after = (apart(machine.campaign(drift=[shift, shift, shift])) for shift in (0.0, math.log(1.4)))
    found = changes(before, after)
    assert called(found) == set()
    drift = found["dlx"].drift
    assert drift is not None
    assert drift.interval[0] == pytest.approx(1 / 1.4, rel=0.05)
    quiet = [{**run, "calibration_seconds": run["calibration_seconds"] / 1.4} for run in after]
    assert called(changes(before, quiet)) == set(SOLVERS)
