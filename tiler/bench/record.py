"""What a record may look like: checked in this one place, when a file of them is read, so that nothing that follows has to.

campaign.py says what the fields mean. A field may be missing or null unless it is one of `_REQUIRED`; fields of other names,
and statistics of any solver, are let pass.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tiler import printable
from tiler.bench import store
from tiler.bench.job import SCHEMA
from tiler.bench.judge import Category
from tiler.bench.store import Contents
from tiler.model.expected import Status
from tiler.question.question import Goal
from tiler.question.result import Stop

Check = Callable[[Any], bool]

_LARGEST = 1e18  # of what is drawn: beyond it sums and logarithmic axes are no longer safe
_DEEPEST = 20  # levels of lists and objects within statistics


def read(folder: Path, *, warn: bool = False) -> Contents:
    """The records of a campaign's folder that can be used; how many lines cannot is said on stderr if that is wanted."""
    contents = store.read(folder, SCHEMA, is_record)
    if warn and contents.skipped:
        what = "1 record" if contents.skipped == 1 else f"{contents.skipped:,} records"
        print(f"tiler: {what} in {printable.line(str(folder / store.RUNS))} cannot be read: skipped", file=sys.stderr, flush=True)
    return contents


def is_record(data: Any) -> bool:
    """Whether a value has all that a record must have, and nothing in a field that does not belong there.

    >>> is_record({"schema": "tiler-run-1"})
    False
    """
    if not isinstance(data, dict) or any(data.get(name) is None for name in _REQUIRED):
        return False
    if not _has(data, _FIELDS) or not _is_shallow(data, _DEEPEST):
        return False
    # Whoever has an answer has taken a time for it.
    return data["status"] == Status.UNKNOWN or all(data.get(name) is not None for name in _SECONDS)


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _colour(value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch("(#[0-9a-fA-F]{6})?", value) is not None


def _flag(value: Any) -> bool:
    return isinstance(value, bool)


def _whole(value: Any) -> bool:
    """A number of things: of tilings it may be of any size."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _count(value: Any) -> bool:
    return _whole(value) and value <= _LARGEST


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= _LARGEST and math.isfinite(value)


def _positive(value: Any) -> bool:
    return _number(value) and value > 0


def _one_of(choices: Any) -> Check:
    return lambda value: isinstance(value, str) and value in list(choices)


def _object(fields: Mapping[str, Check]) -> Check:
    return lambda value: isinstance(value, dict) and _has(value, fields)


def _texts(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_text, value.values()))


def _has(data: Mapping[str, Any], fields: Mapping[str, Check]) -> bool:
    return all(data.get(name) is None or check(data[name]) for name, check in fields.items())


def _is_shallow(value: Any, levels: int) -> bool:
    if not isinstance(value, dict | list):
        return True
    return levels > 0 and all(_is_shallow(each, levels - 1) for each in (value.values() if isinstance(value, dict) else value))


def _present(checks: Mapping[str, Check]) -> Check:
    """An object in which none of these is missing or null."""
    return lambda value: isinstance(value, dict) and all(name in value and check(value[name]) for name, check in checks.items())


_WARM = ("first_seconds", "least_seconds", "most_seconds", "wall_seconds", "cpu_seconds")

#: What each field holds if it holds anything.
_FIELDS: dict[str, Check] = {
    "schema": _text,
    "instance": _text,
    "digest": _text,
    "cells": _count,
    "expected": _object({"verdict": _one_of((Status.SAT, Status.UNSAT)), "count": _whole}),
    "solver": _text,
    "goal": _one_of(Goal),
    "limits": _object({"seconds": _positive, "megabytes": _count, "solutions": _count, "nodes": _count}),
    "seed": _whole,
    "repeat": _count,
    "started": _text,
    "jobs": _count,
    "load": _number,
    "status": _one_of(Status),
    "stop": _one_of(Stop),
    "count": _whole,
    "symmetry": _whole,
    "stats": _object(
        {
            **dict.fromkeys(("nodes", "conflicts", "variables", "clauses", "literals"), _number),
            **dict.fromkeys(("model_seconds", "engine_seconds"), _number),
        }
    ),
    "message": _text,
    "tiling": _text,
    "verified": lambda value: _count(value) or _flag(value),
    "proved": _flag,
    "error": _text,
    "category": _one_of(Category),
    "encode_seconds": _number,
    "solve_seconds": _number,
    "warm": _present({"runs": _count, **dict.fromkeys(_WARM, _number)}),
    "wall_seconds": _number,
    "cpu_seconds": _number,
    "peak_megabytes": _number,
    "baseline_megabytes": _number,
    "program": _object(
        {
            **dict.fromkeys(("command", "input", "output", "model", "version", "digest"), _text),
            "projects": _flag,
            "colour": _colour,
        }
    ),
    "sources": _text,
    "versions": _texts,
    "environment": _object(
        {
            **dict.fromkeys(("platform", "cpu", "commit", "sources"), _text),
            **dict.fromkeys(("cores", "memory_megabytes"), _count),
        }
    ),
}
_SECONDS = ("encode_seconds", "solve_seconds", "wall_seconds", "cpu_seconds")
#: What readers take for granted.
_REQUIRED = ("instance", "solver", "goal", "limits", "status", "stop", "category")
