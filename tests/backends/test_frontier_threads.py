"""The frontier by several threads: the same numbers, samples and lists for any number of them, within limits, and with faults."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import coloured
import numpy as np
import pytest
from following import result_of

from tiler import formats
from tiler.apps.mathematics.series import series
from tiler.ask.solve import solve
from tiler.backends.frontier import dispatch
from tiler.backends.frontier.diagram import arcs
from tiler.backends.frontier.halves.meet_in_the_middle import Halves
from tiler.backends.frontier.lists import layers, merge_threads
from tiler.backends.frontier.lists.layers import Layers
from tiler.backends.frontier.shared import symmetries
from tiler.backends.frontier.shared.model import Model
from tiler.backends.frontier.shared.symmetries import Symmetries
from tiler.backends.frontier.tables import exchange, hash_tables
from tiler.backends.frontier.tables.hash_tables import Tables
from tiler.cover.board import BoardCover
from tiler.process.threads import together
from tiler.question.question import Goal, Limits, Question
from tiler.question.result import Stop


def cover_of(blocks: list[str]) -> BoardCover:
    return BoardCover.of(formats.inline(blocks))


BOARDS: dict[str, Callable[[], BoardCover]] = {
    "dominoes": lambda: cover_of(["8x8", "2"]),
    "flat": lambda: cover_of(["6x8", "4L", "4T", "4O", "4S", "4I"]),
    "solid": lambda: cover_of(["3x3x6", "2", "3L"]),
    "few bounded": lambda: cover_of(["6x6", "2..3:3I", "0..5:4T", "3L", "2"]),
    "many bounded": lambda: cover_of(["5x8", "0..3:4L", "1..2:4T", "3:4S", "0..3:4I", "0..4:4O"]),
    "painted": lambda: coloured.at_random(["4x4", "1", "2", "3I"], 1, share=0.6, copies=2),
}


@pytest.fixture(autouse=True)
def rounds(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Small boards have rounds of threads, with little to do in each. How many calls are made in each of them."""
    made: list[int] = []

    def counted(calls: Sequence[Callable[[], Any]]) -> list[Any]:
        if len(calls) > 1:
            made.append(len(calls))
        return together(calls)

    for module in (exchange, layers, arcs):
        monkeypatch.setattr(module, "together", counted)
    for module, name, number in (
        (hash_tables, "_WORTH_THREADS", 10),
        (hash_tables, "_LEAST_BYTES", 1_000_000),
        (exchange, "_FEWEST", 1),
        (layers, "_WORTH_THREADS", 10),
        (layers, "_TRANSITIONS", 5000),
        (merge_threads, "_FEWEST_TRANSITIONS", 1),
        (arcs, "_WORTH_THREADS", 10),
        (symmetries, "_FEWEST_FITS", 0),
    ):
        monkeypatch.setattr(module, name, number)
    return made


def states_of(cover: BoardCover, kind: type[Tables] | type[Layers], *, threads: int, budget: int = 1 << 62) -> Tables | Layers:
    model = Model.of(cover)
    return kind(model, Symmetries.of(cover, model), threads=threads, budget=budget)


def built(states: Tables | Layers) -> tuple[int, ...]:
    for _ in states.build():
        pass
    return states.total(), states.states, states.transitions, states.profiles, states.largest


@pytest.mark.parametrize("kind", [Tables, Layers])
@pytest.mark.parametrize("board", BOARDS)
def test_the_same_states_by_any_number_of_threads(board: str, kind: type[Tables] | type[Layers], rounds: list[int]) -> None:
    cover = BOARDS[board]()
    if kind is Tables and not Tables.suits(Model.of(cover)):
        pytest.skip("many tiles are counted")
    expected = built(states_of(cover, kind, threads=1))
    assert expected[0] > 0
    assert not rounds
    for threads in (2, 8) if board == "flat" else (3,):
        assert built(states_of(cover, kind, threads=threads)) == expected
        assert max(rounds) == threads
        rounds.clear()


@pytest.mark.parametrize("goal", [Goal.COUNT, Goal.USES, Goal.ENUMERATE, Goal.SAMPLE, Goal.TALLY])
@pytest.mark.parametrize("in_tables", [True, False])
def test_the_same_answers_by_any_number_of_threads(
    goal: Goal, in_tables: bool, rounds: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Halves, "suits", lambda model: False)
    if not in_tables:
        monkeypatch.setattr(Tables, "suits", lambda model: False)
    for blocks in (["4x5", "0..3:3L", "4L", "1..3:2"], ["2x2x4", "4L", "4I", "4O"]):
        found = []
        for threads in (1, 3):
            question = Question(goal, Limits(threads=threads), seed=7, samples=20)
            answered = solve(formats.inline(blocks), "frontier", question)
            result = answered.result
            found.append((result.count, result.uses, result.tally, result.nodes, answered.solutions))
            assert bool(rounds) == (threads > 1)
            rounds.clear()
        assert found[0] == found[1]


def test_numbers_that_outgrow_a_word_within_any_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hash_tables, "_SHARE_OF_BUDGET", 1)
    cover = cover_of(["30x6", "2"])
    expected = built(states_of(cover, Tables, threads=1))
    assert expected[0] > 1 << 64
    plenty = states_of(cover, Tables, threads=3)
    assert built(plenty) == expected
    ends = []
    for tenths in (1, 4, 7, 8, 9, 10, 11):
        budget = plenty.peak * tenths // 10
        states = states_of(cover, Tables, threads=3, budget=budget)
        for _ in states.build():
            pass
        assert states.peak <= budget
        ends.append(states.short)
        assert states.short or states.total() == expected[0]
    assert set(ends) == {True, False}


@pytest.mark.parametrize("kind", [Tables, Layers])
def test_what_two_threads_saved_goes_on_with_seven_and_with_one(kind: type[Tables] | type[Layers]) -> None:
    cover = cover_of(["5x5", "2..3:3I", "0..5:4T", "3L", "2"])
    expected = built(states_of(cover, kind, threads=1))
    states = states_of(cover, kind, threads=2)
    saved = []
    for _ in states.build():
        if states.is_settled:
            saved.append({name: np.array(array) for name, array in states.arrays().items()})
    for arrays in saved[:: len(saved) // 3]:
        for threads in (7, 1):
            going_on = states_of(cover, kind, threads=threads)
            going_on.restore({name: array.copy() for name, array in arrays.items()})
            assert built(going_on) == expected


@pytest.mark.parametrize("kind", [Tables, Layers])
@pytest.mark.parametrize("error", [MemoryError, KeyboardInterrupt, ArithmeticError])
@pytest.mark.parametrize("by", [0, 1])
def test_a_thread_that_fails_ends_the_count(
    kind: type[Tables] | type[Layers], error: type[BaseException], by: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    active = threading.active_count()
    rounds_left = iter(range(3))

    def failing(calls: Sequence[Callable[[], Any]]) -> list[Any]:
        def fail() -> None:
            raise error

        if next(rounds_left, None) is None and len(calls) > by:
            calls = [*calls[:by], fail, *calls[by + 1 :]]
        return together(calls)

    for module in (exchange, layers):
        monkeypatch.setattr(module, "together", failing)
    with pytest.raises(error):
        built(states_of(BOARDS["dominoes"](), kind, threads=3))
    assert threading.active_count() == active


def test_a_limit_of_nodes_is_for_one_thread(rounds: list[int]) -> None:
    limits = Limits(nodes=10**9, threads=8)
    assert solve(formats.inline(["6x8", "4L", "4T"]), "frontier", Question(Goal.COUNT, limits)).result.stop is Stop.DONE
    assert not rounds


def test_no_thread_runs_between_two_events() -> None:
    active = threading.active_count()
    states = states_of(BOARDS["flat"](), Tables, threads=8)

    def events() -> Iterator[int]:
        for _ in states.build():
            yield threading.active_count()

    assert set(events()) == {active}


def test_a_short_count_by_threads_says_so() -> None:
    model = Model.of(BOARDS["flat"]())
    short = result_of(dispatch._count(model, 60_000, threads=3))
    assert (short.stop, short.count) == (Stop.MEMORY, None)
    assert short.stats["array_bytes"] <= 60_000


def test_series_by_threads(rounds: list[int]) -> None:
    one = series((4,), ["2", "3L"])
    assert not rounds
    assert series((4,), ["2", "3L"], threads=3) == one
    assert rounds
