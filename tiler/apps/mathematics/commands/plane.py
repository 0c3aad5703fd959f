"""`tiler plane`: find out whether copies of a tile tile the plane."""

from __future__ import annotations

import argparse
from dataclasses import replace

from tiler.apps.mathematics.commands import each_tile
from tiler.cli.shared import arguments, declared, output
from tiler.cli.shared.album import add_look, look_of
from tiler.cli.shared.declared import OPTIONS, PRINTED
from tiler.model.expected import Status
from tiler.question.parameters import COMMON, PROBLEM

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

    look = look_of(args, output.picture_of(args.output) or "json")
    instance = plane.tiles_of(args.tiles, **declared.values(args, *_PROBLEM))
    sets = [replace(instance, tiles=(tile,)) for tile in instance.tiles] if args.each else [instance]
    question = declared.given(args, PlaneQuestion)
    with following(True, arguments.limits(args)) as follow:
        found = each_tile.answers(args, (plane.find(asked, question, follow) for asked in sets), follow)
    if args.format == "text" and args.each:
        each_tile.print_table(found, "tile", "tiles the plane", "period", "orbits", "Heesch")
        print(f"\n{plane.in_numbers(found)}")
    if args.output:
        output.draw(args.output, plane.pictures_of(found, look))
    arguments.say_turning(instance)
    return arguments.ended(follow, known=all(each.status is not Status.UNKNOWN for each in found))
