"""No run of a campaign compiles anything: the kernels of a solver are loaded before the first run."""

from __future__ import annotations

import subprocess
import sys

import pytest

_CODE = """
import sys
from tiler import formats
from tiler.ask.solve import solve
from tiler.bench import measure
from tiler.kernels import Kernel
from tiler.question.question import Goal, Question

solver = sys.argv[1]
measure.prepare([solver])
before = set(Kernel.all)
for board, piece in (("12x12", "3I"), ("6x6", "4L")):
    solve(formats.inline([board, piece]), solver, Question(Goal.DECIDE))
print(sorted(each.__qualname__ for each in Kernel.all if each not in before))
"""


@pytest.mark.long
@pytest.mark.parametrize("solver", ["fila", "dlx", "backtracking", "frontier", "dlx:filter=dead+volume"])
def test_a_run_imports_no_kernel(solver: str) -> None:
    done = subprocess.run([sys.executable, "-c", _CODE, solver], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
