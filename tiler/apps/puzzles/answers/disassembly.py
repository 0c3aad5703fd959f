"""Show and save how a tiling comes apart: in words, as a picture of every move, and as a moving picture.

Each separation takes one group of pieces apart, and only the pieces of this group are shown. Pieces that go off are moved until
they are clear of the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, pairwise
from math import asin, sin
from typing import TYPE_CHECKING, Any

from tiler import printable
from tiler.amounts import counted
from tiler.api.answers.saving import Forms, Savable, json_lines, pictures
from tiler.apps.puzzles.apart.disassembly import Disassembly, Slide
from tiler.errors import BadOption
from tiler.model.lattice import Cell, move
from tiler.model.tile import Placement, Placements
from tiler.render import drawing, lettering, pages, scene, solid, text, viewer
from tiler.render.colours import PieceColours
from tiler.render.scene import Page, Panel
from tiler.render.viewer import Stage

if TYPE_CHECKING:
    from tiler.model.instance import Instance

SCHEMA = "tiler-disassembly-1"
MOST_FRAMES = 2000  #: the most frames of a moving picture
_SHORT, _LONG = 120, 900  # milliseconds for which a step is shown, and for which the last step of a move is shown
_WAYS = {2: (("down", "up"), ("right", "left")), 3: (("up", "down"), ("forwards", "back"), ("right", "left"))}


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
    tiling: Placements
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

    @cached_property
    def _names(self) -> list[str]:
        """The names of the pieces; if there are several copies of a tile, each has a number."""
        return _names_of(self.tiling)

    @cached_property
    def _called(self) -> list[str]:
        """What the pieces are called in words: their names, but of burrs, whose names are numbers, letters. A text drawing has
        the same letters."""
        has_numbers = self.instance.lattice.dimension == 3 and any(placement.tile.isdecimal() for placement in self.tiling)
        return lettering.assign_letters(self.instance.lattice, self.tiling) if has_numbers else self._names

    def _listed(self, pieces: Sequence[int]) -> str:
        """What some pieces are called, as a list in a sentence."""
        return _listed([self._called[piece] for piece in pieces])

    @property
    def verdict(self) -> str:
        """The answer on a line."""
        if self.comes_apart:
            return f"comes apart: level {self.level}, {counted(self.found.moves, 'move')}"
        return f"does not come apart: {self._listed(self.found.stuck)} cannot be separated"

    def __repr__(self) -> str:
        about = printable.shortened(self.instance.heading) or "tiling"
        verdict = f"level {self.level}, {counted(self.found.moves, 'move')}" if self.comes_apart else "does not come apart"
        return f"TakenApart({about}: {verdict})"

    def __str__(self) -> str:
        lines = [self.verdict]
        number = 0
        for separation in self.found.separations:
            off, rest = self._listed(separation.removed), self._listed(separation.left)
            lines.append(f"\n{off} off {rest}, {counted(len(separation.slides), 'move')}")
            for slide in separation.slides:
                number += 1
                lines.append(f"{number:>5}  {_in_words(slide, self._called)}")
        return "\n".join(lines)

    def picture(self, *, coloured: bool = False, width: int = 80) -> str:
        """The tiling as text, and which letter stands for which piece."""
        # In the plane borders tell pieces apart, but not their names: there letters take the place of borders.
        drawn = text.draw(self.instance, self.tiling, colour=coloured, width=width if self.instance.dimension == 3 else 0)
        signs = lettering.assign_letters(self.instance.lattice, self.tiling)
        named = sorted(zip(signs, self._names, strict=True))
        return f"{drawn}\n\n{', '.join(f'{sign} {name}' for sign, name in named)}"

    def summary(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "schema": SCHEMA,
            "instance": self.instance.name,
            "digest": self.instance.digest,
            "tiling": [placement.to_json() for placement in self.tiling],
            **self.found.to_json(self._names),
        }

    def json(self) -> str:
        """A line, as `tiler apart --format json` prints it."""
        return json_lines([self.summary()])

    def html(self) -> str:
        """A page for a browser that shows move after move."""
        return viewer.disassembly(self.instance, self.tiling, self.stages())

    def stages(self, *, single_steps: bool = False) -> list[Stage]:
        """A stage for each move, or with `single_steps` for each step of a move. The first stage shows the assembly. A stage
        comes before each separation of other pieces than those that were shown last."""
        names, own = self._called, self._names
        # Letters are explained once.
        meant = (
            "" if names == own else ": " + ", ".join(f"{letter} {name}" for letter, name in sorted(zip(names, own, strict=True)))
        )
        at = dict.fromkeys(range(len(self.tiling)), (0,) * self.instance.lattice.dimension)
        shown = tuple(at)
        made = [Stage(dict(at), f"all together{meant}", 0, is_last=True)]
        number = 0
        for separation in self.found.separations:
            if separation.pieces != shown:
                shown = separation.pieces
                made.append(Stage({piece: at[piece] for piece in shown}, f"now {self._listed(shown)}", 0, is_last=True))
            for slide in separation.slides:
                number += 1
                (axis,) = (axis for axis, by in enumerate(slide.vector) if by)
                far = _clear(self.tiling, at, slide, shown, axis) if slide.off else abs(slide.vector[axis])
                step = tuple((by > 0) - (by < 0) for by in slide.vector)
                taken = [1] * far if single_steps else [far]
                for turn, times in enumerate(taken, 1):
                    for piece in slide.pieces:
                        at[piece] = tuple(a + times * by for a, by in zip(at[piece], step, strict=True))
                    said = f"{number}. {_in_words(slide, names)}"
                    made.append(Stage({piece: at[piece] for piece in shown}, said, number, turn == len(taken), slide.off))
            shown = separation.left if len(separation.left) > 1 else ()
        return made

    def _panels(self, some: Sequence[Stage], *, leaving: bool) -> list[Panel]:
        """A panel for each stage, all of the same size and with the same origin. With `leaving` pieces that go
        off leave the picture, so that the others fill it."""
        instance, tiling, letters = self.instance, self.tiling, self._called
        fills = PieceColours.of(instance, [tiling], None).pieces[0]
        drawn = []
        for stage in some:
            placed = [Placement(tiling[piece].tile, move(tiling[piece].cells, by)) for piece, by in sorted(stage.moved.items())]
            marks = drawing.of_pieces(instance.lattice, placed, [fills[piece] for piece in sorted(stage.moved)])
            if letters != self._names:
                marks += solid.lettered(
                    instance.lattice, [each.cells for each in placed], [letters[piece] for piece in sorted(stage.moved)]
                )
            drawn.append((stage, marks))
        spots = [
            spot for stage, marks in drawn if not (stage.is_off and leaving) for mark in marks for spot in scene.spots_of(mark)
        ]
        return [scene.fitted(stage.said, marks, spots) for stage, marks in drawn]

    def page(self) -> Page:
        """A picture of the assembly and of each move."""
        return pages.album(self._panels(self.stages(), leaving=False))

    def gif(self) -> bytes:
        """A GIF in which the pieces come apart, step by step, again and again. BadOption if it would have more than
        `MOST_FRAMES`."""
        from tiler.render import gif  # Pillow takes a tenth of a second to import.

        first, *others = self.stages(single_steps=True)
        steps = [first._replace(said="all together"), *others]
        if len(steps) > MOST_FRAMES:
            raise BadOption(
                f"a moving picture of {len(steps):,} steps is too long: {MOST_FRAMES:,} at most; an HTML page shows more"
            )
        return gif.moving([*_with_words(self._panels(steps, leaving=True))], _times(steps))

    def forms(self) -> Forms:
        """A picture of every move as .svg, .png or .pdf, a moving one as .gif, a page for a browser as .html, .json or .txt."""
        drawn = pictures(self.page, self.instance.heading or "tiling")
        return {**drawn, "gif": self.gif, "html": self.html, "json": self.json, "txt": self.printed}


def _names_of(tiling: Sequence[Placement]) -> list[str]:
    """The names of the pieces; if there are several copies of a tile, each has a number.

    >>> _names_of([Placement("X", frozenset()), Placement("I", frozenset()), Placement("X", frozenset())])
    ['X #1', 'I', 'X #2']
    """
    uses, seen = Counter(placement.tile for placement in tiling), Counter[str]()
    names = []
    for placement in tiling:
        seen[placement.tile] += 1
        name = printable.line(placement.tile)
        names.append(f"{name} #{seen[placement.tile]}" if uses[placement.tile] > 1 else name)
    return names


def _in_words(slide: Slide, names: Sequence[str]) -> str:
    """A move, such as `X and I #2: right 3`.

    >>> _in_words(Slide((0, 2), (0, -3)), ["X", "I #1", "I #2"]), _in_words(Slide((1,), (1, 0), off=True), ["X", "I #1", "I #2"])
    ('X and I #2: left 3', 'I #1: down and off')
    """
    ways = [
        f"{_WAYS[len(slide.vector)][axis][by < 0]} {'and off' if slide.off else abs(by)}"
        for axis, by in enumerate(slide.vector)
        if by
    ]
    return f"{_listed([names[piece] for piece in slide.pieces])}: {', '.join(ways)}"


def _listed(names: Sequence[str]) -> str:
    """Names as a list in a sentence, such as `X, I and L`."""
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _clear(tiling: Sequence[Placement], at: dict[int, Cell], slide: Slide, shown: Sequence[int], axis: int) -> int:
    """The number of steps until the pieces that go off lie beyond all other pieces that are shown, with a cell between."""
    positions = {piece: [cell[axis] + at[piece][axis] for cell in tiling[piece].cells] for piece in shown}
    going = [a for piece in slide.pieces for a in positions[piece]]
    others = [a for piece in shown if piece not in slide.pieces for a in positions[piece]]
    return 2 + (max(others) - min(going) if slide.vector[axis] > 0 else max(going) - min(others))


def _times(steps: Sequence[Stage]) -> list[int]:
    """For how many milliseconds each step is shown: pieces start and stop slowly, and rest after each move."""
    times = []
    for _, run in groupby(steps, key=lambda step: step.move):
        far = len(list(run))
        # When a piece has gone a share of its way, if the way is 3t^2 - 2t^3.
        begun = [0.5 - sin(asin(1 - 2 * k / far) / 3) for k in range(far + 1)]
        taken = [max(40, round(far * _SHORT * (end - start))) for start, end in pairwise(begun)]
        times += [*taken[:-1], _LONG]
    return times


def _with_words(panels: Sequence[Panel]) -> Iterator[Panel]:
    """The panels, each with its heading in words below the picture."""
    for panel in panels:
        # Pieces that leave the picture go behind the words.
        box = [(-99.0, panel.height + 4), (panel.width + 99, panel.height + 4)]
        ground = scene.Patch([[*box, *((x, y + 2 * pages.HEADING) for x, y in box[::-1])]], "#ffffff")
        said = scene.Label((panel.width / 2, panel.height + pages.HEADING), panel.heading, 11.0, centred=True)
        yield Panel("", panel.width, panel.height + 1.5 * pages.HEADING, [*panel.marks, ground, said])
