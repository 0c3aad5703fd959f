"""Show that clauses follow from "at most k of these literals", whatever encoding wrote them.

An encoding may have own variables. Each gets a meaning of the form *at least j of these literals are true*, guessed from the
clauses that imply the variable. Then every clause must hold for each choice of at most k true literals, with the own variables as
they mean. If that fails, the negations of the own variables get such meanings. So a wrong guess, like a wrong clause, only leads
to a refusal. Nothing here depends on how an encoder works.

Such meanings suffice for pairs, commanders, products, binary digits, ladders, sequential counters, totalizers and decision
diagrams. They do not for sorting networks, whose wires compare halves, and for the remainders in modulo totalizers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from itertools import chain
from typing import NamedTuple

Clause = Sequence[int]

_LARGEST = 1 << 31  #: the most bits that the sets of all own variables may have together


class Threshold(NamedTuple):
    """At least `number` of the literals in a set are true. Bit i of `places` says whether literal i is in it."""

    places: int
    number: int


def are_implied(clauses: Sequence[Clause], literals: Sequence[int], bound: int) -> bool:
    """Whether it is shown that clauses follow from "at most `bound` of the literals are true". All other variables are own
    variables, whose values depend on the literals alone.

    >>> are_implied([[-1, 4], [-2, 4], [-4, -3]], [1, 2, 3], 1)
    True
    >>> are_implied([[-1, 4], [-2, 4], [-4, -3]], [1, 2, 3], 2)
    False
    """
    given = {literal: Threshold(1 << place, 1) for place, literal in enumerate(literals)}
    own = {abs(literal) for clause in clauses for literal in clause}.difference(map(abs, literals))
    if len(own) * len(literals) > _LARGEST:
        return False
    for guessed in (own, {-variable for variable in own}):
        meanings = _meanings(clauses, given, guessed)
        if all(_holds(clause, meanings, bound) for clause in clauses):
            return True
    return False


def _meanings(clauses: Iterable[Clause], given: Mapping[int, Threshold], own: set[int]) -> Mapping[int, Threshold]:
    """The given meanings, and a guess for each own literal: the least number of literals that can imply it. No guess if own
    literals imply each other in a circle."""
    known = given.keys() | own
    reasons: dict[int, list[list[int]]] = {literal: [] for literal in own}
    for clause in clauses:
        implied = own.intersection(clause)
        if len(implied) == 1 and known.issuperset(others := [-literal for literal in clause if literal not in implied]):
            reasons[implied.pop()].append(others)
    _merge_equal(reasons)
    meanings = dict(given)
    try:
        order = tuple(TopologicalSorter({each: chain(*several) for each, several in reasons.items()}).static_order())
    except CycleError:
        return given
    for literal in filter(own.__contains__, order):
        places, number = 0, len(given) + 1
        for reason in reasons[literal]:
            for other in reason:
                places |= meanings[other].places
            number = min(number, sum(meanings[other].number for other in reason))
        meanings[literal] = Threshold(places, number)
    return meanings


def _merge_equal(reasons: dict[int, list[list[int]]]) -> None:
    """Forget that a literal is implied by one that only it implies: the two are equal."""
    todo = list(reasons)
    while todo:
        literal = todo.pop()
        for before in reasons[literal][0] if len(reasons[literal]) == 1 == len(reasons[literal][0]) else ():
            if [literal] in reasons.get(before, ()):
                reasons[before].remove([literal])
                todo.append(before)


def _holds(clause: Clause, meanings: Mapping[int, Threshold], bound: int) -> bool:
    """Whether it is shown that not all literals of a clause are false. If they were, at least `least` literals would be true in
    some disjoint sets, but no more than the bound, and no more than `most` if other sets cover these. A clause is refused if the
    sets are not disjoint."""
    places = least = covered = most = 0
    for literal in set(clause):
        if -literal in meanings:
            threshold = meanings[-literal]
            if threshold.places & places:
                return False
            places |= threshold.places
            least += threshold.number
        elif literal in meanings:
            covered |= meanings[literal].places
            most += meanings[literal].number - 1
        else:
            return False
    return least > bound or (places & ~covered == 0 and least > most)
