"""Find the machine code of kernels: in a shared library that was installed with them, else in object files that are kept, or made
if there are none. ctypes loads the shared library (wheel_library.py), so neither Numba nor llvmlite is needed for it."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from tiler.kernels import code_cache
from tiler.kernels.cache_folders import LIBRARY
from tiler.kernels.digest import Source, no_machine_code
from tiler.kernels.native import Code


def library_addresses(kernels: Sequence[Source]) -> dict[str, int]:
    """Where the functions of kernels are, by name, if the library has them as they are now."""
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
    level = min(levels - 1, int(first.tiler_level())) if levels > 1 else 0
    return ctypes.CDLL(str(folder / f"kernels-{level}.so")) if level else first


def _address(library: ctypes.CDLL, name: str) -> int:
    return int(ctypes.cast(getattr(library, name), ctypes.c_void_p).value or 0)


def codes(functions: Sequence[Callable[..., Any]], beside: Sequence[Callable[..., Any]] = ()) -> list[Code]:
    """The machine code of some kernels. If one is to be compiled, some beside it are too. NoMachineCode if nothing
    can compile."""
    kernels = list(map(Source.of, functions))
    found = library_addresses(kernels)
    missing = [each for each in kernels if each.name not in found]
    if missing:
        try:
            from tiler.kernels import object_files
        except ImportError:
            raise no_machine_code() from None
        found |= object_files.addresses(missing, beside)
    return [Code(each.name, each.signature, found[each.name]) for each in kernels]


def is_made(function: Callable[..., Any]) -> bool:
    """Whether the machine code of a kernel is there, so that it need not be compiled."""
    kernel = Source.of(function)
    return bool(library_addresses([kernel])) or code_cache.is_listed(kernel.name, kernel.digest)
