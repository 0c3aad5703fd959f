"""From the last states back: all tilings without dead ends, or some at random, each as likely as any other."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import TypeVar

import numpy as np

from tiler.backends.frontier import kernel_walk as kernel
from tiler.backends.frontier.kernel_profiles import EDGE, TARGET
from tiler.backends.frontier.layers import Layers
from tiler.kernels import EXHAUSTED, SOLUTION, Ratchet, patience

_STEPS = 100_000
_DRAWN = 500  # pieces drawn between two looks at the clock

T = TypeVar("T")


class Walk:
    """Ways back through layers that are complete and all kept. Lists are put in order as they are looked into."""

    def __init__(self, layers: Layers) -> None:
        self._layers, model = layers, layers.model
        self._is_sorted = np.zeros(len(layers.spans), np.bool_)
        lists = (layers.links, layers.edges, layers.spans, layers.rows, model.key_words, self._is_sorted)
        self._arguments = (model.fit_tile, model.counters, *lists)
        #: The last states: profile, row.
        self._ends = [(int(profile), row) for profile in layers.at(model.cells) for row in range(*layers.spans[profile].tolist())]
        self._found = np.zeros((64, kernel.FOUND_COLUMNS), np.int64)
        self._into = np.bincount(layers.edges[: layers.edge_count, TARGET], minlength=len(layers.links))

    def all(self) -> Iterator[tuple[int, ...] | None]:
        """Every tiling as options of the cover, in a fixed order; None now and then, for the caller to look at the clock."""
        layers, model = self._layers, self._layers.model
        for profile, row in self._ends:
            stack = np.zeros((model.cells + 2, kernel.STACK_COLUMNS), np.int64)
            state = np.zeros(kernel.STATE_SIZE, np.int64)
            ratchet = Ratchet("the frontier's walk back")
            edge = int(layers.links[profile, EDGE])
            stack[0] = profile, row, 2 * edge if edge >= 0 else -1, 0
            while True:
                code = int(kernel.retreat(*self._arguments, stack, state, patience.share(_STEPS)))
                if code == EXHAUSTED:
                    break
                ratchet.turn(int(state[kernel.STEPS]))
                fits = stack[: int(state[kernel.DEPTH]), kernel.LEFT_BY]
                yield tuple(model.fit_option[fits].tolist()) if code == SOLUTION else None

    def draw(self, seed: int) -> Iterator[tuple[int, ...] | None]:
        """Random tilings without end, drawn independently with Python's generator; there must be one. None now and then, for the
        caller to look at the clock.

        From each state the one before it is taken in proportion to the ways in which that is reached: so every tiling has
        probability 1 / total, exactly.
        """
        ways, generator = self._layers.ways, random.Random(seed)
        fit_option = self._layers.model.fit_option
        while True:
            profile, row = pick(generator, [(ways(row), (profile, row)) for profile, row in self._ends])
            options = []
            while profile:
                before = self._predecessors(profile, row)
                profile, row, fit = pick(generator, [(ways(state[1]), state) for state in before])
                options.append(int(fit_option[fit]))
                if len(options) % _DRAWN == 0:
                    yield None
            yield tuple(options)

    def _predecessors(self, profile: int, row: int) -> list[tuple[int, int, int]]:
        most = 2 * int(self._into[profile])
        if most > len(self._found):
            self._found = np.zeros((most, kernel.FOUND_COLUMNS), np.int64)
        count = int(kernel.predecessors(profile, row, *self._arguments, self._found))
        return [(a, b, c) for a, b, c in self._found[:count].tolist()]


def pick(generator: random.Random, weighted: list[tuple[int, T]]) -> T:
    """One of the things, with a probability in proportion to its weight."""
    at = generator.randrange(sum(weight for weight, _ in weighted))
    for weight, thing in weighted:
        at -= weight
        if at < 0:
            return thing
    raise AssertionError("the weights add up to their sum")
