"""Write pages as PNG or PDF, by matplotlib, which takes half a second to import. The same pages give the same bytes.

Of the libraries that make such files of an SVG none makes all of them: resvg-py (0.5.0) writes no PDF, and takes the letters that
the machine has (it takes 0.0 to 0.5 CPU seconds for a picture less than matplotlib with its import); cairosvg (2.9.1) needs a
libcairo that pip does not install, and writes PDF of one page; skia-python (144.1) leaves letters out.
"""

from __future__ import annotations

import io
from collections import defaultdict
from collections.abc import Sequence
from itertools import chain, groupby, zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tiler import portable, printable
from tiler.model.instance import Instance
from tiler.model.tile import Placement
from tiler.optional_packages import need
from tiler.render import cell_outlines, cells, drawing, pages, papers, scene
from tiler.render.cell_outlines import Spot
from tiler.render.options import USUAL, PictureLook
from tiler.render.scene import INK, Dots, Label, Lines, Mark, Page, Patch

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

FORMATS = ("png", "pdf")
_DPI = 200
PER_UNIT = 0.021  # inches per unit of a page: the side of a cell has 0.42 inches
_SHEET = 0.011  # inches per unit of a sheet of many cells
_INCHES, _SHEET_INCHES = 9.0, 30.0  # the longer side of a page or of a sheet, at most
_LOOK: dict[Any, Any] = {"pdf.fonttype": 42, "font.family": "DejaVu Sans", "hatch.linewidth": 0.6}


def draw(instance: Instance, solution: Sequence[Placement], form: str = "png", look: PictureLook = USUAL) -> bytes:
    """The picture of a tiling as a file; `()` draws the plain board. BadOption if it has no marks of the kind in `look`."""
    page = pages.of_tiling(drawing.panels(instance, solution, look=look))
    page = page._replace(inches=look.inches)
    title = instance.heading or "tiling"
    return of_page(papers.filled(page, title, _times(instance, look)) if form == "pdf" else page, title, form)


def _times(instance: Instance, look: PictureLook) -> float:
    """How large a unit of the page is on paper, in mm; 0 if it fills the page."""
    if not look.unit:
        return 0.0
    plane = instance.lattice.plane or instance.lattice
    return look.unit / (cells.scale(plane) * cell_outlines.step(plane))


def of_page(page: Page, title: str, form: str = "png") -> bytes:
    """A page as a PNG or a PDF. Its longer side has at most 9 inches (a sheet: 30), unless the page says its size itself."""
    _need_drawer(f".{form}")
    from matplotlib import rc_context

    when: dict[str, Any] = {"CreationDate": None} if form == "pdf" else {}
    out = io.BytesIO()
    with rc_context(_LOOK):
        about = {"Title": printable.line(title) or "tiling", **when}
        _figure(page, _inches(page)).savefig(out, format=form, dpi=_DPI, metadata=about)
    return out.getvalue()


def of_pages(these: Sequence[Page], title: str, *, measured: bool = False) -> bytes:
    """A PDF of several pages; `measured` does not compress it, so that lengths in it can be measured with any editor."""
    _need_drawer(".pdf")
    from matplotlib import rc_context
    from matplotlib.backends.backend_pdf import PdfPages

    look: dict[Any, Any] = {**_LOOK, "pdf.compression": 0} if measured else _LOOK
    about = {"Title": printable.line(title) or "tilings", "CreationDate": None}
    out = io.BytesIO()
    with rc_context(look), PdfPages(out, metadata=about) as file:
        for page in these:
            file.savefig(_figure(page, _inches(page)))
    return out.getvalue()


def _need_drawer(what: str) -> None:
    need(f"a picture as {what}", "matplotlib", instead=".svg needs none")


def _inches(page: Page) -> float:
    """The number of inches per unit of the page."""
    if page.inches:
        return page.inches / max(page.width, page.height)
    per_unit, most = (_SHEET, _SHEET_INCHES) if page.is_sheet else (PER_UNIT, _INCHES)
    return min(per_unit, most / max(page.width, page.height))


def _figure(page: Page, per_unit: float) -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(page.width * per_unit, page.height * per_unit))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_xlim(0, page.width)
    axes.set_ylim(page.height, 0)
    axes.set_axis_off()
    moved = [[scene.moved(mark, *at) for mark in panel.marks] for panel, at in page.placed]
    # The n-th marks of all panels are drawn together, since panels do not overlap: thousands of artists would take minutes.
    strata = [[list(run) for _, run in groupby(marks, key=_look)] for marks in moved]
    pen = _Pen(axes, 72 * per_unit)
    for order, runs in enumerate(zip_longest(*strata, fillvalue=())):
        pen.draw(list(chain.from_iterable(runs)), order)
    return figure


def _look(mark: Mark) -> tuple[Any, ...]:
    """The look that the marks of one run share; all marks of a run are drawn at one height above the page."""
    match mark:
        case Patch(_, _, border, edge, opacity, hatch):
            return Patch, border, edge, opacity, hatch
        case Lines(_, colour, width, opacity, dashed):
            return Lines, colour, width, opacity, dashed
        case _:
            return (type(mark),)


class _Pen(NamedTuple):
    """Draws on axes; `points` is the length of their unit in points."""

    axes: Axes
    points: float

    def draw(self, marks: Sequence[Mark], order: int) -> None:
        """Draw marks above those of a lower order."""
        patches: defaultdict[Patch, list[Sequence[Spot]]] = defaultdict(list)
        lines: defaultdict[Lines, list[Sequence[Spot]]] = defaultdict(list)
        for mark in marks:
            match mark:
                case Patch(loops):
                    patches[mark._replace(loops=(), title="", kind="")] += loops
                case Lines(ends):
                    lines[mark._replace(ends=(), title="", kind="")] += ends
                case Dots(middles, radius):
                    across, down = [x for x, _ in middles], [y for _, y in middles]
                    self.axes.plot(across, down, "o", color=INK, ms=2 * radius * self.points, mew=0, zorder=order)
                case Label((x, y), said, size, colour, centred):
                    look: dict[str, Any] = {"fontsize": size * self.points, "color": colour}
                    look["ha"] = "center" if centred else "left"
                    self.axes.text(x, y, printable.line(said), va="baseline", parse_math=False, zorder=order, **look)
        for patch, loops in patches.items():
            self._patch(patch, loops, order)
        for line, some in lines.items():
            self._lines(line, some, order)

    def _patch(self, look: Patch, loops: Sequence[Sequence[Spot]], order: int) -> None:
        from matplotlib.colors import to_rgba
        from matplotlib.patches import PathPatch

        fill = "none" if look.fill == "none" else to_rgba(look.fill, look.opacity)
        edge = look.edge if look.border or look.hatch else "none"
        style: dict[str, Any] = {"fc": fill, "ec": edge, "lw": look.border * self.points, "joinstyle": "round"}
        # Without borders, the page would be visible between areas side by side.
        style["aa"] = not look.is_crisp
        self._add(PathPatch(_path(loops, closed=True), hatch=look.hatch or None, zorder=order, **style))

    def _lines(self, look: Lines, ends: Sequence[Sequence[Spot]], order: int) -> None:
        from matplotlib.patches import PathPatch

        dashes: dict[str, Any] = {"ls": (0, (2, 2)), "capstyle": "butt"} if look.dashed else {"capstyle": "round"}
        style = {"ec": look.colour, "lw": look.width * self.points, "alpha": look.opacity, "fill": False, **dashes}
        self._add(PathPatch(_path(ends, closed=False), zorder=order, **style))

    def _add(self, patch: PathPatch) -> None:
        # Not add_patch: it computes the extent of every curve, which is not needed, as the limits of the axes are set.
        self.axes.add_artist(patch)


def _path(loops: Sequence[Sequence[Spot]], *, closed: bool) -> Path:
    """All loops (if `closed`) or lines as one path of matplotlib."""
    from matplotlib.path import Path

    spots = np.array([spot for loop in loops for spot in ([*loop, loop[0]] if closed else loop)], np.float64)
    codes = np.full(len(spots), Path.LINETO, np.uint8)
    ends = portable.cumsum([len(loop) + closed for loop in loops])
    codes[np.concatenate([[0], ends[:-1]])] = Path.MOVETO
    if closed:
        codes[ends - 1] = Path.CLOSEPOLY
    return Path(spots, codes)
