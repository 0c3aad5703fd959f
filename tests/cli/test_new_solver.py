"""A solver to begin with, as `tiler new-solver` writes it: it works as it is, and so does its test."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import ClassVar

import pytest
from commands import call

from tiler import testing
from tiler.backends import registry
from tiler.backends.base import Backend
from tiler.backends.registry import register
from tiler.cli.installation import new_solver
from tiler.cover.cover import Cover
from tiler.errors import BadOption
from tiler.question.events import RunningSearch, SearchContext, without_events
from tiler.question.question import Goal, Question
from tiler.question.result import Result
from tiler.selftest.run import run

PAGE = (Path(__file__).parents[2] / "docs/tutorials/solvers.md").read_text()


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is registered here is forgotten."""
    monkeypatch.setattr(registry, "_registered", dict(registry.backends()))


def test_the_files_work_as_they_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys, "new-solver", "my_search", "-o", str(tmp_path))
    assert (status, len(out.splitlines())) == (0, 2)
    path = tmp_path / "my_search.py"
    assert call(capsys, "count", "4x4", "2", "--load", str(path), "--solver", "my_search:last=on")[:2] == (0, "36\n")
    assert "class MySearch(Lister)" in path.read_text()


@pytest.mark.parametrize("asked", [False, pytest.param(True, marks=pytest.mark.long)])
def test_the_test_that_comes_with_it_checks_it(
    asked: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """On one random problem beside the others, or, where it is not asked, without a question."""
    checked: list[Path] = []
    check = partial(testing.check, problems=1)
    monkeypatch.setattr(testing, "check", lambda solver: checked.append(solver) or (asked and check(solver)))
    assert call(capsys, "new-solver", "checked_search", "-o", str(tmp_path))[0] == 0
    written = runpy.run_path(str(tmp_path / "test_checked_search.py"))
    written["test_every_answer_is_that_of_a_brute_force"]()
    assert checked == [tmp_path / "checked_search.py"]


def test_an_error_of_a_solver_is_told_as_its_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, before = tmp_path / "broken.py", "        members = "
    content = new_solver.SOLVER.replace("{name}", "broken").replace("{kind}", "Broken")
    path.write_text(content.replace(before, f'        raise KeyError("oops")\n{before}', 1))
    line = path.read_text().splitlines().index('        raise KeyError("oops")') + 1
    status, _, err = call(capsys, "count", "4x4", "2", "--load", str(path), "--solver", "broken")
    assert status == 1
    own = f"{path}:{line}: the solver's own error, not Tiler's: KeyError: 'oops'"
    assert err.startswith(f"tiler: {own}")
    assert "report it" not in err
    tally = run([registry.backends()["broken"]])
    assert tally.failure is not None
    assert (tally.failure.spec, tally.failure.wrong) == ("broken", own)


def test_it_says_what_its_test_needs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert "pip install" not in call(capsys, "new-solver", "mine", "-o", str(tmp_path))[1]
    monkeypatch.setattr(new_solver, "is_installed", {}.get)
    out = call(capsys, "new-solver", "other", "-o", str(tmp_path))[1]
    assert out.splitlines()[1:] == [
        f"{tmp_path}/test_other.py: its test; python -m pytest {tmp_path}/test_other.py",
        "the test needs pytest, which is not installed: python -m pip install pytest",
    ]


@pytest.mark.long
def test_ruff_has_nothing_to_say(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(capsys, "new-solver", "mine", "-o", str(tmp_path))[0] == 0
    done = subprocess.run([sys.executable, "-m", "ruff", "check", "--isolated", str(tmp_path)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_the_tutorial_shows_it() -> None:
    shown = next(block for block in re.findall(r"```python.*?\n(.*?)```", PAGE, re.DOTALL) if "@register" in block)
    assert shown == new_solver.SOLVER.replace("{name}", "recursive").replace("{kind}", "Recursive")


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["dlx"], "there is a solver of this name already"),
        (["3x"], "is no name for a solver"),
        (["class"], "is no name for a solver"),
        (["my-search"], "is no name for a solver"),
        (["mine", "-o", "no/such"], "there is no such folder"),
        (["there"], "there is such a file already"),
    ],
)
def test_what_is_refused(
    arguments: list[str], why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "test_there.py").write_text("")
    status, _, err = call(capsys, "new-solver", *arguments)
    assert (status, why in err, err.count("\n")) == (2, True, 1)
    assert [path.name for path in tmp_path.iterdir()] == ["test_there.py"]


@dataclass(frozen=True)
class _Shrugs(Backend):
    """Never knows."""

    name: ClassVar[str] = "shrugs"
    goals: ClassVar[frozenset[Goal]] = frozenset({Goal.DECIDE})

    def search(self, cover: Cover, question: Question, context: SearchContext) -> RunningSearch:
        return without_events(Result.of_search(question, found=0, exhausted=False))


def test_incomplete_searches_may_not_know(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(registry, "_registered", dict(registry.backends()))
    register(_Shrugs)
    failure = run([_Shrugs], problems=4).failure
    assert failure is not None
    assert "its class claims to be complete" in failure.wrong
    monkeypatch.setattr(_Shrugs, "complete", False)
    compared = run([_Shrugs], problems=4)
    assert (compared.failure, set(compared.by(2))) == (None, {"decide"})
    assert call(capsys, "solvers", "shrugs")[1].startswith("shrugs  (installed; can decide; its search is incomplete)")
    assert call(capsys, "solve", "4x4", "2", "--solver", "shrugs")[0] == 3


def test_a_wrong_signature_is_a_sentence() -> None:
    class Wrong(_Shrugs):
        name: ClassVar[str] = "wrong"

        def refusal(self, question: Question) -> str | None:  # type: ignore[override]
            return None

    with pytest.raises(BadOption) as caught:
        register(Wrong)
    told = "wrong: refusal(self, question) cannot be called with question, cover: write refusal(self, question, cover)"
    assert str(caught.value) == told
    assert "wrong" not in registry.backends()
