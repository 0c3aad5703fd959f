"""Write panels one after the other as a moving picture, by Pillow: matplotlib takes half a second for each."""

from __future__ import annotations

import io
from collections.abc import Sequence

from PIL import Image, ImageChops, ImageColor, ImageDraw, ImageFont

from tiler.render.cell_outlines import Spot
from tiler.render.scene import Dots, Label, Lines, Mark, Panel, Patch

_PIXELS = 480  #: pixels of the longer side, at most
_PER_UNIT = 2.0  #: pixels to a unit of a panel, at most
_FINER = 2  #: the factor by which a frame is drawn larger and then reduced, so that lines become smooth
_MARGIN = 8.0  #: round a panel, in its units


def moving(panels: Sequence[Panel], milliseconds: Sequence[int]) -> bytes:
    """A GIF that shows panels of one size again and again, each for its number of milliseconds."""
    frames = [_frame(panel).quantize(128, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE) for panel in panels]
    out = io.BytesIO()
    frames[0].save(out, "GIF", save_all=True, append_images=frames[1:], duration=list(milliseconds), loop=0, disposal=1)
    return out.getvalue()


def _frame(panel: Panel) -> Image.Image:
    wide, high = panel.width + 2 * _MARGIN, panel.height + 2 * _MARGIN
    scale = min(_PER_UNIT, _PIXELS / max(wide, high))
    size = round(scale * wide), round(scale * high)
    large = Image.new("RGB", (_FINER * size[0], _FINER * size[1]), "white")
    pen = _Pen(large, _FINER * scale)
    for mark in panel.marks:
        pen.draw(mark)
    return large.reduce(_FINER)


class _Pen:
    """Draws marks upon an image, `scale` pixels to a unit. Hatching is left out."""

    def __init__(self, image: Image.Image, scale: float) -> None:
        self._image, self._scale = image, scale
        self._ink = ImageDraw.Draw(image, "RGBA")

    def draw(self, mark: Mark) -> None:
        match mark:
            case Patch(loops, fill, border, edge, opacity):
                loops = [[self._at(spot) for spot in loop] for loop in loops]
                if fill != "none":
                    self._fill(loops, _colour(fill, opacity))
                for loop in loops if border else ():
                    self._line([*loop, loop[0]], _colour(edge), border)
            case Lines(ends, colour, width, opacity):
                for start, end in ends:
                    self._line([self._at(start), self._at(end)], _colour(colour, opacity), width)
            case Dots(middles, radius):
                for middle in middles:
                    (x, y), r = self._at(middle), radius * self._scale
                    self._ink.ellipse((x - r, y - r, x + r, y + r), _colour("#222222"))
            case Label(at, said, size, colour, centred):
                font = ImageFont.load_default(max(1, round(size * self._scale)))
                self._ink.text(self._at(at), said, _colour(colour), font, anchor="ms" if centred else "ls")

    def _at(self, spot: Spot) -> Spot:
        return (spot[0] + _MARGIN) * self._scale, (spot[1] + _MARGIN) * self._scale

    def _fill(self, loops: Sequence[Sequence[Spot]], colour: tuple[int, ...]) -> None:
        if len(loops) == 1:
            self._ink.polygon(list(loops[0]), colour)
            return
        inside = Image.new("1", self._image.size)
        for loop in loops:
            mask = Image.new("1", self._image.size)
            ImageDraw.Draw(mask).polygon(list(loop), 1)
            inside = ImageChops.logical_xor(inside, mask)
        self._ink.bitmap((0, 0), inside, colour)

    def _line(self, spots: Sequence[Spot], colour: tuple[int, ...], width: float) -> None:
        thick = max(1, round(width * self._scale))
        self._ink.line(list(spots), colour, thick, joint="curve")
        if thick > 2 and colour[3] == 255:
            for x, y in (spots[0], spots[-1]):  # The ends of lines are round.
                self._ink.ellipse((x - thick / 2, y - thick / 2, x + thick / 2, y + thick / 2), colour)


def _colour(name: str, opacity: float = 1.0) -> tuple[int, ...]:
    return (*ImageColor.getrgb(name)[:3], round(255 * opacity))
