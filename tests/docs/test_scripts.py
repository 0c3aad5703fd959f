"""Scripts tell what they are for, and the two of the first page run as it says, whatever lies beside our own folders."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from shutil import copy, which

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.long
@pytest.mark.parametrize(
    "script",
    ["docs", "method_pictures.py", "optimise_models.py", "reproduce", "solver_pictures.py", "test"],
)
def test_a_script_says_what_it_is_for_and_does_nothing_else(script: str) -> None:
    path = ROOT / "scripts" / script
    command = [sys.executable] if path.suffix else ["bash"]
    done = subprocess.run([*command, str(path), "--help"], capture_output=True, text=True, timeout=60, check=True)
    assert f"scripts/{script}" in done.stdout
    assert done.stderr == ""


LINES = re.findall(r"^\$ (\./scripts/.+)$", (ROOT / "README.md").read_text(), re.MULTILINE)


def is_set_up() -> bool:
    """Whether the scripts find all that they need, and install nothing."""
    command = f"source {shlex.quote(str(ROOT / 'scripts/setup.sh'))} && is_ready core dev"
    return subprocess.run(["bash", "-c", command], check=False).returncode == 0


def test_the_first_page_has_two_commands() -> None:
    assert LINES == ["./scripts/tiler bench --filter many-unique --time-limit 2s", "./scripts/test"]


@pytest.mark.long
@pytest.mark.skipif(not is_set_up(), reason="scripts/test has not made .venv here")
@pytest.mark.parametrize(
    ("line", "rest", "last"),
    [
        (LINES[0].replace("many-unique", "many-unique/snake-rev-05"), "-o {}", r"plots: \d+ figures? as svg .+"),
        (LINES[1], "-n 0 -p no:cacheprovider tests/test_amounts.py", r"\d+ passed in .+"),
    ],
)
def test_the_commands_of_the_first_page_run(line: str, rest: str, last: str, tmp_path: Path) -> None:
    """As they stand there, with fewer problems and fewer tests."""
    outer = ("PYTEST_", "PYTHONPATH", "TILER_")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(outer)}
    command = f"{line} {rest.format(shlex.quote(str(tmp_path / 'bench')))}"
    done = subprocess.run(["bash", "-c", command], cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(last, done.stdout.splitlines()[-1]), done.stdout
    assert "setting up" not in done.stderr


@pytest.mark.parametrize("environment", ["tiler-env", ".venv", "venv"])
def test_linters_and_git_see_our_own_folders_only(environment: str, tmp_path: Path) -> None:
    for name in ("pyproject.toml", ".gitignore"):
        copy(ROOT / name, tmp_path)
    for file in (f"{environment}/bin/foreign.py", "tiler/own.py"):
        (tmp_path / file).parent.mkdir(parents=True)
        (tmp_path / file).touch()

    def listed(*command: str) -> list[str]:
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout.split()

    shown = listed(sys.executable, "-m", "ruff", "check", "--no-cache", "--show-files", ".")
    assert [name for name in shown if name.endswith(".py")] == [str(tmp_path.resolve() / "tiler/own.py")]
    if which("git"):
        listed("git", "init", "--quiet")
        assert sorted(listed("git", "ls-files", "--others", "--exclude-standard")) == [
            ".gitignore",
            "pyproject.toml",
            "tiler/own.py",
        ]
