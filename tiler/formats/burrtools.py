"""Read and write files of BurrTools (.xmpuzzle) as plain data: shapes of voxels, and problems that name them. The files are XML,
mostly gzipped.

    puzzle      gridType(type) colors shapes problems comment
    shapes      voxel(x y z, name): a letter for each place, x fastest, then y, then z: `#` filled, `+` may be filled, `_` empty,
                a number behind it its colour, from 1; colours of pieces and of the result are matched by `bitmap`
    problem     (name, state, assemblies, maxHoles) shapes result(id) bitmap solutions
    shape       (id, count or min and max, group): a shape's number from 0, how many copies there are, and the number of a group
                of those that need not come apart
    pair        (piece, result): a colour of pieces, from 0, that may lie in a colour of the result

    solution    assembly and, where it is known how the pieces come apart, separation, or separationInfo in short
    assembly    for each copy of a piece its place and how it is turned, four numbers; `x` where it is not used
    separation  pieces, a state after each move, the first as they lie; then separations of what was removed and of what is left
    separationInfo  the same in short: how many states, what was removed, what is left; 0 for a part that needs no separation

Facts from the sources and the manual of BurrTools, https://github.com/burr-tools/burr-tools. What is asked in our words is the
business of xmpuzzle.py.
"""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from html import escape
from xml.parsers import expat

from tiler.amounts import counted
from tiler.errors import InputError
from tiler.model.burrtools_grids import Place

#: The most that a file may unpack to: a small one can be made to hold more than any memory.
MAX_BYTES = 64 << 20
MOST_COLOURS = 63  #: the limit of BurrTools itself
_MAX_DEPTH = 100
_MOST = 10**6  # the largest number for sides, copies and shapes
_SOLUTION = "puzzle/problems/problem/solutions/solution"
_GZIP = b"\x1f\x8b"
_COLOUR = re.compile(r"([0-9]+)")
_EMPTY, _FILLED, _VARIABLE = "_#+"


@dataclass(frozen=True)
class Voxels:
    """A shape: the places that are filled, those that may be, and the colours, from 1, of those that have one."""

    name: str
    sides: Place
    filled: frozenset[Place]
    variable: frozenset[Place] = frozenset()
    colours: Mapping[Place, int] = field(default_factory=dict)


@dataclass(frozen=True)
class ShapeCopies:
    """Copies of a shape, by its number from 0; the group that they belong to, which is a matter of taking apart.

    Group 0 is none; None stands for several groups, or for one that only some copies are in.
    """

    shape: int
    least: int
    most: int
    group: int | None = 0


@dataclass(frozen=True)
class BurrSolution:
    """A solution that is stored: for each copy of a piece the place of its origin and the number of its turn, as written; and
    how many moves each separation takes, what was removed before what is left, if that is known."""

    assembly: str
    levels: tuple[int, ...] | None = None


@dataclass(frozen=True)
class BurrProblem:
    """Which shapes are to fill which, None if that was left open; `allowed` are pairs of colours, from 1, that may meet.

    `assemblies` is the number that BurrTools found, if its search came to an end; `holes` the most places that may stay empty.
    """

    name: str
    parts: tuple[ShapeCopies, ...]
    result: int | None
    allowed: frozenset[tuple[int, int]] = frozenset()
    holes: int | None = None
    assemblies: int | None = None
    solutions: tuple[BurrSolution, ...] = ()


@dataclass(frozen=True)
class BurrPuzzle:
    """A file: the number of its grid, of its colours, and its shapes and problems."""

    grid: int
    colours: int
    shapes: tuple[Voxels, ...]
    problems: tuple[BurrProblem, ...]


def parse(data: bytes) -> BurrPuzzle:
    """The puzzle in a file, gzipped or not. InputError for anything else, unpacked to at most `MAX_BYTES`."""
    data = _unpacked(data)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")  # Comments may have any encoding.
    reader = _Reader()
    try:
        reader.parser.Parse(text, True)
    except expat.ExpatError as error:
        raise InputError(f"damaged XML: {expat.ErrorString(error.code)}", None, error.lineno) from None
    except InputError as error:
        raise error.at(None, reader.parser.CurrentLineNumber) from None
    return BurrPuzzle(reader.grid, reader.colours, tuple(reader.shapes), tuple(reader.problems))


def _unpacked(data: bytes) -> bytes:
    if not data.startswith(_GZIP):
        return data
    unpacker = zlib.decompressobj(wbits=31)
    try:
        text = unpacker.decompress(data, MAX_BYTES + 1)
    except zlib.error:
        raise InputError("damaged gzip data") from None
    if len(text) > MAX_BYTES:
        raise InputError(f"unpacks to more than {MAX_BYTES >> 20} MB")
    if not unpacker.eof:
        raise InputError("damaged gzip data: its end is missing")
    return text


class _Reader:
    """Reads a file element by element."""

    def __init__(self) -> None:
        self.grid, self.colours = 0, 0
        self.shapes: list[Voxels] = []
        self.problems: list[BurrProblem] = []
        self._within: list[str] = []
        self._known: dict[str, str] = {}
        self._text: list[str] | None = None
        self._parts: list[ShapeCopies] = []
        self._pairs: set[tuple[int, int]] = set()
        self._problem: dict[str, str] = {}
        self._result: int | None = None
        self._solutions: list[BurrSolution] = []
        self._states: list[int] = []  # of the separations of a solution, in their order
        self._assembly = ""
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._characters
        # Entities, which can blow a text up or name other files, need a document type; the format has none.
        self.parser.StartDoctypeDeclHandler = self._refuse

    def _refuse(self, *_: object) -> None:
        raise InputError("a document type is declared, which no file of BurrTools does")

    def _start(self, name: str, known: dict[str, str]) -> None:
        self._within.append(name)
        path = "/".join(self._within[:5])
        if len(self._within) > _MAX_DEPTH:
            raise InputError("nested too deeply")
        if len(self._within) == 1 and name != "puzzle":
            raise InputError(f"its root is {name[:40]!r}, but the root of a BurrTools file is 'puzzle'")
        if path == "puzzle/gridType":
            self.grid = _whole(known, "type", 0)
        elif path == "puzzle/colors/color":
            self.colours += 1
        elif path == "puzzle/shapes/voxel":
            self._known, self._text = known, []
        elif path == "puzzle/problems/problem":
            self._problem, self._parts, self._pairs, self._result, self._solutions = known, [], set(), None, []
        elif path == "puzzle/problems/problem/shapes/shape":
            if len(self._within) == 5:
                self._parts.append(_part(known))
            else:  # The copies of the shape, by groups.
                self._parts[-1] = replace(self._parts[-1], group=None)
        elif path == "puzzle/problems/problem/result":
            self._result = _whole(known, "id")
        elif path == "puzzle/problems/problem/bitmap/pair":
            self._pairs.add((_whole(known, "piece") + 1, _whole(known, "result") + 1))
        elif path == _SOLUTION:
            self._start_of_solution(name)

    def _start_of_solution(self, name: str) -> None:
        if len(self._within) == 5:
            self._assembly, self._states = "", []
        elif name in ("assembly", "separationInfo"):
            self._text = []
        elif name == "separation":
            self._states.append(0)
        elif name == "state":
            # The states of a separation come before the separations within it.
            self._states[-1:] = [state + 1 for state in self._states[-1:]]

    def _end(self, name: str) -> None:
        path = "/".join(self._within[:5])
        if path == "puzzle/shapes/voxel" and self._text is not None and len(self._within) == 3:
            self.shapes.append(_voxels(self._known, "".join(self._text)))
            self._text = None
        elif path == "puzzle/problems/problem":
            self.problems.append(self._ended())
        elif path == _SOLUTION:
            self._end_of_solution(name)
        self._within.pop()

    def _end_of_solution(self, name: str) -> None:
        if len(self._within) == 5:
            levels = tuple(state - 1 for state in self._states)
            self._solutions.append(BurrSolution(self._assembly, levels if levels and min(levels) > 0 else None))
        elif self._text is not None:
            text, self._text = "".join(self._text), None
            if name == "assembly":
                self._assembly = text
            else:
                self._states = [int(word) for word in text.split() if re.fullmatch("[1-9][0-9]{0,8}", word)]

    def _characters(self, text: str) -> None:
        if self._text is not None:
            self._text.append(text)

    def _ended(self) -> BurrProblem:
        known = self._problem
        solved = known.get("state") == "2" and "assemblies" in known
        return BurrProblem(
            known.get("name", ""),
            tuple(self._parts),
            self._result,
            frozenset(self._pairs),
            _whole(known, "maxHoles") if "maxHoles" in known else None,
            _whole(known, "assemblies", most=None) if solved else None,
            tuple(self._solutions),
        )


def _whole(known: Mapping[str, str], key: str, default: int | None = None, most: int | None = _MOST) -> int:
    """A whole number among an element's attributes; it must be there if there is no default."""
    text = known.get(key, "" if default is None else str(default)).strip()
    if not re.fullmatch("[0-9]{1,18}", text) or (most is not None and int(text) > most):
        raise InputError(f"{key!r} is {text[:40]!r}; it must be a whole number" + ("" if most is None else f" up to {most:,}"))
    return int(text)


def _part(known: Mapping[str, str]) -> ShapeCopies:
    if "count" in known or not ("min" in known and "max" in known):
        least = most = _whole(known, "count", 1)
    else:
        least, most = _whole(known, "min"), _whole(known, "max")
    if least > most:
        raise InputError(f"a shape is used from {least} to {most} times, which is an empty range")
    return ShapeCopies(_whole(known, "id"), least, most, _whole({"group": known.get("group", "").strip() or "0"}, "group"))


def _voxels(known: Mapping[str, str], text: str) -> Voxels:
    x, y, z = sides = (_whole(known, "x"), _whole(known, "y"), _whole(known, "z"))
    if known.get("type", "0").strip() != "0":
        raise InputError(f"voxels of type {known['type'][:40]!r}; known is type 0")
    # Voxels without a number between them, and the number of the last one of them.
    parts = _COLOUR.split(text.strip())
    runs, numbers = parts[::2], parts[1::2]
    states = "".join(runs)
    if not {_EMPTY, _FILLED, _VARIABLE}.issuperset(states) or (numbers and not runs[0]):
        raise InputError("the voxels of a shape are written with '#', '+', '_' and numbers of colours")
    if len(states) != x * y * z:
        raise InputError(f"a shape of {x} x {y} x {z} has {counted(x * y * z, 'voxel')}; {len(states):,} are written")
    where: dict[str, set[Place]] = {_FILLED: set(), _VARIABLE: set()}
    colours: dict[Place, int] = {}
    for number, state in enumerate(states):
        if state != _EMPTY:
            where[state].add(_place(number, x, y))
    number = -1
    for run, colour in zip(runs, numbers, strict=False):
        number += len(run)
        if states[number] != _EMPTY and int(colour[:9]):
            if int(colour[:9]) > MOST_COLOURS:
                raise InputError(f"a voxel has the colour {colour[:9]}; there are at most {MOST_COLOURS}")
            colours[_place(number, x, y)] = int(colour)
    return Voxels(known.get("name", ""), sides, frozenset(where[_FILLED]), frozenset(where[_VARIABLE]), colours)


def _place(number: int, x: int, y: int) -> Place:
    """The place of a voxel by its number among those of a shape with these sides."""
    return number % x, number // x % y, number // (x * y)


def write(puzzle: BurrPuzzle, comment: str = "") -> bytes:
    """A file that `parse` reads as an equal puzzle, its colours in one shade; the same bytes whenever it is written."""
    lines = ['<?xml version="1.0"?>', '<puzzle version="2">', f' <gridType type="{puzzle.grid}"/>', " <colors>"]
    lines += ['  <color red="128" green="128" blue="128"/>'] * puzzle.colours
    lines += [" </colors>", " <shapes>"]
    for shape in puzzle.shapes:
        x, y, z = shape.sides
        lines.append(f'  <voxel x="{x}" y="{y}" z="{z}" name="{_escaped(shape.name)}" type="0">{_letters(shape)}</voxel>')
    lines += [" </shapes>", " <problems>"]
    for problem in puzzle.problems:
        lines += [f'  <problem name="{_escaped(problem.name)}" state="0">', "   <shapes>"]
        for part in problem.parts:
            copies = f'count="{part.most}"' if part.least == part.most else f'min="{part.least}" max="{part.most}"'
            group = f' group="{part.group}"' if part.group else ""
            lines.append(f'    <shape id="{part.shape}" {copies}{group}/>')
        lines += ["   </shapes>", f'   <result id="{problem.result}"/>', "   <bitmap>"]
        lines += [f'    <pair piece="{piece - 1}" result="{result - 1}"/>' for piece, result in sorted(problem.allowed)]
        lines += ["   </bitmap>", "  </problem>"]
    lines += [" </problems>", f" <comment>{_escaped(comment)}</comment>", "</puzzle>", ""]
    return gzip.compress("\n".join(lines).encode("ascii"), mtime=0)


def _letters(shape: Voxels) -> str:
    x, y, z = shape.sides
    places = ((i, j, k) for k in range(z) for j in range(y) for i in range(x))
    state = dict.fromkeys(shape.filled, _FILLED) | dict.fromkeys(shape.variable, _VARIABLE)
    return "".join(f"{state.get(place, _EMPTY)}{shape.colours.get(place, '')}" for place in places)


def _escaped(text: str) -> str:
    """Text for XML in ASCII; control characters, which XML cannot have, as question marks."""
    safe = re.sub(r"[^\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "?", text)
    return escape(safe, quote=False).replace('"', "&quot;").encode("ascii", "xmlcharrefreplace").decode()
