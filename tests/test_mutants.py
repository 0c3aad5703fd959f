"""Mutants are drawn, applied and found again: scripts/mutants."""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]

PROGRAM = '''"""Adds 1 == 1."""

LIMIT = 3


def larger(one: int, other: int, names: list[str] = []) -> bool:
    """Whether one > other."""
    names.append(f"{one + other}")
    if not names or one is not None and other in (1, 2):
        raise ValueError(one + 1)
    return max(one, other) <= 5
'''


@pytest.fixture
def draw(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(ROOT / "scripts/mutants"))
    yield import_module("draw")
    del sys.modules["draw"]


def test_each_mutant_has_one_mistake(draw: Any) -> None:
    made = draw.mutants_of("tiler/larger.py", PROGRAM)
    assert {each.becomes.strip() for each in made} == {
        "pass",
        "if names or one is not None and other in (1, 2):",
        "if not names and one is not None and other in (1, 2):",
        "if not names or one is None and other in (1, 2):",
        "if not names or one is not None or other in (1, 2):",
        "if not names or one is not None and other not in (1, 2):",
        "if not names or one is not None and other in (2, 2):",
        "if not names or one is not None and other in (1, 3):",
        "return min(one, other) <= 5",
        "return max(one, other) < 5",
        "return max(one, other) <= 6",
    }
    for each in made:
        compile(each.applied(PROGRAM), "larger.py", "exec")


def test_a_mutant_is_found_where_its_line_has_moved_to(draw: Any) -> None:
    mutant = draw.Mutant("tiler/some.py", 1, "a = 1", "a = 2")
    assert mutant.applied("\n\na = 1\n") == "\n\na = 2\n"
    assert mutant.applied("\na = 1\n\na = 1\n") == "\na = 2\n\na = 1\n"
    assert mutant.applied("a = 3\n") is None


def test_lines_of_the_list_are_mutants(draw: Any) -> None:
    listed = [json.loads(line) for line in (ROOT / "scripts/mutants/list.jsonl").read_text().splitlines()]
    assert len(listed) >= 60
    assert all({*each} - {"equal"} == {"file", "line", "was", "becomes"} and each["was"] != each["becomes"] for each in listed)
    assert len({each["file"].split("/")[1] for each in listed}) == len(draw.FOLDERS)
