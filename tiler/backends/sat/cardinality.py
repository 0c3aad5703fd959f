"""Write that at most or at least k literals are true, by the name of an encoding.

Some cases need no counting: bounds of nothing and of everything, and at least one. They are the same for every encoding and are
settled here, so that an encoding only ever sees 1 <= bound < number of literals.

The encodings are PySAT's, the decision diagram of Pindakaas, the engine's own constraint, and for "at most one" some that PySAT
does not have. A literal that is true is called chosen. If none is chosen, new variables may have any value: an encoding only
promises that its models, projected on its literals, are right.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import isqrt

from tiler.backends.sat.formula import Encode, Encoding, Formula
from tiler.errors import BadOption, suggest

_FEW = 4  # for so few literals, pairs are the smallest encoding


def pairwise(formula: Formula, literals: Sequence[int], bound: int = 1) -> None:
    """A clause for every two literals; no new variable."""
    for a, b in combinations(literals, 2):
        formula.add(-a, -b)


def commander(formula: Formula, literals: Sequence[int], bound: int = 1) -> None:
    """Groups of three under a commander each, which is true just if one of them is chosen; of the commanders, at most one."""
    if len(literals) <= _FEW:
        pairwise(formula, literals)
        return
    commanders = []
    for group in _groups(literals, 3):
        leader = formula.new()
        pairwise(formula, group)
        for literal in group:
            formula.add(-literal, leader)
        formula.add(-leader, *group)
        commanders.append(leader)
    commander(formula, commanders)


def bimander(formula: Formula, literals: Sequence[int], bound: int = 1) -> None:
    """Groups of two; a chosen literal spells the number of its group in binary, so two groups cannot both have one."""
    if len(literals) <= _FEW:
        pairwise(formula, literals)
        return
    groups = _groups(literals, 2)
    digits = [formula.new() for _ in range((len(groups) - 1).bit_length())]
    for number, group in enumerate(groups):
        pairwise(formula, group)
        for place, digit in enumerate(digits):
            for literal in group:
                formula.add(-literal, digit if number >> place & 1 else -digit)


def product(formula: Formula, literals: Sequence[int], bound: int = 1) -> None:
    """The literals as points of a square: at most one row and at most one column has a chosen one, by the same method."""
    if len(literals) <= _FEW:
        pairwise(formula, literals)
        return
    columns = isqrt(len(literals) - 1) + 1
    rows = -(-len(literals) // columns)
    row_of = [formula.new() for _ in range(rows)]
    column_of = [formula.new() for _ in range(columns)]
    for number, literal in enumerate(literals):
        formula.add(-literal, row_of[number // columns])
        formula.add(-literal, column_of[number % columns])
    product(formula, row_of)
    product(formula, column_of)


def of_pysat(kind: str) -> Encode:
    """An encoding of PySAT's CardEnc, by its name there."""

    def encode(formula: Formula, literals: Sequence[int], bound: int = 1) -> None:
        from pysat.card import CardEnc, EncType

        made = CardEnc.atmost(list(literals), bound=bound, top_id=formula.variables, encoding=getattr(EncType, kind))
        formula.extend(made.clauses, made.nv)

    return encode


def _groups(literals: Sequence[int], size: int) -> list[Sequence[int]]:
    return [literals[i : i + size] for i in range(0, len(literals), size)]


_AMO_ENCODINGS = (
    Encoding("pairwise", "folklore", pairwise, largest=1),
    Encoding(
        "bitwise", "Prestwich, Finding large cliques using SAT local search, 2007; by PySAT", of_pysat("bitwise"), largest=1
    ),
    Encoding(
        "ladder", "Gent and Nightingale, A new encoding of alldifferent into SAT, 2004; by PySAT", of_pysat("ladder"), largest=1
    ),
    Encoding("commander", "Klieber and Kwon, Efficient CNF encoding for selecting 1 from N objects, 2007", commander, largest=1),
    Encoding(
        "bimander",
        "Hölldobler and Nguyen, An efficient encoding of the at-most-one constraint, 2013",
        bimander,
        largest=1,
    ),
    Encoding("product", "Chen, A new SAT encoding of the at-most-one constraint, 2010", product, largest=1),
)


def bdd(formula: Formula, literals: Sequence[int], bound: int) -> None:
    """A binary decision diagram of the count, by Pindakaas through PySAT."""
    from pysat.pb import EncType, PBEnc

    made = PBEnc.atmost(list(literals), bound=bound, top_id=formula.variables, encoding=EncType.bdd)
    formula.extend(made.clauses, made.nv)


def native(formula: Formula, literals: Sequence[int], bound: int) -> None:
    """No clauses: the engine counts."""
    formula.at_mosts.append((list(literals), bound))


_AMK_ENCODINGS = (
    Encoding(
        "seqcounter",
        "Sinz, Towards an optimal CNF encoding of Boolean cardinality constraints, 2005; by PySAT",
        of_pysat("seqcounter"),
    ),
    Encoding("cardnetwrk", "Asin et al., Cardinality networks, 2011; by PySAT", of_pysat("cardnetwrk"), checked=False),
    Encoding(
        "sortnetwrk", "Batcher, Sorting networks and their applications, 1968; by PySAT", of_pysat("sortnetwrk"), checked=False
    ),
    Encoding(
        "totalizer",
        "Bailleux and Boufkhad, Efficient CNF encoding of Boolean cardinality constraints, 2003; by PySAT",
        of_pysat("totalizer"),
    ),
    Encoding(
        "mtotalizer",
        "Ogawa et al., Modulo based CNF encoding of cardinality constraints, 2013; by PySAT",
        of_pysat("mtotalizer"),
        checked=False,
    ),
    Encoding(
        "kmtotalizer",
        "Morgado, Ignatiev and Marques-Silva, MSCG: robust core-guided MaxSAT solving, 2015; by PySAT",
        of_pysat("kmtotalizer"),
        checked=False,
    ),
    Encoding("bdd", "Abio et al., A new look at BDDs for pseudo-Boolean constraints, 2012; by Pindakaas", bdd),
    Encoding(
        "native",
        "Liffiton and Maglalang, A cardinality solver: more expressive constraints for free, 2012",
        native,
        native=True,
        checked=False,
    ),
)

ENCODINGS: dict[str, Encoding] = {each.name: each for each in (*_AMO_ENCODINGS, *_AMK_ENCODINGS)}

#: The names that `at_most` takes for a bound of one, and for any bound.
AT_MOST_ONE = ("auto", *ENCODINGS)
AT_MOST_K = ("auto", *(name for name, each in ENCODINGS.items() if each.largest is None))

# Measured on the thesis instances with CaDiCaL: where encodings differ, bimander was the fastest, but has n log n clauses; pairs
# are fewer than any other clauses of short lists. With many copies kmtotalizer had the fewest clauses and the least time.
_PAIRS_UP_TO = 6
_BIMANDER_UP_TO = 500


def choose_encoding(name: str, literals: int, bound: int) -> Encoding:
    """The encoding with this name; `auto` chooses one by the number of literals and the bound."""
    if name == "auto":
        if bound > 1:
            name = "kmtotalizer"
        elif literals <= _PAIRS_UP_TO:
            name = "pairwise"
        else:
            name = "bimander" if literals <= _BIMANDER_UP_TO else "product"
    if name not in ENCODINGS:
        raise BadOption(f"unknown encoding {name!r}{suggest(name, ENCODINGS)}; there are auto, {', '.join(ENCODINGS)}")
    return ENCODINGS[name]


def at_most(name: str, formula: Formula, literals: Sequence[int], bound: int) -> str | None:
    """Demand that at most `bound` of the literals are true. Returns the name of the encoding; None if none was needed. BadOption
    if the encoding cannot write that bound.

    >>> formula = Formula(3)
    >>> at_most("auto", formula, [1, 2, 3], 1)
    'pairwise'
    >>> formula.clauses
    [[-1, -2], [-1, -3], [-2, -3]]
    """
    if bound >= len(literals):
        return None
    if bound < 0:
        formula.add()
        return None
    if bound == 0:
        for literal in literals:
            formula.add(-literal)
        return None
    encoding = choose_encoding(name, len(literals), bound)
    if encoding.largest is not None and bound > encoding.largest:
        raise BadOption(f"{name} can encode at most one only; for {bound} there are {', '.join(AT_MOST_K)}")
    encoding.encode(formula, literals, bound)
    return encoding.name


def at_least(name: str, formula: Formula, literals: Sequence[int], bound: int) -> str | None:
    """Demand that at least `bound` of the literals are true: at most the rest are false. Returns the same as `at_most`."""
    if bound == 1:
        formula.add(*literals)
    elif bound > 0:
        return at_most(name, formula, [-literal for literal in literals], len(literals) - bound)
    return None


def exactly_one(name: str, formula: Formula, literals: Sequence[int]) -> str | None:
    """Demand that exactly one of the literals is true. Returns the same as `at_most`."""
    at_least(name, formula, literals, 1)
    return at_most(name, formula, literals, 1)
