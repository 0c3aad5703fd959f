"""Describe paint as data: colours of cells and marks of sides, drawn on each orientation of a tile and on the board; and tell the
orientations of painted tiles that lie on the board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from operator import sub

from tiler.apps.studio.messages import LaidTileMessage, PatchMessage, SideMessage, Spot
from tiler.model.colour_names import COLOUR_NAMES
from tiler.model.instance import Instance
from tiler.model.lattice import Cell, Lattice, Shape
from tiler.model.paint import BLANK, Coat, coat_of
from tiler.model.tile import Placement, Tile
from tiler.render import cell_outlines, cells
from tiler.render import paint as drawn
from tiler.render.paint import NO_INKS, Inks
from tiler.render.scene import SIDE, Mark, Patch

_PLACES = 4  # decimals of a coordinate


def sides(lattice: Lattice, cell: Cell) -> tuple[SideMessage, ...]:
    """The sides of a cell that may have marks."""
    if lattice.has_edges:
        return ()
    plane = lattice if lattice.dimension == 2 else lattice.plane
    made = []
    for beyond in sorted(lattice.neighbours(cell)):
        in_layer = plane is not None and cell[:-2] == beyond[:-2]
        ends = _common(plane, cell[-2:], beyond[-2:]) if plane is not None and in_layer else ()
        made.append(SideMessage(beyond, ends))
    return tuple(made)


def _common(plane: Lattice, cell: Cell, beyond: Cell) -> tuple[Spot, ...]:
    """The two corners that a cell of the plane shares with another one, as they are drawn; empty if they do not touch."""
    there = set(cell_outlines.polygon(plane, beyond))
    shared = [point for point in cell_outlines.polygon(plane, cell) if point in there]
    return tuple(spot(cells.spot(plane, point)) for point in shared) if len(shared) == 2 else ()


def inks(instance: Instance) -> tuple[tuple[str, str], ...]:
    """The names of all colours and marks of a problem, and of the colours that have names of their own, each with the colour in
    which it is drawn."""
    return tuple({**COLOUR_NAMES, **_inks(instance).fills}.items())


def _inks(instance: Instance) -> Inks:
    return Inks.of(instance) if instance.is_painted or instance.ground else NO_INKS


def coats(instance: Instance, tile: Tile, fill: str) -> tuple[tuple[PatchMessage, ...], ...]:
    """The paint of each orientation of a tile, in the order of `Instance.variants`; empty if the tile has none."""
    if not tile.paint:
        return ()
    with_inks = _inks(instance)
    return tuple(tuple(_patches(instance.lattice, coat, with_inks, fill)) for coat in instance.coats(tile))


def _patches(lattice: Lattice, coat: Coat, with_inks: Inks, fill: str) -> Iterator[PatchMessage]:
    colours, marks = dict(coat.colours), dict(coat.marks)
    plane = lattice if lattice.dimension == 2 else lattice.plane
    for cell in sorted({*colours, *(side.cell for side in marks)}):
        if plane is None:
            if cell in colours:
                yield _patch(cell, Patch([cells.alone(lattice, cell)], with_inks.fills[colours[cell]], title=colours[cell]), 0)
            continue
        own = coat_of(
            {cell: colours[cell]} if cell in colours else {}, {side: mark for side, mark in marks.items() if side.cell == cell}
        )
        flat = drawn.in_layer(own, {cell}) if lattice.dimension == 3 else own
        place = partial(cells.spot, plane)
        levels = (
            drawn.areas(plane, flat, with_inks, place),
            drawn.knobs(plane, flat, with_inks, place, fill, tabs=False),
            drawn.knobs(plane, flat, with_inks, place, fill, tabs=True),
        )
        for level, some in enumerate(levels):
            yield from _all(cell, some, level)


def _all(cell: Cell, marks: Iterable[Mark], level: int) -> Iterator[PatchMessage]:
    for mark in marks:
        if isinstance(mark, Patch):
            yield _patch(cell, mark, level)


def _patch(cell: Cell, patch: Patch, level: int) -> PatchMessage:
    loop = tuple(map(spot, patch.loops[0]))
    return PatchMessage(cell, loop, patch.fill, round(patch.border / SIDE, _PLACES), level, patch.title or "")


def ground(instance: Instance) -> tuple[PatchMessage, ...]:
    """The colours of the cells of the board, pale, and beside its border the marks that it demands."""
    demands = instance.ground
    if not demands:
        return ()
    with_inks, lattice = _inks(instance), instance.lattice
    made = [
        _patch(cell, Patch([cells.alone(lattice, cell)], drawn.pale(with_inks.fills[colour]), title=colour), 0)
        for cell, colour in demands.colours
    ]
    if lattice.dimension == 2:
        made += _all(min(instance.board), drawn.wanted(instance, lattice, with_inks, partial(cells.spot, lattice)), 1)
    return tuple(made)


def placement(instance: Instance, laid: LaidTileMessage) -> Placement:
    """A tile that lies on the board, with the paint that is seen, if its orientation is known."""
    shape = frozenset(laid.cells)
    tile = instance.distinct_tiles[instance.number_of(laid.tile)]
    if laid.orientation is None or not tile.paint:
        return Placement(laid.tile, shape)
    seen = [coat for number, coat in _lying(instance, tile, shape) if number == laid.orientation]
    return Placement(laid.tile, shape, seen[0] if seen else BLANK)


def laid(instance: Instance, lies: Placement, *, locked: bool = False) -> LaidTileMessage:
    """A placement as the page has it: with the number of its orientation, if its paint is seen."""
    where = tuple(sorted(lies.cells))
    if not lies.coat:
        return LaidTileMessage(lies.tile, where, locked)
    tile = instance.distinct_tiles[instance.number_of(lies.tile)]
    number = next((number for number, coat in _lying(instance, tile, lies.cells) if coat == lies.coat), None)
    return LaidTileMessage(lies.tile, where, locked, number)


def _lying(instance: Instance, tile: Tile, shape: Shape) -> Iterator[tuple[int, Coat]]:
    """The orientations in which a tile covers these cells, each with its paint there."""
    wrap = instance.wrap
    home = {wrap.reduce(cell): cell for cell in instance.board} if wrap else {}
    for number, (variant, coat) in enumerate(zip(instance.variants(tile), instance.coats(tile), strict=True)):
        first = min(variant)
        for cell in sorted(shape):
            offset = tuple(map(sub, cell, first))
            moved = frozenset(tuple(a + b for a, b in zip(one, offset, strict=True)) for one in variant)
            if wrap:
                moved = frozenset(home.get(wrap.reduce(one), one) for one in moved)
            if moved == shape:
                seen = coat.moved(offset)
                yield number, seen.at_home(wrap, home) if wrap else seen


def spot(at: Spot) -> Spot:
    """A spot of a drawing, as the page has it."""
    x, y = (round(a / SIDE, _PLACES) + 0.0 for a in at)
    return x, y
