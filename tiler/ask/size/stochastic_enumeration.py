"""Estimate the number of nodes of a search tree by stochastic enumeration, to choose between searches before one is made. The
tree is walked level by level. A level with few nodes is looked at completely. From a larger level a sample is drawn: nodes at
even distances, so that they come from all parts of the tree. Such a sample is as good as a random sample of twice the size. The
size of the next level is estimated as the size of this level times the mean number of children of the sample; the mean of such
estimates is the size of the tree. A few hundred nodes estimate trees of a thousand million nodes to about a third. Single dives
(ask/size/estimate.py), which also tell their error, need many times as many nodes.

Source: R. Y. Rubinstein, "Stochastic enumeration method for counting NP-hard problems", Methodology and Computing in Applied
Probability 15 (2013), 249-291.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from tiler.backends.base import Backend
from tiler.backends.dlx import Dlx
from tiler.backends.fila import Fila
from tiler.backends.searching.tree import Branching, Narrowing, Tree, branches
from tiler.cover.cover import Cover
from tiler.kernels import python_time
from tiler.process.cancellation import StopCheck, never_stop
from tiler.process.threads import rounds

#: Children looked at: some hundred levels of a tree. In large samples this many for each node of a level.
_MOST, _MOST_EACH = 50_000, 400
_FEW_PIECES = 8


class Rooted(NamedTuple):
    """A tree, and a node of it, from which on it is looked at."""

    tree: Tree
    node: Any


def is_idle(cover: Cover) -> bool:
    """Whether there are so few pieces that every search is short."""
    return len(cover.items) // int(cover.sizes.max()) < _FEW_PIECES


def roots(trees: Sequence[Tree]) -> list[Rooted]:
    """The roots of trees that no search has begun in, without those that are known to be dead."""
    return [Rooted(tree, node) for tree in trees if (node := tree.root()) is not None]


def guides(
    backend: Backend, cover: Cover, keeps: Sequence[NDArray[np.bool_]], check_stop: StopCheck = never_stop
) -> list[Rooted]:
    """For every set of options, shape (options,), a tree about as large as the search tree of these options, and quick to look
    at, for a backend with `can_estimate`. For FILA, in any order, it is the tree of dancing links, which grows and shrinks with
    the tree of FILA. There one tree serves all sets of options, with another root for each. The volume filter is left out, since
    it helps all of them alike.
    """
    tree = guide(backend, cover)
    if tree is not None:
        return narrowed(tree, keeps, check_stop)
    parts = []
    for keep in keeps:
        check_stop()
        part = cover.restrict(keep)
        if part.refusal() is None:
            parts.append(backend.tree(part))
    return roots(parts)


def guide(backend: Backend, cover: Cover) -> Narrowing | None:
    """The tree that serves all sets of options, if there is one."""
    if not isinstance(backend, Dlx | Fila):
        return None
    return cast("Narrowing", (replace(backend, volume=0) if isinstance(backend, Dlx) else Dlx()).tree(cover))


def narrowed(tree: Narrowing, keeps: Sequence[NDArray[np.bool_]], check_stop: StopCheck = never_stop) -> list[Rooted]:
    """The roots in a tree of the searches of some options only."""
    nodes = []
    for keep in keeps:
        check_stop()
        nodes.append(tree.narrowed(keep))
    return [Rooted(tree, node) for node in nodes if node is not None]


def levels(start: Sequence[Rooted], chance: random.Random, breadth: int) -> list[float]:
    """The nodes below these, level by level, estimated from at most `breadth` nodes of each level.

    Each of the nodes drawn costs some ten microseconds for each of its children, or a few where a tree makes them at once; where
    there have been very many, the levels further down are left out. Exact where no level has more than `breadth` nodes.
    """
    return list(walk(start, chance, breadth))


def walk(start: Sequence[Rooted], chance: random.Random, breadth: int) -> Iterator[float]:
    """The same, one level at a time."""
    weight, here = _drawn(
        [_HyperNode.of(tree, [node for _, node in alike]) for tree, alike in groupby(start, itemgetter(0))], 1.0, chance, breadth
    )
    looked_at, most = 0, max(_MOST, _MOST_EACH * breadth)
    while here and looked_at < most:
        made = [hyper_node.children() for hyper_node in here]
        ways = sum(number for number, _ in made)
        looked_at += ways
        yield weight * ways
        weight, here = _drawn([hyper_node for _, hyper_node in made], weight, chance, breadth)


def at_once(walks: Sequence[Iterator[float]], threads: int, check_stop: StopCheck = never_stop) -> list[list[float]]:
    """The levels of several samples of trees that share nothing but what is only read, walked by several threads. The numbers do
    not depend on the threads: each walk has random numbers of its own."""
    found = [list[float]() for _ in walks]
    if python_time.is_left:  # Kernels are Python, which runs one thread at a time.
        threads = 1

    def lead(number: int, until: float) -> bool:
        for nodes in walks[number]:
            found[number].append(nodes)
            if time.perf_counter() >= until:
                return False
        return True

    for _ in rounds([partial(lead, number) for number in range(len(walks))], threads):
        check_stop()
    return found


@dataclass(frozen=True, eq=False)
class _HyperNode:
    """Nodes of one tree, all on one level: rows of arrays where the tree makes the children of many nodes at once. Called a hyper
    node by R. Vaisman and D. P. Kroese (2017), who enumerate in the same way."""

    tree: Tree
    nodes: Any
    number: int

    @classmethod
    def of(cls, tree: Tree, nodes: Sequence[Any]) -> _HyperNode:
        return cls(tree, cast("Branching", tree).rows(nodes) if _is_branching(tree) else nodes, len(nodes))

    def some(self, which: Sequence[int]) -> _HyperNode:
        """The nodes with these numbers."""
        if _is_branching(self.tree):
            return _HyperNode(self.tree, self.nodes._make(array[which] for array in self.nodes), len(which))
        return _HyperNode(self.tree, [self.nodes[i] for i in which], len(which))

    def children(self) -> tuple[int, _HyperNode]:
        """How many children they have, and those below which something can be."""
        if _is_branching(self.tree):
            ways, rows = cast("Branching", self.tree).children(self.nodes)
            return ways, _HyperNode(self.tree, rows, len(rows[0]))
        below = [_children(self.tree, node) for node in self.nodes]
        nodes = [child for _, children in below for child in children]
        return sum(ways for ways, _ in below), _HyperNode(self.tree, nodes, len(nodes))


def _is_branching(tree: Tree) -> bool:
    return hasattr(tree, "children")


def _drawn(level: Sequence[_HyperNode], weight: float, chance: random.Random, breadth: int) -> tuple[float, list[_HyperNode]]:
    """A sample of a level, and how many nodes each of its nodes stands for."""
    total = sum(hyper_node.number for hyper_node in level)
    if total <= breadth:
        return weight, [hyper_node for hyper_node in level if hyper_node.number]
    step = total / breadth
    first = chance.random() * step
    drawn, begin, some = [int(first + i * step) for i in range(breadth)], 0, []
    for hyper_node in level:
        which = [i - begin for i in drawn if begin <= i < begin + hyper_node.number]
        if which:
            some.append(hyper_node.some(which))
        begin += hyper_node.number
    return weight * step, some


def _children(tree: Tree, node: Any) -> tuple[int, list[Any]]:
    """How many children a node has, and those below which something can be."""
    children = [tree.child() for _ in branches(tree, node)]
    return len(children), [child for child in children if child is not None]
