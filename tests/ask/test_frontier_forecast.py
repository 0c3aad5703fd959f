"""What a count by states would take, held against what it takes."""

from __future__ import annotations

import json

import numpy as np
import pytest
from commands import call
from hypothesis import given, settings
from strategies import instances

from tiler import formats
from tiler.ask.size.estimate import estimate
from tiler.ask.size.frontier_forecast import TYPICAL
from tiler.backends.frontier.diagram.arcs import StatesInLists
from tiler.backends.frontier.lists.layers import Layers
from tiler.backends.frontier.shared.model import Model
from tiler.backends.frontier.shared.symmetries import Symmetries
from tiler.backends.frontier.tables.forecast import forecast
from tiler.backends.frontier.tables.hash_tables import Tables
from tiler.backends.registry import parse_spec
from tiler.cover.board import BoardCover
from tiler.errors import BadOption
from tiler.model.instance import Instance
from tiler.process.cancellation import Stopped


def states_of(model: Model) -> list[int]:
    """The states of every layer."""
    layers = StatesInLists(model)
    for _ in layers.build():
        pass
    return np.diff(layers.first).tolist()


@settings(max_examples=40)
@given(instances(max_cells=12, words=False))
def test_where_pools_have_all_states_they_tell_them_exactly(instance: Instance) -> None:
    cover = BoardCover.of(instance)
    if cover.refusal() is None:
        model = Model.of(cover)
        found = forecast(model)
        assert found.is_exact
        assert list(found.layers) == states_of(model)


@pytest.mark.parametrize(
    ("blocks", "pool"),
    [
        (["8x8", "2", "3I"], 500),
        (["7x8", "tetrominoes"], 400),
        (["5x9", "2:3L", "2:4T", "5:2", "4I"], 500),
        (["4x15", "1:pentominoes"], 500),
    ],
)
def test_forecasts_of_states_are_near(blocks: list[str], pool: int) -> None:
    model = Model.of(BoardCover.of(formats.inline(blocks)))
    true = sum(states_of(model))
    for seed in (0, 1):
        found = forecast(model, pool=pool, seed=seed)
        assert not found.is_exact
        assert true / 2 < found.states < true * 2
    assert forecast(model, pool=pool, seed=1) == found != forecast(model, pool=pool, seed=2)


@pytest.mark.parametrize("blocks", [["9x9", "2", "3L"], ["6x10", "1:pentominoes"]])
def test_memory_and_steps_are_near_those_of_a_count(blocks: list[str]) -> None:
    cover = BoardCover.of(formats.inline(blocks))
    model = Model.of(cover)
    symmetries = Symmetries.of(cover, model)
    count = Tables(model, symmetries) if Tables.suits(model) else Layers(model, symmetries)
    for _ in count.build():
        pass
    found = forecast(model, symmetries, pool=4000)
    for foreseen, true in ((found.states, count.states), (found.transitions, count.transitions), (found.at_once, count.largest)):
        assert true / 2 < foreseen < true * 2
    assert count.peak / 3 < found.bytes < count.peak * 3


def test_an_estimate_of_frontier_is_one_of_states() -> None:
    instance = formats.inline(["8x8", "tetrominoes"])
    found = estimate(parse_spec("frontier"), instance, samples=1000)
    assert found.states is not None
    assert found.states.pool == found.samples == 1000
    assert found.nodes.mean == pytest.approx(sum(map(sum, found.states.layers)))
    assert found.nodes.high == pytest.approx(found.nodes.mean * TYPICAL)
    assert found.tilings is None
    assert found.seconds.mean > 0
    once = formats.inline(["5x12", "1:pentominoes"])
    few = estimate(parse_spec("frontier"), once, samples=500, up_to_symmetry=True)
    assert (few.symmetry, 0 < few.nodes.mean < estimate(parse_spec("frontier"), once, samples=500).nodes.mean * 2) == (4, True)
    nothing = estimate(parse_spec("frontier"), formats.inline(["3x3", "2"]))
    assert (nothing.nodes.mean, nothing.states and nothing.states.layers) == (0, ())
    with pytest.raises(BadOption, match="--precision is for search trees"):
        estimate(parse_spec("frontier"), instance, precision=0.1)
    with pytest.raises(Stopped):
        estimate(parse_spec("frontier"), instance, going_on=lambda progress: False)


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys, "estimate", "8x8", "2", "3L", "--solver", "frontier", "--samples", "50")
    assert status == 0
    assert [line.split()[0] for line in out.splitlines()[:4]] == ["states", "at", "memory", "time"]
    assert "From samples of 50 states of each layer." in out
    status, out, _ = call(capsys, "estimate", "3x3", "2", "--solver", "frontier")
    assert (status, out.startswith("There is nothing to search")) == (0, True)
    status, out, _ = call(capsys, "estimate", "4x4", "2", "--solver", "frontier", "--format", "json")
    assert (status, len(json.loads(out)["states"]["layers"][0])) == (0, 17)
