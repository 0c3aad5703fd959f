"""The exact cover of an instance: every placement of every tile on its board, and where each lies."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from tiler.cover import listing
from tiler.cover.bounds import Bounds
from tiler.cover.cover import Cover, Keeps
from tiler.cover.csr import Csr, Ints
from tiler.errors import BadOption
from tiler.model.constraints import Constraint, placements_left
from tiler.model.crossing import with_joints, without_joints
from tiler.model.grid import Finder, Grid, coordinates
from tiler.model.instance import Instance
from tiler.model.lattice import Cell, Lattice, Shape
from tiler.model.tile import Placement, Tile
from tiler.process.look import Look, unhurried


@dataclass(frozen=True, eq=False, kw_only=True)
class BoardCover(Cover):
    """An instance with all its placements: options are placements, items the cells of the board, sorted.

    Options are numbered by tile, then variant, then position. Where a backend asks for a `BoardCover` it uses the geometry; all
    others do with a `Cover`.
    """

    instance: Instance
    tiles: tuple[Tile, ...]  #: the distinct tiles, then the filler if there are optional cells
    variant: Ints  #: the option's variant, a number into `variants[tile]`
    offset: Ints  #: shape (options, dimension): how far the variant is moved

    @classmethod
    def of(cls, instance: Instance, look: Look = unhurried) -> BoardCover:
        """List every placement: some 1e7 covered cells a second. InputError if there are more than `listing.MAX_PLACEMENTS`."""
        instance = instance if instance.crossing else with_joints(instance)
        tiles = instance.distinct_tiles + ((listing.FILLER,) if instance.optional else ())
        cells = listing.in_order(instance.board, look)
        look()
        listed = listing.placements(instance, tiles, cells, look)
        area = len(cells)
        least_open, most_open = instance.stay_open
        sizes = [tile.size for tile in tiles]
        cover = cls(
            instance=instance,
            tiles=tiles,
            items=cells,
            names=tuple(tile.name for tile in tiles),
            tile=listed.tile,
            variant=listed.variant,
            offset=listed.offset,
            members=listed.members,
            sizes=np.array(sizes, np.int64),
            bounds=Bounds.of(
                area,
                sizes,
                [tile.at_least if tile is not listing.FILLER else least_open for tile in tiles],
                [tile.at_most if tile is not listing.FILLER else most_open for tile in tiles],
                [area // tile.size if tile is not listing.FILLER else len(instance.optional) for tile in tiles],
            ),
            weights=np.array([tile.weight for tile in tiles], np.int64),
            filler=len(tiles) - 1 if instance.optional else None,
            origin=np.arange(len(listed.tile), dtype=np.int32),
        )
        return cover._constrained(look) if instance.constraints else cover

    def _constrained(self, look: Look) -> BoardCover:
        """The cover without what the instance's constraints rule out, numbered anew: nobody sees the others."""
        keep = np.ones(len(self), np.bool_)
        for each in self.instance.constraints:
            look()
            keep &= self.allowed(each)
        return replace(self.restrict(keep), origin=np.arange(int(keep.sum()), dtype=np.int32), is_whole=True)

    def allowed(self, constraint: Constraint) -> NDArray[np.bool_]:
        """Shape (options,): whether a constraint leaves an option. See constraints.py for what the kinds mean."""
        others: NDArray[np.bool_] = self.tile != self.instance.number_of(constraint.tile)
        sizes = np.diff(self.members.starts)
        if constraint.kind == "lock":
            return np.asarray(others | (self.variant < constraint.orientations))
        if constraint.kind == "within":
            low, high = map(np.array, constraint.cells)
            inside = np.logical_and(self.where >= low, self.where <= high).all(axis=1)
            if self.lattice.joints:
                inside |= np.fromiter(map(self.lattice.is_joint, self.cells), np.bool_, len(self.cells))
            return np.asarray(others | (self._covering(np.asarray(inside)) == sizes))
        if constraint.kind == "only":
            return self._left(constraint, others)
        marked = np.zeros(len(self.cells), np.bool_)
        marked[[bisect_left(self.cells, cell) for cell in constraint.cells if cell in self.instance.board]] = True
        touched = self._covering(marked)
        if constraint.kind == "forbid":
            return np.asarray(others | (touched == 0))
        # Whatever else touches the cells of the placed copy would overlap it.
        placed = (touched == len(constraint.cells)) & (sizes == len(constraint.cells))
        return np.asarray((touched == 0) | (placed & ~others))

    def _left(self, constraint: Constraint, others: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """The same for `only`; `others` are the options of other tiles."""
        size = self.tiles[self.instance.number_of(constraint.tile)].size
        left = {tuple(sorted(bisect_left(self.cells, cell) for cell in each)) for each in placements_left(constraint, size)}
        allowed = others.copy()
        for option in np.flatnonzero(~others).tolist():
            allowed[option] = tuple(sorted(self.members[option].tolist())) in left
        return allowed

    def _covering(self, marked: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Shape (options,): how many of the cells marked, shape (cells,), each option covers."""
        before = np.concatenate([[0], np.cumsum(marked[self.members.values])])
        return np.asarray(before[self.members.starts[1:]] - before[self.members.starts[:-1]])

    @property
    def lattice(self) -> Lattice:
        """What the board is a part of."""
        return self.instance.lattice

    @property
    def has_joints(self) -> bool:
        return bool(self.lattice.joints)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The items by what they are."""
        return cast("tuple[Cell, ...]", self.items)

    @cached_property
    def variants(self) -> tuple[tuple[Shape, ...], ...]:
        """The variants of every tile."""
        return tuple(listing.forms(self.instance, tile) for tile in self.tiles)

    @cached_property
    def where(self) -> NDArray[np.int64]:
        """Shape (cells, dimension): the coordinates of the cells."""
        return coordinates(self.cells)

    @cached_property
    def beside(self) -> NDArray[np.int64]:
        """Shape (cells, most neighbours of a cell): the neighbours of each cell as numbers of cells, in ascending order; -1 where
        there is none."""
        if self.instance.wrap:
            return self._beside_across_seams()
        grid = Grid.of(self.lattice, self.where, self.lattice.reach)
        number, cell = grid.number(self.where), grid.index(self.where)
        steps = grid.steps()
        beside = np.full((len(number), max(map(len, steps))), -1, np.int64)
        for kind, ways in enumerate(steps):
            mine = np.flatnonzero(number % len(steps) == kind) if len(steps) > 1 else np.arange(len(number))
            beside[mine, : len(ways)] = cell[number[mine, None] + ways]
        return beside

    def _beside_across_seams(self) -> NDArray[np.int64]:
        """The same on a wrapped board. Where it is narrow a cell may be beside another on two sides, or beside itself."""
        finder = Finder.of(self.lattice, self.instance.wrap, self.where)
        kinds = finder.grid.number(finder.wrap.array(self.where)) % self.lattice.kinds
        beside = np.full((len(self.where), max(map(len, self.lattice.differences))), -1, np.int64)
        for kind, ways in enumerate(self.lattice.differences):
            mine = np.flatnonzero(kinds == kind)
            for column, way in enumerate(ways):
                beside[mine, column] = finder.find(self.where[mine] + way)
        beside[beside == np.arange(len(beside))[:, None]] = -1
        beside.sort(axis=1)
        beside[:, 1:][beside[:, 1:] == beside[:, :-1]] = -1
        return beside

    @cached_property
    def neighbours(self) -> Csr:
        """The neighbours of each cell on the board, as numbers of cells."""
        there = self.beside >= 0
        starts = np.concatenate([[0], np.cumsum(there.sum(1))]).astype(np.int64)
        return Csr(starts, self.beside[there].astype(np.int32))

    @cached_property
    def parts(self) -> int:
        """How many connected parts the board has."""
        if not self.instance.wrap:
            return 1 if self.lattice.is_connected(self.instance.board) else len(self.lattice.components(self.instance.board))
        around, left, parts = self.neighbours.lists(), set(range(len(self.cells))), 0
        while left:
            parts += 1
            reached = [left.pop()]
            for cell in reached:
                new = left.intersection(around[cell])
                left -= new
                reached += new
        return parts

    @cached_property
    def tiles_are_connected(self) -> bool:
        """Whether each tile lies in one region of open cells, wherever it is placed."""
        return all(tile.is_connected for tile in self.tiles)

    @cached_property
    def white(self) -> NDArray[np.int64]:
        """Shape (cells,): 1 or -1, by the colour of the checkerboard; 0 where there is none, on the lattice or across a seam."""
        kept = all(self.lattice.keeps_colours(vector) for vector in self.instance.wrap.vectors)
        return Grid.of(self.lattice, self.where).colours(self.where) if kept else np.zeros(len(self.cells), np.int64)

    def restrict(self, keep: NDArray[np.bool_], keeps: Keeps | None = None) -> BoardCover:
        """The cover with only the placements marked in `keep` (shape (options,)), renumbered; `origin` leads back."""
        return replace(self, **self._restricted(keep, keeps), variant=self.variant[keep], offset=self.offset[keep])

    def placements(self, options: Iterable[int]) -> tuple[Placement, ...]:
        """What a set of options puts on the board, by tile and position; the filler is left out."""
        shown = self.shown(options)
        starts = self.members.starts[shown]
        sizes = self.members.starts[shown + 1] - starts
        first = np.cumsum(sizes) - sizes
        covered = self.members.values[np.arange(int(sizes.sum())) + np.repeat(starts - first, sizes)].tolist()
        cells = list(map(self.cells.__getitem__, covered))
        lattice = self.lattice

        def seen(part: list[Cell]) -> Shape:
            return without_joints(lattice, part) if lattice.joints else frozenset(part)

        return tuple(
            Placement(self.names[tile], seen(cells[at : at + size]))
            for tile, at, size in zip(self.tile[shown].tolist(), first.tolist(), sizes.tolist(), strict=True)
        )

    def meaning(self, option: int) -> dict[str, Any] | None:
        return next(({"tile": placement.tile, "cells": sorted(placement.cells)} for placement in self.placements([option])), None)

    def _items_in_words(self) -> str:
        return super()._items_in_words().replace("items", "cells")

    def _bare_in_words(self, shown: str) -> str:
        return f"cell: no placement covers {shown}"


def on_board(cover: Cover, what: str) -> BoardCover:
    """The cover as one of a board; BadOption, which begins with what wants it, if it is a general one."""
    if not isinstance(cover, BoardCover):
        raise BadOption(f"{what} needs a board, not a general exact cover")
    return cover
