"""Write pages as standalone SVG documents, for reports and browsers; a pointer on a tile shows its name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from tiler.model.instance import Instance
from tiler.model.tile import Placement
from tiler.render import drawing, pages
from tiler.render import svg_elements as xml
from tiler.render.options import USUAL, PictureLook
from tiler.render.scene import INK, Dots, Label, Lines, Mark, Page, Patch
from tiler.render.svg_elements import element, opened

_DASH = 5
#: Hatchings by the sign that matplotlib has for them: the angle in degrees, and path data in a square of side 1.
_STROKES = {
    "|": (0, "M.5 0V1"),
    "-": (0, "M0 .5H1"),
    "+": (0, "M.5 0V1M0 .5H1"),
    "/": (45, "M.5 0V1"),
    "\\": (-45, "M.5 0V1"),
    "x": (45, "M.5 0V1M0 .5H1"),
    ".": (0, "M.42 .5a.08 .08 0 0 0 .16 0a.08 .08 0 0 0 -.16 0Z"),
    "o": (0, "M.25 .5a.25 .25 0 0 0 .5 0a.25 .25 0 0 0 -.5 0Z"),
}
_COARSE, _LINE = 20.0, 0.8  # units between lines of a hatching with one sign, and their width


def draw(instance: Instance, solution: Sequence[Placement], look: PictureLook = USUAL) -> str:
    """The document of a tiling; `()` draws the plain board. BadOption if it has no marks of the kind asked for.

    In every layer a placement is one path, in the same colour. The picture is scaled for a screen (at most 40 pixels
    per cell), and prints at any size.
    """
    page = pages.of_tiling(drawing.panels(instance, solution, look=look))
    return of_page(page._replace(inches=look.inches), instance.heading or "tiling")


def of_page(page: Page, title: str) -> str:
    """The document of a page."""
    hatched = [mark for panel, _ in page.placed for mark in panel.marks if isinstance(mark, Patch) and mark.hatch]
    patterns = {_hatching(patch): _pattern(patch, page.grain) for patch in hatched}
    parts = [element("defs", "".join(patterns.values()))] if patterns else []
    for panel, (x, y) in page.placed:
        kind = {"class_": panel.kind} if panel.kind else {}
        moved = f"translate({xml.number(x)} {xml.number(y)})"
        parts.append(opened("g", **kind, transform=moved, fill_rule="evenodd", stroke_linejoin="round"))
        parts += [xml.titled(panel.heading)] if panel.kind else []
        for _, run in groupby(panel.marks, key=_look):
            parts += _elements(list(run))
        parts.append("</g>")
    scale = 1.0 if page.is_sheet else min(2.0, max(0.4, 800 / max(page.width, page.height)))
    return xml.document(page.width, page.height, title, parts, scale, page.inches)


def _hatching(patch: Patch) -> str:
    """The name of a pattern for a hatched patch, made of the hatching's signs and the colours of ground and lines.

    >>> _hatching(Patch((), "#ffffff", hatch="//"))
    'hatch-2f2f-ffffff-222222'
    """
    return f"hatch-{patch.hatch.encode().hex()}-{patch.fill.lstrip('#')}-{patch.edge.lstrip('#')}"


def _pattern(patch: Patch, grain: float) -> str:
    turned, drawn = _STROKES[patch.hatch[0]]
    side = _COARSE * grain / len(patch.hatch)
    form = f"rotate({turned}) scale({xml.number(side)})"
    ground = element("rect", width=1.02, height=1.02, x=-0.01, y=-0.01, fill=patch.fill)
    lines = element("path", d=drawn, fill="none", stroke=patch.edge, stroke_width=_LINE * grain / side)
    at = {"id": _hatching(patch), "patternUnits": "userSpaceOnUse", "patternTransform": form}
    return element("pattern", ground + lines, width=1, height=1, **at)


def _look(mark: Mark) -> tuple[float, str, float] | None:
    """The look that all patches of a group share; None for other marks."""
    return (mark.border, mark.edge, mark.opacity) if isinstance(mark, Patch) else None


def _elements(marks: Sequence[Mark]) -> Iterator[str]:
    """Patches that look alike, in a group if there are several, or other marks."""
    patches = [mark for mark in marks if isinstance(mark, Patch)]
    if patches:
        _, _, border, edge, opacity, *_ = patches[0]
        look: dict[str, str | float] = {"stroke": edge, "stroke_width": border} if border else {"stroke": "none"}
        look |= {"fill_opacity": opacity} if opacity < 1 else {}
        if len(patches) == 1:
            yield _patch(patches[0], look)
        else:
            yield from (opened("g", **look), *(_patch(patch, {}) for patch in patches), "</g>")
    yield from (_mark(mark) for mark in marks if not isinstance(mark, Patch))


def _patch(patch: Patch, look: dict[str, str | float]) -> str:
    kind = {"class_": patch.kind} if patch.kind else {}
    look = {**look, "shape_rendering": "crispEdges"} if patch.is_crisp else look
    fill = f"url(#{_hatching(patch)})" if patch.hatch else patch.fill
    return element("path", xml.titled(patch.title) if patch.title else "", **kind, fill=fill, **look, d=xml.outline(patch.loops))


def _mark(mark: Lines | Dots | Label) -> str:
    match mark:
        case Lines(ends, colour, width, opacity, dashed, kind, title):
            look: dict[str, str | float] = {"class_": kind} if kind else {"pointer_events": "none"}
            look |= {"fill": "none", "stroke": colour, "stroke_width": width}
            look |= {"stroke_dasharray": f"{_DASH} {_DASH}"} if dashed else {"stroke_linecap": "round"}
            look |= {"stroke_opacity": opacity} if opacity < 1 else {}
            return element("path", xml.titled(title) if title else "", **look, d="".join(map(xml.line, ends)))
        case Dots(middles, radius):
            return "".join(element("circle", cx=x, cy=y, r=radius, fill=INK, pointer_events="none") for x, y in middles)
        case Label((x, y), said, size, colour, centred):
            anchor = {"text_anchor": "middle"} if centred else {}
            return xml.text(said, size, x=x, y=y, **({"fill": colour} | anchor))
