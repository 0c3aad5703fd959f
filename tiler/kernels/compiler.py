"""Kernels as machine code, by Numba; loaded only when a kernel is to be compiled, which many a small question never asks for."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from types import FunctionType
from typing import Annotated, Any, get_origin, get_type_hints

import numba
import numba.core.sigutils
import numpy as np
from numba import types
from numba.core.registry import CPUDispatcher
from numba.extending import intrinsic
from numba.np.numpy_support import as_dtype as _as_dtype

from tiler.kernels import bits
from tiler.kernels.cache import Cache, Missing
from tiler.kernels.folder import cache_folder
from tiler.kernels.inner import inners

_sigutils: Any = numba.core.sigutils
_tuples: Any = types.BaseTuple
_config: Any = numba.config


def compiled(function: Callable[..., Any], signatures: Sequence[str] = (), *, inline: bool = False) -> Any:
    """A kernel compiled for explicit types: `signatures`, or those of its annotations."""
    return _compiled(function, tuple(signatures) or (_annotated(function),), inline)


def entry(dispatcher: Any, arrays: Sequence[Any]) -> Callable[..., Any]:
    """The machine code of what is compiled for one signature, to be called with these first arguments, NamedTuples, of which it
    looks at no type itself: TypeError if they are not what it takes."""
    code, takes = _entry(dispatcher)
    for parts, wanted in zip(arrays, takes, strict=False):
        for name, part, (kind, dimensions) in zip(parts._fields, parts, wanted, strict=True):
            if dimensions:
                fits = part.dtype == kind and part.ndim == dimensions and part.flags.c_contiguous
            else:
                fits = isinstance(part, kind)
            if not fits:
                raise TypeError(f"{dispatcher.py_func.__qualname__}: {type(parts).__name__}.{name} is not what it takes")
    return code


@cache
def _entry(dispatcher: Any) -> tuple[Callable[..., Any], list[list[tuple[Any, int]]]]:
    """The machine code, and of each NamedTuple that it takes the types of its parts: of an array the type of its numbers and its
    dimensions, else the type and 0."""
    [overload] = dispatcher.overloads.values()
    structs: list[Any] = [argument for argument in overload.signature.args if isinstance(argument, types.BaseTuple)]
    return overload.entry_point, [[_kind(part) for part in struct.types] for struct in structs]


def _kind(part: Any) -> tuple[Any, int]:
    if isinstance(part, types.Array):
        return _as_dtype(part.dtype), part.ndim
    return bool if part == types.boolean else int, 0


@cache
def _compiled(function: Callable[..., Any], signatures: tuple[Any, ...], inline: bool) -> Any:
    """A function compiled for some types; without any, whenever it is called with others."""
    if signatures:
        # What is kept is loaded without the functions that it calls: it contains them.
        with contextlib.suppress(Missing):
            return _dispatcher(function, Cache(function, cache_folder(), complete=True), signatures, inline)
    cache = Cache(function, cache_folder())
    if not cache.is_kept:
        _tell()
    return _dispatcher(_for_compiler(function), cache, signatures, inline)


def _dispatcher(function: Callable[..., Any], cache: Cache, signatures: tuple[Any, ...], inline: bool) -> Any:
    """What `numba.njit` makes where no setting turns it off, before it has looked for a cache; with ours."""
    options = {"nopython": True, "nogil": True, "boundscheck": None, "inline": "always" if inline else "never"}
    dispatcher: Any = CPUDispatcher(function, targetoptions=options)
    dispatcher._cache = cache
    with _jit_enabled():
        for signature in signatures:
            dispatcher.compile(signature)
    if signatures:
        dispatcher.disable_compile()
    return dispatcher


def _for_compiler(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function with compiled ones in place of those that it calls."""
    assert isinstance(function, FunctionType)
    used = set(function.__code__.co_names)
    names = {name: _callee(value) if name in used else value for name, value in function.__globals__.items()}
    twin = FunctionType(function.__code__, names, function.__name__, function.__defaults__, function.__closure__)
    twin.__module__, twin.__qualname__ = function.__module__, function.__qualname__
    return twin


def _callee(value: Any) -> Any:
    if isinstance(value, FunctionType):
        if value in _INSTRUCTIONS:
            return _INSTRUCTIONS[value]
        if value in inners:
            how = inners[value]
            return _compiled(value, how.signatures, how.inline)
    return value


def _instruction(make: Callable[[Any, Any], Any], result: Any) -> Any:
    """A machine instruction from a word of 64 bits."""

    def typed(typing: Any, word: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return make(builder, arguments[0])

        return result(types.uint64), generate

    return intrinsic(typed)


_INSTRUCTIONS: dict[Callable[..., Any], Any] = {
    # The second argument: the result for zero does not matter.
    bits.trailing_zeros: _instruction(lambda builder, word: builder.cttz(word, _true()), types.uint64),
    bits.population: _instruction(lambda builder, word: builder.ctpop(word), types.int64),
}


def _true() -> Any:
    from llvmlite import ir

    return ir.Constant(ir.IntType(1), 1)


def _annotated(function: Callable[..., Any]) -> Any:
    """The types of a function's annotations."""
    hints = get_type_hints(function, include_extras=True)
    result = _numba_type(hints.pop("return"))
    return result(*[_numba_type(hint) for hint in hints.values()])


def _numba_type(hint: Any) -> Any:
    """An annotation as Numba has it: of a number, an array (its text says which), nothing, or a NamedTuple of such."""
    simple = {int: types.int64, bool: types.boolean, np.uint64: types.uint64, type(None): types.void}
    if hint in simple:
        return simple[hint]
    if get_origin(hint) is Annotated:
        return _sigutils._parse_signature_string(hint.__metadata__[0])
    parts = get_type_hints(hint, include_extras=True)
    return _tuples.from_types([_numba_type(parts[name]) for name in hint._fields], hint)


@contextlib.contextmanager
def _jit_enabled() -> Iterator[None]:
    """Whatever NUMBA_DISABLE_JIT says: Numba's own pieces of code are compiled for ours only while it is not in force."""
    before = _config.DISABLE_JIT
    if not before:
        yield
        return
    _config.DISABLE_JIT = 0
    try:
        yield
    finally:
        _config.DISABLE_JIT = before


@lru_cache(maxsize=1)
def _tell() -> None:
    """Say, once, that compilation is about to happen."""
    print("tiler: compiling the search, once (some seconds)", file=sys.stderr, flush=True)
