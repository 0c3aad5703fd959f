"""Which anchor leaves least to search? The trees of all of them are measured by samples (tiler/backends/sampling.py)."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tiler.amounts import rounded
from tiler.ask.anchors import Anchor
from tiler.ask.parts import SearchPart
from tiler.backends import sampling
from tiler.backends.base import Backend
from tiler.cover.cover import Cover
from tiler.process.look import Look, unhurried

#: Below so many nodes a search is over sooner than it is known how to make it shorter.
TINY = 1 << 20

#: Below so many it is not worth more than a first look.
_SMALL = 1 << 21

#: How many of the best so far take part in a round, and of how many nodes of each level it makes samples.
_ROUNDS = ((1 << 30, 32), (4, 96), (2, 256))
_WHOLE_BREADTH = 96  #: of those of the whole that is not split


@dataclass(frozen=True)
class ChosenAnchor:
    """An anchor, and why it is this one."""

    anchor: Anchor
    why: str
    nodes: float | None = None  #: by samples, if they were asked


def cheapest(backend: Backend, cover: Cover, anchors: Sequence[Anchor], look: Look = unhurried) -> ChosenAnchor:
    """The anchor under which the backend has the smallest tree, of those given, which begin with the one to be taken if the tree
    is small anyway. The same samples are drawn every time.

    Some hundredths of a second for each anchor. Filters are left out of account: they help all of them.
    """
    first = anchors[0]
    by_rule = ChosenAnchor(first, "it has the fewest placements")
    if len(anchors) == 1 or not backend.can_estimate or sampling.is_idle(cover):
        return by_rule
    best = list(anchors)
    nodes, breadths = dict.fromkeys((anchor.tile for anchor in anchors), 0.0), 0
    for most, breadth in _ROUNDS:
        if breadths and nodes[best[0].tile] < _SMALL:
            break
        del best[most:]
        for anchor in best:
            size = _size(backend, cover, anchor, breadth, look)
            if anchor is first and not breadths and size < TINY:
                return by_rule
            nodes[anchor.tile] = (breadths * nodes[anchor.tile] + breadth * size) / (breadths + breadth)
        breadths += breadth
        best.sort(key=lambda anchor: nodes[anchor.tile])
    fewest, next_ = (f"{rounded(nodes[anchor.tile])} with {cover.names[anchor.tile]}" for anchor in best[:2])
    why = f"samples promise the fewest nodes of {len(anchors)} tiles, {fewest}, {next_}"
    return ChosenAnchor(best[0], why, nodes[best[0].tile])


def size(backend: Backend, cover: Cover, look: Look = unhurried) -> float:
    """The nodes of the search of a whole cover, estimated."""
    guides = backend.guides(cover, [np.ones(len(cover), np.bool_)], look)
    return sum(sampling.levels(guides, random.Random(_WHOLE_BREADTH), _WHOLE_BREADTH))


def are_tiny(parts: Sequence[SearchPart], look: Look = unhurried) -> bool:
    """Whether dancing links search all these parts in no time, by samples."""
    nodes, chance = 0.0, random.Random(0)
    for part in parts:
        look()
        if part.cover.refusal() is None:
            nodes += sum(sampling.levels(sampling.roots([part.backend.tree(part.cover)]), chance, _ROUNDS[0][1]))
        if nodes > TINY:
            return False
    return True


def _size(backend: Backend, cover: Cover, anchor: Anchor, breadth: int, look: Look) -> float:
    """The nodes of the search split by an anchor, estimated."""
    chance = random.Random(breadth)
    guides = backend.guides(cover, [keep for keep, _ in anchor.split], look)
    return sum(sampling.levels(guides, chance, breadth))
