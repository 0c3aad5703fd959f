"""Constraints, features and objectives of the commands on instances that are drawn, beside all tilings of a brute force."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from brute_force import Tiling, allowed_tilings, distinct
from commands import status_of
from hypothesis import given, settings
from hypothesis import strategies as st
from meanings import MEANING
from strategies import instances

from tiler.ask.features.predicates import FEATURES
from tiler.formats import json as problems
from tiler.model.constraints import Constraint
from tiler.model.instance import Instance

SMALL = instances(dimensions=2, max_cells=9, max_tile=4, words=False)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("drawn") / "problem.json"


def told(file: Path, instance: Instance, command: str, *options: str) -> dict[str, Any]:
    """What a command says at last about an instance."""
    file.write_text(problems.write(instance))
    out = StringIO()
    with redirect_stdout(out), redirect_stderr(StringIO()):
        assert status_of(command, str(file), *options, "--format", "json") == 0
    found: dict[str, Any] = json.loads(out.getvalue().splitlines()[-1])
    return found


@settings(max_examples=60)
@given(SMALL, st.data())
def test_locked_tiles(file: Path, instance: Instance, data: st.DataObject) -> None:
    tile, first = data.draw(st.sampled_from(instance.tiles)), data.draw(st.integers(1, 3))
    locked = replace(instance, constraints=(Constraint("lock", tile.name, orientations=first),))
    assert told(file, instance, "count", "--lock", f"{tile.name} {first}")["count"] == len(allowed_tilings(locked))


@settings(max_examples=40)
@given(SMALL)
def test_tilings_with_features(file: Path, instance: Instance) -> None:
    every = allowed_tilings(instance)
    for name in FEATURES:
        if FEATURES[name].refusal(instance) is None:
            wanted = sum(MEANING[name](instance, tiling) for tiling in every)
            assert told(file, instance, "count", f"--{name}")["count"] == wanted
            assert told(file, instance, "solve", f"--{name}")["status"] == ("sat" if wanted else "unsat")


@settings(max_examples=40)
@given(SMALL)
def test_best_tilings(file: Path, instance: Instance) -> None:
    def best(options: list[str], tilings: set[Tiling], worth: Callable[[Tiling], int]) -> None:
        summary = told(file, instance, "solve", *options)
        assert summary.get("value") == max(map(worth, tilings), default=None)
        assert summary["status"] == ("sat" if tilings else "unsat")

    every = allowed_tilings(instance)
    best(["--minimise", "pieces"], every, lambda tiling: -len(tiling))
    for name in distinct(instance):
        best(["--maximise", name], every, lambda tiling, name=name: sum(name == other for other, _ in tiling))
    # Where no cell may stay open, all may.
    opened = instance if instance.optional else replace(instance, optional=instance.board)
    best(["--maximise", "cells"], allowed_tilings(opened), lambda tiling: sum(len(cells) for _, cells in tiling))
