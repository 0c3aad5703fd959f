"""Turn records into rows of plain values, for spreadsheets and data frames."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tiler.bench.record import Record
from tiler.report.names import short


def of(records: Iterable[Record]) -> list[dict[str, Any]]:
    """A row for each run, by names of columns: the question, the answer, and the cost. Names of columns have the unit."""
    return list(map(_row, records))


def _row(run: Record) -> dict[str, Any]:
    """The row of a run."""
    limits, stats = run["limits"], run.get("stats") or {}
    return {
        "instance": run["instance"],
        "cells": run.get("cells"),
        "solver": short(run["solver"]),
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
    }
