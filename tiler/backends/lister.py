"""Make a backend of one method that yields solutions. Everything else that a search owes its caller is done here: counting, the
bounds on copies, limits, progress and the result; and every solution is verified, also those that are only counted."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tiler import portable
from tiler.backends.base import Backend
from tiler.cover.cover import Cover
from tiler.cover.verify import error_in_items
from tiler.errors import BadSolution
from tiler.question.events import Found, Progress, RunningSearch, SearchContext
from tiler.question.question import Goal, Question
from tiler.question.result import Result


@dataclass(frozen=True)
class Lister(Backend):
    """A backend that decides, counts and lists by one method, `solutions`."""

    @abstractmethod
    def solutions(self, cover: Cover) -> Iterator[Sequence[int] | None]:
        """Yield every set of options that covers each item exactly once, each set once, as numbers of options; and None at every
        node, in between: then the caller looks at the clock, the memory and Ctrl-C.

        Sets in which a tile is used fewer times than `cover.lower` or more often than `cover.upper` are passed over, so that the
        bounds are only there to search less. The caller may close the generator when it has enough solutions. If the class says
        `complete = False`, the end of the generator does not mean that there are no further solutions.
        """

    def search(self, cover: Cover, question: Question, context: SearchContext) -> RunningSearch:
        """Follow `solutions`. BadSolution if what it yields does not cover each item exactly once."""
        wanted, found, nodes = question.solutions_wanted, 0, 0
        for chosen in self.solutions(cover):
            if chosen is None:
                nodes += 1
            elif self._is_within_bounds(cover, chosen):
                found += 1
                if question.goal is not Goal.COUNT:
                    yield Found(tuple(map(int, chosen)))
                if found == wanted:
                    break
            yield Progress(nodes, found)
        exhausted = self.complete and found != wanted
        return Result.of_search(question, found=found, exhausted=exhausted, nodes=nodes)

    def _is_within_bounds(self, cover: Cover, chosen: Sequence[int]) -> bool:
        """Whether no tile is used too often or too rarely."""
        wrong = error_in_items(cover, chosen)
        if wrong is not None:
            raise BadSolution(f"{self} yields {list(chosen)!s:.60}, which is no solution: {wrong}")
        used = portable.bincount(cover.tile[list(chosen)], minlength=len(cover.names))
        return bool(((cover.lower <= used) & (used <= cover.upper)).all())
