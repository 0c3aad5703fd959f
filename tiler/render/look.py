"""How pictures of tilings look, where something else is wanted than what is usual."""

from __future__ import annotations

from typing import NamedTuple


class PictureLook(NamedTuple):
    colours: str | None = None  #: what the colours of pieces say, one of colours.BY; None: what is usual for the instance
    marks: str = ""  #: what is drawn over the pieces, one of overlays.OVERLAYS
    inches: float = 0.0  #: the longer side of a page; 0: as it fits a screen


USUAL = PictureLook()
