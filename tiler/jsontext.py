"""Read JSON of unknown origin: any text gives plain data or an InputError, nothing else. And write JSON into HTML."""

from __future__ import annotations

import json
import math
import re
from typing import Any, NoReturn

from tiler.errors import InputError

_SHOWN = 40  # the most characters of a value in a message


def loads(text: str | bytes, line: int = 1) -> Any:
    """The value that a text stands for, its numbers finite; `line` is the number of its first line in a file.

    InputError, with the line, for what is not JSON; also for NaN and Infinity, which Python lets pass and other programs do not,
    for numbers with thousands of digits, for nesting that Python cannot follow, and for an object that has a key twice, of which
    readers take one or the other.

    >>> loads('{"a": [1, 2.5, null]}')
    {'a': [1, 2.5, None]}
    """
    try:
        return json.loads(text, parse_float=_finite, parse_constant=_refuse, object_pairs_hook=_object)
    except _TwiceError as error:
        raise InputError(
            f"the key {shown(error.key)} is there twice in an object", None, _line_of(error.key, text, line)
        ) from None
    except json.JSONDecodeError as error:
        raise InputError(f"not JSON: {error.msg}", None, line - 1 + error.lineno) from None
    except UnicodeDecodeError:
        raise InputError("not JSON: it is no text") from None
    except ValueError:
        raise InputError("a number has thousands of digits") from None
    except RecursionError:
        raise InputError("nested too deeply") from None


def in_page(value: Any) -> str:
    r"""The text of a value, to stand in a script of an HTML page: its end tag would end it, and a comment that begins in it with
    another script tag would hide that end. Without `<` there is neither.

    >>> in_page({"title": "<!--<script>"})
    '{"title":"\\u003c!--\\u003cscript>"}'
    """
    return json.dumps(value, separators=(",", ":")).replace("<", r"\u003c")


def shown(value: Any) -> str:
    """The beginning of a value, for a message that names it.

    >>> shown("x" * 100) == repr("x" * 40), shown([1, 2])
    (True, "'[1, 2]'")
    """
    try:
        text = value if isinstance(value, str) else repr(value)
    except (RecursionError, ValueError):  # Nested too deeply, or a number with thousands of digits.
        text = f"a {type(value).__name__}"
    return repr(text[:_SHOWN])


class _TwiceError(ValueError):
    """An object has a key twice."""

    def __init__(self, key: str) -> None:
        super().__init__()
        self.key = key


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        raise _TwiceError(next(key for key, _ in pairs if key in seen or seen.add(key)))  # type: ignore[func-returns-value]
    return found


def _line_of(key: str, text: str | bytes, line: int) -> int | None:
    """The line of a key that is there just twice; if it is there more often, in other objects, nobody can say which line."""
    content = text if isinstance(text, str) else text.decode("utf-8", "replace")
    written = "|".join(re.escape(json.dumps(key, ensure_ascii=escaped)) for escaped in (True, False))
    places = [found.start() for found in re.finditer(rf"(?:{written})\s*:", content)]
    return line + content.count("\n", 0, places[1]) if len(places) == 2 else None


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        _refuse(digits)
    return number


def _refuse(written: str) -> NoReturn:
    raise InputError(f"{shown(written)} is no finite number")
