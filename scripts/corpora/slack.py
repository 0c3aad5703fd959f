"""Packings with room to spare: pieces that must all be used, on boards of which 84 to 98 % are covered then."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from corpora.described import described
from tiler import formats
from tiler.model.instance import Instance

EXAMPLE = "the published example of Advent of Code 2025, day 12, https://adventofcode.com/2025/day/12"
OURS = "made for Tiler"

#: The pieces of the sets, and how many cells each has.
HEPTOMINOES = ("xxx/xx./xx.", "xxx/xx./.xx", ".xx/xxx/xx.", "xx./xxx/xx.", "xxx/x../xxx", "xxx/.x./xxx")
PENTOMINOES = tuple(f"5{letter}" for letter in "FILNPTUVWXYZ")
HEXOMINOES = ("xxxxx/x....", "xxxx/xx..", "xxx/xxx", "xxxx/.xx.", "xxx./..xx/...x", "xxxx/x..x")
SETS = {"heptominoes": (HEPTOMINOES, 7), "pentominoes": (PENTOMINOES, 5), "hexominoes": (HEXOMINOES, 6)}

#: Rows and columns of boards, and the part of them in per cent that pieces are to cover, at most.
BOARDS = (
    *((8, 8, 84), (9, 9, 95), (10, 10, 88), (10, 10, 95), (12, 12, 86), (12, 12, 93), (15, 15, 94), (15, 15, 98)),
    *((20, 20, 88), (20, 20, 92), (20, 20, 97), (24, 30, 90), (24, 30, 95)),
    *((30, 30, 97), (42, 46, 94), (60, 60, 88), (60, 60, 96)),
)
_LEAST = 84  # per cent that are covered at least


def slack() -> Iterator[Instance]:
    """The regions of the example, and boards by three sets of pieces."""
    for rows, columns, few in ((4, 4, (0, 0, 0, 0, 2, 0)), (5, 12, (1, 0, 1, 0, 2, 2)), (5, 12, (1, 0, 1, 0, 3, 2))):
        yield packing("example", (rows, columns), HEPTOMINOES, few, solvable=few[4] < 3)
    for name, (pieces, cells) in SETS.items():
        for rows, columns, percent in BOARDS:
            most = max(rows * columns * percent // (100 * cells), -(-rows * columns * _LEAST // (100 * cells)))
            yield packing(name, (rows, columns), pieces, [(most + n) // len(pieces) for n in range(len(pieces))])
        # One piece more than there is room for.
        most = 14 * 14 // cells + 1
        yield packing(f"{name}-area", (14, 14), pieces, [(most + n) // len(pieces) for n in range(len(pieces))], solvable=False)
    # Each piece covers as many black cells as white ones, but only black cells may stay open.
    for side, open_cells in ((8, 4), (12, 12), (20, 28)):
        board = "\n".join("".join("xo"[(row + column) % 2] for column in range(side)) for row in range(side))
        most = (side * side - open_cells) // 6
        copies = [(most + n) // 3 for n in range(3)]
        yield packing("hexominoes-parity", (side, side), HEXOMINOES[:3], copies, board, solvable=False)


def packing(
    name: str,
    sides: tuple[int, int],
    pieces: Sequence[str],
    copies: Sequence[int],
    board: str = "",
    *,
    solvable: bool = True,
) -> Instance:
    """A board on which any cell may stay open, or those marked in `board`, and these pieces, which must all be used."""
    rows, columns = sides
    board = board or "\n".join(["o" * columns] * rows)
    tiles = "\n\n".join(
        f"{n}..{n}:{piece}" if "/" not in piece else f"{n}..{n}:\n" + piece.replace("/", "\n")
        for n, piece in zip(copies, pieces, strict=True)
        if n
    )
    instance = formats.parse(f"# reflections: yes\n\n{board}\n\n{tiles}\n")
    covered = sum(tile.at_least * len(tile.shape) for tile in instance.tiles)
    percent = 100 * covered / (rows * columns)
    kind = "pieces" if name == "example" else name.partition("-")[0]
    title = f"{sum(copies)} {kind} on {rows}x{columns}, {percent:.1f} % of the cells"
    source = EXAMPLE if name == "example" else OURS
    return described(instance, f"slack/{name}-{rows:02}x{columns:02}-{covered}", title, source, ("slack",), solvable=solvable)
