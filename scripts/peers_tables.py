"""The tables of programs of others on the page of results, from the records of their campaigns.

    python scripts/peers_tables.py            prints the tables
    python scripts/peers_tables.py --write    writes them into docs/results.md

A row is a problem, a column a solver of the campaign that has records. A program of others is a whole process, and so is *tiler*,
with its default solver or a named one. The other columns of ours are searches alone, mostly warm.
"""

from __future__ import annotations

import argparse
import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/results.md"
#: The problems that are shown, by campaign.
TABLES = {
    "peers-counting": (
        *("classic/dominoes-08x08_s", "classic/dominoes-10x10_s", "classic/dominoes-16x16_s", "classic/soma_s"),
        *("classic/pentominoes-03x20_s", "classic/pentominoes-08x08-hole_s", "classic/pentominoes-06x10_s"),
    ),
    "peers-dominoes": ("pairs/square-08_s", "pairs/square-12_s", "pairs/square-16_s", "pairs/square-24_s"),
    "peers-deciding": (
        *("2/corners-08x10_u", "3L/L-02x31_s", "4I/14x14_u", "4L/10x10_u", "many-unique/2-3-4-5-03x42_s"),
        *("many-unique/5r-diamond_u", "mixed/1-3I-11x11_s"),
    ),
}


def table(campaign: str) -> Iterator[str]:
    """The lines of a campaign's table."""
    folder = ROOT / "results/reference" / campaign
    runs = [json.loads(line) for line in (folder / "runs.jsonl").read_text().splitlines()]
    found = {(run["instance"], run["solver"].partition(":")[0]): run for run in runs}
    solvers = tomllib.loads(folder.with_suffix(".toml").read_text())["solvers"]
    shown = [name for solver in solvers if any(solver_of == (name := solver.partition(":")[0]) for _, solver_of in found)]
    yield f"| seconds | {' | '.join(shown)} |"
    yield f"|---|{'--:|' * len(shown)}"
    for problem in TABLES[campaign]:
        yield (
            f"| {problem.removeprefix('classic/').removesuffix('_s')} | "
            + " | ".join(_cell(found[problem, solver]) for solver in shown)
            + " |"
        )


def _cell(run: dict[str, Any]) -> str:
    answered = run["count"] is not None if run["goal"] == "count" else run["status"] != "unknown"
    return f"{run['solve_seconds']:.2f}" if answered else str(run["stop"])


def main() -> None:
    parser = argparse.ArgumentParser(description="Print the tables of programs of others.")
    parser.add_argument("--write", action="store_true", help="write them into docs/results.md")
    args = parser.parse_args()
    page = PAGE.read_text()
    for campaign in TABLES:
        lines = "\n".join(table(campaign)) + "\n"
        if args.write:
            # The first table after the link to the campaign's report.
            page = re.sub(rf"(/{campaign}/report\.md.*?)(?:^\|[^\n]*\n)+", rf"\1{lines}", page, count=1, flags=re.M | re.S)
        else:
            print(lines)
    if args.write:
        PAGE.write_text(page)


if __name__ == "__main__":
    main()
