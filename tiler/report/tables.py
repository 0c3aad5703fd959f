"""A campaign's tables: solvers in a row each, families by solvers, and solvers against one another."""

from __future__ import annotations

from collections.abc import Sequence

from tiler.amounts import duration
from tiler.bench import stats
from tiler.bench.stats import End, Table
from tiler.report.document import Tabular
from tiler.report.names import backend, labels

_SHIFT = duration(stats.SHIFT)
_MOST = 12  # solvers in a table of all against all


def solvers(table: Table) -> Tabular:
    """What each solver did, the best first, with the virtual best."""
    names, best = labels(table.solvers), stats.virtual_best(table)
    ends = [end for end in End if end is not End.SOLVED and any(stats.count(table, s, end) for s in table.solvers)]
    heads = (
        "solver",
        "solved",
        *(end.plural for end in ends),
        "PAR-2",
        f"SGM ({_SHIFT})",
        "median",
        "least to most",
        "fastest on",
        "alone on",
    )
    rows = []
    for solver in stats.ranking(table):
        around, share = stats.spread(stats.solved_seconds(table, solver)), stats.marginal(table, solver)
        others = [_count(stats.count(table, solver, end), loud=end is End.WRONG) for end in ends]
        rows.append(
            (
                names[solver],
                f"{stats.count(table, solver)}/{len(table.attempted(solver))}",
                *others,
                _seconds(stats.par2(table, solver)),
                _seconds(stats.geometric_mean(table, solver)),
                *_spread(around),
                str(share.fastest),
                str(share.solved),
            )
        )
    if len(table.solvers) > 1:
        around = stats.spread(one.seconds for one in best.values())
        rows.append(
            (
                "virtual best",
                f"{len(best)}/{len(table.problems)}",
                *[""] * len(ends),
                "",
                "",
                *_spread(around),
                "",
                "",
            )
        )
    clock = table.clock.meaning
    note = (
        f"{clock[0].upper()}{clock[1:]}. Solved: of the problems it attempted. PAR-2: mean, what is not solved counted as twice "
        f"the limit; SGM: geometric mean shifted by {_SHIFT}, what is not solved counted as the limit; both over the problems it "
        "attempted. Median and range: of those it solved. Fastest on: problems on which it is the virtual best; alone on: "
        "problems that no other solved. Missing: never run, which is not a timeout."
    )
    return Tabular(heads, tuple(rows), note)


def families(table: Table) -> Tabular:
    """For each family and the best variant of each backend: solved, and the geometric mean."""
    order = stats.ranking(table)
    shown = [s for s in table.solvers if s in {next(o for o in order if backend(o) == name) for name in map(backend, order)}]
    names = labels(table.solvers)
    rows = []
    for family in dict.fromkeys(problem.family for problem in table.problems):
        part = table.only(problems=lambda problem, family=family: problem.family == family)  # type: ignore[misc]
        cells = []
        for solver in shown:
            solved, attempted = stats.count(part, solver), len(part.attempted(solver))
            mean = stats.shifted_geometric_mean(stats.solved_seconds(part, solver), 0)
            loud = "!" if stats.count(part, solver, End.WRONG) else ""
            cells.append(f"{loud}{solved}/{attempted}" + (f"  {duration(mean)}" if mean is not None else "") if attempted else "")
        rows.append((family or ".", str(len(part.problems)), *cells))
    note = "Solved of attempted, and the geometric mean of the seconds of those it solved; the best variant of every backend."
    return Tabular(("family", "problems", *(names[solver] for solver in shown)), tuple(rows), note)


def speedups(table: Table) -> Tabular | None:
    """How many times faster the solver of a row is than that of a column, where both solved; None with fewer than two."""
    order: Sequence[str] = stats.ranking(table)[:_MOST]
    if len(order) < 2:
        return None
    names = labels(table.solvers)
    rows = []
    for a in order:
        cells = []
        for b in order:
            gain = stats.speedup(table, a, b) if a != b else None
            cells.append("" if gain is None else f"{_factor(gain.factor)} ({gain.spread.number})")
        rows.append((names[a], *cells))
    note = (
        "How many times faster the solver of the row is than that of the column: geometric mean over the problems that both "
        "solved, whose number stands in brackets."
    )
    return Tabular(("faster than", *(names[solver] for solver in order)), tuple(rows), note)


def repeats(table: Table) -> Tabular | None:
    """How the times of a solver on a problem spread over seeds and repeats; None where every run was made once."""
    names, rows = labels(table.solvers), []
    for solver in table.solvers:
        cells = [cell for cell in table.attempted(solver) if cell.repeats > 1]
        if not cells:
            continue
        widths = [cell.most / cell.least for cell in cells if cell.solved > 1 and cell.least and cell.most]
        mean, widest = stats.shifted_geometric_mean(widths, 0), max(widths, default=None)
        numbers = sorted({cell.repeats for cell in cells})
        fickle = sum(0 < cell.solved < cell.repeats for cell in cells)
        rows.append(
            (
                names[solver],
                str(len(cells)),
                " or ".join(map(str, numbers)),
                *("-" if factor is None else f"{_factor(factor)}" for factor in (mean, widest)),
                str(fickle) if fickle else "",
            )
        )
    if not rows:
        return None
    note = (
        "Runs of the same solver on the same problem, with other seeds or again. Spread: the longest over the shortest time of "
        "those that solved it, as a geometric mean over the problems and on the worst of them. By some only: problems that some "
        "of these runs solved and others did not. Tables and plots show the median, where an unsolved run is the longest."
    )
    return Tabular(("solver", "problems", "runs of each", "spread", "worst", "by some only"), tuple(rows), note)


def _spread(around: stats.Spread | None) -> tuple[str, str]:
    return ("-", "-") if around is None else (duration(around.median), f"{duration(around.least)} to {duration(around.most)}")


def _factor(factor: float) -> str:
    if factor >= 100:
        return f"{factor:,.0f}"
    return f"{factor:.1f}" if factor >= 10 else f"{factor:.2f}" if factor >= 0.1 else f"{factor:.1g}"


def _seconds(seconds: float | None) -> str:
    return "-" if seconds is None else duration(seconds)


def _count(number: int, *, loud: bool) -> str:
    return f"!{number}" if loud and number else str(number) if number else ""
