"""Show and save a tiling."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

from tiler.amounts import counted
from tiler.api.answers.saving import write
from tiler.api.call_errors import offered
from tiler.errors import BadOption
from tiler.model.colour_names import colour_called
from tiler.model.instance import Instance
from tiler.model.lattice import Cell, box
from tiler.model.tile import Placement
from tiler.printable import shortened
from tiler.question.quantities import inches

if TYPE_CHECKING:
    from tiler.api.arguments import LimitArguments
    from tiler.apps.puzzles.answers.disassembly import TakenApart
    from tiler.render.options import PictureLook


class Look(TypedDict, total=False):
    """The look of a picture, as far as the caller chooses it."""

    size: str
    colours: str | Mapping[str, str]
    names: bool
    unit: float
    gap: float
    height: float


@dataclass(frozen=True, repr=False)
class Tiling:
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

    def _repr_svg_(self) -> str:
        return self.svg()

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

    def save(self, path: str | Path, **look: Unpack[Look]) -> None:
        """Write the tiling to a file, by the ending of its name: .svg, .png, .pdf, .json (which `tiler check` reads), .txt, .stl,
        .3mf or .dxf (for a laser cutter).

        `size` is the longer side of a picture, such as "24in"; `colours` chooses the colours of pieces, as `--colours` does, or
        maps names of tiles to colours; `names` writes the names of pieces on them. As .stl or .3mf the tiling is for a 3D
        printer, with cells of `unit` mm, a `gap` between pieces and a `height` for flat pieces. BadOption for another ending,
        TilerError if the file cannot be written.
        """
        asked = look_of(look)
        drawn = {form: partial(self._drawn, form, asked) for form in ("svg", "png", "pdf", "stl", "3mf", "dxf")}
        write(path, {**drawn, "json": self._json, "txt": lambda: f"{self.text(**look)}\n"})

    def _drawn(self, form: str, look: PictureLook) -> bytes:
        from tiler.render import gallery

        return gallery.draw(self.instance, [self.placements], form, look)

    def _json(self) -> str:
        from tiler.formats import tilings

        return tilings.line(self) + "\n"


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


def look_of(asked: Look) -> PictureLook:
    """What these arguments ask for; BadOption for a size or a colour that is none."""
    from tiler.render.colours import BY
    from tiler.render.options import PictureLook

    size, how = asked.get("size"), asked.get("colours")
    if isinstance(how, str) and how not in BY:
        raise BadOption(f"colours={how!r}: one of {', '.join(BY)}, or a dictionary of colours by names of tiles")
    given = how if how is None or isinstance(how, str) else {name: colour_called(colour) for name, colour in how.items()}
    try:
        look = PictureLook(given, inches=inches(size) if size else 0.0, names=asked.get("names", False))
        usual = look.lengths
        lengths = usual._replace(
            unit=asked.get("unit", usual.unit), gap=asked.get("gap"), height=asked.get("height", usual.height)
        )
        return look._replace(lengths=lengths)
    except argparse.ArgumentTypeError as error:
        raise BadOption(f"size: {error}") from None
