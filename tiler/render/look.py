"""Hold the options for the look of pictures, with their defaults."""

from __future__ import annotations

from typing import NamedTuple

from tiler.render.colours import Colouring

UNIT, GAP, HEIGHT = 15.0, 0.2, 5.0  #: usual lengths of what is printed, in mm
PLATE = (220.0, 220.0)  #: the plate of a 3D printer, in mm: its width and depth


class PictureLook(NamedTuple):
    colours: Colouring = None
    marks: str = ""  #: what is drawn over the pieces: one of overlays.OVERLAYS
    inches: float = 0.0  #: inches of the longer side of a page; 0 for a size that fits a screen
    names: bool = False  #: whether pieces carry the names of their tiles
    unit: float = UNIT  #: a step of the lattice, for pieces in plastic, in mm
    gap: float = GAP  #: the gap between these pieces, in mm
    height: float = HEIGHT  #: the height of flat pieces, in mm


USUAL = PictureLook()
