"""`tiler shapes`: shapes that have names, and sets of them, with pictures."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Mapping
from itertools import zip_longest
from pathlib import Path

from tiler import printable
from tiler.cli import output
from tiler.errors import BadOption
from tiler.model import charts, elsewhere, numbered
from tiler.model.lattice import Lattice, Shape, dimension
from tiler.model.lattices import called, told_by_cells
from tiler.model.letters import SYNONYMS, name_of, named_shapes
from tiler.model.regions import forms
from tiler.model.sets import SETS, lattice_of, of_size, on
from tiler.model.shapes import parse_shape

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
    parser.add_argument(
        "name", nargs="*", metavar="NAME", help="only these: a shape in any notation, a set of pieces, or 6 for all of 6 cells"
    )
    parser.add_argument(
        "--lattice", metavar="NAME", help="what they are shapes of (default: square or cubic, or what a set is of)"
    )
    parser.add_argument("-o", "--output", metavar="OUT", help="draw them on a sheet: a file ending in .svg, .png or .pdf")


def run(args: argparse.Namespace) -> int:
    lattice = _lattice(args)
    if not told_by_cells(lattice):
        _elsewhere(args, lattice)
        return 0
    shapes = {name: shape for word in args.name for name, shape in _meant(word).items()} or named_shapes()
    if args.output:
        _draw(args.output, shapes, " ".join(args.name) or "the named shapes")
    elif args.name:
        print(_gallery(shapes))
        for note in filter(None, map(_not_shown, dict.fromkeys(args.name))):
            print(f"\n{textwrap.fill(note, 79)}")
    else:
        _list(shapes)
    return 0


def _lattice(args: argparse.Namespace) -> Lattice:
    """The lattice that is named, or that of the first set of pieces."""
    if args.lattice is not None:
        return called(args.lattice)
    return lattice_of(args.name)


def _elsewhere(args: argparse.Namespace, lattice: Lattice) -> None:
    """Shapes of a lattice other than the square and the cubic one; without names, what there is."""
    shapes = {name: shape for word in args.name for name, shape in _meant_on(lattice, word).items()}
    if args.output:
        _draw(args.output, shapes or _meant_on(lattice, "3"), f"shapes of the {lattice} lattice", lattice)
    elif shapes:
        drawn = {name: _lines(lattice, shape) for name, shape in shapes.items()}
        print(_side_by_side(drawn))
    else:
        said = {"Names": elsewhere.common_names(lattice), "Sets of pieces": on(lattice), "Boards": forms(lattice)}
        paragraphs = [f"Numbers, by cells: 3-1 and so on, 3-1m for mirror images (tiler shapes 3 --lattice {lattice})."]
        paragraphs += [f"{title}: {', '.join(words)}." for title, words in said.items() if words]
        print("\n\n".join(textwrap.fill(each, 79, break_on_hyphens=False) for each in paragraphs))


def _meant_on(lattice: Lattice, word: str) -> Mapping[str, Shape]:
    if word in on(lattice):
        return on(lattice)[word].shapes()
    if _is_size(word):
        return elsewhere.called(lattice, int(word[:9]), one_sided=False)
    return {word: parse_shape(word, lattice)}


def _lines(lattice: Lattice, shape: Shape) -> list[str]:
    if charts.has_maps(lattice):
        return charts.notation(lattice, shape).split("\n")
    return [" ".join(",".join(map(str, cell)) for cell in sorted(shape))]


def _list(shapes: Mapping[str, Shape]) -> None:
    print("Polyominoes (the two of a mirror pair have names of their own):\n")
    print(_gallery({name: shape for name, shape in shapes.items() if dimension(shape) == 2}))
    print("\nPolycubes that do not lie flat (layers from the bottom one, side by side):\n")
    print(_gallery({name: shape for name, shape in shapes.items() if dimension(shape) == 3}))
    others = ", ".join(f"{name} = {meant}" for name, meant in SYNONYMS.items())
    for paragraph in (
        f"Other names: {others}.",
        "Of 6 to 9 cells: 6-01 and so on, 6c-01 and so on where they do not lie flat (tiler shapes 6).",
        f"Sets of pieces: {', '.join(SETS)}.",
        "Also: 11x7 (columns x rows), 4x4x4, aztec:5, holey:8, maps such as xx/x., words such as DDRRULUL.",
    ):
        print("\n" + textwrap.fill(paragraph, 79, break_on_hyphens=False))


def _meant(word: str) -> Mapping[str, Shape]:
    """The shapes that an argument stands for, by name."""
    if word in SETS:
        return SETS[word].shapes()
    if _is_size(word):
        return of_size(int(word[:9]))
    shape = parse_shape(word)
    name = name_of(shape) or numbered.name_of(shape)
    return {word if name in (None, word, SYNONYMS.get(word)) else f"{word} = {name}": shape}


def _is_size(word: str) -> bool:
    return word.isascii() and word.isdigit()


def _not_shown(word: str) -> str:
    """What is to be said of the mirror images of shapes of so many cells, or nothing."""
    if not _is_size(word) or int(word) < numbered.LEAST:
        return ""
    flat, solid = (len(numbered.numbered(int(word), each)) - len(numbered.free(int(word), each)) for each in (False, True))
    return (
        f"The mirror images of {flat:,} of the flat ones and {solid:,} of the others are other pieces, not shown: they have an m "
        f"behind the name."
    )


def _draw(out: str, shapes: Mapping[str, Shape], title: str, lattice: Lattice | None = None) -> None:
    from tiler.render import image, sheet, svg

    form = _form(out)
    if len(shapes) > sheet.MOST:
        raise BadOption(f"there is room for {sheet.MOST:,} shapes on a sheet, not for {len(shapes):,}")
    page = sheet.page(shapes, lattice)
    with output.opened(out) as file:
        if form == "svg":
            file.write(svg.of_page(page, title))
        else:
            file.buffer.write(image.of_page(page, title, form))


def _form(out: str) -> str:
    form = Path(out).suffix.lower().removeprefix(".")
    if form not in output.PICTURES:
        raise BadOption(f"{printable.line(out)}: a sheet is a file that ends in .svg, .png or .pdf")
    return form


def _gallery(shapes: Mapping[str, Shape]) -> str:
    return _side_by_side({name: _picture(shape) for name, shape in shapes.items()})


def _side_by_side(pictures: Mapping[str, list[str]], width: int = 79) -> str:
    """Pictures with their names above, side by side as far as they fit."""
    rows: list[list[list[str]]] = [[]]
    used = 0
    for name, lines in pictures.items():
        picture = [printable.line(name), *lines]
        columns = max(map(len, picture))
        if rows[-1] and used + columns > width:
            rows.append([])
            used = 0
        rows[-1].append([line.ljust(columns) for line in picture])
        used += columns + 3
    return "\n\n".join("\n".join(_beside(row)) for row in rows)


def _picture(shape: Shape) -> list[str]:
    """Two characters a cell; the layers of a polycube from left to right."""
    by_layer: dict[int, set[tuple[int, ...]]] = {}
    for cell in shape:
        by_layer.setdefault(cell[0] if len(cell) == 3 else 0, set()).add(cell[-2:])
    rows, columns = (1 + max(cell[axis] for cells in by_layer.values() for cell in cells) for axis in (0, 1))
    layers = [
        ["".join("[]" if (y, x) in cells else "  " if len(by_layer) == 1 else " ." for x in range(columns)) for y in range(rows)]
        for _, cells in sorted(by_layer.items())
    ]
    return ["  ".join(lines) for lines in zip(*layers, strict=True)]


def _beside(pictures: list[list[str]]) -> list[str]:
    blank = [" " * len(picture[0]) for picture in pictures]
    lines = zip_longest(*pictures)
    return ["   ".join(part or empty for part, empty in zip(parts, blank, strict=True)).rstrip() for parts in lines]
