"""Run the self-test: draw instances one after the other, on every lattice by turns, until the time is over or an answer is
wrong."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from random import Random

from tiler.backends.base import Backend
from tiler.model.instance import Instance
from tiler.model.lattices import LATTICES
from tiler.selftest import drawing
from tiler.selftest.compare import Example, answers, shortest, some_spec

#: The number of backends that are asked about each instance; all backends take turns.
_AT_ONCE = 3


@dataclass(frozen=True)
class Asked:
    """A question that is put to a backend."""

    instance: Instance
    spec: str
    question: str


@dataclass(frozen=True)
class Failure(Asked):
    """A wrong answer."""

    wrong: str


@dataclass
class Tally:
    """The number of answers compared so far, by backend, lattice (a wrapped board counts as another lattice) and question."""

    answers: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    instances: int = 0
    solvable: int = 0
    failure: Failure | None = None

    def by(self, place: int) -> dict[str, int]:
        """The answers by backend (0), lattice (1) or question (2)."""
        sums: Counter[str] = Counter()
        for key, number in self.answers.items():
            sums[key[place]] += number
        return dict(sorted(sums.items()))


def run(
    backends: Sequence[type[Backend]],
    seconds: float = math.inf,
    seed: int = 0,
    *,
    problems: int | None = None,
    on_ask: Callable[[Asked], None] = lambda asked: None,
    on_tick: Callable[[Tally], None] = lambda tally: None,
) -> Tally:
    """Compare until the seconds are over, `count` problems are drawn, or an answer is wrong; at least one instance. What is drawn
    depends on the seed alone.

    `on_ask` is called before each question, and `on_tick` after it.
    """
    tally = Tally()
    drawn, end, turn = Random(seed), time.monotonic() + seconds, 0
    kinds = list(product(LATTICES.values(), (False, True), (False, True)))
    drawn.shuffle(kinds)
    while not tally.instances or (time.monotonic() < end and tally.failure is None and tally.instances != problems):
        lattice, wrapped, painted = kinds[turn % len(kinds)]
        example = Example.of(drawing.instance(drawn, lattice, wrapped=wrapped, painted=painted))
        turn += 1
        if example is None:
            continue
        tally.instances += 1
        tally.solvable += bool(example.tilings)
        kind = f"{lattice.name}{' wrapped' * bool(example.instance.wrap)}{' painted' * example.instance.is_painted}"
        for number in range(_AT_ONCE):
            backend = backends[(turn * _AT_ONCE + number) % len(backends)]
            spec = some_spec(drawn, backend)
            asked = partial(_asked, example, spec)
            for question, wrong in answers(example, spec, seed, lambda question: on_ask(asked(question))):  # noqa: B023
                tally.answers[backend.name, kind, question] += 1
                if wrong is not None:
                    asking = partial(_asked, example, question=question)
                    shorter, why = shortest(example, spec, question, wrong, seed, lambda some: on_ask(asking(some)))  # noqa: B023
                    tally.failure = Failure(**vars(asking(shorter)), wrong=why)
                    return tally
                on_tick(tally)
            if time.monotonic() >= end:
                break
    return tally


def _asked(example: Example, spec: str, question: str) -> Asked:
    return Asked((example.weighted if question == "optimise" else example).instance, spec, question)


#: How the command line asks each question, to be filled in with the file and the spec.
COMMANDS = {
    "decide": "tiler solve {file} --solver {spec}",
    "count": "tiler count {file} --solver {spec}",
    "list": "tiler solve {file} --solver {spec} --all",
    "count up to symmetry": "tiler count {file} --solver {spec} --up-to-symmetry",
    "list up to symmetry": "tiler solve {file} --solver {spec} --unique",
    "uses": "tiler count {file} --solver {spec} --by-cell",
    "sample": "tiler sample {file} --solver {spec} -n 5",
    "prove": "tiler prove {file} --solver {spec}",
    "optimise": "tiler solve {file} --solver {spec} --optimise",
}
