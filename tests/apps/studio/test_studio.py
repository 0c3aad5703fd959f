"""`tiler studio` on the command line, without a port: what it prints and what it refuses."""

from __future__ import annotations

import os
import re
import signal
from types import SimpleNamespace
from typing import Any

import pytest

from tiler.apps.studio import server
from tiler.cli.main import main


class _Listener:
    def __init__(self, port: int) -> None:
        self._port = port

    def getsockname(self) -> tuple[str, int]:
        return server.HOST, self._port

    def __enter__(self) -> _Listener:
        return self

    def __exit__(self, *error: object) -> None:
        pass


@pytest.mark.parametrize(("free", "said"), [(8520, ""), (8523, "port 8520 is taken, so this is 8523")])
def test_the_link_is_printed(free: int, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    served: list[Any] = []

    def serve(studio: Any, listener: Any, ready: Any) -> None:
        served.append(studio)
        ready()
        os.kill(os.getpid(), signal.SIGUSR1)

    monkeypatch.setattr(server, "listening", lambda port: _Listener(free))
    monkeypatch.setattr(server, "serve", serve)
    monkeypatch.setattr("sys.stdin", SimpleNamespace(isatty=lambda: False))
    usual = signal.getsignal(signal.SIGUSR1)
    assert main(["studio", "--no-browser"]) == 0
    signal.signal(signal.SIGUSR1, usual)
    printed = capsys.readouterr().out
    assert printed.startswith(said)
    links = re.findall(rf"http://127\.0\.0\.1:{free}/#token=\S{{20,}}\n", printed)
    assert len(set(links)) == 2, "one at the start, one at the signal that is printed with it"
    assert f"kill -USR1 {os.getpid()} prints another link" in printed
    assert len(served) == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--port", "0"], "a port is a number from 1 to 65535"),
        (["--port", "70000"], "a port is a number"),
        (["none.txt"], "no such file"),
    ],
)
def test_what_is_wrong_is_said(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["studio", "--no-browser", *arguments]) == 2
    assert said in capsys.readouterr().err
