"""The file that a program is given, in the language that its declaration names, and the options that its answer stands for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tiler.backends.base import Backend
from tiler.backends.command import Program
from tiler.backends.cpsat import geost, minizinc
from tiler.backends.cpsat.models import Plane
from tiler.backends.ilp import Ilp, lp
from tiler.backends.ilp.program import program_of
from tiler.backends.registry import parse_spec
from tiler.backends.sat import Sat, dimacs
from tiler.backends.sat.tiling import TilingFormula, encode
from tiler.cover.board import BoardCover, on_board
from tiler.cover.cover import Cover, RowCover
from tiler.errors import BackendError, BadOption, BadSolution, InputError
from tiler.formats import dlx, json, text
from tiler.model.tile import Placement

GEOST = "geost"


@dataclass(frozen=True)
class Given:
    """What a program was given: the files by what stands for them in a command, and what leads its answer back."""

    files: dict[str, Path]
    cover: Cover
    tiling: TilingFormula | None = None

    def of_variables(self, true: Iterable[int]) -> tuple[int, ...]:
        """The options that true variables of the CNF place."""
        assert self.tiling is not None
        return self.tiling.options(sorted(true))

    def of_columns(self, columns: Iterable[int]) -> tuple[int, ...]:
        """The options that columns stand for."""
        found = tuple(sorted(columns))
        if found and found[-1] >= len(self.cover):
            raise BadSolution(f"there is no column x{found[-1]}")
        return found

    def of_placements(self, placements: Iterable[Placement]) -> tuple[int, ...]:
        """The options that place tiles, by name and cells; what may stay open need not be there."""
        found: set[int] = set()
        for placed in placements:
            if placed not in self._by_placement:
                raise BadSolution(f"it places {placed.tile or 'nothing'} where that cannot lie: {sorted(placed.cells)[:12]}")
            found.add(self._by_placement[placed])
        covered = {item for option in found for item in self.cover.members[option].tolist()}
        return tuple(sorted(found | {option for item, option in self._fillers.items() if item not in covered}))

    def of_places(self, places: Iterable[tuple[int, int, int]]) -> tuple[int, ...]:
        """The options that place variants, by tile, variant and place of the first cell in the plane of geost.py."""
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
        return {Placement(names[tile[o]], frozenset(cells[i] for i in board.cells_of(o))): o for o in range(len(board))}

    @cached_property
    def _fillers(self) -> dict[int, int]:
        """By item that may stay open the option which leaves it open."""
        return {int(self.cover.members[o][0]): o for filler in self.cover.fillers for o in self.cover.by_tile[filler].tolist()}


def model_of(program: Program) -> Backend | None:
    """The backend whose model the program is given; None where there is no choice. BadOption if it is not for that input."""
    kind = {"cnf": "sat", "lp": "ilp", "mps": "ilp"}.get(program.input)
    if kind is None:
        if program.model not in ("", *([GEOST] if program.input == "mzn" else [])):
            raise BadOption(f"model={program.model}: for input {program.input} there is none to choose")
        return None
    backend = parse_spec(program.model or kind)
    if backend.name != kind:
        raise BadOption(f"model={program.model}: input {program.input} is the model of {kind}")
    if isinstance(backend, Sat):
        if "native" in (backend.cell, backend.encoding.partition("-")[2]):
            raise BadOption("a CNF has clauses only; choose another encoding than native")
        if program.output == "count" and backend.symmetry != "off":
            raise BadOption("symmetry=lex leaves out tilings; to count leave it out")
        if program.output == "count" and backend.encoding.startswith("amo"):
            raise BadOption(f"encoding={backend.encoding} has a model for every naming of copies; to count choose one with amk")
    if isinstance(backend, Ilp) and not backend.objective.startswith("eq-"):
        raise BadOption(f"objective={backend.objective}: the answer of a program is taken as a tiling; choose eq-ign or eq-min")
    return backend


def write(program: Program, cover: Cover, folder: Path) -> Given:
    """Write the files into a folder."""
    return _WRITERS[program.input](program, cover, folder)


def _cnf(program: Program, cover: Cover, folder: Path) -> Given:
    backend = model_of(program)
    assert isinstance(backend, Sat)
    tiling = encode(cover, backend.encoding, backend.cell, backend.symmetry)
    others = tiling.formula.variables - len(tiling.option)
    if program.output == "count" and others and not program.projects:
        raise BackendError(
            f"{program.name}: {others} variables of this CNF are the encoding's, and might multiply models; say projects=true "
            "if it counts by the variables of `c p show`, or choose another model="
        )
    # The placements decide the tiling: whoever counts models counts those of these variables.
    shown = " ".join(map(str, range(1, len(tiling.option) + 1)))
    comments = [f"p show {shown} 0", f"ind {shown} 0"] if program.output == "count" else []
    path = folder / "tiling.cnf"
    _put(path, dimacs.clauses(tiling.formula, comments))
    return Given({"cnf": path}, cover, tiling)


def _rows(program: Program, cover: Cover, folder: Path) -> Given:
    backend = model_of(program)
    assert isinstance(backend, Ilp)
    path = folder / f"tiling.{program.input}"
    _put(path, lp.write_program(program_of(cover, backend.objective), program.input))
    return Given({program.input: path}, cover)


def _dlx(program: Program, cover: Cover, folder: Path) -> Given:
    assert isinstance(cover, BoardCover | RowCover)
    path = folder / "tiling.dlx"
    _put(path, dlx.write(cover))
    return Given({"dlx": path}, cover)


def _mzn(program: Program, cover: Cover, folder: Path) -> Given:
    model, data = folder / "tiling.mzn", folder / "tiling.dzn"
    board = on_board(cover, "MiniZinc's model")
    if program.model == GEOST:
        _put(model, geost.write_model())
        _put(data, geost.write_data(board))
    else:
        _put(model, minizinc.write_model())
        _put(data, minizinc.write_data(board))
    return Given({"mzn": model, "dzn": data}, cover)


def _problem(program: Program, cover: Cover, folder: Path) -> Given:
    instance = on_board(cover, f"input {program.input}").instance
    path = folder / ("problem.json" if program.input == "json" else "problem.txt")
    content = json.write(instance) if program.input == "json" else text.write(instance)
    _put(path, content.splitlines())
    return Given({program.input: path}, cover)


def _put(path: Path, lines: Iterable[str]) -> None:
    try:
        with path.open("w", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in lines)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", path.name) from None


_WRITERS: dict[str, Callable[[Program, Cover, Path], Given]] = {
    "cnf": _cnf,
    "lp": _rows,
    "mps": _rows,
    "dlx": _dlx,
    "mzn": _mzn,
    "text": _problem,
    "json": _problem,
}
