"""Read and write a tile, or a set of tiles, with its bounds; and say whether sets of pieces allow reflections."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from tiler import printable
from tiler.errors import InputError
from tiler.formats import paint_text
from tiler.formats.paint_text import NO_LEGEND, Legend
from tiler.model import named_boards, text_maps
from tiler.model.instance import Instance
from tiler.model.lattice import Lattice
from tiler.model.letter_names import name_of
from tiler.model.piece_sets import ALL, Mirroring, PieceSet, on
from tiler.model.shapes import parse_shape
from tiler.model.tile import Tile

_NAME = re.compile(r"[^\s#=\[|][^\s=]*")  # the name before =
_MOST_DIGITS = 9  # of a number of copies
_RANGE = re.compile(r"(?:([0-9]+)\.\.)?([0-9]+)?")


def name_and_tile(text: str) -> tuple[str, str]:
    """The name in front of `=`, and what stands behind it; no name and all of it if there is no `=`.

    >>> name_and_tile("dog = 1:5X"), name_and_tile("1:5X")
    (('dog', '1:5X'), ('', '1:5X'))
    """
    name, equals, tile = text.partition("=")
    if equals and (len(name.split()) != 1 or not name.strip().isprintable()):
        raise InputError(
            f"{printable.shortened(name.strip())!r} before = is no name; a name is one word of letters that can be printed"
        )
    return (name.strip(), tile.lstrip(" ")) if equals else ("", text)


def copies_and_shape(text: str) -> tuple[str, str, str]:
    """What stands before and behind the colon after a number of copies, and the colon; nothing and no colon if there is none."""
    return ("", "", text) if ":" not in text or named_boards.is_region(text.strip()) else text.partition(":")


def set_called(text: str) -> PieceSet | None:
    """The set of pieces that a line stands for, if it does.

    >>> set_called("1:hexiamonds").lattice.name, set_called("4T")
    ('triangular', None)
    """
    return ALL.get(copies_and_shape(text)[2].strip())


def read(
    text: str, index: int, lattice: Lattice, legend: Legend = NO_LEGEND, *, disconnected: bool
) -> tuple[tuple[Tile, ...], PieceSet | None]:
    """The tiles that a line stands for, the one with this number, and the set that they are; a map comes with all its rows."""
    called, tile_text = name_and_tile(text)
    head, colon, written = copies_and_shape(tile_text)
    at_least, at_most = _bounds(head.strip()) if colon else (0, None)
    plain = written.strip()
    if not plain:
        raise InputError(f"{text.strip()!r} has no shape; write one after it or on the next line")
    chosen = ALL.get(plain)
    if chosen is not None:
        if called:
            raise InputError(f"{plain} are several pieces with names of their own; leave out {printable.shortened(called)} =")
        if plain not in on(lattice) and chosen.lattice != lattice.plane:
            raise InputError(f"{plain} are shapes of the {chosen.lattice} lattice, not of the {lattice} one")
        pieces = chosen.shapes().items()
        return tuple(
            Tile(name, shape, at_most, at_least, lattice=chosen.lattice, paint=chosen.paint(shape)) for name, shape in pieces
        ), chosen
    found = paint_text.tile(written, lattice, legend)
    name = found.name
    if not found.paint:
        plainly = re.fullmatch(r"[^/\n. ]+", plain) and not re.fullmatch("[xUDLR]{2,}|x", plain)
        name = plain if plainly else name_of(found.shape, lattice)
    tile = Tile(called or name or f"tile{index}", found.shape, at_most, at_least, lattice=lattice, paint=found.paint)
    if not disconnected and not tile.is_connected:
        raise InputError(f"tile {tile.name} is not connected; allow that with a line '# disconnected: yes' at the top")
    return (tile,), None


def bounds(tile: Tile) -> str:
    """The bounds of a tile as files have them: `3:`, `1..3:`, `2..:`, or nothing.

    >>> bounds(Tile("2", parse_shape("2"), at_most=3))
    '3:'
    """
    most = "" if tile.at_most is None else str(tile.at_most)
    if tile.at_least:
        return f"{tile.at_least}..{most}:"
    return f"{most}:" if most else ""


def write(tile: Tile, index: int, known: Mapping[str, str]) -> str:
    """The block of the tile with this number: a line, or a map below its name and bounds. `known` has the letters of colours."""
    try:
        by_name = parse_shape(tile.name, tile.lattice) == tile.shape and "\n" not in tile.name
    except InputError:
        by_name = False
    # A line of only letters of the legend is a map.
    named = tile.name.strip() if by_name and not paint_text.is_map(tile.name, "".join(known.values())) else None
    shape = paint_text.notation(tile, named, known) if tile.paint else named or text_maps.notation(tile.lattice, tile.shape)
    read_as = paint_text.name_written(shape, tile.shape) if tile.paint else named or name_of(tile.shape, tile.lattice)
    is_implied = tile.name.strip() == (read_as or f"tile{index}") or not (_NAME.fullmatch(tile.name) and tile.name.isprintable())
    before = bounds(tile) if is_implied else f"{tile.name} = {bounds(tile)}"
    return f"{before.rstrip()}\n{shape}" if before and "\n" in shape else before + shape


def reflections(wanted: bool | None, used: Sequence[PieceSet], dimension: int, *, as_named: bool) -> bool:
    """Whether tiles may be reflected, from what is said about it and the sets used on a board of that dimension.

    In the plane, free sets allow it and one-sided ones do not. InputError where these contradict each other or what is said;
    unless sets are to stand for no more than the pieces that have their names (`as_named`).
    """
    free = [piece_set.name for piece_set in used if piece_set.kind is Mirroring.FREE]
    one_sided = [piece_set.name for piece_set in used if piece_set.kind is Mirroring.ONE_SIDED]
    if as_named:
        return bool(wanted)
    if dimension == 3:
        if one_sided:
            instead = one_sided[0].removeprefix("one-sided-")
            raise InputError(f"in space a flat piece can be turned over: take {instead}, not {one_sided[0]}")
        return bool(wanted)  # In space flat pieces can always be turned over.
    if free and wanted is False:
        other = f"take one-sided-{free[0]} or" if f"one-sided-{free[0]}" in ALL else "take"
        raise InputError(f"{free[0]} may be turned over, but reflections are not allowed: {other} single pieces")
    if free and one_sided and wanted is None:
        raise InputError(f"{free[0]} may be turned over and {one_sided[0]} may not: say whether reflections are allowed")
    return bool(free) if wanted is None else wanted


def with_pool(problem: Instance, pool: list[str], given: bool | None = None) -> Instance:
    """The board of a problem with other tiles: pieces, or sets of pieces, any number of each unless a number says how many. They
    may be turned over if that is `given`, if the problem allows it, or if a free set asks for it.

    >>> import tiler
    >>> len(with_pool(tiler.make("5x5", "1"), ["pentominoes", "1"]).tiles)
    13
    """
    tiles: list[Tile] = []
    used = []
    for index, piece in enumerate(pool, 1):
        more, chosen = read(piece, index, problem.lattice, disconnected=False)
        tiles += more
        used += [chosen] if chosen else []
    given = problem.reflections or None if given is None else given
    over = reflections(given, used, problem.dimension, as_named=False)
    if problem.constraints:
        raise InputError("constraints need tiles that are on the board: leave them out, or write the pool after the board")
    about = replace(problem.about.unanswered, fills=())
    return replace(problem, tiles=tuple(tiles), reflections=over, about=about, name=" ".join([problem.name, *pool])[:80])


def _bounds(text: str) -> tuple[int, int | None]:
    """at_least and at_most of `N`, `M..N` or `M..`."""
    match = _RANGE.fullmatch(text)
    if not match or not text:
        raise InputError(f"{printable.shortened(text) + ':'!r} is not a number of copies; write N:, M..N: or M..: before a shape")
    if any(len(group or "") > _MOST_DIGITS for group in match.groups()):
        least_too_many = 10**_MOST_DIGITS
        raise InputError(
            f"{printable.shortened(text) + ':'!r} is too many copies; write fewer than {least_too_many:,}, or no number"
        )
    least, most = (int(group) if group else None for group in match.groups())
    if most == 0:
        raise InputError(f"{text + ':'!r} allows no copy; leave the tile out")
    if least is not None and most is not None and least > most:
        raise InputError(f"{text + ':'!r} is an empty range; the smaller number comes first")
    return least or 0, most
