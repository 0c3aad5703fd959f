"""Read JSON of unknown origin: any text gives plain data or an InputError, nothing else. And write JSON into HTML."""

from __future__ import annotations

import json
import math
from typing import Any, NoReturn

from tiler.errors import InputError

_SHOWN = 40  # the most characters of a value in a message


def loads(text: str | bytes) -> Any:
    """The value that a text stands for, its numbers finite.

    InputError, with the line, for what is not JSON; also for NaN and Infinity, which Python lets pass and other programs do not,
    for numbers with thousands of digits and for nesting that Python cannot follow.

    >>> loads('{"a": [1, 2.5, null]}')
    {'a': [1, 2.5, None]}
    """
    try:
        return json.loads(text, parse_float=_finite, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        raise InputError(f"not JSON: {error.msg}", None, error.lineno) from None
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


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        _refuse(digits)
    return number


def _refuse(written: str) -> NoReturn:
    raise InputError(f"{shown(written)} is no finite number")
