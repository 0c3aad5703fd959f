"""Let BenchExec run Tiler: `<benchmark tool="tiler.bench.benchexec_tool">`, with Tiler installed beside BenchExec.

The options of a run definition begin with a command (`solve`, `count`; none means `solve`), and a task is a problem file.
The result is true if there is a tiling, false if there is none, and done for a count. Columns take any field or statistic of the
answer: `count`, `nodes`, `solve_seconds` (docs/reference/schemas/answer.json). BenchExec sets the limits; `tiler warm`, called
once before, keeps the compiling of searches out of the runs. See
https://github.com/sosy-lab/benchexec/blob/main/doc/tool-integration.md.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from benchexec import result
from benchexec.tools.template import BaseTool2

from tiler.kernels.cache_folders import folders

_VERDICTS = {"sat": result.RESULT_TRUE_PROP, "unsat": result.RESULT_FALSE_PROP}


class Tool(BaseTool2):  # type: ignore[misc, unused-ignore]
    """The command `tiler`, as BenchExec asks it."""

    def executable(self, tool_locator: Any) -> str:
        return str(tool_locator.find_executable("tiler"))

    def name(self) -> str:
        return "Tiler"

    def version(self, executable: str) -> str:
        return str(self._version_from_tool(executable, line_prefix="tiler "))

    def environment(self, executable: str) -> dict[str, dict[str, str]]:
        """BenchExec gives each run a new home; the machine code of `tiler warm` is in the user's own."""
        return {"newEnv": {"XDG_CACHE_HOME": str(folders()[0].parent)}}

    def cmdline(self, executable: str, options: list[str], task: Any, rlimits: Any) -> list[str]:
        command = [] if options and not options[0].startswith("-") else ["solve"]
        return [executable, *command, *options, task.single_input_file, "--format", "json"]

    def determine_result(self, run: Any) -> str:
        found = _answer(run.output)
        if found.get("count") is not None:
            return str(result.RESULT_DONE)
        unsettled = result.RESULT_UNKNOWN if found else result.RESULT_ERROR
        return str(_VERDICTS.get(found.get("status", ""), unsettled))

    def get_value_from_output(self, output: Any, identifier: str) -> str:
        found = _answer(output)
        value = found.get(identifier, (found.get("stats") or {}).get(identifier))
        return "" if value is None else str(value)


def _answer(lines: Iterable[str]) -> dict[str, Any]:
    """The answer among lines of output; empty if there is none."""
    for line in lines:
        if line.startswith('{"schema": "tiler-answer-1"'):
            return dict(json.loads(line))
    return {}
