"""Hold the exact-cover model that all backends share: options over items, as arrays. It knows no geometry; board.py does.

A solution is a set of options that cover every item exactly once and use every tile between `lower` and `upper` times: each
option belongs to one tile, and copies of a tile have no names. Some items may stay open: Knuth's secondary items, optional cells,
corners that tiles must not cross. Tiles of the model itself, the *fillers*, cover these, one filler for each kind of item; an
option of a filler covers one item, and no answer shows it. Items with colours, which options may share, are apart (`coloured`).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tiler import portable
from tiler.amounts import counted
from tiler.cover.bounds import Bounds, is_reachable
from tiler.cover.coloured_items import ColouredItems, split_colour
from tiler.cover.csr import Csr, Ints
from tiler.cover.items import ItemKind
from tiler.cover.matrix import READ_BY_FROM_MATRIX, ZeroOne, columns_with_one, looks_like_one
from tiler.errors import InputError
from tiler.model.tile import MAX_WEIGHT


class SolutionsKept(StrEnum):
    """The solutions that a filtered cover still has."""

    ALL = "all"
    REPRESENTATIVES = "representatives"  #: at least one of every orbit under the symmetry group


@dataclass(frozen=True, eq=False, kw_only=True)
class Cover:
    """An exact cover with multiplicities. Options are numbered from 0; all arrays over options have shape (options,), over tiles
    (tiles,). All options of a tile cover equally many items."""

    items: tuple[Hashable, ...]  #: the names of the items
    names: tuple[str, ...]  #: the names of the tiles; the name of a filler is empty
    tile: Ints  #: the tile of each option
    members: Csr  #: the items each option covers, as numbers into `items`
    sizes: NDArray[np.int64]  #: the number of items that an option of each tile covers
    bounds: Bounds
    weights: NDArray[np.int64]  #: the weights of the tiles, for OPTIMISE
    fillers: tuple[int, ...] = ()  #: the numbers of the fillers, which are the last tiles
    origin: Ints  #: the number of each option in the unfiltered cover
    keeps: SolutionsKept = SolutionsKept.ALL
    is_whole: bool = True  #: whether these are all options of the problem: no filter, feature or choice left one out
    coloured: ColouredItems | None = None  #: further items, which options share if they give them the same colour
    _words: ClassVar[tuple[str, ...]] = ("options", "item", "the cover", "option")  #: for sentences, which a board says otherwise

    @classmethod
    def from_rows(
        cls,
        rows: Iterable[Iterable[Hashable]] | Mapping[Any, Iterable[Hashable]],
        *,
        items: Iterable[Hashable] = (),
        secondary: Iterable[Hashable] = (),
        tile_of: Sequence[Hashable] | None = None,
        at_least: Mapping[Any, int] | None = None,
        at_most: Mapping[Any, int] | None = None,
        weights: Mapping[Any, int] | None = None,
    ) -> RowCover:
        """A general exact cover: each row is an option, the items it covers in any order; solutions are numbers of rows. A
        mapping has the rows under their names; row 0 has the first name.

        Items are whatever can be a key: first those in `items`, whether a row covers them or not, then the others in order of
        appearance; those in `secondary` may stay open. A word with a colon inside, ITEM:COLOUR, is an item with a colour: it may
        stay open, and rows share it if all give it the same colour; a row that has it without a colour shares it with no other.
        With `tile_of`, a key for each row, the rows with one key are together used between `at_least[key]` and `at_most[key]`
        times, and each of them weighs `weights[key]`, where the heaviest solution is asked for. Equal rows are two options.
        InputError says what is wrong. It also refuses a matrix, which `from_matrix` reads: an array, or rows of one length from 2
        on that hold 0 and 1 alone; if these are items, name them: `items=[0, 1]`.

        >>> cover = Cover.from_rows([["a", "b"], ["c"], ["a", "c"], ["b"]])
        >>> len(cover), cover.items
        (4, ('a', 'b', 'c'))
        >>> Cover.from_rows({"A": [1, 4, 7], "B": [1, 4]}).rows
        ((1, 4, 7), (1, 4))
        >>> Cover.from_rows([["a", "x:red"], ["b", "x:red"], ["b", "x:blue"]]).coloured.items
        ('x',)
        """
        listed = rows.values() if isinstance(rows, Mapping) else rows
        if isinstance(listed, str):
            raise InputError(f"rows: {listed!r:.40} is one text; rows are lists of items: [['a', 'b'], ['c']]")
        if hasattr(listed, "shape"):
            raise InputError(f"an array is a matrix of 0 and 1: {READ_BY_FROM_MATRIX}")
        as_given, first = tuple(tuple(row) for row in listed), tuple(dict.fromkeys(items))
        if looks_like_one(as_given) and not {0, 1} <= {*first}:
            raise InputError(
                f"these rows hold 0 and 1 alone, as a matrix does: {READ_BY_FROM_MATRIX}; if 0 and 1 are items, add items=[0, 1]"
            )
        return _from_rows(
            as_given,
            first,
            tuple(dict.fromkeys(secondary)),
            tile_of,
            dict(at_least or {}),
            dict(at_most or {}),
            dict(weights or {}),
        )

    @classmethod
    def from_matrix(
        cls,
        matrix: Sequence[Sequence[int]] | ZeroOne,
        *,
        secondary: Iterable[int] = (),
        tile_of: Sequence[Hashable] | None = None,
        at_least: Mapping[Any, int] | None = None,
        at_most: Mapping[Any, int] | None = None,
        weights: Mapping[Any, int] | None = None,
    ) -> RowCover:
        """A general exact cover by a matrix of 0 and 1: rows of numbers, an array of NumPy, or a sparse matrix of SciPy. Each
        row is an option, each column an item, named by its number. A row without a 1 is in no solution. For the rest see
        `from_rows`.

        >>> Cover.from_matrix([[1, 1, 0], [0, 0, 0], [0, 0, 1]]).rows
        ((0, 1), (), (2,))
        """
        rows, columns = columns_with_one(matrix)
        used = tuple(number for number, row in enumerate(rows) if row)
        keys = None
        if tile_of is not None:
            if len(tile_of) != len(rows):
                raise InputError(f"tile_of has {len(tile_of)} keys for {len(rows)} rows")
            keys = [tile_of[number] for number in used]
        made = _from_rows(
            tuple(tuple(rows[number]) for number in used),
            tuple(range(columns)),
            tuple(dict.fromkeys(secondary)),
            keys,
            dict(at_least or {}),
            dict(at_most or {}),
            dict(weights or {}),
        )
        return replace(made, rows=tuple(map(tuple, rows)), row_of=used)

    def __len__(self) -> int:
        """The number of options."""
        return len(self.tile)

    @property
    def lower(self) -> NDArray[np.int64]:
        """How often a tile must be used."""
        return self.bounds.lower

    @property
    def upper(self) -> NDArray[np.int64]:
        """How often a tile can be used, never more than there is room for."""
        return self.bounds.upper

    @property
    def bounded(self) -> NDArray[np.bool_]:
        """Whether these bounds can bind; other tiles need no counter."""
        return self.bounds.bounded

    @property
    def asked(self) -> NDArray[np.int64]:
        """How often each tile must be used, before this bound is raised because of the area."""
        return self.lower if self.bounds.asked is None else self.bounds.asked

    @cached_property
    def by_item(self) -> Csr:
        """The options that cover each item."""
        options = portable.repeat(np.arange(len(self), dtype=np.int32), np.diff(self.members.starts))
        return Csr.grouped(self.members.values, options, len(self.items))

    @cached_property
    def by_tile(self) -> Csr:
        """The options of each tile."""
        return Csr.grouped(self.tile, np.arange(len(self), dtype=np.int32), len(self.names))

    @cached_property
    def kinds(self) -> frozenset[ItemKind]:
        """The kind of each item."""
        return frozenset({ItemKind.ABSTRACT} if self.items else ())

    def kind_of(self, item: int) -> ItemKind:
        """The kind of an item."""
        return ItemKind.ABSTRACT

    @property
    def areas(self) -> NDArray[np.int64]:
        """The area of an option of each tile, shape (tiles,): the number of items that it covers; on a board, of cells."""
        return self.sizes

    @property
    def area(self) -> int:
        """The area of all options of a solution together, options of fillers included."""
        return len(self.items)

    @cached_property
    def is_filler(self) -> NDArray[np.bool_]:
        """Marks, shape (tiles,), of the tiles that are fillers."""
        return np.isin(portable.arange(len(self.names)), self.fillers)

    @cached_property
    def fills(self) -> NDArray[np.bool_]:
        """Marks, shape (options,), of the options of fillers."""
        return self.is_filler[self.tile]

    @cached_property
    def may_stay_open(self) -> frozenset[int]:
        """The numbers of the items that fillers can cover."""
        return frozenset(self.members.values[self.members.starts[:-1][self.fills]].tolist())

    @cached_property
    def uses_every_copy(self) -> bool:
        """Whether the number of copies of every tile is fixed."""
        return bool((self.lower == self.upper).all())

    @property
    def extent(self) -> int:
        """The sum of the sizes of a solution's options: the number of items."""
        return len(self.items)

    @cached_property
    def slack(self) -> int:
        """The number of items left over when every tile is used exactly as often as it must be."""
        return int(self.extent - self.sizes @ self.lower)

    def touching(self, option: int) -> NDArray[np.bool_]:
        """Marks, shape (options,), of the options that share an item with one, itself included, or disagree about a colour."""
        sharing = np.zeros(len(self), np.bool_)
        for item in self.members[option].tolist():
            sharing[self.by_item[item]] = True
        return sharing if self.coloured is None else sharing | self.coloured.disagreeing(option)

    def restrict(self, keep: NDArray[np.bool_], keeps: SolutionsKept | None = None) -> Cover:
        """The cover with only the options marked in `keep` (shape (options,)), renumbered; `origin` leads back."""
        return replace(self, **self._restricted(keep, keeps))

    def _restricted(self, keep: NDArray[np.bool_], keeps: SolutionsKept | None) -> dict[str, Any]:
        return {
            "tile": self.tile[keep],
            "members": self.members.restrict(keep),
            "origin": self.origin[keep],
            "keeps": keeps or self.keeps,
            "is_whole": self.is_whole and bool(keep.all()),
            "coloured": None if self.coloured is None else self.coloured.restrict(keep),
        }

    def shown(self, options: Iterable[int]) -> NDArray[np.int64]:
        """A set of options as answers show it: ascending, without options of fillers."""
        every = np.sort(np.fromiter(options, np.int64))
        return every[~self.fills[every]]

    def meaning(self, option: int) -> dict[str, Any] | None:
        """The tile of an option and the place where it lies, ready for JSON; None for an option of a filler."""
        return None if self.fills[option] else {"option": int(self.origin[option])}

    def refusal(self) -> str | None:
        """A reason, found without a search, why there is no solution: the area, an item without an option, or a tile that must be
        used more often than it has options. None if there is no such reason."""
        if not is_reachable(self.area, self.areas.tolist(), self.lower.tolist(), self.upper.tolist()):
            return f"area: {self._area_in_words()}"
        bare = np.flatnonzero(portable.bincount(self.members.values, minlength=len(self.items)) == 0)
        if len(bare):
            shown = [*map(self.item_in_words, bare[:3].tolist()), *["..."] * (len(bare) > 3)]
            return f"{self._words[1]}: no {self._words[3]} covers {', '.join(shown)}"
        options = portable.bincount(self.tile, minlength=len(self.names))
        for t in np.flatnonzero(options < self.lower):
            return f"tile: {self.names[t]} must be used {self.lower[t]} times but has {options[t]} placements"
        return None

    def _area_in_words(self) -> str:
        """A sentence that says why the areas of tiles within their bounds do not add up to the board's."""
        tiles, cell, board, _ = self._words
        shown = ~self.is_filler
        areas, asked, upper = self.areas[shown], self.asked[shown], self.upper[shown]
        fewest, greatest = (self.area - int(bound[~shown] @ self.areas[~shown]) for bound in (self.upper, self.lower))
        least, most = int(asked @ areas), int(upper @ areas)
        if least > greatest:
            return f"the {tiles} that must be used have {counted(least, cell)}, {board} {greatest:,}"
        if most < fewest and (self.bounded[shown] | (upper == 0)).all():
            fit = " that fit" if (areas > self.area).any() else ""
            return f"all {tiles}{fit} together have {counted(most, cell)}, {board} {fewest:,}"
        sizes = [f"{size:,}" for size in sorted(set(areas.tolist()))]
        several = " and ".join(filter(None, [", ".join(sizes[:-1]), sizes[-1]]))
        listed = several if len(sizes) < 7 else f"{sizes[0]} to {sizes[-1]}"
        limited = ", as many as there may be," if self.bounded[shown].any() else ""
        wanted = f"{fewest:,} to {greatest:,}" if fewest < greatest else f"{greatest:,}"
        return f"{tiles} of {listed} {cell}s{limited} cannot add up to {wanted} {cell}s"

    def item_in_words(self, item: int) -> str:
        """The name of an item in sentences."""
        return str(self.items[item])


@dataclass(frozen=True, eq=False, kw_only=True)
class RowCover(Cover):
    """A general exact cover, made of rows: what `Cover.from_rows` and files give. Its solutions are numbers of rows."""

    rows: tuple[tuple[Hashable, ...], ...]  #: as given
    row_of: tuple[int, ...]  #: the row of each option of the unfiltered cover; options of fillers, which come last, have none
    given: int  #: the number of items that come from the rows; the others fill up rows of tiles with bounds to one size

    def meaning(self, option: int) -> dict[str, Any] | None:
        if self.fills[option]:
            return None
        row = self.row_of[self.origin[option]]
        return {"row": row, "items": [str(item) for item in self.rows[row]]}

    def __repr__(self) -> str:
        return f"Cover({len(self.rows)} rows, {self.given} items)"


def _from_rows(
    rows: tuple[tuple[Hashable, ...], ...],
    first: tuple[Hashable, ...],
    secondary: tuple[Hashable, ...],
    tile_of: Sequence[Hashable] | None,
    at_least: dict[Hashable, int],
    at_most: dict[Hashable, int],
    weights: dict[Hashable, int],
) -> RowCover:
    for number, row in enumerate(rows):
        if not row:
            raise InputError(f"row {number} is empty")
        if len(set(row)) < len(row):
            raise InputError(f"row {number} has an item twice")
    as_given = rows
    rows, coloured = ColouredItems.of_rows(as_given)
    for item in (*first, *secondary):
        if split_colour(item) is not None:
            raise InputError(f"items: {item} has a colour; name the item without it")
    if coloured is not None:
        with_colour = set(coloured.items)
        first = tuple(item for item in first if item not in with_colour)
        secondary = tuple(item for item in secondary if item not in with_colour)
    items = list(dict.fromkeys([*first, *(item for row in rows for item in row)]))
    if not items and not as_given:
        raise InputError("there are no rows, and no items")
    given = len(items)
    keys = [None] * len(rows) if tile_of is None else list(tile_of)
    if len(keys) != len(rows):
        raise InputError(f"tile_of has {len(keys)} keys for {len(rows)} rows")
    most_items: dict[Hashable, int] = {}
    for row, key in zip(rows, keys, strict=True):
        most_items[key] = max(len(row), most_items.get(key, 1))
    for what, unknown in (("bound", (*at_least, *at_most)), ("weight", tuple(weights))):
        for key in unknown:
            if key not in most_items:
                raise InputError(f"there is a {what} for {key!r}, but no row with that key in tile_of")
    for key, weight in weights.items():
        if not isinstance(weight, int) or abs(weight) > MAX_WEIGHT:
            raise InputError(f"the weight of {key!r} is {weight!r}; it must be a whole number up to {MAX_WEIGHT:,}")
    number_of = {item: number for number, item in enumerate(items)}
    missing = [item for item in secondary if item not in number_of]
    if missing:
        raise InputError(f"no row covers the secondary item {missing[0]!r}")
    lists = [sorted(number_of[item] for item in row) for row in rows]
    may_stay_open = [number_of[item] for item in secondary]
    # Options of a tile have one size: without bounds a tile becomes several, else its rows get own items that may stay open.
    tiles: dict[tuple[Hashable, int], int] = {}
    tile = []
    for number, (members, key) in enumerate(zip(lists, keys, strict=True)):
        while len(members) < (most_items[key] if key in at_least or key in at_most else 1):
            members.append(len(items))
            may_stay_open.append(len(items))
            items.append((f"row {number}", len(members)))
        tile.append(tiles.setdefault((key, len(members)), len(tiles)))
    sizes = [size for _, size in tiles]
    weighs = [weights.get(key, 0) for key, _ in tiles]
    least = [at_least.get(key, 0) for key, _ in tiles]
    most: list[int | None] = [at_most.get(key) for key, _ in tiles]
    fills = [len(items) // size for size in sizes]
    names = ["" if key is None else str(key) for key, _ in tiles]
    fillers = (len(tiles),) if may_stay_open else ()
    if fillers:
        sizes, least, most, fills = [*sizes, 1], [*least, 0], [*most, None], [*fills, len(may_stay_open)]
        names.append("")
        weighs.append(0)
        lists += [[item] for item in may_stay_open]
        tile += [*fillers] * len(may_stay_open)
    for name, low, high in zip(names, least, most, strict=True):
        if low < 0 or (high is not None and high < max(1, low)):
            raise InputError(f"tile {name}: {low}..{high} is not a range")
    return RowCover(
        items=tuple(items),
        names=tuple(names),
        tile=np.array(tile, np.int32),
        members=Csr.from_lists(lists),
        sizes=np.array(sizes, np.int64),
        bounds=Bounds.of(len(items), sizes, least, most, fills),
        weights=np.array(weighs, np.int64),
        fillers=fillers,
        origin=np.arange(len(lists), dtype=np.int32),
        rows=as_given,
        row_of=tuple(range(len(as_given))),
        given=given,
        coloured=None if coloured is None or coloured.binding is None else coloured.binding.followed(len(lists)),
    )
