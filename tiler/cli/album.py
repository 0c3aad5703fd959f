"""Tilings, or the steps of a search, kept until all are there and then written as one picture, as pages, or for a browser."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TextIO

from tiler.errors import BadOption

if TYPE_CHECKING:
    from tiler.model.instance import Instance
    from tiler.model.tile import Placement
    from tiler.render.viewer import Step


class Album:
    """What is found of an instance; `form` is one of output.PAGES."""

    def __init__(self, instance: Instance, form: str) -> None:
        from tiler.render import gallery, viewer

        self._instance, self._form = instance, form
        self._most, self._most_steps = gallery.MOST[form], viewer.MOST
        self.tilings: list[Sequence[Placement]] = []
        self.steps: list[Step] = []

    def add(self, tiling: Sequence[Placement]) -> None:
        """Keep a tiling. BadOption at once if there are too many: the search need not go on."""
        self.tilings.append(tiling)
        if len(self.tilings) > self._most:
            from tiler.render.gallery import MOST

            larger = max(MOST.values())
            more = f", or up to {larger:,} in view.html" if self._most < larger else ""
            raise BadOption(f"a .{self._form} holds {self._most:,} tilings at most: --limit {self._most}{more}")

    def step(self, stack: Sequence[Placement], cell: object) -> None:
        """Keep the placements made so far in a search, and the cell that the last is for.

        What comes after as many as a page holds is left out.
        """
        if self._form != "html":
            raise BadOption("the steps of a search are shown by a page for a browser: -o search.html")
        if len(self.steps) < self._most_steps:
            from tiler.render.viewer import Step

            self.steps.append(Step(stack, cell))

    def write(self, out: TextIO) -> None:
        """The picture; nothing if there is nothing to draw."""
        from tiler.render import gallery, viewer

        if self.steps:
            out.write(viewer.animation(self._instance, self.steps))
        elif self.tilings:
            out.flush()
            out.buffer.write(gallery.draw(self._instance, self.tilings, self._form))
