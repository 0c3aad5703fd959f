"""Show and save numbers of tilings that a heat map draws."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TypeVar

from tiler.api.answers.saving import Forms, Savable
from tiler.ask.solve import TilingAnswer as Asked
from tiler.cover.board import BoardCover
from tiler.render import heat_maps

K = TypeVar("K")


@dataclass(frozen=True, repr=False)
class TilingCounts(Mapping[K, int], Savable):
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

    def forms(self) -> Forms:
        """Heat maps as .svg, .png or .pdf, the numbers as .json (a line for each) or .txt."""
        images = {form: partial(heat_maps.image, self.heat, form) for form in ("png", "pdf")}
        return {"svg": lambda: heat_maps.svg(self.heat, self._title), **images, "json": self.json, "txt": self.printed}

    @cached_property
    def _cover(self) -> BoardCover:
        return BoardCover.of(self.answer.instance)
