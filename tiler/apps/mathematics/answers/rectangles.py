"""Show and save the rectangles, and in space the boxes, that some tiles fill: in words, pictures and files."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING

from tiler import printable
from tiler.api import construction
from tiler.api.answers.saving import Drawable, Forms, json_lines, pictures
from tiler.api.answers.tiling import Tiling
from tiler.api.monitoring import Following
from tiler.apps.mathematics.answers import proof_files
from tiler.apps.mathematics.rectangles import MAYBE_PARTS, SCHEMA, RectangleQuestion, Rectangles, Verdict, named
from tiler.errors import BadOption, SpaceTileError
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.model.lattice import Shape
from tiler.model.tile import Tile
from tiler.optional_packages import need
from tiler.process.cancellation import Stopped
from tiler.question.result import Stop
from tiler.render import drawing, pages
from tiler.render.options import USUAL, PictureLook
from tiler.render.scene import Page, Panel

if TYPE_CHECKING:
    from tiler.apps.mathematics.answers.rectangle_records import Records

_SIGNS = {Status.SAT: "+", Status.UNSAT: "·", Status.UNKNOWN: "?"}
_WIDEST = 35  # sides up to which there is a map
_REASONS = 5  # that are listed


@dataclass(frozen=True, repr=False)
class FilledRectangles(Drawable):
    """What is known about the rectangles with sides up to some length: which ones copies of the tiles fill, and which of these
    are prime, that is, not made of smaller ones. Notebooks draw the prime ones, `str` makes a map of all, and `save` a file.

    >>> import tiler
    >>> found = tiler.rectangles("4L", up_to=6)
    >>> found, found.order
    (FilledRectangles(4L: 1 prime rectangle with sides up to 6), 2)
    """

    tiles: tuple[Tile, ...]
    reflections: bool
    up_to: int  #: the longest side, or the most copies
    verdicts: tuple[Verdict, ...]  #: of all that were looked at, by area
    primes: tuple[Verdict, ...]  #: those of them that are prime, by area
    in_space: bool  #: whether they are boxes
    by_copies: bool  #: whether `up_to` is a number of copies, of all boxes until one is filled, and no side
    order: int | None  #: of a single tile: the least number of copies that fill a rectangle of any size, if one is known
    is_least: bool  #: whether no fewer copies do
    never: str  #: why the tiles fill no rectangle, however large; empty where that is not shown
    stop: Stop = Stop.DONE  #: or the limit that ended it

    @property
    def name(self) -> str:
        """The names of the tiles."""
        return " ".join(tile.name for tile in self.tiles)

    @property
    def is_open(self) -> bool:
        """Whether some rectangle is undecided."""
        return any(each.status is Status.UNKNOWN for each in self.verdicts)

    @property
    def tilings(self) -> tuple[Tiling, ...]:
        """A tiling of each prime rectangle."""
        return tuple(Tiling(self._instance(each), each.tiling) for each in self.primes if each.tiling is not None)

    @property
    def _noun(self) -> str:
        return "box" if self.in_space else "rectangle"

    @property
    def _extent(self) -> str:
        return f"of up to {self.up_to} copies, until one is filled" if self.by_copies else f"with sides up to {self.up_to}"

    @property
    def _turning(self) -> str:
        """Whether copies may be turned over, if that makes a difference."""
        cell = frozenset({(0,) * (3 if self.in_space else 2)})
        verb = "mirrored" if self.in_space else "turned over"
        words = {None: "", True: f"; copies may be {verb}", False: f"; copies are not {verb} (--reflections)"}
        return words[Instance(cell, self.tiles, self.reflections).turned_over]

    @property
    def nouns(self) -> str:
        return "boxes" if self._noun == "box" else "rectangles"

    def __repr__(self) -> str:
        some = f"1 prime {self._noun}" if len(self.primes) == 1 else f"{len(self.primes)} prime {self.nouns}"
        stop = "" if self.stop is Stop.DONE else f"; {self.stop}"
        return f"FilledRectangles({printable.shortened(self.name)}: {some} {self._extent}{stop})"

    def __str__(self) -> str:
        lines = [f"{printable.line(self.name)}: {self.nouns} {self._extent}{self._turning}", ""]
        if not self.in_space and not self.by_copies and self.up_to <= _WIDEST:
            lines += [self._map(), "", "# prime   + made up of smaller ones   · impossible   ? unknown", ""]
        primes, copies = [_sure(each) for each in self.primes], ""
        if len(self.tiles) == 1 and primes:
            size, copies = self.tiles[0].size, " (copies)"
            primes = [f"{_sure(each)} ({prod(each.sides) // size:,})" for each in self.primes]
        lines.append(f"prime{copies}: {', '.join(primes) or 'none found'}")
        if self.order is not None:
            lines.append(f"order: {self.order}" + ("" if self.is_least else " at most"))
        if self.never:
            lines.append(f"fills no {self._noun} at all: {self.never}")
        why: dict[str, list[str]] = {}
        for each in self.verdicts:
            if each.how == "colouring" and not each.reason.startswith("area"):
                # What follows speaks of one of them.
                why.setdefault(each.reason.partition(";")[0], []).append(named(each.sides))
        for reason, sides in sorted(why.items(), key=lambda item: -len(item[1]))[:_REASONS]:
            lines.append(f"impossible: {', '.join(sides[:6])}{', ...' if len(sides) > 6 else ''}\n  {printable.line(reason)}")
        unknown = [named(each.sides) for each in self.verdicts if each.status is Status.UNKNOWN]
        if unknown:
            lines.append(f"unknown within the limit of each search (--limit-per): {', '.join(unknown)}")
        return "\n".join(lines)

    def row(self) -> tuple[str, str, str, str]:
        """The tiles, the prime rectangles, the order, and how many are unknown: a line of a table."""
        unknown = sum(each.status is Status.UNKNOWN for each in self.verdicts)
        least = "" if self.order is None else f"{self.order}" if self.is_least else f"<= {self.order}"
        primes = ", ".join(map(_sure, self.primes)) or ("none at all" if self.never else "none found")
        return self.name, primes, least, str(unknown or "")

    def json(self) -> str:
        """A line for each rectangle, as `tiler rectangles --format json` prints it."""
        return json_lines({"schema": SCHEMA, "tiles": self.name, **each.record()} for each in self.verdicts)

    def panels(self, look: PictureLook = USUAL) -> list[Panel]:
        """The prime rectangles, to be put on a sheet."""
        bordered = look._replace(inches=0.0)
        return [
            pages.one(drawing.panels(tiling.instance, tiling.placements, look=bordered), f"{self.name} {named(each.sides)}")
            for each, tiling in zip(self.primes, self.tilings, strict=True)
        ]

    @property
    def title(self) -> str:
        return f"Prime {self.nouns} {self._extent}"

    def forms(self, look: PictureLook = USUAL) -> Forms:
        """The prime rectangles, if there are any, as .svg, .png or .pdf, everything as .json (a line for each rectangle) or
        .txt."""
        return {**pictures_of([self], look), "json": self.json, "txt": self.printed}

    def _map(self) -> str:
        """A sign for each rectangle, by its sides."""
        signs = {each.sides: "#" if each.is_prime else _SIGNS[each.status] for each in self.verdicts}
        sides = range(1, self.up_to + 1)
        head = "    " + "".join(f"{long:>3}" for long in sides)
        return "\n".join(
            [head, *(f"{wide:>4}" + "".join(f"{signs.get((wide, long), ''):>3}" for long in sides) for wide in sides)]
        )

    def _instance(self, prime: Verdict) -> Instance:
        assert prime.tiling is not None
        board = frozenset(cell for placement in prime.tiling for cell in placement.cells)
        return Instance(board, self.tiles, self.reflections)


def pictures_of(found: Sequence[FilledRectangles], look: PictureLook) -> Forms:
    """A sheet with the prime rectangles of some tiles, as svg, png and pdf, if there are any."""

    def page() -> Page:
        return pages.album([panel for each in found for panel in each.panels(look)])._replace(inches=look.inches)

    return pictures(page, found[-1].title) if any(each.primes for each in found) else {}


def tiles_of(given: Sequence[construction.GivenTile], reflections: bool | None, in_space: bool = False) -> Instance:
    """The tiles, on a board that does not matter; in space if that is wanted or one of them is."""
    if not in_space:
        with suppress(SpaceTileError):
            return construction.make("1x1", *given, reflections=reflections)
    return construction.make("1x1x2", *given, reflections=reflections)


def each_of(instance: Instance) -> list[tuple[Tile, ...]]:
    """The tiles one by one; of those that may be turned into each other, the first."""
    first: dict[Shape, Tile] = {}
    for tile in instance.tiles:
        first.setdefault(instance.lattice.canonical(instance.lattice.lift(tile.shape), instance.reflections), tile)
    return [(tile,) for tile in first.values()]


def records_in(path: str | Path | None) -> AbstractContextManager[Records | None]:
    """The records in a file, open for more; without a name there are none."""
    if path is None:
        return nullcontext()
    need("a file of records", "msgspec")
    from tiler.apps.mathematics.answers.rectangle_records import Records

    return Records.opened(path)


def find(
    tiles: tuple[Tile, ...], reflections: bool, question: RectangleQuestion, follow: Following, records: Records | None
) -> FilledRectangles:
    """Look at the rectangles that are wanted; after a limit or Ctrl-C the answer has what is known so far."""
    if question.copies is not None and len(tiles) > 1:
        raise BadOption("the number of copies is for a single tile; take each tile by itself, with --each")
    proofs = None if question.proofs is None else proof_files.folder(str(question.proofs))

    def note(verdict: Verdict) -> None:
        proof = proof_files.write(proofs, found, verdict) if proofs else None
        if records:
            records.note(found, verdict, proof)

    found = Rectangles(
        tiles,
        reflections,
        question.seconds_each,
        follow.tick,
        note,
        in_space=question.boxes,
        twice=proofs is not None,
        threads=follow.threads,
    )
    if records:
        records.recall(found)
    order, never, stop = None, "", Stop.DONE
    try:
        for _ in found.up_to(question.up_to) if question.copies is None else found.by_copies(question.copies):
            pass
        order, never = found.order(), "" if found.primes else found.none_at_all
    except Stopped:
        stop = follow.stop or Stop.INTERRUPTED
    least, is_least = order or (None, False)
    listed = [each for _, each in sorted(found.known.items()) if question.includes(each.sides, tiles[0])]
    return FilledRectangles(
        tiles,
        reflections,
        question.most,
        tuple(listed),
        tuple(found.primes),
        found.dimension == 3,
        question.copies is not None,
        least,
        is_least,
        never,
        stop,
    )


def _sure(prime: Verdict) -> str:
    """The sides of a prime rectangle, with a question mark if it may be none."""
    return named(prime.sides) + ("?" if prime.reason == MAYBE_PARTS else "")
