"""Say where machine code is kept, and how long it takes to load."""

from __future__ import annotations

import os
import sys
from pathlib import Path

#: Where a wheel for a platform has its shared libraries.
LIBRARY = Path(__file__).with_name("library")
#: CPU seconds of kernels as Python after which it pays to load a library, or object files that are kept, as measured with nine
#: small questions; and after which it pays to compile them, which takes hundreds of times as long.
_TO_LINK, _TO_LOAD, TO_COMPILE = 0.005, 0.02, 0.1


def folders() -> list[Path]:
    """The folders where machine code is looked for; it is written to the first one that can be written to. All environments of a
    user share the user's cached files; then comes the virtual environment that runs us."""
    user = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    own = [Path(sys.prefix) / "cache"] if sys.prefix != sys.base_prefix else []
    return [base / "tiler" for base in (user, *own)]


def has_library() -> bool:
    """Whether this installation has machine code of its own."""
    return LIBRARY.is_dir()


def seconds_worth() -> float:
    """How many CPU seconds kernels may run as Python before it is worth while to load machine code, if there is some."""
    return _TO_LINK if has_library() else _TO_LOAD
