"""Puzzles on cylinders and tori: each counted here by two solvers, some of them published."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from corpora.described import described
from tiler import formats
from tiler.model.instance import Instance

_OEIS = "oeis.org/A341741 ({} tilings)"
_TIMMERMANS = "E. Timmermans, puzzlezapper.com/blog/2013/05/a-polyformists-toolkit-practical-topology (7 solutions)"
_EDGES = "/".join([".x.x.x", "x.x.x."] * 3)  #: of a torus of three by three squares


class Puzzle(NamedTuple):
    """A board and tiles as on the command line, the joined edges, and the numbers of tilings: all, and up to symmetry."""

    name: str
    title: str
    shapes: str
    wrap: str
    count: int  # type: ignore[assignment]  # it hides tuple.count
    up_to_symmetry: int
    source: str = ""


PUZZLES = (
    Puzzle("square/torus-dominoes-4x4", "Dominoes: torus 4x4", "4x4 2", "rows columns", 272, 13, _OEIS.format("272")),
    Puzzle("square/torus-dominoes-5x4", "Dominoes: torus 5x4", "5x4 2", "rows columns", 722, 30, _OEIS.format("722")),
    Puzzle("square/torus-dominoes-5x6", "Dominoes: torus 5x6", "5x6 2", "rows columns", 9_922, 145, _OEIS.format("9922")),
    Puzzle("square/torus-dominoes-6x6", "Dominoes: torus 6x6", "6x6 2", "rows columns", 90_176, 511, _OEIS.format("90176")),
    Puzzle(
        "square/cylinder-tetrominoes-5x4",
        "The five tetrominoes: cylinder 5x4",
        "5x4 1:tetrominoes",
        "columns",
        140,
        7,
        _TIMMERMANS,
    ),
    Puzzle("square/torus-tetrominoes-5x4", "The five tetrominoes: torus 5x4", "5x4 1:tetrominoes", "rows columns", 640, 8),
    Puzzle(
        "square/torus-tetrominoes-twisted", "The five tetrominoes: twisted torus 5x4", "5x4 1:tetrominoes", "0,5 4,1", 840, 21
    ),
    Puzzle("square/cylinder-pentominoes-20x3", "The pentominoes: cylinder 20x3", "20x3 1:pentominoes", "columns", 160, 2),
    Puzzle(
        "square/cylinder-pentominoes-3x20", "The pentominoes: cylinder 3x20", "3x20 1:pentominoes", "columns", 587_136, 48_928
    ),
    Puzzle(
        "hexagonal/cylinder-tetrahexes-4x7",
        "The seven tetrahexes: cylinder 4x7",
        "rhombus:4x7 1:tetrahexes",
        "columns",
        3_536,
        221,
    ),
    Puzzle(
        "hexagonal/torus-tetrahexes-4x7",
        "The seven tetrahexes: torus 4x7",
        "rhombus:4x7 1:tetrahexes",
        "rows columns",
        95_088,
        1_698,
    ),
    Puzzle("hexagonal/torus-pairs-4x4", "Pairs of hexagons: torus 4x4", "rhombus:4x4 2-1", "rows columns", 1_920, 22),
    Puzzle("triangular/torus-lozenges-4x4", "Lozenges: torus 4x4", "rhombus:4x4 2-1", "rows columns", 417, 10),
    Puzzle(
        "triangular/cylinder-hexiamonds-6x6",
        "The hexiamonds: cylinder 6x6",
        "rhombus:6x6 1:hexiamonds",
        "columns",
        854_088,
        35_587,
    ),
    Puzzle("tetrakis/torus-halves-3x3", "Pairs of quarters: torus 3x3", "3x3 2-1 2-2", "rows columns", 972, 37),
    Puzzle("square-edges/torus-pairs-3x3", "Both disticks: torus 3x3", f"{_EDGES} 2-1 2-2", "rows columns", 4_576, 90),
)


def wraps() -> Iterator[Instance]:
    """Every puzzle."""
    for puzzle in PUZZLES:
        lattice = puzzle.name.partition("/")[0]
        instance = formats.inline(puzzle.shapes.split(), lattice=lattice, wrap=puzzle.wrap, reflections=True)
        source = "; ".join(filter(None, [puzzle.source, "counted here by frontier and fila"]))
        counts = puzzle.count, puzzle.up_to_symmetry
        yield described(instance, puzzle.name, puzzle.title, source, ("wraps", lattice), counts)
