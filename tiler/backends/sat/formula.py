"""Say what an encoding is: a named way to write "at most k of these literals" as clauses. A formula takes these clauses.

Literals are as in DIMACS: variable v is v, its negation -v.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from tiler.backends.sat.groups import ClauseGroup


@dataclass
class Formula:
    """A CNF under construction.

    `at_mosts` are constraints for engines that know them natively: at most k of these literals. All else is clauses.
    """

    variables: int = 0  #: they are 1 to this
    clauses: list[list[int]] = field(default_factory=list)
    at_mosts: list[tuple[list[int], int]] = field(default_factory=list)
    groups: list[ClauseGroup] = field(default_factory=list)  #: what the clauses say, where an encoder tells

    def new(self) -> int:
        """A variable that nothing speaks of yet."""
        self.variables += 1
        return self.variables

    def add(self, *literals: int) -> None:
        """Add a clause."""
        self.clauses.append(list(literals))

    @contextmanager
    def group(self, **fact: Any) -> Iterator[dict[str, Any]]:
        """The clauses added inside say this fact; what comes to be known of it meanwhile is put into what this gives."""
        first, new = len(self.clauses) + 1, self.variables + 1
        yield fact
        if len(self.clauses) >= first:
            self.groups.append(ClauseGroup(first, len(self.clauses), new, fact))

    def extend(self, clauses: Iterable[Sequence[int]], variables: int) -> None:
        """Add clauses made elsewhere, whose own variables follow this formula's and end at `variables`."""
        self.clauses.extend(map(list, clauses))
        self.variables = max(self.variables, variables)


#: Writes "at most `bound` of the literals" into a formula; called with 1 <= bound < number of literals only.
Encode = Callable[[Formula, Sequence[int], int], None]


@dataclass(frozen=True)
class Encoding:
    """A named encoding.

    `largest` is the largest bound it can write, None for any. `native` marks the one that leaves the constraint to the engine.
    """

    name: str
    source: str
    encode: Encode
    largest: int | None = None
    native: bool = False
