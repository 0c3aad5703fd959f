"""Which anchor leaves least to search? The trees of all of them are measured by samples (tiler/backends/sampling.py)."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from tiler.amounts import rounded
from tiler.ask.anchors import Anchor
from tiler.backends import sampling
from tiler.backends.base import Backend
from tiler.cover.cover import Cover
from tiler.process.look import Look, unhurried

#: Below so many nodes a search is over sooner than it is known how to make it shorter; and so is one with fewer pieces.
TINY, _FEW_PIECES = 1 << 20, 8

#: How many of the best so far take part in a round, and of how many nodes of each level it makes samples.
_ROUNDS = ((1 << 30, 32), (6, 96), (3, 256))


@dataclass(frozen=True)
class Choice:
    """An anchor, and why it is this one."""

    anchor: Anchor
    why: str


def cheapest(backend: Backend, cover: Cover, anchors: Sequence[Anchor], look: Look = unhurried) -> Choice:
    """The anchor under which the backend has the smallest tree, of those given, which begin with the one to be taken if the tree
    is small anyway. The same samples are drawn every time.

    Some hundredths of a second for each anchor. Filters are left out of account: they help all of them.
    """
    first = anchors[0]
    by_rule = Choice(first, "it has the fewest placements up to symmetry")
    if len(anchors) == 1 or not backend.can_estimate or len(cover.items) // int(cover.sizes.max()) < _FEW_PIECES:
        return by_rule
    best = list(anchors)
    nodes, breadths = dict.fromkeys((anchor.tile for anchor in anchors), 0.0), 0
    for most, breadth in _ROUNDS:
        del best[most:]
        for anchor in best:
            size = _size(backend, cover, anchor, breadth, look)
            if anchor is first and not breadths and size < TINY:
                return by_rule
            nodes[anchor.tile] = (breadths * nodes[anchor.tile] + breadth * size) / (breadths + breadth)
        breadths += breadth
        best.sort(key=lambda anchor: nodes[anchor.tile])
    fewest, next_ = (f"{rounded(nodes[anchor.tile])} with {cover.names[anchor.tile]}" for anchor in best[:2])
    return Choice(best[0], f"samples promise the fewest nodes of {len(anchors)} tiles, {fewest}, {next_}")


def _size(backend: Backend, cover: Cover, anchor: Anchor, breadth: int, look: Look) -> float:
    """The nodes of the search split by an anchor, estimated."""
    chance = random.Random(breadth)
    guides = backend.guides(cover, [keep for keep, _ in anchor.split], look)
    return sum(sampling.levels(guides, chance, breadth))
