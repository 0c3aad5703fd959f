"""`tiler solve --watch`: pictures one over the other, in a terminal only."""

from __future__ import annotations

import io
import os
import pty
import subprocess
import sys

import pytest
from commands import call

from tiler.cli.questions.solve import Watcher
from tiler.errors import BadOption
from tiler.model.tile import Placement


def test_each_picture_takes_the_place_of_the_one_before(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.StringIO()
    clock = iter([1.0, 1.01, 2.0])
    monkeypatch.setattr("tiler.cli.questions.solve.time.perf_counter", lambda: next(clock))
    watcher = Watcher(lambda stack: "top\n" + "x" * len(stack), out, 24)
    for size in range(1, 4):  # The second comes too soon.
        watcher([Placement("2", frozenset())] * size, None)
    first, second = out.getvalue().split("\033[3A")
    assert first == "\r\033[Ktop\n\r\033[Kx\n\r\033[K1 node, 1 placed\n"
    assert second == "\r\033[Ktop\n\r\033[Kxxx\n\r\033[K3 nodes, 3 placed\n"


def test_a_board_that_is_too_high_says_what_to_do() -> None:
    with pytest.raises(BadOption, match="the board takes 30 lines, and the terminal has 24: make it higher, or --trace -o"):
        Watcher(lambda stack: "\n" * 29 + "x", io.StringIO(), 24)([], None)


def test_it_is_drawn_on_a_terminal() -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "tiler", "solve", "5x6", "3L", "--watch"]
    done = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=theirs, env={**os.environ, "COLUMNS": "80", "LINES": "40", "NO_COLOR": "1"}
    )
    out, _ = done.communicate(timeout=60)
    os.close(theirs)
    seen = os.read(ours, 1 << 16).decode()
    os.close(ours)
    assert (done.returncode, out.decode().splitlines()[0]) == (0, "sat: there is a tiling")
    assert "┌" in seen
    assert "1 node, 1 placed" in seen


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--executor", "local:2"], "one search is followed"),
        ([], "draws in a terminal"),
        (["--solver", "sat"], "sat cannot trace its search"),
    ],
)
def test_where_it_cannot_be(
    more: list[str], said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if "--solver" in more:
        monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    status, _, err = call(capsys, "solve", "5x6", "3L", "--watch", *more)
    assert (status, said in err) == (2, True)


def test_the_line_of_an_interrupted_search_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """With how far it came."""
    from tiler.question.events import Progress
    from tiler.render.ticker import Ticker

    err = io.StringIO()
    monkeypatch.setattr(err, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("sys.stderr", err)
    clock = iter([1.0, 5.0])
    monkeypatch.setattr("tiler.render.ticker.time.perf_counter", lambda: next(clock))
    with Ticker() as ticker:
        ticker.show(Progress(10, 0, 0.1))
        ticker.show(Progress(1000, 7, 0.5))
        ticker.keep()
    assert err.getvalue().endswith("7 tilings\n")
    assert "50.00% done" in err.getvalue()
