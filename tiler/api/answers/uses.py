"""Show and save how many tilings use each placement, and how many cover each cell with each tile."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from tiler.api.answers.counts import TilingCounts
from tiler.api.answers.saving import json_lines
from tiler.model.lattice import Cell
from tiler.model.tile import Placement
from tiler.render import heat_maps


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
