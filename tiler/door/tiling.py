"""A tiling, as it is shown and saved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tiler.amounts import counted
from tiler.door.saving import write
from tiler.errors import Unfinished
from tiler.model.instance import Instance
from tiler.model.lattice import Cell, box
from tiler.model.tile import Placement
from tiler.printable import shortened
from tiler.process.look import Stopped

if TYPE_CHECKING:
    from tiler.door.following import ToldProgress
    from tiler.door.taken_apart import TakenApart


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
        from tiler.render import text

        return text.draw(self.instance, self.placements, colour=False)

    @cached_property
    def cells(self) -> Mapping[Cell, Placement]:
        """For every cell that is covered, the placement that covers it.

        >>> import tiler
        >>> tiler.solve(tiler.make("2x1", "2")).tiling.cells[0, 1].tile
        '2'
        """
        return MappingProxyType({cell: placement for placement in self.placements for cell in sorted(placement.cells)})

    def to_numpy(self) -> NDArray[np.int32]:
        """The board as an array, by row and column, in space by layer, row and column: where a placement lies its number among
        the `placements`, from 1, and 0 where there is none. It begins with the first row and column of the board.

        >>> import tiler
        >>> tiler.solve(tiler.make("2x2", "2"), solver="dlx").tiling.to_numpy().tolist()
        [[1, 1], [2, 2]]
        """
        low, high = box(self.instance.board)
        array = np.zeros([b - a + 1 for a, b in zip(low, high, strict=True)], np.int32)
        for number, placement in enumerate(self.placements, 1):
            array[tuple(np.array(sorted(placement.cells)).T - np.array(low)[:, None])] = number
        return array

    def svg(self) -> str:
        """The picture that a notebook shows, as an SVG document."""
        from tiler.render import svg

        return svg.draw(self.instance, self.placements)

    def _repr_svg_(self) -> str:
        return self.svg()

    def apart(
        self, *, seconds: float | None = None, memory: int | str | None = None, progress: ToldProgress = False
    ) -> TakenApart:
        """Whether its pieces can be taken apart by straight moves along the axes, and how with as few as can be.

        Squares are taken apart in the plane, cubes in space, with nothing around them; no piece is turned on its way. Unfinished
        if a limit ends the search, BadOption on other lattices and on boards that are wrapped.
        """
        from tiler.ask.apart import disassembly_of
        from tiler.door import given
        from tiler.door.following import following
        from tiler.door.taken_apart import TakenApart

        with following(progress, given.limits(seconds, memory), "positions") as follow:
            found = None
            with suppress(Stopped):
                found = disassembly_of(self.instance, self.placements, look=follow.look)
            follow.refuse_interrupted(found)
        if found is None:
            raise Unfinished(f"unfinished: {follow.reason}; it is not known whether the pieces come apart", 0, follow.stop or "")
        return TakenApart(self.instance, self.placements, found)

    def save(self, path: str | Path) -> None:
        """Write it to a file, as its ending says: .svg, .png, .pdf, .json (which `tiler check` reads) or .txt.

        BadOption for another ending, TilerError if the file cannot be written.
        """
        write(path, {"svg": self.svg, "png": self._png, "pdf": self._pdf, "json": self._json, "txt": lambda: f"{self}\n"})

    def _png(self) -> bytes:
        from tiler.render import image

        return image.draw(self.instance, self.placements, "png")

    def _pdf(self) -> bytes:
        from tiler.render import image

        return image.draw(self.instance, self.placements, "pdf")

    def _json(self) -> str:
        from tiler.formats import tilings

        return tilings.line(self) + "\n"
