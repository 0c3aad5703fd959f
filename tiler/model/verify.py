"""Check a solution against an instance, from scratch. Nothing here is shared with the code that lists placements or searches, but
for `placements_left`, which reads the cells of a constraint `only`.

Deliberately naive: it knows cells by their corners, and compares sets of these (see corners.py; paint_verification.py for painted
tiles).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import combinations
from operator import sub

from tiler.amounts import nor_others
from tiler.model import corners, paint_verification
from tiler.model.constraints import Constraint, placements_left
from tiler.model.corners import Point, Solid
from tiler.model.instance import Instance
from tiler.model.lattice import Cell, Shape
from tiler.model.paint import Coat, Paint, lifted
from tiler.model.paint_verification import Stickers, Touching
from tiler.model.tile import Placement, Tile

# The most placements that are remembered, each with the tile whose form it has; on a small board these are all placements.
_REMEMBERED = 1 << 16

#: A key that congruent tiles share: one of the ways to turn the shape; if it is painted, all ways to turn it.
_Form = Solid | frozenset[Stickers]


def error_in(instance: Instance, solution: Sequence[Placement]) -> str | None:
    """What is wrong with a solution, in words, or None if it is a tiling of the board as the instance wants it."""
    return Verifier(instance).error_in(solution)


class Verifier:
    """Checks solutions of one instance: facts that do not depend on the solution are computed once."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        self._congruent = _Congruence(instance)
        self.forms = {tile.name: self._congruent.form_of(tile) for tile in instance.tiles}
        self.touching = Touching(instance) if instance.is_painted else None
        self.required = instance.board - instance.optional if instance.optional else instance.board
        self._at_least: Counter[_Form] = Counter()
        self._at_most: Counter[_Form] = Counter()
        unlimited: set[_Form] = set()
        for tile in instance.tiles:
            form = self.forms[tile.name]
            self._at_least[form] += tile.at_least
            if tile.at_most is None:
                unlimited.add(form)
            else:
                self._at_most[form] += tile.at_most
        for form in unlimited:
            del self._at_most[form]
        # Placements that lie on the board, each with a form that it has.
        self._known: set[tuple[Shape, Coat, _Form]] = set()

    def error_in(self, solution: Sequence[Placement]) -> str | None:
        """What is wrong with a solution, in words, or None if it is a tiling of the board as the instance wants it.

        Some 10 microseconds for every placement that it has not seen before, and one for others.
        """
        used: list[_Form] = []
        for number, placement in enumerate(solution, 1):
            form = self.forms.get(placement.tile)
            if form is None or not ((placement.cells, placement.coat, form) in self._known or self._looks_right(placement, form)):
                return f"placement {number} ({placement.tile}): {self._wrong(placement)}"
            used.append(form)
        shapes = [placement.cells for placement in solution]
        covered = set().union(*shapes)
        if len(covered) < sum(map(len, shapes)):
            return _overlap(solution)
        if not self.required <= covered:
            missing = self.required - covered
            others = nor_others(len(missing) - 1)
            return f"{min(missing)} is not covered{others}"
        return (
            self.miscounted(Counter(used))
            or self._left_open(covered)
            or self._broken(solution)
            or self._crossing(solution)
            or (self.touching.error_in(solution) if self.touching else None)
        )

    def bounds_of(self, form: _Form) -> tuple[int, int]:
        """How often tiles of a form must and may be used, all together."""
        cells = len(self._instance.board)
        return min(self._at_least[form], cells + 1), min(self._at_most.get(form, cells), cells)

    def holds_alone(self, placement: Placement) -> bool:
        """Whether nothing is wrong with a placement itself: it is an image of its tile on the board, no constraint forbids it,
        and it has no mark or colour that the board does not allow."""
        form = self.forms.get(placement.tile)
        if form is None or not ((placement.cells, placement.coat, form) in self._known or self._looks_right(placement, form)):
            return False
        constraints = [each for each in self._instance.constraints if each.kind != "place"]
        return all(self.obeys([placement], each) for each in constraints) and not (
            self.touching is not None and self.touching.error_in([placement])
        )

    def obeys(self, solution: Sequence[Placement], constraint: Constraint) -> bool:
        """Whether placements that are images of their tiles obey a constraint."""
        return _broken(solution, self.forms, self._congruent, constraint) is None

    def _looks_right(self, placement: Placement, form: _Form) -> bool:
        """Whether a placement lies on the board and has this form."""
        cells = placement.cells
        right = bool(cells) and cells <= self._instance.board and self._congruent.has_form(placement, form)
        if right and len(self._known) < _REMEMBERED:
            self._known.add((cells, placement.coat, form))
        return right

    def _wrong(self, placement: Placement) -> str:
        """A sentence that says why this is not a placement of its tile on the board."""
        if placement.tile not in self.forms:
            return "there is no tile of that name"
        if not placement.cells:
            return "it covers no cell"
        outside = placement.cells - self._instance.board
        if outside:
            return f"{min(outside)} is not a cell of the board"
        how = "" if self._instance.reflections else f" ({'reflections' if self._instance.turning else 'turns'} are not allowed)"
        if isinstance(self.forms[placement.tile], frozenset):
            return f"its cells and what is painted on them do not look like the tile{how}"
        if placement.coat:
            return "the tile has no colours and marks"
        return f"its cells do not have the shape of the tile{how}"

    def miscounted(self, used: Mapping[_Form, int]) -> str | None:
        """A sentence about a tile that is used too often or too seldom; None if there is none."""
        for tile in self._instance.tiles:
            form = self.forms[tile.name]
            copies = used.get(form, 0)
            if form in self._at_most and copies > self._at_most[form]:
                return f"tile {tile.name} is used {copies} times, at most {self._at_most[form]} are allowed"
            if copies < self._at_least[form]:
                return f"tile {tile.name} is used {copies} times, at least {self._at_least[form]} are needed"
        return None

    def _left_open(self, covered: set[Cell]) -> str | None:
        """A sentence, if too many or too few cells of the board or of a group stay open; else None."""
        for group in self._instance.groups:
            left = group.cells - covered
            if len(left) != 1:
                return f"{len(left)} cells of the group {group.name} stay open, not 1"
        if self._instance.open is None:
            return None
        number, (least, most) = len(self._instance.board) - len(covered), self._instance.open
        return None if least <= number <= most else f"{number} cells stay open, not {least} to {most}"

    def _broken(self, solution: Sequence[Placement]) -> str | None:
        """Which placement a constraint forbids, or that a placed copy is missing."""
        return next(filter(None, map(partial(_broken, solution, self.forms, self._congruent), self._instance.constraints)), None)

    def _crossing(self, solution: Sequence[Placement]) -> str | None:
        """A sentence about two placements that cross although they must not; None if there are none."""
        if self._instance.crossing:
            return None
        met: dict[Point, list[tuple[float, int]]] = {}
        for number, placement in enumerate(solution):
            for cell in placement.cells:
                start, end = corners.corners(self._instance.lattice, cell)
                met.setdefault(start, []).append((corners.angle(self._instance.lattice, start, end), number))
                met.setdefault(end, []).append((corners.angle(self._instance.lattice, end, start), number))
        for point, around in sorted(met.items()):
            owners = [number for _, number in sorted(around)]
            for one, two in combinations(sorted(set(owners)), 2):
                both = [number for number in owners if number in (one, two)]
                # Round the point, edges of the two tiles alternate more than once.
                if sum(a != b for a, b in zip(both, both[1:] + both[:1], strict=True)) > 2:
                    return f"placements {one + 1} ({solution[one].tile}) and {two + 1} ({solution[two].tile}) cross at {point}"
        return None


def _overlap(solution: Sequence[Placement]) -> str:
    """A sentence about a placement that covers a cell which an earlier one covers. There must be one."""
    covered: set[Cell] = set()
    for number, placement in enumerate(solution, 1):
        twice = placement.cells & covered
        if twice:
            return f"placement {number} ({placement.tile}): {min(twice)} is covered already"
        covered |= placement.cells
    raise AssertionError("no placement overlaps another")


def _broken(
    solution: Sequence[Placement], forms: Mapping[str, _Form], congruent: _Congruence, constraint: Constraint
) -> str | None:
    """Which placement a constraint forbids, or that a placed copy is missing."""
    form = forms[constraint.tile]
    own = [placement for placement in solution if forms[placement.tile] == form]
    if constraint.kind == "place":
        there = [placement for placement in own if placement.cells == frozenset(constraint.cells)]
        if constraint.orientations:
            there = [one for one in there if congruent.orientation(one, form) == constraint.orientations - 1]
        return None if there else "the copy that is placed already is missing"
    for placement in own:
        cells = placement.cells
        name = f"{placement.tile} on {min(cells)}"
        if constraint.kind == "forbid" and cells & frozenset(constraint.cells):
            return f"{name}: it covers a cell that is forbidden to it"
        if constraint.kind == "only" and cells not in placements_left(constraint, len(cells)):
            return f"{name}: it lies on none of the places that are left to it"
        if constraint.kind == "within":
            low, high = constraint.cells
            if any(not a <= x <= b for cell in cells for a, x, b in zip(low, cell, high, strict=True)):
                return f"{name}: it leaves the box that it has to stay within"
        if constraint.kind == "lock" and congruent.orientation(placement, form) >= constraint.orientations:
            return f"{name}: it is not locked in an orientation that is allowed"
    return None


class _Congruence:
    """The ways to turn shapes that an instance allows, remembered per shape at the origin."""

    def __init__(self, instance: Instance) -> None:
        self._lattice, self._wrap = instance.lattice, instance.wrap
        self._reflections, self._turning = instance.reflections, instance.turning
        self._known: dict[tuple[Cell, ...], Solid] = {}
        self._forms: dict[Solid, Solid] = {}
        self._turned: dict[Solid, tuple[Solid, ...]] = {}
        self._ways: dict[Tile, frozenset[Stickers]] = {}
        self._painted: dict[frozenset[Stickers], tuple[Stickers, ...]] = {}

    def form(self, cells: Shape) -> Solid:
        """A key that all shapes congruent to this one share; where the board is in space, a plane shape is its layer 0."""
        near = self._near_origin(cells)
        if near not in self._known:
            solid = corners.at_origin(corners.corners(self._lattice, cell) for cell in near)
            # The ways to turn a turned shape are those to turn the shape.
            if solid not in self._forms:
                turned = corners.turned(self._lattice, near, self._reflections, self._turning)
                form = min(turned)
                self._turned[form] = turned
                self._forms.update(dict.fromkeys(turned, form))
            self._known[near] = self._forms[solid]
        return self._known[near]

    def form_of(self, tile: Tile) -> _Form:
        """A key that all tiles congruent to this one share."""
        if not tile.paint:
            return self.form(tile.shape)
        if tile not in self._ways:
            cells, paint = self._in_space(tile.shape, tile.paint)
            ways = paint_verification.ways(self._lattice, cells, paint, self._reflections, self._turning)
            if not any(sticker.text for way in ways for sticker in way):
                return self.form(tile.shape)  # All its paint is on the back, which is never seen.
            self._ways[tile] = frozenset(ways)
            self._painted.setdefault(frozenset(ways), ways)
        return self._ways[tile]

    def _in_space(self, cells: Shape, paint: Paint) -> tuple[Shape, Paint]:
        """A shape of the plane as layer 0, if the board is in space."""
        dimension = self._lattice.dimension
        return frozenset(lifted(cell, dimension) for cell in cells), paint.carried(lambda cell: lifted(cell, dimension))

    def has_form(self, placement: Placement, form: _Form) -> bool:
        """Whether a placement has a form. Across a seam, its cells may look like several pieces, and it may have several
        forms."""
        if isinstance(form, frozenset) or self._wrap:
            return self._first_fitting(placement, form) is not None
        return not placement.coat and self.form(placement.cells) == form

    def orientation(self, placement: Placement, form: _Form) -> int:
        """The number of the first way to turn a form that makes this placement."""
        return self._first_fitting(placement, form) or 0

    def _first_fitting(self, placement: Placement, form: _Form) -> int | None:
        if isinstance(form, frozenset):
            return self._first_painted(placement, form)
        fitting = (corners.fits(self._lattice, self._wrap, solid, placement.cells) for solid in self._turned[form])
        return None if placement.coat else next((number for number, fits in enumerate(fitting) if fits), None)

    def _first_painted(self, placement: Placement, form: frozenset[Stickers]) -> int | None:
        try:
            placed = paint_verification.stickers(self._lattice, placement.cells, placement.coat)
        except KeyError:
            return None  # There is a mark or a colour at a place where no tile has one.
        if self._wrap:
            fitting = (paint_verification.lies(self._lattice, self._wrap, way, placed) for way in self._painted[form])
            return next((number for number, fits in enumerate(fitting) if fits), None)
        origin = paint_verification.at_origin(placed)
        return self._painted[form].index(origin) if origin in form else None

    def _near_origin(self, cells: Shape) -> tuple[Cell, ...]:
        low = tuple(map(min, *cells)) if len(cells) > 1 else next(iter(cells))
        if len(low) < self._lattice.dimension:
            return self._near_origin(frozenset((0, *cell) for cell in cells))
        corner = [a - a % m for a, m in zip(low, self._lattice.moduli, strict=True)]
        return tuple(sorted([tuple(map(sub, cell, corner)) for cell in cells]))
