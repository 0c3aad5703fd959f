"""`tiler lattices`: list the lattices, or draw their small shapes."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from tiler.cli.shared import declared, output
from tiler.cli.shared.declared import OPTIONS
from tiler.model import text_maps
from tiler.model.lattice import Lattice
from tiler.model.lattices import LATTICES
from tiler.model.named_boards import forms
from tiler.process import files
from tiler.question.parameters import COMMON, fields_of

HELP = "list the lattices: squares, cubes, hexagons and others"
EXAMPLES = """\
  tiler lattices
  tiler lattices hexagonal triangular
  tiler lattices -o lattices.svg
  tiler count hex:2 xx --lattice triangular
"""
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


def run(args: argparse.Namespace) -> int:
    from tiler.model.lattices import called

    chosen = [called(name) for name in args.names] or list(LATTICES.values())
    if args.output is None:
        print("\n\n".join("\n".join(_told(lattice)) for lattice in chosen))
        return 0
    files.write(args.output, _drawn(chosen, output.picture_of(args.output)))
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


def _drawn(chosen: list[Lattice], form: str) -> bytes:
    from tiler.model.polyforms import polyforms
    from tiler.render import colours, drawing, image, pages, svg

    fills = [tone.fill for tone in colours.PALETTE[::3] + colours.PALETTE[1::3]][:_MOST]
    panels = []
    for each in chosen:
        shapes = [made.shape for made in polyforms(each, _WITH)][:_MOST]
        panels.append(drawing.of_shapes(each, shapes, fills[: len(shapes)], each.name))
    page = pages.side_by_side(panels)
    return svg.of_page(page, "lattices").encode() if form == "svg" else image.of_page(page, "lattices", form)
