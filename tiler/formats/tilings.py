"""Read and write tilings as JSON lines, as `tiler solve --format json` does: each is a list of {tile, cells}."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

from tiler import jsontext
from tiler.errors import InputError, located
from tiler.formats.json import coat
from tiler.formats.json_values import cells
from tiler.jsontext import shown
from tiler.model.tile import Placement

LIST_SCHEMA = "tiler-tilings-1"

#: The number of a line, with the placements of a tiling or with the object of an answer.
Line = tuple[int, list[Placement] | dict[str, Any]]


def read(content: str, path: str) -> list[tuple[int, list[Placement]]]:
    """Line number and placements of every tiling; see `lines`."""
    return [(number, tiling) for number, tiling in lines(content, path) if isinstance(tiling, list)]


def lines(content: str, path: str) -> list[Line]:
    """The number of every line with the placements of a tiling, or with the object of an answer. If the first line lists
    placements, tilings are lists of their numbers.

    InputError names the line that is neither; `path` is what it calls the text.
    """
    found: list[Line] = []
    placements: list[Placement] | None = None
    for number, line in enumerate(content.split("\n"), 1):
        if not line.strip():
            continue
        try:
            data = jsontext.loads(line)
        except InputError as error:
            why = "" if error.text.startswith("not JSON") else f" ({error.text})"
            hint = "; of a SAT solver? then name what it solved, --of OUT.cnf" if re.match(r"[csv] ", line) else ""
            if re.match(r"(d )?-?\d+( -?\d+)*$", line):
                hint = "; a DRUP proof? then name the clauses that it is about, --of OUT.cnf"
            raise InputError(f"not a line of JSON, as `tiler solve --format json` writes them{why}{hint}", path, number) from None
        if isinstance(data, list):
            with located(path, number):
                if placements is None:
                    found.append((number, [placement(item) for item in data]))
                else:
                    found.append((number, numbered(data, placements, path, number)))
        elif isinstance(data, dict) and data.get("schema") == LIST_SCHEMA:
            with located(path, number):
                placements = listed(data)
        elif isinstance(data, dict) and "schema" in data:
            found.append((number, data))
        else:
            raise InputError("neither a solution (a list of placements) nor a summary", path, number)
    return found


def listed(header: Any) -> list[Placement]:
    """The placements that the first line of a list has; InputError for other data."""
    if not isinstance(header, dict) or header.get("schema") != LIST_SCHEMA or not isinstance(header.get("placements"), list):
        raise InputError(f"not the beginning of a list of tilings, an object with the schema {LIST_SCHEMA}, and placements")
    return [placement(item) for item in header["placements"]]


def numbered(numbers: Sequence[Any], placements: Sequence[Placement], path: str, line: int) -> list[Placement]:
    """The placements of these numbers; InputError if there are none."""
    for number in numbers:
        if type(number) is not int or not 0 <= number < len(placements):
            raise InputError(f"{shown(number)} is no number of the {len(placements)} placements in the first line", path, line)
    return [placements[number] for number in numbers]


def line(tiling: Iterable[Placement]) -> str:
    """The line of a tiling, without the line's end."""
    return json.dumps(to_json(tiling))


def to_json(placements: Iterable[Placement]) -> list[dict[str, Any]]:
    """Placements ready for `json.dumps`."""
    return [placement.to_json() for placement in placements]


def placement(data: Any) -> Placement:
    """The placement from the data that `Placement.to_json` makes; InputError for other data."""
    if not isinstance(data, dict) or not isinstance(data.get("tile"), str):
        raise InputError('a placement is an object {"tile": NAME, "cells": [[row, column], ...]}')
    return Placement(data["tile"], cells(data.get("cells"), f"'cells' of {data['tile'][:40]}"), coat(data, data["tile"][:40]))
