"""The options of `tiler show` that write what is to be made: sheets of paper, worksheets, plastic, wood."""

from __future__ import annotations

import argparse
from pathlib import Path

from tiler import printable
from tiler.apps.puzzles.printing import print_sheets
from tiler.cli.shared import album, arguments, declared, output
from tiler.cli.shared.declared import OPTIONS
from tiler.errors import BadOption
from tiler.model.instance import Instance
from tiler.question.parameters import COUNT, declare, one_of, parameter, read_by
from tiler.question.quantities import plate
from tiler.render import papers
from tiler.render.options import PLATE


def _paper(text: str) -> str:
    """The name of a paper, in capitals or not."""
    named = {name.lower(): name for name in papers.PAPERS}
    if text.lower() not in named:
        raise argparse.ArgumentTypeError(f"{text!r} is no paper; there are {', '.join(papers.PAPERS)}")
    return named[text.lower()]


_SHEET = declare(
    kerf=parameter(
        None, "make cut pieces as large as they should be: set the width of the beam", read_by(float, "MM"), absent="0"
    ),
    halves=parameter(
        False, "print a piece in space of several layers in two parts, with holes and pins to join them (.stl, .3mf)"
    ),
    tray=parameter(False, "write a tray for the board instead of the pieces (.stl, .3mf, .dxf)"),
    plate=parameter(
        None, "lay pieces on this plate or bed", read_by(plate, "MMxMM"), absent="220x220, for a laser cutter 600x400"
    ),
    paper=parameter(None, f"choose the paper of a sheet: {', '.join(papers.PAPERS)}", read_by(_paper, "A4"), absent="A4"),
    labels=parameter(None, "choose what is written on the pieces", one_of(*print_sheets.LABELS), absent="names"),
    hatching=parameter(False, "mark pieces by patterns, for black and white"),
    per_page=parameter(None, "write worksheets: N problems on a page, from easy to hard for people", COUNT, absent="4"),
    solutions=parameter(False, "write worksheets with the solutions on the last page"),
)


def configure(parser: argparse.ArgumentParser) -> None:
    written = (
        "write a sheet to cut out (.pdf, or a .svg or .png for each page), or pieces for a 3D printer (.stl, .3mf) or a laser "
        "cutter (.dxf)"
    )
    declared.add(parser, OPTIONS, "output", output=written)
    sheet = parser.add_argument_group("what is printed")
    album.add_lengths(sheet)
    declared.add(sheet, _SHEET, "kerf", "halves", "tray", "plate", "paper", "labels")
    album.add_colours(sheet)
    declared.add(sheet, _SHEET, "hatching", "per_page", "solutions")


def run(args: argparse.Namespace) -> int | None:
    """Write what the options ask for; None if they ask for nothing."""
    if args.per_page or args.solutions:
        return _worksheets(args)
    if args.output:
        return _print_each(args)
    album.refuse_idle(args, "", _OPTIONS_OF, _KINDS)
    return None


@arguments.one_by_one
def _print_each(args: argparse.Namespace) -> int:
    return _print(args, arguments.read_problem(args, board_alone=True))


#: What is made, in words, and its options.
_KINDS = {**album.KINDS, "sheet": "a sheet to cut out (-o sheet.pdf, .svg or .png)"}
_KINDS["worksheet"] = "worksheets (--per-page 4 -o sheet.pdf, .svg or .png)"
_OPTIONS_OF = {
    "plastic": ("unit", "gap", "height", "bevel", "halves", "tray", "plate"),
    "cuts": ("unit", "gap", "kerf", "cut", "tray", "plate", "labels"),
    "sheet": ("unit", "paper", "labels", "colours", "hatching"),
    "worksheet": ("paper", "colours", "per_page", "solutions"),
}
_OF_TRAYS = ("gap", "bevel", "halves", "labels")  # what a tray has none of


def _print(args: argparse.Namespace, instance: Instance) -> int:
    """Write a sheet, meshes, or lines to cut."""
    from tiler.apps.puzzles.printing import cuts, meshes

    form = Path(args.output).suffix.lower().lstrip(".")
    if form not in (*output.PICTURES, *output.SOLIDS):
        ends = ", ".join(f".{end}" for end in (*output.PICTURES, *output.SOLIDS))
        raise BadOption(f"-o {printable.line(args.output)}: the name must end in one of {ends}")
    kind = "plastic" if form in meshes.FORMATS else "cuts" if form == "dxf" or (form == "svg" and args.cut) else "sheet"
    album.refuse_idle(args, kind, _OPTIONS_OF, _KINDS)
    lengths, labels = album.lengths(args), args.labels or "names"
    if args.tray and (idle := [name for name in _OF_TRAYS if getattr(args, name)]):
        raise BadOption(f"--{idle[0]} does nothing for a tray; it is for pieces")
    if kind != "sheet" and not instance.tiles and not args.tray:
        raise BadOption("there are no pieces; --tray prints the board")
    if kind == "sheet":
        unit = lengths.one_unit
        look = print_sheets.SheetLook(unit, args.paper or "A4", labels, album.colours_of(args.colours), args.hatching)
        output.written_to(args.output, print_sheets.draw(instance, look, form))
    elif kind == "plastic":
        bed = args.plate or PLATE
        tray = [[meshes.tray(instance, lengths, bed)]] if args.tray else []
        plates = tray or meshes.pieces(instance, lengths, bed, halves=args.halves)
        written = [meshes.write(made, instance.heading, form) for made in plates]
        output.written_to(args.output, written, list(map(meshes.in_words, plates)))
    else:
        bed = args.plate or cuts.BED
        drawings = cuts.tray(instance, lengths, bed) if args.tray else cuts.pieces(instance, lengths, bed, labels)
        written = [cuts.write(drawing, instance.heading, form) for drawing in drawings]
        output.written_to(args.output, written, list(map(cuts.in_words, drawings)))
    return 0


def _worksheets(args: argparse.Namespace) -> int:
    """Write all problems on worksheets."""
    from tiler.apps.puzzles.printing import worksheets

    form = Path(args.output or "").suffix.lower().lstrip(".")
    if form not in output.PICTURES:
        raise BadOption("--per-page and --solutions write worksheets: -o sheet.pdf, .svg or .png")
    album.refuse_idle(args, "worksheet", _OPTIONS_OF, _KINDS)
    instances = [arguments.read_problem(one) for one in arguments.separate(args)]
    look = worksheets.WorksheetLook(args.per_page or 4, args.solutions, args.paper or "A4", album.colours_of(args.colours))
    output.written_to(args.output, worksheets.draw(instances, look, form))
    return 0
