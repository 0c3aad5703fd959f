"""Answer questions about unlimited copies of tiles, and make puzzles, from Python.

Several searches answer such a question: `seconds` and `memory` are limits of all of them together, `seconds_each` of each. If a
limit ends the searches, the answer has what is known so far (`stop`).
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

from tiler.amounts import counted
from tiler.door import arguments, construction
from tiler.door.answers import plane as planes
from tiler.door.answers import rectangle_proofs
from tiler.door.answers import rectangles as found_rectangles
from tiler.door.answers.piece_sets import PieceSets, with_pool
from tiler.door.answers.plane import PlaneTiling
from tiler.door.answers.rectangle_records import Records
from tiler.door.answers.rectangles import FilledRectangles
from tiler.door.answers.unique_puzzle import UniquePuzzle
from tiler.door.call_errors import offered
from tiler.door.construction import GivenTile
from tiler.door.monitoring import ToldProgress, following
from tiler.errors import BadArgument, InputError, Unfinished
from tiler.model.instance import Instance
from tiler.process.cancellation import Stopped
from tiler.studies import piece_sets, unique_puzzles
from tiler.studies import series as counting
from tiler.studies.series import Series


@offered
def rectangles(
    *tiles: GivenTile,
    reflections: bool | None = None,
    boxes: bool = False,
    up_to: int = 20,
    copies: int | None = None,
    seconds_each: float | str | None = 10.0,
    records: str | Path | None = None,
    proofs: str | Path | None = None,
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
    told = None if reflections is None else arguments.flag(reflections, "reflections")
    in_space, limits = arguments.flag(boxes, "boxes"), arguments.limits(seconds, memory, threads=threads)
    instance = found_rectangles.tiles_of(tiles, told, in_space)
    wanted = found_rectangles.WantedBoxes(
        arguments.positive(up_to, "up_to") if copies is None else arguments.positive(copies, "copies"),
        by_copies=copies is not None,
        seconds_each=arguments.seconds_each(seconds_each),
        in_space=in_space,
        proofs=None if proofs is None else rectangle_proofs.folder(str(arguments.path(proofs))),
        threads=limits.threads,
    )
    opened = nullcontext() if records is None else Records.opened(str(arguments.path(records)))
    with following(progress, limits) as follow, opened as file:
        found = found_rectangles.find(instance.tiles, instance.reflections, wanted, follow, file)
        follow.refuse_interrupted(found)
    return found


@offered
def plane(
    *tiles: GivenTile,
    lattice: str | None = None,
    reflections: bool | None = None,
    turning: bool = True,
    mates: str | None = None,
    up_to: int = 60,
    coronas: int = 3,
    seconds_each: float | str | None = 10.0,
    seconds: float | str | None = None,
    memory: int | str | None = None,
    threads: int | None = None,
    progress: ToldProgress = False,
) -> PlaneTiling:
    """Find out whether copies of the tiles tile the plane: the smallest period of at most `up_to` cells, or how often a single
    tile can be surrounded by copies of itself, up to `coronas` times. Tiles may have marks; `mates` names marks that fit each
    other. Without `turning` tiles lie as they are written, as Wang tiles do.

    >>> str(plane("5F", reflections=True)).splitlines()[0]
    '5F: tiles the plane'
    """
    told = None if reflections is None else arguments.flag(reflections, "reflections")
    instance = planes.tiles_of(tiles, told, lattice, turning=arguments.flag(turning, "turning"), mates=mates)
    most, often = arguments.positive(up_to, "up_to"), arguments.whole(coronas, "coronas", 0)
    each = arguments.seconds_each(seconds_each)
    limits = arguments.limits(seconds, memory, threads=threads)
    with following(progress, limits) as follow:
        found = planes.find(instance, most, often, each, limits.threads, follow)
        follow.refuse_interrupted(found)
    return found


@offered
def series(
    board: str,
    *tiles: GivenTile,
    reflections: bool | None = None,
    turning: bool = True,
    mates: str | None = None,
    terms: int = 12,
    seconds: float | str | None = None,
    memory: int | str | None = None,
    threads: int | None = None,
    progress: ToldProgress = False,
) -> Series:
    """The numbers of tilings of rectangles of one width and any length ('4xn'), or of boxes of two sides ('2x3xn'), with their
    recurrence and whether it is proved; at least `terms` terms, from length 0 on. Tiles may have marks; `mates` names marks that
    fit each other. Without `turning` tiles lie as they are written. Unfinished if a limit ends it.

    >>> print(series("3xn", "2").text(terms=5))
    terms       1, 0, 3, 0, 11, ...
    recurrence  a(n) = 4 a(n-2) - a(n-4) for n >= 4
    generating  (1 - x^2) / (1 - 4 x^2 + x^4)
    proved: order 4, as 4 states at the ends of rows show
    """
    if not isinstance(board, str):
        raise BadArgument(f"board: {arguments.shown(board)} is not a text, such as '4xn'")
    told = None if reflections is None else arguments.flag(reflections, "reflections")
    written, sides, least = construction.texts(tiles), counting.sides_of(board), arguments.positive(terms, "terms")
    turned, limits = arguments.flag(turning, "turning"), arguments.limits(seconds, memory, threads=threads)
    with following(progress, limits) as follow:
        try:
            found = counting.series(
                sides,
                written,
                reflections=told,
                turning=turned,
                mates=mates,
                least=least,
                threads=limits.threads,
                look=follow.look,
            )
        except Stopped:
            follow.refuse_interrupted(None)
            raise Unfinished(f"unfinished: {follow.reason}", 0, follow.stop or "") from None
        follow.refuse_interrupted(found)
    return found


@offered
def unique(
    problem: Instance,
    *,
    seed: int = 0,
    seconds: float | str | None = None,
    memory: int | str | None = None,
    threads: int | None = None,
    progress: ToldProgress = False,
) -> UniquePuzzle:
    """Make a puzzle with exactly one solution up to symmetry: it fixes as few pieces of a tiling as it can; or it removes cells,
    if the board has more cells than the pieces. The same seed makes the same puzzle.

    InputError if there is no tiling to make one of, Unfinished if a limit ends it.

    >>> import tiler
    >>> len(unique(tiler.make("5x5", "3L", "1:1")).fixed)
    4
    """
    board, chance = arguments.board(problem), arguments.whole(seed, "seed", 0)
    limits = arguments.limits(seconds, memory, threads=threads)
    with following(progress, limits) as follow:
        try:
            made = unique_puzzles.make(board, seed=chance, threads=limits.threads, on_tick=follow.tick)
        except unique_puzzles.EndedError:
            follow.refuse_interrupted(None)
            raise Unfinished(f"unfinished: {follow.reason}; no such puzzle was found by then", 0, follow.stop or "") from None
        puzzle = None if made is None else UniquePuzzle(made)
        follow.refuse_interrupted(puzzle)
    if puzzle is None:
        raise InputError(f"{board.heading or 'the problem'}: there is no tiling, so no puzzle can be made")
    return puzzle


@offered
def choose(
    problem: Instance,
    *,
    pieces: int | None = None,
    pool: Sequence[str] = (),
    unique: bool = False,
    all_open: bool = False,
    at_least: int = 1,
    most: bool = False,
    limit: int | None = None,
    seed: int | None = None,
    seconds: float | str | None = None,
    memory: int | str | None = None,
    threads: int | None = None,
    progress: ToldProgress = False,
) -> PieceSets:
    """Find sets of `pieces` that fill the board of a problem. The pieces come from the tiles of the problem, or from a `pool`
    instead; there are as many copies of each as its bound says, or one if it has no bound. `unique` keeps only sets with one
    tiling up to symmetry, `all_open` only sets with a tiling (or `at_least` tilings) for every set of open cells. Sets with the
    fewest tilings come first, or those with the `most`; a `seed` draws sets at random. Unfinished if a limit ends the search.

    >>> import tiler
    >>> len(choose(tiler.make("5x3", "1:pentominoes"), pieces=3, unique=True))
    7
    """
    wanted = piece_sets.WantedPieces(
        None if pieces is None else arguments.positive(pieces, "pieces"),
        arguments.flag(unique, "unique"),
        arguments.flag(all_open, "all_open"),
        arguments.positive(at_least, "at_least"),
        arguments.flag(most, "most"),
        None if limit is None else arguments.positive(limit, "limit"),
        None if seed is None else arguments.whole(seed, "seed", 0),
    )
    board = arguments.board(problem)
    board = with_pool(board, list(pool)) if pool else board
    limits = arguments.limits(seconds, memory, threads=threads)
    with following(progress, limits) as follow:
        try:
            found = PieceSets(piece_sets.choose(board, wanted, threads=limits.threads, on_tick=follow.tick))
        except unique_puzzles.EndedError as error:
            follow.refuse_interrupted(None)
            raise Unfinished(f"unfinished: {follow.reason or error}; the sets are not known", 0, follow.stop or "") from None
        follow.refuse_interrupted(found)
        if found.choice.ended:
            known = f"{counted(len(found), 'set')} found until then"
            raise Unfinished(f"unfinished: {follow.reason or found.choice.ended}; {known}", len(found), follow.stop or "")
    return found
