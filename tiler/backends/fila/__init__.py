"""Define the backend `fila`: Busche's Fixed Image List Algorithm, alone or below dancing links that place the first pieces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tiler.backends.base import Implementation, TreeSearchBackend, option
from tiler.backends.dlx import Dlx
from tiler.backends.fila import orders
from tiler.backends.registry import register
from tiler.backends.searching.tree import Tree
from tiler.errors import BadOption
from tiler.process.cancellation import StopCheck, never_stop

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tiler.cover.cover import Cover


_MOST_AHEAD = 16


def _window_error(text: str) -> str | None:
    good = text in ("auto", "off") or (text.isascii() and text.isdigit() and len(text) < 3 and int(text) <= _MOST_AHEAD)
    return None if good else f"it must be auto, off, or a number of cells from 0 to {_MOST_AHEAD}"


@register
@dataclass(frozen=True)
class Fila(TreeSearchBackend):
    """Choose a cell, and try the placements over it that ready lists, or words of bits, know to be possible there.

    `order=f` takes the first open cell of a numbering that runs along the short side; so do sweeps along axes (`x`, `-yx`) and
    `radial` in their own order. There is a list for every cell and every state of its neighbours (filled or open) with, for each
    tile, the placements to be tried: none that covers a filled neighbour (NOF), none that covers a cell before the chosen one
    (POF). `e` (estimate) takes the cell where fewest placements fit among those with fewest open neighbours, `s` (size) the cell
    where fewest fit, in both cases the first of equals: a list is chosen for each cell by its neighbours, and counted up to the
    least so far, as published; where nothing fits nothing is tried, and what does not fit elsewhere is a no-fit. The cells that
    `s` takes `dlx:order=cells` takes too, in a fifth of the time. A schedule such as `e:11+f:3` changes over as pieces are used
    up. With `handoff=N` dancing links place all but the last N pieces, and after each of them, while more than `volume` pieces
    are left, the volume filter removes placements that leave a region which no set of the pieces left can fill.

    `auto` compares samples of the trees of `f` and of dancing links, `dlx:order=mrv+cells:6`, and asks the one that promises to
    be the quicker. It sets axes and volume too, unless they are given; to decide, or for a few tilings, it goes by the form of
    the board.

    With a single fixed order the lists can be chosen by the next K cells instead (`window=K`): they leave out what those cells
    rule out, and what closes off some of them whose number no set of tiles has; what does so on the empty board is in no list.
    It is quickest where a word has the cells that a placement spans and a bit for each tile that can be used up, at most 63 bits;
    else it takes more words. `auto` looks 12 cells ahead, fewer on large boards.

    A node is a placement that fits and is made. Fits and no-fits are counted by the pieces left, which is exact where every copy
    must be used, else the most that the open cells could hold. With a window, what is tried of tiles used up counts as a no-fit
    too. Without one targets are counted as well, the nodes at which a list was chosen; with `tally=on` all three by the cell and
    by which of its neighbours are filled.

    Marks of sides are a few cells more (pins), which placements cover by patterns: so lists are chosen by the marks of neighbours
    that lie already.

    On narrow boards, up to some seven cells wide, the default is best. Else, in the plane for sets of different tiles and in
    space, `dlx:order=mrv+cells:6` is. The search tree of Fletcher's program (1965), though not the program, is
    `fila:nof=off,window=off`.

    Source: M. Busche, Fixed Image List Algorithm (FILA), 2018. The window is our own.
    """

    name: ClassVar[str] = "fila"
    needs_board: ClassVar[bool] = True
    gone: ClassVar[Mapping[str, str]] = {
        "images": "there are image lists only now: leave it out; what order=s did by words of bits, dlx:order=cells does"
    }

    order: str = option(
        "f",
        "which cell is next: f, e, s, radial, axes such as xy, a schedule, auto",
        check=orders.order_error,
        tries=(
            *("auto", "e", "s", "radial", "x", "-yx", "zy"),
            *("e:3+f:1", "f:9+s:2+radial:1", "x+y:2", "f+e:3", "-x+radial:3"),
        ),
    )
    axes: str = option(
        "auto",
        "how cells are numbered: axes from the slowest to the fastest, such as xy",
        check=orders.axes_error,
        tries=("yx", "-xy", "z"),
    )
    nof: bool = option(True, "leave out placements over neighbours that are filled")
    handoff: int = option(
        0, "place the last N pieces by fila, all others by dancing links; 0 for none by dancing links", tries=(1, 2, 3, 20)
    )
    volume: int = option(
        0,
        "above the handoff, filter by the size of regions while more than N pieces are left; 0 for never",
        tries=(1, 3),
    )
    window: str = option(
        "auto",
        "choose lists by the next N cells; auto where it can, with nof=on",
        check=_window_error,
        tries=("off", "0", "3", "9"),
    )

    tally: bool = option(False, "of image lists: count targets, fits and no-fits by cell and by which neighbours are filled")

    def __post_init__(self) -> None:
        if self.volume and not self.handoff:
            raise BadOption(f"fila: volume={self.volume} is about the pieces above a handoff: it needs handoff=N")
        if orders.names_fewest(self.order):
            instead = Dlx(filter=self.filter, anchor=self.anchor, order=orders.of_dancing_links(self.order), volume=self.volume)
            raise BadOption(f"{self} is {instead} now")
        if self.tally and (self.window.isdigit() or self.order == orders.AUTO):
            raise BadOption("fila: tally=on is about image lists: it needs an order, and no window")
        if self.window.isdigit() and (self.handoff or self.order == orders.AUTO or not orders.single(self.order)):
            raise BadOption(f"fila: window={self.window} needs a single fixed order and no handoff; use window=auto")

    @classmethod
    def implementation(cls) -> Implementation:
        from tiler.backends.fila.search import search

        return search

    def tree(self, cover: Cover, check_stop: StopCheck = never_stop) -> Tree:
        from tiler.backends.fila.search import tree
        from tiler.cover.board import on_board

        return tree(self, on_board(cover, self.name), check_stop)

    def numbering(self, cover: Cover) -> NDArray[np.int64]:
        from tiler.cover.board import on_board

        return orders.numbering(on_board(cover, self.name), self.axes)

    @property
    def delegates(self) -> bool:
        return self.order == orders.AUTO
