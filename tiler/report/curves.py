"""Draw steps that climb from left to right, a line for each solver, for survival plots and performance profiles. Up to
`panels.MANY` solvers share one panel. More solvers are drawn in panels by family of encodings. Each panel has a few lines in
colour, of solvers that stand together in the campaign, and all other lines in grey. So colours, dashes and markers distinguish
them on a grey print too. Bands take more room: with several panels, none has more than `_BANDED` lines with bands.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tiler.bench.confidence_bands import Band
from tiler.bench.stats import Table, ranking
from tiler.grouping import grouped
from tiler.report import end_labels, style
from tiler.report.names import family
from tiler.report.panels import MANY, Frame, evenly

if TYPE_CHECKING:
    from matplotlib.axes import Axes

GREY = " In grey: the solvers of the other panels."

_APART = 5  # the most lines in a panel, if there are several panels
_BANDED = 3  # the same if the lines have bands
_BROAD = 5.0  # the least width of a figure, in inches, with panels side by side
_MARKS = 6  # the number of markers on a line
_OTHERS = "#d4d4d4"
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


def groups(table: Table, *, banded: bool = False) -> list[tuple[str, tuple[str, ...]]]:
    """For each panel its heading and its solvers; a single panel has no heading. `banded`: the lines have bands."""
    if len(table.solvers) <= MANY:
        return [("", table.solvers)]
    apart = _BANDED if banded else _APART
    families = grouped((family(solver), solver) for solver in table.solvers)
    panels: list[tuple[str, tuple[str, ...]]] = []
    for name, members in sorted(families.items()):
        parts = [tuple(some) for some in evenly(members, apart)]
        number = len(parts)
        if panels and number == 1 and len(panels[-1][1]) + len(members) <= apart:
            panels[-1] = f"{panels[-1][0]}; {name}", (*panels[-1][1], *members)
        else:
            panels += [(name if number == 1 else f"{name}, {part} of {number}", some) for part, some in enumerate(parts, 1)]
    return panels


def frames(parts: Sequence[tuple[str, Sequence[str]]], single: Frame, labels: Mapping[str, str]) -> tuple[list[Frame], int]:
    """The frames of the panels, and the number of columns; `single` is the frame of a figure with one panel."""
    if len(parts) == 1:
        return [replace(single, above=0.15).room_for(list(labels.values()))], 1  # A single panel has no heading.
    width = style.layout().width
    columns = 2 if width is None else 3 if width >= _BROAD else 1
    small = [Frame(3.4, 1.7).room_for([labels[solver] for solver in some], abreast=columns) for _, some in parts]
    right = max(frame.right for frame in small)
    return [replace(frame, right=right) for frame in small], columns


def draw(
    panel: Axes, table: Table, chosen: Sequence[str], curves: Mapping[str, Curve], axis: Axis, best: Curve | None = None
) -> None:
    """Draw the curves of the chosen solvers into a panel, and the curves of all others in grey. The axes must be set before."""
    for solver in table.solvers:
        if solver not in chosen and curves[solver].climbs:
            panel.step(*_corners(curves[solver], axis), where="post", color=_OTHERS, lw=0.7, zorder=1)
    looks = style.looks_of(table, chosen)
    ends: list[tuple[float, float, str, str]] = []
    if best is not None:
        panel.step(*_corners(best, axis), where="post", label=best.label, zorder=2.5, **_BEST)
        if best.label:
            ends.append((axis.right, axis.step * len(best.climbs), best.label, _BEST["color"]))
    for number, solver in enumerate(solver for solver in ranking(table) if solver in chosen):
        curve, look = curves[solver], looks[solver]
        if not table.attempted(solver):
            continue
        if curve.band is not None and curve.band.seconds:
            places = [*curve.band.seconds, axis.right]
            low, high = ([*heights, heights[-1]] for heights in (curve.band.low, curve.band.high))
            panel.fill_between(places, low, high, step="post", color=look.colour, alpha=0.18, lw=0)
        same: Any = {"color": look.colour, "label": curve.label, "zorder": 3}
        panel.step(*_corners(curve, axis), where="post", ls=look.dash, **same)
        marks = list(_marks(curve, axis, (number + 0.5) / len(chosen)))
        panel.plot([x for x, _ in marks], [y for _, y in marks], look.marker, clip_on=False, **same)
        ends.append((axis.right, axis.step * len(curve.climbs), curve.label, look.colour))
    end_labels.write(panel, ends)


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
