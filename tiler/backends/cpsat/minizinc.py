"""Write exact covers for MiniZinc: one model for all of them (`MODEL`), and a data file for each.

Tilings of a board are also written with the geometric constraint geost (`GEOST_MODEL`), as the Tiler thesis (2022, section 2.6)
does. An object is a copy of a tile: the number of its variant and its position. Each variant is a set of rectangles. The
constraint keeps objects apart, and the copies in use together have the board's area. Copies of a tile come in the order of their
positions. Unused copies come last; they have shape 1 and lie below the board, on one cell each. Layers lie one below the other,
as in cpsat's `geometric`. A table says where a variant may lie.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING

from tiler import printable
from tiler.backends.colour_constraints import agreements
from tiler.backends.cpsat.models import Plane

if TYPE_CHECKING:
    from tiler.cover.board import BoardCover


GEOST_MODEL = """\
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


def write_geost_model() -> Iterator[str]:
    """The lines of the model."""
    yield from GEOST_MODEL.splitlines()


def write_geost_data(cover: BoardCover, *, by_squares: bool = False) -> Iterator[str]:
    """The lines of a cover's data. Tiles and variants have their numbers in the cover, from 0; a place is row times width plus
    column in `Plane.of(cover, margin=0)`. Variants are sets of rectangles, or of unit squares, the thesis's other model."""
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
        if by_squares:
            rectangles = [
                (top + down, left + right, 1, 1)
                for top, left, height, width in rectangles
                for down, right in product(range(height), range(width))
            ]
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


MODEL = """\
% A tiling as an exact cover: choose placements so that every cell is covered once and
% every tile is used between its bounds. All tilings: minizinc --all-solutions.
int: cells;
int: tiles;
int: placements;
array [1..cells] of string: cell_name;
array [1..tiles] of string: tile_name;
array [1..tiles] of int: lower;
array [1..tiles] of int: upper;
array [1..placements] of 1..tiles: tile;
array [1..placements] of set of 1..cells: covers;
array [1..placements] of string: paint;
% Marks of sides: the placement by[g] gives the side on[g] the mark gives[g]; all that are made must agree.
int: sides;
int: marks;
int: given;
array [1..given] of 1..placements: by;
array [1..given] of 1..sides: on;
array [1..given] of 1..marks: gives;

array [1..placements] of var bool: placed;

array [1..cells] of set of 1..placements: covering =
  [{p | p in 1..placements where c in covers[p]} | c in 1..cells];

constraint forall (c in 1..cells) (sum (p in covering[c]) (bool2int(placed[p])) = 1);
constraint forall (t in 1..tiles) (
  let { var int: used = sum (p in 1..placements where tile[p] = t) (bool2int(placed[p])) }
  in lower[t] <= used /\\ used <= upper[t]
);
constraint forall (s in 1..sides) (
  sum (m in 1..marks) (
    bool2int(exists (g in 1..given where on[g] = s /\\ gives[g] = m) (placed[by[g]]))
  ) <= 1
);

solve satisfy;

output [
  if fix(placed[p]) then
    tile_name[tile[p]] ++ ":" ++ concat([" " ++ cell_name[c] | c in covers[p]]) ++ paint[p] ++ "\\n"
  else "" endif
  | p in 1..placements
];
"""


def write_model(comments: Sequence[str] = ()) -> Iterator[str]:
    """The lines of the model."""
    yield from (f"% {printable.joined(comment)}" for comment in comments)
    yield from MODEL.splitlines()


def write_data(cover: BoardCover, comments: Sequence[str] = ()) -> Iterator[str]:
    """The lines of a cover's data; items (cells, and corners that tiles must not cross, which
    have no name), tiles, sides and marks count from 1; the tiles of items left uncovered have no name."""
    yield from (f"% {printable.joined(comment)}" for comment in comments)
    yield f"cells = {len(cover.items)};"
    yield f"tiles = {len(cover.tiles)};"
    yield f"placements = {len(cover)};"
    yield f"cell_name = {_strings([*(','.join(map(str, cell)) for cell in cover.cells), *('' for _ in cover.corners)])};"
    yield f"tile_name = {_strings(tile.name for tile in cover.tiles)};"
    yield f"lower = {cover.lower.tolist()};"
    yield f"upper = {cover.upper.tolist()};"
    yield f"tile = {[t + 1 for t in cover.tile.tolist()]};"
    yield "covers = ["
    for members in cover.members.lists():
        yield f"  {{{', '.join(str(cell + 1) for cell in members)}}},"
    yield "];"
    yield f"paint = {_strings(_paint(cover))};"
    binding = agreements(cover)
    given = [
        (option + 1, side, mark)
        for side, agreement in enumerate(binding, 1)
        for mark, options in agreement.options.items()
        for option in options
    ]
    yield f"sides = {len(binding)};"
    yield f"marks = {len(cover.coloured.colours) if cover.coloured else 0};"
    yield f"given = {len(given)};"
    for name, column in zip(("by", "on", "gives"), zip(*given, strict=True) if given else ((), (), ()), strict=True):
        yield f"{name} = {list(column)};"


def _paint(cover: BoardCover) -> list[str]:
    """For each option its colours and marks, as JSON after its cells; nothing if it has none."""
    found = [""] * len(cover)
    if cover.instance.is_painted:
        shown = cover.shown(range(len(cover))).tolist()
        for option, placed in zip(shown, cover.placements(shown), strict=True):
            found[option] = json.dumps(placed.coat.to_json(), separators=(",", ":")) if placed.coat else ""
    return found


def _strings(texts: Iterable[str]) -> str:
    # What JSON escapes in a line of printable letters, quotes and backslashes, MiniZinc escapes likewise.
    return "[" + ", ".join(json.dumps(printable.joined(text), ensure_ascii=False) for text in texts) + "]"
