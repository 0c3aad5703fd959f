"""Check whether a CNF belongs to a problem: show, clause by clause, that every tiling is a model. Then a CNF without a model
means that there is no tiling.

The clauses come in groups, and the header of a group names a fact and an encoding (sat/groups.py). A header is only a hint. The
fact must be one that the problem implies (problem.py), and the clauses are written again from it (encodings.py). They must be
exactly those of the CNF. A fact about placements holds in every tiling. The own variables of a group are in no other group, so
they can have the values that encodings.py gives. Then all clauses are true together. The facts:

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

from tiler.backends.sat.checking import encodings
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
    instance: Instance, cnf: Cnf, meanings: Mapping[int, Meaning], groups: Sequence[ClauseGroup], look: StopCheck = never_stop
) -> str | None:
    """The reason why it is not shown that every tiling of an instance is a model of a CNF, whose comments say what its variables
    mean. None if it is shown."""
    try:
        _Check(PlacementVariables(instance, meanings), cnf).follow(groups, look)
    except NotShownError as why:
        return str(why)
    return None


@dataclass(frozen=True)
class _Written:
    """The clauses of a fact, written again. `own` is the number of own variables that are numbered from the group's `new` on,
    `more` the number of own variables with other numbers."""

    told: object  #: the fact; no two groups have one fact
    clauses: Sequence[Clause]
    own: int = 0
    more: tuple[int, ...] = ()


class _Check:
    """Checks the groups of a CNF one after the other."""

    def __init__(self, problem: PlacementVariables, cnf: Cnf) -> None:
        self._problem, self._cnf = problem, cnf
        self._taken = set(problem.meant)  # variables that are taken
        self._told: set[object] = set()
        # For each placement, the literal which says that it is made, if there is one.
        self._made = {placed: copies[0] for placed, copies in problem.copies.items() if 0 in copies}

    def follow(self, groups: Sequence[ClauseGroup], look: StopCheck) -> None:
        """Check all groups. NotShownError says what is not shown."""
        if self._taken and max(self._taken) > self._cnf.variables:
            raise NotShownError(f"it says what variable {max(self._taken)} means, but has {self._cnf.variables}")
        done = 0
        for group in groups:
            look()
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
        try:
            written = write(self, group.fact, given, group.new) if write else None
        except encodings.TooManyClausesError:
            raise NotShownError(f"{where}: {_told(group.fact)} takes more clauses than these {len(given):,}") from None
        if written is None:
            raise NotShownError(f"{where}: the problem does not say {_told(group.fact)}")
        if written.told in self._told:
            raise NotShownError(f"{where}: they say what others do: {_told(group.fact)}")
        self._told.add(written.told)
        for variable in (*range(group.new, group.new + written.own), *written.more):
            if variable in self._taken or not 1 <= variable <= self._cnf.variables:
                raise NotShownError(f"{where}: variable {variable} is not theirs")
            self._taken.add(variable)
        if not _are(written.clauses, given):
            raise NotShownError(f"{where}: they are not those of {_told(group.fact)}")

    def cell(self, fact: dict[str, Any], given: Sequence[Clause], new: int) -> _Written | None:
        """The fact `cell`. The first clause says in which order its variables are taken."""
        cell = fact["cell"]
        if not isinstance(cell, list) or not all(type(a) is int for a in cell) or tuple(cell) not in self._problem.number:
            return None
        there = given[0]
        if sorted(there) != self._problem.over(tuple(cell)):
            return None
        if fact["by"] == "at-least":
            return _Written(("cell", *cell), [there])
        return _with_first(given, fact["by"], new, ("cell", *cell))

    def corner(self, fact: dict[str, Any], given: Sequence[Clause], new: int) -> _Written | None:
        """The fact `corner`. Its own variable is true if none of the placements is made."""
        there = given[0]
        none = [variable for variable in there if variable not in self._problem.meant]
        placed = [variable for variable in there if variable in self._problem.meant]
        if fact["corner"] is not True or len(none) != 1 or len(set(there)) < len(there) or not self._problem.exclude(placed):
            return None
        return _with_first(given, fact["by"], new, ("corner", *there), tuple(none))

    def shared(self, fact: dict[str, Any], given: Sequence[Clause], new: int) -> _Written | None:
        """An own variable is true if some placement gives the side this mark. Then each of the cells `beside` is covered by one
        that gives it, or gives the side none."""
        side, marks, beside = _cells(fact["shared"]), fact["colours"], _cells(fact["beside"])
        if side is None or len(side) != 2 or beside is None or not set(beside) <= self._problem.number.keys():
            return None
        if not isinstance(marks, list) or not all(isinstance(mark, str) for mark in marks) or len(set(marks)) < len(marks):
            return None
        giving = self._problem.given(*side)
        encoded = encodings.at_most(fact["by"], range(new, new + len(marks)), 1, new + len(marks), len(given))
        if giving is None or encoded is None:
            return None
        clauses, own = encoded
        for is_given, mark in enumerate(marks, new):
            able = [variable for variable, colour in giving.items() if colour == mark]
            clauses += [[-variable, is_given] for variable in able] + [[-is_given, *able]]
            for cell in beside:
                clauses.append([-is_given, *(each for each in self._problem.over(cell) if giving.get(each, mark) == mark)])
        return _Written(("shared", *side), clauses, len(marks) + own)

    def least(self, fact: dict[str, Any], given: Sequence[Clause], new: int) -> _Written | None:
        tile, least = self._tile(fact, given), fact["least"]
        if tile is None or type(least) is not int or not 0 < least <= self._problem.least[tile]:
            return None
        told = ("least", tile)
        placements = self._problem.placements[tile]
        literals = self._problem.variables(tile, 0)
        if len(literals) == len(placements):
            return _of(encodings.at_least(fact["by"], literals, least, new, len(given)), told)
        # Copies have numbers, so each has clauses of its own; but there are not enough.
        too_many = least > min(len(placements), self._problem.most[tile])
        return _Written(told, [[]]) if too_many and fact["by"] is None else None

    def most(self, fact: dict[str, Any], given: Sequence[Clause], new: int) -> _Written | None:
        tile, most = self._tile(fact, given), fact["most"]
        if tile is None or type(most) is not int or most < self._problem.most[tile]:
            return None
        return _of(encodings.at_most(fact["by"], self._problem.variables(tile, 0), most, new, len(given)), ("most", tile))

    def copy_least(self, fact: dict[str, Any], given: Sequence[Clause], new: int) -> _Written | None:
        tile, copy = self._tile(fact, given), fact["copy"]
        if tile is None or type(copy) is not int or fact["least"] != 1 or not 0 < copy <= self._problem.least[tile]:
            return None
        return _of(encodings.at_least(fact["by"], self._problem.variables(tile, copy), 1, new, len(given)), ("least", tile, copy))

    def copy_most(self, fact: dict[str, Any], given: Sequence[Clause], new: int) -> _Written | None:
        tile, copy = self._tile(fact, given), fact["copy"]
        if tile is None or type(copy) is not int or copy < 1 or fact["most"] != 1:
            return None
        return _of(encodings.at_most(fact["by"], self._problem.variables(tile, copy), 1, new, len(given)), ("most", tile, copy))

    def ordered(self, fact: dict[str, Any], given: Sequence[Clause], new: int) -> _Written | None:
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
        return _Written(("ordered", tile), clauses, sum(map(len, rows)))

    def before(self, fact: dict[str, Any], given: Sequence[Clause], new: int) -> _Written | None:
        """An own variable is true if the copy lies in this place of its row or in one before."""
        tile, copy = self._tile(fact, given), fact["before"]
        rows = [] if tile is None else self._problem.rows(tile)
        if type(copy) is not int or not 1 <= copy < len(rows) or not self._problem.are_in_order(rows):
            return None
        clauses: list[Clause] = []
        later = rows[copy]
        for i, literal in enumerate(later):
            clauses += [[-(new + i), rows[copy - 1][i], *([new + i - 1] if i else [])], [-literal, new + i]]
        return _Written(("before", tile, copy), clauses, len(later))

    def made(self, fact: dict[str, Any], given: Sequence[Clause], new: int) -> _Written | None:
        if type(fact["made"]) is not int or fact["made"] not in self._problem.meant:
            return None
        placed, _ = self._problem.meant[fact["made"]]
        if placed in self._made:
            return None
        self._made[placed] = new
        variables = sorted(self._problem.copies[placed].values())
        return _Written(("made", placed), [*([-each, new] for each in variables), [-new, *variables]], 1)

    def leader(self, fact: dict[str, Any], given: Sequence[Clause], new: int) -> _Written | None:
        """An own variable is true if tiling and image have been the same up to here."""
        cells, tiles = fact["leader"], _pairs(fact["tiles"])
        if not isinstance(cells, list) or not all(type(cell) is int for cell in cells) or tiles is None:
            return None
        # Placements of tiles decide which cells stay open.
        placed = [each for each in self._problem.copies if each.tile < self._problem.tiles]
        if not all(each in self._made for each in placed):
            return None
        ways = (self._leader(placed, images, new) for images in self._problem.images(cells, tiles))
        found = [each for each in ways if each.told not in self._told]
        return next((each for each in found if _are(each.clauses, given)), found[-1] if found else None)

    def _leader(self, placed: Sequence[Laid], images: Mapping[Laid, Laid], new: int) -> _Written:
        clauses: list[Clause] = []
        known: dict[int, int] = {}  # A forest: it leads from a literal to one that is equal if all was the same up to here.
        equal: list[int] = []
        own = 0
        for each in sorted(placed, key=self._made.__getitem__):
            mine, theirs = self._made[each], self._made[images[each]]
            one, two = _end(known, mine), _end(known, theirs)
            if one == two:
                continue
            known[two] = one
            so_far, further = [-literal for literal in equal], new + own
            clauses += [[*so_far, mine, -theirs], [*so_far, mine, further], [*so_far, -theirs, further]]
            equal, own = [further], own + 1
        return _Written(("leader", *(images[each] for each in placed)), clauses, own)

    def _tile(self, fact: dict[str, Any], given: Sequence[Clause]) -> int | None:
        """The number of the tile that a fact is about. Several groups of open cells have tiles without a name: the clauses say
        which one it is."""
        if fact["tile"] == "" and self._problem.fillers > 1:
            return self._problem.tile_among(abs(literal) for clause in given for literal in clause)
        return self._problem.tile(fact["tile"]) if isinstance(fact["tile"], str) else None


_FACTS: dict[frozenset[str], Callable[[_Check, dict[str, Any], Sequence[Clause], int], _Written | None]] = {
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


def _with_first(given: Sequence[Clause], by: object, new: int, told: object, more: tuple[int, ...] = ()) -> _Written | None:
    """The clauses for exactly one true literal among those of the first clause."""
    there = given[0]
    encoded = _of(encodings.at_most(by, there, 1, new, len(given)), told)
    return encoded and _Written(told, [there, *encoded.clauses], encoded.own, more)


def _of(encoded: tuple[encodings.Clauses, int] | None, told: object) -> _Written | None:
    return None if encoded is None else _Written(told, *encoded)


def _are(written: Sequence[Clause], given: Sequence[Clause]) -> bool:
    """Whether two lists have the same clauses."""
    return sorted(map(_normal, written)) == sorted(map(_normal, given))


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
