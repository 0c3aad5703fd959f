"""Draw steps that climb from left to right, a line for each solver, for survival plots and performance profiles."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tiler.bench.confidence_bands import Band
from tiler.bench.stats import Table, ranking
from tiler.report import coloured, end_labels, style
from tiler.report.panels import Frame

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MARKS = 6  # the number of markers on a line
_BEST: Any = {"color": "#999999", "lw": 1.0, "ls": "-"}  # A solid line can be followed through dashed ones on a grey print.


@dataclass(frozen=True)
class Curve:
    """A line with its label. `climbs` has the x at which the line climbs by one step, ascending; `band` lies around it."""

    climbs: Sequence[float]
    label: str
    band: Band | None = None


@dataclass(frozen=True)
class Axis:
    """The x at which lines begin and end, and the height of one step."""

    left: float
    right: float
    step: float = 1.0


def frame(single: Frame, labels: Sequence[str]) -> Frame:
    """The frame of a figure of one panel, which has no heading, with room for these labels."""
    return replace(single, above=0.15).room_for(labels)


def draw(panel: Axes, table: Table, curves: Mapping[str, Curve], axis: Axis, best: Curve | None = None) -> None:
    """Draw the curves of all solvers into a panel. The axes must be set before."""
    looks = coloured.looks_of_lines(table)
    ends: dict[str, tuple[float, float, str, str]] = {}
    first: list[tuple[float, float, str, str]] = []
    if best is not None:
        panel.step(*_corners(best, axis), where="post", label=best.label, zorder=2.5, **_BEST)
        first.append((axis.right, axis.step * len(best.climbs), best.label, _BEST["color"]))
    for number, solver in enumerate(solver for solver in ranking(table) if table.attempted(solver)):
        curve, look = curves[solver], looks[solver]
        ends[solver] = axis.right, axis.step * len(curve.climbs), curve.label, look.colour
        if look is style.OTHERS:
            panel.step(*_corners(curve, axis), where="post", label=curve.label, **{**look.line, "marker": "None"})
            continue
        if curve.band is not None and curve.band.seconds:
            places = [*curve.band.seconds, axis.right]
            low, high = ([*heights, heights[-1]] for heights in (curve.band.low, curve.band.high))
            panel.fill_between(places, low, high, step="post", color=look.colour, alpha=0.18, lw=0)
        same: Any = {"color": look.colour, "label": curve.label, "zorder": 3}
        panel.step(*_corners(curve, axis), where="post", ls=look.dash, **same)
        marks = list(_marks(curve, axis, (number + 0.5) / len(table.solvers)))
        panel.plot([x for x, _ in marks], [y for _, y in marks], look.marker, clip_on=False, **same)
    end_labels.write(panel, first + coloured.ends_in_order(table, ends))


def _corners(curve: Curve, axis: Axis) -> tuple[list[float], list[float]]:
    heights = [axis.step * number for number in range(len(curve.climbs) + 1)]
    return [axis.left, *curve.climbs, axis.right], [*heights, heights[-1]]


def _marks(curve: Curve, axis: Axis, shift: float) -> Iterator[tuple[float, float]]:
    """Positions of markers on a line, at even distances on a logarithmic axis; a `shift` for each line keeps markers apart."""
    for number in range(_MARKS):
        x = axis.left * (axis.right / axis.left) ** ((number + shift) / _MARKS)
        climbed = bisect_right(curve.climbs, x)
        if climbed:
            yield x, axis.step * climbed
