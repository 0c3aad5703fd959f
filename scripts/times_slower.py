"""Say how many times slower each solver of a campaign is than one of them, by family of problems and by several clocks.

    python scripts/times_slower.py results/reference/thesis
    python scripts/times_slower.py results/reference/thesis --than backtracking --filter many-unique

A number is the geometric mean of the ratios of the seconds, over the problems that both solvers solved. In the last column stand
the number of these problems and, with a plus, of those that only the other solver solved in time. With --limits these are counted
too, by the seconds of the limit: then the numbers are lower bounds. The clocks: the engine alone, the solver with its encoding
(solve), and the whole process (wall). The thesis says that SAT and ILP are about a hundred times slower than dancing links and
backtracking on problems with many different tiles (3.3).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tiler.bench import record, stats  # noqa: E402
from tiler.bench.corpus import fits  # noqa: E402
from tiler.bench.stats import Clock, Table  # noqa: E402
from tiler.grouping import grouped  # noqa: E402
from tiler.render import table as text_table  # noqa: E402
from tiler.report import names  # noqa: E402

CLOCKS = (Clock.ENGINE, Clock.SOLVE, Clock.WALL)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="a folder of results")
    parser.add_argument("--than", default="dlx", metavar="SPEC", help="the solver to compare with (default: dlx)")
    parser.add_argument("--filter", default="*", metavar="TEXT|GLOB|/REGEX/", help="only problems with such names")
    parser.add_argument("--limits", action="store_true", help="count problems that were not solved in time as well")
    args = parser.parse_args(arguments)

    records = [run for run in record.read(args.folder).records if fits(str(run["instance"]), args.filter)]
    for runs in stats.series(records):
        tables = {clock: stats.tabulate(runs, clock) for clock in CLOCKS}
        short = names.labels(tables[Clock.SOLVE].solvers)
        if args.than not in short.values():
            parser.error(f"--than {args.than}: there are {', '.join(short.values())}")
        other = next(spec for spec, label in short.items() if label == args.than)
        heads = ("family", f"slower than {args.than}", *CLOCKS, "solved by both")
        rows = [row for spec in short if spec != other for row in compared(tables, spec, other, short[spec], limits=args.limits)]
        print(text_table.draw(rows, heads, texts=2))
    return 0


def compared(tables: dict[Clock, Table], spec: str, other: str, label: str, *, limits: bool) -> Iterator[tuple[str, ...]]:
    """A row for each family of problems, and one for all of them, if there are several."""
    problems = tables[Clock.SOLVE].problems
    families = grouped((problem.family, problem) for problem in problems)
    for family, some in {**families, **({"all": list(problems)} if len(families) > 1 else {})}.items():
        means, both, only = [], 0, 0
        for table in tables.values():
            pairs = [(table.cell(problem, spec).seconds, table.cell(problem, other).seconds) for problem in some]
            both = sum(None not in pair for pair in pairs)
            only = sum(ours is None and theirs is not None for ours, theirs in pairs)
            limit = table.seconds_limit if limits else None
            factors = [(ours or limit or 0.0) / theirs for ours, theirs in pairs if theirs and (ours or limit)]
            means.append(stats.shifted_geometric_mean(factors, shift=0))
        words = ["" if mean is None else f"{mean:,.3g}" if mean < 100 else f"{mean:,.0f}" for mean in means]
        yield family, label, *words, f"{both} +{only}" if only else str(both)


if __name__ == "__main__":
    sys.exit(main())
