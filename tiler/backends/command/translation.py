"""Write the file that a declared program reads, and translate its answer back into options."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from tiler.backends.command import Program
from tiler.backends.cpsat.models import Plane
from tiler.backends.ilp import Ilp
from tiler.backends.languages import LANGUAGES, writing
from tiler.backends.languages.answers import ProgramAnswer
from tiler.backends.languages.writing import Model, Numbered, WriteRequest
from tiler.backends.sat import Sat
from tiler.cover.board import on_board
from tiler.cover.cover import Cover
from tiler.errors import BackendError, BadOption, BadSolution, InputError
from tiler.model.tile import Placement


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


def language_of(program: Program) -> str:
    """The language of a program's input. A CNF for counting says what is counted."""
    if (program.input, program.output) != ("cnf", "count"):
        return program.input
    return "pmc" if program.projects else "mc"


def model_of(program: Program) -> Model:
    """The backend whose model the program gets; None if there is no choice. BadOption if the model does not go with the input."""
    backend = writing.model_of(language_of(program), program.model)
    if isinstance(backend, Sat) and program.output == "count" and backend.symmetry != "off":
        raise BadOption("symmetry=lex leaves out tilings; to count leave it out")
    if isinstance(backend, Ilp) and not backend.objective.startswith("eq-"):
        raise BadOption(f"objective={backend.objective}: the answer of a program is taken as a tiling; choose eq-ign or eq-min")
    return backend


def write(program: Program, cover: Cover, folder: Path, *, optimises: bool = False) -> ProgramInput:
    """Write the files into a folder."""
    try:
        written = writing.write(WriteRequest(language_of(program), model_of(program), None, optimises), cover)
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
