"""Splitting a cover: every solution is in exactly one subproblem."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import instances

from tiler import formats
from tiler.backends.registry import parse_spec
from tiler.cover.board import BoardCover
from tiler.cover.split import Choice, Subproblem, restrict, split
from tiler.model.instance import Instance
from tiler.question.question import Goal, Question

FREE = [f"1:{letter}" for letter in "FILNPTUVWXYZ"]
SOMA = ["3x3x3", "1:3L", "1:4L", "1:4S", "1:4T", "1:4^", "1:4<", "1:4>"]


def solutions(cover: BoardCover) -> Counter[tuple[int, ...]]:
    """All solutions as option numbers, with how often each is found."""
    return Counter(parse_spec("backtracking").solve(cover, Question(Goal.ENUMERATE)).solutions)


@settings(max_examples=150)
@given(instances(max_cells=12, words=False), st.integers(1, 40))
def test_every_solution_is_in_exactly_one_subproblem(instance: Instance, pieces: int) -> None:
    cover = BoardCover.of(instance)
    parts = split([cover], pieces)
    found = sum((solutions(restrict(cover, each.choices)) for each in parts), Counter[tuple[int, ...]]())
    assert found == solutions(cover)


@pytest.mark.parametrize(
    "shapes",
    [
        ["4x4", "2"],
        ["3x6", "3..:2", "2..:3I"],
        ["2x7", "2..:4O", "2", "1", "3I", "3L", "4L"],
        ["3x4", "1..2:1", "2", "1..:3L"],
        ["2x2x3", "2..:2", "2..2:3L"],
        ["xxo/xxx/oxx", "1..2:2", "3L"],
    ],
)
def test_tiles_that_must_be_used_several_times(shapes: list[str]) -> None:
    cover = BoardCover.of(formats.inline(shapes))
    expected = solutions(cover)
    assert expected
    for pieces in (1, 2, 5, 20, 1000):
        parts = split([cover], pieces)
        found = sum((solutions(restrict(cover, each.choices)) for each in parts), Counter[tuple[int, ...]]())
        assert found == expected


@given(instances(max_cells=12, words=False), instances(max_cells=12, words=False), st.integers(1, 40))
def test_several_covers_are_split_together(one: Instance, other: Instance, pieces: int) -> None:
    covers = [BoardCover.of(one), BoardCover.of(other)]
    parts = split(covers, pieces)
    for number, cover in enumerate(covers):
        mine = [solutions(restrict(cover, each.choices)) for each in parts if each.part == number]
        assert sum(mine, Counter[tuple[int, ...]]()) == solutions(cover)


def test_a_tile_is_split_at_its_first_copy() -> None:
    cover = BoardCover.of(formats.inline(["2x7", "2..:4O", "2", "1", "3I", "3L", "4L"]))
    tile = [each.name for each in cover.tiles].index("4O")
    options = cover.by_tile[tile].tolist()
    parts = sorted(split([cover], 2), key=lambda each: each.choices)
    # The last two leave no room for a second one after them.
    assert [each.choices for each in parts] == [(Choice(len(cover.cells) + tile, option),) for option in options[:-2]]
    for part, option in zip(parts, options, strict=False):
        assert all(min(set(each) & set(options)) == option for each in solutions(restrict(cover, part.choices)))


@pytest.mark.parametrize(("shapes", "reflections"), [(["6x10", *FREE], True), (SOMA, False), (["8x8", "2"], False)])
def test_as_many_as_asked_for(shapes: list[str], reflections: bool) -> None:
    cover = BoardCover.of(formats.inline(shapes, reflections=reflections))
    for pieces in (1, 10, 128):
        parts = split([cover], pieces)
        assert pieces <= len(parts) < pieces + 50
        assert parts == split([cover], pieces)
        sizes = [len(restrict(cover, each.choices)) for each in parts]
        assert sizes == sorted(sizes, reverse=True)


def test_nothing_to_split() -> None:
    bare = BoardCover.of(formats.inline(["3x3", "4I"]))
    assert split([bare], 10) == ()
    assert split([], 10) == ()
    one = BoardCover.of(formats.inline(["2x1", "2"]))
    assert split([one], 10) == (Subproblem(0, (Choice(0, 0),)),)
