"""Keep all tilings of an instance as one object, which answers questions about them without another search."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import overload

import numpy as np
from numpy.typing import NDArray

from tiler import formats, portable
from tiler.amounts import counted
from tiler.api import arguments
from tiler.api.answers.tiling import SomeTilings, Tiling
from tiler.api.answers.tiling_block import TilingBlock
from tiler.api.arguments import ToldProgress
from tiler.api.monitoring import following, unfinished
from tiler.ask.solution_diagram import whole
from tiler.cover import diagram_operations
from tiler.cover.board import BoardCover
from tiler.cover.diagram import Diagram
from tiler.cover.diagram_operations import DiagramOperation
from tiler.errors import BadArgument, BadSolution, suggest
from tiler.formats import diagrams
from tiler.model.constraints import KINDS
from tiler.model.instance import Instance
from tiler.model.lattice import Cell, Shape
from tiler.model.paint import Coat
from tiler.model.tile import Placement
from tiler.model.verify_blocks import BlockVerifier
from tiler.printable import shortened
from tiler.question.events import Found
from tiler.question.parameters import COUNT, NATURAL, PATH, checked
from tiler.question.result import Result


@dataclass(frozen=True, eq=False, repr=False)
class TilingSet:
    """A set of tilings of an instance: all tilings, as `of` makes it, or a part of them. It is kept as a decision diagram; the
    size of the diagram does not depend on the number of tilings. A set never changes: a method that narrows it down returns
    another set. Tilings are in a fixed order.

    >>> import tiler
    >>> tilings = tiler.TilingSet.of(tiler.make("8x8", "2"))
    >>> tilings, tilings.count
    (TilingSet(8x8 2: 12,988,816 tilings, 1,534 nodes), 12988816)
    >>> corner = tilings[0].placements[0]
    >>> tilings.including(corner).count, tilings.excluding(corner).count
    (6494408, 6494408)
    """

    instance: Instance
    _cover: BoardCover = field(repr=False)
    _diagram: Diagram = field(repr=False)

    @classmethod
    def of(
        cls,
        problem: Instance,
        *,
        seconds: float | str | None = None,
        memory: int | str | None = None,
        threads: int | None = None,
        progress: ToldProgress = False,
    ) -> TilingSet:
        """All tilings of an instance, searched for once, in the time and memory of drawing tilings at random by `frontier`.
        Unfinished if a limit ends the search."""
        board, limits = arguments.board(problem), arguments.limits({"seconds": seconds, "memory": memory, "threads": threads})
        with following(progress, noun="states") as follow:
            made = whole(board, limits, on_tick=follow.tick)
            follow.refuse_interrupted(None)
        if isinstance(made, Result):
            unfinished(made)
        return cls(board, *made)

    @property
    def count(self) -> int:
        """How many tilings there are, exactly. (`len` of Python knows no large numbers.)"""
        return self._diagram.total

    def __bool__(self) -> bool:
        """Whether there is any."""
        return self._diagram.nodes > 0

    def __repr__(self) -> str:
        about = shortened(self.instance.heading) or counted(len(self.instance.board), "cell")
        return f"TilingSet({about}: {counted(self.count, 'tiling')}, {counted(self._diagram.nodes, 'node')})"

    def __iter__(self) -> Iterator[Tiling]:
        """Every tiling, in order."""
        return chain.from_iterable(self.blocks())

    def blocks(self) -> Iterator[TilingBlock]:
        """The tilings as arrays, many at a time: a first block of one tiling, then larger and larger ones."""
        return map(self._block, self._diagram.blocks())

    @overload
    def __getitem__(self, number: int) -> Tiling: ...
    @overload
    def __getitem__(self, number: slice) -> TilingBlock: ...
    def __getitem__(self, number: int | slice) -> Tiling | TilingBlock:
        """The tiling with this number, from 0 on; negative numbers count back from the last tiling. IndexError if there is
        none. A slice is a block of tilings.

        >>> import tiler
        >>> tilings = tiler.TilingSet.of(tiler.make("8x8", "2"))
        >>> tilings[1000:1500].to_numpy().shape
        (500, 8, 8)
        """
        if isinstance(number, slice):
            return self._slice(number)
        if isinstance(number, bool) or not isinstance(number, int):
            raise BadArgument(f"number: {number!r:.60} is not a whole number")
        try:
            return self._tiling(self._diagram.solution(number + self.count if number < 0 else number))
        except IndexError:
            raise IndexError(f"there is no tiling {number}; there are {counted(self.count, 'tiling')}") from None

    def __contains__(self, tiling: object) -> bool:
        return isinstance(tiling, Tiling) and self._number_of(tiling) is not None

    def index(self, tiling: Tiling) -> int:
        """The number of a tiling in the set; BadArgument if it is not in it."""
        number = self._number_of(tiling) if isinstance(tiling, Tiling) else None
        if number is None:
            raise BadArgument(f"tiling: {tiling!r:.60} is not in this set")
        return number

    def after(self, tiling: Tiling) -> Iterator[Tiling]:
        """The tilings that come after one of the set: `next(s.after(t), None)` is the next one. BadArgument if it is not in it.

        >>> import tiler
        >>> tilings = tiler.TilingSet.of(tiler.make("4x4", "2"))
        >>> next(tilings.after(tilings[6])).placements == tilings[7].placements
        True
        """
        return map(self._tiling, self._diagram.solutions(self.index(tiling) + 1))

    def sample(self, number: int = 1, *, seed: int = 0) -> tuple[Tiling, ...]:
        """Tilings at random, drawn independently, all with the same probability; an empty tuple if the set is empty. The same
        seed draws the same."""
        number, chance, diagram = (
            checked("number", COUNT, number),
            random.Random(checked("seed", NATURAL, seed)),
            self._diagram,
        )
        drawn = range(number if self else 0)
        return SomeTilings(self._tiling(diagram.solution(chance.randrange(diagram.total))) for _ in drawn)

    def including(self, *wanted: Placement | tuple[str, Cell]) -> TilingSet:
        """The tilings with all of these: each is a placement, or a tile's name and a cell that a copy of the tile covers.
        BadArgument or InputError if there is no such tile, cell or placement.

        >>> import tiler
        >>> tilings = tiler.TilingSet.of(tiler.make("3x4", "2", "3L"))
        >>> tilings.count, tilings.including(("3L", (0, 0)), ("2", (3, 2))).count
        (55, 13)
        """
        allowed = np.ones(len(self._cover), np.bool_)
        for each in wanted:
            # Anything else that touches the cells would be there instead.
            marked, cells = self._marked(each)
            allowed &= marked | ~self._touching(cells)
        return self._with(diagram_operations.restrict_options(self._diagram, allowed))

    def excluding(self, *unwanted: Placement | tuple[str, Cell]) -> TilingSet:
        """The tilings with none of these, given as for `including`."""
        allowed = np.ones(len(self._cover), np.bool_)
        for each in unwanted:
            allowed &= ~self._marked(each)[0]
        return self._with(diagram_operations.restrict_options(self._diagram, allowed))

    def using(self, tile: str, at_least: int = 0, at_most: int | None = None) -> TilingSet:
        """The tilings with a number of copies of a tile within these bounds.

        >>> import tiler
        >>> tilings = tiler.TilingSet.of(tiler.make("3x4", "2", "3L"))
        >>> tilings.using("3L", at_most=0).count, tilings.using("3L", 4).count
        (11, 4)
        """
        # There are no more copies in a tiling than cells, so that more need not be counted.
        cells = len(self._cover.cells)
        least = min(checked("at_least", NATURAL, at_least), cells + 1)
        most = None if at_most is None else min(checked("at_most", NATURAL, at_most), cells)
        return self._with(diagram_operations.restrict_count(self._diagram, self._of_tile(tile), least, most))

    def under(self, *constraints: str) -> TilingSet:
        """The tilings that obey constraints, each written as in a problem file: 'place: X 0,1 1,0 1,1 1,2 2,1', 'forbid: 3,3 for
        X', 'lock: X 2', 'within: X 0,0..4,2', 'only: I2 0,0 0,1'. BadArgument or InputError says what is wrong with one.

        >>> import tiler
        >>> tiler.TilingSet.of(tiler.make("4x4", "2")).under("forbid: 0,0 3,3 for 2").count
        0
        """
        written = []
        for each in constraints:
            kind, colon, words = each.partition(":") if isinstance(each, str) else ("", "", "")
            if not colon or kind.strip() not in KINDS:
                raise BadArgument(
                    f"constraints: {each!r:.60} is not KIND: WORDS{suggest(kind, KINDS)}; kinds are {', '.join(KINDS)}"
                )
            written.append((kind.strip(), words))
        asked = formats.constrained(replace(self.instance, constraints=()), written)
        allowed = np.ones(len(self._cover), np.bool_)
        for constraint in asked.constraints:
            allowed &= self._cover.allowed(constraint)
        return self._with(diagram_operations.restrict_options(self._diagram, allowed))

    def __and__(self, other: TilingSet) -> TilingSet:
        """The tilings in both sets, which must be of the same instance."""
        return self._joined(other, DiagramOperation.BOTH)

    def __or__(self, other: TilingSet) -> TilingSet:
        """The tilings in at least one of the sets."""
        return self._joined(other, DiagramOperation.ANY)

    def __sub__(self, other: TilingSet) -> TilingSet:
        """The tilings that are not in the other set."""
        return self._joined(other, DiagramOperation.FIRST)

    def __eq__(self, other: object) -> bool:
        """Whether the same tilings of the same instance are in both."""
        if not isinstance(other, TilingSet):
            return NotImplemented
        return self.instance == other.instance and self.count == other.count == (self & other).count

    def __hash__(self) -> int:
        return hash((self.instance.digest, self.count))

    def save(self, path: str | Path) -> None:
        """Write the set and its instance to a file, for `load`. TilerError if that fails; an older file then stays as it was."""
        diagrams.write(Path(checked("path", PATH, path)), self.instance, self._cover, self._diagram)

    @classmethod
    def load(cls, path: str | Path) -> TilingSet:
        """The set in a file that `save` wrote. InputError for any other file, and one that is damaged."""
        return cls(*diagrams.read(Path(checked("path", PATH, path))))

    def _with(self, diagram: Diagram) -> TilingSet:
        return replace(self, _diagram=diagram)

    def _joined(self, other: object, how: DiagramOperation) -> TilingSet:
        if not isinstance(other, TilingSet):
            raise BadArgument(f"other: {other!r:.60} is not a set of tilings")
        if self.instance != other.instance:
            raise BadArgument("other: a set of tilings of another instance; both must be of the same instance")
        return self._with(diagram_operations.combine(self._diagram, other._diagram, how))

    def _slice(self, numbers: slice) -> TilingBlock:
        """The tilings of these numbers."""
        asked = [each for each in (numbers.start, numbers.stop, numbers.step) if each is not None]
        if any(isinstance(each, bool) or not isinstance(each, int) for each in asked):
            raise BadArgument(f"number: {numbers!r:.60} is not a slice of whole numbers")
        wanted = range(*numbers.indices(self.count))
        if not wanted:
            return self._block(Found.of([]))
        first, last = min(wanted[0], wanted[-1]), max(wanted[0], wanted[-1])
        rows = list[NDArray[np.int32]]()
        before = first
        for block in self._diagram.blocks(first):
            start = -(before - first) % abs(wanted.step)
            rows.append(block.rows[: last + 1 - before][start :: abs(wanted.step)])
            before += len(block)
            if before > last:
                break
        together = Found.joined(rows).rows
        return self._block(Found(together if wanted.step > 0 else together[::-1]))

    def _block(self, block: Found) -> TilingBlock:
        """Some tilings, verified."""
        cover = self._cover
        block = block.through(np.where(cover.fills, -1, portable.arange(len(cover))))
        wrong = self._verifier.error_in(block.rows)
        if wrong:
            raise BadSolution(f"a wrong tiling in a set of tilings: {wrong}")
        return TilingBlock(block.rows, cover)

    def _tiling(self, options: tuple[int, ...]) -> Tiling:
        """A tiling, verified."""
        return next(iter(self._block(Found(options))))

    def _number_of(self, tiling: Tiling) -> int | None:
        options = list(map(self._option, tiling.placements))
        known = [option for option in options if option is not None]
        fillers = self._cover.fillers
        first = int(np.searchsorted(self._cover.tile, fillers[0])) if fillers else None
        return self._diagram.number_of(known, first) if len(known) == len(options) else None

    def _option(self, placement: Placement) -> int | None:
        return self._options.get(self.instance.told_apart(placement))

    def _marked(self, wanted: object) -> tuple[NDArray[np.bool_], list[Cell]]:
        """The options that are meant, shape (options,), and a cell that each of them covers."""
        if isinstance(wanted, Placement):
            option = self._option(wanted)
            if option is None:
                raise BadArgument(f"placement: {wanted!r:.100} is none of this instance")
            return portable.arange(len(self._cover)) == option, sorted(wanted.cells)
        if not (isinstance(wanted, tuple) and len(wanted) == 2 and isinstance(wanted[0], str)):
            raise BadArgument(f"{wanted!r:.60} is neither a placement nor a tile's name and a cell, such as ('X', (0, 1))")
        tile, cell = wanted
        if cell not in self.instance.board:
            raise BadArgument(f"cell: {cell!r:.60} is not on the board")
        return self._of_tile(tile) & self._touching([cell]), [cell]

    def _of_tile(self, tile: str) -> NDArray[np.bool_]:
        """The options of a tile, shape (options,)."""
        if not isinstance(tile, str):
            raise BadArgument(f"tile: {tile!r:.60} is not the name of a tile")
        return np.asarray(self._cover.tile == self.instance.number_of(tile, "tile"))

    def _touching(self, cells: list[Cell]) -> NDArray[np.bool_]:
        """The options that cover any of these cells, shape (options,)."""
        touched = np.zeros(len(self._cover), np.bool_)
        numbers = [self._cell_numbers[cell] for cell in cells]
        marked = np.zeros(len(self._cover.items), np.bool_)
        marked[numbers] = True
        owner = portable.repeat(portable.arange(len(self._cover)), np.diff(self._cover.members.starts))
        touched[owner[marked[self._cover.members.values]]] = True
        return touched

    @cached_property
    def _verifier(self) -> BlockVerifier:
        return BlockVerifier(self.instance, self._cover.placements)

    @cached_property
    def _cell_numbers(self) -> dict[Cell, int]:
        return {cell: number for number, cell in enumerate(self._cover.cells)}

    @cached_property
    def _options(self) -> dict[tuple[int | None, Shape, Coat], int]:
        """The number of each placement that is shown."""
        shown = self._cover.shown(range(len(self._cover))).tolist()
        return dict(zip(map(self.instance.told_apart, self._cover.placements(shown)), shown, strict=True))
