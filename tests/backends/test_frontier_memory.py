"""The frontier within limits: memory, the clock, and Ctrl-C."""

from __future__ import annotations

import gc
import itertools
import re
import resource
import signal
import subprocess
import sys
import time

import pytest
from following import Follower, result_of
from processes import cpu_seconds, wait_until

from tiler import formats
from tiler.ask.solve import solve
from tiler.backends.frontier import dispatch
from tiler.backends.frontier.diagram.solution_diagram import SolutionDiagram
from tiler.backends.frontier.halves.meet_in_the_middle import Halves
from tiler.backends.frontier.lists import layers, merge_threads, ways
from tiler.backends.frontier.lists.layers import Layers
from tiler.backends.frontier.shared.budgeted import budget_of
from tiler.backends.frontier.shared.model import Model
from tiler.backends.frontier.tables.hash_tables import Tables
from tiler.cover.board import BoardCover
from tiler.kernels import loading
from tiler.model.expected import Status
from tiler.process.memory import resident_megabytes
from tiler.question.events import NO_EXTRAS, Progress, RunningSearch
from tiler.question.question import Goal, Limits, Question
from tiler.question.result import Stop

PENTOMINOES = [f"1:{letter}" for letter in "FILNPTUVWXYZ"]
EIGHT = [f"1:{letter}" for letter in "FILNPTUV"]
COUNT, LIST = Question(Goal.COUNT), Question(Goal.ENUMERATE)
ENOUGH = 1 << 30


def model_of(*blocks: str, reflections: bool = False) -> Model:
    return Model.of(BoardCover.of(formats.inline(blocks, reflections=reflections)))


def test_a_count_that_does_not_fit_says_so() -> None:
    model = model_of("6x10", *PENTOMINOES, reflections=True)
    result = result_of(dispatch._count(model, 3_000_000, threads=1))
    assert (result.status, result.stop, result.count) == (Status.UNKNOWN, Stop.MEMORY, None)
    assert "the 3 MiB there are for states do not suffice at cell" in result.message
    assert result.message.endswith("a higher memory limit gives it more")
    assert 0 < result.stats["array_bytes"] <= 3_000_000


def test_progress_tells_layers_and_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dispatch, "_LOOK_SECONDS", 0.0)
    monkeypatch.setattr(Halves, "suits", lambda model: False)
    model = model_of("4x10", *EIGHT, "1:W", reflections=True)
    told = [event for event in dispatch._count(model, ENOUGH, threads=1) if isinstance(event, Progress)]
    found = [re.fullmatch(r"layer (\d+) of 40, [0-9.]+ MB", event.where) for event in told]
    assert all(found)
    layers_told = [int(each[1]) for each in found if each]
    assert layers_told == sorted(layers_told)
    assert layers_told[-1] > 30
    assert told[-1].nodes > told[0].nodes


@pytest.mark.parametrize(("in_tables", "threads"), [(False, 1), (False, 2), (True, 1)])
def test_numbers_that_outgrow_a_word_within_any_budget(monkeypatch: pytest.MonkeyPatch, in_tables: bool, threads: int) -> None:
    monkeypatch.setattr(Tables, "suits", lambda model: in_tables)
    monkeypatch.setattr(layers, "_TRANSITIONS", 5000)
    monkeypatch.setattr(layers, "_WORTH_THREADS", 1000)
    monkeypatch.setattr(merge_threads, "_FEWEST_TRANSITIONS", 1)
    monkeypatch.setattr(ways, "MOVED", 300)
    monkeypatch.setattr(ways, "GROWTH", 4000)
    model = model_of("4x24", "2", "8:1", "3:3I", "2:3L")
    plenty = result_of(dispatch._count(model, ENOUGH, threads=threads))
    assert plenty.count == 66_980_871_802_486_706_831_741 > 1 << 64
    ends = []
    for tenths in (3, 5, 7, 8, 9, 10, 11):
        budget = plenty.stats["array_bytes"] * tenths // 10
        # A search that goes round in circles is closed.
        result = Follower(20_000).follow(dispatch._count(model, budget, threads=threads)).result
        assert result is not None
        ends.append((result.stop, result.count))
        if result.stop is Stop.MEMORY:
            assert result.message.endswith("a higher memory limit gives it more")
    short = [(Stop.MEMORY, None)] * ends.count((Stop.MEMORY, None))
    assert ends == short + [(Stop.DONE, plenty.count)] * (len(ends) - len(short))
    assert 0 < len(short) < len(ends)


def test_numbers_are_widened_in_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ways, "MOVED", 7)
    monkeypatch.setattr(ways, "GROWTH", 125)
    of = Layers(model_of("5x6", "2", "3:1", "2:3L"))
    for _ in of.build():
        pass
    top, total = of._top, of.total()
    before = of.lists.rows[:top].copy()
    low = int(of._row_at[of._tail])
    for _ in of._widen(5):
        pass
    rows = of.lists.rows
    assert rows.shape[1] == before.shape[1] + 1
    assert (rows[: top - low, :-1] == before[low:]).all()
    assert not rows[: top - low, -1].any()
    assert of.total() == total


def test_memory_limit_of_the_process() -> None:
    instance = formats.inline(["6x10", *PENTOMINOES], reflections=True)
    assert solve(instance, "frontier", COUNT).result.count == 9356  # Whatever has to be loaded is.
    gc.collect()  # What other tests left would make room during the count.
    limit = Limits(megabytes=int(resident_megabytes()) + 4)
    short = solve(instance, "frontier", Question(Goal.COUNT, limit)).result
    assert (short.stop, short.count) == (Stop.MEMORY, None)
    assert solve(instance, "frontier", Question(Goal.COUNT, Limits(megabytes=1))).result.stop is Stop.MEMORY


def test_a_budget_leaves_room_for_machine_code(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = Limits(megabytes=int(resident_megabytes()) + 400)
    monkeypatch.setattr(loading, "_times", [(0.0, 0.0)])
    loaded = budget_of(limits)
    monkeypatch.setattr(loading, "_times", [])
    assert 35 << 20 < loaded - budget_of(limits) < 60 << 20
    assert 0 < budget_of(Limits(megabytes=1)) <= 1 << 20


def test_a_budget_shrinks_by_what_machine_code_takes_beyond_the_forecast(monkeypatch: pytest.MonkeyPatch) -> None:
    """A library that was just installed is in memory in larger pieces."""
    sizes = iter([100.0, 100.0 + loading._MEGABYTES + 7])
    monkeypatch.setattr(loading, "_times", [])
    monkeypatch.setattr(loading, "excess_megabytes", 0.0)
    monkeypatch.setattr("tiler.kernels._resident_megabytes", lambda: next(sizes))
    states = Tables(model_of("4x4", "2"), budget=10 << 20)
    with loading.counted():
        assert states.budget == 10 << 20
    assert states.budget == 3 << 20
    assert Tables(states.model, budget=states.budget).budget == 3 << 20  # Of a budget that is made after that nothing is missing.


@pytest.mark.long
def test_a_large_count_stays_within_its_limit_and_says_how_far_it_came() -> None:
    solve(formats.inline(["8x8", "tetrominoes"]), "frontier", COUNT)  # Its kernels are compiled then.
    # By a small process: a child begins with the peak of the one that it is forked from.
    code = (
        "import resource, subprocess, sys; subprocess.run(sys.argv[1:]); "
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    large = [sys.executable, "-m", "tiler", "count", "12x12", "tetrominoes", "--solver", "frontier", "--memory-limit", "180MB"]
    done = subprocess.run([sys.executable, "-c", code, *large], capture_output=True, text=True)
    assert re.search(r"there are for states do not suffice at cell \d+ of 144, with [\d,]+ states", done.stderr)
    assert int(done.stdout.split()[-1]) / 1024 < 180 * 1.1


def test_enumerates_depth_first_what_does_not_fit() -> None:
    model = model_of("5x12", *PENTOMINOES, reflections=True)
    events = Follower().follow(dispatch._enumerate(SolutionDiagram(model, budget=6_000_000), LIST, NO_EXTRAS))
    assert events.result is not None
    assert (len(events.solutions), events.result.count, events.result.stop) == (4040, 4040, Stop.DONE)
    assert "failed" in events.result.stats


@pytest.mark.parametrize("in_tables", [True, False])
@pytest.mark.parametrize("goal", [Goal.USES, Goal.SAMPLE])
def test_what_does_not_fit_into_memory_is_given_up(goal: Goal, in_tables: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever it is then: among the states, on the way back, or when paths are to be counted."""
    if not in_tables:
        monkeypatch.setattr(Tables, "suits", lambda model: False)
    instance = formats.inline(["8x8", "2", "3I"])
    ends = []
    for kilobytes in (500, 1000, 1500, 2000, 3000, 4000, 6000, 8000, 50_000):
        monkeypatch.setattr(dispatch, "budget_of", lambda limits, kilobytes=kilobytes: kilobytes * 1000)
        result = solve(instance, "frontier", Question(goal)).result
        ends.append(result.stop)
        if result.stop is Stop.MEMORY:
            assert (result.status, result.count) == (Status.UNKNOWN, None)
            assert re.fullmatch(r"the \d+ MiB .* do not suffice at cell \d+ of 64, with [\d,]+ states; .*", result.message)
        else:
            assert result.stats["array_bytes"] <= kilobytes * 1000
    done = Stop.DONE if goal is Goal.USES else Stop.SOLUTIONS
    assert ends == sorted(ends, key=[Stop.MEMORY, done].index)
    assert ends.count(Stop.MEMORY) >= 2
    assert ends[-1] is done


def test_without_memory_for_failures_deciding_goes_on() -> None:
    model = model_of("8x8", "4L", "3:3I")
    plenty = result_of(dispatch._search(model, Question(), NO_EXTRAS, ENOUGH))
    scarce = result_of(dispatch._search(model, Question(), NO_EXTRAS, 700_000))
    assert plenty.stop is Stop.DONE
    assert scarce.stop in (Stop.DONE, Stop.MEMORY)
    none = result_of(dispatch._search(model_of("10x10", "4L"), Question(), NO_EXTRAS, 500_000))
    assert (none.status, none.stop) == (Status.UNKNOWN, Stop.MEMORY)
    assert none.message


@pytest.mark.parametrize("stop_at", [1, 2, 5, 20, 60])
def test_stops_when_told_to(stop_at: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dispatch, "_LOOK_SECONDS", 0.0)  # Every pause is an event, however fast the machine is.
    cover = BoardCover.of(formats.inline(["6x10", *PENTOMINOES], reflections=True))
    model = Model.of(cover)
    for search in (
        dispatch._count(model, ENOUGH, threads=1),
        dispatch._count(model, ENOUGH, threads=2),
        dispatch._uses(SolutionDiagram(model, threads=2), cover),
        dispatch._enumerate(SolutionDiagram(model), LIST, NO_EXTRAS),
        dispatch._sample(SolutionDiagram(model), Question(Goal.SAMPLE, samples=1000)),
    ):
        events = Follower(stop_at).follow(search)
        assert (events.result, events.ticks) == (None, stop_at)
        assert events.last.found == len(events.solutions)


def test_where_steps_take_long_they_become_short(monkeypatch: pytest.MonkeyPatch) -> None:
    cover = BoardCover.of(formats.inline(["6x10", *PENTOMINOES], reflections=True))
    model, dominoes, wide = Model.of(cover), model_of("16x16", "2"), model_of("22x22", "4I")
    clock = itertools.count()  # Every look at it is a second later.
    monkeypatch.setattr(time, "perf_counter", lambda: float(next(clock)))

    def most(search: RunningSearch) -> int:
        return Follower(150).follow(search).most_nodes

    # Layers take a step of so many transitions, whatever the clock says.
    for search in (
        dispatch._uses(SolutionDiagram(model), cover),
        dispatch._count(dominoes, ENOUGH, threads=1),
        dispatch._enumerate(SolutionDiagram(model), LIST, NO_EXTRAS),
        dispatch._sample(SolutionDiagram(model), Question(Goal.SAMPLE, samples=50)),
    ):
        assert 0 < most(search) <= 1500
    assert most(dispatch._search(wide, Question(), NO_EXTRAS, ENOUGH)) == 1


@pytest.mark.parametrize("goal", [Goal.COUNT, Goal.SAMPLE, Goal.USES])
def test_meets_the_time_limit(goal: Goal, monkeypatch: pytest.MonkeyPatch) -> None:
    instance = formats.inline(["26x26", "4I"])
    solve(formats.inline(["2x2", "2"]), "frontier", Question(goal))
    late: list[Progress] = []

    def check_stop(progress: Progress) -> bool:
        if next(clock) >= 100.5:
            late.append(progress)
        return True

    clock = itertools.count(100.0, 0.01)  # Every look at it is a hundredth of a second later.
    monkeypatch.setattr(loading, "_times", [])  # Seconds of the real clock.
    monkeypatch.setattr(time, "perf_counter", lambda: next(clock))
    result = solve(
        instance,
        "frontier",
        Question(goal, Limits(seconds=0.5), samples=5),
        on_tick=check_stop,
    ).result
    assert (result.stop, result.count, result.status) == (Stop.TIME, None, Status.UNKNOWN)
    assert len(late) <= 1


def test_limit_of_nodes() -> None:
    instance = formats.inline(["16x16", "2"])
    assert solve(instance, "frontier", Question(Goal.COUNT, Limits(nodes=1000))).result.stop is Stop.NODES
    assert solve(formats.inline(["10x10", "4L"]), "frontier", Question(limits=Limits(nodes=100))).result.stop is Stop.NODES


def children_seconds() -> float:
    """The CPU seconds of all children that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


@pytest.mark.long
def test_ctrl_c() -> None:
    command = ["count", "14x14", "tetrominoes", "--solver", "frontier"]
    with subprocess.Popen([sys.executable, "-m", "tiler", *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        try:
            wait_until(lambda: cpu_seconds(child.pid) > 1)
            before, own = cpu_seconds(child.pid), children_seconds()
            child.send_signal(signal.SIGINT)
            child.communicate(timeout=30)
        finally:
            child.kill()
    assert child.returncode == 130
    assert children_seconds() - own - before < 1
