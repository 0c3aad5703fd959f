"""The base of the values that functions of `tiler` return: what a file of them holds, by the ending of its name."""

from __future__ import annotations

import argparse
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from json import dumps
from pathlib import Path
from typing import Any, TypedDict, Unpack

from tiler.errors import BadOption
from tiler.model.colour_names import colour_called
from tiler.process import files
from tiler.question.quantities import inches
from tiler.render.colours import BY
from tiler.render.options import USUAL, PictureLook
from tiler.render.scene import Page

#: Functions that make the content of a file, by the ending of its name.
Forms = Mapping[str, Callable[[], str | bytes]]

PICTURES = ("svg", "png", "pdf")


class Look(TypedDict, total=False):
    """The look of a picture, as far as the caller chooses it."""

    size: str
    colours: str | Mapping[str, str]
    names: bool
    unit: float
    gap: float
    height: float


class Savable(ABC):
    """A value with `forms`. `save` writes one of them into a file, a notebook shows the picture, and the command of the same name
    prints or writes the one that is asked for."""

    @abstractmethod
    def forms(self) -> Forms:
        """Functions that make the content of a file, by the ending of its name."""

    def save(self, path: str | Path) -> None:
        """Write a file, in the form of its ending. BadOption, with the endings there are, for another one; TilerError if the file
        cannot be written, and an older one then stays as it was."""
        write(path, self.forms())

    def printed(self) -> str:
        """What `print` writes."""
        return f"{self}\n"

    def _repr_svg_(self) -> str | None:
        draw = self.forms().get("svg")
        drawn = None if draw is None else draw()
        return drawn.decode() if isinstance(drawn, bytes) else drawn


class Drawable(Savable):
    """A value whose pictures have a look that the caller may choose."""

    @abstractmethod
    def forms(self, look: PictureLook = USUAL) -> Forms:
        """Functions that make the content of a file, by the ending of its name; pictures have this look."""

    def save(self, path: str | Path, **look: Unpack[Look]) -> None:
        """Write a file, in the form of its ending, as values without a look do.

        `size` is the longer side of a picture, such as "24in"; `colours` chooses the colours of pieces, as `--colours` does, or
        maps names of tiles to colours; `names` writes the names of pieces on them. As .stl or .3mf a tiling is for a 3D printer,
        with cells of `unit` mm, a `gap` between pieces and a `height` for flat pieces.
        """
        write(path, self.forms(look_of(look)))


def look_of(asked: Look) -> PictureLook:
    """What these arguments ask for; BadOption for a size or a colour that is none."""
    size, how = asked.get("size"), asked.get("colours")
    if isinstance(how, str) and how not in BY:
        raise BadOption(f"colours={how!r}: one of {', '.join(BY)}, or a dictionary of colours by names of tiles")
    given = how if how is None or isinstance(how, str) else {name: colour_called(colour) for name, colour in how.items()}
    try:
        look = PictureLook(given, inches=inches(size) if size else 0.0, names=asked.get("names", False))
    except argparse.ArgumentTypeError as error:
        raise BadOption(f"size: {error}") from None
    usual = look.lengths
    lengths = usual._replace(unit=asked.get("unit", usual.unit), gap=asked.get("gap"), height=asked.get("height", usual.height))
    return look._replace(lengths=lengths)


def pictures(page: Callable[[], Page], title: str) -> Forms:
    """The forms of a page: svg, png and pdf."""
    from tiler.render import image, papers, svg

    return {
        "svg": lambda: svg.of_page(page(), title),
        "png": lambda: image.of_page(page(), title, "png"),
        "pdf": lambda: image.of_page(papers.filled(page(), title), title, "pdf"),
    }


def json_lines(records: Iterable[Mapping[str, Any]]) -> str:
    """A line of JSON for each record."""
    return "".join(f"{dumps(record)}\n" for record in records)


def write(path: str | Path, forms: Forms) -> None:
    """Write a file in the form that its ending stands for; BadOption, with those there are, if it stands for none."""
    ending = Path(path).suffix.lower().removeprefix(".")
    if ending not in forms:
        raise BadOption(f"path={str(path)!r}: its name must end in {', '.join(f'.{form}' for form in forms)}")
    content = forms[ending]()
    files.write(path, content.encode() if isinstance(content, str) else content)
