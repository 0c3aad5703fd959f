"""Check whether a CNF belongs to a problem: show, clause by clause, that every tiling is a model. Then a CNF without a model
means that there is no tiling.

The clauses come in groups, and the header of a group names a fact (sat/groups.py). A header is only a hint. The fact must be one
that the problem implies (problem.py). Each clause must be one of those that are written here for the fact, or follow from the
number of literals that are true, however it is encoded (thresholds.py). A fact about placements holds in every tiling. The own
variables of a group are in no other group, so they can have the values that make its clauses true. Then all clauses are true
together. The facts:

| header | says |
|---|---|
| `cell` | something covers the cell or leaves it open, and no more than one thing; `at-least`: the first half of that |
| `corner` | where tiles must not cross: at most one of the placements in the first clause is made, or its own variable is true |
| `tile`, `least` or `most` | at least or at most that number of copies is used; the tile without a name stands for open cells |
| `tile`, `copy`, `least` or `most` | the same for one copy of a tile whose copies have numbers |
| `tile`, `ordered` | all this for the copies of a tile together, and that they come in order; `ordered` of them must be used |
| `tile`, `before` | this copy lies before the next one |
| `shared`, `colours` | at most one of these marks is on the side, as seen from its first cell; an own variable says which one |
| `made` | an own variable says that the placement of this variable is made, by any copy |
| `leader`, `tiles` | of a tiling and its image by a symmetry, which leads cells and tiles to others, the tiling is not the less |

A fact of the last kind does not hold in every tiling. But take all tilings that symmetries make of one, as rows of bits in the
order of the variables: all these facts hold in the greatest of them. So if the clauses have no model, there is no tiling either.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tiler.backends.sat.checking import thresholds
from tiler.backends.sat.checking.problem import Laid, NotShownError, PlacementVariables
from tiler.backends.sat.checking.rup import Cnf
from tiler.backends.sat.dimacs import Meaning
from tiler.backends.sat.groups import ClauseGroup
from tiler.model.instance import Instance
from tiler.model.lattice import Cell
from tiler.printable import shortened
from tiler.process.cancellation import StopCheck, never_stop

Clause = Sequence[int]


def why_not_shown(
    instance: Instance,
    cnf: Cnf,
    meanings: Mapping[int, Meaning],
    groups: Sequence[ClauseGroup],
    check_stop: StopCheck = never_stop,
) -> str | None:
    """The reason why it is not shown that every tiling of an instance is a model of a CNF, whose comments say what its variables
    mean. None if it is shown."""
    try:
        _Check(PlacementVariables(instance, meanings), cnf).follow(groups, check_stop)
    except NotShownError as why:
        return str(why)
    return None


@dataclass(frozen=True)
class _Fact:
    """What the clauses of a group may say: `clauses`, whose own variables are `own`; and that at most `bound` of `literals` are
    true, with further own variables."""

    clauses: Sequence[Clause] = ()
    own: Sequence[int] = ()
    literals: Sequence[int] = ()
    bound: int = 0

    def others(self, given: Sequence[Clause]) -> list[Clause]:
        """The given clauses that are not among `clauses`."""
        known = set(map(_normal, self.clauses))
        return [clause for clause in given if _normal(clause) not in known]


class _Check:
    """Checks the groups of a CNF one after the other."""

    def __init__(self, problem: PlacementVariables, cnf: Cnf) -> None:
        self._problem, self._cnf = problem, cnf
        self._taken = set(problem.meant)  # variables that are taken
        # For each placement, the literal which says that it is made, if there is one.
        self._made = {placed: copies[0] for placed, copies in problem.copies.items() if 0 in copies}

    def follow(self, groups: Sequence[ClauseGroup], check_stop: StopCheck) -> None:
        """Check all groups. NotShownError says what is not shown."""
        if self._taken and max(self._taken) > self._cnf.variables:
            raise NotShownError(f"it says what variable {max(self._taken)} means, but has {self._cnf.variables}")
        done = 0
        for group in groups:
            check_stop()
            if group.first != done + 1 or not group.first <= group.last <= len(self._cnf.clauses):
                raise NotShownError(f"clause {done + 1}: the group that it belongs to does not begin there")
            self._take(group)
            done = group.last
        if done < len(self._cnf.clauses):
            raise NotShownError(f"clause {done + 1}: no group says where it comes from")

    def _take(self, group: ClauseGroup) -> None:
        where = f"clauses {group.first} to {group.last}"
        given = self._cnf.clauses[group.first - 1 : group.last]
        write = _FACTS.get(frozenset(group.fact))
        fact = write(self, group.fact, given, group.new) if write else None
        if fact is None:
            raise NotShownError(f"{where}: the problem does not say {_told(group.fact)}")
        counted = fact.others(given)
        further = {abs(literal) for clause in counted for literal in clause}.difference(map(abs, fact.literals))
        for variable in (*fact.own, *sorted(further)):
            if variable in self._taken or not 1 <= variable <= self._cnf.variables:
                raise NotShownError(f"{where}: variable {variable} is not theirs")
            self._taken.add(variable)
        if not thresholds.are_implied(counted, fact.literals, fact.bound):
            what = f"{where}: it is not shown that they follow from {_told(group.fact)}"
            raise NotShownError(f"{what}; some encodings cannot be checked, amk-seqcounter can")

    def cell(self, fact: dict[str, Any], given: Sequence[Clause], new: int) -> _Fact | None:
        """The fact `cell`. The first clause says that something is there."""
        cell = fact["cell"]
        if not isinstance(cell, list) or not all(type(a) is int for a in cell) or tuple(cell) not in self._problem.number:
            return None
        there = given[0]
        if sorted(there) != self._problem.over(tuple(cell)):
            return None
        return _Fact([there], literals=there, bound=1)

    def corner(self, fact: dict[str, Any], given: Sequence[Clause], new: int) -> _Fact | None:
        """The fact `corner`. Its own variable is true if none of the placements is made."""
        there = given[0]
        none = [variable for variable in there if variable not in self._problem.meant]
        placed = [variable for variable in there if variable in self._problem.meant]
        if fact["corner"] is not True or len(none) != 1 or len(set(there)) < len(there) or not self._problem.exclude(placed):
            return None
        return _Fact([there], none, there, 1)

    def shared(self, fact: dict[str, Any], given: Sequence[Clause], new: int) -> _Fact | None:
        """An own variable is true if some placement gives the side this mark. Then each of the cells `beside` is covered by one
        that gives it, or gives the side none."""
        side, marks, beside = _cells(fact["shared"]), fact["colours"], _cells(fact["beside"])
        if side is None or len(side) != 2 or beside is None or not set(beside) <= self._problem.number.keys():
            return None
        if not isinstance(marks, list) or not all(isinstance(mark, str) for mark in marks) or len(set(marks)) < len(marks):
            return None
        giving = self._problem.given(*side)
        if giving is None:
            return None
        clauses: list[Clause] = []
        for is_given, mark in enumerate(marks, new):
            able = [variable for variable, colour in giving.items() if colour == mark]
            clauses += [[-variable, is_given] for variable in able] + [[-is_given, *able]]
            for cell in beside:
                clauses.append([-is_given, *(each for each in self._problem.over(cell) if giving.get(each, mark) == mark)])
        own = range(new, new + len(marks))
        return _Fact(clauses, own, own, 1)

    def least(self, fact: dict[str, Any], given: Sequence[Clause], new: int) -> _Fact | None:
        tile, least = self._tile(fact, given), fact["least"]
        if tile is None or type(least) is not int or not 0 < least <= self._problem.least[tile]:
            return None
        placements = self._problem.placements[tile]
        literals = self._problem.variables(tile, 0)
        if len(literals) == len(placements):
            return _at_least(least, literals)
        # Copies have numbers, so each has clauses of its own; but there are not enough.
        too_many = least > min(len(placements), self._problem.most[tile])
        return _Fact([[]]) if too_many else None

    def most(self, fact: dict[str, Any], given: Sequence[Clause], new: int) -> _Fact | None:
        tile, most = self._tile(fact, given), fact["most"]
        if tile is None or type(most) is not int or most < self._problem.most[tile]:
            return None
        return _Fact(literals=self._problem.variables(tile, 0), bound=most)

    def copy_least(self, fact: dict[str, Any], given: Sequence[Clause], new: int) -> _Fact | None:
        tile, copy = self._tile(fact, given), fact["copy"]
        if tile is None or type(copy) is not int or fact["least"] != 1 or not 0 < copy <= self._problem.least[tile]:
            return None
        return _at_least(1, self._problem.variables(tile, copy))

    def copy_most(self, fact: dict[str, Any], given: Sequence[Clause], new: int) -> _Fact | None:
        tile, copy = self._tile(fact, given), fact["copy"]
        if tile is None or type(copy) is not int or copy < 1 or fact["most"] != 1:
            return None
        return _Fact(literals=self._problem.variables(tile, copy), bound=1)

    def ordered(self, fact: dict[str, Any], given: Sequence[Clause], new: int) -> _Fact | None:
        """The counter (j, i) is true if copy j lies in one of the first i places of its row. The row of each copy lacks the first
        place of the one before."""
        tile, least = self._tile(fact, given), fact["ordered"]
        if tile is None or type(least) is not int or not 0 <= least <= self._problem.least[tile]:
            return None
        rows = self._problem.rows(tile)
        if not self._problem.are_in_order(rows) or least > len(rows):
            return None
        clauses: list[Clause] = []
        counters: list[list[int]] = []
        own = range(new, new + sum(map(len, rows)))
        for row in rows:
            here = list(range(new, new + len(row)))
            new += len(row)
            for i, (literal, counter) in enumerate(zip(row, here, strict=True)):
                before = here[i - 1 : i]
                clauses += [[-literal, counter], [-counter, *before, literal]]
                clauses += [[-each, counter] for each in before] + [[-each, -literal] for each in before]
            if counters:
                clauses += [[-one, other] for one, other in zip(here, counters[-1][1:], strict=True)]
            counters.append(here)
        clauses += [[here[-1]] for here in counters[:least]]
        return _Fact(clauses, own)

    def before(self, fact: dict[str, Any], given: Sequence[Clause], new: int) -> _Fact | None:
        """An own variable is true if the copy lies in this place of its row or in one before."""
        tile, copy = self._tile(fact, given), fact["before"]
        rows = [] if tile is None else self._problem.rows(tile)
        if type(copy) is not int or not 1 <= copy < len(rows) or not self._problem.are_in_order(rows):
            return None
        clauses: list[Clause] = []
        later = rows[copy]
        for i, literal in enumerate(later):
            clauses += [[-(new + i), rows[copy - 1][i], *([new + i - 1] if i else [])], [-literal, new + i]]
        return _Fact(clauses, range(new, new + len(later)))

    def made(self, fact: dict[str, Any], given: Sequence[Clause], new: int) -> _Fact | None:
        if type(fact["made"]) is not int or fact["made"] not in self._problem.meant:
            return None
        placed, _ = self._problem.meant[fact["made"]]
        if placed in self._made:
            return None
        self._made[placed] = new
        variables = sorted(self._problem.copies[placed].values())
        return _Fact([*([-each, new] for each in variables), [-new, *variables]], [new])

    def leader(self, fact: dict[str, Any], given: Sequence[Clause], new: int) -> _Fact | None:
        """An own variable is true if tiling and image have been the same up to here."""
        cells, tiles = fact["leader"], _pairs(fact["tiles"])
        if not isinstance(cells, list) or not all(type(cell) is int for cell in cells) or tiles is None:
            return None
        # Placements of tiles decide which cells stay open.
        placed = [each for each in self._problem.copies if each.tile < self._problem.tiles]
        if not all(each in self._made for each in placed):
            return None
        ways = (self._leader(placed, images, new) for images in self._problem.images(cells, tiles))
        return next((each for each in ways if not each.others(given)), None)

    def _leader(self, placed: Sequence[Laid], images: Mapping[Laid, Laid], new: int) -> _Fact:
        clauses: list[Clause] = []
        known: dict[int, int] = {}  # A forest: it leads from a literal to one that is equal if all was the same up to here.
        equal: list[int] = []
        own: list[int] = []
        for each in sorted(placed, key=self._made.__getitem__):
            mine, theirs = self._made[each], self._made[images[each]]
            one, two = _end(known, mine), _end(known, theirs)
            if one == two:
                continue
            known[two] = one
            so_far, further = [-literal for literal in equal], new + len(own)
            clauses += [[*so_far, mine, -theirs], [*so_far, mine, further], [*so_far, -theirs, further]]
            equal = [further]
            own += equal
        return _Fact(clauses, own)

    def _tile(self, fact: dict[str, Any], given: Sequence[Clause]) -> int | None:
        """The number of the tile that a fact is about. Several groups of open cells have tiles without a name: the clauses say
        which one it is."""
        if fact["tile"] == "" and self._problem.fillers > 1:
            return self._problem.tile_among(abs(literal) for clause in given for literal in clause)
        return self._problem.tile(fact["tile"]) if isinstance(fact["tile"], str) else None


_FACTS: dict[frozenset[str], Callable[[_Check, dict[str, Any], Sequence[Clause], int], _Fact | None]] = {
    frozenset({"cell", "by"}): _Check.cell,
    frozenset({"corner", "by"}): _Check.corner,
    frozenset({"shared", "colours", "beside", "by"}): _Check.shared,
    frozenset({"tile", "least", "by"}): _Check.least,
    frozenset({"tile", "most", "by"}): _Check.most,
    frozenset({"tile", "copy", "least", "by"}): _Check.copy_least,
    frozenset({"tile", "copy", "most", "by"}): _Check.copy_most,
    frozenset({"tile", "ordered"}): _Check.ordered,
    frozenset({"tile", "before"}): _Check.before,
    frozenset({"made"}): _Check.made,
    frozenset({"leader", "tiles"}): _Check.leader,
}


def _told(fact: dict[str, Any]) -> str:
    return shortened(json.dumps(fact))


def _at_least(number: int, literals: Sequence[int]) -> _Fact:
    """At least this number of literals is true: at most the rest are false."""
    return _Fact(literals=[-literal for literal in literals], bound=len(literals) - number)


def _normal(clause: Clause) -> tuple[int, ...]:
    return tuple(sorted(set(clause)))


def _cells(data: object) -> list[Cell] | None:
    """A list of cells; None for anything else."""
    if not isinstance(data, list) or not all(isinstance(cell, list) and all(type(a) is int for a in cell) for cell in data):
        return None
    return [tuple(cell) for cell in data]


def _pairs(data: object) -> dict[int, int] | None:
    """Pairs of numbers as a mapping; None for anything else."""
    if not isinstance(data, list):
        return None
    for pair in data:
        if not isinstance(pair, list) or len(pair) != 2 or not all(type(each) is int for each in pair):
            return None
    found = dict(data)
    return found if len(found) == len(data) else None


def _end(known: dict[int, int], literal: int) -> int:
    while literal in known:
        known[literal] = known.get(known[literal], known[literal])  # Else the paths would become long.
        literal = known[literal]
    return literal
