"""Puzzles with one solution, as they are shown and saved."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from tiler.amounts import counted
from tiler.ask.uniquely import Puzzle
from tiler.door.saving import files_of, write
from tiler.door.tiling import Tiling
from tiler.formats import text as problem
from tiler.model.instance import Instance
from tiler.model.lattice import Shape
from tiler.model.tile import Placement
from tiler.printable import shortened
from tiler.render import drawing, pages, svg, text
from tiler.render.scene import Page


@dataclass(frozen=True, repr=False)
class UniquePuzzle:
    """A puzzle with exactly one solution, up to symmetry. Notebooks draw the puzzle, `str` prints it with its solution, and
    `save` writes a file.

    >>> import tiler
    >>> puzzle = tiler.unique(tiler.make("4x4", "2"))
    >>> puzzle
    UniquePuzzle(4x4 2: 4 pieces fixed)
    """

    puzzle: Puzzle

    @property
    def instance(self) -> Instance:
        """The problem: with the pieces that are fixed, or without the cells taken out."""
        return self.puzzle.instance

    @property
    def fixed(self) -> tuple[Placement, ...]:
        """The pieces that are fixed."""
        return self.puzzle.fixed

    @property
    def removed(self) -> Shape:
        """The cells that were taken out."""
        return self.puzzle.removed

    @property
    def solution(self) -> Tiling:
        """The only tiling up to symmetry."""
        return Tiling(self.instance, self.puzzle.tiling)

    @property
    def given(self) -> str:
        """What is fixed or taken out, in words."""
        fixed = counted(len(self.fixed), "piece") + " fixed"
        if self.removed:
            return f"{counted(len(self.removed), 'cell')} taken out" + (f", {fixed}" if self.fixed else "")
        return fixed if self.fixed else "nothing has to be fixed"

    def __repr__(self) -> str:
        return f"UniquePuzzle({shortened(self.instance.heading) or 'problem'}: {self.given})"

    def __str__(self) -> str:
        return self.text()

    def text(self, *, coloured: bool = False, width: int = 80) -> str:
        """The puzzle, its solution, and how hard it is to find."""
        shown = [text.draw(self.instance, each, colour=coloured, width=width) for each in (self.fixed, self.puzzle.tiling)]
        nodes, placements = counted(self.puzzle.nodes, "node"), counted(self.puzzle.placements, "placement")
        hard = f"a search takes {nodes}; {placements} for one tiling"
        parts = [f"{self.given}:", shown[0], "The only tiling up to symmetry:", shown[1], f"difficulty: {hard}"]
        return "\n\n".join(parts)

    def json(self) -> str:
        """A line, as `tiler unique --format json` prints it."""
        return json.dumps(self.puzzle.summary()) + "\n"

    def problem(self) -> str:
        """The problem file."""
        return problem.write(self.instance)

    def _page(self) -> Page:
        return pages.of_tiling(drawing.panels(self.instance, self.fixed))

    def _repr_svg_(self) -> str:
        return svg.draw(self.instance, self.fixed)

    def save(self, path: str | Path) -> None:
        """Write it to a file, as its ending says: the puzzle as .svg, .png or .pdf, .problem (which `tiler.read` reads), .json,
        or .txt with its solution."""
        drawn = files_of(self._page, self.instance.heading or "puzzle")
        write(path, {**drawn, "problem": self.problem, "json": self.json, "txt": lambda: f"{self}\n"})
