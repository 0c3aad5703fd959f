"""Records, for statistics and plots: of runs that were never made, and of one that is."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from tiler.bench import stats
from tiler.bench.campaign import make
from tiler.bench.job import SCHEMA, Job
from tiler.bench.record import Record
from tiler.bench.store import Store
from tiler.report import draw

LIMITS = {"seconds": 10.0, "megabytes": 100, "solutions": None, "nodes": None}


def record_of_run(job: Job) -> Record:
    """The record of a run that is made here and now."""
    with TemporaryDirectory() as folder, Store(Path(folder)) as store:
        return next(make([job], store, warm_seconds=0.0))


def without_pdf(patch: pytest.MonkeyPatch) -> None:
    """Leave every PDF of a figure empty, for tests that do not look at any: its letters take longer than all else."""
    drawn = draw.image
    patch.setattr(draw, "image", lambda drawing, form: b"" if form == "pdf" else drawn(drawing, form))


def record(instance: str, solver: str, seconds: float | None = None, **fields: Any) -> dict[str, Any]:
    """A record; without seconds, of a run that reached the time limit."""
    solved = seconds is not None
    return {
        "instance": instance,
        "digest": instance,
        "cells": 4,
        "expected": {"verdict": "sat", "count": None},
        "solver": solver,
        "goal": "decide",
        "limits": LIMITS,
        "seed": 0,
        "repeat": 0,
        "started": "2026-01-01T00:00:00Z",
        "status": "sat" if solved else "unknown",
        "stop": "done" if solved else "time",
        "count": None,
        "verified": int(solved),
        "category": "correct" if solved else "unknown",
        "encode_seconds": 0.5 if solved else None,
        "solve_seconds": seconds,
        "warm": None,
        "wall_seconds": 20.0,
        "cpu_seconds": 15.0,
        "message": "",
    } | fields


# Three solvers on four problems: a is fast, b slow but sure, c was run on two of them only.
RECORDS = [
    record("f/1", "a", 1.0),
    record("f/1", "b", 2.0),
    record("f/1", "c", 4.0),
    record("f/2", "a", 1.0),
    record("f/2", "b", 8.0),
    record("f/2", "c"),
    record("g/3", "a"),
    record("g/3", "b", 9.0),
    record("g/4", "a"),
    record("g/4", "b"),
]


TABLE = stats.tabulate(RECORDS)


SOLVERS = ("backtracking", "dlx:order=first", "dlx", "sat:encoding=amk-bdd", "nobody:knows=this")


def campaign() -> list[dict[str, Any]]:
    """Two growing families and some single problems; timeouts, an error, a wrong answer, and runs never made."""
    environment = {"environment": {"cpu": "A CPU", "cores": 2, "platform": "Linux", "commit": "abc"}, "versions": {"tiler": "1"}}
    records = []
    for number, side in enumerate((4, 6, 8, 10, 12)):
        for family, verdict in (("f/square", "sat"), ("g/corners", "unsat")):
            for rank, solver in enumerate(SOLVERS):
                name = f"{family}-{side:02}x{side:02}_{verdict[0]}"
                took: float | None = 1e-4 * 3**rank * 4**number
                if verdict == "unsat" and rank < 2 and side > 8:
                    took = None
                if solver.startswith("nobody") and side == 12:
                    continue
                stats_ = {"nodes": 10 * 5**number, "clauses": 50 * side, "variables": side, "literals": 9, "conflicts": 3 * side}
                made = record(name, solver, took, cells=side**2, schema=SCHEMA, stats=stats_, **environment)
                if took is not None:
                    made |= {"status": verdict}
                made["expected"] = {"verdict": verdict, "count": None}
                records.append(made)
    records[3] |= {"category": "wrong", "message": "no"}
    records[7] |= {"category": "error", "status": "unknown", "stop": "error", "message": "died"}
    return records
