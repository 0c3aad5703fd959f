"""Problems of BurrTools (.xmpuzzle) as instances, and instances as such problems; burrtools.py knows how the files are written.

Its five grids are lattices here (see model/grids.py); a result of one layer is a board in the plane, where pieces may be turned
over. Voxels of the result that may be filled are optional cells. Colours become constraints. What is not asked is how the pieces
come apart: groups, and stored solutions, are about that. Pieces of spheres that lie in a layer of triangles the program also
turns by a sixth, which the packing around them does not allow: where they would fit so, they are refused.

The program counts assemblies up to the rotations of the result, and up to its mirrors where the pieces allow it, which is
`--up-to-symmetry` here. The two differ where pieces have ranges: there an assembly is the mirror image of another to the program
if the pieces in use allow it, and here if all pieces do. Shapes that are drawn twice are two pieces there, and copies of one
here; a piece that can lie on the same cells with its colours in two ways does so once here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from tiler.errors import InputError
from tiler.formats import burrtools
from tiler.formats.burrtools import BurrProblem, BurrPuzzle, ShapeCopies, Voxels
from tiler.model.about import About
from tiler.model.constraints import Constraint
from tiler.model.grids import GRIDS, BurrGrid, Place
from tiler.model.instance import Instance
from tiler.model.lattice import Cell, Shape
from tiler.model.tile import Tile

_MOST_COPIES = 9999


class Read(NamedTuple):
    """A problem, and what is to be said about it: what was left out, and what the file tells beyond it."""

    instance: Instance
    note: str


def parse(data: bytes, *, number: int | None = None, name: str = "", source: str | None = None) -> Read:
    """One problem of a file, by its number from 1; a file with one needs none. InputError for what cannot be asked here."""
    try:
        puzzle = burrtools.parse(data)
        chosen = _chosen(puzzle, number)
        instance = _instance(puzzle, puzzle.problems[chosen], name)
        return Read(instance, _note(puzzle.problems[chosen], instance))
    except InputError as error:
        raise error.at(source) from None


def _chosen(puzzle: BurrPuzzle, number: int | None) -> int:
    """The index of the problem that is meant."""
    count = len(puzzle.problems)
    if not count:
        raise InputError("it holds shapes, but no problem")
    if number is None and count == 1:
        return 0
    if number is not None and 1 <= number <= count:
        return number - 1
    listed = [f"#{n}" + (f" ({each.name[:30]})" if each.name else "") for n, each in enumerate(puzzle.problems[:20], 1)]
    more = ", ..." if count > len(listed) else ""
    raise InputError(f"it holds {count} problem{'s'[: count > 1]}; write one of these behind its name: {', '.join(listed)}{more}")


def _note(problem: BurrProblem, instance: Instance) -> str:
    said = ["how the pieces come apart is not looked at"]
    if any(part.grouped for part in problem.parts):
        said.append("their groups are left out")
    if len(instance.distinct_tiles) < len(instance.tiles):
        said.append("pieces drawn alike are copies of one, where BurrTools tells them apart")
    if any(part.least < part.most for part in problem.parts):
        said.append("mirror images are told by all pieces, where BurrTools looks at those in use")
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
        raise InputError("a piece is a shape that there is not")
    names = _names([puzzle.shapes[part.shape].name for part in parts], [part.shape for part in parts])
    tiles = [_tile(grid, puzzle.shapes[part.shape], part, called, plane) for part, called in zip(parts, names, strict=True)]
    _check_holes(problem, len(result.variable), len(places), tiles)
    board, optional = (_cells(grid, each, "the result") for each in (places, result.variable))
    if plane:
        board, optional = (frozenset(cell[1:] for cell in each) for each in (board, optional))
    instance = Instance(
        board,
        tuple(tiles),
        reflections=plane,  # As a piece can be turned over.
        optional=optional,
        lattice=(grid.lattice.plane or grid.lattice) if plane else grid.lattice,
        name=name,
        about=About(title=" ".join(problem.name.split())),
    )
    _check_turns(grid, instance)
    coloured = [(tile, puzzle.shapes[part.shape]) for tile, part in zip(tiles, parts, strict=True)]
    return _coloured(grid, instance, coloured, result, problem.allowed) if puzzle.colours else instance


def _cells(grid: BurrGrid, places: Iterable[Place], what: str) -> Shape:
    """Places as cells. InputError for places where the grid has none."""
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


def _tile(grid: BurrGrid, shape: Voxels, part: ShapeCopies, name: str, plane: bool) -> Tile:
    if shape.variable:
        raise InputError(f"piece {name} has voxels that may be filled or not; only the result can have them")
    if not shape.filled:
        raise InputError(f"piece {name} is empty")
    _cells(grid, shape.filled, f"piece {name}")
    laid = _laid(grid, shape.filled, plane)
    if laid is None:
        raise InputError(f"piece {name} has several layers, but the result has one")
    return Tile(name, frozenset(laid.values()), part.most, part.least, lattice=grid.lattice)


def _check_turns(grid: BurrGrid, instance: Instance) -> None:
    """Refuse a piece that would fit if it were turned as only the program turns it."""
    for tile in instance.distinct_tiles:
        for image in grid.turned_further(tile.shape):
            if _placements(instance, [(cell, frozenset()) for cell in image]):
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


def _coloured(
    grid: BurrGrid, instance: Instance, tiles: list[tuple[Tile, Voxels]], result: Voxels, allowed: frozenset[tuple[int, int]]
) -> Instance:
    """The instance with what colours rule out: a voxel may lie in one of its colour's, or where either has none."""
    there = {grid.cell(place)[3 - instance.dimension :]: colour for place, colour in result.colours.items()}
    rules: dict[str, Constraint] = {}
    for tile, shape in tiles:
        own = {place: shape.colours.get(place, 0) for place in shape.filled}
        barred = {
            kind: frozenset(cell for cell, colour in there.items() if kind and (kind, colour) not in allowed)
            for kind in set(own.values())
        }
        if len(set(barred.values())) == 1:
            left, kind = tuple(sorted(next(iter(barred.values())))), "forbid"
        else:
            laid = _laid(grid, own, instance.dimension == 2) or {}
            found = _placements(instance, [(cell, barred[own[place]]) for place, cell in laid.items()])
            left, kind = tuple(cell for cells in found for cell in cells), "only"
            if not left:
                left, kind = tuple(sorted(instance.board)), "forbid"
        if left:
            rules[tile.name] = Constraint(kind, tile.name, left)
    first: dict[Shape, Tile] = {}
    for tile in instance.tiles:
        twin = first.setdefault(instance.variants(tile)[0], tile)
        ours, theirs = ((rules[each.name].kind, rules[each.name].cells) if each.name in rules else None for each in (tile, twin))
        if ours != theirs:  # They would be taken for one.
            raise InputError(f"pieces {twin.name} and {tile.name} differ in colour only, which cannot be asked here")
    return replace(instance, constraints=tuple(rules.values()))


def _placements(instance: Instance, piece: list[tuple[Cell, frozenset[Cell]]]) -> list[tuple[Cell, ...]]:
    """Where a piece may lie whose cells come with those that are barred to each, in ascending order."""
    piece = sorted(piece, key=lambda part: (-len(part[1]), part[0]))  # What is most likely not to fit comes first.
    found = set()
    for turn in instance.lattice.isometries(instance.reflections):
        images = turn.images([cell for cell, _ in piece])
        for target in instance.board:
            step = tuple(a - b for a, b in zip(target, images[0], strict=True))
            if any(a % m for a, m in zip(step, instance.lattice.moduli, strict=True)):
                continue
            moved = []
            for image, (_, barred) in zip(images, piece, strict=True):
                cell = tuple(a + b for a, b in zip(image, step, strict=True))
                if cell in barred or cell not in instance.board:
                    break
                moved.append(cell)
            else:
                found.add(tuple(sorted(moved)))
    return sorted(found)


def write(instance: Instance) -> bytes:
    """A file with the instance as its one problem. InputError for what BurrTools cannot be asked."""
    lattice, in_plane = instance.lattice, instance.lattice.dimension == 2
    number = next((n for n, grid in enumerate(GRIDS) if lattice in (grid.lattice, grid.lattice.plane)), None)
    if number is None:
        raise InputError(f"BurrTools has no grid for the {lattice} lattice; it has {', '.join(grid.name for grid in GRIDS)}")
    chiral = [tile.name for tile in instance.distinct_tiles if _is_chiral(instance, tile)]
    if chiral and in_plane is not instance.reflections:
        does = "turns flat pieces over" if in_plane else "mirrors no piece"
        raise InputError(f"BurrTools {does}, which makes a difference to tile {chiral[0]}; see --reflections")
    _check_turns(GRIDS[number], instance)
    if instance.constraints:
        raise InputError("constraints cannot be written for BurrTools")
    if instance.open or instance.groups:
        raise InputError("how many cells stay open, and groups of them, cannot be written for BurrTools")
    shapes = [_voxels(GRIDS[number], "Result", instance.board - instance.optional, instance.optional)]
    shapes += [_voxels(GRIDS[number], tile.name, tile.shape) for tile in instance.distinct_tiles]
    parts = []
    for shape, tile in enumerate(instance.distinct_tiles, 1):
        fitting = len(instance.board) // tile.size
        most = max(tile.at_least, fitting if tile.at_most is None else min(tile.at_most, fitting))
        if most > _MOST_COPIES:
            raise InputError(f"{most:,} copies of tile {tile.name} are more than BurrTools takes; give it a bound")
        if most:
            parts.append(ShapeCopies(shape, tile.at_least, most))
    if not parts:
        raise InputError("no tile is small enough for the board, and a problem of BurrTools has pieces")
    problem = BurrProblem(instance.heading, tuple(parts), 0)
    comment = "\n".join(filter(None, (instance.about.title, instance.about.source)))
    return burrtools.write(BurrPuzzle(number, 0, tuple(shapes), (problem,)), comment)


def _is_chiral(instance: Instance, tile: Tile) -> bool:
    mirrored, turned = (replace(instance, reflections=each, constraints=()).variants(tile) for each in (True, False))
    return mirrored != turned


def _voxels(grid: BurrGrid, name: str, filled: Shape, variable: Shape = frozenset()) -> Voxels:
    places = {cell: grid.place(next(iter(grid.lattice.lift(frozenset({cell}))))) for cell in filled | variable}
    # Moved near the origin by as much as the grid repeats after.
    low = [min(along) // step * step for along, step in zip(zip(*places.values(), strict=True), grid.steps, strict=True)]
    moved: dict[Cell, Place] = {cell: (x - low[0], y - low[1], z - low[2]) for cell, (x, y, z) in places.items()}
    x, y, z = (max(along) + 1 for along in zip(*moved.values(), strict=True))
    return Voxels(name, (x, y, z), frozenset(map(moved.__getitem__, filled)), frozenset(map(moved.__getitem__, variable)))
