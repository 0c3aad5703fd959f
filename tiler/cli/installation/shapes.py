"""`tiler shapes`: list the named shapes and sets of shapes, with pictures."""

from __future__ import annotations

import argparse

from tiler.cli.shared import declared, output
from tiler.cli.shared.declared import OPTIONS
from tiler.question.parameters import COMMON, PROBLEM, fields_of

HELP = "list the named shapes, and draw them"
EXAMPLES = """\
  tiler shapes
  tiler shapes 5F 4L T1
  tiler shapes 6
  tiler shapes hexominoes -o sheet.svg
  tiler shapes hexiamonds
  tiler shapes 4 --lattice hexagonal -o tetrahexes.png
"""


def configure(parser: argparse.ArgumentParser) -> None:
    declared.add(
        parser,
        fields_of(COMMON, PROBLEM, OPTIONS),
        *("names", "lattice", "output"),
        names="a shape in any notation, a set of pieces, or 6 for all shapes of 6 cells (default: all names)",
        lattice="choose the lattice (default: the lattice of a set, else square or cubic)",
        output="draw the shapes on a sheet (.svg, .png, .pdf)",
    )


def run(args: argparse.Namespace) -> int:
    from tiler.api.answers.shapes import Shapes

    shapes = Shapes.of(args.names, args.lattice)
    if args.output:
        output.draw(args.output, shapes.forms())
    else:
        print(shapes)
    return 0
