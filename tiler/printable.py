"""Make foreign text safe to print: names, titles, paths, tags and messages that come from files, solvers or the command line.

Such a text may hold what drives a terminal (ESC and its like), turns the reading direction, ends a line, breaks XML or is markup.
Code that prints one calls these functions: `line` for terminals and plots, `xml` for SVG and HTML, `markdown` for reports.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Any

#: Controls, formats (which turn the reading direction or are invisible), halves of characters, ends of lines and paragraphs.
_UNSEEN = ("Cc", "Cf", "Cs", "Zl", "Zp")
_JOINERS = "\u200c\u200d"  # Words of many languages, and emoji, contain these.
_NO_CHARACTERS = "\ufffe\uffff"

_MARKUP = re.compile(r"[\\`*\[\]<>|~$&]|(?<![^\W_])_|_(?![^\W_])|#(?=#*\s*$)")
_BLOCK = re.compile(r"^(\s*)(#|\+(?=\s|$)|-|=)|^(\s*\d+)([.)])(?=\s|$)")


def line(text: str) -> str:
    r"""The text on one line, with what cannot be seen as an escape.

    >>> print(line("a\x1b[31m\nb\u202e c"))
    a\x1b[31m\nb\u202e c
    """
    if text.isprintable():
        return text
    return "".join(map(_seen, text))


def joined(text: str) -> str:
    """The text on one line, its own lines joined by spaces: for a comment in a file."""
    return line(" ".join(text.split()))


def shortened(text: str, most: int = 40) -> str:
    """The beginning of a text on a line, for a name that is shown in passing.

    >>> shortened("6x10 1:F 1:I", 8)
    '6x10 ...'
    """
    text = line(text)
    return text if len(text) <= most else f"{text[: most - 3]}..."


def _seen(letter: str) -> str:
    if letter.isprintable() or letter in _JOINERS:
        return letter
    if unicodedata.category(letter) not in _UNSEEN and letter not in _NO_CHARACTERS:
        return letter  # A special space, or a letter that this Python does not know yet.
    if "\udc80" <= letter <= "\udcff":  # Python keeps a byte of a file's name that is no text in this form.
        return f"\\x{ord(letter) - 0xDC00:02x}"
    return letter.encode("ascii", "backslashreplace").decode() if letter > "\x7f" else repr(letter)[1:-1]


def xml(text: str) -> str:
    """The text for SVG and HTML, between tags or as the value of an attribute.

    >>> xml('<b> "&"')
    '&lt;b&gt; &quot;&amp;&quot;'
    """
    from html import escape  # Most commands write no XML.

    return escape(line(text))


def markdown(text: str) -> str:
    r"""The text for Markdown, within a line or a cell of a table: as it is meant, without any markup.

    >>> print(markdown("4L/10x10_u <b> *x* a|b"))
    4L/10x10_u \<b\> \*x\* a\|b
    >>> print(markdown("3.42 s"), markdown("3. s"))
    3.42 s 3\. s
    """
    marked = _MARKUP.sub(lambda match: f"\\{match[0]}", line(text))
    return _BLOCK.sub(lambda match: f"{match[1] or match[3] or ''}\\{match[2] or match[4]}", marked)


def data(value: Any) -> Any:
    """Plain data as JSON has it with `line` for every text in it, keys included; itself if there is nothing to change."""
    if _is_seen(value, set()):
        return value
    if isinstance(value, str):
        return line(value)
    if isinstance(value, Mapping):
        return {line(str(key)): data(each) for key, each in value.items()}
    return [data(each) for each in value]


def _is_seen(value: Any, known: set[int]) -> bool:
    """Whether `line` would change no text in plain data. It is quick, as campaigns have very many records: an object whose
    address is `known` has been looked at."""
    if isinstance(value, str):
        return value.isprintable()
    if not isinstance(value, dict | list | tuple) or id(value) in known:
        return True
    inside = value.values() if isinstance(value, dict) else value
    seen = all(map(str.isprintable, value)) if isinstance(value, dict) else True
    if not seen or not all(_is_seen(each, known) for each in inside):
        return False
    known.add(id(value))
    return True
