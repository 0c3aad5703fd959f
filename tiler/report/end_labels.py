"""Write the names of solvers at the ends of their lines, or below a panel, where there is no room beside it."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from tiler.report import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def write(
    axes: Axes, ends: Sequence[tuple[float, float, str, str]], none: Collection[str] = (), *, far: float = -math.inf
) -> None:
    """Label the end of every line. An end is (x, y, text, colour), with x and y in data; the best solver comes first; labels
    that would overlap are moved apart. `none` are the texts of solvers without a line, as they solved nothing: they have only a
    marker, and stand below the others.

    Labels stand to the right of the axes, after a sample of the line; a thin line leads to the end, if its x is `far` or more:
    from further left it would cross the data, and look like a part of them. If there is no room, they stand below. Lines are
    found by their label.
    """
    if axes in _below:
        if has_legend(axes):
            _legend(axes, ends, none, *_below[axes])
        return
    wide_points = 72 * axes.bbox.width / axes.figure.dpi
    to_axes = axes.transData + axes.transAxes.inverted()
    placed = []
    for x, y, text, paint in reversed(ends):
        x_part, y_part = to_axes.transform((x, y))
        is_led = x >= far and text not in none
        placed.append((float(x_part) if is_led else math.nan, 0.0 if text in none else float(y_part), text, paint))
    placed.sort(key=lambda item: (item[2] not in none, item[1]))
    step = inches(1) / (axes.bbox.height / axes.figure.dpi)
    where = 1.0 + 16 / wide_points
    start = where + MARKED / wide_points
    heights = _apart([y for _, y, _, _ in placed], step, -step / 2, 1.0 + step / 2)
    inside: Any = {"transform": axes.transAxes, "clip_on": False, "scalex": False, "scaley": False}
    for (x, y, text, paint), height in zip(placed, heights, strict=True):
        axes.plot([x + 4 / wide_points, where - 2 / wide_points], [y, height], color=paint, lw=0.6, alpha=0.6, **inside)
        sample = _sample(axes, text, paint, is_empty=text in none)
        if sample["marker"] == "None":  # It has no marker to tell it by, as the others have.
            axes.plot(
                [where - 1 / wide_points, where + 6 / wide_points],
                [height, height],
                **{**sample, "solid_capstyle": "butt"},
                **inside,
            )
        else:
            axes.plot([where + 3 / wide_points], [height], **sample, **inside)
        axes.text(start, height, text, transform=axes.transAxes, color=style.dark(paint), fontsize=style.SMALL, va="center")


def inches(labels: float) -> float:
    """The height of a panel with room for this number of labels on its right."""
    return labels * (style.SMALL + 2.5) / 72


MARKED = 9.0  #: the room for a sample of a line before a label, in points


def _sample(axes: Axes, text: str, paint: str, *, is_empty: bool) -> dict[str, Any]:
    """The dash, the marker and the colour of the line with this label; `is_empty`: only the marker and the colour."""
    drawn = [line for line in axes.lines if line.get_label() == text]
    markers = [str(line.get_marker()) for line in drawn if str(line.get_marker()) != "None"]
    dashed = [line for line in drawn if line.get_linestyle() != "None"]
    dash: Any = dashed[0].get_linestyle() if dashed else "-"
    if dash == "--":
        pattern = dashed[0]._unscaled_dash_pattern  # type: ignore[attr-defined]
        dash = pattern if pattern[1] else dash
    if is_empty and markers:
        return {"color": paint, "ls": "None", "marker": markers[0]}
    return {
        "color": paint,
        "ls": dash,
        "lw": dashed[0].get_linewidth() if dashed else None,
        "marker": markers[0] if markers else "None",
    }


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


def _legend(axes: Axes, ends: Sequence[tuple[float, float, str, str]], none: Collection[str], columns: int, deep: float) -> None:
    """Draw the labels below a panel in their order, each after a sample of its line."""
    from matplotlib.lines import Line2D

    whole = axes.figure.get_size_inches()[0]  # type: ignore[union-attr]
    samples = [
        Line2D([], [], label="\n".join(in_key(text, whole)), **_sample(axes, text, paint, is_empty=text in none))
        for _, _, text, paint in ends
    ]
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


def in_key(text: str, wide: float) -> list[str]:
    """The lines of a label below a panel, in a figure of this width in inches."""
    room = wide - SAMPLE - 0.1
    return [text] if style.text_inches(text) <= room else style.wrapped(text, room)


def lines_of_key(texts: Sequence[str], columns: int, wide: float) -> int:
    """The number of lines that labels take below a panel."""
    return -(-len(texts) // columns) if columns > 1 else sum(len(in_key(text, wide)) for text in texts)


SAMPLE = 0.5  #: the room for a sample of a line before a label below a panel, in inches
LEGEND_LINE = 1.28 / 72  #: the height of a line of labels below a panel, in inches for each point of its letters


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
