"""Show and save numbers of tilings that a heat map draws: for each placement, and for each set of open cells (for a calendar
puzzle, the solutions of each date)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from tiler.amounts import counted
from tiler.api.answers.saving import Forms, Savable, json_lines
from tiler.ask.solve import TilingAnswer as Asked
from tiler.cover import open_sets
from tiler.cover.board import BoardCover
from tiler.model.lattice import Cell
from tiler.model.tile import Placement
from tiler.render import heat_maps, table

SCHEMA = "tiler-by-open-1"

Cells = tuple[Cell, ...]
K = TypeVar("K")

_TITLE = "tilings by the cells that stay open"
_MOST_NAMED = 60  # sets without a tiling that a text names


@dataclass(frozen=True, repr=False)
class TilingCounts(Mapping[K, int], Savable):
    """Numbers of tilings. Notebooks draw them, `str` makes a table of them, and `save` a file."""

    answer: Asked

    @property
    def tilings(self) -> int:
        """The number of all tilings."""
        return self.answer.result.count or 0

    @cached_property
    @abstractmethod
    def heat(self) -> heat_maps.Heat:
        """The heat map."""

    @cached_property
    @abstractmethod
    def _numbers(self) -> Mapping[K, int]: ...

    @abstractmethod
    def json(self) -> str:
        """A line for each cell, or set of cells."""

    @property
    def _title(self) -> str:
        return self.answer.instance.heading

    def __getitem__(self, key: K) -> int:
        return self._numbers[key]

    def __iter__(self) -> Iterator[K]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)

    def forms(self) -> Forms:
        """Heat maps as .svg, .png or .pdf, the numbers as .json (a line for each) or .txt."""
        return {
            "svg": lambda: heat_maps.svg(self.heat, self._title),
            "png": lambda: heat_maps.image(self.heat, "png"),
            "pdf": lambda: heat_maps.image(self.heat, "pdf"),
            "json": self.json,
            "txt": self.printed,
        }

    @cached_property
    def _cover(self) -> BoardCover:
        return BoardCover.of(self.answer.instance)


@dataclass(frozen=True, repr=False)
class Uses(TilingCounts[Placement]):
    """The number of tilings for each placement that is in one. Notebooks draw how often each tile covers each cell, `str` makes a
    table of it, and `save` a file.

    >>> import tiler
    >>> uses = tiler.uses(tiler.make("3x2", "2"))
    >>> uses, sorted(uses.values()), uses.by_cell[0, 0]
    (Uses(3 tilings, 7 placements), [1, 1, 1, 1, 1, 2, 2], {'2': 3})
    """

    def __repr__(self) -> str:
        return f"Uses({self.tilings:,} tilings, {len(self):,} placements)"

    def __str__(self) -> str:
        return heat_maps.table(self.heat)

    def json(self) -> str:
        """A line for each cell: how many tilings cover it with each tile, and where cells may stay open, how many leave it so."""
        lines = []
        for cell, row in self.by_cell.items():
            # Beside the tiles, not among them: a tile may have any name.
            uncovered = {"uncovered": row[""]} if "" in row else {}
            lines.append({"cell": cell, "tilings": {name: number for name, number in row.items() if name}, **uncovered})
        return json_lines(lines)

    @cached_property
    def by_cell(self) -> Mapping[Cell, Mapping[str, int]]:
        """For each cell, the number of tilings that cover it with each tile. If cells may stay open, the name "" stands for the
        tilings that leave the cell open."""
        tiles = self.heat.tiles
        return {cell: dict(zip(tiles, row, strict=True)) for cell, row in zip(self.heat.cells, self.heat.counts, strict=True)}

    @cached_property
    def heat(self) -> heat_maps.Heat:
        """The heat map."""
        cover = self._cover
        # The fillers of groups of cells are one: what stays open is covered by no tile.
        distinct = len(cover.instance.distinct_tiles)
        shown = [tile for tile, area in zip(cover.tiles[: distinct + 1], cover.areas, strict=False) if area]
        counts = [[0] * len(shown) for _ in cover.cells]
        for option, tilings in (self.answer.result.uses or {}).items():
            for cell in cover.cells_of(option):
                counts[cell][min(int(cover.tile[option]), distinct)] += tilings
        return heat_maps.Heat(
            cover.lattice, cover.cells, tuple(tile.name for tile in shown), tuple(map(tuple, counts)), self.tilings
        )

    @cached_property
    def _numbers(self) -> dict[Placement, int]:
        uses = (self.answer.result.uses or {}).items()
        return {placement: tilings for option, tilings in uses for placement in self._cover.placements([option])}


@dataclass(frozen=True, repr=False)
class OpenCounts(TilingCounts[Cells]):
    """The number of tilings for each set of cells that may stay open, its cells in ascending order. Notebooks draw it, `str`
    makes a table of it, and `save` a file.

    >>> import tiler
    >>> found = tiler.by_open(tiler.make("3x1", "2", open=1))
    >>> found, dict(found), found.without
    (OpenCounts(2 tilings, 3 sets of open cells), {((0, 0),): 1, ((0, 1),): 0, ((0, 2),): 1}, (((0, 1),),))
    """

    @property
    def without(self) -> tuple[Cells, ...]:
        """The sets of open cells without a tiling; empty if not `is_complete`."""
        return tuple(cells for cells, number in self.items() if not number)

    @cached_property
    def is_complete(self) -> bool:
        """Whether sets without a tiling are listed; they are not if there are more than 100,000 sets."""
        return open_sets.number_of_sets(self._cover) <= open_sets.MOST_SETS

    def named(self, cells: Cells) -> str:
        """A set of cells in words, by the labels of the board: `jan 31`; `none` for no cell."""
        return " ".join(map(self.answer.instance.called, cells)) or "none"

    def __repr__(self) -> str:
        return f"OpenCounts({counted(self.tilings, 'tiling')}, {counted(len(self), 'set')} of open cells)"

    def __str__(self) -> str:
        return f"{self._square() or self._lines()}\n\n{self.summary}"

    @property
    def summary(self) -> str:
        """The number of tilings, the fewest and the most, and the sets without a tiling, in words."""
        lines = [f"{counted(self.tilings, 'tiling')} of {counted(len(self), 'set')} of open cells"]
        if self.tilings:
            fewest = min((number, cells) for cells, number in self.items() if number)
            most = max(self.items(), key=lambda each: each[1])
            lines.append(f"fewest: {self.named(fewest[1])} with {fewest[0]:,}; most: {self.named(most[0])} with {most[1]:,}")
        if not self.is_complete:
            lines.append("sets without a tiling are not listed: there are too many")
        elif not self:
            lines.append("no set of open cells leaves an area that the tiles can have")
        elif not self.without:
            lines.append("every set has a tiling")
        else:
            shown = "; ".join(map(self.named, self.without[:_MOST_NAMED]))
            more = len(self.without) - _MOST_NAMED
            lines.append(f"without a tiling ({len(self.without):,}): {shown}{f'; and {more:,} others' if more > 0 else ''}")
        return "\n".join(lines)

    def _square(self) -> str | None:
        """A table of two groups: a column for each cell of the smaller one. None for other problems, and where not all sets are
        listed."""
        instance = self.answer.instance
        if len(instance.groups) != 2 or not self or not self.is_complete:
            return None
        across, down = (sorted(group.cells) for group in sorted(instance.groups, key=lambda each: len(each.cells)))
        names = list(map(instance.called, across))
        rows = [
            [instance.called(cell), *(str(self._numbers.get((min(cell, other), max(cell, other)), 0)) for other in across)]
            for cell in down
        ]
        return table.draw(rows, ("", *names))

    def _lines(self) -> str:
        return table.draw([(self.named(cells), str(number)) for cells, number in self.items()], ("open", "tilings"))

    def json(self) -> str:
        """A line for each set: its cells, their labels, and the number of tilings."""
        named = self.answer.instance.labels_to_json
        return json_lines(
            {"schema": SCHEMA, "open": cells, **named(frozenset(cells)), "tilings": number} for cells, number in self.items()
        )

    @property
    def _title(self) -> str:
        return super()._title or _TITLE

    @cached_property
    def heat(self) -> heat_maps.Heat:
        """The heat map: if there are groups, a board for each cell of the smallest group, with the tilings that leave it and
        another cell open; else one board, with the tilings that leave each cell open."""
        instance, cover = self.answer.instance, self._cover
        groups = sorted(instance.groups, key=lambda each: len(each.cells))
        panels = sorted(groups[0].cells) if len(groups) > 1 else [None]
        counts = {cell: [0] * len(panels) for cell in cover.cells}
        for cells, number in self.items():
            for panel, of in enumerate(panels):
                if of is None or of in cells:
                    for cell in cells:
                        # The cell that a board is about is open in all of them, and would outshine the others.
                        counts[cell][panel] += number if cell != of else 0
        titles = tuple("stays open" if of is None else instance.called(of) for of in panels)
        names = dict(instance.labels)
        labels = tuple(names.get(cell, "") for cell in cover.cells)
        asked = {cell for group in groups[1:] for cell in group.cells} if len(groups) > 1 else instance.optional
        return heat_maps.Heat(
            *(cover.lattice, cover.cells, titles, tuple(map(tuple, counts.values())), self.tilings, labels, frozenset(asked)),
            caption=self._hardest,
        )

    @property
    def _hardest(self) -> str:
        """The set with the fewest tilings, and that with the most, in words; for a calendar, the hardest date."""
        if not self.tilings:
            return ""
        found = [(number, cells) for cells, number in self.items() if number]
        (few, least), (many, most) = min(found), max(found)
        rest = f"; {len(self.without):,} without a tiling" if self.is_complete and self.without else ""
        fewest, largest = counted(few, "tiling"), counted(many, "tiling")
        return f"hardest: {self.named(least)} with {fewest}; easiest: {self.named(most)} with {largest}{rest}"

    @cached_property
    def _numbers(self) -> dict[Cells, int]:
        cover, tally = self._cover, self.answer.result.tally or {}
        found = {portion.open: number for portion, number in tally.items()}
        if self.is_complete:
            found = {cells: found.get(cells, 0) for cells in open_sets.sets(cover)}
        return {tuple(cover.cells[cell] for cell in cells): found[cells] for cells in sorted(found)}
