"""Draw a search in the terminal while it runs."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from typing import TextIO

from tiler.amounts import counted
from tiler.cli.shared import output
from tiler.errors import BadOption
from tiler.model.instance import Instance
from tiler.model.tile import Placement
from tiler.render import text

_EVERY = 0.1  # seconds between pictures


class Watcher:
    """Takes the placements made so far, after every node, and draws some of them, each picture over the one before."""

    def __init__(self, draw: Callable[[Sequence[Placement]], str], stream: TextIO, room: int) -> None:
        """`room` is the number of lines of the terminal."""
        self._draw, self._stream, self._room = draw, stream, room
        self._next, self._lines, self._nodes = 0.0, 0, 0

    @classmethod
    def of(cls, instance: Instance) -> Watcher:
        """A watcher that draws on stderr. BadOption if stderr is no terminal."""
        if not sys.stderr.isatty():
            raise BadOption("--watch draws in a terminal; for a file there is --trace, as text or with -o search.html")
        import shutil

        coloured, (width, lines) = output.is_coloured(sys.stderr), shutil.get_terminal_size()

        def draw(stack: Sequence[Placement]) -> str:
            return text.draw(instance, stack, colour=coloured, width=width)

        return cls(draw, sys.stderr, lines)

    def __call__(self, stack: Sequence[Placement], _cell: object) -> None:
        self._nodes += 1
        now = time.perf_counter()
        if now < self._next:
            return
        self._next = now + _EVERY
        picture = self._draw(stack).rstrip("\n").split("\n")
        if len(picture) + 2 > self._room:
            high = f"the board takes {len(picture)} lines, and the terminal has {self._room}"
            raise BadOption(f"{high}: make it higher, or --trace -o search.html")
        back = f"\033[{self._lines}A" if self._lines else ""
        lines = [*picture, f"{counted(self._nodes, 'node')}, {len(stack)} placed"]
        self._stream.write(back + "".join(f"\r\033[K{line}\n" for line in lines))
        self._stream.flush()
        self._lines = len(lines)
