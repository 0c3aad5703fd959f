"""Loop over all arcs of a decision diagram (diagram.py): merge nodes with the same arcs, and count ways.

`count`, `group` and `merge` make a layer. The first two put the arcs of each node together. The third puts the arcs of a node in
order, looks the node up in a hash table of the nodes kept so far, and keeps it if none has the same arcs. `ways_to_end` and
`ways_from_root` count modulo a number, and the second adds up the uses of the options. A word holds sums of fewer than 2**32
numbers below 2**31; modulo 2**64 words wrap round.

All of them go on from an arc or a node `start` for some `budget` steps, of a few nanoseconds each, and return where they stopped:
the `start` of the next call.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tiler.kernels import EXHAUSTED, SOLUTION, inner, kernel
from tiler.kernels.arrays import I32, I32_2, I64, U64, SolutionRows

#: Columns of arcs before they are reduced: the node that one comes from, its option, the node that it leads to.
COMES_FROM, OPTION, LEADS_TO = range(ARC_COLUMNS := 3)
#: Places in `DiagramLayer.made`: the numbers of nodes and of arcs that are kept.
NODES, ARCS = range(2)


class GivenArcs(NamedTuple):
    """Some arcs of a layer, in any order."""

    arcs: I32_2  #: (arcs,) by names
    nodes: I64  #: (nodes,): in `count` the number of arcs of each node, in `group` the end of its arcs so far


class DiagramLayer(NamedTuple):
    """Nodes that are reduced. The arcs kept come to the start of `option` and `target`."""

    begins: I64  #: (nodes + 1,): where the arcs of each node begin in the next two
    option: I32  #: (arcs,)
    target: I32
    number: I32  #: (nodes,): the number of the node kept for it; -1 for a node without arcs
    kept: I64  #: (nodes + 1,): for each node kept, where its arcs begin; and the end of the last node's arcs
    codes: U64  #: (nodes,): by node kept, the code of its arcs
    slots: I32  #: a power of two, more than nodes with arcs: the hash table, 1 + the node kept; 0 for none
    made: I64  #: by names


class DiagramWays(NamedTuple):
    """A diagram, and the numbers of ways to and from its nodes."""

    starts: I64  #: (nodes + 1,): the first arc of each node
    option: I32  #: (arcs,)
    target: I32
    back: U64  #: (nodes,): ways to the end
    forth: U64  #: (nodes,): ways from the root
    uses: U64  #: (options,)
    modulus: int  #: the modulus of the numbers in these three arrays, below 2**31; 0 stands for 2**64, at which words wrap round


_ZERO, _ONE, _32 = np.uint64(0), np.uint64(1), np.uint64(32)
_SALT, _SHIFT = np.uint64(0x9E3779B97F4A7C15), np.uint64(29)


@kernel()
def count(given: GivenArcs, start: int, budget: int) -> int:
    """Count the arcs of each node, in addition to those counted before."""
    arcs, degrees = given.arcs, given.nodes
    last = min(arcs.shape[0], start + budget)
    for arc in range(start, last):
        degrees[arcs[arc, COMES_FROM]] += 1
    return int(last)


@kernel()
def group(given: GivenArcs, layer: DiagramLayer, start: int, budget: int) -> int:
    """Copy arcs to the end of the arcs of their nodes."""
    arcs, ends = given.arcs, given.nodes
    last = min(arcs.shape[0], start + budget)
    for arc in range(start, last):
        node = arcs[arc, COMES_FROM]
        at = ends[node]
        ends[node] = at + 1
        layer.option[at], layer.target[at] = arcs[arc, OPTION], arcs[arc, LEADS_TO]
    return int(last)


@inner()
def mixed(option: int, target: int) -> np.uint64:
    """A code for an arc."""
    code = ((np.uint64(target) << _32) | np.uint64(option)) * _SALT
    return (code ^ (code >> _SHIFT)) * _SALT


@kernel()
def merge(layer: DiagramLayer, start: int, budget: int) -> int:
    """Number the nodes of a layer; nodes with the same arcs get one number."""
    begins, option, target, kept = layer.begins, layer.option, layer.target, layer.kept
    nodes, top = layer.made[NODES], layer.made[ARCS]
    limit = np.uint64(layer.slots.size - 1)
    node, done = start, 0
    while node < layer.number.size and done < budget:
        begin, end = begins[node], begins[node + 1]
        done += end - begin + 1
        if begin == end:
            layer.number[node] = -1
            node += 1
            continue
        code = _ZERO
        for arc in range(begin, end):
            by, to = option[arc], target[arc]
            at = arc
            while at > begin and option[at - 1] > by:
                option[at], target[at] = option[at - 1], target[at - 1]
                at -= 1
            option[at], target[at] = by, to
            code += mixed(by, to)
        code ^= code >> _32
        slot = code & limit
        same = -1
        while layer.slots[slot] and same < 0:
            other = layer.slots[slot] - 1
            if layer.codes[other] == code and kept[other + 1] - kept[other] == end - begin:
                first, equal = kept[other], True
                for arc in range(end - begin):
                    equal &= option[first + arc] == option[begin + arc] and target[first + arc] == target[begin + arc]
                if equal:
                    same = other
            slot = (slot + _ONE) & limit
        if same < 0:
            same = nodes
            layer.slots[slot], layer.codes[nodes] = nodes + 1, code
            for arc in range(begin, end):
                option[top], target[top] = option[arc], target[arc]
                top += 1
            nodes += 1
            kept[nodes] = top
        layer.number[node] = same
        node += 1
    layer.made[NODES], layer.made[ARCS] = nodes, top
    return node


@kernel()
def ways_to_end(arcs: DiagramWays, start: int, budget: int) -> int:
    """Count the ways to the end, node by node from the one before the end to the root."""
    m, nodes = np.uint64(arcs.modulus), arcs.starts.size - 1
    step, done = start, 0
    while step < nodes - 1 and done < budget:
        node = nodes - 2 - step
        ways = _ZERO
        for arc in range(arcs.starts[node], arcs.starts[node + 1]):
            ways += arcs.back[arcs.target[arc]]
        arcs.back[node] = ways % m if m else ways
        done += arcs.starts[node + 1] - arcs.starts[node] + 1
        step += 1
    return step


@kernel()
def ways_from_root(arcs: DiagramWays, start: int, budget: int) -> int:
    """Count the ways from the root to the nodes from `start` on; the nodes before it have passed on theirs."""
    m = np.uint64(arcs.modulus)
    node, done = start, 0
    while node < arcs.starts.size - 2 and done < budget:
        ways = arcs.forth[node] % m if m else arcs.forth[node]
        for arc in range(arcs.starts[node], arcs.starts[node + 1]):
            to, by = arcs.target[arc], arcs.option[arc]
            arcs.forth[to] += ways
            uses = ways * arcs.back[to]
            arcs.uses[by] += uses % m if m else uses
        done += arcs.starts[node + 1] - arcs.starts[node] + 1
        node += 1
    return node


@kernel()
def list_paths(starts: I64, option: I32, target: I32, path: I64, depth: I64, solutions: SolutionRows, most: int) -> int:
    """Write down the solutions from a path on, given by its arcs, until there are `most`; EXHAUSTED if there are no more."""
    values, filled, end = solutions.values, solutions.filled, starts.size - 2
    while filled[0] < most:
        for i in range(depth[0]):
            values[filled[0], i] = option[path[i]]
        solutions.lengths[filled[0]] = depth[0]
        filled[0] += 1
        # The solutions below later arcs of the nodes on the path are still to come.
        arc = after = 0
        while depth[0] > 0 and arc == after:
            depth[0] -= 1
            arc = path[depth[0]] + 1
            after = starts[(target[path[depth[0] - 1]] if depth[0] > 0 else 0) + 1]
        if arc == after:
            return EXHAUSTED
        node = -1
        while node != end:
            path[depth[0]] = arc
            depth[0] += 1
            node = target[arc]
            arc = starts[node]
    return SOLUTION
