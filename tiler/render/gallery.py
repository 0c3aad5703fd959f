"""Draw several tilings of one board side by side: as SVG, PNG, PDF with several pages, or a page for browsers; or one tiling for
a 3D printer."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tiler import extensions
from tiler.errors import BadOption
from tiler.model.instance import Instance
from tiler.model.tile import Placement
from tiler.render import drawing, pages, papers, pixels, svg, viewer
from tiler.render.colours import PieceColours
from tiler.render.options import USUAL, PictureLook
from tiler.render.scene import Page, Panel

#: The most tilings in a file, by its format; and the number of tilings on a page of a PDF.
MOST = {"svg": 1000, "png": 200, "pdf": 5000, "html": viewer.MOST, "stl": 1, "3mf": 1, "dxf": 1}
PER_PAGE = 24

_Tilings = Sequence[Sequence[Placement]]


def draw(instance: Instance, tilings: _Tilings, form: str, look: PictureLook = USUAL) -> bytes:
    """The content of the file. A single tiling is drawn as a picture of its own, not as an album. BadOption if there are too many
    tilings, or if they have no marks of the kind asked for."""
    if look.cut and len(tilings) > 1:
        raise BadOption("a laser cuts one tiling: --limit 1")
    if len(tilings) > MOST[form]:
        larger = [f".{other}" for other, most in MOST.items() if most >= len(tilings)]
        instead = f"; {' and '.join(larger)} hold that number" if larger else ""
        raise BadOption(f"{len(tilings):,} tilings are too many for one .{form}: --limit {MOST[form]:,}{instead}")
    if form in _WAYS and not look.cut:
        return _WAYS[form](instance, tilings, look)
    made: bytes = extensions.loaded(extensions.merged("drawings")["cut" if look.cut else form])(instance, tilings[0], look, form)
    return made


def _svg(instance: Instance, tilings: _Tilings, look: PictureLook) -> bytes:
    if len(tilings) == 1 and pixels.suits(instance, look):
        return pixels.svg(instance, tilings[0], look).encode()
    if len(tilings) == 1:
        return svg.draw(instance, tilings[0], look).encode()
    return svg.of_page(_album(_pictures(instance, tilings, look), look), instance.heading or "tilings").encode()


def _png(instance: Instance, tilings: _Tilings, look: PictureLook) -> bytes:
    if len(tilings) == 1 and pixels.suits(instance, look):
        return pixels.png(instance, tilings[0], look)
    from tiler.render import image

    if len(tilings) == 1:
        return image.draw(instance, tilings[0], "png", look)
    return image.of_page(_album(_pictures(instance, tilings, look), look), instance.heading or "tilings", "png")


def _pdf(instance: Instance, tilings: _Tilings, look: PictureLook) -> bytes:
    from tiler.render import image

    if len(tilings) == 1:
        return image.draw(instance, tilings[0], "pdf", look)
    pictures = _pictures(instance, tilings, look)
    some = [_album(pictures[first : first + PER_PAGE], look) for first in range(0, len(pictures), PER_PAGE)]
    title = instance.heading or "tilings"
    return image.of_pages([papers.filled(page, title) for page in some], title)


def _html(instance: Instance, tilings: _Tilings, look: PictureLook) -> bytes:
    return viewer.document(instance, tilings, look.colours).encode()


_WAYS: dict[str, Callable[[Instance, _Tilings, PictureLook], bytes]] = {
    "svg": _svg,
    "png": _png,
    "pdf": _pdf,
    "html": _html,
}


def _album(pictures: Sequence[Panel], look: PictureLook) -> Page:
    return pages.album(pictures)._replace(inches=look.inches)


def _pictures(instance: Instance, tilings: _Tilings, look: PictureLook) -> list[Panel]:
    """A panel for each tiling, with its number as heading; a board in space is seen from above. Colours agree in all panels."""
    fills = PieceColours.of(instance, tilings, look.colours).pieces
    # `inches` is the size of the whole page. As the size of one panel it would drop the borders.
    bordered = look._replace(inches=0.0)
    drawn = (drawing.panels(instance, *coloured, bordered)[-1] for coloured in zip(tilings, fills, strict=True))
    return [panel._replace(heading=str(number)) for number, panel in enumerate(drawn, 1)]
