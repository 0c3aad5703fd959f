"""Mark functions that kernels call (`inner`), and hold those that all kernels share: on words of 64 bits, which run as Python
here and as machine instructions in compiled code (compiler.py), and on rows of numbers: `into[i] = row` would need new memory,
which compiled kernels do not have.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

#: Each, and whether it becomes part of who calls it.
inners: dict[Callable[..., Any], bool] = {}


def inner(*, inline: bool = False) -> Callable[[F], F]:
    """Decorator of what kernels call: compiled with them, for the types that they call it with.

    With `inline` it becomes part of them: where the compiler does not see to that by itself, a call costs some ten nanoseconds.
    Called from Python it runs as Python, and arithmetic that wraps round warns.
    """

    def made(function: F) -> F:
        inners[function] = inline
        return function

    return made


@inner(inline=True)
def copy_row(row: Any, into: Any) -> None:
    """Copy numbers, from the first on: into a row that is no shorter, and lies elsewhere or before it."""
    for i in range(row.size):
        into[i] = row[i]


@inner(inline=True)
def end_solution(solutions: Any, length: int, most: int) -> bool:
    """End the solution whose numbers have just been written behind the others (`SolutionRows`). Whether there are `most` now."""
    count = solutions.filled
    solutions.lengths[count[0]] = length
    count[0] += 1
    return bool(count[0] >= most)


def seldom(condition: bool) -> bool:
    """The same condition, for an `if` in an inmost loop that is hardly ever true: what is done then, above all if that is a loop,
    is not to take registers from the rest. It helps in some kernels and harms others, so measure."""
    return condition


def trailing_zeros(word: Any) -> Any:
    """The position of the lowest bit that is set; the word must not be zero."""
    word = int(word)
    return (word & -word).bit_length() - 1


def population(word: Any) -> Any:
    """The number of bits that are set."""
    return int(word).bit_count()
