"""Find the machine code of kernels: in a shared library that was installed with them, else in object files that are kept, or made
if there are none. Call it through ctypes, which releases the interpreter's lock. ctypes loads the shared library too
(wheel_library.py), so neither Numba nor llvmlite is needed for it.
"""

from __future__ import annotations

import ctypes
import json
import operator
import pickle
from array import array
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from tiler.errors import BackendError
from tiler.kernels import code_cache
from tiler.kernels.cache_folders import LIBRARY
from tiler.kernels.digest import Source, no_machine_code
from tiler.kernels.signature import DTYPES, Array, Number, Parameter, Signature

#: What a call returns if the kernel raises something.
_RAISED = -1, 1
_NOTHING: Any = ctypes.c_char * 0


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


class Code:
    """The machine code of a kernel, called as the kernel is."""

    def __init__(self, name: str, signature: Signature, address: int) -> None:
        self._name, self._signature = name, signature
        words = [ctypes.c_uint64] * (1 + len(signature.parameters))
        self._call = ctypes.CFUNCTYPE(ctypes.c_int32, *words)(address)
        self._result = signature.result.kind if signature.result else ""

    def __call__(self, *arguments: Any) -> Any:
        parameters = self._signature.parameters
        if len(arguments) != len(parameters):
            raise TypeError(f"{self._name} takes {len(parameters)} arguments, not {len(arguments)}")
        return self.entry(arguments)()

    def entry(self, first: Sequence[Any]) -> Callable[..., Any]:
        """To be called with the arguments behind these, which are numbers, by one thread at a time. TypeError if these are not
        what the kernel takes: their types are looked at once, and the addresses of their arrays are taken."""
        given = [self._words(name, wanted, each) for (name, wanted), each in zip(self._signature.parameters, first, strict=False)]
        outcome = array("q" if self._result == "int64" else "Q", (0, 0))
        words = [outcome.buffer_info()[0], *(each if isinstance(each, int) else each.buffer_info()[0] for each in given)]
        call = partial(self._call, *words)
        gives, is_bool = bool(self._result), self._result == "boolean"

        def entered(*rest: Any, _alive: Any = (first, given)) -> Any:
            try:
                status = call(*rest)
            except ctypes.ArgumentError:
                status = call(*map(operator.index, rest))  # They were numbers of numpy.
            if status in _RAISED:
                raise _exception(outcome[1])
            return (bool(outcome[0]) if is_bool else outcome[0]) if gives else None

        return entered

    def _words(self, name: str, wanted: Parameter, given: Any) -> int | array[int]:
        """A number, or the words of an array or a NamedTuple."""
        if isinstance(wanted, Number):
            return self._number(name, wanted, given)
        if isinstance(wanted, Array):
            return array("Q", self._array(name, wanted, given))
        words: list[int] = []
        for (part, kind), each in zip(wanted.parts, given, strict=True):
            if isinstance(kind, Array):
                words += self._array(part, kind, each)
            else:
                words.append(self._number(part, kind, each) & _WORD)
        return array("Q", words)

    def _array(self, name: str, wanted: Array, given: Any) -> tuple[int, ...]:
        if (
            not isinstance(given, np.ndarray)
            or given.dtype != DTYPES[wanted.kind]
            or given.ndim != wanted.dimensions
            or not given.flags.carray
        ):
            raise TypeError(f"{self._name}: {name} is not what it takes, {wanted}: {_mismatch(given)}")
        # Quicker than all that arrays say of themselves.
        return ctypes.addressof(_NOTHING.from_buffer(given)), *given.shape

    def _number(self, name: str, wanted: Number, given: Any) -> int:
        try:
            return _TO_WORD[wanted.kind](given)
        except TypeError:
            raise TypeError(f"{self._name}: {name} is not what it takes, {wanted}: {_mismatch(given)}") from None


def _mismatch(given: Any) -> str:
    """What is wrong with an argument."""
    if not isinstance(given, np.ndarray):
        return f"{type(given).__name__}"
    how = "" if given.flags.c_contiguous else ", not in one piece"
    return f"{given.dtype} of shape {given.shape}{how}{'' if given.flags.writeable else ', read-only'}"


_WORD = (1 << 64) - 1
_TO_WORD: dict[str, Callable[[Any], int]] = {"int64": operator.index, "uint64": operator.index, "boolean": bool}


class _Raised(ctypes.Structure):
    """What machine code says of an exception: its type, arguments and place, pickled when it was compiled."""

    _fields_ = (("content", ctypes.c_void_p), ("size", ctypes.c_int32))


def _exception(address: int) -> BaseException:
    if not address:
        return BackendError("a kernel failed without saying why: please report it")
    raised = _Raised.from_address(address)
    kind, arguments, _ = pickle.loads(ctypes.string_at(raised.content, raised.size))
    exception: BaseException = kind(*(arguments or ()))
    return exception
