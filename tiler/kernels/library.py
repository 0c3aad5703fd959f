"""Load the shared libraries with the machine code of all kernels that are in a wheel for a platform (wheel_library.py). ctypes
loads them, so neither Numba nor llvmlite is needed."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from tiler.kernels.cache_folders import LIBRARY
from tiler.kernels.digest import Source


def addresses(kernels: Sequence[Source]) -> dict[str, int]:
    """Where the functions of those kernels are, by name, that a library has as they are now."""
    try:
        listed = json.loads((LIBRARY / "list.json").read_text())
        library = _best(LIBRARY, len(listed["libraries"]))
        right = [each.name for each in kernels if listed["kernels"].get(each.name) == each.digest]
        return {name: _address(library, name) for name in right}
    except (OSError, ValueError, AttributeError):
        return {}  # Made for another machine, or damaged.


@cache
def _best(folder: Path, levels: int) -> ctypes.CDLL:
    """The library for the most that this processor has."""
    first = ctypes.CDLL(str(folder / "kernels-0.so"))
    level = min(levels - 1, int(first.tiler_level()))
    return ctypes.CDLL(str(folder / f"kernels-{level}.so")) if level else first


def _address(library: ctypes.CDLL, name: str) -> int:
    return int(ctypes.cast(getattr(library, name), ctypes.c_void_p).value or 0)
