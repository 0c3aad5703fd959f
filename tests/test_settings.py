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


@pytest.mark.parametrize(
    ("arguments", "runs"),
    [
        ([], ["ruff", "ruff", "mypy", "pytest"]),
        (["--slow"], ["ruff", "ruff", "mypy", "pytest"]),
        (["--fast"], ["ruff", "ruff", "mypy", "pytest"]),
        (["--measure"], ["ruff", "ruff", "mypy", "pytest"]),
        (["-k", "fila"], ["pytest"]),
        (["--fast", "tests/model"], ["pytest"]),
        (["-q"], ["pytest"]),
        (["tests/model", "--quiet", "-k", "a b"], ["pytest"]),
    ],
)
def test_who_asks_for_some_tests_gets_tests_only(arguments: list[str], runs: list[str], tmp_path: Path) -> None:
    copy(Path(__file__).parent.parent / "scripts/test", tmp_path)
    (tmp_path / "setup.sh").write_text(SET_UP)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/python").write_text('#!/bin/sh\necho "$@" >>ran\n')
    (tmp_path / "bin/python").chmod(0o755)
    subprocess.run(["bash", "./test", *arguments], cwd=tmp_path, check=True)
    ran = [line.split() for line in (tmp_path / "ran").read_text().splitlines()]
    assert [line[1] for line in ran] == runs
    assert ran[-1].count("-q") == 1  # With two, pytest does not say how many passed.
    kept = [word for text in arguments if text not in ("-q", "--quiet") for word in text.split()]
    assert ran[-1][len(ran[-1]) - len(kept) :] == kept


WHILE_COMPILING = """
root=$PWD
venv=$PWD
install() { :; }
compile() { mkfifo never; sh -c 'echo $$ >compiles; read -r line <>never'; echo; }
"""


def test_a_failure_ends_the_compiler_that_runs_beside(tmp_path: Path) -> None:
    copy(Path(__file__).parent.parent / "scripts/test", tmp_path)
    (tmp_path / "setup.sh").write_text(WHILE_COMPILING)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/python").write_text("#!/bin/sh\nuntil [ -s compiles ]; do :; done\nexit 7\n")
    (tmp_path / "bin/python").chmod(0o755)
    try:
        # This waits for the end of all that can write to its pipes.
        done = subprocess.run(["bash", "./test"], cwd=tmp_path, check=False, capture_output=True, timeout=60)
    finally:
        with suppress(ProcessLookupError):
            os.kill(int((tmp_path / "compiles").read_text()), signal.SIGKILL)
    assert (done.returncode, done.stdout, done.stderr) == (7, b"", b"")


def test_the_command_compiles_nothing_before_it_is_asked(tmp_path: Path) -> None:
    copy(Path(__file__).parent.parent / "scripts/tiler", tmp_path)
    (tmp_path / "setup.sh").write_text(SET_UP)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/python").write_text('#!/bin/sh\necho "$@"\n')
    (tmp_path / "bin/python").chmod(0o755)
    done = subprocess.run(["bash", "./tiler", "--help"], cwd=tmp_path, check=True, capture_output=True, text=True)
    assert done.stdout == "-m tiler --help\n"
    assert not (tmp_path / "compiled").exists()
