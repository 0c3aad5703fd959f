"""Pieces of squares and cubes as closed surfaces, for printing in plastic: STL, and 3MF with every piece as an object of its own.

A piece is drawn in by half a gap all round, so that the printed ones go together. Its cells are cut in three along each axis, at
half a gap from their sides; what is left of these parts has a surface without holes, or edges where it touches itself.
"""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tiler import printable
from tiler.errors import BadOption
from tiler.model.instance import Instance
from tiler.model.lattice import Cell, Shape, box
from tiler.render.svg_elements import number

FORMATS = ("stl", "3mf")
MOST = 500  #: pieces in a file

_WHEN = (1980, 1, 1, 0, 0, 0)  # the same pieces make the same file
_AXES = ((1, 0, 0), (0, 1, 0), (0, 0, 1))


class Mesh(NamedTuple):
    """A closed surface of triangles: corners in mm, shape (corners, 3), and numbers of corners, shape (triangles, 3), which go
    round anticlockwise as seen from outside."""

    name: str
    corners: NDArray[np.float64]
    triangles: NDArray[np.int64]


def pieces(instance: Instance, unit: float, gap: float) -> list[Mesh]:
    """A mesh for each copy that must be used, or one for each tile, side by side on the bed; lengths in mm."""
    if not instance.lattice.has_boxes:
        raise BadOption(f"pieces of squares and cubes can be printed, not of the {instance.lattice} lattice")
    if not 0 <= gap < unit / 2:
        raise BadOption(f"a gap of {gap} mm is too large for cells of {unit} mm: less than half of that")
    copies = [(tile, tile.at_most or 1) for tile in instance.distinct_tiles]
    if sum(times for _, times in copies) > MOST:
        raise BadOption(f"more than {MOST} pieces; give fewer copies")
    meshes, across, back, deepest = [], 0.0, 0.0, 0.0
    width = max(4.0, sum(times * tile.size for tile, times in copies) ** 0.5 * 2.5) * unit
    for tile, times in copies:
        shape = tile.shape if tile.lattice.dimension == 3 else frozenset((0, *cell) for cell in tile.shape)
        corners, triangles = surface(shape, unit, gap)
        wide, deep = (corners.max(0) - corners.min(0))[:2]
        for _ in range(times):
            if across and across + wide > width:
                across, back, deepest = 0.0, back + deepest + unit / 2, 0.0
            meshes.append(Mesh(tile.name, corners - corners.min(0) + (across, back, 0.0), triangles))
            across, deepest = across + wide + unit / 2, max(deepest, deep)
    return meshes


def surface(shape: Shape, unit: float, gap: float) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Corners and triangles of a shape in space, as in `Mesh`: x to the right, y to the front, z up."""
    parts = set(_parts(shape)) if gap else set(shape)
    numbers: dict[Cell, int] = {}
    triangles = []
    for part, axis, side in product(sorted(parts), range(3), (0, 1)):
        step = tuple((2 * side - 1) * a for a in _AXES[axis])
        if tuple(a + b for a, b in zip(part, step, strict=True)) in parts:
            continue
        first, second = _AXES[(axis + 1) % 3], _AXES[(axis + 2) % 3]
        start = tuple(a + side * b for a, b in zip(part, _AXES[axis], strict=True))
        loop = [tuple(a + i * b + j * c for a, b, c in zip(start, first, second, strict=True)) for i, j in _SQUARE]
        at = [numbers.setdefault(corner, len(numbers)) for corner in (loop if side else loop[::-1])]
        triangles += [(at[0], at[1], at[2]), (at[0], at[2], at[3])]
    low, _ = box(shape)
    corners = np.array([[_place(a, gap / unit / 2, gap) for a in corner] for corner in numbers], float) - low
    # Layer, row, column are z, y and x: an odd swap, and rows run to the front, another one.
    return (corners[:, ::-1] * (1, -1, 1) * unit), np.array(triangles, np.int64)


_SQUARE = ((0, 0), (1, 0), (1, 1), (0, 1))


def _place(at: int, inset: float, gap: float) -> float:
    """Where a corner lies, in cells: of a third of a cell, at its side, or that far from it."""
    if not gap:
        return float(at)
    cell, third = divmod(at, 3)
    return cell + (0.0, inset, 1 - inset)[third]


def _parts(shape: Shape) -> Iterator[Cell]:
    """The thirds of cells that lie at least half a gap within: those all of whose cells around are of the shape."""
    for cell in shape:
        for part in product((-1, 0, 1), repeat=3):
            around = product(*({0, way} for way in part))
            if all(tuple(a + b for a, b in zip(cell, way, strict=True)) in shape for way in around):
                yield tuple(3 * a + 1 + b for a, b in zip(cell, part, strict=True))


def write(meshes: Sequence[Mesh], title: str, form: str) -> bytes:
    """The file: binary STL, or 3MF in mm."""
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
