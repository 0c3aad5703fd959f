"""Write a cover, or a problem, in the language of other programs, and translate the numbers in their answers back into
options."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from tiler.backends.base import Backend
from tiler.backends.cpsat import minizinc
from tiler.backends.ilp import Ilp
from tiler.backends.ilp.program import program_of, weighted_program_of
from tiler.backends.ilp.program_files import write_lp, write_opb
from tiler.backends.languages import LANGUAGES
from tiler.backends.registry import parse_spec
from tiler.backends.sat import Sat, dimacs
from tiler.backends.sat.tiling import TilingFormula, encode
from tiler.cover.board import BoardCover, on_board
from tiler.cover.cover import Cover, RowCover
from tiler.errors import BadOption, BadSolution
from tiler.formats import dlx, json, text
from tiler.model.instance import Instance

#: Given in place of a spec: models with copies as objects, for MiniZinc. They are made of rectangles, or of unit squares.
GEOST, GEOST_SQUARES = "geost", "geost-squares"

#: A function from numbers, of true variables or of columns, to options. BadSolution if there is no such number.
Numbered = Callable[[Iterable[int]], tuple[int, ...]]


def _nothing(numbers: Iterable[int]) -> tuple[int, ...]:
    raise BadSolution("its numbers stand for nothing")


@dataclass(frozen=True)
class WrittenProblem:
    """The files of a problem, as lines or bytes, by ending."""

    files: dict[str, Iterable[str] | bytes]
    options: Numbered = field(default=_nothing)


#: The backend whose model is written, or one of those with geost; None if the language has no choice.
Model = Backend | str | None


@dataclass(frozen=True)
class WriteRequest:
    """What is to be written: whose model (None where the language has no choice, see `model_of`), the comments at the head of a
    file beside those on what its numbers mean (None: neither), and whether weights are told, or only what a tiling is."""

    language: str
    model: Model = None
    comments: Sequence[str] | None = None
    optimises: bool = False


def model_of(language: str, spec: str = "") -> Model:
    """The backend that makes the model for a language: the spec's or, without a spec, the language's own. BadOption if they
    differ."""
    default = LANGUAGES[language].model
    if not default:
        if language == "mzn" and spec in (GEOST, GEOST_SQUARES):
            return spec
        if spec:
            raise BadOption(f"model={spec}: for input {language} there is none to choose")
        return None
    kind = default.partition(":")[0]
    backend = parse_spec(spec or default)
    if backend.name != kind:
        raise BadOption(f"model={spec}: input {language} is the model of {kind}")
    if isinstance(backend, Sat) and "native" in (backend.cell, backend.encoding.partition("-")[2]):
        raise BadOption("a CNF has clauses only; choose another encoding than native")
    if isinstance(backend, Sat) and backend.symmetry == "breakid":
        raise BadOption("symmetry=breakid changes a CNF that is written: leave it out, and give the file to the program")
    return backend


def write(wanted: WriteRequest, cover: Cover) -> WrittenProblem:
    """The files, written while they are read. BadOption if the language cannot express what is wanted."""
    if wanted.optimises and not LANGUAGES[wanted.language].optimises:
        able = ", ".join(name for name, each in LANGUAGES.items() if each.optimises)
        raise BadOption(f"{wanted.language} tells no weights; these do: {able}")
    if LANGUAGES[wanted.language].is_problem:
        return write_problem(wanted.language, on_board(cover, f"input {wanted.language}").instance)
    return _WRITERS[wanted.language](wanted, cover)


def _clauses(wanted: WriteRequest, cover: Cover) -> WrittenProblem:
    assert isinstance(wanted.model, Sat)
    tiling = encode(cover, wanted.model.encoding, wanted.model.cell, wanted.model.symmetry)
    return WrittenProblem({wanted.language: _lines(wanted, cover, tiling)}, lambda true: tiling.options(sorted(true)))


def _lines(wanted: WriteRequest, cover: Cover, tiling: TilingFormula) -> Iterable[str]:
    match wanted.language:
        case "cnf":
            return dimacs.write_cnf(cover, tiling, wanted.comments)
        case "wcnf":
            return dimacs.write_wcnf(cover, tiling, optimises=wanted.optimises, comments=wanted.comments)
        case _:
            return dimacs.write_counting(cover, tiling, wanted.language, wanted.comments)


def _rows(wanted: WriteRequest, cover: Cover) -> WrittenProblem:
    assert isinstance(wanted.model, Ilp)
    program = weighted_program_of(cover) if wanted.optimises else program_of(cover, wanted.model.objective)
    first = 1 if wanted.language == "opb" else 0
    described = () if wanted.comments is None else (cover, wanted.comments)
    lines = write_opb(program, *described) if first else write_lp(program, wanted.language, *described)
    return WrittenProblem({wanted.language: lines}, lambda true: _columns(cover, program.columns, true, first))


def _columns(cover: Cover, columns: int, true: Iterable[int], first: int) -> tuple[int, ...]:
    """A function from columns, counted from `first`, to options; columns after those of options place nothing."""
    found = sorted(number - first for number in true)
    if found and not 0 <= found[0] <= found[-1] < columns:
        raise BadSolution(f"there is no column x{found[-1] + first}")
    return tuple(option for option in found if option < len(cover))


def _knuth(wanted: WriteRequest, cover: Cover) -> WrittenProblem:
    assert isinstance(cover, BoardCover | RowCover)
    return WrittenProblem({"dlx": dlx.write(cover, wanted.comments or ())})


def _minizinc(wanted: WriteRequest, cover: Cover) -> WrittenProblem:
    board = on_board(cover, "MiniZinc's model")
    comments = wanted.comments or ()
    if wanted.model in (GEOST, GEOST_SQUARES):
        if cover.coloured is not None:
            raise BadOption("geost knows no marks of sides; leave out the model, which then is one of placements")
        if board.instance.wrap or board.corners:
            what = "wrapped boards" if board.instance.wrap else "corners in which tiles must not cross"
            raise BadOption(f"geost knows no {what}; leave out the model, which then is one of placements")
        data = minizinc.write_geost_data(board, by_squares=wanted.model == GEOST_SQUARES)
        return WrittenProblem({"mzn": minizinc.write_geost_model(), "dzn": data})
    return WrittenProblem({"mzn": minizinc.write_model(comments), "dzn": minizinc.write_data(board, comments)})


def write_problem(language: str, instance: Instance) -> WrittenProblem:
    """The files of the problem itself, in a language for problems."""
    match language:
        case "xmpuzzle":
            from tiler.formats import xmpuzzle  # A large module, and rarely needed.

            return WrittenProblem({"xmpuzzle": xmpuzzle.write(instance)})
        case "json":
            return WrittenProblem({"json": json.write(instance).splitlines()})
        case _:
            return WrittenProblem({"txt": text.write(instance).splitlines()})


_WRITERS: dict[str, Callable[[WriteRequest, Cover], WrittenProblem]] = {
    **dict.fromkeys(("cnf", "wcnf", *dimacs.COUNTING_KINDS), _clauses),
    **dict.fromkeys(("opb", "lp", "mps"), _rows),
    "dlx": _knuth,
    "mzn": _minizinc,
}
