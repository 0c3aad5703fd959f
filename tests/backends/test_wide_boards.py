"""Boards of more than 64 cells and covers of more than 704 placements, for which searches take several words:
counts of all solvers that count them in a moment, beside those of a brute force that counts what is the same once."""

from __future__ import annotations

import pytest
from corpus import wide

from tiler.ask.solve import solve
from tiler.cover.board import BoardCover
from tiler.question.question import Goal, Question

COUNT = Question(Goal.COUNT)

#: Those that are done with such boards in a moment.
SPECS = (
    *("dlx", "dlx:filter=dead+volume+parity+probe", "dlx:order=mrv+forced:3", "dlx:order=mrv+cells:2", "dlx:parity=on"),
    *("fila", "fila:order=e", "fila:order=s", "fila:order=e:3+f:1", "fila:window=off"),
    *("auto", "frontier"),
)


def test_they_are_wide() -> None:
    covers = [BoardCover.of(board.instance) for board in wide()]
    assert all(len(cover.cells) > 64 or len(cover) > 704 for cover in covers)
    assert {len(cover) > 704 for cover in covers} == {True, False}


@pytest.mark.parametrize("spec", SPECS)
def test_wide_boards_are_counted_as_by_the_brute_force(spec: str) -> None:
    for board in wide():
        assert solve(board.instance, spec, COUNT).result.count == board.count, board
