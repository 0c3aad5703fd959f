"""Say what an encoding is: a named way to write "at most k of these literals" as clauses. A formula takes these clauses.

Literals are as in DIMACS: variable v is v, its negation -v.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from tiler.backends.sat.groups import ClauseGroup
from tiler.errors import BadOption


@dataclass
class Formula:
    """A CNF under construction.

    `at_mosts` are constraints for engines that know them natively: at most k of these literals. All else is clauses.
    """

    variables: int = 0  #: the number of variables, which are 1 to this number
    clauses: list[list[int]] = field(default_factory=list)
    at_mosts: list[tuple[list[int], int]] = field(default_factory=list)
    groups: list[ClauseGroup] = field(default_factory=list)  #: the facts of groups of clauses, as far as encoders give them

    def new(self) -> int:
        """Make a variable that is in no clause yet."""
        self.variables += 1
        return self.variables

    def add(self, *literals: int) -> None:
        """Add a clause."""
        self.clauses.append(list(literals))

    @contextmanager
    def group(self, **fact: Any) -> Iterator[dict[str, Any]]:
        """Note that the clauses added inside the block say this fact. Later parts of the fact are put into the dictionary that it
        yields."""
        first, new = len(self.clauses) + 1, self.variables + 1
        yield fact
        if len(self.clauses) >= first:
            self.groups.append(ClauseGroup(first, len(self.clauses), new, fact))

    def extend(self, clauses: Iterable[Sequence[int]], variables: int) -> None:
        """Add clauses made elsewhere. Their own variables come after those of this formula; the last one is `variables`."""
        self.clauses.extend(map(list, clauses))
        self.variables = max(self.variables, variables)

    def refuse_native(self) -> None:
        """BadOption if there are native constraints."""
        if self.at_mosts:
            raise BadOption("a CNF has clauses only; choose another encoding than native")

    def lines(self) -> Iterator[str]:
        """The lines of a CNF file without comments."""
        self.refuse_native()
        yield f"p cnf {self.variables} {len(self.clauses)}"
        for clause in self.clauses:
            yield " ".join(map(str, (*clause, 0)))


#: A function that writes "at most `bound` of the literals" into a formula; 1 <= bound < number of literals.
Encode = Callable[[Formula, Sequence[int], int], None]


@dataclass(frozen=True)
class Encoding:
    """A named encoding.

    `largest` is the largest bound that it can write; None for any. `native` marks the encoding that leaves the constraint to the
    engine. `checked`: the check of a proof knows what its own variables mean (checking/thresholds.py).
    """

    name: str
    source: str
    encode: Encode
    largest: int | None = None
    native: bool = False
    checked: bool = True
