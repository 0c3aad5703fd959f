"""A table of the reference campaigns, from their records: what each asked, how large it is, and how it was made.

    python scripts/campaigns_table.py          prints the table of results/reference/README.md

It has a line for each campaign. Only problems and solvers with a record are counted; not every solver is asked about every
problem. *At a time* is the number of runs side
by side; *load* is the median load of the machine when a run began, with these runs in it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

import msgspec

REFERENCE = Path(__file__).resolve().parent.parent / "results/reference"
HEAD = ("campaign", "question", "problems x solvers", "runs", "limit", "at a time", "load", "commit", "date")


def main() -> None:
    print("\n".join(table()))


def table() -> Iterator[str]:
    """The lines of the table."""
    yield _row(HEAD)
    yield "|---|---|--:|--:|--:|--:|--:|---|---|"
    for file in sorted(REFERENCE.glob("*/runs.jsonl")):
        plan = file.parent.with_suffix(".toml")
        title = tomllib.loads(plan.read_text())["title"] if plan.exists() else "Problems drawn at random"
        yield _row(_cells(file.parent.name, title, list(map(msgspec.json.decode, file.read_bytes().splitlines()))))


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


def _row(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
