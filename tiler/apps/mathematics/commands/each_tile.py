"""Ask about each of several sets of tiles, and print the answers."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar

from tiler.cli.shared import output
from tiler.question.result import Stop
from tiler.render import table

if TYPE_CHECKING:
    from tiler.api.monitoring import Following


class TileAnswer(Protocol):
    """An answer about some tiles."""

    @property
    def stop(self) -> Stop: ...
    def row(self) -> Sequence[str]: ...
    def json(self) -> str: ...


A = TypeVar("A", bound=TileAnswer)


def answers(args: argparse.Namespace, found: Iterable[A], follow: Following) -> list[A]:
    """The answers, to the first that a limit ended. Each is printed at once, unless a table of all is printed at the end."""
    known: list[A] = []
    for each in found:
        known.append(each)
        follow.ticker.clear()
        if args.format == "json":
            print(each.json(), end="", flush=True)
        elif not args.each:
            print(each)
        if each.stop is not Stop.DONE:
            break
    return known


def print_table(found: Sequence[TileAnswer], *heads: str) -> None:
    """A line for each answer."""
    print(table.draw([each.row() for each in found], heads, texts=2, width=output.width_of(sys.stdout) or None))
