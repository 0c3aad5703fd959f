"""A time limit holds while a problem is read."""

from __future__ import annotations

import signal
from contextlib import suppress
from typing import NoReturn

import pytest
from commands import call

from tiler import formats
from tiler.cli.shared import arguments
from tiler.errors import InputError
from tiler.formats import dlx


def endless(*arguments: object, **named: object) -> NoReturn:
    """Read as if a file had no end; errors about a text are caught on the way, as readers do."""
    while True:
        with suppress(ValueError, InputError):
            signal.pause()


@pytest.mark.parametrize(
    "words",
    [["solve", "a.txt"], ["count", "-"], ["sample", "a.txt"], ["prove", "a.txt"], ["solve", "8x8", "2"], ["count", "a.dlx"]],
)
def test_reading_ends_at_the_time_limit(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for module, name in ((formats, "read"), (formats, "inline"), (formats, "load"), (dlx, "read")):
        monkeypatch.setattr(module, name, endless)
    monkeypatch.setattr(arguments, "LEAST_SECONDS", 0.01)
    before = signal.getsignal(signal.SIGALRM)
    said = f"tiler: {' '.join(words[1:])}: not read within 0.01 s, the time limit\n"
    assert call(capsys, *words, "--time-limit", "10ms") == (3, "", said)
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
