"""Hold the options for the look of pictures, with their defaults."""

from __future__ import annotations

from typing import NamedTuple

from tiler.render.colours import Colouring

UNIT, GAP, HEIGHT = 15.0, 0.2, 5.0  #: usual lengths of what is printed, in mm
PLATE = (220.0, 220.0)  #: what is printed on in plastic, in mm: its width and depth


class PictureLook(NamedTuple):
    colours: Colouring = None
    marks: str = ""  #: what is drawn over the pieces, one of overlays.OVERLAYS
    inches: float = 0.0  #: the longer side of a page; 0: as it fits a screen
    names: bool = False  #: whether pieces carry the names of their tiles
    unit: float = UNIT  #: of pieces in plastic: a step of the lattice, in mm
    gap: float = GAP  #: between them, in mm
    height: float = HEIGHT  #: of flat ones, in mm


USUAL = PictureLook()
