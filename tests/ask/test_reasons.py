"""The reason that people get with a no of `auto`."""

from __future__ import annotations

import pytest

from tiler import formats
from tiler.ask.reasons import with_reason
from tiler.ask.solve import solve
from tiler.backends.coloring import checker
from tiler.model.expected import Status
from tiler.question.certificate import Certificate
from tiler.question.question import Goal, Question


def test_a_no_has_a_colouring_that_holds() -> None:
    pytest.importorskip("highspy")
    instance = formats.inline(["6x6", "4L"])
    bare = solve(instance)
    assert (bare.result.status, bare.result.message) == (Status.UNSAT, "")
    answer = with_reason(bare)
    assert answer.result.message.startswith("row stripes: every 4L covers an odd number of black cells")
    assert isinstance(answer.result.certificate, Certificate)
    assert checker.error_in(instance, answer.result.certificate) is None
    assert (answer.solver, answer.solve_seconds, answer.result.nodes) == (bare.solver, bare.solve_seconds, bare.result.nodes)


@pytest.mark.parametrize(
    ("words", "solver", "goal"),
    [
        (["6x6", "3I"], "auto", Goal.DECIDE),
        (["3x5", "3L"], "auto", Goal.DECIDE),  # no colouring shows it
        (["6x6", "4L"], "dlx", Goal.DECIDE),
        (["6x6", "4L"], "auto", Goal.COUNT),
        (["3x3", "2"], "auto", Goal.DECIDE),  # its area says it already
    ],
)
def test_other_answers_stay_as_they_are(words: list[str], solver: str, goal: Goal) -> None:
    answer = solve(formats.inline(words), solver, Question(goal))
    assert with_reason(answer) is answer
