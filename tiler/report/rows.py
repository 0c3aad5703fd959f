"""Turn records into rows of plain values, for spreadsheets and data frames."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tiler.bench.record import Record
from tiler.report.names import shortened


def of(records: Iterable[Record]) -> list[dict[str, Any]]:
    """A row for each run, by names of columns: the question, the answer, and the cost. Names of columns have the unit."""
    runs = list(records)
    names = shortened(str(run["solver"]) for run in runs)
    return [_row(run, names[str(run["solver"])]) for run in runs]


def _row(run: Record, solver: str) -> dict[str, Any]:
    """The row of a run."""
    limits, stats = run["limits"], run.get("stats") or {}
    return {
        "instance": run["instance"],
        "cells": run.get("cells"),
        "solver": solver,
        "goal": str(run["goal"]),
        "seed": run.get("seed"),
        "repeat": run.get("repeat"),
        "status": str(run["status"]),
        "stop": str(run["stop"]),
        "category": str(run["category"]),
        "count": run.get("count"),
        "nodes": stats.get("nodes"),
        "encode_seconds": run.get("encode_seconds"),
        "solve_seconds": run.get("solve_seconds"),
        "wall_seconds": run.get("wall_seconds"),
        "cpu_seconds": run.get("cpu_seconds"),
        "peak_megabytes": run.get("peak_megabytes"),
        "limit_seconds": limits.get("seconds"),
        "limit_megabytes": limits.get("megabytes"),
        "threads": limits.get("threads"),
        "jobs": run.get("jobs"),
        "load": run.get("load"),
    }
