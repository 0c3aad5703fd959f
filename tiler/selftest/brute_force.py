"""Find all tilings of a small instance and their orbits, without any of Tiler's code for turning, placing or searching. A
placement is a set of cells; for a painted tile the set also has (cell, colour) and (cell, cell beyond, mark), for all visible
paint.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from functools import cache
from itertools import combinations, permutations, product
from math import atan2, cos, inf, pi, sin, sqrt
from operator import add, mul
from typing import Any, NamedTuple

import numpy as np

from tiler.model.constraints import Constraint
from tiler.model.instance import Instance
from tiler.model.lattice import Lattice
from tiler.model.paint import PLAIN, Coat, Paint
from tiler.model.tile import Placement, Tile

Cell = tuple[int, ...]
Part = tuple[Any, ...]  #: a cell, or a part of its paint
Cells = frozenset[Part]
Tiling = frozenset[tuple[str, Cells]]


class TooManyError(Exception):
    """There are more tilings than were asked for."""


class Piece(NamedTuple):
    """A tile, or several that are the same turned about: every way to turn it, and how many copies may be used."""

    images: frozenset[Cells]
    least: int
    most: float


def tilings(instance: Instance, most: float = inf) -> set[Tiling]:
    """Every tiling as a set of (tile, cells), whatever the constraints; the cells left over of the optional ones are in none.

    TooManyError if there are more than `most`.
    """
    pieces = distinct(instance)
    shapes = [(name, shape) for name, piece in pieces.items() for shape in piece.images]
    found: set[Tiling] = set()

    @cache
    def covering(target: Cell) -> list[tuple[str, Cells, Cells]]:
        lying = [(name, {moved(instance, shape, cell, target) for cell in bare(shape)}) for name, shape in shapes]
        return [(name, cells, bare(cells)) for name, some in lying for cells in some if cells and accepted(instance, cells)]

    # Marks meet two by two, so that what is known of two placements holds wherever both lie.
    fit = cache(lambda one, other: match(instance, one | other))

    def extend(open_cells: Cells, placed: tuple[tuple[str, Cells], ...]) -> None:
        used = Counter(name for name, _ in placed)
        if not open_cells:
            left = instance.board.difference(*(bare(cells) for _, cells in placed))
            enough = instance.open is None or instance.open[0] <= len(left) <= instance.open[1]
            enough = enough and all(len(group.cells & left) == 1 for group in instance.groups)
            apart = instance.crossing or not any(
                cross(instance.lattice, bare(a), bare(b)) for (_, a), (_, b) in combinations(placed, 2)
            )
            if enough and apart and all(used[name] >= piece.least for name, piece in pieces.items()):
                found.add(frozenset(placed))
                if len(found) > most:
                    raise TooManyError
            return
        target = min(open_cells)
        if target in instance.optional:
            extend(open_cells - {target}, placed)
        for name, cells, covered in covering(target):
            fits = covered <= open_cells and used[name] < pieces[name].most
            if fits and (not instance.is_painted or all(fit(one, cells) for _, one in placed)):
                extend(open_cells - covered, (*placed, (name, cells)))

    extend(instance.board, ())
    return found


def bare(lying: Cells) -> Cells:
    """Only the cells."""
    return frozenset(part for part in lying if isinstance(part[0], int))


def painted(cells: Cells, coat: Coat) -> Cells:
    """Cells with their paint."""
    return cells | {(cell, colour) for cell, colour in coat.colours} | {(*side, mark) for side, mark in coat.marks}


def carried(to: Callable[[Cell], Cell], parts: Iterable[Part]) -> Cells:
    """Cells and their paint, each moved to another place."""
    return frozenset(
        to(part) if isinstance(part[0], int) else tuple(entry if isinstance(entry, str) else to(entry) for entry in part)
        for part in parts
    )


def accepted(instance: Instance, lying: Cells) -> bool:
    """Whether the board takes the colours of a placement, and its border the marks, and none of its marks meet in vain."""
    ground, there = instance.ground, places(instance)
    colour_of, wanted = dict(ground.colours), {tuple(side): marks for side, marks in ground.border}
    for part in lying:
        if len(part) == 2 and isinstance(part[1], str) and part[0] in colour_of:
            pair = (part[1], colour_of[part[0]])
            if pair[0] != pair[1] if ground.fits is None else pair not in ground.fits:
                return False
        on_border = len(part) == 3 and isinstance(part[2], str) and part[1] not in there
        if on_border and part[2] not in wanted.get(part[:2], part[2:]):
            return False
    return match(instance, lying)


def match(instance: Instance, parts: Iterable[Part]) -> bool:
    """Whether marks fit wherever two meet on a side."""
    there = places(instance)
    meeting = {both for one, other in instance.ground.mates for both in ((one, other), (other, one))}
    with_mates = {mark for mark, _ in meeting}
    ends = {part[:2]: part[2] for part in parts if len(part) == 3 and isinstance(part[2], str)}
    for (cell, beyond), mark in ends.items():
        if beyond in there:
            step = [a - b for a, b in zip(there[beyond], beyond, strict=True)]
            other = ends.get((there[beyond], tuple(map(add, cell, step))))
            if other is not None and ((mark, other) not in meeting if mark in with_mates else mark != other):
                return False
    return True


def cross(lattice: Lattice, one: Cells, two: Cells) -> bool:
    """Whether two pieces made of edges cross: round some point they take turns more than once."""
    basis = BASES[lattice.metric]
    round_point: dict[Cell, list[tuple[float, bool]]] = defaultdict(list)
    for is_first, piece in ((True, one), (False, two)):
        for edge in piece:
            # An edge is identified by its middle, which is odd along it; the third edge of a triangle is as short as the others.
            along = np.array([edge[0] % 2, edge[1] % 2] if sum(a % 2 for a in edge) == 1 else [1, -1])
            for way in (along, -along):
                x, y = basis @ way
                round_point[tuple((edge - way).tolist())].append((atan2(y, x), is_first))
    for ends in round_point.values():
        owners = [is_first for _, is_first in sorted(ends)]
        if sum(a != b for a, b in zip(owners, owners[1:] + owners[:1], strict=True)) > 2:
            return True
    return False


def distinct(instance: Instance) -> dict[str, Piece]:
    """The tiles by name. Those with the same images are one, called by the first name; their bounds add up."""
    by_images: dict[frozenset[Cells], tuple[str, int, float]] = {}
    for tile in instance.tiles:
        turned = seen(instance, tile)
        name, least, most = by_images.get(turned, (tile.name, 0, 0))
        by_images[turned] = name, least + tile.at_least, most + (inf if tile.at_most is None else tile.at_most)
    return {name: Piece(turned, least, most) for turned, (name, least, most) in by_images.items()}


def as_tiling(solution: tuple[Placement, ...]) -> Tiling:
    return frozenset((placement.tile, painted(placement.cells, placement.coat)) for placement in solution)


def seen(instance: Instance, tile: Tile) -> frozenset[Cells]:
    """Every allowed way to turn a tile."""
    return images(instance, tile.shape, tile.paint)


def moved(instance: Instance, shape: Cells, cell: Cell, target: Cell) -> Cells:
    """The cells of the board that a shape covers where one of its cells comes to be another one; none if it cannot lie there."""
    step = [a - b for a, b in zip(target, cell, strict=True)]
    if any(a % m for a, m in zip(step, instance.lattice.moduli, strict=True)):
        return frozenset()
    there = places(instance)
    cells = [there.get(tuple(map(add, cell, step))) for cell in bare(shape)]
    if None in cells or len(set(cells)) < len(cells):
        return frozenset()
    return frozenset(home(there, part) for part in carried(lambda cell: tuple(map(add, cell, step)), shape))


def home(there: dict[Cell, Cell], part: Part) -> Part:
    """A part, expressed by the board's own cells."""
    if isinstance(part[0], int):
        return there[part]
    cell, *others = part
    back = [a - b for a, b in zip(there[cell], cell, strict=True)]
    return (there[cell], *(other if isinstance(other, str) else tuple(map(add, other, back)) for other in others))


@cache
def places(instance: Instance) -> dict[Cell, Cell]:
    """The cells of the board, and on a wrapped one those some times round that are one with them."""
    copies = {cell: cell for cell in instance.board}
    for vector in instance.wrap.vectors:
        times = [[n * a for a in vector] for n in range(-6, 7)]
        copies = {tuple(map(add, at, step)): cell for at, cell in copies.items() for step in times}
    return copies


@cache
def images(instance: Instance, shape: Cells, paint: Paint = PLAIN) -> frozenset[Cells]:
    """Every way to turn a shape that is allowed, at the origin; where a tile of the plane is reflected, its back is seen."""
    lattice, turned = instance.lattice, set()
    for turn in turns(lattice, instance.reflections) if instance.turning else [as_it_is]:
        shown = paint.back if lattice.dimension == 2 and is_mirror(turn) else paint.front
        whole = carried(lambda cell: (0,) * (lattice.dimension - len(cell)) + cell, painted(shape, shown))
        turned.add(at_origin(carried(turn, whole), lattice))
    return frozenset(turned)


def as_it_is(cell: Cell) -> Cell:
    """The turn that changes nothing."""
    return cell


def is_mirror(turn: Callable[[Cell], Cell]) -> bool:
    """Whether a motion of the plane turns it over."""
    (a, b), (c, d) = turn((1, 0)), turn((0, 1))
    return a * d < b * c


@cache
def turns(lattice: Lattice, reflections: bool) -> tuple[Callable[[Cell], Cell], ...]:
    """The rotations, with mirrors if wanted, that map the lattice onto itself and leave the origin where it is.

    They turn points of the plane by angles, and points of space by the symmetries of the cube, or of a prism; back to whole
    numbers they are brought by rounding.
    """
    basis = BASES[lattice.metric]

    def turn(motion: np.ndarray) -> Callable[[Cell], Cell]:
        rows = np.rint(np.linalg.solve(basis, motion @ basis)).astype(int).tolist()
        return lambda cell: tuple([sum(map(mul, row, cell)) for row in rows])

    if lattice.dimension == 2:
        motions = flat_motions(4 if lattice.metric == ((1, 0), (0, 1)) else 6)
    elif lattice.metric[0] == (3, 0, 0):
        zeros = np.zeros((1, 2))
        motions = [np.block([[np.full((1, 1), up), zeros], [zeros.T, flat]]) for up in (1, -1) for flat in flat_motions(6)]
    else:
        ways = product(product((1, -1), repeat=3), permutations(range(3)))
        motions = [np.diag(signs) @ np.eye(3)[list(axes)] for signs, axes in ways]
    return tuple(turn(motion) for motion in motions if reflections or np.linalg.det(motion) > 0)


def flat_motions(times: int) -> list[np.ndarray]:
    """The rotations by parts of a whole turn, and each after a mirror."""
    turned = [
        np.array([[cos(angle), -sin(angle)], [sin(angle), cos(angle)]]) for angle in (2 * pi * k / times for k in range(times))
    ]
    return [*turned, *(matrix @ np.diag([1, -1]) for matrix in turned)]


#: Where the axes of a lattice lead, by the products that they have: in columns.
OBLIQUE = np.array([[sqrt(2), sqrt(0.5)], [0, sqrt(1.5)]])
BASES = {
    ((1, 0), (0, 1)): np.eye(2),
    ((2, 1), (1, 2)): OBLIQUE,
    ((1, 0, 0), (0, 1, 0), (0, 0, 1)): np.eye(3),
    ((3, 0, 0), (0, 2, 1), (0, 1, 2)): np.block([[np.full((1, 1), sqrt(3)), np.zeros((1, 2))], [np.zeros((2, 1)), OBLIQUE]]),
    ((2, 1, 1), (1, 2, 1), (1, 1, 2)): np.array([[0, 1, 1], [1, 0, 1], [1, 1, 0]]),
}


def at_origin(cells: Iterable[Cell], lattice: Lattice | None = None) -> Cells:
    """A shape moved so that its least coordinates are 0, or as small as the translations of the lattice allow."""
    cells = list(cells)
    low = [min(column) for column in zip(*bare(frozenset(cells)), strict=True)]
    if lattice is not None:
        low = [a - a % m for a, m in zip(low, lattice.moduli, strict=True)]
    return carried(lambda cell: tuple(a - b for a, b in zip(cell, low, strict=True)), cells)


def obeys(instance: Instance, tiling: Tiling) -> bool:
    """Whether a tiling keeps to the constraints, from the words of docs/reference/problems.md."""
    return all(
        all(keeps_to(instance, constraint, name, cells) for name, cells in tiling)
        and (constraint.kind != "place" or any(is_placed(instance, constraint, name, cells) for name, cells in tiling))
        for constraint in instance.constraints
    )


def keeps_to(instance: Instance, constraint: Constraint, name: str, cells: Cells) -> bool:
    """Whether a placement keeps to what a constraint says about all copies of a tile."""
    meant, piece = called(instance, constraint.tile)
    if constraint.kind == "place" or name != meant:
        return True
    covered = bare(cells)
    if constraint.kind == "forbid":
        return not covered & set(constraint.cells)
    if constraint.kind == "only":
        size = len(covered)
        return covered in [set(constraint.cells[i : i + size]) for i in range(0, len(constraint.cells), size)]
    if constraint.kind == "within":
        low, high = constraint.cells
        return all(low[i] <= cell[i] <= high[i] for cell in covered for i in range(len(cell)))
    turned = sorted(piece.images, key=in_order)
    return any(lies(instance, shape, cells) for shape in turned[: constraint.orientations])


def in_order(shape: Cells) -> tuple[list[Part], ...]:
    """The order of the ways to turn a tile: by their cells, then colours, then marks."""
    paints = shape - bare(shape)
    return (
        sorted(bare(shape)),
        sorted(part for part in paints if len(part) == 2),
        sorted(part for part in paints if len(part) == 3),
    )


def lies(instance: Instance, shape: Cells, cells: Cells) -> bool:
    """Whether a shape can be moved so that it is these cells of the board."""
    return any(moved(instance, shape, min(bare(shape)), cell) == cells for cell in bare(cells))


def is_placed(instance: Instance, constraint: Constraint, name: str, cells: Cells) -> bool:
    """Whether a placement is the one that a constraint `place` asks for."""
    meant, piece = called(instance, constraint.tile)
    if name != meant or bare(cells) != frozenset(constraint.cells):
        return False
    ways = sorted(piece.images, key=in_order)
    first = next(number for number, shape in enumerate(ways, 1) if lies(instance, shape, cells))
    return constraint.orientations in (0, first)


def called(instance: Instance, name: str) -> tuple[str, Piece]:
    """The piece of the tile with this name, and the name of the piece."""
    tile = next(tile for tile in instance.tiles if tile.name == name)
    turned = seen(instance, tile)
    return next((first, piece) for first, piece in distinct(instance).items() if piece.images == turned)


def allowed_tilings(instance: Instance, most: float = inf) -> set[Tiling]:
    """Every tiling that keeps to the constraints."""
    return {tiling for tiling in tilings(instance, most) if obeys(instance, tiling)}


def orbits(instance: Instance, most: float = inf) -> set[frozenset[Tiling]]:
    """The orbits of the tilings that obey the constraints."""
    image, whole = imaging(instance), symmetries(instance)
    return {frozenset(image(turn, tiling) for turn in whole) for tiling in allowed_tilings(instance, most)}


def symmetries(instance: Instance) -> list[Motion]:
    """Every isometry of the board, mirrors included, that maps the tiles with their bounds, and what the constraints leave of
    their placements, onto themselves."""
    pieces = distinct(instance)
    bounds = {piece.images: (piece.least, piece.most) for piece in pieces.values()}
    image, lying = imaging(instance), placements(instance)
    wanted = [(side, " ".join(marks)) for side, marks in instance.ground.border]
    open_ = instance.optional - {
        cell for constraint in instance.constraints if constraint.kind == "place" for cell in constraint.cells
    }
    motions = []
    for turn in turns(instance.lattice, True):
        turned = {
            frozenset(at_origin(carried(turn, shape), instance.lattice) for shape in piece.images): (piece.least, piece.most)
            for piece in pieces.values()
        }
        if turned != bounds:
            continue
        if not all(one_cell(instance, turn, vector) for vector in instance.wrap.vectors):
            continue
        for symmetry in moved_back(instance, turn):
            to = {cell: symmetry(cell) for cell in instance.board}
            kept = (instance.board, open_, instance.optional, *(group.cells for group in instance.groups))
            ground = painted(frozenset(), Coat(instance.ground.colours, tuple(wanted)))
            same = all({to[cell] for cell in some} == some for some in kept) and symmetry.lying(ground) == ground
            if same and image(symmetry, lying) == lying:
                motions.append(symmetry)
    return motions


def one_cell(instance: Instance, turn: Callable[[Cell], Cell], vector: Cell) -> bool:
    """Whether cells that are equal because of a vector of the wrap are still equal after a turn."""
    there, cell = places(instance), min(instance.board)
    moved_to = tuple(a + b for a, b in zip(cell, turn(vector), strict=True))
    return there.get(moved_to) == cell


class Motion:
    """A turn and a step after it, on a board: it takes cells to the board's own cells, or to none."""

    def __init__(self, there: dict[Cell, Cell], turn: Callable[[Cell], Cell], step: Cell) -> None:
        self.turn, self._there, self._step = turn, there, step

    def __call__(self, cell: Cell) -> Cell | None:
        return self._there.get(self._moved(cell))

    def _moved(self, cell: Cell) -> Cell:
        return tuple(map(add, self.turn(cell), self._step))

    def lying(self, parts: Cells) -> Cells:
        """The images of cells of the board and their paint."""
        turned = carried(self._moved, parts)
        there = self._there
        return frozenset(home(there, part) for part in turned if (part if isinstance(part[0], int) else part[0]) in there)


def moved_back(instance: Instance, turn: Callable[[Cell], Cell]) -> list[Motion]:
    """The turn followed by a step that takes the board's corner back to where it was; on a wrapped board by any step."""
    there = places(instance)
    board = sorted(instance.board)
    turned = [turn(cell) for cell in board]
    if instance.wrap:
        steps = [tuple(a - b for a, b in zip(cell, turned[0], strict=True)) for cell in board]
    else:
        steps = [tuple(min(a) - min(b) for a, b in zip(zip(*board, strict=True), zip(*turned, strict=True), strict=True))]
    whole = [step for step in steps if not any(a % m for a, m in zip(step, instance.lattice.moduli, strict=True))]
    return [Motion(there, turn, step) for step in whole]


def placements(instance: Instance) -> Tiling:
    """All placements of a tile that the constraints allow."""
    allowed = set()
    for name, piece in distinct(instance).items():
        for shape in piece.images:
            for cell in instance.board:
                cells = moved(instance, shape, min(bare(shape)), cell)
                if cells and accepted(instance, cells) and may_lie(instance, name, cells):
                    allowed.add((name, cells))
    return frozenset(allowed)


def may_lie(instance: Instance, name: str, cells: Cells) -> bool:
    """Whether a placement keeps to the constraints and overlaps no copy that they place."""
    placed = [constraint for constraint in instance.constraints if constraint.kind == "place"]
    return all(keeps_to(instance, constraint, name, cells) for constraint in instance.constraints) and all(
        cells.isdisjoint(constraint.cells) or is_placed(instance, constraint, name, cells) for constraint in placed
    )


def imaging(instance: Instance) -> Callable[[Motion, Tiling], Tiling]:
    """A function that gives the image of a placement under a symmetry; a mirror may turn a tile into another one."""
    pieces = distinct(instance)
    name_of = {piece.images: name for name, piece in pieces.items()}

    @cache
    def renamed(turn: Callable[[Cell], Cell]) -> dict[str, str]:
        return {
            name: name_of[frozenset(at_origin(carried(turn, shape), instance.lattice) for shape in piece.images)]
            for name, piece in pieces.items()
        }

    def image(symmetry: Motion, tiling: Tiling) -> Tiling:
        return frozenset((renamed(symmetry.turn)[name], symmetry.lying(cells)) for name, cells in tiling)

    return image
