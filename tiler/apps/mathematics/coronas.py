"""Find the Heesch number of a tile by SAT: how often it can be surrounded by copies of itself. A *corona* is a ring of copies
that cover every cell which shares a point with the pieces inside; each copy of it touches them. Only the last corona may leave
holes. Whether it does is a matter of opinion, so there are two Heesch numbers, with holes and without: they differ by one at
most. A tile that cannot be surrounded k + 1 times does not tile.

A variable means that a placement is in one of the first l coronas, or that such a placement covers a cell. What touches a
placement of the first l - 1 coronas is covered by one of the first l; a placement of the first l touches one of the first l - 1.
No clauses say that there is no hole: where an answer has one, a clause forbids the pieces round it to leave it open, wherever
they lie, and the engine goes on.

Source: C. S. Kaplan, "Heesch numbers of unmarked polyforms", Contributions to Discrete Mathematics 17 (2022).
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from operator import add, sub
from typing import TYPE_CHECKING

from tiler.backends.sat.cardinality import at_most
from tiler.backends.sat.formula import Formula
from tiler.grouping import grouped
from tiler.model.corners import around
from tiler.model.expected import Status
from tiler.model.lattice import Cell, Lattice, Shape, box, move
from tiler.model.tile import Placement, Placements, Tile
from tiler.optional_packages import need
from tiler.process.cancellation import StopCheck, never_stop, with_stop_checks
from tiler.question.drup import Drup

if TYPE_CHECKING:
    from pysat.solvers import Solver

_ENGINE = "glucose4"  # which can be interrupted, takes clauses after an answer, and writes proofs
_AT_MOST_ONE = "seqcounter"
_BETWEEN_LOOKS = 0.05  # seconds


@dataclass(frozen=True)
class Surrounding:
    """Whether a tile can be surrounded some number of times, if the last corona may have holes, and if it may not."""

    with_holes: Status
    without: Status = Status.UNKNOWN
    rings: tuple[Placements, ...] = ()  #: the tile alone, and each corona, without holes if that is possible
    proof: Drup | None = None  #: that the first, or else the second, is impossible


@dataclass
class CoronaFormula:
    """The clauses, and what their variables mean. Coronas are counted from 1."""

    formula: Formula = field(default_factory=Formula)
    within: dict[tuple[Shape, int], int] = field(default_factory=dict)  #: a placement is in one of the first coronas
    covered: dict[tuple[Cell, int], int] = field(default_factory=dict)  #: a placement of the first coronas covers a cell

    def comments(self, name: str) -> Iterator[str]:
        """What the variables mean, and which groups of clauses there are, as lines of a CNF file."""
        for (cells, corona), variable in self.within.items():
            yield f"c {variable} {json.dumps({'tile': name, 'cells': sorted(cells), 'corona': corona})}"
        for (cell, corona), variable in self.covered.items():
            yield f"c {variable} {json.dumps({'covered': cell, 'corona': corona})}"
        yield from (group.header for group in self.formula.groups)


@dataclass(frozen=True)
class Coronas:
    """A tile, and whether it may be turned over."""

    tile: Tile
    reflections: bool

    def surrounded(
        self,
        times: int,
        seconds: float,
        *,
        holes_matter: bool = False,
        proof: bool = False,
        check_stop: StopCheck = never_stop,
    ) -> Surrounding:
        """Whether the tile can be surrounded that often, with holes or, if `holes_matter`, without; unknown at the limit of time.
        A `proof` is written if the engine finds that it cannot. Stopped if a look says so.
        """
        need("a search for coronas", "pysat")
        from pysat.solvers import Solver

        written, rings = self.formula(times, check_stop), list[Placements]()
        with Solver(name=_ENGINE, bootstrap_with=written.formula.clauses, with_proof=proof) as solver:
            answer, until = None, time.monotonic() + seconds
            while time.monotonic() < until and (answer := _decided(solver, until, check_stop)):
                rings = self._read(written, times, solver.get_model())
                clauses = self._forbidden_holes(written, times, rings) if holes_matter else set()
                if not clauses:
                    break
                for clause in sorted(clauses):
                    written.formula.add(*clause)
                    solver.add_clause(clause)
                answer = None
            steps = solver.get_proof() if proof and answer is False else None
        verdict = {True: Status.SAT, False: Status.UNSAT, None: Status.UNKNOWN}[answer]
        without = verdict if holes_matter or answer is False else Status.UNKNOWN
        drup = None if steps is None else Drup((*written.comments(self.tile.name), *written.formula.lines()), tuple(steps))
        return Surrounding(Status.SAT if rings else verdict, without, tuple(rings), drup)

    def formula(self, times: int, check_stop: StopCheck = never_stop) -> CoronaFormula:
        """The clauses that say that the tile is surrounded so often, with holes or without."""
        written, rings = CoronaFormula(), self._rings(times, check_stop)
        formula, within, covered = written.formula, written.within, written.covered
        halo = self._halos[self.tile.shape]
        for corona, ring in enumerate(rings, 1):
            within.update(((placed, corona), formula.new()) for placed in ring)
        covering = grouped((cell, placed) for placed in rings[-1] for cell in placed)
        needed = [halo, *(self._edge(ring) - self.tile.shape for ring in rings[:-1])]
        for corona, (ring, cells) in enumerate(zip(rings, needed, strict=True), 1):
            reached = cells.union(*ring) if corona < times else cells
            covered.update(((cell, corona), formula.new()) for cell in sorted(reached))
        for (cell, corona), variable in covered.items():
            formula.add(-variable, *(within[key] for placed in covering.get(cell, ()) if (key := (placed, corona)) in within))
        for cell in sorted(halo):
            formula.add(covered[cell, 1])
        for (placed, corona), variable in with_stop_checks(within.items(), check_stop):
            near = self._halos[placed]
            if corona < times:
                formula.add(-variable, within[placed, corona + 1])
                for cell in sorted(near - self.tile.shape):
                    formula.add(-variable, covered[cell, corona + 1])
            if not near & self.tile.shape:
                inner = [covered.get((cell, corona - 1), 0) for cell in sorted(near)]
                formula.add(-variable, *filter(None, inner))
        for cell in with_stop_checks(sorted(covering), check_stop):
            variables = [within[placed, times] for placed in covering[cell]]
            with formula.group(cell=cell, of=variables) as fact:
                fact["by"] = at_most(_AT_MOST_ONE, formula, variables, 1)
        return written

    def _read(self, written: CoronaFormula, times: int, model: Sequence[int]) -> list[Placements]:
        """The tile, and the placements of each corona."""
        true = {literal for literal in model if literal > 0}
        rings: list[Placements] = [(Placement(self.tile.name, self.tile.shape),)]
        inside = set[Shape]()
        for corona in range(1, times + 1):
            chosen = [cells for (cells, at), variable in written.within.items() if at == corona and variable in true]
            rings.append(tuple(Placement(self.tile.name, cells) for cells in chosen if cells not in inside))
            inside.update(chosen)
        return rings

    def _forbidden_holes(self, written: CoronaFormula, times: int, rings: Sequence[Sequence[Placement]]) -> set[tuple[int, ...]]:
        """Clauses for every hole: the pieces round it are not all there, or something inside covers its least cell. They say so
        wherever the same pieces can lie."""
        lattice = self.tile.lattice
        within = {placed: variable for (placed, corona), variable in written.within.items() if corona == times}
        alike = grouped((lattice.normalise(placed), placed) for placed in within)
        laid = {cell: placement.cells for ring in rings for placement in ring for cell in placement.cells}
        clauses = set()
        for hole in holes_in(lattice, frozenset(laid)):
            pieces = {laid[cell] for other in hole for cell in lattice.neighbours(other) if cell in laid} - {self.tile.shape}
            inside = [placed for placed in self._over(min(hole)) if placed <= hole]
            for turn in lattice.isometries(self.reflections):
                turned = [frozenset(turn.images(cells)) for cells in [*pieces, *inside]]
                for placed in alike.get(lattice.normalise(turned[0]), ()):
                    step = tuple(map(sub, min(placed), min(turned[0])))
                    variables = [within.get(move(cells, step), 0) for cells in turned]
                    if all(variables[: len(pieces)]):
                        clauses.add(
                            (*(-variable for variable in variables[: len(pieces)]), *filter(None, variables[len(pieces) :]))
                        )
        return clauses

    def _rings(self, times: int, check_stop: StopCheck) -> list[list[Shape]]:
        """The placements that can be in the first l coronas, for each l."""
        rings: list[list[Shape]] = []
        edge, reached = self._halos[self.tile.shape], dict[Shape, None]()
        for _ in range(times):
            new = [
                placed
                for cell in with_stop_checks(sorted(edge), check_stop)
                for placed in self._over(cell)
                if placed not in reached
            ]
            reached |= dict.fromkeys(new)
            rings.append(list(reached))
            edge = self._edge(new)
        return rings

    def _over(self, cell: Cell) -> list[Shape]:
        """The placements that cover a cell and not the tile."""
        placements = []
        for variant, halo in self._variants:
            for own in variant:
                step = tuple(map(sub, cell, own))
                if not any(a % m for a, m in zip(step, self.tile.lattice.moduli, strict=True)):
                    placed = move(variant, step)
                    if placed.isdisjoint(self.tile.shape):
                        placements.append(placed)
                        if placed not in self._halos:
                            self._halos[placed] = move(halo, step)
        return placements

    @cached_property
    def _variants(self) -> tuple[tuple[Shape, Shape], ...]:
        """How the tile can lie, and the cells that share a point with it then."""
        variants = self.tile.lattice.variants(self.tile.shape, self.reflections)
        return tuple((variant, halo_of(self.tile.lattice, variant)) for variant in variants)

    @cached_property
    def _halos(self) -> dict[Shape, Shape]:
        return {self.tile.shape: halo_of(self.tile.lattice, self.tile.shape)}

    def _edge(self, ring: Iterable[Shape]) -> Shape:
        """The cells that share a point with one of some placements."""
        return frozenset().union(*(self._halos[placed] for placed in ring))


def _decided(solver: Solver, until: float, check_stop: StopCheck) -> bool | None:
    """What the engine says; None at the limit of time. It runs in a thread of its own, while this one looks."""
    answers: list[bool | None] = []
    thread = threading.Thread(target=lambda: answers.append(solver.solve_limited(expect_interrupt=True)), daemon=True)
    thread.start()
    try:
        while thread.is_alive() and time.monotonic() < until:
            thread.join(_BETWEEN_LOOKS)
            check_stop()
    finally:
        while thread.is_alive():
            # The engine forgets an interrupt that comes before its search.
            solver.interrupt()
            thread.join(_BETWEEN_LOOKS)
        solver.clear_interrupt()
    return answers[0]


def halo_of(lattice: Lattice, cells: Shape) -> Shape:
    """The cells that share a point with some, themselves left out."""
    return frozenset([other for cell in cells for other in around(lattice, cell, shared=1)]) - cells


def holes_in(lattice: Lattice, cells: Shape) -> list[Shape]:
    """The parts of the plane that some cells shut in."""
    low, high = box(cells)
    spans = [range(a // m - 2, b // m + 3) for a, b, m in zip(low, high, lattice.moduli, strict=True)]
    units = [tuple(unit * m for unit, m in zip(vector, lattice.moduli, strict=True)) for vector in product(*spans)]
    outside = {tuple(map(add, unit, residue)) for unit in units for residue in lattice.residues} - cells
    corner = min(outside)
    return [part for part in lattice.components(outside) if corner not in part]
