"""The engine, without HTTP: geometry as data, moves, and why there is no tiling; numbers are compared with searches."""

from __future__ import annotations

import io
import json
import sys
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest

import tiler
from tiler.apps.studio import engine as engine_module
from tiler.apps.studio import geometry, live, naming, painting, questions, saving
from tiler.apps.studio import worker as worker_module
from tiler.apps.studio.engine import Engine, document_of, instance_of
from tiler.apps.studio.live import with_laid
from tiler.apps.studio.messages import CountedMessage, LaidTileMessage, OpenedMessage, SaveMessage
from tiler.apps.studio.worker import Worker
from tiler.errors import BadOption, InputError
from tiler.model import named_boards
from tiler.model.lattices import LATTICES
from tiler.render import cells
from tiler.render.scene import SIDE

sys.path.insert(0, str(Path(__file__).parent))
from make_examples import counted


def opened(instance: Any) -> tuple[Engine, OpenedMessage]:
    engine = Engine()
    return engine, engine.open(document_of(instance))


def laid(tile: str, *where: tuple[int, ...]) -> LaidTileMessage:
    return LaidTileMessage(tile, where)


@pytest.mark.parametrize("lattice", LATTICES.values(), ids=str)
def test_cells_are_where_pictures_draw_them(lattice: Any) -> None:
    """The page adds multiples of the periods to a cell of the unit; pictures compute each cell anew."""
    told = geometry.lattice_message(lattice)
    steps = [*told.periods, *([told.layer] if told.layer else [])]
    for kind in told.kinds:
        for factors in ((0, 0, 0), (2, -1, 1), (-3, 4, -2)):
            moved = list(zip(factors, steps, strict=False))
            cell = tuple(a + sum(f * step.cell[axis] for f, step in moved) for axis, a in enumerate(kind.cell))
            assert lattice.holds([cell])
            x, y = (sum(f * step.at[axis] for f, step in moved) for axis in range(2))
            drawn = cells.alone(lattice, cell)
            assert len(drawn) == len(kind.outline)
            for (a, b), (c, d) in zip(kind.outline, drawn, strict=True):
                assert a + x == pytest.approx(c / SIDE, abs=2e-3)
                assert b + y == pytest.approx(d / SIDE, abs=2e-3)


@pytest.mark.parametrize("lattice", LATTICES.values(), ids=str)
def test_turns_and_tips_reach_every_rotation(lattice: Any) -> None:
    turn, tip, mirror = geometry.generators(lattice)
    assert turn.is_rotation
    assert not mirror.is_rotation
    reached, every = {turn.matrix}, [turn]
    for one in every:
        for other in filter(None, (turn, tip)):
            product = other.after(one)
            if product.matrix not in reached:
                reached.add(product.matrix)
                every.append(product)
    assert len(reached) == len(lattice.isometries(reflections=False))


def test_a_piece_turns_to_the_right_and_is_turned_over() -> None:
    _, told = opened(tiler.make("6x10", "1:5F"))
    _, both = opened(tiler.make("6x10", "1:5F", reflections=True))
    (tile,) = told.tiles
    assert tile.flipped == (-1,) * len(tile.orientations)
    (tile,) = both.tiles
    shapes = [frozenset(shape) for shape in tile.orientations]
    for index, shape in enumerate(shapes):
        low = max(row for row, _ in shape), max(column for _, column in shape)
        assert shapes[tile.turned[index]] == {(column, low[0] - row) for row, column in shape}
        assert shapes[tile.flipped[index]] == {(row, low[1] - column) for row, column in shape}


def test_every_turn_of_a_painted_tile_shows_the_right_side() -> None:
    _, told = opened(tiler.make("4x5", "checkered-pentominoes", checkered="black white"))
    for tile in told.tiles:
        assert sorted(tile.turned) == list(range(len(tile.orientations)))
        assert sorted(tile.flipped) == list(range(len(tile.orientations)))


@pytest.mark.parametrize(
    ("board", "tiles", "how"),
    [
        ("4x5", ["2", "3L"], {}),
        ("3x3x2", ["3L", "2"], {}),
        ("rhombus:3x4", ["x.x", "x.x.x"], {"lattice": "hexagonal"}),
        ("5x4", ["3L", "4L"], {"open": "2..5"}),
        ("4x4", ["2"], {"wrap": "rows columns"}),
    ],
)
@pytest.mark.parametrize("by", ["diagram", "list"])
def test_numbers_after_a_move_are_those_of_searches(
    board: str, tiles: list[str], how: dict[str, Any], by: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if by == "diagram":
        monkeypatch.setattr(live, "MOST_IN_LIST", 0)
    else:
        without_diagram(monkeypatch)
    instance = tiler.make(board, *tiles, **how)
    engine, told = opened(instance)
    assert told.placements is not None
    first = told.placements[len(told.placements) // 2]
    piece = LaidTileMessage(told.tiles[first[0]].name, tuple(told.cells[cell] for cell in first[2:]))
    answer = counted(engine, 1, [piece])
    asked = with_laid(instance, [piece])
    assert answer.count == str(tiler.count(asked))
    uses = tiler.uses(asked)
    numbers = dict(answer.fits)
    for index, placement in enumerate(told.placements):
        name, where = told.tiles[placement[0]].name, frozenset(told.cells[cell] for cell in placement[2:])
        number = sum(n for placed, n in uses.items() if placed.tile == name and placed.cells == where)
        if index in numbers:
            assert numbers[index] == str(number)
        else:
            assert number in (0, uses.tilings if where == frozenset(piece.cells) else 0)
        assert (index in answer.forced) == (index in numbers and number == uses.tilings > 0)


def without_diagram(monkeypatch: pytest.MonkeyPatch, *limits: str) -> None:
    """Leaves no memory for a diagram of all tilings within these limits."""
    monkeypatch.setattr(live, "megabytes_beside", lambda share, most: 1 if most == 1 else None)
    for name in limits:
        monkeypatch.setattr(live, name, replace(getattr(live, name), megabytes=1))
    monkeypatch.setattr(engine_module, "IDLE_LIMITS", live.IDLE_LIMITS)


def test_without_diagram_and_list_a_search_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    without_diagram(monkeypatch, "SET_LIMITS", "IDLE_LIMITS")
    monkeypatch.setattr(live, "MOST_IN_LIST", 0)
    engine, _ = opened(tiler.make("4x4", "2"))
    some = engine.lay(1, [])
    assert (some.possible, some.count, some.counting) == (True, "many", True)
    given_up = engine.prepare(lambda: True)
    assert given_up is not None
    assert given_up.answer == replace(some, counting=False)
    assert engine.prepare(lambda: True) is None
    assert {number for _, number in some.fits} == {None}
    none = engine.lay(2, [laid("2", (0, 1), (1, 1)), laid("2", (1, 0), (2, 0))])
    assert (none.possible, none.count) == (False, "0")
    assert none.why is not None
    assert none.why.kind == "cell"


@pytest.mark.parametrize("by", ["diagram", "list"])
def test_a_number_that_takes_long_comes_when_nobody_asks(by: str, monkeypatch: pytest.MonkeyPatch) -> None:
    without_diagram(monkeypatch, "SET_LIMITS", *(["IDLE_LIMITS"] if by == "list" else []))
    monkeypatch.setattr(live, "LIST_LIMITS", replace(live.LIST_LIMITS, nodes=1))
    engine, _ = opened(tiler.make("4x4", "2"))
    assert engine.lay(7, []).count == "many"
    assert engine.prepare(lambda: False) is None  # Another order waits.
    later = engine.prepare(lambda: True)
    assert isinstance(later, CountedMessage)
    assert (later.answer.revision, later.answer.count, later.answer.counting) == (7, "36", False)
    assert engine.prepare(lambda: True) is None
    assert engine.lay(8, []).count == "36"


def test_a_move_leaves_its_number_for_later_when_another_order_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "SET_LIMITS", replace(live.SET_LIMITS, seconds=60.0))
    engine, _ = opened(tiler.make("6x10", "1:pentominoes"))
    assert engine.lay(1, [], lambda: False).count == "many"
    assert engine.lay(2, []).count == "9356"


def test_a_question_is_tried_by_the_process_of_the_page() -> None:
    engine, _ = opened(tiler.make("6x10", "1:pentominoes"))
    said: list[Any] = []
    while not engine.attempt("1", "solve", {}, [], said.append, lambda: True):  # Kernels may have to be loaded first.
        assert not said
    assert [(event.event, event.status) for event in said] == [("answer", "sat")]
    assert "--time-limit" not in said[0].command
    dominoes, _ = opened(tiler.make("4x4", "2"))
    listed: list[Any] = []
    while not dominoes.attempt("3", "tilings", {"limit": 2}, [], listed.append, lambda: True):
        assert not listed
    assert [event.event for event in listed] == ["part", "answer"], "what was found comes with the answer"
    refused: list[Any] = []
    assert dominoes.attempt("4", "count", {"solver": "nothing"}, [], refused.append, lambda: True)
    assert [event.event for event in refused] == ["failed"]
    endless, _ = opened(tiler.make("40x40", "3L", "4T", "5X", "7:5F"))
    assert endless.attempt("2", "count", {"solver": "dlx"}, [], said.append, lambda: False) is False
    assert len(said) == 1


@pytest.mark.parametrize(("own", "expected"), [({}, 0.7), ({"seconds": 60}, 0.7), ({"seconds": 0.2}, 0.2)])
def test_an_attempt_takes_the_lesser_of_two_times(own: dict[str, Any], expected: float, monkeypatch: pytest.MonkeyPatch) -> None:
    engine, _ = opened(tiler.make("2x2", "2"))
    taken: list[float] = []
    monkeypatch.setitem(questions.FUNCTIONS, "count", lambda *_, seconds, **__: taken.append(seconds) or 2)  # type: ignore[index]
    engine.attempt("1", "count", own, [], lambda event: None, lambda: True)
    assert taken == [expected]


@pytest.mark.parametrize(
    ("board", "tiles", "pieces", "kind", "said"),
    [
        ("3x3", ["2"], [], "area", "9 cells"),
        ("4x1", ["2"], [laid("2", (0, 1), (0, 2))], "cell", "no piece can cover"),
        ("6x6", ["4L"], [], "colouring", "stripes"),
        ("4x4", ["1:2", "3L"], [laid("2", (0, 0), (0, 1)), laid("2", (1, 0), (1, 1))], "piece", "2 times"),
        ("4x4", ["2"], [laid("2", (0, 0), (0, 1)), laid("2", (0, 1), (0, 2))], "cell", "another piece"),
        ("4x4", ["2"], [laid("2", (0, 0), (2, 2))], "cell", "may not lie there"),
    ],
)
def test_why_there_is_no_tiling(board: str, tiles: list[str], pieces: list[LaidTileMessage], kind: str, said: str) -> None:
    engine, _ = opened(tiler.make(board, *tiles))
    answer = counted(engine, 1, pieces)
    assert answer.possible is False
    assert answer.why is not None
    assert answer.why.kind == kind
    assert said in answer.why.sentence
    assert bool(answer.why.colours) == (kind == "colouring")


def test_a_move_off_the_board_or_of_no_piece_is_an_error() -> None:
    engine, _ = opened(tiler.make("4x4", "2"))
    with pytest.raises(InputError, match="no cell of the board"):
        engine.lay(1, [laid("2", (9, 9), (9, 8))])
    with pytest.raises(InputError, match="no tile X"):
        engine.lay(1, [laid("X", (0, 0), (0, 1))])
    with pytest.raises(InputError, match="no problem is open"):
        Engine().lay(1, [])


def test_what_is_worth_knowing_of_a_problem_is_said() -> None:
    problem = document_of(tiler.make("3x4", "3I", "2"))
    problem["tiles"].append({"name": "again", "cells": [[0, 0], [1, 0]]})
    problem["tiles"].append({"name": "long", "cells": [[0, column] for column in range(9)]})
    told = Engine().open(problem)
    assert [sentence for sentence in told.warnings if "congruent" in sentence] == [
        "2 and again are congruent: they are copies of one tile"
    ]
    assert "long fits nowhere on the board" in told.warnings
    assert told.tiles[1].names == ("2", "again")


def test_a_board_without_pieces_is_opened() -> None:
    told = Engine().open({"board": "4x4", "tiles": []})
    assert (told.live, told.placements, len(told.cells)) == (False, None, 16)
    assert "no piece yet" in told.live_sentence


def test_a_document_is_written_back_as_it_was() -> None:
    for name in ("classic/soma_s", "4L/10x10_u"):
        document = naming.problem(name).problem
        assert document_of(instance_of(document)) == document


def test_every_lattice_has_a_board_to_begin_with() -> None:
    """The words are those of the page (tests/apps/studio/page/usual_board.test.mjs)."""
    usual = json.loads(Path(__file__).with_name("page").joinpath("usual_boards.json").read_text())
    assert usual.keys() == LATTICES.keys()
    for lattice, words in usual.items():
        assert naming.board(words, lattice).board if words else not named_boards.forms(LATTICES[lattice])


def test_every_named_set_and_board_can_be_taken() -> None:
    catalogue = naming.catalogue()
    for form in catalogue.boards:
        assert naming.board(form.help.rpartition(": ")[2], form.lattice).board
    for one in ("pentominoes", "soma", "hexiamonds", "tetraspheres", "tetrasticks", "checkered-pentominoes"):
        told = naming.tiles(f"1:{one}", "")
        assert told.tiles
        assert told.lattice in LATTICES


@pytest.mark.parametrize(
    "problem", ["colours/checkered-trominoes-4x3_s", "edges/macmahon-6-3x2_s", "edges/macmahon-triangles-4_s"]
)
def test_a_painted_piece_says_how_it_lies(problem: str) -> None:
    """Its orientation is enough to count, and every other orientation on the same cells is another piece."""
    engine = Engine()
    told = engine.open(naming.problem(problem).problem)
    assert all(len(tile.coats) == len(tile.orientations) for tile in told.tiles if tile.coats)
    instance = instance_of(told.problem)
    tiling = tiler.solve(instance).tiling
    assert tiling is not None
    pieces = [painting.laid(instance, placement) for placement in tiling]
    assert [painting.placement(instance, piece) for piece in pieces] == list(tiling)
    assert counted(engine, 1, pieces).count == "1"
    number = next(k for k, piece in enumerate(pieces) if len(told.tiles[instance.number_of(piece.tile)].orientations) > 1)
    ways = len(told.tiles[instance.number_of(pieces[number].tile)].orientations)
    counts = set()
    for way in range(ways):
        other = replace(pieces[number], orientation=way)
        alone = with_laid(instance, [other])
        assert tiler.count(alone) == int(counted(engine, 90 + way, [other]).count or 0)
        counts.add(engine.lay(2 + way, [*pieces[:number], other, *pieces[number + 1 :]]).count)
    assert "0" in counts
    assert "1" in counts


def test_words_are_a_problem() -> None:
    read = naming.read_text("", b"5x3 1:5P 1:5U 1:5V\n")
    assert read.format == "words"
    assert len(read.problem["board"]) == 15
    assert len(read.problem["tiles"]) == 3


def test_a_move_that_a_later_one_follows_gets_no_number(monkeypatch: pytest.MonkeyPatch) -> None:
    moves = [{"order": n, "do": "lay", "data": {"session": "a session", "revision": n, "laid": []}} for n in (1, 2)]
    given = iter(["".join(f"{json.dumps(move)}\n" for move in moves).encode(), b""])
    ends = SimpleNamespace(read=lambda *_: next(given), getpgrp=lambda: 0, getpid=lambda: 1, _exit=lambda status: None)
    said: list[dict[str, Any]] = []
    worker, orders = Worker(said.append, lambda: True), SimpleQueue[dict[str, Any]]()
    worker.handle({"order": 0, "do": "open", "data": document_of(tiler.make("4x4", "2"))})
    with monkeypatch.context() as patched:
        patched.setattr(worker_module, "os", ends)
        worker_module._listen(worker, orders)
    while not orders.empty():
        worker.handle(orders.get())
    assert [each["reply"].count for each in said[1:]] == [None, "36"]


def test_a_fault_ends_one_order_and_no_other_work(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[dict[str, Any]] = []
    worker = Worker(said.append, lambda: True)

    def faulty(*given: Any) -> None:
        raise ZeroDivisionError("an injected fault")

    for name in ("open", "prepare"):
        with monkeypatch.context() as patched:
            patched.setattr(Engine, name, faulty)
            worker.handle({"order": 1, "do": "open", "data": document_of(tiler.make("4x4", "2"))})
            worker.prepare()
    with monkeypatch.context() as patched:
        patched.setattr(saving, "saved", Mock(side_effect=ModuleNotFoundError("No module named 'pulp'", name="pulp")))
        worker.handle({"order": 2, "do": "save", "data": {"problem": {}, "form": "lp"}})
    worker.handle({"order": 2, "do": "no such order", "data": None})
    worker.handle({"order": 3, "do": "lay", "data": {"session": "a session", "revision": 1, "laid": []}})
    assert said[0]["error"] == "internal error: ZeroDivisionError: an injected fault (please report it)"
    assert "reply" in said[1]
    assert said[2]["error"].startswith("save needs pulp; install with")
    assert "KeyError" in said[3]["error"]
    assert said[4]["reply"].count == "36"


@pytest.mark.parametrize("form", ["stl", "3mf"])
def test_bodies_are_saved_as_they_lie_or_side_by_side(form: str) -> None:
    def saved(board: str, pieces: str, lying: Sequence[LaidTileMessage] = ()) -> saving.SavedFile:
        return saving.saved(SaveMessage(document_of(tiler.make(board, pieces)), form, tuple(lying)))

    domino = laid("2", (0, 0), (0, 1))
    alone, beside = saved("2x2", "2:2", [domino]), saved("2x2", "2:2")
    assert alone.name == beside.name
    assert len(alone.content) < len(beside.content)
    many = saved("60x60", "400:3x3")
    with zipfile.ZipFile(io.BytesIO(many.content)) as archive:
        assert {file.compress_type for file in archive.infolist()} == {zipfile.ZIP_DEFLATED}
        assert {name.rpartition(".")[2] for name in archive.namelist()} == {form}
        assert len(archive.namelist()) > 1
    with pytest.raises(BadOption, match="there are no pieces to print"):
        saving.saved(SaveMessage({"board": "2x2", "tiles": []}, form))
