"""Check lists of solutions in a file: each answer after them must count as many, and they must be different."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Any

from tiler import printable
from tiler.amounts import counted
from tiler.errors import InputError


def miscounted(lines: Iterable[tuple[int, Hashable | Mapping[str, Any]]]) -> Iterator[tuple[int, str]]:
    """The lines of answers with a wrong count, and what is wrong. Mappings are answers, anything else a solution.

    Only an answer with a count is about all solutions: those of `--limit` are some, and samples may be the same.

    >>> list(miscounted([(1, "a"), (2, "b"), (3, {"count": 3})]))
    [(3, 'it counts 3 solutions, but 2 are listed before it')]
    """
    listed, different = 0, set[Hashable]()
    for line, each in lines:
        if not isinstance(each, Mapping):
            listed += 1
            different.add(each)
            continue
        count = each.get("count")
        if listed and type(count) is int:
            if count != listed:
                yield line, f"it counts {counted(count, 'solution')}, but {listed} are listed before it"
            elif len(different) < listed:
                yield line, f"it counts {counted(count, 'solution')}, but only {len(different)} of those before it are different"
        listed = 0
        different.clear()


def verdict(checked: int, wrong: Iterable[tuple[int, str | None]], source: str) -> int:
    """Print what is wrong in which line, or that nothing is; the exit status. InputError if nothing was checked."""
    told = [printable.line(f"wrong: {source}:{line}: {problem}") for line, problem in wrong if problem]
    if not checked:
        raise InputError("there is no solution in it", source)
    holds = "the solution holds" if checked == 1 else f"all {checked} solutions hold"
    print("\n".join(told or [holds]))
    return 4 if told else 0
