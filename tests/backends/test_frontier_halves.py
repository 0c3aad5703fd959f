"""Counting in two halves: against brute force and the layers, with growing arrays, symmetries and numbers of any size."""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from functools import cache
from itertools import cycle
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from brute_force import number
from corpus import Board, boards
from following import result_of
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import coloured
from tiler import formats, kernels
from tiler.backends.frontier import dispatch
from tiler.backends.frontier.halves import blocks, directions, half_counts, meet_in_the_middle, profile_graph
from tiler.backends.frontier.halves.meet_in_the_middle import Halves
from tiler.backends.frontier.lists.layers import Layers
from tiler.backends.frontier.shared import order, symmetries, work_ranges
from tiler.backends.frontier.shared.model import Model
from tiler.backends.frontier.shared.symmetries import Symmetries
from tiler.backends.frontier.tables import hash_tables
from tiler.backends.frontier.tables.hash_tables import Tables
from tiler.backends.searching import driver
from tiler.cover.board import BoardCover
from tiler.errors import BackendError
from tiler.model.instance import Instance
from tiler.process import threads as rounds_of_threads
from tiler.process.threads import together
from tiler.question.events import SearchContext
from tiler.question.result import Stop

PENTOMINOES = [f"1:5{letter}" for letter in "FILNPTUVWXYZ"]


EIGHT = ["1:5F", "1:5L", "1:5N", "1:5P", "1:5T", "1:5V", "1:5W", "1:5Z"]
EIGHTEEN = [f"1:5{letter}" for letter in "AFGJPSYRNLQZITUVWX"]
ONE_SIDED = ["1:4I", "1:4O", "1:4T", "1:4L", "1:4J", "1:4S", "1:4Z"]


def halves_of(cover: BoardCover, *, merged: bool = True, threads: int = 1) -> Halves:
    model = Model.of(cover)
    assert Halves.suits(model)
    return Halves(model, Symmetries.of(cover, model) if merged else None, threads=threads)


def counted(cover: BoardCover, *, threads: int = 1) -> Halves:
    states = halves_of(cover, threads=threads)
    for _ in states.build():
        pass
    return states


def built(
    instance: Instance,
    *,
    kind: str = "auto",
    merged: bool = True,
    budget: int = 1 << 62,
    left: int = 1 << 62,
    threads: int = 1,
) -> Halves:
    cover = BoardCover.of(instance)
    model = Model.of(cover, kind)
    assert Halves.suits(model)
    by = Symmetries.of(cover, model) if merged else None
    states = Halves(model, by, budget=budget, left=lambda: left, threads=threads)
    for _ in states.build():
        pass
    return states


def by_layers(instance: Instance) -> Layers:
    layers = Layers(Model.of(BoardCover.of(instance)))
    for _ in layers.build():
        pass
    return layers


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lists that have to grow and to be forgotten, and symmetries looked for on any board."""
    monkeypatch.setattr(blocks, "SMALL", 1)
    monkeypatch.setattr(blocks, "_MOVED", 3)
    monkeypatch.setattr(symmetries, "_FEWEST_FITS", 0)


def bounded(board: Board) -> Instance:
    """The same with no more copies of any tile than some tiling has, so that there are as many tilings."""
    instance = board.instance
    most = [
        max([1, tile.at_least, *(sum(name == tile.name for name, _ in tiling) for tiling in board.tilings)])
        for tile in instance.distinct_tiles
    ]
    tiles = [replace(tile, at_most=tile.at_most or most[instance.number_of(tile.name)]) for tile in instance.tiles]
    return replace(instance, tiles=tuple(tiles))


def test_finds_as_many_as_the_brute_force_on_every_lattice(tiny: None) -> None:
    seen, kinds = set(), cycle(["axes", "diagonal", "breadth"])
    for board in boards("plain", "lattices", "wrapped", "not turned"):
        instance = bounded(board)
        if board.cover.refusal() is None and Halves.suits(Model.of(BoardCover.of(instance))):
            assert built(instance, kind=next(kinds)).total() == len(board.tilings), board
            seen.add(instance.lattice)
    assert len(seen) >= 13  # On the others no board bounds every tile.


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no such call here")
def test_a_process_with_more_room_than_memory_can_be_forked() -> None:
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    rooms = [blocks._reserved(memory * 9 // 10 // 4, 0) for _ in range(4)]
    child = os.fork()
    if not child:
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert all(len(room) for room in rooms)
    with pytest.raises(MemoryError, match="no room"):
        blocks._reserved(memory, 0)


@pytest.mark.parametrize(
    ("blocks", "count"),
    [
        (["6x10", *PENTOMINOES], 9356),
        (["10x3x2", *PENTOMINOES], 96),  # 12 / 96 up to symmetry, and three mirrors.
        (["5x4", "5:1", "3:3L", "2:3I"], None),
        (["4x5", "1..3:1", "3..9:2", "1..2:3L"], None),
    ],
    ids=lambda each: each[0] if isinstance(each, list) else "",
)
def test_symmetries_and_growing_change_nothing(blocks: list[str], count: int | None, tiny: None) -> None:
    instance = formats.inline(blocks, reflections=True)
    merged, plain = built(instance), built(instance, merged=False)
    assert merged.total() == plain.total() == (by_layers(instance).total() if count is None else count)
    assert merged.profiles < plain.profiles


#: Tiles of which fewer copies may be used than their bits could count.
SPARE = [
    ["4x5", "0..2:3I", "0..2:3L", "0..2:4L", "0..2:2"],
    ["4x5", "0..5:2", "1..4:3L", "0..2:1", "0..2:4O"],
    ["4x6", "1..5:2", "0..2:3L", "0..4:3I"],
]


@pytest.mark.parametrize("merged", [True, False])
@pytest.mark.parametrize("shapes", SPARE, ids=" ".join)
def test_no_more_copies_than_allowed(shapes: list[str], merged: bool, tiny: None) -> None:
    instance = formats.inline(shapes)
    assert built(instance, merged=merged).total() == number(instance)


@settings(max_examples=40)
@given(
    st.sampled_from(["3x4", "4x4", "2x2x3", "xxxx/xx/xxxxx"]),
    st.lists(st.sampled_from(["1", "2", "3I", "3L"]), min_size=2, max_size=4, unique=True),
    st.data(),
)
def test_no_more_copies_than_allowed_of_what_is_drawn(board: str, tiles: list[str], data: st.DataObject) -> None:
    bounds = [(data.draw(st.integers(0, 2)), data.draw(st.sampled_from([2, 2, 4, 5, 6]))) for _ in tiles]
    instance = formats.inline([board, *(f"{least}..{most}:{tile}" for tile, (least, most) in zip(tiles, bounds, strict=True))])
    cover = BoardCover.of(instance)
    if cover.refusal() is None and Halves.suits(Model.of(cover)):
        assert built(instance).total() == number(instance)


def test_states_are_fewer_than_in_layers_and_take_less_memory() -> None:
    instance = formats.inline(["5x12", *PENTOMINOES], reflections=True)
    whole, parts = by_layers(instance), built(instance, merged=False)
    assert parts.total() == whole.total() == 1010 * 4
    assert parts.transitions * 2 < whole.transitions
    assert parts.peak < whole.peak


def test_numbers_of_ways_outgrow_their_limbs() -> None:
    """Dominoes with two monominoes on 4x24: over 2^32 ways to many a state."""
    found = built(formats.inline(["4x24", "2:1", "47:2"]))
    assert found._slice_count is not None
    assert found._slice_count._blocks.limbs > 1
    assert found.total() == 6_473_342_674_904  # as the layers count them


def test_a_board_without_tilings_has_none() -> None:
    """All profiles lead to nothing, or some to the full board, but without the copies for it."""
    assert built(formats.inline(["2x4", "1:4S", "1:4T"])).total() == 0
    lacking = formats.inline(["3x4", "1:4S", "1:4I", "1:4L"])
    assert built(lacking).profiles > 0
    assert built(lacking).total() == by_layers(lacking).total() == 0


def test_only_models_with_short_keys_that_count_every_tile_suit() -> None:
    def suits(*blocks: str) -> bool:
        return Halves.suits(Model.of(BoardCover.of(formats.inline(blocks))))

    assert suits("6x10", *PENTOMINOES)
    assert not suits("6x10", "5F", "5I")  # As many as there is room for.
    assert not suits("20x30", *PENTOMINOES)  # Masks of several words.


def test_a_count_without_the_memory_for_halves_ends_with_layers(monkeypatch: pytest.MonkeyPatch) -> None:
    instance = formats.inline(["5x12", *PENTOMINOES], reflections=True)
    cover = BoardCover.of(instance)
    model = Model.of(cover)
    assert not Tables.suits(model)
    in_halves = result_of(dispatch._count(model, 1 << 30, threads=1))
    by_layers_alone = result_of(dispatch._count(model, 1 << 30, threads=1, context=SearchContext(saves=True)))
    assert in_halves.count == by_layers_alone.count == 4040
    assert in_halves.stats["transitions"] < by_layers_alone.stats["transitions"]
    monkeypatch.setattr(meet_in_the_middle, "_SHARE_OF_GRAPH", 10_000)
    instead = result_of(dispatch._count(model, 1 << 30, threads=1))
    assert (instead.count, instead.stats["transitions"]) == (4040, by_layers_alone.stats["transitions"])
    short = result_of(dispatch._count(model, 100_000, threads=1))
    assert (short.stop, short.count) == (Stop.MEMORY, None)


def with_less(instance: Instance, share: float, enough: Halves, *, merged: bool = True, threads: int = 1) -> Halves:
    """With this share of the memory that the lists take where there is plenty, as in the search that is given."""
    assert enough.graph is not None
    assert enough._slice_count is not None
    assert enough.slices == 1
    budget = enough.graph.bytes + int(share * (enough._slice_count.peak - enough.graph.bytes))
    less = built(instance, merged=merged, left=budget - enough.graph.bytes, threads=threads)
    assert less.total() == built(instance, merged=merged, budget=budget, threads=threads).total()
    assert less._slice_count is not None
    assert less._slice_count.peak <= budget or less.short
    return less


@pytest.mark.parametrize("merged", [True, False])
def test_what_does_not_fit_is_counted_in_slices(merged: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meet_in_the_middle, "_SHARE_OF_GRAPH", 0.1)
    instance = formats.inline(["4x15", *PENTOMINOES], reflections=True)
    enough = built(instance, merged=merged)
    less = with_less(instance, 0.6, enough, merged=merged)
    assert (less.total(), enough.total(), less.short) == (1472, 1472, False)
    assert less.slices >= 4
    assert with_less(instance, 0.01, enough, merged=merged).short


def test_slices_are_by_tiles_of_one_copy_that_symmetries_keep(tiny: None) -> None:
    """Of the one-sided tetrominoes those that are no mirror image of another one."""
    with_symmetry, without = (built(formats.inline(["4x7", *ONE_SIDED]), merged=merged) for merged in (True, False))
    assert with_symmetry.graph is not None
    assert without.graph is not None
    assert len(with_symmetry.graph.tiles) == 3
    assert len(without.graph.tiles) == 7


def test_places_of_keys_are_numbered_without_gaps() -> None:
    """By class all keys whose copies have as many cells as are covered, each at its own place."""
    model = Model.of(BoardCover.of(formats.inline(["5x12", *PENTOMINOES], reflections=True)))
    states = built(formats.inline(["5x12", *PENTOMINOES], reflections=True))
    assert states.graph is not None
    keys = states.graph.keys
    for cls in range(len(keys.first) - 1):
        mine = keys.keys[keys.first[cls] : keys.first[cls + 1]].astype(np.int64)
        places = keys.high[cls, mine >> keys.low_bits] + keys.low[mine & ((1 << keys.low_bits) - 1)]
        assert places.tolist() == list(range(1, len(mine) + 1))
        assert len({int(key).bit_count() for key in mine}) == 1
    assert model.key_bits == 12


def diamonds() -> list[Model]:
    """A diamond in two fill orders."""
    rows = [3, 5, 7, 9, 7, 5, 4]
    board = "\n".join("." * ((9 - cells) // 2) + "x" * cells for cells in rows)
    cover = BoardCover.of(formats.inline([board, *EIGHT], reflections=True))
    return [Model.of(cover, kind) for kind in ("axes", "diagonal")]


def raced(models: list[Model], threads: int = 1) -> Halves:
    states = Halves(models[0], None, [(each, Symmetries.none(each.cells)) for each in models[1:]], threads=threads)
    for _ in states.build():
        pass
    return states


def test_of_several_fill_orders_that_with_the_fewest_edges_is_taken() -> None:
    models = diamonds()
    alone = [raced([model]) for model in models]
    better = min(alone, key=lambda states: states.profiles)
    assert alone[0].profiles != alone[1].profiles
    for both in (raced(models), raced(models[::-1])):
        assert both.total() == alone[0].total() == alone[1].total() > 0
        assert told(both) == told(better)
        assert both.model is better.model


def test_orders_to_choose_from_are_the_best_of_each_kind() -> None:
    staircase = BoardCover.of(formats.inline(["xxx\n.xxx\n..xxx", "3I"]))
    ranks = order.candidates(staircase)
    assert (ranks[0] == order.choose(staircase)).all()
    assert 1 <= len(ranks) <= len(order.KINDS)
    assert len({rank.tobytes() for rank in ranks}) == len(ranks)
    assert len(order.candidates(BoardCover.of(formats.inline(["3x4", "3I"])))) == 1


# --- by several threads


@pytest.fixture
def threaded(tiny: None, monkeypatch: pytest.MonkeyPatch) -> set[int]:
    """Threads from the first moment on, for lists of any length in small blocks; how many there were at a time."""
    kernels.load()
    monkeypatch.setattr(driver, "ALONE_SECONDS", 0.0)
    monkeypatch.setattr(half_counts, "_OF_A_THREAD", 1)
    monkeypatch.setattr(half_counts, "_BLOCKS_OF_A_THREAD", 0.01)
    monkeypatch.setattr(half_counts, "_LISTS", 1)
    monkeypatch.setattr(rounds_of_threads, "ROUND_SECONDS", 0.0)
    monkeypatch.setattr(profile_graph, "_WORTH_THREADS", 1)
    monkeypatch.setattr(profile_graph, "_TRANSITIONS", 1)
    monkeypatch.setattr(profile_graph, "_LEAST_PROFILES", 1)
    seen = set[int]()

    def noted(calls: Sequence[Callable[[], Any]]) -> list[Any]:
        seen.add(len(calls))
        return together(calls)

    for module in (rounds_of_threads, profile_graph):
        monkeypatch.setattr(module, "together", noted)
    return seen


COVERS = {
    "flat": lambda: BoardCover.of(formats.inline(["4x15", *PENTOMINOES], reflections=True)),
    "in space": lambda: BoardCover.of(
        formats.inline(["2x3x5", "1:4L", "1:4S", "1:4T", "1:4O", "1:4I", "2:3L", "1:3I", "1:1"], reflections=True)
    ),
    "tiles in pairs": lambda: BoardCover.of(formats.inline(["4x7", *ONE_SIDED[:2], *ONE_SIDED[3:], "2:2"])),
    "copies": lambda: BoardCover.of(formats.inline(["4x5", "1..3:1", "3..9:2", "1..2:3L"])),
    "long numbers": lambda: BoardCover.of(formats.inline(["4x24", "2:1", "47:2"])),
    "painted": lambda: coloured.tetravex(3, 3, 2, 1),
}


def told(states: Halves) -> tuple[int, ...]:
    return states.total(), states.states, states.transitions, states.profiles, states.slices


@pytest.mark.parametrize("name", COVERS)
def test_all_numbers_are_the_same_for_any_number_of_threads(name: str, threaded: set[int]) -> None:
    cover = COVERS[name]()
    alone = counted(cover)
    assert alone.total() > 0
    assert threaded == {1}
    several = (2, 8) if name == "flat" else (3,)
    for threads in several:
        assert told(counted(cover, threads=threads)) == told(alone)
    assert threaded >= {1, *several}


def graph_of(cover: BoardCover, *, threads: int, budget: int = 1 << 62) -> profile_graph.Explorer:
    model = Model.of(cover)
    explorer = profile_graph.Explorer(
        model, hash_tables.rules_of(model), Symmetries.of(cover, model).maps(model), budget=budget, threads=threads
    )
    explorer.helped = True
    for _ in explorer.explore():
        pass
    return explorer


def shape_of(explorer: profile_graph.Explorer) -> list[Any]:
    """What does not depend on how profiles of a position are numbered."""
    found = explorer.graph
    assert found is not None
    position = np.repeat(np.arange(len(found.first) - 1), np.diff(found.first))
    sides = []
    for ways in (found.into, found.out):
        here = np.repeat(np.arange(len(found.covered)), np.diff(ways.starts))
        there = ways.edges[:, 0]
        ends = [position[here], position[there], found.covered[here], found.covered[there], ways.edges[:, 1]]
        sides.append(sorted(zip(*(each.tolist() for each in ends), strict=True)))
    return [explorer.profiles, explorer.edges, found.first.tolist(), *sides]


@pytest.mark.parametrize("name", ["flat", "painted"])
def test_the_graph_is_the_same_for_any_number_of_threads(name: str, threaded: set[int]) -> None:
    cover = COVERS[name]()
    alone = graph_of(cover, threads=1)
    assert threaded <= {1}
    for threads in (2, 5):
        assert shape_of(graph_of(cover, threads=threads)) == shape_of(alone)
        assert max(threaded) == threads


def test_whether_there_is_the_memory_for_a_graph_does_not_depend_on_threads(
    threaded: set[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(profile_graph, "_BYTES_OF_THREAD", 1)
    cover = COVERS["flat"]()
    alone = graph_of(cover, threads=1)
    needed = alone.profiles * profile_graph._BYTES_OF_PROFILE + alone.edges * profile_graph._BYTES_OF_EDGE
    for threads in (1, 3):
        assert [graph_of(cover, threads=threads, budget=needed + more).short for more in (-1, 0)] == [True, False]


def test_slices_are_the_same_for_any_number_of_threads(threaded: set[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meet_in_the_middle, "_SHARE_OF_GRAPH", 0.1)
    monkeypatch.setattr(profile_graph, "_BYTES_OF_THREAD", 1)
    monkeypatch.setattr(half_counts, "_LISTS", 4)
    monkeypatch.setattr(half_counts, "_SPARE", 2)
    monkeypatch.setattr(rounds_of_threads, "ROUND_SECONDS", 0.001)
    instance = formats.inline(["5x12", *PENTOMINOES], reflections=True)
    enough = built(instance)
    alone = with_less(instance, 1.6, enough)
    assert (alone.total(), alone.short) == (4040, False)
    assert alone.slices >= 4
    assert told(with_less(instance, 1.6, enough, threads=8)) == told(alone)
    assert max(threaded) == 8


def test_of_several_fill_orders_threads_choose_the_same(threaded: set[int]) -> None:
    models = diamonds()
    alone = told(raced(models))
    assert [told(raced(models, threads)) for threads in (2, 3)] == [alone, alone]
    assert told(raced(models[::-1], 2)) == alone
    assert 2 in threaded


@pytest.mark.parametrize("is_long", [False, True])
def test_a_question_asked_long_ago_has_threads_at_once(
    is_long: bool, threaded: set[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driver, "ALONE_SECONDS", 1000.0)
    model, since = Model.of(COVERS["flat"]()), time.perf_counter() - (1000.0 if is_long else 0.0)
    for _ in Halves(model, threads=2, since=since).build():
        pass
    assert max(threaded) == (2 if is_long else 1)


def test_threads_take_hardly_more_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each has sums of its own, and blocks that it writes to."""
    monkeypatch.setattr(driver, "ALONE_SECONDS", 0.0)
    kernels.load()
    cover = BoardCover.of(formats.inline(["5x18", *EIGHTEEN]))
    alone, many = counted(cover), counted(cover, threads=8)
    assert told(many) == told(alone)
    assert many.total() == 2_746_512
    assert alone.peak < many.peak < 1.3 * alone.peak


@cache
def in_pairs() -> tuple[BoardCover, int]:
    """A cover, and what one thread counts."""
    cover = COVERS["tiles in pairs"]()
    return cover, counted(cover).total()


@pytest.mark.parametrize("error", [MemoryError("none left"), BackendError("no such tile"), KeyboardInterrupt()], ids=repr)
@pytest.mark.parametrize("in_main", [True, False])
@pytest.mark.parametrize("module", [directions, half_counts])
def test_a_fault_in_a_thread_ends_the_count(
    module: ModuleType, in_main: bool, error: BaseException, threaded: set[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    def bound(function: Callable[..., int], *arrays: Any) -> Callable[..., int]:
        called = kernels.bind(function, *arrays)

        def call(*rest: int) -> int:
            if max(threaded) > 1 and (threading.current_thread() is threading.main_thread()) == in_main:
                raise error
            return called(*rest)

        return call

    before, (cover, total) = threading.active_count(), in_pairs()
    monkeypatch.setattr(module, "bind", bound)
    with pytest.raises(type(error)):
        counted(cover, threads=3)
    assert threading.active_count() == before
    monkeypatch.undo()
    assert counted(cover, threads=3).total() == total


def test_between_two_pauses_no_thread_is_left(threaded: set[int]) -> None:
    """So a count can be closed there, whether for a limit or for Ctrl-C."""
    before, cover = threading.active_count(), COVERS["tiles in pairs"]()
    events = sum(1 for _ in halves_of(cover, threads=3).build())
    assert events > 30
    # How many there are says the clock: each time it is built from the start, so some eight of them are enough.
    for last in range(0, events, max(7, events // 8)):
        states = halves_of(cover, threads=3)
        with closing(states.build()) as going_on:
            passed = 0
            for _ in zip(range(last), going_on, strict=False):
                assert threading.active_count() == before
                passed += 1
        # With a faster clock it may be over by then.
        assert passed < last or states.total() == 0


def test_pieces_make_up_a_range() -> None:
    weights = np.array([0, 0, 7, 7, 8, 20, 21])
    for threads in (1, 2, 9):
        cut = list(work_ranges.pieces(weights, 100, threads))
        assert [cell for start, stop in cut for cell in range(start, stop)] == list(range(100, 106))
    assert list(work_ranges.pieces(np.zeros(4, np.int64), 5, 3)) == [(5, 8)]


def test_what_one_hand_cannot_do_is_left_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds_of_threads, "ROUND_SECONDS", 60.0)
    done = list[int]()

    def slowly(start: int, stop: int) -> tuple[int, bool]:
        done.append(start)
        return start + 1, True

    todo = work_ranges.pieces(np.arange(31), 0, 2)
    assert list(work_ranges.in_rounds(todo, [slowly, slowly])) == [True]
    assert sorted(done) == list(range(30))
    todo = deque([(3, 9)])
    assert next(work_ranges.in_rounds(todo, [lambda start, stop: (start + 1, False)])) is False
    assert todo == deque([(4, 9)])
