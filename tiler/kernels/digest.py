"""Make fingerprints of a kernel's sources and of the compiler, which show whether machine code belongs to the kernel as it is
now."""

from __future__ import annotations

import hashlib
import inspect
import re
from collections.abc import Callable
from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np

from tiler.errors import BackendError, NoMachineCode
from tiler.kernels.inner import inners
from tiler.kernels.signature import Signature
from tiler.optional_packages import pip_install
from tiler.version import __version__

_CONSTANTS = (int, float, str, tuple, np.generic)
_PACKAGE = Path(__file__).parent.parent
#: What the machine code of every kernel depends on: how annotations are read, and how it is compiled.
_SHARED = ("arrays.py", "compiler.py", "inner.py", "signature.py")


def sources() -> list[Path]:
    """Every file of the package that holds a kernel, or what kernels share: this folder, and files called `kernel*.py`."""
    return sorted({*_PACKAGE.glob("kernels/*.py"), *_PACKAGE.rglob("kernel*.py")})


def import_all() -> None:
    """Import every file with a kernel."""
    for path in sources():
        if path.stem.startswith("kernel"):
            import_module(".".join(("tiler", *path.relative_to(_PACKAGE).with_suffix("").parts)))


@lru_cache(maxsize=1)
def digest() -> str:
    """A fingerprint of all kernels, 16 hexadecimal digits."""
    return _fingerprint(*map(_content, sources()))


def build() -> str:
    """The version and the digest of all kernels, for what is kept: only the same build goes on with a saved search."""
    return f"{__version__}, compiled code {digest()}"


class Source(NamedTuple):
    """The source of a kernel."""

    function: FunctionType
    name: str  #: the name of its function in machine code
    digest: str
    signature: Signature

    @classmethod
    def of(cls, function: Callable[..., Any]) -> Source:
        assert isinstance(function, FunctionType)
        name = re.sub(r"\W+", "_", f"{function.__module__}_{function.__qualname__}")
        return cls(function, name, digest_of(function), Signature.of(function))

    @property
    def largest(self) -> tuple[int, str]:
        """The function that takes longest to compile, among those that become part of the kernel."""
        return max((len(each.__code__.co_code), f"{each.__module__}.{each.__qualname__}") for each in called(self.function))


def called(function: Callable[..., Any]) -> list[FunctionType]:
    """A kernel, and all functions that become part of its machine code."""
    assert isinstance(function, FunctionType)
    found = [function]
    for each in found:
        for value in _globals(each).values():
            if isinstance(value, FunctionType) and value in inners and value not in found:
                found.append(value)
    return found


def digest_of(function: Callable[..., Any]) -> str:
    """A fingerprint of a kernel: the files that it and the functions it calls are in, and the constants that they use."""
    functions = called(function)
    files = sorted({_file(each) for each in functions})
    names = [item for each in functions for item in _globals(each).items() if isinstance(item[1], _CONSTANTS)]
    constants = sorted({f"{name} = {value!r}" for name, value in names})
    return _fingerprint(_shared(), *map(_content, files), "\n".join(constants).encode())


@lru_cache(maxsize=1)
def compiler() -> str:
    """A fingerprint of the versions of Numba and LLVM, which are not loaded for it; empty where they are not installed."""
    specs = [find_spec(name) for name in ("numba", "llvmlite")]
    origins = [spec.origin for spec in specs if spec is not None and spec.origin is not None]
    return _fingerprint(*[_content(Path(origin).with_name("_version.py")) for origin in origins]) if len(origins) == 2 else ""


def no_machine_code() -> NoMachineCode:
    """The error where kernels would have to be compiled, and Numba is not installed."""
    return NoMachineCode(f"the search must be compiled, but Numba is not installed: {pip_install(['numba'])}")


def _globals(function: FunctionType) -> dict[str, Any]:
    """The global names that a function uses."""
    return {name: function.__globals__[name] for name in function.__code__.co_names if name in function.__globals__}


def _file(function: FunctionType) -> Path:
    try:
        path = Path(inspect.getfile(function))
    except (OSError, TypeError):
        path = Path()
    if not path.is_file():
        raise BackendError(f"{function.__qualname__} cannot be compiled: a kernel must be in a file")
    return path


@lru_cache(maxsize=1)
def _shared() -> bytes:
    return b"".join(_content(Path(__file__).with_name(name)) for name in _SHARED)


@cache
def _content(path: Path) -> bytes:
    return path.read_bytes()


def _fingerprint(*contents: bytes) -> str:
    whole = hashlib.sha256()
    for content in contents:
        whole.update(len(content).to_bytes(8, "little") + content)
    return whole.hexdigest()[:16]
