"""`tiler rectangles`: find the rectangles that tiles fill, and the prime ones among them."""

from __future__ import annotations

import argparse

from tiler.apps.mathematics.commands import each_tile
from tiler.cli.shared import arguments, declared, output
from tiler.cli.shared.album import add_look, look_of
from tiler.cli.shared.declared import OPTIONS, PRINTED
from tiler.question.parameters import COMMON, PROBLEM

HELP = "find the rectangles that a tile fills, and the prime ones"
_DESCRIPTION = """\
Find the rectangles (for polycubes, the boxes) that copies of some tiles fill. A rectangle that
is made of smaller ones needs no search. A prime rectangle is not made of smaller ones.
"""
EXAMPLES = """\
  tiler rectangles 5Y --reflections --up-to 15
  tiler rectangles pentominoes --each --up-to 10
  tiler rectangles 5Y --reflections --up-to 20 --records y.jsonl -o primes.svg
  tiler rectangles pentominoes --each --boxes --copies 20
  tiler rectangles tetracubes --each --reflections --boxes --copies 8 --proofs proofs
"""


_PRINTED = {**PRINTED, "help": "json prints a line for each rectangle"}


def configure(parser: argparse.ArgumentParser) -> None:
    from tiler.apps.mathematics.rectangles import RectangleQuestion

    parser.description = _DESCRIPTION
    declared.add(parser, OPTIONS, "tiles", "each")
    declared.add(parser, PROBLEM, "reflections")
    declared.add(parser, RectangleQuestion)
    declared.add(parser, COMMON, "threads")
    written = "draw the prime rectangles on a sheet (.svg, .png, .pdf)"
    declared.add(parser, OPTIONS, "format", "output", format=_PRINTED, output=written)
    add_look(parser, marks=False)


def run(args: argparse.Namespace) -> int:
    from tiler.api.monitoring import following
    from tiler.apps.mathematics.answers import rectangles
    from tiler.apps.mathematics.rectangles import RectangleQuestion

    look = look_of(args, output.picture_of(args.output) or "json")
    instance = rectangles.tiles_of(args.tiles, args.reflections, args.boxes)
    sets = rectangles.each_of(instance) if args.each else [instance.tiles]
    question = declared.given(args, RectangleQuestion)
    with following(True, arguments.limits(args)) as follow, rectangles.records_in(question.records) as records:
        asked = (rectangles.find(tiles, instance.reflections, question, follow, records) for tiles in sets)
        found = each_tile.answers(args, asked, follow)
    if args.format == "text" and args.each:
        each_tile.print_table(found, "tile", f"prime {found[-1].nouns}", "order", "unknown")
    if args.output:
        output.draw(args.output, rectangles.pictures_of(found, look), "no prime rectangle to draw")
    return arguments.ended(follow, known=not any(each.is_open for each in found))
