"""Make the integer program of a cover: a binary column per placement, and rows that are sums of columns between two bounds.

Where options give items colours, there is also a column for every item and colour; the value 1 says that the item does *not* have
that colour. So all coefficients are 1: exactly one is 1 of this column and the placements at one end of a side that give the
colour.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tiler.backends.colour_constraints import agreements, ends

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tiler.cover.cover import Cover

#: The names of objectives: how many tiles lie on a cell (exactly one, at least, at most), and how the covered area is optimised.
OBJECTIVES = ("eq-ign", "eq-min", "geq-min", "leq-max")


@dataclass(frozen=True)
class Row:
    """A row: the sum of some columns is from `lower` to `upper`; None means no bound."""

    name: str
    columns: tuple[int, ...]
    lower: int | None
    upper: int | None


@dataclass(frozen=True)
class IntegerProgram:
    """A program over binary columns 0, 1, ...; column i places option i, columns from `placements` on place nothing. There is a
    tiling just if the optimum is `area`.

    `weights` are the coefficients of the objective, whole numbers; empty if any solution will do.
    """

    columns: int
    placements: int  #: the number of columns that make placements; they come first
    rows: tuple[Row, ...]
    weights: tuple[int, ...]
    maximise: bool
    area: int | None  #: None if there is a tiling just if there is a solution

    @property
    def nonzeros(self) -> int:
        """The number of coefficients in the rows."""
        return sum(len(row.columns) for row in self.rows)

    def forbid(self, chosen: Sequence[int]) -> Row:
        """A row that rules out a solution: not all of its placements are made."""
        return Row("", tuple(chosen), None, len(chosen) - 1)

    def refuted_by(self, optimum: float) -> bool:
        """Whether an optimum, of the program or of its linear relaxation, is too bad for a tiling.

        Sums of sizes are whole numbers, so half a cell is allowed for rounding errors of engines.
        """
        return self.area is not None and (optimum < self.area - 0.5 if self.maximise else optimum > self.area + 0.5)


def program_of(cover: Cover, objective: str) -> IntegerProgram:
    """The program of a cover under one of `OBJECTIVES`.

    A row per tile with bounds, then one per cell: in this order CBC decides 10 of the 15 hardest thesis instances within 20 s of
    CPU time, with cells first 7. Over `geq` and `leq` rows the least or greatest covered area tells whether all cells can be
    covered just once.
    """
    sense = objective.partition("-")[0]
    lower, upper = {"eq": (1, 1), "geq": (1, None), "leq": (None, 1)}[sense]
    rows = [
        Row(f"tile{t}", tuple(options), int(cover.lower[t]), int(cover.upper[t]))
        for t, options in enumerate(cover.by_tile.lists())
        if cover.bounded[t]
    ]
    rows += [Row(f"cell{cell}", tuple(options), lower, upper) for cell, options in enumerate(cover.by_item.lists())]
    columns, agreeing = _agreeing(cover)
    rows += agreeing
    if objective == "eq-ign":
        return IntegerProgram(columns, len(cover), tuple(rows), (), False, None)
    weights = _filled_up(cover.sizes[cover.tile].tolist(), columns)
    return IntegerProgram(columns, len(cover), tuple(rows), weights, objective == "leq-max", len(cover.items))


def _agreeing(cover: Cover) -> tuple[int, list[Row]]:
    """The number of all columns, and the rows which demand that options give an item the same colour."""
    columns, rows = len(cover), list[Row]()
    for agreement in agreements(cover):
        others = {colour: columns + number for number, colour in enumerate(agreement.options)}
        columns += len(others)
        name = f"colour{agreement.item}"
        rows.append(Row(name, tuple(others.values()), len(others) - 1, None))
        for number, end in enumerate(ends(cover, agreement)):
            for colour, options in agreement.options.items():
                there = sorted(set(options).intersection(end.options))
                if there:
                    rows.append(Row(f"{name}_{number}_{colour}", (*there, others[colour]), None, 1))
    return columns, rows


def _filled_up(weights: list[int], columns: int) -> tuple[int, ...]:
    return (*weights, *[0] * (columns - len(weights)))


def weighted_program_of(cover: Cover) -> IntegerProgram:
    """The program whose optimum is the largest weight of a tiling."""
    program = program_of(cover, "eq-ign")
    return replace(program, weights=_filled_up(cover.weights[cover.tile].tolist(), program.columns), maximise=True)
