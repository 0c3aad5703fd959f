"""List the settings of a problem: how each is read from a problem file and from JSON, and how it is written to them.

A setting of `ONCE` is one line of a problem file, `# name: text`, and a field of an instance, or of its `about`, `expected` or
`ground`. A setting of `SEVERAL` is any number of lines, which change an instance with its tiles. The lattice, and what says how
board and tiles are written, are read before these, by text.py and json.py.

Options of commands and arguments of functions (question/parameters.py) have the names of settings, but for those in `_CALLED`.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple, TypedDict

from tiler.errors import InputError, suggest
from tiler.formats import instance_settings as own
from tiler.formats import json_values, paint_text
from tiler.formats.blocks import Line
from tiler.formats.json_values import cells, fields_of, natural, typed
from tiler.formats.paint_text import NO_LEGEND, Legend
from tiler.jsontext import shown
from tiler.model.about import About
from tiler.model.constraints import KINDS, Constraint
from tiler.model.expected import Expected, Status
from tiler.model.instance import Instance
from tiler.model.lattice import Cell, Lattice, Shape
from tiler.model.lattices import spread
from tiler.model.open_cells import Labels, OpenGroup
from tiler.model.paint import Ground
from tiler.model.tile import MAX_BOX
from tiler.model.wrap import Wrap, parse_wrap, wrap_of


class Settings(TypedDict, total=False):
    """The settings of a board and its tiles that functions take."""

    reflections: bool | None
    as_named: bool
    lattice: str | None
    wrap: str | None
    crossing: bool
    turning: bool
    open: int | str | None
    weights: Mapping[str, int] | None
    legend: str | None
    mates: str | None
    fits: str | None
    checkered: str | None
    border: str | Sequence[str]


_CALLED = {"legend": "colours", "weights": "weight", "as_named": "sets"}
AS_NAMED = "as named"


def lines_of(given: Mapping[str, Any]) -> Iterator[tuple[str, Line]]:
    """The lines of a problem file that say the same as arguments: name and text. None says nothing."""
    for parameter, value in given.items():
        if parameter == "as_named":
            texts = [AS_NAMED] * bool(value)
        elif value is None or isinstance(value, bool):
            texts = [] if value is None else ["yes" if value else "no"]
        elif isinstance(value, Mapping):
            texts = [f"{tile} {number}" for tile, number in value.items()]
        else:
            texts = list(value) if isinstance(value, Sequence) and not isinstance(value, str) else [str(value)]
        yield from ((_CALLED.get(parameter, parameter), Line(None, text)) for text in texts)


class Reading(NamedTuple):
    """What is known of a problem when a setting is read."""

    lattice: Lattice
    board: Shape
    legend: Legend = NO_LEGEND


@dataclass(frozen=True)
class InJson:
    """A field of an instance, or of a part of it, as a key in JSON. If it is not `always` there, the default is left out."""

    key: str
    read: Callable[[Mapping[str, Any], str], Any]
    write: Callable[[Any], Any] = lambda value: value
    always: bool = True

    def is_usual(self, part: Any) -> bool:
        """Whether the field has its default."""
        usual: bool = getattr(part, self.key) == type(part).__dataclass_fields__[self.key].default
        return usual


@dataclass(frozen=True)
class Setting:
    """A setting that is said once: a field of `of`. Its default is not written."""

    of: type
    name: str
    read: Callable[[str, Reading], Any]
    write: Callable[[Any], str]
    json: InJson

    def value(self, text: str, reading: Reading) -> dict[str, Any]:
        """The value that the text behind the name stands for, by the name of the field."""
        return {self.json.key: self.read(text, reading)}

    def written(self, part: Any) -> str:
        """The text behind the name; empty for the default."""
        return "" if self.json.is_usual(part) else self.write(getattr(part, self.json.key))


@dataclass(frozen=True)
class SeveralLines:
    """A setting of any number of lines, each a name and its text. `write` gets the names that tiles have in the file, if any
    setting names tiles."""

    names: tuple[str, ...]
    add: Callable[[Instance, Sequence[tuple[str, Line]], Legend], Instance]
    write: Callable[[Instance, Sequence[str]], Iterable[tuple[str, str]]]
    json: InJson | None = None


def with_settings(instance: Instance, given: Mapping[str, Any]) -> Instance:
    """The instance with other settings, given as functions take them; constraints by their kinds.

    >>> from tiler import formats
    >>> with_settings(formats.inline(["5x5", "4T"]), {"open": 1}).open
    (0, 1)
    >>> with_settings(formats.inline(["4x4", "2", "4L"]), {"weights": {"4L": -3}}).tiles[1].weight
    -3
    """
    lines = list(lines_of(given))
    reading = Reading(instance.lattice, instance.board)
    values: dict[type, dict[str, Any]] = {Instance: {}, Ground: {}}
    for each, line in ((each, line) for each in ONCE for name, line in lines if name == each.name):
        values[each.of] |= each.value(line.text, reading)
    if any(values.values()):
        instance = replace(instance, ground=replace(instance.ground, **values[Ground]), **values[Instance])
    return with_lines(instance, lines, NO_LEGEND)


def with_lines(instance: Instance, written: Sequence[tuple[str, Line]], legend: Legend) -> Instance:
    """The instance with what the lines of `SEVERAL` say, each a name and its text."""
    for setting in SEVERAL:
        lines = [line for line in written if line[0] in setting.names]
        instance = setting.add(instance, lines, legend) if lines else instance
    return instance


# Texts of files.


def yes_or_no(text: str, reading: Reading | None = None) -> bool:
    """What a setting says that is yes or no."""
    if text.lower() not in ("yes", "no"):
        raise InputError(f"{text!r} is neither yes nor no")
    return text.lower() == "yes"


def numbers_open(text: str) -> tuple[int, int]:
    """How many cells stay open, at least and at most, of `N` (at most), `M..N` or `M..`.

    >>> numbers_open("4"), numbers_open("4..4")
    ((0, 4), (4, 4))
    """
    match = re.fullmatch(r"(?:([0-9]{1,7})(\.\.))?([0-9]{1,7})?", text.strip())
    if match is None or not (match[1] or match[3]):
        raise InputError(f"open: {text.strip()[:40]!r} is no number of cells: N (at most N), M..N, or M.. (at least)")
    return int(match[1] or 0), MAX_BOX if match[3] is None else int(match[3])


def _wrap(text: str, reading: Reading) -> Wrap:
    return parse_wrap(text, *spread(reading.lattice, reading.board))


def _verdict(text: str, reading: Reading) -> Status:
    if text not in (Status.SAT, Status.UNSAT):
        raise InputError(f"{text!r} is neither sat nor unsat")
    return Status(text)


def _number_of_tilings(text: str, reading: Reading) -> int:
    if not re.fullmatch("[0-9]{1,4000}", text):
        raise InputError(f"{text[:40]!r} is not a number of tilings")
    return int(text)


def _pairs(text: str, reading: Reading) -> tuple[tuple[str, str], ...]:
    return paint_text.pairs(text, partial(reading.legend.name, what="pairs"))


# Values of JSON.


def _tags(fields: Mapping[str, Any], key: str) -> tuple[str, ...]:
    tags = typed(fields, key, list, [])
    if not all(isinstance(tag, str) and json_values.is_line(tag) for tag in tags):
        raise InputError("'tags' must be a list of words")
    return tuple(tags)


def _vectors(fields: Mapping[str, Any], key: str) -> Wrap:
    """The wrap of a list of vectors, each a list of numbers."""
    data = fields.get(key, [])
    numbers = [number for vector in data if isinstance(vector, list) for number in vector] if isinstance(data, list) else [None]
    if (
        not isinstance(data, list)
        or len(numbers) < 2 * len(data)
        or not all(type(number) is int and abs(number) < 10**6 for number in numbers)
    ):
        raise InputError(f"{key!r} is {shown(data)}; it must be a list of vectors [rows, columns] or [layers, rows, columns]")
    return wrap_of([tuple(vector) for vector in data])


def _open(fields: Mapping[str, Any], key: str) -> tuple[int, int] | None:
    """How many cells stay open, at least and at most."""
    data = fields.get(key)
    if data is None:
        return None
    if not isinstance(data, list) or len(data) != 2 or not all(type(number) is int and 0 <= number < 10**9 for number in data):
        raise InputError(f"{key!r} is {shown(data)}; it must be two whole numbers [at least, at most], or null")
    return data[0], data[1]


def _status(fields: Mapping[str, Any], key: str) -> Status | None:
    verdict = fields.get(key)
    if verdict not in (None, Status.SAT, Status.UNSAT):
        raise InputError(f"{key!r} is {shown(verdict)}, neither 'sat' nor 'unsat'")
    return Status(verdict) if verdict else None


def _names_of_tiles(fields: Mapping[str, Any], key: str) -> tuple[tuple[str, ...], ...]:
    data = fields.get(key, [])
    groups = data if isinstance(data, list) else [None]
    if not all(isinstance(group, list) and group and all(isinstance(name, str) for name in group) for group in groups):
        raise InputError(f"{key!r} is {shown(data)}; it must be a list of groups, each a list of names of tiles")
    return tuple(map(tuple, groups))


def _fits(fields: Mapping[str, Any], key: str) -> tuple[tuple[str, str], ...] | None:
    return None if fields.get(key) is None else json_values.pairs(fields, key)


def _each(read: Callable[[Any], Any]) -> Callable[[Mapping[str, Any], str], tuple[Any, ...]]:
    return lambda fields, key: tuple(map(read, typed(fields, key, list, [])))


def _labels(fields: Mapping[str, Any], key: str) -> Labels:
    return tuple(sorted(_each(_label)(fields, key)))


def _labels_to_json(labels: Labels) -> list[dict[str, Any]]:
    return [{"cell": cell, "label": label} for cell, label in labels]


def _groups_to_json(groups: Sequence[OpenGroup]) -> list[dict[str, Any]]:
    return [{"name": group.name, "cells": sorted(group.cells)} for group in groups]


def _label(data: Any) -> tuple[Cell, str]:
    fields = fields_of(data, "a label", ("cell", "label"))
    return next(iter(cells([fields.get("cell")], "'cell' of a label"))), typed(fields, "label", str, "")


def _group(data: Any) -> OpenGroup:
    fields = fields_of(data, "a group", ("name", "cells"))
    return OpenGroup(typed(fields, "name", str, ""), cells(fields.get("cells"), "'cells' of a group"))


def _constraint(data: Any) -> Constraint:
    fields = fields_of(data, "a constraint", tuple(field.name for field in dataclasses.fields(Constraint)))
    kind, tile = typed(fields, "kind", str, ""), typed(fields, "tile", str, "")
    if kind not in KINDS:
        raise InputError(f"the constraint {shown(kind)} is unknown{suggest(kind, KINDS)}; there are {', '.join(KINDS)}")
    # The two corners of a box have an order, and may be equal.
    marked = tuple(cell for place in typed(fields, "cells", list, []) for cell in cells([place], "'cells' of a constraint"))
    return Constraint(kind, tile, marked, natural(fields, "orientations", 0) or 0)


# The table.


def _text(field: str) -> Setting:
    json = InJson(field, lambda fields, key: typed(fields, key, str, ""))
    return Setting(About, field, lambda text, _: text, str, json)


def _allowed(field: str, *, always: bool = True) -> Setting:
    """What is allowed unless the setting says no."""
    json = InJson(field, lambda fields, key: typed(fields, key, bool, True), always=always)
    return Setting(Instance, field, yes_or_no, lambda value: "yes" if value else "no", json)


def _expected_count(name: str, field: str) -> Setting:
    return Setting(Expected, name, _number_of_tilings, str, InJson(field, natural))


ABOUT = (
    _text("title"),
    _text("source"),
    Setting(About, "tags", lambda text, _: tuple(text.replace(",", " ").split()), ", ".join, InJson("tags", _tags, list)),
)
PLACE = (
    Setting(Instance, "wrap", _wrap, str, InJson("wrap", _vectors, lambda wrap: wrap.vectors)),
    _allowed("crossing"),
    _allowed("turning", always=False),
)
OPEN = (
    Setting(Instance, "open", lambda text, _: numbers_open(text), lambda ends: "{}..{}".format(*ends), InJson("open", _open)),
)
EXPECTED = (
    Setting(Expected, "verdict", _verdict, str, InJson("verdict", _status)),
    _expected_count("count", "count"),
    _expected_count("count up to symmetry", "up_to_symmetry"),
)
MATCHING = (
    Setting(Ground, "mates", _pairs, paint_text.pairs_in_words, InJson("mates", json_values.pairs, always=False)),
    Setting(Ground, "fits", _pairs, paint_text.pairs_in_words, InJson("fits", _fits, always=False)),
)
#: All settings that are said once, in the order of problem files.
ONCE = (*ABOUT, *PLACE, *OPEN, *EXPECTED, *MATCHING)

#: All settings of several lines, in the order of problem files.
SEVERAL = (
    SeveralLines(("border",), own.bordered, paint_text.border_lines),
    SeveralLines(("labels",), own.labelled, own.label_lines, InJson("labels", _labels, _labels_to_json, always=False)),
    SeveralLines(("group",), own.grouped, own.group_lines, InJson("groups", _each(_group), _groups_to_json, always=False)),
    SeveralLines(("weight",), own.weighed, own.weight_lines),
    SeveralLines(("fill",), own.filled, own.fill_lines),
    SeveralLines(
        KINDS,
        own.constrained,
        own.constraint_lines,
        InJson("constraints", _each(_constraint), lambda constraints: list(map(vars, constraints))),
    ),
    SeveralLines(("together",), own.held_together, own.together_lines, InJson("together", _names_of_tiles, always=False)),
)
