"""Boards on which sides have marks: all kinds of answers against those of a verifier that compares sides."""

from __future__ import annotations

from dataclasses import replace

import pytest
from brute_force import as_tiling
from corpus import Board, boards
from meanings import MEANING

from tiler import formats
from tiler.apps.mathematics import plane
from tiler.apps.mathematics.rectangles import Rectangles
from tiler.ask.features import fault_free
from tiler.ask.parts import orbits_of
from tiler.ask.solve import solve
from tiler.ask.symmetry.burnside import burnside_parts
from tiler.backends.dlx import Dlx
from tiler.backends.registry import parse_spec
from tiler.cover.board import BoardCover
from tiler.cover.group_action import actions
from tiler.cover.split import restrict, split
from tiler.errors import BadOption
from tiler.model.verify import error_in
from tiler.question.question import Goal, Question

#: Beside those that answer about the whole corpus in tests/backends/test_agreement.py.
SPECS = [
    "dlx:order=first,filter=dead",
    "dlx:filter=probe",
    "dlx:order=mrv+forced:3,volume=1,filter=volume",
    "dlx:parity=on,filter=parity+dead",
]
COUNT, ALL = Question(Goal.COUNT), Question(Goal.ENUMERATE)


def symmetric() -> list[Board]:
    """Those with a tiling and more than one symmetry."""
    return [board for board in boards("marks") if board.tilings and board.order > 1]


def test_examples_are_of_all_sorts() -> None:
    there = boards("marks")
    assert sum(bool(board.tilings) for board in there) > 12
    assert {board.instance.lattice.name for board in there} == {"square", "hexagonal", "triangular", "cubic"}
    assert any(board.instance.wrap for board in there)
    assert len(symmetric()) > 5


@pytest.mark.parametrize("spec", SPECS)
def test_all_tilings_are_found(spec: str) -> None:
    backend = parse_spec(spec)
    for board in boards("marks"):
        found = [as_tiling(board.cover.placements(options)) for options in backend.solve(board.cover, ALL).solutions]
        assert len(found) == len(board.tilings), board
        assert set(found) == board.tilings, board
        assert backend.solve(board.cover, COUNT).count == len(board.tilings), board


def test_subproblems_share_the_tilings_out() -> None:
    for board in boards("marks")[::2]:
        parts = [(each.choices, restrict(board.cover, each.choices)) for each in split([board.cover], 7)]
        assert sum(Dlx().solve(part, COUNT).found for _, part in parts) == len(board.tilings)
        for choices, part in parts:
            laid = [choice.option for choice in choices]
            assert not any(disagree(board.cover, one, other) for one in laid for other in part.origin.tolist())


def disagree(cover: BoardCover, one: int, other: int) -> bool:
    """Whether two options give some side two marks."""
    assert cover.coloured is not None
    given = dict(cover.coloured.of_option(one))
    return any(given.get(item, colour) != colour for item, colour in cover.coloured.of_option(other))


def orbits(cover: BoardCover) -> int:
    """The orbits of tilings under the symmetries of an instance, by their images."""
    maps = actions(cover)[1]
    found = {tuple(sorted(options)) for options in Dlx().solve(cover, ALL).solutions}
    return len({min(tuple(sorted(image)) for image in maps[:, options].tolist()) for options in found})


def test_tilings_up_to_symmetry() -> None:
    for board in symmetric():
        assert orbits(board.cover) == board.number_of_orbits
        counted = solve(board.instance, "backtracking:filter=dead", Question(Goal.COUNT, up_to_symmetry=True)).result
        assert counted.found == board.number_of_orbits, board


@pytest.mark.parametrize(
    "shapes",
    [
        ["2x2", "1 [a a a b]", "1 [a a b b]"],
        ["2x3", "2 [a b . a] [. b b a]", "1 [a a b b]", "1 [a b a b]"],
        ["3x2", "3L", "1 [a b c b]"],
        ["2x4", "1 [a a b b]"],
    ],
    ids=" ".join,
)
def test_symmetries_keep_as_many_tilings_as_burnside_says(shapes: list[str]) -> None:
    cover = BoardCover.of(formats.inline(shapes))
    turned, maps = actions(cover)
    assert len(maps) > 1
    parts = burnside_parts(Dlx(), cover, turned, maps)
    assert parts is not None
    found = [part.backend.solve(part.cover, COUNT).found for part in parts]
    assert sum(found[1:]) > 0
    assert orbits_of(sum(found), len(maps)) == orbits(cover)


@pytest.mark.parametrize(
    ("tiles", "cells"),
    [(["1 [a b a b]"], 1), (["1 [a b c d]"], 2), (["1 [a a a b]"], 2), (["1 [a b c a]", "1 [b b c c]"], 2)],
)
def test_painted_tiles_cover_the_plane_by_their_smallest_period(tiles: list[str], cells: int) -> None:
    answer = plane.ask(formats.inline(["1x1", *tiles]), plane.PlaneQuestion(6, seconds_each=60))
    assert answer.period is not None
    assert answer.tiling is not None
    assert error_in(answer.period, answer.tiling) is None
    assert len(answer.period.board) == cells
    laid = plane.patch(answer)
    assert laid is not None
    assert error_in(*laid) is None
    assert all(placement.coat for placement in laid[1])


def test_rectangles_are_not_made_of_smaller_ones_whose_marks_need_not_match() -> None:
    with pytest.raises(BadOption, match="leave out the marks"):
        Rectangles(formats.inline(["1x1", "1 [a b c d]"]).tiles, False)


def test_tilings_without_fault_lines_are_looked_at_where_sides_have_marks() -> None:
    # By inclusion and exclusion rectangles beside each other would be counted as if any two went together.
    instance, question = formats.inline(["2x3", "3L", "1 [a b c d]"]), replace(COUNT, features=(fault_free.FEATURE,))
    assert fault_free.suits(formats.inline(["2x3", "3L", "1"]), question)
    every = solve(instance, "dlx", ALL).solutions
    bare = [frozenset((placement.tile, placement.cells) for placement in tiling) for tiling in every]
    expected = sum(MEANING[fault_free.FEATURE](instance, tiling) for tiling in bare)
    assert (len(every), expected) == (86, 2)
    assert solve(instance, "dlx", question).result.found == expected
