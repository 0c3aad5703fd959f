"""Parts of a question at the same time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Sequence

import pytest
from following import result_of

from tiler import formats
from tiler.ask.solve import solve
from tiler.ask.symmetry import orbits
from tiler.ask.symmetry.orbits import alongside
from tiler.backends.dlx import Dlx
from tiler.backends.searching import driver, work_sharing
from tiler.cover.board import BoardCover
from tiler.process import threads as process_threads
from tiler.question.events import Event, Progress, SearchContext
from tiler.question.question import Goal, Limits, Question

SOMA = ["3x3x3", "1:3L", "1:4L", "1:4S", "1:4T", "1:4^", "1:4<", "1:4>"]


def numbers(first: int, closed: list[int]) -> Generator[Event, None, int]:
    """A search of ten steps."""
    try:
        for nodes in range(1, 11):
            yield Progress(nodes)
            if first < 0:
                raise MemoryError
        return 100 * first
    finally:
        closed.append(first)


@pytest.mark.parametrize("threads", [1, 2, 3, 8])
def test_all_are_led_to_their_ends(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process_threads, "ROUND_SECONDS", 0.001)
    before = threading.active_count()
    closed, said, ends = list[int](), list[int](), list[int]()

    def lead() -> Generator[Sequence[Progress], None, None]:
        ends[:] = yield from alongside([numbers(first, closed) for first in range(5)], threads)

    for progress in lead():
        said.append(sum(each.nodes for each in progress))
        assert threading.active_count() == before
    assert ends == [0, 100, 200, 300, 400]
    assert said == sorted(said)
    assert said[-1] == 50
    assert sorted(closed) == [0, 1, 2, 3, 4]


def test_all_are_closed_when_one_fails() -> None:
    closed, before = list[int](), threading.active_count()
    with pytest.raises(MemoryError):
        list(alongside([numbers(first, closed) for first in (3, -1, 4)], 2))
    assert -1 in closed
    assert threading.active_count() == before


@pytest.mark.parametrize("spec", ["dlx:anchor=4L", "backtracking:anchor=4L", "fila:anchor=4L,handoff=3"])
def test_parts_are_searched_at_once(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    times, answers = list[int](), []

    def watched(
        searches: list[Generator[Event, None, int]], threads: int, share: Callable[[], None]
    ) -> Generator[object, None, object]:
        times.append(len(searches))
        return alongside(searches, threads, share)

    monkeypatch.setattr(orbits, "alongside", watched)
    monkeypatch.setattr(orbits, "ALONE_SECONDS", 0.0)
    monkeypatch.setattr(process_threads, "ROUND_SECONDS", 0.002)
    instance = formats.inline(SOMA)
    for threads in (1, 2, 3, 8):
        result = solve(instance, spec, Question(Goal.COUNT, Limits(threads=threads), up_to_symmetry=True)).result
        answers.append((result.count, result.found, result.nodes, result.stats, result.parts))
        assert bool(times) == (threads > 1)
    assert answers == answers[:1] * 4
    assert answers[0][0] == 240
    assert times == [4, 4, 4]


def test_what_is_left_over_has_all_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last of three parts by two threads ends only when it may be divided, and then the first thread has it."""
    monkeypatch.setattr(process_threads, "ROUND_SECONDS", 0.001)
    free, by = threading.Event(), list[threading.Thread]()

    def last() -> Generator[Event, None, int]:
        while not free.is_set():
            yield Progress()
        by.append(threading.current_thread())
        yield Progress(7)
        return 2

    ends = list[int]()

    def lead() -> Generator[Sequence[Progress], None, None]:
        ends[:] = yield from alongside([numbers(0, []), numbers(1, []), last()], 2, free.set)

    assert [sum(each.nodes for each in said) for said in lead()][-1] == 27
    assert ends == [0, 100, 2]
    assert by == [threading.main_thread()]


@pytest.mark.parametrize("is_free", [False, True])
def test_a_part_is_divided_only_when_no_thread_is_busy_elsewhere(is_free: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "ALONE_SECONDS", 0.0)
    rounds, plain = list[int](), work_sharing.Sharing.round

    def noted(self: work_sharing.Sharing) -> None:
        rounds.append(1)
        plain(self)

    monkeypatch.setattr(work_sharing.Sharing, "round", noted)
    cover = BoardCover.of(formats.inline(SOMA))
    question, context = Question(Goal.COUNT, Limits(threads=2)), SearchContext(may_share=lambda: is_free)
    result = result_of(Dlx().start(cover, question, context))
    assert result.count == 11_520
    assert bool(rounds) == is_free
