"""Draw boards and shapes in space from above and the front: find the visible faces and their brightness.

The first layer lies below, columns run to the lower right and rows to the lower left, so that nothing is mirrored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from math import dist, sqrt
from types import MappingProxyType
from typing import NamedTuple

from tiler.grouping import grouped
from tiler.model.corners import Point
from tiler.model.lattice import Cell, Lattice
from tiler.render import cell_outlines, cells, colours
from tiler.render.cell_outlines import Spot
from tiler.render.scene import BORDER, INK, PALE, SIDE, THIN, Label, Lines, Mark, Patch

_Owner = int  # the number of the placement on a cell; -1 if no placement covers it


class VisibleFace(NamedTuple):
    """A visible face, with its cell and the owner of the cell."""

    cell: Cell
    owner: _Owner
    face: cell_outlines.Face

    def sides(self) -> list[tuple[Point, Point]]:
        return list(pairwise([*self.face.corners, self.face.corners[0]]))

    def surface(self) -> tuple[int, int, int, int]:
        """A key that is equal for faces of one placement that look in the same direction."""
        right, front, up = (round(1000 * x) for x in self.face.out)
        return self.owner, right, front, up


def seen(lattice: Lattice, owner: Mapping[Cell, _Owner]) -> list[VisibleFace]:
    """The faces towards the viewer that no other cell touches, from the back to the front. `owner` has the owner of each cell."""
    height = {cell: round(sum(cells.middle(lattice, cell)), 6) for cell in owner}
    faces = {cell: cell_outlines.faces_of(lattice, cell) for cell in owner}
    shared = Counter(frozenset(face.corners) for of in faces.values() for face in of)
    return [
        VisibleFace(cell, owner[cell], face)
        for cell in sorted(owner, key=lambda cell: (height[cell], cell))
        for face in faces[cell]
        if sum(face.out) > 1e-6 and shared[frozenset(face.corners)] == 1
    ]


def view(
    lattice: Lattice,
    owner: Mapping[Cell, _Owner],
    look: Callable[[_Owner], Patch],
    optional: Collection[Cell] = (),
    painted: Mapping[tuple[Cell, frozenset[Point]], str] = MappingProxyType({}),
) -> Iterator[Mark]:
    """The marks of a view of all cells in `owner`, from the back to the front. `look` gives the look of an owner, as a patch
    without loops. `painted` has the fills of painted faces, by cell and corners."""
    if lattice.shared == 1:
        for cell in sorted(owner, key=lambda cell: (round(sum(cells.middle(lattice, cell)), 6), cell)):
            yield ball(look(owner[cell]), cells.ball_in_view(lattice, cell), hatched=owner[cell] < 0 and cell in optional)
        return
    parts = seen(lattice, owner)
    at_side = grouped((frozenset(side), visible) for visible in parts for side in visible.sides())
    scale = _scale(lattice)
    for visible in parts:
        spots = {point: cells.isometric(cell_outlines.space(lattice, point), scale) for point in visible.face.corners}
        patch = look(visible.owner)
        fill = shade(painted.get((visible.cell, frozenset(visible.face.corners)), patch.fill), _light(visible.face.out))
        # Each face has a border in its own colour, so that there are no gaps between faces.
        yield patch._replace(loops=[list(spots.values())], fill=fill, border=0.3, edge=fill)
        inner = [side for side in visible.sides() if _is_inner(at_side[frozenset(side)])]
        for some, width, opacity in ((inner, THIN, 0.3), (set(visible.sides()) - set(inner), 0.8 * BORDER, 1.0)):
            if some:
                yield Lines([(spots[start], spots[end]) for start, end in sorted(some)], INK, width, opacity)


def lettered(lattice: Lattice, shapes: Sequence[Collection[Cell]], letters: Sequence[str]) -> list[Label]:
    """A letter on each of some shapes in space: on the face nearest to the viewer whose middle nothing hides, if there is one."""
    owner = {cell: number for number, shape in enumerate(shapes) for cell in shape}
    parts = seen(lattice, owner) if lattice.shared > 1 else []
    in_front: list[Sequence[Spot]] = []
    labels: dict[int, Label] = {}
    for visible in reversed(parts):
        loop = [cells.isometric(cell_outlines.space(lattice, point), _scale(lattice)) for point in visible.face.corners]
        across, down = (sum(axis) / len(loop) for axis in zip(*loop, strict=True))
        if visible.owner not in labels and not any(cell_outlines.is_inside((across, down), other) for other in in_front):
            labels[visible.owner] = Label((across, down + 0.25 * SIDE), letters[visible.owner], 0.7 * SIDE, centred=True)
        in_front.append(loop)
    return list(labels.values())


def ball(look: Patch, loop: Sequence[cell_outlines.Spot], *, hatched: bool) -> Patch:
    """A patch for a sphere; `hatched` is for a sphere that may stay open."""
    made = look._replace(loops=[loop], border=1.5 * THIN)
    return made._replace(hatch="////", edge=PALE, kind="optional") if hatched else made


def shade(fill: str, light: float) -> str:
    """A colour `#rrggbb` multiplied by an amount of light, from 0 to 1.

    >>> shade("#ff8000", 0.5)
    '#804000'
    """
    return colours.of_parts(round(part * light) for part in colours.parts(fill))


def _is_inner(beside: Sequence[VisibleFace]) -> bool:
    """Whether a side lies between two faces of one placement that look in the same direction."""
    return len(beside) == 2 and beside[0].surface() == beside[1].surface()


@cache
def _scale(lattice: Lattice) -> float:
    """Units of a panel per unit of length: `1.1 * SIDE` is the geometric mean of a solid's shortest side and the least distance
    of neighbours."""
    face = cell_outlines.faces(lattice)[lattice.residues[0]][0].corners
    side = min(
        dist(cell_outlines.space(lattice, one), cell_outlines.space(lattice, two)) for one, two in pairwise([*face, face[0]])
    )
    ways = [tuple(lattice.fine * a for a in way) for way in lattice.differences[0]]
    apart = min(dist(cell_outlines.space(lattice, way), (0.0, 0.0, 0.0)) for way in ways)
    return 1.1 * SIDE / sqrt(side * apart)


def _light(out: cell_outlines.Position) -> float:
    """The amount of light, at most 1, on a face with this outward direction."""
    right, front, up = out
    return min(1.0, 0.78 + 0.22 * up + 0.09 * right - 0.04 * front)
