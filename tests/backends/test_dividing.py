"""Searches that hand over a part of what they have still to do: both together make the nodes and find the solutions of one."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from dividing import outcome

from tiler import formats
from tiler.backends.dlx import driver
from tiler.backends.dlx import search as by_dlx
from tiler.backends.registry import parse_spec
from tiler.backends.searching.resumable import Divisible
from tiler.cover.board import BoardCover
from tiler.model.instance import Instance
from tiler.model.lattices import SQUARE
from tiler.process.cancellation import never_stop
from tiler.selftest import random_instances


def searches_of(spec: str, problem: tuple[str, ...] | Instance) -> Callable[[], Divisible]:
    """What makes new searches of a problem, as the backend does."""
    instance = problem if isinstance(problem, Instance) else formats.inline(problem)
    backend, cover = parse_spec(spec), BoardCover.of(instance)

    def made() -> Divisible:
        if backend.name == "dlx":
            narrows = not backend.parity and backend.copies == "merged"  # type: ignore[attr-defined]
            return by_dlx._made(backend, cover, narrows, never_stop)  # type: ignore[arg-type]
        search = backend.tree(cover)
        assert isinstance(search, Divisible)
        return search

    return made


#: Each option once; tiles that need not be used; tiles of which copies must be used; of the last one all.
PROBLEMS = [
    ("5x4", "1:5P", "1:5L", "1:5I", "1:5V"),
    ("2x4", "0..4:2", "1..3:1", "0..2:3L"),
    ("4x4", "2"),
]
ORDERS = ["", "order=first", "order=forced", "order=cells", "order=mrv+cells:3", "parity=on", "volume=3"]
SPECS = ["backtracking", *(f"dlx:{order}" if order else "dlx" for order in ORDERS)]


@pytest.mark.parametrize("spec", SPECS)
def test_whatever_is_given_away_the_sums_are_those_of_one_search(spec: str) -> None:
    """After every node, or every third one, by all that were given something too: so at every node of the tree."""
    for problem in PROBLEMS:
        made = searches_of(spec, problem)
        whole = outcome(made())
        assert whole[0] > 30
        for every in (1, 3):
            for rest in range(min(every, 2)):
                assert outcome(made(), lambda step, k=every, r=rest: step % k == r) == whole  # type: ignore[misc]


@pytest.mark.parametrize("spec", ["dlx", "dlx:order=first", "backtracking"])
def test_searches_with_colours_are_divided(spec: str) -> None:
    for seed in (14, 31, 45):
        instance = random_instances.instance(random.Random(seed), SQUARE, wrapped=False, painted=True)
        made = searches_of(spec, instance)
        whole = outcome(made())
        assert whole[0] > 20
        for every in (1, 3):
            assert outcome(made(), lambda step, k=every: step % k == 0) == whole  # type: ignore[misc]


def test_named_copies_are_divided() -> None:
    made = searches_of("dlx:copies=named", ("3x3", "0..4:2", "1..3:1", "0..2:3L"))
    assert outcome(made(), lambda step: step % 3 == 0) == outcome(made())


@pytest.mark.parametrize("order", ORDERS)
def test_searches_without_degrees_by_depth_are_divided(order: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "_LEVELS_BYTES", 0)
    made = searches_of(f"dlx:{order}", PROBLEMS[1])
    assert outcome(made(), lambda step: step % 2 == 0) == outcome(made())
