"""Call a declared program: write its file, read its output within bounds, and claim no more than it answered."""

from __future__ import annotations

import math
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tiler.backends import external
from tiler.backends.command import Command, translation
from tiler.backends.languages import answers
from tiler.cover.cover import Cover
from tiler.errors import BackendError, BadSolution, InputError
from tiler.model.expected import Status
from tiler.question.events import Run, Running
from tiler.question.question import Goal, Question

MOST_BYTES = 64 << 20  #: bytes that a program may print; one that prints more is ended
_KEPT_BYTES = 4096  # bytes of standard error
_LOG_LINES, _LOG_WIDTH = 12, 160
_ANSWERS = ("v ", "v\t")  # beginnings of lines that belong to an answer, not to a log
_FINE = (0, 10, 20, 30)  # exit statuses by which SAT solvers tell their verdict


def search(backend: Command, cover: Cover, question: Question, run: Run) -> Running:
    """Start the search of a declared program."""
    return external.run(backend.name, lambda report: _work(backend, cover, report), question)


def _work(backend: Command, cover: Cover, report: external.Channel) -> external.Conclusion:
    """The work of the separate process."""
    program, question = backend.declared, report.question
    started = time.perf_counter()
    given = translation.write(program, cover, report.folder, optimises=question.goal is Goal.OPTIMISE)
    called = time.perf_counter()
    size = sum(path.stat().st_size for path in given.files.values())
    report.stats(model_seconds=called - started, model_bytes=size)
    out = report.folder / "answer"
    printed = _call(backend, _filled(backend, given.files, out, question), given.files)
    report.stats(engine_seconds=time.perf_counter() - called, **({"log": printed.log} if printed.log else {}))
    try:
        text = _content(out) if "{out}" in " ".join(program.command) else printed.output
        said = answers.read(program.output, text)
        options = given.options(said)
    except InputError as error:
        last = f"; its last line: {printed.last_line}" if printed.last_line else ""
        raise BackendError(f"{backend.name}: its answer is not understood: {error.text}{last}") from None
    if said.stats:
        report.stats(**said.stats)
    return _conclude(backend, said, options, cover, report)


def _conclude(
    backend: Command, said: answers.ProgramAnswer, options: tuple[int, ...] | None, cover: Cover, report: external.Channel
) -> external.Conclusion:
    if said.status is Status.UNKNOWN:
        return external.Conclusion(exhausted=False, message=f"{backend.name} does not know")
    if report.question.goal is Goal.COUNT:
        if said.count is None:
            return external.Conclusion(exhausted=False, message=f"{backend.name} told no count")
        if (said.count == 0) != (said.status is Status.UNSAT):
            raise BadSolution(f"{backend.name} says {said.status} and counts {said.count}")
        report.found = said.count
        return external.Conclusion(exhausted=True)
    if said.status is Status.UNSAT:
        return external.Conclusion(exhausted=True)
    if options is None:
        raise BadSolution(f"{backend.name} says sat, and shows no tiling")
    report.solution(options)
    if report.question.goal is not Goal.OPTIMISE:
        return external.Conclusion(exhausted=False)
    value = int(cover.weights[cover.tile[list(options)]].sum())
    return external.Conclusion(exhausted=said.optimal, value=value, bound=value if said.optimal else None)


class _Printed(NamedTuple):
    output: str
    last_line: str  #: the last line of standard error, or a line about an error
    log: list[str]  #: the end of its output, without the answer


def _filled(backend: Command, files: dict[str, Path], out: Path, question: Question) -> list[str]:
    """The command in which the words in braces are replaced."""
    limits = question.limits
    values = {
        **{name: str(path) for name, path in files.items()},
        "out": str(out),
        "seed": str(question.seed),
        "seconds": str(math.ceil(limits.seconds)) if limits.seconds else "1000000",
        "megabytes": str(limits.megabytes or 1_000_000),
    }
    words = []
    for word in backend.declared.words:
        for name, value in values.items():
            word = word.replace(f"{{{name}}}", value)  # noqa: PLW2901
        words.append(word)
    return words


def _call(backend: Command, words: list[str], files: dict[str, Path]) -> _Printed:
    """Run the program to its end. If it exceeds a limit, isolate.py ends its process group."""
    named = any(f"{{{name}}}" in word for name in files for word in backend.declared.command)
    source = subprocess.DEVNULL if named else os.open(next(iter(files.values())), os.O_RDONLY)
    try:
        process = subprocess.Popen(words, stdin=source, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    except OSError as error:
        raise BackendError(f"{backend.name}: {backend.declared.command[0]} cannot be run: {error.strerror}") from None
    finally:
        if source != subprocess.DEVNULL:
            os.close(source)
    with process:
        output, errors = _listen(backend, process)
    lines = errors.decode("utf-8", "replace").strip().splitlines()
    last = next((line.strip() for line in lines if "error" in line.lower()), lines[-1].strip() if lines else "")
    if process.returncode not in _FINE:
        raise BackendError(f"{backend.name}: {_how(process.returncode)}{f': {last}' if last else ''}")
    said = output.decode("utf-8", "replace")
    return _Printed(said, last, _log(said, lines))


def _log(output: str, errors: Sequence[str]) -> list[str]:
    """The last lines that a program said, those of standard error at the end; lines of its answer are long, and left out."""
    kept = [line.rstrip() for line in output[-_KEPT_BYTES:].splitlines()[-_LOG_LINES:] if not line.startswith(_ANSWERS)]
    lines = [line[:_LOG_WIDTH] for line in (*kept, *errors[-_LOG_LINES:]) if line.strip() not in ("", "c")]
    return lines[-_LOG_LINES:]


def _listen(backend: Command, process: subprocess.Popen[bytes]) -> tuple[bytes, bytes]:
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
                    raise BackendError(f"{backend.name}: it printed more than {MOST_BYTES >> 20} MB, and was ended")
    return bytes(output), bytes(errors)


def _content(path: Path) -> str:
    """The answer in a file."""
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError:
        raise InputError("it wrote no file {out}") from None
    if len(data) > MOST_BYTES:
        raise InputError(f"a file of more than {MOST_BYTES >> 20} MB")
    return data.decode("utf-8", "replace")


def _how(status: int) -> str:
    if status >= 0:
        return f"exited with status {status}"
    try:
        return f"killed by {signal.Signals(-status).name}"
    except ValueError:
        return f"killed by signal {-status}"
