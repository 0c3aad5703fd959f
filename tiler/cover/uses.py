"""How many solutions use each option: the ways from the root to an arc of the diagram, times the ways from there to the end.

Products of the two would be long, so they are summed up modulo numbers without common factors, and put together by the Chinese
remainder theorem: no sum is greater than the number of solutions.
"""

from __future__ import annotations

from math import gcd, prod

import numpy as np
from numpy.typing import NDArray

from tiler.cover.diagram import Diagram, layers_of
from tiler.process.look import Look, unhurried


def uses(diagram: Diagram, look: Look = unhurried) -> dict[int, int]:
    """For every option in a solution, the number of solutions with it.

    Of the solutions 0, 2 and 1:

    >>> from tiler.cover.building import Building
    >>> both = Building()
    >>> second = both.layer(np.array([1]), np.array([2], np.int32), np.array([0]))[0]
    >>> root = both.layer(np.array([2]), np.array([0, 1], np.int32), np.array([second, 0]))
    >>> uses(both.diagram())
    {0: 1, 1: 1, 2: 1}
    """
    total = diagram.count(look)
    if not total:
        return {}
    moduli = _moduli(total)
    product = prod(moduli)
    sums = np.stack([_uses_modulo(diagram, modulus, look) for modulus in moduli], 1)
    weights = [product // m * pow(product // m, -1, m) for m in moduli]
    found = {}
    for option in np.flatnonzero(sums.any(1)).tolist():
        look()
        found[option] = sum(rest * weight for rest, weight in zip(sums[option].tolist(), weights, strict=True)) % product
    return found


def _uses_modulo(diagram: Diagram, modulus: int, look: Look) -> NDArray[np.uint64]:
    """The number of solutions with each option modulo a number below 2**31, shape (options,)."""
    starts, option, target, m = diagram.starts, diagram.option, diagram.target, np.uint64(modulus)
    back, forth = np.zeros(diagram.nodes, np.uint64), np.zeros(diagram.nodes, np.uint64)
    back[-1] = forth[0] = 1
    for first, last in layers_of(diagram.layers, from_end=True):
        look()
        arcs = slice(starts[first], starts[last])
        back[first:last] = np.add.reduceat(back[target[arcs]], starts[first:last] - arcs.start) % m
    sums = np.zeros(int(option.max()) + 1, np.uint64)
    for first, last in layers_of(diagram.layers):
        look()
        arcs = slice(starts[first], starts[last])
        here = np.repeat(forth[first:last] % m, np.diff(starts[first : last + 1]))
        # Less than 2**32 terms below 2**31 are added up.
        np.add.at(forth, target[arcs], here)
        np.add.at(sums, option[arcs], here * back[target[arcs]] % m)
    return sums % m


def _moduli(bound: int) -> list[int]:
    """The greatest numbers below 2**31 without common factors whose product exceeds a bound.

    >>> _moduli(10), len(_moduli(10**30))
    ([2147483647], 4)
    """
    found, product, number = list[int](), 1, 1 << 31
    while product <= bound:
        number -= 1
        if gcd(number, product) == 1:
            found.append(number)
            product *= number
    return found
