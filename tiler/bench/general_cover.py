"""Hold a general exact cover as a problem of a campaign: a text in Knuth's format, and other texts that mean the same."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from random import Random

from tiler import formats
from tiler.cover.cover import RowCover
from tiler.formats import dlx
from tiler.model.about import About

ENDING = ".dlx"


@dataclass(frozen=True)
class GeneralCover:
    """A general exact cover; two are equal if they have the same text and name."""

    name: str
    text: str
    about: About = field(default_factory=About, compare=False)

    @classmethod
    def read(cls, path: str) -> GeneralCover:
        """The cover in a file; InputError says what is wrong with it."""
        text = formats.load(path, dlx.MAX_BYTES)
        dlx.parse(text, source=path)
        return cls(formats.name_of_file(Path(path)), text)

    @cached_property
    def cover(self) -> RowCover:
        """The cover itself."""
        return dlx.parse(self.text)

    @cached_property
    def digest(self) -> str:
        """A fingerprint of the text without its comments, 16 hexadecimal digits."""
        return hashlib.sha256("\n".join(self._lines).encode("utf-8", "backslashreplace")).hexdigest()[:16]

    @property
    def _lines(self) -> list[str]:
        """The lines that are no comments: the items, and the options."""
        return [" ".join(line.split()) for line in self.text.split("\n") if line.strip() and not line.lstrip().startswith("|")]

    def scrambled(self, number: int) -> GeneralCover:
        """The form with a number, always the same one: items, options and their items in another order, and the names of items
        exchanged. Form 0 is the cover itself."""
        if number == 0:
            return self
        chance = Random(f"{self.digest} {number}")
        first, *options = self._lines
        primary, _, secondary = first.partition(" |")
        parts = [primary.split(), secondary.split()]
        names = [word.rpartition("|")[2] for part in parts for word in part]
        name_of = dict(zip(names, chance.sample(names, len(names)), strict=True))

        def item(word: str) -> str:
            bounds, bar, name = word.rpartition("|")
            return f"{bounds}{bar}{name_of[name]}"

        def member(word: str) -> str:
            item, bar, cost = word.partition("|")
            name, colon, colour = item.partition(":")
            return f"{name_of[name]}{colon}{colour}{bar}{cost}"

        def shuffled(words: list[str]) -> str:
            return " ".join(chance.sample(words, len(words)))

        items = [shuffled([item(word) for word in part]) for part in parts]
        lines = [shuffled([member(word) for word in option.split()]) for option in options]
        return replace(self, text="\n".join([" | ".join(filter(None, items)), *chance.sample(lines, len(lines))]) + "\n")
