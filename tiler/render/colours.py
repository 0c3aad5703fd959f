"""Choose colours for the placements of a tiling: first numbers (`assign`), then a colour for each number (`fill`, `terminal`).
`PieceColours` is shared by the tilings of an answer, so that a picture, a text in colours, a sheet to cut out and the page for a
browser agree. `BY` has the ways to choose colours; a problem, or the caller, may set the colours of some tiles (`Colouring`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from colorsys import hls_to_rgb
from itertools import accumulate, count
from typing import NamedTuple

from tiler import printable
from tiler.errors import BadOption
from tiler.model.instance import Instance
from tiler.model.lattice import Lattice
from tiler.model.tile import Placement
from tiler.model.wrap import FLAT, Wrap
from tiler.render import orientation
from tiler.render.grid import order, touching


class Tone(NamedTuple):
    """A background for black text: `fill` for documents, and `terminal`, the closest of the 256 colours of a terminal."""

    fill: str
    terminal: int


#: Around the colour wheel, light and dark in turn: similar hues differ in lightness, since not everybody sees every hue.
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
#: The ways to colour pieces, each with its help text.
BY = {
    "tile": "by tile, so that neighbours differ",
    "copy": "each copy has its own colour",
    "few": "four colours, by tile",
    "grey": "greys, by tile",
    "orientation": "by the way each piece lies",
    "side": "pieces turned over in another colour",
    "plain": "all pieces alike (default where colours of tiles must match)",
}
PLAIN_SIDE = "flat"  #: a mark of plain sides
#: One of `BY`, or the colours of some tiles by their names (other tiles keep their usual colours), or a number for each piece,
#: the same for pieces of one colour; None: the usual way.
Colouring = str | Mapping[str, str] | tuple[int, ...] | None
PAPER = "#f3eee0"  #: the fill of pieces that have painted colours or marks
FEW = ("#f4c070", "#77aadd", "#b9e3c6", "#ffaabb")  #: for a box of few pencils or few sorts of wood

#: The lighter part of the terminal's colour cube, for the numbers beyond the palette.
_MORE = tuple(
    number
    for red in range(2, 6)
    for green in range(2, 6)
    for blue in range(2, 6)
    if (number := 16 + 36 * red + 6 * green + blue) not in {colour.terminal for colour in PALETTE}
)

_LEVELS = (0, 95, 135, 175, 215, 255)  # the levels of red, green and blue in a terminal's colour cube

# The most neighbours of a neighbour that are looked at to spread colours: one tile may touch thousands.
_NEAR = 32


class PieceColours(NamedTuple):
    """The colours of the pieces of some tilings, as `#rrggbb`."""

    tiles: Mapping[str, str]  #: the colour of each tile, by its name
    tones: Sequence[Sequence[Tone]]  #: for every tiling the tone of each placement

    @property
    def pieces(self) -> list[list[str]]:
        """The fills of the tones."""
        return [[tone.fill for tone in tones] for tones in self.tones]

    @classmethod
    def of(cls, instance: Instance, tilings: Sequence[Sequence[Placement]], how: Colouring = None) -> PieceColours:
        """Choose the colours. A tile, orientation or copy has the same colours in all tilings of an instance, and on a sheet.

        BadOption if `how` names only tiles that the instance does not have.
        """
        if isinstance(how, tuple):
            # Neighbours in the palette look alike.
            numbered = [tone(2 * number) for number in how]
            return cls({piece.tile: numbered[k].fill for k, piece in enumerate(tilings[0])}, [numbered for _ in tilings])
        there = {tile.name for tile in instance.distinct_tiles}
        used = {placement.tile for tiling in tilings for placement in tiling}
        home = homes(there if used <= there else used)
        given = _given(instance, how)
        chosen = _WAYS[how if isinstance(how, str) else usual(instance)](instance, tilings, home)
        return cls(
            {name: given.get(name, chosen.tiles[name]) for name in home},
            [
                [
                    Tone(given[placement.tile], nearest(given[placement.tile])) if placement.tile in given else tone
                    for placement, tone in zip(tiling, tones, strict=True)
                ]
                for tiling, tones in zip(tilings, chosen.tones, strict=True)
            ],
        )


_Homes = Mapping[str, Sequence[int]]  # for the name of every tile its own numbers of the palette


def _by_tile(instance: Instance, tilings: Sequence[Sequence[Placement]], home: _Homes) -> PieceColours:
    assigned = [assign(instance.lattice, tiling, instance.wrap, home) for tiling in tilings]
    return PieceColours(
        {name: fill(stretch[0]) for name, stretch in home.items()}, [list(map(tone, numbers)) for numbers in assigned]
    )


def _by_orientation(instance: Instance, tilings: Sequence[Sequence[Placement]], home: _Homes) -> PieceColours:
    kinds = orientation.kinds(instance, home)
    tones = {kind: _spread(number, len(kinds)) for number, kind in enumerate(kinds)}
    firsts = {kind.tile: tones[kind].fill for kind in reversed(kinds)}
    turned = [[tones[kind] for kind in orientation.orientations(instance, tiling)] for tiling in tilings]
    return PieceColours({name: firsts[name] for name in home}, turned)


def _by_side(instance: Instance, tilings: Sequence[Sequence[Placement]], home: _Homes) -> PieceColours:
    """Pieces that are turned over have the colour that is opposite on the wheel."""
    tiles = [tile for tile in instance.distinct_tiles if tile.name in home]
    upright = {tile.name: instance.lattice.variants(tile.shape, reflections=False) for tile in tiles}
    over = {
        (tile.name, turn)
        for tile in tiles
        for turn, variant in enumerate(instance.variants(tile))
        if variant not in upright[tile.name]
    }
    tones = [
        [
            tone(home[lies.tile][0] + len(PALETTE) // 2 * ((lies.tile, lies.turn) in over))
            for lies in orientation.orientations(instance, tiling)
        ]
        for tiling in tilings
    ]
    return PieceColours({name: fill(stretch[0]) for name, stretch in home.items()}, tones)


def _by_copy(instance: Instance, tilings: Sequence[Sequence[Placement]], home: _Homes) -> PieceColours:
    """Colour each copy by its number on a sheet to cut out. A sheet has the copies of one tile after the other; a tile without a
    limit has one copy. Further copies in a tiling get the numbers after these."""
    copies = {tile.name: tile.at_most or 1 for tile in instance.distinct_tiles}
    first = dict(zip(copies, accumulate(copies.values(), initial=0), strict=False))
    tones = []
    for tiling in tilings:
        used, more = dict.fromkeys(copies, 0), count(sum(copies.values()))
        numbers: dict[int, int] = {}
        for k in sorted(range(len(tiling)), key=lambda k: min(tiling[k].cells)):
            name = tiling[k].tile
            numbers[k] = first[name] + used[name] if used[name] < copies[name] else next(more)
            used[name] += 1
        tones.append([tone(numbers[k]) for k in range(len(tiling))])
    return PieceColours({name: fill(first[name]) for name in home}, tones)


def _by_palette(palette: Sequence[str]) -> Callable[[Instance, Sequence[Sequence[Placement]], _Homes], PieceColours]:
    """A way of colouring: tiles take the colours of a palette in the order of the problem, again and again."""

    def colours(instance: Instance, tilings: Sequence[Sequence[Placement]], home: _Homes) -> PieceColours:
        fills = {tile.name: palette[t % len(palette)] for t, tile in enumerate(instance.distinct_tiles)}
        tones = [[Tone(fills[placement.tile], nearest(fills[placement.tile])) for placement in tiling] for tiling in tilings]
        return PieceColours({name: fills[name] for name in home}, tones)

    return colours


_WAYS: Mapping[str, Callable[[Instance, Sequence[Sequence[Placement]], _Homes], PieceColours]] = {
    "tile": _by_tile,
    "copy": _by_copy,
    "few": _by_palette(FEW),
    "grey": _by_palette(GREYS),
    "orientation": _by_orientation,
    "side": _by_side,
    "plain": _by_palette((PAPER,)),
}


def _given(instance: Instance, how: Colouring) -> dict[str, str]:
    """The colours of some tiles, as the caller asks, else as the problem says. BadOption if the caller names only tiles that the
    instance does not have."""
    if isinstance(how, str) and how != "tile":
        return {}
    asked = how if isinstance(how, Mapping) else {}
    fills = {}
    for name, fill in (*instance.about.fills, *asked.items()):
        number = instance.find(name)
        if number is not None:
            fills[instance.distinct_tiles[number].name] = fill
    if asked and not any(instance.find(name) is not None for name in asked):
        there = printable.line(", ".join(tile.name for tile in instance.distinct_tiles))
        raise BadOption(f"the colours are of other tiles; there are {there}")
    return fills


def usual(instance: Instance) -> str:
    """The default way to colour pieces, one of `BY`: plain if pieces have painted colours or marks (not counting a single pair of
    mates, which have the colour of their piece), by orientation if all tiles have two cells, else by tile."""
    pairs = instance.ground.mates
    mates = {mark for pair in pairs for mark in pair} if len(pairs) < 2 else set()
    coats = [coat for tile in instance.tiles for coat in tile.paint.coats]
    if any(coat.colours or any(mark not in mates and mark != PLAIN_SIDE for _, mark in coat.marks) for coat in coats):
        return "plain"
    return "orientation" if all(tile.size == 2 for tile in instance.tiles) else "tile"


def assign(
    lattice: Lattice, solution: Sequence[Placement], wrap: Wrap = FLAT, home: Mapping[str, Sequence[int]] | None = None
) -> list[int]:
    """A colour number for every placement, so that placements that share a side differ.

    Every tile has its own stretch of the palette, so that its copies look related. `home` has these stretches; without it, the
    tiles that occur share the palette. Of the free colours in the stretch, the method takes the colour that is rarest among the
    neighbours' neighbours, and then rarest so far. If no colour of the stretch is free, it takes another colour of the palette,
    or else a new one. Greedy, most neighbours first; the same tiling always gets the same colours.
    """
    around = touching(lattice, solution, wrap)
    home = home or homes({placement.tile for placement in solution})
    used = [0] * len(PALETTE)
    colours = [-1] * len(solution)
    for number in order(solution, around):
        taken = {colours[other] for other in around[number]}
        free = [colour for colour in home[solution[number].tile] if colour not in taken]
        free = free or [colour for colour in range(len(PALETTE)) if colour not in taken]
        if free:
            near = [0] * (
                len(PALETTE) + 1
            )  # the last number stands for no colour yet, or for a colour that is not of the palette
            for other in around[number]:
                for third in around[other][:_NEAR]:
                    near[min(colours[third], len(PALETTE))] += 1
            colours[number] = min([(near[colour], used[colour], colour) for colour in free])[-1]
            used[colours[number]] += 1
        else:
            colours[number] = next(colour for colour in count(len(PALETTE)) if colour not in taken)
    return colours


def fill(colour: int) -> str:
    """The colour `#rrggbb` of a colour number in documents, different for every number in use.

    >>> fill(0), fill(12)
    ('#ffaabb', '#67e9a8')
    """
    if colour < len(PALETTE):
        return PALETTE[colour].fill
    # Steps of the golden ratio never land on a hue again; the lightness changes so that close hues stay apart.
    hue = (colour * 0.6180339887498949) % 1
    return of_parts(round(255 * part) for part in hls_to_rgb(hue, (0.66, 0.76, 0.86)[colour % 3], 0.75))


def terminal(colour: int) -> int:
    """The number of the terminal colour (of 256) for a colour number; far beyond the palette they repeat."""
    if colour < len(PALETTE):
        return PALETTE[colour].terminal
    # 23 is prime to the number of colours: consecutive numbers are far apart, and all occur before one repeats.
    return _MORE[colour * 23 % len(_MORE)]


def tone(colour: int) -> Tone:
    """The tone of a colour number."""
    return Tone(fill(colour), terminal(colour))


def nearest(fill: str) -> int:
    """The colour of a terminal's colour cube that is nearest to `#rrggbb`.

    >>> nearest("#ffffff"), nearest("#ff0000")
    (231, 196)
    """
    red, green, blue = (min(range(6), key=lambda k: abs(_LEVELS[k] - part)) for part in parts(fill))
    return 16 + 36 * red + 6 * green + blue


def is_dark(fill: str) -> bool:
    """Whether white letters are easier to read on this colour than black letters."""
    red, green, blue = parts(fill)
    return 299 * red + 587 * green + 114 * blue < 115_000


def parts(fill: str) -> tuple[int, int, int]:
    """The red, green and blue of `#rrggbb`, 0 to 255."""
    return int(fill[1:3], 16), int(fill[3:5], 16), int(fill[5:7], 16)


def of_parts(parts: Iterable[int]) -> str:
    """The colour `#rrggbb` of red, green and blue, 0 to 255."""
    return "#" + "".join(f"{part:02x}" for part in parts)


def _spread(number: int, kinds: int) -> Tone:
    """The tone of kind `number` out of several; kinds are spread evenly over the palette if it is large enough."""
    return tone(number * len(PALETTE) // kinds if kinds <= len(PALETTE) else number)


def homes(names: Collection[str]) -> dict[str, Sequence[int]]:
    """For the name of every tile its own colour numbers."""
    return {name: _stretch(index, len(names)) for index, name in enumerate(sorted(names))}


def _stretch(index: int, kinds: int) -> Sequence[int]:
    """The colour numbers of tile `index` out of `kinds` tiles."""
    if kinds == 1:
        # Only neighbours must differ: a few colours from the whole wheel suffice.
        return range(0, len(PALETTE), 2)
    first = index * len(PALETTE) // kinds
    return range(first, max(first + 1, (index + 1) * len(PALETTE) // kinds))
