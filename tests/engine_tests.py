"""What the tests of the engines share: agreement with the brute force, on any instance and on fixed ones."""

from __future__ import annotations

from functools import cache

from brute_force import Tiling, as_tiling, tilings

from tiler import formats
from tiler.ask.solve import solve
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.question.question import Goal, Limits, Question
from tiler.question.result import Stop

FIXED = (
    ("5x4", "2..3:4L", "1:2", "3:3I"),
    ("xxo/xxx", "1..2:3L"),
    ("4x5", "5:4T"),
    ("2x2x2", "1x1x2"),
    ("3x3", "1:3L", "2:3I"),
    ("oxx/xxo", "2", "1:1"),
)


def agrees(spec: str, instance: Instance, limit: int) -> None:
    """Decide, count, enumerate, and enumerate some; all as the brute force says."""
    expected = tilings(instance)
    answer = solve(instance, spec)
    assert answer.result.status is (Status.SAT if expected else Status.UNSAT)
    assert answer.result.stop is Stop.DONE
    assert [as_tiling(solution) in expected for solution in answer.solutions] == [True] * bool(expected)
    assert solve(instance, spec, Question(Goal.COUNT)).result.count == len(expected)
    _enumerates(spec, instance, expected)
    some = solve(instance, spec, Question(Goal.ENUMERATE, Limits(solutions=limit)))
    assert len(some.solutions) == min(limit, len(expected))
    if len(expected) > limit:
        assert (some.result.stop, some.result.count) == (Stop.SOLUTIONS, None)


def agrees_on_fixed_instances(spec: str, most: int = 100) -> None:
    """Enumerate the fixed instances with at most so many tilings."""
    for shapes in FIXED:
        if len(_tilings(shapes)) <= most:
            _enumerates(spec, formats.inline(shapes), _tilings(shapes))


def _enumerates(spec: str, instance: Instance, expected: set[Tiling]) -> None:
    answer = solve(instance, spec, Question(Goal.ENUMERATE))
    found = list(map(as_tiling, answer.solutions))
    assert len(found) == len(set(found))
    assert set(found) == expected
    assert (answer.result.count, answer.result.stop) == (len(found), Stop.DONE)
    assert "nodes" in answer.summary()["stats"]


@cache
def _tilings(shapes: tuple[str, ...]) -> set[Tiling]:
    return tilings(formats.inline(shapes))
