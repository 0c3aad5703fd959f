"""Count problems again by several solvers, and say where they disagree with each other or with what is expected.

    python scripts/recount.py --tag polyforms --solver dlx --solver fila --time-limit 300 [--filter square/] [-o counts.jsonl]

One problem after the other, up to symmetry and not. A line of JSON for each: its name, the counts by solver (null: not within the
limit) as [all, up to symmetry], seconds of CPU time, and what is expected. Exit 1 if anything differs.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from typing import Any

from tiler.ask.solve import solve
from tiler.bench import corpus
from tiler.model.instance import Instance
from tiler.question.question import Goal, Limits, Question


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Count problems again by several solvers.")
    parser.add_argument("--tag", action="append", default=[])
    parser.add_argument("--filter", action="append", default=[])
    parser.add_argument("--solver", action="append", required=True)
    parser.add_argument("--time-limit", type=float, default=60, metavar="SECONDS")
    parser.add_argument("-o", "--out")
    options = parser.parse_args(arguments)
    out = open(options.out, "a", encoding="utf-8") if options.out else sys.stdout  # noqa: SIM115
    differing = 0
    for instance in corpus.select(corpus.find_folder(), options.filter, options.tag):
        record = recounted(instance, options.solver, options.time_limit)
        differing += bool(record["differs"])
        print(json.dumps(record), file=out, flush=True)
    return 1 if differing else 0


def recounted(instance: Instance, solvers: list[str], seconds: float) -> dict[str, Any]:
    """What the solvers count, and whether two of the numbers for one thing differ, published ones included."""
    limits, expected = Limits(seconds=seconds), instance.about.expected
    counts: dict[str, list[int | None]] = {}
    took: dict[str, float] = {}
    for solver in solvers:
        start = time.process_time()
        counts[solver] = [
            solve(instance, solver, Question(Goal.COUNT, limits, up_to_symmetry=each)).result.count for each in (False, True)
        ]
        took[solver] = round(time.process_time() - start, 2)
    columns = zip(*counts.values(), (expected.count, expected.up_to_symmetry), strict=True)
    differs = any(len(set(column) - {None}) > 1 for column in columns)
    known = [expected.count, expected.up_to_symmetry]
    return {"name": instance.name, "counts": counts, "seconds": took, "expected": known, "differs": differs}


if __name__ == "__main__":
    sys.exit(main())
