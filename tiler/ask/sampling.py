"""How many nodes has a search tree? Stochastic enumeration, to choose between searches before one is made.

The tree is walked level by level, all of it as long as a level has few nodes. From a larger level as many are drawn as are
affordable, each equally likely, and stand for all of it: every so-manieth, so that they come from all over the tree, which makes
for as good an estimate as twice as many drawn one by one. Each level is the mean number of children of the level above, times how
many nodes that has, so the sums have the size of the tree as their mean. Since those drawn share what chance does to them, a few
hundred nodes tell the sizes of trees of a thousand million to a third or so; single dives (ask/estimate.py), which know how sure
they are, need many times as many.

Source: R. Y. Rubinstein, "Stochastic enumeration method for counting NP-hard problems", Methodology and Computing in Applied
Probability 15 (2013), 249-291.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from tiler.backends.base import Backend
from tiler.backends.dlx import Dlx
from tiler.backends.fila import Fila
from tiler.backends.tree import Branching, Narrowing, Tree
from tiler.cover.cover import Cover
from tiler.kernels import EXHAUSTED
from tiler.process.look import Look, unhurried

_MOST = 50_000  # children looked at: some hundred levels of a tree
_FEW_PIECES = 8


class Rooted(NamedTuple):
    """A tree, and a node of it, from which on it is looked at."""

    tree: Tree
    node: Any


def is_idle(cover: Cover) -> bool:
    """Whether there are so few pieces that no search takes long."""
    return len(cover.items) // int(cover.sizes.max()) < _FEW_PIECES


def roots(trees: Sequence[Tree]) -> list[Rooted]:
    """The roots of trees that no search has begun in, without those that are known to be dead."""
    return [Rooted(tree, node) for tree in trees if (node := tree.root()) is not None]


def guides(backend: Backend, cover: Cover, keeps: Sequence[NDArray[np.bool_]], look: Look = unhurried) -> list[Rooted]:
    """For every set of options, shape (options,), a tree about as large as the search tree of these options, and quick to look
    at; of a backend with `can_estimate`.

    FILA's trees grow and shrink with those of dancing links, whatever its order, and there one tree does for all sets: only its
    root differs. What the volume filter leaves out there is a part of all of them.
    """
    if not isinstance(backend, Dlx | Fila):
        parts = []
        for keep in keeps:
            look()
            part = cover.restrict(keep)
            if part.refusal() is None:
                parts.append(backend.tree(part))
        return roots(parts)
    tree = cast("Narrowing", (replace(backend, volume=0) if isinstance(backend, Dlx) else Dlx()).tree(cover))
    nodes = []
    for keep in keeps:
        look()
        nodes.append(tree.narrowed(keep))
    return [Rooted(tree, node) for node in nodes if node is not None]


def levels(start: Sequence[Rooted], chance: random.Random, breadth: int) -> list[float]:
    """The nodes below these, level by level, estimated from at most `breadth` nodes of each level.

    Each of the nodes drawn costs some ten microseconds for each of its children, or a few where a tree makes them at once; where
    there have been very many, the levels further down are left out. Exact where no level has more than `breadth` nodes.
    """
    weight, here = _drawn(list(start), 1.0, chance, breadth)
    found: list[float] = []
    looked_at = 0
    while here and looked_at < _MOST:
        ways, below = 0, []
        for rooted in here:
            made, children = _children(rooted)
            ways += made
            below += children
        looked_at += ways
        found.append(weight * ways)
        weight, here = _drawn(below, weight, chance, breadth)
    return found


def _drawn(level: list[Rooted], weight: float, chance: random.Random, breadth: int) -> tuple[float, list[Rooted]]:
    """A sample of a level, and how many nodes each of its nodes stands for."""
    if len(level) <= breadth:
        return weight, level
    step = len(level) / breadth
    first = chance.random() * step
    return weight * step, [level[int(first + i * step)] for i in range(breadth)]


def _children(rooted: Rooted) -> tuple[int, list[Rooted]]:
    """How many children a node has, and those below which something can be."""
    tree, before, ways = rooted.tree, rooted.tree.nodes(), 0
    if hasattr(tree, "children"):
        ways, nodes = cast("Branching", tree).children(rooted.node)
        return ways, [Rooted(tree, node) for node in nodes]
    children = []
    tree.enter(rooted.node)
    while tree.step(1, True) != EXHAUSTED:
        if tree.nodes() > before + ways:
            ways += 1
            node = tree.child()
            if node is not None:
                children.append(Rooted(tree, node))
            tree.turn_back()
    return ways, children
