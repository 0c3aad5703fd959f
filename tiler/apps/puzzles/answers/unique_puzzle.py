"""Show and save puzzles with one solution."""

from __future__ import annotations

from dataclasses import dataclass

from tiler.amounts import counted
from tiler.api.answers import instance_picture
from tiler.api.answers.saving import Drawable, Forms, json_lines
from tiler.api.answers.tiling import Tiling
from tiler.apps.puzzles.unique_puzzles import Puzzle
from tiler.formats import text as problem
from tiler.model.instance import Instance
from tiler.model.lattice import Shape
from tiler.model.tile import Placement
from tiler.printable import shortened
from tiler.render import text
from tiler.render.options import USUAL, PictureLook


@dataclass(frozen=True, repr=False)
class UniquePuzzle(Drawable):
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
        """The cells that were taken out, or where cells have labels: that stay open."""
        return self.puzzle.removed

    @property
    def solution(self) -> Tiling:
        """The only tiling up to symmetry."""
        return Tiling(self.instance, self.puzzle.tiling)

    @property
    def given(self) -> str:
        """The fixed pieces or removed cells, in words."""
        fixed = counted(len(self.fixed), "piece") + " fixed"
        if self.removed:
            named = self.instance.optional and " ".join(map(self.instance.called, sorted(self.removed)))
            verb = "stays" if len(self.removed) == 1 else "stay"
            without = f"{named} {verb} open" if named else f"{counted(len(self.removed), 'cell')} taken out"
            return without + (f", {fixed}" if self.fixed else "")
        if self.puzzle.drawn:
            return f"{counted(self.puzzle.drawn, 'set')} drawn until one had a single solution"
        if self.instance.ground.colours and not self.fixed:
            return f"{counted(len(self.instance.ground.colours), 'cell')} of the board coloured, and as many of the pieces"
        return fixed if self.fixed else "nothing has to be fixed"

    def __repr__(self) -> str:
        return f"UniquePuzzle({shortened(self.instance.heading) or 'problem'}: {self.given})"

    def __str__(self) -> str:
        return self.text()

    def text(self, *, coloured: bool = False, width: int = 80, look: PictureLook = USUAL) -> str:
        """The puzzle, its solution, and how hard it is to find."""
        both = self.fixed, self.puzzle.tiling
        shown = [text.draw(self.instance, each, colour=coloured, width=width, look=look) for each in both]
        nodes, placements = counted(self.puzzle.nodes, "node"), counted(self.puzzle.placements, "placement")
        hard = f"a search takes {nodes}; {placements} for one tiling"
        people = [f"for people: {self.puzzle.grade.sentence}"] if self.puzzle.grade else []
        said = "\n".join([f"difficulty: {hard}", *people])
        parts = [f"{self.given}:", shown[0], "The only tiling up to symmetry:", shown[1], said]
        return "\n\n".join(parts)

    def json(self) -> str:
        """A line, as `tiler unique --format json` prints it."""
        return json_lines([self.puzzle.summary()])

    def problem(self) -> str:
        """The problem file."""
        return problem.write(self.instance)

    def forms(self, look: PictureLook = USUAL) -> Forms:
        """The board with the pieces that are fixed, and all pieces below it, as .svg, .png or .pdf, .problem (which `tiler.read`
        reads), .json, or .txt with its solution."""
        others = {"problem": self.problem, "json": self.json, "txt": lambda: f"{self.text(look=look)}\n"}
        return {**instance_picture.pictures_of(self.instance, look), **others}
