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
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from operator import add
from typing import TypeVar

from tiler.errors import InputError, SpaceTileError, located, nearest
from tiler.formats import blocks, instance_settings, paint_text, pieces
from tiler.formats.blocks import Line
from tiler.formats.paint_text import NO_LEGEND, Legend
from tiler.model import constraints, lattices, named_boards, shapes, text_maps
from tiler.model.about import About
from tiler.model.expected import Expected, Status
from tiler.model.instance import Instance
from tiler.model.lattice import Cell, Lattice, Shape, dimension, move
from tiler.model.lattices import spread
from tiler.model.paint import Ground, lifted
from tiler.model.piece_sets import PieceSet, lattice_of
from tiler.model.tile import MAX_BOX, Tile
from tiler.model.wrap import FLAT, parse_wrap

#: How colours and marks match; each of these settings is written once.
_OF_PAINT = ("colours", "mates", "fits", "checkered")
_SEVERAL = ("border", "weight", "fill", "together", "labels", "group")
_REPEATED = (*constraints.KINDS, *_SEVERAL)
_SETTINGS = (
    *("title", "source", "tags", "lattice", "wrap", "crossing", "turning", "reflections", "sets", "disconnected"),
    *("verdict", "count", "count up to symmetry", "origin", "open"),
    *(*_OF_PAINT, *_REPEATED),
)
_AS_NAMED = "as named"
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
    written: list[tuple[str, Line]] = []
    blocks: list[list[Line]] = [[]]
    with located(source):
        rows = re.split("\r\n|\r|\n", content)
        for number, text in enumerate(rows, 1):
            line = Line(number, text)
            _refuse_hashes(rows, number)
            if text.lstrip().startswith("#"):
                _note_setting(line, settings, written, top=not any(blocks))
            elif text.strip():
                blocks[-1].append(line)
            elif blocks[-1]:
                blocks.append([])
        if not blocks[0]:
            raise InputError("there is no board; a problem file starts with one, such as 10x6")
        said = _over(settings, reflections, as_named)
        lines = {kind: [line for key, line in written if key == kind] for kind in _SEVERAL}
        instance = _assemble([block for block in blocks if block], said, name, lines["border"])
        instance = instance_settings.with_cell_names(instance, lines["labels"], lines["group"])
        instance = instance_settings.weighed(instance, lines["weight"])
        instance = instance_settings.filled(instance, lines["fill"])
        instance = instance_settings.held_together(instance, lines["together"])
        return instance_settings.constrained(
            instance, [constraint for constraint in written if constraint[0] in constraints.KINDS]
        )


def inline(
    shapes: Sequence[str],
    *,
    reflections: bool | None = None,
    lattice: str | None = None,
    wrap: str | None = None,
    crossing: bool = True,
    turning: bool = True,
    as_named: bool = False,
    disconnected: bool = False,
    legend: str | None = None,
    mates: str | None = None,
    fits: str | None = None,
    checkered: str | None = None,
    border: str | Sequence[str] = (),
) -> Instance:
    """The instance given as shapes on the command line: the board, then the tiles or sets of them, on the lattice of that name,
    wrapped as files say it (see `wrap.parse_wrap`); of edges, pieces may cross or not, tiles may be turned or not, and
    `disconnected` or not.

    Tiles may be reflected if `reflections` says so or, without it, if there is a free set of the plane (see piece_sets.py).
    InputError if these contradict each other, unless `as_named` is set. `legend`, `mates`, `fits` and `checkered` are the texts
    that files have after `# colours:`, `# mates:`, `# fits:` and `# checkered:`, and `border` the text or texts after `#
    border:`.

    >>> inline(["11x7", "4T", "3:3I"]).tiles[1].at_most
    3
    >>> instance = inline(["6x10", "1:pentominoes"])
    >>> len(instance.tiles), instance.reflections
    (12, True)
    """
    if lattice is None:
        first = lattice_of(pieces.copies_and_shape(shape)[2].strip() for shape in shapes[1:])
        lattice = None if lattices.is_implied_by_cells(first) else first.name
    named = {
        "lattice": lattice,
        "wrap": wrap,
        "crossing": None if crossing else "no",
        "turning": None if turning else "no",
        "disconnected": "yes" if disconnected else None,
        "colours": legend,
        "mates": mates,
        "fits": fits,
        "checkered": checkered,
    }
    settings = {key: Line(None, value) for key, value in named.items() if value is not None}
    borders = [Line(None, text) for text in ([border] if isinstance(border, str) else border)]
    return _assemble(
        [[Line(None, shape)] for shape in shapes], _over(settings, reflections, as_named), " ".join(shapes)[:80], borders
    )


def _over(settings: dict[str, Line], reflections: bool | None, as_named: bool) -> dict[str, Line]:
    """The settings of a file, where the caller's arguments win."""
    said = {} if reflections is None else {"reflections": Line(None, "yes" if reflections else "no")}
    return {**settings, **said, **({"sets": Line(None, _AS_NAMED)} if as_named else {})}


def write(instance: Instance) -> str:
    """A problem file that `parse` reads as an equal instance; InputError if there are no maps of its lattice."""
    lattice = instance.lattice
    if not text_maps.has_maps(lattice):
        raise InputError(f"shapes of the {lattice} lattice cannot be written as text; JSON can hold them")
    origin = text_maps.corner(lattice, instance.board)
    about, expected = instance.about, instance.about.expected
    disconnected = instance.has_tiles_in_parts
    paint = paint_text.written(instance)
    settings = {
        "title": about.title,
        "source": about.source,
        "tags": ", ".join(about.tags),
        # A board in space with one layer has the same map as a board in the plane.
        "lattice": "" if lattices.is_implied_by_cells(lattice) and not instance.is_layer else lattice.name,
        "wrap": str(instance.wrap),
        "crossing": "" if instance.crossing else "no",
        "turning": "" if instance.turning else "no",
        "open": "" if instance.open is None else "{}..{}".format(*instance.open),
        "reflections": "yes" if instance.reflections else "",
        "disconnected": "yes" if disconnected else "",
        "verdict": expected.verdict or "",
        "count": "" if expected.count is None else str(expected.count),
        "count up to symmetry": "" if expected.up_to_symmetry is None else str(expected.up_to_symmetry),
        "origin": ",".join(map(str, origin)) if any(origin) else "",
        **paint.settings,
    }
    head = [f"# {key}: {value}" for key, value in settings.items() if value]
    head += [f"# border: {line}" for line in paint.border] + instance_settings.cell_name_lines(instance)
    weights = [tile.weight for tile in instance.distinct_tiles]
    fills = dict(about.fills)
    if instance.constraints or instance.together or any(weights) or fills:
        # They use the names that tiles have in this file.
        plain = tuple(replace(tile, weight=0) for tile in instance.tiles)
        bare = replace(instance, tiles=plain, constraints=(), together=(), about=replace(about, fills=()))
        names = [tile.name for tile in parse(write(bare)).distinct_tiles]
        head += [f"# weight: {name} {weight}" for name, weight in zip(names, weights, strict=True) if weight]
        named = zip(names, instance.distinct_tiles, strict=True)
        head += [f"# fill: {name} {fills[tile.name]}" for name, tile in named if tile.name in fills]
        numbers = (map(instance.number_of, group) for group in instance.together)
        head += [f"# together: {' '.join(names[number] for number in group)}" for group in numbers]
        renamed = [replace(constraint, tile=names[instance.number_of(constraint.tile)]) for constraint in instance.constraints]
        head += [f"# {constraint.kind}: {constraints.write(constraint)}" for constraint in renamed]
    letters = {cell: paint.letters[colour] for cell, colour in instance.ground.colours}
    letters = {cell: letter.upper() if cell in instance.optional else letter for cell, letter in letters.items()}
    parts = ["\n".join(head)] * bool(head) + [text_maps.notation(lattice, instance.board, instance.optional, letters)]
    listing = False
    for index, tile in enumerate(instance.tiles, 1):
        written = pieces.write(tile, index, paint)
        # Tiles stand together, one per line; a map is a block of its own.
        single = "\n" not in written and not blocks.is_row(paint_text.bare(re.split("[:=]", written)[-1]), paint.all_letters)
        if single and listing:
            parts[-1] += f"\n{written}"
        else:
            parts.append(written)
        listing = single
    return "\n\n".join(parts) + "\n"


def _assemble(written: Sequence[Sequence[Line]], settings: dict[str, Line], name: str, borders: Sequence[Line] = ()) -> Instance:
    def setting(key: str, read: Callable[[str], _T], default: _T) -> _T:
        if key not in settings:
            return default
        try:
            return read(settings[key].text)
        except InputError as error:
            raise InputError(f"{key}: {error.text}", None, settings[key].number) from None

    known = re.fullmatch(r".*?(')?(?:_([su]))?", name.rpartition("/")[2], re.DOTALL)
    quote, suffix = known.groups() if known else (None, None)
    reflected = setting("reflections", _yes_or_no, True if quote else None)
    if quote and reflected is False and settings["reflections"].number is not None:
        raise InputError(
            "the quote in the file's name allows reflections, its setting forbids them; drop one",
            None,
            settings["reflections"].number,
        )
    verdict = setting("verdict", _verdict, None)
    by_name = {"s": Status.SAT, "u": Status.UNSAT}.get(suffix or "")
    if by_name and verdict and by_name is not verdict:
        raise InputError(f"verdict: {verdict}, but the file's name ends in _{suffix}", None, settings["verdict"].number)
    disconnected = setting("disconnected", _yes_or_no, False)
    lattice = setting("lattice", lattices.called, lattices.USUAL)
    legend = _legend(setting("colours", paint_text.legend, NO_LEGEND), settings, borders)
    board, optional, colours = _board(written[0], lattice, setting("origin", _integers, None), legend)
    if "checkered" in settings:
        by_turns = partial(paint_text.checkered, lattice=spread(lattice, board)[0], board=board, known=legend)
        colours = setting("checkered", by_turns, {})
    named = partial(paint_text.pairs, named=partial(legend.name, what="pairs"))
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
    turning = setting("turning", _yes_or_no, True)
    made = Instance(
        board,
        tuple(tiles) if turning else _told_apart(tiles),
        ground=Ground(tuple(sorted(colours.items())), setting("fits", named, None), mates=setting("mates", named, ())),
        reflections=reflections,
        optional=optional,
        name=name,
        lattice=lattice,
        wrap=setting("wrap", lambda text: parse_wrap(text, *lattices.spread(lattice, board)), FLAT),
        turning=turning,
        crossing=setting("crossing", _yes_or_no, True),
        open=setting("open", numbers_open, None),
        about=About(
            setting("title", str, ""),
            setting("source", str, ""),
            setting("tags", lambda text: tuple(text.replace(",", " ").split()), ()),
            Expected(verdict or by_name, setting("count", _natural, None), setting("count up to symmetry", _natural, None)),
        ),
    )
    for line in borders:
        with located(line=line.number):
            made = paint_text.bordered(made, line.text, legend)
    return made


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


def _legend(legend: Legend, settings: Mapping[str, Line], borders: Sequence[Line]) -> Legend:
    """The legend with the other names that the settings have."""
    settings_of_paint = [settings[key].text for key in _OF_PAINT[1:] if key in settings] + [
        line.text.partition(" at ")[0] for line in borders
    ]
    return replace(legend, others=frozenset(word for text in settings_of_paint for word in text.replace(",", " ").split()))


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


def _yes_or_no(text: str) -> bool:
    if text.lower() not in ("yes", "no"):
        raise InputError(f"{text!r} is neither yes nor no")
    return text.lower() == "yes"


def _as_named(text: str) -> bool:
    if text.lower() != _AS_NAMED:
        raise InputError(f"{text!r} is not known; it may be: {_AS_NAMED}")
    return True


def numbers_open(text: str) -> tuple[int, int]:
    """How many cells stay open, at least and at most, of `N` (at most), `M..N` or `M..`.

    >>> numbers_open("4"), numbers_open("4..4")
    ((0, 4), (4, 4))
    """
    match = re.fullmatch(r"(?:([0-9]{1,7})(\.\.))?([0-9]{1,7})?", text.strip())
    if match is None or not (match[1] or match[3]):
        raise InputError(f"open: {text.strip()[:40]!r} is no number of cells: N (at most N), M..N, or M.. (at least)")
    return int(match[1] or 0), MAX_BOX if match[3] is None else int(match[3])


def _verdict(text: str) -> Status | None:
    if text not in (Status.SAT, Status.UNSAT):
        raise InputError(f"{text!r} is neither sat nor unsat")
    return Status(text)


def _natural(text: str) -> int | None:
    if not re.fullmatch("[0-9]{1,4000}", text):
        raise InputError(f"{text[:40]!r} is not a number of tilings")
    return int(text)


def _integers(text: str) -> Cell | None:
    if not re.fullmatch(r"-?[0-9]{1,9}(\s*,\s*-?[0-9]{1,9}){1,2}", text):
        raise InputError(f"{text[:40]!r} is not row,column or layer,row,column")
    return tuple(int(part) for part in text.split(","))
