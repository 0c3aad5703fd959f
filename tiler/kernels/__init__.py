"""Compiled search: arrays in, arrays out, no objects, no input or output.

A kernel searches with an explicit stack in arrays that Python owns, for a budget of nodes, and returns; Python then looks at the
clock, reports progress and solutions, and calls it again (backends/compiled.py). So a search can be stopped, saved and resumed.

Kernels are compiled once per machine and version and kept on disk. Numba does not notice an edited callee in another file, and
would then go on with the old one: so the folder is named after all kernel sources and the version of numba.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])

#: What a kernel returns: the whole tree is searched, the budget is used up, or a solution is to be reported.
EXHAUSTED, PAUSED, SOLUTION = 0, 1, 2


def digest() -> str:
    """A fingerprint of all kernels and the compiler, 16 hexadecimal digits."""
    content = hashlib.sha256(version("numba").encode())
    for source in sorted(Path(__file__).parent.glob("*.py")):
        content.update(source.read_bytes())
    return content.hexdigest()[:16]


def cache_folder() -> Path:
    """Where compiled kernels are kept: in the virtual environment that runs us, else with the user's cached files."""
    if sys.prefix != sys.base_prefix and os.access(sys.prefix, os.W_OK):
        base = Path(sys.prefix) / "cache"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "tiler" / digest()


def kernel(*signatures: str) -> Callable[[F], F]:
    """Decorator: compile a function for explicit types, now if that has never been done here, and keep the machine code.

    It runs without the interpreter's lock. Says on stderr what takes so long when there is something to compile.
    """
    # Before numba is imported, which reads it once.
    os.environ.setdefault("NUMBA_CACHE_DIR", str(cache_folder()))
    from numba import njit

    def compile_(function: F) -> F:
        _tell(function)
        compiled: Any = njit(list(signatures) or None, cache=True, nogil=True)(function)
        return cast(F, compiled)

    return compile_


_told: set[str] = set()


def _tell(function: Callable[..., Any]) -> None:
    """Say once that compilation is about to happen, if this kernel is not in the cache yet."""
    name = f"{function.__module__.rpartition('.')[2]}.{function.__name__}-"
    folder = Path(os.environ["NUMBA_CACHE_DIR"])
    if not _told and not any(folder.glob(f"*/{name}*.nbi")):
        _told.add(name)
        print("tiler: compiling the search, once (some seconds)", file=sys.stderr, flush=True)
