"""Documents that are almost right: a valid one with something in it changed, or its text cut, mixed up or spoiled."""

from __future__ import annotations

import copy
import json
from typing import Any

from hypothesis import strategies as st

# What no JSON value of Python can stand for is put into the text afterwards.
_RAW = {
    '"@deep"': b"[" * 100_000,
    '"@nested"': b"[" * 400 + b"]" * 400,
    '"@long"': b"1" * 5000,
    '"@huge"': b"1" + b"0" * 900,
    '"@infinite"': b"1e999",
    '"@large"': b"1e308",
    '"@bytes"': b'"\xff\xfe\x80"',
}
_ODD: list[Any] = [
    *(None, True, False, 0, -1, 1, 2**31, 2**63, 2**64, 10**18 + 1, 0.5, -0.0, 1e300, float("nan"), float("inf")),
    *("", "x", "\0", "\x1b[2J", "\ud800", "\u202e", "sat", "a\nb", "x" * 5000, "-", "2", "../../x", "<b>&|`$"),
    *([], {}, [[]], [{}], {"": []}, [None], [0, 0], [[0, 0]], {"kind": ["area"]}, {"schema": 7}, ["x"], [[0, 0], [0, 1]]),
]
values = st.sampled_from([*_ODD, *(name.strip('"') for name in _RAW)])


@st.composite
def json_texts(draw: st.DrawFn, valid: Any, *, spoil: bool = True) -> bytes:
    """The text of a valid document after one to three changes; the document itself is left alone."""
    holder = [copy.deepcopy(valid)]
    for _ in range(draw(st.integers(1, 3))):
        _change(draw, holder)
    text = json.dumps(holder[0]).encode()
    for name, raw in _RAW.items():
        text = text.replace(name.encode(), raw)
    return draw(spoilt(text)) if spoil and draw(st.integers(0, 4)) == 0 else text


@st.composite
def spoilt(draw: st.DrawFn, text: bytes) -> bytes:
    """A text that is cut off, has a piece twice or missing, or bytes in it that do not belong there."""
    a, b = sorted((draw(st.integers(0, len(text))), draw(st.integers(0, len(text)))))
    odd = draw(
        st.sampled_from([b"", b"\xff", b"\0", b"\xed\xa0\x80", b"\n", b"\r", b"\x1b[31m", b"[[[[", b'"', b"9" * 5000, b"="])
    )
    return draw(st.sampled_from([text[:a], text[:a] + text[b:], text[:a] + odd + text[a:], text[:b] + text[a:], odd + text]))


def _change(draw: st.DrawFn, holder: list[Any]) -> None:
    """Replace, take out or add something at any place of a document."""
    places = list(_places(holder))
    where, key = places[draw(st.integers(0, len(places) - 1))]
    kind = draw(st.sampled_from(["replace", "replace", "replace", "take", "add", "move"]))
    value = copy.deepcopy(draw(values))
    if kind == "add" and isinstance(where[key], dict):
        where[key][draw(st.sampled_from(["kind", "schema", "", "x", "\x1b", "name"]))] = value
    elif kind == "add" and isinstance(where[key], list):
        where[key].insert(draw(st.integers(0, len(where[key]))), value)
    elif kind == "take" and where is not holder:
        del where[key]
    elif kind == "move":
        other, at = places[draw(st.integers(0, len(places) - 1))]
        where[key] = copy.deepcopy(other[at])
    else:
        where[key] = value


def _places(holder: list[Any]) -> list[tuple[Any, Any]]:
    """Every container and key of a document, that of the whole first; of long lists only the beginning."""
    found: list[tuple[Any, Any]] = []
    left: list[tuple[Any, Any]] = [(holder, 0)]
    while left:
        where, key = left.pop()
        found.append((where, key))
        inner = where[key]
        if isinstance(inner, dict):
            left += [(inner, name) for name in inner]
        elif isinstance(inner, list):
            left += [(inner, index) for index in range(min(len(inner), 6))]
    return found
