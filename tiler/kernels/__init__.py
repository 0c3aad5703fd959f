"""Compiled search: arrays in, arrays out, no objects, no input or output.

A kernel searches with an explicit stack in arrays that Python owns, for a budget of nodes, and returns; Python then looks at the
clock, reports progress and solutions, and calls it again (backends/drive.py). So a search can be stopped, saved and resumed.

Why every loop that calls a kernel again and again comes to an end. What a call returns is one of three things:

- *all done* (EXHAUSTED and the like): the loop ends;
- *so far* (PAUSED, SOLUTION, a position in a list): the kernel did some of what is finite. It went on in a tree or a list, and
  what counts that (nodes and solutions found, or the position) has grown, since a budget is at least 1;
- *not without you* (FULL, GROW, ROOM, SLOTS, OVERFLOW, REFILL, OUT_FULL): nothing is lost, but an array is too small, or
  something has to be read or written first. Whoever called makes room, which takes memory out of a finite budget, or writes out
  what is there, or says that the memory does not suffice and ends: it never calls again with everything as it was.

So each loop has numbers that grow, in the order of a dictionary, from call to call, and are bounded. `Ratchet` holds it to that:
a call after which they are what they were is a fault of ours, and ends the search with an error in place of a hang.

Kernels are compiled once per machine and version and kept on disk. Numba does not notice an edited callee in another file, and
would then go on with the old one: so the folder is named after all kernel sources and the version of numba (cache.py).

A kernel lies beside the search that it is for, in a file called `kernel.py` or `kernel_*.py`; here is what all of them share.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
from collections.abc import Callable, Iterator
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any, TypeVar, cast, get_origin, get_type_hints

import numpy as np

from tiler.errors import BackendError
from tiler.version import __version__

F = TypeVar("F", bound=Callable[..., Any])

#: What a kernel returns: the whole tree is searched, the budget is used up, or a solution is to be reported.
EXHAUSTED, PAUSED, SOLUTION = 0, 1, 2
#: What a search returns that pauses while it makes room for a kernel: nothing was searched, but something is larger now.
GROWING = 5


class Ratchet:
    """Holds a loop to getting on, as the docstring of this module says.

    >>> ratchet = Ratchet("the count")
    >>> ratchet.turn(3, 0); ratchet.turn(3, 7); ratchet.turn(4, 1)
    >>> ratchet.turn(4, 1)
    Traceback (most recent call last):
    tiler.errors.BackendError: the count goes on without getting any further, at 4, 1: please report it
    """

    def __init__(self, loop: str) -> None:
        self._loop = loop
        self._reached: tuple[int, ...] = ()

    def turn(self, *reached: int) -> None:
        """After a call of the kernel: how far it is, numbers of which the first that changes has to grow. BackendError if none
        does."""
        if reached <= self._reached:
            at = ", ".join(map(str, reached))
            raise BackendError(f"{self._loop} goes on without getting any further, at {at}: please report it")
        self._reached = reached


def sources() -> list[Path]:
    """Every file of the package that holds a kernel, or what kernels share: this folder, and files called `kernel*.py`."""
    package = Path(__file__).parent.parent
    return sorted([*package.glob("kernels/*.py"), *package.glob("*/kernel*.py"), *package.glob("backends/*/kernel*.py")])


@lru_cache(maxsize=1)
def digest() -> str:
    """A fingerprint of all kernels and the compiler, 16 hexadecimal digits."""
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


def kernel(*signatures: str) -> Callable[[F], F]:
    """Decorator of what is called from Python: compile a function for explicit types, now if that has never been done here, and
    keep the machine code.

    The types are those of the annotations: numbers, arrays (arrays.py), and NamedTuples of them; or `signatures`. It runs without
    the interpreter's lock. Says on stderr what takes so long when there is something to compile. Kernels are compiled under
    NUMBA_DISABLE_JIT too: as Python, with words that do not wrap round and without machine instructions, they would not run.
    """

    def compile_(function: F) -> F:
        compiled = _dispatcher(function, inline=False)
        with _jit_enabled():
            for signature in signatures or [_annotated(function)]:
                compiled.compile(signature)
        compiled.disable_compile()
        return cast("F", compiled)

    return compile_


def inner(*signatures: str, inline: bool = False) -> Callable[[F], F]:
    """Decorator of what kernels call: compiled for the types that they call it with, or for those of the signatures.

    With `inline` it becomes part of them: where the compiler does not see to that by itself, a call costs some ten nanoseconds.
    """

    def compile_(function: F) -> F:
        compiled = _dispatcher(function, inline=inline)
        with _jit_enabled():
            for signature in signatures:
                compiled.compile(signature)
        if signatures:
            compiled.disable_compile()
        return cast("F", compiled)

    return compile_


def _dispatcher(function: Callable[..., Any], *, inline: bool) -> Any:
    """What `numba.njit` makes where no setting turns it off, before it has looked for a cache; with ours."""
    from numba.core.registry import CPUDispatcher

    from tiler.kernels.cache import Cache

    cache = Cache(function, cache_folder())
    if not cache.is_kept:
        _tell()
    options = {"nopython": True, "nogil": True, "boundscheck": None, "inline": "always" if inline else "never"}
    compiled: Any = CPUDispatcher(function, targetoptions=options)
    compiled._cache = cache
    return compiled


def _annotated(function: Callable[..., Any]) -> Any:
    """The types of a function's annotations."""
    hints = get_type_hints(function, include_extras=True)
    result = _numba_type(hints.pop("return"))
    return result(*[_numba_type(hint) for hint in hints.values()])


def _numba_type(hint: Any) -> Any:
    """An annotation as Numba has it: of a number, an array (its text says which), nothing, or a NamedTuple of such."""
    import numba.core.sigutils
    from numba import types

    sigutils: Any = numba.core.sigutils
    simple = {int: types.int64, bool: types.boolean, np.uint64: types.uint64, type(None): types.void}
    if hint in simple:
        return simple[hint]
    if get_origin(hint) is Annotated:
        return sigutils._parse_signature_string(hint.__metadata__[0])
    parts = get_type_hints(hint, include_extras=True)
    tuples: Any = types.BaseTuple
    return tuples.from_types([_numba_type(parts[name]) for name in hint._fields], hint)


@contextlib.contextmanager
def _jit_enabled() -> Iterator[None]:
    """Numba's own pieces of code are compiled for ours only while NUMBA_DISABLE_JIT is not in force."""
    import numba

    config: Any = numba.config
    before = config.DISABLE_JIT
    if not before:
        yield
        return
    config.DISABLE_JIT = 0
    try:
        yield
    finally:
        config.DISABLE_JIT = before


@lru_cache(maxsize=1)
def _tell() -> None:
    """Say, once, that compilation is about to happen."""
    print("tiler: compiling the search, once (some seconds)", file=sys.stderr, flush=True)
