"""A backend of one method that yields solutions: all that its base class does for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

import tiler
from tiler.ask.solve import solve, solve_cover
from tiler.backends.lister import Lister
from tiler.backends.registry import register
from tiler.cover.cover import Cover
from tiler.errors import BadOption, BadSolution
from tiler.model.expected import Status
from tiler.question.events import Found, Progress
from tiler.question.question import Goal, Limits, Question
from tiler.question.result import Stop

COVER = Cover.from_rows([["a", "b"], ["a"], ["b"], ["a"]])
ALL = [[0], [1, 2], [3, 2]]


@dataclass(frozen=True)
class _Told(Lister):
    """Yields what it is told to."""

    name: ClassVar[str] = "told"
    told: ClassVar[Sequence[Sequence[int] | None]] = ALL

    def solutions(self, cover: Cover) -> Iterator[Sequence[int] | None]:
        return iter(self.told)


def _telling(*told: Sequence[int] | None, complete: bool = True) -> Lister:
    kind = type("_Telling", (_Told,), {"told": told, "complete": complete})
    backend: Lister = kind()
    return backend


@pytest.mark.parametrize(
    ("question", "count", "found"),
    [
        (Question(Goal.COUNT), 3, []),
        (Question(Goal.ENUMERATE), 3, [(0,), (1, 2), (2, 3)]),
        (Question(Goal.ENUMERATE, Limits(solutions=2)), None, [(0,), (1, 2)]),
        (Question(Goal.DECIDE), None, [(0,)]),
    ],
)
def test_questions_are_answered_by_what_it_yields(question: Question, count: int | None, found: list[tuple[int, ...]]) -> None:
    answer = solve_cover(COVER, _Told(), question)
    assert (answer.result.count, [tuple(sorted(rows)) for rows in answer.solutions]) == (count, found)
    assert answer.result.status is Status.SAT


def test_nodes_are_counted_and_limited() -> None:
    backend = _telling(None, [0], None, None, [1, 2], [3, 2])
    events = list(backend.start(COVER, Question(Goal.COUNT)))
    assert [event.nodes for event in events if isinstance(event, Progress)] == [1, 1, 2, 3, 3, 3]
    result = backend.solve(COVER, Question(Goal.COUNT, Limits(nodes=2)))
    assert (result.stop, result.nodes, result.found, result.count) == (Stop.NODES, 2, 1, None)


def test_what_is_over_is_not_asked_for_more() -> None:
    asked = []

    class _Endless(_Told):
        def solutions(self, cover: Cover) -> Iterator[Sequence[int] | None]:
            try:
                while True:
                    yield ALL[0]
            finally:
                asked.append("closed")

    assert solve_cover(COVER, _Endless(), Question(Goal.DECIDE)).result.status is Status.SAT
    assert asked == ["closed"]


def test_copies_are_kept_to_their_bounds() -> None:
    instance = tiler.make("4x1", "2..2:1", "2")

    class _Every(_Told):
        """Knows no bounds."""

        def solutions(self, cover: Cover) -> Iterator[Sequence[int] | None]:
            members = [set(items) for items in cover.members.lists()]

            def below(left: set[int], chosen: list[int]) -> Iterator[Sequence[int]]:
                if not left:
                    yield np.array(chosen)  # type: ignore[misc]  # Whole numbers of NumPy are numbers too.
                for option, items in enumerate(members):
                    if min(left, default=-1) in items and items <= left:
                        yield from below(left - items, [*chosen, option])

            return below(set(range(len(cover.items))), [])

    assert solve(instance, _Every(), Question(Goal.COUNT)).result.count == 3
    assert len(solve(instance, _Every(), Question(Goal.ENUMERATE)).solutions) == 3
    two = tiler.make("4x1", "2:1", "2")
    assert solve(two, _Every(), Question(Goal.COUNT)).result.count == 4


@pytest.mark.parametrize(
    ("told", "wrong"),
    [
        ([0, 1], r"told yields \[0, 1\], which is no solution: item a is covered 2 times"),
        ([1], r"told yields \[1\], which is no solution: item b is not covered"),
        ([0, 0], "an option is there twice, or there is no such option"),
        ([7], "an option is there twice, or there is no such option"),
        ([-1, 1], "an option is there twice, or there is no such option"),
    ],
)
@pytest.mark.parametrize("goal", [Goal.COUNT, Goal.DECIDE, Goal.ENUMERATE])
def test_what_is_no_solution_is_an_error(told: list[int], wrong: str, goal: Goal) -> None:
    with pytest.raises(BadSolution, match=wrong):
        _telling(told).solve(COVER, Question(goal))


def test_an_open_cell_has_an_option_of_its_own() -> None:
    instance = tiler.make("xxo", "2")
    with pytest.raises(BadSolution, match=r"item \(0, 2\) is not covered"):
        solve(instance, _telling([0]), Question(Goal.COUNT))


def test_an_incomplete_search_may_end_without_an_answer() -> None:
    result = _telling(None, complete=False).solve(COVER, Question(Goal.DECIDE))
    assert (result.status, result.stop) == (Status.UNKNOWN, Stop.UNDECIDED)
    assert _telling(None).solve(COVER, Question(Goal.DECIDE)).status is Status.UNSAT
    assert _telling([0], complete=False).solve(COVER, Question(Goal.COUNT)).count is None


def test_a_solution_that_is_only_counted_is_no_event() -> None:
    events = list(_Told().start(COVER, Question(Goal.COUNT)))
    assert not any(isinstance(event, Found) for event in events)


def test_a_wrong_signature_is_a_sentence() -> None:
    class _Wrong(_Told):
        name: ClassVar[str] = "wrong"

        def solutions(self) -> Iterator[Sequence[int] | None]:  # type: ignore[override]
            return iter(())

    told = r"wrong: solutions\(self\) cannot be called with cover: write solutions\(self, cover\)"
    with pytest.raises(BadOption, match=told):
        register(_Wrong)
