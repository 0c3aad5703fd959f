"""Check lists of solutions in a file: each answer after them must count as many, and they must be different."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Any

from tiler import printable
from tiler.amounts import counted
from tiler.errors import InputError
from tiler.jsontext import shown
from tiler.model.expected import Status


def misstated(lines: Iterable[tuple[int, Hashable | Mapping[str, Any]]]) -> Iterator[tuple[int, str]]:
    """The lines of answers that cannot be right after the solutions before them, and what is wrong. Mappings are answers,
    anything else a solution.

    Only an answer with a count is about all solutions: those of `--limit` are some, and samples may be the same.

    >>> list(misstated([(1, "a"), (2, "b"), (3, {"count": 3})]))
    [(3, 'it counts 3 solutions, but 2 are listed before it')]
    """
    listed, different = 0, set[Hashable]()
    for line, each in lines:
        if not isinstance(each, Mapping):
            listed += 1
            different.add(each)
            continue
        wrong = _error_in(each, listed, len(different))
        if wrong:
            yield line, wrong
        listed = 0
        different.clear()


def _error_in(answer: Mapping[str, Any], listed: int, different: int) -> str | None:
    """The reason why an answer cannot be right that comes after these numbers of solutions, and of different ones."""
    status, count = answer.get("status", Status.UNKNOWN), answer.get("count")
    for key in ("count", "symmetry"):
        value = answer.get(key)
        if value is not None and (type(value) is not int or value < 0):
            return f"its {key} is {shown(value)}, which is no whole number from 0"
    if status not in tuple(Status):
        return f"its status is {shown(status)}; there are {', '.join(Status)}"
    if listed and status == Status.UNSAT:
        return f"it says {status}, but {counted(listed, 'solution')} {'is' if listed == 1 else 'are'} listed before it"
    if count is not None and status != Status.UNKNOWN and (status == Status.SAT) != (count > 0):
        return f"it says {status}, and counts {counted(count, 'solution')}"
    if not listed or count is None:
        return None
    if count != listed:
        return f"it counts {counted(count, 'solution')}, but {listed} are listed before it"
    if different < listed:
        return f"it counts {counted(count, 'solution')}, but only {different} of those before it are different"
    return None


def verdict(checked: int, wrong: Iterable[tuple[int, str | None]], source: str) -> int:
    """Print what is wrong in which line, or that nothing is; the exit status. InputError if nothing was checked."""
    faults = [printable.line(f"wrong: {source}:{line}: {problem}") for line, problem in wrong if problem]
    if not checked:
        raise InputError("there is no solution in it", source)
    holds = "the solution holds" if checked == 1 else f"all {checked} solutions hold"
    print("\n".join(faults or [holds]))
    return 4 if faults else 0
