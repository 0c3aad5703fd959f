"""Colours for the placements of a tiling: numbers first (`assign`), then what a number looks like (`fill`, `terminal`).

`PieceColours` goes with the tilings of an answer, so that a picture, a sheet to cut out and the page for a browser agree. Pieces
have the colours of their tile, so that neighbours differ, or those of their `orientation`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from colorsys import hls_to_rgb
from itertools import count
from typing import NamedTuple

from tiler.model.instance import Instance
from tiler.model.lattice import Lattice
from tiler.model.tile import Placement
from tiler.model.wrap import FLAT, Wrap
from tiler.render import orientation
from tiler.render.grid import order, touching


class Tone(NamedTuple):
    """A background for black text: for documents, and the closest of a terminal's 256 colours."""

    fill: str
    terminal: int


#: Round the colour wheel, light and dark in turn, so that relatives differ in lightness too: not everybody sees every hue.
#: Built around the "light" scheme of Paul Tol's Colour Schemes (SRON/EPS/TN/09-002), made for cells with black labels.
PALETTE = (
    Tone("#ffaabb", 217),  # pink
    Tone("#ee8866", 209),  # orange
    Tone("#f4c070", 215),  # amber
    Tone("#f2e89c", 229),  # straw
    Tone("#b0b04a", 143),  # olive
    Tone("#c6d94a", 191),  # pear
    Tone("#44bb99", 72),  # mint
    Tone("#b9e3c6", 151),  # pale green
    Tone("#77aadd", 74),  # blue
    Tone("#a5e0ff", 117),  # cyan
    Tone("#d896cc", 176),  # mauve
    Tone("#d6caf5", 183),  # lavender
)

GREYS = ("#f2f2f2", "#d9d9d9", "#c0c0c0", "#a8a8a8", "#e6e6e6", "#cccccc", "#b4b4b4")  #: for print without colours
BY = ("tile", "orientation")  #: what the colours of pieces may say
FEW = ("#f4c070", "#77aadd", "#b9e3c6", "#ffaabb")  #: for a box of few pencils or few sorts of wood

#: The lighter part of the terminal's colour cube, for the numbers beyond the palette.
_MORE = tuple(
    number
    for red in range(2, 6)
    for green in range(2, 6)
    for blue in range(2, 6)
    if (number := 16 + 36 * red + 6 * green + blue) not in {colour.terminal for colour in PALETTE}
)

# Neighbours' neighbours are looked at to spread the colours, no more: a few do, where one tile touches thousands.
_NEAR = 32


class PieceColours(NamedTuple):
    """The colours of the pieces of some tilings, as `#rrggbb`."""

    tiles: Mapping[str, str]  #: by the names of the tiles that occur; of all tiles if there is no tiling
    pieces: Sequence[Sequence[str]]  #: for every tiling, for every placement

    @classmethod
    def of(cls, instance: Instance, tilings: Sequence[Sequence[Placement]], by: str | None = None) -> PieceColours:
        """A tile, or an orientation, has the same colours in all of the tilings. `by` is one of `BY`; without it that is
        `usual`."""
        names = {placement.tile for tiling in tilings for placement in tiling}
        home = _homes(names or {tile.name for tile in instance.distinct_tiles})
        tiles = {name: fill(stretch[0]) for name, stretch in home.items()}
        if (by or usual(instance)) == "orientation":
            kinds = orientation.kinds(instance, home)
            fills = {kind: _spread(number, len(kinds)) for number, kind in enumerate(kinds)}
            firsts = {kind.tile: fills[kind] for kind in reversed(kinds)}
            turned = [[fills[kind] for kind in orientation.of(instance, tiling)] for tiling in tilings]
            return cls({name: firsts[name] for name in tiles}, turned)
        assigned = [assign(instance.lattice, tiling, instance.wrap, home) for tiling in tilings]
        return cls(tiles, [[fill(number) for number in numbers] for numbers in assigned])


def usual(instance: Instance) -> str:
    """What the colours of pieces say, unless something else is wanted: of pairs of cells the orientation."""
    return "orientation" if all(tile.size == 2 for tile in instance.tiles) else "tile"


def assign(
    lattice: Lattice, solution: Sequence[Placement], wrap: Wrap = FLAT, home: Mapping[str, Sequence[int]] | None = None
) -> list[int]:
    """A colour number for every placement, so that placements that share a side differ.

    Every kind of tile has a stretch of the palette of its own (`home`; without it, those that occur share out the palette), so
    that equal tiles look related; within it the colour is taken that is rarest among the neighbours' neighbours (those that meet
    at a corner) and then rarest so far. Where neighbours have used up the stretch, any colour of the palette serves, and beyond
    that a new one. Greedy, most neighbours first; the same tiling always gets the same colours.
    """
    around = touching(lattice, solution, wrap)
    home = home or _homes({placement.tile for placement in solution})
    used = [0] * len(PALETTE)
    colours = [-1] * len(solution)
    for number in order(solution, around):
        taken = {colours[other] for other in around[number]}
        free = [colour for colour in home[solution[number].tile] if colour not in taken]
        free = free or [colour for colour in range(len(PALETTE)) if colour not in taken]
        if free:
            near = [0] * (len(PALETTE) + 1)  # the last: none yet, or none of the palette
            for other in around[number]:
                for third in around[other][:_NEAR]:
                    near[min(colours[third], len(PALETTE))] += 1
            colours[number] = min([(near[colour], used[colour], colour) for colour in free])[-1]
            used[colours[number]] += 1
        else:
            colours[number] = next(colour for colour in count(len(PALETTE)) if colour not in taken)
    return colours


def fill(colour: int) -> str:
    """What a colour number looks like in a document: `#rrggbb`, a different one for every number in use.

    >>> fill(0), fill(12)
    ('#ffaabb', '#67e9a8')
    """
    if colour < len(PALETTE):
        return PALETTE[colour].fill
    # Steps of the golden ratio never land on a hue again; the lightness changes so that close hues stay apart.
    hue = (colour * 0.6180339887498949) % 1
    red, green, blue = (round(255 * part) for part in hls_to_rgb(hue, (0.66, 0.76, 0.86)[colour % 3], 0.75))
    return f"#{red:02x}{green:02x}{blue:02x}"


def terminal(colour: int) -> int:
    """The same as one of a terminal's 256 colours; far beyond the palette they repeat."""
    if colour < len(PALETTE):
        return PALETTE[colour].terminal
    # 23 is prime to the number of colours: consecutive numbers are far apart, and all occur before one repeats.
    return _MORE[colour * 23 % len(_MORE)]


def _spread(number: int, kinds: int) -> str:
    """The colour of one of so many kinds, as far from the others as can be."""
    return fill(number * len(PALETTE) // kinds if kinds <= len(PALETTE) else number)


def _homes(names: Collection[str]) -> dict[str, Sequence[int]]:
    """For the name of every tile its stretch of the palette."""
    return {name: _stretch(index, len(names)) for index, name in enumerate(sorted(names))}


def _stretch(index: int, kinds: int) -> Sequence[int]:
    """The colours of one kind of tile out of so many."""
    if kinds == 1:
        # Nothing to tell apart but neighbours: a few colours from all round the wheel.
        return range(0, len(PALETTE), 2)
    first = index * len(PALETTE) // kinds
    return range(first, max(first + 1, (index + 1) * len(PALETTE) // kinds))
