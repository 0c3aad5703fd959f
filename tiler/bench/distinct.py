"""Find the solvers that a problem does not tell apart: their engines get one and the same formula, or they make one and the same
search.

The seconds of two such solvers differ by scatter alone. An example are encodings of the number of copies on problems without a
bound on copies. `by_formulas` finds them before a campaign, by the formulas themselves. `by_counters` finds them in records, by
the counters that do not depend on the machine: variables, clauses, nodes, conflicts and so on. Only solvers of one backend with
one engine are compared.

Two solvers are apart in records as soon as one counter differs. A run that a limit ended has counters of its formula alone; it is
like another run if these are equal, and if the specs differ only in options that shape the formula (`Backend.shaping`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from tiler.backends.registry import backends, parse_spec
from tiler.bench.general_cover import GeneralCover
from tiler.bench.job import Job
from tiler.bench.refusals import cover_of
from tiler.bench.stats import Cell, Table
from tiler.cover.cover import Cover
from tiler.errors import BadOption, TilerError
from tiler.grouping import grouped
from tiler.model.instance import Instance

#: The most that is encoded before a campaign, in placements, where each named copy has its own: a few seconds.
BUDGET = 100_000
_SIZES = ("variables", "clauses", "literals", "nonzeros")  # counters of the formula
_EFFORT = ("nodes", "iterations", "conflicts", "decisions", "propagations", "branches")  # one of them, if it is a search at all
_NOT_OF_SEARCH = ("found", "model_bytes")
_LEAST_SHARE = 0.1  # of the problems: rarer coincidences are not named
_LEAST_GAIN = 0.05  # of the runs that repeat another one: sets that explain fewer of these are not named
_MOST = 3
_NAMED = 4  # solvers of a set, and sets, that are named


@dataclass(frozen=True)
class AlikeSolvers:
    """Sets of solvers, disjoint, and on how many of the problems that all of a set are asked about nothing tells them apart."""

    sets: tuple[tuple[str, ...], ...]
    problems: int
    asked: int

    def in_words(self, names: Mapping[str, str], alike: str) -> str:
        """A sentence without a full stop; `alike` says what the solvers are.

        >>> called = {"a": "A", "b": "B", "c": "C", "d": "D"}
        >>> AlikeSolvers((("a", "b"),), 3, 5).in_words(called, "get one and the same formula")
        'on 3 of 5 problems these 2 solvers get one and the same formula: A, B'
        >>> AlikeSolvers((("a", "b"), ("c", "d")), 3, 5).in_words(called, "get one and the same formula")
        'on 3 of 5 problems the solvers in each of these 2 sets get one and the same formula: A = B; C = D'
        """
        some = [[names[solver] for solver in solvers] for solvers in self.sets]
        if len(some) == 1:
            who, listed = f"these {len(some[0])} solvers", _shortened(some[0], ", ")
        else:
            who = f"the solvers in each of these {len(some)} sets"
            listed = _shortened([_shortened(members, " = ") for members in some], "; ")
        return f"on {self.problems:,} of {self.asked:,} problems {who} {alike}: {listed}"


def _shortened(names: Sequence[str], between: str) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"{between.join(names[:_NAMED])}{more}"


@dataclass(frozen=True)
class _Counters:
    """What a record says of the formula and of the search of a solver, by numbers that do not depend on the machine."""

    engine: tuple[str, str | None]  # the backend and its engine
    settings: frozenset[str]  # the options that do not shape the formula
    sizes: tuple[Any, ...]
    search: Mapping[str, Any] | None  # None if a limit ended the run

    def is_like(self, other: _Counters) -> bool:
        """Whether nothing here tells the two apart."""
        if self.engine != other.engine or self.sizes != other.sizes:
            return False
        if self.search is not None and other.search is not None and self.search != other.search:
            return False
        if any(self.sizes) and self.settings == other.settings:
            return True
        return self.search == other.search and any((self.search or {}).get(name) for name in _EFFORT)


def by_counters(table: Table) -> tuple[AlikeSolvers, ...]:
    """The sets of solvers of a table whose counters are equal on a tenth of the problems or more. Those come first that explain
    most of the runs that repeat another one."""
    asked = {
        problem.name: {s: _counters(s, cell) for s in table.solvers if (cell := table.cell(problem, s)).is_attempted}
        for problem in table.problems
    }
    return _sets(list(asked.values()), [some for counters in asked.values() for some in _classes(counters)])


def are_alike(first: str, one: Cell, second: str, two: Cell) -> bool:
    """Whether nothing in their records tells two solvers apart on a problem."""
    return _counters(first, one).is_like(_counters(second, two))


def _counters(solver: str, cell: Cell) -> _Counters:
    stats = cell.stats
    search = {
        name: value
        for name, value in stats.items()
        if not name.endswith("_seconds") and name not in (*_SIZES, *_NOT_OF_SEARCH) and not isinstance(value, str)
    }
    engine, settings = _parts(solver)
    return _Counters(
        engine,
        settings,
        tuple(value if isinstance(value := stats.get(name), int) else None for name in _SIZES),
        search if cell.is_solved else None,
    )


@lru_cache(maxsize=1024)
def _parts(solver: str) -> tuple[tuple[str, str | None], frozenset[str]]:
    """The backend and its engine, and the options that do not shape the formula."""
    name, _, text = solver.partition(":")
    options = text.split(",")
    shaping = backends()[name].shaping if name in backends() else ()
    engine = next((option for option in options if option.startswith("engine=")), None)
    return (name, engine), frozenset(option for option in options if option.partition("=")[0] not in shaping)


def _classes(counters: Mapping[str, _Counters]) -> Iterator[frozenset[str]]:
    """The sets of solvers that are alike on a problem."""
    for some in grouped(((one.engine, one.sizes), solver) for solver, one in counters.items()).values():
        classes: list[list[str]] = []
        # Those that a limit ended come last: they are like the others if these are all alike.
        for solver in sorted(some, key=lambda solver: counters[solver].search is None):
            fitting = [members for members in classes if all(counters[solver].is_like(counters[other]) for other in members)]
            if len(fitting) == 1:
                fitting[0].append(solver)
            else:
                classes.append([solver])
        yield from (frozenset(members) for members in classes if len(members) > 1)


# --- before a campaign


@dataclass(frozen=True)
class ComparedFormulas:
    """The sets of solvers with equal formulas, and the number of problems whose formulas were not made, as they are large."""

    alike: tuple[AlikeSolvers, ...]
    left_out: int


def by_formulas(jobs: Iterable[Job], budget: int = BUDGET) -> ComparedFormulas:
    """The sets of solvers whose formulas are equal on a tenth of the problems or more, as `by_counters` has them. Nothing is
    searched. The formulas of small problems are compared first, as far as the budget goes."""
    jobs = tuple(jobs)
    with_formula = {solver for solver in {job.solver for job in jobs} if _has_formula(solver)}
    problems, solvers = dict[str, Any](), dict[str, dict[str, None]]()
    for job in jobs:
        if job.solver in with_formula:
            problems[job.instance.digest] = job.instance
            solvers.setdefault(job.instance.digest, {})[job.solver] = None
    sizes = {digest: _size(problems[digest], len(some)) for digest, some in solvers.items() if len(some) > 1}
    asked, classes, left_out = list[Mapping[str, Any]](), list[frozenset[str]](), 0
    for digest, size in sorted(sizes.items(), key=lambda pair: pair[1]):
        if not size:
            continue
        budget -= size
        cover = cover_of(problems[digest]) if budget >= 0 else None
        keys = {solver: None if cover is None else _formula(solver, cover) for solver in solvers[digest]}
        equal = grouped((key, solver) for solver, key in keys.items() if key is not None)
        asked.append(keys)
        classes += [frozenset(some) for some in equal.values() if len(some) > 1]
        left_out += cover is None
    return ComparedFormulas(_sets(asked, classes), left_out)


def _has_formula(solver: str) -> bool:
    """Whether the formula of a solver can be made here."""
    backend = parse_spec(solver)
    return bool(backend.shaping) and not backend.missing() and backend.filter == backend.anchor == "off"


def _formula(solver: str, cover: Cover) -> Hashable | None:
    """The engine, the options that do not shape the formula, and a key of the formula; None if the solver refuses the cover."""
    try:
        return _parts(solver), parse_spec(solver).formula_key(cover)
    except BadOption:
        return None


def _size(problem: Instance | GeneralCover, solvers: int) -> int:
    """The number of placements in the formulas of some solvers, about: each named copy of a tile has its own. 0 if there are no
    formulas, as no solver searches."""
    try:
        cover = cover_of(problem)
    except TilerError:  # The runs say what is wrong.
        return 0
    if cover is None:
        return BUDGET + 1
    if cover.refusal() is not None:
        return 0
    options = np.diff(cover.by_tile.starts)
    return int(options[~cover.bounded].sum() + solvers * (options * cover.upper)[cover.bounded].sum())


# --- the sets that are named


def _sets(asked: Sequence[Mapping[str, Any]], classes: Iterable[frozenset[str]]) -> tuple[AlikeSolvers, ...]:
    """The sets of solvers that explain most of the runs that repeat another one, from the solvers asked about each problem, and
    the sets of solvers that some problem does not tell apart."""
    number = Counter(classes)
    repeated = sum(times * (len(some) - 1) for some, times in number.items())
    problems = {some: sum(times for other, times in number.items() if some <= other) for some in number}
    together = Counter(frozenset(solvers) for solvers in asked)
    common = {some: sum(times for solvers, times in together.items() if some <= solvers) for some in number}
    candidates = [some for some in number if problems[some] >= _LEAST_SHARE * common[some]]
    chosen: list[frozenset[str]] = []

    def gain(some: frozenset[str]) -> int:
        return sum(times * (_repeats(each, [*chosen, some]) - _repeats(each, chosen)) for each, times in number.items())

    while len(chosen) < len(candidates):
        best = max(candidates, key=gain)
        if gain(best) < _LEAST_GAIN * repeated:
            break
        chosen.append(best)
    order = list(dict.fromkeys(solver for solvers in asked for solver in solvers))
    alike: dict[tuple[int, ...], list[tuple[str, ...]]] = {}
    for some in chosen:
        overlaps = sum(bool(some & other) for other in chosen[: chosen.index(some)] if problems[other] == problems[some])
        alike.setdefault((problems[some], common[some], overlaps), []).append(tuple(sorted(some, key=order.index)))
    return tuple(AlikeSolvers(tuple(sets), number, of) for (number, of, _), sets in alike.items())[:_MOST]


def _repeats(whole: frozenset[str], sets: Iterable[frozenset[str]]) -> int:
    """How many solvers repeat another one, if `whole` is a set of solvers that are alike, and only what `sets` say is known.

    >>> _repeats(frozenset("abcde"), [frozenset("ab"), frozenset("bc"), frozenset("xy")])
    2
    """
    known: list[frozenset[str]] = []
    for some in sets:
        if some <= whole:
            touching = [other for other in known if other & some]
            known = [other for other in known if not other & some] + [some.union(*touching)]
    return sum(len(some) - 1 for some in known)
