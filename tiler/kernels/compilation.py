"""Make machine code by separate processes (compiler.py), one for each core if there is enough to compile."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from itertools import groupby
from queue import Empty, SimpleQueue
from threading import Event as ThreadEvent
from threading import Lock, Thread

from tiler.amounts import counted
from tiler.errors import BackendError
from tiler.kernels import code_cache, webassembly
from tiler.kernels.code_cache import Machine, ObjectFile
from tiler.kernels.digest import Source, compiler, no_machine_code
from tiler.process.threads import cores

_ERASED = "\x1b[K"  # what tells a terminal to erase the rest of the line
_TERMINAL_SECONDS = 1.0  # the same on a terminal, where the line is rewritten


def make(wanted: Sequence[Source], machine: Machine) -> list[ObjectFile]:
    """Compile some kernels, keep them, and say so meanwhile on stderr. NoMachineCode if Numba is not installed;
    BackendError if it finds something to say against a kernel."""
    if not compiler():
        raise no_machine_code()
    # Kernels that have most of their code in common are compiled together.
    ordered = sorted(wanted, key=lambda each: each.largest, reverse=True)
    groups: SimpleQueue[list[Source]] = SimpleQueue()
    for _, group in groupby(ordered, key=lambda each: each.largest):
        groups.put(list(group))
    made: list[ObjectFile] = []
    workers = min(cores(), groups.qsize())
    one_keeps = Lock()
    with _progress(len(ordered)) as tell, ThreadPoolExecutor(workers) as pool, ExitStack() as processes:

        def work(process: subprocess.Popen[str]) -> None:
            for each in _compiled(process, groups, machine):
                with one_keeps:
                    made.append(each)
                    # At once, for a process that waits for this kernel, and since a kill may come before the others are there.
                    code_cache.keep(machine, [each])
                    tell(len(made))

        started = [processes.enter_context(_process(machine)) for _ in range(workers)]
        try:
            for task in [pool.submit(work, process) for process in started]:
                task.result()
        except BaseException:
            for process in started:
                process.kill()
            raise
    return made


def _process(machine: Machine) -> subprocess.Popen[str]:
    """One that compiles for a machine, without the user's settings for Numba, which are about other code."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    settings = {"NUMBA_CPU_NAME": machine.cpu, "NUMBA_CPU_FEATURES": machine.features, "PYTHONPATH": os.pathsep.join(sys.path)}
    if machine.triple == webassembly.TRIPLE:
        # Numba optimises for this processor, without its vectors: WebAssembly has none of them.
        settings |= {"NUMBA_CPU_FEATURES": "", "NUMBA_LOOP_VECTORIZE": "0"}
    command = [sys.executable, "-P", "-m", "tiler.kernels.compiler"]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**clean, **settings})


def _compiled(process: subprocess.Popen[str], groups: SimpleQueue[list[Source]], machine: Machine) -> Iterator[ObjectFile]:
    """What a process compiles of those that wait."""
    assert process.stdin is not None
    assert process.stdout is not None
    with process.stdin as questions, suppress(Empty, BrokenPipeError):
        while True:
            group = groups.get_nowait()
            where = [(*_where(each), each.name) for each in group]
            print(json.dumps([machine, where]), file=questions, flush=True)
            answer = process.stdout.readline()
            if not answer:
                raise BackendError(f"{group[0].name} cannot be compiled: what is said above is the reason")
            for each, content in zip(group, json.loads(answer), strict=True):
                yield ObjectFile(each.name, each.digest, str(each.signature), base64.b64decode(content))


def _where(kernel: Source) -> tuple[str, str, str]:
    function, *_ = kernel
    return function.__module__, function.__code__.co_filename, function.__qualname__


@contextmanager
def _progress(kernels: int) -> Iterator[Callable[[int], None]]:
    """Say on stderr what takes so long; to be called with the number of kernels that are done. On a terminal it is one line that
    is rewritten every second and erased at the end; elsewhere it is a line now and then. Kernels that are compiled together
    are done at the same time."""
    on_terminal, started, done = sys.stderr.isatty(), time.monotonic(), 0
    begin, end = ("\r", _ERASED) if on_terminal else ("", "\n")
    is_over = ThreadEvent()

    def show() -> None:
        seconds = f", {time.monotonic() - started:.0f} s" if time.monotonic() - started >= 1 else ""
        words = f"compiling {counted(kernels, 'kernel')}, once: {done} done{seconds}"
        print(f"{begin}tiler: {words}", end=end, file=sys.stderr, flush=True)

    def rewrite() -> None:
        while not is_over.wait(_TERMINAL_SECONDS if on_terminal else code_cache.SILENT_SECONDS):
            show()

    def tell(now: int) -> None:
        nonlocal done
        done = now

    show()
    clock = Thread(target=rewrite, daemon=True)
    clock.start()
    try:
        yield tell
    finally:
        is_over.set()
        clock.join()
        if on_terminal:
            print(f"\r{_ERASED}", end="", file=sys.stderr, flush=True)
