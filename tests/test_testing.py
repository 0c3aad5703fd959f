"""`tiler.testing.check` finds what an author of a solver gets wrong: more than ten mistakes, one at a time, in the solver that
`tiler new-solver` writes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from processes import SOON

from tiler.backends import plugins, registry
from tiler.backends.backtracking import Backtracking
from tiler.backends.base import Backend
from tiler.cli.installation import new_solver
from tiler.cli.main import main
from tiler.errors import BadOption, UnknownBackend
from tiler.selftest import examples
from tiler.selftest.run import run
from tiler.testing import check

#: Statements before the search of the base class.
BEFORE = {
    "ignores lower bounds": "cover = replace(cover, bounds=replace(cover.bounds, lower=0 * cover.lower))",
    "ignores upper bounds": "cover = replace(cover, bounds=replace(cover.bounds, upper=cover.upper + 99))",
    "looks for one only": "question = replace(question, goal=Goal.DECIDE) if question.goal is Goal.COUNT else question",
}

#: Statements around the solver's own method, `self.right`: `found` are its solutions.
AROUND = {
    "stops at the first tiling": "yield from found[:1]",
    "loses the last tiling": "yield from found[: max(1, len(found) - 1)]",
    "lists a tiling twice": "yield from [*found, *found[3:]]",
    "loses tilings with open cells": "yield from [each for each in found if not any(cover.fills[o] for o in each)] or found[:1]",
    "does not say which cells stay open": "yield from [[o for o in each if not cover.fills[o]] for each in found]",
    "loses the tiling without copies": "yield from [each for each in found if not all(cover.fills[o] for o in each)]",
    "drops the last way to turn a tile": "yield from [each for each in found if len(cover) < 8 or len(cover) - 1 not in each]",
    "takes twins for one": "yield from {tuple(sorted(tuple(cover.members[o]) for o in each)): each for each in found}.values()",
    "forgets tiles of which no copy must be used": "yield from found if cover.lower.any() or len(cover.names) < 3 else []",
    "takes parts of a board for the whole": "yield from found if len(cover.items) != 8 or len(cover.by_item[0]) < 2 else []",
    "takes rows of several lengths for equal": "yield from found if len({*map(len, cover.members.lists())}) < 3 else []",
    "takes secondary items for primary ones": "yield from [] if isinstance(cover, RowCover) and cover.fills.any() else found",
    "is wrong with an option": "yield from found if not self.last else found[1:]",
    "leaves an item open": "yield from [each[1:] for each in found]",
    "crashes": "yield from found if len(found) < 9 else os._exit(1)",
}
MISTAKES = [*BEFORE, *AROUND]

#: Named problems; the last two have nine tilings or more.
FEW = (
    *("marks that meet", "one row", "equal rows", "rows with colours", "every cell open", "lower bounds", "both bounds"),
    *("exactly two open cells", "a turn that is left out"),
)

_IMPORTS = """import os
from dataclasses import replace
from tiler.cover.cover import RowCover
from tiler.question.question import Goal
"""


def solver(folder: Path, mistake: str = "") -> Path:
    """A file with the solver of the template, which makes a mistake."""
    name = re.sub("[^a-z]", "_", mistake) or "right"
    text = _IMPORTS + new_solver.SOLVER.replace("{name}", name).replace("{kind}", "Planted")
    if mistake in BEFORE:
        text += f"\n    def search(self, cover, question, context):\n        {BEFORE[mistake]}\n"
        text += "        return (yield from super().search(cover, question, context))\n"
    elif mistake:
        text = text.replace("def solutions(", "def right(")
        text += "\n    def solutions(self, cover):\n        found = [each for each in self.right(cover) if each is not None]\n"
        text += f"        {AROUND[mistake]}\n"
    path = folder / f"{name}.py"
    path.write_text(text)
    return path


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is registered here is forgotten, and the largest problem is left out, which takes seconds."""
    some = examples.known_examples()[:1]
    monkeypatch.setattr(examples, "known_examples", lambda: some)
    monkeypatch.setattr(registry, "_registered", dict(registry.backends()))
    monkeypatch.setattr(plugins, "_loaded", {})


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some of the named problems are left."""
    some = [each for each in examples.named_examples() if each.name in FEW]
    monkeypatch.setattr(examples, "named_examples", lambda: some)
    monkeypatch.setattr(examples, "known_examples", lambda: ())


def _loaded(path: Path) -> type[Backend]:
    plugins.load(str(path))
    return registry.backends()[path.stem]


@pytest.mark.usefixtures("few")
def test_a_right_solver_passes(tmp_path: Path) -> None:
    said = check(solver(tmp_path), problems=0, seconds=SOON)
    assert said.startswith("every answer was right, on boards of up to 6 cells; not tried: uses, sample, prove (refused); ")
    assert "*marks that meet*" in said


@pytest.mark.long
def test_a_right_solver_passes_on_all_boards(tmp_path: Path) -> None:
    said = check(solver(tmp_path), problems=2, seconds=SOON)
    assert said.startswith("every answer was right, on boards of up to 42 cells; not tried: uses, sample, prove (refused); ")
    assert "*marks that meet*" in said


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize(
    ("mistake", "wrong"),
    [
        (
            "ignores lower bounds",
            "asked to count (lower bounds): it counts 4, not 3\n    # count: 3\n    # count up to symmetry: 2\n\n    4x1\n\n"
            "    2..2:1\n    2",
        ),
        (
            "leaves an item open",
            "asked to decide (one row): BadSolution: leaves_an_item_open yields [], which is no solution: item a",
        ),
        ("crashes", "it ended the process: exited with status 1"),
    ],
)
def test_check_lists_what_is_wrong(mistake: str, wrong: str, tmp_path: Path) -> None:
    with pytest.raises(AssertionError) as caught:
        check(solver(tmp_path, mistake), problems=0, seconds=SOON)
    first, *answers = re.split(r"\n\n(?! )", str(caught.value))  # An empty line of a problem has an indented one after it.
    assert re.match(r"[\d,]+ answers compared with a brute force: \d+ wrong answers; .*not tried: ", first)
    assert any(wrong in each for each in answers)
    about = [re.findall(r"\(([a-z0-9 ,/_-]+)\):", each)[0] for each in answers]
    assert len(set(about)) == len(about)


def test_solvers_have_names_and_classes(monkeypatch: pytest.MonkeyPatch) -> None:
    some = examples.named_examples()[:5]
    monkeypatch.setattr(examples, "named_examples", lambda: some)
    monkeypatch.setattr(examples, "known_examples", lambda: ())
    assert check("backtracking", problems=0) == check(Backtracking, problems=0)
    with pytest.raises(UnknownBackend):
        check("backtrackin")


def test_a_file_without_a_solver_is_told(tmp_path: Path) -> None:
    path = tmp_path / "nothing.py"
    path.write_text("")
    with pytest.raises(BadOption, match="it registers no solver; write @register before its class"):
        check(path)


@pytest.mark.usefixtures("few")
def test_a_solver_that_refuses_everything_does_not_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Backtracking, "refusal", lambda *how: "not today")
    with pytest.raises(AssertionError, match="nothing was compared"):
        check(Backtracking, problems=0)


@pytest.mark.slow
@pytest.mark.parametrize("mistake", [mistake for mistake in MISTAKES if mistake != "crashes"])
def test_named_problems_find_every_mistake(mistake: str, tmp_path: Path) -> None:
    """So that a minute is enough: none is found only by problems that are drawn at random."""
    tally = run([_loaded(solver(tmp_path, mistake))], problems=0)
    assert tally.failure is not None
    assert tally.failure.name
    assert tally.answers.total() < 600


@pytest.mark.slow
@pytest.mark.parametrize("mistake", MISTAKES)
def test_the_command_finds_every_mistake(
    mistake: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    path = solver(tmp_path, mistake)
    assert main(["selftest", "--load", path.name, "--solver", path.stem, "--minutes", "1"]) == 4
    assert f"wrong: {path.stem}" in capsys.readouterr().out
