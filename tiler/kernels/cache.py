"""Numba's cache of machine code in a folder of ours, whatever the environment and Numba's settings say.

Numba does not notice an edited callee in another file, so a cache is right only in a folder that belongs to one state of all
kernels. Numba's own ways to a folder (NUMBA_CACHE_DIR, read when it is imported, and NUMBA_CACHE_LOCATOR_CLASSES) belong to the
user, and hold for the other code in the process too. So every kernel gets a cache of its own that knows its folder, and no
setting is read or changed.
"""

from __future__ import annotations

import contextlib
import hashlib
import inspect
import pickle
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numba
import numba.core.caching
import numba.core.runtime

_caching: Any = numba.core.caching
_runtime: Any = numba.core.runtime

#: Whether machine code can be loaded without all that Numba compiles with, which takes half as long to import as Numba itself:
#: versions for which the tests have shown it.
_LOADS_ALONE = numba.__version__.startswith("0.68.")


_SEAL = hashlib.sha256().digest_size


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


class _Sealed(_caching.IndexDataCacheFile):  # type: ignore[misc]
    """Numba's two kinds of files of a function: an index, which names a data file for each signature, and those.

    Each begins with a fingerprint of the rest: a kill or a full disk may leave a file torn, and machine code that is changed may
    do anything. A file that does not hold is as none; it is written over when the function is compiled again.
    """

    def _load_index(self) -> dict[Any, str]:
        with contextlib.suppress(Exception):
            version, stamp, overloads = self._unsealed(self._index_path)
            if (version, stamp) == (self._version, self._source_stamp) and isinstance(overloads, dict):
                return overloads
        return {}

    def _save_index(self, overloads: dict[Any, str]) -> None:
        self._seal(self._index_path, (self._version, self._source_stamp, overloads))

    def _load_data(self, name: str) -> Any:
        return self._unsealed(self._data_path(name))

    def _save_data(self, name: str, data: Any) -> None:
        self._seal(self._data_path(name), data)

    def _seal(self, path: str, content: Any) -> None:
        pickled = self._dump(content)
        with self._open_for_write(path) as file:
            file.write(_fingerprint(pickled) + pickled)

    def _unsealed(self, path: str) -> Any:
        """What a file holds; OSError if it cannot be read or is not as it was written."""
        content = memoryview(Path(path).read_bytes())
        seal, pickled = content[:_SEAL], content[_SEAL:]
        if seal != _fingerprint(pickled):
            raise OSError(f"{path} is not as it was written")
        return pickle.loads(pickled)


def _fingerprint(content: bytes | memoryview) -> bytes:
    return hashlib.sha256(content).digest()


class Cache(_caching.FunctionCache):  # type: ignore[misc]
    """The machine code of a function in a folder; where that cannot be written to, it is compiled anew each time."""

    def __init__(self, function: Callable[..., Any], folder: Path, *, complete: bool = False) -> None:
        """With `complete`, what is not kept is a `Missing`, and nothing is compiled."""
        self._impl_class = partial(_Files, folder=folder)
        self._complete = complete
        super().__init__(function)
        self._cache_file = _Sealed(self._cache_path, self._impl.filename_base, self._impl.locator.get_source_stamp())

    @property
    def is_kept(self) -> bool:
        """Whether there is something for this function."""
        return Path(self.cache_path, f"{self._impl.filename_base}.nbi").exists()

    def load_overload(self, signature: Any, target: Any) -> Any:
        """As Numba's; None too for what cannot be read."""
        found = None
        with contextlib.suppress(Exception):  # Pickles do not say what may come out of them, and neither does Numba.
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
