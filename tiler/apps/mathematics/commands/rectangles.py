"""`tiler rectangles`: find the rectangles that tiles fill, and the prime ones among them."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from tiler.cli.shared import arguments, declared, output
from tiler.cli.shared.album import add_look, look_of
from tiler.cli.shared.declared import OPTIONS, PRINTED
from tiler.question.parameters import COMMON, PROBLEM
from tiler.render import table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tiler.render.options import PictureLook
    from tiler.render.scene import Panel

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
    from tiler.apps.mathematics.answers.rectangle_records import Records
    from tiler.apps.mathematics.rectangles import RectangleQuestion
    from tiler.question.result import Stop

    form = output.picture_of(args.output)
    look = look_of(args, form or "json")
    instance = rectangles.tiles_of(args.tiles, args.reflections, args.boxes)
    sets = rectangles.each_of(instance) if args.each else [instance.tiles]
    question = declared.given(args, RectangleQuestion)
    rows, pictures, is_open = [], [], False
    with following(True, arguments.limits(args)) as follow, Records.opened(question.records) as records:
        for tiles in sets:
            found = rectangles.find(tiles, instance.reflections, question, follow, records)
            follow.ticker.clear()
            is_open |= found.is_open
            pictures += found.pictures(look)
            title = found.title
            if args.format == "json":
                print(found.json(), end="")
            elif args.each:
                rows.append(found.row())
                nouns = found.nouns
            else:
                print(found)
            if found.stop is not Stop.DONE:
                break
    if rows:
        width = output.width_of(sys.stdout) or None
        print(table.draw(rows, ("tile", f"prime {nouns}", "order", "unknown"), texts=2, width=width))
    if args.output:
        _draw(args.output, form, pictures, title, look)
    return arguments.ended(follow, known=not is_open)


def _draw(path: str, form: str, pictures: Sequence[Panel], title: str, look: PictureLook) -> None:
    from tiler.api.answers.saving import files_of
    from tiler.render import pages

    if not pictures:
        print(f"tiler: no prime rectangle to draw; {output.left_alone(path)}", file=sys.stderr)
        return
    page = pages.album(pictures)._replace(inches=look.inches)
    with output.opened(path) as out:
        output.write(out, files_of(lambda: page, title)[form]())
