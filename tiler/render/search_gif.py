"""Show a search in the plane as a moving picture: the pieces that lie on the board after every step."""

from __future__ import annotations

from collections.abc import Sequence

from tiler.errors import BadOption
from tiler.model.instance import Instance
from tiler.optional_packages import need
from tiler.render import drawing
from tiler.render.colours import Colouring, PieceColours
from tiler.render.viewer import Step

MOST = 2000  #: the most steps
_SHORT, _LONG = 120, 1500  # milliseconds for which a step is shown, and the last one


def moving_picture(instance: Instance, steps: Sequence[Step], how: Colouring = None) -> bytes:
    """A GIF of the first steps of a search, in these colours. BadOption for a board in space."""
    need("a picture as .gif", "PIL")
    from tiler.render import gif  # Pillow takes a tenth of a second to import.

    if instance.dimension == 3:
        raise BadOption("a moving picture of a search is of a board in the plane; a page shows one in space: -o search.html")
    fills = PieceColours.of(instance, (), how).tiles
    panels = [drawing.panels(instance, step.placed, [fills[piece.tile] for piece in step.placed])[0] for step in steps[:MOST]]
    return gif.moving(panels, [*[_SHORT] * (len(panels) - 1), _LONG])
