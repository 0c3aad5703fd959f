"""Make pieces, solutions and trays for 3D printers: STL, and 3MF with every piece as an object of its own.

A flat piece is its outline, with tabs and sockets, given a height. In space cells are cubes, or prisms over hexagons. A piece is
made smaller by half a gap all round, so that printed pieces fit together. To do this, each cell is cut along lines at half a gap
from its sides into a middle, a part along each side and a part at each corner; its height is cut into three in the same way. The
parts on the outside of the piece are dropped. The surface of the others has no holes and does not touch itself. The wall of a
tray is made of parts of the cells around the board: those that touch the board, cut at the thickness of the wall.
"""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache, partial
from itertools import pairwise
from math import dist, hypot, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tiler import printable
from tiler.amounts import counted
from tiler.apps.puzzles.printing.surfaces import Surface, bevelled, drilled, extruded, middle
from tiler.errors import BadOption
from tiler.model.corners import Point, around
from tiler.model.instance import Instance
from tiler.model.lattice import Cell, Lattice, Shape
from tiler.model.lattices import HEXAGONAL
from tiler.model.paint import BLANK, Coat
from tiler.model.tile import Placement
from tiler.render import cell_outlines, paint
from tiler.render.cell_outlines import Spot
from tiler.render.options import GAP, PLATE, Lengths, PictureLook
from tiler.render.pages import on_sheets, refuse_larger
from tiler.render.paint import NO_INKS, Inks
from tiler.render.svg_elements import number

FORMATS = ("stl", "3mf")
MOST = 500  #: the most pieces that are made
APART = 5.0  #: the gap between pieces on a plate, in mm
PIN, PIN_DEPTH = 0.4, 5.0  #: the width of pins as a share of a cell's face, and the depth of their holes in mm
FLOOR, WALL = 2.0, 3.0  #: the thickness of the floor and the wall of a tray, in mm; the wall is half as high as a piece

USUAL = Lengths()
_WHEN = (1980, 1, 1, 0, 0, 0)  # the same pieces make the same file

_Corner = tuple[object, ...]  # a key for a corner; parts that share the corner have the same key
_Part = tuple[_Corner, ...]  # the corners of the part, anticlockwise as seen from above


class Mesh(NamedTuple):
    """A closed surface of triangles. `corners`, shape (corners, 3), is in mm. `triangles`, shape (triangles, 3), has for each
    triangle the numbers of its corners, anticlockwise as seen from outside."""

    name: str
    corners: NDArray[np.float64]
    triangles: NDArray[np.int64]


def pieces(
    instance: Instance, lengths: Lengths = USUAL, plate: tuple[float, float] = PLATE, *, halves: bool = False
) -> list[list[Mesh]]:
    """A mesh for each copy that may be used, or one for each tile, side by side on plates of this width and depth in mm. With
    `halves` a piece of several layers comes in two, with holes for pins where they meet, and the pins. BadOption if a piece is
    larger than the plate."""
    _refuse(instance, lengths)
    copies = [(tile, tile.at_most or 1) for tile in instance.distinct_tiles]
    if sum(times for _, times in copies) > MOST:
        raise BadOption(f"more than {MOST} pieces; give fewer copies")
    # In space flat pieces are as high as a layer.
    lengths = lengths._replace(height=_height(instance.lattice, lengths))
    inks = Inks.of(instance)
    made = []
    for tile, times in copies:
        body = surface(tile.lattice, tile.shape, lengths, tile.paint.coats[0], inks)
        bodies = _halves(tile.lattice, tile.shape, lengths) if halves else []
        made += [Mesh(tile.name, *part.triangles()) for part in bodies or [body]] * times
    return _laid(made, plate)


def assembled(instance: Instance, tiling: Sequence[Placement], lengths: Lengths = USUAL) -> list[Mesh]:
    """A mesh for each placement, where it lies."""
    _refuse(instance, lengths)
    if instance.wrap:
        raise BadOption("the tiling of a wrapped board has no shape in space; -o tiling.svg draws it")
    if not tiling:
        raise BadOption("no piece lies on the board, so there is nothing to print")
    if len(tiling) > MOST:
        raise BadOption(f"a file holds {MOST} pieces, not {len(tiling):,}")
    inks = Inks.of(instance)
    bodies = [surface(instance.lattice, placed.cells, lengths, placed.coat, inks) for placed in tiling]
    made = [Mesh(placed.tile, *body.triangles()) for placed, body in zip(tiling, bodies, strict=True)]
    low = np.min([mesh.corners.min(0) for mesh in made], axis=0)
    return [mesh._replace(corners=mesh.corners - low) for mesh in made]


def draw(instance: Instance, tiling: Sequence[Placement], look: PictureLook, form: str) -> bytes:
    """The pieces of a tiling where they lie, as a file."""
    return write(assembled(instance, tiling, look.lengths), instance.heading, form)


def plates(instance: Instance, form: str) -> list[bytes]:
    """All pieces, side by side on plates of the usual size, as files."""
    return [write(plate, instance.heading, form) for plate in pieces(instance)]


def _halves(lattice: Lattice, shape: Shape, lengths: Lengths) -> list[Surface]:
    """The parts of a piece of several layers below and above its middle layer, each in one part, with a hole in each face where
    they meet, and a pin for each two holes. Empty for a piece of one layer."""
    layers = sorted({cell[0] for cell in shape})
    if lattice.dimension == 2 or len(layers) == 1:
        return []
    first_above = layers[len(layers) // 2]
    meeting = [cell for cell in shape if cell[0] == first_above and (cell[0] - 1, *cell[1:]) in shape]
    gap, high = gap_of(lengths), _height(lattice, lengths)
    deep = min(PIN_DEPTH, high / 3)
    at = first_above * high
    middles = [
        _place(lattice.plane or lattice, lengths, tuple((lattice.plane or lattice).fine * a for a in cell[1:]))
        for cell in meeting
    ]
    made = []
    for is_above in (False, True):
        half = {cell for cell in shape if (cell[0] >= first_above) == is_above}
        for part in lattice.components(half):
            body = surface(lattice, frozenset(part), lengths)
            own = [
                n
                for n, face in enumerate(body.faces)
                for x, y in middles
                if dist(middle(body, face), (x, -y, at + (gap / 2 if is_above else -gap / 2))) < 1e-6
            ]
            made.append(drilled(body, own, PIN, deep))
    loop = cell_outlines.polygon(lattice.plane or lattice, meeting[0][1:]) if meeting else []
    spots = [_place(lattice.plane or lattice, lengths, point) for point in loop]
    if spots:
        # A pin is as wide as a hole, less a gap, and a little shorter than two holes.
        whole = min(lengths.units[:2]) - gap - 2 * lengths.bevel
        (x, y), share = middles[0], PIN * whole / min(lengths.units[:2])
        pin = extruded([[(share * (a - x), share * (b - y)) for a, b in spots]], (0.0, 2 * deep - 0.4), gap / 2, 0.0)
        made += [pin] * len(meeting)
    return made


def _laid(made: Sequence[Mesh], plate: tuple[float, float]) -> list[list[Mesh]]:
    """Meshes side by side on plates."""
    sizes = []
    for mesh in made:
        wide, deep = (float(a) for a in np.ptp(mesh.corners, axis=0)[:2])
        refuse_larger(f"tile {printable.line(mesh.name)}", wide, deep, plate)
        sizes.append((wide, deep))
    return [
        [made[k]._replace(corners=made[k].corners - made[k].corners.min(0) + np.array((x, y, 0.0))) for k, (x, y) in sheet]
        for sheet in on_sheets(sizes, plate, APART)
    ]


def tray(instance: Instance, lengths: Lengths = USUAL, plate: tuple[float, float] = PLATE) -> Mesh:
    """A tray for the pieces: a floor under the board, and a wall around it. For a board in space, the floor is its view from
    above. The sides of the plate are in mm. BadOption if the board is wrapped, or the tray larger than the plate."""
    plane = instance.lattice.plane or instance.lattice
    if not plane.has_boxes and plane != HEXAGONAL:
        raise BadOption(
            f"trays are made for squares, cubes, hexagons and prisms over them, not on the {instance.lattice} lattice"
        )
    _refuse(instance, lengths)
    paint.refuse_tray(instance)
    wall = min(WALL, 0.4 * min(lengths.units))
    board = {cell[-2:] for cell in instance.board}
    beside_board = {other for cell in board for other in around(plane, cell, shared=1)} - board
    parts = _Parts(plane, lengths, wall)
    floor, walls = [], []
    for cell in sorted(board):
        floor += [part for part, _ in parts.of_cell(cell)]
    for cell in sorted(beside_board):
        middle, *others = parts.of_cell(cell)
        touching = [part for part, beside in others if not board.isdisjoint(beside)]
        # If the wall fills a hole except its middle, the middle is filled, too.
        walls += [*touching, middle[0]] if len(touching) == len(others) else touching
    solids = [(part, 0, 1) for part in (*floor, *walls)] + [(part, 1, 2) for part in walls]
    high = _height(instance.lattice, lengths)
    made = Mesh("tray", *_closed(solids, parts, [0.0, FLOOR, FLOOR + high / 2]).triangles())
    wide, deep = (float(a) for a in np.ptp(made.corners, axis=0)[:2])
    refuse_larger("the tray", wide, deep, plate)
    return made


def _refuse(instance: Instance, lengths: Lengths) -> None:
    """BadOption if cells of this lattice cannot be printed, or if a length is out of range."""
    lattice, least = instance.lattice, min(lengths.units)
    if lattice.has_edges:
        raise BadOption(f"pieces of the {lattice} lattice are edges, which have no body")
    if lattice.dimension == 3 and not lattice.has_boxes and lattice.plane != HEXAGONAL:
        raise BadOption(f"in space pieces of cubes and of prisms over hexagons can be printed, not of the {lattice} lattice")
    if len(set(lengths.units)) > 1 and not lattice.has_boxes:
        raise BadOption(f"squares and cubes may have a --unit for each direction; on the {lattice} lattice give one")
    if instance.dimension == 3 and paint.has_tabs(instance):
        raise BadOption("tabs of pieces in space are not printed: leave out the mates, or draw them, with -o pieces.html")
    gap = gap_of(lengths)
    if not 0 <= gap < least / 2:
        raise BadOption(f"a gap of {gap} mm is too large for cells of {least:g} mm: less than half of that")
    if paint.has_tabs(instance) and gap > least / 20:
        raise BadOption(f"a gap of {gap:g} mm is too large for tabs on cells of {least:g} mm: {least / 20:g} at most")
    if not lattice.plane and not max(0.5, gap) < lengths.height <= 200:
        raise BadOption(f"a height of {lengths.height:g} mm: flat pieces are higher than 0.5 mm and the gap, up to 200 mm")
    most = min(least if not paint.has_tabs(instance) else least / 5, _height(lattice, lengths)) / 4 - gap / 2
    if not 0 <= lengths.bevel <= most:
        raise BadOption(f"a bevel of {lengths.bevel:g} mm: from 0 to {max(0.0, most):.3g} mm here")


def gap_of(lengths: Lengths) -> float:
    """The gap between pieces in plastic."""
    return GAP if lengths.gap is None else lengths.gap


def surface(lattice: Lattice, shape: Shape, lengths: Lengths = USUAL, coat: Coat = BLANK, inks: Inks = NO_INKS) -> Surface:
    """The surface of a shape where it lies: x to the right, y to the back, z up; on a lattice of the plane with the tabs and
    sockets of its coat."""
    gap, high = gap_of(lengths), _height(lattice, lengths)
    if lattice.dimension == 2:
        loops = paint.outline(lattice, shape, coat, inks, partial(_place, lattice, lengths))
        return extruded(loops, (gap / 2, high - gap / 2), gap / 2, lengths.bevel)
    cut = gap / 2 + lengths.bevel
    parts = _Parts(lattice.plane or lattice, lengths, cut)
    bottom, top = min(cell[0] for cell in shape), max(cell[0] for cell in shape)
    heights = [(z + bottom) * high + inset for z in range(top - bottom + 2) for inset in (0.0, cut, high - cut)]
    solids = []
    for z, *flat in sorted(shape):
        first = 3 * (z - bottom)
        for part, beside in parts.of_cell(tuple(flat)):
            if cut:
                ways = ((0, (z - 1, z)), (1, (z,)), (2, (z, z + 1)))
                kept = [third for third, layers in ways if shape.issuperset((y, *other) for y in layers for other in beside)]
                solids += [(part, first + third, first + third + 1) for third in kept]
            else:
                solids.append((part, first, first + 3))
    closed = _closed(solids, parts, heights)
    return bevelled(closed, lengths.bevel) if lengths.bevel else closed


def _place(plane: Lattice, lengths: Lengths, point: Point) -> Spot:
    """The place of a corner in mm, on a page: to the right, and down."""
    (x, y), step, (right, back, _) = cell_outlines.page(plane, point), cell_outlines.step(plane), lengths.units
    return x * right / step, y * back / step


class _Parts:
    """The parts of the cells of a plane, cut at a distance of `cut` mm from their sides; 0 leaves cells whole."""

    def __init__(self, plane: Lattice, lengths: Lengths, cut: float) -> None:
        self._plane, self._lengths, self._cut = plane, lengths, cut
        self._places: dict[_Corner, tuple[float, float]] = {}

    def of_cell(self, cell: Cell) -> Iterator[tuple[_Part, Collection[Cell]]]:
        """The middle of a cell, then the parts along its sides, then those at its corners; each with the cells that touch it."""
        loop = cell_outlines.polygon(self._plane, cell)[::-1]  # anticlockwise, seen from above
        if not self._cut:
            yield tuple(self._corner(("corner", point), point) for point in loop), (cell,)
            return
        inner = [self._inner(cell, *three) for three in zip([loop[-1], *loop], loop, [*loop[1:], loop[0]], strict=False)]
        yield tuple(inner), (cell,)
        sides = list(pairwise([*loop, loop[0]]))
        ends = [(self._on_side(start, end), self._on_side(end, start)) for start, end in sides]
        for k, (start, end) in enumerate(sides):
            beside = set(_at(self._plane, cell, start)) & set(_at(self._plane, cell, end))
            yield (*ends[k], inner[(k + 1) % len(loop)], inner[k]), beside
        for k, point in enumerate(loop):
            corner = self._corner(("corner", point), point)
            yield (corner, ends[k][0], inner[k], ends[k - 1][1]), _at(self._plane, cell, point)

    def place(self, corner: _Corner) -> tuple[float, float]:
        """The position of a corner of a part, in mm: to the right, and to the back."""
        return self._places[corner]

    def _corner(self, key: _Corner, point: Point) -> _Corner:
        self._places.setdefault(key, self._at(point))
        return key

    def _at(self, point: Point) -> tuple[float, float]:
        x, y = _place(self._plane, self._lengths, point)
        return x, -y

    def _inner(self, cell: Cell, before: Point, corner: Point, after: Point) -> _Corner:
        """The point in a cell, near its corner `here`, that lies at the distance of the cut from both sides at this corner."""
        key = ("inner", cell, corner)
        if key not in self._places:
            (x, y), one, two = self._at(corner), self._way(corner, before), self._way(corner, after)
            times = self._cut / abs(one[0] * two[1] - one[1] * two[0])
            self._places[key] = x + times * (one[0] + two[0]), y + times * (one[1] + two[1])
        return key

    def _on_side(self, start: Point, end: Point) -> _Corner:
        """The point on the side from `here` to `there` where a cut along the other side at `here` ends; all angles are equal."""
        key = ("side", start, end)
        if key not in self._places:
            (x, y), (right, up) = self._at(start), self._way(start, end)
            times = self._cut / _sine(self._plane)
            self._places[key] = x + times * right, y + times * up
        return key

    def _way(self, start: Point, end: Point) -> tuple[float, float]:
        (x, y), (u, v) = self._at(start), self._at(end)
        long = hypot(u - x, v - y)
        return (u - x) / long, (v - y) / long


@cache
def _sine(plane: Lattice) -> float:
    """The sine of the angles of a cell, which are all equal."""
    return 1.0 if plane.has_boxes else sqrt(3) / 2


def _height(lattice: Lattice, lengths: Lengths) -> float:
    """The height of a layer in mm; on a lattice of the plane that of a flat piece."""
    layer = lengths.units[2] * sqrt(lattice.metric[0][0])
    return layer / cell_outlines.step(lattice.plane) if lattice.plane else lengths.height


@cache
def _at(plane: Lattice, cell: Cell, point: Point) -> tuple[Cell, ...]:
    """The cells that have the corner `point`, which is a corner of `cell`; in order."""
    near = [cell, *around(plane, cell, shared=1)]
    return tuple(sorted(other for other in near if point in cell_outlines.polygon(plane, other)))


def _closed(solids: Iterable[tuple[_Part, int, int]], parts: _Parts, heights: Sequence[float]) -> Surface:
    """The surface of a body made of `solids`: each is a part with the numbers of its lower and upper height. A face that two
    solids share is inside the body and left out."""
    faces: dict[frozenset[tuple[_Corner, int]], list[tuple[_Corner, int]]] = {}
    for part, low, high in solids:
        walls = [[(a, low), (b, low), (b, high), (a, high)] for a, b in pairwise([*part, part[0]])]
        for face in ([(corner, low) for corner in reversed(part)], [(corner, high) for corner in part], *walls):
            key = frozenset(face)
            if faces.pop(key, None) is None:
                faces[key] = face
    numbers: dict[tuple[_Corner, int], int] = {}
    numbered = [[numbers.setdefault(corner, len(numbers)) for corner in face] for face in faces.values()]
    return Surface([(*parts.place(corner), heights[level]) for corner, level in numbers], numbered)


def in_words(meshes: Sequence[Mesh]) -> str:
    """The bodies on a plate, and the room that they take."""
    corners = np.concatenate([mesh.corners for mesh in meshes])
    sides = " x ".join(f"{side:.4g}" for side in np.ptp(corners, axis=0))
    what = meshes[0].name if len(meshes) == 1 else counted(len(meshes), "piece")
    return f"{printable.line(what)}, {sides} mm"


def write(meshes: Sequence[Mesh], title: str, form: str) -> bytes:
    """The content of a file with these meshes: binary STL, or 3MF; both in mm."""
    return _stl(meshes) if form == "stl" else _3mf(meshes, title)


def _stl(meshes: Sequence[Mesh]) -> bytes:
    corners = np.concatenate([mesh.corners[mesh.triangles] for mesh in meshes])
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    rows = np.zeros(len(corners), np.dtype([("lengths", "<f4", (12,)), ("more", "<u2")]))
    rows["lengths"] = np.concatenate([normals, corners.reshape(-1, 9)], axis=1)
    return b"pieces in mm".ljust(80) + struct.pack("<I", len(rows)) + rows.tobytes()


def _3mf(meshes: Sequence[Mesh], title: str) -> bytes:
    objects = []
    for serial, mesh in enumerate(meshes, 1):
        at = "".join(f'<vertex x="{number(x)}" y="{number(y)}" z="{number(z)}"/>' for x, y, z in mesh.corners.tolist())
        faces = "".join(f'<triangle v1="{a}" v2="{b}" v3="{c}"/>' for a, b, c in mesh.triangles.tolist())
        inside = f"<mesh><vertices>{at}</vertices><triangles>{faces}</triangles></mesh>"
        objects.append(f'<object id="{serial}" type="model" name="{printable.xml(mesh.name)}">{inside}</object>')
    items = "".join(f'<item objectid="{serial}"/>' for serial in range(1, len(meshes) + 1))
    core = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"
    head = '<?xml version="1.0" encoding="UTF-8"?>\n'
    model = (
        f'{head}<model unit="millimeter" xmlns="{core}"><metadata name="Title">{printable.xml(title)}</metadata>'
        f"<resources>{''.join(objects)}</resources><build>{items}</build></model>"
    )
    package = "http://schemas.openxmlformats.org/package/2006"
    kinds = (
        f'{head}<Types xmlns="{package}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="model" ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/></Types>'
    )
    kind = "http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"
    leads = (
        f'{head}<Relationships xmlns="{package}/relationships">'
        f'<Relationship Target="/3D/3dmodel.model" Id="rel0" Type="{kind}"/></Relationships>'
    )
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in (("[Content_Types].xml", kinds), ("_rels/.rels", leads), ("3D/3dmodel.model", model)):
            file.writestr(zipfile.ZipInfo(name, _WHEN), content, zipfile.ZIP_DEFLATED)
    return out.getvalue()
