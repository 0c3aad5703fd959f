"""Go one step back from a state that is a single word (kernel_tables.py). The states of all positions must be kept as in
kernel_arcs.py.

It is not stored which states come before a state. But the placement that was laid last begins before the first open cell, and
without it the state before is left. A step tries every placement that begins at most 63 cells before the position.
"""

from __future__ import annotations

import numpy as np

from tiler.backends.frontier.diagram.kernel_arcs import WordStates, place_among
from tiler.backends.frontier.tables.kernel_tables import WordRules, bits_of_mask, key_place
from tiler.kernels import kernel
from tiler.kernels.arrays import I64_2

#: Columns of `found`: the position, the state, and the fit that leads from there to the given state.
FOUND_POSITION, FOUND_STATE, FOUND_FIT = range(FOUND_COLUMNS := 3)

_ZERO, _ONE = np.uint64(0), np.uint64(1)
_WORD = 64


@kernel()
def before(rules: WordRules, states: WordStates, position: int, state: int, found: I64_2) -> int:
    """Write every state before a state to `found`, and return their number. `found` must have room for two for each fit in
    reach."""
    first, words = states.first, states.words
    keyed, key_at = rules.key_bits > 0, key_place(rules)
    mask = (words[state] & bits_of_mask(rules)) ^ _ONE
    key = (words[state] >> key_at) if keyed else _ZERO
    count = 0
    for back in range(1, min(position, _WORD - 1) + 1):
        step = np.uint64(back)
        covered = (mask << step) | ((_ONE << step) - _ONE)
        if covered >> step != mask or (keyed and covered >> key_at != _ZERO):
            break
        here = position - back
        low, high = first[here], first[here + 1]
        if low == high:
            continue
        for fit in range(rules.fit_starts[here], rules.fit_starts[here + 1]):
            if rules.fit_masks[fit] & ~covered != _ZERO:
                continue
            word = (covered ^ rules.fit_masks[fit]) | _ONE
            used = key & rules.fields[fit]
            # If the last copy was counted, the key before has one less. If not (none is, or only up to the lower bound), the
            # key is the same.
            for same in range(2):
                if same == 0 and (rules.units[fit] == _ZERO or used == _ZERO):
                    continue
                if same == 1 and not (rules.stays[fit] and used == rules.mosts[fit]):
                    continue
                other = key if same else key - rules.units[fit]
                at = place_among(words, low, high, (word | (other << key_at)) if keyed else word)
                if at >= 0:
                    found[count, FOUND_POSITION] = here
                    found[count, FOUND_STATE] = at
                    found[count, FOUND_FIT] = fit
                    count += 1
    return count
