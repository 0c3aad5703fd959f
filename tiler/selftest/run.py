"""Run the self-test: put the named problems, then instances that are drawn on every lattice by turns, until the time is over or
an answer is wrong."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count, product
from random import Random

from tiler.backends.base import Backend
from tiler.model.instance import Instance
from tiler.model.lattices import LATTICES
from tiler.selftest import compare, examples, random_instances, shrinking
from tiler.selftest.compare import BOUND, Judged, SomeExample, answers, shortest, some_spec
from tiler.selftest.examples import Example, KnownExample
from tiler.selftest.rows_brute_force import RowsExample

#: The number of backends that are asked about each problem; all backends take turns.
AT_ONCE = 3


@dataclass(frozen=True)
class Trial:
    """A problem, and a backend with options to which all questions about it are put."""

    number: int
    example: SomeExample
    spec: str
    is_first: bool  #: whether it is the first trial with its problem

    def asked(self, question: str, spec: str | None = None, about: Example | None = None) -> AskedQuestion:
        """A question of this trial, perhaps to a backend with other options, or about a smaller problem."""
        example = about or self.example
        example = example.weighted if question == "optimise" else example
        return AskedQuestion(example.problem, example.name, spec or self.spec, question, self.number)


@dataclass(frozen=True)
class AskedQuestion:
    """A question that is put to a backend."""

    problem: Instance | str  #: of a general exact cover the text
    name: str  #: of the problem; empty if it was drawn
    spec: str
    question: str
    trial: int

    @property
    def words(self) -> str:
        """Who is asked what, in words."""
        return f"{self.spec}, asked to {self.question}"


@dataclass(frozen=True)
class Failure(AskedQuestion):
    """A question with a wrong answer, or with none."""

    wrong: str


@dataclass
class Totals:
    """How far a self-test has come. Another process can go on from here."""

    #: the number of answers compared, by backend, kind of problem (see `Example.kind`) and question
    answers: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    #: the number of questions compared, and of those refused, by backend, name of the problem, and question
    tried: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    refused: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    instances: int = 0
    solvable: int = 0
    largest: int = 0  #: the number of cells of the largest board about which an answer was compared
    drawn: int = 0  #: the number of instances without a name
    failures: list[Failure] = field(default_factory=list)
    unanswered: list[Failure] = field(default_factory=list)  #: questions without an answer in time
    trials: int = 0  #: the number of trials begun
    restarts: int = 0  #: how often a question hung or crashed the process of the self-test, so that another one went on

    @property
    def failure(self) -> Failure | None:
        """The first wrong answer."""
        return self.failures[0] if self.failures else None

    def fail(self, asked: AskedQuestion, wrong: str) -> None:
        """Note a wrong answer, unless its trial has one: then it is a smaller problem that hung or ended the process."""
        if all(failure.trial != asked.trial for failure in self.failures):
            self.failures.append(Failure(**vars(asked), wrong=wrong))

    def by(self, place: int) -> dict[str, int]:
        """The answers by backend (0), kind of problem (1) or question (2)."""
        sums: Counter[str] = Counter()
        for key, number in self.answers.items():
            sums[key[place]] += number
        return dict(sorted(sums.items()))

    def begin(self, trial: Trial) -> None:
        """Count a trial, and its problem if it is the first with it."""
        self.trials = trial.number + 1
        if trial.is_first:
            self.instances += 1
            self.solvable += bool(trial.example.tilings_there_are)
            self.drawn += not trial.example.name


def run(
    backends: Sequence[type[Backend]],
    seconds: float = math.inf,
    seed: int = 0,
    *,
    problems: int | None = None,
    most: int = 1,
    bound: float = BOUND,
    totals: Totals | None = None,
    on_ask: Callable[[AskedQuestion], None] = lambda asked: None,
    on_tick: Callable[[Totals], None] = lambda totals: None,
) -> Totals:
    """Compare until the seconds are over, all problems with names and `problems` others are compared, or `most` answers are
    wrong. What is drawn depends on the seed alone.

    Each answer may take `bound` seconds. With the `totals` of an earlier run this one goes on from there. `on_ask` is called
    before each question, and `on_tick` after it.
    """
    totals = Totals() if totals is None else totals
    end = time.monotonic() + seconds
    for trial in _trials(backends, seed, problems, totals):
        if time.monotonic() >= end or len(totals.failures) >= most:
            break
        if trial.example.name in {failure.name for failure in totals.failures}:
            continue  # One wrong answer about a named problem is enough.
        totals.begin(trial)
        _try(trial, totals, seed, bound, end, on_ask, on_tick)
    return totals


def _trials(backends: Sequence[type[Backend]], seed: int, problems: int | None, totals: Totals) -> Iterator[Trial]:
    """The trials that come next: the named problems, the smallest first, each with the default options and, if there are few
    backends, with others; the larger ones with known counts, with the default options; then instances that are drawn, without end
    if `problems` is None."""
    numbers = count()
    for turn, example in enumerate((*examples.named_examples(), *examples.known_examples())):
        some = dict.fromkeys(_in_turn(backends, turn))
        drawn = Random(f"{seed} {example.name}")
        specs = dict.fromkeys(backend.name for backend in some)
        if len(backends) <= AT_ONCE and not isinstance(example, KnownExample):
            specs |= dict.fromkeys(some_spec(drawn, backend) for backend in some)
        for place, spec in enumerate(specs):
            number = next(numbers)
            if number >= totals.trials:
                yield Trial(number, example, spec, place == 0)
    numbers = count(max(next(numbers), totals.trials))
    drawn = Random(f"{seed} {totals.restarts}" if totals.restarts else seed)
    kinds = list(product(LATTICES.values(), (False, True), (False, True)))
    drawn.shuffle(kinds)
    turns = count()
    while totals.drawn != problems:
        turn = next(turns)
        lattice, wrapped, painted = kinds[turn % len(kinds)]
        made = Example.of(random_instances.instance(drawn, lattice, wrapped=wrapped, painted=painted))
        if made is None:
            continue
        for place, backend in enumerate(_in_turn(backends, turn + 1)):
            yield Trial(next(numbers), made, some_spec(drawn, backend), place == 0)


def _in_turn(backends: Sequence[type[Backend]], turn: int) -> list[type[Backend]]:
    """The backends that are asked about one problem."""
    return [backends[(turn * AT_ONCE + place) % len(backends)] for place in range(AT_ONCE)]


def _try(
    trial: Trial,
    totals: Totals,
    seed: int,
    bound: float,
    end: float,
    on_ask: Callable[[AskedQuestion], None],
    on_tick: Callable[[Totals], None],
) -> None:
    """Put all questions, until an answer is wrong or the end is reached."""
    backend, example = trial.spec.partition(":")[0], trial.example
    for question, (judged, why) in answers(
        example,
        trial.spec,
        seed,
        bound=lambda: max(0.0, min(bound, end - time.monotonic())),
        on_ask=lambda question: on_ask(trial.asked(question)),
    ):
        asked = trial.asked(question)
        is_over = time.monotonic() >= end
        if judged is Judged.REFUSED:
            totals.refused[backend, example.name, question] += 1
        elif judged is Judged.UNANSWERED:
            if not is_over:
                totals.unanswered.append(Failure(**vars(asked), wrong=f"no answer within {bound:g} s"))
        else:
            totals.answers[backend, example.kind, question] += 1
            if not isinstance(example, RowsExample):
                totals.largest = max(totals.largest, example.size)
            totals.tried[backend, example.name, question] += 1
        if judged is Judged.WRONG:
            totals.fail(asked, why)
            for simpler, wrong in _simpler(trial, question, why, seed, on_ask):
                on_tick(totals)  # It takes a while.
                totals.failures[-1] = Failure(**vars(simpler), wrong=wrong)
        on_tick(totals)
        if is_over or judged is Judged.WRONG:
            return


def _simpler(
    trial: Trial, question: str, wrong: str, seed: int, on_ask: Callable[[AskedQuestion], None]
) -> Iterator[tuple[AskedQuestion, str]]:
    """The question with a wrong answer with fewer options, then about smaller and smaller problems; each with what is wrong. The
    problems that have names are small already."""
    spec, wrong = shortest(trial.example, trial.spec, question, wrong, seed, lambda spec: on_ask(trial.asked(question, spec)))
    yield trial.asked(question, spec), wrong

    def wrong_about(smaller: Example) -> str:
        on_ask(trial.asked(question, spec, smaller))
        return compare.wrong_in(smaller, spec, question, seed)

    if isinstance(trial.example, Example) and not trial.example.name:
        for smaller, still_wrong in shrinking.smaller_ones(trial.example, wrong_about):
            yield trial.asked(question, spec, smaller), still_wrong


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
