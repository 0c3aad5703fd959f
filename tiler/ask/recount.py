"""Count some parts of a count again by another solver, to find a wrong number without counting the whole twice. A count up to
symmetry, or by several processes, lists its parts (`Parts`). The parts are made again from the instance. The plan, the split and
the meaning of an instance are trusted; the results of searches are not.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from tiler import jsontext
from tiler.ask import planner
from tiler.ask.parts import SearchPart
from tiler.ask.split.parallel import split_digest
from tiler.ask.split.worker import Assignment
from tiler.ask.symmetry import orbits
from tiler.backends.base import Backend
from tiler.backends.registry import parse_spec
from tiler.cover.board import BoardCover
from tiler.cover.cover import Cover
from tiler.cover.split import restrict
from tiler.errors import InputError
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.question.question import Goal, Limits, Question
from tiler.question.result import Parts, Stop

#: The default: the first of these that did not count the part, and can.
_OTHERS = ("dlx", "backtracking")


Natural = Annotated[int, Meta(ge=0)]
Seconds = Annotated[float, Meta(ge=0)]


class _Answer(Struct, forbid_unknown_fields=True, frozen=True):
    """An answer that has parts, as `tiler count` writes it."""

    schema: Literal["tiler-answer-1"]
    instance: str
    digest: str
    solver: str
    status: Status
    stop: Stop
    count: Natural | None
    symmetry: Natural | None
    parts: Parts
    encode_seconds: Seconds
    solve_seconds: Seconds
    verify_seconds: Seconds
    draw_seconds: Seconds
    stats: dict[str, Any]
    message: str
    threads: Annotated[int, Meta(ge=1)] = 1
    turned_over: bool | UnsetType | None = UNSET

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> _Answer:
        """InputError for anything else."""
        if data.get("parts") is None:
            raise InputError("it lists no parts: count with --up-to-symmetry or --executor, or by a second solver")
        try:
            answer = msgspec.convert(data, cls)
            msgspec.convert(answer.stats.get("found"), Natural)
        except msgspec.ValidationError as error:
            raise InputError(f"not as `tiler count` writes it: {error}") from None
        parts = answer.parts
        every = *parts.times, *parts.found, *chain(*parts.generators), parts.pieces, parts.divisor - 1
        is_whole = len(parts.times) == len(parts.found) and vars(parts).keys() == data["parts"].keys()
        if not is_whole or min(number or 0 for number in every) < 0:
            raise InputError("its parts are not as `tiler count` writes them")
        return answer


@dataclass(frozen=True)
class Recount:
    """The result of a recount: the parts counted again, and of how many; the parts that no solver finished in time; the first
    wrong part."""

    again: int
    parts: int
    unfinished: int = 0
    solvers: tuple[str, ...] = ()
    wrong: str | None = None


def recount(
    instance: Instance,
    answer: Mapping[str, Any],
    share: float,
    *,
    solver: str | None = None,
    seed: int = 0,
    seconds: float | None = None,
    threads: int = 1,
    on_part: Callable[[int], None] = lambda number: None,
) -> Recount:
    """Count a random share (0 to 1) of the parts of an answer again, at least one of them.

    `answer` is a summary as `Answered.summary` makes it; InputError if it has no parts, or if they are not those of this instance
    in this version. `seconds` and `threads` are for each part.
    """
    entry = _Answer.read(answer)
    parts = entry.parts
    if entry.digest != instance.digest:
        return Recount(0, len(parts.found), wrong="it is about another problem")
    if entry.turned_over not in (UNSET, instance.turned_over):
        return Recount(0, len(parts.found), wrong="it says otherwise whether pieces could be turned over")
    wrong = _wrong_sum(entry) or _wrong_way(entry)
    if wrong:
        return Recount(0, len(parts.found), wrong=wrong)
    made = _made(instance, parts, entry.symmetry)
    if isinstance(made, str):
        return Recount(0, len(parts.found), wrong=made)
    counted = [number for number, found in enumerate(parts.found) if found is not None]
    if not counted:
        raise InputError("none of its parts was counted completely")
    drawn = sorted(random.Random(seed).sample(counted, max(1, round(share * len(counted)))))
    again, unfinished, used = 0, 0, set()
    for number in drawn:
        on_part(number)
        part, cover = made(number)
        other = _other(part.backend, cover, solver)
        question = Question(Goal.COUNT, Limits(seconds=seconds, threads=threads))
        found, result = orbits.count(replace(part, backend=other), cover, question)
        if result.stop is not Stop.DONE:
            unfinished += 1
            continue
        again += 1
        used.add(str(other))
        if found != parts.found[number]:
            wrong = f"part {number + 1} of {len(parts.found)}: {other} counts {found}, not {parts.found[number]}"
            return Recount(again, len(parts.found), unfinished, tuple(sorted(used)), wrong)
    return Recount(again, len(parts.found), unfinished, tuple(sorted(used)))


def _wrong_sum(answer: _Answer) -> str | None:
    """What is wrong with the whole answer, compared with its parts: the count, the verdict, why it stopped, or how many tilings
    were found."""
    count, parts, found = answer.count, answer.parts, answer.stats["found"]
    missing = sum(found is None for found in parts.found)
    if count is not None and missing:
        return f"the count is said to be {count}, but {missing} of its parts are not counted"
    total = sum(times * (found or 0) for times, found in zip(parts.times, parts.found, strict=True))
    if count is not None and total != count * parts.divisor:
        return f"its parts add up to {total} / {parts.divisor}, not {count}"
    if (answer.stop is Stop.DONE) is (count is None):
        return f"it stopped because of {str(answer.stop)!r}, and the count is said to be {'unknown' if count is None else count}"
    least = -(-total // parts.divisor)
    if found < least or (count is not None and found != count):
        return f"its parts have {least} tilings, but {found} are said to be found"
    right = Status.SAT if found else Status.UNKNOWN if count is None else Status.UNSAT
    wrong = f"{found} tilings are said to be found, so the answer is {right}, not {answer.status}"
    return None if answer.status is right else wrong


def _wrong_way(answer: _Answer) -> str | None:
    """What is wrong with how the parts are said to be made."""
    parts, is_symmetric = answer.parts, answer.symmetry is not None
    if parts.pieces is None and not is_symmetric:
        return "it has parts that were not split, so it is an answer up to symmetry, but names no group"
    # Only an answer up to symmetry says in its statistics by which way.
    method = answer.stats.get("method")
    if method != (parts.method if is_symmetric else None):
        return f"its parts are made by {jsontext.shown(parts.method)}, its statistics speak of {jsontext.shown(method)}"
    asked, maker = parse_spec(answer.solver), parse_spec(parts.solver)
    if type(maker) not in planner.searchers(asked):
        return f"its parts are made by {maker.name}, but {asked.name} was asked"
    partial = next((text for text, backend in ((answer.solver, asked), (parts.solver, maker)) if backend.spec != text), None)
    return None if partial is None else f"{jsontext.shown(partial)} is no full spec"


def _made(instance: Instance, parts: Parts, symmetry: int | None) -> Callable[[int], tuple[SearchPart, Cover]] | str:
    """Each part by its number, with the cover that is searched; or what is wrong."""
    cover = BoardCover.of(instance)
    decomposition = Assignment(instance, parts.solver, Goal.COUNT, symmetry is not None).decomposed(cover)
    if symmetry is not None and symmetry != decomposition.order:
        return f"the group has order {decomposition.order}, not {symmetry}"
    if parts.generators != decomposition.generators:
        return "its generators are not those of the group"
    if parts.pieces is None:
        times, digest = tuple(part.times for part in decomposition.parts), decomposition.digest
    else:
        # If there are fewer parts than were asked for, the covers have no more: then asking for one more gives the same parts.
        subproblems = decomposition.split(min(parts.pieces, len(parts.found) + 1))
        times, digest = tuple(decomposition.parts[subproblem.part].times for subproblem in subproblems), split_digest(subproblems)
    recorded = (decomposition.solver, decomposition.method, decomposition.divisor, times, digest)
    if recorded != (parts.solver, parts.method, parts.divisor, parts.times, parts.digest):
        return "its parts are not those that this problem has; another version of Tiler made them, or they are changed"

    def made(number: int) -> tuple[SearchPart, Cover]:
        if parts.pieces is None:
            return decomposition.parts[number], decomposition.parts[number].cover
        part = decomposition.parts[subproblems[number].part]
        return part, restrict(part.cover, subproblems[number].choices)

    return made


def _other(before: Backend, cover: Cover, solver: str | None) -> Backend:
    """The solver to count a part again with."""
    if solver is not None:
        chosen = parse_spec(solver)
        if chosen.refusal(Question(Goal.COUNT), cover) is None:
            return chosen
    return parse_spec(next(name for name in _OTHERS if name != before.name))
