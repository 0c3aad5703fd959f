"""Hold the facts about a problem that do not change the question: title, source, tags, expected answer."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from tiler.errors import InputError
from tiler.model.expected import Expected


@dataclass(frozen=True)
class About:
    """Title, source, tags, what is known of the answer, and colours of pieces in pictures.

    InputError for a text that does not fit on one line of a problem file.

    >>> About(title="Two squares", tags=("easy",)).expected.verdict is None
    True
    """

    title: str = ""
    source: str = ""
    tags: tuple[str, ...] = ()
    expected: Expected = field(default_factory=Expected)
    fills: tuple[tuple[str, str], ...] = ()  #: names of tiles, each with `#rrggbb`

    @property
    def unanswered(self) -> About:
        """The same facts without those about the answer, for a new problem made from this one."""
        return replace(self, expected=Expected())

    def __post_init__(self) -> None:
        for text in (self.title, self.source, *self.tags):
            if text != text.strip() or any(letter in text for letter in "\r\n\0"):
                raise InputError(f"{text[:40]!r}: titles, sources and tags are single lines without spaces around them")
        if not all(name and re.fullmatch("#[0-9a-f]{6}", fill) for name, fill in self.fills):
            raise InputError("the colour of a tile is its name and #rrggbb")
        if any(not tag or "," in tag or len(tag.split()) > 1 for tag in self.tags):
            raise InputError("a tag is one word without commas")
