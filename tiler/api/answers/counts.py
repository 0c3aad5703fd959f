"""Show and save numbers of tilings that a heat map draws."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TypeVar

from tiler.api.answers.saving import write
from tiler.ask.solve import TilingAnswer as Asked
from tiler.cover.board import BoardCover
from tiler.render import heat_maps

K = TypeVar("K")


@dataclass(frozen=True, repr=False)
class TilingCounts(Mapping[K, int]):
    """Numbers of tilings. Notebooks draw them, `str` makes a table of them, and `save` a file."""

    answer: Asked

    @property
    def tilings(self) -> int:
        """The number of all tilings."""
        return self.answer.result.count or 0

    @cached_property
    @abstractmethod
    def heat(self) -> heat_maps.Heat:
        """The heat map."""

    @cached_property
    @abstractmethod
    def _numbers(self) -> Mapping[K, int]: ...

    @abstractmethod
    def json(self) -> str:
        """A line for each cell, or set of cells."""

    @property
    def _title(self) -> str:
        return self.answer.instance.heading

    def __getitem__(self, key: K) -> int:
        return self._numbers[key]

    def __iter__(self) -> Iterator[K]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)

    def _repr_svg_(self) -> str:
        return heat_maps.svg(self.heat, self._title)

    def save(self, path: str | Path) -> None:
        """Write the numbers to a file, by the ending of its name: .svg, .png, .pdf (heat maps), .json (a line for each) or
        .txt."""
        write(path, {form: partial(self.drawn, form) for form in ("svg", "png", "pdf", "json", "txt")})

    def drawn(self, form: str) -> str | bytes:
        """What `save` writes to a file of that ending."""
        if form in ("png", "pdf"):
            return heat_maps.image(self.heat, form)
        if form == "svg":
            return self._repr_svg_()
        return self.json() if form == "json" else f"{self}\n"

    @cached_property
    def _cover(self) -> BoardCover:
        return BoardCover.of(self.answer.instance)
