"""Compare a solver with the best of the others on each problem, as papers on algorithm selection do: how far a solver that
chooses among methods, such as `auto`, is from always choosing well.

Sources: Xu, Hutter, Hoos and Leyton-Brown, Evaluating component solver contributions to portfolio-based algorithm selectors
(2012), on the marginal contribution; Lindauer, van Rijn and Kotthoff, The algorithm selection competitions 2015 and 2017 (2019),
section 2.3, on the closed gap. There an unsolved problem counts as ten times the limit, here as twice, as in PAR-2.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from operator import ne

from tiler.bench import stats
from tiler.bench.stats import Table

_GAP = 0.1  #: of the PAR-2 of the best single solver; where the virtual best is nearer, there is no gap to close


@dataclass(frozen=True)
class BesideTheBest:
    """A solver beside the virtual best of the others, over the problems that both solved."""

    times: float  #: the geometric mean of its seconds divided by those of the fastest other solver
    worst: str  #: the problem on which it lost most seconds
    worst_times: float  #: its seconds there, divided by those of the fastest
    of: int  #: the number of these problems
    lost: tuple[str, ...]  #: problems that others solved, and this one, which was asked, did not
    closed: float | None  #: the share of the gap, in PAR-2, between the best other solver and the virtual best of the others


def beside_the_best(table: Table, solver: str) -> BesideTheBest | None:
    """None if no problem was solved both by this solver and by another."""
    others = table.only(solvers=partial(ne, solver))
    best = stats.virtual_best(others)
    cells = {name: table.cell(name, solver) for name in best}
    factors = {name: (cell.seconds or 0.0, best[name].seconds) for name, cell in cells.items() if cell.seconds is not None}
    times = stats.shifted_geometric_mean((ours / least for ours, least in factors.values()), 0)
    if times is None:
        return None
    worst = max(factors, key=lambda name: factors[name][0] - factors[name][1])
    ours, least = factors[worst]
    lost = tuple(name for name, cell in cells.items() if cell.is_attempted and cell.seconds is None)
    return BesideTheBest(times, worst, ours / least, len(factors), lost, _closed(table, solver, others))


def _closed(table: Table, solver: str, others: Table) -> float | None:
    """1 for a solver that is always as fast as the best of the others, 0 for one that is as good as the best single one, negative
    for a worse one. A single one was asked about all problems; a prover, say, which is not, is one of the others all the same.
    None without a time limit, if the solver was not asked about all problems, or if there is no gap."""
    limit, everything = table.seconds_limit, len(table.problems)
    scores = {each: stats.par2(table, each) or 0.0 for each in table.solvers if len(table.attempted(each)) == everything}
    single = min((scores[each] for each in others.solvers if each in scores), default=None)
    if limit is None or solver not in scores or single is None:
        return None
    virtual = stats.par2_of_best(stats.virtual_best(others), table.problems, limit)
    return (single - scores[solver]) / (single - virtual) if single - virtual > _GAP * single else None


@dataclass(frozen=True)
class Marginal:
    """The gain by a solver beside the others: the contested instances that no other solver solves, and how much longer the
    virtual best solver would take without it. `seconds` is the difference of the mean seconds of the virtual best, over all
    instances that some solver attempted; an instance that is then not solved counts as twice the time limit. None without a
    limit.
    """

    solved: int
    fastest: int  #: contested instances on which it is the virtual best
    seconds: float | None


def marginal(table: Table, solver: str) -> Marginal:
    """The marginal contribution of a solver."""
    everyone, others = stats.virtual_best(table), stats.virtual_best(table.only(solvers=lambda other: other != solver))
    against = {problem.name for problem in stats.contested(table).problems}
    fastest = sum(best.solver == solver for name, best in everyone.items() if name in against)
    limit = table.seconds_limit
    attempted = [p for p in table.problems if any(table.cell(p, other).is_attempted for other in table.solvers)]
    longer = None
    if limit is not None and attempted:
        longer = stats.par2_of_best(others, attempted, limit) - stats.par2_of_best(everyone, attempted, limit)
    return Marginal(len((everyone.keys() - others.keys()) & against), fastest, longer)
