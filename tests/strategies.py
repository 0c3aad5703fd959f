"""Hypothesis strategies: shapes, boards, tiles, constraints and whole instances, in the plane and in space.

`instances(max_cells=12, words=False)` is meant for comparing answers with brute force: most boards are made by laying tiles
side by side, some with a cell too many, too few or out of place, so that about two thirds of the instances have a tiling.
"""

from __future__ import annotations

import unicodedata
from dataclasses import replace

from hypothesis import strategies as st
from square import flatten, neighbours, variants

from tiler.model.about import About
from tiler.model.constraints import KINDS, Constraint
from tiler.model.expected import Expected, Status
from tiler.model.instance import Instance
from tiler.model.lattice import Cell, Shape, dimension, move
from tiler.model.tile import Tile

PLANE, SPACE = 2, 3

#: A line of text as titles and names may have it, control characters and odd spaces included.
lines = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n\0"), max_size=12)
titles = lines.map(str.strip)
tags = lines.map(lambda text: "".join(text.replace(",", "").split())).filter(bool)
offsets = st.integers(-50, 50)


@st.composite
def shapes(draw: st.DrawFn, dimensions: int = PLANE, max_cells: int = 6, min_cells: int = 1) -> Shape:
    """A connected shape somewhere on the lattice."""
    cells = [tuple(draw(st.lists(offsets, min_size=dimensions, max_size=dimensions)))]
    for _ in range(draw(st.integers(min_cells, max_cells)) - 1):
        border = sorted({other for cell in cells for other in neighbours(cell)}.difference(cells))
        cells.append(border[draw(st.integers(0, len(border) - 1))])
    return frozenset(cells)


@st.composite
def scattered(draw: st.DrawFn, dimensions: int = PLANE, max_cells: int = 12, side: int = 4) -> Shape:
    """Any cells of a small box somewhere on the lattice: mostly with holes or in several parts."""
    cell = st.tuples(*[st.integers(0, side - 1)] * dimensions)
    cells = draw(st.frozensets(cell, min_size=1, max_size=max_cells))
    return move(cells, draw(st.tuples(*[offsets] * dimensions)))


@st.composite
def bounds(draw: st.DrawFn, most: int = 6) -> tuple[int, int | None]:
    """at_least and at_most of a tile."""
    at_least = draw(st.just(0) | st.integers(0, most))
    at_most = draw(st.none() | st.integers(max(1, at_least), most))
    return at_least, at_most


@st.composite
def expectations(draw: st.DrawFn) -> Expected:
    """Counts that contradict neither each other nor the verdict."""
    verdict = draw(st.sampled_from([None, Status.SAT, Status.UNSAT]))
    counts = st.just(0) if verdict is Status.UNSAT else st.integers(1, 10**30)
    known = st.none() if verdict is None else st.none() | counts
    return Expected(verdict, draw(known), draw(known))


@st.composite
def instances(
    draw: st.DrawFn,
    dimensions: int | None = None,
    max_cells: int = 16,
    max_tiles: int = 3,
    max_tile: int = 4,
    *,
    disconnected: bool = True,
    optional: bool = True,
    bounded: bool = True,
    wide: bool = False,
    words: bool = True,
) -> Instance:
    """An instance with a board of at most `max_cells` cells and at most `max_tiles` tiles of at most `max_tile` cells.

    `dimensions` None is either; a drawn instance in space has a board of several layers. Without `disconnected` every tile is
    connected (boards need not be); with `wide` some have parts far apart. `optional` and `bounded` are whether cells may be
    optional and tiles bounded. With `words` the instance has names, a title, tags and expectations, which need not be true.
    """
    dimensions = dimensions or draw(st.sampled_from([PLANE, SPACE]))
    reflections = draw(st.booleans())
    connected = shapes(dimensions, min(max_tile, max_cells))
    any_shape = connected | scattered(dimensions, min(max_tile, max_cells), side=3) if disconnected else connected
    if wide:
        any_shape |= scattered(dimensions, min(2, max_cells), side=6)
    pieces = draw(st.lists(any_shape, min_size=1, max_size=max_tiles))
    used = [0] * len(pieces)
    kind = draw(st.sampled_from(["laid", "any", "nearly", "laid", "nearly", "any"]))
    if kind == "any":
        board = draw(shapes(dimensions, max_cells, min_cells=min(4, max_cells)) | scattered(dimensions, max_cells))
    else:
        board = _laid(draw, pieces, used, reflections, max_cells)
    if kind == "nearly":
        # A cell too many, missing or out of place: often there is no tiling, but it takes a search to tell.
        around = {other for cell in board for other in neighbours(cell)} - board
        changed = {draw(st.sampled_from(sorted(board))), draw(st.sampled_from(sorted(around)))}
        if draw(st.booleans()):
            changed = {draw(st.sampled_from(sorted(changed)))}
        board = frozenset(sorted(board ^ changed)[:max_cells]) or frozenset(pieces[0])
    some = st.sets(st.sampled_from(sorted(board))) if optional and draw(st.booleans()) else st.just(set[Cell]())
    may_stay_open = frozenset(draw(some))
    if dimensions == SPACE and dimension(flatten(board)) == PLANE:
        if may_stay_open:
            may_stay_open = frozenset(cell[1:] for cell in may_stay_open)
        board = flatten(board)
        kept = [index for index, piece in enumerate(pieces) if dimension(flatten(piece)) == PLANE]
        pieces, used = [pieces[index] for index in kept], [used[index] for index in kept]
        if not pieces:
            pieces, used = [frozenset({(0, 0)})], [0]
    names = [f"p{index}" for index in range(len(pieces))]
    if words:
        names = draw(st.lists(lines.filter(bool), min_size=len(pieces), max_size=len(pieces), unique=True))
    tiles = []
    for name, piece, copies in zip(names, pieces, used, strict=True):
        at_least, at_most = 0, None
        if bounded and draw(st.booleans()):
            # Bounds around the copies that the board was made of, or any.
            around = st.tuples(st.integers(0, copies), st.none() | st.integers(max(1, copies), copies + 2))
            at_least, at_most = draw(around | around | bounds())
        tiles.append(Tile(name, piece, at_most, at_least))
    instance = Instance(board, tuple(tiles), reflections, may_stay_open)
    if not words:
        return instance
    return Instance(
        board,
        tuple(tiles),
        reflections,
        may_stay_open,
        name=draw(lines),
        about=About(draw(titles), draw(titles), tuple(draw(st.lists(tags, max_size=3))), draw(expectations())),
    )


@st.composite
def constrained(draw: st.DrawFn, some: st.SearchStrategy[Instance]) -> Instance:
    """One of those instances with one to three constraints that make sense for it."""
    instance = draw(some)
    board = sorted(instance.board)
    found = []
    for _ in range(draw(st.integers(1, 3))):
        kind = draw(st.sampled_from(KINDS))
        tile = draw(st.sampled_from(instance.tiles))
        cells = tuple(sorted(draw(st.sets(st.sampled_from(board), min_size=1, max_size=3))))
        if kind == "lock":
            found.append(Constraint(kind, tile.name, orientations=draw(st.integers(1, 4))))
        elif kind == "within":
            a, b = draw(st.sampled_from(board)), draw(st.sampled_from(board))
            found.append(Constraint(kind, tile.name, (tuple(map(min, a, b)), tuple(map(max, a, b)))))
        elif kind == "forbid":
            found.append(Constraint(kind, tile.name, cells))
        else:
            first = draw(st.sampled_from(board))
            turned = [
                move(variant, tuple(a - b for a, b in zip(first, min(variant), strict=True)))
                for variant in instance.variants(tile)
            ]
            places = [tuple(sorted(each)) for each in turned if each <= instance.board]
            # Cells that are no placement are refused.
            if places and kind == "only":
                cells = tuple(cell for each in draw(st.lists(st.sampled_from(places), min_size=1, max_size=3)) for cell in each)
            else:
                kind, cells = (kind, draw(st.sampled_from(places))) if places else ("forbid", cells)
            found.append(Constraint(kind, tile.name, cells))
    return replace(instance, constraints=tuple(found))


def _laid(draw: st.DrawFn, pieces: list[Shape], used: list[int], reflections: bool, max_cells: int) -> Shape:
    """A board made of tiles laid side by side, now and then apart; `used` counts the copies of each."""
    origin = tuple(draw(st.lists(offsets, min_size=dimension(pieces[0]), max_size=dimension(pieces[0]))))
    board: set[Cell] = set()
    for _ in range(draw(st.integers(2, 8))):
        index = draw(st.integers(0, len(pieces) - 1))
        turned = variants(pieces[index], reflections)
        variant = turned[draw(st.integers(0, len(turned) - 1))]
        border = sorted({other for cell in board for other in neighbours(cell)} - board) or [origin]
        target, corner = border[draw(st.integers(0, len(border) - 1))], min(variant)
        placed = move(variant, tuple(a - b for a, b in zip(target, corner, strict=True)))
        if board.isdisjoint(placed) and len(board) + len(placed) <= max_cells:
            board |= placed
            used[index] += 1
    return frozenset(board)


def is_line(text: str) -> bool:
    """Whether a text prints as one line, without control characters."""
    return all(unicodedata.category(letter) not in ("Cc", "Cs", "Zl", "Zp") for letter in text)
