"""Call a declared program: write its file, read its output within bounds, and claim no more than it answered."""

from __future__ import annotations

import math
import time
from pathlib import Path

from tiler.backends import external
from tiler.backends.command import Command, translation
from tiler.backends.languages import answers
from tiler.cover.cover import Cover
from tiler.errors import BackendError, BadSolution, InputError
from tiler.model.expected import Status
from tiler.process.programs import call, content
from tiler.question.events import Run, Running
from tiler.question.question import Goal, Question


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
    named = any(f"{{{name}}}" in word for name in given.files for word in program.command)
    source = None if named else next(iter(given.files.values()))
    printed = call(program.name, _filled(backend, given.files, out, question), source)
    report.stats(engine_seconds=time.perf_counter() - called, **({"log": printed.log} if printed.log else {}))
    try:
        text = content(out) if "{out}" in " ".join(program.command) else printed.output
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
