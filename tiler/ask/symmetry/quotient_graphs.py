"""Make the quotient of the graph of a board by a symmetry, drawn on a surface, so that its matchings can be counted. In the graph
of a board, cells are vertices and placements of two cells are edges. All cells that the symmetry maps onto each other are one
vertex of the quotient, and so are placements one edge. The edges leave a vertex in the order in which they leave one of its
cells; the chosen cells lie side by side. So a rotation makes a cone, which can be drawn in the plane, and a reflection makes one
side of its axis. Only the order of the edges matters: later code finds out whether edges cross, and no kind of symmetry needs a
rule of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from tiler.backends.matching import no_pairs
from tiler.backends.matching.gadgets import drawing
from tiler.cover.board import BoardCover
from tiler.cover.cover import Cover
from tiler.cover.embedded_graph import EmbeddedCover


@dataclass(frozen=True, eq=False)
class DrawnBoard:
    """The placements round every cell of a board, each of two cells."""

    around: list[list[tuple[int, int]]]  #: by cell, options against the clock, each with the other cell that it covers
    points: NDArray[np.float64]  #: shape (cells, 2)

    @classmethod
    def of(cls, cover: Cover) -> DrawnBoard | None:
        """The board drawn; None if it is not a board in the plane or on a torus with tiles of two cells."""
        if not isinstance(cover, BoardCover) or cover.coloured is not None or cover.instance.dimension > 2:
            return None
        if no_pairs(cover) is not None or cover.fillers or bool(cover.bounded.any()):
            return None
        drawn = drawing(cover)
        assert drawn is not None  # as a board always is
        pairs = drawn.pairs
        options: list[list[int]] = [[] for _ in pairs.ends]
        for option, edge in enumerate(pairs.edge_of.tolist()):
            options[edge].append(option)
        ends, darts, starts = pairs.ends.tolist(), drawn.darts.tolist(), drawn.starts.tolist()
        around = [
            [(option, ends[dart >> 1][1 - (dart & 1)]) for dart in darts[begin:end] for option in options[dart >> 1]]
            for begin, end in pairwise(starts)
        ]
        return cls(around, drawn.points)

    def turned_round(self, whole: Cover, quotient: Sequence[int], orbits: Sequence[Sequence[int]]) -> EmbeddedCover:
        """Draw the cover of a quotient: `quotient` says which of its items each cell of the board becomes, `orbits` which options
        of the board become each of its options."""
        sizes = np.diff(whole.members.starts).tolist()
        line = {option: number for number, orbit in enumerate(orbits) if sizes[number] == 2 for option in orbit}
        chosen = [-1] * len(whole.items)
        for start, item in enumerate(quotient):
            if chosen[item] >= 0:
                continue
            chosen[item] = start
            reached = [start]
            for cell in reached:
                for option, other in self.around[cell]:
                    if option in line and chosen[quotient[other]] < 0:
                        chosen[quotient[other]] = other
                        reached.append(other)
        around = tuple(tuple(line[option] for option, _ in self.around[cell] if option in line) for cell in chosen)
        own = {field.name: getattr(whole, field.name) for field in fields(Cover)}
        return EmbeddedCover(**own, around=around, points=self.points[chosen])
