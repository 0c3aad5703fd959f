"""Show and save a tiling."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Unpack

import numpy as np
from numpy.typing import NDArray

from tiler.amounts import counted
from tiler.api.answers.saving import PICTURES, Drawable, Forms, Look, look_of
from tiler.api.call_errors import offered
from tiler.model.instance import Instance
from tiler.model.lattice import Cell, box
from tiler.model.tile import Placement
from tiler.printable import shortened
from tiler.render.options import USUAL, PictureLook

if TYPE_CHECKING:
    from tiler.api.arguments import LimitArguments
    from tiler.apps.puzzles.answers.disassembly import TakenApart

_DRAWN = (*PICTURES, "stl", "3mf", "dxf")


@dataclass(frozen=True, repr=False)
class Tiling(Drawable):
    """A tiling of an instance: its placements, each a tile's name and the cells it covers. Notebooks draw it, `str` makes a text
    of it, and `save` a file.

    >>> import tiler
    >>> tiling = tiler.solve(tiler.make("2x2", "2"), solver="dlx").tiling
    >>> tiling, len(tiling), [placement.tile for placement in tiling]
    (Tiling(2x2 2: 2 placements), 2, ['2', '2'])
    """

    instance: Instance
    placements: tuple[Placement, ...]

    def __iter__(self) -> Iterator[Placement]:
        return iter(self.placements)

    def __len__(self) -> int:
        return len(self.placements)

    def __repr__(self) -> str:
        about = shortened(self.instance.heading) or counted(len(self.instance.board), "cell")
        return f"Tiling({about}: {counted(len(self), 'placement')})"

    def __str__(self) -> str:
        return self.text()

    @cached_property
    def cells(self) -> Mapping[Cell, Placement]:
        """For every cell that is covered, the placement that covers it.

        >>> import tiler
        >>> tiler.solve(tiler.make("2x1", "2")).tiling.cells[0, 1].tile
        '2'
        """
        return MappingProxyType({cell: placement for placement in self.placements for cell in sorted(placement.cells)})

    def to_numpy(self) -> NDArray[np.int32]:
        """The board as an array, by row and column, in space by layer, row and column. A cell has the number of its placement
        among the `placements`, from 1, or 0 if it is not covered. The array begins with the first row and column of the board.

        >>> import tiler
        >>> tiler.solve(tiler.make("2x2", "2"), solver="dlx").tiling.to_numpy().tolist()
        [[1, 1], [2, 2]]
        """
        low, high = box(self.instance.board)
        array = np.zeros([b - a + 1 for a, b in zip(low, high, strict=True)], np.int32)
        for number, placement in enumerate(self.placements, 1):
            array[tuple(np.array(sorted(placement.cells)).T - np.array(low)[:, None])] = number
        return array

    def svg(self, **look: Unpack[Look]) -> str:
        """The picture that a notebook shows, as an SVG document."""
        from tiler.render import svg

        return svg.draw(self.instance, self.placements, look_of(look))

    def text(self, **look: Unpack[Look]) -> str:
        """The drawing that `print` shows, on request with names of pieces.

        >>> import tiler
        >>> print(tiler.solve(tiler.make("3x1", "3I"), solver="dlx").tiling.text(names=True))
        ┌───────────┐
        │     3I    │
        └───────────┘
        """
        from tiler.render import text

        return text.draw(self.instance, self.placements, colour=False, look=look_of(look))

    @offered()
    def apart(self, **limits: Unpack[LimitArguments]) -> TakenApart:
        """Find out whether the pieces can be taken apart by straight moves along the axes, and how with the fewest moves.

        Squares are taken apart in the plane, cubes in space, with nothing around them; no piece is turned on its way. Unfinished
        if a limit ends the search, BadOption on other lattices and on boards that are wrapped.
        """
        from tiler import extensions

        found: TakenApart = extensions.service("taken_apart")(self.instance, self.placements, limits)
        return found

    def forms(self, look: PictureLook = USUAL) -> Forms:
        """A picture as .svg, .png or .pdf, .json (which `tiler check` reads), .txt, .stl or .3mf (for a 3D printer), .dxf (for a
        laser cutter)."""
        from tiler.formats import tilings
        from tiler.render import gallery, text

        drawn = {form: partial(gallery.draw, self.instance, [self.placements], form, look) for form in _DRAWN}
        printed = partial(text.draw, self.instance, self.placements, colour=False, look=look)
        return {**drawn, "json": lambda: f"{tilings.line(self)}\n", "txt": lambda: f"{printed()}\n"}


class SomeTilings(tuple[Tiling, ...]):
    """A tuple of tilings of one instance. Notebooks draw it as `drawn_together` does."""

    __slots__ = ()

    def _repr_svg_(self) -> str | None:
        return drawn_together(self)


def drawn_together(tilings: Sequence[Tiling]) -> str | None:
    """The first 24 tilings side by side, as an SVG document; None without any."""
    from tiler.render import gallery

    first = tilings[: gallery.PER_PAGE]
    return gallery.draw(first[0].instance, [each.placements for each in first], "svg").decode() if first else None
