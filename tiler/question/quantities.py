"""Read durations and sizes as people write them, for argparse."""

from __future__ import annotations

import argparse
import re

_SECONDS = {"ms": 0.001, "": 1.0, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}
_INCHES = {"in": 1.0, "cm": 1 / 2.54, "mm": 1 / 25.4}
_MOST_INCHES = 100.0
_MEGABYTES = {"": 1, "m": 1, "mb": 1, "g": 1024, "gb": 1024}


def seconds(text: str) -> float:
    """Seconds of a duration.

    >>> seconds("10s"), seconds("1.5m"), seconds("250ms")
    (10.0, 90.0, 0.25)
    """
    return _scaled(text, _SECONDS, "a duration such as 10s, 2m or 1h")


def megabytes(text: str) -> int:
    """MiB of a size, rounded up.

    >>> megabytes("2G"), megabytes("500M")
    (2048, 500)
    """
    return max(1, round(_scaled(text, _MEGABYTES, "a size such as 500M or 2G")))


def percent(text: str) -> float:
    """A part of a whole.

    >>> percent("10%"), percent("0.5%")
    (0.1, 0.005)
    """
    match = re.fullmatch(r"([0-9]{1,3}(?:\.[0-9]{1,9})?)\s*%", text.strip())
    if not match or not 0 < float(match[1]) <= 100:
        raise argparse.ArgumentTypeError(f"{text!r} is not a part such as 10%")
    return float(match[1]) / 100


def inches(text: str) -> float:
    """Inches of a length, at most 100.

    >>> inches("24in"), round(inches("50cm"), 2)
    (24.0, 19.69)
    """
    length = _scaled(text, _INCHES, "a length such as 24in, 60cm or 600mm")
    if not 0.5 <= length <= _MOST_INCHES:
        raise argparse.ArgumentTypeError(f"{text!r} is no size from 0.5in to {_MOST_INCHES:.0f}in")
    return length


def plate(text: str) -> tuple[float, float]:
    """Width and depth in mm.

    >>> plate("256x210")
    (256.0, 210.0)
    """
    match = re.fullmatch(r"([0-9]{2,4})x([0-9]{2,4})", text.strip().lower())
    if not match:
        raise argparse.ArgumentTypeError(f"{text!r} is no plate such as 220x220, from 10 to 9999 mm")
    return float(match[1]), float(match[2])


def step(text: str) -> float | tuple[float, float, float]:
    """The width of a cell in mm; or its width, depth and height.

    >>> step("15"), step("20x20x10")
    (15.0, (20.0, 20.0, 10.0))
    """
    match = re.fullmatch(r"([0-9.]{1,9})(?:x([0-9.]{1,9})x([0-9.]{1,9}))?", text.strip().lower())
    try:
        lengths = [float(length) for length in match.groups() if length] if match else []
    except ValueError:
        lengths = []
    if not lengths or not all(1 <= length <= 200 for length in lengths):
        raise argparse.ArgumentTypeError(f"{text!r}: a cell is from 1 to 200 mm wide; or its width, depth and height: 20x20x10")
    return lengths[0] if len(lengths) == 1 else (lengths[0], lengths[1], lengths[2])


def positive(text: str) -> int:
    """A whole number from 1."""
    if not re.fullmatch("[0-9]{1,18}", text) or not int(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1")
    return int(text)


def natural(text: str) -> int:
    """A whole number from 0."""
    if not re.fullmatch("[0-9]{1,18}", text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0")
    return int(text)


def _scaled(text: str, units: dict[str, float] | dict[str, int], what: str) -> float:
    match = re.fullmatch(r"([0-9]{1,12}(?:\.[0-9]{1,12})?)\s*([a-z]*)", text.strip().lower())
    if not match or match[2] not in units or not float(match[1]):
        raise argparse.ArgumentTypeError(f"{text!r} is not {what}")
    return float(match[1]) * units[match[2]]
