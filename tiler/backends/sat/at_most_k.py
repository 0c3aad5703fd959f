"""Encode "at most k" for any k: by PySAT's encodings, the decision diagram of Pindakaas, and the engine's own constraint."""

from __future__ import annotations

from collections.abc import Sequence

from tiler.backends.sat.at_most_one import of_pysat
from tiler.backends.sat.formula import Encoding, Formula


def bdd(formula: Formula, literals: Sequence[int], bound: int) -> None:
    """A binary decision diagram of the count, by Pindakaas through PySAT."""
    from pysat.pb import EncType, PBEnc

    made = PBEnc.atmost(list(literals), bound=bound, top_id=formula.variables, encoding=EncType.bdd)
    formula.extend(made.clauses, made.nv)


def native(formula: Formula, literals: Sequence[int], bound: int) -> None:
    """No clauses: the engine counts."""
    formula.at_mosts.append((list(literals), bound))


ENCODINGS = (
    Encoding(
        "seqcounter",
        "Sinz, Towards an optimal CNF encoding of Boolean cardinality constraints, 2005; by PySAT",
        of_pysat("seqcounter"),
    ),
    Encoding("cardnetwrk", "Asin et al., Cardinality networks, 2011; by PySAT", of_pysat("cardnetwrk")),
    Encoding("sortnetwrk", "Batcher, Sorting networks and their applications, 1968; by PySAT", of_pysat("sortnetwrk")),
    Encoding(
        "totalizer",
        "Bailleux and Boufkhad, Efficient CNF encoding of Boolean cardinality constraints, 2003; by PySAT",
        of_pysat("totalizer"),
    ),
    Encoding(
        "mtotalizer",
        "Ogawa et al., Modulo based CNF encoding of cardinality constraints, 2013; by PySAT",
        of_pysat("mtotalizer"),
    ),
    Encoding(
        "kmtotalizer",
        "Morgado, Ignatiev and Marques-Silva, MSCG: robust core-guided MaxSAT solving, 2015; by PySAT",
        of_pysat("kmtotalizer"),
    ),
    Encoding("bdd", "Abio et al., A new look at BDDs for pseudo-Boolean constraints, 2012; by Pindakaas", bdd),
    Encoding(
        "native", "Liffiton and Maglalang, A cardinality solver: more expressive constraints for free, 2012", native, native=True
    ),
)
