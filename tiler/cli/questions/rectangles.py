"""`tiler rectangles`: find the rectangles that tiles fill, and the prime ones among them."""

from __future__ import annotations

import argparse
import sys
from contextlib import nullcontext
from typing import TYPE_CHECKING

from tiler.cli.main import INTERRUPTED
from tiler.cli.shared import arguments, output
from tiler.cli.shared.album import add_look, look_of
from tiler.question.quantities import positive, seconds
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


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    parser.add_argument("tiles", nargs="+", metavar="TILE", help="a shape, or a set such as pentominoes")
    parser.add_argument("--each", action="store_true", help="ask about each tile by itself, not about all together")
    arguments.add_reflections(parser)
    parser.add_argument("--boxes", action="store_true", help="fill boxes in space, also with flat tiles")
    extent = parser.add_mutually_exclusive_group()
    extent.add_argument("--up-to", metavar="N", type=positive, default=20, help="try sides up to N (default: %(default)s)")
    extent.add_argument(
        "--copies",
        metavar="N",
        type=positive,
        help="try instead all boxes with room for 1, 2, ... up to N copies of a tile, until one is filled",
    )
    parser.add_argument(
        "--limit-per", metavar="10s", type=seconds, default=10.0, help="stop each search after this time (default: 10s)"
    )
    arguments.add_threads(parser)
    parser.add_argument("--records", metavar="FILE", help="write each result into FILE; the same command goes on from there")
    parser.add_argument(
        "--proofs",
        metavar="FOLDER",
        help="refute each rectangle by two methods, and write a certificate or DRUP proof for each that cannot be filled",
    )
    parser.add_argument(
        "--format", choices=("text", "json"), default="text", help="json prints a line for each rectangle (default: %(default)s)"
    )
    parser.add_argument("-o", "--output", metavar="OUT", help="draw the prime rectangles on a sheet (.svg, .png, .pdf)")
    add_look(parser, marks=False)


def run(args: argparse.Namespace) -> int:
    from tiler.door.answers import rectangle_proofs, rectangles
    from tiler.door.answers.rectangle_records import Records
    from tiler.door.monitoring import following
    from tiler.question.result import Stop

    form = arguments.picture_of(args.output)
    look = look_of(args, form or "json")
    instance = rectangles.tiles_of(args.tiles, args.reflections, args.boxes)
    sets = rectangles.each_of(instance) if args.each else [instance.tiles]
    wanted = rectangles.WantedBoxes(
        args.copies or args.up_to,
        by_copies=args.copies is not None,
        seconds_each=args.limit_per,
        in_space=args.boxes,
        proofs=rectangle_proofs.folder(args.proofs) if args.proofs else None,
        threads=arguments.threads_of(args),
    )
    rows, pictures, is_open, stopped = [], [], False, False
    with following(True) as follow, Records.opened(args.records) if args.records else nullcontext() as records:
        for tiles in sets:
            found = rectangles.find(tiles, instance.reflections, wanted, follow, records)
            follow.clear()
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
            stopped = found.stop is not Stop.DONE
            if stopped:
                break
    if rows:
        width = output.width_of(sys.stdout) or None
        print(table.draw(rows, ("tile", f"prime {nouns}", "order", "unknown"), texts=2, width=width))
    if args.output:
        _draw(args.output, form, pictures, title, look)
    if stopped:
        print("tiler: interrupted", file=sys.stderr)
    return INTERRUPTED if stopped else 3 if is_open else 0


def _draw(path: str, form: str, pictures: Sequence[Panel], title: str, look: PictureLook) -> None:
    from tiler.door.answers.saving import files_of
    from tiler.render import pages

    if not pictures:
        print(f"tiler: no prime rectangle to draw; {output.left_alone(path)}", file=sys.stderr)
        return
    page = pages.album(pictures)._replace(inches=look.inches)
    with output.opened(path) as out:
        output.write(out, files_of(lambda: page, title)[form]())
