"""Write the names of solvers at the ends of their lines, or below a panel, where there is no room beside it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from tiler.report import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def write(axes: Axes, ends: Sequence[tuple[float, float, str, str]], *, at: float | None = None, far: float = -math.inf) -> None:
    """Label the end of every line. An end is (x, y, text, colour), with x and y in data; labels that would overlap are moved
    apart.

    Labels stand to the right of the axes, or at `at` (a share of their width), after the marker of the line; a thin line leads to
    the end, if its x is `far` or more: from further left it would cross the data, and look like a part of them. If there is no
    room, they stand below, after samples of the lines. Lines are found by their label.
    """
    if not ends:
        return
    if axes in _below:
        if has_legend(axes):
            _legend(axes, ends, *_below[axes])
        return
    wide_points = 72 * axes.bbox.width / axes.figure.dpi
    to_axes = axes.transData + axes.transAxes.inverted()
    placed = []
    for x, y, text, paint in ends:
        x_part, y_part = to_axes.transform((x, y))
        placed.append((float(x_part) if x >= far else math.nan, float(y_part), text, paint))
    placed.sort(key=lambda item: item[1])
    step = inches(1) / (axes.bbox.height / axes.figure.dpi)
    heights = _apart([y for _, y, _, _ in placed], step, -step / 2, 1.0 + step / 2)
    where = 1.0 + 16 / wide_points if at is None else at
    inside: Any = {"transform": axes.transAxes, "clip_on": False, "scalex": False, "scaley": False}
    for (x, y, text, paint), height in zip(placed, heights, strict=True):
        leader = [x + 4 / wide_points, where - 2 / wide_points], [y, height]
        marker = _marker(axes, text)
        axes.plot(*leader, color=paint, lw=0.6, alpha=0.6, **inside)
        axes.plot([where + 3 / wide_points], [height], marker=marker, color=paint, ms=4, **inside)
        start = where + (MARKED if marker else 0) / wide_points
        axes.text(start, height, text, transform=axes.transAxes, color=style.dark(paint), fontsize=style.SMALL, va="center")


def inches(labels: int) -> float:
    """The height of a panel with room for this number of labels on its right."""
    return labels * (style.SMALL + 2.5) / 72


MARKED = 9.0  #: the room for a marker before a label, in points


def _marker(axes: Axes, text: str) -> str:
    """The marker of the line with this label."""
    markers = [str(line.get_marker()) for line in axes.lines if line.get_label() == text]
    return next((marker for marker in markers if marker != "None"), "")


#: For panels with labels below: the number of columns, and the distance in inches.
_below: WeakKeyDictionary[Any, tuple[int, float]] = WeakKeyDictionary()


def put_labels_below(axes: Axes, columns: int, deep: float) -> None:
    """Let `write` put labels `deep` inches below a panel. `columns` is their number of columns; 0: beside it; less:
    nowhere."""
    if columns:
        _below[axes] = columns, deep


_LEFT = 0.6  # inches on the left of a panel that its labels may take


def has_legend(axes: Axes) -> bool:
    """Whether the labels of all panels stand below this one."""
    return _below.get(axes, (0, 0.0))[0] > 0


def _legend(axes: Axes, ends: Sequence[tuple[float, float, str, str]], columns: int, deep: float) -> None:
    """Draw the labels below a panel, each after a sample of its line; the line that ends highest comes first."""
    from matplotlib.lines import Line2D

    samples = []
    for _, _, text, paint in sorted(ends, key=lambda end: -end[1]):
        drawn = [line for line in axes.lines if line.get_label() == text]
        dash = next((line.get_linestyle() for line in drawn if line.get_linestyle() != "None"), "-")
        pattern = next((line._unscaled_dash_pattern for line in drawn if line.get_linestyle() == "--"), None)  # type: ignore[attr-defined]
        marker = _marker(axes, text)
        samples.append(Line2D([], [], color=paint, ls=pattern if pattern and pattern[1] else dash, marker=marker, label=text))
    wide, points = axes.bbox.width / axes.figure.dpi, 72 * axes.bbox.height / axes.figure.dpi
    # Labels begin below the name of the axis, where there is room.
    left = min(axes.bbox.x0 / axes.figure.dpi - 0.05, _LEFT)
    axes.legend(
        handles=samples,
        loc="upper left",
        bbox_to_anchor=(-left / wide, -72 * deep / points),
        ncol=columns,
        fontsize=style.SMALL,
        frameon=False,
        handlelength=2.6,
        handletextpad=0.9,
        columnspacing=1.0,
        borderaxespad=0.0,
        borderpad=0.0,
        labelspacing=0.25,
    )


def _apart(wanted: Sequence[float], step: float, bottom: float, top: float) -> list[float]:
    """Ascending positions, moved as little as possible so that they are at least a step apart and none is above the top; nor
    below the bottom, if there is room.

    >>> _apart([0.0, 0.0, 1.0], 0.5, -0.5, 1.0)
    [-0.25, 0.25, 1.0]
    >>> _apart([0.0, 0.0, 0.0], 0.25, 0.0, 1.0)
    [0.0, 0.25, 0.5]
    """
    blocks: list[tuple[float, int]] = []  # the middle of positions that touch, and their number
    for position in wanted:
        middle, count = position, 1
        while blocks and blocks[-1][0] + blocks[-1][1] * step / 2 > middle - count * step / 2:
            other, number = blocks.pop()
            middle, count = (middle * count + other * number) / (count + number), count + number
        blocks.append((middle, count))
    placed = [middle + (i - (count - 1) / 2) * step for middle, count in blocks for i in range(count)]
    for i, position in enumerate(placed):
        placed[i] = max(position, bottom if i == 0 else placed[i - 1] + step)
    for i in reversed(range(len(placed))):
        placed[i] = min(placed[i], top if i == len(placed) - 1 else placed[i + 1] - step)
    return placed
