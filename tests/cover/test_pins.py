"""Pins: what overlaps with them is what excludes each other without them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests import coloured
from tiler.backends.registry import parse_spec
from tiler.cover.board import BoardCover
from tiler.cover.pins import pinned, without_colours
from tiler.errors import BadOption
from tiler.question.question import Goal, Question

CASES = [
    pytest.param(["3x3", "1"], {"share": 1, "copies": 9, "colours": 7}, id="many colours"),
    pytest.param(["4x4", "3L", "2"], {"share": 0.5, "copies": 2, "colours": 3}, id="some sides without"),
    pytest.param(["3x3", "3I", "1"], {"share": 0.6, "copies": 3, "wrap": "rows columns"}, id="torus"),
    pytest.param(["hex:2", "2-1"], {"share": 0.8, "copies": 3, "lattice": "hexagonal"}, id="hexagons"),
    pytest.param(["2x2x2", "2"], {"share": 0.8, "copies": 2}, id="space"),
]


@pytest.mark.parametrize(("shapes", "how"), CASES)
def test_options_overlap_with_pins_exactly_if_they_exclude_each_other(shapes: list[str], how: dict) -> None:
    cover = coloured.at_random(shapes, 1, **how)
    pins = pinned(cover)
    covers = np.zeros((len(pins), len(pins.items)), np.bool_)
    covers[np.repeat(np.arange(len(pins)), np.diff(pins.members.starts)), pins.members.values] = True
    covers = covers[: len(cover)]
    overlap = (covers[:, None] & covers[None]).any(2)
    assert (overlap == [cover.touching(option) for option in range(len(cover))]).all()
    assert overlap.any()


def test_no_side_without_a_mark_needs_no_filler() -> None:
    pins = pinned(coloured.of_squares(2, 3, [(1, 1, 1, 1), (2, 2, 2, 2), (1, 2, 1, 2)]))
    assert pins.fillers == ()
    assert not pins.may_gape.any()
    assert len(pins.ends) == 7 * 2  # Seven sides between cells, each with two colours.


def test_pins_come_before_the_later_end_or_after_it_if_they_may_stay_open() -> None:
    pins = pinned(coloured.at_random(["4x3", "1"], 1, share=0.85, copies=2))
    assert pins.may_gape.any()
    assert not pins.may_gape.all()
    rank = np.arange(12)[::-1]
    placed = pins.placed(rank)
    assert sorted(placed.tolist()) == list(range(len(pins.items)))
    assert (np.diff(placed[:12]) < 0).all()
    for pin, (ends, may_gape) in enumerate(zip(pins.ends, pins.may_gape, strict=True), 12):
        later = placed[ends].max()
        assert placed[pin] > later if may_gape else placed[ends].min() < placed[pin] < later


def test_a_tile_over_both_ends_of_a_side_leaves_its_pins_to_nobody_else() -> None:
    """Two dominoes lie on a square board without any mark between their own cells."""
    cover = coloured.at_random(["2x2", "2", "1"], 0, share=1, colours=2)
    assert not pinned(cover).may_gape.any()
    question = Question(Goal.ENUMERATE)
    listed = [set(parse_spec(spec).solve(cover, question).solutions) for spec in ("dlx", "fila")]
    assert listed[0] == listed[1]
    assert len(listed[0]) == 3


def test_an_item_that_all_give_the_same_colour_needs_no_pin() -> None:
    cover = coloured.at_random(["3x3", "1"], 1, share=1, colours=1)
    assert len(pinned(cover).ends) == 0


def test_a_cover_without_colours_stays_what_it_is() -> None:
    cover = replace(coloured.at_random(["3x3", "1"], 1, share=1), coloured=None)
    assert without_colours(cover) is cover


def test_an_item_between_more_than_two_cells_is_refused() -> None:
    whole = coloured.at_random(["3x1", "1"], 1, share=0, copies=2)
    cover: BoardCover = coloured.with_marks(whole, range(6), [{(0, 1): 1 + option % 2} for option in range(6)])
    with pytest.raises(BadOption, match=r"item \(0, 1\) is given colours over more than two cells"):
        pinned(cover)
