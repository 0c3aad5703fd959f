"""Write weighted CNF files in the form of the MaxSAT evaluations since 2022: `h` begins a hard clause, a weight a soft one.

The hard clauses are those of the tilings. The soft clauses give the weight of a tiling: a placement of a tile of positive weight
should be made, a placement of a tile of negative weight should not. The cost of a tiling is the weight of all placements of
positive weight together, less the weight of the tiling. So the cheapest tiling is the heaviest. Comments are those of dimacs.py.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from tiler.backends.sat import dimacs
from tiler.errors import InputError

if TYPE_CHECKING:
    from tiler.backends.sat.tiling import TilingFormula
    from tiler.cover.cover import Cover

_DIGITS = 18  # the most digits of a number


def write(cover: Cover, tiling: TilingFormula, *, optimises: bool, comments: Sequence[str] | None = None) -> Iterator[str]:
    """The lines of a file. Without `optimises` all clauses are hard; for `comments` None there are no comments. BadOption if
    there are native constraints, which are no clauses."""
    dimacs.refuse_native(tiling.formula)
    yield from dimacs.comments(cover, tiling, comments)
    for clause in tiling.formula.clauses:
        yield " ".join(map(str, ("h", *clause, 0)))
    for variable, option in enumerate(tiling.option, 1):
        weight = int(cover.weights[cover.tile[option]]) if optimises else 0
        if weight:
            yield f"{abs(weight)} {variable if weight > 0 else -variable} 0"


def cost(content: str, true: Collection[int], source: str | None = None) -> int:
    """The sum of the weights of the soft clauses of a file that are violated, if these variables are true."""
    total = 0
    for number, line in enumerate(content.splitlines(), 1):
        words = line.split()
        if not words or words[0] in ("c", "h"):
            continue
        if not all(re.fullmatch(rf"-?\d{{1,{_DIGITS}}}", word) for word in words) or words[-1] != "0":
            raise InputError("neither a comment nor a clause, hard or soft", source, number)
        weight, *literals = map(int, words[:-1])
        if not any((abs(literal) in true) == (literal > 0) for literal in literals):
            total += weight
    return total
