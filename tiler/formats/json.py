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

import dataclasses
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from tiler import jsontext
from tiler.errors import InputError, located, suggest
from tiler.formats import paint_text
from tiler.formats.paint_text import NO_LEGEND
from tiler.grouping import grouped
from tiler.jsontext import shown
from tiler.model import lattices
from tiler.model import paint as painting
from tiler.model.about import About
from tiler.model.colour_names import colour_called
from tiler.model.constraints import KINDS, Constraint
from tiler.model.expected import Expected, Status
from tiler.model.instance import Instance
from tiler.model.lattice import Cell, Lattice, Shape
from tiler.model.letter_names import name_of
from tiler.model.open_cells import OpenGroup
from tiler.model.paint import PLAIN, CellSide, Coat, Ground, Paint, coat_of
from tiler.model.shapes import parse_board
from tiler.model.tile import Tile, check_shape
from tiler.model.wrap import Wrap, wrap_of

SCHEMA = "tiler-instance-1"

_INSTANCE_KEYS = (
    *("schema", "name", "title", "source", "tags", "lattice", "wrap", "crossing", "turning", "reflections"),
    *("disconnected", "expected", "board", "optional", "open", "labels", "groups", "tiles", "constraints", "together"),
    *("colours", "fits", "border", "mates"),
)
_COAT_KEYS = ("colours", "marks")
_TILE_KEYS = ("name", "cells", "at_least", "at_most", "weight", "fill", *_COAT_KEYS, "back")
_CONSTRAINT_KEYS, _EXPECTED_KEYS = (tuple(field.name for field in dataclasses.fields(kind)) for kind in (Constraint, Expected))
_MOST_COPIES = 10**9 - 1
# JSON can contain halves of characters, which cannot be printed.
_NOT_A_LINE = re.compile(r"[\r\n\0\ud800-\udfff]")


def write(instance: Instance) -> str:
    """JSON that `parse` reads as an equal instance, names included."""
    about = instance.about
    fills = dict(about.fills)
    content = {
        "schema": SCHEMA,
        "name": instance.name,
        "title": about.title,
        "source": about.source,
        "tags": list(about.tags),
        "lattice": instance.lattice.name,
        "wrap": instance.wrap.vectors,
        "crossing": instance.crossing,
        **({} if instance.turning else {"turning": False}),
        "reflections": instance.reflections,
        "disconnected": instance.has_tiles_in_parts,
        "expected": vars(about.expected),
        "board": sorted(instance.board),
        "optional": sorted(instance.optional),
        "open": instance.open,
        **({"labels": [{"cell": cell, "label": label} for cell, label in instance.labels]} if instance.labels else {}),
        **(
            {"groups": [{"name": group.name, "cells": sorted(group.cells)} for group in instance.groups]}
            if instance.groups
            else {}
        ),
        "constraints": list(map(vars, instance.constraints)),
        **({"together": instance.together} if instance.together else {}),
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
        **_ground_to_json(instance.ground),
    }
    return json.dumps(content) + "\n"


def _ground_to_json(ground: Ground) -> dict[str, Any]:
    """The demands of a board; demands that it does not have are left out."""
    fields: dict[str, Any] = {}
    if ground.colours:
        fields["colours"] = ground.colours
    if ground.fits is not None:
        fields["fits"] = ground.fits
    if ground.mates:
        fields["mates"] = ground.mates
    if ground.border:
        by_marks = grouped((marks, side) for side, marks in ground.border)
        fields["border"] = [{"marks": marks, "sides": sides} for marks, sides in sorted(by_marks.items())]
    return fields


def parse(content: str, *, name: str = "", source: str | None = None) -> Instance:
    """The instance in a JSON text; a name in it wins over the argument."""
    with located(source):
        return _instance(jsontext.loads(content), name)


def _instance(data: Any, name: str) -> Instance:
    fields = _object(data, "the problem", _INSTANCE_KEYS)
    if fields.get("schema", SCHEMA) != SCHEMA:
        raise InputError(f"schema {shown(fields['schema'])}; this program reads {SCHEMA}")
    lattice = lattices.called(_typed(fields, "lattice", str, lattices.USUAL.name))
    board, optional = _board(fields, lattice)
    tiles = fields.get("tiles")
    if not isinstance(tiles, list):
        raise InputError("'tiles' must be a list of tiles")
    disconnected = _typed(fields, "disconnected", bool, False)
    expected = _object(fields.get("expected", {}), "'expected'", _EXPECTED_KEYS)
    verdict = expected.get("verdict")
    if verdict not in (None, Status.SAT, Status.UNSAT):
        raise InputError(f"'verdict' is {shown(verdict)}, neither 'sat' nor 'unsat'")
    tags = _typed(fields, "tags", list, [])
    if not all(isinstance(tag, str) and not _NOT_A_LINE.search(tag) for tag in tags):
        raise InputError("'tags' must be a list of words")
    read = tuple(_tile(tile, index, lattice, disconnected) for index, tile in enumerate(tiles, 1))
    made = Instance(
        board,
        read,
        reflections=_typed(fields, "reflections", bool, False),
        optional=optional,
        lattice=lattice,
        wrap=_wrap(fields.get("wrap", [])),
        turning=_typed(fields, "turning", bool, True),
        crossing=_typed(fields, "crossing", bool, True),
        open=_open(fields.get("open")),
        labels=tuple(sorted(map(_label, _typed(fields, "labels", list, [])))),
        groups=tuple(map(_group, _typed(fields, "groups", list, []))),
        name=_typed(fields, "name", str, "") or name,
        constraints=tuple(map(_constraint, _typed(fields, "constraints", list, []))),
        together=_together(fields.get("together", [])),
        about=About(
            _typed(fields, "title", str, ""),
            _typed(fields, "source", str, ""),
            tuple(tags),
            Expected(
                Status(verdict) if verdict else None,
                _natural(expected, "count", None),
                _natural(expected, "up_to_symmetry", None),
            ),
            _fills(read, tiles),
        ),
        ground=Ground(
            tuple(sorted(_colours(fields, "the board").items())),
            None if fields.get("fits") is None else _pairs(fields, "fits"),
            mates=_pairs(fields, "mates"),
        ),
    )
    for entry in _typed(fields, "border", list, []):
        made = _bordered(made, entry)
    return made


def _bordered(instance: Instance, data: Any) -> Instance:
    """The instance with what is said of some sides of its border."""
    fields = _object(data, "an entry of 'border'", ("marks", "sides"))
    words = fields.get("marks")
    if not isinstance(words, list) or not words:
        raise InputError("an entry of 'border' must have a list of 'marks'")
    marks = tuple(sorted({_word(word) for word in words}))
    sides = [_side(side, "'border'") for side in _typed(fields, "sides", list, [])]
    return paint_text.with_border(instance, marks, sides if "sides" in fields else None)


def _pairs(fields: Mapping[str, Any], key: str) -> tuple[tuple[str, str], ...]:
    pairs = _typed(fields, key, list, [])
    if not all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
        raise InputError(f"{key!r} must be a list of pairs of names")
    return tuple(sorted({(_word(one), _word(other)) for one, other in pairs}))


def _word(data: Any) -> str:
    if not isinstance(data, str):
        raise InputError(f"{shown(data)} is no name of a colour or mark")
    return painting.name(data, "colours and marks")


def coat(fields: Mapping[str, Any], what: str) -> Coat:
    """The coat with an object's `colours` and `marks`."""
    marks: dict[CellSide, str] = {}
    for entry in _typed(fields, "marks", list, []):
        if not isinstance(entry, list) or len(entry) != 3:
            raise InputError(f"'marks' of {what} must be a list of [cell, the cell beyond the side, mark]")
        side = _side(entry[:2], f"'marks' of {what}")
        if side in marks:
            raise InputError(f"'marks' of {what} name a side twice")
        marks[side] = _word(entry[2])
    return coat_of(_colours(fields, what), marks)


def _colours(fields: Mapping[str, Any], what: str) -> dict[Cell, str]:
    colours: dict[Cell, str] = {}
    for entry in _typed(fields, "colours", list, []):
        if not isinstance(entry, list) or len(entry) != 2:
            raise InputError(f"'colours' of {what} must be a list of [cell, colour]")
        (cell,) = cells(entry[:1], f"'colours' of {what}")
        if cell in colours:
            raise InputError(f"'colours' of {what} name a cell twice")
        colours[cell] = _word(entry[1])
    return colours


def _side(data: Any, what: str) -> CellSide:
    """A side, by its cell and the one beyond."""
    if not isinstance(data, list) or len(data) != 2:
        raise InputError(f"a side in {what} must be a list of its cell and the cell beyond")
    (cell,), (beyond,) = cells(data[:1], what), cells(data[1:], what)
    return CellSide(cell, beyond)


def _board(fields: Mapping[str, Any], lattice: Lattice) -> tuple[Shape, Shape]:
    board, marked = fields.get("board"), cells(fields.get("optional", []), "'optional'")
    shape, optional = parse_board(board, lattice) if isinstance(board, str) else (cells(board, "'board'"), frozenset[Cell]())
    return lattice.lift(shape), lattice.lift(optional) | lattice.lift(marked)


def _wrap(data: Any) -> Wrap:
    """The wrap of a list of vectors, each a list of numbers."""
    numbers = [number for vector in data if isinstance(vector, list) for number in vector] if isinstance(data, list) else [None]
    if (
        not isinstance(data, list)
        or len(numbers) < 2 * len(data)
        or not all(type(number) is int and abs(number) < 10**6 for number in numbers)
    ):
        raise InputError(f"'wrap' is {shown(data)}; it must be a list of vectors [rows, columns] or [layers, rows, columns]")
    return wrap_of([tuple(vector) for vector in data])


def _open(data: Any) -> tuple[int, int] | None:
    """How many cells stay open, at least and at most."""
    if data is None:
        return None
    if not isinstance(data, list) or len(data) != 2 or not all(type(number) is int and 0 <= number < 10**9 for number in data):
        raise InputError(f"'open' is {shown(data)}; it must be two whole numbers [at least, at most], or null")
    return data[0], data[1]


def _together(data: Any) -> tuple[tuple[str, ...], ...]:
    """Groups of names of tiles."""
    groups = data if isinstance(data, list) else [None]
    if not all(isinstance(group, list) and group and all(isinstance(name, str) for name in group) for group in groups):
        raise InputError(f"'together' is {shown(data)}; it must be a list of groups, each a list of names of tiles")
    return tuple(map(tuple, groups))


def _label(data: Any) -> tuple[Cell, str]:
    fields = _object(data, "a label", ("cell", "label"))
    return next(iter(cells([fields.get("cell")], "'cell' of a label"))), _typed(fields, "label", str, "")


def _group(data: Any) -> OpenGroup:
    fields = _object(data, "a group", ("name", "cells"))
    return OpenGroup(_typed(fields, "name", str, ""), cells(fields.get("cells"), "'cells' of a group"))


def _tile(data: Any, index: int, lattice: Lattice, disconnected: bool) -> Tile:
    fields = _object({"cells": data} if isinstance(data, str) else data, f"tile {index}", _TILE_KEYS)
    written = fields.get("cells")
    if isinstance(written, str):
        shape, paint, _ = paint_text.tile(written, lattice, NO_LEGEND)
    else:
        shape, paint = cells(written, f"'cells' of tile {index}"), PLAIN
    name = _typed(fields, "name", str, "")
    if not name and isinstance(written, str) and not _NOT_A_LINE.search(written):
        name = written.strip()
    check_shape(lattice, shape, f"tile {name or index}")
    at_most, at_least = _natural(fields, "at_most", None, _MOST_COPIES), _natural(fields, "at_least", 0, _MOST_COPIES)
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
    return tuple({tile.name: colour_called(_typed(data, "fill", str, "")) for tile, data in filled}.items())


def _paint(fields: Mapping[str, Any], what: str) -> Paint:
    """The paint of a tile."""
    front, back = coat(fields, what), fields.get("back")
    return Paint(front, front if back is None else coat(_object(back, f"'back' of {what}", _COAT_KEYS), what))


def _constraint(data: Any) -> Constraint:
    fields = _object(data, "a constraint", _CONSTRAINT_KEYS)
    kind, tile = _typed(fields, "kind", str, ""), _typed(fields, "tile", str, "")
    if kind not in KINDS:
        raise InputError(f"the constraint {shown(kind)} is unknown{suggest(kind, KINDS)}; there are {', '.join(KINDS)}")
    # The two corners of a box have an order, and may be equal.
    marked = tuple(cell for place in _typed(fields, "cells", list, []) for cell in cells([place], "'cells' of a constraint"))
    return Constraint(kind, tile, marked, _natural(fields, "orientations", 0) or 0)


def cells(data: Any, what: str) -> Shape:
    """A set of cells from lists of two or three whole numbers each; twice the same cell is refused."""
    wrong = InputError(f"{what} must be a list of cells [row, column] or [layer, row, column], whole numbers under 10^9")
    if not isinstance(data, list) or not all(isinstance(cell, list) and len(cell) in (2, 3) for cell in data):
        raise wrong
    if not all(type(number) is int and abs(number) < 10**9 for cell in data for number in cell):
        raise wrong
    shape = frozenset(map(tuple, data))
    if len(shape) < len(data):
        raise InputError(f"{what} names a cell twice")
    return shape


def _object(data: Any, what: str, keys: tuple[str, ...]) -> Mapping[str, Any]:
    if not isinstance(data, dict):
        raise InputError(f"{what} must be an object with {', '.join(keys)}")
    for key in data:
        if key not in keys:
            raise InputError(f"{what} has an unknown key {shown(key)}{suggest(key, keys)}; there are {', '.join(keys)}")
    return data


def _typed(fields: Mapping[str, Any], key: str, kind: type, default: Any) -> Any:
    value = fields.get(key, default)
    if type(value) is not kind:
        raise InputError(f"{key!r} is {shown(value)}; it must be {'true or false' if kind is bool else f'a {kind.__name__}'}")
    if isinstance(value, str) and _NOT_A_LINE.search(value):
        raise InputError(f"{key!r} is {shown(value)}; it must be a single line of text")
    return value


def _natural(fields: Mapping[str, Any], key: str, default: int | None, most: int | None = None) -> int | None:
    value = fields.get(key, default)
    if value is not None and (type(value) is not int or value < 0 or (most is not None and value > most)):
        end = "" if most is None else f" to {most:,}"
        raise InputError(f"{key!r} is {shown(value)}; it must be a whole number from 0{end}")
    return value
