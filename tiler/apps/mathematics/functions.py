"""Answer questions about unlimited copies of tiles, from Python.

Several searches answer such a question: `seconds` and `memory` are limits of all of them together, `seconds_each` of each. If a
limit ends the searches, the answer has what is known so far (`stop`).
"""

from __future__ import annotations

from pathlib import Path
from typing import Unpack

from tiler.api import arguments, construction
from tiler.api.arguments import SearchArguments
from tiler.api.call_errors import offered
from tiler.api.construction import GivenTile
from tiler.api.monitoring import followed
from tiler.apps.mathematics import series as counting
from tiler.apps.mathematics.answers import plane as planes
from tiler.apps.mathematics.answers import rectangles as found_rectangles
from tiler.apps.mathematics.answers.plane import PlaneTiling
from tiler.apps.mathematics.answers.rectangles import FilledRectangles
from tiler.apps.mathematics.plane import PlaneQuestion
from tiler.apps.mathematics.rectangles import RectangleQuestion
from tiler.apps.mathematics.series import Series, SeriesQuestion


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
    **limits: Unpack[SearchArguments],
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
    with followed(limits) as follow, found_rectangles.records_in(records) as file:
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
    **limits: Unpack[SearchArguments],
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
    with followed(limits) as follow:
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
    **limits: Unpack[SearchArguments],
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
    with followed(limits) as follow:
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
                check_stop=follow.check_stop,
            )
        follow.refuse_interrupted(found)
    return found
