"""Read files with colours of tiles: each line has the name of a tile and a colour, such as `X red` or `X #ff8800`."""

from __future__ import annotations

from tiler.errors import InputError
from tiler.model.colour_names import colour_called


def parse(content: str, source: str | None = None) -> dict[str, str]:
    """The colours by the names of tiles, as `#rrggbb`. InputError names the line.

    >>> parse("X red\\nbig dog #FF8800\\n")
    {'X': '#ee6677', 'big dog': '#ff8800'}
    """
    found: dict[str, str] = {}
    for number, line in enumerate(content.splitlines(), 1):
        if not line.strip():
            continue
        name, _, colour = line.strip().rpartition(" ")
        try:
            if not name.strip():
                raise InputError(f"{line.strip()[:40]!r} is not of the form TILE COLOUR")
            found[name.strip()] = colour_called(colour)
        except InputError as error:
            raise error.at(source, number) from None
    return found
