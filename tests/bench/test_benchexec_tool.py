"""BenchExec asks Tiler by the module that it loads, and reads the answers."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from commands import call

pytest.importorskip("benchexec", reason="benchexec is not installed")

from benchexec import model
from benchexec.tools.template import BaseTool2

PROBLEMS = Path(__file__).parents[2] / "problems"


@pytest.fixture
def tool() -> Any:
    _, loaded = model.load_tool_info("tiler.bench.benchexec_tool", SimpleNamespace(container=False, tool_directory=None))
    return loaded


def output_of(tool: Any, capsys: pytest.CaptureFixture[str], problem: str, *options: str) -> Any:
    """The run that BenchExec would see."""
    task = BaseTool2.Task.with_files([str(PROBLEMS / f"{problem}.txt")])
    limits = BaseTool2.ResourceLimits()
    executable, *arguments = tool.cmdline("tiler", list(options), task, limits)
    assert executable == "tiler"
    _, out, _ = call(capsys, *arguments)
    return BaseTool2.Run(
        [executable, *arguments], SimpleNamespace(value=0, signal=None), BaseTool2.RunOutput(out.splitlines(True)), None
    )


@pytest.mark.parametrize(
    ("problem", "options", "result", "count"),
    [
        ("4L/06x06_u", ["--solver", "dlx"], "false", ""),
        ("3L/square-06x06_s", [], "true", ""),
        ("3L/square-06x06_s", ["count", "--solver", "frontier"], "done", "162"),
        ("4L/10x10_u", ["solve", "--solver", "backtracking", "--time-limit", "1ms"], "unknown", ""),
    ],
)
def test_an_answer_is_read(
    problem: str, options: list[str], result: str, count: str, tool: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    run = output_of(tool, capsys, problem, *options)
    assert tool.determine_result(run) == result
    assert tool.get_value_from_output(run.output, "count") == count
    assert tool.get_value_from_output(run.output, "no such thing") == ""
    assert int(tool.get_value_from_output(run.output, "nodes") or 0) >= 0


def test_no_answer_is_an_error(tool: Any) -> None:
    run = BaseTool2.Run(["tiler"], SimpleNamespace(value=1, signal=None), BaseTool2.RunOutput(["tiler: internal error\n"]), None)
    assert tool.determine_result(run) == "ERROR"


def test_it_names_itself(tool: Any) -> None:
    assert tool.name() == "Tiler"
    assert tool.environment("tiler")["newEnv"].keys() == {"XDG_CACHE_HOME"}
