"""Names of cells, and groups of them, as settings of problem files."""

from __future__ import annotations

from itertools import groupby

from tiler.model.instance import Instance
from tiler.model.opening import called


def write(instance: Instance) -> list[str]:
    """The settings that name cells, a line for each row of the board, and the groups of them."""
    named = sorted(instance.optional or instance.board)
    names = {cell: label for cell, label in instance.labels if cell in named}
    lines = []
    if len(names) == len(named):
        rows = [" ".join(names[cell] for cell in row) for _, row in groupby(named, key=lambda cell: cell[:-1])]
        lines = [f"# labels: {row}" for row in rows]
    else:
        names = {}
    for group in instance.groups:
        cells = sorted(group.cells)
        start = named.index(cells[0])
        is_range = names and len(cells) > 2 and named[start : start + len(cells)] == cells
        shown = [f"{names[cells[0]]}..{names[cells[-1]]}"] if is_range else [called(cell, names) for cell in cells]
        lines.append(f"# group: {group.name} {' '.join(shown)}")
    return lines
