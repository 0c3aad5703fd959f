"""Do clauses that bound a number of true variables allow each number within the bounds, whichever variables are true?

Encodings of cardinality constraints are built of parts: totalizers, counters, comparators. Whatever they are, most of them define
each variable of their own by those before it: it must be true if one of its clauses asks for it, and else it may be false. So
give it just that value (the least model), and follow the clauses from the inputs on, with a table for each part that hangs
together: which values of the variables still needed can come together, and how many inputs are true then. Where a part has
sorted what goes into it, there are as many of these as numbers; so the tables stay small where the choices of inputs are
astronomically many.

It is a proof that every choice of inputs has a model; that others have none is not looked at, since a refutation needs no such
clause. If a table grows too large, or variables define each other in a circle, nothing is told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from heapq import heapify, heappop, heappush
from math import prod

_MOST = 60_000  # rows of a table
_MOST_STEPS = 3_000_000  # rows looked at


def every_count_extends(clauses: Sequence[Sequence[int]], inputs: Iterable[int], least: int, most: int) -> bool:
    """Whether for every choice of `least` to `most` true inputs the other variables can have values that make all clauses true.

    False means that this way does not tell.

    >>> every_count_extends([[-1, 9], [-2, 9], [-1, -2, 8], [-8]], [1, 2], 0, 1)
    True
    >>> every_count_extends([[-1, 9], [-2, 9], [-1, -2, 8], [-8]], [1, 2], 0, 2)
    False
    """
    variables = frozenset(inputs)
    plain = [sorted(set(clause)) for clause in clauses]
    mirrored = [[literal if abs(literal) in variables else -literal for literal in clause] for clause in plain]
    ways = [(each, order) for order in (1, -1) for each in (plain, mirrored)]
    return any(_Tables(each, variables, least, most, order).hold() for each, order in ways)


class _Tables:
    """The parts that hang together so far, each a table: rows are the true variables among those still needed, as bits of a
    number, and with each the numbers of true inputs that it can have, as bits too."""

    def __init__(self, clauses: Sequence[Sequence[int]], inputs: frozenset[int], least: int, most: int, order: int) -> None:
        self._clauses, self._inputs, self._least, self._most, self._order = clauses, inputs, least, most, order
        named = sorted({abs(literal) for clause in clauses for literal in clause} | inputs)
        self._own = [variable for variable in named if variable not in inputs]
        self._bit = {variable: 1 << i for i, variable in enumerate(named)}
        self._part: dict[int, int] = {}  #: of each variable defined
        self._rows: dict[int, dict[int, int]] = {}
        self._members: dict[int, list[int]] = {}
        self._inside: dict[int, int] = {}  #: how many inputs went into a part
        self._steps = 0
        self._pending = Counter(abs(literal) for clause in clauses for literal in set(clause))

    def hold(self) -> bool:
        """Whether all clauses are true in every row that counts.

        A variable is defined as soon as those are that its clauses deny: by the clauses that no other variable could make true
        yet to be defined. Of those that can be defined, first the one for which the smallest parts are put together.
        """
        inputs, clauses = self._inputs, self._clauses
        if any(-literal in clause for clause in clauses for literal in clause):
            return False
        for variable in sorted(inputs):
            self._new(variable, {0: 1, self._bit[variable]: 2}, 1)
        asking: dict[int, list[int]] = {variable: [] for variable in self._own}
        denying: dict[int, list[int]] = {variable: [] for variable in self._own}
        unknown, denied = [], []  # Of each clause, its own variables that are not defined, and which of these it denies.
        for number, clause in enumerate(clauses):
            own = {literal for literal in clause if abs(literal) not in inputs}
            for literal in own:
                (asking if literal > 0 else denying)[abs(literal)].append(number)
            unknown.append(len(own))
            denied.append(sum(literal < 0 for literal in own))
        if not all(self._check(clause) for number, clause in enumerate(clauses) if not unknown[number]):
            return False
        waits = {variable: sum(denied[number] for number in asking[variable]) for variable in self._own}
        ready = [(0, self._order * variable) for variable in self._own if not waits[variable]]
        heapify(ready)
        while ready:
            size, place = heappop(ready)
            variable = abs(place)
            if variable in self._part:
                continue
            by = [number for number in asking[variable] if unknown[number] == 1]
            now = self._size([clauses[number] for number in by], variable) if by or not asking[variable] else _MOST
            if now > size and ready and now > ready[0][0]:
                heappush(ready, (now, place))
                continue
            if not self._define(variable, [clauses[number] for number in by]):
                return False
            for number in (*asking[variable], *denying[variable]):
                unknown[number] -= 1
            for number in asking[variable]:
                if unknown[number] == 1:
                    # It defines the other variable that could make it true.
                    (other,) = (literal for literal in clauses[number] if literal in waits and literal not in self._part)
                    if not waits[other]:
                        heappush(ready, (0, self._order * other))
            for number in denying[variable]:
                denied[number] -= 1
                for literal in clauses[number]:
                    if literal in waits:
                        waits[literal] -= 1
                        if not waits[literal]:
                            heappush(ready, (0, self._order * literal))
                if not unknown[number] and not self._check(clauses[number]):
                    return False
        return all(variable in self._part for variable in self._own)

    def _size(self, clauses: Iterable[Sequence[int]], variable: int) -> int:
        """How many rows there are to look at to put together what a variable is defined by."""
        parts = {self._part[abs(literal)] for clause in clauses for literal in clause if abs(literal) != variable}
        return prod(len(self._rows[part]) for part in parts)

    def _define(self, variable: int, asking: Sequence[Sequence[int]]) -> bool:
        """Give a variable its value in every row: true if a clause asks for it. Whether the table is small enough."""
        part = self._joined({abs(literal) for clause in asking for literal in clause} - {variable})
        if part is None:
            return False
        masks = [self._masks([literal for literal in clause if literal != variable]) for clause in asking]
        bit = self._bit[variable]
        rows = self._rows[part]
        self._steps += len(rows) * (1 + len(masks))
        self._rows[part] = {
            row | bit if any(not row & true and row & false == false for true, false in masks) else row: numbers
            for row, numbers in rows.items()
        }
        self._part[variable] = part
        self._members[part].append(variable)
        for clause in asking:
            self._done(clause)
        return True

    def _check(self, clause: Sequence[int]) -> bool:
        """Whether a clause is true in every row that some number of true inputs within the bounds can have."""
        part = self._joined({abs(literal) for literal in clause})
        if part is None:
            return False
        true, false = self._masks(clause)
        self._steps += len(self._rows[part])
        if any(not row & true and row & false == false for row in self._rows[part]):
            return False
        self._done(clause)
        return True

    def _masks(self, literals: Iterable[int]) -> tuple[int, int]:
        """The variables of literals and of negated ones. All literals are false where none of those and all of these are true."""
        true = false = 0
        for literal in literals:
            if literal > 0:
                true |= self._bit[literal]
            else:
                false |= self._bit[-literal]
        return true, false

    def _done(self, clause: Sequence[int]) -> None:
        """What only this clause needed is left out of the rows."""
        parts = set()
        for variable in {abs(literal) for literal in clause}:
            self._pending[variable] -= 1
            if not self._pending[variable]:
                parts.add(self._part[variable])
        for part in parts:
            keep = 0
            needed = [variable for variable in self._members[part] if self._pending[variable]]
            for variable in needed:
                keep |= self._bit[variable]
            self._members[part] = needed
            rows: dict[int, int] = {}
            for row, numbers in self._rows[part].items():
                rows[row & keep] = rows.get(row & keep, 0) | numbers
            self._rows[part] = rows

    def _joined(self, variables: set[int]) -> int | None:
        """The part that some variables lie in, made one of theirs; None if it is too large."""
        parts = sorted({self._part[variable] for variable in variables}, key=lambda part: len(self._rows[part]))
        if not parts:
            return self._new(None, {0: 1}, 0)
        first, *others = parts
        for other in others:
            a, b = self._rows[first], self._rows.pop(other)
            if len(a) * len(b) > _MOST or self._steps > _MOST_STEPS:
                return None
            self._steps += len(a) * len(b)
            self._inside[first] += self._inside.pop(other)
            rows: dict[int, int] = {}
            for row, numbers in a.items():
                for more, others_ in b.items():
                    sums = self._within(_sums(numbers, others_), self._inside[first])
                    if sums:
                        rows[row | more] = rows.get(row | more, 0) | sums
            self._rows[first] = rows
            for variable in self._members[other]:
                self._part[variable] = first
            self._members[first] += self._members.pop(other)
        return first

    def _within(self, numbers: int, inside: int) -> int:
        """Those of the numbers that can come to be within the bounds."""
        outside = len(self._inputs) - inside
        low = max(0, self._least - outside)
        return numbers & ((1 << (self._most + 1)) - 1) >> low << low

    def _new(self, variable: int | None, rows: dict[int, int], inside: int) -> int:
        part = len(self._part) + len(self._rows)
        while part in self._rows:
            part += 1
        self._rows[part] = {row: left for row, numbers in rows.items() if (left := self._within(numbers, inside))}
        self._inside[part] = inside
        self._members[part] = [] if variable is None else [variable]
        if variable is not None:
            self._part[variable] = part
        return part


def _sums(some: int, others: int) -> int:
    """The sums of a number of one set and one of another, sets being bits."""
    sums = 0
    while others:
        bit = others & -others
        sums |= some * bit
        others ^= bit
    return sums
