"""The files that hold kernels, a fingerprint of them, and the folder where their machine code is kept.

Numba does not notice an edited callee in another file, and would then go on with the old one: so the folder is named after all
kernel sources and the version of Numba.
"""

from __future__ import annotations

import hashlib
import os
import sys
from functools import lru_cache
from pathlib import Path

from tiler.version import __version__


def sources() -> list[Path]:
    """Every file of the package that holds a kernel, or what kernels share: this folder, and files called `kernel*.py`."""
    package = Path(__file__).parent.parent
    return sorted({*package.glob("kernels/*.py"), *package.rglob("kernel*.py")})


@lru_cache(maxsize=1)
def digest() -> str:
    """A fingerprint of all kernels and the compiler, 16 hexadecimal digits."""
    from importlib.metadata import version

    content = hashlib.sha256(version("numba").encode())
    for source in sources():
        content.update(source.read_bytes())
    return content.hexdigest()[:16]


def build() -> str:
    """The version and the digest of the compiled code, for what is kept: only the same build goes on with a saved search."""
    return f"{__version__}, compiled code {digest()}"


def cache_folder() -> Path:
    """Where compiled kernels are kept: in the virtual environment that runs us, else with the user's cached files."""
    if sys.prefix != sys.base_prefix and os.access(sys.prefix, os.W_OK):
        base = Path(sys.prefix) / "cache"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "tiler" / digest()
