"""Numba's cache of machine code in a folder of ours, whatever the environment and Numba's settings say.

Numba does not notice an edited callee in another file, so a cache is right only in a folder that belongs to one state of all
kernels. Numba's own ways to a folder (NUMBA_CACHE_DIR, read when it is imported, and NUMBA_CACHE_LOCATOR_CLASSES) belong to the
user, and hold for the other code in the process too. So every kernel gets a cache of its own that knows its folder, and no
setting is read or changed.
"""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Callable
from functools import partial
from pathlib import Path
from pickle import UnpicklingError
from typing import Any

import numba
import numba.core.caching
import numba.core.runtime

_caching: Any = numba.core.caching
_runtime: Any = numba.core.runtime

#: Whether machine code can be loaded without all that Numba compiles with, which takes half as long to import as Numba itself:
#: versions for which the tests have shown it.
_LOADS_ALONE = numba.__version__.startswith("0.68.")


class Missing(Exception):  # noqa: N818
    """There is no machine code for a function and its types."""


class _Place(_caching.UserProvidedCacheLocator):  # type: ignore[misc]
    """Numba's locator, in a folder that is given."""

    def __init__(self, function: Callable[..., Any], folder: Path) -> None:
        self._py_file = inspect.getfile(function)
        self._lineno = function.__code__.co_firstlineno
        self._cache_path = str(folder / self.get_suitable_cache_subpath(self._py_file))


class _Files(_caching.CompileResultCacheImpl):  # type: ignore[misc]
    """Numba's files of a function, without its search for a folder, which is all that its own `__init__` is about."""

    def __init__(self, function: Callable[..., Any], folder: Path) -> None:
        self._lineno = function.__code__.co_firstlineno
        self._locator = _Place(function, folder)
        name = f"{Path(inspect.getfile(function)).stem}.{function.__qualname__}"
        self._filename_base = self.get_filename_base(name, "")


class Cache(_caching.FunctionCache):  # type: ignore[misc]
    """The machine code of a function in a folder; where that cannot be written to, it is compiled anew each time."""

    def __init__(self, function: Callable[..., Any], folder: Path, *, complete: bool = False) -> None:
        """With `complete`, what is not kept is a `Missing`, and nothing is compiled."""
        self._impl_class = partial(_Files, folder=folder)
        self._complete = complete
        super().__init__(function)

    @property
    def is_kept(self) -> bool:
        """Whether there is something for this function."""
        return Path(self.cache_path, f"{self._impl.filename_base}.nbi").exists()

    def load_overload(self, signature: Any, target: Any) -> Any:
        """As Numba's; None too for what cannot be read."""
        found = None
        with contextlib.suppress(OSError, EOFError, UnpicklingError):
            if _LOADS_ALONE and self._complete:
                _runtime.rtsys.initialize(target)
                found = self._load_overload(signature, target)
            else:
                found = super().load_overload(signature, target)
        if found is None and self._complete:
            raise Missing
        return found

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """As Numba's; what cannot be written (a full disk, a folder of others) only costs the time to compile it again."""
        try:
            super().save_overload(signature, compiled)
        except OSError:
            self.disable()
