"""Read and write tilings as JSON lines, as `tiler solve --format json` does: each is a list of {tile, cells}."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from tiler import jsontext
from tiler.errors import InputError, located
from tiler.formats.json import cells, coat
from tiler.model.tile import Placement


def read(content: str, path: str) -> list[tuple[int, list[Placement]]]:
    """Line number and placements of every tiling; see `lines`."""
    return [(number, tiling) for number, tiling in lines(content, path) if isinstance(tiling, list)]


def lines(content: str, path: str) -> list[tuple[int, list[Placement] | dict[str, Any]]]:
    """The number of every line with the placements of a tiling, or with the object of an answer.

    InputError names the line that is neither; `path` is what it calls the text.
    """
    numbered: list[tuple[int, list[Placement] | dict[str, Any]]] = []
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
                numbered.append((number, [placement(item) for item in data]))
        elif isinstance(data, dict) and "schema" in data:
            numbered.append((number, data))
        else:
            raise InputError("neither a solution (a list of placements) nor a summary", path, number)
    return numbered


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
