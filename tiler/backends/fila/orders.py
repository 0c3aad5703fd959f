"""Read FILA's options `order` and `axes`, and number the cells as they say.

A *sweep* names axes from the slowest to the fastest: `xy` takes one column (x) after the other, each from row to row (y); `-`
turns an axis round, and axes that are not named come last. x is the column, y the row counted downwards, z the layer; on a plane
board z says nothing. Where a sweep leaves a choice, the sweep is taken that numbers neighbours closest together: if no axis is
named, the short side runs fastest.

Orderings are joined to schedules (../schedule.py). `auto` is not an ordering: a plan (tiler/ask/planner.py) chooses one.
"""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

from tiler.backends.schedule import error_in, schedule
from tiler.process.cancellation import StopCheck, never_stop

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tiler.cover.board import BoardCover

AXES = "xyz"
FIRST, ESTIMATE, SIZE, RADIAL = "f", "e", "s", "radial"
_FEWEST = "mrv"  # the name of the order of dancing links
AUTO = "auto"  #: no ordering: a plan chooses one when the cover is known


def sweep_error(text: str) -> str | None:
    """What is wrong with a sweep, or None.

    >>> sweep_error("-yx"), sweep_error("xx")
    (None, "'xx' is no sweep: it has each of x, y, z at most once, and - before one that is turned round, as in y-x")
    """
    letters = text.replace("-", "")
    good = bool(letters) and set(letters) <= set(AXES) and len(set(letters)) == len(letters)
    good = good and "--" not in text and not text.endswith("-")
    return (
        None
        if good
        else f"{text!r} is no sweep: it has each of x, y, z at most once, and - before one that is turned round, as in y-x"
    )


def axes_error(text: str) -> str | None:
    """What is wrong with the value of the option `axes`: a sweep or `auto`."""
    return None if text == "auto" else sweep_error(text)


def order_error(text: str) -> str | None:
    """What is wrong with the value of the option `order`: a schedule, or `auto`."""
    if text == AUTO:
        return None
    return error_in(text, _ordering_error)


def _ordering_error(ordering: str) -> str | None:
    if ordering in (FIRST, ESTIMATE, SIZE, RADIAL, _FEWEST) or not sweep_error(ordering):
        return None
    return f"{ordering!r} is no ordering; there are f, e, s, radial, and sweeps along axes such as x, -y, xy"


def names_fewest(order: str) -> bool:
    """Whether a schedule asks for the cell or tile with fewest placements, which `dlx` searches by."""
    return any(phase.ordering == _FEWEST for phase in schedule(order))


def of_dancing_links(order: str) -> str:
    """The schedule of dancing links that comes closest to one.

    >>> of_dancing_links("mrv+s:6"), of_dancing_links("f:9+mrv:5+s:2")
    ('mrv+cells:6', 'first+mrv:5+cells:2')
    """
    theirs = {_FEWEST: "mrv", SIZE: "cells", ESTIMATE: "cells"}
    phases = [(theirs.get(phase.ordering, "first"), phase.most) for phase in schedule(order)]
    return "+".join(name if most is None else f"{name}:{most}" for name, most in phases)


def sweeps(cover: BoardCover) -> list[str]:
    """Every sweep along the axes of a board, none of them turned round."""
    return ["".join(axes) for axes in permutations(AXES[: cover.lattice.dimension])]


def is_fixed(ordering: str) -> bool:
    """Whether an ordering always takes the cells in the same order."""
    return ordering not in (ESTIMATE, SIZE)


def single(order: str) -> bool:
    """Whether a schedule is one fixed ordering.

    >>> [single(order) for order in ("f", "-yx:3", "e", "x+f:2")]
    [True, True, False, False]
    """
    phases = schedule(order)
    return len(phases) == 1 and is_fixed(phases[0].ordering)


def numbering(cover: BoardCover, axes: str = "auto", check_stop: StopCheck = never_stop) -> NDArray[np.int64]:
    """The rank of each cell in the numbering that the ordering `f` follows, shape (cells,)."""
    from tiler.cover.pins import PinnedCover

    if isinstance(cover, PinnedCover):
        return cover.placed(numbering(cover.whole, axes, check_stop))
    return _sweep(cover, "" if axes == "auto" else axes, check_stop)


def ranks(cover: BoardCover, ordering: str, numbered: NDArray[np.int64]) -> NDArray[np.int64]:
    """The rank of each cell in a fixed ordering, shape (cells,); `numbered` is the numbering, which breaks ties."""
    import numpy as np

    ordering = ordering.partition(":")[0]

    if ordering == FIRST:
        return numbered
    from tiler.cover.pins import PinnedCover

    if isinstance(cover, PinnedCover):
        return cover.placed(ranks(cover.whole, ordering, numbered[: len(cover.whole.items)]))
    if ordering != RADIAL:
        return _sweep(cover, ordering, never_stop)
    where = cover.where
    from_centre = ((2 * where - where.min(0) - where.max(0)) ** 2).sum(1)
    return _ranks_of(np.lexsort((numbered, -from_centre)))


def _sweep(cover: BoardCover, text: str, check_stop: StopCheck) -> NDArray[np.int64]:
    import numpy as np

    dimension = cover.lattice.dimension
    letters = [letter for letter in text if letter in AXES[:dimension]]
    signs = {letter: -1 if f"-{letter}" in text else 1 for letter in AXES}
    rest = [letter for letter in AXES[:dimension] if letter not in letters]
    coordinate = {letter: signs[letter] * column for letter, column in zip(AXES, cover.where.T[::-1], strict=False)}
    choices = []
    for others in permutations(rest):
        check_stop()
        choices.append(_ranks_of(np.lexsort([coordinate[letter] for letter in reversed([*letters, *others])])))
    if len(choices) == 1:
        return choices[0]
    around = cover.beside
    there = around >= 0

    def apart(rank: NDArray[np.int64]) -> int:
        check_stop()
        return int(np.abs(rank[:, None] - rank[around])[there].sum())

    return min(choices, key=apart)


def _ranks_of(order: NDArray[np.int64]) -> NDArray[np.int64]:
    import numpy as np

    from tiler import portable

    rank = np.empty(len(order), np.int64)
    rank[order] = portable.arange(len(order))
    return rank
