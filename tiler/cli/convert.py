"""`tiler convert`: a problem in the language of somebody else's solver."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from tiler import printable
from tiler.cli import asking, output
from tiler.errors import BadOption

if TYPE_CHECKING:
    from tiler.backends.base import Backend
    from tiler.cover.cover import Cover

HELP = "write a problem for other programs: CNF, LP, MPS, MiniZinc, DLX, BurrTools"
EXAMPLES = """\
  tiler convert problems/4L/10x10_u.txt out.cnf
  tiler convert 11x7 4T 3:3I out.cnf --solver sat:encoding=amk-totalizer,cell=pairwise
  tiler convert problems/4L/10x10_u.txt out.lp --solver ilp:objective=geq-min
  tiler convert problems/misc/03_s.txt out.mzn    (and out.dzn beside it)
  tiler convert 6x10 1:X 1:I 10:5P out.dlx --reflections
  tiler convert 6x10 1:X 1:I 10:5P out.xmpuzzle --reflections
"""

_DESCRIPTION = """\
Write a problem in the language of other solvers, as the ending of OUT says: .cnf
(DIMACS, for SAT solvers), .lp and .mps (for ILP solvers), .mzn (MiniZinc, with the
data in a file .dzn beside it), .dlx (Knuth's dancing links programs). Comments in the
file say what its variables mean. tiler check reads the answer of a SAT solver back.
.xmpuzzle is the problem itself, for BurrTools.
"""

_FORMS = ("cnf", "lp", "mps", "mzn", "dlx", "xmpuzzle")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    asking.add_problem(parser, covers=True)
    parser.add_argument("out", metavar="OUT", help="the file to write; - for standard output, with --format")
    asking.add_load(parser)
    parser.add_argument(
        "--solver",
        metavar="SPEC",
        help="whose model: sat:encoding=... for cnf, ilp:objective=... for lp and mps; of the others filter= and anchor=",
    )
    parser.add_argument("--format", choices=_FORMS, help="default: as the ending of OUT says")


def run(args: argparse.Namespace) -> int:
    from tiler.backends.registry import parse_spec
    from tiler.cover.board import BoardCover
    from tiler.question.question import Question

    form = args.format or Path(args.out).suffix.lower().removeprefix(".")
    if form not in _FORMS:
        raise BadOption(f"{args.out}: its ending says nothing; choose one of {', '.join('.' + each for each in _FORMS)}")
    if form == "mzn" and (args.out == "-" or not Path(args.out).name):
        raise BadOption("MiniZinc needs two files; name one that ends in .mzn")
    if form == "xmpuzzle":
        return _burrtools(args)
    kind = {"cnf": "sat", "lp": "ilp", "mps": "ilp"}.get(form)
    backend = parse_spec(args.solver or kind or "backtracking")
    if kind is not None and backend.name != kind:
        raise BadOption(f"--solver {args.solver}: a .{form} is the model of {kind}; name its options, as in {kind}:filter=dead")
    cover: Cover
    if asking.is_cover(args):
        cover, title, noun = asking.read_cover(args), args.problem[0], "solution"
    else:
        instance = asking.read_problem(args)
        cover, title, noun = BoardCover.of(instance), instance.heading, "tiling"
    refusal = cover.refusal()
    if refusal is None:
        cover = backend.reduce(cover, Question())
        refusal = cover.refusal()
    if refusal is not None:
        print(f"tiler: note: there is no {noun} ({printable.line(refusal)}), which solvers may find hard to see", file=sys.stderr)
    comments = [title, f"written by tiler convert, {backend}"]
    for path, lines in _FILES[form](args.out, backend, cover, comments):
        with output.opened(path) as file:
            file.writelines(f"{line}\n" for line in lines)
    return 0


def _burrtools(args: argparse.Namespace) -> int:
    """Write the problem itself: what a solver makes of it plays no part."""
    from tiler.formats import xmpuzzle
    from tiler.process import files

    if args.solver or args.out == "-":
        raise BadOption("a .xmpuzzle is the problem, and a file: leave out --solver, and name one")
    files.write(args.out, xmpuzzle.write(asking.read_problem(args)))
    return 0


_Files = list[tuple[str, Iterable[str]]]


def _cnf(out: str, backend: Backend, cover: Cover, comments: list[str]) -> _Files:
    from tiler.backends.sat import Sat, dimacs
    from tiler.backends.sat.tiling import encode

    assert isinstance(backend, Sat)
    tiling = encode(cover, backend.encoding, backend.cell, backend.symmetry)
    return [(out, dimacs.write(cover, tiling, [*comments, *dimacs.caveats(tiling)]))]


def _program(form: str) -> Callable[[str, Backend, Cover, list[str]], _Files]:
    def write(out: str, backend: Backend, cover: Cover, comments: list[str]) -> _Files:
        from tiler.backends.ilp import Ilp, lp
        from tiler.backends.ilp.program import program_of

        assert isinstance(backend, Ilp)
        return [(out, lp.write(cover, program_of(cover, backend.objective), form, comments))]

    return write


def _minizinc(out: str, backend: Backend, cover: Cover, comments: list[str]) -> _Files:
    from tiler.backends.cpsat import minizinc
    from tiler.cover.board import on_board

    board = on_board(cover, "MiniZinc's model")
    data = str(Path(out).with_suffix(".dzn"))
    hint = f"minizinc --solver gecode {Path(out).name} {Path(data).name}"
    return [
        (out, minizinc.write_model([*comments, hint])),
        (data, minizinc.write_data(board, comments)),
    ]


def _dlx(out: str, backend: Backend, cover: Cover, comments: list[str]) -> _Files:
    from tiler.cover.board import BoardCover
    from tiler.cover.cover import RowCover
    from tiler.formats import dlx

    assert isinstance(cover, BoardCover | RowCover)
    return [(out, dlx.write(cover, comments))]


_FILES: dict[str, Callable[[str, Backend, Cover, list[str]], _Files]] = {
    "cnf": _cnf,
    "lp": _program("lp"),
    "mps": _program("mps"),
    "mzn": _minizinc,
    "dlx": _dlx,
}
