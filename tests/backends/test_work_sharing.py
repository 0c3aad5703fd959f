"""Several threads in one search tree: numbers, lists and their order, checkpoints, limits and faults are those of one thread."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count, islice
from typing import Any

import numpy as np
import pytest
from dividing import drawn_covers
from following import ended
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from strategies import instances

from tiler import formats
from tiler.backends.dlx.driver import DlxSearch, merged
from tiler.backends.registry import parse_spec
from tiler.backends.searching import driver as driving
from tiler.backends.searching import work_sharing
from tiler.backends.searching.driver import drive
from tiler.backends.searching.work_units import WorkUnits
from tiler.cover.board import BoardCover
from tiler.errors import BackendError
from tiler.kernels import EXHAUSTED, GROWING
from tiler.model.instance import Instance
from tiler.process.cancellation import Stopped
from tiler.process.threads import NAME
from tiler.question.events import NO_EXTRAS, Event, Events, Found, Progress, Saved, SearchContext
from tiler.question.question import Goal, Limits, Question, TallyBy
from tiler.question.result import Result, Stop

THREADS = (1, 2, 8)
SPECS = [
    *["dlx", "dlx:order=first", "dlx:volume=2", "backtracking"],
    *["fila", "fila:order=f:9+s:3+e:2+radial:1,tally=on", "fila:handoff=3"],
]
#: 3,339 tilings in some 9,000 nodes.
MANY = formats.inline(["4x5", "4L", "2", "4I"])
#: 264 tilings in some 1,300 nodes.
SOME = formats.inline(["4x4", "0..4:2", "0..3:3I", "0..2:4L"])


def at_work() -> list[str]:
    """The threads that are there; those of other tests, such as a cluster's, do not count."""
    return [each.name for each in threading.enumerate() if each.name.startswith(NAME)]


@pytest.fixture(autouse=True)
def _small_trees_are_shared() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(driving, "ALONE_SECONDS", 0.0)
        patch.setattr(work_sharing, "ROUND_SECONDS", 0.003)
        patch.setattr(work_sharing, "STEP_SECONDS", 0.0)
        interval = sys.getswitchinterval()
        sys.setswitchinterval(interval / 100)  # Else a round may be over before another thread has its first turn.
        yield
        sys.setswitchinterval(interval)
    assert not at_work()


def searched(instance: Instance, spec: str, question: Question, context: SearchContext = NO_EXTRAS) -> tuple[list[Event], Result]:
    return ended(parse_spec(spec).start(BoardCover.of(instance), question, context))


def told(search: tuple[list[Event], Result]) -> tuple[Any, ...]:
    """What may not depend on the number of threads: of a search that was cut short, not the nodes."""
    events, result = search
    listed = [options for event in events if isinstance(event, Found) for options in event]
    is_whole = result.count is not None
    return result.status, result.stop, result.found, result.count, listed, is_whole and (result.nodes, result.stats)


def limited(goal: Goal, threads: int, solutions: int | None = None) -> Question:
    return Question(goal, Limits(threads=threads, solutions=solutions))


@settings(max_examples=40)
@given(instances(max_cells=12, words=False), st.sampled_from(SPECS), st.integers(1, 4))
def test_answers_do_not_depend_on_the_number_of_threads(instance: Instance, spec: str, solutions: int) -> None:
    for goal, most in ((Goal.COUNT, None), (Goal.ENUMERATE, None), (Goal.ENUMERATE, solutions), (Goal.DECIDE, None)):
        answers = [told(searched(instance, spec, limited(goal, threads, most))) for threads in THREADS]
        assert answers == answers[:1] * len(THREADS)


@pytest.mark.parametrize("spec", ["dlx", "backtracking", "fila", "fila:handoff=3"])
def test_nor_do_they_on_boards_of_other_kinds(spec: str) -> None:
    for cover in drawn_covers():
        one, many = (told(ended(parse_spec(spec).start(cover, limited(Goal.ENUMERATE, threads)))) for threads in (1, 3))
        assert one[2]
        assert many == one


@pytest.mark.parametrize("spec", ["dlx", "backtracking", *SPECS[4:]])
@pytest.mark.parametrize(("instance", "tilings"), [(SOME, 264), pytest.param(MANY, 3339, marks=pytest.mark.slow)])
def test_trees_are_really_divided_and_lists_keep_their_order(
    instance: Instance, tilings: int, spec: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    divided, divide = list[bool](), WorkUnits.divide
    monkeypatch.setattr(WorkUnits, "divide", lambda tree, unit: divided.append(True) or divide(tree, unit))
    one = told(searched(instance, spec, limited(Goal.ENUMERATE, 1)))
    assert one[2] == tilings
    assert not divided
    for threads in THREADS[1:]:
        assert told(searched(instance, spec, limited(Goal.ENUMERATE, threads))) == one
    assert divided


def test_as_many_as_there_are_is_a_limit_for_any_number_of_threads() -> None:
    """Whether the others were through with the tree by then or not."""
    small = formats.inline(["2x3", "2"])
    for _ in range(20):
        for threads in THREADS:
            _, result = searched(small, "dlx", limited(Goal.ENUMERATE, threads, 3))
            assert (result.stop, result.found, result.count) == (Stop.SOLUTIONS, 3, None)


@pytest.mark.parametrize("threads", THREADS[1:])
def test_progress_goes_on(threads: int) -> None:
    events, _ = searched(MANY, "dlx", limited(Goal.COUNT, threads))
    told = [event for event in events if isinstance(event, Progress)]
    fractions = [event.fraction for event in told if event.fraction is not None]
    assert len(fractions) == len(told) > 2
    assert all(0 <= one <= other + 1e-9 <= 1 + 1e-9 for one, other in zip(fractions, [*fractions[1:], 1.0], strict=True))
    assert [event.nodes for event in told] == sorted(event.nodes for event in told)


def test_a_tally_by_listing_is_that_of_one_thread() -> None:
    tallies = []
    for threads in THREADS:
        question = replace(limited(Goal.TALLY, threads), tally_by=(TallyBy.COPIES,))
        _, result = searched(SOME, "dlx", question)
        assert result.tally
        tallies.append((result.tally, result.nodes))
    assert tallies == tallies[:1] * len(THREADS)


def test_a_limit_of_nodes_and_traces_are_for_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driving, "Sharing", None)
    question = Question(Goal.COUNT, Limits(threads=8, nodes=500))
    _, result = searched(SOME, "dlx", question)
    assert (result.stop, result.nodes) == (Stop.NODES, 500)
    assert told(searched(SOME, "dlx", limited(Goal.COUNT, 8), SearchContext(traces=True))) == told(
        searched(SOME, "dlx", limited(Goal.COUNT, 1))
    )


def made(instance: Instance, kind: type[DlxSearch] = DlxSearch) -> DlxSearch:
    return kind(merged(BoardCover.of(instance)), narrows=True)


def copied(saved: Saved) -> Saved:
    """As it is in a file."""
    return Saved({name: np.array(array) for name, array in saved.arrays.items()}, saved.note)


@pytest.mark.parametrize("goal", [Goal.COUNT, Goal.ENUMERATE])
def test_a_state_saved_by_some_threads_goes_on_with_others(goal: Goal) -> None:
    one = told(ended(drive(made(SOME), limited(goal, 1), NO_EXTRAS)))
    for before, after in ((2, 7), (7, 1), (1, 3)):
        listed, states = list[tuple[int, ...]](), list[tuple[Saved, int]]()
        for event in drive(made(SOME), limited(goal, before), SearchContext(saves=True)):
            if isinstance(event, Found):
                listed += event
            elif isinstance(event, Saved):
                states.append((copied(event), len(listed)))
        assert states
        for saved, handed in states[:: max(1, len(states) // 4)]:
            rest, result = ended(drive(made(SOME), limited(goal, after), SearchContext(saved=saved)))
            assert told(([*map(Found, listed[:handed]), *rest], result)) == one


@pytest.mark.parametrize("spec", SPECS)
def test_states_of_every_search_go_on_with_other_threads(spec: str) -> None:
    one, saved, handed = told(searched(SOME, spec, limited(Goal.ENUMERATE, 1))), list[Saved](), list[list[Event]]()
    happened = list[Event]()
    for event in parse_spec(spec).start(BoardCover.of(SOME), limited(Goal.ENUMERATE, 3), SearchContext(saves=True)):
        if isinstance(event, Found):
            happened.append(event)
        elif isinstance(event, Saved):
            saved.append(copied(event))
            handed.append(happened.copy())
    middle = len(saved) // 2
    rest, result = searched(SOME, spec, limited(Goal.ENUMERATE, 2), SearchContext(saved=saved[middle]))
    assert told(([*handed[middle], *rest], result)) == one


def test_a_state_in_many_work_units_goes_on_with_any_number_of_threads() -> None:
    """Some of them searched in between, one to its end, so that its solutions wait behind another."""
    whole = ended(drive(made(SOME), limited(Goal.ENUMERATE, 1), NO_EXTRAS))
    tree = WorkUnits(made(SOME))
    tree.units[0].step(9, 9)
    while len(tree.units) < 7:
        for unit in tree.units[:]:
            tree.divide(unit)
            unit.step(3, 3)
    third = tree.units[2]
    while third.step(99, 99) != EXHAUSTED:
        pass
    tree.done(third)
    listed = list(tree.taken())
    saved = copied(tree.saved())
    assert len(saved.note["ends"]) >= 6
    assert any(len(array) for name, array in saved.arrays.items() if name.endswith("behind"))
    for threads in THREADS:
        rest, result = ended(drive(made(SOME), limited(Goal.ENUMERATE, threads), SearchContext(saved=saved)))
        assert told(([*listed, *rest], result)) == told(whole)


def test_few_solutions_are_kept_for_later(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = 2
    one = told(ended(drive(made(SOME), limited(Goal.ENUMERATE, 1), NO_EXTRAS)))
    monkeypatch.setattr(work_sharing, "KEPT", kept)
    happened = list[Event]()
    with Events(drive(made(SOME), limited(Goal.ENUMERATE, 8), SearchContext(saves=True))) as events:
        for event in events:
            happened.append(event)
            if isinstance(event, Saved):
                solutions = sum(
                    int((array < 0).sum()) for name, array in event.arrays.items() if name.endswith(("own", "behind"))
                )
                assert solutions <= kept + 8 * kept  # As many for each thread that looked before the others told.
    assert told((happened, events.result)) == one


def test_a_search_can_be_closed_at_every_event() -> None:
    for number in count():
        search = drive(made(SOME), limited(Goal.ENUMERATE, 3), SearchContext(saves=True))
        wanted = 40 * number + 1
        happened = list(islice(search, wanted))
        search.close()
        assert not at_work()
        if len(happened) < wanted:
            break


@pytest.mark.parametrize("why", [Stop.TIME, Stop.INTERRUPTED])
def test_whoever_takes_the_events_can_stop_it(why: Stop) -> None:
    def stopped() -> None:
        for event in drive(made(MANY), limited(Goal.COUNT, 3), NO_EXTRAS):
            if isinstance(event, Progress) and event.nodes > 1000:
                raise Stopped(why)

    with pytest.raises(Stopped):
        stopped()
    assert not at_work()


class Failing(DlxSearch):
    """One of whose steps fails, whichever thread makes it."""

    steps: Iterator[int]
    failure: Callable[[], BaseException]

    def step(self, budget: int, stop_at_solutions: bool = True) -> int:
        if next(self.steps) == 300:
            raise self.failure()
        return super().step(budget, stop_at_solutions)

    def gather(self, budget: int, most: int) -> tuple[int, NDArray[np.int32]]:
        if next(self.steps) == 300:
            raise self.failure()
        return super().gather(budget, 1)


@pytest.mark.parametrize("failure", [BackendError, MemoryError, KeyboardInterrupt, lambda: Stopped(Stop.MEMORY)])
@pytest.mark.parametrize("threads", [2, 8])
def test_what_one_thread_raises_ends_the_search(failure: Callable[[], BaseException], threads: int) -> None:
    Failing.steps, Failing.failure = count(), staticmethod(failure)
    with pytest.raises(type(failure())):
        list(drive(made(MANY, Failing), limited(Goal.COUNT, threads), NO_EXTRAS))
    assert not at_work()


@pytest.mark.parametrize("goal", [Goal.COUNT, Goal.ENUMERATE])
def test_without_memory_the_state_is_saved_as_it_is_then(goal: Goal) -> None:
    one = told(ended(drive(made(MANY), limited(goal, 1), NO_EXTRAS)))
    Failing.steps, Failing.failure = count(), staticmethod(MemoryError)
    search, happened = drive(made(MANY, Failing), limited(goal, 3), SearchContext(saves=True)), list[Event]()
    with pytest.raises(MemoryError):
        happened.extend(search)  # What came before the error is in there.
    saved = happened[-1]
    assert isinstance(saved, Saved)
    rest, result = ended(drive(made(MANY), limited(goal, 2), SearchContext(saved=saved)))
    assert told(([*happened, *rest], result)) == one


class Heard(threading.Condition):
    """Which tells that a thread waits for it."""

    waits: threading.Event

    def wait(self, timeout: float | None = None) -> bool:
        self.waits.set()
        return super().wait(timeout)


class Costly(DlxSearch):
    """A search that there is no memory for a second one of. With several threads it begins when one of them is idle."""

    twins = 0

    def step(self, budget: int, stop_at_solutions: bool = True) -> int:
        if at_work():
            assert Heard.waits.wait(60)
        return super().step(budget, stop_at_solutions)

    def twin(self) -> DlxSearch:
        Costly.twins += 1
        raise MemoryError


def test_without_memory_for_more_a_search_goes_on_with_the_threads_that_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    Costly.twins, Heard.waits = 0, threading.Event()
    monkeypatch.setattr(work_sharing, "Condition", Heard)
    monkeypatch.setattr(work_sharing, "ROUND_SECONDS", 60)
    one = told(ended(drive(made(MANY), limited(Goal.COUNT, 1), NO_EXTRAS)))
    assert told(ended(drive(made(MANY, Costly), limited(Goal.COUNT, 8), NO_EXTRAS))) == one
    assert Costly.twins == 1


def test_a_limit_of_memory_that_one_thread_keeps_is_kept_by_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work_sharing, "resident_megabytes", lambda: 999.99)
    monkeypatch.setattr(DlxSearch, "twin", None)
    question = Question(Goal.COUNT, Limits(threads=8, megabytes=1000))
    assert told(ended(drive(made(SOME), question, NO_EXTRAS))) == told(
        ended(drive(made(SOME), limited(Goal.COUNT, 1), NO_EXTRAS))
    )


class Growing(DlxSearch):
    """Which makes room now and then."""

    steps: Iterator[int]

    def step(self, budget: int, stop_at_solutions: bool = True) -> int:
        return GROWING if next(self.steps) % 3 else super().step(budget, stop_at_solutions)

    def gather(self, budget: int, most: int) -> tuple[int, NDArray[np.int32]]:
        return (GROWING, np.zeros((0, 0), np.int32)) if next(self.steps) % 3 else super().gather(budget, most)


def test_searches_may_make_room_in_between() -> None:
    Growing.steps = count()
    one = told(ended(drive(made(SOME), limited(Goal.COUNT, 1), NO_EXTRAS)))
    assert told(ended(drive(made(SOME, Growing), limited(Goal.COUNT, 3), NO_EXTRAS))) == one
