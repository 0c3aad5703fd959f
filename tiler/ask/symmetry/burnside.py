"""Burnside's way to count up to symmetry: the covers of the tilings that each symmetry maps onto themselves.

The number of orbits is the mean, over the group, of the number of tilings that a symmetry maps onto themselves. These tilings are
made of whole orbits of placements: they are the solutions of another cover, which is much smaller.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tiler import portable
from tiler.ask.parts import Maps, SearchPart
from tiler.backends.base import Backend
from tiler.backends.dlx import Dlx
from tiler.backends.matching import Matching, no_pairs
from tiler.backends.matching.gadgets import drawing
from tiler.cover.board import BoardCover
from tiler.cover.bounds import Bounds
from tiler.cover.cover import Cover
from tiler.cover.csr import Csr
from tiler.cover.embedded_graph import EmbeddedCover
from tiler.process.cancellation import StopCheck, never_stop
from tiler.question.question import Goal, Question

#: The most ways to share the copies of bounded tiles among orbits of placements that Burnside's way goes through.
_MOST_SHARES = 2000


@dataclass(frozen=True, eq=False)
class DrawnBoard:
    """The graph of a board, to draw the quotients by its symmetries: the placements round every cell, each of two cells.

    All cells that a symmetry maps onto each other are one vertex of the quotient, and so are placements one edge. The edges leave
    a vertex in the order in which they leave one of its cells; the chosen cells lie side by side. So a rotation makes a cone,
    which can be drawn in the plane, and a reflection makes one side of its axis. Only the order of the edges matters: later code
    finds out whether edges cross, and no kind of symmetry needs a rule of its own.
    """

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


def burnside_parts(
    backend: Backend, cover: Cover, turned: Maps, maps: Maps, times: Sequence[int] = (), check_stop: StopCheck = never_stop
) -> tuple[SearchPart, ...] | None:
    """Covers whose solutions, all together, are the tilings that each symmetry maps onto themselves.

    `turned` and `maps` say where the symmetries, the identity first, take cells and options. `times` says how many symmetries
    each of them stands for, which keep equally many tilings. The cover of the identity is the cover itself, for the given
    backend. The others are for `matching` if they are drawn and it can count them, else for `dlx`, which needs no geometry. None
    if the copies of bounded tiles can be shared among orbits of placements in too many ways.
    """
    parts = [SearchPart(backend, cover, maps[:0])]
    cover = _unbounded(cover)
    drawn = DrawnBoard.of(cover)
    for cell_map, option_map, number in zip(turned[1:], maps[1:], times[1:] or [1] * (len(maps) - 1), strict=True):
        check_stop()
        fixed = fixed_covers(cover, cell_map, option_map, drawn)
        if fixed is None:
            return None
        parts += [SearchPart(_searcher(each), each, maps[:0], number) for each in fixed]
    return tuple(parts)


def _unbounded(cover: Cover) -> Cover:
    """The cover without bounds that follow from the area: a single tile is used as often as there is room."""
    if len(cover.names) > 1 or cover.refusal() is not None:
        return cover
    return replace(cover, bounds=Bounds(np.zeros(1, np.int64), cover.upper, np.zeros(1, np.bool_)))


def _searcher(fixed: Cover) -> Backend:
    return Matching() if isinstance(fixed, EmbeddedCover) and Matching().refusal(Question(Goal.COUNT), fixed) is None else Dlx()


class _Orbits(NamedTuple):
    """Orbits of placements that a symmetry maps onto each other: those of an orbit are laid all at once."""

    options: Csr
    cells: Csr  #: the cells of the quotient board
    colours: list[list[tuple[int, int]]]  #: the colours that they give to items: item and colour

    def take(self, rows: NDArray[np.int64]) -> _Orbits:
        """Some orbits, in the order of their numbers in `rows`."""
        return _Orbits(self.options.take(rows), self.cells.take(rows), [self.colours[row] for row in rows.tolist()])


_Kind = tuple[tuple[tuple[int, int], ...], int]  # tiles and copies, and the number of cells of the quotient board


def fixed_covers(
    cover: Cover, cell_map: NDArray[np.int64], option_map: NDArray[np.int64], drawn: DrawnBoard | None = None
) -> list[Cover] | None:
    """Covers whose solutions, all together, are the tilings that a symmetry maps onto themselves; None if there are too many.

    The cells are orbits of cells of the board, the options whole orbits of placements that do not overlap. If a bounded tile
    occurs in orbits of different kinds, there is one cover for every way to share its copies among them. The covers are drawn if
    the board is.
    """
    orbits, quotient = _orbits(cover, cell_map, option_map)
    cells = int(quotient.max(initial=-1)) + 1
    kinds, number = _kinds(cover, orbits)
    shares = _shares(cover, [kind for kind in kinds if any(cover.bounded[t] for t, _ in kind[0])])
    if shares is None:
        return None
    if not kinds:
        return []
    orbits, tile = orbits.take(np.argsort(number, kind="stable")), np.sort(number).astype(np.int32)
    most = np.array([cells // size for _, size in kinds], np.int64)
    coloured = None
    if cover.coloured is not None:
        given = Csr.from_lists([[item for item, _ in colours] for colours in orbits.colours])
        colour = np.array([colour for colours in orbits.colours for _, colour in colours], np.int32)
        coloured = replace(cover.coloured, given=given, colour=colour).binding
    covers = []
    for share in shares:
        exact = np.array([kind in share for kind in kinds], np.bool_)
        copies = np.array([share.get(kind, 0) for kind in kinds], np.int64)
        upper = np.where(exact, copies, most)
        whole = Cover(
            items=tuple(range(cells)),
            names=tuple(f"orbits of kind {k}" for k in range(len(kinds))),
            tile=tile,
            members=orbits.cells,
            sizes=np.array([size for _, size in kinds], np.int64),
            bounds=Bounds(copies, upper, exact),
            weights=np.zeros(len(kinds), np.int64),
            origin=np.arange(len(tile), dtype=np.int32),
            coloured=coloured,
        )
        if drawn is not None:
            whole = drawn.turned_round(whole, quotient.tolist(), orbits.options.lists())
        covers.append(whole.restrict(upper[tile] > 0))
    return covers


def _orbits(cover: Cover, cell_map: NDArray[np.int64], option_map: NDArray[np.int64]) -> tuple[_Orbits, NDArray[np.int64]]:
    """The orbits of placements that go together, and by cell that of the quotient board."""
    quotient, orbit_of = _orbit_numbers(cell_map), _orbit_numbers(option_map)
    every = portable.arange(len(cover)).astype(np.int32)
    options = Csr.grouped(orbit_of.astype(np.int32), every, int(orbit_of.max(initial=-1)) + 1)
    # All placements of an orbit lie on the same orbits of cells. None overlap if these have as many cells as all placements.
    first = np.zeros(len(cover), np.bool_)
    first[options.values[options.starts[:-1]]] = True
    members = cover.members.restrict(first)
    sizes, cells = np.diff(members.starts), portable.bincount(quotient)
    on = portable.distinct(portable.repeat(portable.arange(len(sizes)), sizes) * len(cells) + quotient[members.values])
    orbit, cell = (each.astype(np.int32) for each in np.divmod(on, len(cells)))
    apart = portable.bincount(orbit, cells[cell], len(sizes)) == sizes * np.diff(options.starts)
    orbits = _Orbits(options, Csr.grouped(orbit, cell, len(sizes)), [[]] * len(sizes)).take(portable.flatnonzero(apart))
    if cover.coloured is None:
        return orbits, quotient
    given = [sorted({both for option in row for both in cover.coloured.of_option(option)}) for row in orbits.options.lists()]
    agree = [len({item for item, _ in colours}) == len(colours) for colours in given]
    return orbits._replace(colours=given).take(portable.flatnonzero(agree)), quotient


def _kinds(cover: Cover, orbits: _Orbits) -> tuple[list[_Kind], NDArray[np.int64]]:
    """The kinds of orbits, and the number of the kind of each: orbits of one kind are alike in bounds and areas."""
    if not len(orbits.options):
        return [], portable.arange(0)
    # A symmetry takes a tile to one other, or itself: so the least tile of an orbit and its length say which tiles it has.
    tile = portable.reduceat(np.minimum, cover.tile[orbits.options.values], orbits.options.starts[:-1])
    facts = np.stack([tile, np.diff(orbits.options.starts), np.diff(orbits.cells.starts)])
    in_order = portable.lexsort(facts)
    is_new = np.concatenate([[True], (np.diff(facts[:, in_order], axis=1) != 0).any(0)])
    alike = np.empty(len(in_order), np.int64)
    alike[in_order] = portable.cumsum(is_new) - 1
    kinds: list[_Kind] = []
    for orbit in in_order[is_new].tolist():
        uses = Counter(cover.tile[orbits.options[orbit]].tolist())
        kinds.append((tuple(sorted(uses.items())), len(orbits.cells[orbit])))
    ranks = {kind: rank for rank, kind in enumerate(sorted(kinds))}
    return list(ranks), np.array([ranks[kind] for kind in kinds], np.int64)[alike]


def _orbit_numbers(to: NDArray[np.int64]) -> NDArray[np.int64]:
    """The number of the orbit of each thing under a permutation; orbits are numbered by their least things."""
    least = things = portable.arange(len(to))
    before = None
    # The least among the next 2, 4, 8, ... images, until that is the least of the orbit.
    while before is None or (least != before).any():
        before, least, to = least, np.minimum(least, least[to]), to[to]
    return np.asarray((portable.cumsum(least == things) - 1)[least])


def _shares(cover: Cover, kinds: Sequence[_Kind]) -> list[dict[_Kind, int]] | None:
    """How often each kind may be used so that bounded tiles are within their bounds: all ways, or None if there are too many."""
    least = {t: int(cover.lower[t]) for t in np.flatnonzero(cover.bounded).tolist()}
    ways: list[tuple[dict[_Kind, int], dict[int, int]]] = [({}, {t: int(cover.upper[t]) for t in least})]
    for kind in kinds:
        longer = []
        for share, left in ways:
            uses = [(t, copies) for t, copies in kind[0] if t in left]
            for n in range(min(left[t] // copies for t, copies in uses) + 1):
                longer.append((share | {kind: n}, left | {t: left[t] - n * copies for t, copies in uses}))
        if len(longer) > _MOST_SHARES:
            return None
        ways = longer
    most = {t: int(cover.upper[t]) for t in least}
    return [share for share, left in ways if all(most[t] - left[t] >= least[t] for t in least)]
