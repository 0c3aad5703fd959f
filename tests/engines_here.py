"""Engines in this process: for tests that ask whether answers are right, not how engines are started, limited and ended.

Starting a process and importing the engine there costs more than these small searches.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import chdir, contextmanager, suppress
from importlib import import_module
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest
from processes import wait_until

from tiler.backends import external
from tiler.backends.external import Channel, Conclusion
from tiler.backends.sat.engines import ENGINES
from tiler.process import temporary
from tiler.question.events import Found, RunningSearch
from tiler.question.question import Goal, Question


class Messages(Channel):
    """Keeps what an engine sends."""

    def __init__(self, question: Question, folder: Path) -> None:
        super().__init__(question, folder, lambda kind, value: None)
        self.solutions: list[tuple[int, ...]] = []
        self.counters: dict[str, Any] = {}

    def solution(self, options: tuple[int, ...]) -> bool:
        self.found += 1
        if self.question.goal is not Goal.COUNT:
            self.solutions.append(options)
        return self.found != self.question.solutions_wanted

    def stats(self, **numbers: Any) -> None:
        self.counters.update(numbers)


def run(name: str, work: Callable[[Channel], Conclusion], question: Question) -> RunningSearch:
    """As `external.run`, but the work is done here and now, in the folder of its files."""
    with temporary.folder() as folder:
        messages = Messages(question, folder)
        with chdir(folder):
            end = work(messages)
    yield from map(Found, messages.solutions)
    nodes = messages.counters.pop("nodes", 0)
    return external._Answers(-1, question, messages.found, nodes, messages.counters).result(end)


@contextmanager
def engines_here(names: Collection[str] | None = None) -> Iterator[None]:
    """These engines, or all; but where there is a limit, that only a process can keep, there is a process."""
    isolated = external.run

    def chosen(name: str, work: Callable[[Channel], Conclusion], question: Question) -> RunningSearch:
        limited = question.limits.seconds not in (None, inf) or question.limits.megabytes is not None
        here = not limited and (names is None or name in names)
        return (run if here else isolated)(name, work, question)

    # So that threads of libraries are counted, too: Arrow's memory has one as soon as OR-Tools is imported, which imports pandas;
    # NumPy's end at a fork, and begin again at the next large product.
    with suppress(ImportError):
        import_module("ortools.sat.python.cp_model")
    large = np.ones((512, 512))
    large @ large
    threads = psutil.Process().num_threads()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(external, "run", chosen)
        yield
    # With a thread of an engine, this process could not be forked any more. A thread of Python lives a little longer than `join`
    # waits for it.
    wait_until(lambda: psutil.Process().num_threads() <= threads)


def sat_engines_here() -> Any:
    """Only those."""
    return engines_here(ENGINES)
