"""Find a heaviest perfect matching of a graph of black and white cells, by the assignment solver of OR-Tools, in whole numbers.

Source: Goldberg and Kennedy, An efficient cost scaling algorithm for the assignment problem, 1995.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from ortools.graph.python.linear_sum_assignment import SimpleLinearSumAssignment

from tiler.backends.matching.graph import Pairs, colours
from tiler.errors import BackendError


def heaviest(pairs: Pairs, weights: NDArray[np.int64]) -> tuple[int, ...]:
    """The options of a perfect matching with the greatest sum of weights; the weights have shape (options,). The graph must have
    a perfect matching.

    Where cells may stay open, the graph is matched with a twin of itself in which colours are exchanged; a cell is matched with
    its twin instead of staying open. So a matching of the two is one of each, and twice the heaviest weighs as much.
    """
    is_white = colours(pairs)
    if is_white is None:
        raise BackendError("the graph is not bipartite")
    pair_of = np.flatnonzero(pairs.edge_of >= 0)
    edges = pairs.edge_of[pair_of]
    # Take the heaviest option on each pair of cells, and the first one if several weigh the same.
    order = np.lexsort((pair_of, -weights[pair_of], edges))
    best = pair_of[order][np.unique(edges[order], return_index=True)[1]]
    turned = is_white[pairs.ends[:, 0]]
    black = np.where(turned, pairs.ends[:, 1], pairs.ends[:, 0])
    white = np.where(turned, pairs.ends[:, 0], pairs.ends[:, 1])
    options = best
    may_open = np.flatnonzero(pairs.filler_of >= 0)
    if len(may_open):
        # The twin of a black cell is among the white cells, and the twin of a white one among the black cells.
        opened = np.where(is_white[may_open], may_open + pairs.cells, may_open)
        twins = np.where(is_white[may_open], may_open, may_open + pairs.cells)
        black, white = (
            np.concatenate([black, white + pairs.cells, opened]),
            np.concatenate([white, black + pairs.cells, twins]),
        )
        options = np.concatenate([best, best, pairs.filler_of[may_open]])
    gains = weights[options].copy()
    if len(may_open):
        gains[-len(may_open) :] *= 2
    lefts, left = np.unique(black, return_inverse=True)
    right = np.unique(white, return_inverse=True)[1]
    solver = SimpleLinearSumAssignment()
    arcs = solver.add_arcs_with_cost(left.astype(np.int32), right.astype(np.int32), gains.max() - gains)
    if solver.solve() != SimpleLinearSumAssignment.Status.OPTIMAL:
        raise BackendError("the assignment solver found no matching")
    arc_of = {(int(a), int(b)): int(arc) for a, b, arc in zip(left, right, arcs, strict=True)}
    chosen = [arc_of[node, solver.right_mate(node)] for node in range(len(lefts))]
    # The edges of the twin are left out; a cell matched with its own twin stays open.
    return tuple(sorted(int(options[arc]) for arc in chosen if not len(best) <= arc < 2 * len(best) or not len(may_open)))
