"""Busche's Fixed Image List Algorithm, alone or below a dancing-links search that places the first pieces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, cast

from tiler.backends.base import Backend, option
from tiler.backends.dlx import Dlx
from tiler.backends.fila import orders
from tiler.backends.registry import register
from tiler.backends.schedule import schedule
from tiler.errors import BadOption
from tiler.process.look import Look, unhurried
from tiler.question.question import Goal, Question

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tiler.backends.sampling import Rooted
    from tiler.cover.cover import Cover


_MOST_AHEAD = 16
_CHOOSING = "tiler.backends.fila.choosing"  # loaded where there is something to choose


def _window_error(text: str) -> str | None:
    good = text in ("auto", "off") or (text.isascii() and text.isdigit() and len(text) < 3 and int(text) <= _MOST_AHEAD)
    return None if good else f"it must be auto, off, or a number of cells from 0 to {_MOST_AHEAD}"


@register
@dataclass(frozen=True)
class Fila(Backend):
    """Choose a cell, and try the placements over it that ready lists, or words of bits, know to be possible there.

    `order=f` takes the first open cell of a numbering that runs along the short side; so do sweeps along axes (`x`, `-yx`) and
    `radial` in their own order. There is a list for every cell and every state of its neighbours (filled or open) with, for each
    tile, the placements to be tried: none that covers a filled neighbour (NOF), none that covers a cell before the chosen one
    (POF). `e` (estimate) takes the cell where fewest placements fit among those with fewest open neighbours, `s` (size) the cell
    where fewest fit, in both cases the first of equals. `mrv` (minimum remaining values) does as `s`, but where fewer placements
    fit of a tile that has to be used once more and no further time, it takes that tile, as dancing links do. With `images=words`
    what fits is known by bits, and only that is tried; with `images=lists` (not for `mrv`) a list is chosen for each cell by its
    neighbours, and counted up to the least so far, as published: where nothing fits nothing is tried, and what does not fit
    elsewhere is a no-fit. Lists take longer. A schedule such as `e:11+f:3` changes over as pieces are used up. `auto` compares
    samples of the trees of `f` and `mrv+s:6`, and sets handoff, volume and axes too, unless they are given; to decide, or for a
    few tilings, it goes by the form of the board. With `handoff=N` dancing links place all but the last N pieces, and after each
    of them, while more than `volume` pieces are left, placements go that leave a region no set of the pieces left can fill.

    With a single fixed order the lists can be chosen by the next K cells instead (`window=K`): they leave out what those cells
    rule out, and what closes off some of them whose number no set of tiles has; what does so on the empty board is in no list.
    This needs placements that span, with a bit for each tile that can be used up, at most 63 cells; `auto` looks 12 cells ahead,
    fewer on large boards, where it can.

    A node is a placement that fits and is made. Fits and no-fits are counted by the pieces left, which is exact where every copy
    must be used, else the most that the open cells could hold. With words of bits there are no no-fits; with a window, what is
    tried of tiles used up counts as a no-fit too. Lists also count targets, the nodes at which one of them was chosen; with
    `tally=on` all three by the cell and by which of its neighbours are filled.

    On narrow boards, up to some seven cells wide, the default is best. Else, in the plane for sets of different tiles and in
    space, `order=mrv+s:6` is: of the last pieces tiles are hardly ever better than cells, and looking at them takes time. The
    search tree of Fletcher's program (1965), though not the program, is `fila:nof=off,window=off`.

    Source: M. Busche, Fixed Image List Algorithm (FILA), 2018. The window is our own, and so are the words of bits that `e` and
    `s` work on unless they are told otherwise: they choose the same cells, in other seconds.
    """

    name: ClassVar[str] = "fila"
    implementation: ClassVar[str] = "tiler.backends.fila.search:search"
    needs_board: ClassVar[bool] = True
    can_trace: ClassVar[bool] = True
    can_save: ClassVar[bool] = True
    can_estimate: ClassVar[bool] = True

    order: str = option(
        "f", "which cell is next: f, e, s, mrv, radial, axes such as xy, a schedule, auto", check=orders.order_error
    )
    axes: str = option(
        "auto", "how cells are numbered: axes from the slowest to the fastest, such as xy", check=orders.axes_error
    )
    nof: bool = option(True, "leave out placements over neighbours that are filled")
    handoff: int = option(0, "place all but so many pieces by dancing links; 0 for none of them")
    volume: int = option(
        0, "above the handoff, filter by the size of regions while more than so many pieces are left; 0 for never"
    )
    images: str = option(
        "words", "with e and s: words of bits know which images fit, or ready lists are tried", choices=("words", "lists")
    )
    window: str = option("auto", "choose lists by so many cells ahead; auto where it can, with nof=on", check=_window_error)

    tally: bool = option(False, "of image lists: count targets, fits and no-fits by cell and by which neighbours are filled")

    def __post_init__(self) -> None:
        if self.volume and not self.handoff:
            raise BadOption(f"fila: volume={self.volume} is about the pieces above a handoff: it needs handoff=N")
        if not self.nof and self.images != "lists" and self.order != orders.AUTO and not self._is_fixed:
            raise BadOption(
                f"fila: with order={self.order} only placements that fit are tried, so nof=off would do nothing: leave it out, "
                "or add images=lists"
            )
        if self.images == "lists" and any(phase.ordering == orders.MRV for phase in schedule(self.order)):
            raise BadOption("fila: order=mrv looks for tiles in words of images: leave images=lists out, or take order=s")
        if self.tally and (
            self.window.isdigit() or (self.images != "lists" and not (self.order != orders.AUTO and self._is_fixed))
        ):
            raise BadOption("fila: tally=on is about image lists: it needs a fixed order or images=lists, and no window")
        if self.window.isdigit() and (self.handoff or self.order == orders.AUTO or not orders.single(self.order)):
            raise BadOption(f"fila: window={self.window} needs a single fixed order and no handoff; use window=auto")

    @property
    def _is_fixed(self) -> bool:
        return all(orders.is_fixed(phase.ordering) for phase in schedule(self.order))

    def numbering(self, cover: Cover) -> NDArray[np.int64]:
        from tiler.cover.board import on_board

        return orders.numbering(on_board(cover, self.name), self.axes)

    def guides(self, cover: Cover, keeps: Sequence[NDArray[np.bool_]], look: Look = unhurried) -> list[Rooted]:
        # They grow and shrink with FILA's, whatever its order, and nothing has to be set up at a node.
        return Dlx().guides(cover, keeps, look)

    def settled(self, cover: Cover, question: Question) -> Backend:
        if question.goal is Goal.DECIDE or question.limits.solutions is not None:
            return self.by_rule(cover)
        return self.tuned(cover)[0]

    def by_rule(self, cover: Cover) -> Fila:
        if self.order != orders.AUTO:
            return self
        if cover.refusal() is not None:
            return replace(self, order=orders.FIRST)
        from tiler.cover.board import on_board

        return cast("Fila", import_module(_CHOOSING).by_rule(self, on_board(cover, self.name)))

    def tuned(
        self, cover: Cover, keeps: Sequence[NDArray[np.bool_]] = (), look: Look = unhurried
    ) -> tuple[Fila, Mapping[str, Any]]:
        if self.order != orders.AUTO:
            return self, {}
        import numpy as np

        from tiler.backends import sampling
        from tiler.cover.board import on_board

        if sampling.is_idle(cover) or cover.refusal() is not None:
            chosen = self.by_rule(cover)
            return chosen, {"chosen": str(chosen), "because": "there are few pieces"}
        everything = [np.ones(len(cover), np.bool_)]
        backend, why, seconds = import_module(_CHOOSING).by_samples(self, on_board(cover, self.name), keeps or everything, look)
        return backend, {"chosen": str(backend), "because": why, "estimated_seconds": round(seconds, 3)}
