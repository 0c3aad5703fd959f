"""What goes wrong outside of us, made to happen."""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def full_disk(size: int = 1000) -> Iterator[None]:
    """No file of this process or of its children grows beyond so many bytes, as if the disk were full there. They keep no
    compiled modules: Python before 3.13 would leave them cut off, and every later import would fail."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    keeps_none, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        del os.environ["PYTHONDONTWRITEBYTECODE"]
        sys.dont_write_bytecode = keeps_none
