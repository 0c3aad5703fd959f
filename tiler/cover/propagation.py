"""Rule placements out: follow what a placement forces, and see where that leads to a contradiction.

A placement is made, and then all placements that it forces: the last one over some cell, and those of a tile that has no more
than must be used. The filter, unlike the prover, also rules out options that give an item another colour. If a cell or a tile is
left with too few placements, or a region has an area that is no sum of tiles still available, no tiling uses the placement. By
induction along the log, no tiling uses any placement that was ruled out, so that every other argument need only hold for the
rest.

Sets of placements and of cells are the bits of integers: a step costs some microseconds. A cell has the bit of its number in a
grid. So a region grows by shifts; each shift moves by the distance to one kind of neighbour, for all cells at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING

from tiler.cover.bounds import subset_sums
from tiler.cover.remainder import Remainder
from tiler.question.certificate import Placed, Propagation, Removal

if TYPE_CHECKING:
    from tiler.cover.board import BoardCover
    from tiler.cover.coloured_items import ColouredItems

#: The most bits for the sets of placements over each cell: placements times cells.
MAX_BITS = 400_000_000
_LOOK_EVERY = 256  # placements or cells between two looks at the clock


@dataclass(frozen=True)
class CoverBits:
    """The unchanging facts about a cover, as bits of integers."""

    remainder: Remainder
    covers: list[int]  #: for each option its cells
    over: dict[int, int]  #: for each position of a cell the options that cover it
    of_tile: list[int]
    near: dict[int, int]  #: for each position the cells that share an option with it
    steps: tuple[tuple[int, int], ...]  #: the cells, as bits, with a neighbour at some distance ahead; and this distance
    cell_at: dict[int, int]  #: the cell at a position
    connected: bool
    sums: dict[tuple[int, ...], int]  #: for bounds met so far, the areas that tiles can have
    shades: list[list[tuple[int, int]]]  #: by option, for each item that it colours: options of other colours, and their cells

    @classmethod
    def of(cls, remainder: Remainder, tick: Callable[[], None], coloured: ColouredItems | None = None) -> CoverBits | None:
        """Find these facts; None if they would take too much memory. `tick` is called now and then. Options that give an item
        different colours rule each other out here, but certificates do not use that."""
        cells = remainder.cover.items
        kinds = 0 if coloured is None else len(set(zip(coloured.given.values.tolist(), coloured.colour.tolist(), strict=True)))
        if len(remainder.options) * (len(cells) + kinds) > MAX_BITS:
            return None
        position = remainder.cover.numbers.tolist()
        covers = []
        for index, cells_of in enumerate(remainder.cells_of):
            if index % _LOOK_EVERY == 0:
                tick()
            covers.append(sum([1 << position[cell] for cell in cells_of]))
        members: dict[int, list[int]] = {position[cell]: [] for cell in range(len(cells))}
        for option in remainder.options:
            for cell in remainder.cells_of[option]:
                members[position[cell]].append(option)
        near, over = {}, {}
        for index, (at, options) in enumerate(members.items()):
            if index % _LOOK_EVERY == 0:
                tick()
            near[at] = 0
            for option in options:
                near[at] |= covers[option]
            over[at] = _bits(options, len(covers))
        of_tile = [
            _bits([o for o in remainder.options if remainder.tile_of[o] == t], len(covers)) for t in range(len(remainder.lower))
        ]
        return cls(
            remainder,
            covers,
            over,
            of_tile,
            near,
            _steps(remainder.cover.neighbours.lists(), position),
            {at: cell for cell, at in enumerate(position)},
            remainder.cover.tiles_are_connected,
            {},
            _shades(coloured, covers, tick),
        )


class PartialTiling:
    """Some placements made, some ruled out. `alive` are the options left, `open` the positions of the cells still open."""

    def __init__(self, sets: CoverBits) -> None:
        remainder, position = sets.remainder, {cell: at for at, cell in sets.cell_at.items()}
        self.sets = sets
        self.alive = _bits(list(remainder.options), len(sets.covers))
        self.open = sum(1 << position[cell] for cell in remainder.cells)
        self.lower, self.upper = list(remainder.lower), list(remainder.upper)
        self.made: list[int] = []

    @classmethod
    def of(cls, remainder: Remainder, tick: Callable[[], None], coloured: ColouredItems | None = None) -> PartialTiling | None:
        """Nothing made, nothing ruled out; None if that would take too much memory (see `CoverBits.of`)."""
        sets = CoverBits.of(remainder, tick, coloured)
        return None if sets is None else cls(sets)

    @classmethod
    def of_cover(cls, cover: BoardCover, tick: Callable[[], None]) -> PartialTiling | None:
        """The same for a whole cover, with its colours."""
        return cls.of(Remainder.of(cover), tick, cover.coloured)

    def copy(self) -> PartialTiling:
        twin = PartialTiling.__new__(PartialTiling)
        twin.sets, twin.alive, twin.open = self.sets, self.alive, self.open
        twin.lower, twin.upper, twin.made = list(self.lower), list(self.upper), list(self.made)
        return twin

    def close(self, touched: int | None = None) -> bool:
        """Make all forced placements. Returns False if that ends in a contradiction. `touched` are the cells that lost
        options."""
        sets = self.sets
        todo = self.open if touched is None else touched & self.open
        while True:
            while todo:
                bit = todo & -todo
                todo ^= bit
                left = self.alive & sets.over[bit.bit_length() - 1]
                if not left:
                    return False
                if not left & (left - 1):
                    todo = (todo | self.place(left.bit_length() - 1)) & self.open
            for t, least in enumerate(self.lower):
                if least:
                    left = self.alive & sets.of_tile[t]
                    number = left.bit_count()
                    if number < least:
                        return False
                    if number == least:
                        todo = self.place((left & -left).bit_length() - 1) & self.open
                        break
            else:
                return not sets.connected or self._regions_fit()

    def place(self, option: int) -> int:
        """Make a placement. Returns the cells that may have lost options by it."""
        sets = self.sets
        cells = sets.covers[option]
        touched = 0
        for at in positions(cells):
            self.alive &= ~sets.over[at]
            touched |= sets.near[at]
        for rivals, around in sets.shades[option] if sets.shades else ():
            self.alive &= ~rivals
            touched |= around
        self.open &= ~cells
        self.made.append(option)
        tile = sets.remainder.tile_of[option]
        self.lower[tile] = max(0, self.lower[tile] - 1)
        self.upper[tile] -= 1
        if self.upper[tile] == 0:
            self.alive &= ~sets.of_tile[tile]
            return self.open
        return touched

    def rule_out(self, option: int) -> int:
        """Rule an option out. Returns the cells that lost it."""
        self.alive &= ~(1 << option)
        return self.sets.covers[option]

    def rest(self) -> Remainder:
        """The rest of the cover, as a remainder."""
        cells = tuple(sorted(self.sets.cell_at[at] for at in positions(self.open)))
        options = tuple(positions(self.alive))
        return replace(self.sets.remainder, cells=cells, options=options, lower=tuple(self.lower), upper=tuple(self.upper))

    def placed(self, option: int) -> Placed:
        """A placement in the form in which certificates write it."""
        return (self.sets.remainder.tile_of[option], *self.sets.remainder.cells_of[option])

    def fewest(self) -> tuple[str, int, list[int]] | None:
        """The cell, or the tile that must be used, with the fewest options left; None if no cell is open."""
        choices = [(self.alive & self.sets.over[at], 0, self.sets.cell_at[at]) for at in positions(self.open)]
        choices += [(self.alive & self.sets.of_tile[t], 1, t) for t, least in enumerate(self.lower) if least]
        if not self.open:
            return None
        options, is_tile, number = min(choices, key=lambda choice: (choice[0].bit_count(), choice[1:]))
        return "tile" if is_tile else "cell", number, list(positions(options))

    def _regions_fit(self) -> bool:
        left, fitting = self.open, self._sums()
        while left:
            region = left & -left
            while True:
                grown = region
                for cells, step in self.sets.steps:
                    grown |= (region & cells) << step | region >> step & cells
                grown &= left
                if grown == region:
                    break
                region = grown
            if not fitting >> region.bit_count() & 1:
                return False
            left ^= region
        return True

    def _sums(self) -> int:
        key = tuple(self.upper)
        if key not in self.sets.sums:
            remainder = self.sets.remainder
            self.sets.sums[key] = subset_sums(remainder.sizes, key, len(remainder.cells))
        return self.sets.sums[key]


def rule_out(state: PartialTiling, tick: Callable[[], None]) -> tuple[list[int], bool]:
    """Try every placement in turn until none can be ruled out any more; changes the state.

    Returns the options ruled out, in order, and whether what is left may have a tiling.
    """
    log: list[int] = []
    if not state.close():
        return log, False
    while True:
        before = len(log)
        for option in positions(state.alive):
            if not state.alive >> option & 1:
                continue
            tick()
            trial = state.copy()
            if trial.close(trial.place(option)):
                continue
            log.append(option)
            if not state.close(state.rule_out(option)):
                return log, False
        if len(log) == before:
            return log, True


def removal(state: PartialTiling, tick: Callable[[], None]) -> tuple[list[Placed], Removal | None]:
    """The placements ruled out, in the form in which certificates write them. If a contradiction is left, they are a proof."""
    options, possible = rule_out(state, tick)
    log = [state.placed(option) for option in options]
    return log, None if possible else Removal(tuple(log), Propagation())


def probe(cover: BoardCover, tick: Callable[[], None]) -> BoardCover:
    """The cover without the placements that can be ruled out; unchanged if it is too large (see `MAX_BITS`).

    Every tiling is kept. Takes some 0.1 ms for each placement, two or three times over, with a tick each.
    """
    import numpy as np

    state = PartialTiling.of_cover(cover, tick)
    if state is None:
        return cover
    _, possible = rule_out(state, tick)
    keep = np.zeros(len(cover), np.bool_)
    if possible:
        keep[list(positions(state.alive))] = True
        keep[state.made] = True
    return cover.restrict(keep)


def _shades(coloured: ColouredItems | None, covers: list[int], tick: Callable[[], None]) -> list[list[tuple[int, int]]]:
    """Make `CoverBits.shades`."""
    if coloured is None:
        return []
    givers: dict[int, dict[int, list[int]]] = {}
    for item, colour, option in zip(
        coloured.given.values.tolist(), coloured.colour.tolist(), coloured.option.tolist(), strict=True
    ):
        givers.setdefault(item, {}).setdefault(colour, []).append(option)
    shades: list[list[tuple[int, int]]] = [[] for _ in covers]
    for by_colour in givers.values():
        tick()
        bits = {colour: _bits(options, len(covers)) for colour, options in by_colour.items()}
        cells = {colour: reduce(or_, map(covers.__getitem__, options)) for colour, options in by_colour.items()}
        for colour, options in by_colour.items():
            others = [other for other in bits if other != colour]
            both = reduce(or_, map(bits.__getitem__, others), 0), reduce(or_, map(cells.__getitem__, others), 0)
            for option in options:
                shades[option].append(both)
    return shades


def _steps(neighbours: list[list[int]], position: list[int]) -> tuple[tuple[int, int], ...]:
    """Make `CoverBits.steps`."""
    ahead: dict[int, list[int]] = {}
    for cell, others in enumerate(neighbours):
        for other in others:
            if position[other] > position[cell]:
                ahead.setdefault(position[other] - position[cell], []).append(position[cell])
    return tuple((_bits(cells, max(position)), step) for step, cells in sorted(ahead.items()))


def _bits(numbers: list[int], size: int) -> int:
    """The integer in which these bits are set; each is below `size`."""
    data = bytearray(size // 8 + 1)
    for number in numbers:
        data[number >> 3] |= 1 << (number & 7)
    return int.from_bytes(data, "little")


def positions(bits: int) -> Iterator[int]:
    """The bits that are set, in ascending order."""
    data = bits.to_bytes((bits.bit_length() + 7) // 8, "little")
    for index, byte in enumerate(data):
        left = byte
        while left:
            low = left & -left
            yield 8 * index + low.bit_length() - 1
            left ^= low
