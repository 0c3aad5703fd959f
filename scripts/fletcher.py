"""Fletcher's search for the twelve pentominoes on 6x10 (1965): placements with and without his test for holes.

    python scripts/fletcher.py            some ten seconds

The X lies in one quarter of the board, not in the corner: seven places. Then the first open cell is covered, along the short
side, by each of the pieces left. The test: no piece is placed where it leaves an open region with a number of cells that 5 does
not divide.
Plain Python, which shares only the list of placements with the searches. Steps are placements and removals after the X.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

from tiler import formats
from tiler.cover.board import BoardCover

WIDTH, HEIGHT = 10, 6
CELLS = WIDTH * HEIGHT
FULL = (1 << CELLS) - 1
TOP = sum(1 << HEIGHT * x for x in range(WIDTH))  # the first cell of every column
BOTTOM = TOP << HEIGHT - 1


def main() -> int:
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    first_of, crosses = read()
    for name, is_hopeful in (("without the test", lambda open_cells: True), ("with the test", has_no_hole)):
        tilings = placements = 0
        for cross in crosses:
            found, made = search(FULL & ~cross, first_of, is_hopeful)
            tilings, placements = tilings + found, placements + 1 + made
        steps = 2 * (placements - len(crosses))
        print(f"{name}: {tilings:,} tilings, {placements:,} placements, {steps:,} steps", flush=True)
    return 0


def read() -> tuple[list[list[list[int]]], list[int]]:
    """The placements of each piece but the X, as sets of bits, by their first cell; those of the X that are tried."""
    cover = BoardCover.of(formats.inline((f"{WIDTH}x{HEIGHT}", "1:pentominoes")))
    number = [HEIGHT * column + row for row, column in cover.cells]
    first_of: list[list[list[int]]] = [[[] for _ in cover.names] for _ in range(CELLS)]
    crosses = []
    for tile, cells in zip(cover.tile.tolist(), cover.members.lists(), strict=True):
        bits = [number[cell] for cell in cells]
        placed = sum(1 << bit for bit in bits)
        if cover.names[tile] != "5X":
            first_of[min(bits)][tile].append(placed)
            continue
        x, y = (sum(at) // 5 for at in zip(*(divmod(bit, HEIGHT) for bit in bits), strict=True))
        if x < WIDTH // 2 and y < HEIGHT // 2 and (x, y) != (1, 1):
            crosses.append(placed)
    return first_of, crosses


def search(open_cells: int, first_of: list[list[list[int]]], is_hopeful: Callable[[int], bool]) -> tuple[int, int]:
    """Tilings found, and placements made."""
    used = [False] * len(first_of[0])
    found = made = 0

    def cover_first(open_cells: int) -> None:
        nonlocal found, made
        if not open_cells:
            found += 1
            return
        for tile, ways in enumerate(first_of[(open_cells & -open_cells).bit_length() - 1]):
            if used[tile]:
                continue
            for placed in ways:
                if placed & ~open_cells or not is_hopeful(open_cells ^ placed):
                    continue
                made += 1
                used[tile] = True
                cover_first(open_cells ^ placed)
                used[tile] = False

    cover_first(open_cells)
    return found, made


def has_no_hole(open_cells: int) -> bool:
    """Whether 5 divides the size of every region."""
    while open_cells:
        region, grown = 0, open_cells & -open_cells
        while grown != region:
            region = grown
            beside = (region & ~BOTTOM) << 1 | (region & ~TOP) >> 1 | region << HEIGHT | region >> HEIGHT
            grown = region | beside & open_cells
        if region.bit_count() % 5:
            return False
        open_cells ^= region
    return True


if __name__ == "__main__":
    sys.exit(main())
