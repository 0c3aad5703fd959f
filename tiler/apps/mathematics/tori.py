"""The tori of a lattice of the plane, by rising size: the plane, wrapped by two translations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

from tiler.model.instance import Instance
from tiler.model.lattice import Isometry, Lattice
from tiler.model.paint import Ground
from tiler.model.wrap import Wrap, wrap_of


def tori(lattice: Lattice, units: int, turns: Sequence[Isometry]) -> Iterator[Wrap]:
    """The wraps of a plane lattice onto a torus of `units` units. A wrap that one of `turns` turns into an earlier wrap is left
    out.

    >>> from tiler.model.lattices import SQUARE
    >>> [str(wrap) for wrap in tori(SQUARE, 2, SQUARE.isometries(reflections=True))]
    ['1,0 0,2', '1,1 0,2']
    """
    seen: set[Wrap] = set()
    first, second = lattice.moduli
    for high in range(1, units + 1):
        if units % high:
            continue
        wide = units // high
        for shift in range(wide):
            wrap = wrap_of([(high * first, shift * second), (0, wide * second)])
            if wrap not in seen:
                yield wrap
            seen |= {_turned(wrap, turn) for turn in turns}


def _turned(wrap: Wrap, turn: Isometry) -> Wrap:
    return wrap_of([turn(vector) for vector in wrap.vectors])


def on_torus(asked: Instance, wrap: Wrap) -> Instance:
    """The tiles of an instance on a torus."""
    lattice = asked.tiles[0].lattice
    (high, _), (_, wide) = wrap.vectors
    rows, columns = range(0, high, lattice.moduli[0]), range(0, wide, lattice.moduli[1])
    board = frozenset((r + a, c + b) for r, c in product(rows, columns) for a, b in lattice.residues)
    return replace(asked, board=board, wrap=wrap, ground=Ground(mates=asked.ground.mates))
