"""The stored corpus is right and has everything, and formats, functions and commands say of it what solvers say."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import corpus
import pytest
from brute_force import number
from commands import call
from corpus import BOARDS, boards, by_night
from hypothesis import given, settings
from hypothesis import strategies as st

import tiler
from tiler.cover.board import BoardCover
from tiler.cover.group_action import actions
from tiler.formats import json, text
from tiler.model.corners import beside
from tiler.model.symmetry import group
from tiler.model.text_maps import has_maps
from tiler.model.verify import Verifier
from tiler.selftest.brute_force import as_tiling

#: Of the boards every so manieth is looked at again, by night each.
EVERY = 1 if not settings.default.derandomize else 31


@pytest.mark.parametrize("sort", BOARDS)
def test_stored_answers_are_those_of_the_brute_force(sort: str) -> None:
    for board in boards(sort)[::EVERY]:
        again = corpus.asked(board.instance, board.sort, board.seed)
        assert again is not None, board
        assert (again.tilings, again.order) == (board.tilings, board.order), board
        assert set(again.orbits.values()) == set(board.orbits.values()), board
        assert corpus.placed(board.instance) == board.placed, board


def test_stored_covers_and_counts_are_those_of_the_brute_force() -> None:
    for each in corpus.rows()[:: max(1, EVERY // 4)]:
        assert set(map(tuple, corpus.solutions_of(**each.given))) == each.solutions
    for each in corpus.wide()[:: max(1, EVERY // 4)]:
        assert number(each.instance) == each.count


def test_every_feature_is_there_three_times() -> None:
    there = Counter(feature for board in boards() for feature in board.features)
    solvable = Counter(feature for board in boards() if board.tilings for feature in board.features)
    assert {feature: times for feature, times in there.items() if times < 3} == {}
    assert {feature for feature in there if solvable[feature] < 2} <= {"no tiling", "no search"}
    assert len(there) > 70
    assert sum(bool(board.tilings) for board in boards()) > len(boards()) / 2
    few = corpus.covering(1, 5)
    assert {feature for board in few for feature in board.features} >= there.keys() - {"many tilings"}


def test_each_is_there_once() -> None:
    digests = [board.instance.digest for board in boards()]
    assert len(digests) == len(set(digests))
    assert {board.sort for board in boards()} == BOARDS.keys()


def test_files_keep_them() -> None:
    for instance in [board.instance for board in boards()]:
        for module in (json, text) if has_maps(instance.lattice) else (json,):
            again = module.parse(module.write(instance))
            assert again == instance, module.write(instance)
            assert again.digest == instance.digest


def test_placements_are_those_of_the_brute_force() -> None:
    for board in boards():
        lying = [board.shown(option) for option in range(len(board.cover)) if not board.cover.fills[option]]
        assert len(lying) == len(set(lying)), board
        assert corpus.digest_of(frozenset().union(*lying)) == board.placed, board


def test_symmetries_are_a_group_as_large_as_that_of_the_brute_force() -> None:
    for board in boards():
        turned, maps = actions(board.cover)
        rows = {tuple(row) for row in turned.tolist()}
        assert {tuple(row[cell] for cell in other) for row in rows for other in rows} == rows, board
        assert maps.min(initial=0) >= 0, board
        assert len(turned) == board.order <= len(group(board.instance)), board


def test_the_verifier_knows_every_placement() -> None:
    for board in boards("lattices", "wrapped"):
        verifier = Verifier(board.instance)
        for option in range(len(board.cover)):
            for placement in board.cover.placements([option]):
                assert verifier._looks_right(placement, verifier.forms[placement.tile]), board


def test_what_cells_are_neighbours_is_told_by_corners() -> None:
    for board in boards("lattices", "wrapped"):
        cover = board.cover
        around = beside(board.instance.lattice, cover.cells, board.instance.wrap)
        assert [[cover.cells[other] for other in others] for others in cover.neighbours.lists()] == list(around.values()), board


def test_functions_and_commands_say_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for board in corpus.covering(1)[::2]:
        file = tmp_path / "problem.json"
        file.write_text(json.write(board.instance))
        instance = tiler.read(file)
        assert {as_tiling(tiling.placements) for tiling in tiler.tilings(instance)} == board.tilings, board
        assert tiler.solve(instance).status == ("sat" if board.tilings else "unsat"), board
        for words, count in (((), len(board.tilings)), (("--up-to-symmetry",), board.number_of_orbits)):
            assert tiler.count(instance, up_to_symmetry=bool(words)) == count, board
            assert call(capsys, "count", str(file), *words)[1].split()[0] == str(count), board


@by_night
@pytest.mark.parametrize("sort", BOARDS)
@settings(max_examples=25)
@given(st.data())
def test_whatever_is_drawn_placements_and_symmetries_are_those_of_the_brute_force(sort: str, data: st.DataObject) -> None:
    instance = data.draw(BOARDS[sort][0])
    cover = BoardCover.of(instance)
    lying = [as_tiling(cover.placements([option])) for option in range(len(cover)) if not cover.fills[option]]
    assert corpus.digest_of(frozenset().union(*lying)) == corpus.placed(instance)
