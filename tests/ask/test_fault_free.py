"""Tilings of rectangles without fault lines, counted by inclusion and exclusion: as by listing them, and as published."""

from __future__ import annotations

import pytest
from brute_force import tilings
from meanings import MEANING

import tiler
from tiler import formats
from tiler.ask.features import fault_free
from tiler.ask.solve import solve
from tiler.question.question import Goal, Limits, Question
from tiler.question.result import Stop

FAULT_FREE = Question(Goal.COUNT, features=("fault-free",))
#: A124997: dominoes on squares with sides of 2, 4, ... 12.
DOMINOES = (0, 0, 0, 25506, 1759280998, 854818404562894)
SMALL = ["5x4 2 3I", "3x6 3L", "4x4 3L 1", "1x5 2 3I", "7x1 2 3I", "4x4 4T 4L", "3x4 5P 2", "1x1 1", "2x3 2"]
SMALL += ["2x2x3 2", "2x3x2 3L 2", "2x2x2 3L 1", "2x2x3 1x2x3 3L 2", "1x3x4 2 3I"]


@pytest.mark.parametrize("shapes", SMALL)
def test_it_is_what_the_brute_force_lists(shapes: str) -> None:
    instance = formats.inline(shapes.split())
    assert fault_free.suits(instance, FAULT_FREE)
    listed = sum(MEANING["fault-free"](instance, tiling) for tiling in tilings(instance))
    for spec in ("dlx", "frontier", "auto"):
        result = solve(instance, spec, FAULT_FREE).result
        assert (result.count, result.status, result.stop) == (listed, "sat" if listed else "unsat", Stop.DONE)


@pytest.mark.parametrize("shapes", ["3x4 2 3I", "4x3 3L 1", "3x2x2 2 1"])
def test_tiles_that_may_not_be_turned_fill_turned_boxes_otherwise(shapes: str) -> None:
    instance = formats.inline(shapes.split(), turning=False)
    assert fault_free.suits(instance, FAULT_FREE)
    listed = sum(MEANING["fault-free"](instance, tiling) for tiling in tilings(instance))
    assert solve(instance, "frontier", FAULT_FREE).result.count == listed


@pytest.mark.parametrize("shapes", ["5x6 2", "4x5 3I 2", "3x5 3L 1"])
def test_it_is_what_the_sieve_finds(shapes: str, monkeypatch: pytest.MonkeyPatch) -> None:
    instance = formats.inline(shapes.split())
    quickly = solve(instance, "frontier", FAULT_FREE).result
    monkeypatch.setattr(fault_free, "suits", lambda instance, question: False)
    slowly = solve(instance, "dlx", FAULT_FREE).result
    assert quickly.count == slowly.count
    assert "inclusion and exclusion" in quickly.message
    assert "looked at one by one" in slowly.message


def test_published_numbers() -> None:
    """Graham: dominoes have some on a rectangle of even area if both sides are 5 or more, but not on 6x6."""
    for half, number in enumerate(DOMINOES, 1):
        assert tiler.count(tiler.make(f"{2 * half}x{2 * half}", "2"), solver="frontier", features=["fault-free"]) == number
    assert all((tiler.count(tiler.make(f"5x{n}", "2"), features=["fault-free"]) > 0) is (n in (6, 8)) for n in range(2, 9))


@pytest.mark.parametrize(
    ("instance", "question"),
    [
        (tiler.make("4x4", "8:2"), FAULT_FREE),
        (tiler.make("4x4", "1..:2"), FAULT_FREE),
        (tiler.make("4x4", "2", open="2"), FAULT_FREE),
        (tiler.make("4x4", "2", wrap="rows"), FAULT_FREE),
        (tiler.make("xxxx/xxxx/.xxx", "2", "1"), FAULT_FREE),
        (formats.constrained(tiler.make("4x4", "2"), [("lock", "2")]), FAULT_FREE),
        (tiler.make("4x4", "2"), Question(Goal.COUNT, up_to_symmetry=True, features=("fault-free",))),
        (tiler.make("4x4", "2"), Question(Goal.COUNT, features=("fault-free", "border"))),
        (tiler.make("4x4", "2"), Question(Goal.ENUMERATE, features=("fault-free",))),
    ],
)
def test_what_it_is_not_made_for(instance: tiler.Instance, question: Question) -> None:
    assert not fault_free.suits(instance, question)


def test_limits() -> None:
    instance = formats.inline(["12x12", "2", "3L"])
    result = solve(instance, "dlx", Question(Goal.COUNT, Limits(nodes=1000), features=("fault-free",))).result
    assert (result.stop, result.count) == (Stop.NODES, None)
    assert result.nodes <= 1000
    assert solve(instance, "dlx", FAULT_FREE, on_tick=lambda progress: progress.nodes < 1000).result.stop is Stop.INTERRUPTED
