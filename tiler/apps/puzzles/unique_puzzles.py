"""Puzzles with exactly one solution, up to symmetry, made from a board and pieces: pieces that lie fixed, or cells taken out.

If the pieces together have fewer cells than the board, the surplus cells are taken out at random, or stay open where cells have
labels. If none of some such boards has a single tiling, pieces are fixed as well. As long as there are two tilings, it keeps one
of them, by fixing a piece of it that the other does not have. At last every piece that is fixed without need is set free. The
same seed makes the same puzzle.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from math import comb, prod

from tiler.apps.puzzles import cell_colours, edge_matching
from tiler.apps.puzzles.answers.unique_puzzle import UniquePuzzle
from tiler.apps.puzzles.grade import grade
from tiler.ask.solve import solve
from tiler.cover.board import BoardCover
from tiler.errors import InputError
from tiler.model.constraints import Constraint
from tiler.model.expected import Expected, Status
from tiler.model.instance import Instance
from tiler.model.lattice import Shape
from tiler.model.placed import with_constraints
from tiler.model.tile import Placement, Placements
from tiler.process.cancellation import Stopped
from tiler.question.events import Progress
from tiler.question.parameters import COUNT, NATURAL, parameter
from tiler.question.question import Goal, Limits, Question
from tiler.question.result import Stop

SOLVER = "dlx"
_BOARDS, _NODES = 50, 20_000  # boards that are looked at, and the most nodes for each of them


@dataclass(frozen=True)
class UniqueQuestion:
    """Which of the puzzles to make."""

    seed: int = parameter(0, "make another puzzle; the same seed makes the same", NATURAL, metavar="SEED")
    side_marks: int | None = parameter(
        None,
        "draw squares with N marks on their sides for a board alone, until a set has a single solution",
        COUNT,
        absent="none",
    )
    pairs: bool = parameter(False, "let each of these marks fit another one, as heads fit tails, in place of itself")
    cell_colours: int | None = parameter(
        None,
        "colour cells of the board and of pieces, with at most N colours, until the first tiling found is the only one",
        COUNT,
        absent="none",
    )


@dataclass(frozen=True)
class _PuzzleSolver:
    threads: int
    on_tick: Callable[[Progress], bool]

    def one(self, instance: Instance) -> tuple[Placements, ...]:
        """A tiling, if there is one."""
        answer = solve(instance, question=Question(limits=self._limits()), on_tick=self.on_tick)
        return self._known(answer.result.stop, answer.solutions)

    def two(self, instance: Instance, nodes: int | None = None) -> tuple[Placements, ...] | None:
        """Two tilings of different orbits, or as many as there are; None if more nodes are needed to tell."""
        question = Question(Goal.ENUMERATE, self._limits(solutions=2, nodes=nodes), up_to_symmetry=True)
        answer = solve(instance, SOLVER, question, on_tick=self.on_tick)
        return None if answer.result.stop is Stop.NODES else self._known(answer.result.stop, answer.solutions)

    def _limits(self, solutions: int | None = None, nodes: int | None = None) -> Limits:
        return Limits(solutions=solutions, nodes=nodes, threads=self.threads)

    def _known(self, stop: Stop, found: tuple[Placements, ...]) -> tuple[Placements, ...]:
        if stop not in (Stop.DONE, Stop.SOLUTIONS):
            raise Stopped(stop)
        return found


def make(
    instance: Instance,
    question: UniqueQuestion = UniqueQuestion(),
    *,
    threads: int = 1,
    on_tick: Callable[[Progress], bool] = lambda progress: True,
) -> UniquePuzzle | None:
    """A puzzle, or None if there is no tiling to make one of.

    Stopped if the caller ends it; InputError if it cannot be told how many cells are to be taken out.
    """
    asker = _PuzzleSolver(threads, on_tick)
    chance = random.Random(question.seed)
    if question.pairs and question.side_marks is None:
        raise InputError("--pairs says which marks fit; how many are there? --side-marks 3")
    if question.cell_colours is not None:
        if question.side_marks is not None:
            raise InputError("--cell-colours and --side-marks make different puzzles")
        wanted = asker.one(instance)
        if not wanted:
            return None
        made, tiling = cell_colours.single(
            instance, wanted[0], question.cell_colours, chance=chance, two=lambda some: asker.two(some) or ()
        )
        return _judged(made, (), frozenset(), tiling, threads)
    if question.side_marks is not None:
        two = partial(asker.two, nodes=_NODES)
        made, tiling, drawn = edge_matching.single(instance, question.side_marks, pairs=question.pairs, chance=chance, two=two)
        return replace(_judged(made, (), frozenset(), tiling, threads), drawn=drawn)
    spare = _cells_to_spare(instance)
    if spare >= len(instance.board):
        raise InputError(f"a puzzle needs a cell to cover, and all {len(instance.board)} of the board would stay open")
    return _with_holes(instance, spare, asker, chance) if spare else _with_pieces_fixed(instance, asker, chance)


def _cells_to_spare(instance: Instance) -> int:
    if instance.optional:
        least, most = instance.stay_open
        if least != most:
            spare = _spare(instance)
            number = least if spare is None or not least <= spare <= most else spare
            raise InputError(f"say how many cells to remove, exactly: --open {number}..{number}")
        return least
    return max(0, _spare(instance) or 0)


def _spare(instance: Instance) -> int | None:
    """How many cells the board has more than all copies together; None if there is no end to the copies."""
    if any(tile.at_most is None for tile in instance.tiles):
        return None
    return len(instance.board) - sum((tile.at_most or 0) * tile.size for tile in instance.tiles)


def _with_holes(instance: Instance, spare: int, asker: _PuzzleSolver, chance: random.Random) -> UniquePuzzle | None:
    cells, groups = sorted(instance.optional or instance.board), [sorted(group.cells) for group in instance.groups]
    wider = instance if instance.groups else replace(instance, optional=frozenset(cells), open=(spare, spare))
    tiling = asker.one(wider)
    if not tiling:
        return None
    solvable: UniquePuzzle | None = None
    choices = prod(map(len, groups)) if groups else comb(len(cells), spare)
    for _ in range(min(_BOARDS, choices)):
        removed = frozenset(map(chance.choice, groups) if groups else chance.sample(cells, spare))
        left = _without(instance, removed)
        tilings = asker.two(left, _NODES)
        if tilings is not None and len(tilings) == 1:
            return _judged(left, (), removed, tilings[0], asker.threads)
        if tilings and solvable is None:
            solvable = _with_pieces_fixed(left, asker, chance)
            solvable = solvable and replace(solvable, removed=removed)
    return solvable or _with_holes_of(tiling[0], instance, asker, chance)


def _with_holes_of(tiling: Placements, instance: Instance, asker: _PuzzleSolver, chance: random.Random) -> UniquePuzzle | None:
    """The same with the cells taken out that a tiling leaves open."""
    removed = instance.board.difference(*(placement.cells for placement in tiling))
    puzzle = _with_pieces_fixed(_without(instance, removed), asker, chance)
    return puzzle and replace(puzzle, removed=removed)


def _without(instance: Instance, removed: Shape) -> Instance:
    """The board without some cells; where cells have names, these stay open instead, and keep them."""
    if not instance.labels:
        return instance.on(instance.board - removed)
    left, names = instance.with_open(removed), " ".join(map(instance.called, sorted(removed)))
    return replace(left, about=replace(left.about, title=f"{instance.heading}: {names}".removeprefix(": ")))


def _with_pieces_fixed(instance: Instance, asker: _PuzzleSolver, chance: random.Random) -> UniquePuzzle | None:
    fixed: list[Placement] = []
    tilings = asker.two(instance)
    if not tilings:
        return None
    while tilings and len(tilings) > 1:
        kept, other = chance.sample(tilings, 2)
        elsewhere = {(placement.tile, placement.cells) for placement in other}
        different = [placement for placement in kept if (placement.tile, placement.cells) not in elsewhere]
        if not different:
            raise InputError(
                "a puzzle fixes pieces by their cells, and two tilings differ only in how pieces are turned on theirs"
            )
        fixed.append(chance.choice(different))
        tilings = asker.two(_fixing(instance, fixed))
    for placement in chance.sample(fixed, len(fixed)):
        fewer = [other for other in fixed if other != placement]
        left = asker.two(_fixing(instance, fewer))
        if left and len(left) == 1:
            fixed, tilings = fewer, left
    assert tilings, "what is fixed is part of a tiling"
    return _judged(_fixing(instance, fixed), tuple(fixed), frozenset(), tilings[0], asker.threads)


def _fixing(instance: Instance, fixed: list[Placement]) -> Instance:
    return with_constraints(instance, (Constraint("place", each.tile, tuple(sorted(each.cells))) for each in fixed))


def _judged(instance: Instance, fixed: Placements, removed: Shape, tiling: Placements, threads: int) -> UniquePuzzle:
    searched = solve(instance, SOLVER, Question(Goal.COUNT, Limits(threads=threads)))
    cover = BoardCover.of(instance)
    placements = len(cover) - len(instance.optional)
    expected = Expected(Status.SAT, searched.result.count, 1)
    made = replace(instance, about=replace(instance.about, expected=expected))
    return UniquePuzzle(made, fixed, removed, tiling, searched.result.nodes, placements, grade(instance, threads=threads))
