"""Draw the figures and tables of a published text again from records: the thesis, and Busche's article on FILA.

Each module has a table of what its text shows. What has no records is named, and nothing stands for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

TEXTS = ("thesis", "fila")  #: each a module with `write`


@dataclass(frozen=True)
class Written:
    """The files that were written, and a line for each figure, table or part of one that has no records."""

    paths: tuple[Path, ...]
    lacking: tuple[str, ...]
