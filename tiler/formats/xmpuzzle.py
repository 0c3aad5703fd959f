"""Turn problems of BurrTools (.xmpuzzle) into instances and back; burrtools.py reads and writes the files.

Its five grids are lattices here (see model/burrtools_grids.py); a result of one layer is a board in the plane, where pieces may
be turned over, and show the same colours from behind. Voxels of the result that may be filled are optional cells. A colour is
called by its number, and fits those that the problem lists. Groups become tiles that may stay together. Solutions that are stored
are read where they are asked for (`stored`), on the grid of bricks. Pieces of spheres that lie in a layer of triangles the
program also turns by a sixth, which the packing around them does not allow: where they would fit so, they are refused.

The program counts assemblies up to the rotations of the result, and up to its mirrors where the pieces allow it, which is
`--up-to-symmetry` here. The two differ where pieces have ranges: there an assembly is the mirror image of another to the program
if the pieces in use allow it, and here if all pieces do. Shapes that are drawn twice are two pieces there, and copies of one
here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from tiler.errors import InputError, located
from tiler.formats import burrtools
from tiler.formats.burrtools import BurrProblem, BurrPuzzle, ShapeCopies, Voxels
from tiler.model.about import About
from tiler.model.burrtools_grids import GRIDS, BurrGrid, Place
from tiler.model.instance import Instance
from tiler.model.lattice import Cell, Isometry, Matrix, Shape, move
from tiler.model.paint import BARE, Ground, Paint, coat_of
from tiler.model.tile import Placement, Tile

_MOST_COPIES = 9999


class ReadPuzzle(NamedTuple):
    """A problem, with notes: parts of the file that were left out, and further facts in it."""

    instance: Instance
    note: str


def parse(data: bytes, *, number: int | None = None, name: str = "", source: str | None = None) -> ReadPuzzle:
    """One problem of a file, by its number from 1; a file with one needs none. InputError for what cannot be asked here."""
    with located(source):
        puzzle = burrtools.parse(data)
        chosen = _chosen(puzzle, number)
        instance = _instance(puzzle, puzzle.problems[chosen], name)
        return ReadPuzzle(instance, _note(puzzle.problems[chosen], instance))


def _chosen(puzzle: BurrPuzzle, number: int | None) -> int:
    """The index of the problem that is meant."""
    count = len(puzzle.problems)
    if not count:
        raise InputError("it holds shapes, but no problem")
    if number is None and count == 1:
        return 0
    if number is not None and 1 <= number <= count:
        return number - 1
    listed = [f"#{n}" + (f" ({problem.name[:30]})" if problem.name else "") for n, problem in enumerate(puzzle.problems[:20], 1)]
    more = ", ..." if count > len(listed) else ""
    raise InputError(f"it holds {count} problem{'s'[: count > 1]}; write one of these behind its name: {', '.join(listed)}{more}")


def _note(problem: BurrProblem, instance: Instance) -> str:
    said = ["Tiler does not look here whether the pieces come apart: see tiler apart"]
    if any(part.group is None for part in problem.parts):
        said.append("groups of single copies are left out")
    if len(instance.distinct_tiles) < len(instance.tiles):
        said.append("identical pieces are copies of one tile here; BurrTools treats them as different")
    if any(part.least < part.most for part in problem.parts):
        said.append("Tiler looks at all pieces to compare mirror images, BurrTools only at those in use")
    if problem.assemblies is not None:
        said.append(f"assemblies found by BurrTools, up to symmetry as it counts them: {problem.assemblies:,}")
    return "; ".join(said)


def _instance(puzzle: BurrPuzzle, problem: BurrProblem, name: str) -> Instance:
    if puzzle.grid >= len(GRIDS):
        known = ", ".join(f"{number} {grid.name}" for number, grid in enumerate(GRIDS))
        raise InputError(f"its grid is number {puzzle.grid}, which is unknown; there are {known}")
    grid = GRIDS[puzzle.grid]
    if problem.result is None or problem.result >= len(puzzle.shapes):
        raise InputError("the problem has no result shape")
    result = puzzle.shapes[problem.result]
    places = result.filled | result.variable
    if not places:
        raise InputError("the result shape is empty")
    plane = grid.lattice.plane is not None and len({z for _, _, z in places}) == 1
    parts = [part for part in problem.parts if part.most]
    if not parts:
        raise InputError("the problem has no pieces")
    if any(part.shape >= len(puzzle.shapes) for part in parts):
        raise InputError("a piece names a shape that does not exist")
    names = _names([puzzle.shapes[part.shape].name for part in parts], [part.shape for part in parts])
    shown = bool(puzzle.colours)  # If the list has no colours, BurrTools ignores colours.
    tiles = [
        _tile(grid, puzzle.shapes[part.shape], part, called, plane, shown) for part, called in zip(parts, names, strict=True)
    ]
    _check_holes(problem, len(result.variable), len(places), tiles)
    board, optional = (_cells(grid, places, "the result") for places in (places, result.variable))
    if plane:
        board, optional = (frozenset(cell[1:] for cell in cells) for cells in (board, optional))
    instance = Instance(
        board,
        tuple(tiles),
        reflections=plane,  # This is because a piece can be turned over.
        optional=optional,
        lattice=(grid.lattice.plane or grid.lattice) if plane else grid.lattice,
        name=name,
        about=About(title=" ".join(problem.name.split())),
        ground=_ground(grid, result, problem.allowed, plane) if puzzle.colours else BARE,
        together=_together(parts, names),
    )
    _check_turns(grid, instance)
    return instance


def _ground(grid: BurrGrid, result: Voxels, allowed: frozenset[tuple[int, int]], plane: bool) -> Ground:
    """The colours of the result, and the pairs that the problem lists."""
    colours = {grid.cell(place)[1 if plane else 0 :]: str(colour) for place, colour in result.colours.items()}
    fits = tuple(sorted((str(piece), str(there)) for piece, there in allowed))
    return Ground(tuple(sorted(colours.items())), fits)


def _together(parts: list[ShapeCopies], names: list[str]) -> tuple[tuple[str, ...], ...]:
    """The names of the tiles of each group."""
    groups = sorted({part.group for part in parts if part.group})
    return tuple(tuple(name for part, name in zip(parts, names, strict=True) if part.group == group) for group in groups)


class StoredSolution(NamedTuple):
    """A solution in a file: the tiling, and how many moves the file says each separation takes; None if it does not say."""

    tiling: tuple[Placement, ...]
    levels: tuple[int, ...] | None


def stored(data: bytes, instance: Instance, *, number: int | None = None, source: str | None = None) -> list[StoredSolution]:
    """The solutions stored with the problem from which `parse` made the instance. InputError where they cannot be read."""
    with located(source):
        puzzle = burrtools.parse(data)
        problem = puzzle.problems[_chosen(puzzle, number)]
        if puzzle.grid or instance.dimension == 2:
            raise InputError("solutions that are stored are read on the grid of bricks, in space")
        copies = [part for part in problem.parts for _ in range(part.most)]
        return [
            StoredSolution(_assembled(puzzle, instance, problem, copies, solution.assembly), solution.levels)
            for solution in problem.solutions
        ]


def _assembled(
    puzzle: BurrPuzzle, instance: Instance, problem: BurrProblem, copies: list[ShapeCopies], written: str
) -> tuple[Placement, ...]:
    """The placements of an assembly, in which each copy of a piece has a place and a turn, or `x`."""
    words = iter(written.split())
    parts = [part for part in problem.parts if part.most]
    names = _names([puzzle.shapes[part.shape].name for part in parts], [part.shape for part in parts])
    name_of = {part.shape: name for part, name in zip(parts, names, strict=True)}
    placements = []
    for copy in copies:
        four = [next(words, "")]
        if four == ["x"]:
            continue
        four += [next(words, "") for _ in range(3)]
        if not all(re.fullmatch("-?[0-9]{1,6}", word) for word in four):
            raise InputError(f"an assembly is written as {' '.join(four)[:40]!r}; each piece has four numbers, or x")
        *place, turn = map(int, four)
        if not 0 <= turn < len(_TURNS):
            raise InputError(f"an assembly has a piece turned as number {turn}; there are {len(_TURNS)} turns, from 0")
        filled = Isometry(_TURNS[turn], (place[0], place[1], place[2])).images(sorted(puzzle.shapes[copy.shape].filled))
        name = instance.distinct_tiles[instance.number_of(name_of[copy.shape])].name
        placements.append(Placement(name, frozenset(map(GRIDS[0].cell, ((x, y, z) for x, y, z in filled)))))
    return tuple(placements)


def _turns() -> list[Matrix]:
    """The turns by their numbers: 4 j + k is k quarter turns about x, then j of them about y; where j is 4 or 5, one about z,
    this way or that."""
    still = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    about_x, about_y, about_z = (
        ((1, 0, 0), (0, 0, -1), (0, 1, 0)),
        ((0, 0, -1), (0, 1, 0), (1, 0, 0)),
        ((0, -1, 0), (1, 0, 0), (0, 0, 1)),
    )

    def turned(about: Matrix, times: int) -> Isometry:
        made = Isometry(still, (0, 0, 0))
        for _ in range(times):
            made = Isometry(about, (0, 0, 0)).after(made)
        return made

    later = [turned(about_y, j) for j in range(4)] + [turned(about_z, 1), turned(about_z, 3)]
    return [rotation.after(turned(about_x, k)).matrix for rotation in later for k in range(4)]


_TURNS = _turns()


def _cells(grid: BurrGrid, places: Iterable[Place], what: str) -> Shape:
    """Turn places into cells. InputError for places where the grid has no cell."""
    cells = {grid.cell(place): place for place in places}
    wrong = next((place for cell, place in cells.items() if grid.place(cell) != place or not grid.lattice.holds([cell])), None)
    if wrong:
        raise InputError(f"{what} has a voxel at {','.join(map(str, wrong))}, where the grid of {grid.name} has none")
    return frozenset(cells)


def _names(written: list[str], numbers: list[int]) -> list[str]:
    """What the tiles are called: one word each, no two the same; without a name S1, S2, ... as in the program."""
    words = ["-".join(re.sub(r"[^\w+-]", " ", name).split()) for name in written]
    uses = Counter(words)
    return [
        word if word and uses[word] == 1 and word.isprintable() else f"S{n + 1}" for word, n in zip(words, numbers, strict=True)
    ]


def _tile(grid: BurrGrid, shape: Voxels, part: ShapeCopies, name: str, plane: bool, shown: bool) -> Tile:
    if shape.variable:
        raise InputError(f"piece {name} has voxels that may be filled or not; only the result can have them")
    if not shape.filled:
        raise InputError(f"piece {name} is empty")
    _cells(grid, shape.filled, f"piece {name}")
    laid = _laid(grid, shape.filled, plane)
    if laid is None:
        raise InputError(f"piece {name} has several layers, but the result has one")
    coat = coat_of({laid[place]: str(colour) for place, colour in shape.colours.items()} if shown else {}, {})
    return Tile(name, frozenset(laid.values()), part.most, part.least, lattice=grid.lattice, paint=Paint(coat, coat))


def _check_turns(grid: BurrGrid, instance: Instance) -> None:
    """Refuse a piece that would fit if it were turned as only the program turns it."""
    for tile in instance.distinct_tiles:
        for image in grid.turned_further(tile.shape):
            if _fits(instance, image):
                how = "lies in one layer, in which BurrTools also turns it by a sixth"
                raise InputError(f"piece {tile.name} {how}; that cannot be asked here")


def _laid(grid: BurrGrid, places: Iterable[Place], plane: bool) -> dict[Place, Cell] | None:
    """The places of a piece as cells, in one layer if the board is a plane; None if it has several."""
    cells = {place: grid.cell(place) for place in places}
    if not plane:
        return cells
    thin = next((axis for axis in grid.flat if len({cell[axis] for cell in cells.values()}) == 1), None)
    return None if thin is None else {place: (*cell[:thin], *cell[thin + 1 :]) for place, cell in cells.items()}


def _check_holes(problem: BurrProblem, optional: int, cells: int, tiles: list[Tile]) -> None:
    """Refuse a limit to the places that stay empty where it is one: where copies are fixed, it follows from their sizes."""
    most = min(optional, cells - sum(tile.at_least * tile.size for tile in tiles))
    fixed = all(tile.at_least == tile.at_most for tile in tiles)
    if problem.holes is not None and not fixed and problem.holes < most:
        raise InputError(f"at most {problem.holes} of {most} places may stay empty; such a limit cannot be asked here")


def _fits(instance: Instance, shape: Shape) -> bool:
    """Whether a shape, turned in any way, lies somewhere on the board."""
    for turn in instance.lattice.isometries(instance.reflections):
        images = turn.images(sorted(shape))
        for target in instance.board:
            step = tuple(a - b for a, b in zip(target, images[0], strict=True))
            if any(a % m for a, m in zip(step, instance.lattice.moduli, strict=True)):
                continue
            if move(frozenset(images), step) <= instance.board:
                return True
    return False


def write(instance: Instance) -> bytes:
    """A file with the instance as its one problem. InputError for what BurrTools cannot be asked."""
    lattice, in_plane = instance.lattice, instance.lattice.dimension == 2
    number = next((n for n, grid in enumerate(GRIDS) if lattice in (grid.lattice, grid.lattice.plane)), None)
    if number is None:
        raise InputError(f"BurrTools has no grid for the {lattice} lattice; it has {', '.join(grid.name for grid in GRIDS)}")
    if not instance.turning:
        raise InputError("BurrTools turns all pieces; its files cannot forbid that")
    colours = _colours(instance)
    chiral = [tile.name for tile in instance.distinct_tiles if instance.is_chiral(tile)]
    if chiral and in_plane is not instance.reflections:
        does = "turns flat pieces over" if in_plane else "mirrors no piece"
        raise InputError(f"BurrTools {does}, which makes a difference to tile {chiral[0]}; see --reflections")
    _check_turns(GRIDS[number], instance)
    for is_set, what in (
        (instance.wrap, "a wrapped board"),
        (instance.constraints, "constraints"),
        (instance.open or instance.groups, "how many cells stay open, and groups of them,"),
        (any(tile.weight for tile in instance.tiles), "weights of tiles"),
        (instance.ground.border or instance.ground.mates, "marks of sides, such as those of a border,"),
    ):
        if is_set:
            raise InputError(f"{what} cannot be written for BurrTools")
    ground = instance.ground
    shapes = [_voxels(GRIDS[number], "Result", instance.board - instance.optional, ground.colours, colours, instance.optional)]
    shapes += [
        _voxels(GRIDS[number], tile.name, tile.shape, tile.paint.front.colours, colours) for tile in instance.distinct_tiles
    ]
    parts = []
    for shape, tile in enumerate(instance.distinct_tiles, 1):
        fitting = len(instance.board) // tile.size
        most = max(tile.at_least, fitting if tile.at_most is None else min(tile.at_most, fitting))
        if most > _MOST_COPIES:
            raise InputError(f"{most:,} copies of tile {tile.name} are more than BurrTools takes; give it a bound")
        if most:
            groups = [number for number, group in enumerate(instance.together, 1) if tile.name in group]
            if len(groups) > 1:
                raise InputError(f"tile {tile.name} may stay together in two groups, which cannot be written for BurrTools")
            parts.append(ShapeCopies(shape, tile.at_least, most, groups[0] if groups else 0))
    if not parts:
        raise InputError("no tile is small enough for the board, and a problem of BurrTools has pieces")
    pairs = ((name, name) for name in colours) if ground.fits is None else ground.fits
    allowed = frozenset((colours[a], colours[b]) for a, b in pairs if a in colours and b in colours)
    problem = BurrProblem(instance.heading, tuple(parts), 0, allowed)
    comment = "\n".join(filter(None, (instance.about.title, instance.about.source)))
    return burrtools.write(BurrPuzzle(number, len(colours), tuple(shapes), (problem,)), comment)


def _colours(instance: Instance) -> dict[str, int]:
    """The colours by their numbers in the file, from 1. InputError for paint that BurrTools does not have."""
    for tile in instance.tiles:
        if tile.paint.front.marks or tile.paint.back.marks:
            raise InputError(f"tile {tile.name} has marks on its sides, which cannot be written for BurrTools")
        if tile.paint.front != tile.paint.back:
            raise InputError(f"tile {tile.name} looks different from behind, which cannot be written for BurrTools")
    coats = [instance.ground.colours, *(tile.paint.front.colours for tile in instance.tiles)]
    names = {colour for coat in coats for _, colour in coat}
    if len(names) > burrtools.MOST_COLOURS:
        raise InputError(f"{len(names)} colours are more than BurrTools takes, which has {burrtools.MOST_COLOURS}")
    return {name: number for number, name in enumerate(sorted(names, key=lambda name: (len(name), name)), 1)}


def _voxels(
    grid: BurrGrid,
    name: str,
    filled: Shape,
    painted: Iterable[tuple[Cell, str]],
    colours: Mapping[str, int],
    variable: Shape = frozenset(),
) -> Voxels:
    places = {cell: grid.place(next(iter(grid.lattice.lift(frozenset({cell}))))) for cell in filled | variable}
    # Moved near the origin by as much as the grid repeats after.
    low = [min(along) // step * step for along, step in zip(zip(*places.values(), strict=True), grid.steps, strict=True)]
    moved: dict[Cell, Place] = {cell: (x - low[0], y - low[1], z - low[2]) for cell, (x, y, z) in places.items()}
    x, y, z = (max(along) + 1 for along in zip(*moved.values(), strict=True))
    numbers = {moved[cell]: colours[colour] for cell, colour in painted}
    return Voxels(
        name, (x, y, z), frozenset(map(moved.__getitem__, filled)), frozenset(map(moved.__getitem__, variable)), numbers
    )
