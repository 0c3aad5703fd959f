"""`tiler rectangles`: which rectangles can be tiled, and which of them are prime?"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from math import prod
from typing import TYPE_CHECKING, Any

from tiler import printable
from tiler.cli import asking, output
from tiler.cli.main import INTERRUPTED
from tiler.errors import SpaceTileError
from tiler.model.expected import Status
from tiler.process.interrupts import interruptible
from tiler.process.look import Stopped
from tiler.question.values import positive, seconds
from tiler.render import table
from tiler.render.ticker import Ticker

if TYPE_CHECKING:
    from tiler.ask.rectangles import Rectangles, Verdict
    from tiler.cli.rectangle_records import Records
    from tiler.model.instance import Instance
    from tiler.render.scene import Panel

HELP = "find the rectangles that can be tiled, and those that are prime"
_DESCRIPTION = """\
Find the rectangles (of polycubes, the boxes) that copies of some tiles fill. Those that can be
cut into smaller ones need no search; a prime one is made up of no smaller ones.
"""
EXAMPLES = """\
  tiler rectangles 5Y --reflections --up-to 15
  tiler rectangles pentominoes --each --up-to 10
  tiler rectangles 5Y --reflections --up-to 20 --records y.jsonl -o primes.svg
"""

_SIGNS = {Status.SAT: "+", Status.UNSAT: "·", Status.UNKNOWN: "?"}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    parser.add_argument("tiles", nargs="+", metavar="TILE", help="a shape, or a set such as pentominoes")
    parser.add_argument("--each", action="store_true", help="each tile by itself, not all of them together")
    asking.add_reflections(parser)
    parser.add_argument("--up-to", metavar="N", type=positive, default=20, help="the longest side (default: %(default)s)")
    parser.add_argument("--limit-per", metavar="10s", type=seconds, default=10.0, help="for each search (default: 10s)")
    parser.add_argument("--records", metavar="FILE", help="write down what is found out, a line for each; go on from there")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="json: a line for each rectangle")
    parser.add_argument("-o", "--output", metavar="OUT.svg", help="draw the prime ones on a sheet")


def run(args: argparse.Namespace) -> int:
    from tiler.ask.rectangles import SCHEMA, Rectangles

    asking.check_svg(args.output)
    instance = _tiles(args.tiles, args.reflections)
    sets = [(tile,) for tile in instance.tiles] if args.each else [instance.tiles]
    rows, pictures, is_open, stopped = [], [], False, False
    with interruptible() as interrupted, _records(args.records) as records, Ticker() as ticker:

        def going_on(progress: Any) -> bool:
            ticker.show(progress)
            return not interrupted()

        for tiles in sets:
            name = " ".join(tile.name for tile in tiles)
            found = Rectangles(tiles, instance.reflections, args.limit_per, going_on)
            if records:
                records.recall(found)
            order, never = None, ""
            try:
                for verdict in found.up_to(args.up_to):
                    if records:
                        records.note(found, verdict)
                order, never = found.order(), "" if found.primes else found.none_at_all()
            except Stopped:
                stopped = True
            ticker.clear()
            told = [each for _, each in sorted(found.known.items()) if max(each.sides) <= args.up_to]
            is_open |= any(each.status is Status.UNKNOWN for each in told)
            pictures += list(_pictures(found, name))
            if args.format == "json":
                print("\n".join(json.dumps({"schema": SCHEMA, "tiles": name, **each.record()}) for each in told))
            elif args.each:
                rows.append((name, *_row(found, order, never, told)))
            else:
                print(_in_words(found, name, order, never, told, args.up_to))
            if stopped:
                break
    if rows:
        print(
            table.draw(rows, ("tile", "prime rectangles", "order", "unknown"), texts=2, width=output.width_of(sys.stdout) or None)
        )
    if args.output:
        _draw(args.output, pictures, args.up_to)
    if stopped:
        print("tiler: interrupted", file=sys.stderr)
    return INTERRUPTED if stopped else 3 if is_open else 0


def _records(path: str | None) -> AbstractContextManager[Records | None]:
    if path is None:
        return nullcontext()
    from tiler.cli.rectangle_records import Records

    return Records.opened(path)


def _tiles(shapes: Sequence[str], reflections: bool | None) -> Instance:
    """The tiles, on a board that does not matter; in space if one of them is."""
    from tiler import formats

    try:
        return formats.inline(["1x1", *shapes], reflections=reflections)
    except SpaceTileError:
        return formats.inline(["1x1x2", *shapes], reflections=reflections)


def _in_words(found: Rectangles, name: str, order: tuple[int, bool] | None, never: str, told: list[Verdict], up_to: int) -> str:
    from tiler.ask.rectangles import named

    noun = "boxes" if found.dimension == 3 else "rectangles"
    size = found.tiles[0].size
    lines = [f"{printable.line(name)}: {noun} with sides up to {up_to}", ""]
    if found.dimension == 2 and up_to <= 35:
        lines += [_map(told, up_to), "", "# prime   + made up of smaller ones   · impossible   ? unknown", ""]
    primes = [_sure(each) for each in found.primes]
    if len(found.tiles) == 1:
        primes = [f"{_sure(each)} ({prod(each.sides) // size:,})" for each in found.primes]
    copies = " (copies)" if primes and len(found.tiles) == 1 else ""
    lines.append(f"prime{copies}: {', '.join(primes) or 'none found'}")
    if order:
        lines.append(f"order: {order[0]}" + ("" if order[1] else " at most"))
    if never:
        lines.append(f"fills no rectangle at all: {never}")
    why: dict[str, list[str]] = {}
    for each in told:
        if each.how == "colouring" and not each.reason.startswith("area"):
            # What follows speaks of one of them.
            why.setdefault(each.reason.partition(";")[0], []).append(named(each.sides))
    for reason, sides in sorted(why.items(), key=lambda item: -len(item[1]))[:5]:
        lines.append(f"impossible: {', '.join(sides[:6])}{', ...' if len(sides) > 6 else ''}\n  {printable.line(reason)}")
    unknown = [named(each.sides) for each in told if each.status is Status.UNKNOWN]
    if unknown:
        lines.append(f"unknown, --limit-per may be longer: {', '.join(unknown)}")
    return "\n".join(lines)


def _sure(prime: Verdict) -> str:
    """The sides of a prime rectangle, with a question mark if it may be none."""
    from tiler.ask.rectangles import MAYBE_PARTS, named

    return named(prime.sides) + ("?" if prime.reason == MAYBE_PARTS else "")


def _row(found: Rectangles, order: tuple[int, bool] | None, never: str, told: list[Verdict]) -> tuple[str, str, str]:

    primes = ", ".join(map(_sure, found.primes))
    unknown = sum(each.status is Status.UNKNOWN for each in told)
    least = "" if order is None else f"{order[0]}" if order[1] else f"<= {order[0]}"
    return primes or ("none at all" if never else "none found"), least, str(unknown or "")


def _map(told: list[Verdict], up_to: int) -> str:
    """A sign for each rectangle, by its sides."""
    signs = {each.sides: "#" if each.is_prime else _SIGNS[each.status] for each in told}
    head = "    " + "".join(f"{long:>3}" for long in range(1, up_to + 1))
    return "\n".join(
        [
            head,
            *(
                f"{wide:>4}" + "".join(f"{signs.get((wide, long), ''):>3}" for long in range(1, up_to + 1))
                for wide in range(1, up_to + 1)
            ),
        ]
    )


def _pictures(found: Rectangles, name: str) -> Iterator[Panel]:
    from tiler.ask.rectangles import named
    from tiler.model.instance import Instance
    from tiler.render import drawing, pages

    for each in found.primes:
        assert each.tiling is not None
        board = frozenset(cell for placement in each.tiling for cell in placement.cells)
        panels = drawing.panels(Instance(board, found.tiles, found.reflections), each.tiling)
        yield pages.one(panels, f"{name} {named(each.sides)}")


def _draw(path: str, pictures: list[Panel], up_to: int) -> None:
    from tiler.render import pages, svg

    if not pictures:
        print(f"tiler: no prime rectangle to draw; {output.left_alone(path)}", file=sys.stderr)
        return
    with output.opened(path) as out:
        out.write(svg.of_page(pages.album(pictures), f"Prime rectangles with sides up to {up_to}"))
