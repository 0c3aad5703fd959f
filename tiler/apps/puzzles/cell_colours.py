"""Make one wanted tiling the only one by colours: those of cells of the board, and of the cells of pieces that lie there.

A coloured cell of a piece may lie only on a cell of the board that has the same colour, or none. As long as there is another
tiling, some cell of a piece lies elsewhere in it; that cell and the one of the board below it get different colours. At last
every colour without which there is still one tiling is taken away.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator
from dataclasses import replace
from operator import add, sub

from tiler.errors import InputError
from tiler.model.instance import Instance
from tiler.model.lattice import Cell
from tiler.model.paint import Ground, Paint, coat_of
from tiler.model.placed import without_placed
from tiler.model.tile import Placement, Placements, Tile

NAMES = ("red", "yellow", "blue", "green", "white", "purple", "cyan", "orange")  #: of the colours
_TRIES = 8  # colourings that are tried with each number of colours

Colours = dict[Cell, str]
Two = Callable[[Instance], tuple[Placements, ...]]


def single(instance: Instance, wanted: Placements, most: int, *, chance: random.Random, two: Two) -> tuple[Instance, Placements]:
    """The problem with coloured cells, so that the wanted tiling is the only one up to symmetry, and the tiling in it.

    It takes as few colours as it can, at most `most`, and of some such colourings the one with the fewest coloured cells.
    InputError if none of them leaves one tiling. `two` says up to two tilings, up to symmetry.
    """
    if most > len(NAMES):
        raise InputError(f"--cell-colours: {len(NAMES)} colours at most")
    if instance.is_painted or instance.wrap or without_placed(instance).constraints:
        raise InputError(
            "--cell-colours takes a board that is not wrapped, and pieces without colours, marks and rules but --place"
        )
    for number in (0, *range(2, most + 1)):  # one colour alone rules out nothing
        made = [_colours(instance, wanted, NAMES[:number], chance, two) for _ in range(_TRIES if number else 1)]
        singles = [colours for colours in made if colours is not None]
        if singles:
            needed = _needed(instance, wanted, min(singles, key=len), chance, two)
            puzzle, _ = coloured(instance, wanted, needed)
            return puzzle, two(puzzle)[0]
    raise InputError(f"no colouring was found with which this tiling is the only one; may there be more colours than {most}?")


def coloured(instance: Instance, wanted: Placements, colours: Colours) -> tuple[Instance, dict[str, list[Placement]]]:
    """The problem with these cells of the board coloured, and those of the pieces that lie there in the wanted tiling; and where
    the copies of each piece lie in it. Pieces that look alike are copies of one."""
    alike: defaultdict[Hashable, list[Placement]] = defaultdict(list)
    pieces: dict[Hashable, Tile] = {}
    for placement in sorted(wanted, key=lambda placement: sorted(placement.cells)):
        front = coat_of({cell: colours[cell] for cell in placement.cells if cell in colours}, {})
        tile = Tile(placement.tile, placement.cells, 1, 1, lattice=instance.lattice, paint=Paint(front, front))
        key = instance.looks(tile)
        pieces.setdefault(key, tile)
        alike[key].append(placement)
    copies: dict[str, list[Placement]] = {}
    tiles = []
    for key, tile in pieces.items():
        others = sum(name.partition("-")[0] == tile.name for name in copies)
        name = f"{tile.name}-{others + 1}" if others else tile.name
        copies[name] = alike[key]
        tiles.append(replace(tile, name=name, at_most=len(alike[key]), at_least=len(alike[key])))
    ground = Ground(tuple(sorted(colours.items())))
    return replace(instance, tiles=tuple(tiles), ground=ground, constraints=(), together=()), copies


def _colours(instance: Instance, wanted: Placements, names: tuple[str, ...], chance: random.Random, two: Two) -> Colours | None:
    """Colours with which the wanted tiling is the only one; None if the choices made on the way leave another one."""
    colours: Colours = {}
    while True:
        puzzle, copies = coloured(instance, wanted, colours)
        tilings = two(puzzle)
        if len(tilings) == 1:
            return colours
        moves = [move for tiling in tilings for move in _moves(puzzle, copies, tiling, chance)]
        more = [move for move in moves if not all(cell in colours for cell in move)]
        if not more or not names:
            return None
        _tell_apart(
            colours, min(more, key=lambda move: (sum(cell not in colours for cell in move), chance.random())), names, chance
        )


def _tell_apart(colours: Colours, cells: tuple[Cell, Cell], names: tuple[str, ...], chance: random.Random) -> None:
    """Colour two cells differently, of which one may have a colour."""
    for cell, other in (cells, cells[::-1]):
        if cell not in colours:
            colours[cell] = chance.choice([name for name in names if name != colours.get(other)])


def _moves(
    puzzle: Instance, copies: dict[str, list[Placement]], tiling: Placements, chance: random.Random
) -> Iterator[tuple[Cell, Cell]]:
    """Where cells of pieces lie in a tiling: the cell where each lies in the wanted one, and another one."""
    left = {name: chance.sample(homes, len(homes)) for name, homes in copies.items()}
    for placement in sorted(tiling, key=lambda placement: sorted(placement.cells)):
        homes = left[placement.tile]
        home = next((home for home in homes if home.cells == placement.cells), homes[0])
        homes.remove(home)
        yield from _moved(puzzle, home, placement)


def _moved(puzzle: Instance, home: Placement, placement: Placement) -> Iterator[tuple[Cell, Cell]]:
    colour_of, seen = dict(puzzle.ground.colours), dict(placement.coat.colours)
    corner = puzzle.lattice.corner(placement.cells)
    for turn in puzzle.turns:
        images = dict(zip(home.cells, turn.images(home.cells), strict=True))
        offset = tuple(map(sub, corner, puzzle.lattice.corner(frozenset(images.values()))))
        there = {cell: tuple(map(add, image, offset)) for cell, image in images.items()}
        if {*there.values()} == placement.cells and all(seen.get(there[cell]) == colour_of.get(cell) for cell in there):
            yield from sorted((cell, other) for cell, other in there.items() if cell != other)
            return


def _needed(instance: Instance, wanted: Placements, colours: Colours, chance: random.Random, two: Two) -> Colours:
    """The colours without those that are not needed, one after the other."""
    for cell in chance.sample(sorted(colours), len(colours)):
        fewer = {other: colour for other, colour in colours.items() if other != cell}
        if len(two(coloured(instance, wanted, fewer)[0])) == 1:
            colours = fewer
    return colours
