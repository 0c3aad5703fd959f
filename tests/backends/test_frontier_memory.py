"""The frontier within limits: memory with and without a folder to spill to, the clock, and Ctrl-C."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from brute_force import tilings
from hypothesis import given, settings
from processes import cpu_seconds, wait_until
from strategies import instances

from tiler import formats
from tiler.ask.solve import solve
from tiler.backends.frontier import answer, layers, runs
from tiler.backends.frontier import kernel_layers as layers_kernel
from tiler.backends.frontier.layers import Layers
from tiler.backends.frontier.model import Model
from tiler.backends.frontier.runs import Runs
from tiler.cover.cover import ExactCover
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.process.memory import resident_megabytes
from tiler.question.events import Events, Progress
from tiler.question.question import Goal, Limits, Question
from tiler.question.result import Stop

pytestmark = pytest.mark.long

PENTOMINOES = [f"1:{letter}" for letter in "FILNPTUVWXYZ"]
COUNT = Question(Goal.COUNT)
ENOUGH = 1 << 30
PROMPTLY = 0.2  # seconds in which a limit has to be met


class Counting(Events):
    """Stops at the n-th tick, and knows the longest time between two."""

    def __init__(self, stop_at: int = 1 << 60) -> None:
        self.ticks, self.stop_at, self.found = 0, stop_at, 0
        self.longest, self._before = 0.0, time.process_time()

    def tick(self, progress: Progress) -> bool:
        now = time.process_time()
        self.longest, self._before = max(self.longest, now - self._before), now
        assert progress.fraction is None or 0 <= progress.fraction <= 1
        self.ticks += 1
        return self.ticks < self.stop_at

    def solution(self, options: tuple[int, ...]) -> None:
        self.found += 1


def model_of(*blocks: str, reflections: bool = False) -> Model:
    return Model.of(ExactCover.of(formats.inline(blocks, reflections=reflections)))


def test_a_count_that_does_not_fit_says_so() -> None:
    model = model_of("6x10", *PENTOMINOES, reflections=True)
    result = answer.count(model, Events(), 3_000_000, threads=1, spill=None, origin=None)
    assert (result.status, result.stop, result.count) == (Status.UNKNOWN, Stop.MEMORY, None)
    assert "the 3 MiB there are for states do not suffice at cell" in result.message
    assert result.message.endswith("the option spill=FOLDER goes on on disk")
    assert 0 < result.stats["array_bytes"] <= 3_000_000


@pytest.mark.parametrize("budget", [400_000, 3_000_000, 20_000_000])
def test_spilled_pentominoes_are_counted_the_same(tmp_path: Path, budget: int) -> None:
    model = model_of("5x12", *PENTOMINOES, reflections=True)
    result = answer.count(model, Events(), budget, threads=1, spill=tmp_path, origin=None)
    assert (result.count, result.stop, result.status) == (4040, Stop.DONE, Status.SAT)
    assert ("spilled_bytes" in result.stats) == (budget < 10_000_000)
    assert result.stats["nodes"] == answer.count(model, Events(), ENOUGH, threads=1, spill=None, origin=None).stats["nodes"]
    assert not list(tmp_path.iterdir())


def test_spilled_dominoes_are_counted_the_same(tmp_path: Path) -> None:
    model = model_of("14x14", "2")
    result = answer.count(model, Events(), 1_000_000, threads=1, spill=tmp_path, origin=None)
    assert result.count == 112202208776036178000000
    assert result.stats["spilled_bytes"] > 0


@pytest.mark.parametrize(("threads", "spills"), [(1, False), (2, False), (1, True)])
def test_numbers_that_outgrow_a_word_within_any_budget(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, threads: int, spills: bool
) -> None:
    monkeypatch.setattr(layers, "_TRANSITIONS", 20_000)
    monkeypatch.setattr(layers, "_WORTH_A_THREAD", 40_000)
    monkeypatch.setattr(layers, "_ROWS", 1000)
    monkeypatch.setattr(layers, "_GROWTH", 100_000)
    model = model_of("5x24", "2", "8:1", "3:3I", "2:3L")
    spill = tmp_path if spills else None
    plenty = answer.count(model, Events(), ENOUGH, threads=threads, spill=spill, origin=None)
    assert plenty.count == 897_936_077_092_588_005_755_597_423 > 1 << 64
    ends = []
    for tenths in (12,) if spills else range(3, 12):
        events = Counting(20_000)  # A search that goes round in circles is told to stop.
        result = answer.count(
            model, events, plenty.stats["array_bytes"] * tenths // 10, threads=threads, spill=spill, origin=None
        )
        ends.append((result.stop, result.count))
        if result.stop is Stop.MEMORY:
            assert result.message.endswith("the option spill=FOLDER goes on on disk")
    short = [(Stop.MEMORY, None)] * ends.count((Stop.MEMORY, None))
    assert ends == short + [(Stop.DONE, plenty.count)] * (len(ends) - len(short))
    assert len(short) == 0 if spills else 0 < len(short) < len(ends)


def test_numbers_are_widened_in_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layers, "_ROWS", 7)
    monkeypatch.setattr(layers, "_GROWTH", 1000)
    of = Layers(model_of("5x6", "2", "3:1", "2:3L"))
    for _ in of.build():
        pass
    top, total = int(of.tally[layers_kernel.TOP]), of.total()
    before = of.rows[:top].copy()
    low = int(of._row_at[of._tail])
    for _ in of._widen(5):
        pass
    assert of.rows.shape[1] == before.shape[1] + 1
    assert (of.rows[: top - low, :-1] == before[low:]).all()
    assert not of.rows[: top - low, -1].any()
    assert of.total() == total


def test_runs_are_merged_in_several_passes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "_FAN_IN", 3)
    monkeypatch.setattr(runs, "_FEWEST_RECORDS", 64)
    model = model_of("8x6", "2", "1..2:3L", "0..3:4T")
    expected = answer.count(model, Events(), ENOUGH, threads=1, spill=None, origin=None).count
    states = Layers(model)
    going_on = states.build()
    while states.position < 20:
        next(going_on)
    on_disk = Runs(states, tmp_path, 1)
    for _ in on_disk.count():
        pass
    assert on_disk.total == expected


@settings(max_examples=150)
@given(instances(max_cells=12, words=False))
def test_any_count_goes_on_on_disk_from_any_point(tmp_path_factory: pytest.TempPathFactory, instance: Instance) -> None:
    cover = ExactCover.of(instance)
    if cover.refusal() is None:
        folder = tmp_path_factory.mktemp("runs", numbered=True)
        for pauses in (0, 1, 3, 6, 9, 14):
            states = Layers(Model.of(cover))
            for _, _ in zip(range(pauses), states.build(), strict=False):
                pass
            if states.position < len(cover.cells):
                on_disk = Runs(states, folder, 10_000)
                for _ in on_disk.count():
                    pass
                assert on_disk.total == len(tilings(instance))


def test_memory_limit_of_the_process(tmp_path: Path) -> None:
    instance = formats.inline(["6x10", *PENTOMINOES], reflections=True)
    assert solve(instance, "frontier", COUNT).result.count == 9356  # Whatever has to be loaded is.
    limit = Limits(megabytes=int(resident_megabytes()) + 16)
    short = solve(instance, "frontier", Question(Goal.COUNT, limit)).result
    assert (short.stop, short.count) == (Stop.MEMORY, None)
    limit = Limits(megabytes=int(resident_megabytes()) + 16)  # Memory let go of may stay with the process.
    spilled = solve(instance, f"frontier:spill={tmp_path}", Question(Goal.COUNT, limit)).result
    assert (spilled.stop, spilled.count) == (Stop.DONE, 9356)
    assert solve(instance, "frontier", Question(Goal.COUNT, Limits(megabytes=1))).result.stop is Stop.MEMORY


def test_enumerates_depth_first_what_does_not_fit() -> None:
    model = model_of("5x12", *PENTOMINOES, reflections=True)
    events = Counting()
    result = answer.enumerate_all(model, Question(Goal.ENUMERATE), events, 6_000_000, 1)
    assert (events.found, result.count, result.stop) == (4040, 4040, Stop.DONE)
    assert "failed" in result.stats


def test_without_memory_for_failures_deciding_goes_on() -> None:
    model = model_of("8x8", "4L", "3:3I")
    plenty = answer.search(model, Question(), Events(), ENOUGH)
    scarce = answer.search(model, Question(), Events(), 700_000)
    assert plenty.stop is Stop.DONE
    assert scarce.stop in (Stop.DONE, Stop.MEMORY)
    none = answer.search(model_of("10x10", "4L"), Question(), Events(), 500_000)
    assert (none.status, none.stop) == (Status.UNKNOWN, Stop.MEMORY)
    assert none.message


@pytest.mark.parametrize("stop_at", [1, 2, 5, 20, 60])
def test_stops_when_told_to(tmp_path: Path, stop_at: int) -> None:
    model = model_of("6x10", *PENTOMINOES, reflections=True)
    origin = model.fit_option
    question = Question(Goal.ENUMERATE, Limits(solutions=1000))
    for ask in (
        lambda events: answer.count(model, events, ENOUGH, threads=1, spill=None, origin=None),
        lambda events: answer.count(model, events, ENOUGH, threads=2, spill=None, origin=origin),
        lambda events: answer.count(model, events, 3_000_000, threads=1, spill=tmp_path, origin=None),
        lambda events: answer.enumerate_all(model, Question(Goal.ENUMERATE), events, ENOUGH, 1),
        lambda events: answer.draw(model, question, events, ENOUGH, 1),
    ):
        events = Counting(stop_at)
        result = ask(events)
        assert (result.stop, result.count, events.ticks) == (Stop.INTERRUPTED, None, stop_at)
        assert result.status is (Status.SAT if events.found else Status.UNKNOWN)
        assert result.stats["found"] == events.found
    assert not list(tmp_path.iterdir())


def test_ticks_are_never_far_apart(tmp_path: Path) -> None:
    model = model_of("6x10", *PENTOMINOES, reflections=True)
    dominoes = model_of("16x16", "2")
    question = Question(Goal.ENUMERATE, Limits(solutions=50))
    stops = [Counting(60) for _ in range(6)]
    answer.count(model, stops[0], ENOUGH, threads=1, spill=None, origin=model.fit_option)
    answer.count(dominoes, stops[1], ENOUGH, threads=1, spill=None, origin=None)
    answer.count(dominoes, stops[2], 3_000_000, threads=1, spill=tmp_path, origin=None)
    answer.enumerate_all(model, Question(Goal.ENUMERATE), stops[3], ENOUGH, 1)
    answer.draw(model, question, stops[4], ENOUGH, 1)
    answer.search(model_of("22x22", "4I"), Question(), stops[5], ENOUGH)
    assert max(events.longest for events in stops) < PROMPTLY


@pytest.mark.parametrize("spec", ["frontier", "frontier:draw=on", "frontier:uses=on"])
def test_meets_the_time_limit(spec: str) -> None:
    instance = formats.inline(["26x26", "4I"])
    goal = Goal.ENUMERATE if "draw" in spec else Goal.COUNT
    solve(formats.inline(["2x2", "2"]), spec, Question(goal, Limits(solutions=1)))
    before = time.perf_counter()
    result = solve(instance, spec, Question(goal, Limits(seconds=0.5, solutions=5))).result
    assert time.perf_counter() - before < 0.5 + 5 * PROMPTLY  # Other work shares the machine.
    assert (result.stop, result.count, result.status) == (Stop.TIME, None, Status.UNKNOWN)


def test_limit_of_nodes() -> None:
    instance = formats.inline(["16x16", "2"])
    assert solve(instance, "frontier", Question(Goal.COUNT, Limits(nodes=1000))).result.stop is Stop.NODES
    assert solve(formats.inline(["10x10", "4L"]), "frontier", Question(limits=Limits(nodes=100))).result.stop is Stop.NODES


def children_seconds() -> float:
    """The CPU seconds of all children that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def test_ctrl_c(tmp_path: Path) -> None:
    for arguments in (["count", "26x26", "4I", "--solver", f"frontier:spill={tmp_path}"], ["sample", "26x26", "4I"]):
        with subprocess.Popen(
            [sys.executable, "-m", "tiler", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as child:
            wait_until(lambda process=child: cpu_seconds(process.pid) >= 1.5)
            before, own = cpu_seconds(child.pid), children_seconds()
            os.kill(child.pid, signal.SIGINT)
            child.communicate(timeout=30)
        assert child.returncode == 130, arguments
        assert children_seconds() - own - before < 1
    assert not list(tmp_path.iterdir())
