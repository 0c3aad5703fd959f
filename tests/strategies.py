"""Hypothesis strategies: shapes, boards, tiles, constraints and whole instances, in the plane and in space.

`instances(max_cells=12, words=False)` is meant for comparing answers with brute force: most boards are made by laying tiles
side by side, some with a cell too many, too few or out of place, so that about two thirds of the instances have a tiling.
"""

from __future__ import annotations

import unicodedata
from dataclasses import replace

from hypothesis import assume
from hypothesis import strategies as st

from tiler.cover.board import BoardCover
from tiler.model.about import About
from tiler.model.constraints import KINDS, Constraint
from tiler.model.expected import Expected, Status
from tiler.model.instance import Instance
from tiler.model.lattice import Cell, Lattice, Shape, box, move
from tiler.model.lattices import CUBIC, SQUARE, fitted
from tiler.model.open_cells import OpenGroup
from tiler.model.tile import Tile
from tiler.model.wrap import wrap_of

PLANE, SPACE = 2, 3

#: A line of text as titles and names may have it, control characters and odd spaces included.
lines = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n\0"), max_size=12)
titles = lines.map(str.strip)
tags = lines.map(lambda text: "".join(text.replace(",", "").split())).filter(bool)
offsets = st.integers(-50, 50)


@st.composite
def shapes(
    draw: st.DrawFn, dimensions: int = PLANE, max_cells: int = 6, min_cells: int = 1, lattice: Lattice | None = None
) -> Shape:
    """A connected shape somewhere on a lattice: the square or the cubic one, unless another is given."""
    lattice = lattice or (CUBIC if dimensions == SPACE else SQUARE)
    units = draw(st.lists(offsets, min_size=lattice.dimension, max_size=lattice.dimension))
    first = tuple(m * unit + a for m, unit, a in zip(lattice.moduli, units, lattice.residues[0], strict=True))
    cells = [first]
    for _ in range(draw(st.integers(min_cells, max_cells)) - 1):
        border = sorted({other for cell in cells for other in lattice.neighbours(cell)}.difference(cells))
        cells.append(border[draw(st.integers(0, len(border) - 1))])
    return frozenset(cells)


@st.composite
def scattered(
    draw: st.DrawFn, dimensions: int = PLANE, max_cells: int = 12, side: int = 4, lattice: Lattice | None = None
) -> Shape:
    """Any cells of a small box somewhere on a lattice: mostly with holes or in several parts."""
    lattice = lattice or (CUBIC if dimensions == SPACE else SQUARE)
    units = st.tuples(*[st.integers(0, side - 1)] * lattice.dimension)
    drawn = draw(st.frozensets(st.tuples(units, st.sampled_from(lattice.residues)), min_size=1, max_size=max_cells))
    cells = frozenset(tuple(m * u + a for m, u, a in zip(lattice.moduli, unit, residue, strict=True)) for unit, residue in drawn)
    step = draw(st.tuples(*[offsets] * lattice.dimension))
    return move(cells, tuple(m * a for m, a in zip(lattice.moduli, step, strict=True)))


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
def open_groups(draw: st.DrawFn, optional: Shape) -> tuple[OpenGroup, ...]:
    """One or two groups of cells of which one each stays open."""
    cells = sorted(optional)
    second = draw(st.sets(st.sampled_from(cells), max_size=len(cells) - 1)) if len(cells) > 1 else set()
    return tuple(OpenGroup(f"g{n}", frozenset(some)) for n, some in enumerate([optional - second, second]) if some)


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
    lattice: Lattice | None = None,
) -> Instance:
    """An instance with a board of at most `max_cells` cells and at most `max_tiles` tiles of at most `max_tile` cells.

    `dimensions` None is either, on the square or the cubic lattice unless another is given; a drawn instance in space has a board
    of several layers. Without `disconnected` every tile is connected (boards need not be); with `wide` some have parts far apart.
    `optional` and `bounded` are whether cells may be optional and tiles bounded. With `words` the instance has names, a title,
    tags and expectations, which need not be true.
    """
    if lattice is None:
        lattice = CUBIC if (dimensions or draw(st.sampled_from([PLANE, SPACE]))) == SPACE else SQUARE
    dimensions = lattice.dimension
    reflections = draw(st.booleans())
    connected = shapes(dimensions, min(max_tile, max_cells), lattice=lattice)
    some_cells = scattered(dimensions, min(max_tile, max_cells), side=3, lattice=lattice)
    any_shape = connected | some_cells if disconnected else connected
    if wide:
        any_shape |= scattered(dimensions, min(2, max_cells), side=6, lattice=lattice)
    pieces = draw(st.lists(any_shape, min_size=1, max_size=max_tiles))
    used = [0] * len(pieces)
    kind = draw(st.sampled_from(["laid", "any", "nearly", "laid", "nearly", "any"]))
    if kind == "any":
        some_board = shapes(dimensions, max_cells, min_cells=min(4, max_cells), lattice=lattice)
        board = draw(some_board | scattered(dimensions, max_cells, lattice=lattice))
    else:
        board = _laid(draw, lattice, pieces, used, reflections, max_cells)
    if kind == "nearly":
        # A cell too many, missing or out of place: often there is no tiling, but it takes a search to tell.
        around = {other for cell in board for other in lattice.neighbours(cell)} - board
        changed = {draw(st.sampled_from(sorted(board))), draw(st.sampled_from(sorted(around)))}
        if draw(st.booleans()):
            changed = {draw(st.sampled_from(sorted(changed)))}
        board = frozenset(sorted(board ^ changed)[:max_cells]) or frozenset(pieces[0])
    some = st.sets(st.sampled_from(sorted(board))) if optional and draw(st.booleans()) else st.just(set[Cell]())
    may_stay_open = frozenset(draw(some))
    flat_lattice, flat = fitted(lattice, board)
    if flat_lattice != lattice:
        lattice, board = flat_lattice, flat
        may_stay_open = frozenset(cell[1:] for cell in may_stay_open)
        kept = [index for index, piece in enumerate(pieces) if len({cell[0] for cell in piece}) == 1]
        pieces, used = [frozenset(cell[1:] for cell in pieces[index]) for index in kept], [used[index] for index in kept]
        if not pieces:
            pieces, used = [frozenset({lattice.residues[0]})], [0]
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
        tiles.append(Tile(name, piece, at_most, at_least, lattice=lattice))
    stay_open, groups = None, ()
    how = draw(st.sampled_from(["any", "number", "groups"])) if may_stay_open else "any"
    if how == "number":
        stay_open = tuple(sorted(draw(st.lists(st.integers(0, len(may_stay_open)), min_size=2, max_size=2))))
    elif how == "groups":
        groups = draw(open_groups(may_stay_open))
    instance = Instance(board, tuple(tiles), reflections, may_stay_open, lattice=lattice, open=stay_open, groups=groups)
    if not words:
        return instance
    return Instance(
        board,
        tuple(tiles),
        reflections,
        may_stay_open,
        lattice=lattice,
        open=stay_open,
        groups=groups,
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
            cover = BoardCover.of(instance)
            lying = cover.placements(cover.by_tile[instance.number_of(tile.name)].tolist())
            places = [tuple(sorted(each.cells)) for each in lying if first in each.cells]
            # Cells that are no placement are refused.
            if places and kind == "only":
                cells = tuple(cell for each in draw(st.lists(st.sampled_from(places), min_size=1, max_size=3)) for cell in each)
            else:
                kind, cells = (kind, draw(st.sampled_from(places))) if places else ("forbid", cells)
            found.append(Constraint(kind, tile.name, cells))
    return replace(instance, constraints=tuple(found))


def _laid(draw: st.DrawFn, lattice: Lattice, pieces: list[Shape], used: list[int], reflections: bool, max_cells: int) -> Shape:
    """A board made of tiles laid side by side, now and then apart; `used` counts the copies of each."""
    origin = min(pieces[0])
    board: set[Cell] = set()
    for _ in range(draw(st.integers(2, 8))):
        index = draw(st.integers(0, len(pieces) - 1))
        turned = lattice.variants(pieces[index], reflections)
        variant = turned[draw(st.integers(0, len(turned) - 1))]
        border = sorted({other for cell in board for other in lattice.neighbours(cell)} - board) or [origin]
        target = border[draw(st.integers(0, len(border) - 1))]
        kind = [a % m for a, m in zip(target, lattice.moduli, strict=True)]
        alike = [cell for cell in sorted(variant) if [a % m for a, m in zip(cell, lattice.moduli, strict=True)] == kind]
        placed = move(variant, tuple(a - b for a, b in zip(target, alike[0], strict=True))) if alike else frozenset()
        if placed and board.isdisjoint(placed) and len(board) + len(placed) <= max_cells:
            board |= placed
            used[index] += 1
    return frozenset(board or pieces[0])


@st.composite
def wrapped(draw: st.DrawFn, some: st.SearchStrategy[Instance]) -> Instance:
    """One of those instances on a cylinder or a torus, now and then one that is turned against itself."""
    instance = draw(some)
    low, high = box(instance.board)
    moduli = instance.lattice.moduli
    vectors = []
    for axis in draw(st.sets(st.sampled_from(range(instance.dimension)), min_size=1)):
        units = (high[axis] - low[axis]) // moduli[axis] + 1 + draw(st.sampled_from([0, 0, 0, 1]))
        skew = [draw(st.sampled_from([0, 0, 0, 1, 2])) if other > axis else 0 for other in range(instance.dimension)]
        vectors.append(tuple((units if other == axis else skew[other]) * m for other, m in enumerate(moduli)))
    wrap = wrap_of(vectors)
    assume(wrap.error_in(instance.lattice, instance.board) is None)
    return replace(instance, wrap=wrap)


def is_line(text: str) -> bool:
    """Whether a text prints as one line, without control characters."""
    return all(unicodedata.category(letter) not in ("Cc", "Cs", "Zl", "Zp") for letter in text)
