"""Patches of hats that the substitution lays."""

from __future__ import annotations

from itertools import chain
from math import sqrt

import pytest
from commands import call

from tiler.apps.mathematics import aperiodic
from tiler.apps.mathematics.coronas import Coronas, holes_in
from tiler.apps.mathematics.hat_substitution import patch
from tiler.model import verify
from tiler.model.instance import Instance
from tiler.model.lattice_shape_names import named
from tiler.model.lattices import KITES, TRIANGULAR
from tiler.model.tile import Placement, Tile

HAT = named(KITES, "hat") or frozenset()
ROOM = Tile("hat", HAT, lattice=KITES)


def wrong_in(placements: tuple[Placement, ...]) -> str | None:
    board = frozenset(cell for placed in placements for cell in placed.cells)
    return verify.error_in(Instance(board, (ROOM,), reflections=True, lattice=KITES), placements)


@pytest.mark.parametrize("level", [0, 1, 2, 3])
def test_a_patch_is_a_tiling_without_holes(level: int) -> None:
    hats = patch(level)
    placements = tuple(Placement("hat", cells) for cells, _ in hats)
    assert wrong_in(placements) is None
    assert wrong_in((*placements, placements[0])) is not None
    assert holes_in(KITES, frozenset(cell for placed in placements for cell in placed.cells)) == []
    upright = KITES.canonical(HAT, False)
    assert all((KITES.canonical(cells, False) != upright) == is_reflected for cells, is_reflected in hats[:200])


def test_a_patch_that_a_search_lays_is_one_too() -> None:
    around = tuple(chain(*Coronas(ROOM, True).surrounded(2, 60).rings))
    assert len(around) > 15
    assert wrong_in(around) is None


def test_one_of_so_many_hats_is_reflected() -> None:
    """As many as the golden ratio to the fourth power and one more: Smith and others (2023), section 2."""
    hats = patch(4)
    assert len(hats) == 7921
    assert sum(is_reflected for _, is_reflected in hats) / len(hats) == pytest.approx(
        1 / (((1 + sqrt(5)) / 2) ** 4 + 1), abs=1e-3
    )


@pytest.mark.parametrize("level", [0, 1, 2])
def test_turtles_are_stretched_hats(level: int) -> None:
    turtles = aperiodic.patch("turtle", level)
    tile = Tile("turtle", named(KITES, "turtle") or frozenset(), lattice=KITES)
    board = frozenset(cell for cells in turtles for cell in cells)
    placements = tuple(Placement("turtle", cells) for cells in turtles)
    assert verify.error_in(Instance(board, (tile,), reflections=True, lattice=KITES), placements) is None
    assert holes_in(KITES, board) == []
    hats = aperiodic.patch("hat", level)
    assert (len(turtles), aperiodic.reflected(turtles)) == (len(hats), aperiodic.reflected(hats))


def test_which_tiles_are_known() -> None:
    assert {aperiodic.name_of(KITES, variant) for variant in KITES.variants(HAT, True)} == {"hat"}
    assert aperiodic.name_of(KITES, named(KITES, "turtle") or frozenset()) == "turtle"
    assert aperiodic.name_of(KITES, HAT - {min(HAT)}) is None
    assert aperiodic.name_of(TRIANGULAR, HAT) is None


def test_the_command_says_what_is_known(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys, "plane", "hat", "--reflections", "--up-to", "24", "--coronas", "1")
    assert (status, "hat: tiles the plane, but never with a period" in out) == (0, True)
    assert "7921 pieces: 1009 are turned over, 1 of 7.850; in the whole plane 1 of 7.854" in out
    # One side of the hat alone does not tile the plane; that is not known here.
    assert call(capsys, "plane", "hat", "--no-reflections", "--up-to", "24", "--coronas", "1")[0] == 3
