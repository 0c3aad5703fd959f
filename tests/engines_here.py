"""SAT engines in this process: for tests that ask whether answers are right, not how engines are started, limited and ended."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tiler.backends import external
from tiler.backends.external import Channel, Conclusion
from tiler.backends.sat.engines import ENGINES
from tiler.question.events import Found, Running
from tiler.question.question import Goal, Question


class Messages(Channel):
    """Keeps what an engine sends."""

    def __init__(self, question: Question) -> None:
        super().__init__(question, Path(), -1)
        self.solutions: list[tuple[int, ...]] = []
        self.counters: dict[str, Any] = {}

    def solution(self, options: tuple[int, ...]) -> bool:
        self.found += 1
        if self.question.goal is not Goal.COUNT:
            self.solutions.append(options)
        return self.found != self.question.solutions_wanted

    def stats(self, **numbers: Any) -> None:
        self.counters.update(numbers)


def run(name: str, work: Callable[[Channel], Conclusion], question: Question) -> Running:
    """As `external.run`, but the work is done here and now. Starting a process costs more than these small searches."""
    messages = Messages(question)
    end = work(messages)
    yield from map(Found, messages.solutions)
    nodes = messages.counters.pop("nodes", 0)
    return external._Answers(-1, question, messages.found, nodes, messages.counters).result(end)


@contextmanager
def sat_engines_here() -> Iterator[None]:
    """Only those: HiGHS and CP-SAT keep threads, after which this process could not be forked any more."""
    isolated = external.run

    def chosen(name: str, work: Callable[[Channel], Conclusion], question: Question) -> Running:
        return (run if name in ENGINES else isolated)(name, work, question)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(external, "run", chosen)
        yield
