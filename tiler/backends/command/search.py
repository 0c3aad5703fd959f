"""Call a declared program: write the file that it reads, read its output within bounds, translate its answer back into options,
and claim no more than it answered."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from tiler.backends import external
from tiler.backends.command import Command, Program
from tiler.backends.cpsat.models import Plane
from tiler.backends.ilp import Ilp
from tiler.backends.languages import LANGUAGES, answers, writing
from tiler.backends.languages.answers import ProgramAnswer
from tiler.backends.languages.writing import Model, Numbered, WriteRequest
from tiler.backends.sat import Sat
from tiler.cover.board import on_board
from tiler.cover.cover import Cover
from tiler.errors import BackendError, BadOption, BadSolution, InputError
from tiler.model.expected import Status
from tiler.model.tile import Placement
from tiler.process.programs import call, content
from tiler.question.events import RunningSearch, SearchContext
from tiler.question.question import Goal, Question


def search(backend: Command, cover: Cover, question: Question, context: SearchContext) -> RunningSearch:
    """Start the search of a declared program."""
    return external.run(backend.name, lambda report: _work(backend, cover, report), question)


def _work(backend: Command, cover: Cover, report: external.Channel) -> external.Conclusion:
    """The work of the separate process."""
    program, question = backend.declared, report.question
    started = time.perf_counter()
    given = _write(program, cover, report.folder, optimises=question.goal is Goal.OPTIMISE)
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
    backend: Command, said: ProgramAnswer, options: tuple[int, ...] | None, cover: Cover, report: external.Channel
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


@dataclass(frozen=True)
class ProgramInput:
    """The input of a program: the files, by their names in a command; and the cover and options to which its answer belongs."""

    files: dict[str, Path]
    cover: Cover
    numbered: Numbered

    def options(self, said: ProgramAnswer) -> tuple[int, ...] | None:
        """The options of an answer; None if it shows no solution. BadSolution if it makes an impossible placement."""
        if said.true is not None:
            return self.numbered(said.true)
        if said.places is not None:
            return self._of_places(said.places)
        return None if said.placements is None else self._of_placements(said.placements)

    def _of_placements(self, placements: Iterable[Placement]) -> tuple[int, ...]:
        """The options of placements, given by name and cells; cells that stay open need not be listed."""
        found: set[int] = set()
        for placed in placements:
            if placed not in self._by_placement:
                raise BadSolution(f"it places {placed.tile or 'nothing'} where that cannot lie: {sorted(placed.cells)[:12]}")
            found.add(self._by_placement[placed])
        covered = {item for option in found for item in self.cover.members[option].tolist()}
        return tuple(sorted(found | {option for item, option in self._fillers.items() if item not in covered}))

    def _of_places(self, places: Iterable[tuple[int, int, int]]) -> tuple[int, ...]:
        """The options that place variants, by tile, variant and place of the first cell in the plane of geost's model."""
        board = on_board(self.cover, "an answer by places")
        plane = Plane.of(board, margin=0)
        forms = zip(board.tile.tolist(), board.variant.tolist(), strict=True)
        number = {(*form, plane.number(board.cells[int(board.members[o][0])])): o for o, form in enumerate(forms)}
        found = []
        for place in places:
            if place not in number:
                raise BadSolution(f"it places variant {place[1]} of tile {place[0]} at {place[2]}, where that cannot lie")
            found.append(number[place])
        return tuple(sorted(found))

    @cached_property
    def _by_placement(self) -> dict[Placement, int]:
        board = on_board(self.cover, "an answer by cells")
        cells, names, tile = board.cells, board.names, board.tile.tolist()
        if board.instance.is_painted:
            shown = board.shown(range(len(board))).tolist()
            fillers = {
                Placement("", frozenset(cells[i] for i in board.cells_of(o))): o for o in np.flatnonzero(board.fills).tolist()
            }
            return {**dict(zip(board.placements(shown), shown, strict=True)), **fillers}
        return {Placement(names[tile[o]], frozenset(cells[i] for i in board.cells_of(o))): o for o in range(len(board))}

    @cached_property
    def _fillers(self) -> dict[int, int]:
        """For each item that may stay open, the option that leaves it open."""
        return {int(self.cover.members[o][0]): o for filler in self.cover.fillers for o in self.cover.by_tile[filler].tolist()}


def _language_of(program: Program) -> str:
    """The language of a program's input. A CNF for counting says what is counted."""
    if (program.input, program.output) != ("cnf", "count"):
        return program.input
    return "pmc" if program.projects else "mc"


def model_of(program: Program) -> Model:
    """The backend whose model the program gets; None if there is no choice. BadOption if the model does not go with the input."""
    backend = writing.model_of(_language_of(program), program.model)
    if isinstance(backend, Sat) and program.output == "count" and backend.symmetry != "off":
        raise BadOption("symmetry=lex leaves out tilings; to count leave it out")
    if isinstance(backend, Ilp) and not backend.objective.startswith("eq-"):
        raise BadOption(f"objective={backend.objective}: the answer of a program is taken as a tiling; choose eq-ign or eq-min")
    return backend


def _write(program: Program, cover: Cover, folder: Path, *, optimises: bool) -> ProgramInput:
    """Write the files into a folder."""
    try:
        written = writing.write(WriteRequest(_language_of(program), model_of(program), None, optimises), cover)
        files = {}
        for place, (ending, content) in zip(LANGUAGES[program.input].places, written.files.items(), strict=True):
            files[place] = folder / f"problem.{ending}"
            _put(files[place], content)
    except BadOption as error:
        raise BackendError(f"{program.name}: {error}") from None
    return ProgramInput(files, cover, written.options)


def _put(path: Path, content: Iterable[str] | bytes) -> None:
    assert not isinstance(content, bytes)
    try:
        with path.open("w", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in content)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", path.name) from None
