"""Cut a board into few boxes: rectangles in the plane."""

from __future__ import annotations

from itertools import permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tiler.cover.board import BoardCover

MOST_BOXES = 16
_MOST_EMPTY = 16  # how many times as many cells as the board has may be in the box around it

Vector = tuple[int, ...]


class BoardPart(NamedTuple):
    """A box of cells of the board."""

    corner: Vector  #: the least cell
    sides: Vector


def refusal(cover: BoardCover) -> str | None:
    """Why a cover is not for strips, in words; None if it is."""
    instance = cover.instance
    if not instance.lattice.has_boxes:
        return f"it lays strips of squares or cubes, and cells of the {instance.lattice} lattice are none"
    if not instance.is_plain:
        return "it lays strips on boards without seams, constraints, paint and cells that stay open"
    if bool(cover.bounded.any()):
        return "it lays strips of tiles that may be used any number of times"
    return None if boxes_of(cover) else f"it lays strips in boxes, and straight cuts make more than {MOST_BOXES} of this board"


def boxes_of(cover: BoardCover) -> list[BoardPart]:
    """The board cut into boxes: along one axis wherever its cross-section changes, then each part along the next axis. The order
    of the axes is chosen that makes the fewest boxes. Empty if these are more than `MOST_BOXES`.

    >>> from tiler import formats
    >>> [(part.corner, part.sides) for part in boxes_of(BoardCover.of(formats.inline(["xx.xx/xxxxx", "3L"])))]
    [((0, 0), (1, 2)), ((0, 3), (1, 2)), ((1, 0), (1, 5))]
    """
    where = cover.where
    low = where.min(0)
    spans = where.max(0) - low + 1
    around = int(spans.prod())
    if around == len(where):
        return [BoardPart(_vector(low), _vector(spans))]
    if around > _MOST_EMPTY * len(where):
        return []
    grid = np.zeros(spans, np.bool_)
    grid[tuple((where - low).T)] = True
    found: list[BoardPart] = []
    for axes in permutations(range(where.shape[1])):
        cut = _cut(grid.transpose(axes))
        if cut and (not found or len(cut) < len(found)):
            back = np.argsort(axes)
            found = [BoardPart(_vector(low + np.array(box.corner)[back]), _vector(np.array(box.sides)[back])) for box in cut]
    return found


def _cut(grid: NDArray[np.bool_]) -> list[BoardPart]:
    """The marked cells of a grid as boxes, cut along the first axis first; empty if there are too many."""
    layers = grid.reshape(len(grid), -1)
    changes = np.flatnonzero((layers[1:] != layers[:-1]).any(1)) + 1
    if len(changes) > 2 * MOST_BOXES:
        return []
    boxes: list[BoardPart] = []
    for start, stop in zip([0, *changes.tolist()], [*changes.tolist(), len(grid)], strict=True):
        if not layers[start].any():
            continue
        parts = [BoardPart((), ())] if grid.ndim == 1 else _cut(grid[start])
        boxes += [BoardPart((start, *part.corner), (stop - start, *part.sides)) for part in parts]
        if not parts or len(boxes) > MOST_BOXES:
            return []
    return boxes


def _vector(numbers: NDArray[np.int64]) -> Vector:
    return tuple(numbers.tolist())
