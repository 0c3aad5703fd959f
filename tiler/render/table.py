"""Draw tables for terminals, by rich: without lines, with two spaces between the columns, in plain text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from io import StringIO


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
    from rich.console import Console
    from rich.measure import Measurement
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, padding=(0, 1), pad_edge=False, show_header=bool(heads), header_style="")
    lines = [tuple(row) for row in rows]
    for column in range(len(heads) or max(map(len, lines), default=0)):
        head = Text(heads[column]) if heads else ""
        table.add_column(head, justify="left" if column < texts else "right", overflow="fold", no_wrap=column != texts - 1)
    for line in lines:
        table.add_row(*(Text(entry, "bold red" if isinstance(entry, RedEntry) else "") for entry in line))
    out = StringIO()
    console = Console(
        file=out, width=1_000_000, force_terminal=colour, color_system="standard" if colour else None, legacy_windows=False
    )
    needed = Measurement.get(console, console.options, table).maximum
    console.print(table, width=min(needed, width or needed), crop=False, no_wrap=False, soft_wrap=False)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines())
