"""Compare the answers of one backend with some options, about one instance, with those of the brute force, for every question."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any

from tiler.ask.solve import solve
from tiler.backends import faults
from tiler.backends.base import Backend, is_installed
from tiler.backends.registry import parse_spec
from tiler.cover import filters
from tiler.cover.board import BoardCover
from tiler.errors import BadOption, TilerError
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.question.question import Goal, Limits, Question
from tiler.question.result import Stop
from tiler.selftest import brute_force
from tiler.selftest.brute_force import Tiling, as_tiling

MANY = 300  #: the most tilings of an instance
_SECONDS, _SAMPLES = 60.0, 5


@dataclass(frozen=True)
class Example:
    """An instance with the answers of the brute force."""

    instance: Instance
    tilings: frozenset[Tiling]

    @classmethod
    def of(cls, instance: Instance) -> Example | None:
        """Ask the brute force about an instance. None if there are too many tilings."""
        try:
            return cls(instance, frozenset(brute_force.allowed_tilings(instance, MANY)))
        except brute_force.TooManyError:
            return None

    @cached_property
    def orbits(self) -> dict[Tiling, frozenset[Tiling]]:
        """For every tiling a representative of its orbit."""
        return {tiling: orbit for orbit in brute_force.orbits(self.instance, MANY) for tiling in orbit}

    @cached_property
    def order(self) -> int:
        return len(brute_force.symmetries(self.instance))

    @cached_property
    def cover(self) -> BoardCover:
        """The cover, which is listed once for all questions."""
        return BoardCover.of(self.instance)

    @cached_property
    def weighted(self) -> Example:
        """The instance with weights of the tiles, some of them negative."""
        instance = self.instance
        weights = {tile.name: 3 * number * number - 4 for number, tile in enumerate(instance.distinct_tiles)}
        named = [instance.distinct_tiles[instance.number_of(tile.name)].name for tile in instance.tiles]
        tiles = [dataclasses.replace(tile, weight=weights[name]) for tile, name in zip(instance.tiles, named, strict=True)]
        return Example(dataclasses.replace(instance, tiles=tuple(tiles)), self.tilings)


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
    """The values to try of an option, but for its default: those that its declaration names. What needs a module that is not
    installed is left out."""
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
    return module is None or is_installed(module)


def answers(
    example: Example, spec: str, seed: int = 0, on_ask: Callable[[str], object] = lambda question: None
) -> Iterator[tuple[str, str | None]]:
    """Every question that can be put to a backend, and what is wrong with the answer, in words; None if it is right.

    The heaviest tiling is asked for of the instance with weights. `on_ask` is told each question before it is put.
    """
    backend = parse_spec(spec)
    for name, question in QUESTIONS.items():
        if backend.refusal(question, example.cover) is None:
            on_ask(name)
            yield name, _judged(example, backend, name, seed)


def shortest(
    example: Example, spec: str, name: str, wrong: str, seed: int = 0, on_ask: Callable[[str], object] = lambda spec: None
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
        again = _judged(example, parse_spec(shorter), name, seed)
        if again is not None:
            return shortest(example, shorter, name, again, seed, on_ask)
    return spec, wrong


def _judged(example: Example, backend: Backend, name: str, seed: int) -> str | None:
    """A sentence that says what is wrong with the answer to a question; None if it is right."""
    asked = dataclasses.replace(QUESTIONS[name], limits=Limits(seconds=_SECONDS), seed=seed)
    try:
        return _wrong(example.weighted if name == "optimise" else example, backend, asked)
    except TilerError as error:
        return None if error.exit_code == 2 else f"{type(error).__name__}: {error}"
    except Exception as error:  # An error of Tiler or of an engine counts as a wrong answer.
        return faults.fault(error) or f"internal error: {type(error).__name__}: {error}"


def _wrong(example: Example, backend: Backend, question: Question) -> str | None:
    answer = solve(example.instance, backend, question, cover=example.cover)
    result, found = answer.result, [as_tiling(each) for each in answer.solutions]
    tilings, goal = example.tilings, question.goal
    if result.stop is Stop.UNDECIDED and backend.complete and goal is not Goal.PROVE:
        return "its answer is unknown, but its class claims to be complete"
    if result.stop in (Stop.TIME, Stop.MEMORY, Stop.UNDECIDED):
        status: Sequence[Status] = (Status.UNKNOWN, Status.SAT if tilings else Status.UNSAT)
    else:
        status = (Status.SAT if tilings else Status.UNSAT,)
    if goal is Goal.PROVE and tilings:
        status = (Status.SAT, Status.UNKNOWN)
    if result.status not in status:
        return f"it says {result.status}, but there are {len(tilings)} tilings"
    if any(each not in tilings for each in found):
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
            found_kinds = [example.orbits[each] for each in found]
            if len(found_kinds) != kinds or len(set(found_kinds)) != kinds:
                return f"it lists {len(found_kinds)} tilings of {len(set(found_kinds))} kinds, not of {kinds}"
        elif Counter(found) != Counter(tilings):
            return f"it lists {len(found)} tilings, {len(set(found))} different ones, not {len(tilings)}"
    if goal is Goal.USES and result.uses is not None:
        uses = Counter(placed for tiling in tilings for placed in tiling)
        told = {placed: n for option, n in result.uses.items() for placed in as_tiling(example.cover.placements([option]))}
        if {placed: n for placed, n in told.items() if n} != dict(uses):
            return "it says wrongly how often placements are used"
    if goal is Goal.OPTIMISE and tilings:
        weight = {tile.name: tile.weight for tile in example.instance.tiles}
        best = max(sum(weight[name] for name, _ in tiling) for tiling in tilings)
        if result.value != best:
            return f"its best tiling weighs {result.value}, not {best}"
    if goal is Goal.SAMPLE and len(found) != (_SAMPLES if tilings else 0):
        return f"it draws {len(found)} tilings, not {_SAMPLES}"
    return None
