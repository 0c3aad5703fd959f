"""Run compiled searches: kernels take and return arrays, without objects, input or output.

A kernel searches with an explicit stack in arrays that Python owns, for a budget of nodes, and returns; Python then looks at the
clock, reports progress and solutions, and calls it again (backends/searching/driver.py). So a search can be stopped, saved and
resumed.

Every loop that calls a kernel again and again comes to an end, for this reason. A call returns one of three things:

- *all done* (EXHAUSTED and the like): the loop ends;
- *so far* (PAUSED, SOLUTION, a position in a list): the kernel did some of what is finite. It went on in a tree or a list, and
  what counts that (nodes and solutions found, or the position) has grown, since a budget is at least 1;
- *not without you* (FULL, GROW, ROOM, SLOTS, OVERFLOW, REFILL, OUT_FULL): nothing is lost, but an array is too small, or
  something has to be read or written first. The caller makes room, which takes memory out of a finite budget, or writes out
  what is there, or says that the memory does not suffice and ends: it never calls again with everything as it was.

So each loop has bounded numbers that grow, in the order of a dictionary, from call to call. `TerminationCheck` tests that: if a
call leaves them unchanged, that is an error in the program, and the search ends with an error message instead of hanging.

A kernel is plain Python over arrays of numpy, and runs as such at first: most small questions are answered sooner than machine
code is loaded. When this has taken some time (`python_time`), the machine code of kernels goes on with the same arrays. It is
compiled once per machine and version, in other processes (compiler.py, compilation.py), and kept in a file (code_cache.py); or it
was installed as a shared library. It is loaded and called without Numba (loader.py). Where there is neither machine code nor a
compiler, kernels stay Python. Python and machine code make the same nodes. So a kernel uses only arithmetic that is the same in
both: unsigned words wrap round, and are not mixed with signed ones. Machine code has no memory of its own: a kernel makes no
arrays.

A kernel is in the folder of its search, in a file called `kernel.py` or `kernel_*.py`; this folder has the code that all kernels
share.
"""

from __future__ import annotations

import contextlib
import functools
import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from threading import Lock
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast

from tiler.errors import BackendError, MissingDependency, NoMachineCode
from tiler.kernels.cache_folders import TO_COMPILE, has_library, seconds_worth
from tiler.kernels.inner import inner
from tiler.process.clocks import process_seconds
from tiler.process.memory import resident_megabytes

if TYPE_CHECKING:
    from tiler.kernels.loader import Code

__all__ = [
    "EXHAUSTED",
    "GROWING",
    "PAUSED",
    "SOLUTION",
    "Kernel",
    "TerminationCheck",
    "as_python",
    "bind",
    "inner",
    "kernel",
    "load",
    "loading",
    "python_time",
    "ready",
]

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")

#: What a kernel returns: the whole tree is searched, the budget is used up, or a solution is to be reported.
EXHAUSTED, PAUSED, SOLUTION = 0, 1, 2
#: What a search returns that pauses while it makes room for a kernel: nothing was searched, but something is larger now.
GROWING = 5


class TerminationCheck:
    """Tests that a loop makes progress, as the docstring of this module says.

    >>> termination = TerminationCheck("the count")
    >>> termination.advance(3, 0); termination.advance(3, 7); termination.advance(4, 1)
    >>> termination.advance(4, 1)
    Traceback (most recent call last):
    tiler.errors.BackendError: the count makes no progress, at 4, 1: please report it
    """

    def __init__(self, loop: str) -> None:
        self._loop = loop
        self._reached: tuple[int, ...] = ()

    def advance(self, *reached: int) -> None:
        """After a call of the kernel: how far it is, in numbers; the first number that changes has to grow. BackendError if none
        does."""
        if reached <= self._reached:
            at = ", ".join(map(str, reached))
            raise BackendError(f"{self._loop} makes no progress, at {at}: please report it")
        self._reached = reached


#: Threads that need machine code wait for the one that loads it.
_one_loads = Lock()


class Kernel:
    """A function over arrays, which Python runs for a while before its machine code is loaded: see `python_time`."""

    all: ClassVar[list[Kernel]] = []

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self._code: Code | None = None
        functools.update_wrapper(self, function)
        Kernel.all.append(self)

    def __call__(self, *arguments: Any) -> Any:
        return self.as_python(*arguments) if self.is_python() else self.load()(*arguments)

    def is_python(self) -> bool:
        """Whether to run it as Python: while `python_time` is left, and for ever if there is no machine code and no compiler."""
        if not python_time.is_left:
            with contextlib.suppress(NoMachineCode):  # Then kernels stay Python.
                self.load()
        return python_time.is_left

    def as_python(self, *arguments: Any) -> Any:
        """Call it as Python code in any case."""
        with python_time.spent():
            result = self.function(*arguments)
        python_time.prolong(self._is_made)
        return result

    def _is_made(self) -> bool:
        """Whether its machine code need not be compiled first."""
        from tiler.kernels import loader

        return self._code is not None or loader.is_made(self.function)

    def load(self) -> Code:
        """Its machine code. If none is kept, it is compiled, together with the kernels in the same file."""
        with _one_loads:
            if self._code is None:
                _load([self], [each for each in Kernel.all if each.function.__module__ == self.function.__module__])
        assert self._code is not None
        return self._code


def _load(kernels: Sequence[Kernel], beside: Sequence[Kernel] = ()) -> None:
    """Load machine code; if some of it is to be compiled, the kernels beside it are compiled too."""
    loading.ask()
    with loading.counted():
        from tiler.kernels import loader

        try:
            codes = loader.codes([each.function for each in kernels], [each.function for each in beside])
        except NoMachineCode as error:
            python_time.never_end(str(error))
            raise
        for each, code in zip(kernels, codes, strict=True):
            each._code = code


def kernel() -> Callable[[F], F]:
    """Decorator of what is called from Python: it is compiled for the types of its annotations (signature.py), and the machine
    code is kept. It runs without the interpreter's lock. Says on stderr what takes so long when there is something to compile.
    """

    def made(function: F) -> F:
        return cast("F", Kernel(function))

    return made


class _PythonTime:
    """The CPU seconds for which this process runs kernels as Python. Loading machine code takes longer than most small questions.
    So kernels run as Python first, on the same arrays, until they have taken `seconds` of the CPU together: about as much as
    loading takes, and somewhat more where there is nothing to load and they would have to be compiled. Code that expects a long
    search, or that measures, calls `exhaust`.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.used_seconds = 0.0  #: CPU seconds so far
        self._is_final = self._is_endless = False

    @property
    def is_left(self) -> bool:
        return self.seconds > 0

    def exhaust(self) -> None:
        """From now on run kernels as machine code."""
        self.seconds = math.inf if self._is_endless else 0.0
        self._is_final = True

    def never_end(self, reason: str) -> None:
        """Run kernels as Python for ever, and say once on stderr that this is slow."""
        if not self._is_endless:
            print(f"tiler: it searches as Python code, which is some hundred times slower: {reason}", file=sys.stderr, flush=True)
        self._is_endless = True
        self.exhaust()

    def prolong(self, is_made: Callable[[], bool]) -> None:
        """After a call that used up the rest: if the next call would have to compile, that has to be worth while."""
        if not self.is_left and not self._is_final:
            self._is_final = True
            if not is_made():
                self.seconds = TO_COMPILE - self.used_seconds

    @contextlib.contextmanager
    def spent(self) -> Iterator[None]:
        """What is done inside counts. Unsigned words wrap round on purpose, as they do in compiled code."""
        import numpy as np

        started = process_seconds()
        try:
            with np.errstate(over="ignore"):
                yield
        finally:
            took = process_seconds() - started
            self.seconds -= took
            self.used_seconds += took

    def share(self, budget: int) -> int:
        """The budget of a call in steps. Compiled code takes some millions of steps a second, Python a thousandth of that."""
        return max(1, budget // 1000) if self.is_left else budget


class _Loading:
    """The seconds that this process has spent on loading and compiling kernels; the time of a search does not include them.
    Before the first kernels are loaded, a callback (see `asked`) gets the MiB that they take, and may raise. `on_change` is
    called with True when loading begins and with False when it ends."""

    _MEGABYTES = 52  #: LLVM and the kernels of a search, measured: 50 to 52; up to 105 of a library that was just installed

    def __init__(self) -> None:
        self.wall_seconds = self.cpu_seconds = 0.0
        self._times: list[tuple[float, float]] = []  # when kernels were loaded, and for how long
        self._allow: Callable[[int], None] | None = None
        self.excess_megabytes = 0.0  #: what it has taken beyond `megabytes`, as they were before
        self.on_change: Callable[[bool], object] = lambda is_loading: None

    @property
    def megabytes(self) -> int:
        """The number of MiB that it takes to load kernels; 0 when some are loaded."""
        return 0 if self._times or has_library() else self._MEGABYTES

    @contextlib.contextmanager
    def asked(self, allow: Callable[[int], None]) -> Iterator[None]:
        """While this lasts, `allow` is called before kernels are loaded first."""
        before, self._allow = self._allow, allow
        try:
            yield
        finally:
            self._allow = before

    def ask(self) -> None:
        """Ask whether kernels may be loaded, unless some are loaded already."""
        if self._allow is not None and self.megabytes:
            self._allow(self.megabytes)

    @contextlib.contextmanager
    def counted(self) -> Iterator[None]:
        wall, cpu = time.perf_counter(), process_seconds()
        expected = self.megabytes
        before = _resident_megabytes() if expected else 0.0
        self.on_change(True)
        try:
            yield
        finally:
            self.on_change(False)
            if expected:
                self.excess_megabytes = max(0.0, _resident_megabytes() - before - expected)
            self._times.append((wall, time.perf_counter() - wall))
            self.wall_seconds += self._times[-1][1]
            self.cpu_seconds += process_seconds() - cpu

    def since(self, reading: float) -> float:
        """Wall clock seconds since a reading of `time.perf_counter`."""
        return sum(seconds for when, seconds in self._times if when >= reading)


def _resident_megabytes() -> float:
    """The resident memory, 0 where that cannot be found out."""
    try:
        return resident_megabytes()
    except MissingDependency:
        return 0.0


python_time, loading = _PythonTime(seconds_worth()), _Loading()


class _Bound:
    """The result of `bind`."""

    def __init__(self, kernel: Kernel, arrays: tuple[Any, ...]) -> None:
        self._kernel, self._arrays = kernel, arrays
        self._entry: Callable[..., Any] | None = None

    def __call__(self, *rest: Any) -> Any:
        if self._entry is None or python_time.is_left:
            if self._kernel.is_python():
                return self._kernel.as_python(*self._arrays, *rest)
            self._entry = self._kernel.load().entry(self._arrays)
        return self._entry(*rest)


def bind(function: Callable[..., T], *arrays: Any) -> Callable[..., T]:
    """A kernel with its first arguments given, NamedTuples of arrays. Their types are looked at once: at every call that would
    take some microseconds, as long as many a node."""
    return _Bound(cast("Kernel", function), arrays)


def as_python(function: F) -> F:
    """A kernel as a plain function, for a call that takes less than loading it."""
    return cast("F", cast("Kernel", function).as_python)


def ready(*functions: Callable[..., Any]) -> None:
    """Load the machine code of kernels that threads are about to call, and run no kernel as Python from now on: Python would run
    one thread at a time, and no thread is to load what another is loading."""
    python_time.exhaust()
    for function in functions:
        with contextlib.suppress(NoMachineCode):
            cast("Kernel", function).load()


def load() -> None:
    """Load the machine code of every kernel that was imported, compile what is not kept, and run no kernel as Python from now on:
    before measuring, or in a process that others are forked from. NoMachineCode if nothing can compile."""
    python_time.exhaust()
    missing = [each for each in Kernel.all if each._code is None]
    if missing:
        _load(missing)
