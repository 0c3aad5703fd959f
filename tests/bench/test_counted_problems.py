"""The problems with counts: what they state, and that a solver still counts the quick ones so."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from tiler import formats
from tiler.ask.solve import solve
from tiler.cover.board import BoardCover
from tiler.model.instance import Instance
from tiler.model.lattices import LATTICES
from tiler.question.question import Goal, Question

PROBLEMS = Path(__file__).parents[2] / "problems"
CORPORA = {"polyforms", "sequences", "lattices", "wraps", "sticks"}


@cache
def counted() -> list[Instance]:
    """The problems of the corpora that are counted, those with few tilings first."""
    found = [formats.read(path) for path in sorted(PROBLEMS.glob("*/*.*"))]
    with_counts = [instance for instance in found if CORPORA.intersection(instance.about.tags)]
    return sorted(with_counts, key=lambda instance: (instance.about.expected.count or 10**9, instance.name))


def test_every_count_has_a_source() -> None:
    published = [instance for instance in counted() if "counted here by" not in instance.about.source.partition("; ")[0]]
    assert len(published) >= 200
    assert len(counted()) >= 280
    for instance in counted():
        expected = instance.about.expected
        assert "counted here by" in instance.about.source, instance.name
        assert expected.count is not None or expected.up_to_symmetry is not None, instance.name
        assert instance.about.tags[1] == instance.lattice.name == instance.name.partition("/")[0]


def test_there_are_some_on_every_lattice() -> None:
    assert {instance.lattice for instance in counted()} == set(LATTICES.values())


def test_some_are_wrapped_and_in_some_nothing_may_cross() -> None:
    assert {instance.lattice.name for instance in counted() if instance.wrap} >= {
        "square",
        "hexagonal",
        "triangular",
        "square-edges",
    }
    assert {instance.lattice.name for instance in counted() if not instance.crossing} == {"square-edges", "triangular-edges"}


@pytest.mark.parametrize("lattice", LATTICES)
def test_the_quick_ones_are_counted_so(lattice: str) -> None:
    quick = [
        instance
        for instance in counted()
        if instance.lattice.name == lattice and instance.about.expected.count and len(instance.board) <= 40
    ]
    for instance in quick[:5]:
        expected, cover = instance.about.expected, BoardCover.of(instance)
        assert solve(instance, "dlx", Question(Goal.COUNT), cover=cover).result.count == expected.count, instance.name
        if expected.up_to_symmetry is not None:
            answer = solve(instance, "dlx", Question(Goal.COUNT, up_to_symmetry=True), cover=cover)
            assert answer.result.count == expected.up_to_symmetry, instance.name


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["dlx", "fila"])
def test_the_others_are_counted_so(spec: str) -> None:
    for instance in counted():
        expected = instance.about.expected
        if expected.count is not None and expected.count < 100_000:
            assert solve(instance, spec, Question(Goal.COUNT)).result.count == expected.count, instance.name
