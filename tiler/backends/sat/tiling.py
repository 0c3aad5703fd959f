"""Write the clauses of a cover: a CNF with a model for each tiling. Its variables are placements, or placements of named copies.

`amk-ENC` has a variable per placement: exactly one per cell, and for each tile with bounds a cardinality constraint in the
encoding ENC. `amo-ENC` has, for a tile with bounds, a variable per placement and copy: at most one per copy in the encoding ENC,
exactly one for the copies that must be used. `amo-ordered` writes the constraints of copies with a matrix of sequential counters,
which also puts the copies in order. Both have the three optimisations of the thesis: a copy that must be used is used exactly
once; a tile with enough copies to fill the board has no constraint and no copies; and the j-th copy may only lie in the j-th
position or later, where a position is the rank of a placement among the tile's in board order.

Where options give items colours, there is a variable per item and colour, true just if some option gives that colour, and at most
one of them is true for an item. Each option implies its colours. There is also a redundant implication, which saves most
conflicts on boards of squares with marks: a colour implies that the cell beside the side is covered by an option that gives this
colour or none. Clauses for all pairs of options that disagree were 3 to 5 times as many, and cadical195 took 2 to 16 times as
long with them (30 boards of 5x5 and 6x6).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from tiler.backends.colour_constraints import Agreement, SideEnd, agreements, ends
from tiler.backends.sat import cardinality
from tiler.backends.sat.cardinality import AT_MOST_K, AT_MOST_ONE
from tiler.backends.sat.formula import Formula
from tiler.cover.items import ItemKind
from tiler.errors import BadOption

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tiler.cover.cover import Cover

ORDERED = "amo-ordered"
AT_LEAST = "at-least"
NOT_ENOUGH = "all copies of all tiles must be counted and have the board's area together, or a cell might be covered twice"
#: The names of encodings that `encode` takes; native constraints are only for `amk-`.
NAMES = (
    *(f"amk-{name}" for name in AT_MOST_K),
    *(f"amo-{name}" for name in AT_MOST_ONE if name != "native"),
    ORDERED,
)


@dataclass
class TilingFormula:
    """A formula and what its first variables mean: variable v places the option `option[v - 1]`, as the copy `copy[v - 1]` of its
    tile (from 1; None where copies have no names). Later variables belong to encodings."""

    formula: Formula
    option: list[int] = field(default_factory=list)
    copy: list[int | None] = field(default_factory=list)
    decided: int = 0  #: how many of the later variables are those of items and colours, which every tiling determines
    symmetries: int | None = None  #: the number of symmetries whose lex-leaders were added; None if the formula has all tilings

    @cached_property
    def variables(self) -> dict[int, list[int]]:
        """The variables of every option that has variables."""
        found: dict[int, list[int]] = {}
        for variable, option in enumerate(self.option, 1):
            found.setdefault(option, []).append(variable)
        return found

    def options(self, model: Iterable[int]) -> tuple[int, ...]:
        """The options that the true literals of a model place, in ascending order."""
        meaningful = len(self.option)
        return tuple(sorted(self.option[literal - 1] for literal in model if 0 < literal <= meaningful))

    def name_placements(self, *, exactly: bool = False) -> dict[int, int]:
        """For every option a literal that is true if it is placed, by any copy; adds variables where copies have names.
        With `exactly` it is true only if it is placed.

        With them a solution can be forbidden by one clause over its placements, which forbids it for every naming of copies.
        """
        literals = {}
        for option, variables in sorted(self.variables.items()):
            literals[option] = variables[0]
            if self.copy[variables[0] - 1] is not None:
                with self.formula.group(made=variables[0]):
                    literals[option] = self.formula.new()
                    for variable in variables:
                        self.formula.add(-variable, literals[option])
                    if exactly:
                        self.formula.add(-literals[option], *variables)
        return literals

    def _place(self, option: int, copy: int | None = None) -> int:
        self.option.append(option)
        self.copy.append(copy)
        return self.formula.new()


def areas_force_one(cover: Cover) -> bool:
    """Whether tiles that cover every cell cover it once: all copies together have the board's area, and all tiles are counted."""
    return bool(cover.bounded.all()) and int(cover.upper @ cover.sizes) == len(cover.items)


def encode(cover: Cover, encoding: str, cell: str, symmetry: str = "off") -> TilingFormula:
    """The CNF of a cover; `encoding` is one of `NAMES`, `cell` one of `AT_MOST_ONE` or `AT_LEAST`, `symmetry` one of `off` and
    `lex`. BadOption if `AT_LEAST` is not enough for this cover."""
    if cell == AT_LEAST and not areas_force_one(cover):
        raise BadOption(f"cell={AT_LEAST}: {NOT_ENOUGH}")
    tiling = TilingFormula(Formula())
    with_copies, _, name = encoding.partition("-")
    bounded = cover.bounded.tolist()
    named = [bound and with_copies == "amo" for bound in bounded]
    by_tile = cover.by_tile.lists()
    rows: dict[int, list[list[int]]] = {}
    for t, options in enumerate(by_tile):
        if named[t]:
            positions = _in_board_order(cover, options)
            rows[t] = [
                [tiling._place(option, copy) for option in positions[copy - 1 :]]
                for copy in range(1, min(int(cover.upper[t]), len(positions)) + 1)
            ]
        else:
            for option in options:
                tiling._place(option)
    formula, variables = tiling.formula, tiling.variables
    for item, options in enumerate(cover.by_item.lists()):
        literals = [v for option in options for v in variables.get(option, ())]
        with formula.group(**_told(cover, item)) as fact:
            if cell == AT_LEAST:
                formula.add(*literals)
                fact["by"] = AT_LEAST
            else:
                fact["by"] = cardinality.exactly_one(cell, formula, literals)
    for t, options in enumerate(by_tile):
        lower, upper = int(cover.lower[t]), int(cover.upper[t])
        if not bounded[t]:
            continue
        if not named[t]:
            _between(formula, name, [variables[option][0] for option in options], lower, upper, tile=cover.names[t])
        elif len(rows[t]) < lower:
            with formula.group(tile=cover.names[t], least=lower, by=None):
                formula.add()
        elif encoding == ORDERED:
            with formula.group(tile=cover.names[t], ordered=lower):
                _ordered(formula, rows[t], lower)
        else:
            for number, row in enumerate(rows[t], 1):
                _between(formula, name, row, 1 if number <= lower else 0, 1, tile=cover.names[t], copy=number)
    for agreement in agreements(cover):
        _agree(tiling, cover, agreement, "auto" if cell == AT_LEAST else cell)
    if symmetry == "lex":
        from tiler.backends.sat import lex

        tiling.symmetries = lex.leaders(formula, cover, tiling.name_placements(exactly=True))
        for t, copies in rows.items() if encoding != ORDERED else ():
            lex.order_copies(formula, cover.names[t], copies)
    return tiling


@lru_cache(maxsize=32)
def digest(cover: Cover, encoding: str, cell: str, symmetry: str) -> str:
    """A text that two formulas of `encode` have in common only if they are equal."""
    formula = encode(cover, encoding, cell, symmetry).formula
    return sha256(repr((formula.variables, formula.clauses, formula.at_mosts)).encode()).hexdigest()


def _agree(tiling: TilingFormula, cover: Cover, agreement: Agreement, encoding: str) -> None:
    """Add clauses: all options that colour an item give it the same colour."""
    assert cover.coloured is not None
    formula, variables, colour_of = tiling.formula, tiling.variables, agreement.colour_of()
    with_items = [end for end in ends(cover, agreement) if _tells(cover, end)]
    fact = {
        "shared": cover.coloured.items[agreement.item],
        "colours": [cover.coloured.colours[colour - 1] for colour in agreement.options],
        "beside": [cover.items[end.covers] for end in with_items],
    }
    with formula.group(**fact) as group:
        given = {colour: formula.new() for colour in agreement.options}
        tiling.decided += len(given)
        group["by"] = cardinality.at_most(encoding, formula, list(given.values()), 1)
        for colour, options in agreement.options.items():
            literals = [variable for option in options for variable in variables.get(option, ())]
            for literal in literals:
                formula.add(-literal, given[colour])
            formula.add(-given[colour], *literals)
        for end in with_items:
            over = cover.by_item[end.covers].tolist()
            for colour, is_given in given.items():
                able = [option for option in over if colour_of.get(option, colour) == colour]
                formula.add(-is_given, *(variable for option in able for variable in variables.get(option, ())))


def _tells(cover: Cover, end: SideEnd) -> bool:
    """Whether the item at an end is likely to be covered by an option that gives a colour."""
    return cover.kind_of(end.covers) is not ItemKind.CORNER and 2 * len(end.options) >= len(cover.by_item[end.covers])


def _told(cover: Cover, item: int) -> dict[str, Any]:
    """The part of a group's comment that names its item. Corners are identified by their clauses."""
    match cover.kind_of(item):
        case ItemKind.CELL:
            return {"cell": cover.items[item]}
        case ItemKind.CORNER:
            return {"corner": True}
        case _:
            return {"item": str(cover.items[item])}


def _between(formula: Formula, name: str, literals: list[int], lower: int, upper: int, **fact: Any) -> None:
    """Add clauses, in two groups: from `lower` to `upper` of the literals are true."""
    with formula.group(**fact, least=lower) as least:
        least["by"] = cardinality.at_least(name, formula, literals, lower)
    with formula.group(**fact, most=upper) as most:
        most["by"] = cardinality.at_most(name, formula, literals, upper)


def _in_board_order(cover: Cover, options: list[int]) -> list[int]:
    starts = cover.members.starts
    return sorted(options, key=lambda option: (int(cover.members.values[starts[option]]), option))


def _ordered(formula: Formula, rows: list[list[int]], lower: int) -> None:
    """Sequential counters, a row per copy: y(j, i) is true just if copy j lies in one of the first i positions of its row.

    The rows are cut off at the left, one position more each, so position i of row j is position i + 1 of row j - 1. Equal copies
    come in order: y(j, i) implies y(j - 1, i + 1), which says of the last position that a copy is used only if the one before is.
    Not later is enough, since two copies in one place overlap.
    """
    above: list[int] = []
    for number, row in enumerate(rows, 1):
        counters: list[int] = []
        for literal in row:
            counter = formula.new()
            formula.add(-literal, counter)
            if counters:
                before = counters[-1]
                formula.add(-before, counter)
                formula.add(-literal, -before)
                formula.add(-counter, before, literal)
            else:
                formula.add(-counter, literal)
            counters.append(counter)
        if number <= lower:
            formula.add(counters[-1])
        for counter, later in zip(counters, above[1:], strict=False):
            formula.add(-counter, later)
        above = counters
