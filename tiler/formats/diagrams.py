"""Read and write decision diagrams of all tilings: a line of JSON that describes them, and then the arrays, one after the other.

The line has the problem itself, so that the file is all that is needed, its digest, a fingerprint of how placements are numbered,
and one of the arrays. Numbers are little-endian, those of layers and first arcs of 64 bits, options and targets of 32.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from tiler import jsontext
from tiler.cover.board import BoardCover
from tiler.cover.diagram import Diagram
from tiler.cover.pins import without_colours
from tiler.errors import InputError, located
from tiler.formats import json as problems
from tiler.model.instance import Instance
from tiler.process import files

SCHEMA = "tiler-tilings-1"

_TYPES = {"layers": "<i8", "starts": "<i8", "option": "<i4", "target": "<i4"}
_MOST_HEAD = 64 << 20  # bytes: a problem file may have 16 MiB, and is longer as JSON
_DAMAGED = "not as it was written: damaged, torn or changed; make it anew"


def write(path: str | Path, instance: Instance, cover: BoardCover, diagram: Diagram) -> None:
    """Write the file, whole or not at all: errors as for `files.Replacement`."""
    parts = {name: np.ascontiguousarray(getattr(diagram, name), kind) for name, kind in _TYPES.items()}
    head = {
        "schema": SCHEMA,
        "problem": json.loads(problems.write(instance)),
        "digest": instance.digest,
        "placements": numbering(cover),
        "lengths": {name: len(part) for name, part in parts.items()},
        "sum": _sum(part.tobytes() for part in parts.values()),
    }
    with files.Replacement(path) as new:
        new.file.write(json.dumps(head).encode() + b"\n")
        for part in parts.values():
            new.file.write(part.data)


def read(path: str | Path) -> tuple[Instance, BoardCover, Diagram]:
    """Read such a file. InputError for any other file, a damaged one, or one of a version with other placements."""
    source = str(path)
    try:
        with Path(path).open("rb") as file:
            line = file.readline(_MOST_HEAD)
            head = _head(line)
            size = sum(head["lengths"][name] * np.dtype(kind).itemsize for name, kind in _TYPES.items())
            if Path(path).stat().st_size != len(line) + size:
                raise InputError(_DAMAGED)
            data = {name: file.read(head["lengths"][name] * np.dtype(kind).itemsize) for name, kind in _TYPES.items()}
    except FileNotFoundError:
        raise InputError("there is no such file", source) from None
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read: {getattr(error, 'strerror', None) or 'not a file name'}", source) from None
    except InputError as error:
        raise error.at(source) from None
    with located(source):
        return _diagram(head, data)


def numbering(cover: BoardCover) -> str:
    """A fingerprint of the options of a cover and their numbers."""
    parts = [cover.tile, cover.members.starts, cover.members.values]
    if cover.instance.is_painted:  # Options of a tile with the same cells differ in these.
        every, traits = cover.traits
        parts += [traits.starts, every[traits.values]]
    return _sum(np.ascontiguousarray(part, "<i8").tobytes() for part in parts)


def _head(line: bytes) -> dict[str, Any]:
    """Read the first line, and check what can be checked without the rest."""
    if not line.startswith(b'{"schema": "tiler-tilings-'):
        raise InputError("not a file of tilings, as TilingSet.save writes it")
    try:
        head = jsontext.loads(line)
    except InputError:
        raise InputError(_DAMAGED) from None
    if not isinstance(head, dict) or head.get("schema") != SCHEMA:
        written = jsontext.shown(head.get("schema")) if isinstance(head, dict) else "another kind"
        raise InputError(f"{written}: this program reads {SCHEMA}; make it anew")
    lengths = head.get("lengths")
    if not isinstance(lengths, dict) or not all(
        type(lengths.get(name)) is int and 0 <= lengths[name] < 1 << 40 for name in _TYPES
    ):
        raise InputError(_DAMAGED)
    return head


def _diagram(head: Mapping[str, Any], data: Mapping[str, bytes]) -> tuple[Instance, BoardCover, Diagram]:
    if head.get("sum") != _sum(data.values()) or not isinstance(head.get("problem"), dict):
        raise InputError(_DAMAGED)
    instance = problems.parse(json.dumps(head["problem"]))
    if head.get("digest") != instance.digest:
        raise InputError(f"of another problem than it says: {jsontext.shown(head.get('digest'))}, not {instance.digest}")
    cover = BoardCover.of(instance)
    if head.get("placements") != numbering(cover):
        raise InputError("this version of Tiler numbers the placements otherwise; make it anew")
    diagram = Diagram(**{name: np.frombuffer(data[name], kind).astype(kind[1:]) for name, kind in _TYPES.items()})
    layers = len(without_colours(cover).items) + 2
    if not (len(diagram.layers) == layers and diagram.is_sound(len(cover)) and diagram.covers(cover)):
        raise InputError(_DAMAGED)
    return instance, cover, diagram


def _sum(parts: Any) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
    return digest.hexdigest()
