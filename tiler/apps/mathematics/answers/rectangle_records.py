"""Read and write the file of `tiler rectangles --records`: a line for each box that is decided, so that the next run goes on
there. Lines that are cut off or unknown are skipped. A tiling in the file is not verified again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from math import prod
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from tiler import jsontext
from tiler.apps.mathematics.answers.proof_files import ProofFile
from tiler.apps.mathematics.rectangles import SCHEMA, Rectangles, Verdict
from tiler.apps.mathematics.two_methods import Method
from tiler.errors import BadOption, InputError
from tiler.formats import tilings
from tiler.model.expected import Status
from tiler.process import files

_Key = tuple[str, tuple[int, ...]]  #: a fingerprint of the tiles, and the sides


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


def _read(text: str) -> tuple[_Key, tuple[float, Verdict]] | None:
    """What a line says, or None if it is torn or none of ours."""
    try:
        line = msgspec.convert(jsontext.loads(text), _Line)
        return (line.tiles, line.sides), (line.limit, line.verdict)
    except (InputError, msgspec.ValidationError):
        return None


class Records:
    """What is known, with the seconds for each search; the file is open for more."""

    def __init__(self, known: dict[_Key, tuple[float, Verdict]], file: int) -> None:
        self._known, self._file = known, file

    @classmethod
    @contextmanager
    def opened(cls, path: str | Path) -> Iterator[Records]:
        """The records in a file, which is made if need be."""
        try:
            content = files.ordinary_file(path).read_text() if Path(path).exists() else ""
            file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | files.BYTES, 0o666)
        except (OSError, UnicodeDecodeError) as error:
            raise BadOption(f"cannot use {path}: {getattr(error, 'strerror', None) or 'not a text file'}") from None
        try:
            if content and not content.endswith("\n"):
                os.write(file, b"\n")  # A torn line must not spoil the next one.
            yield cls(dict(filter(None, map(_read, content.split("\n")))), file)
        finally:
            os.close(file)

    def recall(self, found: Rectangles) -> None:
        """Hand over what is known of these tiles."""
        for (tiles, sides), (limit, verdict) in self._known.items():
            if tiles == found.digest and len(sides) == found.dimension:
                found.recall(verdict, limit)

    def note(self, found: Rectangles, verdict: Verdict, proof: ProofFile | None) -> None:
        """Write down a verdict that is news, and where its proof is."""
        before = self._known.get((found.digest, verdict.sides))
        if before and verdict.status is Status.UNKNOWN and before[1].status is not Status.UNKNOWN:
            return
        self._known[found.digest, verdict.sides] = found.seconds, verdict
        line = {
            "schema": SCHEMA,
            "tiles": found.digest,
            "names": " ".join(tile.name for tile in found.tiles),
            "limit": found.seconds,
            **verdict.record(),
            **({"proof": proof._asdict()} if proof else {}),
        }
        os.write(self._file, json.dumps(line).encode() + b"\n")
