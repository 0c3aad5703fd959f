"""A general exact cover with all its solutions, found by trying every set of rows, from the text alone: this shares no code with
the reader of the format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, combinations

from tiler.ask.solve import solve_cover
from tiler.backends.base import Backend
from tiler.cover.cover import RowCover
from tiler.formats import dlx
from tiler.grouping import grouped
from tiler.question.question import Goal, Question
from tiler.question.result import Result

Rows = frozenset[int]


@dataclass(frozen=True)
class RowsExample:
    """A general exact cover with the answers of the brute force."""

    name: str
    text: str
    tilings: frozenset[Rows]
    order: int = 1
    kind: str = "exact cover"

    @classmethod
    def of(cls, name: str, text: str) -> RowsExample:
        """Ask the brute force about a text in the format of Knuth's programs."""
        return cls(name, text, frozenset(solutions(text)))

    @cached_property
    def cover(self) -> RowCover:
        """The cover that the text stands for."""
        return dlx.parse(self.text)

    @property
    def problem(self) -> str:
        """What is asked about: the text."""
        return self.text

    @property
    def size(self) -> int:
        """The number of items."""
        return self.cover.given

    @property
    def tilings_there_are(self) -> int:
        """The number of solutions."""
        return len(self.tilings)

    def suits(self, question: Question) -> bool:
        """Whether a question can be asked about it: it has no symmetries and no weights."""
        return not question.up_to_symmetry and question.goal is not Goal.OPTIMISE

    @property
    def orbits(self) -> Mapping[Rows, Rows]:
        """No symmetries are known."""
        return {rows: rows for rows in self.tilings}

    @property
    def weighted(self) -> RowsExample:
        """The same: the format has no weights."""
        return self

    def ask(self, backend: Backend, question: Question) -> tuple[Result, list[Rows]]:
        """The answer of a backend, and the sets of rows that it shows."""
        answer = solve_cover(self.cover, backend, question, name=self.name)
        return answer.result, [frozenset(rows) for rows in answer.solutions]

    def shown(self, option: int) -> Rows:
        """The row of an option; none for an item that stays open."""
        return frozenset(self.cover.shown([option]).tolist())

    def weight(self, rows: Rows) -> int:
        """Rows weigh nothing."""
        return 0


def solutions(text: str) -> list[Rows]:
    """Every set of rows that covers each primary item as often as the first line says, and in which rows that share a secondary
    item give it the same colour."""
    first, *lines = text.splitlines()
    bounds = {}
    for word in first.split(" | ")[0].split():
        times, _, name = word.rpartition("|")
        least, _, most = times.partition(":")
        bounds[name] = (int(least or 1), int(most or least or 1))
    options = [[word.partition(":")[::2] for word in line.split()] for line in lines]
    numbers = range(len(options))
    some = chain.from_iterable(combinations(numbers, size) for size in range(len(options) + 1))
    return [frozenset(chosen) for chosen in some if _is_solution(bounds, [options[number] for number in chosen])]


def _is_solution(bounds: Mapping[str, tuple[int, int]], options: Sequence[Sequence[tuple[str, str]]]) -> bool:
    colours = grouped(chain.from_iterable(options))
    if not all(least <= len(colours.get(name, ())) <= most for name, (least, most) in bounds.items()):
        return False
    return all(
        len(given) == 1 or (len(set(given)) == 1 and given[0] != "") for name, given in colours.items() if name not in bounds
    )
