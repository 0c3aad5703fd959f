"""Search by plain backtracking over the cells in order: a cell is known by its rank in this order. It makes the same nodes as the
plain Python of tests/reference_backtracking.py.

A step tries one option: it looks at each of its cells, then at each item to which it gives a colour. Threads search parts of one
tree at the same time: they share FirstCellLists, to which nobody writes; each thread has its own BacktrackingState.

Source: the simple solver of the Tiler thesis (2022).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tiler.kernels import EXHAUSTED, PAUSED, SOLUTION, inner, kernel
from tiler.kernels.arrays import I32, I64, U8, SolutionRows
from tiler.kernels.inner import end_solution

#: Places in `counters`; BACK: go back before going on; FLOOR: the depth at which the search ends, since the branches above it
#: belong to another search.
DEPTH, SLACK, NODES, FOUND, BACK, FLOOR = range(COUNTERS := 6)


class FirstCellLists(NamedTuple):
    """The placements of a cover and the bounds of its tiles; a search only reads this."""

    starts: I64  #: (cells + 1,): [c] is where the placements begin that have c as their first cell
    options: I32  #: these, in the order to be tried
    member_starts: I64  #: (options + 1,): where the cells of each option begin
    members: I32  #: its cells
    tile: I32  #: (options,)
    size: I64  #: (tiles,): cells of a tile
    lower: I64  #: (tiles,): bounds
    upper: I64
    shared_starts: I64  #: (options + 1,): where the items with colours of each option begin; of length 1 if there are none
    shared: I32  #: these items
    colour: I32  #: the colour of each


class BacktrackingState(NamedTuple):
    """Where a search stands."""

    covered: U8  #: (cells,): which cells are covered
    used: I64  #: (tiles,): copies in use
    next: I64  #: (cells + 1,): by depth, the position in the list to try next
    cells: I64  #: (cells + 1,): by depth, the open cell
    chosen: I32  #: (cells + 1,): by depth, the option placed
    shades: I32  #: (coloured items,): the colour given by options placed
    givers: I32  #: (coloured items,): how many of them give it
    counters: I64  #: by names

    @classmethod
    def new(cls, cells: int, tiles: int, coloured: int) -> BacktrackingState:
        """All zeros."""
        return cls(
            covered=np.zeros(cells, np.uint8),
            used=np.zeros(tiles, np.int64),
            next=np.zeros(cells + 1, np.int64),
            cells=np.zeros(cells + 1, np.int64),
            chosen=np.zeros(cells + 1, np.int32),
            shades=np.zeros(coloured, np.int32),
            givers=np.zeros(coloured, np.int32),
            counters=np.zeros(COUNTERS, np.int64),
        )


@inner(inline=True)
def _take_back(option: int, lists: FirstCellLists, state: BacktrackingState) -> int:
    """Undo a placement. Returns how many cells are no longer reserved for tiles that must be used."""
    covered, used, givers = state.covered, state.used, state.givers
    member_starts, members, shared_starts, shared = lists.member_starts, lists.members, lists.shared_starts, lists.shared
    t = lists.tile[option]
    used[t] -= 1
    for m in range(member_starts[option], member_starts[option + 1]):
        covered[members[m]] = 0
    if givers.size > 0:
        for s in range(shared_starts[option], shared_starts[option + 1]):
            givers[shared[s]] -= 1
    return lists.size[t] if used[t] >= lists.lower[t] else 0


@kernel()
def go_back(lists: FirstCellLists, state: BacktrackingState, depth: int) -> None:
    """Go back to a node above, and treat everything below it as done."""
    counters = state.counters
    while counters[DEPTH] > depth:
        counters[DEPTH] -= 1
        counters[SLACK] += _take_back(state.chosen[counters[DEPTH]], lists, state)
    counters[BACK] = 0


@inner()
def _write_down(solutions: SolutionRows, chosen: I32, depth: int, most: int) -> bool:
    """Write down a solution. Whether there are `most` now."""
    row = solutions.values[solutions.filled[0]]
    for d in range(depth):
        row[d] = chosen[d]
    return end_solution(solutions, depth, most)


@kernel()
def search(lists: FirstCellLists, state: BacktrackingState, solutions: SolutionRows, budget: int, most: int) -> int:
    """Search for `budget` nodes from where the state is, and write down solutions until there are `most`; 0: only count them."""
    starts, options, member_starts, members = lists.starts, lists.options, lists.member_starts, lists.members
    tile, size, lower, upper = lists.tile, lists.size, lists.lower, lists.upper
    covered, used, next_, cells, chosen = state.covered, state.used, state.next, state.cells, state.chosen
    shared_starts, shared, colour = lists.shared_starts, lists.shared, lists.colour
    shades, givers, counters = state.shades, state.givers, state.counters
    has_colours = shades.size > 0
    depth, slack, nodes, found = counters[DEPTH], counters[SLACK], counters[NODES], counters[FOUND]
    back = counters[BACK] == 1
    floor, last = counters[FLOOR], nodes + budget
    code = EXHAUSTED
    while True:
        if not back:
            cell = cells[depth]
            placed = False
            for at in range(next_[depth], starts[cell + 1]):
                option = options[at]
                t = tile[option]
                if used[t] == upper[t]:
                    continue
                fits = True
                for m in range(member_starts[option], member_starts[option + 1]):
                    if covered[members[m]]:
                        fits = False
                        break
                if has_colours and fits:
                    for s in range(shared_starts[option], shared_starts[option + 1]):
                        if givers[shared[s]] > 0 and shades[shared[s]] != colour[s]:
                            fits = False
                            break
                if not fits:
                    continue
                if used[t] >= lower[t]:
                    if size[t] > slack:
                        continue
                    slack -= size[t]
                used[t] += 1
                for m in range(member_starts[option], member_starts[option + 1]):
                    covered[members[m]] = 1
                if has_colours:
                    for s in range(shared_starts[option], shared_starts[option + 1]):
                        shades[shared[s]] = colour[s]
                        givers[shared[s]] += 1
                next_[depth] = at + 1
                chosen[depth] = option
                placed = True
                break
            if placed:
                nodes += 1
                depth += 1
                while cell < covered.size and covered[cell]:
                    cell += 1
                cells[depth] = cell
                if cell == covered.size:
                    found += 1
                    back = True
                    if most > 0 and _write_down(solutions, chosen, depth, most):
                        code = SOLUTION
                        break
                else:
                    next_[depth] = starts[cell]
                if nodes == last:
                    code = PAUSED
                    break
                continue
        back = False
        if depth == floor:
            break
        depth -= 1
        slack += _take_back(chosen[depth], lists, state)
    counters[DEPTH], counters[SLACK], counters[NODES], counters[FOUND], counters[BACK] = depth, slack, nodes, found, back
    return code
