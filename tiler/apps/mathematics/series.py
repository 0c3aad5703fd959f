"""Count the tilings of rectangles or rhombi of one width, or of boxes of two sides, for every length: terms, a recurrence for all
of them, and its proof.

A rhombus grows in the same way on a lattice with oblique axes. Where cells are edges, length 0 is the edges above the first row.

The states of the frontier at the end of a row (in space: of a layer), relative to it, are the coordinates of a vector; a row more
multiplies it by one and the same matrix of whole numbers, the *transfer matrix*. A term is the coordinate of the state without
covered cells beyond.
If S states occur in all, every term is by Cayley and Hamilton the same combination of the S before it.

The shortest recurrence is found modulo a prime by Berlekamp and Massey's algorithm; its coefficients are whole numbers (Fatou).
The residues next to zero are tried in true arithmetic. *Proof*: the difference between a term and the value that a recurrence
predicts is a combination of coordinates of such vectors. So the differences satisfy the recurrence of order S too: if they are
zero for S terms in a row, they are zero for ever. All states are found when the set of states at the end of a row is the same as
at the end of an earlier row, since the states after a row depend only on the states before it. If tiles have marks, the first
rows differ from those below them: each of the first rows counts as one state more.

Source: R. P. Stanley, Enumerative Combinatorics 1, section 4.7; J. L. Massey, Shift-register synthesis and BCH decoding (1969).
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from dataclasses import MISSING, dataclass, field
from itertools import pairwise
from math import gcd
from typing import Any, NamedTuple

import numpy as np

from tiler import formats
from tiler.backends.frontier.tables.hash_tables import Tables
from tiler.backends.registry import parse_spec
from tiler.cover.board import BoardCover
from tiler.errors import InputError
from tiler.kernels import python_time
from tiler.model.instance import Instance
from tiler.model.lattice import Shape
from tiler.process.cancellation import StopCheck, never_stop
from tiler.question.parameters import COUNT, WORDS, ValueKind, parameter
from tiler.question.question import Goal, Question

SCHEMA = "tiler-series-1"
MOST_STATES = 1000  #: the order is proved for up to this number of states; this takes about twice as many terms

_FIRST_ROWS = 60
_MOST_ROWS = 600  # the most rows, if there are too many states
_PRIMES = tuple((1 << bits) - 1 for bits in (61, 127, 521, 1279, 2203, 4423))  # Mersenne primes


#: A width, or two sides in space.
BOARD = ValueKind("words", "a text, such as '4xn'", WORDS.holds)


@dataclass(frozen=True)
class SeriesQuestion:
    """The boards, and how many terms to count."""

    board: str = parameter(
        MISSING,
        "the boards: W columns and n rows, for every n; in space WxHxn, with n layers; rhombus:Wxn where axes are oblique",
        BOARD,
        metavar="Wxn",
        by_place=True,
    )
    terms: int = parameter(12, "print N terms", COUNT)


@dataclass(frozen=True, repr=False)
class Series:
    """The numbers of tilings of rectangles of one width, or of boxes of two sides, by length from 0; `str` makes a text of it.

    >>> found = series((3,), ["2"])
    >>> found, found[30]
    (Series(3xn: 1, 0, 3, 0, 11, 0, ..., order 4, proved), 299303201)
    """

    sides: tuple[int, ...]  #: the sides of a row: its columns; in space the columns and rows of a layer
    terms: tuple[int, ...]
    recurrence: tuple[int, ...]  #: a(n) = recurrence[0] a(n - 1) + recurrence[1] a(n - 2) + ...; of all that hold the shortest
    states: int | None  #: the number of states of the transfer matrix, which bounds the order; None if there are too many
    is_proved: bool  #: whether the recurrence holds for ever; else it holds for the terms
    shortest: Instance = field(compare=False)  #: the board of length 1
    figure: str = ""  #: "rhombus:" where the axes of the lattice are oblique

    @property
    def board(self) -> str:
        """What was asked about: 3xn."""
        return self.figure + "x".join(map(str, (*self.sides, "n")))

    def __getitem__(self, length: int) -> int:
        """The number of tilings of a length; IndexError beyond the terms if no recurrence was found."""
        if length < 0 or (length >= len(self.terms) and not self.recurrence):
            raise IndexError(f"there are {len(self.terms):,} terms, from 0 on, and no recurrence")
        terms = list(self.terms)
        for n in range(len(terms), length + 1):
            terms.append(sum(c * terms[n - i] for i, c in enumerate(self.recurrence, 1)))
        return terms[length]

    def __repr__(self) -> str:
        begin = ", ".join(map(str, self.terms[:6]))
        order = f"order {len(self.recurrence)}, {'' if self.is_proved else 'not '}proved" if self.recurrence else "no recurrence"
        return f"Series({self.board}: {begin}, ..., {order})"

    def __str__(self) -> str:
        return self.text()

    def text(self, terms: int = 12) -> str:
        """Some terms, the recurrence and the generating function, in lines of a terminal."""
        lines = [_wrapped("terms       ", ", ".join(map(str, self.terms[:terms])) + ", ...")]
        order = len(self.recurrence)
        if not order:
            return "\n".join([*lines, f"recurrence  none found in {len(self.terms):,} terms"])
        named = [(c, f"a(n-{i})") for i, c in enumerate(self.recurrence, 1)]
        lines.append(_wrapped("recurrence  ", f"a(n) = {_sum(named)} for n >= {order}"))
        above = [(c, _power(i)) for i, c in enumerate(self.numerator)]
        below = [(1, "1"), *((-c, _power(i)) for i, c in enumerate(self.recurrence, 1))]
        lines.append(_wrapped("generating  ", f"({_sum(above)}) / ({_sum(below)})"))
        if self.is_proved:
            ends = "rows" if len(self.sides) == 1 else "layers"
            why = f"proved: order {order}, as {self.states:,} states at the ends of {ends} show"
        else:
            why = f"not proved: order {order} holds for the {len(self.terms):,} terms that were counted"
        return "\n".join([*lines, _wrapped("", why)])

    def b_file(self, terms: int = 12) -> str:
        """The first terms as a b-file of the On-Line Encyclopedia of Integer Sequences: lines with n, from 0, and a(n).

        >>> print(series((2,), ["2"]).b_file(4), end="")
        0 1
        1 1
        2 2
        3 3
        """
        return "".join(f"{n} {self[n]}\n" for n in range(terms))

    @property
    def numerator(self) -> tuple[int, ...]:
        """The numerator of the generating function, the coefficient of x^0 first; the denominator is 1 - recurrence[0] x - ..."""
        order = len(self.recurrence)
        numerator = [
            self.terms[n] - sum(c * self.terms[n - i] for i, c in enumerate(self.recurrence[:n], 1)) for n in range(order)
        ]
        while numerator and not numerator[-1]:
            numerator.pop()
        return tuple(numerator)

    def summary(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "schema": SCHEMA,
            "board": self.board,
            "width": self.sides[0],
            "turned_over": self.shortest.turned_over,
            "terms": list(self.terms),
            "recurrence": list(self.recurrence),
            "numerator": list(self.numerator),
            "denominator": [1, *(-c for c in self.recurrence)],
            "states": self.states,
            "proved": self.is_proved,
        }


def sides_of(board: str) -> tuple[str, tuple[int, ...]]:
    """The figure and the sides in `4xn` (4 columns), `3x4xn` (3 columns and 4 rows) or `rhombus:4xn`; InputError if it is none.

    >>> sides_of("4xn"), sides_of("rhombus:3x4xn")
    (('', (4,)), ('rhombus:', (3, 4)))
    """
    match = re.fullmatch(r"(rhombus:)?([1-9][0-9]?)x(?:([1-9][0-9]?)x)?n", board)
    if not match:
        raise InputError(
            f"{board!r} is no board of any length; write 4xn for 4 columns, rhombus:4xn if axes are oblique, in space 3x4xn"
        )
    figure, *sides = match.groups()
    return figure or "", tuple(int(side) for side in sides if side)


def series(
    sides: tuple[int, ...],
    tiles: Sequence[str],
    *,
    figure: str = "",
    reflections: bool | None = None,
    lattice: str | None = None,
    turning: bool = True,
    mates: str | None = None,
    least: int = 12,
    threads: int = 1,
    check_stop: StopCheck = never_stop,
) -> Series:
    """The series of a width, or of two sides in space, with at least `terms` terms, by up to `threads` threads.

    InputError if tiles are bounded, or too long for the frontier's words. Tiles may have marks; `figure` is "rhombus:" where the
    axes of the lattice are oblique, and `mates` and the rest are as in `formats.inline`.

    >>> found = series((2,), ["2"])
    >>> found.terms[:6], found.recurrence, found.is_proved
    ((1, 1, 2, 3, 5, 8), (1, 1), True)
    """
    python_time.exhaust()
    asked = _RowQuestion(figure, sides, tuple(tiles), reflections, lattice, turning, mates)
    _, states = _rows(asked, _FIRST_ROWS, threads, check_stop, wants_states=True)
    rows = 2 * states + 2 if states is not None and states <= MOST_STATES else _MOST_ROWS
    terms, _ = _rows(asked, max(rows, least - 1), threads, check_stop, wants_states=False)
    recurrence = _shortest(terms)
    order = len(recurrence)
    is_proved = states is not None and order <= states and len(terms) >= order + states
    found = tuple(recurrence) if 2 * order < len(terms) else ()
    return Series(sides, tuple(terms), found, states, is_proved, asked.on(1), figure)


class _RowQuestion(NamedTuple):
    """Tiles, and the sides of a row."""

    figure: str
    sides: tuple[int, ...]
    tiles: tuple[str, ...]
    reflections: bool | None
    lattice: str | None
    turning: bool
    mates: str | None

    def on(self, length: int) -> Instance:
        """The board of a length."""
        board = self.figure + "x".join(map(str, (*self.sides, length)))
        return formats.inline(
            [board, *self.tiles], reflections=self.reflections, lattice=self.lattice, turning=self.turning, mates=self.mates
        )


def _rows(
    asked: _RowQuestion, rows: int, threads: int, check_stop: StopCheck, *, wants_states: bool
) -> tuple[list[int], int | None]:
    """The terms up to `rows` rows, and the number of states at ends of rows; None if not all of them were seen."""
    shape, longer = asked.on(1), asked.on(2)
    # Where cells are edges, the first row has an edge more above each square.
    size = len(longer.board) - len(shape.board)
    above = len(shape.board) - size
    if any(tile.at_least or tile.at_most is not None for tile in shape.tiles):
        raise InputError("a series is of tiles without bounds: leave them out")
    sizes = [tile.size for tile in shape.distinct_tiles]
    # A longer board, whose end the states do not feel, and of as many cells as tiles can cover.
    least = max(rows + max(sizes) + 2, max(asked.sides) + 1)
    lengths = range(least, least + gcd(*sizes))
    length = next((each for each in lengths if (above + size * each) % gcd(*sizes) == 0), None)
    if length is None:
        raise InputError(f"no length has a tiling: pieces cannot add up to {above} cells and {size} for each row")
    cover = BoardCover.of(asked.on(length), check_stop)
    reason = cover.refusal() or parse_spec("frontier").refusal(Question(Goal.COUNT), cover)
    if reason is not None:
        raise InputError(reason)
    tables = Tables.along_axes(cover, threads=threads, check_stop=check_stop)
    if tables is None:
        raise InputError(f"tiles reach too far for rows of {size} cells: they may reach less than 64 cells in fill order")
    terms: list[int] = []
    seen: dict[frozenset[tuple[int, int]], int] = {}
    states: set[tuple[int, int]] = set()
    is_closed = False
    if not all(_begins_with(cover, tables, board) for board in (shape.board, longer.board)):
        raise InputError(f"boards of the {shape.lattice} lattice do not grow row by row")
    starts = _starts(tables, above, size, rows)
    # The first rows have other marks above them; each of these rows counts as a state.
    first = 0 if cover.coloured is None else max(sizes)
    wants_states &= _are_alike(tables, starts[first:])

    def note(position: int) -> None:
        nonlocal is_closed
        if len(terms) > rows or position != starts[len(terms)]:
            return
        terms.append(tables.ways_of_none(position))
        if wants_states and not is_closed and len(terms) > first and tables.waiting <= MOST_STATES:
            window = frozenset((at - position, word) for at, word in tables.pending())
            is_closed = window in seen
            seen[window] = position
            states.update(window)

    tables.on_position = note
    for _ in tables.build():
        check_stop()
    return terms, first + len(states) if is_closed else None


def _begins_with(cover: BoardCover, tables: Tables, board: Shape) -> bool:
    """Whether the fill order has the cells of a shorter board first."""
    first = np.argsort(tables.model.rank[: len(cover.cells)])[: len(board)]
    return {cover.cells[cell] for cell in first.tolist()} == board


def _starts(tables: Tables, above: int, size: int, rows: int) -> list[int]:
    """Where each of some rows of this size begins, and the next one: a row's last pins are those that may stay open. There are
    some cells above the first."""
    model = tables.model
    ends = np.append(-1, np.flatnonzero(model.measured))[above::size][: rows + 1] + 1
    starts = []
    for end in ends.tolist():
        start = end
        while not model.measured[start] and model.is_filled_up(start):
            start += 1
        starts.append(start)
    return starts


def _are_alike(tables: Tables, starts: Sequence[int]) -> bool:
    """Whether the same fits in all rows that begin at these places, the last of them left out."""
    rows, model = set(), tables.model
    for start, end in pairwise(starts):
        first = model.fit_starts[start : end + 1]
        rows.add(((first - first[0]).tobytes(), model.fit_masks[first[0] : first[-1]].tobytes()))
    return len(rows) == 1


def _shortest(terms: list[int]) -> list[int]:
    """The shortest recurrence of whole numbers that all terms satisfy."""
    for prime in _PRIMES:
        recurrence = [c if 2 * c < prime else c - prime for c in _berlekamp_massey(terms, prime)]
        order = len(recurrence)
        if all(terms[n] == sum(c * terms[n - i] for i, c in enumerate(recurrence, 1)) for n in range(order, len(terms))):
            return recurrence
    return []


def _berlekamp_massey(terms: list[int], prime: int) -> list[int]:
    """The shortest recurrence modulo a prime."""
    now, before = [1], [1]
    order, since, last = 0, 1, 1
    for n, term in enumerate(terms):
        off = (term + sum(now[i] * terms[n - i] for i in range(1, min(order, len(now) - 1) + 1))) % prime
        if not off:
            since += 1
            continue
        factor = off * pow(last, -1, prime) % prime
        longer = now + [0] * (len(before) + since - len(now))
        for i, c in enumerate(before):
            longer[i + since] = (longer[i + since] - factor * c) % prime
        if 2 * order <= n:
            order, before, last, since = n + 1 - order, now, off, 1
        else:
            since += 1
        now = longer
    return [-c % prime for c in (now + [0] * order)[1 : order + 1]]


def _power(exponent: int) -> str:
    return "1" if not exponent else "x" if exponent == 1 else f"x^{exponent}"


def _sum(terms: list[tuple[int, str]]) -> str:
    """Terms with their factors; those with 0 are left out.

    >>> _sum([(1, "1"), (-3, "x"), (0, "x^2"), (2, "x^3")])
    '1 - 3 x + 2 x^3'
    """
    text = ""
    for factor, name in terms:
        if factor:
            size = abs(factor)
            shown = str(size) if name == "1" else name if size == 1 else f"{size} {name}"
            text += (" - " if factor < 0 else " + ") + shown if text else ("-" if factor < 0 else "") + shown
    return text or "0"


def _wrapped(head: str, text: str) -> str:
    return textwrap.fill(text, 79, initial_indent=head, subsequent_indent=" " * len(head), break_long_words=False)
