"""Put the runs of a campaign in an order: at random by a seed, or small boards first.

A machine becomes slower and faster while it works. In a fixed order, the solver that always comes last would bear what drifts,
and a disturbance that comes back every fifth run would always hit the same one of five solvers. So the solvers of a problem run
one after the other, in an order drawn for each problem: randomised complete blocks (Montgomery, Design and Analysis of
Experiments, section 4.1; Mytkowicz et al., Producing Wrong Data Without Doing Anything Obviously Wrong, ASPLOS 2009). The blocks
have a random order too, within each round of repeats.

The place of a run follows from the seed and the run alone. So a campaign that goes on later, or gets one more solver, keeps to
its order.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from tiler.bench.job import Job, is_hopeless
from tiler.errors import BadOption

RANDOM, SIZE = "random", "size"
_RANDOM = re.compile(rf"{RANDOM}(?::([0-9]{{1,9}}))?")


@dataclass(frozen=True)
class RunOrder:
    """An order of runs; `seed` is None for small boards first, by every solver in turn."""

    seed: int | None = 0

    def __str__(self) -> str:
        """The order as `read` reads it, and as records have it.

        >>> str(RunOrder()), str(RunOrder(None))
        ('random:0', 'size')
        """
        return SIZE if self.seed is None else f"{RANDOM}:{self.seed}"

    @classmethod
    def read(cls, text: str) -> RunOrder:
        """The order that a text names; BadOption if it names none.

        >>> RunOrder.read("random"), RunOrder.read("random:7"), RunOrder.read("size")
        (RunOrder(seed=0), RunOrder(seed=7), RunOrder(seed=None))
        """
        if text == SIZE:
            return cls(None)
        match = _RANDOM.fullmatch(text)
        if match is None:
            raise BadOption(f"{text[:40]!r} is no order of runs; write {RANDOM}, {RANDOM}:SEED or {SIZE}")
        return cls(int(match[1] or 0))

    def arranged(self, jobs: Iterable[Job]) -> tuple[Job, ...]:
        """The jobs in this order, by rounds of repeats, forms and seeds; runs that can only fail come last."""
        return tuple(sorted(jobs, key=self._place))

    def _place(self, job: Job) -> tuple[Any, ...]:
        turn = is_hopeless(job), job.repeat, job.form, job.question.seed
        if self.seed is None:
            return *turn, job.size
        block = job.repeat, job.form, job.question.seed, job.name
        return *turn, self._drawn(*block), self._drawn(*block, job.question.goal, job.solver)

    def _drawn(self, *parts: object) -> bytes:
        """Random bytes that the seed and these values alone determine."""
        words = "\n".join(map(str, (self.seed, *parts)))
        return hashlib.sha256(words.encode("utf-8", "backslashreplace")).digest()
