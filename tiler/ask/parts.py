"""Hold the parts of an answer that needs more than one search, and their results so far."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import zip_longest
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tiler.backends.base import Backend
from tiler.cover.cover import Cover
from tiler.cover.split import Subproblem, split
from tiler.errors import BadSolution
from tiler.process.cancellation import StopCheck, never_stop
from tiler.question.plan import Candidate, Way
from tiler.question.result import Parts

Maps = NDArray[np.int64]  # shape (symmetries, options)


@dataclass(frozen=True)
class SearchPart:
    """A part of the search, with symmetries (without the identity): if they map tilings of the part onto each other, only the
    least of these counts. Each tiling stands for `times` tilings of parts like this one."""

    backend: Backend
    cover: Cover
    maps: Maps
    times: int = 1


@dataclass(frozen=True)
class Decomposition:
    """The parts of an answer up to symmetry. The answer is the sum of their numbers of tilings, divided by `divisor`.

    `order` is the order of the group; for a group of one the way is plain. Only Burnside's way divides, and then only for
    counting.
    """

    method: Way
    order: int
    parts: tuple[SearchPart, ...]
    divisor: int = 1
    because: str = ""  #: why it is this way, if that is not in `stats`
    stats: Mapping[str, Any] = field(default_factory=dict)  #: for the statistics: which anchor and search were chosen, and why
    is_settled: bool = True  #: whether another choice, with more thought, would be the same
    asked: str = ""  #: the spec of the backend that it is for
    solver: str = ""  #: the full spec of the backend that searches, with the anchor that was chosen
    generators: tuple[tuple[int, ...], ...] = ()  #: of the group, if that is small: where each takes the cells

    def made_of(self, counts: Sequence[int | None]) -> Parts:
        """The parts of a count as data, with the numbers of tilings of the first parts."""
        left = [None] * (len(self.parts) - len(counts))
        times = tuple(part.times for part in self.parts)
        return Parts(self.solver, self.method, self.divisor, None, times, (*counts, *left), self.digest, self.generators)

    @property
    def candidate(self) -> Candidate:
        """As a candidate of a plan."""
        stats = self.stats
        because = self.because or f"{stats['anchor']}, since {stats['anchor_because']}"
        searching = f"; by {stats['chosen']}, since {stats['because']}" if "chosen" in stats else ""
        return Candidate(self.asked, f"{because}{searching}", self.method, seconds=stats.get("estimated_seconds"))

    @property
    def digest(self) -> str:
        """A fingerprint of what the parts are: their options, and the symmetries under which tilings are compared."""
        import hashlib  # Loading it takes some milliseconds.

        digest = hashlib.sha256()
        for part in self.parts:
            cover = part.cover
            shades = () if cover.coloured is None else (*cover.coloured.given, cover.coloured.colour)
            for array in (cover.origin, cover.tile, cover.members.starts, cover.members.values, *shades, part.maps):
                digest.update(repr(array.shape).encode() + np.asarray(array, np.int64).tobytes())
        return digest.hexdigest()[:16]

    def split(self, pieces: int, check_stop: StopCheck = never_stop) -> tuple[Subproblem, ...]:
        """The parts split into subproblems, at least as many as `pieces` where that is possible."""
        return split([part.cover for part in self.parts], pieces, check_stop)


@dataclass(frozen=True)
class Done:
    """The results of the parts that are searched already."""

    parts: int = 0
    found: int = 0
    nodes: int = 0
    stats: Mapping[str, int] = field(default_factory=dict)
    fits: Mapping[str, list[int]] = field(default_factory=dict)
    said: Mapping[str, str] = field(default_factory=dict)  #: texts, such as the backend chosen: of the first part that had one
    counts: Sequence[int] = ()  #: of each part, where that is kept

    @classmethod
    def from_note(cls, note: Mapping[str, Any]) -> Done:
        """The value that `note` wrote; for an empty note, that nothing is done yet."""
        return cls(**note["done"]) if note else cls()

    def note(self) -> dict[str, Any]:
        return {"done": asdict(self)}

    @property
    def counters(self) -> dict[str, Any]:
        """The counters other than nodes."""
        return {**self.stats, **self.fits, **self.said}

    def plus(self, found: int, nodes: int, stats: Mapping[str, Any], count: int | None = None) -> Done:
        """The same with one more part, which adds `found` tilings to the sum. `count` is the number of the part, if it is to be
        kept."""
        sums, lists, said = dict(self.stats), dict(self.fits), dict(self.said)
        for name, value in stats.items():
            if isinstance(value, int) and name != "found":
                sums[name] = sums.get(name, 0) + value
            elif isinstance(value, list):
                lists[name] = [a + b for a, b in zip_longest(lists.get(name, []), value, fillvalue=0)]
            elif isinstance(value, str):
                said.setdefault(name, value)
        counts = self.counts if count is None else (*self.counts, count)
        return Done(self.parts + 1, self.found + found, self.nodes + nodes, sums, lists, said, counts)


def orbits_of(fixed: int, order: int) -> int:
    """The number of orbits, from the number of tilings that each symmetry keeps, added up; BadSolution if it cannot be right."""
    count, rest = divmod(fixed, order)
    if rest:
        raise BadSolution(
            f"the symmetries map {fixed} tilings onto themselves, no multiple of {order}, the group's order: please report it"
        )
    return count


def shares_of_work(parts: Sequence[SearchPart]) -> list[float]:
    """The share of each part in the whole work, as a guess for the progress bar: in proportion to the choices at its root, and
    twice as large for every piece more."""
    most = max(len(part.cover.items) for part in parts)
    weights = []
    for cover in (part.cover for part in parts):
        choices = int(np.diff(cover.by_tile.starts).min())
        weights.append(max(1, choices) * 2.0 ** ((len(cover.items) - most) / int(cover.sizes.min())))
    return [weight / sum(weights) for weight in weights]
