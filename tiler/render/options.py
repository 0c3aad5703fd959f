"""Hold the options for the look of pictures and of what is made, with their defaults."""

from __future__ import annotations

from typing import NamedTuple

from tiler.errors import BadOption
from tiler.render.colours import Colouring

UNIT, GAP, HEIGHT = 15.0, 0.2, 5.0  #: default lengths of printed pieces, in mm
PLATE = (220.0, 220.0)  #: default width and depth of the plate of a 3D printer, in mm


class Lengths(NamedTuple):
    """Lengths of what is made of plastic or wood, in mm. `unit` is a step of the lattice; in plastic, squares and cubes may have
    a step to the right, one to the back and one up."""

    unit: float | tuple[float, float, float] = UNIT
    gap: float | None = None  #: between pieces that touch; None: `GAP` in plastic, and none in wood
    height: float = HEIGHT  #: of flat pieces in plastic
    bevel: float = 0.0  #: in plastic, how much is cut off each outer edge, along both of its faces
    kerf: float = 0.0  #: the width of what a laser takes away

    @property
    def units(self) -> tuple[float, float, float]:
        """The step of the lattice in each direction."""
        return self.unit if isinstance(self.unit, tuple) else (self.unit, self.unit, self.unit)

    @property
    def one_unit(self) -> float:
        """The step of the lattice; BadOption if there is one for each direction."""
        if isinstance(self.unit, tuple):
            raise BadOption("--unit: one length for all directions; only pieces in plastic have one for each")
        return self.unit


class PictureLook(NamedTuple):
    colours: Colouring = None
    marks: str = ""  #: what is drawn over the pieces, one of overlays.OVERLAYS
    inches: float = 0.0  #: the longer side of a page; 0: a size that fits a screen
    names: bool = False  #: whether pieces carry the names of their tiles
    lengths: Lengths = Lengths()  #: for 3D printers and laser cutters
    cut: bool = False  #: whether an SVG is for a laser cutter
    unit: float = 0.0  #: on paper, the length of a step of the lattice in mm; 0: a tiling fills the page


USUAL = PictureLook()
