"""Say why a problem has no tiling, or why no tiling has the pieces that constraints `place` put on the board: an area, a cell
that nothing covers, a colouring, or else that a search says so.

All but the first reasons are about the rest: the cells still empty, and the pieces still to be laid. A colouring of the rest is
easier to see than one of the whole board.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from tiler import printable
from tiler.amounts import counted
from tiler.ask.solve import solve
from tiler.backends.coloring import picture
from tiler.cover.board import BoardCover
from tiler.cover.bounds import subset_sums
from tiler.model.instance import Instance
from tiler.model.lattice import Cell, Shape
from tiler.model.placed import placed
from tiler.question.certificate import Area, Certificate, Colourings, Proof, TutteSet, Weights
from tiler.question.events import Progress
from tiler.question.question import Goal, Limits, Question

_PROVER = "coloring:nodes=100,seconds=1"
_SECONDS = 1.0  # for a proof; those of the prover's option are for one linear program
_SEARCHED = "a search says so; no shorter reason was found"


@dataclass(frozen=True)
class WhyNot:
    """A reason why there is no tiling.

    The kinds:

    - area: the areas of the pieces do not fit the board, or a region of it
    - cell: no piece can cover some cells, or two pieces laid cover the same
    - piece: a piece must be laid, but has no place
    - colouring: a colouring or weights of the cells show it
    - parity: cells fall into too many parts of an odd number of cells
    - cases: placements that are forced or tried in turn all lead to a contradiction
    - search: a search says so
    """

    kind: str
    sentence: str
    cells: tuple[Cell, ...] = ()  #: the cells that the sentence is about, ascending: bare ones, or a region
    colours: Mapping[Cell, int] = field(default_factory=lambda: MappingProxyType({}))  #: a number for each empty cell
    sums: Mapping[str, int] = field(
        default_factory=lambda: MappingProxyType({})
    )  #: what a copy of each tile weighs in a colouring

    def to_json(self) -> dict[str, Any]:
        """The reason as data that is ready for `json.dumps`."""
        return {
            "kind": self.kind,
            "sentence": self.sentence,
            "cells": list(self.cells),
            "colours": [[cell, number] for cell, number in self.colours.items()] or None,
            "sums": dict(self.sums) or None,
        }


def at_sight(instance: Instance) -> WhyNot | None:
    """A reason that needs no search: an area, a region, a cell that nothing covers, a piece without a place. None if there is
    none of these. It takes as long as it takes to list the placements."""
    laid = _laid(instance)
    times = Counter(cell for _, cells in laid for cell in cells)
    twice = tuple(sorted(cell for cell, number in times.items() if number > 1))
    if twice:
        return WhyNot("cell", f"two of the pieces laid cover {_in_words(instance, twice)}", twice)

    copies = Counter(number for number, _ in laid)
    for number, tile in enumerate(instance.distinct_tiles):
        if tile.at_most is not None and copies[number] > tile.at_most:
            return WhyNot("piece", f"{tile.name} is laid {copies[number]} times, but there {_are(tile.at_most)}")

    rest = _rest(instance)
    if isinstance(rest, WhyNot) or rest is None:
        return rest
    reason = _at_sight(rest, BoardCover.of(rest))
    if reason is None or reason.kind != "area" or reason.cells:
        return reason
    return replace(reason, sentence=_about_rest(instance, reason.sentence))


def explain(instance: Instance, *, on_tick: Callable[[Progress], bool] = lambda progress: True) -> WhyNot:
    """The reason why a problem that has no tiling has none; the caller knows that from a search. A reason at sight comes first,
    then a proof that takes at most a second, then the words that a search says so."""
    reason = at_sight(instance)
    rest = None if reason else _rest(instance)
    if not isinstance(rest, Instance) or not rest.crossing:
        return reason or WhyNot("search", _SEARCHED)

    answer = solve(rest, _PROVER, Question(Goal.PROVE, Limits(seconds=_SECONDS)), on_tick=on_tick)
    if not isinstance(answer.result.certificate, Certificate):
        return WhyNot("search", _SEARCHED)
    sentence = printable.line(answer.result.message)
    return _proved(rest, answer.result.certificate.proof, _about_rest(instance, sentence))


def _proved(rest: Instance, proof: Proof, sentence: str) -> WhyNot:
    cells = sorted(rest.board)
    weights = picture.weights_of(proof, len(cells))
    colours = {} if weights is None else dict(zip(cells, weights, strict=True))
    names = [tile.name for tile in rest.distinct_tiles]
    match proof:
        case Area():
            return WhyNot("area", sentence)
        case Colourings((colouring,)):
            return WhyNot("colouring", sentence, (), colours, dict(zip(names, colouring.values, strict=False)))
        case Colourings():
            return WhyNot("colouring", sentence, (), colours)
        case Weights():
            return WhyNot("colouring", sentence, (), colours, dict(zip(names, proof.values, strict=False)))
        case TutteSet():
            return WhyNot("parity", sentence, tuple(cells[number] for number in proof.cells), colours)
    return WhyNot("cases", sentence, (), colours)


def _at_sight(rest: Instance, cover: BoardCover) -> WhyNot | None:
    """A reason about the rest alone."""
    kind, _, words = (cover.refusal() or "").partition(": ")
    if kind == "area":
        return WhyNot("area", words)
    covered = set(cover.members.values.tolist())
    bare = tuple(cell for number, cell in enumerate(cover.cells) if number not in covered)
    if bare:
        return WhyNot("cell", f"no piece can cover {_in_words(rest, bare)}", bare)
    if kind == "tile":
        available = Counter(cover.tile.tolist())
        number, tile = next((number, tile) for number, tile in enumerate(cover.tiles) if available[number] < cover.lower[number])
        places = counted(available[number], "place") if available[number] else "no place"
        least = int(cover.lower[number])
        return WhyNot("piece", f"{tile.name} must be laid{f' {least} times' if least > 1 else ''}, but has {places}")
    return _region(rest, cover) if cover.tiles_are_connected and not cover.corners else None


def _region(rest: Instance, cover: BoardCover) -> WhyNot | None:
    """A region of empty cells that is no sum of pieces."""
    shown = [number for number in range(len(cover.tiles)) if number not in cover.fillers]
    sizes, most = [int(cover.areas[number]) for number in shown], [int(cover.upper[number]) for number in shown]
    around, left = cover.neighbours.lists(), set(range(len(cover.cells)))
    while left:
        region = [min(left)]
        left.discard(region[0])
        for number in region:
            new = left.intersection(around[number])
            left -= new
            region += sorted(new)

        cells = tuple(sorted(cover.cells[number] for number in region))
        free = len(rest.optional.intersection(cells))
        sums = subset_sums(sizes, most, len(cells))
        if not sums >> (len(cells) - free):
            return WhyNot("area", f"no pieces fill the {counted(len(cells), 'cell')} around {_in_words(rest, cells[:1])}", cells)
    return None


def _rest(instance: Instance) -> Instance | WhyNot | None:
    """The cells still empty, with the pieces still to be laid; or a reason why these are no problem. None if nothing is left.

    It is the whole problem if pieces laid matter to others (by colours, marks or corners), or if places are listed.
    """
    laid = _laid(instance)
    is_listed = any(constraint.kind == "only" for constraint in instance.constraints)
    if not laid or is_listed or instance.is_painted or instance.ground or not instance.crossing:
        return instance
    covered = frozenset[Cell]().union(*(cells for _, cells in laid))
    board, optional = instance.board - covered, instance.optional - covered
    copies = Counter(number for number, _ in laid)
    tiles = []
    for number, tile in enumerate(instance.distinct_tiles):
        most = None if tile.at_most is None else tile.at_most - copies[number]
        if most != 0:
            tiles.append(replace(tile, at_most=most, at_least=max(0, tile.at_least - copies[number])))

    if not board:
        needed = [tile.name for tile in tiles if tile.at_least]
        return WhyNot("area", f"no cell is empty, but {needed[0]} must still be laid") if needed else None
    wrong = _too_few_open(instance, covered)
    if wrong:
        return wrong
    if not tiles:
        missed = tuple(sorted(board - optional))
        return WhyNot("cell", f"no piece is left to cover {_in_words(instance, missed)}", missed) if missed else None

    left = {number: tile.name for number, tile in enumerate(instance.distinct_tiles) if copies[number] != tile.at_most}
    others = [
        replace(
            constraint,
            tile=left[instance.number_of(constraint.tile)],
            cells=tuple(cell for cell in constraint.cells if constraint.kind == "within" or cell in board),
        )
        for constraint in instance.constraints
        if constraint.kind != "place" and instance.number_of(constraint.tile) in left
    ]
    kept = tuple(constraint for constraint in others if constraint.kind != "forbid" or constraint.cells)
    groups = tuple(replace(group, cells=group.cells - covered) for group in instance.groups)
    bare = replace(instance, constraints=(), together=())
    rest = replace(bare.on(board, optional), tiles=tuple(tiles), constraints=kept)
    return replace(rest, groups=groups, open=instance.open if optional else None)


def _too_few_open(instance: Instance, covered: Shape) -> WhyNot | None:
    """The reason, if fewer cells can stay open than must."""
    for cells, least, _ in instance.openings:
        if len(cells - covered) < least:
            words = f"{counted(least, 'cell')} must stay open among {_in_words(instance, cells)}"
            return WhyNot("cell", words, tuple(sorted(cells)))
    return None


def _laid(instance: Instance) -> set[tuple[int, Shape]]:
    """The number of the tile and the cells of each piece laid; a piece that is laid twice on the same cells is laid once."""
    return {(instance.number_of(placement.tile), placement.cells) for placement in placed(instance)}


def _about_rest(instance: Instance, sentence: str) -> str:
    return f"on the cells still empty: {sentence}" if placed(instance) else sentence


def _are(number: int) -> str:
    return f"is only {number}" if number == 1 else f"are only {number}"


def _in_words(instance: Instance, cells: Collection[Cell]) -> str:
    """Up to three cells by name."""
    names = [instance.called(cell) for cell in sorted(cells)[:3]]
    more = len(cells) - len(names)
    return f"the cell {names[0]}" if len(cells) == 1 else f"the cells {' '.join(names)}" + (f" and {more} more" if more else "")
