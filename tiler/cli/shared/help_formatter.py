"""Fit help texts to the terminal: lines that are too long are broken, examples of commands stay as they are."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from itertools import groupby

# A line of a list: a word, at least two spaces, and its meaning. A comment behind code is no such line.
_ENTRY = re.compile(r"( *\S+ {2,})(?=[^ #])")
_SPARE = 2  # the columns that argparse leaves free


class HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """Paragraphs and lists of a description keep their lines, unless one of these is too long for the terminal."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return "\n".join(_lines(super()._fill_text(text, width, indent), width))


def _lines(text: str, width: int) -> Iterator[str]:
    for is_paragraph, group in groupby(text.splitlines(), key=lambda line: line[:1].strip() != ""):
        lines = list(group)
        if is_paragraph and _is_too_long(lines, width):
            yield from _filled(" ".join(lines), width)
            continue
        for line in lines:
            entry = None if is_paragraph or not _is_too_long([line], width) else _ENTRY.match(line)
            yield from [line] if entry is None else _filled(line[entry.end() :], width, entry[0])


def _is_too_long(lines: list[str], width: int) -> bool:
    return max(map(len, lines)) > width + _SPARE


def _filled(words: str, width: int, first: str = "") -> list[str]:
    import textwrap  # Imported here, since few users ask for help.

    return textwrap.wrap(words, width, initial_indent=first, subsequent_indent=" " * len(first))
