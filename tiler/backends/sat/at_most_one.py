"""Encode "at most one": encodings that PySAT does not have, and encodings of PySAT for this bound alone.

A literal that is true is called chosen. If none is chosen, new variables may have any value: an encoding only promises that its
models, projected on its literals, are right.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import isqrt

from tiler.backends.sat.formula import Encode, Encoding, Formula

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


ENCODINGS = (
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
