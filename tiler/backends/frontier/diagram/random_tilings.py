"""Draw tilings at random from states in tables, going back from the last state: each tiling is as likely as any other.

A diagram of the same states could draw them too (solution_diagram.py), and does so if states are in lists. If states are single
words, a diagram takes three times the memory of the words with their ways, and twice the time, since hardly any of these states
merge.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np

from tiler import portable
from tiler.backends.frontier.diagram import kernel_arcs as kernel
from tiler.backends.frontier.diagram.arcs import StatesInTables
from tiler.kernels import bind

_DRAWN = 500  # pieces drawn between two looks at the clock
_WORD = 64


def drawn(states: StatesInTables, seed: int) -> Iterator[tuple[int, ...] | None]:
    """Yield random tilings without end, as options of the cover, drawn independently with Python's generator. There must be a
    tiling, and the states must be kept with their ways. Yields None now and then, so that the caller can look at the clock.

    To go back from a state, a state before it is drawn with a probability in proportion to the number of ways to reach it. So
    every tiling has probability 1 / total, exactly.
    """
    model, first, chance = states.model, states.first, random.Random(seed)
    starts = model.fit_starts
    reach = np.minimum(portable.arange(len(starts)), _WORD - 1)
    found = np.zeros((2 * int((starts - starts[portable.arange(len(starts)) - reach]).max()) + 1, kernel.FOUND_COLUMNS), np.int64)

    def pick(several: list[list[int]]) -> list[int]:
        """Draw one of several states, in proportion to their ways. Each list begins with the state's position and number."""
        ways = [
            int.from_bytes(states.ways[at][state - int(first[at])].astype("<u8").tobytes(), "little") for at, state, *_ in several
        ]
        number = chance.randrange(sum(ways))
        for each, more in zip(several, ways, strict=True):
            number -= more
            if number < 0:
                return each
        raise AssertionError("the ways add up to their sum")

    before = bind(kernel.before, states.rules, states.kept, found)
    ends = [[model.cells, state] for state in range(int(first[-2]), int(first[-1]))]
    while True:
        position, state = pick(ends)
        options = []
        while position:
            count = before(position, state)
            position, state, fit = pick(found[:count].tolist())
            if model.fit_option[fit] >= 0:
                options.append(int(model.fit_option[fit]))
            if len(options) % _DRAWN == 0:
                yield None
        yield tuple(options)
