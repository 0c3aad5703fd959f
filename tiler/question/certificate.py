"""Define certificates: proofs of impossibility as plain data, and their JSON.

A cell is given by its number in the sorted board, a tile by its number among the distinct tiles (tiles congruent to an earlier
one are not counted; the filler of optional cells is the last). A proof is about a board, or about the rest of a board after some
steps: placements are made, and their cells and copies removed; placements are ruled out; then forced placements are made (see
`Propagation`). This module says what each kind of proof claims; checker.py alone decides whether it holds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tiler import jsontext
from tiler.errors import InputError
from tiler.jsontext import shown

SCHEMA = "tiler-certificate-1"

_DIGITS = 1000  # the most digits of a number in a proof
_LARGE = 10**_DIGITS

SideMark = tuple[tuple[int, ...], tuple[int, ...], str]  #: a side by its cell and the one beyond, and a mark as seen from there

Placed = tuple[int, ...]  #: a placement: the number of its tile, then those of the cells it covers in ascending order


@dataclass(frozen=True)
class Area:
    """No numbers of copies, within their bounds and the number of placements, have the area of the board."""


# Marks of sides can weigh too. The weight of a mark is added for a placement that covers the first cell of the side and gives it
# the mark, and subtracted for a placement that covers the cell beyond; the mark is the one seen from the first cell. So marks
# that fit each other weigh nothing together. Only sides count whose cells must be covered, and always by placements that have a
# mark there, or by one alone.


@dataclass(frozen=True)
class Colouring:
    """Every placement of tile i weighs values[i], modulo `modulus` (0: exactly)."""

    modulus: int
    weights: tuple[int, ...]  #: the weights of all cells of the board
    values: tuple[int, ...]  #: the weights of all tiles
    marks: tuple[tuple[SideMark, int], ...] = ()  #: the marks that weigh something


@dataclass(frozen=True)
class Colourings:
    """For all numbers of copies with the area of the board, in one of the colourings their weights do not add up to the weight of
    the board."""

    colourings: tuple[Colouring, ...]


@dataclass(frozen=True)
class Weights:
    """Every placement of tile i weighs at most values[i], but no numbers of copies allow the weight of the board."""

    weights: tuple[int, ...]
    values: tuple[int, ...]
    marks: tuple[tuple[SideMark, int], ...] = ()


@dataclass(frozen=True)
class TutteSet:
    """No placement covers more than two cells, and without these cells the others fall into too many odd parts.

    A part are cells that placements of two cells connect; it is odd if it has an odd number of cells, and then one of them is
    covered together with one of `cells`, or alone. More odd parts than `cells` have no cell that a placement covers alone; or all
    odd parts are more than `cells` and the copies of tiles of one cell together.
    """

    cells: tuple[int, ...]


@dataclass(frozen=True)
class Propagation:
    """Forced placements lead to a contradiction.

    A placement is forced if it is the last that covers a cell, or if its tile must still be used as often as it has placements. A
    contradiction is a cell without placements, a tile with fewer than must be used, or (if all tiles are connected) a connected
    region of open cells whose area is no sum of tiles still to be had.
    """


@dataclass(frozen=True)
class Removal:
    """Placements ruled out in this order, each since making it gives a contradiction as in `Propagation`; then the rest.

    The rest is what is left when all placements forced by then are made. The log may be empty: then those alone are made.
    """

    log: tuple[Placed, ...]
    then: Proof


@dataclass(frozen=True)
class Cases:
    """Every placement over a cell, or of a tile that must be used, made in turn, each with a proof about what it leaves."""

    item: str  #: cell or tile
    number: int
    branches: tuple[tuple[Placed, Proof], ...]


Proof = Area | Colourings | Weights | TutteSet | Propagation | Removal | Cases


@dataclass(frozen=True)
class Certificate:
    """A proof that the instance with this digest has no tiling."""

    digest: str
    proof: Proof
    instance: str = ""  #: the name of the instance, for readers

    def to_json(self) -> dict[str, Any]:
        """The certificate as data that is ready for `json.dumps`."""
        return {"schema": SCHEMA, "instance": self.instance, "digest": self.digest, "proof": _to_json(self.proof)}


def parse(content: str) -> Certificate:
    """A certificate from its JSON text; InputError for any other text."""
    try:
        return of_json(jsontext.loads(content))
    except InputError as error:
        raise InputError(f"not a certificate: {error}") from None


def of_json(data: Any) -> Certificate:
    """A certificate from what `to_json` gives; InputError if it is none."""
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        raise InputError(f"a certificate is an object with the schema {SCHEMA}")
    if not isinstance(data.get("digest"), str) or not isinstance(data.get("instance", ""), str):
        raise InputError("a certificate has a digest and a name, both texts")
    try:
        return Certificate(data["digest"], _of_json(data.get("proof")), data.get("instance", ""))
    except RecursionError:
        raise InputError("a proof is nested too deeply") from None


def _to_json(proof: Proof) -> dict[str, Any]:
    match proof:
        case Area():
            return {"kind": "area"}
        case Colourings(colourings):
            return {
                "kind": "colourings",
                "colourings": [{"modulus": colouring.modulus, **_weighed(colouring)} for colouring in colourings],
            }
        case Weights():
            return {"kind": "weights", **_weighed(proof)}
        case TutteSet(cells):
            return {"kind": "tutte", "cells": list(cells)}
        case Propagation():
            return {"kind": "propagation"}
        case Removal(log, then):
            return {"kind": "removal", "log": list(map(list, log)), "then": _to_json(then)}
        case Cases(item, number, branches):
            cases = [{"placement": list(placed), "proof": _to_json(then)} for placed, then in branches]
            return {"kind": "cases", "item": item, "number": number, "branches": cases}


def _weighed(weights: Colouring | Weights) -> dict[str, Any]:
    marks = [[list(cell), list(beyond), mark, weight] for (cell, beyond, mark), weight in weights.marks]
    return {"weights": list(weights.weights), "values": list(weights.values), **({"marks": marks} if marks else {})}


def _of_json(data: Any) -> Proof:
    kind = data.get("kind") if isinstance(data, dict) else None
    if not isinstance(kind, str) or kind not in _READERS:
        raise InputError(f"a proof is an object whose kind is one of {', '.join(_READERS)}")
    return _READERS[kind](data)


def _integer(value: Any) -> int:
    # Sums that the checker makes must still have so few digits that Python prints them.
    if type(value) is not int or abs(value) >= _LARGE:
        raise InputError(f"{shown(value)} in a proof is no whole number of at most {_DIGITS:,} digits")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise InputError(f"{shown(value)} in a proof is no text")
    return value


def _integers(value: Any) -> tuple[int, ...]:
    return tuple(map(_integer, _list(value)))


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise InputError(f"{shown(value)} in a proof is no list")
    return value


def _colouring(data: Any) -> Colouring:
    if not isinstance(data, dict):
        raise InputError("a colouring is an object with modulus, weights and values")
    return Colouring(_integer(data.get("modulus")), *_weights(data))


def _weights(data: dict[str, Any]) -> tuple[tuple[int, ...], tuple[int, ...], tuple[tuple[SideMark, int], ...]]:
    marks = []
    for entry in _list(data.get("marks", [])):
        match entry:
            case [cell, beyond, str(mark), weight]:
                marks.append(((_integers(cell), _integers(beyond), mark), _integer(weight)))
            case _:
                raise InputError(f"{shown(entry)} in a proof is no [cell, cell beyond, mark, weight]")
    return _integers(data.get("weights")), _integers(data.get("values")), tuple(marks)


def _branch(data: Any) -> tuple[Placed, Proof]:
    if not isinstance(data, dict):
        raise InputError("a case is an object with placement and proof")
    return _integers(data.get("placement")), _of_json(data.get("proof"))


_READERS: dict[str, Callable[[dict[str, Any]], Proof]] = {
    "area": lambda data: Area(),
    "colourings": lambda data: Colourings(tuple(map(_colouring, _list(data.get("colourings"))))),
    "weights": lambda data: Weights(*_weights(data)),
    "tutte": lambda data: TutteSet(_integers(data.get("cells"))),
    "propagation": lambda data: Propagation(),
    "removal": lambda data: Removal(tuple(map(_integers, _list(data.get("log")))), _of_json(data.get("then"))),
    "cases": lambda data: Cases(
        _text(data.get("item")), _integer(data.get("number")), tuple(map(_branch, _list(data.get("branches"))))
    ),
}
