"""Choose pieces: find sets of pieces from a pool that fill a board, with the number of their tilings. One tally counts the
tilings of all sets of pieces at once. Three facts are found set by set, for the sets with a tiling: whether a set has one tiling
up to symmetry, whether every set of cells that may stay open has one, and how hard a puzzle is. With a seed there is no tally:
sets are drawn at random, and each is asked about by itself, so that a pool may have any number of sets.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from tiler.api.monitoring import Following
from tiler.apps.puzzles.answers.piece_sets import ChosenPieces, PieceSets, WantedPieces
from tiler.apps.puzzles.grade import grade
from tiler.apps.puzzles.part_classes import PartClasses, parts_of
from tiler.apps.puzzles.unique_puzzles import SOLVER
from tiler.ask.solve import DEFAULT_SOLVER, TilingAnswer, solve
from tiler.cover import open_sets
from tiler.cover.board import BoardCover
from tiler.cover.group_action import TilingClasses
from tiler.errors import InputError
from tiler.model.expected import Expected, Status
from tiler.model.instance import Instance
from tiler.model.lattice import Shape
from tiler.model.placed import placing
from tiler.model.symmetry import group
from tiler.model.tile import Placements, Tile
from tiler.process.cancellation import Stopped
from tiler.question.events import Progress
from tiler.question.question import Goal, Limits, Question, TallyBy
from tiler.question.result import Result, Stop

_LIMITS = Limits(nodes=10_000_000)
_TRIED_FIRST = 8  # sets of open cells that had no tiling with other pieces


def choose(
    instance: Instance,
    wanted: WantedPieces,
    *,
    threads: int = 1,
    on_tick: Callable[[Progress], bool] = lambda progress: True,
    on_found: Callable[[ChosenPieces], object] = lambda chosen: None,
) -> PieceSets:
    """The sets of pieces that are wanted, from the tiles of an instance. The pool has as many copies of each tile as the instance
    allows; without a limit as many as a set has pieces, or as there is room for. If the caller ends it, the sets found so far;
    Stopped if the tilings are not counted by then. `on_found` is told of each set at once."""
    if not instance.tiles:
        raise InputError("there is no piece to choose; name the pool: --from pentominoes")
    if wanted.all_open and not instance.optional:
        raise InputError("--all-open: no cell of the board may stay open; mark cells o, or say --open")
    if wanted.unique and any(least < len(cells) for cells, least, _ in instance.openings):
        raise InputError("--unique: a puzzle in which cells may stay open has a solution for each choice of them; see --all-open")
    if wanted.all_open and wanted.level:
        raise InputError("--level: how hard it is depends on the cells that stay open, and --all-open asks for all of them")
    tiles = tuple(replace(tile, at_most=tile.at_most or _most(instance, tile, wanted)) for tile in instance.distinct_tiles)
    # A constraint may name a tile that is the same as an earlier one.
    constraints = tuple(replace(each, tile=tiles[instance.number_of(each.tile)].name) for each in instance.constraints)
    return _Chooser(replace(instance, tiles=tiles, constraints=constraints), wanted, threads, on_tick).choice(on_found)


def find(
    instance: Instance,
    wanted: WantedPieces,
    follow: Following,
    on_found: Callable[[ChosenPieces], None] | None = None,
) -> PieceSets:
    """Look for sets; if a limit or Ctrl-C ends that, the answer has those found until then. `on_found` is told of each one."""
    show_found = follow.showing(on_found) or (lambda chosen: None)
    with follow.answering("the sets are not known, since the tilings of all of them are counted first; a seed draws some"):
        found = choose(instance, wanted, threads=follow.threads, on_tick=follow.tick, on_found=show_found)
    return replace(found, ended=found.ended and (follow.reason or found.ended))


def _most(instance: Instance, tile: Tile, wanted: WantedPieces) -> int:
    """How many copies of a tile without a limit a set can have, or as many as must be used."""
    room = len(instance.board) // tile.size
    return max(1, tile.at_least, room if wanted.pieces is None else min(room, wanted.pieces))


def one_each(pool: Instance) -> Instance:
    """A pool with one copy of each tile that has no limit, or with as many as must be used."""
    tiles = tuple(replace(tile, at_most=tile.at_most or max(1, tile.at_least)) for tile in pool.tiles)
    return replace(pool, tiles=tiles)


def covered(instance: Instance) -> range:
    """How many cells tiles may cover: those of the board without the ones that stay open.

    >>> from tiler.formats import inline
    >>> covered(inline(["7x7", "1:hexominoes"]))
    range(49, 50)
    """
    size, ranges = len(instance.board), [(least, most) for _, least, most in instance.openings]
    return range(size - sum(most for _, most in ranges), size - sum(least for least, _ in ranges) + 1)


class SetsOfPieces:
    """All sets of pieces that a pool has, numbered, by their number of pieces and of cells.

    >>> from tiler.formats import inline
    >>> sets = SetsOfPieces(inline(["5x5", "1:pentominoes"]), 5)
    >>> sets.sizes, sets.copies(range(25, 26), 791)
    (Counter({25: 792}), (1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0))
    """

    def __init__(self, instance: Instance, pieces: int | None) -> None:
        self._tiles, self._pieces = instance.tiles, pieces
        # For the tiles from one on: how many sets there are with a number of pieces and of cells.
        self._ways: list[Counter[tuple[int, int]]] = [Counter({(0, 0): 1})]
        for tile in reversed(self._tiles):
            more: Counter[tuple[int, int]] = Counter()
            for (number, size), times in self._ways[0].items():
                for copies in range(tile.at_least, (tile.at_most or 0) + 1):
                    if pieces is None or number + copies <= pieces:
                        more[number + copies, size + copies * tile.size] += times
            self._ways.insert(0, more)
        self._ways[0].pop((0, 0), None)  # No pieces are no puzzle, also where all cells may stay open.

    @property
    def sizes(self) -> Counter[int]:
        """How many sets with the wanted number of pieces (or any) there are, by the number of their cells."""
        sizes: Counter[int] = Counter()
        for (number, size), times in self._ways[0].items():
            if self._pieces in (None, number):
                sizes[size] += times
        return sizes

    def copies(self, sizes: range, rank: int) -> tuple[int, ...]:
        """How often each tile is in one of the sets that have these numbers of cells; ranks begin with 0."""
        for (number, size), times in sorted(self._ways[0].items()):
            if size in sizes and self._pieces in (None, number):
                if rank < times:
                    break
                rank -= times
        copies: list[int] = []
        for tile, ways in zip(self._tiles, self._ways[1:], strict=True):
            for used in range(tile.at_least, (tile.at_most or 0) + 1):
                times = ways[number - used, size - used * tile.size]
                if rank < times:
                    break
                rank -= times
            copies.append(used)
            number, size = number - used, size - used * tile.size
        return tuple(copies)


def _shuffled(number: int, seed: int) -> Iterator[int]:
    """The numbers from 0, each once, in random order. It takes memory for those that were drawn."""
    dice, drawn = random.Random(seed), set[int]()
    while 2 * len(drawn) < number:
        if (rank := dice.randrange(number)) not in drawn:
            drawn.add(rank)
            yield rank
    rest = [rank for rank in range(number) if rank not in drawn]
    dice.shuffle(rest)
    yield from rest


def _expecting(instance: Instance, tilings: int, *, unique: bool) -> Instance:
    return replace(instance, about=replace(instance.about, expected=Expected(Status.SAT, tilings, 1 if unique else None)))


class _Chooser:
    def __init__(self, instance: Instance, wanted: WantedPieces, threads: int, on_tick: Callable[[Progress], bool]) -> None:
        self._instance, self._wanted, self._threads, self._on_tick = instance, wanted, threads, on_tick
        self._looked_at = 0
        self._said = Progress()  # how far it is, of all sets together; nothing while the tilings are counted
        self._failed: list[Shape] = []  # the open cells that had no tiling with other pieces, the last one first
        self._with_tilings = self._number = self._found = (
            0  # the sets with tilings, those that are tried, and those that are kept
        )
        self._in_parts = len(parts_of(instance)) > 1
        # The numbers of the tiles that must lie somewhere.
        self._placed = [instance.number_of(each.tile) for each in placing(instance)]
        # No class has more tilings: the ways to turn the board, or its parts, mirrors included. They take some sets of pieces to
        # themselves that are not all of the pool. Mirror images of pieces can be a set for themselves; then the mirror of the
        # whole board is a further way to turn its parts.
        alone = replace(instance, tiles=(), constraints=())
        self._most = 2 * PartClasses(instance).largest if self._in_parts else len(group(alone))

    def choice(self, on_found: Callable[[ChosenPieces], object]) -> PieceSets:
        wanted = self._wanted
        every, right = SetsOfPieces(self._instance, wanted.pieces), covered(self._instance)
        number, fitting = every.sizes.total(), sum(times for size, times in every.sizes.items() if size in right)
        sizes = range(min(every.sizes), max(every.sizes) + 1) if every.sizes else range(0)
        if not fitting:
            return PieceSets(self._instance, wanted, (), number, 0, True, 0, 0, sizes, right)
        if wanted.seed is None:
            sets = self._counted()
            likely = [at for at, (_, n) in enumerate(sets) if n >= wanted.at_least and not (wanted.unique and n > self._most)]
            self._with_tilings, self._number, last = len(sets), len(sets), likely[-1] if likely else 0
            tried = self._suitable((at, *sets[at]) for at in likely)
        else:
            self._number, last = fitting, fitting - 1
            ranks = enumerate(_shuffled(fitting, wanted.seed))
            tried = self._suitable((at, every.copies(right, rank), None) for at, rank in ranks)
        found: list[ChosenPieces] = []
        is_all, ended = True, ""
        try:
            for chosen in tried:
                found.append(chosen)
                self._found = len(found)
                on_found(chosen)
                if len(found) == wanted.limit:  # It does not search another set just to say whether there is one.
                    is_all = self._looked_at > last
                    break
        except Stopped as stopped:
            is_all, ended = False, stopped.message or Result.so_far(Stop(stopped.why), found=0).reason
        of_all = (number, self._with_tilings, is_all, fitting, self._looked_at, sizes, right, ended)
        return PieceSets(self._instance, wanted, tuple(found), *of_all)

    def _counted(self) -> list[tuple[tuple[int, ...], int]]:
        """All sets that have tilings, as copies of each tile, and the number of their tilings."""
        wanted = self._wanted
        tally = self._ask(self._instance, DEFAULT_SOLVER, Question(Goal.TALLY, tally_by=(TallyBy.COPIES,))).result.tally or {}
        sets = [
            (portion.copies, number)
            for portion, number in tally.items()
            if any(portion.copies) and wanted.pieces in (None, sum(portion.copies))
        ]
        # Equal sets are sorted by their copies, so that the order is always the same.
        return sorted(sets, key=lambda each: (-each[1] if wanted.most else each[1], each[0]))

    def _suitable(self, sets: Iterable[tuple[int, tuple[int, ...], int | None]]) -> Iterator[ChosenPieces]:
        """The sets that are wanted, one by one, of those with a place in the order, copies of each tile, and the number of their
        tilings, if that is known."""
        wanted = self._wanted
        for tried, copies, counted in sets:
            self._looked_at = tried
            self._said = self._so_far(tried)
            if not all(copies[number] for number in self._placed):
                continue
            chosen = self._with_copies(copies)
            if counted is None and wanted.all_open and not self._has_tiling(chosen):
                continue
            fewest = self._fewest(chosen) if wanted.all_open else None
            if fewest is not None and fewest[1] < wanted.at_least:
                continue
            answer = self._all_of(chosen) if wanted.unique else self._ask(chosen, SOLVER, Question(Goal.COUNT, _LIMITS))
            nodes = None if answer.result.stop is Stop.NODES else answer.result.nodes
            number = self._number_of(chosen, answer) if counted is None else counted
            if number < wanted.at_least or (wanted.unique and not self._is_unique(chosen, answer.solutions)):
                continue
            hard = None if wanted.all_open else grade(chosen, threads=self._threads, on_tick=self._tick)
            if wanted.level and (hard is None or hard.level != wanted.level):
                continue
            self._looked_at = tried + 1
            cover = BoardCover.of(chosen)
            yield ChosenPieces(
                _expecting(chosen, number, unique=wanted.unique and not self._in_parts),
                *(number, nodes, len(cover) - len(chosen.optional)),
                *(answer.solutions[0] if wanted.unique else None, fewest, hard),
            )
        self._looked_at = self._number

    def _has_tiling(self, instance: Instance) -> bool:
        found = self._ask(instance, DEFAULT_SOLVER, Question(Goal.DECIDE)).result.found > 0
        self._with_tilings += found
        return found

    def _number_of(self, instance: Instance, answer: TilingAnswer) -> int:
        """The number of tilings of a set that was drawn, by the answer of a search; counted anew if that was too long."""
        number = answer.result.found
        if answer.result.stop is Stop.NODES and not self._wanted.unique:
            number = self._ask(instance, DEFAULT_SOLVER, Question(Goal.COUNT)).result.count or 0
        if not self._wanted.all_open:
            self._with_tilings += number > 0
        return number

    def _all_of(self, instance: Instance) -> TilingAnswer:
        """All tilings, or more than a class can have; with the nodes of a complete search, if there are few enough."""
        question = Question(Goal.ENUMERATE, replace(_LIMITS, solutions=self._most + 1))
        answer = self._ask(instance, SOLVER, question)
        if answer.result.stop is not Stop.NODES:
            return answer
        whole = self._ask(instance, DEFAULT_SOLVER, replace(question, limits=replace(question.limits, nodes=None)))
        return replace(whole, result=replace(whole.result, stop=Stop.NODES))

    def _is_unique(self, instance: Instance, tilings: Sequence[Placements]) -> bool:
        """Whether there are tilings, and all are of one class; `tilings` are all, or more than a class has."""
        if not 0 < len(tilings) <= self._most:
            return False
        of = PartClasses(instance).of if self._in_parts else TilingClasses(BoardCover.of(instance)).of
        first = of(tilings[0])
        return all(of(tiling) == first for tiling in tilings[1:])

    def _with_copies(self, copies: tuple[int, ...]) -> Instance:
        tiles = self._instance.tiles
        chosen = tuple(replace(tile, at_least=n, at_most=n) for tile, n in zip(tiles, copies, strict=True) if n)
        names = " ".join(f"{tile.at_most}:{tile.name}" for tile in chosen)
        about = self._instance.about
        fills = tuple((name, fill) for name, fill in about.fills if name in {tile.name for tile in chosen})
        constraints = tuple(each for each in self._instance.constraints if copies[self._instance.number_of(each.tile)])
        about = replace(about.unanswered, fills=fills)
        return replace(self._instance, tiles=chosen, constraints=constraints, name=names, about=about)

    def _fewest(self, instance: Instance) -> tuple[Shape, int]:
        """The open cells with the fewest tilings, and the number of these; or the first open cells that are found to have too
        few."""
        size = sum(tile.at_least * tile.size for tile in instance.tiles)
        fitting = (cells for cells in self._failed if len(instance.board) - len(cells) == size)
        for cells in islice(fitting, _TRIED_FIRST):
            alone = instance.with_open(cells)
            found = self._ask(alone, SOLVER, Question(Goal.ENUMERATE, Limits(solutions=self._wanted.at_least))).result.found
            if found < self._wanted.at_least:
                return self._noted(cells, found)
        cover = BoardCover.of(instance)
        if open_sets.number_of_sets(cover) > open_sets.MOST_SETS:
            raise InputError(f"--all-open: there are more than {open_sets.MOST_SETS:,} sets of cells that may stay open")
        tally = self._ask(instance, DEFAULT_SOLVER, Question(Goal.TALLY, tally_by=(TallyBy.OPEN,))).result.tally or {}
        numbers = {portion.open: number for portion, number in tally.items()}
        number, least = min((numbers.get(cells, 0), cells) for cells in open_sets.sets(cover))
        return self._noted(frozenset(cover.cells[cell] for cell in least), number)

    def _noted(self, cells: Shape, number: int) -> tuple[Shape, int]:
        if number < self._wanted.at_least:
            self._failed = [cells, *(each for each in self._failed if each != cells)]
        return cells, number

    def _ask(self, instance: Instance, solver: str, question: Question) -> TilingAnswer:
        """An answer that is known; Stopped if it is not."""
        asked = replace(question, limits=replace(question.limits, threads=self._threads))
        answer = solve(instance, solver, asked, on_tick=self._tick)
        # A short search may be over before it tells of any progress.
        stop = answer.result.stop if self._tick(Progress()) else Stop.INTERRUPTED
        if stop not in (Stop.DONE, Stop.SOLUTIONS, Stop.NODES):
            raise Stopped(stop, replace(answer.result, stop=stop).reason)
        return answer

    def _tick(self, progress: Progress) -> bool:
        return self._on_tick(self._said if self._said.where else progress)

    def _so_far(self, tried: int) -> Progress:
        """How many sets were looked at; the search ends with the last one, or with as many as are wanted."""
        part = max(tried / self._number, self._found / self._wanted.limit if self._wanted.limit else 0)
        tilings = "" if self._wanted.seed is None else f"{self._with_tilings:,} with a tiling, "
        return Progress(
            found=self._found, fraction=part, where=f"set {tried + 1:,} of {self._number:,}, {tilings}{self._found:,} found"
        )
