"""`--stats` of every command, backend and stage: whatever a search counts can be printed."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest
from commands import call
from specs import INSTALLED

from tiler.backends.base import Backend
from tiler.backends.registry import backends
from tiler.cli import main as cli
from tiler.question.question import Goal

PROBLEMS = Path(__file__).parents[2] / "problems"
BOARD = ["3x2", "2", "1:3I", "--open", "0..1"]

#: What asks a backend for each goal.
GOALS: dict[Goal, list[str]] = {
    Goal.DECIDE: ["solve", *BOARD],
    Goal.ENUMERATE: ["solve", *BOARD, "--limit", "2"],
    Goal.OPTIMISE: ["solve", *BOARD, "--maximise", "3I"],
    Goal.COUNT: ["count", *BOARD],
    Goal.USES: ["count", *BOARD, "--by-cell"],
    Goal.TALLY: ["count", *BOARD, "--by-open"],
    Goal.SAMPLE: ["sample", *BOARD, "-n", "2"],
}
#: What is asked of a backend that takes no such board.
OWN = {"strips": ["solve", "3x4", "2"]}
#: Ways to an answer that no single search is.
WAYS = [
    ["solve", "4x4", "2", "--all", "--up-to-symmetry"],
    ["solve", "4x4", "1:4L", "2", "--unique"],
    ["count", "4x4", "2", "1:4L", "--up-to-symmetry"],
    ["count", "4x4", "2", "--up-to-symmetry"],
    ["count", "3x2", "2", "--fault-free"],
]
#: Of the prover: a problem that each of its stages refutes, and one that none does.
STAGES = {
    "area": ["3x3", "2"],
    "lattice": [str(PROBLEMS / "4L" / "06x06_u.txt")],
    "marks": ["2x2", "1 [tab tab tab tab]", "--mates", "tab blank"],
    "weights": [str(PROBLEMS / "mixed" / "4Os-4T-06x06_u.txt")],
    "pairs": [str(PROBLEMS / "pairs" / "trapped_u.txt")],
    "probe": [str(PROBLEMS / "misc" / "02_u.txt")],
    "cases": [str(PROBLEMS / "misc" / "02_u.txt"), "--solver", "coloring:stages=cases"],
    "": ["4x4", "2"],
}


def said(err: str) -> dict[str, str]:
    """The table on stderr."""
    return dict(line.split(maxsplit=1) for line in err.partition("\n\n")[0].splitlines() if " " in line)


@pytest.mark.usefixtures("engines_in_this_process")
@pytest.mark.parametrize(
    ("backend", "goal"),
    [pytest.param(each, goal, id=f"{each.name}-{goal}") for each in INSTALLED for goal in GOALS if each.can(goal)],
)
def test_of_every_backend(backend: type[Backend], goal: Goal, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = call(capsys, *OWN.get(backend.name, GOALS[goal]), "--solver", backend.name, "--stats")
    assert status in (0, 3), err
    assert out
    assert said(err)["solver"].startswith(backend.name)


@pytest.mark.parametrize("solver", ["auto", "dlx", "fila", "frontier", "backtracking"])
@pytest.mark.parametrize("way", WAYS, ids=" ".join)
def test_of_several_searches(way: list[str], solver: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = call(capsys, *way, "--solver", solver, "--stats")
    assert status in (0, 2), err
    assert status == 2 or said(err)["solver"].startswith(solver)


@pytest.mark.parametrize("stage", STAGES)
def test_of_every_stage(stage: str, capsys: pytest.CaptureFixture[str]) -> None:
    spec = [] if "--solver" in STAGES[stage] else ["--solver", "coloring"]
    status, _, err = call(capsys, "solve", *STAGES[stage], *spec, "--stats")
    assert status == (0 if stage else 3), err
    told = said(err)
    if stage not in ("", "area"):  # What the area refutes is not asked of any backend.
        assert told["stage"] == stage
        assert f"{stage} " in told["cpu"]


@pytest.mark.parametrize("stage", ["lattice", "weights"])
def test_where_auto_asks_the_prover(stage: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = call(capsys, "solve", *STAGES[stage], "--stats")
    assert (status, out.split(":")[0]) == (0, "unsat"), err


def test_nothing_is_left_out() -> None:
    """Every goal, stage and command that can print statistics is asked above."""
    assert set(STAGES) == {*backends()["coloring"]().stages.split("+"), ""}
    assert {*GOALS, Goal.PROVE} == set(Goal)  # `tiler prove` and --proof say what they took in words of their own.
    commands = set()
    for name in cli.COMMANDS:
        parser = argparse.ArgumentParser(name)
        cli.module_of(name).configure(parser)
        if "--stats" in parser.format_usage():
            commands.add(name)
    assert commands == {arguments[0] for arguments in GOALS.values()}
