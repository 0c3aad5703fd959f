"""`tiler shapes`: the named shapes, with pictures."""

from __future__ import annotations

import argparse
import textwrap
from itertools import zip_longest

from tiler import printable
from tiler.model.lattice import Shape, dimension
from tiler.model.letters import SYNONYMS, named_shapes
from tiler.model.shapes import parse_shape

HELP = "list the named shapes"
EXAMPLES = """\
  tiler shapes
  tiler shapes 5F 4L T1
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="*", metavar="NAME", help="only these; any shape notation will do")


def run(args: argparse.Namespace) -> int:
    if args.name:
        print(_gallery({name: parse_shape(name) for name in args.name}))
        return 0
    shapes = named_shapes()
    print("Polyominoes (the two of a mirror pair have names of their own):\n")
    print(_gallery({name: shape for name, shape in shapes.items() if dimension(shape) == 2}))
    print("\nPolycubes that do not lie flat (layers from the bottom one, side by side):\n")
    print(_gallery({name: shape for name, shape in shapes.items() if dimension(shape) == 3}))
    others = ", ".join(f"{name} = {meant}" for name, meant in SYNONYMS.items())
    print("\n" + textwrap.fill(f"Other names: {others}.", 79))
    print("\nAlso: 11x7 (columns x rows), 4x4x4, maps such as xx/x., words such as DDRRULUL.")
    return 0


def _gallery(shapes: dict[str, Shape], width: int = 79) -> str:
    """Pictures with their names above, side by side as far as they fit."""
    rows: list[list[list[str]]] = [[]]
    used = 0
    for name, shape in shapes.items():
        picture = [printable.line(name), *_picture(shape)]
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
