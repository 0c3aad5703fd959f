"""mypy --strict and ruff check a user's file and the backend of the tutorial, as `files` in pyproject.toml says: what is right
has no errors, and each line that is wrong has one."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

import tiler

ROOT = Path(tiler.__file__).parents[1]
TYPED = ROOT / "tests/typed"
sys.path.insert(0, str(ROOT / "scripts"))
import regenerate_examples as examples  # noqa: E402


def test_files_of_users_are_checked() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["mypy"]
    assert settings["strict"]
    assert "tests/typed" in settings["files"]
    assert "type: ignore" not in (TYPED / "right.py").read_text()
    _, *wrong = (TYPED / "wrong.py").read_text().partition("tiler.make")[2].splitlines()
    assert len(wrong) == 9
    assert [line for line in wrong if not re.search(r"  # type: ignore\[[a-z-]+\]$", line)] == []


def test_the_backend_of_the_tutorial_is_checked() -> None:
    """The file that mypy and ruff see is the one on the page."""
    page = (ROOT / "docs/tutorials/solvers.md").read_text()
    assert (TYPED / "recursive.py").read_text() == examples.files(page)["recursive.py"]


def test_the_package_says_that_it_has_types() -> None:
    assert (ROOT / "tiler/py.typed").exists()
