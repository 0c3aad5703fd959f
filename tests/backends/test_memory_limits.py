"""A limit of memory ends every backend with that as the reason, and nothing is left running."""

from __future__ import annotations

import psutil
import pytest

from tiler import formats
from tiler.ask.solve import solve
from tiler.backends.registry import backends
from tiler.model.expected import Status
from tiler.question.question import Goal, Limits, Question
from tiler.question.result import Stop

#: Neither areas nor a search of a moment tells.
LARGE = formats.inline(["30x30", "4T", "5X", "5Z"])


@pytest.mark.parametrize("name", [name for name, backend in backends().items() if not backend.missing()])
def test_it_ends_at_the_limit(name: str) -> None:
    goal = Goal.PROVE if name == "coloring" else Goal.COUNT
    spec = {"coloring": "coloring:stages=cases,nodes=1000000"}.get(name, name)
    # Less than this process has already.
    result = solve(LARGE, spec, Question(goal, Limits(megabytes=1, seconds=60))).result
    assert (result.status, result.stop, result.count) == (Status.UNKNOWN, Stop.MEMORY, None)
    assert result.reason == "the memory limit is reached"
    assert psutil.Process().children(recursive=True) == []
