"""Describe the clauses that an encoder wrote in groups, so that the checker of a proof knows from which facts they must follow.

A CNF file has a comment for each group. `c group 1 13 101 {"cell": [0, 0], "by": "bimander"}` says: the clauses 1 to 13 demand
that the cell is covered exactly once, in the encoding `bimander`, and their own variables begin with 101. The groups follow one
another and leave no clause out. checking/faithful.py lists the facts, and believes none of them.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from tiler import jsontext
from tiler.errors import InputError

_HEADER = re.compile(r"c group ([0-9]{1,18}) ([0-9]{1,18}) ([0-9]{1,18}) (\{.*\})")


@dataclass(frozen=True)
class ClauseGroup:
    """The clauses `first` to `last`, counted from 1, and the fact that they encode; their own variables begin with `new`."""

    first: int
    last: int
    new: int
    fact: dict[str, Any]

    @property
    def header(self) -> str:
        """The comment of a CNF file for this group."""
        return f"c group {self.first} {self.last} {self.new} {json.dumps(self.fact)}"


def read(content: str, source: str | None = None) -> list[ClauseGroup]:
    """The groups of a CNF file; none if it was not written by Tiler. InputError if a header cannot be read."""
    found = []
    for number, line in enumerate(content.split("\n"), 1):
        if line.startswith("c group "):
            match = _HEADER.fullmatch(line)
            if not match:
                raise InputError("not a group of clauses as `tiler convert` writes it", source, number)
            try:
                fact = jsontext.loads(match[4], number)
            except InputError as error:
                raise error.at(source, number) from None
            found.append(ClauseGroup(int(match[1]), int(match[2]), int(match[3]), fact))
    return found
