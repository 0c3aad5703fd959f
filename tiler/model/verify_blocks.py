"""Check solutions by arrays, as strictly as one by one: many at a time, or a single large one.

In a block of solutions each placement is looked at once, by the code that checks single solutions (verify.py); then arrays of the
verifier's own numbers of cells say which solutions may be wrong. Those are checked once more, one by one, and so is all that is
not said in arrays: pieces that cross.

A single large solution is checked several times as fast as cell by cell, with memory for its cells only. Numbers of cells say
whether each cell of the board is covered exactly once; of all placements of a tile that are equal but for a translation, one is
looked at by verify.py. That also says what is wrong with a solution that may not hold. Nothing here is shared with the code that
lists placements or searches.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import chain, product

import numpy as np
from numpy.typing import NDArray

from tiler import portable
from tiler.model.instance import Instance
from tiler.model.lattice import Cell
from tiler.model.tile import Placement
from tiler.model.verify import Verifier

_BLOCK = 4096  # solutions
_AT_ONCE = 1 << 18  # words of cells looked at in one step
_MOST_WORDS = 1 << 20  # words of the cells of all placements of a block; solutions with more are checked one by one


class BlockVerifier:
    """Checks solutions of one instance that are given by numbers of placements."""

    def __init__(self, instance: Instance, placements: Callable[[Sequence[int]], Sequence[Placement]]) -> None:
        """`placements` gives the placements of some numbers, in their order."""
        self._instance, self._placements = instance, placements
        self._verifier = Verifier(instance)
        self._width = -(-len(instance.board) // 64)
        self._form_numbers = {form: number for number, form in enumerate(dict.fromkeys(self._verifier.forms.values()), 1)}
        bounds = [(0, len(instance.board)), *map(self._verifier.bounds_of, self._form_numbers)]
        self._at_least, self._at_most = np.array(bounds, np.int64).T
        self._placed = [constraint for constraint in instance.constraints if constraint.kind == "place"]
        self._places: dict[object, int] = {}
        self._marks: dict[str, int] = {}
        # Facts about placements, by row. The first row is no placement.
        self._place_of = np.zeros(1, np.int32)  # by number: its row in these
        self._words = np.zeros((1, self._width), np.uint64)
        self._facts = np.zeros((1, 3 + len(self._placed)), np.int64)  # size, form, is wrong, and whether it is a placed copy
        self._sides = np.zeros((1, 0, 2), np.int32)  # places where its marks are, and the marks; 0 for none
        self._meets = np.zeros((1, 1), np.bool_)
        self._count = 1

    @cached_property
    def _cell_numbers(self) -> dict[Cell, int]:
        return {cell: number for number, cell in enumerate(sorted(self._instance.board))}

    @cached_property
    def _required(self) -> NDArray[np.uint64]:
        return self._words_of(self._verifier.required)

    @cached_property
    def _groups(self) -> list[NDArray[np.uint64]]:
        return [self._words_of(group.cells) for group in self._instance.groups]

    def error_in(self, rows: NDArray[np.int32]) -> str | None:
        """What is wrong with the first wrong solution of a block, shape (solutions, most placements), in words; None if all
        hold. Shorter rows are filled up with -1."""
        numbers = portable.distinct(rows[rows >= 0])
        if len(numbers) * self._width > _MOST_WORDS:
            solutions = (self._placements([number for number in row if number >= 0]) for row in rows.tolist())
            return next(filter(None, (error_in_large(self._verifier, self._instance, each) for each in solutions)), None)
        self._learn(numbers)
        step = max(1, _AT_ONCE // max(1, rows.shape[1] * self._width))
        for first in range(0, len(rows), step):
            some = rows[first : first + step]
            suspects = np.ones(len(some), np.bool_) if not self._instance.crossing else self._suspects(some)
            for row in some[suspects].tolist():
                wrong = self._verifier.error_in(self._placements([number for number in row if number >= 0]))
                if wrong:
                    return wrong
        return None

    def _suspects(self, rows: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Marks every solution that may be wrong, shape (solutions,)."""
        place = np.where(rows < 0, 0, self._place_of[rows])
        covered = np.bitwise_or.reduce(self._words[place], axis=1)
        facts = self._facts[place]
        number = np.bitwise_count(covered).sum(axis=1, dtype=np.int64)
        wrong = number != facts[:, :, 0].sum(axis=1)
        wrong |= (self._required & ~covered).any(axis=1) | facts[:, :, 2].any(axis=1)
        forms = len(self._at_least)
        keys = portable.arange(len(rows))[:, None] * forms + facts[:, :, 1]
        used = portable.bincount(keys.ravel(), minlength=len(rows) * forms).reshape(-1, forms)[:, 1:]
        wrong |= ((used < self._at_least[1:]) | (used > self._at_most[1:])).any(axis=1)
        for group in self._groups:
            wrong |= np.bitwise_count(group & ~covered).sum(axis=1) != 1
        if self._instance.open is not None:
            least, most = self._instance.open
            left = len(self._instance.board) - number
            wrong |= (left < least) | (left > most)
        for column in range(3, facts.shape[2]):
            wrong |= ~facts[:, :, column].any(axis=1)
        return np.asarray(wrong | self._mismatched(place))

    def _mismatched(self, place: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Marks solutions in which two marks that meet do not match, or more than two meet, shape (solutions,)."""
        wrong = np.zeros(len(place), np.bool_)
        if not self._sides.shape[1]:
            return wrong
        sides = self._sides[place].reshape(len(place), -1, 2)
        row, column = np.nonzero(sides[:, :, 0])
        where, mark = sides[row, column].T
        key = row * (len(self._places) + 1) + where
        last = np.empty(len(place) * (len(self._places) + 1), np.int64)
        number = portable.arange(len(key))
        last[key] = number
        first = np.flatnonzero(last[key] != number)  # Those that another one meets.
        wrong[row[first[~self._meets[mark[first], mark[last[key[first]]]]]]] = True
        last[key[first]] = first
        wrong[row[first[last[key[first]] != first]]] = True
        return wrong

    def _learn(self, numbers: NDArray[np.int32]) -> None:
        """Look at the placements among these numbers that were not met before, one by one."""
        if numbers.size and numbers[-1] >= len(self._place_of):
            more = max(int(numbers[-1]) + 1, 2 * len(self._place_of))
            self._place_of = np.concatenate([self._place_of, np.zeros(more - len(self._place_of), np.int32)])
        new = numbers[self._place_of[numbers] == 0].tolist()
        if not new:
            return
        self._place_of[new] = portable.arange(self._count, self._count + len(new))
        placements = self._placements(new)
        sides = [self._sides_of(placement) for placement in placements]
        self._make_room(self._count + len(new), max(map(len, sides)))
        for row, (placement, marked) in enumerate(zip(placements, sides, strict=True), self._count):
            form = self._verifier.forms.get(placement.tile)
            is_wrong = form is None or not self._verifier.holds_alone(placement)
            self._facts[row, :3] = len(placement.cells), 0 if form is None else self._form_numbers[form], is_wrong
            self._facts[row, 3:] = [not is_wrong and self._verifier.obeys([placement], each) for each in self._placed]
            self._sides[row, : len(marked)] = np.array(marked, np.int32).reshape(-1, 2)
            if not is_wrong:
                self._words[row] = self._words_of(placement.cells)
        self._count += len(new)

    def _make_room(self, placements: int, sides: int) -> None:
        """Enlarge the arrays of facts about placements, if need be."""
        rows = max(0, placements - len(self._words))
        rows = max(rows, len(self._words)) if rows else 0
        more = max(0, sides - self._sides.shape[1])
        self._words = np.pad(self._words, ((0, rows), (0, 0)))
        self._facts = np.pad(self._facts, ((0, rows), (0, 0)))
        self._sides = np.pad(self._sides, ((0, rows), (0, more), (0, 0)))

    def _sides_of(self, placement: Placement) -> list[tuple[int, int]]:
        """The places of the marks of a placement, and the marks, by number."""
        touching = self._verifier.touching
        if touching is None or not self._verifier.holds_alone(placement):
            return []
        for _, mark in placement.coat.marks:
            self._marks.setdefault(mark, len(self._marks) + 1)
        if len(self._meets) <= len(self._marks):
            self._meets = np.zeros(2 * [len(self._marks) + 1], np.bool_)
            for one, other in product(self._marks, repeat=2):
                self._meets[self._marks[one], self._marks[other]] = touching.may_meet(one, other)
        places = [touching.place(*side) for side, _ in placement.coat.marks]
        return [
            (self._places.setdefault(place, len(self._places) + 1), self._marks[mark])
            for place, (_, mark) in zip(places, placement.coat.marks, strict=True)
        ]

    def _words_of(self, cells: frozenset[tuple[int, ...]]) -> NDArray[np.uint64]:
        """Cells of the board as bits, shape (words,)."""
        bits = np.zeros(64 * self._width, np.bool_)
        bits[[self._cell_numbers[cell] for cell in cells]] = True
        return np.packbits(bits, bitorder="little").view(np.uint64)


def errors_in(instance: Instance, solutions: Sequence[Sequence[Placement]]) -> list[str | None]:
    """What is wrong with each of many solutions, in words, or None."""
    numbers: dict[tuple[object, ...], int] = {}
    placements: list[Placement] = []
    blocks = BlockVerifier(instance, lambda some: [placements[number] for number in some])
    errors: list[str | None] = []
    for first in range(0, len(solutions), _BLOCK):
        some = solutions[first : first + _BLOCK]
        block = np.full((len(some), max(map(len, some))), -1, np.int32)
        for row, solution in zip(block, some, strict=True):
            keys = [(placement.tile, placement.cells, placement.coat) for placement in solution]
            for key, placement in zip(keys, solution, strict=True):
                if numbers.setdefault(key, len(placements)) == len(placements):
                    placements.append(placement)
            row[: len(keys)] = [numbers[key] for key in keys]
        # The order in which a solution has its placements matters for the words only.
        errors += [None] * len(some) if blocks.error_in(block) is None else [blocks.error_in(row[None]) for row in block]
    return errors


def error_in_large(verifier: Verifier, instance: Instance, solution: Sequence[Placement]) -> str | None:
    """What is wrong with a solution, in words, or None if it is a tiling of the board as the instance wants it."""
    holds = instance.is_plain and instance.crossing and _holds(verifier, instance, solution)
    return None if holds else verifier.error_in(solution)


def _holds(verifier: Verifier, instance: Instance, solution: Sequence[Placement]) -> bool:
    """Whether a solution of a plain instance holds. If not, it is still to be looked at cell by cell."""
    dimension = instance.dimension
    pieces = [placement.cells for placement in solution]
    if any(placement.coat for placement in solution) or not all(pieces):
        return False
    if {*map(len, chain.from_iterable(pieces))} != {dimension}:
        return False
    where, board = _where(chain.from_iterable(pieces), dimension), _where(instance.board, dimension)
    low, high = board.min(0), board.max(0)
    if len(where) != len(board) or (where < low).any() or (where > high).any():
        return False
    spans = high - low + 1
    numbers = _numbers(where - low, spans)
    if not np.array_equal(np.sort(numbers), np.sort(_numbers(board - low, spans))):
        return False
    return all(verifier.holds_alone(each) for each in _kinds(instance, solution, where, numbers)) and (
        verifier.miscounted(Counter(verifier.forms[placement.tile] for placement in solution)) is None
    )


def _kinds(
    instance: Instance, solution: Sequence[Placement], where: NDArray[np.int64], numbers: NDArray[np.int64]
) -> list[Placement]:
    """One of all placements of a tile that are equal but for a translation. `where` has their cells, shape (cells, dimension),
    and `numbers` a number of each, ascending with its coordinates."""
    names = {name: number for number, name in enumerate({placement.tile for placement in solution})}
    tile = np.array([names[placement.tile] for placement in solution], np.int64)
    sizes = np.array([len(placement.cells) for placement in solution], np.int64)
    first = portable.cumsum(sizes) - sizes
    kinds: list[Placement] = []
    for size in portable.distinct(sizes).tolist():
        some = np.flatnonzero(sizes == size)
        members = first[some][:, None] + portable.arange(size)
        members = np.take_along_axis(members, np.argsort(numbers[members], axis=1), axis=1)
        cells = where[members]
        low = cells.min(1)
        near = cells - (low - low % np.array(instance.lattice.moduli))[:, None]
        rows = np.column_stack([tile[some], near.reshape(len(some), -1)])
        _, chosen = np.unique(rows, axis=0, return_index=True)
        kinds += [solution[number] for number in some[chosen].tolist()]
    return kinds


def _where(cells: Iterable[Cell], dimension: int) -> NDArray[np.int64]:
    """The coordinates of cells, shape (cells, dimension)."""
    return np.fromiter(chain.from_iterable(cells), np.int64).reshape(-1, dimension)


def _numbers(where: NDArray[np.int64], spans: NDArray[np.int64]) -> NDArray[np.int64]:
    """The numbers of cells in their box, whose sides are `spans`."""
    return np.asarray(np.ravel_multi_index(tuple(where.T), tuple(spans.tolist())))
