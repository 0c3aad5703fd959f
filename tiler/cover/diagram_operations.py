"""Make new diagrams (diagram.py) from others: of some of the solutions of one, or of the solutions of two. Each function looks at
every arc.

`option_counts` is the number of solutions with each option: the ways from the root to an arc, times the ways from there to the
end. Products of the two would be long. So they are summed up modulo numbers without common factors, and put together by the
Chinese remainder theorem: no sum is greater than the number of solutions.
"""

from __future__ import annotations

from enum import StrEnum
from math import gcd, prod

import numpy as np
from numpy.typing import NDArray

from tiler import portable
from tiler.cover import kernel_diagram as kernel
from tiler.cover.diagram import Diagram, Marks, Numbers, layers_of
from tiler.cover.diagram_construction import MOST_NODES, DiagramBuilder, run_to_end
from tiler.kernels import bind
from tiler.process.cancellation import StopCheck, never_stop

_WORD = 1 << 64


def option_counts(diagram: Diagram, check_stop: StopCheck = never_stop) -> dict[int, int]:
    """For every option in a solution, the number of solutions with it.

    Of the solutions 0, 2 and 1:

    >>> from tiler.cover.diagram_construction import DiagramBuilder
    >>> both = DiagramBuilder()
    >>> second = both.layer(1, [np.array([[0, 2, 0]], np.int32)])[0]
    >>> root = both.layer(1, [np.array([[0, 0, second], [0, 1, 0]], np.int32)])
    >>> option_counts(both.diagram())
    {0: 1, 1: 1, 2: 1}
    """
    total = diagram.count(check_stop)
    if not total:
        return {}
    moduli = _moduli(total)
    product = prod(moduli)
    sums = np.stack([_uses_modulo(diagram, modulus, check_stop) for modulus in moduli], 1)
    weights = [product // m * pow(product // m, -1, m) for m in moduli]
    counts = {}
    for option in np.flatnonzero(sums.any(1)).tolist():
        check_stop()
        counts[option] = sum(rest * weight for rest, weight in zip(sums[option].tolist(), weights, strict=True)) % product
    return counts


def _uses_modulo(diagram: Diagram, modulus: int, check_stop: StopCheck) -> NDArray[np.uint64]:
    """The number of solutions with each option modulo one of `_moduli`, shape (options,)."""
    back, forth = np.zeros(diagram.nodes, np.uint64), np.zeros(diagram.nodes, np.uint64)
    back[-1] = forth[0] = 1
    uses = np.zeros(int(diagram.option.max()) + 1, np.uint64)
    arcs = kernel.DiagramWays(diagram.starts, diagram.option, diagram.target, back, forth, uses, modulus % _WORD)
    for step in (kernel.ways_to_end, kernel.ways_from_root):
        run_to_end(bind(step, arcs), diagram.nodes - 1, check_stop)
    return uses % np.uint64(modulus) if modulus < _WORD else uses


def _moduli(bound: int) -> list[int]:
    """2**64 and, as needed, the greatest numbers below 2**31 without common factors: their product exceeds a bound.

    >>> _moduli(10) == [2**64], _moduli(10**24)[1:]
    (True, [2147483647])
    """
    moduli, product, number = [_WORD], _WORD, 1 << 31
    while product <= bound:
        number -= 1
        if gcd(number, product) == 1:
            moduli.append(number)
            product *= number
    return moduli


class DiagramOperation(StrEnum):
    """How two diagrams are joined: to the solutions in both, in at least one of them, or in the first but not in the second."""

    BOTH = "both"
    ANY = "any"
    FIRST = "first"


def restrict_options(diagram: Diagram, allowed: Marks) -> Diagram:
    """The diagram of the solutions in which all options are marked, shape (options,)."""
    if not diagram.nodes:
        return diagram
    ends = np.ones(1, np.bool_)
    return _reduced(*_trimmed(diagram.layers, diagram.starts, diagram.option, diagram.target, allowed[diagram.option], ends))


def restrict_count(diagram: Diagram, marked: Marks, least: int = 0, most: int | None = None) -> Diagram:
    """The diagram of the solutions in which the number of marked options, shape (options,), is within these bounds."""
    if not diagram.nodes:
        return diagram
    # There is a node for each number of marked options so far; without `most`, the last node stands for `least` or more.
    highest = least if most is None else most
    width = highest + 1
    used = np.tile(portable.arange(width), diagram.nodes)
    first, degree = portable.repeat(diagram.starts[:-1], width), portable.repeat(np.diff(diagram.starts), width)
    arcs = portable.ranges(first, degree)
    before = portable.repeat(used, degree)
    after = before + marked[diagram.option[arcs]]
    keep = np.full(len(after), True) if most is None else after <= highest
    target = diagram.target[arcs] * np.int64(width) + np.minimum(after, highest)
    starts = portable.starts_of(degree)
    ends = portable.arange(width) >= least
    return _reduced(*_trimmed(diagram.layers * width, starts, diagram.option[arcs], target, keep, ends))


def combine(one: Diagram, other: Diagram, how: DiagramOperation) -> Diagram:
    """Join two diagrams of the same cover."""
    if not one.nodes or not other.nodes:
        kept = {DiagramOperation.BOTH: not one.nodes, DiagramOperation.ANY: not other.nodes, DiagramOperation.FIRST: True}[how]
        return one if kept else other
    # A node is a pair of nodes, or a node and no node; *no node* has the number after the last one.
    none, width = (one.nodes, other.nodes), np.int64(other.nodes + 1)
    layer_of = [portable.repeat(portable.arange(len(diagram.layers) - 1), np.diff(diagram.layers)) for diagram in (one, other)]
    waiting: list[list[Numbers]] = [[] for _ in range(len(one.layers) - 1)]
    waiting[0].append(np.zeros(1, np.int64))
    pairs_of, arcs_of = [], []
    made = 0
    for some in waiting:
        pairs = np.unique(np.concatenate(some)) if some else np.zeros(0, np.int64)
        pairs_of.append(pairs)
        if not len(pairs):
            continue
        sides = [_arcs(one, pairs // width), _arcs(other, pairs % width)]
        at = np.union1d(sides[0][0], sides[1][0])
        to = [np.full(len(at), none[side], np.int64) for side in range(2)]
        for side in range(2):
            to[side][np.searchsorted(at, sides[side][0])] = sides[side][1]
        there = [to[side] < none[side] for side in range(2)]
        keep = {
            DiagramOperation.BOTH: there[0] & there[1],
            DiagramOperation.ANY: there[0] | there[1],
            DiagramOperation.FIRST: there[0],
        }[how]
        at, first, second = at[keep], to[0][keep], to[1][keep]
        target = first * width + second
        arcs_of.append((made + (at >> 32), (at & 0xFFFFFFFF).astype(np.int32), target))
        made += len(pairs)
        layer = np.where(first < none[0], layer_of[0][np.minimum(first, none[0] - 1)], 0)
        layer = np.where(second < none[1], layer_of[1][np.minimum(second, none[1] - 1)], layer)
        order = np.argsort(layer, kind="stable")
        found, begins = np.unique(layer[order], return_index=True)
        ends = np.append(begins, len(order))[1:]
        for number, begin, end in zip(found.tolist(), begins.tolist(), ends.tolist(), strict=True):
            waiting[number].append(np.unique(target[order[begin:end]]))
    layers = portable.starts_of([len(pairs) for pairs in pairs_of])
    every = np.concatenate(pairs_of)
    order = np.argsort(every)
    source, option, target = (np.concatenate(parts) for parts in zip(*arcs_of, strict=True))
    target = order[np.searchsorted(every[order], target)]
    starts = portable.starts_of(portable.bincount(source, minlength=len(every)))
    last = pairs_of[-1]
    is_first, is_second = last // width < none[0], last % width < none[1]
    ends = {
        DiagramOperation.BOTH: is_first & is_second,
        DiagramOperation.ANY: is_first | is_second,
        DiagramOperation.FIRST: is_first & ~is_second,
    }[how]
    return _reduced(*_trimmed(layers, starts, option, target, np.ones(len(option), np.bool_), ends))


def _arcs(diagram: Diagram, nodes: Numbers) -> tuple[Numbers, Numbers]:
    """The arcs of some nodes (none for a number that is too large). Returns two arrays: which of the nodes an arc belongs to,
    with the option in the lower 32 bits; and the node to which it leads."""
    there = nodes < diagram.nodes
    known = np.where(there, nodes, 0)
    degree = np.where(there, np.diff(diagram.starts)[known], 0)
    arcs = portable.ranges(diagram.starts[known], degree)
    return (portable.repeat(portable.arange(len(nodes)), degree) << 32) | diagram.option[arcs], diagram.target[arcs].astype(
        np.int64
    )


def _trimmed(
    layers: Numbers, starts: Numbers, option: NDArray[np.int32], target: NDArray[np.integer], keep: Marks, ends: Marks
) -> tuple[Numbers, Numbers, NDArray[np.int32], NDArray[np.int32]]:
    """The part of a graph that is on paths from node 0 to one of the ends, along arcs to be kept: layers, starts, options and
    targets."""
    nodes, degree = len(starts) - 1, np.diff(starts)
    source = portable.repeat(portable.arange(nodes), degree)
    reached, alive = np.zeros(nodes, np.bool_), np.zeros(nodes, np.bool_)
    reached[0] = True
    for first, last in layers_of(layers):
        arcs = slice(starts[first], starts[last])
        reached[target[arcs][keep[arcs] & reached[source[arcs]]]] = True
    alive[layers[-2] :] = reached[layers[-2] :] & ends
    for first, last in layers_of(layers, from_end=True):
        arcs = slice(starts[first], starts[last])
        alive[source[arcs][keep[arcs] & alive[target[arcs]]]] = True
    alive &= reached
    kept = np.flatnonzero(keep & alive[source] & alive[target])
    number = portable.starts_of(alive)
    new_starts = portable.starts_of(portable.bincount(source[kept], minlength=nodes)[alive])
    if number[-1] > MOST_NODES:
        raise MemoryError(f"a diagram of {number[-1]:,} nodes")
    return number[layers], new_starts, option[kept], number[target[kept]].astype(np.int32)


def _reduced(layers: Numbers, starts: Numbers, option: NDArray[np.int32], target: NDArray[np.int32]) -> Diagram:
    """Merge nodes with the same paths to the end, in a graph in which every node is on a path."""
    if not len(starts) - 1:
        return Diagram.empty(len(layers) - 1)
    made, number = DiagramBuilder(), np.zeros(len(starts) - 1, np.int32)
    for first, last in zip(layers[-3::-1].tolist(), layers[-2:0:-1].tolist(), strict=True):
        arcs = slice(int(starts[first]), int(starts[last]))
        source = portable.repeat(portable.arange(last - first), np.diff(starts[first : last + 1]))
        columns = source, option[arcs], number[target[arcs]]
        number[first:last] = made.layer(last - first, [np.stack(columns, 1).astype(np.int32)])
    return made.diagram()
