"""Answer questions about unlimited copies of tiles, and make puzzles, from Python.

Several searches answer such a question: `seconds` and `memory` are limits of all of them together, `seconds_each` of each. If a
limit ends the searches, the answer has what is known so far (`stop`).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tiler.amounts import counted
from tiler.door import arguments, construction
from tiler.door.answers import piece_sets
from tiler.door.answers import plane as planes
from tiler.door.answers import rectangles as found_rectangles
from tiler.door.answers.piece_sets import PieceSets
from tiler.door.answers.plane import PlaneTiling
from tiler.door.answers.rectangle_records import Records
from tiler.door.answers.rectangles import FilledRectangles
from tiler.door.answers.unique_puzzle import UniquePuzzle
from tiler.door.call_errors import offered
from tiler.door.construction import GivenTile
from tiler.door.monitoring import ToldProgress, following
from tiler.errors import InputError, Unfinished
from tiler.formats import pieces as tile_formats
from tiler.model.instance import Instance
from tiler.studies import hint as hints
from tiler.studies import series as counting
from tiler.studies import unique_puzzles
from tiler.studies.hint import Hint
from tiler.studies.piece_sets import WantedPieces, one_each
from tiler.studies.plane import PlaneQuestion
from tiler.studies.rectangles import RectangleQuestion
from tiler.studies.series import Series, SeriesQuestion
from tiler.studies.unique_puzzles import UniqueQuestion


@offered(RectangleQuestion)
def rectangles(
    *tiles: GivenTile,
    reflections: bool | None = None,
    boxes: bool = RectangleQuestion.boxes,
    up_to: int = RectangleQuestion.up_to,
    copies: int | None = RectangleQuestion.copies,
    seconds_each: float | str | None = RectangleQuestion.seconds_each,
    records: str | Path | None = RectangleQuestion.records,
    proofs: str | Path | None = RectangleQuestion.proofs,
    seconds: float | str | None = None,
    memory: int | str | None = None,
    threads: int | None = None,
    progress: ToldProgress = False,
) -> FilledRectangles:
    """Find the rectangles with sides `up_to` some length (for polycubes, the boxes) that copies of the tiles fill, and the prime
    ones among them, which are not made of smaller ones.

    Tiles are given as to `make`; `boxes` takes flat ones into space. With a number of `copies`, of a single tile, it looks at
    boxes of 1, 2, ... and up to that many copies, until one is filled. With a file of `records` it goes on from earlier results,
    and adds new ones. With a folder of `proofs`, two methods refute each box that needs a search, and a proof is written there
    for each box that cannot be filled.

    >>> [prime.sides for prime in rectangles("3L", up_to=5).primes]
    [(2, 3)]
    >>> rectangles("4S", reflections=True, boxes=True, copies=6).order
    6
    """
    instance = found_rectangles.tiles_of(tiles, reflections, boxes)
    question = RectangleQuestion(boxes, up_to, copies, arguments.number(seconds_each), records, proofs)
    limits = arguments.limits(seconds, memory, threads=threads)
    with following(progress, limits) as follow, Records.opened(records) as file:
        found = found_rectangles.find(instance.tiles, instance.reflections, question, follow, file)
        follow.refuse_interrupted(found)
    return found


@offered(PlaneQuestion)
def plane(
    *tiles: GivenTile,
    lattice: str | None = None,
    reflections: bool | None = None,
    turning: bool = True,
    mates: str | None = None,
    up_to: int = PlaneQuestion.up_to,
    coronas: int = PlaneQuestion.coronas,
    seconds_each: float | str | None = PlaneQuestion.seconds_each,
    orbits: int | None = PlaneQuestion.orbits,
    heesch: bool = PlaneQuestion.heesch,
    proofs: str | Path | None = PlaneQuestion.proofs,
    seconds: float | str | None = None,
    memory: int | str | None = None,
    threads: int | None = None,
    progress: ToldProgress = False,
) -> PlaneTiling:
    """Find out whether copies of the tiles tile the plane: the smallest period of at most `up_to` cells, or how often a single
    tile can be surrounded by copies of itself, up to `coronas` times. Tiles may have marks; `mates` names marks that fit each
    other. Without `turning` tiles lie as they are written, as Wang tiles do. With `orbits` the answer is a tiling by one tile
    with as few orbits as possible. With `heesch` no period is tried: the answer is how often a single tile can be surrounded,
    with and without holes; a folder of `proofs` takes the proof that it is no more often. If a limit ends it, the answer is what
    is known by then.

    >>> str(plane("5F", reflections=True)).splitlines()[0]
    '5F: tiles the plane'
    """
    instance = planes.tiles_of(tiles, reflections, lattice, turning=turning, mates=mates)
    question = PlaneQuestion(up_to, coronas, arguments.number(seconds_each), orbits, heesch, proofs)
    with following(progress, arguments.limits(seconds, memory, threads=threads)) as follow:
        found = planes.find(instance, question, follow)
        follow.refuse_interrupted(found)
    return found


@offered(SeriesQuestion)
def series(
    board: str,
    *tiles: GivenTile,
    reflections: bool | None = None,
    lattice: str | None = None,
    turning: bool = True,
    mates: str | None = None,
    terms: int = SeriesQuestion.terms,
    seconds: float | str | None = None,
    memory: int | str | None = None,
    threads: int | None = None,
    progress: ToldProgress = False,
) -> Series:
    """The numbers of tilings of rectangles of one width and any length ('4xn'), of rhombi ('rhombus:4xn') where the axes of the
    `lattice` are oblique, or of boxes of two sides ('2x3xn'), with their recurrence and whether it is proved; at least `terms`
    terms, from length 0 on. Tiles may have marks; `mates` names marks that fit each other. Without `turning` tiles lie as they
    are written. Unfinished if a limit ends it.

    >>> print(series("3xn", "2").text(terms=5))
    terms       1, 0, 3, 0, 11, ...
    recurrence  a(n) = 4 a(n-2) - a(n-4) for n >= 4
    generating  (1 - x^2) / (1 - 4 x^2 + x^4)
    proved: order 4, as 4 states at the ends of rows show
    """
    written = construction.texts(tiles)
    figure, sides = counting.sides_of(board)
    with following(progress, arguments.limits(seconds, memory, threads=threads)) as follow:
        with follow.answering(""):
            found = counting.series(
                sides,
                written,
                figure=figure,
                reflections=reflections,
                lattice=lattice,
                turning=turning,
                mates=mates,
                least=terms,
                threads=follow.threads,
                look=follow.look,
            )
        follow.refuse_interrupted(found)
    return found


@offered(UniqueQuestion)
def unique(
    problem: Instance,
    *,
    seed: int = UniqueQuestion.seed,
    side_marks: int | None = UniqueQuestion.side_marks,
    pairs: bool = UniqueQuestion.pairs,
    cell_colours: int | None = UniqueQuestion.cell_colours,
    seconds: float | str | None = None,
    memory: int | str | None = None,
    threads: int | None = None,
    progress: ToldProgress = False,
) -> UniquePuzzle:
    """Make a puzzle with exactly one solution up to symmetry: it fixes as few pieces of a tiling as it can; or it removes cells,
    if the board has more cells than the pieces. With `side_marks` it draws squares with marks on their sides for a board
    alone, until a set of them has a single solution. With `cell_colours` it colours cells of the board and of pieces, with at
    most that many colours, so that the first tiling it finds becomes the only one. The same seed makes the same puzzle.

    InputError if there is no tiling to make one of, Unfinished if a limit ends it.

    >>> import tiler
    >>> len(unique(tiler.make("5x5", "3L", "1:1")).fixed)
    4
    """
    board = arguments.board(problem)
    with following(progress, arguments.limits(seconds, memory, threads=threads)) as follow:
        with follow.answering("no such puzzle was found by then"):
            made = unique_puzzles.make(
                board, UniqueQuestion(seed, side_marks, pairs, cell_colours), threads=follow.threads, on_tick=follow.tick
            )
        puzzle = None if made is None else UniquePuzzle(made)
        follow.refuse_interrupted(puzzle)
    if puzzle is None:
        # No puzzle comes out: a program that reads one from stdout must not take this for it.
        raise InputError(f"{board.heading or 'the problem'}: there is no tiling, so no puzzle can be made")
    return puzzle


@offered(WantedPieces)
def choose(
    problem: Instance,
    *,
    pieces: int | None = WantedPieces.pieces,
    pool: Sequence[str] = (),
    unique: bool = WantedPieces.unique,
    all_open: bool = WantedPieces.all_open,
    at_least: int = WantedPieces.at_least,
    level: str | None = WantedPieces.level,
    most: bool = WantedPieces.most,
    limit: int | None = WantedPieces.limit,
    seed: int | None = WantedPieces.seed,
    seconds: float | str | None = None,
    memory: int | str | None = None,
    threads: int | None = None,
    progress: ToldProgress = False,
) -> PieceSets:
    """Find sets of `pieces` that fill the board of a problem. The pieces come from the tiles of the problem, or from a `pool`
    instead; there are as many copies of each as its bound says, or any number if it has no bound, but one of each of a `pool`.
    `unique` keeps only sets with one tiling up to symmetry, for which `count` with `up_to_symmetry` is 1 (on a board in several
    parts each part is turned by itself), `all_open` only sets with a tiling (or `at_least` tilings) for every set of open cells;
    `level` only sets that are as hard for people. Sets with the fewest tilings come first, or those with the `most`; a `seed`
    draws sets at random. Unfinished if a limit ends the search.

    >>> import tiler
    >>> len(choose(tiler.make("5x3", "1:pentominoes"), pieces=3, unique=True))
    7
    """
    wanted = WantedPieces(pieces, unique, all_open, at_least, level, limit, most, seed)
    board = arguments.board(problem)
    board = one_each(tile_formats.with_pool(board, list(pool))) if pool else board
    with following(progress, arguments.limits(seconds, memory, threads=threads)) as follow:
        found = piece_sets.find(board, wanted, follow)
        follow.refuse_interrupted(found)
        if found.choice.ended:
            known = f"{counted(len(found), 'set')} found until then"
            raise Unfinished(f"unfinished: {found.choice.ended}; {known}", len(found), follow.stop or "")
    return found


@offered()
def hint(
    problem: Instance,
    *,
    seconds: float | str | None = None,
    memory: int | str | None = None,
    threads: int | None = None,
    progress: ToldProgress = False,
) -> Hint:
    """Say where the next piece goes, beside those that constraints `place` of the problem put on the board: a piece that lies
    there in every tiling, if there is one, else a piece of some tiling. Unfinished if a limit ends it before a tiling is found.

    >>> import tiler
    >>> hint(tiler.make("4x4", "2")).is_forced
    False
    """
    board = arguments.board(problem)
    with following(progress, arguments.limits(seconds, memory, threads=threads)) as follow:
        with follow.answering("no tiling was found by then"):
            found = hints.find(board, threads=follow.threads, on_tick=follow.tick)
        follow.refuse_interrupted(found)
    return found
