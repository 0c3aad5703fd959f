"""Define the backend `sat`, which gives the cover as clauses to the engines of PySAT and to CryptoMiniSat."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tiler.backends.base import Backend, Implementation, option
from tiler.backends.registry import register
from tiler.backends.sat.cardinality import AT_MOST_ONE, ENCODINGS
from tiler.backends.sat.engines import ENGINES
from tiler.backends.sat.tiling import AT_LEAST, NAMES, NOT_ENOUGH, areas_force_one
from tiler.cover.items import ItemKind
from tiler.errors import suggest
from tiler.question.question import Goal, Question

if TYPE_CHECKING:
    from tiler.cover.cover import Cover

#: Programs that break the symmetries of a CNF, in the order in which they are looked for, and where to get them.
SYMMETRY_BREAKERS = {"breakid": "github.com/meelgroup/breakid", "satsuma": "github.com/markusa4/satsuma"}
TECHNIQUES = ("block", "cover", "condition", "decompose", "elim", "probe", "probehbr", "subsume", "vivify")


def _check_preprocess(names: str) -> str | None:
    unknown = [name for name in names.split("+") if name not in TECHNIQUES]
    if names in ("off", "on") or not unknown:
        return None
    return f"{unknown[0]!r} is no technique{suggest(unknown[0], TECHNIQUES)}; there are on, off, {', '.join(TECHNIQUES)}"


@register
@dataclass(frozen=True)
class Sat(Backend):
    """A CNF that has the tilings as its models, and a SAT engine.

    With `encoding=amk-ENC` a variable means that a placement is made. For each cell exactly one of the placements that cover it
    is made (a clause, and at most one in the encoding `cell`); a tile with bounds is placed between `lower` and `upper` times,
    in the cardinality encoding ENC. With `encoding=amo-ENC` the copies of tiles with bounds have names, and a variable means that
    a copy is placed there: at most one placement per copy, exactly one for those that must be used. Tiles with enough copies to
    fill the board are neither counted nor named. `amo-ordered` has the copies in board order.

    Where sides have marks, a variable means that a side has a mark: at most one for each side, in the encoding `cell` too, and
    every placement implies its marks.

    Redundant but helpful: a tile whose copies are all needed is counted from below as well; the j-th copy of a tile only lies in
    its j-th position or later; a mark implies a placement that gives it, on either end of the side. Symmetries are broken
    beforehand, by `anchor`, or in the CNF by `symmetry=lex`: lex-leaders for the board's group, and copies with names in order; a
    proof is then about the formula with these clauses. With `symmetry=breakid` the program BreakID, or satsuma where only that is
    on the path, looks for symmetries in the CNF itself and adds clauses; that there is no tiling then rests on its word too.

    With `cell=at-least` a cell has only the clause that something covers it: enough where the counted copies have just the area
    of the board.

    More tilings are found by forbidding the placements of those found; `nodes` are the engine's decisions. A proof that there is
    no tiling is the CNF with a DRUP proof, which `tiler check` and other programs check. For it `amk-auto` is
    `amk-seqcounter`; sorting networks and modulo totalizers, whose clauses cannot be checked, are refused.

    Source: the SAT solvers of the Tiler thesis (2022); each encoding names its own (cardinality.py).
    """

    name: ClassVar[str] = "sat"
    goals: ClassVar[frozenset[Goal]] = frozenset({Goal.DECIDE, Goal.COUNT, Goal.ENUMERATE, Goal.PROVE})
    has_process: ClassVar[bool] = True
    knows_colours: ClassVar[bool] = True
    requires: ClassVar[tuple[str, ...]] = ("pysat",)
    extras: ClassVar[Mapping[tuple[str, str], str]] = {
        ("engine", engine.name): engine.module for engine in ENGINES.values() if engine.module != "pysat"
    }
    programs: ClassVar[Mapping[tuple[str, str], Mapping[str, str]]] = {("symmetry", "breakid"): SYMMETRY_BREAKERS}
    imports: ClassVar[tuple[str, ...]] = ("pysat.solvers", "pysat.card", "pysat.pb", "pysat.process")
    shaping: ClassVar[tuple[str, ...]] = ("encoding", "cell", "symmetry")

    engine: str = option("cadical195", "the SAT solver", choices=tuple(ENGINES))
    encoding: str = option("amk-auto", "how tiles are counted: amk with nameless, amo with named copies", choices=NAMES)
    cell: str = option(
        "auto",
        "the encoding of at most one placement per cell; at-least: none, where areas force it",
        choices=(*AT_MOST_ONE, AT_LEAST),
    )
    preprocess: str = option(
        "off",
        f"CaDiCaL's preprocessor beforehand: on, or techniques joined by + ({', '.join(TECHNIQUES)})",
        check=_check_preprocess,
        tries=("on", "block+cover+condition+elim", "decompose+probe+probehbr+subsume+vivify+elim"),
    )

    symmetry: str = option(
        "off",
        "clauses that break symmetries, for deciding: lex, of board and copies; breakid, what a program finds in the CNF",
        choices=("off", "lex", "breakid"),
    )
    seed: int = option(
        0,
        "not 0: variables, clauses and literals in another order, drawn with this seed plus the seed of the run",
        tries=(3,),
    )

    @classmethod
    def implementation(cls) -> Implementation:
        from tiler.backends.sat.search import search

        return search

    def formula_key(self, cover: Cover) -> str:
        from tiler.backends.sat.tiling import digest

        # Where no tile has bounds, no copies are counted, and all encodings of copies give the same clauses.
        return digest(cover, self.encoding if cover.bounded.any() else NAMES[0], self.cell, self.symmetry)

    def refusal(self, question: Question, cover: Cover | None = None) -> str | None:
        engine = ENGINES[self.engine]
        if self.cell == AT_LEAST and cover is not None and not areas_force_one(cover):
            return f"cell={AT_LEAST}: {NOT_ENOUGH}"
        if self.symmetry == "breakid" and question.goal is Goal.PROVE:
            return "symmetry=breakid adds clauses that no check of ours knows; to prove leave it out, or choose lex"
        if self.symmetry != "off" and question.goal not in (Goal.DECIDE, Goal.PROVE):
            return f"symmetry={self.symmetry} leaves out tilings: it can decide only; to {question.goal.verb} leave it out"
        if self.symmetry == "lex":
            if not self.filter == self.anchor == "off":
                return "symmetry=lex is for a whole cover: leave out filter= and anchor="
            if cover is not None and ItemKind.CELL not in cover.kinds:
                return "symmetry=lex needs a board, not a general exact cover"
        native = "native" in (self.cell, self.encoding.partition("-")[2])
        if native and not engine.counts:
            able = ", ".join(name for name, each in ENGINES.items() if each.counts)
            return f"{self.engine} has no native constraints; these engines have: {able}"
        if native and self.preprocess != "off":
            return "preprocess= knows clauses only; choose another encoding than native"
        if native and self.symmetry == "breakid":
            return "symmetry=breakid knows clauses only; choose another encoding than native"
        if question.goal is Goal.PROVE:
            if not engine.proves:
                able = ", ".join(name for name, each in ENGINES.items() if each.proves)
                return f"{self.engine} writes no proofs; these engines do: {able}"
            if native or self.preprocess != "off":
                return "a proof is about the clauses: it needs preprocess=off and an encoding other than native"
            if self.filter != "off" or self.anchor != "off":
                return "a proof is about the whole problem: it needs filter=off and anchor=off"
            for name in (self.cell, self.encoding.partition("-")[2]):
                if name in ENCODINGS and not ENCODINGS[name].checked:
                    able = ", ".join(other for other, each in ENCODINGS.items() if each.checked)
                    return f"proofs in the encoding {name} cannot be checked; choose one of auto, {able}"
        return super().refusal(question, cover)
