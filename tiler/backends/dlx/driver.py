"""Drive dancing links: `OptionMatrix` is what is searched, and an object owns the arrays of the kernel.

Other searches can drive this one, and take over below a node (tiler/backends/fila/handoff.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tiler import portable
from tiler.backends.dlx import Dlx, kernel
from tiler.backends.dlx import kernel_state as layout
from tiler.backends.dlx.colour_conflicts import ColourConflicts, in_words
from tiler.backends.dlx.kernel import DlxNodes, children
from tiler.backends.schedule import schedule
from tiler.backends.searching.driver import fraction_done
from tiler.backends.searching.resumable import KernelSearch, rows_for, write_over
from tiler.cover.board import BoardCover
from tiler.cover.cover import Cover
from tiler.kernels import bind
from tiler.process.cancellation import StopCheck, never_stop

# If degrees of all levels take more than this, one row is kept, and counted up again on the way back.
_LEVELS_BYTES = 64_000_000
_NEVER = 1 << 60
_CHILDREN = 256  # made at a time
_AT_ONCE = 1 << 14  # options put into words between two looks at the clock, a multiple of 64
_NOTHING = np.zeros(0, np.int64)
_RULES = {"mrv": layout.FEWEST, "first": layout.FIRST, "forced": layout.FORCED, "cells": layout.CELLS}


class OptionMatrix(NamedTuple):
    """The options of a search with their cells, sorted by their first cell, and the bounds of the tiles."""

    cells: int
    tile: NDArray[np.int32]  #: of each option
    starts: NDArray[np.int64]
    members: NDArray[np.int32]
    size: NDArray[np.int64]
    lower: NDArray[np.int64]
    upper: NDArray[np.int64]
    slack: int  #: cells not owed to tiles that must be used
    white: NDArray[np.int64]  #: of each cell: 1 on white cells of the checkerboard, -1 on black ones
    origin: NDArray[np.int64]  #: of each option, its number in the cover
    rivals: ColourConflicts


def merged(cover: Cover, check_stop: StopCheck = never_stop) -> OptionMatrix:
    """The matrix of a cover in which all copies of a tile are one item. `Cover.refusal` must have no objection."""
    return _matrix(
        cover, portable.arange(len(cover)), cover.tile, (cover.sizes, cover.lower, cover.upper), cover.slack, check_stop
    )


def named(backend: Dlx, cover: Cover, check_stop: StopCheck) -> OptionMatrix:
    """The matrix of a cover in which every copy of a tile is a tile of its own. A tile that must be used n times has n copies
    that must be used; its other copies may be used. The filler of open cells, and tiles with enough copies to fill the board,
    stay one tile with both bounds. The rule `forced` looks at no tile; so with it the search counts the cells that are reserved
    for tiles that must be used, as it does for merged copies."""
    lower = cover.lower if backend.equal else cover.asked
    origin, tile = [], []
    bounds: list[tuple[int, int, int]] = []
    for t, (least, most) in enumerate(zip(lower.tolist(), cover.upper.tolist(), strict=True)):
        options = cover.by_tile[t]
        # Positions in the order of their first cells, as the board is read.
        options = options[np.argsort(cover.members.values[cover.members.starts[options]], kind="stable")]
        named = not cover.is_filler[t] and (cover.bounded[t] or not backend.uncounted)
        for number in range(most if named else 1):
            check_stop()
            placed = options[number if backend.staggered else 0 :]
            origin.append(placed)
            tile.append(np.full(len(placed), len(bounds), np.int32))
            bounds.append((int(cover.sizes[t]), *((int(number < least), 1) if named else (least, most))))
    size, least_each, most_each = np.array(bounds, np.int64).T.copy()
    counted = any(rule == "forced" for rule, _ in schedule(backend.order))
    slack = len(cover.items) - int(size @ least_each) if counted else _NEVER
    return _matrix(cover, np.concatenate(origin), np.concatenate(tile), (size, least_each, most_each), slack, check_stop)


def _matrix(
    cover: Cover,
    origin: NDArray[np.int64],
    tile: NDArray[np.int32],
    bounds: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]],
    slack: int,
    check_stop: StopCheck,
) -> OptionMatrix:
    """Options of a cover, sorted by their first cells."""
    check_stop()
    order = np.argsort(cover.members.values[cover.members.starts[origin]], kind="stable")
    check_stop()
    origin, tile = origin[order], tile[order]
    sizes = np.diff(cover.members.starts)[origin]
    starts = portable.starts_of(sizes)
    shift = portable.repeat(cover.members.starts[origin] - starts[:-1], sizes)
    members = cover.members.values[portable.arange(starts[-1]) + shift]
    check_stop()
    white = cover.white if isinstance(cover, BoardCover) else np.zeros(len(cover.items), np.int64)
    check_stop()
    rivals = ColourConflicts.of(cover.coloured, origin, check_stop)
    return OptionMatrix(len(cover.items), tile, starts, members, *bounds, slack, white, origin, rivals)


class _DlxNode(NamedTuple):
    """A node of the tree, with all that the search below it needs: its rows of the stack, and the copies used."""

    alive: NDArray[np.uint64]
    degree: NDArray[np.int32]
    stack: NDArray[np.int64]
    used: NDArray[np.int64]


class DlxSearch(KernelSearch):
    """A search that can be stopped and resumed at any node, and whose present node can be inspected.

    With `handoff=N`, `step` returns HANDOFF at every node where N pieces are left, and goes back from it when called again: the
    caller searches what is below, from `chosen` and `alive`. Where the number of pieces is not fixed by the cover, it is
    the most that the open cells could hold that counts, so tilings may also end sooner and be returned as SOLUTION. With
    `watched=N` it pauses at every node with more than N pieces left. With `narrows` it is
    several times as fast (kernel_narrow.py), but of a node only `chosen`, `looked_at` and `pieces_left` can be asked; handoff,
    `parity` and named copies do not go with it.

    >>> from tiler import formats
    >>> from tiler.cover.board import BoardCover
    >>> from tiler.backends.dlx.kernel import HANDOFF
    >>> search = DlxSearch(merged(BoardCover.of(formats.inline(["2x2", "2"]))), handoff=1)
    >>> search.step(99) == HANDOFF, search.chosen(), search.alive().nonzero()[0].tolist(), search.pieces_left()
    (True, (0,), [1], 1)
    """

    _NODES, _FOUND = layout.NODES, layout.FOUND

    def __init__(
        self,
        matrix: OptionMatrix,
        *,
        order: str = "mrv",
        parity: bool = False,
        handoff: int = 0,
        watched: int = 0,
        narrows: bool = False,
        check_stop: StopCheck = never_stop,
    ) -> None:
        options, tiles, cells = len(matrix.tile), len(matrix.size), matrix.cells
        self._matrix = matrix
        self._smallest = int(matrix.size.min())
        levels = int(min(matrix.upper.sum(), cells // self._smallest)) + 2
        levelled = levels * (cells + tiles) * 4 <= _LEVELS_BYTES
        exact = bool((matrix.lower == matrix.upper).all())
        self._pieces = int(matrix.lower.sum()) if exact else None
        most_pieces = cells // self._smallest if self._pieces is None else self._pieces
        rules = np.zeros(most_pieces + 1, np.int64)
        for ordering, last in schedule(order):
            rules[: most_pieces + 1 if last is None else last + 1] = _RULES[ordering]
        self._state = layout.DlxState.new(options, tiles, cells + tiles, levels, levels if levelled else 1, most_pieces)
        # An option's items: its cells, then its tile if that must be used.
        owed = matrix.lower[matrix.tile] > 0
        tiles_before = portable.starts_of(owed)
        starts = matrix.starts + tiles_before
        items = np.empty(starts[-1], np.uint32)
        check_stop()
        items[portable.arange(len(matrix.members)) + portable.repeat(tiles_before[:-1], np.diff(matrix.starts))] = matrix.members
        items[starts[1:][owed] - 1] = cells + matrix.tile[owed]
        check_stop()
        list_starts, word, mask = _as_words(matrix, check_stop)
        rivals = matrix.rivals
        rival_starts, rival_word, rival_mask = rivals.words
        check_stop()

        most = np.zeros(tiles if parity else 0, np.int64)
        tint = np.zeros(0, np.int64)
        if parity:
            tint = portable.reduceat(np.add, matrix.white[matrix.members], matrix.starts[:-1])
            np.maximum.at(most, matrix.tile, np.abs(tint))

        self._searched = layout.DlxMatrix(
            starts=starts.astype(np.uint64),
            items=items,
            list_starts=np.append(list_starts, rival_starts[1:] + list_starts[-1]),
            word=np.append(word, rival_word),
            mask=np.append(mask, rival_mask),
            rival_starts=rivals.starts.astype(np.uint64),
            rivals=rivals.lists.astype(np.uint32),
            shared=rivals.shared.astype(np.uint32),
            shades=rivals.shades,
            tile=matrix.tile,
            size=matrix.size,
            lower=matrix.lower,
            upper=matrix.upper,
            tint=tint,
            tint_most=most,
            rules=rules,
            pieces=-1 if self._pieces is None else self._pieces,
            smallest=self._smallest,
            handoff=handoff or -1,
            watched=watched or _NEVER,
            narrow=_below_which(rules, watched) if narrows else -1,
        )
        coloured = int(rivals.shared.max(initial=-1)) + 1
        room = (options, tiles, cells, levels, len(rivals.shared), coloured)
        self._narrow = layout.Narrow.new(*(room if self._searched.narrow >= 0 else (0, 0, 0, 0, 0, 0)))
        self._above = _NOTHING
        self._own()
        self._starts, self.counters = starts, self._state.counters
        self._state.stack[0, [layout.OPEN, layout.SLACK, layout.TINT]] = cells, matrix.slack, matrix.white.sum()
        # Tiles that need not be used, and are too large for the cells not reserved for others, are left out.
        self._enter((matrix.lower[matrix.tile] > 0) | (matrix.size[matrix.tile] <= matrix.slack))
        self._whole, self._top = self.alive(), self._state.stack[0].copy()
        if parity and abs(matrix.white.sum()) > matrix.upper @ most:
            self.counters[layout.PHASE] = layout.BACK

    def _own(self) -> None:
        """The calls of the kernels, with the arrays of this object."""
        self._solutions = rows_for(len(self._state.stack))
        self._search = bind(kernel.search, self._searched, self._state, self._narrow, self._solutions)
        self._go_back = bind(kernel.go_back, self._searched, self._state, self._narrow)
        #: Searches for children, by the number of pieces left at their root.
        self._left, self._searches = self._searched.pieces, {self._searched.pieces: self._search}
        self._room: DlxNodes | None = None  # for children, once they are asked for

    def gather(self, budget: int, most: int) -> tuple[int, NDArray[np.int32]]:
        """See `tiler.backends.searching.resumable.Gathering`."""
        code, rows = super().gather(budget, most)
        return code, np.where(rows >= 0, self._matrix.origin[rows], -1).astype(np.int32)

    def twin(self) -> DlxSearch:
        """See `tiler.backends.searching.resumable.Divisible` on `twin` and `give`."""
        other = copy(self)
        other._state = layout.DlxState._make(np.zeros(array.shape, array.dtype) for array in self._state)
        other._narrow = layout.Narrow._make(np.zeros(array.shape, array.dtype) for array in self._narrow)
        other.counters = counters = other._state.counters
        counters[[layout.PHASE, layout.NUMBERED, layout.NARROW]] = layout.BACK, -1, -1
        other._own()
        return other

    def give(self, other: DlxSearch) -> bool:
        """Give untried options to the twin, and with them the options that were dropped."""
        state, depth, floor = self._state, self._depth, int(self.counters[layout.FLOOR])
        way = state.stack[floor:depth]
        untried = np.flatnonzero(way[:, layout.TRIED] < way[:, layout.WAYS])
        if not len(untried):
            return False
        branch = floor + int(untried[0])
        rows, whole = ("alive", "degree", "rest", "stack"), ("used", "counters")
        for name in rows:
            getattr(other._state, name)[: depth + 1] = getattr(state, name)[: depth + 1]
        for name in whole:
            getattr(other._state, name)[:] = getattr(state, name)
        if self.counters[layout.NUMBERED] >= 0:
            write_over(other._narrow._asdict(), self._narrow._asdict())
        other._state.fits[:] = 0
        other.counters[[layout.NODES, layout.FOUND]] = 0
        other._go_back(branch)
        other.counters[layout.FLOOR] = branch
        self.counters[layout.FLOOR] = branch + 1
        return True

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The whole state of the search, for checkpoints."""
        return {**self._state._asdict(), **self._narrow._asdict()}

    def fits(self) -> NDArray[np.int64]:
        """Shape (pieces + 1,): the options placed since the start, by the pieces left before."""
        return self._state.fits

    def stats(self) -> Mapping[str, Any]:
        """The counters other than the nodes."""
        return {"fits": self.fits().tolist()}

    def chosen(self) -> tuple[int, ...]:
        """The options placed at this node, in this order."""
        return tuple(self._matrix.origin[self._state.stack[: self._depth, layout.CHOSEN]].tolist())

    def looked_at(self) -> int | None:
        """The item branched on above this node; None if it was a tile."""
        item = int(self._state.stack[self._depth - 1, layout.ITEM]) if self._depth else self._matrix.cells
        return item if item < self._matrix.cells else None

    def alive(self) -> NDArray[np.bool_]:
        """Marks, shape (options,), of the options that can still be placed below this node. Only after HANDOFF or SOLUTION, or
        where `is_entered` is true."""
        bits = np.unpackbits(self._state.alive[self._depth].view(np.uint8), bitorder="little", count=len(self._matrix.tile))
        marks = np.zeros(len(bits), np.bool_)
        marks[self._matrix.origin] = bits
        return marks

    def pieces_left(self) -> int:
        """The number of pieces still to be placed; the most there can be, if the cover does not fix it."""
        if self._pieces is not None:
            return self._left - self._depth
        return int(self._state.stack[self._depth, layout.OPEN]) // self._smallest

    def is_entered(self) -> bool:
        """Whether the present node was just reached and is not known to be dead, for example after PAUSED with a budget of 1."""
        return bool(self.counters[layout.PHASE] == layout.ENTER)

    def restrict(self, keep: NDArray[np.bool_]) -> None:
        """Go on with only the options marked in an array of shape (options,), at a node just entered. The caller must know that
        no solution below this node is lost, or none that matters."""
        self._enter((self.alive() & keep)[self._matrix.origin])

    def root(self) -> _DlxNode | None:
        """The node at which the search starts, or None if it is dead; see tiler/ask/size/estimate.py on this and the next
        three."""
        return self._node(0)

    def narrowed(self, keep: NDArray[np.bool_]) -> _DlxNode | None:
        """Restrict a search that has not begun to the marked options. Returns its root; None if that is dead."""
        state = self._state
        state.stack[0], state.used[:] = self._top, 0
        self.counters[[layout.DEPTH, layout.PHASE]] = 0, layout.ENTER
        self._enter((self._whole & keep)[self._matrix.origin])
        return self._node(0)

    def child(self) -> _DlxNode | None:
        """The node just made below the root, None if it is dead."""
        return self._node(1)

    def _node(self, depth: int) -> _DlxNode | None:
        if not self.is_entered():
            return None
        state = self._state
        degree = state.degree[depth if len(state.degree) > 1 else 0]
        return _DlxNode(state.alive[depth].copy(), degree.copy(), state.stack[depth].copy(), state.used.copy())

    def rows(self, nodes: Sequence[_DlxNode]) -> DlxNodes:
        """Nodes in the form that `children` takes."""
        return DlxNodes._make(np.stack(rows) for rows in zip(*nodes, strict=True))

    def children(self, above: DlxNodes) -> tuple[int, DlxNodes]:
        """The number of children of some nodes that have equally many pieces left, and those of the children that are not
        dead."""
        room = self._room = self._room or DlxNodes.new(_CHILDREN, self._state)
        left = self._searched.pieces if self._pieces is None else self._pieces - int(above.used[0].sum())
        matrix, at = self._searched._replace(pieces=left), np.full(1, -1, np.int64)
        make = bind(children, matrix, self._state, self._narrow, self._solutions, above, at, room)
        before, found, count = self.nodes(), list[DlxNodes](), _CHILDREN
        while count == _CHILDREN:
            count = make()
            found.append(DlxNodes._make(array[:count].copy() for array in room))
        return self.nodes() - before, DlxNodes._make(np.concatenate(parts) for parts in zip(*found, strict=True))

    def turn_back(self) -> None:
        """Leave out everything below the present node."""
        self.counters[layout.PHASE] = layout.BACK

    def enter(self, node: _DlxNode, above: Sequence[int] = ()) -> None:
        """Make a node the root; to restrict what is below, it must be said which options are placed there."""
        state = self._state
        self._above = np.flatnonzero(np.isin(self._matrix.origin, above)) if above else _NOTHING
        if self._pieces is not None:
            left = self._pieces - int(node.used.sum())
            if left not in self._searches:
                self._searches[left] = bind(
                    kernel.search, self._searched._replace(pieces=left), state, self._narrow, self._solutions
                )
            self._search, self._left = self._searches[left], left
        state.alive[0], state.degree[0], state.stack[0], state.used[:] = node
        self.counters[[layout.DEPTH, layout.PHASE]] = 0, layout.ENTER

    def leave(self, alive: NDArray[np.bool_]) -> None:
        """Make a root with these options alive, and search nothing below it."""
        self.counters[[layout.DEPTH, layout.PHASE]] = 0, layout.BACK
        _write_bits(self._state.alive[0], alive[self._matrix.origin])

    def fraction(self) -> float:
        """The part of the tree that is done, as if all branches of a node were equal."""
        depth = self._depth
        # A search that is back at its uppermost node is in no branch: all branches tried are done.
        is_back = bool(depth == self.counters[layout.FLOOR] and self.counters[layout.PHASE] != layout.ENTER)
        stack = self._state.stack[: depth + is_back]
        tried = stack[:, layout.TRIED]
        done = tried - (portable.arange(len(stack)) < depth)
        return fraction_done(np.maximum(np.maximum(stack[:, layout.WAYS], tried), 1), done)

    @property
    def _depth(self) -> int:
        return int(self.counters[layout.DEPTH])

    def _enter(self, alive: NDArray[np.bool_]) -> None:
        """Make these the options of the present node, and count their degrees."""
        matrix, state, depth = self._matrix, self._state, self._depth
        _write_bits(state.alive[depth], alive)
        living = self._searched.items[portable.repeat(alive, np.diff(self._starts))]
        degree = portable.bincount(living, minlength=state.degree.shape[1])
        for placed in [*self._above.tolist(), *state.stack[:depth, layout.CHOSEN].tolist()]:
            degree[matrix.members[matrix.starts[placed] : matrix.starts[placed + 1]]] += layout.FREE
        need = matrix.lower - state.used
        degree[matrix.cells :] += np.where(need > 0, 1 - need, 1 + layout.FREE)
        state.degree[depth if len(state.degree) > 1 else 0] = degree
        looked_at = degree[: matrix.cells] if self._searched.rules[self.pieces_left()] >= layout.FORCED else degree
        if (looked_at <= 0).any():
            self.counters[layout.PHASE] = layout.BACK


def _write_bits(words: NDArray[np.uint64], marks: NDArray[np.bool_]) -> None:
    """Write marks into words, one bit for each."""
    packed = np.packbits(marks, bitorder="little")
    words[-1] = 0
    words.view(np.uint8)[: len(packed)] = packed


def _below_which(rules: NDArray[np.int64], watched: int) -> int:
    """The largest number of pieces left at which the last stage may begin: from there on every rule is FEWEST or CELLS, and the
    search pauses at no node for a caller that watches."""
    others = np.flatnonzero((rules == layout.FIRST) | (rules == layout.FORCED))
    most = int(others[0]) - 1 if len(others) else len(rules) - 1
    return min(most, watched or most)


def _as_words(matrix: OptionMatrix, check_stop: StopCheck) -> tuple[NDArray[np.int64], NDArray[np.uint32], NDArray[np.uint64]]:
    """The options of each item, and then of each tile, as bits. Returns where the words of each start, which words they are, and
    their bits."""
    number = matrix.cells + len(matrix.size)
    count, made = np.zeros(number, np.int64), []
    for first in range(0, len(matrix.tile), _AT_ONCE):
        check_stop()
        starts = matrix.starts[first : first + _AT_ONCE + 1]
        options = np.arange(first, first + len(starts) - 1, dtype=np.int32)
        key = np.concatenate([matrix.members[starts[0] : starts[-1]], matrix.cells + matrix.tile[options]]).astype(np.int32)
        option = np.concatenate([portable.repeat(options, np.diff(starts)), options])
        order = _in_order(key)
        keys, word, mask = in_words(key[order], option[order])
        here = portable.bincount(keys, minlength=number)
        rank = portable.arange(len(keys)) - (portable.cumsum(here) - here)[keys]
        made.append((keys, count[keys] + rank, word, mask))
        count += here
    starts = portable.starts_of(count)
    words, masks = np.empty(starts[-1], np.uint32), np.empty(starts[-1], np.uint64)
    for keys, rank, word, mask in made:
        check_stop()
        words[starts[keys] + rank], masks[starts[keys] + rank] = word, mask
    return starts, words, masks


def _in_order(keys: NDArray[np.int32]) -> NDArray[np.int64]:
    """The stable sorting order of keys that are not negative. Numpy sorts numbers of 16 bits in linear time."""
    order = np.argsort(keys.astype(np.uint16), kind="stable")
    if keys.max() < 1 << 16:
        return order
    return np.asarray(order[np.argsort((keys >> 16).astype(np.uint16)[order], kind="stable")])
