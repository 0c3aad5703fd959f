"""How many examples are drawn, and whether other ones each time."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from contextlib import suppress
from pathlib import Path
from shutil import copy

import conftest
import pytest
from conftest import scale_examples
from hypothesis import given, settings
from hypothesis import strategies as st


@pytest.mark.parametrize(("asked", "times", "number"), [(40, 0.2, 8), (40, 10, 400), (40, 0.01, 5), (3, 0.5, 3)])
def test_examples_are_scaled_where_a_test_says_how_many(asked: int, times: float, number: int) -> None:
    seen: list[int] = []

    @settings(max_examples=asked, database=None)
    @given(st.integers())
    def check(drawn: int) -> None:
        seen.append(drawn)

    scale_examples(check, times)
    check()
    assert len(seen) == number


def test_the_seconds_of_files_are_of_files_that_there_are() -> None:
    """`./scripts/test --measure` writes them; whoever renames a file renames it there too."""
    root, seconds = conftest.SECONDS.parents[1], json.loads(conftest.SECONDS.read_text())
    assert [name for name in seconds if not (root / name).is_file()] == []
    assert list(seconds.values()) == sorted(seconds.values(), reverse=True)


def test_only_by_night_other_examples_are_drawn_each_time() -> None:
    assert settings.get_profile("default").derandomize
    assert not settings.get_profile("nightly").derandomize


SET_UP = """
root=$PWD
venv=$PWD
install() { :; }
compile() { echo - compile >>compiled; }
"""


CHECKS = ["mypy", "ruff check", "ruff format"]


@pytest.mark.parametrize(
    ("arguments", "stage", "checks"),
    [
        ([], "first", CHECKS),
        (["--all"], "all", CHECKS),
        (["--rest"], "rest", []),
        (["--slow"], "all", CHECKS),
        (["--measure"], "all", CHECKS),
        (["-k", "fila"], "all", []),
        (["--rest", "tests/model"], "rest", []),
        (["-q"], "all", []),
        (["tests/model", "--quiet", "-k", "a b"], "all", []),
    ],
)
def test_who_asks_for_some_tests_gets_tests_only(arguments: list[str], stage: str, checks: list[str], tmp_path: Path) -> None:
    run_script(tmp_path, 'echo "$@" >>ran', arguments)
    ran = [line.split() for line in (tmp_path / "ran").read_text().splitlines()]
    assert sorted(" ".join(line[1:3]).removesuffix(" .") for line in ran if line[1] != "pytest") == checks
    (tests,) = (line for line in ran if line[1] == "pytest")
    assert tests[tests.index("--stage") + 1] == stage
    assert tests.count("-q") == 1  # With two, pytest does not say how many passed.
    kept = [word for text in arguments if text not in ("-q", "--quiet", "--all", "--rest") for word in text.split()]
    assert tests[len(tests) - len(kept) :] == kept


@pytest.mark.parametrize(("wrong", "status"), [("pytest", 7), ("mypy", 1), ("ruff", 1), ("nothing", 0)])
def test_what_is_wrong_beside_the_tests_is_said(wrong: str, status: int, tmp_path: Path) -> None:
    done = run_script(tmp_path, f'echo "$2 ran"; test $2 != {wrong} || exit 7', [])
    assert done.returncode == status
    assert "pytest ran\n" in done.stdout
    assert ("lint, format and types are right\n" in done.stdout) == (wrong in ("pytest", "nothing"))
    assert (f"{wrong} ran\n" in done.stderr) == ("are wrong: the lines" in done.stderr) == (wrong in ("mypy", "ruff"))


@pytest.mark.parametrize("found", ["tests/test_a.py tests/test_b.py", ""])
def test_what_a_change_reaches_is_tested(found: str, tmp_path: Path) -> None:
    python = f'case "$1" in tests/changed.py) echo {found};; *) echo "$@" >>ran;; esac'
    assert run_script(tmp_path, python, ["--changed"]).returncode == 0
    ran = (tmp_path / "ran").read_text().splitlines() if (tmp_path / "ran").exists() else []
    tests = [line for line in ran if line.startswith("-m pytest")]
    assert len(tests) == bool(found)
    assert all("--stage first" in line and line.endswith(found) for line in tests)


def run_script(folder: Path, python: str, arguments: list[str]) -> subprocess.CompletedProcess[str]:
    copy(Path(__file__).parent.parent / "scripts/test", folder)
    (folder / "setup.sh").write_text(SET_UP)
    (folder / "bin").mkdir()
    (folder / "bin/python").write_text(f"#!/bin/sh\n{python}\n")
    (folder / "bin/python").chmod(0o755)
    return subprocess.run(["bash", "./test", *arguments], cwd=folder, capture_output=True, text=True)


ENDED_BY_ITS_TESTS = """#!/bin/sh
case $2 in
    mypy) mkfifo never; echo $$ >checks; read -r line <>never ;;
    pytest) until [ -s checks ]; do :; done; kill -TERM $PPID ;;
esac
"""


def test_what_runs_beside_ends_with_the_script(tmp_path: Path) -> None:
    copy(Path(__file__).parent.parent / "scripts/test", tmp_path)
    (tmp_path / "setup.sh").write_text(SET_UP)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/python").write_text(ENDED_BY_ITS_TESTS)
    (tmp_path / "bin/python").chmod(0o755)
    try:
        # This waits for the end of all that can write to its pipes.
        done = subprocess.run(["bash", "./test"], cwd=tmp_path, check=False, capture_output=True, timeout=60)
    finally:
        with suppress(ProcessLookupError):
            os.kill(int((tmp_path / "checks").read_text()), signal.SIGKILL)
    assert done.returncode in (-signal.SIGTERM, 128 + signal.SIGTERM)


def test_the_command_compiles_nothing_before_it_is_asked(tmp_path: Path) -> None:
    copy(Path(__file__).parent.parent / "scripts/tiler", tmp_path)
    (tmp_path / "setup.sh").write_text(SET_UP)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/python").write_text('#!/bin/sh\necho "$@"\n')
    (tmp_path / "bin/python").chmod(0o755)
    done = subprocess.run(["bash", "./tiler", "--help"], cwd=tmp_path, check=True, capture_output=True, text=True)
    assert done.stdout == "-m tiler --help\n"
    assert not (tmp_path / "compiled").exists()
