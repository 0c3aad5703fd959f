"""Draw a tiling of any lattice as panels: one for a board in the plane; in space one for every layer, and a view of the whole.

Thick borders between tiles, thin lines inside them, a dot where a tile goes on in the next layer. Cells that no tile covers are
light; they are hatched if they may stay open. If cells are smaller than half a millimetre, borders would hide the colours: then
pieces of one colour are drawn as one area without a border.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import NamedTuple

from tiler import printable
from tiler.grouping import grouped
from tiler.model.corners import Point
from tiler.model.instance import Instance
from tiler.model.lattice import Cell, Lattice, Shape
from tiler.model.paint import BLANK, Coat
from tiler.model.tile import Placement
from tiler.render import cell_outlines, cells, lettering, overlays, scene, solid
from tiler.render import paint as coats_drawn
from tiler.render.cell_outlines import Spot
from tiler.render.cells import Layer
from tiler.render.colours import PieceColours, is_dark
from tiler.render.lettering import Word
from tiler.render.options import USUAL, PictureLook
from tiler.render.paint import NO_INKS, Inks
from tiler.render.scene import BARE, BORDER, INK, PALE, SIDE, TABBED, THIN, Dots, Lines, Mark, Panel, Patch

_GAP = 8.0  #: between shapes side by side
_LEAST = 0.02  #: the least side, in inches, of a cell that is drawn with borders
_LETTER = 0.5 * SIDE  #: size of letters in cells, at most


def panels(
    instance: Instance, solution: Sequence[Placement], fills: Sequence[str] | None = None, look: PictureLook = USUAL
) -> list[Panel]:
    """The board with a tiling; `()` draws the plain board. `fills` has the colour of each placement, if it is known already.

    BadOption if the tiling has no marks of the kind that `look` asks for.
    """
    lattice = instance.lattice
    owner = {cell: number for number, placement in enumerate(solution) for cell in placement.cells}
    names = [placement.tile for placement in solution]
    fills = fills or PieceColours.of(instance, [solution], look.colours).pieces[0]
    coats = [placement.coat for placement in solution] if instance.is_painted else ()
    picture = _Picture(lattice, owner, names, fills, instance.optional, coats, Inks.of(instance), dict(instance.ground.colours))
    over = overlays.OVERLAYS[look.marks].draw(instance, solution) if look.marks else []
    seams = _Seams.of(instance)
    if lattice.dimension == 2:
        (layer,) = cells.by_layer(lattice, instance.board)
        if not lattice.has_edges and 0 < look.inches < _LEAST * cells.span(lattice, instance.board) / SIDE:
            return [scene.fitted("", [*picture.merged(layer), *over])]
        # Dashes lie above the sides of cells, but below sticks.
        below, above = (seams.drawn, picture.layer) if lattice.has_edges else (picture.layer, seams.drawn)
        wanted = coats_drawn.wanted(instance, lattice, picture.inks, partial(cells.spot, lattice))
        labels = lettering.open_cells(instance, owner, partial(cells.spot, lattice))
        said = lettering.written([*labels.values(), *(picture.named(layer) if look.names else ())], _LETTER)
        return [scene.fitted("", [*wanted, *below(layer), *above(layer), *over, *said])]
    layers = cells.by_layer(lattice, instance.board) if cells.has_layers(lattice) else []
    named = [[*picture.named(layer)] if look.names else [] for layer in layers]
    letters = iter(lettering.written([name for names in named for name in names], _LETTER))
    drawn = [
        (layer.heading, [*picture.layer(layer, named=look.names), *seams.drawn(layer), *islice(letters, len(names))])
        for layer, names in zip(layers, named, strict=True)
    ]
    return [*scene.alike(drawn), scene.fitted("from above", picture.view(instance.board))]


def of_pieces(lattice: Lattice, pieces: Sequence[Placement], fills: Sequence[str]) -> list[Mark]:
    """Pieces at their places, each in a colour, without a board; in space the isometric view."""
    owner = {cell: number for number, placement in enumerate(pieces) for cell in placement.cells}
    picture = _Picture(lattice, owner, [placement.tile for placement in pieces], fills, (), [], NO_INKS, {})
    (layer, *_) = cells.by_layer(lattice, owner)
    return list(picture.layer(layer) if lattice.dimension == 2 else picture.view(owner))


def of_shape(lattice: Lattice, shape: Shape, fill: str, heading: str = "", coat: Coat = BLANK, inks: Inks = NO_INKS) -> Panel:
    """A panel of a shape in a colour, with the colours and marks of its coat; in space the isometric view."""
    picture = _Picture(lattice, dict.fromkeys(shape, 0), [""], [fill], (), [coat] if coat else (), inks, {})
    (layer, *_) = cells.by_layer(lattice, shape)
    return scene.fitted(heading, picture.layer(layer) if lattice.dimension == 2 else picture.view(shape))


def of_shapes(lattice: Lattice, shapes: Sequence[Shape], fills: Sequence[str], heading: str) -> Panel:
    """One panel of shapes side by side, each in a colour."""
    marks: list[Mark] = []
    right = 0.0
    for shape, fill in zip(shapes, fills, strict=True):
        panel = of_shape(lattice, shape, fill)
        marks += [scene.moved(mark, right, 0.0) for mark in panel.marks]
        right += panel.width + _GAP
    # A shape made of edges is thick lines, half of which lie beyond their ends.
    room = max((mark.width / 2 for mark in marks if isinstance(mark, scene.Lines)), default=0.0)
    return scene.fitted(
        heading, marks, [(x + side, y + side) for mark in marks for x, y in scene.spots_of(mark) for side in (-room, room)]
    )


def numbered(
    lattice: Lattice,
    numbers: Mapping[Cell, int],
    shades: Mapping[int, str],
    drawn_in: Sequence[tuple[Collection[Cell], str]],
    said: Callable[[int], tuple[str, str]] | None,
) -> list[Panel]:
    """Numbers on cells as shades; a panel for every layer. `shades` has the colour for each number.

    `drawn_in` has sets of cells that are drawn over the shades, each with a colour. `said` gives the text for a number and the
    colour of its letters; None writes no numbers.
    """
    drawn = []
    written = {cell: said(numbers[cell]) for cell in sorted(numbers) if said and numbers[cell]}
    in_cells = (Word(word, [cells.alone(lattice, cell)], colour) for cell, (word, colour) in written.items())
    letters = dict(zip(written, lettering.written(in_cells, _LETTER), strict=True))
    for heading, of_layer, plane in cells.by_layer(lattice, numbers):
        marks: list[Mark] = []
        for value in sorted({numbers[cell] for cell in of_layer}):
            loops = cells.outlines(lattice, plane, [cell for cell in of_layer if numbers[cell] == value])
            marks.append(Patch(loops, shades[value]))
        if plane is not None and plane.shared > 1:
            marks.append(Lines(cells.inner_lines(plane, [of_layer]), "#999999", THIN))
        marks.append(Patch(cells.outlines(lattice, plane, of_layer), "none", BORDER if plane is not None else THIN))
        for some, colour in drawn_in:
            loops = cells.outlines(lattice, plane, [cell for cell in of_layer if cell in some])
            marks += [Patch(loops, colour, 1.4 * BORDER, colour, 0.45)] if loops else []
        marks += [letters[cell] for cell in of_layer if cell in letters]
        drawn.append((heading, marks))
    return scene.alike(drawn)


class _Picture(NamedTuple):
    """The pieces on a board, and how they look. `owner` has the number of the piece on each covered cell."""

    lattice: Lattice
    owner: Mapping[Cell, int]
    names: Sequence[str]
    fills: Sequence[str]
    optional: Collection[Cell]
    coats: Sequence[Coat]  #: the colours and marks of each piece; empty if no piece has any
    inks: Inks
    ground: Mapping[Cell, str]  #: the colours of the board's cells

    def layer(self, layer: Layer, *, named: bool = False) -> Iterator[Mark]:
        """The marks of a layer; `named` moves dots from the middle of cells to a corner, since names stand there."""
        groups = grouped((self.owner.get(cell, -1), cell) for cell in layer.cells)
        if layer.plane is None:
            yield from self._balls(groups)
        elif layer.plane.shared == 1:
            yield from self._edges(layer.plane, groups)
        else:
            yield from self._areas(layer.plane, groups)
        if self.lattice.dimension == 3 and layer.plane is not None:
            plane = layer.plane
            on = [cell for cell in layer.cells if self._goes_on(cell)]
            if on:
                yield (
                    Dots([_corner(plane, cell) for cell in on], 0.1 * SIDE)
                    if named
                    else Dots([cells.centre(plane, cell) for cell in on])
                )

    def merged(self, layer: Layer) -> Iterator[Mark]:
        """A layer of the plane without borders: one area for each colour."""
        by_fill = grouped((self._look(self.owner.get(cell, -1)).fill, cell) for cell in layer.cells)
        for fill, some in sorted(by_fill.items()):
            yield Patch(cells.outlines(self.lattice, layer.plane, some), fill, is_crisp=True)

    def named(self, layer: Layer) -> Iterator[Word]:
        """The names of the pieces in a layer, each with the loops in which it may stand; cells with a dot are avoided."""
        groups = grouped((self.owner.get(cell, -1), cell) for cell in layer.cells)
        for number, some in sorted(groups.items()):
            if number >= 0 and layer.plane is not None:
                free = [cell for cell in some if not self._goes_on(cell)] or some
                loops = lettering.on_piece(layer.plane, free, partial(cells.spot, layer.plane))
                loops = [lettering.shrunk(loops[0], 0.5)] if self.inks.tabs else loops  # Between sockets.
                yield Word(printable.line(self.names[number]), loops, "#ffffff" if is_dark(self.fills[number]) else INK)

    def _goes_on(self, cell: Cell) -> bool:
        number = self.owner.get(cell, -1)
        return number >= 0 and self.owner.get((cell[0] + 1, *cell[1:])) == number

    def _areas(self, plane: Lattice, groups: Mapping[int, Sequence[Cell]]) -> Iterator[Mark]:
        outline = cells.outliner(plane)
        bare = groups.get(-1)
        if bare:
            yield Patch(outline(bare), BARE, kind="uncovered")
            for colour in sorted({self.ground[cell] for cell in bare if cell in self.ground}):
                alike = [cell for cell in bare if self.ground.get(cell) == colour]
                yield Patch(outline(alike), coats_drawn.pale(self.inks.fills[colour]), title=colour)
            spare = [cell for cell in bare if cell in self.optional]
            if spare:
                yield scene.spare(outline(spare))
            # The border comes last, since hatching would cover it.
            yield Patch(outline(bare), "none", BORDER)
        place, border = partial(cells.spot, plane), TABBED if self.inks.tabs else BORDER
        numbers = [number for number in sorted(groups) if number >= 0]
        coats = {number: coats_drawn.in_layer(self.coats[number], groups[number]) for number in numbers if self.coats}
        loops = {number: outline(groups[number]) for number in numbers if not self.coats}
        for number, coat in coats.items():
            flat = [cell[-2:] for cell in groups[number]]
            loops[number] = coats_drawn.outline(plane, flat, coat, self.inks, place)
        for number in numbers:
            yield self._look(number)._replace(loops=loops[number], border=border)
        for coat in coats.values():
            yield from coats_drawn.areas(plane, coat, self.inks, place)
        inner = cells.inner_lines(plane, groups.values())
        if inner:
            yield Lines(inner, INK, THIN, 0.25)
        # Colours and marks hide the inner half of borders, so the borders are drawn again.
        for number in coats:
            yield Patch(loops[number], "none", border)

    def _edges(self, plane: Lattice, groups: Mapping[int, Sequence[Cell]]) -> Iterator[Mark]:
        """Edges as sticks. A stick ends a little before its corner, unless another stick of the same piece meets it there."""
        for number, some in sorted(groups.items()):
            sticks = [cell_outlines.polygon(plane, cell[-2:]) for cell in some]
            meeting = Counter(point for stick in sticks for point in stick)
            ends = []
            for stick in sticks:
                a, b = (cells.spot(plane, point) for point in stick)
                ends.append((_towards(b, a, meeting[stick[0]]), _towards(a, b, meeting[stick[1]])))
            if number < 0:
                yield Lines(ends, PALE, 2.0)
            else:
                yield Lines(ends, INK, 0.36 * SIDE)
                yield Lines(ends, self.fills[number], 0.24 * SIDE, kind="tile", title=self.names[number])

    def _balls(self, groups: Mapping[int, Sequence[Cell]]) -> Iterator[Mark]:
        """A layer of spheres, seen from above."""
        for number, some in sorted(groups.items()):
            for cell in sorted(some):
                hatched = number < 0 and cell in self.optional
                yield solid.ball(self._look(number), cells.ball(self.lattice, cell), hatched=hatched)

    def _look(self, number: int) -> Patch:
        """The look of a placement, as a patch without loops; -1 is the look of cells that are not covered."""
        if number < 0:
            return Patch((), BARE, kind="uncovered")
        return Patch((), self.fills[number], kind="tile", title=self.names[number])

    def view(self, board: Collection[Cell]) -> Iterator[Mark]:
        owner = {cell: self.owner.get(cell, -1) for cell in board}
        faces: dict[tuple[Cell, frozenset[Point]], str] = {}
        for coat in self.coats:
            faces |= {(cell, corners): fill for cell, corners, fill in coats_drawn.faces(self.lattice, coat, self.inks)}
        return solid.view(self.lattice, owner, self._look, self.optional, faces)


class _Seams(NamedTuple):
    """The seams of a wrapped board: where it goes on at its other side."""

    instance: Instance
    board: Collection[Cell]  #: its cells, each reduced by the wrap; empty without a wrap

    @classmethod
    def of(cls, instance: Instance) -> _Seams:
        return cls(instance, {instance.wrap.reduce(cell) for cell in instance.board} if instance.wrap else ())

    def drawn(self, layer: Layer) -> Iterator[Lines]:
        """The seams of a layer as dashed lines: sides of cells beyond which the wrap goes on with another cell of the board. For
        edges: the first part of each edge beyond the seam that is drawn elsewhere on the board."""
        plane, wrap = layer.plane, self.instance.wrap
        if not wrap or plane is None:
            return
        ends = []
        for cell in layer.cells:
            corners = set(cell_outlines.polygon(plane, cell[-2:]))
            for flat in plane.neighbours(cell[-2:]):
                other = (*cell[:-2], *flat)
                if other not in self.instance.board and wrap.reduce(other) in self.board:
                    there = cell_outlines.polygon(plane, flat)
                    start, end = sorted(there, key=lambda point: (point not in corners, point))[:2]
                    near, far = cells.spot(plane, start), cells.spot(plane, end)
                    ends.append((near, far if plane.shared > 1 else cell_outlines.part(near, far, 0.45)))
        if plane.shared > 1:
            yield Lines(ends, "#ffffff", 1.2 * BORDER, dashed=True)
        else:
            yield Lines(sorted(set(ends)), "#8a8a8a", 1.5, dashed=True)


def _towards(start: Spot, end: Spot, meeting: int) -> Spot:
    """The end of a stick: `end` itself if several sticks of the piece meet there (`meeting`), else a little before it."""
    return cell_outlines.part(start, end, 1.0 if meeting > 1 else 0.84)


def _corner(plane: Lattice, cell: Cell) -> Spot:
    """A position near the upper right corner of a cell."""
    spots = [cells.spot(plane, point) for point in cell_outlines.polygon(plane, cell[-2:])]
    return cell_outlines.part(cells.centre(plane, cell), max(spots, key=lambda spot: spot[0] - spot[1]), 0.66)
