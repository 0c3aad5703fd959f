"""Write exact covers in the format of Knuth's dancing links programs, and read general exact covers from it.

The first line names the items, those behind a `|` secondary, and every other line is an option, the items that it covers. Lines
that begin with `|` are comments. As in DLX3 a primary item is covered `least:most|name` times, `times|name`, or once. An item
that may be covered several times is a tile of the cover, and its bounds are the tile's: so an option can have one such item. As
in DLX2 an option gives a secondary item a colour by `name:colour`; options share the item if they give it the same one. As in
DLX5 `|7` behind an item is a cost: costs of an option add up. The options of one cost are a tile, whose weight is the cost with
the other sign, so that the heaviest solution is the cheapest.

In the text of a board, items are the cells, as `row,column` or `layer,row,column` from the board's corner, and `#1`, `#2`, ...
for tiles with bounds; comments at the top say which tiles these are. If tiles are used once or at most once each, DLX1, DLX2 and
their kin read the text; other bounds take DLX3.

Source: Knuth, the programs DLX1 to DLX3 and DLX5, and The Art of Computer Programming 4B, section 7.2.2.1.
"""

from __future__ import annotations

import re
import string
import sys
from collections import Counter
from collections.abc import Generator, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import NamedTuple

import numpy as np

from tiler import printable
from tiler.cover.board import BoardCover
from tiler.cover.coloured_items import split_colour
from tiler.cover.cover import Cover, RowCover
from tiler.errors import InputError, located
from tiler.formats import load
from tiler.jsontext import shown
from tiler.model.crossing import Corner
from tiler.model.lattice import Cell, box
from tiler.model.tile import MAX_WEIGHT

#: A file larger than this is refused unread.
MAX_BYTES = 64 << 20

_LONGEST = 8  # the most letters of a name that Knuth's programs read
_NAME = re.compile(rf"[!-9;-{{}}~]{{1,{_LONGEST}}}")
_DIGITS = 9  # the most digits of a bound
_COLOURS = string.digits[1:] + string.ascii_letters  # the letters that can be colours, as in Knuth's programs


@dataclass(frozen=True)
class _Item:
    """An item of the first line."""

    name: str
    least: int
    most: int
    is_secondary: bool

    @property
    def is_counted(self) -> bool:
        """Whether it can be covered more than once."""
        return self.most > 1


class _Option(NamedTuple):
    """An option, from a line of the text."""

    line: int
    words: tuple[str, ...]
    cost: int


def read(path: str | Path) -> RowCover:
    """The general exact cover in a file, `-` for standard input; InputError says what is wrong in which line."""
    return parse(load(path, MAX_BYTES), source="<stdin>" if str(path) == "-" else str(path))


def parse(content: str, *, source: str | None = None) -> RowCover:
    """The general exact cover that a text stands for. Options without a primary item are left out, as Knuth's programs do.

    >>> parse("a b 2:3|c | d\\na c\\nb c d\\nc\\n").rows
    (('a', 'c'), ('b', 'c', 'd'), ('c',))
    """
    with located(source):
        return _parse(content)


def weighed(cover: RowCover, written: Sequence[str]) -> RowCover:
    """The cover with other weights of the options with some item, each written as `NAME N`: an item that may be covered several
    times."""
    weights = cover.weights.copy()
    for text in written:
        name, _, number = text.strip().rpartition(" ")
        if not re.fullmatch(r"[+-]?[0-9]{1,10}", number) or abs(int(number)) > MAX_WEIGHT:
            raise InputError(f"weight: {shown(text)} is not of the form NAME N, a whole number up to {MAX_WEIGHT:,}")
        tiles = [t for t, key in enumerate(cover.names) if key and key == name.strip()]
        if not tiles:
            raise InputError(f"weight: {shown(name)} is no item that may be covered several times, LEAST:MOST|NAME")
        weights[tiles] = int(number)
    return replace(cover, weights=weights)


def _parse(content: str) -> RowCover:
    lines = [
        (number, line) for number, line in enumerate(content.split("\n"), 1) if line.strip() and not line.lstrip().startswith("|")
    ]
    if not lines:
        raise InputError("there is no line with items")
    number, first = lines[0]
    with located(line=number):
        items = {item.name: item for item in _items(first)}
    options: list[_Option] = []
    for number, line in lines[1:]:
        try:
            words, cost = _option(line, items)
        except InputError as error:
            raise error.at(None, number) from None
        if not all(items[_name(word)].is_secondary for word in words):
            options.append(_Option(number, words, cost))
    return _cover(items, options)


def _items(line: str) -> Iterator[_Item]:
    seen: set[str] = set()
    secondary = False
    for word in line.split():
        name = word
        if word.startswith("|"):
            if secondary:
                raise InputError("the line of items has | twice")
            secondary, name = True, word[1:]
            if not name:
                continue
        bounds, bar, name = name.rpartition("|")
        least, most = _bounds(bounds) if bar else (1, 1)
        if bar and secondary:
            raise InputError(f"the secondary item {shown(name)} has a multiplicity; only primary ones can")
        if not name or ":" in name:
            raise InputError(f"{shown(word)} is no item; write it as NAME, TIMES|NAME or LEAST:MOST|NAME")
        if name in seen:
            raise InputError(f"the item {shown(name)} is named twice")
        seen.add(name)
        yield _Item(name, 0 if secondary else least, most, secondary)
    if not seen:
        raise InputError("there is no item")


def _bounds(text: str) -> tuple[int, int]:
    """The numbers before an item's name: the least and the most."""
    least, colon, most = text.partition(":")
    if not colon:
        most = least
    if not re.fullmatch(rf"[0-9]{{1,{_DIGITS}}}:[0-9]{{1,{_DIGITS}}}", f"{least}:{most}"):
        raise InputError(f"{shown(text)} is no multiplicity; write it as TIMES| or LEAST:MOST|, whole numbers")
    if int(most) == 0 or int(least) > int(most):
        raise InputError(f"the multiplicity {shown(text)} is not a range that ends at 1 or more")
    return int(least), int(most)


def _option(line: str, items: dict[str, _Item]) -> tuple[tuple[str, ...], int]:
    """The items of an option, and what it costs."""
    words = []
    cost = 0
    for written in line.split():
        word, bar, price = written.partition("|")
        if bar and not re.fullmatch(rf"[0-9]{{1,{_DIGITS}}}", price):
            raise InputError(f"{shown(written)}: behind | stands a cost, a whole number of at most {_DIGITS} digits")
        words.append(word)
        cost += int(price or 0)
        name, colon, colour = word.partition(":")
        if name not in items:
            raise InputError(f"the item {shown(name)} is not in the line of items")
        if colon and not colour:
            raise InputError(f"{shown(word)} has no colour behind the colon")
        if colon and not items[name].is_secondary:
            raise InputError(f"{shown(word)} has a colour; only secondary items can, those behind | in the line of items")
    twice = [name for name, times in Counter(map(_name, words)).items() if times > 1]
    if twice:
        raise InputError(f"the item {shown(twice[0])} is in this option twice")
    if cost > MAX_WEIGHT:
        raise InputError(f"the option costs {cost:,}; the most is {MAX_WEIGHT:,}")
    return tuple(map(sys.intern, words)), cost  # All options share one string for the item.


def _name(word: str) -> str:
    """The item of a word of an option, which may have a colour."""
    return word.partition(":")[0]


def _cover(items: dict[str, _Item], options: list[_Option]) -> RowCover:
    uses = Counter(name for option in options for name in option.words)
    # An item that may be covered several times is a tile; what no option has is an item like others. If an option has two, one
    # of them has to be left out: one that can be covered as often as there are options with it says nothing.
    counted = {name for name, item in items.items() if item.is_counted and uses[name]}
    free = {name for name in counted if not items[name].least and items[name].most >= uses[name]}
    free = {name for option in options if len(counted & set(option.words)) > 1 for name in free & set(option.words)}
    counted -= free
    rows: list[tuple[str | tuple[str, int], ...]] = []
    keys: list[str | None] = []
    fillers: list[tuple[str, int]] = []
    costs: dict[str, int] = {}
    for number, names, cost in options:
        several = [name for name in names if name in counted]
        if len(several) > 1:
            raise InputError(
                f"an option with two items that may be covered several times, {shown(several[0])} and {shown(several[1])}: "
                "only one can be counted",
                None,
                number,
            )
        if several and cost:
            raise InputError(
                f"an option with a cost, and with {shown(several[0])}, which may be covered several times: only one is read",
                None,
                number,
            )
        row: list[str | tuple[str, int]] = [name for name in names if name not in counted and name not in free]
        if not row:  # An option needs an item, so it gets its own item, which may stay open.
            fillers.append(("option", len(rows)))
            row = [fillers[-1]]
        rows.append(tuple(row))
        costs |= {f"cost {cost}": cost} if cost else {}
        keys.append(several[0] if several else f"cost {cost}" if cost else None)
    once = [name for name in items if name not in counted and name not in free]
    cover = Cover.from_rows(
        rows,
        items=once,
        secondary=[*(name for name in once if items[name].least == 0), *fillers],
        tile_of=keys,
        at_least={name: items[name].least for name in items if name in counted and items[name].least},
        at_most={name: items[name].most for name in items if name in counted and items[name].most < uses[name]},
        weights={name: -cost for name, cost in costs.items()},
    )
    plain = set(cover.items)
    return replace(cover, rows=tuple(option.words for option in options), given=sum(name in plain for name in once))


def write(cover: BoardCover | RowCover, comments: Sequence[str] = ()) -> Iterator[str]:
    """The lines of the text, an option per line in the order of the cover."""
    for comment in comments:
        yield f"| {printable.joined(comment)}"
    yield from _of_board(cover) if isinstance(cover, BoardCover) else _of_rows(cover)


def _of_board(cover: BoardCover) -> Iterator[str]:
    low, _ = box(frozenset(cover.cells))

    def name(place: Cell) -> str:
        return ",".join(str(a - b) for a, b in zip(place, low, strict=True))

    names = [*map(name, cover.cells), *(f"x{name(corner.point)}{_towards(corner)}" for corner in cover.corners)]
    primary, secondary = list(names), []
    item_of: dict[int, str] = {}
    for t, tile in enumerate(cover.tiles):
        if not cover.bounded[t]:
            continue
        item_of[t] = f"#{len(item_of) + 1}"
        lower, upper = int(cover.lower[t]), int(cover.upper[t])
        yield f"| {item_of[t]} {printable.joined(tile.name)}, from {lower} to {upper}"
        if (lower, upper) == (0, 1):
            secondary.append(item_of[t])
        else:
            primary.append(_written(item_of[t], lower, upper))
    if _is_impossible(cover):
        yield "| #0 has no option: there is no solution"
        primary.append("#0")
    coloured: list[list[str]] = [[] for _ in range(len(cover))]
    if cover.coloured is not None:
        shared = {number: f"s{number + 1}" for number in range(len(cover.coloured.items))}
        for item, written in zip(cover.coloured.items, shared.values(), strict=True):
            yield f"| {written} is {printable.joined(str(item))}"
        colours = yield from _colours(cover.coloured.colours)
        secondary += shared.values()
        coloured = [
            [f"{shared[x]}:{colours[c - 1]}" for x, c in cover.coloured.of_option(option)] for option in range(len(cover))
        ]
    yield _line_of_items(primary, secondary)
    for option, words in enumerate(coloured):
        tile_item = [item_of[t] for t in [int(cover.tile[option])] if t in item_of]
        yield " ".join(tile_item + [names[item] for item in cover.members[option].tolist()] + words)


def _colours(names: Sequence[str]) -> Generator[str, None, list[str]]:
    """What is written for colours, with comments that say so: their names if all are single letters, as Knuth's programs have
    them; else letters, or numbers if there are not enough letters."""
    if all(len(name) == 1 and "!" <= name <= "~" for name in names):
        return list(names)
    written = list(_COLOURS[: len(names)]) if len(names) <= len(_COLOURS) else [str(number + 1) for number in range(len(names))]
    for short, name in zip(written, names, strict=True):
        yield f"| colour {short} is {printable.joined(name)}"
    return written


def _towards(corner: Corner) -> str:
    return f"/{','.join(map(str, corner.way))}" if any(corner.way) else ""


def _of_rows(cover: RowCover) -> Iterator[str]:
    """A general cover, with the options that are left of it."""
    options = np.flatnonzero(~cover.fills)
    both_of = {item: split_colour(item) or (item, None) for row in cover.rows for item in row}
    rows = [[both_of[item] for item in cover.rows[cover.row_of[number]]] for number in cover.origin[options].tolist()]
    shared = dict.fromkeys(name for name, colour in both_of.values() if colour is not None)
    given = cover.items[: cover.given]
    uses = Counter(item for row in rows for item, _ in row)
    known = {*given, *shared}
    counting = [item for item in uses if item not in known]  # items of tiles, or items that can be covered any number of times
    names = _names([*given, *counting, *shared])
    for item, name in names.items():
        if name != str(item):
            yield f"| {name} is {printable.joined(str(item))}"
    taken = set(names.values())
    fresh = (name for name in map("#{}".format, count(1)) if name not in taken)
    item_of: dict[int, str] = {}
    primary: list[str] = []
    secondary = [names[item] for item in shared]
    for number, item in enumerate(given):
        (secondary if number in cover.may_stay_open else primary).append(names[item])
    for t in np.flatnonzero(cover.bounded).tolist():
        lower, upper, key = int(cover.lower[t]), int(cover.upper[t]), cover.names[t]
        if cover.is_filler[t]:
            continue
        if key in counting:
            counting.remove(key)
            primary.append(_written(names[key], lower, upper))
            continue
        item_of[t] = next(fresh)
        yield f"| {item_of[t]} {printable.joined(key) or 'rows without a key'}, from {lower} to {upper}"
        if (lower, upper) == (0, 1):
            secondary.append(item_of[t])
        else:
            primary.append(_written(item_of[t], lower, upper))
    primary += [_written(names[item], 0, uses[item]) for item in counting]
    if _is_impossible(cover):
        primary.append(next(fresh))
        yield f"| {primary[-1]} has no option: there is no solution"
    every = list(dict.fromkeys(colour for _, colour in both_of.values() if colour is not None))
    letters = yield from _colours(every)
    colour_of = {None: ""} | {colour: f":{letter}" for colour, letter in zip(every, letters, strict=True)}
    lines = [
        [*(names[item] + colour_of[colour] for item, colour in row), *(item_of[t] for t in [tile] if t in item_of)]
        for row, tile in zip(rows, cover.tile[options].tolist(), strict=True)
    ]
    # An option without a primary item would be left out, so it gets its own primary item.
    optional = set(secondary)
    for line in lines:
        if optional.issuperset(map(_name, line)):
            line.append(next(fresh))
            primary.append(_written(line[-1], 0, 1))
    yield _line_of_items(primary or [_written(next(fresh), 0, 1)], secondary)
    for line, tile in zip(lines, cover.tile[options].tolist(), strict=True):
        yield " ".join(line) + (f"|{-cover.weights[tile]}" if cover.weights[tile] < 0 else "")


def _is_impossible(cover: Cover) -> bool:
    """Whether a tile must be used more often than it can be; Knuth's programs refuse such a multiplicity."""
    return bool((cover.lower > cover.upper).any())


def _line_of_items(primary: Sequence[str], secondary: Sequence[str]) -> str:
    return " ".join([*primary, *(["|", *secondary] if secondary else [])])


def _written(name: str, lower: int, upper: int) -> str:
    """A primary item with its multiplicity. One that cannot be kept is not in the format: then another item says that there is no
    solution."""
    if lower > upper or not upper:
        return f"0:1|{name}"
    return name if lower == upper == 1 else f"{lower}:{upper}|{name}"


def _names(items: Sequence[Hashable]) -> dict[Hashable, str]:
    """A name for every item that Knuth's programs read: its own, if those of all are such, else numbers."""
    own = [str(item) for item in items]
    if len(set(own)) == len(own) and all(map(_NAME.fullmatch, own)):
        return dict(zip(items, own, strict=True))
    return {item: str(number) for number, item in enumerate(items, 1)}
