"""Constraints: what is allowed, read and written, counted and verified."""

from __future__ import annotations

from dataclasses import replace

import pytest
from brute_force import allowed_tilings, as_tiling, obeys, tilings
from hypothesis import given, settings
from strategies import constrained, instances

from tiler import formats, verify
from tiler.errors import InputError
from tiler.formats import json, text
from tiler.instance import Instance, Placement
from tiler.query import Goal, Query
from tiler.solve import solve

small = constrained(instances(max_cells=12, words=False))


@settings(max_examples=100)
@given(small)
def test_constraints_leave_the_tilings_that_obey_them(instance: Instance) -> None:
    expected = allowed_tilings(instance)
    for spec in ("backtracking", "dlx", "backtracking:filter=dead+volume"):
        answer = solve(instance, spec, Query(Goal.ENUMERATE))
        assert set(map(as_tiling, answer.solutions)) == expected, spec


@settings(max_examples=80)
@given(small)
def test_verifier_refuses_what_breaks_them(instance: Instance) -> None:
    for tiling in tilings(instance):
        problem = verify.problem(instance, [Placement(name, cells) for name, cells in tiling])
        assert (problem is None) is obeys(instance, tiling)


@settings(max_examples=100)
@given(small)
def test_up_to_symmetry_means_the_symmetries_that_are_left(instance: Instance) -> None:
    raw = solve(instance, "backtracking", Query(Goal.ENUMERATE))
    once = solve(instance, "backtracking", Query(Goal.ENUMERATE, up_to_symmetry=True))
    counted = solve(instance, "dlx", Query(Goal.COUNT, up_to_symmetry=True))
    assert once.result.count == counted.result.count
    assert once.symmetry is not None
    assert len(raw.solutions) / once.symmetry <= len(once.solutions) <= len(raw.solutions)
    assert set(map(as_tiling, once.solutions)) <= set(map(as_tiling, raw.solutions))


@given(small)
def test_constraints_survive_writing(instance: Instance) -> None:
    for module in (text, json):
        again = module.parse(module.write(instance))
        assert again == instance
        assert again.digest == instance.digest != replace(instance, constraints=()).digest


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
    assert solve(quadrant, "dlx", Query(Goal.COUNT)).result.count == 8 / 2


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
        ("forbid", "0,0 X", "forbid: '0,0 X' is not of the form ROW,COLUMN ... for TILE"),
    ],
)
def test_nonsense_is_refused(kind: str, words: str, reason: str) -> None:
    with pytest.raises(InputError) as error:
        formats.constrained(formats.inline(["5x5", "1:F", "1:X"]), [(kind, words)])
    assert str(error.value) == reason
    with pytest.raises(InputError, match=r"^p:2: "):
        formats.parse(f"# title: t\n# {kind}: {words}\n5x5\n\n1:F\n1:X\n", source="p")
