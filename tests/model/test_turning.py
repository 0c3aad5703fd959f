"""Tiles that may not be turned, held against a brute force that shares nothing with the listing."""

from __future__ import annotations

from dataclasses import replace

import pytest
import verified
from brute_force import allowed_tilings, as_tiling
from corpus import boards

from tiler import formats
from tiler.ask.solve import solve
from tiler.errors import InputError
from tiler.formats import json, text
from tiler.model.symmetry import group
from tiler.model.tile import Placement
from tiler.question.question import Goal, Question

pytestmark = pytest.mark.usefixtures("sat_in_this_process")


@pytest.mark.usefixtures("engines_in_this_process")
@pytest.mark.parametrize("spec", ["sat", "cpsat"])
def test_engines_count_as_a_brute_force_counts(spec: str) -> None:
    """The searches do so in tests/backends/test_agreement.py."""
    for board in boards("not turned")[::2]:
        answer = solve(board.instance, spec, Question(Goal.ENUMERATE))
        assert {as_tiling(each) for each in answer.solutions} == board.tilings, board
        counted = solve(board.instance, spec, Question(Goal.COUNT, up_to_symmetry=True))
        assert counted.result.count == board.number_of_orbits, board


def test_what_would_turn_into_each_other_is_different() -> None:
    instance = formats.inline(["2x2", "xx", "x/x"], turning=False)
    assert len(instance.distinct_tiles) == 2
    assert len(allowed_tilings(instance)) == 2
    assert len(replace(instance, turning=True).distinct_tiles) == 1
    assert instance != replace(instance, turning=True)
    assert instance.digest != replace(instance, turning=True).digest
    # A symmetry takes tiles to tiles: with one of the two a quarter turn is none.
    assert len(group(instance)) == 8
    assert len(group(formats.inline(["2x2", "xx"], turning=False))) == 4
    assert len(group(formats.inline(["2x2", "xx/x."], turning=False))) == 2


def test_a_turned_tile_is_found_out() -> None:
    instance = formats.inline(["2x2", "xx"], turning=False)
    lying = [Placement(instance.tiles[0].name, frozenset({(row, 0), (row, 1)})) for row in (0, 1)]
    standing = [Placement(instance.tiles[0].name, frozenset({(0, column), (1, column)})) for column in (0, 1)]
    assert verified.error_in(instance, lying) is None
    assert "turns are not allowed" in str(verified.error_in(instance, standing))


def test_files_say_so() -> None:
    instance = formats.inline(["2x2", "xx"], turning=False)
    for written in (text.write(instance), json.write(instance)):
        assert formats.parse(written) == instance
        assert not formats.parse(written).turning
    with pytest.raises(InputError, match="cannot be reflected"):
        replace(instance, reflections=True)
