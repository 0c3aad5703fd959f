"""`tiler show`: print how Tiler reads a problem, before anything is solved."""

from __future__ import annotations

import argparse
import sys
import textwrap
from collections import Counter
from dataclasses import replace
from types import ModuleType
from typing import TYPE_CHECKING

from tiler import extensions, printable
from tiler.amounts import counted
from tiler.cli.shared import arguments, declared, output
from tiler.cli.shared.declared import OPTIONS, PRINTED
from tiler.question.parameters import one_of
from tiler.render import table, text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tiler.cover.board import BoardCover
    from tiler.model.instance import Instance
    from tiler.model.tile import Tile

HELP = "show a problem: board, tiles, placements, symmetry"
EXAMPLES = """\
  tiler show problems/misc/02_u.txt
  tiler show 4x4x4 4L 2..3:3I
  tiler show problems/4L/10x10_u.txt --format json
  tiler show 6x10 1:pentominoes -o sheet.pdf --unit 18 --labels letters
  tiler show classic/soma_s -o pieces.stl --unit 20 --gap 0.3 --bevel 1
  tiler show puzzles/ -o sheet.pdf --per-page 4 --solutions
  tiler show 6x10 1:pentominoes -o pieces.dxf --kerf 0.15
  tiler show 6x10 -o tray.stl --tray
"""


_BESIDE = 12  # the columns before the facts


_PRINTED = "choose what is printed; json and problem print the problem itself"


def configure(parser: argparse.ArgumentParser) -> None:
    arguments.add_problem(parser)
    for module in _options():
        module.configure(parser)
    declared.add(parser, OPTIONS, "format", format={**PRINTED, "kind": one_of("text", "json", "problem"), "help": _PRINTED})


def run(args: argparse.Namespace) -> int:
    for module in _options():
        status: int | None = module.run(args)
        if status is not None:
            return status
    return _show(args)


def _options() -> list[ModuleType]:
    """Modules of apps that add options to this command."""
    return [extensions.loaded(each.options["show"]) for each in extensions.manifests() if "show" in each.options]


@arguments.one_by_one
def _show(args: argparse.Namespace) -> int:
    from tiler.cover.board import BoardCover
    from tiler.cover.group_action import symmetries_of
    from tiler.formats import json
    from tiler.formats import text as problem

    instance = arguments.read_problem(args, board_alone=True)
    if args.format != "text":
        written = {"json": json.write, "problem": problem.write}[args.format](instance)
        if sys.stdout.isatty():  # This text is for people; no program reads it.
            written = "".join(f"{printable.line(each)}\n" for each in written.split("\n")[:-1])
        print(written, end="")
        return 0
    if instance.tiles:
        cover = BoardCover.of(instance)
        lines = _facts(instance, cover, len(symmetries_of(cover)))
    else:
        lines = _facts_of_board(instance)
    room = max(30, (output.width_of(sys.stdout) or 80) - _BESIDE)
    printed = ((label, printable.line(fact)) for label, fact in lines if fact)
    wrapped = ((label, textwrap.fill(fact, room, break_long_words=False, break_on_hyphens=False)) for label, fact in printed)
    print(table.draw(wrapped, texts=2))
    print()
    print(text.draw(instance, (), colour=output.is_coloured(sys.stdout), width=output.width_of(sys.stdout)))
    return 0


def _facts_of_board(instance: Instance) -> list[tuple[str, str]]:
    """What there is to say of a board alone."""
    from tiler.model.symmetry import group

    parts = 1 if instance.wrap else len(instance.lattice.components(instance.board))
    return [
        ("problem", instance.heading),
        ("source", instance.about.source),
        ("board", _board(instance, parts)),
        ("tiles", "none: a board alone, for which tiler choose finds pieces"),
        ("symmetry", _symmetry(len(group(instance)))),
    ]


def _facts(instance: Instance, cover: BoardCover, symmetries: int) -> list[tuple[str, str]]:
    from tiler.model import constraints

    # The names of the tiles as they stand above.
    called = {each: instance.distinct_tiles[instance.number_of(each.tile)].name for each in instance.constraints}
    rules = [replace(each, tile=name) for each, name in called.items()]
    expected = instance.about.expected
    known = [
        expected.verdict or "",
        "" if expected.count is None else f"{expected.count} tilings",
        "" if expected.up_to_symmetry is None else f"{expected.up_to_symmetry} up to symmetry",
    ]
    turned = "may be reflected" if instance.reflections else "may be turned, not reflected"
    if not instance.turning:
        turned = "may not be turned"
    elif instance.dimension == 3 and not instance.reflections:
        turned = "may be turned in space (a flat one over, too), not reflected"
    return [
        ("problem", instance.heading),
        ("source", instance.about.source),
        ("expected", ", ".join(filter(None, known))),
        ("board", _board(instance, cover.parts)),
        ("tiles", turned),
        *(("", _tile(tile, t, cover)) for t, tile in enumerate(instance.distinct_tiles)),
        ("", _merged(instance)),
        ("area", _area(instance, cover)),
        *(("", fact) for fact in _paint(instance, cover)),
        *(("", f"{each.kind} {constraints.write(each)}") for each in rules),
        ("placements", f"{int((~cover.fills).sum()):,}"),
        ("symmetry", _symmetry(symmetries)),
        ("refuted", cover.refusal() or ""),
    ]


def _symmetry(symmetries: int) -> str:
    return f"a group of {symmetries}" if symmetries > 1 else "none"


def _board(instance: Instance, parts: int) -> str:
    from tiler.model.lattice import box, fills_box

    low, high = box(instance.board)
    sides = "x".join(str(b - a + 1) for a, b in zip(reversed(low), reversed(high), strict=True))
    cells = counted(len(instance.board), "cell")
    if instance.lattice.has_boxes:
        cells = f"{sides}, {cells}" if fills_box(instance.board) else f"{cells} within {sides}"
        where = "in space" if instance.dimension == 3 else "in the plane"
    else:
        where = f"on the {instance.lattice} lattice"
    return ", ".join(
        [
            cells,
            *([f"{len(instance.optional)} of them optional"] if instance.optional else []),
            *(["{} to {} of these stay open".format(*instance.open)] if instance.open else []),
            *([f"one of each group stays open: {', '.join(each.name for each in instance.groups)}"] if instance.groups else []),
            *([f"in {parts} parts"] if parts > 1 else []),
            where,
            *([f"wrapped by {instance.wrap}"] if instance.wrap else []),
            *([] if instance.crossing else ["where no two tiles may cross"]),
        ]
    )


def _tile(tile: Tile, t: int, cover: BoardCover) -> str:
    if tile.at_most is None:
        copies = f"at least {tile.at_least}" if tile.at_least else "any number"
    elif tile.at_least == tile.at_most:
        copies = f"exactly {tile.at_most}"
    else:
        copies = f"{tile.at_least} to {tile.at_most}" if tile.at_least else f"at most {tile.at_most}"
    cells = counted(tile.size, "cell")
    ways = f"{counted(len(cover.variants[t]), 'way')} to turn it"
    weight = f"; each weighs {tile.weight:,}" if tile.weight else ""
    return f"{tile.name}: {copies}; {cells}, {ways}, {len(cover.by_tile[t]):,} placements{weight}"


def _merged(instance: Instance) -> str:
    count = len(instance.tiles) - len(instance.distinct_tiles)
    return f"({count} congruent to an earlier one: taken as one tile, their copies added)" if count else ""


def _paint(instance: Instance, cover: BoardCover) -> list[str]:
    """Print the colours and marks that must match."""
    ground = instance.ground
    colours = Counter(colour for _, colour in ground.colours)
    wanted = Counter(" or ".join(marks) for _, marks in ground.border)
    sides = 0 if cover.coloured is None else len(cover.coloured.items)
    return [
        *([f"colours of the board: {_counts(colours, 'cell')}"] if colours else []),
        *([f"colours that fit: {', '.join(map(' on '.join, ground.fits)) or 'none'}"] if ground.fits is not None else []),
        *([f"{counted(sides, 'side')} where marks must match"] if sides else []),
        *([f"mates: {', '.join(map(' and '.join, ground.mates))}"] if ground.mates else []),
        *([f"marks on the border: {_counts(wanted, 'side')}"] if wanted else []),
    ]


def _counts(numbers: Mapping[str, int], what: str) -> str:
    return ", ".join(f"{name} on {counted(number, what)}" for name, number in sorted(numbers.items()))


def _area(instance: Instance, cover: BoardCover) -> str:
    tiles = range(len(instance.distinct_tiles))
    if all(cover.bounded[t] and cover.lower[t] == cover.upper[t] for t in tiles) and not instance.optional:
        return "every copy has to be used"
    return ""
