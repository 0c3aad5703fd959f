"""Make machine code by separate processes (compiler.py), one for each core if there is enough to compile."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from itertools import groupby
from queue import Empty, SimpleQueue

from tiler.errors import BackendError
from tiler.kernels import kept
from tiler.kernels.digest import Source, compiler
from tiler.kernels.kept import Machine, Made


def make(wanted: Sequence[Source], machine: Machine) -> list[Made]:
    """Compile some kernels, keep them, and say so meanwhile on stderr. BackendError if Numba is not installed, or finds something
    to say against a kernel."""
    if not compiler():
        raise BackendError("the search must be compiled, but Numba is not installed: pip install tiler-bench[compile]")
    # Kernels that have most of their code in common are compiled together.
    ordered = sorted(wanted, key=lambda each: each.largest, reverse=True)
    groups: SimpleQueue[list[Source]] = SimpleQueue()
    for _, group in groupby(ordered, key=lambda each: each.largest):
        groups.put(list(group))
    made: list[Made] = []
    workers = min(_cores(), groups.qsize())
    with _bar(len(ordered)) as advance, ThreadPoolExecutor(workers) as pool, ExitStack() as processes:

        def work(process: subprocess.Popen[str]) -> None:
            for each in _compiled(process, groups, machine):
                made.append(each)
                advance()

        started = [processes.enter_context(_process(machine)) for _ in range(workers)]
        try:
            for task in [pool.submit(work, process) for process in started]:
                task.result()
        except BaseException:
            for process in started:
                process.kill()
            raise
        finally:
            kept.keep(machine, made)
    return made


def _process(machine: Machine) -> subprocess.Popen[str]:
    """One that compiles for a machine, without the user's settings for Numba, which are about other code."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    settings = {"NUMBA_CPU_NAME": machine.cpu, "NUMBA_CPU_FEATURES": machine.features, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-P", "-m", "tiler.kernels.compiler"]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**clean, **settings})


def _compiled(process: subprocess.Popen[str], groups: SimpleQueue[list[Source]], machine: Machine) -> Iterator[Made]:
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
                yield Made(each.name, each.digest, str(each.signature), base64.b64decode(content))


def _where(kernel: Source) -> tuple[str, str, str]:
    function, *_ = kernel
    return function.__module__, function.__code__.co_filename, function.__qualname__


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def _bar(kernels: int) -> Iterator[Callable[[], object]]:
    """Says on stderr what takes so long; to be called after each kernel."""
    if not sys.stderr.isatty():
        print("tiler: compiling the search, once (some seconds)", file=sys.stderr, flush=True)
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = TextColumn("tiler: compiling the search, once"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task("", total=kernels)
        yield lambda: progress.advance(task)
