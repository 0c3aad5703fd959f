"""Hold the options for the look of pictures, with their defaults."""

from __future__ import annotations

from typing import NamedTuple

from tiler.render.colours import Colouring

UNIT, GAP, HEIGHT = 15.0, 0.2, 5.0  #: default lengths of printed pieces, in mm
PLATE = (220.0, 220.0)  #: default width and depth of the plate of a 3D printer, in mm


class PictureLook(NamedTuple):
    colours: Colouring = None
    marks: str = ""  #: what is drawn over the pieces, one of overlays.OVERLAYS
    inches: float = 0.0  #: the longer side of a page; 0: a size that fits a screen
    names: bool = False  #: whether pieces carry the names of their tiles
    unit: float = UNIT  #: for 3D printers: the length of a step of the lattice, in mm
    gap: float = GAP  #: for 3D printers: the gap between pieces that touch, in mm
    height: float = HEIGHT  #: for 3D printers: the height of flat pieces, in mm


USUAL = PictureLook()
