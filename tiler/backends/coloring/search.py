"""Run the stages of the prover in order: their progress becomes events, and what they find out becomes a result.

The first ones are cheap and give short sentences. Each stage is correct by itself, and no proof rests on a float.

1. area: no numbers of tiles have the area of the board.
2. lattice: colourings refute every count vector, or no colouring of any kind can. If they do, the stage also looks for one that
   is easy to read.
3. pairs: where all tiles cover two cells, a matching is a tiling, or shows that there is none.
4. weights: linear programming finds weights, and integers check them.
5. marks: where sides have marks, 2 and 4 again with weights of marks.
6. probe: placements that lead to a contradiction are ruled out; then 1, 2 and 4 on what is left.
7. cases: every placement over one cell in turn; then 1, 2, 4 and 6 on what each leaves.

Only stage 5 knows of marks on sides. For the others, placements that cover the same cells are equal.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from tiler.backends.coloring import STAGES, Coloring, elimination, mark_weights, missing_stages, readable_colourings, weights
from tiler.backends.matching import no_pairs
from tiler.backends.matching.match import Matcher
from tiler.cover.board import BoardCover
from tiler.cover.propagation import PartialTiling, removal
from tiler.cover.remainder import Remainder
from tiler.model.expected import Status
from tiler.process.callback_generator import in_turns
from tiler.process.clocks import process_seconds
from tiler.question.certificate import Area, Cases, Colouring, Colourings, Placed, Proof, Propagation, Removal
from tiler.question.events import Progress, RunningSearch, SearchContext
from tiler.question.question import Question
from tiler.question.result import Result, Stop


@dataclass
class Findings:
    """What the prover finds out; it is filled in during the run. `obstacle` is a count vector that no colouring refutes, because
    there is a signed tiling with these copies."""

    proof: Proof | None = None
    painted: Remainder | None = None  #: the whole cover with its marks, if sides have marks
    stage: str = ""  #: the stage that made the proof
    obstacle: tuple[int, ...] | None = None
    nodes: int = 0  #: cases looked at
    tiling: bool = False  #: whether a tiling was found, so that there can be no proof
    seconds: dict[str, float] = field(default_factory=dict)  #: of CPU time, by stage
    facts: dict[str, int] = field(default_factory=dict)

    @property
    def stats(self) -> dict[str, Any]:
        """The statistics of the answer."""
        stats: dict[str, Any] = {"stage": self.stage, "cpu_seconds": dict(self.seconds), **self.facts}
        return stats if self.obstacle is None else {**stats, "obstacle": list(self.obstacle)}

    def failure(self, remainder: Remainder) -> str:
        """Why there is no proof, as far as that is known."""
        if self.tiling:
            return "there is a tiling"
        if self.obstacle is None:
            return "no proof found"
        return f"no colouring can prove it: there is a signed tiling with {_copies(remainder, self.obstacle)}"


def search(backend: Coloring, cover: BoardCover, question: Question, context: SearchContext) -> RunningSearch:
    """What the backend does. The stages call back, from within a linear program too, so they run in turns with the caller."""
    whole = mark_weights.of_one_look(cover)
    findings = Findings(painted=None if cover.coloured is None else Remainder.of(cover))
    remainder = Remainder.of(whole)

    def work(say: Callable[[Progress], None]) -> None:
        _prove(remainder, backend, findings, lambda: say(Progress(findings.nodes, stats=findings.stats)))

    yield from in_turns(work)
    if findings.proof is None:
        untried = "" if findings.tiling else missing_stages()
        message = "; ".join(filter(None, (findings.failure(remainder), untried)))
        return Result(Status.UNKNOWN, Stop.UNDECIDED, nodes=findings.nodes, stats=findings.stats, message=message)
    from tiler.backends.coloring.sentence import sentence  # Most problems have a tiling.

    certificate = cover.certificate(findings.proof)
    message = sentence(remainder, findings.proof)
    return Result(Status.UNSAT, Stop.DONE, certificate=certificate, nodes=findings.nodes, stats=findings.stats, message=message)


def _prove(remainder: Remainder, backend: Coloring, findings: Findings, tick: Callable[[], None]) -> None:
    """Go through the stages until one proves that there is no tiling; `tick` is called now and then, and may raise."""
    for stage in filter(partial(_is_wanted, backend), STAGES):
        before = process_seconds()
        try:
            proof = _FIND[stage](remainder, backend, findings, tick)
        finally:
            findings.seconds[stage] = round(process_seconds() - before, 6)
        if proof is not None:
            findings.proof, findings.stage = proof, stage
        if proof is not None or findings.tiling:
            return


def _is_wanted(backend: Coloring, stage: str) -> bool:
    """Whether a stage is gone through. `area` always is, because the others rest on it."""
    return stage == "area" or stage in backend.stages.split("+")


def _copies(remainder: Remainder, counts: tuple[int, ...]) -> str:
    """Numbers of copies in words, for at most six tiles; otherwise their sum."""
    named = [
        f"{n:,} cop{'ies' if n > 1 else 'y'} of {tile.name}" if tile.name else f"{n:,} cells left open"
        for n, tile in zip(counts, remainder.cover.tiles, strict=True)
        if n
    ]
    return " and ".join(filter(None, [", ".join(named[:-1]), *named[-1:]])) if len(named) <= 6 else f"{sum(counts):,} tiles"


def _area(remainder: Remainder, backend: Coloring, findings: Findings, tick: Callable[[], None]) -> Proof | None:
    if remainder.counts.find() is None:
        return Area()
    covered = {cell for option in remainder.options for cell in remainder.cells_of[option]}
    bare = next((cell for cell in remainder.cells if cell not in covered), None)
    if bare is None:
        return None
    alone = tuple(int(cell == bare) for cell in range(len(remainder.cover.cells)))
    return Colourings((Colouring(0, alone, (0,) * len(remainder.lower)),))


def _lattice(remainder: Remainder, backend: Coloring, findings: Findings, tick: Callable[[], None]) -> Proof | None:
    proof, counts = elimination.refute(remainder, tick)
    if not remainder.is_whole:
        return proof
    findings.obstacle = counts
    found = readable_colourings.find(remainder, tick) if proof else None
    return Colourings((found,)) if found else proof


def _pairs(remainder: Remainder, backend: Coloring, findings: Findings, tick: Callable[[], None]) -> Proof | None:
    if not remainder.is_whole or no_pairs(remainder.cover) is not None:
        return None
    matcher = Matcher.of(remainder.cover)
    for _ in matcher.run():
        tick()
    # A matching ignores marks on sides, so with marks it may be no tiling; the stage `marks` may prove that there is none.
    findings.tiling = matcher.covers and findings.painted is None
    return None if matcher.covers else matcher.refutation()


def _weights(remainder: Remainder, backend: Coloring, findings: Findings, tick: Callable[[], None]) -> Proof | None:
    if len(remainder.options) > backend.placements:
        return None
    return weights.find(remainder, backend.seconds, tick)


def _marks(remainder: Remainder, backend: Coloring, findings: Findings, tick: Callable[[], None]) -> Proof | None:
    whole = findings.painted
    if whole is None or not remainder.is_whole:
        return None
    for number, classes in enumerate(mark_weights.classes(whole.cover)):
        tick()
        proof = elimination.refute(whole, tick, classes)[0]
        if proof is not None:
            return proof
        if number == 2 and len(whole.options) <= backend.placements:
            return weights.find(whole, backend.seconds, tick, classes)
    return None


def _probe(remainder: Remainder, backend: Coloring, findings: Findings, tick: Callable[[], None]) -> Proof | None:
    state = PartialTiling.of(remainder, tick)
    if state is None:
        return None
    log, contradiction = removal(state, tick)
    findings.facts["ruled_out"] = len(log)
    return contradiction or _after(log, _static(state.rest(), backend, findings, tick) if log else None)


def _cases(remainder: Remainder, backend: Coloring, findings: Findings, tick: Callable[[], None]) -> Proof | None:
    # On a large board that has a tiling every case would be long, and all in vain.
    state = PartialTiling.of(remainder, tick) if 5 * len(remainder.options) <= backend.placements else None
    if state is None:
        return None
    proof = _split(state, backend, findings, tick)
    # The proof is about the board after forced placements. A checker makes these after a removal, even if nothing is removed.
    return proof if proof is None or not state.made or isinstance(proof, Removal | Propagation) else Removal((), proof)


def _split(state: PartialTiling, backend: Coloring, findings: Findings, tick: Callable[[], None]) -> Proof | None:
    """A proof that the rest has no tiling. First look at the rest as it is, then rule placements out, then look at every case.
    None if no proof is found, or if there are too many cases."""
    findings.nodes += 1
    tick()
    if findings.nodes > backend.nodes:
        return None
    if not state.close():
        return Propagation()
    proof = _static(state.rest(), backend, findings, tick)
    if proof:
        return proof
    log, contradiction = removal(state, tick)
    if contradiction:
        return contradiction
    proof = _static(state.rest(), backend, findings, tick) if log else None
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
        proof = _split(case, backend, findings, tick)
        if proof is None:
            return None
        branches.append((state.placed(option), proof))
    return _after(log, Cases(item, number, tuple(branches)))


def _static(remainder: Remainder, backend: Coloring, findings: Findings, tick: Callable[[], None]) -> Proof | None:
    """A proof about a remainder by the stages area, lattice and weights."""
    for stage in filter(partial(_is_wanted, backend), ("area", "lattice", "weights")):
        proof = _FIND[stage](remainder, backend, findings, tick)
        if proof:
            return proof
    return None


def _after(log: list[Placed], proof: Proof | None) -> Proof | None:
    return Removal(tuple(log), proof) if log and proof else proof


_FIND = {
    "area": _area,
    "lattice": _lattice,
    "pairs": _pairs,
    "weights": _weights,
    "marks": _marks,
    "probe": _probe,
    "cases": _cases,
}
