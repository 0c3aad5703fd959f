"""Larger members of the families of the thesis: what separates solvers that the small ones do not."""

from __future__ import annotations

from collections.abc import Iterator

from corpora.boards import corners, l_board, rectangle
from corpora.described import described
from corpora.thesis import GOLOMB, MARTIN, tile
from tiler.model.instance import Instance
from tiler.model.lattice import Shape

WALKUP = "D. W. Walkup, Covering a rectangle with T-tetrominoes, American Mathematical Monthly 72, 1965"
KLARNER = "D. A. Klarner, Packing a rectangle with congruent n-ominoes, Journal of Combinatorial Theory 7, 1969"
FAMILY = "larger member of a family of the Tiler thesis"


def problem(name: str, title: str, board: Shape, piece: str, *, solvable: bool, source: str = FAMILY) -> Instance:
    """As many copies of one tile as wanted."""
    return described(Instance(board, (tile(piece),)), name, title, source, ("scaled",), solvable=solvable)


def squares(
    piece: str, sides: list[int], what: str, *, solvable: bool, source: str = FAMILY, word: str = ""
) -> Iterator[Instance]:
    for side in sides:
        size = f"{side:02}x{side:02}"
        yield problem(
            f"{piece}/{word}{size}", f"{what} on {side}x{side}", rectangle(side, side), piece, solvable=solvable, source=source
        )


def scaled() -> Iterator[Instance]:
    """Larger members of the families, unsolvable and solvable."""
    for side in (10, 12, 14, 16, 20, 30, 50, 100):
        title = f"Mutilated chessboard {side}x{side} (two opposite corners missing) with dominoes"
        yield problem(f"2/corners-{side:02}x{side:02}", title, corners(side, side), "2", solvable=False, source=GOLOMB)
    # Sides that leave 2 over when divided by 4: a colouring by diagonals, or by columns, shows that there is no tiling.
    yield from squares("4I", [18, 22, 26, 30, 50, 70, 102], "4I", solvable=False, source=KLARNER)
    yield from squares("4L", [14, 18, 22, 30, 50], "4L", solvable=False, source=MARTIN)
    yield from squares("4T", [6, 10, 14, 18, 22, 26, 30, 50], "4T", solvable=False, source=WALKUP)
    for width in range(3, 32):
        solvable = width % 3 == 0
        if width > 5 or solvable:
            size, title = f"{width:02}x{2 * width:02}", f"3I on three quarters of a square, {2 * width}x{2 * width}"
            yield problem(f"3I/L-square-{size}", title, l_board(width, 2 * width), "3I", solvable=solvable)
    for piece, what, sides in [
        ("2", "Dominoes", [20, 30, 40, 50, 70, 100]),
        ("3I", "3I", [6, 9, 12, 18, 24, 30, 48, 60, 99]),
        ("3L", "3L", [6, 9, 12, 18, 24, 30, 48, 60, 99]),
        ("4O", "4O", [30, 40, 50, 70, 100]),
    ]:
        yield from squares(piece, sides, f"{what} on a square,", solvable=True, word="square-")
