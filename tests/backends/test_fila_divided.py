"""FILA hands over parts of its search trees: together they make the nodes of one search, and find its solutions in its order."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest
from dividing import drawn_covers, outcome

from tiler import formats
from tiler.backends.fila import Fila
from tiler.backends.fila.handoff import Handoff
from tiler.backends.fila.list_search import ListSearch
from tiler.backends.fila.search import make_search
from tiler.backends.fila.window_search import WindowSearch
from tiler.backends.registry import parse_spec
from tiler.cover.board import BoardCover
from tiler.cover.pins import without_colours
from tiler.kernels import EXHAUSTED, SOLUTION

Searching = Handoff | ListSearch | WindowSearch

SPECS = [
    *["fila", "fila:window=off", "fila:nof=off", "fila:order=e", "fila:order=s", "fila:order=radial,tally=on"],
    *["fila:order=e:3+f:1,tally=on", "fila:order=f:9+s:3+e:2+radial:1,nof=off"],
    *["fila:handoff=2", "fila:handoff=3,order=s,volume=3"],
]
WINDOWS = ["fila:window=0", "fila:window=3,order=-y"]
INLINE = [
    ["4x4", "2:2", "4:3L"],
    ["3x4", "1..2:3L", "2", "0..1:4S"],
    ["4x5", "1:5P", "1:5L", "1:5I", "1:5V"],
    ["2x2x3", "2:4L", "1:4T"],
]
#: As bits they need two words.
MANY_TILES = ["2x7", *(f"0..1:7-{number:03}" for number in range(1, 109))]


@cache
def covers() -> list[BoardCover]:
    return [*(BoardCover.of(formats.inline(each)) for each in INLINE), *drawn_covers()]


def search_of(spec: str, cover: BoardCover) -> Searching:
    backend = parse_spec(spec)
    assert isinstance(backend, Fila)
    return make_search(backend, cover, without_colours(cover))


def check(spec: str, cover: BoardCover, chance: Random) -> None:
    """That it comes to the same; what is given away is divided in turn."""
    whole = outcome(search_of(spec, cover))
    assert whole[0] > 1
    assert outcome(search_of(spec, cover), lambda node: chance.random() < 25 / whole[0]) == whole


@pytest.mark.parametrize("spec", [*SPECS, *WINDOWS])
def test_whatever_fila_gives_away_the_sums_are_those_of_one_search(spec: str) -> None:
    chance = Random(0)
    for cover in covers():
        check(spec, cover, chance)


@pytest.mark.parametrize("spec", SPECS)
def test_sets_of_tiles_of_two_words_are_divided(spec: str) -> None:
    check(spec, BoardCover.of(formats.inline(MANY_TILES)), Random(0))


@pytest.mark.parametrize("spec", ["fila", "fila:window=off"])
def test_a_step_to_a_solution_forgets_the_last_one(spec: str) -> None:
    """Else the rows of solutions were written beyond their room, after some thousand steps."""
    searching = search_of(spec, BoardCover.of(formats.inline(["4x4", "8:2"])))
    assert not isinstance(searching, Handoff)
    codes = [searching.step(1 << 20, True) for _ in range(37)]
    assert codes == [SOLUTION] * 36 + [EXHAUSTED]
    assert searching._solutions.filled[0] <= 1
