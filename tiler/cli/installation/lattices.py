"""`tiler lattices`: list the lattices, or draw their small shapes."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tiler.cli.shared import declared, output
from tiler.cli.shared.declared import OPTIONS
from tiler.errors import BadOption
from tiler.model import text_maps
from tiler.model.lattice import Lattice, Shape
from tiler.model.lattices import LATTICES, called
from tiler.model.named_boards import forms, region
from tiler.process import files
from tiler.question.parameters import COMMON, declare, fields_of, parameter

if TYPE_CHECKING:
    from tiler.render.scene import Page, Panel

HELP = "list the lattices: squares, cubes, hexagons and others"
EXAMPLES = """\
  tiler lattices
  tiler lattices hexagonal triangular
  tiler lattices -o lattices.svg
  tiler lattices tetrakis spheres --coordinates -o where.svg
  tiler count hex:2 xx --lattice triangular
"""
_PICTURE = declare(coordinates=parameter(False, "draw a small board with the coordinates of its cells instead"))
_WITH = 3  #: the number of cells of the shapes in the pictures
_MOST = 6  #: the largest number of shapes of a lattice


def configure(parser: argparse.ArgumentParser) -> None:
    declared.add(
        parser,
        fields_of(COMMON, OPTIONS),
        *("names", "output"),
        names="a lattice to list",
        output=f"draw all shapes of {_WITH} cells (.svg, .png, .pdf)",
    )
    declared.add(parser, _PICTURE, "coordinates")


def run(args: argparse.Namespace) -> int:
    chosen = [called(name) for name in args.names] or list(LATTICES.values())
    if args.output is None:
        if args.coordinates:
            raise BadOption("--coordinates is for a picture: -o where.svg")
        print("\n\n".join("\n".join(_told(lattice)) for lattice in chosen))
        return 0
    from tiler.render import image, svg

    if args.coordinates and (narrow := [lattice.name for lattice in chosen if not _has_room(lattice)]) and args.names:
        raise BadOption(f"--coordinates: cells of {' and '.join(narrow)} have no room for numbers")
    page = _coordinates([lattice for lattice in chosen if _has_room(lattice)]) if args.coordinates else _shapes(chosen)
    form = output.picture_of(args.output)
    files.write(args.output, svg.of_page(page, "lattices").encode() if form == "svg" else image.of_page(page, "lattices", form))
    return 0


def _told(lattice: Lattice) -> Iterator[str]:
    """A few lines about the lattice: its cells, how boards are written, and some shapes as maps."""
    from tiler.model.polyforms import polyforms

    yield f"{lattice.name}: {lattice.what}"
    if forms(lattice):
        yield f"  boards  {', '.join(forms(lattice))}"
    if not text_maps.has_maps(lattice):
        yield "  maps    none: problems are JSON, with cells as lists of numbers"
        return
    rows = ["/".join(text_maps.notation(lattice, form.shape).split("\n")) for form in polyforms(lattice, _WITH)]
    yield f"  maps    {'   '.join(rows[:_MOST])}"


def _shapes(chosen: list[Lattice]) -> Page:
    """The small shapes of each lattice."""
    from tiler.model.polyforms import polyforms
    from tiler.render import colours, drawing, pages

    fills = [tone.fill for tone in colours.PALETTE[::3] + colours.PALETTE[1::3]][:_MOST]
    panels = []
    for each in chosen:
        shapes = [made.shape for made in polyforms(each, _WITH)][:_MOST]
        panels.append(drawing.of_shapes(each, shapes, fills[: len(shapes)], each.name))
    return pages.side_by_side(panels)


def _coordinates(chosen: list[Lattice]) -> Page:
    """A small board of each lattice, with the coordinates of each cell in it."""
    from tiler.render import pages

    return pages.in_rows([panel for lattice in chosen for panel in _with_coordinates(lattice)])


def _with_coordinates(lattice: Lattice) -> Iterator[Panel]:
    """A panel for each layer; the first is headed by the name of the lattice."""
    from tiler.render import drawing

    cells = sorted(_small_board(lattice))
    shown = drawing.numbered(
        lattice,
        {cell: number for number, cell in enumerate(cells, 1)},
        dict.fromkeys(range(1, len(cells) + 1), "#f0f0f0"),
        [],
        lambda number: (",".join(map(str, cells[number - 1])), "#000000"),
    )
    for number, panel in enumerate(shown):
        yield panel if number else panel._replace(heading=f"{lattice.name} {panel.heading}".strip())


def _small_board(lattice: Lattice) -> Shape:
    """A board of the first form that a lattice has, with short sides: the fewer kinds of cells, the longer."""
    name, colon, lengths = forms(lattice)[0].rpartition(":")
    side = str(max(1, 4 - lattice.kinds))
    return lattice.lift(region(lattice, f"{name}{colon}{re.sub('[0-9]+', side, lengths)}"))


def _has_room(lattice: Lattice) -> bool:
    """Whether coordinates can be written into cells: not on edges, nor on solids whose boards have no layers."""
    return bool(forms(lattice)) and not lattice.has_edges
