"""Show and save puzzles with one solution."""

from __future__ import annotations

from dataclasses import dataclass

from tiler.amounts import counted
from tiler.api.answers import instance_picture
from tiler.api.answers.saving import Drawable, Forms, json_lines
from tiler.api.answers.tiling import Tiling
from tiler.apps.puzzles.grade import Grade
from tiler.formats import text as problem
from tiler.formats import tilings
from tiler.model.instance import Instance
from tiler.model.lattice import Shape
from tiler.model.tile import Placements
from tiler.printable import shortened
from tiler.render import text
from tiler.render.options import USUAL, PictureLook

SCHEMA = "tiler-puzzle-1"


@dataclass(frozen=True, repr=False)
class UniquePuzzle(Drawable):
    """A puzzle with exactly one solution, up to symmetry. Notebooks draw the puzzle, `str` prints it with its solution, and
    `save` writes a file.

    >>> import tiler
    >>> puzzle = tiler.unique(tiler.make("4x4", "2"))
    >>> puzzle
    UniquePuzzle(4x4 2: 4 pieces fixed)
    """

    instance: Instance  #: the problem with the pieces that are fixed, or without the cells taken out
    fixed: Placements  #: the pieces that are fixed
    removed: Shape  #: the cells that were taken out, or where cells have labels: that stay open
    tiling: Placements
    nodes: int  #: nodes of a complete search by dlx with its default options
    placements: int  #: ways to place a piece, from which the tiling is made
    grade: Grade | None = None  #: how hard it is for people; None if it is too large
    drawn: int = 0  #: sets of squares with marks that were drawn until one had a single solution

    @property
    def solution(self) -> Tiling:
        """The only tiling up to symmetry."""
        return Tiling(self.instance, self.tiling)

    @property
    def given(self) -> str:
        """The fixed pieces or removed cells, in words."""
        fixed = counted(len(self.fixed), "piece") + " fixed"
        if self.removed:
            named = self.instance.optional and " ".join(map(self.instance.called, sorted(self.removed)))
            verb = "stays" if len(self.removed) == 1 else "stay"
            without = f"{named} {verb} open" if named else f"{counted(len(self.removed), 'cell')} taken out"
            return without + (f", {fixed}" if self.fixed else "")
        if self.drawn:
            return f"{counted(self.drawn, 'set')} drawn until one had a single solution"
        if self.instance.ground.colours and not self.fixed:
            return f"{counted(len(self.instance.ground.colours), 'cell')} of the board coloured, and as many of the pieces"
        return fixed if self.fixed else "nothing has to be fixed"

    def __repr__(self) -> str:
        return f"UniquePuzzle({shortened(self.instance.heading) or 'problem'}: {self.given})"

    def __str__(self) -> str:
        return self.text()

    def text(self, *, coloured: bool = False, width: int = 80, look: PictureLook = USUAL) -> str:
        """The puzzle, its solution, and how hard it is to find."""
        both = self.fixed, self.tiling
        shown = [text.draw(self.instance, each, colour=coloured, width=width, look=look) for each in both]
        nodes, placements = counted(self.nodes, "node"), counted(self.placements, "placement")
        hard = f"a search takes {nodes}; {placements} for one tiling"
        people = [f"for people: {self.grade.sentence}"] if self.grade else []
        said = "\n".join([f"difficulty: {hard}", *people])
        parts = [f"{self.given}:", shown[0], "The only tiling up to symmetry:", shown[1], said]
        return "\n\n".join(parts)

    def json(self) -> str:
        """A line, as `tiler unique --format json` prints it."""
        about = {
            "schema": SCHEMA,
            "digest": self.instance.digest,
            "turned_over": self.instance.turned_over,
            "fixed": tilings.to_json(self.fixed),
            "removed": sorted(self.removed),
            **self.instance.labels_to_json(self.removed),
            "tiling": tilings.to_json(self.tiling),
            "nodes": self.nodes,
            "placements": self.placements,
            "tilings_per_placement": 1 / self.placements,
            **({"drawn": self.drawn} if self.drawn else {}),
            **({"grade": self.grade.to_json()} if self.grade else {}),
        }
        return json_lines([about])

    def problem(self) -> str:
        """The problem file."""
        return problem.write(self.instance)

    def forms(self, look: PictureLook = USUAL) -> Forms:
        """The board with the pieces that are fixed, and all pieces below it, as .svg, .png or .pdf, .problem (which `tiler.read`
        reads), .json, or .txt with its solution."""
        others = {"problem": self.problem, "json": self.json, "txt": lambda: f"{self.text(look=look)}\n"}
        return {**instance_picture.pictures_of(self.instance, look), **others}
