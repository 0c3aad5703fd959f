"""Say how hard a puzzle is for people: follow a solver that works as a person does, and note what it needs.

It is a model of ours, not a measurement. The person lays every piece that is forced: the last possibility of a cell, or of a
piece that must be used; and any piece at the tightest cell or piece, the one with the fewest possibilities, if each of them
leads to a tiling. Else the person looks ahead, at cells and pieces with few possibilities: tries a piece, lays what that
forces, and rules it out if a cell or a piece is left without a possibility, or a region with an area that no pieces have. Or
looks two steps ahead: after the piece and what it forces, at the possibilities of the tightest cell or piece, each of which may
be ruled out in the same way. If that does not help, the person guesses at the tightest cell or piece. The model knows the
tilings, so that every guess is right, and counts how many of the possibilities are.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import prod
from typing import Any

import numpy as np

from tiler.amounts import counted
from tiler.ask.solve import solve
from tiler.cover.board import BoardCover
from tiler.cover.propagation import PartialTiling, positions
from tiler.model.instance import Instance
from tiler.model.placed import placed
from tiler.process.cancellation import Stopped
from tiler.question.events import Progress
from tiler.question.question import Goal, Limits, Question
from tiler.question.result import Stop

LEVELS = ("easy", "medium", "hard", "expert")
_FEW = 12  # possibilities of a cell or a piece at which a person looks ahead
_TILINGS = 1000  # that are known, at most
_LOOKS = 10_000  # trials, at most
_NODES = 1_000_000  # of the search for the tilings


@dataclass(frozen=True)
class Grade:
    """What a person needs to solve a puzzle, in the model."""

    forced: int  #: pieces that were forced
    free: int  #: pieces laid where every possibility leads to a tiling
    ahead: tuple[int, int]  #: placements that were ruled out by looking one step ahead, and two
    guesses: tuple[
        tuple[int, int], ...
    ]  #: for each guess, how many of the possibilities lead to a tiling, and how many there are

    @property
    def points(self) -> int:
        """One for looking ahead one step, two for two, and one for each guess."""
        one, two = self.ahead
        return (2 if two else int(one > 0)) + len(self.guesses)

    @property
    def level(self) -> str:
        """One of LEVELS, from the points."""
        return LEVELS[min(self.points, len(LEVELS) - 1)]

    @property
    def tries(self) -> Fraction:
        """How many tries it takes on average until all guesses are right."""
        return Fraction(prod(possible for _, possible in self.guesses), prod(right for right, _ in self.guesses))

    @property
    def key(self) -> tuple[int, Fraction, int, int]:
        """For sorting, from easy to hard."""
        return self.points, self.tries, self.ahead[1], self.ahead[0]

    @property
    def sentence(self) -> str:
        """What a person needs, in words."""
        one, two = self.ahead
        what = [
            f"{counted(self.forced, 'piece')} forced",
            *([f"{self.free:,} free"] if self.free else []),
            *([f"{one:,} ruled out one step ahead"] if one else []),
            *([f"{two:,} two steps ahead"] if two else []),
            *(f"a guess ({right} of {possible} right)" for right, possible in self.guesses),
        ]
        return f"{self.level}: {', '.join(what)}"

    def to_json(self) -> dict[str, Any]:
        """The grade as data that is ready for `json.dumps`."""
        return {
            "level": self.level,
            "forced": self.forced,
            "free": self.free,
            "ahead": list(self.ahead),
            "guesses": [*map(list, self.guesses)],
        }


def grade(instance: Instance, *, threads: int = 1, on_tick: Callable[[Progress], bool] = lambda progress: True) -> Grade | None:
    """The grade of a puzzle; None if it has no tiling, or is too large for the model. Stopped if the caller ends it."""
    limits = Limits(solutions=_TILINGS, nodes=_NODES, threads=threads)
    answer = solve(instance, "dlx", Question(Goal.ENUMERATE, limits), on_tick=on_tick)
    if answer.result.stop in (Stop.SOLUTIONS, Stop.NODES) and threads > 1:  # Which tilings are the first depends on the threads.
        answer = solve(instance, "dlx", Question(Goal.ENUMERATE, replace(limits, threads=1)), on_tick=on_tick)
    if answer.result.stop is Stop.INTERRUPTED:
        raise Stopped(answer.result.stop)
    if not answer.solutions:
        return None
    cover = BoardCover.of(instance)
    options = [option for option in range(len(cover)) if not cover.fills[option]]
    number = dict(zip(cover.placements(options), options, strict=True))
    tilings = [_with_fillers(cover, [number[placement] for placement in tiling]) for tiling in answer.solutions]

    def tick() -> None:
        if not on_tick(Progress()):
            raise Stopped(Stop.INTERRUPTED)

    state = PartialTiling.of_cover(cover, tick)
    if state is None:
        return None
    try:
        return _Person(state, tilings, tick, len(placed(instance))).grade()
    except _TooManyLooksError:
        return None


def _with_fillers(cover: BoardCover, tiling: Collection[int]) -> frozenset[int]:
    """The options of a tiling, with the fillers on the cells and corners that it leaves open."""
    covered = {item for option in tiling for item in cover.members[option].tolist()}
    fillers = {int(cover.members[option][0]): option for option in np.flatnonzero(cover.fills).tolist()}
    return frozenset([*tiling, *(option for item, option in fillers.items() if item not in covered)])


class _TooManyLooksError(Exception):
    """The puzzle is too large for the model."""


@dataclass
class _Person:
    state: PartialTiling
    tilings: Collection[frozenset[int]]  #: those that have all pieces laid
    tick: Callable[[], None]
    clues: int  # pieces that lie on the board from the start
    ahead: list[int] = field(default_factory=lambda: [0, 0])
    guesses: list[tuple[int, int]] = field(default_factory=list)
    free: int = 0
    looks: int = 0

    def grade(self) -> Grade:
        self.state.close()
        while self.state.open or any(self.state.lower):
            options, right = self._tightest()
            if len(options) == len(right):
                self.free += 1
                self._lay(right)
            elif not any(self._rules_out(steps) for steps in (1, 2)):
                self.guesses.append((len(right), len(options)))
                self._lay(right)
        made = len([option for option in self.state.made if not self._is_filler(option)])
        return Grade(
            made - self.clues - len(self.guesses) - self.free, self.free, (self.ahead[0], self.ahead[1]), tuple(self.guesses)
        )

    def _is_filler(self, option: int) -> bool:
        remainder = self.state.sets.remainder
        return bool(remainder.cover.is_filler[remainder.tile_of[option]])

    def _rules_out(self, steps: int) -> bool:
        """Look ahead wherever few possibilities are left; whether some placement was ruled out by it."""
        for options in sorted(self._places(), key=len):
            if len(options) > _FEW:
                break
            wrong = [option for option in options if self._fails(self.state, option, steps)]
            if wrong:
                self.ahead[steps - 1] += len(wrong)
                touched = 0
                for option in wrong:
                    touched |= self.state.rule_out(option)
                self.state.close(touched)
                return True
        return False

    def _fails(self, state: PartialTiling, option: int, steps: int) -> bool:
        """Whether a piece can be ruled out by looking some steps ahead."""
        self.tick()
        self.looks += 1
        if self.looks > _LOOKS:
            raise _TooManyLooksError
        trial = state.copy()
        if not trial.close(trial.place(option)):
            return True
        tightest = trial.fewest() if steps > 1 else None
        return tightest is not None and all(self._fails(trial, following, steps - 1) for following in tightest[2])

    def _tightest(self) -> tuple[list[int], frozenset[int]]:
        """The fewest possibilities of a cell or a piece, and those that lead to a tiling; of equals, those with most."""
        leading = frozenset[int]().union(*self.tilings)
        options = min(self._places(), key=lambda place: (len(place), -len(leading.intersection(place))))
        return options, leading.intersection(options)

    def _lay(self, right: Collection[int]) -> None:
        """Lay one of these pieces, the one in most tilings, and all that it forces."""
        option = max(sorted(right), key=lambda piece: sum(piece in tiling for tiling in self.tilings))
        self.tilings = [tiling for tiling in self.tilings if option in tiling]
        self.state.close(self.state.place(option))

    def _places(self) -> Iterator[list[int]]:
        """The possibilities of each open cell, and of each piece that must be used."""
        state, sets = self.state, self.state.sets
        choices = [state.alive & options for at, options in sets.over.items() if state.open >> at & 1]
        choices += [state.alive & sets.of_tile[tile] for tile, least in enumerate(state.lower) if least]
        return ([*positions(choice)] for choice in choices)
