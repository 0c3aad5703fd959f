"""A limit of memory ends every backend with that as the reason, and nothing is left running."""

from __future__ import annotations

import re
import subprocess
import sys

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
    goal = {"coloring": Goal.PROVE, "beam": Goal.DECIDE, "strips": Goal.DECIDE}.get(name, Goal.COUNT)
    spec = {"coloring": "coloring:stages=cases,nodes=1000000"}.get(name, name)
    # Less than this process has already.
    result = solve(LARGE, spec, Question(goal, Limits(megabytes=1, seconds=60))).result
    assert (result.status, result.stop, result.count) == (Status.UNKNOWN, Stop.MEMORY, None)
    assert re.fullmatch(r"the memory limit of 1 MB is too low: at least [\d,]+ MB are needed", result.reason)
    assert psutil.Process().children(recursive=True) == []


#: More than the process has, and less than it would have with machine code.
TIGHT = """
import sys
from tiler import formats
from tiler.ask.solve import solve
from tiler.backends.registry import parse_spec
from tiler.kernels import python_time
from tiler.process.memory import resident_megabytes
from tiler.question.question import Goal, Limits, Question
backend = parse_spec(sys.argv[1])
python_time.seconds = 60.0
solve(formats.inline(["2x2", "2"]), backend, Question(Goal.COUNT))  # Imports what the backend is.
question = Question(Goal.COUNT, Limits(megabytes=int(resident_megabytes()) + 25, seconds=600))
print(solve(formats.inline(["4x4", "2"]), backend, question).result.count)
python_time.exhaust()
result = solve(formats.inline(["30x30", "4T", "5X", "5Z"]), backend, question).result
print(result.stop, "llvmlite" in sys.modules, result.reason)
"""


@pytest.mark.parametrize("spec", ["dlx", "fila", "auto"])
def test_kernels_are_not_loaded_where_there_is_no_room_for_that(spec: str) -> None:
    """It is said at once, in place of a limit that is long exceeded when it is looked at; small questions need none."""
    done = subprocess.run([sys.executable, "-c", TIGHT, spec], capture_output=True, text=True, check=True)
    assert re.fullmatch(r"36\nmemory False the memory limit of \d+ MB is too low: at least [\d,]+ MB are needed\n", done.stdout)
