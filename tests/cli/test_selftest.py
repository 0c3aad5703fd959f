"""The self-test: it finds a backend that is wrong, whatever it is wrong about, and tells how to ask again."""

from __future__ import annotations

import dataclasses
import itertools
import json
import os
import re
import shlex
import signal
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import psutil
import pytest

from tiler.backends.dlx import Dlx
from tiler.backends.registry import backends, parse_spec
from tiler.cli.main import main
from tiler.formats import json as problems
from tiler.model.lattices import LATTICES
from tiler.selftest import compare, drawing, run, watched
from tiler.selftest.compare import QUESTIONS, Example


def test_all_that_is_installed_is_right(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["selftest", "--minutes", "0.02", "--solver", "dlx", "--solver", "backtracking"]) == 0
    out = capsys.readouterr().out
    assert re.match(r"\d+ problems?, \d+ of them with tilings; \d+ answers compared with a brute force\n", out)
    assert "by solver: backtracking" in out
    assert out.endswith("every answer was right\n")
    assert max(map(len, out.splitlines())) <= 80


def test_what_is_drawn_depends_on_the_seed_alone() -> None:
    lattices = list(LATTICES.values())

    def some(seed: int) -> list[str]:
        drawn = Random(seed)
        return [drawing.instance(drawn, lattice, wrapped=wrapped).digest for lattice in lattices for wrapped in (False, True)]

    assert some(1) == some(1) != some(2)


@pytest.mark.parametrize("name", sorted(backends()))
def test_options_that_are_drawn_go_together(name: str) -> None:
    specs = {compare.some_spec(Random(seed), backends()[name]) for seed in range(100)}
    assert all(parse_spec(spec).name == name for spec in specs)
    assert name in specs


def test_every_lattice_and_question_has_its_turn() -> None:
    drawn = Random(0)
    for lattice in LATTICES.values():
        for wrapped in (False, True):
            made = drawing.instance(drawn, lattice, wrapped=wrapped)
            assert made.lattice in (lattice, lattice.plane)
            assert bool(made.wrap) == wrapped
    tally = run.run([backends()["frontier"], Dlx], 1.0, 3)
    assert tally.failure is None
    assert tally.instances
    assert set(run.COMMANDS) == set(QUESTIONS)


#: By question: the solver that is asked, and what is changed in its result; with nothing to change a tiling is left out.
WRONG: list[tuple[str, str, dict[str, Any]]] = [
    ("decide", "dlx", {"status": "unsat"}),
    ("count", "dlx", {"count": 7_000}),
    ("count up to symmetry", "dlx", {"symmetry": 96}),
    ("list", "dlx", {}),
    ("sample", "frontier", {}),
    ("optimise", "dlx", {"value": 1_000}),
    ("optimise", "dlx", {"value": -1_000}),
]


@pytest.mark.parametrize(("question", "solver", "changes"), WRONG)
def test_a_wrong_answer_is_found(
    question: str,
    solver: str,
    changes: dict[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    whole = compare.solve

    def solve(instance: Any, backend: Any, asked: Any, **more: Any) -> Any:
        answer = whole(instance, backend, asked, **more)
        if asked.goal is not QUESTIONS[question].goal or asked.up_to_symmetry != QUESTIONS[question].up_to_symmetry:
            return answer
        if not changes:
            return dataclasses.replace(answer, solutions=answer.solutions[1:])
        return dataclasses.replace(answer, result=dataclasses.replace(answer.result, **changes))

    monkeypatch.setattr(compare, "solve", solve)
    monkeypatch.chdir(tmp_path)
    assert main(["selftest", "--solver", solver, "--seed", "5"]) == 4
    out = capsys.readouterr().out
    # Whatever options were changed when it was found: it is wrong without them too.
    assert f"wrong: {solver}, asked to {question}: it" in out
    (path,) = tmp_path.iterdir()
    assert problems.parse(path.read_text()).digest in path.name
    command = shlex.split(out.splitlines()[-1].removeprefix("ask again: "))
    assert command[0] == "tiler"
    assert main(command[1:]) == 0
    assert json.loads(path.read_text())


def test_every_command_asks_its_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    made = drawing.instance(Random(4), LATTICES["square"], wrapped=False)
    example = Example.of(made)
    assert example is not None
    Path("p.json").write_text(problems.write(example.weighted.instance))
    for question, command in run.COMMANDS.items():
        solver = {"uses": "frontier", "sample": "frontier", "prove": "coloring"}.get(question, "dlx")
        assert main(shlex.split(command.format(file="p.json", spec=solver))[1:]) in (0, 3), question
        capsys.readouterr()
    assert os.listdir() == ["p.json"]


@pytest.mark.parametrize("how", ["hang", "crash"])
def test_a_question_without_an_answer_is_told(
    how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    whole, here = compare.solve, os.getpid()

    def solve(instance: Any, backend: Any, asked: Any, **more: Any) -> Any:
        assert os.getpid() != here
        if asked.goal is not QUESTIONS["list"].goal:
            return whole(instance, backend, asked, **more)
        if how == "crash":
            os.kill(os.getpid(), signal.SIGKILL)
        Path("hangs").touch()
        while True:
            signal.pause()

    later = itertools.count(0.0, 1000.0)

    monkeypatch.setattr(compare, "solve", solve)
    # Time passes while it hangs, and only then.
    clock = SimpleNamespace(monotonic=lambda: next(later) if Path("hangs").exists() else 0.0)
    monkeypatch.setattr(watched, "time", clock)
    monkeypatch.chdir(tmp_path)
    assert main(["selftest", "--solver", "dlx", "--seed", "5"]) == 4
    Path("hangs").unlink(missing_ok=True)
    out = capsys.readouterr().out
    wrong = "no answer after 300 s" if how == "hang" else "it ended the process: killed by SIGKILL"
    assert re.search(rf"wrong: dlx.*, asked to list: {wrong}\n", out)
    (path,) = tmp_path.iterdir()
    assert re.search(rf"ask again: tiler solve {path.name} --solver \S+ --all\n$", out)
    assert psutil.Process().children(recursive=True) == []


def test_an_interrupt_tells_what_was_compared(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    whole, asked = run.answers, []

    def answers(*how: Any) -> Any:
        asked.append(1)
        if len(asked) > 3:
            raise KeyboardInterrupt
        return whole(*how)

    monkeypatch.setattr(run, "answers", answers)
    assert main(["selftest", "--solver", "dlx"]) == 130
    out = capsys.readouterr().out
    assert "answers compared" in out
    assert out.endswith("interrupted: so far no answer was wrong\n")
