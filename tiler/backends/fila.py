"""Busche's Fixed Image List Algorithm, alone or below a dancing-links search that places the first pieces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from tiler.backends.base import Backend, option, register
from tiler.backends.compiled import drive
from tiler.fila import orders
from tiler.kernels import EXHAUSTED, PAUSED
from tiler.query import Events, Goal, Query, Result

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tiler.cover import ExactCover


@register
@dataclass(frozen=True)
class Fila(Backend):
    """Choose a cell, and try every placement over it that the state of its neighbours does not rule out, from ready lists.

    There is a list for every cell and every state of its neighbours (filled or open) with, for each tile, the placements that can
    be tried there: none that covers a filled neighbour (NOF) and, where the order of the cells is fixed, none that covers a cell
    before the chosen one (POF). `order=f` takes the first open cell of a numbering that runs along the short side; `e`
    (estimate) the cell where fewest placements fit among those with fewest open neighbours; `s` (size) the cell where fewest
    fit. A schedule such as `e:11+f:3` changes over as pieces are used up. With `handoff=N` dancing links place all but the last N
    pieces. A node is a placement that fits and is made; fits and no-fits are counted by the pieces left, which is exact where
    every copy must be used, else the most that the open cells could hold. The search of Fletcher and de Bruijn is
    `fila:order=f,nof=off`.

    In the plane `order=f` is best, in space `order=e` or `order=s`, or `dlx`.

    Source: M. Busche, Fixed Image List Algorithm (FILA), 2018.
    """

    name: ClassVar[str] = "fila"
    can_trace: ClassVar[bool] = True
    imports: ClassVar[tuple[str, ...]] = ("tiler.kernels.fila", "tiler.kernels.dlx", "tiler.fila.lists")

    order: str = option("f", "which cell is next: f, e, s, radial, axes such as xy, or a schedule", check=orders.order_problem)
    axes: str = option(
        "auto", "how cells are numbered: axes from the slowest to the fastest, such as xy", check=orders.axes_problem
    )
    nof: bool = option(True, "leave out placements over neighbours that are filled")
    handoff: int = option(0, "place all but so many pieces by dancing links; 0 for none of them")

    def numbering(self, cover: ExactCover) -> NDArray[np.int64]:
        return orders.numbering(cover, self.axes)

    def search(self, cover: ExactCover, query: Query, events: Events) -> Result:
        search = _Below(self, cover) if self.handoff else _Search(self, cover)
        return drive(
            query,
            events,
            step=lambda budget: search.step(budget, query.goal is not Goal.COUNT),
            nodes=search.nodes,
            found=search.found,
            chosen=search.chosen,
            stats=search.stats,
        )


class _Search:
    """A search of a cover of which some cells may be filled and some copies used already."""

    def __init__(
        self, backend: Fila, cover: ExactCover, used: NDArray[np.int64] | None = None, filled: tuple[int, ...] = ()
    ) -> None:
        import numpy as np

        from tiler.fila import lists
        from tiler.kernels import fila as kernel

        self._kernel, self._cover = kernel, cover
        cells = len(cover.cells)
        place = backend.numbering(cover)
        phases = orders.schedule(backend.order)
        fixed = [
            None if phase.ordering in (orders.ESTIMATE, orders.SIZE) else orders.ranks(cover, phase.ordering, place)
            for phase in phases
        ]
        around = orders.beside(cover)
        made = lists.build(cover, place, around, fixed, nof=backend.nof)
        beside = np.empty_like(around)
        beside[place] = np.where(around >= 0, place[around], -1)
        left = cover.upper - (0 if used is None else used)
        owed = cover.lower - (0 if used is None else used)
        open_ = cells - len(filled)
        exact = bool((cover.lower == cover.upper).all())
        sizes = cover.sizes
        most = int(min(left.sum(), open_ // sizes.min())) if open_ else 0
        self.pieces = int(left.sum()) if exact else most
        # By pieces left: which ordering; the first one also above its number.
        by_pieces = np.zeros(self.pieces + 1, np.int64)
        for number, phase in enumerate(phases):
            upto = self.pieces if phase.most is None else min(phase.most, self.pieces)
            by_pieces[: upto + 1] = 2 * number + (phase.ordering == orders.ESTIMATE)
        kinds = {orders.FIRST: kernel.FIRST, orders.ESTIMATE: kernel.FEWEST, orders.SIZE: kernel.FEWEST}
        words = made.words
        occ = np.zeros(cells // 64 + words + 2, np.uint64)
        for cell in place[list(filled)].tolist() if filled else ():
            occ[cell >> 6] |= np.uint64(1 << (cell & 63))
        available = np.zeros(made.tile_words, np.uint64)
        for tile in np.flatnonzero(left > 0).tolist():
            available[tile >> 6] |= np.uint64(1 << (tile & 63))
        self._stack = np.zeros((most + 2, 8), np.int64)
        self._fits, self._nofits = np.zeros(self.pieces + 1, np.int64), np.zeros(self.pieces + 1, np.int64)
        self._state = np.zeros(8, np.int64)
        self._state[[kernel.OPEN, kernel.SLACK, kernel.COPIES, kernel.CHOOSY]] = (
            *(open_, open_ - int(sizes @ np.maximum(owed, 0)), int(left.sum()) if exact else 0),
            not exact,
        )
        pieces = np.full(cells + 1, -1, np.int64) if exact else np.arange(cells + 1, dtype=np.int64) // int(sizes.min())
        if not exact:
            pieces = np.minimum(pieces, self.pieces)
        sequences = np.stack([np.arange(cells) if ranks is None else place[np.argsort(ranks)] for ranks in fixed])
        self._option = made.option
        self._arguments: tuple[Any, ...] = (
            *(made.first, made.base, made.around, made.has, made.starts, made.masks, made.option),
            *(
                beside,
                sequences.astype(np.int64),
                by_pieces,
                np.array([kinds.get(p.ordering, kernel.SEQUENCE) for p in phases], np.int64),
            ),
            *(sizes, pieces, left.astype(np.int64), owed.astype(np.int64), available, occ, self._stack),
            *(np.zeros(most + 2, np.uint64), np.zeros((most + 3) * words, np.uint64)),
            *(self._fits, self._nofits, np.zeros(cells, np.int64), self._state),
        )

    def step(self, budget: int, stop_at_solutions: bool) -> int:
        arguments = (*self._arguments, budget, stop_at_solutions)
        return int(self._kernel.search(*arguments))

    def nodes(self) -> int:
        return int(self._state[self._kernel.NODES])

    def found(self) -> int:
        return int(self._state[self._kernel.FOUND])

    def chosen(self) -> tuple[int, ...]:
        depth = int(self._state[self._kernel.DEPTH])
        return tuple(self._option[self._stack[:depth, self._kernel.AT]].tolist())

    def attempts(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Fits and no-fits by pieces left."""
        return self._fits, self._nofits

    def stats(self) -> dict[str, Any]:
        return {"fits": self._fits.tolist(), "nofits": self._nofits.tolist()}


class _Below:
    """Dancing links until `handoff` pieces are left, then FILA on the model rebuilt from the placements still possible."""

    def __init__(self, backend: Fila, cover: ExactCover) -> None:
        import numpy as np

        from tiler.backends.dlx import Search

        self._backend, self._cover = backend, cover
        self._above = Search.of(cover, handoff=backend.handoff)
        self._below: _Search | None = None
        self._placed: tuple[int, ...] = ()
        self._alive: NDArray[np.int32] = np.zeros(0, np.int32)
        self._nodes = self._found = 0  # of the searches below that are done
        self._tables = (np.zeros(0, np.int64), np.zeros(0, np.int64))

    def step(self, budget: int, stop_at_solutions: bool) -> int:
        """One stretch of the search that is under way, above or below."""
        import numpy as np

        from tiler.kernels.dlx import HANDOFF

        if self._below is not None:
            code = self._below.step(budget, stop_at_solutions)
            if code == EXHAUSTED:
                self._nodes, self._found = self.nodes() - self._above.nodes(), self.found() - self._above.found()
                self._tables = self._sums()
                self._below = None
                return PAUSED
            return code
        code = self._above.step(budget, stop_at_solutions)
        if code == HANDOFF:
            self._placed = self._above.chosen()
            self._alive = np.flatnonzero(self._above.alive()).astype(np.int32)
            keep = np.zeros(len(self._cover), np.bool_)
            keep[self._alive] = True
            filled = tuple(cell for o in self._placed for cell in self._cover.members[o].tolist())
            self._below = _Search(self._backend, self._cover.restrict(keep), self._above.used(), filled)
            return PAUSED
        return code

    def nodes(self) -> int:
        return self._above.nodes() + self._nodes + (self._below.nodes() if self._below else 0)

    def found(self) -> int:
        return self._above.found() + self._found + (self._below.found() if self._below else 0)

    def chosen(self) -> tuple[int, ...]:
        if self._below is None:
            return self._above.chosen()
        return (*self._placed, *self._alive[list(self._below.chosen())].tolist())

    def stats(self) -> dict[str, Any]:
        fits, nofits = (table.tolist() for table in self._sums())
        if len(fits) == self._backend.handoff + 1 and (self._cover.lower == self._cover.upper).all():
            # Placed above there is one piece, or several of which only the sum is known.
            fits += [0] * (int(self._cover.lower.sum()) - len(fits)) + [self._above.nodes()]
            nofits += [0] * (len(fits) - len(nofits))
        return {"fits": fits, "nofits": nofits, "removals": self._above.removals()}

    def _sums(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        import numpy as np

        if self._below is None:
            return self._tables
        now = self._below.attempts()
        size = max(len(now[0]), len(self._tables[0]))
        first, second = (
            np.pad(a, (0, size - len(a))) + np.pad(b, (0, size - len(b))) for a, b in zip(self._tables, now, strict=True)
        )
        return first, second
