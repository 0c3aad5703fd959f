"""Temporary folders and the signals that end a process: nothing is left behind, and nothing of anybody else's is removed."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from processes import SOON, descendants, lives, wait_until

from tiler.process import interrupts, temporary


def folders(where: Path) -> list[Path]:
    """The temporary folders that are complete."""
    return [path for path in where.glob("tiler-*-run") if (path / ".owner").exists() and (path / ".owner").read_text()]


OWNER = """
import pathlib, sys, time
from tiler.process import temporary
with temporary.folder(pathlib.Path(sys.argv[1])):
    time.sleep(1000)
"""
ENGINES = ["sat:engine=cadical153", "ilp:engine=cbc", "cpsat"]
# A question that keeps each of them busy for long.
LONG = ["count", "12x12", "3L", "2:4T"]


@contextmanager
def at_work(solver: str, where: Path, arguments: list[str]) -> Iterator[subprocess.Popen[bytes]]:
    """The command while it has a temporary folder."""
    command = [sys.executable, "-m", "tiler", *arguments, "--solver", solver]
    with subprocess.Popen(
        command, env={**os.environ, "TMPDIR": str(where)}, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        try:
            wait_until(lambda: folders(where) or process.poll() is not None)
            assert process.poll() is None
            yield process
        finally:
            process.kill()


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("solver", ENGINES)
def test_a_signal_leaves_no_folder_and_no_process(tmp_path: Path, solver: str, number: signal.Signals) -> None:
    with at_work(solver, tmp_path, LONG) as process:
        begun = descendants(process.pid)
        process.send_signal(number)
        _, said = process.communicate(timeout=SOON)
        assert (process.returncode, said) == (-number, b"")
    assert not list(tmp_path.iterdir())
    wait_until(lambda: not any(map(lives, begun)))


@pytest.mark.long
def test_ctrl_c_twice_is_an_interruption(tmp_path: Path) -> None:
    with at_work("sat:engine=cadical153", tmp_path, LONG) as process:
        begun = descendants(process.pid)
        for _ in range(2):
            process.send_signal(signal.SIGINT)
        out, said = process.communicate(timeout=SOON)
        assert process.returncode == 130
        assert b"Traceback" not in out + said
    assert not list(tmp_path.iterdir())
    wait_until(lambda: not any(map(lives, begun)))


@pytest.mark.long
def test_what_a_killed_process_left_is_cleared_away(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", OWNER, str(tmp_path)]) as process:
        [left] = wait_until(lambda: folders(tmp_path))
        (left / "large").mkdir()
        temporary.clear(tmp_path)
        assert left.is_dir(), "its owner lives"
        process.kill()
        process.wait()
        temporary._cleared.discard(tmp_path)
        with temporary.folder(tmp_path) as here:
            assert list(tmp_path.iterdir()) == [here]
    assert not list(tmp_path.iterdir())


def test_what_is_not_ours_stays(tmp_path: Path) -> None:
    with temporary.folder(tmp_path) as here:
        model = here.name
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / ".owner").write_text(model)
    (tmp_path / model).symlink_to(precious)  # A link in place of a folder.
    renamed = tmp_path / "tiler-copied12-run"
    renamed.mkdir()
    (renamed / ".owner").write_text(model)  # The copy of a folder, which somebody made.
    bare = tmp_path / "tiler-without1-run"
    bare.mkdir()
    begun = tmp_path / "tiler-begun123-run"
    begun.mkdir()
    (begun / ".owner").write_text("")
    (tmp_path / "tiler-results").mkdir()
    (tmp_path / "tiler-filefile-run").write_text("a file")
    before = sorted(tmp_path.rglob("*"))
    temporary.clear(tmp_path)
    assert sorted(tmp_path.rglob("*")) == before
    temporary.clear(tmp_path / "nowhere")


def test_a_folder_goes_on_a_signal_that_comes_while_it_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    remove = shutil.rmtree

    def interrupted(path: Path, **options: Any) -> None:
        os.kill(os.getpid(), signal.SIGTERM)
        remove(path, **options)

    monkeypatch.setattr(shutil, "rmtree", interrupted)
    with pytest.raises(interrupts.Terminated), interrupts.handled(), temporary.folder(tmp_path):
        pass
    assert not list(tmp_path.iterdir())
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_a_second_signal_is_ignored_and_an_ignored_one_stays_so() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with interrupts.handled():
            signal.raise_signal(signal.SIGHUP)
            with pytest.raises(interrupts.Terminated):
                signal.raise_signal(signal.SIGTERM)
            signal.raise_signal(signal.SIGTERM)
            signal.raise_signal(signal.SIGINT)
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)
