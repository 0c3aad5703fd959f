"""Write tilings, the steps of a search, or how a tiling comes apart, as one HTML file that needs no server and no network. The
page has the data as JSON; viewer/view.js draws it, in the plane as SVG and in space by three.js. viewer/three.min.js has the
parts of three.js that are used (MIT licence, three.LICENSE; made by scripts/viewer/build.sh). Readers who cannot see the drawing
have a title and a table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from html import escape
from importlib.resources import files
from itertools import pairwise
from math import dist
from typing import Any, NamedTuple

from tiler import jsontext, printable
from tiler.cover.board import BoardCover
from tiler.errors import BadOption
from tiler.grouping import grouped
from tiler.model.corners import Point
from tiler.model.instance import Instance
from tiler.model.lattice import Cell, Shape
from tiler.model.paint import Coat
from tiler.model.tile import Placement
from tiler.render import cell_outlines, cells, lettering
from tiler.render import paint as coats_drawn
from tiler.render.colours import GREYS, Colouring, PieceColours
from tiler.render.pages import MARGIN
from tiler.render.paint import Inks
from tiler.render.scene import BARE, BORDER, INK, SIDE, TABBED, THIN, Mark, Patch

MOST = 20_000  #: the most tilings or steps in a page
MOST_PLACEMENTS = 400_000  #: the most placements in all tilings or steps of a page together
_MOST_TRIED = 30_000  # with more, a page does not say which of them fit at a step


class Step(NamedTuple):
    """A step of a search: the placements made so far, in order, and the target of the last one: a cell. If its target is a
    tile, or nothing is placed, `cell` is None."""

    placed: Sequence[Placement]
    cell: object


class Stage(NamedTuple):
    """The pieces of an assembly after a step: for each piece that is shown the vector by which it has been moved, and the step in
    words."""

    moved: dict[int, Cell]
    said: str
    move: int  #: the number of the move, from 1; 0 for the assembly, and for a stage that only shows other pieces
    is_last: bool  #: whether this is the last step of the move
    is_off: bool = False  #: whether pieces go off by this move


def document(instance: Instance, tilings: Sequence[Sequence[Placement]], how: Colouring = None) -> str:
    """The page of some tilings, in these colours; BadOption if there are too many."""
    return _page(instance, tilings, "tilings", {"trace": False}, how)


def animation(instance: Instance, steps: Sequence[Step], how: Colouring = None) -> str:
    """The page of a search, in these colours; BadOption if it has too many steps."""
    return _page(instance, [step.placed for step in steps], "steps", _search(instance, steps), how)


def search(instance: Instance, steps: Sequence[Step]) -> dict[str, Any]:
    """The data of the page of a search, for a page that has the scripts already."""
    return {**data(instance, [step.placed for step in steps]), **_search(instance, steps)}


def _search(instance: Instance, steps: Sequence[Step]) -> dict[str, Any]:
    """What the page of a search has beside its frames: what was looked at, and all that could be placed there."""
    cover = BoardCover.of(instance)
    tile_of = {tile.name: number for number, tile in enumerate(instance.distinct_tiles)}
    number = {cell: n for n, cell in enumerate(sorted(instance.board))}
    placements: list[list[Any]] | None = None
    if len(cover) <= _MOST_TRIED:
        every = cover.placements(range(len(cover)))
        placements = [[tile_of[placement.tile], sorted(number[cell] for cell in placement.cells)] for placement in every]
    most = [sum(cover.upper[t].item() for t, name in enumerate(cover.names) if name == tile) for tile in tile_of]
    looked = [number.get(step.cell, -1) if isinstance(step.cell, tuple) else -1 for step in steps]
    return {"trace": True, "looked": looked, "placements": placements, "most": most}


def disassembly(instance: Instance, tiling: Sequence[Placement], stages: Sequence[Stage]) -> str:
    """The page that shows stage by stage how the pieces of a tiling come apart; BadOption if there are too many stages."""
    return _page(instance, [tiling], "tilings", {"trace": False, "moves": moves(instance, tiling, stages)})


def moves(instance: Instance, tiling: Sequence[Placement], stages: Sequence[Stage]) -> list[dict[str, Any]]:
    """Where each piece is at each stage, and what is said there; BadOption if there are too many stages."""
    if len(stages) > MOST:
        raise BadOption(f"a page of {len(stages):,} moves is too large for a browser; {MOST:,} at most")
    lattice = instance.lattice
    origin = min(tiling[0].cells)

    def place(cell: Cell) -> Sequence[float]:
        return cells.alone(lattice, cell)[0] if lattice.dimension == 2 else cells.middle(lattice, cell)

    def shift(by: Cell) -> list[float]:
        there = tuple(a + b for a, b in zip(origin, by, strict=True))
        return _rounded(b - a for a, b in zip(place(origin), place(there), strict=True))

    return [
        {"at": [shift(stage.moved[p]) if p in stage.moved else None for p in range(len(tiling))], "said": stage.said}
        for stage in stages
    ]


def data(instance: Instance, tilings: Sequence[Sequence[Placement]]) -> dict[str, Any]:
    """The data of the page of some tilings, for a page that has the scripts already."""
    title = printable.line(instance.heading) or "tiling"
    return {"title": title, "trace": False, **_data(instance, tilings)}


def _page(
    instance: Instance, frames: Sequence[Sequence[Placement]], noun: str, more: dict[str, Any], how: Colouring = None
) -> str:
    if len(frames) > MOST or sum(map(len, frames)) > MOST_PLACEMENTS:
        raise BadOption(
            f"a page of {len(frames):,} {noun} is too large for a browser; --limit {MOST:,} at most, "
            f"and {MOST_PLACEMENTS:,} pieces in all"
        )
    title = printable.line(instance.heading) or "tiling"
    data = jsontext.in_page({"title": title, **more, **_data(instance, frames, how)})
    scripts = [_part("view.js")] if instance.dimension == 2 else [_part("three.min.js"), _part("view.js")]
    keys = (
        "[ and ] or the arrow keys: another tiling"
        if instance.dimension == 2
        else ("[ and ]: another tiling; arrow keys: turn; e and E: apart and together; a finger or the mouse turns and zooms")
    )
    if "moves" in more:
        keys = keys.replace("another tiling", "another move").replace("e and E: apart and together; ", "")
    return "\n".join(
        [
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(title)}</title>\n<style>\n{_part('view.css')}</style>\n</head>\n<body>\n<h1>{escape(title)}</h1>",
            f'<div id="stage" tabindex="0" role="img" aria-labelledby="said" title="{keys}"></div>\n<div id="controls"></div>',
            '<p><span id="said" aria-live="polite"></span> <b id="pointed"></b></p>\n<p id="tried"></p>',
            "<details><summary>Where the pieces lie</summary>\n<div><table><thead><tr><th>tile</th><th>cells</th></tr></thead>"
            '<tbody id="rows"></tbody></table></div></details>',
            f'<script type="application/json" id="data">{data}</script>',
            *(f"<script>\n{script}</script>" for script in scripts),
            "</body>\n</html>\n",
        ]
    )


def _part(name: str) -> str:
    return (files("tiler.render") / "viewer" / name).read_text(encoding="utf-8")


def _data(instance: Instance, frames: Sequence[Sequence[Placement]], how: Colouring = None) -> dict[str, Any]:
    """The data that the page draws. Cells and tiles are numbers; each frame is a list of pieces [tile, colour, cells, coat]."""
    board = sorted(instance.board)
    number = {cell: n for n, cell in enumerate(board)}
    names = [tile.name for tile in instance.distinct_tiles]
    tile_of = {name: n for n, name in enumerate(names)}
    chosen = PieceColours.of(instance, frames, how)
    coats = _Coats(instance, number)
    rows = [
        [
            [tile_of[placed.tile], fill, sorted(number[cell] for cell in placed.cells), *coats.coat_of(placed, fill)]
            for placed, fill in zip(frame, fills, strict=True)
        ]
        for frame, fills in zip(frames, chosen.pieces, strict=True)
    ]
    geometry = _plane(instance, board) if instance.dimension == 2 else _space(instance, board)
    return {
        "dimension": instance.dimension,
        "tiles": [printable.line(name) for name in names],
        "colours": [chosen.tiles.get(name, BARE) for name in names],
        "greys": GREYS,
        "ink": INK,
        "bare": BARE,
        "names": [",".join(map(str, cell)) for cell in board],
        "frames": rows,
        "labels": _labels(instance, number),
        **geometry,
    }


def _labels(instance: Instance, number: Mapping[Cell, int]) -> list[list[Any]]:
    """For each cell of the plane with a label: its number, the label, x, y, and the size of letters."""
    if instance.dimension == 3:
        return []
    named = lettering.open_cells(instance, (), partial(cells.spot, instance.lattice))
    written = lettering.written(named.values(), 0.5 * SIDE)
    return [[number[cell], label.said, *_rounded((*label.at, label.size))] for cell, label in zip(named, written, strict=True)]


class _Coats:
    """The colours and marks on pieces, in the form that the page draws. Pieces with the same cells, coat and fill share
    one form."""

    def __init__(self, instance: Instance, number: Mapping[Cell, int]) -> None:
        self._instance, self._number, self._inks = instance, number, Inks.of(instance)
        self._known: dict[tuple[Shape, Coat, str], list[Any]] = {}

    def coat_of(self, placed: Placement, fill: str) -> list[Any]:
        """A list with the form of one coat; empty if nothing is painted. In the plane the form has three lists of patches, as in
        `_patches`: sockets, then areas and tabs, then outlines. In space it lists faces as [number of the cell, number of the
        face, fill]."""
        if not placed.coat:
            return []
        key = placed.cells, placed.coat, fill
        if key not in self._known:
            self._known[key] = [self._flat(placed, fill) if self._instance.dimension == 2 else self._solid(placed.coat)]
        return self._known[key]

    def _flat(self, placed: Placement, fill: str) -> list[list[Any]]:
        lattice, inks, place = self._instance.lattice, self._inks, partial(cells.spot, self._instance.lattice)
        sockets = coats_drawn.knobs(lattice, placed.coat, inks, place, BARE, tabs=False)
        tabs = coats_drawn.knobs(lattice, placed.coat, inks, place, fill, tabs=True)
        loops = coats_drawn.outline(lattice, placed.cells, placed.coat, inks, place)
        outlines = [Patch([loop], "none", TABBED if inks.tabs else BORDER) for loop in loops]
        return [_patches(some) for some in (sockets, [*tabs, *coats_drawn.areas(lattice, placed.coat, inks, place)], outlines)]

    def _solid(self, coat: Coat) -> list[list[Any]]:
        lattice = self._instance.lattice
        meshes = []
        for cell, corners, fill in coats_drawn.faces(lattice, coat, self._inks):
            faces = [frozenset(face.corners) for face in cell_outlines.faces_of(lattice, cell)]
            meshes.append([self._number[cell], faces.index(corners), fill])
        return meshes


def _patches(marks: Iterable[Mark]) -> list[Any]:
    """The patches among some marks, each with one loop: [loop, fill, width of the border]."""
    patches = [mark for mark in marks if isinstance(mark, Patch)]
    return [[[_rounded(spot) for spot in patch.loops[0]], patch.fill, round(patch.border, 4)] for patch in patches]


def _plane(instance: Instance, board: Sequence[Cell]) -> dict[str, Any]:
    """The shape of each cell, the sides with the numbers of the cells on both (-1: none), and the box around all cells."""
    loops = [cells.alone(instance.lattice, cell) for cell in board]
    sides = grouped((frozenset(ends), n) for n, loop in enumerate(loops) for ends in pairwise([*loop, loop[0]]))
    ground = _ground(instance)
    # Sorted by their ends, so that the same tiling gives the same page.
    by_ends = sorted((sorted(ends), beside) for ends, beside in sides.items())
    spots = [spot for loop in (*loops, *(loop for loop, _, _ in ground)) for spot in loop]
    across, down = ([spot[axis] for spot in spots] for axis in (0, 1))
    room = MARGIN + (0.3 * SIDE if coats_drawn.has_tabs(instance) else 0.0)
    box = [min(across) - room, min(down) - room, max(across) - min(across) + 2 * room, max(down) - min(down) + 2 * room]
    return {
        "cells": [[_rounded(spot) for spot in loop] for loop in loops],
        "edges": [[*map(_rounded, ends), beside[0], beside[1] if len(beside) > 1 else -1] for ends, beside in by_ends],
        "box": _rounded(box),
        "border": 2 * THIN if instance.lattice.has_edges else BORDER,  # An edge is hardly wider than a border.
        "thin": THIN,
        "ground": ground,
    }


def _ground(instance: Instance) -> list[Any]:
    """The colours of the board's cells, and the marks that its border demands, as in `_patches`."""
    lattice, inks, place = instance.lattice, Inks.of(instance), partial(cells.spot, instance.lattice)
    pale = inks._replace(fills={name: coats_drawn.pale(fill) for name, fill in inks.fills.items()})
    coloured = coats_drawn.areas(lattice, Coat(instance.ground.colours), pale, place)
    return _patches([*coats_drawn.wanted(instance, lattice, inks, place), *coloured])


def _rounded(numbers: Iterable[float]) -> list[float]:
    return [round(a, 4) for a in numbers]


def _space(instance: Instance, board: Sequence[Cell]) -> dict[str, Any]:
    """The corners of all cells; for each cell its centre, layer and faces. A face has the numbers of its corners and of the cell
    beyond (-1: none)."""
    lattice = instance.lattice
    corners: dict[Point, int] = {}
    faces: list[list[list[Any]]] = []
    beyond: dict[frozenset[int], list[int]] = {}
    for n, cell in enumerate(board):
        own = []
        for face in cell_outlines.faces_of(lattice, cell):
            numbered = [corners.setdefault(point, len(corners)) for point in face.corners]
            beyond.setdefault(frozenset(numbered), []).append(n)
            own.append([numbered, -1])
        faces.append(own)
    for n, sides in enumerate(faces):
        for side in sides:
            others = [other for other in beyond[frozenset(side[0])] if other != n]
            side[1] = others[0] if others else -1
    places = [cell_outlines.space(lattice, point) for point in corners]
    centres = [cells.middle(lattice, cell) for cell in board]
    middle = [(min(axis) + max(axis)) / 2 for axis in zip(*centres, strict=True)]
    around = max(
        [0.5, *(dist(centres[n], places[at]) for n, sides in enumerate(faces) for corners_of, _ in sides for at in corners_of)]
    )
    reach = max(dist(centre, middle) for centre in centres) + around
    heights = sorted({cell[0] for cell in board})
    return {
        "points": [*map(_rounded, places)],
        "centres": [*map(_rounded, centres)],
        "faces": faces,
        "layers": [heights.index(cell[0]) for cell in board],
        "middle": _rounded(middle),
        "reach": round(reach, 4),
        "around": round(around, 4),
    }
