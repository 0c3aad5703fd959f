"""`tiler plane`: do copies of a tile tile the plane?"""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING, Any

from tiler import printable
from tiler.amounts import counted
from tiler.cli import asking, output
from tiler.cli.album import add_look, look_of
from tiler.cli.main import INTERRUPTED
from tiler.cli.ticker import Ticker
from tiler.errors import BadOption, SpaceTileError
from tiler.model.expected import Status
from tiler.process.look import Stopped
from tiler.question.values import natural, positive, seconds
from tiler.render import table

if TYPE_CHECKING:
    from tiler.ask.plane import Answer
    from tiler.model.tile import Tile
    from tiler.render.look import Look

HELP = "find the smallest period in which tiles tile the plane, or that they do not"
_DESCRIPTION = """\
Find the smallest period in which copies of some tiles tile the plane, or show that a tile does
not: it cannot be surrounded by copies of itself more than some number of times.
"""
EXAMPLES = """\
  tiler plane 5F --reflections -o patch.svg --size 12in --colours orientation
  tiler plane heptominoes --each
  tiler plane heptiamonds --each --up-to 84
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    parser.add_argument("tiles", nargs="+", metavar="TILE", help="a shape, or a set such as heptominoes")
    parser.add_argument("--each", action="store_true", help="each tile by itself, not all of them together")
    parser.add_argument("--lattice", metavar="NAME", help="what they are shapes of (default: square; see tiler lattices)")
    asking.add_reflections(parser)
    parser.add_argument("--up-to", metavar="CELLS", type=positive, default=60, help="the largest period (default: %(default)s)")
    parser.add_argument(
        "--coronas", metavar="N", type=natural, default=3, help="how often a tile is to be surrounded, at most (default: 3)"
    )
    parser.add_argument("--limit-per", metavar="10s", type=seconds, default=10.0, help="for each search (default: 10s)")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="json: a line for each set of tiles")
    parser.add_argument("-o", "--output", metavar="OUT.svg", help="draw a patch of the plane, or the tile surrounded")
    add_look(parser, marks=False)


def run(args: argparse.Namespace) -> int:
    from tiler import formats
    from tiler.ask import plane
    from tiler.model.lattices import USUAL
    from tiler.model.sets import lattice_of

    asking.check_svg(args.output)
    look = look_of(args, "svg" if args.output else "text")
    lattice = args.lattice or lattice_of(args.tiles).name
    board = "1x1" if lattice == USUAL.name else plane.cell_of(lattice)
    try:
        instance = formats.inline([board, *args.tiles], reflections=args.reflections, lattice=args.lattice)
    except SpaceTileError as error:
        raise BadOption(f"the plane is tiled by flat tiles: {error}") from None
    sets = [(tile,) for tile in instance.tiles] if args.each else [instance.tiles]
    answers: list[tuple[str, Answer]] = []
    stopped = False
    with asking.interruptible() as interrupted, Ticker() as ticker:

        def going_on(progress: Any) -> bool:
            ticker.show(progress)
            return not interrupted()

        for tiles in sets:
            try:
                answer = plane.ask(
                    tiles,
                    instance.reflections,
                    largest=args.up_to,
                    coronas=args.coronas,
                    seconds=args.limit_per,
                    on_tick=going_on,
                )
            except Stopped:
                stopped = True
                break
            name = " ".join(tile.name for tile in tiles)
            answers.append((name, answer))
            if args.format == "json":
                ticker.clear()
                print(json.dumps({"tiles": name, **answer.summary()}), flush=True)
    if args.format == "text" and args.each:
        rows = [(name, *_row(answer)) for name, answer in answers]
        print(
            table.draw(rows, ("tile", "tiles the plane", "period", "Heesch"), texts=2, width=output.width_of(sys.stdout) or None)
        )
        print(f"\n{_summary([answer for _, answer in answers])}")
    elif args.format == "text":
        for name, answer in answers:
            print(f"{printable.line(name)}: {_in_words(answer, args)}")
    if args.output:
        _draw(args.output, answers, instance.reflections, instance.tiles[0], look)
    if stopped:
        print("tiler: interrupted", file=sys.stderr)
        return INTERRUPTED
    return 3 if any(answer.status is Status.UNKNOWN for _, answer in answers) else 0


def _in_words(answer: Answer, args: argparse.Namespace) -> str:
    if answer.period is not None and answer.tiling is not None:
        least = "the smallest period" if answer.is_least else "a period; some smaller ones are not known"
        cells, copies = counted(len(answer.period.board), "cell"), counted(len(answer.tiling), "piece")
        return f"tiles the plane\n{least}: {cells}, {copies}, moved by {answer.period.wrap}"
    if answer.status is Status.UNSAT:
        hole = " (it has a hole)" if answer.has_hole else ""
        times = {0: "not once", 1: "once", 2: "twice"}.get(answer.heesch or 0, f"{answer.heesch} times")
        most = "" if not answer.heesch else ", and no more often"
        return (
            f"does not tile the plane{hole}\nit can be surrounded by copies of itself {times}{most} (by SAT; the last corona may "
            f"leave holes): its Heesch number is {answer.heesch}"
        )
    around = "" if answer.heesch is None else f"; it can be surrounded {counted(answer.heesch, 'time')} at least"
    return f"unknown: no period of up to {args.up_to} cells{around}"


def _row(answer: Answer) -> tuple[str, str, str]:
    if answer.period is not None and answer.tiling is not None:
        least = "" if answer.is_least else "<= "
        return "yes", f"{least}{len(answer.tiling)} ({answer.period.wrap})", ""
    if answer.status is Status.UNSAT:
        return "no, it has a hole" if answer.has_hole else "no", "", str(answer.heesch)
    return "unknown", "", "" if answer.heesch is None else f">= {answer.heesch}"


def _summary(answers: list[Answer]) -> str:
    no = [answer for answer in answers if answer.status is Status.UNSAT]
    holes = sum(answer.has_hole for answer in no)
    unknown = sum(answer.status is Status.UNKNOWN for answer in answers)
    return (
        f"{len(answers) - len(no) - unknown} of {counted(len(answers), 'tile')} tile the plane, "
        f"{len(no) - holes} without holes do not, {holes} with holes do not" + (f", {unknown} are unknown" if unknown else "")
    )


def _draw(path: str, answers: list[tuple[str, Answer]], reflections: bool, tile: Tile, look: Look) -> None:
    from tiler.ask import plane
    from tiler.model.instance import Instance
    from tiler.render import drawing, image, pages, svg

    pictures = []
    for name, answer in answers:
        laid = plane.patch(answer, look.inches / image.PER_UNIT if len(answers) == 1 else 0.0)
        if laid is None and answer.around:
            board = frozenset(cell for placement in answer.around for cell in placement.cells)
            lattice = tile.lattice
            own = type(tile)(answer.around[0].tile, answer.around[0].cells, lattice=lattice)
            laid = Instance(board, (own,), reflections, lattice=lattice), answer.around
        if laid is not None:
            pictures.append((name, laid))
    if not pictures:
        print(f"tiler: nothing to draw; {output.left_alone(path)}", file=sys.stderr)
        return
    with output.opened(path) as out:
        if len(pictures) == 1:
            out.write(svg.draw(*pictures[0][1], look))
        else:
            bordered = look._replace(inches=0.0)
            album = pages.album([pages.one(drawing.panels(*laid, look=bordered), name) for name, laid in pictures])
            out.write(svg.of_page(album._replace(inches=look.inches), "Tilings of the plane"))
