"""Every backend against the brute force, as sets of solutions, and against itself on the same problem put differently."""

from __future__ import annotations

from dataclasses import replace

import pytest
from brute_force import as_tiling, tilings
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import instances

from tiler.backends.base import backends, parse_spec
from tiler.geometry import Shape, dimension, flatten, isometries, move
from tiler.instance import Instance
from tiler.query import Goal, Limits, Query, Status, Stop
from tiler.solve import solve

#: Specs that between them use every option of every search of our own; one that is not named here is tested with its defaults.
#: Engines, which take a process for every answer, have tests of their own.
SPECS = [
    "backtracking",
    "backtracking:order=frequent",
    "backtracking:order=rare",
    "backtracking:order=fill-row",
    "dlx",
    "dlx:order=first",
    "dlx:parity=on",
    "dlx:order=first,parity=on",
    "dlx:copies=named",
    "dlx:order=first,copies=named",
]
named = {spec.partition(":")[0] for spec in SPECS}
SPECS += [name for name, backend in backends().items() if name not in named and not backend.requires and not backend.proves]


def specs_for(goal: Goal) -> list[str]:
    return [spec for spec in SPECS if goal in parse_spec(spec).goals and not parse_spec(spec).missing()]


@settings(max_examples=150)
@given(instances(max_cells=12, words=False), st.integers(1, 4))
def test_all_backends_find_the_tilings_of_the_brute_force(instance: Instance, limit: int) -> None:
    expected = tilings(instance)
    for spec in specs_for(Goal.DECIDE):
        answer = solve(instance, spec)
        assert (spec, answer.result.status) == (spec, Status.SAT if expected else Status.UNSAT)
        assert [as_tiling(solution) in expected for solution in answer.solutions] == [True] * bool(expected), spec
    for spec in specs_for(Goal.COUNT):
        assert (spec, solve(instance, spec, Query(Goal.COUNT)).result.count) == (spec, len(expected))
    for spec in specs_for(Goal.ENUMERATE):
        answer = solve(instance, spec, Query(Goal.ENUMERATE))
        found = list(map(as_tiling, answer.solutions))
        assert len(found) == len(set(found)), spec
        assert set(found) == expected, spec
        assert (answer.result.count, answer.result.stop) == (len(found), Stop.DONE)
        some = solve(instance, spec, Query(Goal.ENUMERATE, Limits(solutions=limit)))
        assert len(some.solutions) == min(limit, len(expected)), spec
        if len(expected) > limit:
            assert (some.result.stop, some.result.count) == (Stop.SOLUTIONS, None)


@pytest.mark.parametrize("spec", specs_for(Goal.COUNT))
@settings(max_examples=30)
@given(instances(max_cells=12, words=False), st.data())
def test_counts_the_same_put_differently(spec: str, instance: Instance, data: st.DataObject) -> None:
    count = solve(instance, spec, Query(Goal.COUNT)).result.count
    turn = data.draw(st.sampled_from(isometries(instance.dimension, reflections=False)))
    offset = data.draw(st.tuples(*[st.integers(-9, 9)] * instance.dimension))

    def turned(shape: Shape) -> Shape:
        return move(frozenset(map(turn, shape)), offset)

    board = turned(instance.board)
    assume(dimension(flatten(board)) == instance.dimension)  # turned flat, it would be a plane board
    tiles = tuple(data.draw(st.permutations(instance.tiles)))
    other = replace(instance, board=board, optional=turned(instance.optional), tiles=tiles)
    assert solve(other, spec, Query(Goal.COUNT)).result.count == count


@settings(max_examples=20)
@given(instances(max_cells=12, words=False))
def test_answers_the_same_twice(instance: Instance) -> None:
    for spec in specs_for(Goal.ENUMERATE):
        first, second = (solve(instance, spec, Query(Goal.ENUMERATE)) for _ in range(2))
        assert first.solutions == second.solutions, spec
        assert first.result.stats["nodes"] == second.result.stats["nodes"], spec
