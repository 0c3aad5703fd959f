"""Read a line of the file of `tiler rectangles --records` (rectangle_records.py)."""

from __future__ import annotations

from math import prod
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from tiler import jsontext
from tiler.apps.mathematics.rectangles import Verdict
from tiler.apps.mathematics.two_methods import Method
from tiler.errors import InputError
from tiler.formats import tilings
from tiler.model.expected import Status

Key = tuple[str, tuple[int, ...]]  #: a fingerprint of the tiles, and the sides


class _ToldMethod(Struct, frozen=True):
    """What a method says, of those of `Verdict.record`."""

    solver: str
    status: Status
    nodes: Annotated[int, Meta(ge=0)]
    seconds: Annotated[float, Meta(ge=0)]

    @property
    def method(self) -> Method:
        return Method(self.solver, self.status, self.nodes, self.seconds)


class _Line(Struct, frozen=True):
    """`Verdict.record` with what it is about."""

    schema: Literal["tiler-rectangle-1"]
    tiles: str
    limit: Annotated[float, Meta(ge=0)]
    sides: Annotated[tuple[Annotated[int, Meta(ge=1)], ...], Meta(min_length=2, max_length=3)]
    status: Status
    how: str
    reason: str
    seconds: Annotated[float, Meta(ge=0)]
    prime: bool
    tiling: list[Any] | None
    methods: tuple[_ToldMethod, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """InputError if the tiling is none of such a box."""
        tiling = None if self.tiling is None else tuple(map(tilings.placement, self.tiling))
        if (tiling is None and self.prime) or (tiling and sum(len(each.cells) for each in tiling) != prod(self.sides)):
            raise InputError("no tiling of this box")
        methods = tuple(each.method for each in self.methods)
        return Verdict(self.sides, self.status, self.how, self.reason, self.seconds, tiling, self.prime, methods)


def read(text: str) -> tuple[Key, tuple[float, Verdict]] | None:
    """What a line says, or None if it is torn or none of ours."""
    try:
        line = msgspec.convert(jsontext.loads(text), _Line)
        return (line.tiles, line.sides), (line.limit, line.verdict)
    except (InputError, msgspec.ValidationError):
        return None
