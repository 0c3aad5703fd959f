"""Read colours by name, as files and options write them."""

from __future__ import annotations

import re

from tiler.errors import InputError, suggest

#: Mostly of the "bright" and "vibrant" schemes of Paul Tol's Colour Schemes (SRON/EPS/TN/09-002), made for the colour-blind too.
COLOUR_NAMES = {
    "red": "#ee6677",
    "blue": "#4477aa",
    "yellow": "#e5cf4d",
    "green": "#228833",
    "cyan": "#66ccee",
    "purple": "#aa3377",
    "orange": "#ee7733",
    "teal": "#009988",
    "pink": "#ffaabb",
    "brown": "#8a5a2b",
    "white": "#ffffff",
    "grey": "#bbbbbb",
    "black": "#555555",
}


#: The colour that a single letter stands for.
LETTERS = {
    "r": "red",
    "g": "green",
    "b": "blue",
    "y": "yellow",
    "w": "white",
    "k": "black",
    "o": "orange",
    "p": "purple",
    "c": "cyan",
    "t": "teal",
}


def colour_called(text: str) -> str:
    """A colour as `#rrggbb`, from this form or from a name; InputError for another word.

    >>> colour_called("Red"), colour_called("#FF8800")
    ('#ee6677', '#ff8800')
    """
    word = text.strip().lower()
    if re.fullmatch("#[0-9a-f]{6}", word):
        return word
    if word not in COLOUR_NAMES:
        raise InputError(
            f"{text.strip()[:40]!r} is no colour{suggest(word, COLOUR_NAMES)}: #rrggbb, or {', '.join(COLOUR_NAMES)}"
        )
    return COLOUR_NAMES[word]
