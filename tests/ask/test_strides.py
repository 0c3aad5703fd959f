"""A search hands over what it has placed after every node, or after as many as its caller wants."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tiler import formats
from tiler.ask.solve import solve
from tiler.question.question import Goal, Question

BOARD = formats.inline(["6x6", "4L", "3I"])
SOLVERS = ["backtracking", "dlx", "fila", "fila:handoff=2", "auto"]


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("goal", [Goal.DECIDE, Goal.COUNT])
def test_strides_change_nothing_but_the_number_of_pictures(solver: str, goal: Goal) -> None:
    instance = BOARD if goal is Goal.DECIDE else formats.inline(["4x3", "2", "3L"])
    seen: dict[int | None, list[int]] = {}
    results = []
    for stride in (1, 7, None):
        nodes: list[int] = []
        stacks: list[int] = []
        results.append(
            solve(
                instance,
                solver,
                Question(goal),
                on_node=lambda stack, item, stacks=stacks: stacks.append(len(stack)),
                on_tick=lambda progress, nodes=nodes: nodes.append(progress.nodes) or True,
                stride=lambda stride=stride: stride,
            ).result
        )
        seen[stride] = [number for number in nodes if number]
        assert stacks
    first = results[0]
    assert all((one.status, one.count, one.nodes) == (first.status, first.count, first.nodes) for one in results)
    assert first.nodes is not None
    assert seen[1] == list(range(1, len(seen[1]) + 1))
    assert all(number % 7 == 0 for number in seen[7][:-1])
    assert len(seen[None]) <= len(seen[7]) + 1


def test_a_stride_may_change_at_any_time() -> None:
    strides: Iterator[int | None] = iter([3, 3, None, 5, 1] + [None] * 10_000)
    result = solve(
        BOARD, "backtracking", Question(Goal.COUNT), on_node=lambda stack, item: None, stride=lambda: next(strides)
    ).result
    plain = solve(BOARD, "backtracking", Question(Goal.COUNT)).result
    assert (result.count, result.nodes) == (plain.count, plain.nodes)
