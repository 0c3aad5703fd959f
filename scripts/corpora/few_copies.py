"""Boards for two to eight copies of each of a few tiles.

With one tile that may be used as often as wanted, and with tiles used once each, a CNF is the same or nearly so whether it counts
copies or names them. Here it is not, so that the two ways (the thesis's 3.2.2) can be compared.
"""

from __future__ import annotations

from collections.abc import Iterator

from corpora.boards import corners, rectangle
from corpora.described import described
from corpora.thesis import tile
from tiler.model.instance import Instance

#: Widths and heights of boards, by the copies of each tile and the tiles; `s` marks those that can be tiled. An odd number of T
#: covers more or fewer black cells of a checkerboard than white ones; each other tetromino covers as many.
TETROMINOES = (
    *(("2x4IJOST", "5x8 s, 4x10 s"), ("4x4IJOST", "8x10 s, 5x16 s")),
    *(("3x4IJT", "6x6"), ("3x4JOT", "6x6, 4x9"), ("5x4JT", "5x8, 4x10"), ("5x4IT", "5x8"), ("5x4OT", "5x8"), ("7x4IT", "7x8")),
)
ONE_SIDED = (("2x4IJLOSTZ", "7x8 s, 4x14 s"), ("4x4IJLOSTZ", "8x14 s, 7x16 s"))
#: Boards without two opposite corners: more cells of one colour than of the other.
CORNERS = (("5x2-3x4IJ", "6x6"), ("3x2-7x4J", "6x6"), ("3x2-4x4I-3x4O", "6x6"))
#: Those without a tiling were found so by search.
PENTOMINOES = (
    *(("2x5NPUVWY", "6x10 s"), ("2x5ILNUVY", "6x10 s"), ("2x5ILTWXZ", "5x12"), ("2x5FNUVWY", "5x12 s")),
    *(("3x5FLPU", "6x10 s"), ("3x5FIPW", "6x10 s"), ("3x5LWXZ", "6x10"), ("3x5NTUX", "5x12"), ("3x5NPTW", "5x12 s")),
    *(("3x5IPYZ", "5x12 s"), ("4x5ILZ", "6x10 s"), ("4x5TUZ", "6x10"), ("4x5LUY", "5x12 s"), ("4x5FPTZ", "8x10")),
    *(("4x5IPYZ", "8x10 s"), ("5x5IP", "5x10 s"), ("5x5IV", "5x10"), ("6x5PY", "6x10 s"), ("6x5LX", "6x10"), ("7x5TZ", "7x10")),
    ("8x5LU", "8x10 s"),
)


def few_copies() -> Iterator[Instance]:
    """Tetrominoes and pentominoes on rectangles, and dominoes with tetrominoes on boards without two corners."""
    for pieces, boards in (*TETROMINOES, *PENTOMINOES):
        yield from _problems(pieces, boards, reflections=True)
    for pieces, boards in ONE_SIDED:
        yield from _problems(pieces, boards, reflections=False)
    for pieces, boards in CORNERS:
        yield from _problems(pieces, boards, reflections=True, has_corners=False)


def _problems(pieces: str, boards: str, *, reflections: bool, has_corners: bool = True) -> Iterator[Instance]:
    """The problems of these pieces: `3x2-4x4IO` is three copies of 2, and four copies each of 4I and 4O."""
    groups = [(copies, set_[0], set_[1:]) for copies, _, set_ in (part.partition("x") for part in pieces.split("-"))]
    tiles = tuple(tile(f"{copies}:{cells}{letter}") for copies, cells, letters in groups for letter in letters or ("",))
    listed = ", ".join(f"{each.at_most} of {each.name}" for each in tiles)
    for sides in boards.split(", "):
        size, _, solvable = sides.partition(" ")
        width, height = map(int, size.split("x"))
        board = (rectangle if has_corners else corners)(width, height)
        yield described(
            Instance(board, tiles, reflections=reflections),
            f"few-copies/{pieces}-{'' if has_corners else 'corners-'}{width:02}x{height:02}",
            f"{listed} on {width}x{height}{'' if has_corners else ' without two opposite corners'}",
            "made for Tiler",
            ("few-copies",),
            solvable=bool(solvable),
        )
