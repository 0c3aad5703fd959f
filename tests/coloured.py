"""Covers of boards with marks at sides, made by hand, and their solutions by a search that knows nothing but `Cover.touching`."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tiler import formats
from tiler.cover.board import BoardCover
from tiler.cover.bounds import Bounds
from tiler.cover.coloured_items import ColouredItems
from tiler.cover.csr import Csr
from tiler.model.tile import Tile

Marks = list[dict[tuple[int, int], int]]  #: by option: the sides, as pairs of cells, and their colours


def with_marks(cover: BoardCover, which: Sequence[int], marks: Marks) -> BoardCover:
    """Some options of a cover, each as often as it comes in `which`, with marks."""
    sides = sorted({side for row in marks for side in row})
    number = {side: item for item, side in enumerate(sides)}
    rows = [sorted((number[side], colour) for side, colour in row.items()) for row in marks]
    most = max((colour for row in marks for colour in row.values()), default=0)
    coloured = ColouredItems(
        items=tuple(sides),
        colours=tuple(map(str, range(1, most + 1))),
        given=Csr.from_lists([[item for item, _ in row] for row in rows]),
        colour=np.array([colour for row in rows for _, colour in row], np.int32),
    )
    return replace(
        cover,
        tile=cover.tile[which],
        variant=cover.variant[which],
        offset=cover.offset[which],
        members=Csr.from_lists([cover.members[option].tolist() for option in which]),
        origin=np.arange(len(which), dtype=np.int32),
        coloured=coloured,
    )


def at_random(
    shapes: Sequence[str],
    seed: int,
    *,
    share: float,
    copies: int = 1,
    colours: int = 2,
    wrap: str | None = None,
    lattice: str | None = None,
    most_open: int = 0,
) -> BoardCover:
    """Every placement so many times, with colours drawn for a share of the sides between it and the rest of the board."""
    chance = random.Random(seed)
    instance = formats.inline(shapes, wrap=wrap, lattice=lattice)
    cover = BoardCover.of(replace(instance, open=(0, most_open)) if most_open else instance)
    which = [option for option in range(len(cover)) for _ in range(1 if cover.fills[option] else copies)]
    marks: Marks = []
    for option in which:
        cells = set(cover.members[option].tolist())
        around = [(cell, other) for cell in sorted(cells) for other in cover.neighbours[cell].tolist() if other not in cells]
        drawn = [] if cover.fills[option] else [side for side in around if chance.random() < share]
        marks.append({(min(side), max(side)): chance.randint(1, colours) for side in drawn})
    return with_marks(cover, which, marks)


def of_squares(rows: int, columns: int, squares: Sequence[tuple[int, int, int, int]], *, once: bool = False) -> BoardCover:
    """Squares that are not turned, with colours at their sides north, east, south, west; each `once`, or as often as wanted."""
    cover = BoardCover.of(formats.inline([f"{columns}x{rows}", "1"]))
    number = {(row, column): row * columns + column for row in range(rows) for column in range(columns)}
    assert [tuple(cell) for cell in cover.cells] == list(number)
    marks: Marks = []
    for square in squares:
        for (row, column), cell in number.items():
            towards = (row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1)
            there = ((number[other], colour) for other, colour in zip(towards, square, strict=True) if other in number)
            marks.append({(min(cell, other), max(cell, other)): colour for other, colour in there})
    tiles, area = len(squares), rows * columns
    made = with_marks(cover, list(range(area)) * tiles, marks)
    used = [1] * tiles if once else [0] * tiles
    return replace(
        made,
        tiles=tuple(Tile(f"s{number}", frozenset({(0, 0)})) for number in range(tiles)),
        names=tuple(f"s{number}" for number in range(tiles)),
        tile=np.repeat(np.arange(tiles, dtype=np.int32), area),
        sizes=np.ones(tiles, np.int64),
        weights=np.zeros(tiles, np.int64),
        bounds=Bounds.of(area, [1] * tiles, used, [1 if once else None] * tiles, [area] * tiles),
    )


def tetravex(rows: int, columns: int, colours: int, seed: int) -> BoardCover:
    """The squares of a board whose sides have colours drawn at random, each used once."""
    chance = random.Random(seed)
    across = [[chance.randint(1, colours) for _ in range(columns)] for _ in range(rows + 1)]
    along = [[chance.randint(1, colours) for _ in range(columns + 1)] for _ in range(rows)]
    squares = [
        (across[row][column], along[row][column + 1], across[row + 1][column], along[row][column])
        for row in range(rows)
        for column in range(columns)
    ]
    return of_squares(rows, columns, sorted(squares), once=True)


def solutions(cover: BoardCover) -> list[tuple[int, ...]]:
    """All solutions, sorted, by trying every option of the first open item."""
    by_item, touching = cover.by_item.lists(), [cover.touching(option) for option in range(len(cover))]
    found: list[tuple[int, ...]] = []

    def go_on(item: int, chosen: tuple[int, ...], covered: set[int], alive: np.ndarray) -> None:
        while item in covered:
            item += 1
        used = np.bincount(cover.tile[list(chosen)], minlength=len(cover.tiles))
        if (used > cover.upper).any():
            return
        if item == len(cover.items):
            if (used >= cover.lower).all():
                found.append(tuple(sorted(chosen)))
            return
        for option in by_item[item]:
            if alive[option]:
                go_on(item, (*chosen, option), covered | set(cover.members[option].tolist()), alive & ~touching[option])

    go_on(0, (), set(), np.ones(len(cover), np.bool_))
    return sorted(found)
