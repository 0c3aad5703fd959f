"""Constraints: what is allowed, read and written, counted and verified."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
import verified
from brute_force import Tiling, allowed_tilings, as_tiling, obeys, tilings
from corpus import boards
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import constrained, instances

from tiler import formats
from tiler.ask.solve import solve
from tiler.backends.cpsat.models import MODELS
from tiler.backends.ilp.program import OBJECTIVES
from tiler.backends.sat.tiling import NAMES
from tiler.cli.main import main
from tiler.errors import InputError
from tiler.formats import json, text
from tiler.model.constraints import KINDS, Constraint
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.model.shapes import parse_shape
from tiler.model.tile import Tile
from tiler.question.question import Goal, Limits, Question

pytestmark = pytest.mark.usefixtures("engines_in_this_process")

small = constrained(instances(max_cells=12, words=False))


def test_constraints_leave_the_tilings_that_obey_them() -> None:
    for board in boards("constrained"):
        answer = solve(board.instance, "backtracking:filter=dead+volume", Question(Goal.ENUMERATE))
        assert set(map(as_tiling, answer.solutions)) == board.tilings, board


FIXED: dict[str, tuple[list[str], list[tuple[str, str]]]] = {
    "lock": (["4x4", "2:3L", "1:2", "1..:4L"], [("lock", "4L 3")]),
    "within": (["4x4", "2:3L", "1:2", "1..:4L"], [("within", "4L 0,0..3,2")]),
    "place": (["4x4", "2"], [("place", "2 0,0 0,1"), ("place", "2 3,2 3,3")]),
    "way": (["4x4", "2"], [("place", "2 0,0 0,1 way 1")]),
    "forbid": (["4x4", "2:3L", "1:2", "1..:4L"], [("forbid", "0,0 3,3 for 4L")]),
    "only": (["4x4", "2:3L", "1:2", "1..:4L"], [("only", "2 0,0 0,1 3,2 3,3"), ("only", "3L 1,0 1,1 2,0 2,3 3,2 3,3")]),
    "optional": (["xxo/xxx/xox", "2", "1:1", "1:3L"], [("place", "3L 1,0 2,0 1,1"), ("forbid", "0,0 for 2")]),
    "space": (["2x2x3", "2"], [("lock", "2 2"), ("place", "2 0,0,0 0,0,1")]),
    "all": (
        ["4x4", "2:3L", "1..2:2", "1..:4L"],
        [("lock", "4L 3"), ("within", "3L 0,0..3,2"), ("place", "2 0,0 0,1"), ("forbid", "3,3 for 3L")],
    ),
}

SPECS = [
    *("backtracking", "dlx", "fila", "frontier", "auto"),
    *("cpsat", "cpsat:model=geometric", "cpsat:model=automaton"),
    *(f"ilp:engine=highs,objective={objective}" for objective in OBJECTIVES),
    *("ilp:engine=cbc", "sat", "sat:preprocess=on", "sat:engine=minicard,encoding=amk-native,cell=native"),
    *("sat:encoding=amk-totalizer", "sat:encoding=amo-auto", "sat:encoding=amo-pairwise", "sat:encoding=amo-ordered"),
    *("sat:cell=product", "sat:engine=kissat404,cell=ladder"),
]


@cache
def fixed(name: str) -> tuple[Instance, set[Tiling]]:
    """An instance with constraints, and those of its tilings that obey them: some but not all."""
    shapes, written = FIXED[name]
    instance = formats.constrained(formats.inline(shapes), written)
    every = tilings(instance)
    expected = {tiling for tiling in every if obeys(instance, tiling)}
    assert 0 < len(expected) < len(every)
    return instance, expected


def found_by(spec: str, instance: Instance) -> set[Tiling]:
    answer = solve(instance, spec, Question(Goal.ENUMERATE))
    found = list(map(as_tiling, answer.solutions))
    assert len(found) == len(set(found)) == answer.result.count
    return set(found)


@pytest.mark.parametrize("spec", SPECS)
def test_every_solver_obeys_all_kinds_at_once(spec: str) -> None:
    instance, expected = fixed("all")
    assert found_by(spec, instance) == expected
    assert solve(instance, spec, Question(Goal.COUNT)).result.count == len(expected)
    (solution,) = solve(instance, spec).solutions
    assert as_tiling(solution) in expected


@pytest.mark.parametrize(
    ("case", "filtered"), [*((case, "off") for case in FIXED), *((each, "dead+volume") for each in ("all", "only"))]
)
@pytest.mark.parametrize("model", MODELS)
def test_models_of_cp_sat_obey_each_kind(case: str, model: str, filtered: str) -> None:
    instance, expected = fixed(case)
    assert found_by(f"cpsat:model={model},filter={filtered}", instance) == expected


@pytest.mark.slow
@pytest.mark.parametrize("case", FIXED)
@pytest.mark.parametrize("spec", [*SPECS, *(f"sat:encoding={name}" for name in NAMES if "native" not in name)])
def test_every_solver_obeys_each_kind(spec: str, case: str) -> None:
    instance, expected = fixed(case)
    assert found_by(spec, instance) == expected


@pytest.mark.slow
@pytest.mark.parametrize("spec", SPECS)
@settings(max_examples=40)
@given(small, st.sampled_from(["off", "dead+volume+parity+probe"]))
def test_every_solver_obeys_any_constraints(spec: str, instance: Instance, filtered: str) -> None:
    expected = {tiling for tiling in tilings(instance) if obeys(instance, tiling)}
    assume(len(expected) <= 12 or not spec.startswith("ilp"))
    assert found_by(f"{spec}{',' if ':' in spec else ':'}filter={filtered}", instance) == expected


@pytest.mark.parametrize("model", MODELS)
def test_models_of_cp_sat_obey_any_constraints(model: str) -> None:
    few = [board for board in boards("constrained") if len(board.tilings) <= 12]
    for board in few[list(MODELS).index(model) :: 7]:
        assert found_by(f"cpsat:model={model}", board.instance) == board.tilings, board


def test_the_automaton_model_takes_the_options_that_are_left() -> None:
    # Rows of a disconnected tile may not wrap round; of its variants one is ruled out, and one placement of the other.
    apart = Tile("apart", frozenset({(0, 0), (0, 2)}), at_least=1)
    plain = Instance(frozenset((y, x) for y in range(4) for x in range(4)), (apart, Tile("2", frozenset({(0, 0), (0, 1)}))))
    instance = formats.constrained(plain, [("lock", "apart 1"), ("forbid", "0,0 for apart")])
    expected = {tiling for tiling in tilings(plain) if obeys(instance, tiling)}
    assert expected
    assert found_by("cpsat:model=automaton", instance) == expected
    anchored = solve(formats.inline(["4x5", "1:L", "1:I", "1:P", "1:V"], reflections=True), "cpsat:model=automaton,anchor=L")
    assert anchored.result.status is Status.SAT


def test_verifier_refuses_what_breaks_them() -> None:
    some, judged = Question(Goal.ENUMERATE, Limits(solutions=40)), set()
    for board in boards("constrained")[::3]:
        for tiling in solve(replace(board.instance, constraints=()), "dlx", some).solutions:
            problem = verified.error_in(board.instance, tiling)
            assert (problem is None) is (as_tiling(tiling) in board.tilings), board
            judged.add(problem is None)
    assert judged == {True, False}


def test_up_to_symmetry_means_the_symmetries_that_are_left() -> None:
    question = Question(Goal.ENUMERATE, up_to_symmetry=True)
    for board in boards("constrained"):
        listed = solve(board.instance, "backtracking", question)
        assert {board.orbits[as_tiling(tiling)] for tiling in listed.solutions} == set(board.orbits.values())
        assert (len(listed.solutions), listed.result.symmetry) == (board.number_of_orbits, board.order)


def test_they_are_part_of_the_digest() -> None:
    for board in boards("constrained"):
        assert board.instance.digest != replace(board.instance, constraints=()).digest


def test_what_a_tile_is_called_does_not_count() -> None:
    """A name stands for its tile: other names, or the name of a tile that is merged into it, ask the same."""
    tiles = [Tile("a", parse_shape("3L")), Tile("b", parse_shape("xx/x."), 3), Tile("c", parse_shape("2"))]
    plain = Instance(parse_shape("4x3"), tuple(tiles))
    renamed = replace(plain, tiles=tuple(replace(tile, name=f"{tile.name}2") for tile in tiles))
    everything = allowed_tilings(plain)
    for kind in KINDS:
        corner = ((0, 0), (0, 1), (1, 0))
        cells = {"lock": (), "within": ((0, 0), (2, 2)), "place": corner, "only": corner, "forbid": ((2, 3),)}[kind]
        one, merged = (replace(plain, constraints=(Constraint(kind, name, cells, int(kind == "lock")),)) for name in "ab")
        other = replace(renamed, constraints=(Constraint(kind, "a2", cells, int(kind == "lock")),))
        assert len({one, merged, other}) == len({one.digest, merged.digest, other.digest}) == 1
        allowed = allowed_tilings(one)
        assert allowed == allowed_tilings(merged) != everything
        for instance in (one, merged):
            found = solve(instance, "dlx", Question(Goal.ENUMERATE)).solutions
            assert set(map(as_tiling, found)) == allowed
        if kind not in ("place", "only"):
            apart = replace(plain, constraints=(Constraint(kind, "c", cells, int(kind == "lock")),))
            assert apart != one
            assert apart.digest != one.digest


def test_the_order_of_constraints_does_not_count() -> None:
    plain = formats.inline(["4x4", "3L", "2"])
    both = formats.constrained(plain, [("forbid", "0,0 for 2"), ("lock", "3L 2")])
    turned = replace(both, constraints=both.constraints[::-1])
    assert (turned, hash(turned), turned.digest) == (both, hash(both), both.digest)
    assert both != replace(both, constraints=both.constraints[:1]) != plain


def test_digests_of_constrained_instances_are_stable() -> None:
    """Results are found by them."""
    plain = formats.inline(["6x10", *(f"1:{letter}" for letter in "FILNPTUVWXYZ")], reflections=True)
    for kind, words, digest in [
        ("within", "X 0,0..4,2", "5a03fa2f024eb26c"),
        ("lock", "F", "799b1e95927d4b11"),
        ("forbid", "0,0 9,5 for I", "f819aa613725c414"),
        ("only", "V 0,0 1,0 2,0 0,1 0,2", "5b127eccf4bf48ca"),
        ("place", "V 0,0 1,0 2,0 0,1 0,2", "08d9cfa46e8e8455"),
    ]:
        assert formats.constrained(plain, [(kind, words)]).digest == digest


def test_files_and_options_mean_the_same() -> None:
    plain = formats.inline(["6x10", *(f"1:{letter}" for letter in "FILNPTUVWXYZ")], reflections=True)
    written = [("within", "X 0,0..4,2"), ("lock", "F"), ("forbid", "0,0 9,5 for I"), ("place", "V 0,0 1,0 2,0 0,1 0,2")]
    instance = formats.constrained(plain, written)
    head = "".join(f"# {kind}: {words}\n" for kind, words in written)
    assert formats.parse(head + text.write(plain)) == instance


def test_classic_ways_to_break_symmetry_by_hand() -> None:
    # The X in a quadrant, as Scott did for 6x10's sisters: every tiling up to symmetry once.
    plain = formats.inline(["3x20", *(f"1:{letter}" for letter in "FILNPTUVWXYZ")], reflections=True)
    quadrant = formats.constrained(plain, [("within", "X 0,0..10,2")])
    assert solve(quadrant, "dlx", Question(Goal.COUNT)).result.count == 8 / 2


@pytest.mark.parametrize(
    ("kind", "words", "reason"),
    [
        ("lock", "Q", "lock: there is no tile Q; there are F, X"),
        ("lock", "X 0", "lock: 'X 0' leaves no orientation"),
        ("lock", "X two", "lock: 'X two' is not of the form TILE or TILE N"),
        ("within", "X 0,0", "within: 'X 0,0' is not of the form TILE ROW,COLUMN..ROW,COLUMN"),
        ("within", "X 3,3..0,0", "within: 'X 3,3..0,0': the corner with the smaller numbers comes first"),
        ("within", "X 0,0,0..1,1,1", "within: cells of this board have 2 numbers"),
        ("place", "X 9,9", "place: (9, 9) is not a cell of the board"),
        ("place", "X 0,1 1,0 1,1 1,2 9,9", "place: (9, 9) is not a cell of the board"),
        ("place", "X 0,1 1,0 1,1 1,2 2,2", "place: 0,1 1,0 1,1 1,2 2,2 are not the cells of a X"),
        ("place", "X 0,1 1,0 1,1 1,2", "place: 0,1 1,0 1,1 1,2 are not the cells of a X"),
        (
            *("place", "F 0,0 0,1 1,1 1,2 2,1"),
            "place: 0,0 0,1 1,1 1,2 2,1 are not the cells of a F (of its mirror image; reflections are not allowed)",
        ),
        ("only", "X 0,1 1,0 1,1 1,2", "only: 0,1 1,0 1,1 1,2 are not the cells of a X"),
        ("only", "X 0,1 1,0 1,1 1,2 9,9", "only: (9, 9) is not a cell of the board"),
        ("only", "X", "only: 'X' is not of the form TILE ROW,COLUMN ROW,COLUMN ..."),
        ("forbid", "0,0 0,5 for X", "forbid: (0, 5) is not a cell of the board"),
        ("forbid", "0,0 X", "forbid: '0,0 X' is not of the form ROW,COLUMN ... for TILE"),
    ],
)
def test_nonsense_is_refused(kind: str, words: str, reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(InputError) as error:
        formats.constrained(formats.inline(["5x5", "1:F", "1:X"]), [(kind, words)])
    assert str(error.value) == reason
    with pytest.raises(InputError, match=r"^p:2: "):
        formats.parse(f"# title: t\n# {kind}: {words}\n5x5\n\n1:F\n1:X\n", source="p")
    assert main(["solve", "5x5", "1:F", "1:X", f"--{kind}", words]) == 2
    assert capsys.readouterr() == ("", f"tiler: {reason}\n")


def test_python_and_json_are_refused_what_is_no_placement() -> None:
    plain = formats.inline(["4x4", "2"])
    apart = Constraint("place", "2", ((0, 0), (3, 3)))
    with pytest.raises(InputError, match="place: 0,0 3,3 are not the cells of a 2"):
        replace(plain, constraints=(apart,))
    placed = json.write(replace(plain, constraints=(Constraint("place", "2", ((0, 0), (0, 1))),)))
    with pytest.raises(InputError, match="place: 0,0 3,3 are not the cells of a 2"):
        json.parse(placed.replace('[[0, 0], [0, 1]], "orientations"', '[[0, 0], [3, 3]], "orientations"'))


@pytest.mark.parametrize(
    ("pieces", "cells", "ways"), [("1:F 1:X", "X 0,1 1,0 1,1 1,2 2,1", "1 way"), ("3I", "3I 0,0 0,1 0,2", "2 ways")]
)
def test_a_way_that_a_piece_does_not_have_is_refused(pieces: str, cells: str, ways: str) -> None:
    plain = formats.inline(["5x5", *pieces.split()])
    most, name = int(ways[0]), cells.partition(" ")[0]
    assert formats.constrained(plain, [("place", f"{cells} way {most}")]).constraints
    with pytest.raises(InputError, match=f"place: there is no way {most + 1} of {name}: it can lie in {ways}"):
        formats.constrained(plain, [("place", f"{cells} way {most + 1}")])


def test_a_flat_tile_may_be_placed_upright_in_space() -> None:
    instance = formats.constrained(formats.inline(["2x2x2", "2"]), [("place", "2 0,0,0 1,0,0")])
    assert solve(instance, "dlx", Question(Goal.COUNT)).result.count == 3


@pytest.mark.parametrize(("called", "names"), [("X", ["X", "5X"]), ("5X", ["X", "5X"]), ("4left", ["4left", "4<"])])
def test_any_name_of_its_shape_is_a_tiles_name(called: str, names: list[str]) -> None:
    solid = called.startswith("4")
    plain = formats.inline(["2x2x2" if solid else "4x4", f"1..1:{called}", "3:1", "2"])
    for kind, words in [("lock", "{} 1"), ("within", "{} 0,0,0..1,1,1" if solid else "{} 0,0..2,2"), ("forbid", "FREE for {}")]:
        cell = "0,0,0" if solid else "0,0"
        told = [formats.constrained(plain, [(kind, words.format(name).replace("FREE", cell))]) for name in names]
        assert told[0] == told[1]
        assert [each.constraints[0].tile for each in told] == [called, called]
    assert (
        formats.with_settings(plain, {"weights": [f"{names[0]} 3"]})
        == formats.with_settings(plain, {"weights": [f"{names[1]} 3"]})
        != plain
    )
    question = Question(Goal.COUNT, up_to_symmetry=True)
    counts = [solve(plain, f"dlx:anchor={name}", question).result.count for name in names]
    assert counts == [solve(plain, "dlx", question).result.count] * 2
    assert counts[0]


def test_a_name_is_taken_for_a_shape_only_where_no_tile_has_it() -> None:
    # The tile called X here is another pentomino.
    pieces = {"X": "5F", "5F": "5X", "a": "5P"}
    instance = Instance(parse_shape("5x5"), tuple(Tile(name, parse_shape(shape)) for name, shape in pieces.items()))
    assert [instance.find(name) for name in ("X", "5F", "5X", "F", "P", "5P", "5Q", "6-01", "T1", "Q")] == [
        *(0, 1, 1, 0, 2, 2, None, None, None, None),
    ]
    assert replace(instance, reflections=True).find("5Q") == 2
    written = text.write(formats.constrained(instance, [("lock", "5X 1"), ("lock", "F 2")]))
    assert "# lock: 5F 1\n# lock: X 2" in written
    assert text.parse(written).constraints == formats.constrained(instance, [("lock", "5X 1"), ("lock", "F 2")]).constraints
