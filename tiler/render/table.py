"""Draw tables: for terminals without lines, with two spaces between the columns, in plain text; for notebooks as HTML."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import zip_longest

_GAP = "  "
_RED, _PLAIN = "\x1b[1;31m", "\x1b[0m"


class RedEntry(str):
    """An entry that is red if the table has colours."""


def draw(
    rows: Iterable[Sequence[str]],
    heads: Sequence[str] = (),
    *,
    texts: int = 1,
    width: int | None = None,
    colour: bool = False,
) -> str:
    """The lines of a table. The first `texts` columns are aligned left; the other columns, of numbers, are aligned right.

    >>> print(draw([("dlx", "1", "20"), ("fila", "300", "4")], ("solver", "solved", "s")))
    solver  solved   s
    dlx          1  20
    fila       300   4

    If `width` is given, the table is no wider than that: the last column of texts is broken. Without heads there is no head line.
    Entries are printable (printable.py) and shown as they are.
    """
    lines = [tuple(heads)] if heads else []
    lines += map(tuple, rows)
    columns = [[cells(entry) for entry in column] for column in zip_longest(*lines, fillvalue="")]
    widths = [max(column) for column in columns]
    broken = min(texts, len(widths)) - 1
    if width is not None and broken >= 0:
        others = sum(widths) + len(_GAP) * (len(widths) - 1) - widths[broken]
        widths[broken] = max(1, min(widths[broken], width - others))
    drawn = []
    for line in lines:
        parts = [[entry] if column != broken else list(_folded(entry, widths[column])) for column, entry in enumerate(line)]
        for pieces in zip_longest(*parts, fillvalue=""):
            entries = [
                _placed(piece, widths[column], column < texts, colour and isinstance(line[column], RedEntry))
                for column, piece in enumerate(pieces)
            ]
            drawn.append(_GAP.join(entries).rstrip())
    return "\n".join(drawn)


def html(rows: Iterable[Sequence[str]], heads: Sequence[str], *, texts: int = 1) -> str:
    """The same table for notebooks, as an element of HTML.

    >>> html([("4", "1")], ("cells", "s"), texts=0)
    '<table><tr><th>cells</th><th>s</th></tr><tr><td>4</td><td>1</td></tr></table>'
    """
    left = ' style="text-align:left"'
    lines = [("th", heads), *(("td", row) for row in rows)]
    drawn = [
        "".join(f"<{kind}{left if column < texts else ''}>{escape(entry)}</{kind}>" for column, entry in enumerate(line))
        for kind, line in lines
    ]
    return f"<table>{''.join(f'<tr>{line}</tr>' for line in drawn)}</table>"


def cells(text: str) -> int:
    """The columns of a terminal that a text takes: two for a letter of China, Japan or Korea, none for an accent.

    >>> cells("abc"), cells("拼图"), cells("e\u0301")
    (3, 4, 1)
    """
    return len(text) if text.isascii() else sum(map(_cells, text))


def _cells(letter: str) -> int:
    if unicodedata.category(letter) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def _folded(text: str, width: int) -> Iterator[str]:
    """The parts of a text that fit into a column, broken after a comma where one is in their second half."""
    start, taken = 0, 0
    for end, letter in enumerate(text):
        taken += _cells(letter)
        if taken > width and end > start:
            comma = text.rfind(",", (start + end) // 2, end) + 1
            yield text[start : (comma or end)]
            start = comma or end
            taken = cells(text[start : end + 1])
    yield text[start:]


def _placed(entry: str, width: int, is_left: bool, is_red: bool) -> str:
    """An entry in its column."""
    space = " " * (width - cells(entry))
    shown = f"{_RED}{entry}{_PLAIN}" if is_red and entry else entry
    return shown + space if is_left else space + shown
