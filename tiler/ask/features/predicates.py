"""Features by which tilings are filtered: no fault line, no crossroads, copies of a tile apart, all pieces on the border, pieces
that come apart. No feature depends on how the board is turned: it holds for all tilings of an orbit or for none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from tiler.ask.features import disassembly
from tiler.ask.features.disassembly import disassembly_of
from tiler.errors import BadOption
from tiler.model.instance import Instance
from tiler.model.lattice import Cell, Shape, box
from tiler.model.tile import Placement
from tiler.process.cancellation import StopCheck, never_stop

Holds = Callable[[Sequence[Placement]], bool]  #: of a tiling


@dataclass(frozen=True)
class Feature:
    """A feature: its name and help, a function that says why it makes no sense for an instance (or None), and a function that
    looks for it in a tiling. The second calls `look` many times a second if it takes long.
    """

    name: str
    help: str
    refusal: Callable[[Instance], str | None]
    of: Callable[[Instance, StopCheck], Holds]


def holds(instance: Instance, names: Iterable[str], look: StopCheck = never_stop) -> Holds:
    """Whether a tiling has all these features; BadOption if one makes no sense for the instance."""
    found = []
    for name in names:
        why = FEATURES[name].refusal(instance)
        if why:
            raise BadOption(f"{name}: {why}")
        found.append(FEATURES[name].of(instance, look))
    return lambda tiling: all(each(tiling) for each in found)


def border_of(instance: Instance) -> Shape:
    """The cells of the board that have a side on its border."""
    board, wrap = frozenset(map(instance.wrap.reduce, instance.board)), instance.wrap
    neighbours = instance.lattice.neighbours
    return frozenset(cell for cell in instance.board if not all(wrap.reduce(other) in board for other in neighbours(cell)))


def _has_no_fault(instance: Instance, look: StopCheck) -> Holds:
    """A fault line (in space, a plane) runs between two rows of cells right through the board, and no piece lies across it."""
    low, high = box(instance.board)
    lines: list[tuple[int, int]] = []  # an axis, and the coordinate of the cells behind the line
    for axis, (first, last) in enumerate(zip(low, high, strict=True)):
        step = tuple(int(axis == other) for other in range(instance.dimension))
        behind = {
            cell[axis] for cell in instance.board if tuple(a - b for a, b in zip(cell, step, strict=True)) in instance.board
        }
        lines += [(axis, at) for at in range(first + 1, last + 1) if at in behind]

    def has(tiling: Sequence[Placement]) -> bool:
        spans = [box(placement.cells) for placement in tiling]
        crossed = {
            (axis, at) for least, most in spans for axis in range(len(low)) for at in range(least[axis] + 1, most[axis] + 1)
        }
        return crossed.issuperset(lines)

    return has


def _has_no_crossroads(instance: Instance, look: StopCheck) -> Holds:
    """In no point four pieces meet, or more."""
    lattice, seam = instance.lattice, instance.wrap.times(instance.lattice.fine)
    around: dict[Cell, list[Cell]] = {}
    for cell in sorted(instance.board):
        kind = lattice.residues.index(tuple(a % m for a, m in zip(cell, lattice.moduli, strict=True)))
        for corner in lattice.corners[kind]:
            point = tuple(lattice.fine * a + b for a, b in zip(cell, corner, strict=True))
            around.setdefault(seam.reduce(point), []).append(cell)
    points = [cells for cells in around.values() if len(cells) > 3]

    def has(tiling: Sequence[Placement]) -> bool:
        owner = {cell: number for number, placement in enumerate(tiling) for cell in placement.cells}
        return all(len({owner[cell] for cell in cells if cell in owner}) < 4 for cells in points)

    return has


def _are_apart(instance: Instance, look: StopCheck) -> Holds:
    """No two copies of a tile share a side."""
    reduce = instance.wrap.reduce
    cell_of = {reduce(cell): cell for cell in instance.board}
    beside = [
        (cell, cell_of[reduce(other)])
        for cell in sorted(instance.board)
        for other in instance.lattice.neighbours(cell)
        if reduce(other) in cell_of
    ]

    def has(tiling: Sequence[Placement]) -> bool:
        owner = {cell: (placement.tile, number) for number, placement in enumerate(tiling) for cell in placement.cells}
        nobody = ("", -1)
        pairs = ((owner.get(one, nobody), owner.get(two, nobody)) for one, two in beside)
        return not any(one[0] == two[0] and one != two for one, two in pairs)

    return has


def _are_on_border(instance: Instance, look: StopCheck) -> Holds:
    border = border_of(instance)
    return lambda tiling: all(not border.isdisjoint(placement.cells) for placement in tiling)


def _come_apart(instance: Instance, look: StopCheck) -> Holds:
    return lambda tiling: disassembly_of(instance, tiling, shortest=False, look=look).comes_apart


def _no_boxes(instance: Instance) -> str | None:
    return None if instance.has_boxes else "it is about boards of squares or cubes that are not wrapped"


def _in_space(instance: Instance) -> str | None:
    return "it is about boards in the plane" if instance.dimension == 3 else None


def _never(instance: Instance) -> str | None:
    return None


#: All of them, by their names.
FEATURES: Mapping[str, Feature] = {
    feature.name: feature
    for feature in (
        Feature("fault-free", "every straight line through the board cuts a piece", _no_boxes, _has_no_fault),
        Feature("no-crossroads", "no four pieces meet in a point", _in_space, _has_no_crossroads),
        Feature("apart", "no two copies of a tile share a side", _never, _are_apart),
        Feature("takes-apart", "the pieces come apart by straight moves", disassembly.refusal, _come_apart),
        Feature("border", "every piece has a side on the border of the board", _never, _are_on_border),
    )
}
