"""The tables about the reference campaigns, from their records.

    python scripts/reference_tables.py            prints them
    python scripts/reference_tables.py --write    writes them into results/reference/README.md and docs/results.md

The first has a line for each campaign: what it asked, how large it is, and how it was made. Only problems and solvers with a
record are counted; not every solver is asked about every problem. *At a time* is the number of runs side by side; *load* is the
median load of the machine when a run began, with these runs in it.

The others compare with programs of others. A row is a problem, a column a solver of the campaign that has records. A program
of others is a whole process, and so is *tiler*, with its default solver or a named one. The other columns of ours are searches
alone, mostly warm.
"""

from __future__ import annotations

import argparse
import re
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import median
from typing import Any

import msgspec

ROOT = Path(__file__).resolve().parent.parent
REFERENCE = ROOT / "results/reference"
CAMPAIGNS_PAGE, PEERS_PAGE = REFERENCE / "README.md", ROOT / "docs/results.md"
HEAD = ("campaign", "question", "problems x solvers", "runs", "limit", "at a time", "load", "commit", "date")
#: The problems on which we compare with programs of others, by campaign.
PEERS = {
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


def campaigns() -> Iterator[str]:
    """The lines of the table of all campaigns."""
    yield _row(HEAD)
    yield "|---|---|--:|--:|--:|--:|--:|---|---|"
    for file in sorted(REFERENCE.glob("*/runs.jsonl")):
        plan = file.parent.with_suffix(".toml")
        title = tomllib.loads(plan.read_text())["title"] if plan.exists() else "Problems drawn at random"
        yield _row(_cells(file.parent.name, title, _records(file.parent)))


def _cells(name: str, title: str, records: list[dict[str, Any]]) -> tuple[str, ...]:
    problems, solvers = ({record[key] for record in records} for key in ("instance", "solver"))
    limits = sorted({record["limits"]["seconds"] for record in records})
    loads = [load for record in records if (load := record.get("load")) is not None]  # A refused run has none.
    commits = sorted({_short(record["environment"]["commit"]) for record in records})
    dates = sorted({record["started"][:10] for record in records})
    return (
        f"[{name}]({name}/report.md)" if (REFERENCE / name / "report.md").exists() else name,
        title,
        f"{len(problems)} x {len(solvers)}",
        f"{len(records):,}",
        " and ".join(f"{limit:g} s" for limit in limits),
        " and ".join(map(str, sorted({record["jobs"] for record in records}))),
        f"{median(loads):.1f}" if loads else "",
        ", ".join(commits),
        " and ".join(dates),
    )


def _short(commit: str) -> str:
    """A commit in eight digits, with a `+` if files of the checkout differed from it."""
    digits, changes, _ = commit.partition("+")
    return digits[:8] + changes


def peers(campaign: str) -> Iterator[str]:
    """The lines of the table of a campaign that compares with programs of others."""
    found = {(run["instance"], run["solver"].partition(":")[0]): run for run in _records(REFERENCE / campaign)}
    solvers = tomllib.loads((REFERENCE / f"{campaign}.toml").read_text())["solvers"]
    shown = [name for solver in solvers if any(solver_of == (name := solver.partition(":")[0]) for _, solver_of in found)]
    yield _row(("seconds", *shown))
    yield f"|---|{'--:|' * len(shown)}"
    for problem in PEERS[campaign]:
        name = problem.removeprefix("classic/").removesuffix("_s")
        yield _row((name, *(_seconds(found[problem, solver]) for solver in shown)))


def _seconds(run: dict[str, Any]) -> str:
    answered = run["count"] is not None if run["goal"] == "count" else run["status"] != "unknown"
    return f"{run['solve_seconds']:.2f}" if answered else str(run["stop"])


def _records(folder: Path) -> list[dict[str, Any]]:
    return list(map(msgspec.json.decode, (folder / "runs.jsonl").read_bytes().splitlines()))


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _write(page: Path, after: str, lines: Iterable[str]) -> None:
    """Replace the first table of a page after a text, with the text as it is in a regular expression."""
    table = "".join(f"{line}\n" for line in lines)
    old = re.compile(rf"({after}.*?)(?:^\|[^\n]*\n)+", re.M | re.S)
    page.write_text(old.sub(lambda found: found[1] + table, page.read_text(), count=1))


def main() -> None:
    parser = argparse.ArgumentParser(description="Print the tables about the reference campaigns.")
    parser.add_argument("--write", action="store_true", help="write them into the pages")
    if parser.parse_args().write:
        _write(CAMPAIGNS_PAGE, "", campaigns())
        for campaign in PEERS:
            # The first table after the link to the campaign's report.
            _write(PEERS_PAGE, rf"/{campaign}/report\.md", peers(campaign))
    else:
        for lines in (campaigns(), *map(peers, PEERS)):
            print(*lines, "", sep="\n")


if __name__ == "__main__":
    main()
