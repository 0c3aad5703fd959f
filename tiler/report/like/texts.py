"""Write the figures or tables of a text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tiler.errors import BadOption
from tiler.report.like import fila, thesis
from tiler.report.like.written import Written

TEXTS = ("thesis", "fila")


def write(text: str, results: Path, folder: Path, formats: Sequence[str]) -> Written:
    """Write what one of TEXTS shows into a folder, from the campaigns in the folder `results`; figures in these formats.
    BadOption if there are no records for any of it."""
    written = thesis.write(results, folder, formats) if text == "thesis" else fila.write(results, folder)
    if not written.paths:
        raise BadOption(f"there are no records for --like {text} in {results}: name a folder of campaigns, as results/reference")
    return written
