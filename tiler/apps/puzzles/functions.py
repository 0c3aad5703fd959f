"""Make puzzles, and take them apart, from Python. Limits are those of all searches together."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Unpack

from tiler.amounts import counted
from tiler.api import arguments
from tiler.api.arguments import LimitArguments, SearchArguments
from tiler.api.call_errors import offered
from tiler.api.monitoring import followed
from tiler.apps.puzzles import hint as hints
from tiler.apps.puzzles import piece_sets, unique_puzzles
from tiler.apps.puzzles.answers.disassembly import TakenApart
from tiler.apps.puzzles.answers.piece_sets import PieceSets, WantedPieces
from tiler.apps.puzzles.answers.unique_puzzle import UniquePuzzle
from tiler.apps.puzzles.apart.of_tiling import disassembly_of
from tiler.apps.puzzles.hint import Hint
from tiler.apps.puzzles.unique_puzzles import UniqueQuestion
from tiler.errors import InputError, Unfinished
from tiler.formats import pieces as tile_formats
from tiler.model.instance import Instance
from tiler.model.tile import Placements
from tiler.process.cancellation import Stopped


@offered(UniqueQuestion)
def unique(
    problem: Instance,
    *,
    seed: int = UniqueQuestion.seed,
    side_marks: int | None = UniqueQuestion.side_marks,
    pairs: bool = UniqueQuestion.pairs,
    cell_colours: int | None = UniqueQuestion.cell_colours,
    **limits: Unpack[SearchArguments],
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
    with followed(limits) as follow:
        with follow.answering("no such puzzle was found by then"):
            puzzle = unique_puzzles.make(
                board, UniqueQuestion(seed, side_marks, pairs, cell_colours), threads=follow.threads, on_tick=follow.tick
            )
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
    **limits: Unpack[SearchArguments],
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
    board = piece_sets.one_each(tile_formats.with_pool(board, list(pool))) if pool else board
    with followed(limits) as follow:
        found = piece_sets.find(board, wanted, follow)
        follow.refuse_interrupted(found)
        if found.ended:
            known = f"{counted(len(found), 'set')} found until then"
            raise Unfinished(f"unfinished: {found.ended}; {known}", len(found), follow.stop or "")
    return found


@offered()
def hint(
    problem: Instance,
    **limits: Unpack[SearchArguments],
) -> Hint:
    """Say where the next piece goes, beside those that constraints `place` of the problem put on the board: a piece that lies
    there in every tiling, if there is one, else a piece of some tiling. Unfinished if a limit ends it before a tiling is found.

    >>> import tiler
    >>> hint(tiler.make("4x4", "2")).is_forced
    False
    """
    board = arguments.board(problem)
    with followed(limits) as follow:
        with follow.answering("no tiling was found by then"):
            found = hints.find(board, threads=follow.threads, on_tick=follow.tick)
        follow.refuse_interrupted(found)
    return found


def taken_apart(
    instance: Instance,
    tiling: Placements,
    limits: LimitArguments,
) -> TakenApart:
    """How the pieces of a tiling come apart, for `Tiling.apart`."""
    with followed(limits, "positions") as follow:
        found = None
        with suppress(Stopped):
            found = disassembly_of(instance, tiling, check_stop=follow.check_stop)
        follow.refuse_interrupted(found)
    if found is None:
        raise Unfinished(f"unfinished: {follow.reason}; it is not known whether the pieces come apart", 0, follow.stop or "")
    return TakenApart(instance, tiling, found)
