"""Pages as standalone SVG documents, for reports and browsers; a pointer on a tile shows its name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from tiler.model.instance import Instance
from tiler.model.tile import Placement
from tiler.render import drawing, pages
from tiler.render import svg_elements as xml
from tiler.render.look import USUAL, PictureLook
from tiler.render.scene import INK, PALE, Dots, Label, Lines, Mark, Page, Patch
from tiler.render.svg_elements import element, opened

_DASH = 5
_HATCH = (
    '<pattern id="optional" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    f'<path d="M0 0V5" stroke="{PALE}" stroke-width="1.6"/></pattern>'
)


def draw(instance: Instance, solution: Sequence[Placement], look: PictureLook = USUAL) -> str:
    """The document of a tiling; `()` draws the plain board. BadOption where what is to be marked is not there.

    A placement is one path in every layer it reaches, all in one colour. The picture is scaled for a screen (at most 40 pixels
    per cell), and prints at any size.
    """
    page = pages.of_tiling(drawing.panels(instance, solution, look=look))
    return of_page(page._replace(inches=look.inches), instance.heading or "tiling")


def of_page(page: Page, title: str) -> str:
    """The document of a page."""
    hatched = any(isinstance(mark, Patch) and mark.hatch for panel, _ in page.placed for mark in panel.marks)
    parts = [element("defs", _HATCH)] if hatched else []
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


def _look(mark: Mark) -> tuple[float, str, float] | None:
    """What patches have in common that one group may hold."""
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
    fill = "url(#optional)" if patch.hatch else patch.fill
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
