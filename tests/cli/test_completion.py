"""Completion scripts: a shell that has read one offers commands, options, their values, solvers and problems."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from commands import call

TRY = """
source "$1"
function=$(complete -p tiler | sed 's/.*-F \\([^ ]*\\).*/\\1/')
COMP_WORDS=(tiler "${@:2}")
COMP_CWORD=$(($# - 1))
$function
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not shutil.which("bash"):
        pytest.skip("bash is not installed")
    path = tmp_path_factory.mktemp("completion") / "tiler.bash"
    with pytest.MonkeyPatch.context() as patch, path.open("w") as file:
        patch.setattr("sys.stdout", file)
        from tiler.cli.main import main

        assert main(["completion", "bash"]) == 0
    return path


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["solv"], {"solve", "solvers"}),
        (["compl"], {"completion"}),
        (["solve", "--solver", "f"], {"fila", "frontier"}),
        (["count", "--time"], {"--time-limit"}),
        (["prove", "--form"], {"--format"}),
        (["show", "4x4", "--format", ""], {"text", "json", "problem"}),
        (["solve", "4L/10"], {"4L/10x10_u"}),
        (["check", "classic/som"], {"classic/soma_s"}),
        (["bench", "--goal", ""], {"decide", "count"}),
    ],
)
def test_bash_offers(script: Path, tmp_path: Path, words: list[str], offered: set[str]) -> None:
    done = subprocess.run(
        ["bash", "-c", TRY, "bash", str(script), *words], capture_output=True, text=True, cwd=tmp_path, timeout=60, check=True
    )
    assert (set(done.stdout.split()), done.stderr) == (offered, "")


def test_files_here_are_offered_too(script: Path, tmp_path: Path) -> None:
    (tmp_path / "4L-mine.txt").touch()
    done = subprocess.run(
        ["bash", "-c", TRY, "bash", str(script), "solve", "4L"], capture_output=True, text=True, cwd=tmp_path, check=True
    )
    assert {"4L-mine.txt", "4L/10x10_u"} <= set(done.stdout.split())


def test_zsh_knows_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys, "completion", "zsh")
    assert status == 0
    assert out.startswith("#compdef tiler")
    assert "compadd -- " in out
    assert " 4L/10x10_u " in out
    assert "(auto backtracking beam coloring" in out


def test_other_shells_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = call(capsys, "completion", "fish")
    assert (status, err.count("\n")) == (2, 1)
    assert "'bash', 'zsh'" in err
