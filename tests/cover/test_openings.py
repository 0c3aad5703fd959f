"""Sets of cells that may stay open, beside all sets that areas and groups allow."""

from __future__ import annotations

from itertools import chain, combinations, product

import pytest

import tiler
from tiler import formats
from tiler.cover import open_sets
from tiler.cover.board import BoardCover
from tiler.model.instance import Instance

GROUPS = "# labels: a b c\n# labels: d e\n# group: one a..c\n# group: two d..e\n\nooo\nxxx\noox\n\n"
ASKED = {
    "every second number": tiler.make("3x2", "2", open="0..4"),
    "one number only": tiler.make("2x4", "1..1:3I", "1..1:4L", open="3"),
    "a gap between the sums": tiler.make("3x3", "4L", "1:1", open="0..6"),
    "at least one copy": tiler.make("3x2", "2..3:2", open="0..4"),
    "no number": tiler.make("3x2", "4L", open="1"),
    "groups": formats.parse(f"{GROUPS}1:3L\n1:4L\n"),
    "groups that leave a wrong area": formats.parse(f"{GROUPS}3L\n"),
}


def allowed(asked: Instance) -> set[tuple[int, ...]]:
    """Every set of cells of which as many stay open as are to, if some copies have the area of the rest."""
    cells = sorted(asked.board)
    copies = [range(tile.at_least, 1 + (len(cells) if tile.at_most is None else tile.at_most)) for tile in asked.tiles]
    areas = {sum(n * tile.size for n, tile in zip(each, asked.tiles, strict=True)) for each in product(*copies)}
    optional = sorted(asked.optional)
    some = map(frozenset, chain.from_iterable(combinations(optional, n) for n in range(len(optional) + 1)))
    right = [
        each
        for each in some
        if all(least <= len(each & group) <= most for group, least, most in asked.openings) and len(cells) - len(each) in areas
    ]
    return {tuple(sorted(map(cells.index, each))) for each in right}


@pytest.mark.parametrize("name", ASKED)
def test_sets_are_those_that_areas_and_groups_allow(name: str) -> None:
    cover = BoardCover.of(ASKED[name])
    found, expected = list(open_sets.sets(cover)), allowed(ASKED[name])
    assert sorted(found) == sorted(expected)
    assert open_sets.number_of_sets(cover) == len(expected)
