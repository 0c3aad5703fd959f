"""`tiler plane`: find out whether copies of a tile tile the plane."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from tiler.cli.shared import arguments, declared, output
from tiler.cli.shared.album import add_look, look_of
from tiler.cli.shared.declared import OPTIONS, PRINTED
from tiler.model.expected import Status
from tiler.question.parameters import COMMON, PROBLEM
from tiler.question.result import Stop
from tiler.render import table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tiler.apps.mathematics.answers.plane import PlaneTiling
    from tiler.render.options import PictureLook

HELP = "find the smallest period of a tiling of the plane"
_DESCRIPTION = """\
Find the smallest period in which copies of some tiles tile the plane. Or show that a tile does
not tile the plane: only a certain number of rings of copies can surround it, its Heesch number.
"""
EXAMPLES = """\
  tiler plane 5F --reflections -o patch.svg --size 12in --colours orientation
  tiler plane heptominoes --each
  tiler plane heptiamonds --each --up-to 84
  tiler plane octominoes --each --orbits 2
  tiler plane 7-105 --reflections --heesch --proofs proofs -o rings.svg
  tiler plane "1 [1 2 1 3]" "1 [4 3 4 2]" --no-turning
"""


_PROBLEM = ("reflections", "lattice", "turning", "mates")
_PRINTED = {**PRINTED, "help": "json prints a line for each set of tiles"}


def configure(parser: argparse.ArgumentParser) -> None:
    from tiler.apps.mathematics.plane import PlaneQuestion

    parser.description = _DESCRIPTION
    declared.add(parser, OPTIONS, "tiles", "each", tiles="a shape, or a set such as heptominoes")
    declared.add(parser, PROBLEM, *_PROBLEM, lattice="choose the lattice of the tiles: see tiler lattices (default: square)")
    declared.add(parser, PlaneQuestion)
    declared.add(parser, COMMON, "seconds", "memory", "threads")
    written = "draw a patch, or the tile surrounded (.svg, .png, .pdf)"
    declared.add(parser, OPTIONS, "format", "output", format=_PRINTED, output=written)
    add_look(parser, marks=False)


def run(args: argparse.Namespace) -> int:
    from tiler.api.monitoring import following
    from tiler.apps.mathematics.answers import plane
    from tiler.apps.mathematics.plane import PlaneQuestion

    form = output.picture_of(args.output)
    look = look_of(args, form or "json")
    instance = plane.tiles_of(args.tiles, **declared.values(args, *_PROBLEM))
    sets = [replace(instance, tiles=(tile,)) for tile in instance.tiles] if args.each else [instance]
    question = declared.given(args, PlaneQuestion)
    answers: list[PlaneTiling] = []
    with following(True, arguments.limits(args)) as follow:
        for asked in sets:
            found = plane.find(asked, question, follow)
            answers.append(found)
            if args.format == "json":
                follow.ticker.clear()
                print(found.json(), end="", flush=True)
            if found.stop is not Stop.DONE:
                break
    if args.format == "text" and args.each:
        heads, width = ("tile", "tiles the plane", "period", "orbits", "Heesch"), output.width_of(sys.stdout) or None
        print(table.draw([found.row() for found in answers], heads, texts=2, width=width))
        print(f"\n{plane.in_numbers(answers)}")
    elif args.format == "text":
        for found in answers:
            print(found)
    if args.output:
        _draw(args.output, form, answers, look)
    arguments.say_turning(instance)
    return arguments.ended(follow, known=all(found.status is not Status.UNKNOWN for found in answers))


def _draw(path: str, form: str, answers: Sequence[PlaneTiling], look: PictureLook) -> None:
    from tiler.apps.mathematics.answers import plane

    shown = [found for found in answers if found.tiling is not None]
    if not shown:
        print(f"tiler: nothing to draw; {output.left_alone(path)}", file=sys.stderr)
        return
    with output.opened(path) as out:
        output.write(out, plane.picture(shown, form, look))
