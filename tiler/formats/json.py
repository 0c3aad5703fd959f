"""Read and write instances as JSON, for programs that make them.

The object has `board` and `tiles` (each with `cells`, and if wanted `name`, `at_least`, `at_most`, `weight`, and the `fill` that
it has in pictures), and may have `optional`, `open` (how many of these stay open, at least and at most), `reflections`,
`disconnected`, `name`, `title`, `source`, `tags`, `expected` (`verdict`, `count`, `up_to_symmetry`) and `constraints` (each with
`kind`, the name of a `tile`, `cells` and `orientations`; see constraints.py). Painted tiles have `colours`, each [cell, colour],
and `marks`, each [cell, the cell beyond the side, mark]; and `back` with the same, if they look different from behind. The
board's `colours` are like a tile's, `border` lists objects with `marks` and the `sides` that must have one of these (all if they
are left out; later ones win), `mates` and `fits` pairs of names (see paint.py). Cells are lists of [row, column] or [layer, row,
column]; a shape may also be a string in the notation of shapes.py. `lattice` is a name of lattices.py, `square` if there is none
(of cells with three numbers, `cubic`); `wrap` lists vectors that lead back; `crossing` is false where pieces made of edges may
not cross, `turning` where tiles may not be turned. `together` lists groups of tiles, by their names, that may stay together when
all is taken apart. `labels` are objects with a `cell` and its `label`, `groups` objects with a `name` and the `cells` of which
one stays open.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tiler import jsontext
from tiler.errors import InputError, located
from tiler.formats import json_values, paint_text
from tiler.formats.json_values import cells, fields_of, natural, typed
from tiler.formats.paint_text import NO_LEGEND
from tiler.formats.settings import ABOUT, EXPECTED, MATCHING, OPEN, PLACE, SEVERAL, InJson, Setting, SeveralLines
from tiler.grouping import grouped
from tiler.jsontext import shown
from tiler.model import lattices
from tiler.model.about import About
from tiler.model.colour_names import colour_called
from tiler.model.expected import Expected
from tiler.model.instance import Instance
from tiler.model.lattice import Cell, Lattice, Shape
from tiler.model.letter_names import name_of
from tiler.model.paint import PLAIN, CellSide, Coat, Ground, Paint, coat_of
from tiler.model.shapes import parse_board
from tiler.model.tile import Tile, check_shape

SCHEMA = "tiler-instance-1"

_COAT_KEYS = ("colours", "marks")
_TILE_KEYS = ("name", "cells", "at_least", "at_most", "weight", "fill", *_COAT_KEYS, "back")
_MOST_COPIES = 10**9 - 1


def _in_json(settings: Iterable[Setting | SeveralLines]) -> list[InJson]:
    return [setting.json for setting in settings if setting.json]


def _keys(settings: Iterable[Setting | SeveralLines]) -> tuple[str, ...]:
    return tuple(each.key for each in _in_json(settings))


_INSTANCE_KEYS = (
    *("schema", "name", *_keys(ABOUT), "lattice", *_keys(PLACE), "reflections", "disconnected", "expected", "board"),
    *("optional", *_keys(OPEN), *_keys(SEVERAL), "tiles", "colours", *_keys(MATCHING), "border"),
)


def write(instance: Instance) -> str:
    """JSON that `parse` reads as an equal instance, names included."""
    about, ground = instance.about, instance.ground
    fills = dict(about.fills)
    content = {
        "schema": SCHEMA,
        "name": instance.name,
        **_written(ABOUT, about),
        "lattice": instance.lattice.name,
        **_written(PLACE, instance),
        "reflections": instance.reflections,
        "disconnected": instance.has_tiles_in_parts,
        "expected": _written(EXPECTED, about.expected),
        "board": sorted(instance.board),
        "optional": sorted(instance.optional),
        **_written((*OPEN, *SEVERAL), instance),
        "tiles": [
            {
                "name": tile.name,
                "cells": sorted(tile.shape),
                "at_least": tile.at_least,
                "at_most": tile.at_most,
                "weight": tile.weight,
                **({"fill": fills[tile.name]} if tile.name in fills else {}),
                **tile.paint.front.to_json(),
                **({"back": tile.paint.back.to_json()} if tile.paint.back != tile.paint.front else {}),
            }
            for tile in instance.tiles
        ],
        **({"colours": ground.colours} if ground.colours else {}),
        **_written(MATCHING, ground),
        **_border_to_json(ground),
    }
    return json.dumps(content) + "\n"


def _written(settings: Iterable[Setting | SeveralLines], part: Any) -> dict[str, Any]:
    """The keys of the fields that a part of an instance has."""
    return {
        each.key: each.write(getattr(part, each.key)) for each in _in_json(settings) if each.always or not each.is_usual(part)
    }


def _read(settings: Iterable[Setting | SeveralLines], fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that an object has."""
    return {each.key: each.read(fields, each.key) for each in _in_json(settings)}


def _border_to_json(ground: Ground) -> dict[str, Any]:
    by_marks = grouped((marks, side) for side, marks in ground.border)
    return {"border": [{"marks": marks, "sides": sides} for marks, sides in sorted(by_marks.items())]} if by_marks else {}


def parse(content: str, *, name: str = "", source: str | None = None) -> Instance:
    """The instance in a JSON text; a name in it wins over the argument."""
    with located(source):
        return _instance(jsontext.loads(content), name)


def _instance(data: Any, name: str) -> Instance:
    fields = fields_of(data, "the problem", _INSTANCE_KEYS)
    if fields.get("schema", SCHEMA) != SCHEMA:
        raise InputError(f"schema {shown(fields['schema'])}; this program reads {SCHEMA}")
    lattice = lattices.called(typed(fields, "lattice", str, lattices.USUAL.name))
    board, optional = _board(fields, lattice)
    tiles = fields.get("tiles")
    if not isinstance(tiles, list):
        raise InputError("'tiles' must be a list of tiles")
    disconnected = typed(fields, "disconnected", bool, False)
    expected = fields_of(fields.get("expected", {}), "'expected'", _keys(EXPECTED))
    read = tuple(_tile(tile, index, lattice, disconnected) for index, tile in enumerate(tiles, 1))
    made = Instance(
        board,
        read,
        reflections=typed(fields, "reflections", bool, False),
        optional=optional,
        lattice=lattice,
        name=typed(fields, "name", str, "") or name,
        about=About(**_read(ABOUT, fields), expected=Expected(**_read(EXPECTED, expected)), fills=_fills(read, tiles)),
        ground=Ground(tuple(sorted(_colours(fields, "the board").items())), **_read(MATCHING, fields)),
        **_read((*PLACE, *OPEN, *SEVERAL), fields),
    )
    for entry in typed(fields, "border", list, []):
        made = _bordered(made, entry)
    return made


def _bordered(instance: Instance, data: Any) -> Instance:
    """The instance with what is said of some sides of its border."""
    fields = fields_of(data, "an entry of 'border'", ("marks", "sides"))
    words = fields.get("marks")
    if not isinstance(words, list) or not words:
        raise InputError("an entry of 'border' must have a list of 'marks'")
    marks = tuple(sorted({json_values.word(word) for word in words}))
    sides = [json_values.side(side, "'border'") for side in typed(fields, "sides", list, [])]
    return paint_text.with_border(instance, marks, sides if "sides" in fields else None)


def coat(fields: Mapping[str, Any], what: str) -> Coat:
    """The coat with an object's `colours` and `marks`."""
    marks: dict[CellSide, str] = {}
    for entry in typed(fields, "marks", list, []):
        if not isinstance(entry, list) or len(entry) != 3:
            raise InputError(f"'marks' of {what} must be a list of [cell, the cell beyond the side, mark]")
        side = json_values.side(entry[:2], f"'marks' of {what}")
        if side in marks:
            raise InputError(f"'marks' of {what} name a side twice")
        marks[side] = json_values.word(entry[2])
    return coat_of(_colours(fields, what), marks)


def _colours(fields: Mapping[str, Any], what: str) -> dict[Cell, str]:
    colours: dict[Cell, str] = {}
    for entry in typed(fields, "colours", list, []):
        if not isinstance(entry, list) or len(entry) != 2:
            raise InputError(f"'colours' of {what} must be a list of [cell, colour]")
        (cell,) = cells(entry[:1], f"'colours' of {what}")
        if cell in colours:
            raise InputError(f"'colours' of {what} name a cell twice")
        colours[cell] = json_values.word(entry[1])
    return colours


def _board(fields: Mapping[str, Any], lattice: Lattice) -> tuple[Shape, Shape]:
    board, marked = fields.get("board"), cells(fields.get("optional", []), "'optional'")
    shape, optional = parse_board(board, lattice) if isinstance(board, str) else (cells(board, "'board'"), frozenset[Cell]())
    return lattice.lift(shape), lattice.lift(optional) | lattice.lift(marked)


def _tile(data: Any, index: int, lattice: Lattice, disconnected: bool) -> Tile:
    fields = fields_of({"cells": data} if isinstance(data, str) else data, f"tile {index}", _TILE_KEYS)
    written = fields.get("cells")
    if isinstance(written, str):
        shape, paint, _ = paint_text.tile(written, lattice, NO_LEGEND)
    else:
        shape, paint = cells(written, f"'cells' of tile {index}"), PLAIN
    name = typed(fields, "name", str, "")
    if not name and isinstance(written, str) and json_values.is_line(written):
        name = written.strip()
    check_shape(lattice, shape, f"tile {name or index}")
    at_most, at_least = natural(fields, "at_most", None, _MOST_COPIES), natural(fields, "at_least", 0, _MOST_COPIES)
    weight = fields.get("weight", 0)
    if type(weight) is not int:
        raise InputError(f"'weight' is {shown(weight)}; it must be a whole number")
    painted = _paint(fields, f"tile {name or index}")
    if painted and paint:
        raise InputError(f"tile {name or index} has colours or marks in its 'cells' and beside them; say them once")
    paint = painted or paint
    called = name or (None if paint else name_of(shape, lattice)) or f"tile{index}"
    tile = Tile(called, shape, at_most, at_least or 0, weight, lattice, paint)
    if not disconnected and not tile.is_connected:
        raise InputError(f'tile {tile.name} is not connected; allow that with "disconnected": true')
    return tile


def _fills(read: Sequence[Tile], written: Sequence[Any]) -> tuple[tuple[str, str], ...]:
    """The names of tiles that have a colour, with it."""
    filled = [(tile, data) for tile, data in zip(read, written, strict=True) if isinstance(data, dict) and "fill" in data]
    return tuple({tile.name: colour_called(typed(data, "fill", str, "")) for tile, data in filled}.items())


def _paint(fields: Mapping[str, Any], what: str) -> Paint:
    """The paint of a tile."""
    front, back = coat(fields, what), fields.get("back")
    return Paint(front, front if back is None else coat(fields_of(back, f"'back' of {what}", _COAT_KEYS), what))
