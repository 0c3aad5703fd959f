"""Find the Heesch number of a tile by SAT: how often it can be surrounded by copies of itself. A *corona* is a ring of copies
that cover every cell which shares a point with the pieces inside. A variable means that a placement is used in one of the first l
coronas; whatever shares a point with a placement of the first l - 1 is covered by one of these. Only the last corona may leave
holes. A tile that cannot be surrounded k + 1 times has the Heesch number k, and does not tile.

Source: C. S. Kaplan, "Heesch numbers of unmarked polyforms", Contributions to Discrete Mathematics 17 (2022).
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import cached_property

from tiler.backends.base import is_installed, pip_install
from tiler.backends.sat.cardinality import at_most
from tiler.backends.sat.formula import Formula
from tiler.errors import MissingDependency
from tiler.grouping import grouped
from tiler.model.corners import around
from tiler.model.lattice import Cell, Shape
from tiler.model.tile import Placement, Tile

_ENGINE = "glucose4"  # which can be interrupted


@dataclass(frozen=True)
class Coronas:
    """A tile, and whether it may be turned over."""

    tile: Tile
    reflections: bool

    def surrounded(self, times: int, seconds: float) -> tuple[Placement, ...] | bool | None:
        """The tile surrounded `times` times, itself first; False if it cannot be, None if that is not known in time."""
        if not is_installed("pysat"):
            raise MissingDependency(f"coronas need a SAT solver: {pip_install(['pysat'])}")
        from pysat.solvers import Solver

        rings = self._rings(times)
        placements = sorted({placed for ring in rings for placed in ring}, key=sorted)
        formula = Formula()
        used = {placed: formula.new() for placed in placements}
        first = {placed: [formula.new() if placed in ring else 0 for ring in rings] for placed in placements}
        covering = grouped((cell, placed) for placed in placements for cell in placed)
        for placed in placements:
            for variable in filter(None, first[placed]):
                formula.add(-variable, used[placed])
        for cell in sorted(covering):
            at_most("seqcounter", formula, [used[placed] for placed in covering[cell]], 1)

        def covered(cells: Shape, level: int, unless: int) -> None:
            for cell in sorted(cells):
                by = [first[placed][level] for placed in covering.get(cell, ()) if first[placed][level]]
                formula.add(*by, *([-unless] if unless else []))

        covered(self._round(self.tile.shape), 0, 0)
        for level in range(times - 1):
            for placed in placements:
                if first[placed][level]:
                    covered(self._round(placed) - self.tile.shape, level + 1, first[placed][level])
        with Solver(name=_ENGINE, bootstrap_with=formula.clauses) as solver:
            timer = threading.Timer(seconds, solver.interrupt)
            timer.start()
            try:
                answer = solver.solve_limited(expect_interrupt=True)
            finally:
                timer.cancel()
            if not answer:
                return answer if answer is None else False
            true = {literal for literal in solver.get_model() if literal > 0}
        chosen = [placed for placed in placements if any(variable in true for variable in first[placed] if variable)]
        return tuple(Placement(self.tile.name, cells) for cells in [self.tile.shape, *chosen])

    def _rings(self, times: int) -> list[set[Shape]]:
        """The placements that can be in the first l coronas, for each l."""
        rings: list[set[Shape]] = []
        edge, reached = set(self._round(self.tile.shape)), set[Shape]()
        for _ in range(times):
            new = {placed for cell in sorted(edge) for placed in self._over(cell)} - reached
            reached |= new
            rings.append(set(reached))
            edge = {cell for placed in new for cell in self._round(placed)}
        return rings

    def _over(self, cell: Cell) -> list[Shape]:
        """The placements that cover a cell and not the tile."""
        moduli = self.tile.lattice.moduli
        placements = []
        for variant in self._variants:
            for own in variant:
                step = [a - b for a, b in zip(cell, own, strict=True)]
                if not any(a % m for a, m in zip(step, moduli, strict=True)):
                    placed = frozenset(tuple(a + b for a, b in zip(cell, step, strict=True)) for cell in variant)
                    if placed.isdisjoint(self.tile.shape):
                        placements.append(placed)
        return placements

    @cached_property
    def _variants(self) -> tuple[Shape, ...]:
        return self.tile.lattice.variants(self.tile.shape, self.reflections)

    def _round(self, cells: Shape) -> Shape:
        """The cells that share a point with some, themselves left out."""
        return frozenset(other for cell in cells for other in around(self.tile.lattice, cell, shared=1)) - cells
