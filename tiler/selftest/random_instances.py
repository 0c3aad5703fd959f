"""Draw small instances at random: on any lattice, flat and wrapped, with bounds, optional cells and constraints, and painted.

Most boards are made by laying tiles side by side, some with a cell too many, too few or out of place, so that about half of the
instances have a tiling.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

from tiler.errors import InputError
from tiler.model.constraints import Constraint
from tiler.model.instance import Instance
from tiler.model.lattice import Cell, Lattice, Shape, box, move
from tiler.model.lattices import fitted
from tiler.model.paint import CellSide, Coat, Ground, Paint, coat_of
from tiler.model.tile import Tile
from tiler.model.wrap import wrap_of
from tiler.selftest import brute_force

_MOST_CELLS, _MOST_IN_TILE, _MOST_TILES = 12, 4, 3


def instance(drawn: Random, lattice: Lattice, *, wrapped: bool, painted: bool = False) -> Instance:
    """One on this lattice, or on the plane one of its layers if that suffices; wrapped ones are cylinders and tori, painted ones
    have colours or marks."""
    while True:
        try:
            made = _instance(drawn, lattice)
            if wrapped:
                made = _wrapped(drawn, made)
            elif lattice.has_edges:
                made = replace(made, crossing=drawn.random() < 0.5)
            if painted:
                made = _painted(drawn, made)
            return _constrained(drawn, made) if drawn.random() < 0.3 and made.tiles else made
        except InputError:
            continue  # The instance makes no sense: the wrap may not go with the lattice, for example. The next one may.


def _shape(drawn: Random, lattice: Lattice, cells: int) -> Shape:
    """Draw a connected shape."""
    shape = [lattice.residues[drawn.randrange(len(lattice.residues))]]
    while len(shape) < cells:
        border = sorted({other for cell in shape for other in lattice.neighbours(cell)}.difference(shape))
        shape.append(drawn.choice(border))
    return frozenset(shape)


def _instance(drawn: Random, lattice: Lattice) -> Instance:
    reflections = drawn.random() < 0.5
    most = drawn.randint(6, _MOST_CELLS)
    pieces = [_shape(drawn, lattice, drawn.randint(1, _MOST_IN_TILE)) for _ in range(drawn.randint(1, _MOST_TILES))]
    if drawn.random() < 0.15:
        # The shape is in two parts.
        far = move(_shape(drawn, lattice, 1), tuple(m * drawn.randint(1, 2) for m in lattice.moduli))
        pieces[0] = frozenset(pieces[0] | far)
    used = [0] * len(pieces)
    board = _laid(drawn, lattice, pieces, used, reflections, most)
    if drawn.random() < 0.4:
        around = sorted({other for cell in board for other in lattice.neighbours(cell)} - board)
        changed = {drawn.choice(sorted(board)), drawn.choice(around)}
        board = board ^ set(drawn.sample(sorted(changed), drawn.randint(1, 2))) or board
    optional = frozenset(cell for cell in sorted(board) if drawn.random() < 0.3) if drawn.random() < 0.25 else frozenset()
    flat_lattice, flat = fitted(lattice, frozenset(board))
    if flat_lattice != lattice:
        kept = [index for index, piece in enumerate(pieces) if len({cell[0] for cell in piece}) == 1]
        pieces, used = [frozenset(cell[1:] for cell in pieces[index]) for index in kept], [used[index] for index in kept]
        optional = frozenset(cell[1:] for cell in optional)
    tiles = []
    for number, (piece, copies) in enumerate(zip(pieces, used, strict=True)):
        least, at_most = 0, None
        if drawn.random() < 0.5:
            least, at_most = drawn.randint(0, copies), drawn.choice([None, max(1, copies), copies + 1])
        tiles.append(Tile(f"p{number}", piece, at_most, least, lattice=flat_lattice, weight=0))
    return Instance(flat, tuple(tiles), reflections, optional, lattice=flat_lattice)


def _laid(drawn: Random, lattice: Lattice, pieces: list[Shape], used: list[int], reflections: bool, most: int) -> Shape:
    """Make a board of tiles side by side; `used` counts the copies of each tile."""
    board: set[Cell] = set()
    for _ in range(drawn.randint(2, 8)):
        index = drawn.randrange(len(pieces))
        variant = drawn.choice(lattice.variants(pieces[index], reflections))
        border = sorted({other for cell in board for other in lattice.neighbours(cell)} - board) or [min(pieces[0])]
        target = drawn.choice(border)
        steps = [tuple(a - b for a, b in zip(target, cell, strict=True)) for cell in sorted(variant)]
        steps = [step for step in steps if not any(a % m for a, m in zip(step, lattice.moduli, strict=True))]
        placed = move(variant, steps[0]) if steps else frozenset()
        if placed and board.isdisjoint(placed) and len(board) + len(placed) <= most:
            board |= placed
            used[index] += 1
    return frozenset(board or pieces[0])


def _wrapped(drawn: Random, made: Instance) -> Instance:
    """The same on a cylinder or a torus, now and then one that is turned against itself. InputError if it makes no sense."""
    low, high = box(made.board)
    moduli = made.lattice.moduli
    axes = drawn.sample(range(made.dimension), drawn.randint(1, made.dimension))
    vectors = []
    for axis in axes:
        units = (high[axis] - low[axis]) // moduli[axis] + 1 + drawn.choice([0, 0, 0, 1])
        skew = [drawn.choice([0, 0, 0, 1, 2]) if other > axis else 0 for other in range(made.dimension)]
        vectors.append(tuple((units if other == axis else skew[other]) * m for other, m in enumerate(moduli)))
    return replace(made, wrap=wrap_of(vectors))


def _painted(drawn: Random, made: Instance) -> Instance:
    """The same with colours on cells, marks on sides or both: each tile in one to four coats, some with another on the back."""
    marks, colours = drawn.choice([(3, 0), (2, 0), (2, 0), (2, 2), (0, 2)])
    if made.lattice.has_edges:
        marks, colours = 0, 2
    of_sides, of_cells = "abc"[:marks], "rgb"[:colours]
    often = drawn.choice([0.4, 0.7, 1.0])

    def coat(tile: Tile) -> Coat:
        every = [CellSide(cell, other) for cell in sorted(tile.shape) for other in tile.lattice.neighbours(cell)]
        sides = [side for side in every if side.beyond not in tile.shape and drawn.random() < often]
        cells = [cell for cell in sorted(tile.shape) if drawn.random() < often]
        # With one colour, and one mark, turns look alike.
        some_colours, some_marks = (word[-1:] if drawn.random() < 0.3 else word for word in (of_cells, of_sides))
        return coat_of(
            {cell: drawn.choice(some_colours) for cell in cells if of_cells},
            {side: drawn.choice(some_marks) for side in sides if of_sides},
        )

    tiles = []
    closed = made.dimension == 2 and drawn.random() < 0.4  # A set with its mirror images has more symmetries.
    for tile in made.tiles:
        for number in range(drawn.randint(1, 4)):
            front = coat(tile)
            back = coat(tile) if made.dimension == 2 and drawn.random() < 0.5 else front
            least = tile.at_least if not number and not closed else 0
            painted = replace(tile, name=f"{tile.name}{number}", paint=Paint(front, back), at_least=least)
            tiles.append(painted)
            if closed:
                turn = tile.lattice.a_mirror
                mirrored = Paint(*(coat.carried(turn) for coat in painted.paint.coats))
                shape = frozenset(turn.images(painted.shape))
                tiles.append(replace(painted, name=f"{painted.name}m", shape=shape, paint=mirrored))
    border = made.border if marks and drawn.random() < 0.5 else []
    some = drawn.choice([0.3, 1.0])
    wanted = {side: tuple(sorted(drawn.sample(of_sides, drawn.randint(1, marks)))) for side in border if drawn.random() < some}
    if drawn.random() < 0.3:
        wanted = dict.fromkeys(wanted, tuple(of_sides[:1]))
    alike = drawn.random() < 0.5  # A board of one colour has more symmetries.
    on_board = {cell: of_cells[0] if alike else drawn.choice(of_cells) for cell in sorted(made.board) if of_cells}
    on_board = {cell: colour for cell, colour in on_board.items() if drawn.random() < often}
    fits = tuple(sorted({(drawn.choice(of_cells), drawn.choice(of_cells)) for _ in range(3)})) if of_cells else None
    ground = Ground(
        tuple(sorted(on_board.items())),
        fits if drawn.random() < 0.3 else None,
        tuple(sorted(wanted.items())),
        (("a", "b"),) if drawn.random() < 0.4 else (),
    )
    return replace(made, tiles=tuple(tiles), ground=ground)


def _constrained(drawn: Random, made: Instance) -> Instance:
    """The same with one or two constraints. InputError if they make no sense."""
    board, constraints = sorted(made.board), []
    for _ in range(drawn.randint(1, 2)):
        tile, kind = drawn.choice(made.tiles), drawn.choice(["lock", "within", "forbid", "only", "place"])
        lying = sorted(
            tuple(sorted(brute_force.bare(cells))) for name, cells in brute_force.placements(made) if name == tile.name
        )
        if kind == "lock":
            constraints.append(Constraint(kind, tile.name, orientations=drawn.randint(1, 4)))
        elif kind == "within":
            a, b = drawn.choice(board), drawn.choice(board)
            constraints.append(Constraint(kind, tile.name, (tuple(map(min, a, b)), tuple(map(max, a, b)))))
        elif kind == "forbid" or not lying:
            constraints.append(Constraint("forbid", tile.name, tuple(sorted(drawn.sample(board, min(2, len(board)))))))
        else:
            places = [drawn.choice(lying) for _ in range(3 if kind == "only" else 1)]
            way = drawn.randint(0, 2) if kind == "place" and made.is_painted else 0
            constraints.append(Constraint(kind, tile.name, tuple(cell for cells in places for cell in cells), way))
    return replace(made, constraints=tuple(constraints))
