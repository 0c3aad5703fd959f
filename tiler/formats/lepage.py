"""Read problems of Marc Lepage's Polycube Solver (2009): flat or solid pieces by name fill a box.

    problem = {
        box = { 10, 6, 1 },            its sides along x, y and z
        pieces = { "F_", "I_", ... },  each of them is used once
        lock = "F_", lockcount = 2,    this piece lies only as its first 2 of 24 turns put it; without a number, its first
        constrain = "F_",              it has only the first half of its positions, the middle one too, along each axis;
        constrain_z = "F_"             along one axis
    }

The solver has no other way to leave out mirror images. Files are Lua programs; of Lua only what stands here is understood, with
comments. A half of the positions is a matter of how the piece lies: along an axis it has as many positions as its extent leaves.
From https://github.com/mlepage/polycube-solver: the order of the turns, and how the pieces lie that it knows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from tiler import printable
from tiler.errors import InputError, located, suggest
from tiler.formats.boxes import BRICKS, PuzzleBox, flat_axis
from tiler.model.burrtools_grids import Place
from tiler.model.constraints import Constraint
from tiler.model.instance import Instance
from tiler.model.letter_names import SYNONYMS, named_shapes

_TOKEN = re.compile(
    r"""(?P<space>\s+|--(?!\[\[)[^\n]*)|(?P<long>--\[\[)|(?P<text>"[^"\\\n]*"|'[^'\\\n]*')|(?P<word>[A-Za-z_]\w*)"""
    r"|(?P<number>[0-9]{1,9}\b)|(?P<mark>[{}=,;])",
    re.ASCII,
)
_AXES = "xyz"
_CONSTRAIN = {"constrain": _AXES, **{f"constrain_{axis}": axis for axis in _AXES}}
_FIELDS = ("box", "pieces", "lock", "lockcount", *_CONSTRAIN)
_MOST = 50_000  # placements that are looked at for a piece

#: The six ways in which an axis of a piece can point along z, in the order of the solver: which axis, counted from 1, becomes x,
#: y and z, with a minus if it is turned round. Each is followed by three more, quarter turns about z.
_UPRIGHT = ((1, 2, 3), (1, -3, 2), (-3, 2, 1), (-1, 2, -3), (1, 3, -2), (-3, -2, -1))
_QUARTER = (-2, 1, 3)
#: The pieces that lie in another way here when they are not turned: how many quarter turns about z are missing.
_TURNED = {"N_": 2, "Y_": 2, "4S": 1}

_Value = str | int | tuple[str | int, ...]
_Fields = dict[str, tuple[_Value, int]]  # the fields of a problem, each with its line


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str
    line: int


def parse(content: str, *, name: str = "", source: str | None = None) -> Instance:
    """The problem in a file. InputError names the line.

    >>> len(parse("problem = { box = { 3, 3, 1 }, pieces = { '1_', '3L', 'V_' }, lock = 'V_' }").constraints[0].cells)
    5
    """
    with located(source):
        fields = _fields(content)
        sides, (names, line) = _box(fields), _pieces(fields)
        with located(line=line):
            pieces = {piece: _places(piece) for piece in names}
        in_plane = sides[2] == 1 and all(flat_axis(places) is not None for places in pieces.values())
        box = PuzzleBox(sides, in_plane)
        tiles = tuple(box.tile(piece, pieces[piece]) for piece in names)
        return Instance(box.board, tiles, in_plane, name=name, constraints=tuple(_constraints(fields, pieces, box)))


# --- What is written.


def _tokens(content: str) -> Iterator[_Token]:
    at, line = 0, 1
    while at < len(content):
        found = _TOKEN.match(content, at)
        if found is None:
            raise InputError(f"{printable.shortened(content[at : at + 20])!r} is not understood: {_READ}", None, line)
        kind, end = found.lastgroup or "", found.end()
        if kind == "long":
            end = content.find("]]", at) + 2
            if end == 1:
                raise InputError("a comment begins here with --[[ and never ends", None, line)
        elif kind != "space":
            yield _Token(kind, found[0], line)
        line += content.count("\n", at, end)
        at = end
    yield _Token("end", "the end", line)


_READ = f"a file is problem = {{ ... }} with {', '.join(_FIELDS)}, and comments"


def _fields(content: str) -> _Fields:
    """The fields of the problem, each with its line."""
    tokens = _tokens(content)

    def take(wanted: str) -> _Token:
        token = next(tokens)
        if token.text != wanted or token.kind == "text":
            raise InputError(f"{wanted} is missing before {printable.shortened(token.text)}: {_READ}", None, token.line)
        return token

    for word in ("problem", "=", "{"):
        take(word)
    fields: _Fields = {}
    while (token := next(tokens)).text != "}":
        if token.text not in _FIELDS:
            raise InputError(
                f"there is no field {printable.shortened(token.text)}{suggest(token.text, _FIELDS)}; {_READ}", None, token.line
            )
        if token.text in fields:
            raise InputError(f"{token.text} is given twice", None, token.line)
        take("=")
        fields[token.text] = _value(tokens), token.line
        if (after := next(tokens)).text == "}":
            break
        if after.text not in (",", ";"):
            raise InputError(f"a comma is missing before {printable.shortened(after.text)}", None, after.line)
    rest = next(tokens)
    if rest.kind != "end":
        raise InputError(f"{printable.shortened(rest.text)} stands behind the problem: {_READ}", None, rest.line)
    return fields


def _value(tokens: Iterator[_Token]) -> _Value:
    token = next(tokens)
    if token.text != "{":
        return _single(token)
    values: list[str | int] = []
    while (token := next(tokens)).text != "}":
        values.append(_single(token))
        if (after := next(tokens)).text == "}":
            break
        if after.text not in (",", ";"):
            raise InputError(f"a comma is missing before {printable.shortened(after.text)}", None, after.line)
    return tuple(values)


def _single(token: _Token) -> str | int:
    if token.kind == "number":
        return int(token.text)
    if token.kind == "text":
        return token.text[1:-1]
    raise InputError(f"{printable.shortened(token.text)} stands where a number or a name in quotes must be", None, token.line)


# --- What it means.


def _box(fields: _Fields) -> Place:
    value, line = fields.get("box", ((), 1))
    match value:
        case (int(x), int(y), int(z)) if min(x, y, z) > 0:
            return x, y, z
    raise InputError("box must be three whole numbers from 1: box = { 10, 6, 1 }", None, line)


def _pieces(fields: _Fields) -> tuple[list[str], int]:
    """The names of the pieces, and the line that has them."""
    value, line = fields.get("pieces", ((), 1))
    names = [each for each in value if isinstance(each, str)] if isinstance(value, tuple) else []
    if not names or value != tuple(names):
        raise InputError('pieces must be names in quotes: pieces = { "1_", "3L", "V_" }', None, line)
    return names, line


def _places(name: str) -> list[Place]:
    """The cubes of a piece as the solver has them when it is not turned."""
    known = named_shapes()
    shape = known.get(SYNONYMS.get(name, name))
    if shape is None:
        likely = suggest(name, [*known, *SYNONYMS])
        raise InputError(f"there is no piece {printable.shortened(name)!r}{likely} (see tiler shapes)")
    places = [BRICKS.place(cell) for cell in BRICKS.lattice.lift(shape)]
    for _ in range(_TURNED.get(name, 0)):
        places = _turned(places, _QUARTER)
    return places


def _turned(places: Iterable[Place], axes: Sequence[int]) -> list[Place]:
    x, y, z = ((abs(axis) - 1, 1 if axis > 0 else -1) for axis in axes)
    return [(place[x[0]] * x[1], place[y[0]] * y[1], place[z[0]] * z[1]) for place in places]


def _turns(places: Iterable[Place]) -> Iterator[list[Place]]:
    """A piece in each of its 24 turns, some of which may be the same."""
    for upright in _UPRIGHT:
        lying = _turned(places, upright)
        for _ in range(4):
            yield lying
            lying = _turned(lying, _QUARTER)


def _constraints(fields: _Fields, pieces: dict[str, list[Place]], box: PuzzleBox) -> Iterator[Constraint]:
    """A constraint for each piece that is locked or constrained: where it may lie."""
    about: dict[str, int] = {}
    halved: dict[str, set[str]] = {}
    for field in ("lock", *_CONSTRAIN):
        if field not in fields:
            continue
        piece, line = fields[field]
        if not isinstance(piece, str) or piece not in pieces:
            raise InputError(f"{field} must name one of the pieces in quotes, such as {next(iter(pieces))!r}", None, line)
        about[piece] = line
        halved.setdefault(piece, set()).update(_CONSTRAIN.get(field, ()))
    count, line = fields.get("lockcount", (1, 1))
    if not isinstance(count, int) or not 1 <= count <= 24:
        raise InputError("lockcount must be a whole number from 1 to 24", None, line)
    for piece, line in about.items():
        locked = "lock" in fields and fields["lock"][0] == piece
        with located(line=line):
            lying = list(_positions(pieces[piece], count if locked else 24, box.sides, halved[piece]))
        if lying:
            yield Constraint("only", piece, tuple(box.cell(place) for places in lying for place in sorted(places)))
        else:
            yield Constraint("forbid", piece, tuple(sorted(box.board)))


def _positions(places: Iterable[Place], count: int, sides: Place, halved: Iterable[str]) -> Iterator[frozenset[Place]]:
    """The positions of a piece in its first turns, each once; along some axes only the first half of them."""
    seen: set[frozenset[Place]] = set()
    for _, lying in zip(range(count), _turns(places), strict=False):
        low, high = ([choose(along) for along in zip(*lying, strict=True)] for choose in (min, max))
        free = [max(0, side - (b - a)) for side, a, b in zip(sides, low, high, strict=True)]
        free = [(many + 1) // 2 if axis in halved else many for axis, many in zip(_AXES, free, strict=True)]
        if prod(free) + len(seen) > _MOST:
            raise InputError(f"the piece has more than {_MOST:,} positions to list; take a smaller box")
        for dx, dy, dz in product(*map(range, free)):
            there = frozenset((x - low[0] + dx, y - low[1] + dy, z - low[2] + dz) for x, y, z in lying)
            if there not in seen:
                seen.add(there)
                yield there
