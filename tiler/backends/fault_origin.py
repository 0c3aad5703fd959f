"""Tell whether an unexpected error is the fault of a solver from elsewhere, or of Tiler."""

from __future__ import annotations

import sys
import traceback

from tiler.backends.plugins import in_a_line
from tiler.backends.registry import backends


def fault(error: BaseException) -> str | None:
    """A message about an error that a solver from elsewhere raised, with file and line; None if no such solver raised it."""
    modules = (sys.modules.get(backend.__module__) for backend in backends().values())
    elsewhere = {module.__file__ for module in modules if module is not None and not module.__name__.startswith("tiler.")}
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if frame.filename in elsewhere:
            return f"{frame.filename}:{frame.lineno}: the solver's own error, not Tiler's: {in_a_line(error)}"
    return None


def in_words(error: BaseException) -> str:
    """A message about any unexpected error: a solver's own, or one of Tiler."""
    return fault(error) or f"internal error: {in_a_line(error)}"
