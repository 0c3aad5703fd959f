"""Every encoding has exactly the right models when they are projected on its inputs, and the clauses of a cover its tilings."""

from __future__ import annotations

import re
from functools import cache
from itertools import product

import pytest
from pysat.solvers import Solver

from tiler import formats
from tiler.ask.solve import solve
from tiler.backends.sat import cardinality
from tiler.backends.sat.cardinality import AT_MOST_K, AT_MOST_ONE, ENCODINGS, at_least, at_most
from tiler.backends.sat.formula import Formula
from tiler.backends.sat.tiling import NAMES, encode
from tiler.cover.board import BoardCover
from tiler.errors import BadOption
from tiler.question.question import Goal, Question

LONGEST = 8


def models(formula: Formula, literals: list[int]) -> set[tuple[bool, ...]]:
    """The values of the literals in the models of a formula."""
    with Solver("minicard" if formula.at_mosts else "glucose4", bootstrap_with=formula.clauses) as solver:
        for some, bound in formula.at_mosts:
            solver.add_atmost(some, bound)
        return {
            values
            for values in product((False, True), repeat=len(literals))
            if solver.solve([literal if value else -literal for literal, value in zip(literals, values, strict=True)])
        }


def inputs(length: int) -> list[int]:
    """Literals of both signs, of variables that are not next to each other in the formula."""
    return [(-1) ** i * (2 * i + 1) for i in range(length)]


@pytest.mark.parametrize("name", ["auto", *ENCODINGS])
def test_projected_models(name: str) -> None:
    largest = 1 if name in AT_MOST_ONE and name not in AT_MOST_K else LONGEST + 1
    for length in range(LONGEST + 1):
        literals = inputs(length)
        everything = list(product((False, True), repeat=length))
        for bound in range(-1, length + 2):
            if bound <= largest or bound >= length:
                formula = Formula(2 * length)
                at_most(name, formula, literals, bound)
                assert models(formula, literals) == {v for v in everything if sum(v) <= bound}, (length, bound)
            if length - bound <= largest or bound <= 1:
                formula = Formula(2 * length)
                at_least(name, formula, literals, bound)
                assert models(formula, literals) == {v for v in everything if sum(v) >= bound}, (length, bound)


@pytest.mark.parametrize("name", AT_MOST_K)
def test_projected_models_between_two_bounds(name: str) -> None:
    for length in range(LONGEST + 1):
        for lower in range(length + 2):
            for upper in {lower, lower + 2}:
                formula = Formula(2 * length)
                at_least(name, formula, inputs(length), lower)
                at_most(name, formula, inputs(length), upper)
                expected = {v for v in product((False, True), repeat=length) if lower <= sum(v) <= upper}
                assert models(formula, inputs(length)) == expected, (length, lower, upper)


@pytest.mark.parametrize("name", AT_MOST_ONE)
def test_at_most_one_of_many(name: str) -> None:
    for length in (17, 40, 97):
        literals = inputs(length)
        formula = Formula(2 * length)
        at_most(name, formula, literals, 1)
        with Solver("minicard", bootstrap_with=formula.clauses) as solver:
            for some, bound in formula.at_mosts:
                solver.add_atmost(some, bound)
            assert solver.solve([-literal for literal in literals])
            for i, one in enumerate(literals):
                assert solver.solve([one, *(-literal for literal in literals if literal != one)])
                assert not solver.solve([one, literals[i - 1]])


def test_what_an_encoding_cannot_do_is_refused() -> None:
    with pytest.raises(BadOption, match=re.escape("ladder can encode at most one only; for 2 there are auto, seqcounter,")):
        at_most("ladder", Formula(4), [1, 2, 3, 4], 2)
    with pytest.raises(BadOption, match="unknown encoding 'bimandr'; nearest: bimander"):
        at_most("bimandr", Formula(4), [1, 2, 3, 4], 1)


def test_auto_picks_by_length() -> None:
    assert [cardinality.choose_encoding("auto", length, 1).name for length in (3, 60, 900)] == ["pairwise", "bimander", "product"]
    assert cardinality.choose_encoding("auto", 60, 5).largest is None


COVERS = [
    ["4x4", "2"],
    ["3x2", "1..:3L", "2..:1", "2"],
    ["5x4", "2..3:4L", "1:2", "3:3I"],
    ["xxo/xxx", "1..2:3L"],
    ["3x3", "1:3L", "2:3I"],
    ["2x2x2", "1x1x2"],
]


ENCODED = [*((name, "auto") for name in NAMES), *(("amk-auto", cell) for cell in AT_MOST_ONE if cell != "auto")]


@cache
def counted() -> list[tuple[BoardCover, int | None]]:
    """The covers, and how many tilings each has."""
    instances = map(formats.inline, COVERS)
    return [(BoardCover.of(each), solve(each, question=Question(Goal.COUNT)).result.count) for each in instances]


@pytest.mark.parametrize(("name", "cell"), ENCODED)
def test_the_models_of_a_cover_are_its_tilings(name: str, cell: str) -> None:
    for cover, count in counted():
        found = set()
        tiling = encode(cover, name, cell)
        named = tiling.name_placements()
        with Solver("minicard", bootstrap_with=tiling.formula.clauses) as solver:
            for literals, bound in tiling.formula.at_mosts:
                solver.add_atmost(literals, bound)
            while solver.solve():
                options = tiling.options(solver.get_model())
                assert options not in found
                found.add(options)
                solver.add_clause([-named[option] for option in options])
        assert len(found) == count


def test_ordered_copies_leave_one_model_per_tiling() -> None:
    instance = formats.inline(["4x3", "2..4:2", "3L", "2:1"])
    tiling = encode(BoardCover.of(instance), "amo-ordered", "pairwise")
    with Solver("glucose4", bootstrap_with=tiling.formula.clauses) as solver:
        count = sum(1 for _ in solver.enum_models())
    assert count == solve(instance, question=Question(Goal.COUNT)).result.count


def test_only_tiles_with_bounds_that_can_bind_have_copies() -> None:
    tiling = encode(BoardCover.of(formats.inline(["4x4", "8:2", "2:4O"])), "amo-pairwise", "pairwise")
    assert tiling.copy == [None] * 24 + [1] * 9 + [2] * 8
