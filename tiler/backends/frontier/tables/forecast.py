"""Forecast how many states a count would have, and what it would take, from samples of the states of every layer.

A *pool* goes through the layers as a count does, but takes on only a limited number of states of each layer, drawn at random. The
fewer states there are, the more of them two pools have in common: if they found a and b states, and c of these in common, there
are some a b / c (capture and recapture). That is too few, because states that are reached in many ways are found by both pools
more often. To see by how much, two pools of a quarter of the size go through the layers too: the estimate grows as some power of
the size of the pool, until the pool has all states; on the last stretch it grows as half that power. This was fitted to boards
with known numbers of states: docs/reference/large.md says where the forecasts are wrong.

If no layer has more states than a pool takes, the numbers of states are exact.

Source: C. G. J. Petersen 1896 and F. C. Lincoln 1930 for capture and recapture; the extrapolation is ours.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tiler import portable
from tiler.backends.frontier.shared.kernel_profiles import Judging
from tiler.backends.frontier.shared.model import Model, Words
from tiler.backends.frontier.shared.symmetries import Symmetries
from tiler.backends.frontier.tables import kernel_forecast as kernel
from tiler.backends.frontier.tables.hash_tables import Tables
from tiler.process.cancellation import StopCheck, never_stop

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]

POOL, POOL_OF_LISTS = 8000, 32_000  # states of a layer that a pool takes on; this takes some seconds on most boards
_SMALLER = 4  # the pools that show how estimates grow are smaller by this factor
_LAST_STRETCH = 4.0  # number of states / size of the pool, where the last stretch begins
_MOST_POWER = 0.85
_LEAST_COMMON = 0.5  # instead of 0, if two pools have no state in common
_RECORDS = 1 << 16  # records made in one call
_LOOKED_AT = 256  # states of a layer for which transitions are counted, also transitions to dead states
_BITS_OF_A_CELL = 0.5  # bits of the number of tilings for each cell: about this if tiles repeat, else less
_LOAD, _LEAST_ROWS = 0.75, 256  # of a table: how full it may be, and its fewest rows
_BESIDE = 2.1  # memory / tables: there are also smaller tables that are copied from, and gaps between tables
_BYTES_OF_A_ROW = 8  # of a list, in addition to its words: profiles, edges, and room to grow
#: Seconds for each transition in tables and in lists.
_SECONDS_IN_TABLES, _SECONDS_IN_LISTS = 100e-9, 20e-9


@dataclass(frozen=True)
class Forecast:
    """The expected size and cost of a count by states."""

    layers: tuple[float, ...]  #: states by layer, from the empty board to the full one
    transitions: float
    at_once: float  #: the most states that are kept at a time
    bytes: float  #: the most bytes that the arrays take at a time
    seconds: float  #: CPU seconds
    is_exact: bool  #: whether all states were seen: then only transitions, bytes and seconds are an estimate

    @property
    def states(self) -> float:
        return float(sum(self.layers))


def forecast(
    model: Model,
    symmetries: Symmetries | None = None,
    *,
    pool: int | None = None,
    seed: int = 0,
    check_stop: StopCheck = never_stop,
) -> Forecast:
    """Forecast a count of a model in memory. The same seed draws the same states.

    `pool` is the number of states taken on in every layer. The default is `POOL` if states fit into tables, and `POOL_OF_LISTS`
    if they are kept in lists. Each of these states costs some microseconds for each placement that may follow. With symmetries,
    states that are images of each other are counted once.
    """
    tables = Tables.suits(model)
    pool = pool or pool_for(model)
    small = _walk(model, max(1, pool // _SMALLER), seed, check_stop)
    large = small if small.is_exact else _walk(model, pool, seed + 1, check_stop)
    layers = large.found if large.is_exact else _extrapolated(small, large, pool)
    is_exact = large.is_exact
    if symmetries is not None and len(symmetries.permutations):
        room = symmetries.maps(model).room
        layers = np.where((room > 0) & (layers > 0), np.maximum(1.0, layers / (1 + len(symmetries.permutations))), layers)
        is_exact = False  # A state may be its own image.
    transitions = float((layers * large.degree).sum())
    pace = _SECONDS_IN_TABLES if tables else _SECONDS_IN_LISTS
    at_once, size = (_in_tables if tables else _in_lists)(model, layers, large.steps)
    return Forecast(tuple(layers.tolist()), transitions, at_once, size, transitions * pace, is_exact)


def pool_for(model: Model) -> int:
    """The default size of the pools: larger if states are kept in lists, since there are more states then."""
    return POOL if Tables.suits(model) else POOL_OF_LISTS


class _Steps(NamedTuple):
    """The steps from all states of a layer, estimated from the steps of the states that were taken on."""

    to: Numbers  #: the positions they lead to, ascending
    number: Floats  #: how many steps lead to each


@dataclass(frozen=True)
class _Walk:
    """The results of two pools that went through all layers."""

    found: Floats  #: shape (layers,): states, by capture and recapture
    degree: Floats  #: shape (layers,): transitions from a state, on average
    steps: list[_Steps]  #: by layer
    is_exact: bool


class _Layer(NamedTuple):
    found: Words  #: shape (states, words), sorted
    taken: Words  #: the states of `found` that were taken on
    made: int  #: the number of transitions from these
    to: Numbers  #: the positions that steps from them lead to, ascending
    number: Numbers  #: how many steps lead to each


class _Pool:
    """One pool. Call `layer` for each position in turn."""

    def __init__(self, model: Model, size: int, seed: int) -> None:
        self.model, self.size, self.chance = model, size, np.random.default_rng(seed)
        self.words = model.mask_words + model.key_words
        self.is_exact = True
        self._waiting = {0: [np.zeros((1, self.words), np.uint64)]}  # by position: records of states that steps led to
        self._pushed = kernel.Pushed.new(max(_RECORDS, model.most_fits), self.words)
        self._fitting = kernel.Fitting.new(model.most_fits, model.mask_words)
        self._judging = Judging.new(model.cells, model.mask_words)

    def layer(self, position: int) -> _Layer:
        """Merge the records of a position to states, draw the states to take on, and make the records of their next states."""
        found = taken = _distinct(np.concatenate(self._waiting.pop(position, [np.zeros((0, self.words), np.uint64)])))
        if len(found) > self.size:
            self.is_exact = False
            taken = found[np.sort(self.chance.choice(len(found), self.size, replace=False))]
        steps: dict[int, int] = {}
        before = int(self._pushed.state[kernel.TRANSITIONS])
        for out in self._push(taken, position) if position < self.model.cells else ():
            order = np.argsort(out[:, 0], kind="stable")
            places, begins = np.unique(out[order, 0], return_index=True)
            for place, part in zip(places.tolist(), np.split(out[order, 1:], begins[1:]), strict=True):
                self._waiting.setdefault(place, []).append(part)
                steps[place] = steps.get(place, 0) + len(part)
        to = sorted(steps)
        made = int(self._pushed.state[kernel.TRANSITIONS]) - before
        return _Layer(found, taken, made, np.array(to, np.int64), np.array([steps[each] for each in to], np.int64))

    def _push(self, records: Words, position: int) -> Iterator[Words]:
        """The records of the next states that can be completed, in portions: see `push` in kernel_forecast.py."""
        done, state = 0, self._pushed.state
        while done < len(records):
            state[kernel.FILL] = 0
            arrays = self.model.rules, self._judging, self._fitting, self._pushed
            done = int(kernel.push(*arrays, records, done, len(records), position))
            if state[kernel.FILL]:
                yield self._pushed.out[: int(state[kernel.FILL])]


def _walk(model: Model, size: int, seed: int, check_stop: StopCheck) -> _Walk:
    found, degree, steps = np.zeros(model.cells + 1), np.zeros(model.cells + 1), list[_Steps]()
    pools = [_Pool(model, size, 2 * seed), _Pool(model, size, 2 * seed + 1)]
    tables = Tables.suits(model)
    for position in range(model.cells + 1):
        check_stop()
        one, two = (pool.layer(position) for pool in pools)
        states = len(one.found) * len(two.found) / max(_common(one.found, two.found), _LEAST_COMMON)
        taken = max(1, len(one.taken))
        found[position] = states
        degree[position] = _fitting(model, position, one.taken) if tables else one.made / taken
        steps.append(_Steps(one.to, (one.number * (states / taken)).astype(np.float64)))
    return _Walk(found, degree, steps, pools[0].is_exact)


def _distinct(records: Words) -> Words:
    """The different rows of an array, sorted."""
    if not len(records):
        return records
    records = records[portable.lexsort(records[:, ::-1].T)]
    distinct: Words = records[np.append(True, (records[1:] != records[:-1]).any(axis=1))]
    return distinct


def _common(one: Words, two: Words) -> int:
    """The number of rows that are in both arrays. No array has a row twice."""
    both = np.concatenate([one, two])
    both = both[np.lexsort(both.T)]
    return int((both[1:] == both[:-1]).all(axis=1).sum())


def _fitting(model: Model, position: int, states: Words) -> float:
    """How many placements fit a state on average, also placements that lead to dead states. Masks have one word."""
    if position == model.cells or not len(states):
        return 0.0
    masks = states[:: -(-len(states) // _LOOKED_AT), 0]
    fits = model.fit_masks[model.fit_starts[position] : model.fit_starts[position + 1], 0]
    return float((masks[:, None] & fits == 0).sum() / len(masks))


def _extrapolated(small: _Walk, large: _Walk, pool: int) -> Floats:
    """The number of states of each layer, extrapolated to pools with all states: see the module's docstring."""
    power = np.log(large.found.sum() / small.found.sum()) / np.log(_SMALLER)
    power = float(np.clip(power, 0, _MOST_POWER))
    # Solve found * (all / pool) ** power = all for `all`, in logarithms; on the last stretch with half the power.
    found, size, stretch = np.log(np.maximum(large.found, 1)), np.log(pool), np.log(_LAST_STRETCH)
    far = (found - power * size - power / 2 * stretch) / (1 - power)
    near = (found - power / 2 * size) / (1 - power / 2)
    every = np.exp(np.where(far > size + stretch, far, np.minimum(near, size + stretch)))
    return np.where(large.found > pool, np.maximum(every, large.found), large.found)


def _in_tables(model: Model, layers: Floats, steps: list[_Steps]) -> tuple[float, float]:
    """The most states at a time, and their bytes. A position has a table from the first state that leads to it until its own
    states are taken on."""
    every, so_far = np.zeros(len(layers)), np.zeros(len(layers))
    for each in steps:
        every[each.to] += each.number
    most, rows, reach = 1.0, float(_LEAST_ROWS), 0
    for position, each in enumerate(steps):
        so_far[each.to] += each.number
        reach = max(reach, int(each.to[-1]) if len(each.to) else 0)
        ahead = slice(position + 1, reach + 1)
        waiting = layers[ahead] * so_far[ahead] / np.maximum(every[ahead], 1e-9)
        most = max(most, layers[position] + waiting.sum())
        sizes = np.maximum(waiting[waiting > 0] / _LOAD, _LEAST_ROWS)
        rows = max(rows, float((2.0 ** np.ceil(np.log2(sizes))).sum()))
    return most, _BESIDE * rows * 8 * (1 + _words_of_ways(model))


def _in_lists(model: Model, layers: Floats, steps: list[_Steps]) -> tuple[float, float]:
    """The most states at a time, and their bytes. A position is kept until all positions that it leads to are merged."""
    last = [int(each.to[-1]) if len(each.to) else position for position, each in enumerate(steps)]
    most, tail = 1.0, 0
    for position in range(len(layers)):
        while last[tail] < position:
            tail += 1
        most = max(most, float(layers[tail : position + 1].sum()))
    return most, most * (8 * (model.key_words + _words_of_ways(model)) + _BYTES_OF_A_ROW)


def _words_of_ways(model: Model) -> int:
    return 1 + int(_BITS_OF_A_CELL * model.cells / 64)
