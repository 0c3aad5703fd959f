"""Run a program of others to its end, and read what it prints within bounds."""

from __future__ import annotations

import os
import selectors
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tiler.errors import BackendError, InputError
from tiler.process.interrupts import exit_in_words

MOST_BYTES = 64 << 20  #: bytes that a program may print; one that prints more is ended
_KEPT_BYTES = 4096  # bytes of standard error
_LOG_LINES, _LOG_WIDTH = 12, 160
_ANSWERS = ("v ", "v\t")  # beginnings of lines that belong to an answer, not to a log
_FINE = (0, 10, 20, 30)  # exit statuses by which SAT solvers tell their verdict


class Printed(NamedTuple):
    """What a program printed."""

    output: str
    last_line: str  #: the last line of standard error, or a line about an error
    log: list[str]  #: the end of its output, without the answer


def call(name: str, words: Sequence[str], source: Path | None = None) -> Printed:
    """Run the program of this name to its end, with these words as its command and a file as its standard input. BackendError if
    it cannot be run, fails, or prints too much. If it exceeds a limit, isolate.py ends its process group."""
    standard_input = subprocess.DEVNULL if source is None else os.open(source, os.O_RDONLY)
    try:
        process = subprocess.Popen(words, stdin=standard_input, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    except OSError as error:
        raise BackendError(f"{name}: {words[0]} cannot be run: {error.strerror}") from None
    finally:
        if standard_input != subprocess.DEVNULL:
            os.close(standard_input)
    with process:
        output, errors = _listen(name, process)
    lines = errors.decode("utf-8", "replace").strip().splitlines()
    last = next((line.strip() for line in lines if "error" in line.lower()), lines[-1].strip() if lines else "")
    if process.returncode not in _FINE:
        raise BackendError(f"{name}: {exit_in_words(process.returncode)}{f': {last}' if last else ''}")
    said = output.decode("utf-8", "replace")
    return Printed(said, last, _log(said, lines))


def _log(output: str, errors: Sequence[str]) -> list[str]:
    """The last lines that a program said, those of standard error at the end; lines of its answer are long, and left out."""
    kept = [line.rstrip() for line in output[-_KEPT_BYTES:].splitlines()[-_LOG_LINES:] if not line.startswith(_ANSWERS)]
    lines = [line[:_LOG_WIDTH] for line in (*kept, *errors[-_LOG_LINES:]) if line.strip() not in ("", "c")]
    return lines[-_LOG_LINES:]


def _listen(name: str, process: subprocess.Popen[bytes]) -> tuple[bytes, bytes]:
    """Read all of standard output, and keep the end of standard error."""
    assert process.stdout is not None
    assert process.stderr is not None
    output, errors = bytearray(), bytearray()
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ, output)
        selector.register(process.stderr, selectors.EVENT_READ, errors)
        while selector.get_map():
            for key, _ in selector.select():
                chunk = os.read(key.fd, 1 << 16)
                if not chunk:
                    selector.unregister(key.fileobj)
                key.data.extend(chunk)
                if key.data is errors:
                    del errors[:-_KEPT_BYTES]
                elif len(output) > MOST_BYTES:
                    process.kill()
                    raise BackendError(f"{name}: it printed more than {MOST_BYTES >> 20} MB, and was ended")
    return bytes(output), bytes(errors)


def content(path: Path) -> str:
    """What a program wrote into a file. InputError if there is none, or too much."""
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError:
        raise InputError("it wrote no file {out}") from None
    if len(data) > MOST_BYTES:
        raise InputError(f"a file of more than {MOST_BYTES >> 20} MB")
    return data.decode("utf-8", "replace")
