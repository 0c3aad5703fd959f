"""Compare the answers of one backend with some options, about one problem, with those of the brute force, for every question."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from random import Random
from typing import Any, NamedTuple

from tiler.backends import fault_origin
from tiler.backends.base import Backend
from tiler.backends.registry import parse_spec
from tiler.cover import filters
from tiler.errors import BadOption, TilerError
from tiler.model.expected import Status
from tiler.optional_packages import is_installed
from tiler.question.question import Goal, Limits, Question
from tiler.question.result import Result, Stop
from tiler.selftest.examples import Example, KnownExample
from tiler.selftest.rows_brute_force import RowsExample

SomeExample = Example | KnownExample | RowsExample

BOUND = 10.0  #: seconds in which an answer must be there
_SAMPLES = 5


#: The questions, by the words for them.
QUESTIONS = {
    "decide": Question(Goal.DECIDE),
    "count": Question(Goal.COUNT),
    "list": Question(Goal.ENUMERATE),
    "count up to symmetry": Question(Goal.COUNT, up_to_symmetry=True),
    "list up to symmetry": Question(Goal.ENUMERATE, up_to_symmetry=True),
    "uses": Question(Goal.USES),
    "sample": Question(Goal.SAMPLE, samples=_SAMPLES),
    "prove": Question(Goal.PROVE),
    "optimise": Question(Goal.OPTIMISE),
}


def values(backend: type[Backend], field: dataclasses.Field[Any]) -> list[str]:
    """The values to try of an option, but for its default: those that its declaration names. What needs a module or a program
    that is not installed is left out."""
    words = field.metadata["choices"] or field.metadata["tries"]
    default = str(field.default)
    if isinstance(field.default, bool):
        words, default = ("on", "off"), "on" if field.default else "off"
    elif field.name == "filter":
        words = (*filters.FILTERS, "+".join(filters.FILTERS))
    return [word for word in words if word != default and _is_there(backend, field.name, word)]


def some_spec(drawn: Random, backend: type[Backend]) -> str:
    """The backend with some of its options changed, to values that go together."""
    while True:
        changed = []
        for field in dataclasses.fields(backend):
            words = values(backend, field)
            if words and drawn.random() < 0.35:
                changed.append(f"{field.name}={drawn.choice(words)}")
        spec = f"{backend.name}:{','.join(changed)}" if changed else backend.name
        try:
            parse_spec(spec)
        except BadOption:
            continue
        return spec


def _is_there(backend: type[Backend], name: str, word: str) -> bool:
    module = backend.extras.get((name, word))
    return (module is None or is_installed(module)) and backend.missing_program(name, word) is None


class Judged(StrEnum):
    """What an answer is worth."""

    RIGHT = "right"
    WRONG = "wrong"
    UNANSWERED = "unanswered"  #: a limit came first
    REFUSED = "refused"  #: the backend does not answer this question about this problem


class Judgement(NamedTuple):
    """What an answer is worth, and why, in words; a right answer needs none."""

    judged: Judged
    why: str = ""


_RIGHT = Judgement(Judged.RIGHT)


def answers(
    example: SomeExample,
    spec: str,
    seed: int = 0,
    *,
    bound: Callable[[], float] = lambda: BOUND,
    on_ask: Callable[[str], object] = lambda question: None,
) -> Iterator[tuple[str, Judgement]]:
    """Every question that suits a problem, and what the answer of a backend is worth.

    The heaviest tiling is asked for of the instance with weights. `bound` says how many seconds the next answer may take;
    `on_ask` is told each question before it is put.
    """
    backend = parse_spec(spec)
    for name, question in QUESTIONS.items():
        if not example.suits(question):
            continue
        reason = backend.refusal(question, example.cover)
        if reason is not None:
            yield name, Judgement(Judged.REFUSED, reason)
            continue
        on_ask(name)
        yield name, _judged(example, backend, name, seed, bound())


def wrong_in(example: Example, spec: str, name: str, seed: int = 0) -> str:
    """What is wrong with the answer of a backend to one question; empty if it is right, or if there is none."""
    backend = parse_spec(spec)
    if backend.refusal(QUESTIONS[name], example.cover) is not None:
        return ""
    judged, why = _judged(example, backend, name, seed, BOUND)
    return why if judged is Judged.WRONG else ""


def shortest(
    example: SomeExample,
    spec: str,
    name: str,
    wrong: str,
    seed: int = 0,
    on_ask: Callable[[str], object] = lambda spec: None,
) -> tuple[str, str]:
    """The backend with as few options changed as its answer to a question is still wrong with, and what is wrong with that.

    `on_ask` is told each spec before it is asked.
    """
    backend, _, options = spec.partition(":")
    parts = options.split(",") if options else []
    for fewer in ([], *([part for part in parts if part != left_out] for left_out in parts)):
        if len(fewer) == len(parts):
            continue
        shorter = f"{backend}:{','.join(fewer)}" if fewer else backend
        try:
            if parse_spec(shorter).refusal(QUESTIONS[name], example.cover) is not None:
                continue
        except BadOption:
            continue
        on_ask(shorter)
        again = _judged(example, parse_spec(shorter), name, seed, BOUND)
        if again.judged is Judged.WRONG:
            return shortest(example, shorter, name, again.why, seed, on_ask)
    return spec, wrong


def _judged(example: SomeExample, backend: Backend, name: str, seed: int, seconds: float) -> Judgement:
    """What the answer to a question is worth."""
    asked = dataclasses.replace(QUESTIONS[name], limits=Limits(seconds=seconds), seed=seed)
    try:
        return _compared(example.weighted if name == "optimise" else example, backend, asked)
    except TilerError as error:
        judged = Judged.REFUSED if error.exit_code == 2 else Judged.WRONG
        return Judgement(judged, f"{type(error).__name__}: {error}")
    except Exception as error:  # An error of Tiler or of an engine counts as a wrong answer.
        return Judgement(Judged.WRONG, fault_origin.in_words(error))


def _compared(example: Any, backend: Backend, question: Question) -> Judgement:
    result, found = example.ask(backend, question)
    wrong = _wrong(example, backend, question, result, found)
    if wrong is not None:
        return Judgement(Judged.WRONG, wrong)
    if result.stop in (Stop.TIME, Stop.MEMORY):
        return Judgement(Judged.UNANSWERED, result.reason)
    return _RIGHT


def _wrong(example: Any, backend: Backend, question: Question, result: Result, found: list[Any]) -> str | None:
    """A sentence that says what is wrong with an answer; None if nothing is."""
    there_are, goal = example.tilings_there_are, question.goal
    if result.stop is Stop.UNDECIDED and backend.complete and goal is not Goal.PROVE:
        return "its answer is unknown, but its class claims to be complete"
    if result.stop in (Stop.TIME, Stop.MEMORY, Stop.UNDECIDED):
        status: Sequence[Status] = (Status.UNKNOWN, Status.SAT if there_are else Status.UNSAT)
    else:
        status = (Status.SAT if there_are else Status.UNSAT,)
    if goal is Goal.PROVE and there_are:
        status = (Status.SAT, Status.UNKNOWN)
    if result.status not in status:
        return f"it says {result.status}, but there are {there_are} tilings"
    if isinstance(example, KnownExample):
        return _wrong_number(example, question, result, found)
    tilings = example.tilings
    if any(tiling not in tilings for tiling in found):
        return "it shows a wrong tiling"
    # With the last of its samples a search stops: as many as were asked for are found.
    if result.stop not in (Stop.DONE, Stop.SOLUTIONS):
        return None
    if question.up_to_symmetry and goal is not Goal.DECIDE and result.symmetry != example.order:
        return f"it says that the group has order {result.symmetry}, not {example.order}"
    kinds = len(set(example.orbits.values())) if question.up_to_symmetry else len(tilings)
    if goal in (Goal.COUNT, Goal.USES) and result.count != kinds:
        return f"it counts {result.count}, not {kinds}"
    if goal is Goal.ENUMERATE:
        if question.up_to_symmetry:
            found_kinds = [example.orbits[tiling] for tiling in found]
            if len(found_kinds) != kinds or len(set(found_kinds)) != kinds:
                return f"it lists {len(found_kinds)} tilings of {len(set(found_kinds))} kinds, not of {kinds}"
        elif Counter(found) != Counter(tilings):
            return f"it lists {len(found)} tilings, {len(set(found))} different ones, not {len(tilings)}"
    if goal is Goal.USES and result.uses is not None:
        uses = Counter(placed for tiling in tilings for placed in tiling)
        answered = {placed: n for option, n in result.uses.items() for placed in example.shown(option)}
        if {placed: n for placed, n in answered.items() if n} != dict(uses):
            return "it says wrongly how often placements are used"
    if goal is Goal.OPTIMISE and tilings:
        best = max(map(example.weight, tilings))
        if result.value != best:
            return f"its best tiling weighs {result.value}, not {best}"
    if goal is Goal.SAMPLE and len(found) != (_SAMPLES if tilings else 0):
        return f"it draws {len(found)} tilings, not {_SAMPLES}"
    return None


def _wrong_number(example: KnownExample, question: Question, result: Result, found: list[Any]) -> str | None:
    """The same for a problem with a known number of tilings. The tilings that the answer lists are verified already."""
    if result.stop is not Stop.DONE or question.goal is Goal.DECIDE:
        return None
    number = example.number(question.up_to_symmetry)
    if result.count != number:
        return f"it counts {result.count}, not {number}"
    if question.goal is Goal.ENUMERATE and (len(found), len(set(found))) != (number, number):
        return f"it lists {len(found)} tilings, {len(set(found))} different ones, not {number}"
    return None
