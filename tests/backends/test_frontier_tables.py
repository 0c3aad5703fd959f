"""Counting by tables, with symmetries merged: against brute force, the layers, with numbers and budgets of any size."""

from __future__ import annotations

from itertools import cycle

import numpy as np
import pytest
from brute_force import tilings
from corpus import boards
from following import result_of
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import instances

from tiler import formats
from tiler.ask.solve import solve
from tiler.backends.frontier import dispatch
from tiler.backends.frontier.lists import ways
from tiler.backends.frontier.lists.layers import Layers
from tiler.backends.frontier.shared import symmetries
from tiler.backends.frontier.shared.model import Model
from tiler.backends.frontier.shared.symmetries import Symmetries
from tiler.backends.frontier.tables import hash_tables
from tiler.backends.frontier.tables import kernel_tables as kernel
from tiler.backends.frontier.tables.arena import Arena
from tiler.backends.frontier.tables.hash_tables import Tables
from tiler.cover.board import BoardCover
from tiler.model.instance import Instance
from tiler.model.lattices import LATTICES
from tiler.question.question import Goal, Question
from tiler.question.result import Stop

COUNT = Question(Goal.COUNT)
TETROMINOES, PENTOMINOES = ["4I", "4L", "4O", "4S", "4T"], list("FILNPTUVWXYZ")


def built(instance: Instance, *, merged: bool = True, kind: str = "auto", budget: int = 1 << 62) -> Tables:
    cover = BoardCover.of(instance)
    model = Model.of(cover, kind)
    states = Tables(model, Symmetries.of(cover, model) if merged else None, budget=budget)
    for _ in states.build():
        pass
    return states


def by_layers(instance: Instance, *, merged: bool = False) -> int:
    """The same by lists of states for each profile, as where many tiles are counted."""
    cover = BoardCover.of(instance)
    model = Model.of(cover)
    layers = Layers(model, Symmetries.of(cover, model) if merged else None)
    for _ in layers.build():
        pass
    return layers.total()


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables that have to grow, and symmetries looked for on any board."""
    monkeypatch.setattr(hash_tables, "_BATCH", 2)
    monkeypatch.setattr(hash_tables, "MOST_KEY_BITS", 20)
    monkeypatch.setattr(symmetries, "_FEWEST_FITS", 0)


def test_finds_as_many_as_the_brute_force_on_every_lattice(tiny: None) -> None:
    some = [board for board in boards("plain", "lattices", "wrapped", "not turned") if board.cover.refusal() is None]
    assert {board.instance.lattice for board in some} == set(LATTICES.values())
    for board, kind in zip(some, cycle(["axes", "diagonal", "breadth"])):
        assert by_layers(board.instance, merged=True) == len(board.tilings), board
        assert built(board.instance, kind=kind).total() == len(board.tilings), board


@pytest.mark.parametrize(
    ("blocks", "wrap", "lattice", "order"),
    [
        (["5x6", "2", "3L"], None, "square", 1),
        (["6x5", "4I", "4O", "4T", "1"], None, "square", 1),
        (["6x5", "4I", "4L", "1"], None, "square", 0),
        (["3x3x4", "2", "3L"], None, "cubic", 7),
        (["2x3x5", "2", "4branch", "3L"], None, "cubic", 3),
        (["5x4", "2", "3L"], "columns", "square", 7),
        (["4x5", "2", "3L"], "rows columns", "square", 0),
        (["xxxxx/xxxxx/xx.xx/xxxxx/xxxxx/xxxxx", "2", "3L"], None, "square", 1),
        (["4x6", "0..3:4L", "0..3:4J", "2..:2", "1..4:1x3"], None, "square", 1),
        (["4x6", "0..3:4L", "0..2:4J", "2"], None, "square", 0),
        (["5x4", "1..:3L", "0..3:2", "1"], "columns", "square", 7),
        (["2x3x5", "0..5:2", "1..2:4left", "1..2:4right", "3L"], None, "cubic", 3),
        (["ooxxoo/oxxxxo/oxxxxo/ooxxoo", "2", "3L"], None, "square", 1),
    ],
)
def test_symmetries_are_merged(blocks: list[str], wrap: str | None, lattice: str, order: int, tiny: None) -> None:
    instance = formats.inline(blocks, wrap=wrap)
    cover = BoardCover.of(instance)
    assert len(Symmetries.of(cover, Model.of(cover, "axes")).permutations) >= order
    merged, apart = built(instance, kind="axes"), built(instance, kind="axes", merged=False)
    assert merged.total() == apart.total() == by_layers(instance) == by_layers(instance, merged=True) > 0
    assert merged.states < apart.states if order else merged.states <= apart.states


def test_a_symmetry_that_does_not_keep_the_placements_is_none(tiny: None) -> None:
    one_sided = formats.inline(["4x6", "4L", "2"])
    cover = BoardCover.of(one_sided)
    assert len(Symmetries.of(cover, Model.of(cover)).permutations) == 0
    assert built(one_sided).total() == by_layers(one_sided)
    filtered = BoardCover.of(formats.inline(["4x6", "2"]))
    filtered = filtered.restrict(filtered.origin != 0)
    assert len(Symmetries.of(filtered, Model.of(filtered)).permutations) == 0


def test_published_counts() -> None:
    """A263425 and A233427, counted here by other ways too."""
    assert solve(formats.inline(["8x8", *TETROMINOES], reflections=True), "frontier", COUNT).result.count == 19_077_209_438
    result = solve(formats.inline(["5x10", *PENTOMINOES], reflections=True), "frontier", COUNT).result
    assert (
        result.count
        == solve(formats.inline(["5x10", *PENTOMINOES], reflections=True), "frontier:order=diagonal", COUNT).result.count
    )
    halved = built(formats.inline(["8x8", *TETROMINOES], reflections=True))
    whole = built(formats.inline(["8x8", *TETROMINOES], reflections=True), merged=False)
    assert halved.total() == whole.total()
    assert halved.states < 0.55 * whole.states


def test_numbers_that_outgrow_a_word_within_any_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hash_tables, "_BATCH", 2)
    monkeypatch.setattr(ways, "MOVED", 50)
    monkeypatch.setattr(ways, "GROWTH", 100)
    a, b = 1, 2
    for _ in range(298):
        a, b = b, a + b
    instance = formats.inline(["300x2", "2"])
    plenty = built(instance)
    assert plenty.total() == b
    assert plenty._rows.shape[1] == 1 + -(-b.bit_length() // 64)
    ends = []
    for tenths in range(1, 12):
        states = built(instance, budget=plenty.peak * tenths // 10)
        ends.append(states.short)
        assert states.short or states.total() == b
        assert states.peak <= plenty.peak * tenths // 10
    assert ends == sorted(ends, reverse=True)
    assert set(ends) == {True, False}


@settings(max_examples=40)
@given(instances(max_cells=12, words=False), st.integers(0, 12))
def test_any_count_goes_on_from_where_it_was_saved(instance: Instance, pauses: int) -> None:
    cover = BoardCover.of(instance)
    if cover.refusal() is None:
        model = Model.of(cover)
        for kind in (Tables, Layers) if Tables.suits(model) else (Layers,):
            states: Tables | Layers = kind(model)
            for at, _ in enumerate(states.build()):
                if at >= pauses and states.is_settled:
                    saved = {name: array.copy() for name, array in states.arrays().items()}
                    states = kind(model)
                    states.restore(saved)
                    for _ in states.build():
                        pass
                    break
            assert states.total() == len(tilings(instance))
            whole = kind(model)
            for _ in whole.build():
                pass
            assert (states.states, states.transitions) == (whole.states, whole.transitions)


def test_a_count_that_does_not_fit_says_so() -> None:
    model = Model.of(BoardCover.of(formats.inline(["6x8", *TETROMINOES], reflections=True)))
    short = result_of(dispatch._count(model, 100_000, threads=1))
    assert (short.stop, short.count) == (Stop.MEMORY, None)
    assert "states do not suffice at cell" in short.message
    assert short.message.endswith("a higher memory limit gives it more")
    assert short.stats["array_bytes"] <= 100_000


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 5)), max_size=40))
def test_pieces_of_an_arena_do_not_overlap(steps: list[tuple[bool, int]]) -> None:
    arena, held = Arena(), {}
    most = 0
    for gives, number in steps:
        if gives and held:
            start = sorted(held)[number % len(held)]
            arena.give(start, held.pop(start))
            continue
        size = 1 << number
        start = arena.take(size)
        if start is None:
            rows = arena.grown(size)
            assert arena.rows < rows <= arena.rows + 2 * size
            arena.rows = rows
            start = arena.take(size)
        assert start is not None
        assert start % size == 0
        assert start + size <= arena.rows
        assert all(start + size <= other or other + length <= start for other, length in held.items())
        held[start] = size
        most = max(most, sum(held.values()))
    for start, size in held.items():
        arena.give(start, size)
    # All is one again, but for what an array of these many rows cannot be.
    assert sorted(arena._free) == sorted(arena._free.keys())
    assert sum(size * len(starts) for size, starts in arena._free.items()) == arena.rows


def test_dead_states_are_not_entered() -> None:
    """A cell that is shut off between two upright dominoes: the flood sees it at once."""
    model = Model.of(BoardCover.of(formats.inline(["4x4", "2", "3I"])))
    rules = hash_tables.rules_of(model)
    arguments = (rules.possible, rules.shifts, rules.beside, rules.leaving, rules.inside)
    # Rows of four: cells 1, 2 and 4 covered, then cell 0 is alone. With cell 4 open it has a way out.
    assert not kernel.can_be_filled(np.uint64(0b10111), 0, *arguments)
    assert kernel.can_be_filled(np.uint64(0b00111), 0, *arguments)


def test_states_lie_near_their_places_while_a_table_is_filled(monkeypatch: pytest.MonkeyPatch) -> None:
    """The states of a table come in the order of their hashes, and lead to states in this order. So a table that is too small for
    all that will come gets full in one part long before it is full."""
    monkeypatch.setattr(hash_tables, "_TRANSITIONS", 2000)
    states = Tables.along_axes(BoardCover.of(formats.inline(["16x16", "2"])))
    assert states is not None
    away = [0.0]
    for _ in states.build():
        for start, size, used, shift in states._tables[states.position + 1 :].tolist():
            if states.is_settled and used > 500:
                words = states._rows[start : start + size, 0]
                rows = np.flatnonzero(words)
                places = kernel.place_of(words[rows], np.uint64(shift)).astype(np.int64)
                away.append(float(((rows - places) % size).mean()))
    assert len(away) > 100
    assert max(away) < 3
    assert states.total() == 2444888770250892795802079170816  # OEIS A004003


def test_behind_the_wide_part_of_a_board_tables_are_small_again() -> None:
    """They begin with room for as many states as one position ago, not with as many rows."""
    states = Tables.along_axes(BoardCover.of(formats.inline(["/".join(["x" * 9] * 9 + ["xx" + "." * 7] * 12), "2", "3I"])))
    assert states is not None
    rows = []
    states.on_position = lambda position: rows.append(int(states._tables[position:, kernel.SIZE].sum()))
    for _ in states.build():
        pass
    assert max(rows) > 10_000
    assert max(rows[-12:]) < 5000
