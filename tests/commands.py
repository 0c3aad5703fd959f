"""The command, called in this process, which is quicker than a process of its own."""

from __future__ import annotations

import pytest

from tiler.cli.main import main

#: The note beside answers about chiral pieces that may not be turned over.
NOT_TURNED = "tiler: note: pieces were not turned over; --reflections allows it\n"


def status_of(*arguments: str) -> int:
    """The exit status, that of argparse after bad usage included."""
    try:
        return main(arguments)
    except SystemExit as ended:
        return int(ended.code or 0)


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """The exit status, and what went to stdout and to stderr."""
    status = status_of(*arguments)
    captured = capsys.readouterr()
    return status, captured.out, captured.err
