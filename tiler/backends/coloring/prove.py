"""The stages in order: what is cheap and can be told in a sentence first. Each is sound by itself; none rests on a float.

1. area: no numbers of tiles have the area of the board.
2. lattice: some colouring refutes every count vector, or none of any kind can; then a readable one in its place, if there is one.
3. weights: linear programming finds weights, and integers check them.
4. probe: placements that lead to a contradiction are ruled out; 2 and 3 again on what is left.
5. cases: every placement over one cell in turn, 1 to 4 on what each leaves.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from tiler.backends.coloring import lattice, readable, weights
from tiler.cover import propagation
from tiler.question.certificate import Area, Cases, Colouring, Colourings, Placed, Proof, Propagation, Removal
from tiler.cover.remainder import Problem

STAGES = ("area", "lattice", "weights", "probe", "cases")


@dataclass(frozen=True)
class Plan:
    """Which stages to go through, and how far. `area` always is: the others rest on it."""

    stages: tuple[str, ...] = STAGES
    nodes: int = 500  #: of the case split
    placements: int = 15_000  #: the most with which linear programming is tried, and five times the most for the case split
    seconds: float = 20.0  #: for one linear program


@dataclass
class Finding:
    """What comes of it, filled in on the way. `obstacle` are counts that no colouring refutes: a signed tiling uses them."""

    proof: Proof | None = None
    stage: str = ""  #: that made the proof
    obstacle: tuple[int, ...] | None = None
    nodes: int = 0  #: cases looked at
    seconds: dict[str, float] = field(default_factory=dict)  #: of CPU time, by stage
    facts: dict[str, int] = field(default_factory=dict)

    def told(self, problem: Problem) -> str:
        """Why there is no proof, as far as that is known."""
        if self.obstacle is None:
            return "no proof found"
        return f"no colouring can prove it: there is a signed tiling with {_copies(problem, self.obstacle)}"


class Stopped(Exception):  # noqa: N818
    """The caller said stop; never leaves the prover."""


def prove(problem: Problem, plan: Plan, finding: Finding, tick: Callable[[], None]) -> None:
    """Go through the stages until one proves that there is no tiling; `tick` may raise `Stopped`."""
    for stage in STAGES:
        if stage != "area" and stage not in plan.stages:
            continue
        before = time.process_time()
        try:
            proof = _STAGES[stage](problem, plan, finding, tick)
        finally:
            finding.seconds[stage] = round(time.process_time() - before, 6)
        if proof is not None:
            finding.proof, finding.stage = proof, stage
            return


def _copies(problem: Problem, counts: tuple[int, ...]) -> str:
    """Numbers of copies in words."""
    named = [
        f"{n:,} cop{'ies' if n > 1 else 'y'} of {tile.name}" if tile.name else f"{n:,} cells left open"
        for n, tile in zip(counts, problem.cover.tiles, strict=True)
        if n
    ]
    return " and ".join(filter(None, [", ".join(named[:-1]), *named[-1:]])) if len(named) <= 6 else f"{sum(counts):,} tiles"


def _area(problem: Problem, plan: Plan, finding: Finding, tick: Callable[[], None]) -> Proof | None:
    if problem.counts.find() is None:
        return Area()
    covered = {cell for option in problem.options for cell in problem.cells_of[option]}
    bare = next((cell for cell in problem.cells if cell not in covered), None)
    if bare is None:
        return None
    alone = tuple(int(cell == bare) for cell in range(len(problem.cover.cells)))
    return Colourings((Colouring(0, alone, (0,) * len(problem.lower)),))


def _lattice(problem: Problem, plan: Plan, finding: Finding, tick: Callable[[], None]) -> Proof | None:
    proof, counts = lattice.refute(problem, tick)
    if not problem.is_whole:
        return proof
    finding.obstacle = counts
    found = readable.find(problem, tick) if proof else None
    return Colourings((found,)) if found else proof


def _weights(problem: Problem, plan: Plan, finding: Finding, tick: Callable[[], None]) -> Proof | None:
    if len(problem.options) > plan.placements:
        return None
    return weights.find(problem, plan.seconds, tick)


def _probe(problem: Problem, plan: Plan, finding: Finding, tick: Callable[[], None]) -> Proof | None:
    sets = propagation.Sets.of(problem, tick)
    if sets is None:
        return None
    state = propagation.State(sets, problem)
    log, contradiction = propagation.removal(state, tick)
    finding.facts["ruled_out"] = len(log)
    return contradiction or _after(log, _static(state.rest(), plan, finding, tick) if log else None)


def _cases(problem: Problem, plan: Plan, finding: Finding, tick: Callable[[], None]) -> Proof | None:
    # On a large board that has a tiling every case would be long, and all in vain.
    sets = propagation.Sets.of(problem, tick) if 5 * len(problem.options) <= plan.placements else None
    return _split(propagation.State(sets, problem), plan, finding, tick) if sets else None


def _split(state: propagation.State, plan: Plan, finding: Finding, tick: Callable[[], None]) -> Proof | None:
    """Look at the rest as it is, then rule out what can be ruled out, then look at every case; None if there are too many."""
    finding.nodes += 1
    tick()
    if finding.nodes > plan.nodes:
        return None
    if not state.close():
        return Propagation()
    proof = _static(state.rest(), plan, finding, tick)
    if proof:
        return proof
    log, contradiction = propagation.removal(state, tick)
    if contradiction:
        return contradiction
    proof = _static(state.rest(), plan, finding, tick) if log else None
    if proof:
        return _after(log, proof)
    choice = state.fewest()
    if choice is None:
        return None  # Nothing is open: this is a tiling.
    item, number, options = choice
    branches = []
    for option in options:
        case = state.copy()
        case.place(option)
        proof = _split(case, plan, finding, tick)
        if proof is None:
            return None
        branches.append((state.placed(option), proof))
    return _after(log, Cases(item, number, tuple(branches)))


def _static(problem: Problem, plan: Plan, finding: Finding, tick: Callable[[], None]) -> Proof | None:
    """A proof about what is left of a problem by the stages that look at it as it is."""
    for stage in ("area", "lattice", "weights"):
        if stage == "area" or stage in plan.stages:
            proof = _STAGES[stage](problem, plan, finding, tick)
            if proof:
                return proof
    return None


def _after(log: list[Placed], proof: Proof | None) -> Proof | None:
    return Removal(tuple(log), proof) if log and proof else proof


_STAGES = {"area": _area, "lattice": _lattice, "weights": _weights, "probe": _probe, "cases": _cases}
