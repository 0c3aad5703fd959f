"""Have some clauses a model? By the plainest means there are, for the groups of clauses that faithful.py asks about."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import chain

Clause = Sequence[int]


class Clauses:
    """Clauses that are asked about again and again, together with some others or without some of them."""

    def __init__(self, clauses: Sequence[Clause]) -> None:
        self._clauses = clauses
        self._asking = [number for number, clause in enumerate(clauses) if all(literal > 0 for literal in clause)]
        self._denying: dict[int, list[int]] = defaultdict(list)
        for number, clause in enumerate(clauses):
            for literal in clause:
                if literal < 0:
                    self._denying[-literal].append(number)

    def have_model(self, others: Sequence[Clause], without: frozenset[int] = frozenset()) -> bool:
        """Whether all can be true, with others and without those of some numbers.

        >>> Clauses([[-1, 2], [-2, -3]]).have_model([[1]]), Clauses([[-1, 2], [-2, -3]]).have_model([[1], [3]])
        (True, False)
        """
        if self._is_least_model_one(others, without):
            return True
        return has_model([*others, *(clause for number, clause in enumerate(self._clauses) if number not in without)])

    def _is_least_model_one(self, others: Sequence[Clause], without: frozenset[int]) -> bool:
        """Whether no variable need be true but those that a clause asks for alone, one after the other. Looks only at clauses
        that these deny."""
        true: set[int] = set()
        todo = [*others, *(self._clauses[number] for number in self._asking if number not in without)]
        while todo:
            more = []
            for clause in todo:
                if any((literal > 0) == (abs(literal) in true) for literal in clause):
                    continue
                asked = [literal for literal in clause if literal > 0]
                if len(asked) != 1:
                    return False
                true.add(asked[0])
                more.append(asked[0])
            touched = sorted(set(chain.from_iterable(self._denying[variable] for variable in more)) - without)
            # What others say about a variable that has become true since is looked at again too.
            todo = [*others, *(self._clauses[number] for number in touched)] if more else []
        return True


def has_model(clauses: Sequence[Clause]) -> bool:
    """Whether clauses can all be true; an empty one cannot.

    >>> has_model([[1, 2], [-1], [-2, 3]]), has_model([[1], [-1]]), has_model([[]]), has_model([])
    (True, False, False, True)
    """
    todo = [list(clauses)]
    while todo:
        left = _propagated(todo.pop())
        if left is not None and not left:
            return True
        if left:
            literal = left[0][0]
            todo += [[*left, (-literal,)], [*left, (literal,)]]
    return False


def _propagated(clauses: Sequence[Clause]) -> list[Clause] | None:
    """What is left when all that follows from single literals is set; None after a contradiction."""
    true: set[int] = set()
    while True:
        left: list[Clause] = []
        before = len(true)
        for clause in clauses:
            if not true.isdisjoint(clause):
                continue
            rest = [literal for literal in clause if -literal not in true]
            if not rest:
                return None
            if len(rest) == 1:
                true.add(rest[0])
            else:
                left.append(rest)
        if len(true) == before:
            return left
        clauses = left
