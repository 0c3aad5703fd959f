"""Make instances from Python values: boards and tiles as texts, masks of NumPy, sets of cells, or `Tile`."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from tiler import formats
from tiler.api import arguments
from tiler.api.call_errors import offered
from tiler.errors import BadArgument
from tiler.formats import pieces
from tiler.formats.settings import Settings
from tiler.model import lattices, text_maps
from tiler.model.instance import Instance
from tiler.model.lattice import Lattice, Shape
from tiler.model.tile import Tile

#: A shape: a text in the notation of problem files, also a map on several lines; cells; or a mask, by row and column, in space by
#: layer, row and column.
GivenShape = str | AbstractSet[tuple[int, ...]] | NDArray[Any]
#: A tile: a shape or a set of pieces as a text, with bounds such as 3: before it; cells or a mask, alone or behind how many
#: copies there are; or a `Tile`.
GivenTile = GivenShape | tuple[int | str, AbstractSet[tuple[int, ...]] | NDArray[Any]] | Tile


@dataclass(frozen=True)
class _Read:
    """What was given, as a text, and the value that it stands for if it was none."""

    text: str
    value: Shape | Tile | None = None


@offered()
def make(
    board: GivenShape,
    *tiles: GivenTile,
    **settings: Unpack[Settings],
) -> Instance:
    """An instance of a board and tiles or sets of them, in the notation of the command line and of problem files.

    Instead of a text you can give a map on several lines, a set of cells (row and column, in space layer, row and column), or a
    mask of NumPy. A number before cells says how many copies there are, and a `Tile` also has a name.

    `reflections` says whether tiles may be turned over: by default they may if there is a free set such as `1:pentominoes`. A set
    that contradicts `reflections` is refused, unless with `as_named`, where a set stands for exactly the pieces of its name.
    `lattice` is a name that `tiler lattices` lists; by default the lattice of the first set, else the square or the cubic
    lattice. `wrap` joins opposite edges of the board, such as 'rows columns' for a torus; where cells are edges, `crossing` says
    whether two tiles may cross in a corner. Without `turning` tiles lie as they are written. `open` says how many cells may stay
    open, of those marked o, or of all if none is marked; '2..2' means exactly two. `weights` has the weight of each copy of a
    tile, for the heaviest tiling. Tiles may have colours and marks as in problem files: `legend` are the letters of maps ('r red,
    b blue'), `mates` marks that fit each other, `fits` colours of tiles and the board that do, `checkered` the two colours of a
    board, and `border` the marks that the border demands, one text or several. InputError says which argument is not a shape.

    >>> make("11x7", "4T", "3:3I")
    Instance(11x7 4T 3:3I: 77 cells, 2 tiles)
    >>> make("6x10", "1:pentominoes").reflections
    True
    >>> make("hex:2", "x.x", lattice="hexagonal").lattice.what
    'hexagons'
    >>> import tiler
    >>> tiler.count(make("4x4", "2", wrap="rows columns")), tiler.count(make("3x3", "2", open=1))
    (272, 18)
    >>> import numpy as np
    >>> tiler.count(make(np.ones((4, 4), bool), {(0, 0), (0, 1)}, (1, {(0, 0), (0, 1), (0, 2), (0, 3)})))
    100
    """
    if not tiles:
        raise BadArgument("tiles: there is none; name at least one after the board: tiler.make('6x10', '2', '3:4L')")
    of = lattices.called(settings.get("lattice") or lattices.USUAL.name)
    read = [_board(board, of), *(_tile(tile, of) for tile in tiles)]
    said: dict[str, Any] = {**settings, "disconnected": any(each.value is not None for each in read[1:])}
    of_cells = {name: said.pop(name, None) for name in ("open", "weights")}
    made = _with_values(formats.inline([each.text for each in read], **said), read)
    return formats.with_settings(made, of_cells)


def texts(tiles: Sequence[GivenTile]) -> list[str]:
    """Tiles of the square and the cubic lattice, as texts."""
    if not tiles:
        raise BadArgument("tiles: there is none; name at least one after the board")
    return [_tile(tile, lattices.USUAL).text for tile in tiles]


def _with_values(made: Instance, read: Sequence[_Read]) -> Instance:
    """The instance with the cells and tiles that were given, in place of what was read from texts that stand for them."""
    if all(each.value is None for each in read):
        return made
    board, *others = read
    tiles = list(made.tiles)
    at = 0
    for each in others:
        pieces_of = pieces.set_called(each.text)
        if isinstance(each.value, Tile):
            tiles[at] = each.value
        at += len(pieces_of.shapes()) if pieces_of else 1
    if isinstance(board.value, frozenset):
        made = replace(made, board=board.value)
    return replace(made, tiles=tuple(tiles), name="")


def _board(board: object, lattice: Lattice) -> _Read:
    if isinstance(board, str):
        return _Read(board)
    cells = _cells(board, "board", "such as '6x10'")
    return _Read(_notation(lattice, cells), cells)


def _tile(tile: object, lattice: Lattice) -> _Read:
    if isinstance(tile, str):
        return _Read(tile)
    if isinstance(tile, Tile):
        return _Read(pieces.bounds(tile) + _notation(tile.lattice, tile.shape), tile)
    if isinstance(tile, tuple) and len(tile) == 2 and not isinstance(tile[1], str):
        copies, shape = tile
        if isinstance(copies, bool) or not isinstance(copies, int | str):
            raise BadArgument(f"tiles: {arguments.shown(copies)} is no number of copies, such as 3 or '2..4'")
        return _Read(f"{copies}:{_notation(lattice, _cells(shape, 'tiles', _EACH))}", frozenset())
    return _Read(_notation(lattice, _cells(tile, "tiles", _EACH)), frozenset())


_EACH = "give each tile as an argument of its own: tiler.make('6x10', '2', '3:4L')"


def _cells(value: object, name: str, example: str) -> Shape:
    """The cells that are meant by cells or a mask."""
    if isinstance(value, AbstractSet):
        return _whole(value, name)
    if isinstance(value, np.ndarray):
        if value.ndim not in (2, 3) or not np.isin(value, (0, 1)).all():
            raise BadArgument(f"{name}: an array of shape {value.shape} is no mask: two or three axes, of 0 and 1")
        return frozenset(tuple(cell) for cell in np.argwhere(value).tolist())
    raise BadArgument(f"{name}: {arguments.shown(value)} is no text, no set of cells and no mask of NumPy; {example}")


def _whole(cells: Collection[object], name: str) -> Shape:
    found = set()
    for cell in cells:
        if not isinstance(cell, tuple) or not all(isinstance(each, int | np.integer) for each in cell):
            raise BadArgument(f"{name}: {arguments.shown(cell)} is no cell, such as (0, 2): whole numbers, row and column")
        found.add(tuple(int(each) for each in cell))
    if not found or {len(cell) for cell in found} not in ({2}, {3}):
        raise BadArgument(f"{name}: cells are (row, column), or all (layer, row, column), and there is at least one")
    return frozenset(found)


def _notation(lattice: Lattice, cells: Shape) -> str:
    if not cells:
        raise BadArgument("a mask has no cell: mark some with True or 1")
    if not text_maps.has_maps(lattice):
        raise BadArgument(f"shapes of the {lattice} lattice cannot be given as cells; write the problem as JSON for tiler.read")
    return text_maps.notation(lattice, cells)
