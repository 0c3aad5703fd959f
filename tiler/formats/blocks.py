"""Split problem files into blocks: find the lines that are maps, and the tiles that stand on a line each.

A block is a map, a name or bounds and a map, or a tile on every line. Maps may have letters for colours (see paint_text.py).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from tiler.errors import InputError, located
from tiler.formats import paint_text, pieces
from tiler.model.lattice import Lattice
from tiler.model.shapes import parse_shape

_LOOKED_AT = 1000  # this number of lines of a block is enough to see whether a map or tiles are meant


@dataclass(frozen=True)
class Line:
    """A line of a problem file, or an argument of the command line, and its number from 1."""

    number: int | None
    text: str


def tile_lines(blocks: Sequence[Sequence[Line]], lattice: Lattice, letters: str) -> list[Line]:
    """One line per tile, the rows of a map joined: a block is a map, a name or bounds and a map, or a tile on every line."""
    lines = []
    for block in blocks:
        with located(line=block[0].number):
            name, first = pieces.name_and_tile(block[0].text)
        head, colon, rest = pieces.copies_and_shape(first)
        before = (f"{name} = " if name else "") + head + colon
        rows = [Line(block[0].number, rest), *block[1:]] if rest.strip() else list(block[1:])
        if is_map(block, letters) or before:
            check_map(rows if before else block, "x" + letters, lattice)
        if is_map(block, letters):
            lines.append(Line(block[0].number, "\n".join(line.text for line in block)))
        elif before and rows and (is_map(rows, letters) or not rest.strip()):
            lines.append(Line(block[0].number, before + "\n".join(line.text for line in rows)))
        else:
            for above, line in pairwise(block):
                if is_row(above.text, letters) and is_row(line.text, letters):
                    raise InputError(
                        "a map of several rows is a block of its own; leave a blank line before and after it", None, line.number
                    )
            lines.extend(block)
    return lines


def is_map(lines: Sequence[Line], letters: str) -> bool:
    """Whether lines are one map, with brackets behind its rows and a line `|` before those of its back."""
    rows = [paint_text.bare(line.text) for line in lines]
    # A word after the marks of a face begins another tile, unless it is the back.
    goes_on = not re.search(r"\][ \t]*\n(?!\s*[\[|])", "\n".join(line.text for line in lines))
    return is_row(rows[0], letters) and all(not row or is_row(row, letters) for row in rows) and goes_on


def is_row(text: str, letters: str) -> bool:
    """Whether a text can be a row of a map."""
    return re.fullmatch(rf"[xo. {letters}-]+", text) is not None


def check_map(lines: Sequence[Line], letters: str, lattice: Lattice) -> None:
    """InputError, with its line, for something that does not belong into a map, and for a layer without rows.

    Lines that are no rows are meant as such if half of each is (of a single one more), whatever the letters' case, and none of
    them is a shape. Only the first lines are looked at: to find that a text is no shape takes half a millisecond.
    """
    for line in lines[:_LOOKED_AT]:
        text = paint_text.bare(line.text)
        rowlike = 2 * len(re.findall(f"[xo. {letters}-]", text.lower())) >= len(text) + (len(lines) == 1)
        if text and not is_row(text, letters) and (not rowlike or _is_shape(text, lattice, letters)):
            return
    above = "-"
    for line in [*lines, Line(lines[-1].number, "-")] if lines else ():
        row = paint_text.bare(line.text).strip()
        if row == above == "-":
            raise InputError("a layer of the map is empty; write its rows as '.'", None, line.number)
        above = row
        wrong = re.search(f"[^{letters}. ]", row) if row != "-" else None
        if wrong and wrong[0] == "o":
            raise InputError("'o' marks cells that may stay uncovered: only the board can have them", None, line.number)
        if wrong:
            allowed = f"it may hold {', '.join(letters)}, '.' and spaces, and a row '-' between layers"
            raise InputError(f"{wrong[0]!r} in a map; {allowed}", None, line.number)


def _is_shape(text: str, lattice: Lattice, letters: str) -> bool:
    try:
        name, tile = pieces.name_and_tile(text)
        _, colon, shape = pieces.copies_and_shape(tile)
        if paint_text.is_map(shape, letters) and (colon or name or "/" in shape):
            return True
        parse_shape(shape, lattice)
    except InputError:
        return False
    return True
