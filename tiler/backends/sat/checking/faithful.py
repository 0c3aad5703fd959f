"""Is a CNF that of a problem? It is shown, clause by clause, that every tiling is a model; then a CNF without a model means that
there is no tiling.

What variables mean is taken from their comments (dimacs.py), and from nothing else; placements are listed by the naive code that
checks certificates (coloring/rest.py). No encoding plays a part. A tiling makes a variable true if its placement is made, and of
those with a copy's number if that copy is the one: the copies of a tile are numbered in the order of their least cells.

A clause of such variables holds if what it denies cannot be: two of the placements meet, or a cell could not be covered, or a
tile would be used too often or too seldom. A variable without a comment may mean anything. Clauses that share such variables
are looked at together (`_Group`): whatever placements a tiling makes, there must be values for them.

- Where at most one of the placements in a group can be made, each is tried, and none of them where that can be.
- Where they are all those of a tile, its copies are counted along the clauses (counts.py): that is a proof too.
- Else, and where that count is too large, all choices are tried, if there are few; if there are many, some drawn at random: that
  is no proof, and is said.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice

from tiler.backends.coloring.rest import Rest
from tiler.backends.sat.checking import choices, counts
from tiler.backends.sat.checking.rup import Cnf
from tiler.backends.sat.dimacs import Meaning
from tiler.model.instance import Instance
from tiler.printable import shortened
from tiler.process.look import Look, unhurried
from tiler.question.certificate import Placed

_TRIES = 200  # choices drawn for a group of clauses that nothing else tells of
_ALL = 1000  # all choices are tried where they are no more


@dataclass(frozen=True)
class Faithful:
    """What was found: what is wrong, if anything, and how many groups of clauses were only tried, not proved."""

    wrong: str | None = None
    tried: int = 0


@dataclass(frozen=True)
class _Variable:
    """A variable with a meaning; `copy` counts from 1, 0 where copies have no numbers."""

    placed: Placed
    copy: int

    @property
    def tile(self) -> int:
        return self.placed[0]

    @property
    def least(self) -> int:
        return self.placed[1]

    @cached_property
    def cells(self) -> frozenset[int]:
        return frozenset(self.placed[1:])


def check(instance: Instance, cnf: Cnf, meanings: Mapping[int, Meaning], look: Look = unhurried, seed: int = 0) -> Faithful:
    """Whether every tiling of an instance is a model of a CNF, whose variables mean what its comments say."""
    try:
        problem = _Problem(instance, meanings)
    except _WrongMeaningError as wrong:
        return Faithful(str(wrong))
    groups = _Groups(problem)
    for number, clause in enumerate(cnf.clauses, 1):
        if number % 256 == 0:
            look()
        if not groups.take(number, clause) and not problem.holds(clause):
            return Faithful(f"clause {number}: nothing in the problem says so: {problem.told(clause)}")
    drawn, tried = random.Random(seed), 0
    for group in groups.made():
        look()
        proved = group.holds(drawn)
        if proved is False:
            return Faithful(
                f"clause {group.numbers[0]} and {len(group.numbers) - 1} others: they rule out what may be in a tiling"
            )
        tried += proved is None
    return Faithful(None, tried)


class _WrongMeaningError(Exception):
    """What is wrong with a CNF's comments."""


class _Problem:
    """An instance, and the variables that mean something in it."""

    def __init__(self, instance: Instance, meanings: Mapping[int, Meaning]) -> None:
        self.rest = Rest(instance)
        self.instance = instance
        number = {cell: i for i, cell in enumerate(self.rest.board)}
        self.variables: dict[int, _Variable] = {}
        self.named: dict[Placed, set[int]] = defaultdict(set)  #: which copies of a placement have variables
        for variable, meaning in meanings.items():
            tile = instance.find(meaning.placement.tile)
            cells = [number.get(cell, -1) for cell in meaning.placement.cells]
            placed = (-1 if tile is None else tile, *sorted(cells))
            if placed not in self.rest.placements:
                raise _WrongMeaningError(
                    f"variable {variable}: {shortened(meaning.placement.tile)} cannot lie there in this problem"
                )
            self.variables[variable] = _Variable(placed, meaning.copy)
            self.named[placed].add(meaning.copy)
        self.of_tile: dict[int, list[Placed]] = defaultdict(list)
        self.over: dict[int, list[Placed]] = defaultdict(list)
        for placed in sorted(self.rest.placements, key=lambda placed: (placed[0], placed[1], placed)):
            self.of_tile[placed[0]].append(placed)
            for cell in placed[1:]:
                self.over[cell].append(placed)
        # How many placements of its tile come before one for certain: so many copies at most have a lower number.
        self.before: dict[Placed, int] = {}
        for of_tile in self.of_tile.values():
            for i, placed in enumerate(of_tile):
                same = i > 0 and of_tile[i - 1][1] == placed[1]
                self.before[placed] = self.before[of_tile[i - 1]] if same else i

    def holds(self, clause: Sequence[int]) -> bool:
        """Whether a clause of variables that mean something is true in every tiling."""
        literals = set(clause)
        if any(-literal in literals for literal in literals):
            return True
        made = [self.variables[-literal] for literal in sorted(literals) if literal < 0]
        if any(self.conflict(a, b) for i, a in enumerate(made) for b in made[:i]):
            return True
        return self._must_be_made([self.variables[literal] for literal in sorted(literals) if literal > 0], made)

    def must_be_made(self, variables: Iterable[_Variable]) -> bool:
        """Whether every tiling makes one of them true."""
        return self._must_be_made(list(variables), [])

    def _must_be_made(self, open_: Sequence[_Variable], made: Sequence[_Variable]) -> bool:
        """Whether some of `open_` is true in every tiling in which all of `made` are."""
        unmade: dict[Placed, set[int]] = defaultdict(set)
        for variable in open_:
            unmade[variable.placed].add(variable.copy)

        def is_out(placed: Placed) -> bool:
            return self._is_out(placed, unmade.get(placed, set()), made)

        if any(all(map(is_out, self.over[cell])) for cell in sorted({cell for each in open_ for cell in each.cells})):
            return True
        tiles = sorted({each.tile for each in (*open_, *made)})
        for tile in tiles:
            least, most = self.rest.least[tile], self.rest.most[tile]
            if len({each.placed for each in made if each.tile == tile}) > most:
                return True
            if sum(not is_out(placed) for placed in self.of_tile[tile]) < least:
                return True
        # A copy that must be used, and all the places that it may have.
        copies = {(each.tile, each.copy) for each in open_ if 0 < each.copy <= self.rest.least[each.tile]}
        return any(
            all(copy - 1 > self.before[placed] or copy in unmade.get(placed, ()) for placed in self.of_tile[tile])
            for tile, copy in sorted(copies)
        )

    def _is_out(self, placed: Placed, unmade: set[int], made: Sequence[_Variable]) -> bool:
        """Whether a placement cannot be made if it is not made as one of the copies `unmade`, and all of `made` are."""
        if 0 in unmade:
            return True
        if unmade and unmade.issuperset(range(1, min(self.rest.most[placed[0]], self.before[placed] + 1) + 1)):
            return True
        return any(each.placed != placed and not each.cells.isdisjoint(placed[1:]) for each in made)

    def conflict(self, a: _Variable, b: _Variable) -> bool:
        """Whether no tiling makes both true."""
        if a.placed == b.placed:
            return a.copy != b.copy and 0 not in (a.copy, b.copy)
        if not a.cells.isdisjoint(b.cells):
            return True
        if a.tile != b.tile:
            return False
        if self.rest.most[a.tile] == 1 or (a.copy == b.copy and a.copy):
            return True
        first, later = sorted((a, b), key=lambda each: each.copy)
        return 0 < first.copy < later.copy and first.least > later.least

    def exclude(self, variables: Sequence[_Variable]) -> bool:
        """Whether no two of them can be true together."""
        if frozenset.intersection(*[each.cells for each in variables]) and len({each.placed for each in variables}) == len(
            variables
        ):
            return True
        return all(self.conflict(a, b) for i, a in enumerate(variables) for b in variables[:i])

    def told(self, clause: Sequence[int]) -> str:
        """A clause in words, or rather its first literals."""
        literals = []
        for literal in clause[:3]:
            variable = self.variables[abs(literal)]
            name = shortened(self.instance.distinct_tiles[variable.tile].name)
            literals.append(f"{'' if literal > 0 else 'not '}{name} on {self.rest.board[variable.least]}")
        return " or ".join(literals or ["nothing can be true"]) + (" or ..." if len(clause) > len(literals) else "")


class _Groups:
    """Clauses with variables that mean nothing by themselves, put together where they share one."""

    def __init__(self, problem: _Problem) -> None:
        self._problem = problem
        self._parent: dict[int, int] = {}
        self._clauses: list[tuple[int, Sequence[int]]] = []

    def take(self, number: int, clause: Sequence[int]) -> bool:
        """Whether a clause is one of them."""
        unknown = [abs(literal) for literal in clause if abs(literal) not in self._problem.variables]
        for variable in unknown:
            self._parent[self._root(variable)] = self._root(unknown[0])
        if unknown:
            self._clauses.append((number, clause))
        return bool(unknown)

    def made(self) -> Iterator[_Group]:
        """The groups, by their first clauses."""
        groups: dict[int, list[tuple[int, Sequence[int]]]] = defaultdict(list)
        for number, clause in self._clauses:
            unknown = next(abs(literal) for literal in clause if abs(literal) not in self._problem.variables)
            groups[self._root(unknown)].append((number, clause))
        for clauses in groups.values():
            yield _Group(self._problem, [number for number, _ in clauses], [clause for _, clause in clauses])

    def _root(self, variable: int) -> int:
        self._parent.setdefault(variable, variable)
        while self._parent[variable] != variable:
            self._parent[variable] = self._parent[self._parent[variable]]
            variable = self._parent[variable]
        return variable


class _Group:
    """Some clauses that are true together for some values of the variables that mean nothing, or not."""

    def __init__(self, problem: _Problem, numbers: list[int], clauses: list[Sequence[int]]) -> None:
        self._problem, self.numbers, self._clauses = problem, numbers, clauses
        named = {abs(literal) for clause in clauses for literal in clause}
        self._known = sorted(named & problem.variables.keys())

    def holds(self, drawn: random.Random) -> bool | None:
        """Whether every tiling has such values; None if all of those tried have."""
        problem = self._problem
        meant = [problem.variables[variable] for variable in self._known]
        if not meant or problem.exclude(meant):
            return self._one_at_a_time(meant)
        tiles = {(variable.tile, variable.copy) for variable in meant}
        if len(tiles) == 1 and meant[0].copy == 0 and len({variable.placed for variable in meant}) == len(meant):
            (tile,) = {variable.tile for variable in meant}
            least, most = problem.rest.least[tile], problem.rest.most[tile]
            # Of the tile's placements that are not named here any number may be made.
            least = max(0, least - (len(problem.of_tile[tile]) - len(meant)))
            if counts.every_count_extends(self._clauses, self._known, least, most):
                return True
        tiles_meant = sorted({variable.tile for variable in meant})
        every = self._every_choice(tiles_meant)
        if every is not None:
            return all(map(self._extends, every))
        draws = [self._draw(tiles_meant, drawn) for _ in range(_TRIES)]
        return None if all(self._extends(true) for true in draws if true is not None) else False

    def _one_at_a_time(self, meant: list[_Variable]) -> bool:
        """Try each variable alone, and none where that can be. What all choices have in common is simplified once."""
        by_variable: dict[int, list[Sequence[int]]] = {variable: [] for variable in self._known}
        common: list[Sequence[int]] = []  # What is left to be true where all of them are false.
        not_for: dict[int, set[int]] = defaultdict(set)  # Of each variable those that are true where it is.
        for clause in self._clauses:
            left = [literal for literal in clause if abs(literal) not in by_variable]
            false = [-literal for literal in clause if -literal in by_variable]
            if not false:
                for literal in clause:
                    if literal in by_variable:
                        not_for[literal].add(len(common))
                common.append(left)
            elif len(false) == 1:
                by_variable[false[0]].append(left)
        together = choices.Clauses(common)
        if not all(together.have_model(clauses, frozenset(not_for[each])) for each, clauses in by_variable.items()):
            return False
        return bool(meant and self._problem.must_be_made(meant)) or together.have_model([])

    def _draw(self, tiles: Sequence[int], drawn: random.Random) -> set[int] | None:
        """The variables that are true where some placements of tiles are made, as they may be in a tiling; None if they come to
        be too few."""
        problem = self._problem
        true: set[int] = set()
        covered: set[int] = set()
        for tile in tiles:
            wanted = drawn.randint(problem.rest.least[tile], problem.rest.most[tile])
            made: list[Placed] = []
            for placed in drawn.sample(problem.of_tile[tile], len(problem.of_tile[tile])):
                if len(made) < wanted and covered.isdisjoint(placed[1:]):
                    made.append(placed)
                    covered.update(placed[1:])
            if len(made) < problem.rest.least[tile]:
                return None
            true |= self._true(tile, made)
        return true

    def _every_choice(self, tiles: Sequence[int]) -> list[set[int]] | None:
        """The same for every way to make placements of these tiles; None if these are too many."""
        problem = self._problem
        every: list[tuple[frozenset[int], set[int]]] = [(frozenset(), set())]
        for tile in tiles:
            made = list(islice(_disjoint(problem.of_tile[tile], problem.rest.most[tile]), _ALL + 1))
            if len(made) * len(every) > _ALL:
                return None
            every = [
                (covered.union(*(placed[1:] for placed in placements)), true | self._true(tile, placements))
                for covered, true in every
                for placements in made
                if len(placements) >= problem.rest.least[tile]
                and covered.isdisjoint(chain.from_iterable(p[1:] for p in placements))
            ]
        return [true for _, true in every]

    def _true(self, tile: int, made: Sequence[Placed]) -> set[int]:
        """The variables that are true where a tile is made so."""
        copy = {placed: number for number, placed in enumerate(sorted(made, key=lambda placed: placed[1]), 1)}
        meant = {variable: self._problem.variables[variable] for variable in self._known}
        return {
            variable
            for variable, each in meant.items()
            if each.tile == tile and each.placed in copy and each.copy in (0, copy[each.placed])
        }

    def _extends(self, true: set[int]) -> bool:
        """Whether the clauses can be true where just these of the variables that mean something are."""
        known = set(self._known)
        clauses = []
        for clause in self._clauses:
            if not any((literal in true) if literal > 0 else (-literal in known and -literal not in true) for literal in clause):
                clauses.append([literal for literal in clause if abs(literal) not in known])
        return choices.has_model(clauses)


def _disjoint(placements: Sequence[Placed], most: int) -> Iterator[list[Placed]]:
    """All sets of up to so many placements that do not overlap."""
    stack: list[tuple[int, list[Placed], frozenset[int]]] = [(0, [], frozenset())]
    while stack:
        start, made, covered = stack.pop()
        yield made
        if len(made) < most:
            stack += [
                (i + 1, [*made, placements[i]], covered.union(placements[i][1:]))
                for i in range(start, len(placements))
                if covered.isdisjoint(placements[i][1:])
            ]
