"""List the settings of a problem: how each is read from a problem file and from JSON, and how it is written to them.

A setting of `ONCE` is one line of a problem file, `# name: text`, and a field of an instance, or of its `about`, `expected` or
`ground`. A setting of `SEVERAL` is any number of lines, which change an instance with its tiles. The lattice, and what says how
board and tiles are written, are read before these, by text.py and json.py.

Options of commands and arguments of functions (`PROBLEM` in question/parameters.py) have the names of settings, but for those in
`_CALLED`.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple, TypedDict

from tiler.errors import InputError, suggest
from tiler.formats import instance_settings, json_values, paint_text
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
from tiler.model.open_cells import OpenGroup
from tiler.model.paint import Ground
from tiler.model.tile import MAX_BOX
from tiler.model.wrap import Wrap, parse_wrap, wrap_of


class Settings(TypedDict, total=False):
    """The settings that functions take for a board and its tiles: the parameters `PROBLEM`."""

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
    """A key of the object that is a problem in JSON. If it is not `always` there, it is left out for the default."""

    key: str
    read: Callable[[Mapping[str, Any], str], Any]
    write: Callable[[Any], Any] = lambda value: value
    always: bool = True
    field: str = ""  #: of the instance, if not the key

    def value(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        """The value in an object, by the name of the field."""
        return {self.field or self.key: self.read(fields, self.key)}

    def written(self, part: Any) -> dict[str, Any]:
        """The key with its value for an instance, or the part that has the field."""
        name = self.field or self.key
        value = getattr(part, name)
        return {self.key: self.write(value)} if self.always or value != _default(part, name) else {}


@dataclass(frozen=True)
class Setting:
    """A setting that is said once: a field of `of`. Its default is not written."""

    of: type
    name: str
    read: Callable[[str, Reading], Any]
    write: Callable[[Any], str]
    json: InJson

    @property
    def field(self) -> str:
        """The name of its field."""
        return self.json.field or self.json.key

    def value(self, text: str, reading: Reading) -> Any:
        """The value that the text behind the name stands for."""
        return self.read(text, reading)

    def written(self, instance: Instance) -> str:
        """The text behind the name; empty for the default."""
        part = parts_of(instance)[self.of]
        value = getattr(part, self.field)
        return "" if value == _default(part, self.field) else self.write(value)


@dataclass(frozen=True)
class SeveralLines:
    """A setting of any number of lines, each a name and its text. `write` gets the names that tiles have in the file. If it needs
    them, `without` returns an instance without the setting: the same one if it does not have the setting."""

    names: tuple[str, ...]
    add: Callable[[Instance, Sequence[tuple[str, Line]], Legend], Instance]
    write: Callable[[Instance, Sequence[str]], Iterable[tuple[str, str]]]
    without: Callable[[Instance], Instance] = lambda instance: instance
    json: InJson | None = None


def parts_of(instance: Instance) -> dict[type, Any]:
    """The parts of an instance that have settings."""
    return {Instance: instance, About: instance.about, Expected: instance.about.expected, Ground: instance.ground}


def _default(part: Any, field: str) -> Any:
    return type(part).__dataclass_fields__[field].default


def with_settings(instance: Instance, given: Mapping[str, Any]) -> Instance:
    """The instance with other settings, given as functions take them; constraints by their kinds."""
    lines = list(lines_of(given))
    reading = Reading(instance.lattice, instance.board)
    values = {each.field: each.value(line.text, reading) for each in ONCE for name, line in lines if name == each.name}
    return with_lines(replace(instance, **values) if values else instance, lines, NO_LEGEND)


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


def _verdict(text: str) -> Status:
    if text not in (Status.SAT, Status.UNSAT):
        raise InputError(f"{text!r} is neither sat nor unsat")
    return Status(text)


def _number_of_tilings(text: str) -> int:
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


def _each(read: Callable[[Any], Any]) -> Callable[[Mapping[str, Any], str], tuple[Any, ...]]:
    return lambda fields, key: tuple(map(read, typed(fields, key, list, [])))


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
    return Setting(Expected, name, lambda text, _: _number_of_tilings(text), str, InJson(field, natural))


ABOUT = (
    _text("title"),
    _text("source"),
    Setting(
        About,
        "tags",
        lambda text, _: tuple(text.replace(",", " ").split()),
        ", ".join,
        InJson("tags", _tags, list),
    ),
)
PLACE = (
    Setting(
        Instance,
        "wrap",
        lambda text, reading: parse_wrap(text, *spread(reading.lattice, reading.board)),
        str,
        InJson("wrap", _vectors, lambda wrap: wrap.vectors),
    ),
    _allowed("crossing"),
    _allowed("turning", always=False),
)
OPEN = (
    Setting(Instance, "open", lambda text, _: numbers_open(text), lambda ends: "{}..{}".format(*ends), InJson("open", _open)),
)
EXPECTED = (
    Setting(Expected, "verdict", lambda text, _: _verdict(text), str, InJson("verdict", _status)),
    _expected_count("count", "count"),
    _expected_count("count up to symmetry", "up_to_symmetry"),
)
MATCHING = (
    Setting(
        Ground,
        "mates",
        _pairs,
        paint_text.pairs_in_words,
        InJson("mates", json_values.pairs, always=False),
    ),
    Setting(
        Ground,
        "fits",
        _pairs,
        paint_text.pairs_in_words,
        InJson(
            "fits",
            lambda fields, key: None if fields.get(key) is None else json_values.pairs(fields, key),
            always=False,
        ),
    ),
)
#: All settings that are said once, in the order of problem files.
ONCE = (*ABOUT, *PLACE, *OPEN, *EXPECTED, *MATCHING)

#: All settings of several lines, in the order of problem files.
SEVERAL = (
    SeveralLines(("border",), instance_settings.bordered, lambda instance, _: paint_text.border_lines(instance)),
    SeveralLines(
        ("labels",),
        instance_settings.labelled,
        lambda instance, _: instance_settings.label_lines(instance),
        json=InJson(
            "labels",
            lambda fields, key: tuple(sorted(_each(_label)(fields, key))),
            lambda labels: [{"cell": cell, "label": label} for cell, label in labels],
            always=False,
        ),
    ),
    SeveralLines(
        ("group",),
        instance_settings.grouped,
        lambda instance, _: instance_settings.group_lines(instance),
        json=InJson(
            "groups",
            _each(_group),
            lambda groups: [{"name": group.name, "cells": sorted(group.cells)} for group in groups],
            always=False,
        ),
    ),
    SeveralLines(("weight",), instance_settings.weighed, instance_settings.weight_lines, instance_settings.without_weights),
    SeveralLines(("fill",), instance_settings.filled, instance_settings.fill_lines, instance_settings.without_fills),
    SeveralLines(
        KINDS,
        instance_settings.constrained,
        instance_settings.constraint_lines,
        lambda instance: replace(instance, constraints=()) if instance.constraints else instance,
        InJson("constraints", _each(_constraint), lambda constraints: list(map(vars, constraints))),
    ),
    SeveralLines(
        ("together",),
        instance_settings.held_together,
        instance_settings.together_lines,
        lambda instance: replace(instance, together=()) if instance.together else instance,
        InJson("together", _names_of_tiles, always=False),
    ),
)
