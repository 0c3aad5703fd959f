"""Show and save how a tiling comes apart."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from tiler.amounts import counted
from tiler.api.answers.saving import Forms, Savable, json_lines, pictures
from tiler.apps.puzzles.apart import disassembly_steps
from tiler.apps.puzzles.apart.disassembly import Disassembly
from tiler.model.tile import Placement
from tiler.printable import shortened
from tiler.render import lettering, text

if TYPE_CHECKING:
    from tiler.model.instance import Instance
    from tiler.render.viewer import Stage

SCHEMA = "tiler-disassembly-1"


@dataclass(frozen=True, repr=False)
class TakenApart(Savable):
    """Whether the pieces of a tiling come apart by straight moves, and how. `str` lists the moves, and `save` writes a file.

    >>> import tiler
    >>> found = tiler.solve(tiler.make("2x2", "2")).tiling.apart()
    >>> found
    TakenApart(2x2 2: level 1, 1 move)
    >>> found.comes_apart, found.levels
    (True, (1,))
    """

    instance: Instance
    tiling: tuple[Placement, ...]
    found: Disassembly

    @property
    def comes_apart(self) -> bool:
        """Whether all pieces can be taken apart, except those that may stay together."""
        return self.found.comes_apart

    @property
    def levels(self) -> tuple[int, ...]:
        """The number of moves of each separation, each the fewest possible."""
        return self.found.levels

    @property
    def level(self) -> str:
        """The levels as they are published, such as 5.2.1."""
        return self.found.level

    @property
    def verdict(self) -> str:
        """The answer on a line."""
        names = disassembly_steps.called(self.instance.lattice, self.tiling)
        if self.comes_apart:
            return f"comes apart: level {self.level}, {counted(self.found.moves, 'move')}"
        return (
            f"does not come apart: {disassembly_steps.listed([names[piece] for piece in self.found.stuck])} cannot be separated"
        )

    def __repr__(self) -> str:
        about = shortened(self.instance.heading) or "tiling"
        verdict = f"level {self.level}, {counted(self.found.moves, 'move')}" if self.comes_apart else "does not come apart"
        return f"TakenApart({about}: {verdict})"

    def __str__(self) -> str:
        names = disassembly_steps.called(self.instance.lattice, self.tiling)
        lines = [self.verdict]
        number = 0
        for separation in self.found.separations:
            off, rest = (
                disassembly_steps.listed([names[piece] for piece in some]) for some in (separation.removed, separation.left)
            )
            lines.append(f"\n{off} off {rest}, {counted(len(separation.slides), 'move')}")
            for slide in separation.slides:
                number += 1
                lines.append(f"{number:>5}  {disassembly_steps.in_words(slide, names)}")
        return "\n".join(lines)

    def picture(self, *, coloured: bool = False, width: int = 80) -> str:
        """The tiling as text, and which letter stands for which piece."""
        # In the plane borders tell pieces apart, but not their names: there letters take the place of borders.
        drawn = text.draw(self.instance, self.tiling, colour=coloured, width=width if self.instance.dimension == 3 else 0)
        signs = lettering.assign_letters(self.instance.lattice, self.tiling)
        named = sorted(zip(signs, disassembly_steps.names_of(self.tiling), strict=True))
        return f"{drawn}\n\n{', '.join(f'{sign} {name}' for sign, name in named)}"

    def summary(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "schema": SCHEMA,
            "instance": self.instance.name,
            "digest": self.instance.digest,
            "tiling": [placement.to_json() for placement in self.tiling],
            **self.found.to_json(disassembly_steps.names_of(self.tiling)),
        }

    def json(self) -> str:
        """A line, as `tiler apart --format json` prints it."""
        return json_lines([self.summary()])

    def html(self) -> str:
        """A page for a browser that shows move after move."""
        from tiler.render import viewer

        return viewer.disassembly(self.instance, self.tiling, self.stages())

    def stages(self) -> list[Stage]:
        """A stage for each move, after that of the assembly."""
        return disassembly_steps.stages(self.instance, self.tiling, self.found)

    def gif(self) -> bytes:
        """A moving picture."""
        return disassembly_steps.moving_picture(self.instance, self.tiling, self.found)

    def forms(self) -> Forms:
        """A picture of every move as .svg, .png or .pdf, a moving one as .gif, a page for a browser as .html, .json or .txt."""
        page = partial(disassembly_steps.page, self.instance, self.tiling, self.found)
        drawn = pictures(page, self.instance.heading or "tiling")
        return {**drawn, "gif": self.gif, "html": self.html, "json": self.json, "txt": self.printed}
