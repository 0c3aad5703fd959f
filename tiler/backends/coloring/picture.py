"""Draw the colouring or the weights of a proof: as text for terminals, as SVG, and as PNG or PDF through matplotlib.

Pictures also show a few placements, to let one see that all placements of a tile cover the colours alike. A board in space is
drawn layer by layer.
"""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tiler import printable
from tiler.grouping import grouped
from tiler.model import text_maps
from tiler.model.lattice import Cell, Lattice, box
from tiler.question.certificate import Colourings, Proof, Removal, TutteSet, Weights
from tiler.render import drawing, image, pages, svg
from tiler.render.scene import INK, Page

if TYPE_CHECKING:
    from tiler.cover.remainder import Remainder

_BLACK, _WHITE = "#4a4a4a", "#ffffff"
_SOME, _BESIDE = "#336699", "#f4c070"  #: some cells (dark) and all their neighbours (light); they differ in grey print too
_EXAMPLES = ("#ee7733", "#0077bb", "#ee3377")  # Paul Tol's vibrant scheme
_ODD, _EVEN = _EXAMPLES[:2]
_MOST_TILES = 12  #: beside a board
_MAX_ROWS = 40  #: of a picture in text
_LEAST = 290.0  #: the least width of a caption
_LETTER = 7.6  #: the width of a letter in a caption


@dataclass(frozen=True)
class ShadedTile:
    """A tile on black and white cells: its heading, the number on each of its cells where it lies, and whether it is the odd one:
    the one that does not cover as many black cells as the others, or one of few."""

    heading: str
    numbers: Mapping[Cell, int]
    is_odd: bool


@dataclass(frozen=True)
class ProofPicture:
    """Numbers on cells, and some placements drawn in, each in a colour."""

    lattice: Lattice
    numbers: Mapping[Cell, int]
    examples: tuple[tuple[Collection[Cell], str], ...] = ()
    tiles: tuple[ShadedTile, ...] = ()  #: drawn beside a board of black and white cells
    is_hall: bool = False  #: whether 1 and -1 are some cells and their neighbours, shown in two tones

    @property
    def is_black_and_white(self) -> bool:
        return set(self.numbers.values()) <= {0, 1}


def weights_of(proof: Proof, cells: int) -> tuple[int, ...] | None:
    """The numbers to draw for a proof about a board with this number of cells: the weights of its first colouring, its weights,
    or 1 on the cells of its set. None if the proof has none of these, or if marks have weights too."""
    match proof:
        case Colourings((first, *_)):
            return None if first.marks else first.weights
        case Weights():
            return None if proof.marks else proof.weights
        case TutteSet(chosen):
            return tuple(int(cell in set(chosen)) for cell in range(cells))
        case Removal(_, then):
            return weights_of(then, cells)
    return None


def picture(remainder: Remainder, weights: Sequence[int], *, examples: bool = True, is_hall: bool = False) -> ProofPicture:
    """The picture of weights, one for every cell of the board. With `is_hall`, the weights 1 and -1 stand for cells and their too
    few neighbours."""
    cells = remainder.cover.cells
    tiles = _tiles(remainder, weights) if examples and not is_hall else ()
    chosen = _examples(remainder) if examples and not is_hall and not tiles else []
    drawn = (
        (frozenset(cells[cell] for cell in remainder.cells_of[option]), colour)
        for option, colour in zip(chosen, _EXAMPLES, strict=False)
    )
    return ProofPicture(remainder.cover.lattice, dict(zip(cells, weights, strict=True)), tuple(drawn), tiles, is_hall)


def as_text(shown: ProofPicture, width: int = 80) -> str:
    """The picture in lines of at most `width` characters; if the board is too large, its upper left part. If `width` is 0, plain
    ASCII characters are used. Empty on a lattice without maps.
    """
    if not text_maps.has_maps(shown.lattice):
        return ""
    places = {(0, *text_maps.place(shown.lattice, cell))[-3:]: value for cell, value in shown.numbers.items()}
    low, high = box(places)
    _, tall, wide = (b - a + 1 for a, b in zip(low, high, strict=True))
    size, marks = _marks(shown, wide, width)
    columns = min(wide, max(1, (width or 80) // size))
    rows = min(tall, _MAX_ROWS)
    layers = range(low[0], high[0] + 1)
    headings = [f"layer {z}" for z in layers] if len(layers) > 1 else []
    blocks = []
    for z in layers:
        lines = [
            "".join(marks.get(places.get((z, low[1] + y, low[2] + x)), " " * size) for x in range(columns)) for y in range(rows)
        ]
        blocks.append(([headings[z - low[0]]] if headings else []) + lines)
    pitch = max(size * columns, *map(len, headings)) if headings else size * columns
    abreast = max(1, ((width or 80) + 3) // (pitch + 3))
    parts = []
    for first in range(0, len(blocks), abreast):
        some = blocks[first : first + abreast]
        parts.append("\n".join("   ".join(line.ljust(pitch) for line in lines).rstrip() for lines in zip(*some, strict=True)))
    if columns < wide or rows < tall:
        parts.append(f"(the upper left {columns}x{rows} of {wide}x{tall})")
    return "\n\n".join(parts)


def as_file(shown: ProofPicture, caption: str, form: str) -> bytes:
    """The picture as a file: svg, png or pdf."""
    if form == "svg":
        return svg.of_page(page(shown, caption), caption).encode()
    return image.of_page(page(shown, caption), caption, form)


def page(shown: ProofPicture, caption: str = "") -> Page:
    """The picture, with a caption below it."""
    shade = _shades(shown)
    words = None if shown.is_black_and_white or shown.is_hall else lambda value: (str(value), _on(shade[value]))
    panels = drawing.numbered(shown.lattice, shown.numbers, shade, shown.examples, words)
    if shown.tiles:
        colours = [_ODD if tile.is_odd else _EVEN for tile in shown.tiles]
        others = [
            drawing.numbered(shown.lattice, tile.numbers, shade, [(tile.numbers, colour)], None)[0]._replace(
                heading=tile.heading, kind="picture"
            )
            for tile, colour in zip(shown.tiles, colours, strict=True)
        ]
        return pages.beside(panels[0], others, lambda wide: textwrap.wrap(caption, int(wide / _LETTER)))
    wide = pages.of_tiling(panels).width
    if shown.is_hall and caption:
        caption += "; the cells are dark, their neighbours light"
    return pages.of_tiling(panels, textwrap.wrap(caption, int(max(_LEAST, wide) / _LETTER)) if caption else [])


def _marks(shown: ProofPicture, wide: int, width: int) -> tuple[int, dict[int | None, str]]:
    """How many characters a cell takes; and the characters for each number on cells."""
    if shown.is_black_and_white:
        if width == 0:
            return 1, {0: ".", 1: "#"}
        return (2, {0: "░░", 1: "██"}) if 2 * wide <= width else (1, {0: "░", 1: "█"})
    values = set(shown.numbers.values())
    size = max(len(str(value)) for value in values) + 1
    return size, {value: (str(value) if value or width == 0 else "·").rjust(size) for value in values}


def _shades(shown: ProofPicture) -> dict[int, str]:
    """A grey for each number, the greatest darkest."""
    if shown.is_black_and_white:
        return {0: _WHITE, 1: _BLACK}
    if shown.is_hall:
        return {0: _WHITE, 1: _SOME, -1: _BESIDE}
    values = set(shown.numbers.values())
    low, high = min(values), max(values)
    greys = {value: 255 - round(181 * (value - low) / max(1, high - low)) for value in values}
    return {value: f"#{grey:02x}{grey:02x}{grey:02x}" for value, grey in greys.items()}


def _on(shade: str) -> str:
    """The colour in which a number is readable on a shade."""
    return INK if int(shade[1:3], 16) > 140 else _WHITE


def _tiles(remainder: Remainder, weights: Sequence[int]) -> tuple[ShadedTile, ...]:
    """The tiles beside a board of the plane whose cells are black (1) and white; none if there are too many."""
    cover = remainder.cover
    used = [t for t, most in enumerate(remainder.counts.upper) if most and cover.tiles[t].name and len(cover.by_tile[t])]
    flat = cover.lattice.dimension == 2 and cover.lattice.shared > 1
    if not flat or not set(weights) <= {0, 1} or len(used) > _MOST_TILES:
        return ()
    blacks = {t: sorted({sum(weights[cell] for cell in remainder.cells_of[o]) for o in cover.by_tile[t].tolist()}) for t in used}
    # Tiles are alike if they cover as many black cells, or as many but for an even number.
    alike = grouped((len({black % 2 for black in some}) == 1 and some[0] % 2, t) for t, some in blacks.items())
    fewest = min(alike.values(), key=len) if len(alike) == 2 else []
    tiles = []
    for t in used:
        first = remainder.cells_of[int(cover.by_tile[t][0])]
        black, white = (" or ".join(map(str, some)) for some in (blacks[t], [len(first) - number for number in blacks[t]]))
        said = f"{black} black, {white} white" if len(blacks[t]) < 4 else f"{blacks[t][0]} to {blacks[t][-1]} black"
        is_odd = t in fewest and 2 * len(fewest) < len(used)
        heading = f"{printable.line(cover.tiles[t].name)}: {said}" + (" (the odd one)" if is_odd else "")
        tiles.append(ShadedTile(heading, {cover.cells[cell]: weights[cell] for cell in first}, is_odd))
    return tuple(tiles)


def _examples(remainder: Remainder) -> list[int]:
    """Up to three placements apart from each other: of different tiles, or of one tile turned differently."""
    cover = remainder.cover
    low, high = box(frozenset(cover.cells))
    taken: set[int] = set()
    chosen: list[int] = []
    tiles = [t for t, most in enumerate(remainder.counts.upper) if most and cover.tiles[t].name][:3]
    turns = [(t, turn) for turn in range(2) for t in tiles]
    for place, (t, turn) in enumerate(turns[: 3 if len(tiles) > 1 else 2]):
        mine = cover.by_tile[t].tolist()
        kinds = sorted({int(cover.variant[o]) for o in mine})
        if turn >= len(kinds):
            continue
        target = [a + (b - a) * (place + 1) / 4 for a, b in zip(low, high, strict=True)]

        def distance(option: int, target: list[float] = target) -> tuple[float, int]:
            cells = [cover.cells[cell] for cell in remainder.cells_of[option]]
            return sum(abs(x - t) for cell in cells for x, t in zip(cell, target, strict=True)), option

        free = [o for o in mine if cover.variant[o] == kinds[turn] and taken.isdisjoint(remainder.cells_of[o])]
        if free:
            chosen.append(min(free, key=distance))
            taken.update(remainder.cells_of[chosen[-1]])
    return chosen
