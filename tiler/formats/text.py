"""Read and write problem files: blocks of lines separated by blank lines, the board first, then the tiles.

A block is one shape (see shapes.py; a map may take many lines), or several tiles on a line each. A tile may start with its
bounds, `N:` (at most N copies), `M..N:` or `M..:` (at least M), on the same line or alone on the line before its map. A set of
pieces (piece_sets.py) in place of a shape stands for its pieces, each with these bounds: `1:pentominoes`. It is written back as
them. Free sets of the plane allow reflections, and contradictions are refused, unless the file says `# sets: as named`. Lines `#
key: value` before the board are settings, other lines with `#` are comments. Files of the original Tiler are read unchanged:
their name tells about reflections (a quote) and the expected verdict (`_s`, `_u`).

Most settings are given once. A constraint (see constraints.py) may be given as often as wanted, and so may `# weight: X 3`, once
for each tile: what a copy of it weighs where the heaviest tiling is asked for, a whole number, 0 if it is not said; and
`# fill: X red`, its colour in pictures. `NAME =` before a tile is what it is called. `# open: N` says how many of the cells
marked `o` stay open, or of all cells where none is marked: at most N, `M..N`, or `M..` at least. `# labels: jan feb` names these
cells, in reading order, on as many lines as wanted; `# group: month jan..dec` is a group of them of which exactly one stays open.
`# together: X Y`, as often as wanted, names tiles that may stay together when all is taken apart.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from operator import add
from typing import Any, TypeVar, Unpack

from tiler.errors import InputError, SpaceTileError, located, nearest
from tiler.formats import blocks, instance_settings, paint_text, pieces
from tiler.formats.blocks import Line
from tiler.formats.paint_text import NO_LEGEND, Legend
from tiler.formats.settings import (
    ABOUT,
    AS_NAMED,
    EXPECTED,
    MATCHING,
    ONCE,
    OPEN,
    PLACE,
    SEVERAL,
    Reading,
    Setting,
    Settings,
    lines_of,
    with_lines,
    yes_or_no,
)
from tiler.model import lattices, named_boards, shapes, text_maps
from tiler.model.about import About
from tiler.model.expected import Expected, Status
from tiler.model.instance import Instance
from tiler.model.lattice import Cell, Lattice, Shape, dimension, move
from tiler.model.lattices import spread
from tiler.model.paint import Ground, lifted
from tiler.model.piece_sets import PieceSet, lattice_of
from tiler.model.tile import Tile

#: Settings that say how board and tiles are written.
_OF_NOTATION = ("lattice", "reflections", "sets", "disconnected", "origin", "colours", "checkered")
_REPEATED = [name for setting in SEVERAL for name in setting.names]
_SETTINGS = (*_OF_NOTATION, *(setting.name for setting in ONCE), *_REPEATED)
_HASHES = re.compile(r"\s*#[#. ]*[#.]")  # a row of a map drawn with #

_T = TypeVar("_T")


def parse(
    content: str, *, name: str = "", source: str | None = None, reflections: bool | None = None, as_named: bool = False
) -> Instance:
    """The instance in a problem file's text; `reflections` and `as_named` win over its settings. InputError names the line.

    >>> parse("3x2\\n\\n3L\\n").tiles[0].name
    '3L'
    """
    settings: dict[str, Line] = {}
    several: list[tuple[str, Line]] = []
    blocks: list[list[Line]] = [[]]
    with located(source):
        rows = re.split("\r\n|\r|\n", content)
        for number, text in enumerate(rows, 1):
            line = Line(number, text)
            _refuse_hashes(rows, number)
            if text.lstrip().startswith("#"):
                _note_setting(line, settings, several, top=not any(blocks))
            elif text.strip():
                blocks[-1].append(line)
            elif blocks[-1]:
                blocks.append([])
        if not blocks[0]:
            raise InputError("there is no board; a problem file starts with one, such as 10x6")
        settings |= lines_of({"reflections": reflections, "as_named": as_named})
        return _assemble([block for block in blocks if block], settings, several, name)


def inline(shapes: Sequence[str], *, disconnected: bool = False, **settings: Unpack[Settings]) -> Instance:
    """The instance given as shapes on the command line: the board, then the tiles or sets of them, `disconnected` or not, with
    the settings that `make` takes.

    Tiles may be reflected if `reflections` says so or, without it, if there is a free set of the plane (see piece_sets.py).
    InputError if these contradict each other, unless `as_named` is set.

    >>> inline(["11x7", "4T", "3:3I"]).tiles[1].at_most
    3
    >>> instance = inline(["6x10", "1:pentominoes"])
    >>> len(instance.tiles), instance.reflections
    (12, True)
    """
    said: dict[str, Any] = {**settings, "disconnected": disconnected}
    if said.get("lattice") is None:
        first = lattice_of(pieces.copies_and_shape(shape)[2].strip() for shape in shapes[1:])
        said["lattice"] = None if lattices.is_implied_by_cells(first) else first.name
    lines = list(lines_of(said))
    return _assemble([[Line(None, shape)] for shape in shapes], dict(lines), lines, " ".join(shapes)[:80])


def write(instance: Instance) -> str:
    """A problem file that `parse` reads as an equal instance; InputError if there are no maps of its lattice."""
    lattice = instance.lattice
    if not text_maps.has_maps(lattice):
        raise InputError(f"shapes of the {lattice} lattice cannot be written as text; JSON can hold them")
    letters = paint_text.letters_of(instance)
    bare = instance_settings.without_names(instance)
    # Lines that name tiles use the names that tiles have in this file.
    names = [] if bare is instance else [tile.name for tile in parse(write(bare)).distinct_tiles]
    settings = [*_once(instance, letters).items(), *(line for setting in SEVERAL for line in setting.write(instance, names))]
    head = [f"# {name}: {text}" for name, text in settings if text]
    named = {cell: letters[colour] for cell, colour in instance.ground.colours}
    named = {cell: letter.upper() if cell in instance.optional else letter for cell, letter in named.items()}
    parts = ["\n".join(head)] * bool(head) + [text_maps.notation(lattice, instance.board, instance.optional, named)]
    listing = False
    for index, tile in enumerate(instance.tiles, 1):
        written = pieces.write(tile, index, letters)
        # Tiles stand together, one per line; a map is a block of its own.
        row = paint_text.bare(re.split("[:=]", written)[-1])
        single = "\n" not in written and not blocks.is_row(row, "".join(letters.values()))
        if single and listing:
            parts[-1] += f"\n{written}"
        else:
            parts.append(written)
        listing = single
    return "\n\n".join(parts) + "\n"


def _once(instance: Instance, letters: Mapping[str, str]) -> dict[str, str]:
    """The texts of settings that are said once, in the order of a file; empty for those that need not be said."""

    def texts(settings: Iterable[Setting], part: Any) -> dict[str, str]:
        return {setting.name: setting.written(part) for setting in settings}

    lattice, origin = instance.lattice, text_maps.corner(instance.lattice, instance.board)
    # A board in space with one layer has the same map as a board in the plane.
    is_usual = lattices.is_implied_by_cells(lattice) and not instance.is_layer
    return {
        **texts(ABOUT, instance.about),
        "lattice": "" if is_usual else lattice.name,
        **texts((*PLACE, *OPEN), instance),
        "reflections": "yes" if instance.reflections else "",
        "disconnected": "yes" if instance.has_tiles_in_parts else "",
        **texts(EXPECTED, instance.about.expected),
        "origin": ",".join(map(str, origin)) if any(origin) else "",
        "colours": ", ".join(f"{letter} {name}" for name, letter in letters.items()),
        **texts(MATCHING, instance.ground),
    }


def _assemble(
    written: Sequence[Sequence[Line]], settings: Mapping[str, Line], several: Sequence[tuple[str, Line]], name: str
) -> Instance:
    def setting(key: str, read: Callable[[str], _T], default: _T) -> _T:
        if key not in settings:
            return default
        try:
            return read(settings[key].text)
        except InputError as error:
            raise InputError(f"{key}: {error.text}", None, settings[key].number) from None

    known = re.fullmatch(r".*?(')?(?:_([su]))?", name.rpartition("/")[2], re.DOTALL)
    quote, suffix = known.groups() if known else (None, None)
    reflected = setting("reflections", yes_or_no, True if quote else None)
    if quote and reflected is False and settings["reflections"].number is not None:
        raise InputError(
            "the quote in the file's name allows reflections, its setting forbids them; drop one",
            None,
            settings["reflections"].number,
        )
    lattice = setting("lattice", lattices.called, lattices.USUAL)
    legend = _legend(setting("colours", paint_text.legend, NO_LEGEND), settings, several)
    disconnected = setting("disconnected", yes_or_no, False)
    board, optional, colours = _board(written[0], lattice, setting("origin", _integers, None), legend)
    if "checkered" in settings:
        by_turns = partial(paint_text.checkered, lattice=spread(lattice, board)[0], board=board, known=legend)
        colours = setting("checkered", by_turns, {})
    as_named = setting("sets", _as_named, False)
    tiles: list[Tile] = []
    first: dict[str, Tile] = {}  # tiles by their names
    used: list[PieceSet] = []
    reflections = bool(reflected)
    for index, line in enumerate(blocks.tile_lines(written[1:], lattice, legend.letters), 1):
        with located(line=line.number):
            more, chosen = pieces.read(line.text, index, lattice, legend, disconnected=disconnected)
            for tile in more:
                if dimension(tile.shape) > dimension(board):
                    raise SpaceTileError(f"tile {tile.name} has several layers, but the board has one")
            used += [chosen] if chosen else []
            reflections = pieces.reflections(reflected, used, dimension(board), as_named=as_named)
        # Other tiles may have the same marks: triangles that point up and down, or those with another back.
        start = len(tiles)
        for tile in more:
            other = first.get(tile.name, tile)
            alike = not tile.paint or (other.shape, other.paint) == (tile.shape, tile.paint)
            tiles.append(tile if alike else replace(tile, name=f"tile{index}"))
        for tile in tiles[start:]:
            first.setdefault(tile.name, tile)
    reading = Reading(lattice, board, legend)
    values: dict[type, dict[str, Any]] = {part: {} for part in (Instance, About, Expected, Ground)}
    for each in ONCE:
        if each.name in settings:
            values[each.of] |= setting(each.name, partial(each.value, reading=reading), dict[str, Any]())
    by_name = {"s": Status.SAT, "u": Status.UNSAT}.get(suffix or "")
    verdict = values[Expected].setdefault("verdict", by_name)
    if by_name and verdict is not by_name:
        raise InputError(f"verdict: {verdict}, but the file's name ends in _{suffix}", None, settings["verdict"].number)
    made = Instance(
        board,
        tuple(tiles) if values[Instance].get("turning", True) else _told_apart(tiles),
        reflections=reflections,
        optional=optional,
        name=name,
        lattice=lattice,
        ground=Ground(tuple(sorted(colours.items())), **values[Ground]),
        about=About(**values[About], expected=Expected(**values[Expected])),
        **values[Instance],
    )
    return with_lines(made, several, legend)


def _told_apart(tiles: Sequence[Tile]) -> tuple[Tile, ...]:
    """Tiles that are not turned: those that have the name of one that lies otherwise have a number behind it."""
    ways: dict[str, list[Tile]] = {}
    for tile in tiles:
        ways.setdefault(tile.name, [])
        if not any((tile.shape, tile.paint) == (other.shape, other.paint) for other in ways[tile.name]):
            ways[tile.name].append(tile)
    named = []
    for tile in tiles:
        way = next(n for n, other in enumerate(ways[tile.name]) if (tile.shape, tile.paint) == (other.shape, other.paint))
        named.append(replace(tile, name=f"{tile.name}-{way + 1}") if way else tile)
    return tuple(named)


def _legend(legend: Legend, settings: Mapping[str, Line], several: Sequence[tuple[str, Line]]) -> Legend:
    """The legend with the other names that the settings have."""
    texts = [settings[key].text for key in ("mates", "fits", "checkered") if key in settings]
    texts += [line.text.partition(" at ")[0] for name, line in several if name == "border"]
    return replace(legend, others=frozenset(word for text in texts for word in text.replace(",", " ").split()))


def _note_setting(line: Line, settings: dict[str, Line], written: list[tuple[str, Line]], *, top: bool) -> None:
    before, colon, value = line.text.lstrip()[1:].partition(":")
    key = " ".join(before.lower().split())
    if not colon or not key.isascii() or not key.replace(" ", "").isalpha():
        return
    if key in _SETTINGS:
        if not top:
            raise InputError(f"the setting {key!r} must stand before the board", None, line.number)
        if key in _REPEATED:
            written.append((key, Line(line.number, value.strip())))
            return
        if key in settings:
            raise InputError(f"{key!r} is set twice", None, line.number)
        settings[key] = Line(line.number, value.strip())
    elif top:
        likely = nearest(key, _SETTINGS, cutoff=0.8)
        if likely:
            raise InputError(f"unknown setting {key!r}; did you mean {likely[0]!r}?", None, line.number)


def _board(
    block: Sequence[Line], lattice: Lattice, origin: tuple[int, ...] | None, legend: Legend
) -> tuple[Shape, Shape, Mapping[Cell, str]]:
    """The cells of the board, those that may stay open, and the colours of some."""
    text = "\n".join(line.text for line in block)
    number = block[0].number
    if ":" in block[0].text and not named_boards.is_region(block[0].text.strip()):
        raise InputError(f"{block[0].text.strip()!r}: the board comes first and has no number of copies", None, number)
    letters = legend.letters + legend.letters.upper()
    if len(block) > 1:
        blocks.check_map(block, "xo" + letters, lattice)
        if not blocks.is_map(block, letters):
            with located(line=number):
                shapes.refuse_other_marks(text)
            raise InputError("the board is one shape; leave a blank line between it and the tiles", None, block[1].number)
    with located(line=number):
        found = paint_text.read_shape(text, lattice, legend)
        board, optional = map(lattice.lift, found[:2])
        colours = {lifted(cell, dimension(board)): colour for cell, colour in found.colours.items()}
        if origin is not None:
            if len(origin) != dimension(board):
                raise InputError(f"the origin needs {dimension(board)} numbers")
            board, optional = move(board, origin), move(optional, origin)
            colours = {tuple(map(add, cell, origin)): colour for cell, colour in colours.items()}
    return board, optional, colours


def _refuse_hashes(rows: Sequence[str], number: int) -> None:
    """InputError if a row is one of a map drawn with `#`: it has dots too, or there is another one beside it."""
    beside = [row for row in rows[max(0, number - 2) : number + 1] if _HASHES.fullmatch(row)]
    if _HASHES.fullmatch(rows[number - 1]) and (len(beside) > 1 or "." in rows[number - 1]):
        raise InputError("rows that begin with # are comments; mark cells with x", None, number)


def _as_named(text: str) -> bool:
    if text.lower() != AS_NAMED:
        raise InputError(f"{text!r} is not known; it may be: {AS_NAMED}")
    return True


def _integers(text: str) -> Cell | None:
    if not re.fullmatch(r"-?[0-9]{1,9}(\s*,\s*-?[0-9]{1,9}){1,2}", text):
        raise InputError(f"{text[:40]!r} is not row,column or layer,row,column")
    return tuple(int(part) for part in text.split(","))
