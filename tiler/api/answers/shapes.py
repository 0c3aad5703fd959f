"""Show named shapes, and sets of them: as text, as a sheet, and as files."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from tiler import printable
from tiler.amounts import counted
from tiler.api.answers.saving import Forms, Savable, pictures
from tiler.errors import BadOption
from tiler.model import lattice_shape_names, numbered_names, text_maps
from tiler.model.lattice import Lattice, Shape, dimension
from tiler.model.lattices import called, is_implied_by_cells
from tiler.model.letter_names import SYNONYMS, name_of, named_shapes
from tiler.model.named_boards import forms
from tiler.model.piece_sets import SETS, lattice_of, of_size, on
from tiler.model.shapes import parse_shape
from tiler.render import sheet
from tiler.render.scene import Page

_WIDTH = 79


@dataclass(frozen=True, repr=False)
class Shapes(Mapping[str, Shape], Savable):
    """Shapes by their names: sets of cells, each moved to the origin. Notebooks draw them on a sheet, `str` makes a text of them,
    and `save` a file.

    >>> import tiler
    >>> shapes = tiler.shapes("tetrominoes")
    >>> shapes, sorted(shapes["4T"])
    (Shapes(5 shapes: 4I, 4L, 4O, 4S, 4T), [(0, 0), (0, 1), (0, 2), (1, 1)])
    """

    lattice: Lattice
    words: tuple[str, ...]  #: that they stand for; none: all that have names of their own
    named: Mapping[str, Shape]

    @classmethod
    def of(cls, words: Sequence[str], lattice: str | None) -> Shapes:
        """The shapes that words stand for on a lattice, by default the lattice of the first set; InputError if a word is not a
        shape."""
        where = called(lattice) if lattice is not None else lattice_of(words)
        meant = _meant if is_implied_by_cells(where) else lambda word: _meant_on(where, word)
        found = {name: shape for word in words for name, shape in meant(word).items()}
        if not words and is_implied_by_cells(where):
            found = dict(named_shapes())
        return cls(where, tuple(words), found)

    def __getitem__(self, name: str) -> Shape:
        return self.named[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.named)

    def __len__(self) -> int:
        return len(self.named)

    def __hash__(self) -> int:
        return hash((self.lattice, self.words))

    def __repr__(self) -> str:
        some, names = counted(len(self), "shape"), ", ".join(self)
        return f"Shapes({printable.shortened(f'{some}: {names}')})"

    def __str__(self) -> str:
        if not is_implied_by_cells(self.lattice):
            return _side_by_side({name: _lines(self.lattice, shape) for name, shape in self.items()}) if self else self._words()
        if not self.words:
            return _everything(self)
        notes = filter(None, map(_not_shown, dict.fromkeys(self.words)))
        return "\n\n".join([_gallery(self), *(textwrap.fill(note, _WIDTH) for note in notes)])

    def _words(self) -> str:
        """The names and sets of another lattice, in words."""
        lattice = self.lattice
        said = {"Names": lattice_shape_names.common_names(lattice), "Sets of pieces": on(lattice), "Boards": forms(lattice)}
        paragraphs = [f"Numbers, by cells: 3-1 and so on, 3-1m for mirror images (tiler shapes 3 --lattice {lattice})."]
        paragraphs += [f"{title}: {', '.join(words)}." for title, words in said.items() if words]
        return "\n\n".join(textwrap.fill(each, _WIDTH, break_on_hyphens=False) for each in paragraphs)

    @property
    def title(self) -> str:
        """The title of a sheet."""
        if not is_implied_by_cells(self.lattice):
            return f"shapes of the {self.lattice} lattice"
        return " ".join(self.words) or "the named shapes"

    def page(self) -> Page:
        """The sheet. BadOption if they are too many for one."""
        shapes = self if self or is_implied_by_cells(self.lattice) else _meant_on(self.lattice, "3")
        if len(shapes) > sheet.MOST:
            raise BadOption(f"there is room for {sheet.MOST:,} shapes on a sheet, not for {len(shapes):,}")
        return sheet.page(shapes, None if is_implied_by_cells(self.lattice) else self.lattice)

    def forms(self) -> Forms:
        """The sheet as .svg, .png or .pdf, the text as .txt."""
        return {**pictures(self.page, self.title), "txt": self.printed}


def _everything(shapes: Mapping[str, Shape]) -> str:
    """All shapes with names of their own, and a note on the other names."""
    others = ", ".join(f"{name} = {meant}" for name, meant in SYNONYMS.items())
    said = (
        f"Other names: {others}.",
        "Shapes of 6 to 9 cells: 6-01 and so on, 6c-01 and so on if they do not lie flat (tiler shapes 6).",
        f"Sets of pieces: {', '.join(SETS)}.",
        "Also: 11x7 (columns x rows), 4x4x4, aztec:5, holey:8, maps such as xx/x., words such as DDRRULUL.",
    )
    return "\n\n".join(
        [
            "Polyominoes (the two of a mirror pair have names of their own):",
            _gallery({name: shape for name, shape in shapes.items() if dimension(shape) == 2}),
            "Polycubes that do not lie flat (layers from the bottom one, side by side):",
            _gallery({name: shape for name, shape in shapes.items() if dimension(shape) == 3}),
            *(textwrap.fill(paragraph, _WIDTH, break_on_hyphens=False) for paragraph in said),
        ]
    )


def _meant_on(lattice: Lattice, word: str) -> Mapping[str, Shape]:
    if word in on(lattice):
        return on(lattice)[word].shapes()
    if _is_size(word):
        return lattice_shape_names.shapes_by_name(lattice, int(word[:9]), one_sided=False)
    return {word: parse_shape(word, lattice)}


def _lines(lattice: Lattice, shape: Shape) -> list[str]:
    if text_maps.has_maps(lattice):
        return text_maps.notation(lattice, shape).split("\n")
    return [" ".join(",".join(map(str, cell)) for cell in sorted(shape))]


def _meant(word: str) -> Mapping[str, Shape]:
    """The shapes that an argument stands for, by name."""
    if word in SETS:
        return SETS[word].shapes()
    if _is_size(word):
        return of_size(int(word[:9]))
    shape = parse_shape(word)
    name = name_of(shape) or numbered_names.name_of(shape)
    return {word if name in (None, word, SYNONYMS.get(word)) else f"{word} = {name}": shape}


def _is_size(word: str) -> bool:
    return word.isascii() and word.isdigit()


def _not_shown(word: str) -> str:
    """A sentence about the mirror images of shapes of this size, or nothing."""
    if not _is_size(word) or int(word) < numbered_names.LEAST:
        return ""
    flat, solid = (
        len(numbered_names.numbered(int(word), each)) - len(numbered_names.free(int(word), each)) for each in (False, True)
    )
    return (
        f"The mirror images of {flat:,} of the flat ones and {solid:,} of the others are other pieces, not shown: they have an m "
        f"behind the name."
    )


def _gallery(shapes: Mapping[str, Shape]) -> str:
    return _side_by_side({name: _picture(shape) for name, shape in shapes.items()})


def _side_by_side(pictures: Mapping[str, list[str]], width: int = _WIDTH) -> str:
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
