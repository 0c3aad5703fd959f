"""Read and write the file of `tiler rectangles --records`: a line for each box that is decided, so that the next run goes on
there. Lines that are cut off or unknown are skipped (rectangle_lines.py). A tiling in the file is not verified again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tiler.apps.mathematics.answers.rectangle_proofs import ProofFile
from tiler.apps.mathematics.rectangles import SCHEMA, Rectangles, Verdict
from tiler.errors import BadOption
from tiler.model.expected import Status
from tiler.optional_packages import need
from tiler.process import files

if TYPE_CHECKING:
    from tiler.apps.mathematics.answers.rectangle_lines import Key


class Records:
    """What is known, with the seconds for each search; the file is open for more."""

    def __init__(self, known: dict[Key, tuple[float, Verdict]], file: int) -> None:
        self._known, self._file = known, file

    @classmethod
    @contextmanager
    def opened(cls, path: str | Path | None) -> Iterator[Records | None]:
        """The records in a file, which is made if need be; without a name there are none."""
        if path is None:
            yield None
            return
        need("a file of records", "msgspec")
        from tiler.apps.mathematics.answers.rectangle_lines import read

        try:
            content = files.ordinary_file(path).read_text() if Path(path).exists() else ""
            file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | files.BYTES, 0o666)
        except (OSError, UnicodeDecodeError) as error:
            raise BadOption(f"cannot use {path}: {getattr(error, 'strerror', None) or 'not a text file'}") from None
        try:
            if content and not content.endswith("\n"):
                os.write(file, b"\n")  # A torn line must not spoil the next one.
            yield cls(dict(filter(None, map(read, content.split("\n")))), file)
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
