"""Items with colours: the models of every engine have the solutions of covers with colours, and no others."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import highspy
import numpy as np
import pytest
from brute_force import Tiling, allowed_tilings, as_tiling
from pysat.solvers import Solver

from tiler import formats
from tiler.ask.solve import solve
from tiler.backends.colour_constraints import agreements, ends
from tiler.backends.command.search import ProgramInput
from tiler.backends.cpsat import minizinc
from tiler.backends.ilp.program import OBJECTIVES
from tiler.backends.languages import answers, writing
from tiler.backends.languages.writing import GEOST, WriteRequest
from tiler.backends.registry import parse_spec
from tiler.backends.sat import dimacs, groups
from tiler.backends.sat.cardinality import AT_MOST_ONE
from tiler.backends.sat.checking import faithful, rup
from tiler.backends.sat.tiling import NAMES, encode
from tiler.cover.board import BoardCover
from tiler.cover.coloured_items import ColouredItems
from tiler.cover.cover import Cover
from tiler.cover.csr import Csr
from tiler.errors import BadOption, BadSolution
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.model.lattices import LATTICES
from tiler.question.question import Goal, Question
from tiler.selftest import random_instances

pytestmark = pytest.mark.usefixtures("sat_in_this_process")


@dataclass(frozen=True)
class Rows:
    """An exact cover as rows of items, with the colours that each row gives."""

    items: Sequence[str]
    rows: Sequence[tuple[Sequence[str], Mapping[str, str]]]
    secondary: Sequence[str] = ()
    tile_of: Sequence[str] | None = None
    at_least: Mapping[str, int] | None = None
    at_most: Mapping[str, int] | None = None

    @property
    def cover(self) -> Cover:
        plain = Cover.from_rows(
            [items for items, _ in self.rows],
            items=self.items,
            secondary=self.secondary,
            tile_of=self.tile_of,
            at_least=self.at_least,
            at_most=self.at_most,
        )
        given = [sorted(colours.items()) for _, colours in self.rows] + [[] for _ in range(len(plain) - len(self.rows))]
        items = sorted({item for each in given for item, _ in each})
        colours = sorted({colour for each in given for _, colour in each})
        return replace(
            plain,
            coloured=ColouredItems(
                tuple(items),
                tuple(colours),
                Csr.from_lists([[items.index(item) for item, _ in each] for each in given]),
                np.array([colours.index(colour) + 1 for each in given for _, colour in each], np.int32),
            ),
        )

    def solutions(self) -> set[tuple[int, ...]]:
        """By trying all sets of rows."""
        return set(self._from(0, (), {}, {}))

    def _from(
        self, row: int, chosen: tuple[int, ...], covered: Mapping[str, int], colours: Mapping[str, str]
    ) -> Iterator[tuple[int, ...]]:
        if row == len(self.rows):
            tiles = [self.tile_of[each] for each in chosen] if self.tile_of else []
            bounds = [(tile, *self._bounds(tile)) for tile in dict.fromkeys(self.tile_of or ())]
            whole = all(item in covered or item in self.secondary for item in self.items)
            if whole and all(least <= tiles.count(tile) <= most for tile, least, most in bounds):
                yield chosen
            return
        yield from self._from(row + 1, chosen, covered, colours)
        items, given = self.rows[row]
        if not any(item in covered for item in items) and all(colours.get(item, c) == c for item, c in given.items()):
            yield from self._from(row + 1, (*chosen, row), {**covered, **dict.fromkeys(items, row)}, {**colours, **given})

    def _bounds(self, tile: str) -> tuple[int, int]:
        return (self.at_least or {}).get(tile, 0), (self.at_most or {}).get(tile, len(self.rows))


def drawn(seed: int) -> Rows:
    """Few items, some of which may stay open, few colours, and in every second case tiles with bounds."""
    draw = random.Random(seed)
    items = [f"i{n}" for n in range(draw.randint(2, 5))]
    rows = []
    for _ in range(draw.randint(6, 12)):
        covers = draw.sample(items, draw.randint(1, min(2, len(items))))
        rows.append((covers, {f"s{n}": draw.choice("rgb") for n in draw.sample(range(4), draw.randint(0, 3))}))
    secondary = items[:1] if draw.random() < 0.3 else []
    if draw.random() < 0.5:
        return Rows(items, rows, secondary)
    tile_of = ["A", "B", *(draw.choice("AB") for _ in rows[2:])]
    return Rows(items, rows, secondary, tile_of, {"A": draw.randint(0, 1)}, {"A": 2, "B": 3})


def squares(width: int, height: int, colours: int, seed: int) -> Rows:
    """Squares with coloured sides, each used once, no turns: neighbours must agree."""
    draw = random.Random(seed)
    across = {(i, j): draw.choice("rgbk"[:colours]) for i in range(height + 1) for j in range(width)}
    along = {(i, j): draw.choice("rgbk"[:colours]) for i in range(height) for j in range(width + 1)}
    places = [(i, j) for i in range(height) for j in range(width)]
    rows = []
    for number, (a, b) in enumerate(places):
        marks = across[a, b], along[a, b + 1], across[a + 1, b], along[a, b]
        for i, j in places:
            sides = [f"h{i},{j}", f"v{i},{j + 1}", f"h{i + 1},{j}", f"v{i},{j}"]
            inside = [i > 0, j < width - 1, i < height - 1, j > 0]
            given = {side: mark for side, mark, is_inside in zip(sides, marks, inside, strict=True) if is_inside}
            rows.append(([f"c{i},{j}", f"t{number}"], given))
    items = [*(f"c{i},{j}" for i, j in places), *(f"t{number}" for number in range(len(places)))]
    return Rows(items, rows)


DRAWN = [each for seed in range(90) if 0 < len((each := drawn(seed)).solutions()) < 40]
#: By numbers of solutions: some engines are called once for each.
FEW = sorted(DRAWN, key=lambda each: len(each.solutions()))[:12]
SPECS = [
    "sat",
    "sat:encoding=amo-ordered,engine=glucose4",
    "sat:preprocess=on",
    *(f"ilp:engine=highs,objective={objective}" for objective in OBJECTIVES),
    "ilp",
    "cpsat",
]


def test_some_drawn_covers_lose_solutions_by_their_colours() -> None:
    assert len(DRAWN) > 40
    without = [replace(each, rows=[(items, {}) for items, _ in each.rows]) for each in DRAWN]
    lost = sum(len(plain.solutions()) > len(each.solutions()) for plain, each in zip(without, DRAWN, strict=True))
    assert lost > 30
    assert sum(each.tile_of is not None for each in DRAWN) > 15
    assert sum(bool(each.secondary) for each in DRAWN) > 5


@pytest.mark.long
@pytest.mark.parametrize("spec", SPECS)
def test_engines_find_the_solutions_and_no_others(spec: str) -> None:
    start = SPECS.index(spec)
    for each in [FEW[start % len(FEW)], FEW[(start + 4) % len(FEW)], squares(2, 2, 2, start)]:
        result = parse_spec(spec).solve(each.cover, Question(Goal.ENUMERATE))
        assert len(result.solutions) == len(set(result.solutions))
        rows = {tuple(option for option in options if option < len(each.rows)) for options in result.solutions}
        assert rows == each.solutions()


ENCODED = [*((name, "auto") for name in NAMES), *(("amk-auto", cell) for cell in AT_MOST_ONE if cell != "auto")]


@pytest.mark.parametrize(("encoding", "cell"), ENCODED)
def test_the_models_of_every_encoding_are_the_solutions(encoding: str, cell: str) -> None:
    for each in [*DRAWN[:12], squares(2, 2, 2, 1)]:
        tiling = encode(each.cover, encoding, cell)
        named = tiling.name_placements()
        found = set[tuple[int, ...]]()
        with Solver("minicard", bootstrap_with=tiling.formula.clauses) as solver:
            for literals, bound in tiling.formula.at_mosts:
                solver.add_atmost(literals, bound)
            while solver.solve():
                options = tiling.options(solver.get_model())
                rows = tuple(option for option in options if option < len(each.rows))
                assert rows not in found
                found.add(rows)
                solver.add_clause([-named[option] for option in options])
        assert found == each.solutions()


def test_variables_of_colours_have_one_value_in_each_solution() -> None:
    """So model counters need not be told which variables count."""
    for each in DRAWN:
        if each.tile_of is None:
            tiling = encode(each.cover, "amk-auto", "pairwise")
            assert tiling.formula.variables == len(tiling.option) + tiling.decided
            with Solver("glucose4", bootstrap_with=tiling.formula.clauses) as solver:
                assert sum(1 for _ in solver.enum_models()) == len(each.solutions())


def test_ends_of_a_side_are_its_cells() -> None:
    cover = squares(3, 2, 3, 1).cover
    assert cover.coloured is not None
    for agreement in agreements(cover):
        way, i, j = cover.coloured.items[agreement.item][0], *map(int, str(cover.coloured.items[agreement.item])[1:].split(","))  # type: ignore[index]
        before = f"c{i - 1},{j}" if way == "h" else f"c{i},{j - 1}"
        assert {cover.items[end.covers] for end in ends(cover, agreement)} == {before, f"c{i},{j}"}


def test_what_all_give_the_same_colour_binds_nothing() -> None:
    rows = Rows("ab", [("a", {"x": "red", "y": "red"}), ("b", {"x": "red", "y": "blue"}), ("b", {"z": "red"})])
    assert [rows.cover.coloured.items[each.item] for each in agreements(rows.cover)] == ["y"]  # type: ignore[union-attr]
    assert rows.solutions() == {(0, 2)}


@pytest.mark.parametrize("model", ["geometric", "automaton"])
def test_models_of_copies_know_no_colours(model: str) -> None:
    with pytest.raises(BadOption, match="knows no marks of sides, and no colours of items; use model=placements"):
        parse_spec(f"cpsat:model={model}").solve(squares(2, 2, 2, 0).cover, Question(Goal.DECIDE))


@pytest.mark.parametrize("objective", ["eq-ign", "leq-max"])
def test_columns_of_files_stand_for_options_and_others_for_nothing(objective: str, tmp_path: Path) -> None:
    rows = squares(2, 2, 3, 5)
    written = writing.write(WriteRequest("mps", parse_spec(f"ilp:objective={objective}"), None), rows.cover)
    path = tmp_path / "squares.mps"
    path.write_text("\n".join(written.files["mps"]) + "\n")  # type: ignore[arg-type]
    engine = highspy.Highs()
    engine.setOptionValue("output_flag", False)
    engine.readModel(str(path))
    engine.run()
    ones = [
        int(name[1:])
        for name, value in zip(engine.getLp().col_names_, engine.getSolution().col_value, strict=True)
        if value > 0.5
    ]
    assert max(ones) >= len(rows.cover)
    assert written.options(ones) in rows.solutions()
    with pytest.raises(BadSolution, match="there is no column x1000"):
        written.options([0, 1000])


#: Lattice, whether it is wrapped, and a seed: small boards with few tilings or none, and few placements, but some. Of all but the
#: last three placements disagree at sides.
PAINTED = [
    *[("square", False, 110), ("square", True, 58), ("hexagonal", False, 42), ("hexagonal", True, 58), ("triangular", False, 31)],
    *[("tetrakis", True, 30), ("rhombille", True, 36), ("cubic", True, 41)],
    *[("square", False, 26), ("square", False, 43), ("cubic", False, 23)],
]
UNMARKED = 3


@cache
def painted() -> tuple[tuple[Instance, set[Tiling]], ...]:
    made = (
        random_instances.instance(random.Random(seed), LATTICES[name], wrapped=wrapped, painted=True)
        for name, wrapped, seed in PAINTED
    )
    return tuple((instance, allowed_tilings(instance)) for instance in made)


def test_paint_matters_on_the_drawn_boards() -> None:
    sides = [len(agreements(BoardCover.of(instance))) for instance, _ in painted()]
    assert [each > 0 for each in sides] == [True] * (len(PAINTED) - UNMARKED) + [False] * UNMARKED
    assert all(instance.is_painted for instance, _ in painted())
    assert {len(tilings) for _, tilings in painted()} >= {0, 1, 2, 3, 4}


@pytest.mark.long
@pytest.mark.parametrize("spec", ["sat", "sat:encoding=amo-auto", "ilp:engine=highs", "cpsat", "cpsat:model=geometric"])
def test_engines_find_the_tilings_of_painted_boards(spec: str) -> None:
    asked = 0
    for instance, tilings in painted():
        if parse_spec(spec).refusal(Question(Goal.ENUMERATE), BoardCover.of(instance)) is None:
            asked += 1
            found = [as_tiling(each) for each in solve(instance, spec, Question(Goal.ENUMERATE)).solutions]
            assert len(found) == len(tilings), instance
            assert set(found) == tilings, instance
    assert asked == (UNMARKED if "geometric" in spec else len(PAINTED))


def test_the_prover_and_the_check_of_proofs_know_painted_boards() -> None:
    for instance, tilings in painted():
        assert tilings or solve(instance, "coloring").result.status is not Status.SAT
        assert not tilings or solve(instance, "coloring").result.status is not Status.UNSAT
        cover = BoardCover.of(instance)
        text = "\n".join(dimacs.write_cnf(cover, encode(cover, "amk-seqcounter", "auto")))
        said = faithful.why_not_shown(instance, rup.read_cnf(text), dimacs.read_meanings(text), groups.read(text))
        assert said is None, instance


#: Boards without tilings: that is shown by their areas, by weights of cells, and by ruling out placements one by one.
REFUTED = [
    *[("square-edges", True, 2), ("triangular", False, 10), ("square", False, 22), ("triangular", True, 20)],
    *[("square-edges", False, 32), ("triangular", True, 29)],
]


@pytest.mark.parametrize(("name", "wrapped", "seed"), REFUTED)
def test_proofs_list_placements_as_their_paint_lets_them_lie(name: str, wrapped: bool, seed: int) -> None:
    instance = random_instances.instance(random.Random(seed), LATTICES[name], wrapped=wrapped, painted=True)
    assert not allowed_tilings(instance)
    assert solve(instance, "coloring").result.status is Status.UNSAT  # With a proof, which is followed before it is believed.


def test_the_automaton_refuses_painted_boards() -> None:
    instance = next(instance for instance, _ in painted())
    assert "model=placements" in str(parse_spec("cpsat:model=automaton").refusal(Question(), BoardCover.of(instance)))
    assert instance.is_painted


def test_minizinc_says_how_painted_tiles_lie() -> None:
    instance = formats.parse("# colours: r red, g green\n\n2x1\n\n1:1 [rgrr]\n1:1 [gggr]\n")
    cover = BoardCover.of(instance)
    (tiling,) = parse_spec("sat").solve(cover, Question(Goal.DECIDE)).solutions
    data = "\n".join(minizinc.write_data(cover))
    assert f"sides = {len(agreements(cover))};" in data
    paint = [
        json.loads(f'"{word}"') for word in re.findall(r'"((?:[^"\\]|\\.)*)"', data.partition("paint = ")[2].partition("];")[0])
    ]
    lines = [
        f"{placed.tile}: {' '.join(','.join(map(str, cell)) for cell in sorted(placed.cells))}{paint[option]}"
        for option, placed in zip(tiling, cover.placements(tiling), strict=True)
    ]
    said = answers.read("minizinc", "\n".join([*lines, "----------", ""]))
    assert said.placements is not None
    assert set(said.placements) == set(cover.placements(tiling))
    assert ProgramInput({}, cover, lambda _: ()).options(said) == tiling
    with pytest.raises(BadOption, match="geost knows no marks"):
        writing.write(WriteRequest("mzn", GEOST), cover)
