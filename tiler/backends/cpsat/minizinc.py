"""Write exact covers for MiniZinc: one model for all of them (`MODEL`), and a data file for each."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from tiler import printable
from tiler.backends.colour_constraints import agreements

if TYPE_CHECKING:
    from tiler.cover.board import BoardCover

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
