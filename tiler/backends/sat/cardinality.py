"""Write at most, at least, and from k to m literals, by the name of an encoding.

Some cases need no counting: bounds of nothing and of everything, and at least one. They are the same for every encoding and are
settled here, so that an encoding only ever sees 1 <= bound < number of literals.
"""

from __future__ import annotations

from collections.abc import Sequence

from tiler.backends.sat import at_most_k, at_most_one
from tiler.backends.sat.formula import Encoding, Formula
from tiler.errors import BadOption, suggest

ENCODINGS: dict[str, Encoding] = {each.name: each for each in (*at_most_one.ENCODINGS, *at_most_k.ENCODINGS)}

#: The names that `at_most` takes for a bound of one, and for any bound.
AT_MOST_ONE = ("auto", *ENCODINGS)
AT_MOST_K = ("auto", *(name for name, each in ENCODINGS.items() if each.largest is None))

# Measured on the thesis instances with CaDiCaL: where encodings differ, bimander was the fastest, but has n log n clauses; pairs
# are fewer than any other clauses of short lists. With many copies kmtotalizer had the fewest clauses and the least time.
_PAIRS_UP_TO = 6
_BIMANDER_UP_TO = 500


def chosen(name: str, literals: int, bound: int) -> Encoding:
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
    encoding = chosen(name, len(literals), bound)
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


def between(name: str, formula: Formula, literals: Sequence[int], lower: int, upper: int) -> None:
    """Demand that from `lower` to `upper` of the literals are true."""
    at_least(name, formula, literals, lower)
    at_most(name, formula, literals, upper)


def exactly_one(name: str, formula: Formula, literals: Sequence[int]) -> str | None:
    """Demand that exactly one of the literals is true. Returns the same as `at_most`."""
    at_least(name, formula, literals, 1)
    return at_most(name, formula, literals, 1)
