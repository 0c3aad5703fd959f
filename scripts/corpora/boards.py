"""Boards from parameters. A width counts columns, a height rows."""

from __future__ import annotations

from tiler.model.lattice import Shape


def rectangle(width: int, height: int) -> Shape:
    return frozenset((row, column) for row in range(height) for column in range(width))


def corners(width: int, height: int) -> Shape:
    """A rectangle without its upper left and lower right corners."""
    return rectangle(width, height) - {(0, 0), (height - 1, width - 1)}


def l_board(width: int, size: int) -> Shape:
    """An L whose two arms are `width` wide and `size` long."""
    return frozenset((row, column) for row, column in rectangle(size, size) if column < width or row >= size - width)


def plus(width: int, size: int) -> Shape:
    """Two bars of `width` times `size` that cross in their middles."""
    middle = range((size - width) // 2, (size + width) // 2)
    return frozenset((row, column) for row, column in rectangle(size, size) if row in middle or column in middle)


def h_board(width: int, height: int) -> Shape:
    """A rectangle whose first and last rows keep their two ends only."""
    return rectangle(width, height) - {(row, column) for row in (0, height - 1) for column in range(1, width - 1)}


def diamond(radius: int) -> Shape:
    """All cells at most `radius` steps away from a centre, less the centre itself."""
    middle, size = (radius, radius), 2 * radius + 1
    return frozenset(
        (row, column) for row, column in rectangle(size, size) if abs(row - radius) + abs(column - radius) <= radius
    ) - {middle}


def skew(width: int, height: int) -> Shape:
    """A rectangle each of whose columns lies one row lower than the one before."""
    return frozenset((row + column, column) for row, column in rectangle(width, height))


def hskew(width: int, height: int) -> Shape:
    """A rectangle each of whose rows lies one column further to the right than the one above."""
    return frozenset((row, row + column) for row, column in rectangle(width, height))
