"""Define an instance: a board, the tiles with their bounds, and whether tiles may be reflected. It is plain frozen data, in any
dimension. formats/ reads and writes instances; cover/ lists placements.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping
from dataclasses import astuple, dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any

from tiler.amounts import counted
from tiler.errors import InputError, SpaceTileError, suggest
from tiler.model import constraints, drawing_hook, paint, shapes
from tiler.model.about import About
from tiler.model.constraints import Constraint
from tiler.model.lattice import Cell, Isometry, Lattice, Shape, dimension, move
from tiler.model.lattices import SQUARE, is_implied_by_cells, spread
from tiler.model.open_cells import Labels, OpenGroup, called, cells_called, check_groups, check_labels, group_in_words
from tiler.model.paint import BARE, BLANK, Coat, Form, Ground
from tiler.model.tile import Placement, Tile, check_shape
from tiler.model.wrap import FLAT, Wrap, wrap_of
from tiler.printable import shortened

#: Why a board alone is no problem.
NO_TILE = "there is no tile; give at least one after the board"


@dataclass(frozen=True, repr=False)
class Instance:
    """A tiling problem.

    The board keeps its coordinates. A board in space is of the lattice with such layers, and stays in space even with a single
    layer (see `lattices.spread`); plane tiles may be turned over there. `optional` has the cells of the board that may stay
    uncovered; if `open` is given and no cell is optional, all cells are. If there are `groups`, each optional cell is in one of
    them, and exactly one cell of each group stays open. Without tiles it is a board alone, which can be shown, and for which
    pieces can be chosen. Two instances are equal if they ask the same question: names, labels of cells, and `about` do not count.
    """

    board: Shape
    tiles: tuple[Tile, ...]
    reflections: bool = False
    optional: Shape = frozenset()
    name: str = field(default="", compare=False)
    constraints: tuple[Constraint, ...] = ()
    lattice: Lattice = SQUARE
    wrap: Wrap = FLAT  #: translations that lead back to the same cell, on a cylinder or a torus
    open: tuple[int, int] | None = None  #: the least and the greatest number of optional cells that stay open; None: any number
    about: About = field(default_factory=About, compare=False)
    turning: bool = True  #: whether tiles may be turned; if not, they lie as they are written
    together: tuple[tuple[str, ...], ...] = ()  #: groups of tiles that may stay together when a tiling is taken apart
    crossing: bool = True  #: on lattices of edges, whether two pieces may cross in a corner (see crossing.py)
    ground: Ground = BARE  #: colours of its cells, marks on its border and how they match (see paint.py)
    groups: tuple[OpenGroup, ...] = ()  #: groups of cells; exactly one cell of each stays open
    labels: Labels = field(default=(), compare=False)  #: names of cells, ascending; names of cells off the board have no effect

    def __post_init__(self) -> None:
        if not self.optional <= self.board:
            raise InputError("optional cells must be cells of the board")
        lattice, board = check_shape(self.lattice, self.board, "the board", spread)
        if board is not self.board:
            object.__setattr__(self, "board", board)
            object.__setattr__(self, "optional", frozenset((0, *cell) for cell in self.optional))
            in_space = tuple(OpenGroup(group.name, frozenset((0, *cell) for cell in group.cells)) for group in self.groups)
            object.__setattr__(self, "groups", in_space)
            object.__setattr__(self, "labels", tuple(((0, *cell), label) for cell, label in self.labels))
        if self.ground:
            object.__setattr__(self, "ground", self.ground.carried(lambda cell: paint.lifted(cell, lattice.dimension)))
        object.__setattr__(self, "lattice", lattice)
        self._settle_open()
        wrong = self.wrap.error_in(lattice, board) or self.ground.error_in(lattice, self.wrap, board)
        if wrong:
            raise InputError(wrong)
        if self.reflections and not self.turning:
            raise InputError("tiles that may not be turned cannot be reflected either")
        if not self.crossing and not lattice.has_edges:
            raise InputError(f"crossing: cells of the {lattice} lattice are no edges, so that nothing can cross")
        if not self.crossing and self.wrap:
            raise InputError("crossing: on a wrapped board pieces may cross; leave out one of the two settings")
        first_of: dict[str, Tile] = {}
        for tile in self.tiles:
            if not tile.name:
                raise InputError("a tile has no name")
            if tile.lattice.plane == lattice:
                raise SpaceTileError(f"tile {tile.name} has several layers, but the board has one")
            if tile.lattice not in (lattice, lattice.plane):
                raise InputError(f"tile {tile.name} is of the {tile.lattice} lattice, but the board is of the {lattice} lattice")
            if tile.paint.front != tile.paint.back and lattice.dimension == 3:
                raise InputError(f"tile {tile.name} looks different from behind, but on a board in space a tile has no back")
            first = first_of.setdefault(tile.name, tile)
            if first is not tile and self.looks(first) != self.looks(tile):
                raise InputError(f"two different tiles are called {tile.name}")
        weights: dict[Hashable, Tile] = {}
        for tile in self.tiles if any(tile.weight for tile in self.tiles) else ():
            first = weights.setdefault(self.looks(tile), tile)
            if first.weight != tile.weight:
                raise InputError(f"tiles {first.name} and {tile.name} are congruent, but weigh {first.weight} and {tile.weight}")
        named_constraints = []
        for constraint in self.constraints:
            tile = self.distinct_tiles[self.number_of(constraint.tile, constraint.kind)]
            wrong = constraints.error_in(constraint, lattice, self.wrap, self.board, tile, self.reflections)
            if wrong:
                raise InputError(wrong)
            way = constraint.orientations if constraint.kind == "place" else 0
            if way and way > (ways := len(self.variants(tile))):
                raise InputError(f"place: there is no way {way} of {tile.name}: it can lie in {counted(ways, 'way')}")
            named_constraints.append(constraint if constraint.tile in self._numbers else replace(constraint, tile=tile.name))
        object.__setattr__(self, "constraints", tuple(named_constraints))
        groups = ({self.number_of(name, "together") for name in group} for group in self.together)
        named = {tuple(self.distinct_tiles[number].name for number in sorted(group)) for group in groups if group}
        object.__setattr__(self, "together", tuple(sorted(named)))

    def _settle_open(self) -> None:
        """Make the bounds on the number of cells that stay open as tight as the optional cells allow."""
        check_labels(self.labels)
        check_groups(self.groups, self.optional, self._label_of)
        if self.groups and self.open is not None:
            raise InputError("open: one cell of each group stays open, which says how many; leave out one of the two settings")
        if self.open is None:
            return
        if not self.optional:
            object.__setattr__(self, "optional", self.board)
        least, most = self.open[0], min(self.open[1], len(self.optional))
        if not 0 <= least <= self.open[1]:
            raise InputError(f"open: {self.open[0]}..{self.open[1]} is not a range of cells")
        if least > most:
            raise InputError(f"open: {least} cells cannot stay open; only {counted(most, 'cell')} may")
        if not most:
            object.__setattr__(self, "optional", frozenset())
        object.__setattr__(self, "open", None if (least, most) == (0, len(self.optional)) else (least, most))

    @property
    def stay_open(self) -> tuple[int, int]:
        """The least and the greatest number of cells that stay open."""
        if self.groups:
            return len(self.groups), len(self.groups)
        return (0, len(self.optional)) if self.open is None else self.open

    @property
    def openings(self) -> tuple[tuple[Shape, int, int], ...]:
        """Sets of cells that may stay open (the groups, or all optional cells), each with the least and the greatest number of
        its cells that do."""
        if self.groups:
            return tuple((group.cells, 1, 1) for group in self.groups)
        return ((self.optional, *self.stay_open),) if self.optional else ()

    def with_open(self, which: Shape | str) -> Instance:
        """The same question with exactly these optional cells open (or any cells, if none is optional), or the cells with these
        labels: `"jan 31"`. InputError if these cells cannot stay open."""
        cells = frozenset(cells_called(which, self.labels, self.groups)) if isinstance(which, str) else which
        wrong = min(cells - (self.optional or self.board), default=None)
        if wrong is not None:
            raise InputError(f"open cells: {self.called(wrong)} must not stay open")
        for some, least, most in self.openings:
            number = len(cells & some)
            if not least <= number <= most:
                group = next((group for group in self.groups if group.cells == some), None)
                name = f" of the group {group.name}" if group else ""
                there = f"; there are {group_in_words(group, self.labels)}" if group and not number else ""
                raise InputError(f"open cells: {staying_open(least, most, name)}, but {_named(number)}{there}")
        exactly = (len(cells), len(cells)) if cells else None
        return replace(self, optional=cells, groups=(), open=exactly, about=self.about.unanswered)

    def label_of(self, cell: Cell) -> str:
        """The label of a cell; empty if it has none."""
        return self._label_of.get(cell, "")

    def labels_to_json(self, cells: Shape) -> dict[str, list[str]]:
        """The labels of cells, ascending, for an object in JSON that has the cells: nothing if one of them has none."""
        labels = list(map(self.label_of, sorted(cells)))
        return {"labels": labels} if labels and all(labels) else {}

    def called(self, cell: Cell) -> str:
        """A cell in words: its label, or row,column."""
        return called(cell, self._label_of)

    @cached_property
    def _label_of(self) -> dict[Cell, str]:
        return dict(self.labels)

    def __eq__(self, other: object) -> bool:
        return self._asked == other._asked if isinstance(other, Instance) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._asked)

    @property
    def _together(self) -> tuple[tuple[int, ...], ...]:
        """The groups of tiles that may stay together, by the numbers of the tiles."""
        return tuple(sorted(tuple(map(self.number_of, group)) for group in self.together))

    @cached_property
    def _asked(self) -> tuple[object, ...]:
        """The data by which instances are compared; the order of constraints does not count."""
        constraints = sorted(
            (self.number_of(constraint.tile), constraint.kind, constraint.cells, constraint.orientations)
            for constraint in self.constraints
        )
        settings = self.lattice, self.wrap, self.crossing, self.turning, self.reflections, self.open
        groups = frozenset(group.cells for group in self.groups)
        return settings, self.board, self.tiles, self.optional, tuple(constraints), self.ground, self._together, groups

    def on(self, board: Shape, optional: Shape = frozenset()) -> Instance:
        """The problem with the same tiles on a part of the board, where some cells may stay open."""
        about, ground = self.about.unanswered, self.ground.on(board)
        return replace(self, board=board, optional=optional, ground=ground, about=about, open=None, groups=())

    @property
    def carriers(self) -> tuple[Isometry, ...]:
        """The isometries, mirrors too, by which `carried` leaves the meaning of each setting; the identity comes first."""
        every = constraints.carriers(self.constraints, self.lattice.isometries(True))
        return tuple(turn for turn in every if not (self.is_layer and any(turn.matrix[0][1:])))

    def carried(self, isometry: Isometry, names: Mapping[str, str]) -> Instance:
        """The same question where board and tiles are carried by an isometry: one of `carriers`, followed by a translation.
        `names` has a new name for each tile's name."""
        turn = replace(isometry, offset=(0,) * self.dimension)
        return replace(
            self,
            board=isometry.image(self.board),
            tiles=tuple(tile.carried(self.lattice, turn, names[tile.name]) for tile in self.tiles),
            optional=isometry.image(self.optional),
            constraints=tuple(constraint.carried(isometry, names) for constraint in self.constraints),
            wrap=wrap_of(turn.images(self.wrap.vectors)),
            together=tuple(tuple(names[name] for name in group) for group in self.together),
            ground=self.ground.carried(isometry),
            groups=tuple(OpenGroup(group.name, isometry.image(group.cells)) for group in self.groups),
            labels=tuple(sorted((isometry(cell), label) for cell, label in self.labels)),
        )

    @property
    def is_layer(self) -> bool:
        """Whether the board is in space, and has one layer."""
        return self.lattice.plane is not None and len({cell[0] for cell in self.board}) == 1

    @property
    def dimension(self) -> int:
        """2 in the plane, 3 in space."""
        return self.lattice.dimension

    def __repr__(self) -> str:
        about = f"{shortened(self.heading)}: " if self.heading else ""
        mirrors = ", reflections" if self.reflections else "" if self.turning else ", no turning"
        return f"Instance({about}{counted(len(self.board), 'cell')}, {counted(len(self.tiles), 'tile')}{mirrors})"

    def __str__(self) -> str:
        return drawing_hook.text_of(self)

    def _repr_svg_(self) -> str | None:
        return drawing_hook.svg_of(self)

    @property
    def border(self) -> list[paint.CellSide]:
        """The sides of cells beyond which there is no cell of the board, sorted."""
        return paint.border_of(self.lattice, self.wrap, self.board)

    @property
    def has_boxes(self) -> bool:
        """Whether cells are squares or cubes side by side, and nothing is wrapped."""
        return self.lattice.has_boxes and not self.wrap

    @property
    def is_plain(self) -> bool:
        """Whether only the board and the bounds of tiles say how it may be covered: nothing is wrapped, open, painted or
        constrained."""
        return not (self.wrap or self.constraints or self.optional or self.is_painted or self.ground)

    @property
    def has_tiles_in_parts(self) -> bool:
        """Whether some tile is not connected."""
        return not all(tile.is_connected for tile in self.tiles)

    @property
    def heading(self) -> str:
        """The heading of pictures and files: the title, or the name if there is none."""
        return self.about.title or self.name

    @cached_property
    def is_painted(self) -> bool:
        """Whether some tile has a colour or a mark."""
        return any(tile.paint for tile in self.tiles)

    @cached_property
    def turned_over(self) -> bool | None:
        """Whether tiles may be turned over, or in space mirrored; None if that makes no difference, since no tile is chiral."""
        if not self.turning or not any(map(self.is_chiral, self.tiles)):
            return None
        return self.reflections

    def is_chiral(self, tile: Tile) -> bool:
        """Whether a tile lies in other ways where it may be turned over."""
        if tile.paint:
            rotated, every = (_forms(self.lattice, tile, self.lattice.isometries(over)) for over in (False, True))
            return len(rotated) < len(every)
        shape = self.lattice.lift(tile.shape)
        return len(self.lattice.variants(shape, False)) < len(self.lattice.variants(shape, True))

    @property
    def turns(self) -> tuple[Isometry, ...]:
        """How tiles may be turned, and reflected; the identity comes first."""
        turns = self.lattice.isometries(self.reflections)
        return turns if self.turning else turns[:1]

    def variants(self, tile: Tile) -> tuple[Shape, ...]:
        """The ways in which a tile may be turned here, each at the origin, least first. A painted tile has the same shape several
        times, if ways differ only in the visible paint."""
        if tile.paint or not self.turning:
            return tuple(shape for shape, _ in self._forms(tile))
        return self.lattice.variants(self.lattice.lift(tile.shape), self.reflections)

    def coats(self, tile: Tile) -> tuple[Coat, ...]:
        """The coat of a tile that is seen in each of these ways."""
        if tile.paint:
            return tuple(coat for _, coat in self._forms(tile))
        return (BLANK,) * len(self.variants(tile))

    def _forms(self, tile: Tile) -> tuple[Form, ...]:
        return _forms(self.lattice, tile, self.turns)

    def looks(self, tile: Tile, turn: Isometry | None = None) -> Hashable:
        """A key that congruent tiles share; with an isometry, the key of the tile's image, with its coats moved along."""
        if not self.turning or (tile.paint and any(self.coats(tile))):
            seen = self._forms(tile)
            return frozenset(paint.turned(self.lattice, form, turn) for form in seen) if turn else frozenset(seen)
        shape = self.lattice.lift(tile.shape)
        return self.lattice.canonical(frozenset(turn.images(shape)) if turn else shape, self.reflections)

    @cached_property
    def distinct_tiles(self) -> tuple[Tile, ...]:
        """The tiles with congruent ones merged into the first of them: bounds added, unlimited wins."""
        merged: dict[Hashable, Tile] = {}
        for tile in self.tiles:
            key = self.looks(tile)
            if key in merged:
                first = merged[key]
                limits = (first.at_most, tile.at_most)
                at_most = None if None in limits else sum(limit or 0 for limit in limits)
                merged[key] = replace(first, at_most=at_most, at_least=first.at_least + tile.at_least)
            else:
                merged[key] = tile
        return tuple(merged.values())

    def number_of(self, name: str, asked_by: str = "instance") -> int:
        """The place among `distinct_tiles` of the tile of that name, or of the tile that it is merged into. InputError if there
        is none; its message begins with the word for the caller.
        """
        number = self.find(name)
        if number is None:
            there = ", ".join(tile.name for tile in self.distinct_tiles)
            raise InputError(f"{asked_by}: there is no tile {name[:40]}{suggest(name, self._numbers)}; there are {there}")
        return number

    def find(self, name: str) -> int | None:
        """Like `number_of`, but None if there is no such tile. A name that no tile has is read as the name of a shape: a
        pentomino that is called `X` is also found as `5X`."""
        if name in self._numbers:
            return self._numbers[name]
        shape = shapes.named(name, self.lattice)
        if shape is None or dimension(shape) > self.dimension:
            return None
        return self._places.get(self.looks(Tile(name, shape, lattice=self.lattice)))

    def told_apart(self, placement: Placement) -> tuple[int | None, Shape, Coat]:
        """By what placements are told apart: the number of the tile (None if there is none of that name), the cells, and the
        paint that is seen."""
        return self.find(placement.tile), placement.cells, placement.coat

    @cached_property
    def _numbers(self) -> dict[str, int]:
        """Every tile's name with the place of its tile among the distinct ones."""
        return {tile.name: self._places[self.looks(tile)] for tile in self.tiles}

    @cached_property
    def _places(self) -> dict[Hashable, int]:
        """The places of the distinct tiles by their looks."""
        return {self.looks(tile): t for t, tile in enumerate(self.distinct_tiles)}

    @cached_property
    def digest(self) -> str:
        """A fingerprint of the question, 16 hexadecimal digits.

        It does not depend on names, expectations, where the board lies or how a tile is turned. The order of the tiles counts,
        since solvers try them in that order.
        """

        def cells(shape: Shape) -> list[Cell]:
            return sorted(shape)

        offset = tuple(-a for a in self.lattice.corner(self.board))
        asked: dict[str, Any] = {
            "board": cells(move(self.board, offset)),
            "optional": cells(move(self.optional, offset)),
            "tiles": [[cells(self.variants(tile)[0]), tile.at_least, tile.at_most] for tile in self.tiles],
            "reflections": self.reflections,
        }
        if not is_implied_by_cells(self.lattice):
            asked["lattice"] = self.lattice.name
        if self.wrap:
            asked["wrap"] = self.wrap.vectors
        if not self.crossing:
            asked["crossing"] = False
        if not self.turning:
            asked["turning"] = False
        if self.open:
            asked["open"] = self.open
        if self.is_painted:
            asked["paint"] = [list(map(Coat.to_json, self.coats(tile))) if tile.paint else None for tile in self.tiles]
        if self.ground:
            asked["ground"] = astuple(self.ground.moved(offset))
        if self.groups:
            asked["groups"] = sorted(cells(move(group.cells, offset)) for group in self.groups)
        if any(tile.weight for tile in self.tiles):
            asked["weights"] = [tile.weight for tile in self.tiles]
        if self.together:
            asked["together"] = self._together
        if self.constraints:
            moved = [
                [tuple(a + b for a, b in zip(cell, offset, strict=True)) for cell in constraint.cells]
                for constraint in self.constraints
            ]
            constraints = [
                [constraint.kind, self.number_of(constraint.tile), constraint.orientations] for constraint in self.constraints
            ]
            asked["constraints"] = sorted(zip(constraints, moved, strict=True))
        import hashlib  # Loading it takes some milliseconds.

        return hashlib.sha256(json.dumps(asked, separators=(",", ":")).encode()).hexdigest()[:16]


@lru_cache(maxsize=4096)
def _forms(lattice: Lattice, tile: Tile, turns: tuple[Isometry, ...]) -> tuple[Form, ...]:
    """The ways in which a painted tile may be turned on a lattice: its own, or the one in space whose layers are its own."""
    painted = tile.paint.carried(lambda cell: paint.lifted(cell, lattice.dimension))
    return paint.forms(lattice, lattice.lift(tile.shape), painted, turns)


def staying_open(least: int, most: int, where: str = "") -> str:
    """How many cells stay open, in words.

    >>> staying_open(1, 1), staying_open(1, 2)
    ('1 cell stays open', '1 to 2 cells stay open')
    """
    number = counted(least, "cell") if least == most else f"{least} to {most} cells"
    return f"{number}{where} stay{'s' if most == 1 == least else ''} open"


def _named(number: int) -> str:
    return f"{number or 'none'} {'are' if number > 1 else 'is'} named"
