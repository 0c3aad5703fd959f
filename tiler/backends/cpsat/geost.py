"""Write the tilings of a board in MiniZinc with the geometric constraint geost, as the Tiler thesis (2022, section 2.6) does.

An object is a copy of a tile: the number of its variant and its position. Each variant is a set of rectangles. The constraint
keeps objects apart, and the copies in use together have the board's area. Copies of a tile come in the order of their positions.
Unused copies come last; they have shape 1 and lie below the board, on one cell each. Layers lie one below the other, as in
cpsat's `geometric`. A table says where a variant may lie.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tiler.backends.cpsat.models import Plane

if TYPE_CHECKING:
    from tiler.cover.board import BoardCover

MODEL = """\
include "geost.mzn";
include "table.mzn";
int: height;
int: width;
int: area;
int: rectangles;
int: shapes;
int: copies;
int: places;
array [1..rectangles, 1..2] of int: size;
array [1..rectangles, 1..2] of int: offset;
array [1..shapes] of set of int: made_of;
array [1..shapes] of int: cells;
array [1..shapes] of int: tile_of;
array [1..shapes] of int: variant_of;
array [1..copies] of int: tile;
array [1..copies] of set of int: allowed;
array [1..places, 1..3] of int: lies;

array [1..copies] of var 1..shapes: shape;
array [1..copies, 1..2] of var int: at;
array [1..copies] of var 0..(height + copies) * width: place;

constraint forall (c in 1..copies) (
  shape[c] in allowed[c] /\\ at[c, 1] in 0..height + copies - 1 /\\ at[c, 2] in 0..width - 1 /\\
  place[c] = at[c, 1] * width + at[c, 2] /\\
  (shape[c] = 1 -> at[c, 1] = height + c - 1) /\\
  table([shape[c], at[c, 1], at[c, 2]], lies)
);
constraint forall (c in 2..copies where tile[c] = tile[c - 1]) (
  (shape[c] > 1 -> (shape[c - 1] > 1 /\\ place[c - 1] < place[c]))
);
constraint sum (c in 1..copies) (cells[shape[c]]) = area;
constraint geost(2, size, offset, made_of, at, shape);

solve satisfy;

output [
  if fix(shape[c]) > 1 then
    "place \\(tile[c]) \\(variant_of[fix(shape[c])]) \\(fix(place[c]))\\n"
  else "" endif
  | c in 1..copies
];
"""


def write_model() -> Iterator[str]:
    """The lines of the model."""
    yield from MODEL.splitlines()


def write_data(cover: BoardCover) -> Iterator[str]:
    """The lines of a cover's data. Tiles and variants have their numbers in the cover, from 0; a place is row times width plus
    column in `Plane.of(cover, margin=0)`."""
    plane = Plane.of(cover, margin=0)
    pieces = [(0, 0, 1, 1)]
    made_of, cells, tile_of, variant_of = ["1..1"], [0], [-1], [-1]
    lies: list[list[int]] = []
    allowed = []
    by_form: dict[tuple[int, int], list[int]] = {}
    for option, form in enumerate(zip(cover.tile.tolist(), cover.variant.tolist(), strict=True)):
        by_form.setdefault(form, []).append(option)
    shapes_of: dict[int, list[int]] = {}
    for (t, v), options in sorted(by_form.items()):
        rectangles = plane.rectangles(cover.variants[t][v])
        made_of.append(f"{len(pieces) + 1}..{len(pieces) + len(rectangles)}")
        pieces += rectangles
        cells.append(int(cover.sizes[t]))
        tile_of.append(t)
        variant_of.append(v)
        shapes_of.setdefault(t, []).append(len(cells))
        firsts = (plane.number(cover.cells[int(cover.members[option][0])]) for option in options)
        lies += [[len(cells), *divmod(first, plane.width)] for first in firsts]
    tile = []
    for t in range(len(cover.tiles)):
        shapes = shapes_of.get(t, [])
        for copy in range(min(int(cover.upper[t]), len(cover.by_tile[t]), len(cover.cells) // int(cover.sizes[t]))):
            tile.append(t)
            allowed.append(f"{{{', '.join(map(str, shapes if copy < cover.lower[t] else [1, *shapes]))}}}")
    lies += [[1, plane.height + copy, 0] for copy in range(len(tile))]
    yield f"height = {plane.height}; width = {plane.width}; area = {len(cover.cells)};"
    yield f"rectangles = {len(pieces)}; shapes = {len(cells)}; copies = {len(tile)}; places = {len(lies)};"
    yield f"size = {_rows([[height, width] for _, _, height, width in pieces])};"
    yield f"offset = {_rows([[top, left] for top, left, _, _ in pieces])};"
    yield f"made_of = [{', '.join(made_of)}];"
    yield f"cells = {cells};"
    yield f"tile_of = {tile_of};"
    yield f"variant_of = {variant_of};"
    yield f"tile = {tile};"
    yield f"allowed = [{', '.join(allowed)}];"
    yield f"lies = {_rows(lies)};"


def _rows(rows: list[list[int]]) -> str:
    return "[|" + "|".join(", ".join(map(str, row)) for row in rows) + "|]"
