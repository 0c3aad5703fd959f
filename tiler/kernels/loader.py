"""Find the machine code of kernels: in a shared library that was installed with them, else in object files that are kept, or made
if there are none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tiler.errors import BackendError
from tiler.kernels import code_cache, library
from tiler.kernels.digest import Source
from tiler.kernels.native import Code


def codes(functions: Sequence[Callable[..., Any]], beside: Sequence[Callable[..., Any]] = ()) -> list[Code]:
    """The machine code of some kernels. If one is to be compiled, some beside it are too. BackendError if nothing can compile."""
    kernels = list(map(Source.of, functions))
    found = library.addresses(kernels)
    missing = [each for each in kernels if each.name not in found]
    if missing:
        try:
            from tiler.kernels import object_files
        except ImportError:
            raise BackendError(
                f"{missing[0].name} must be compiled, but Numba is not installed: pip install tiler-bench[compile]"
            ) from None
        found |= object_files.addresses(missing, beside)
    return [Code(each.name, each.signature, found[each.name]) for each in kernels]


def is_made(function: Callable[..., Any]) -> bool:
    """Whether the machine code of a kernel is there, so that it need not be compiled."""
    kernel = Source.of(function)
    return bool(library.addresses([kernel])) or code_cache.is_listed(kernel.name, kernel.digest)
