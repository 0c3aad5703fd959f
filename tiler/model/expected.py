"""Hold what a problem file expects of the answer."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tiler.errors import InputError


class Status(StrEnum):
    """The verdict on an instance."""

    SAT = "sat"
    UNSAT = "unsat"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Expected:
    """Facts that are known about the answer beforehand; None for each that is not known."""

    verdict: Status | None = None
    count: int | None = None  #: the raw count of tilings, not up to symmetry
    up_to_symmetry: int | None = None

    def __post_init__(self) -> None:
        counts = [count for count in (self.count, self.up_to_symmetry) if count is not None]
        verdicts = {Status.SAT if count else Status.UNSAT for count in counts}
        if self.verdict is not None:
            verdicts.add(self.verdict)
        if len(verdicts) > 1 or Status.UNKNOWN in verdicts:
            raise InputError("the expected verdict and the expected counts contradict each other")
        if verdicts:
            object.__setattr__(self, "verdict", verdicts.pop())
