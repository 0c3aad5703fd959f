"""Fletcher's search for the twelve pentominoes on 6x10 (1965): placements without a test for holes, with a table, with his test.

    python scripts/fletcher.py            some twenty seconds

The X lies in one quarter of the board, not in the corner: seven places. Then the first open cell is covered, along the short
side, by each of the pieces left. The test: no piece is placed where it leaves an open region with a number of cells that 5 does
not divide. The table leaves out the placements that fail this test on the empty board: it is asked once, before the search. A
table in which one placement of the V is forgotten, around the four cells at the end of the first columns, has the steps that a
page about pentominoes publishes for its own table, SCRN (pentomination.com).
Plain Python, which shares only the list of placements with the searches. Steps are placements and removals after the X. The last
line has two means over the placements with the table: the pieces that were left, the placed one included, and their variants.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from tiler import formats
from tiler.cover.board import BoardCover

WIDTH, HEIGHT = 10, 6
CELLS = WIDTH * HEIGHT
FULL = (1 << CELLS) - 1
_FORGOTTEN = sum(1 << HEIGHT * x + y for x, y in ((0, 3), (1, 3), (2, 3), (2, 4), (2, 5)))
TOP = sum(1 << HEIGHT * x for x in range(WIDTH))  # the first cell of every column
BOTTOM = TOP << HEIGHT - 1

Placements = list[list[list[int]]]  #: sets of bits, by their first cell and by piece


class Left(NamedTuple):
    """What is left when a piece is placed, itself included."""

    pieces: int
    variants: int  #: of these pieces


def main() -> int:
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    first_of, variants, crosses = read()
    searches = {
        "without the test": (first_of, allowing_all),
        "with the table": (filtered(first_of, has_no_hole), allowing_all),
        "with a table without one V": (
            filtered(first_of, lambda ahead: ahead == FULL ^ _FORGOTTEN or has_no_hole(ahead)),
            allowing_all,
        ),
        "with the test": (first_of, has_no_hole),
    }
    made: dict[str, Counter[Left]] = {}
    for name, (ways, is_hopeful) in searches.items():
        made[name] = search(ways, variants, crosses, is_hopeful)
        number = made[name].total()
        tilings = sum(times for left, times in made[name].items() if left.pieces == 1)
        print(f"{name}: {tilings:,} tilings, {len(crosses) + number:,} placements, {2 * number:,} steps", flush=True)

    with_table = made["with the table"]
    pieces, of_them = (sum(left[at] * times for left, times in with_table.items()) / with_table.total() for at in (0, 1))
    print(f"when a piece is placed, {pieces:.2f} pieces are left, with {of_them:.2f} variants")
    return 0


def read() -> tuple[Placements, list[int], list[int]]:
    """The placements of each piece but the X; the number of variants of each piece, 0 of the X; the placements of the X that are
    tried."""
    instance = formats.inline((f"{WIDTH}x{HEIGHT}", "1:pentominoes"))
    cover = BoardCover.of(instance)
    number = [HEIGHT * column + row for row, column in cover.cells]
    first_of: Placements = [[[] for _ in cover.names] for _ in range(CELLS)]
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
    variants = {tile.name: len(instance.variants(tile)) for tile in instance.tiles}
    return first_of, [0 if name == "5X" else variants[name] for name in cover.names], crosses


def filtered(first_of: Placements, is_hopeful: Callable[[int], bool]) -> Placements:
    """The placements that are hopeful on the empty board."""
    return [[[placed for placed in ways if is_hopeful(FULL ^ placed)] for ways in by_piece] for by_piece in first_of]


def allowing_all(open_cells: int) -> bool:
    return True


def search(first_of: Placements, variants: list[int], crosses: list[int], is_hopeful: Callable[[int], bool]) -> Counter[Left]:
    """The number of placements after the X, by what was left; with the last piece there is a tiling."""
    used = [False] * len(variants)
    made: Counter[Left] = Counter()

    def cover_first(open_cells: int, left: Left) -> None:
        for tile, ways in enumerate(first_of[(open_cells & -open_cells).bit_length() - 1]):
            if used[tile]:
                continue
            for placed in ways:
                if placed & ~open_cells or not is_hopeful(open_cells ^ placed):
                    continue
                made[left] += 1
                if left.pieces > 1:
                    used[tile] = True
                    cover_first(open_cells ^ placed, Left(left.pieces - 1, left.variants - variants[tile]))
                    used[tile] = False

    for cross in crosses:
        cover_first(FULL & ~cross, Left(len(variants) - 1, sum(variants)))
    return made


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
