"""Some parts of a count counted again by another solver: a number that is wrong comes out, without the whole being counted twice.

A count up to symmetry, or one that several processes made, says what it is the sum of (`Parts`). The parts are made again from
the instance: the plan and the split are trusted, and so is what an instance means. Everything that was searched is not.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tiler.ask import orbits
from tiler.ask.parallel import split_digest
from tiler.ask.parts import Part
from tiler.ask.subsearch import Assignment
from tiler.backends.base import Backend
from tiler.backends.registry import parse_spec
from tiler.cover.board import BoardCover
from tiler.cover.cover import Cover
from tiler.cover.split import restrict
from tiler.errors import InputError
from tiler.model.instance import Instance
from tiler.question.question import Goal, Limits, Question
from tiler.question.result import Parts, Stop

#: The default: the first of these that did not count the part, and can.
_OTHERS = ("dlx", "backtracking")


@dataclass(frozen=True)
class Recount:
    """What came of it: the parts counted again, of how many; those that no solver finished in time; the first that is wrong."""

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
    on_part: Callable[[int], None] = lambda number: None,
) -> Recount:
    """Count a random share (0 to 1) of the parts of an answer again, at least one of them.

    `answer` is a summary as `Answered.summary` makes it; InputError if it has no parts, or if they are not those of this instance
    in this version. `seconds` is the limit for each part.
    """
    parts, symmetric = _parts(answer), answer.get("symmetry") is not None
    if answer.get("digest") != instance.digest:
        return Recount(0, len(parts.found), wrong="it is about another problem")
    wrong = _wrong_sum(parts, answer.get("count"))
    if wrong:
        return Recount(0, len(parts.found), wrong=wrong)
    made = _made(instance, parts, symmetric, answer.get("symmetry"))
    if isinstance(made, str):
        return Recount(0, len(parts.found), wrong=made)
    counted = [number for number, found in enumerate(parts.found) if found is not None]
    if not counted:
        raise InputError("none of its parts is counted to its end")
    drawn = sorted(random.Random(seed).sample(counted, max(1, round(share * len(counted)))))
    again, unfinished, used = 0, 0, set()
    for number in drawn:
        on_part(number)
        part, cover = made(number)
        other = _other(part.backend, cover, solver)
        question = Question(Goal.COUNT, Limits(seconds=seconds))
        found, result = orbits.count(replace(part, backend=other), cover, question, started=time.perf_counter())
        if result.stop is not Stop.DONE:
            unfinished += 1
            continue
        again += 1
        used.add(str(other))
        if found != parts.found[number]:
            told = f"part {number + 1} of {len(parts.found)}: {other} counts {found}, not {parts.found[number]}"
            return Recount(again, len(parts.found), unfinished, tuple(sorted(used)), told)
    return Recount(again, len(parts.found), unfinished, tuple(sorted(used)))


def _parts(answer: Mapping[str, Any]) -> Parts:
    data = answer.get("parts")
    if data is None:
        raise InputError("it says nothing of parts: count with --up-to-symmetry or --jobs, or count the whole again")
    names = {"solver": str, "method": str, "divisor": int, "times": list, "found": list, "digest": str}
    if not isinstance(data, dict) or any(type(data.get(name)) is not kind for name, kind in names.items()):
        raise InputError("its parts are not as `tiler count` writes them")
    times, found = data["times"], data["found"]
    pieces = data.get("pieces")
    numbers = [*times, *(each for each in found if each is not None), data["divisor"], *([] if pieces is None else [pieces])]
    if len(times) != len(found) or any(type(each) is not int or each < 0 for each in numbers) or not data["divisor"]:
        raise InputError("its parts are not as `tiler count` writes them")
    told = (data["solver"], data["method"], data["divisor"], pieces, tuple(times), tuple(found), data["digest"])
    return Parts(*told)


def _wrong_sum(parts: Parts, count: Any) -> str | None:
    """What is wrong with the whole, by its parts."""
    if count is None:
        return None
    missing = sum(found is None for found in parts.found)
    if missing:
        return f"the count is said to be {count}, but {missing} of its parts are not counted"
    whole = sum(times * (found or 0) for times, found in zip(parts.times, parts.found, strict=True))
    return None if whole == count * parts.divisor else f"its parts make {whole} / {parts.divisor}, not {count}"


def _made(instance: Instance, parts: Parts, symmetric: bool, order: Any) -> Callable[[int], tuple[Part, Cover]] | str:
    """Each part by its number, with the cover that is searched; or what is wrong."""
    cover = BoardCover.of(instance)
    plan = Assignment(instance, parts.solver, Goal.COUNT, symmetric).plan(cover)
    if symmetric and order != plan.order:
        return f"the group has order {plan.order}, not {order}"
    if parts.pieces is None:
        times, digest = tuple(part.times for part in plan.parts), plan.digest
    else:
        subproblems = plan.split(parts.pieces)
        times, digest = tuple(plan.parts[each.part].times for each in subproblems), split_digest(subproblems)
    if (plan.method, plan.divisor, times, digest) != (parts.method, parts.divisor, parts.times, parts.digest):
        return "its parts are not those that this problem has; another version of Tiler made them, or they are changed"

    def made(number: int) -> tuple[Part, Cover]:
        if parts.pieces is None:
            return plan.parts[number], plan.parts[number].cover
        part = plan.parts[subproblems[number].part]
        return part, restrict(part.cover, subproblems[number].choices)

    return made


def _other(before: Backend, cover: Cover, solver: str | None) -> Backend:
    """The solver to count a part again with."""
    if solver is not None:
        chosen = parse_spec(solver)
        if chosen.refusal(Question(Goal.COUNT), cover) is None:
            return chosen
    return parse_spec(next(name for name in _OTHERS if name != before.name))
