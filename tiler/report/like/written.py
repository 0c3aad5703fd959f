"""Say what was written of a text, and what has no records."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Written:
    """The files that were written, and a line for each figure, table or part of one that has no records."""

    paths: tuple[Path, ...]
    lacking: tuple[str, ...]
