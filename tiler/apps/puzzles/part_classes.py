"""Tell which tilings of a board in several parts are the same puzzle: two cubes are turned one by one, and may change places.

The symmetry group of an instance has isometries of the whole board; where a question says *up to symmetry*, it means that group.
This module is for puzzles that are chosen to have a single solution: there nobody cares how the parts lie beside each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import replace
from math import factorial, prod

from tiler.cover.board import BoardCover
from tiler.cover.group_action import TilingClasses
from tiler.model.instance import Instance
from tiler.model.lattice import Isometry, Shape, move
from tiler.model.symmetry import group, tile_maps
from tiler.model.tile import Placement


class PartClasses:
    """Tells the classes of tilings of a board in parts, each of which may be turned by itself (or mirrored, if that takes its
    pieces to themselves); parts that are translates of each other may change places."""

    def __init__(self, instance: Instance) -> None:
        """For an instance whose board `parts_of` divides."""
        lattice, parts = instance.lattice, parts_of(instance)
        self._instance = instance
        self._parts = [(lattice.corner(part), lattice.normalise(part)) for part in parts]
        self._part_of = {cell: at for at, part in enumerate(parts) for cell in part}
        self._classes: dict[Hashable, TilingClasses] = {}
        self._others: list[tuple[Isometry, dict[str, str]]] = []  # symmetries that turning parts and changing them does not make
        symmetries, names = group(instance), [tile.name for tile in instance.distinct_tiles]
        for symmetry, tiles in zip(symmetries, tile_maps(instance, symmetries).tolist(), strict=True):
            images = [lattice.normalise(symmetry.image(part)) for part in parts]
            if tiles != list(range(len(tiles))) or images != [board for _, board in self._parts]:
                self._others.append((symmetry, {name: names[tile] for name, tile in zip(names, tiles, strict=True)}))

    @property
    def largest(self) -> int:
        """A bound for the number of tilings in a class."""
        mirrored = replace(self._instance, reflections=True)
        boards = Counter(board for _, board in self._parts)
        turns = (len(group(replace(mirrored, board=board))) for _, board in self._parts)
        return prod(turns) * prod(map(factorial, boards.values())) * (1 + len(self._others))

    def of(self, tiling: Sequence[Placement]) -> Hashable:
        """A key that two tilings have in common just if they are of one class."""
        images = [tiling]
        for symmetry, names in self._others:
            images.append([replace(each, tile=names[each.tile], cells=symmetry.image(each.cells)) for each in tiling])
        return min(map(self._key, images))

    def _key(self, tiling: Sequence[Placement]) -> tuple[tuple[object, ...], ...]:
        inside: list[list[Placement]] = [[] for _ in self._parts]
        for placed in tiling:
            inside[self._part_of[min(placed.cells)]].append(placed)
        return tuple(sorted(self._part_key(at, placed) for at, placed in enumerate(inside)))

    def _part_key(self, at: int, tiling: list[Placement]) -> tuple[object, ...]:
        corner, board = self._parts[at]
        used = tuple(sorted(Counter(placed.tile for placed in tiling).items()))
        if (board, used) not in self._classes:
            tiles = [
                replace(tile, at_least=number, at_most=number)
                for tile in self._instance.distinct_tiles
                if (number := dict(used).get(tile.name))
            ]
            alone = replace(self._instance, board=board, tiles=tuple(tiles))
            self._classes[board, used] = TilingClasses(BoardCover.of(alone))
        back = tuple(-a for a in corner)
        moved = [replace(placed, cells=move(placed.cells, back)) for placed in tiling]
        return sorted(board), used, self._classes[board, used].of(moved)


def parts_of(instance: Instance) -> list[Shape]:
    """The connected parts of a board, if every tile lies in one of them; else the whole board. Only plain instances are
    divided."""
    whole = [instance.board]
    if not instance.is_plain or instance.lattice.has_edges:
        return whole
    if not instance.turning or not all(instance.lattice.is_connected(instance.lattice.lift(t.shape)) for t in instance.tiles):
        return whole
    return instance.lattice.components(instance.board)
