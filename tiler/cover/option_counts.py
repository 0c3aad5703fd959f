"""Count how many solutions use each option: the ways from the root to an arc of the diagram, times the ways from there to the
end.

Products of the two would be long. So they are summed up modulo numbers without common factors, and put together by the Chinese
remainder theorem: no sum is greater than the number of solutions.
"""

from __future__ import annotations

from math import gcd, prod

import numpy as np
from numpy.typing import NDArray

from tiler.cover import kernel_diagram as kernel
from tiler.cover.diagram import Diagram
from tiler.cover.diagram_construction import each
from tiler.kernels import bind
from tiler.process.cancellation import Look, unhurried

_WORD = 1 << 64


def uses(diagram: Diagram, look: Look = unhurried) -> dict[int, int]:
    """For every option in a solution, the number of solutions with it.

    Of the solutions 0, 2 and 1:

    >>> from tiler.cover.diagram_construction import Building
    >>> both = Building()
    >>> second = both.layer(1, [np.array([[0, 2, 0]], np.int32)])[0]
    >>> root = both.layer(1, [np.array([[0, 0, second], [0, 1, 0]], np.int32)])
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
    """The number of solutions with each option modulo one of `_moduli`, shape (options,)."""
    back, forth = np.zeros(diagram.nodes, np.uint64), np.zeros(diagram.nodes, np.uint64)
    back[-1] = forth[0] = 1
    found = np.zeros(int(diagram.option.max()) + 1, np.uint64)
    arcs = kernel.DiagramWays(diagram.starts, diagram.option, diagram.target, back, forth, found, modulus % _WORD)
    for step in (kernel.ways_to_end, kernel.ways_from_root):
        each(bind(step, arcs), diagram.nodes - 1, look)
    return found % np.uint64(modulus) if modulus < _WORD else found


def _moduli(bound: int) -> list[int]:
    """2**64 and, as needed, the greatest numbers below 2**31 without common factors: their product exceeds a bound.

    >>> _moduli(10) == [2**64], _moduli(10**24)[1:]
    (True, [2147483647])
    """
    found, product, number = [_WORD], _WORD, 1 << 31
    while product <= bound:
        number -= 1
        if gcd(number, product) == 1:
            found.append(number)
            product *= number
    return found
