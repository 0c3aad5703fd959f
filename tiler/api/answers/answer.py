"""The answer to whether there is a tiling."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Generic, NoReturn, TypeVar

from tiler.amounts import duration
from tiler.errors import BadArgument
from tiler.model.expected import Status
from tiler.question.result import Stop

T = TypeVar("T")


@dataclass(frozen=True, repr=False)
class Answer(Generic[T]):
    """The answer of `solve`: what is known, why the search stopped, and a tiling if one was found. This is a `Tiling`, or for a
    general exact cover a list of row numbers. Notebooks draw it. An answer cannot be used as a truth value, since it may be
    unknown:

    >>> import tiler
    >>> answer = tiler.solve(tiler.make("3x3", "2"))
    >>> answer.status, answer.tiling, answer.message
    (<Status.UNSAT: 'unsat'>, None, 'area: pieces of 2 cells cannot add up to 9 cells')
    >>> bool(answer)
    Traceback (most recent call last):
        ...
    tiler.errors.BadArgument: an answer is not true or false, but sat, unsat or unknown: ask answer.status, or answer.tiling

    Nor can it be compared with a word: ask `answer.status == "unsat"`.
    """

    status: Status  #: `sat`, `unsat` or `unknown`; equal to these words
    stop: Stop  #: `done`, or the limit that ended the search
    tiling: T | None
    solver: str  #: the full spec
    seconds: float  #: wall clock: listing the placements, and the search
    message: str  #: the reason, in words; may be empty
    stats: Mapping[str, Any] = field(compare=False)  #: counters: see `tiler solvers NAME`
    found: int = 0  #: how many tilings the search met until it stopped
    value: int | None = None  #: where the heaviest was asked for: what it weighs
    bound: int | None = None  #: no tiling is heavier; equal to `value` where that is proved to be the most
    turned_over: bool | None = None  #: whether pieces could be turned over; None if that makes no difference

    def __bool__(self) -> NoReturn:
        raise BadArgument("an answer is not true or false, but sat, unsat or unknown: ask answer.status, or answer.tiling")

    def __eq__(self, other: object) -> bool:
        if isinstance(other, str):
            raise BadArgument(f"an answer is no word: ask answer.status == {other!r}")
        return self._compared == other._compared if isinstance(other, Answer) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._compared)

    @property
    def _compared(self) -> tuple[object, ...]:
        return tuple(getattr(self, each.name) for each in fields(self) if each.compare)

    def __repr__(self) -> str:
        stop = "" if self.stop is Stop.DONE else f" ({self.stop})"
        weight = "" if self.value is None else f", weight {self.value:,}"
        over = {None: "", True: ", pieces may be turned over", False: ", pieces not turned over"}[self.turned_over]
        return f"Answer({self.status}{stop}{weight}{over}, {self.solver.partition(':')[0]}, {duration(self.seconds)})"

    def _repr_svg_(self) -> str | None:
        draw = getattr(self.tiling, "_repr_svg_", None)
        return None if draw is None else draw()
