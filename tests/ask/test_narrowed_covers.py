"""A search that looks at some placements only, because of a feature or a filter, against a brute force: a proof about these is no
proof about all, so it is not handed up as a certificate. (`solve` verifies each certificate against the whole instance, and
raises BadSolution if one is wrong.)"""

from __future__ import annotations

from random import Random

import pytest
from brute_force import Tiling, as_tiling, orbits, tilings
from meanings import MEANING

from tiler import formats
from tiler.ask.solve import solve
from tiler.backends.registry import parse_spec
from tiler.cover.board import BoardCover
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.question.certificate import Certificate
from tiler.question.question import Goal, Question
from tiler.question.result import Stop

#: Solvers that can hand up a certificate, with filters that leave placements out; those with a filter decide only.
FILTERS = ("off", "dead", "dead+volume+parity+probe")
PROVERS = (*(f"{name}:filter={some}" for name in ("auto", "matching") for some in FILTERS), "auto:anchor=auto", "coloring")
SHAPES = ("1", "2", "3I", "3L", "4I", "4O", "4T", "5X", "5P", "5I")
#: Problems for which a colouring of the placements on the border is none of all placements.
INSIDE = (("3x3", "4T", "1:1"), ("3x3", "4O", "1:1"), ("3x4", "5X", "2..2:1"), ("5x5", "3I", "1:1"), (".x./xxx/.x.", "2", "1:1"))


def drawn(seed: int) -> Instance:
    """A small board, without gaps in its rows and columns, and one to three tiles, some with bounds."""
    dice = Random(seed)
    height, width = dice.randint(2, 4), dice.randint(2, 4)
    rows = [["x"] * width for _ in range(height)]
    for _ in range(dice.randint(0, 2)):
        rows[dice.choice([0, -1])][dice.choice([0, -1])] = dice.choice([".", "o"])
    tiles = [dice.choice(["", "", "1:", "0..2:", "2..2:"]) + shape for shape in dice.sample(SHAPES, dice.randint(1, 3))]
    return formats.inline(["/".join(map("".join, rows)), *tiles])


def with_features(instance: Instance, features: tuple[str, ...]) -> set[Tiling]:
    return {tiling for tiling in tilings(instance) if all(MEANING[name](instance, tiling) for name in features)}


def check(instance: Instance, spec: str, features: tuple[str, ...]) -> None:
    """Decide and count, where the solver can."""
    wanted, backend, cover = with_features(instance, features), parse_spec(spec), BoardCover.of(instance)
    for goal in (Goal.DECIDE, Goal.COUNT):
        question = Question(goal, features=features)
        listed = goal if features in ((), ("border",)) else Goal.ENUMERATE
        if backend.refusal(Question(listed), cover) or (goal is Goal.COUNT and "anchor" in spec):
            continue
        answer = solve(instance, spec, question)
        if answer.result.stop is not Stop.UNDECIDED:
            assert answer.result.status is (Status.SAT if wanted else Status.UNSAT)
        assert {as_tiling(tiling) for tiling in answer.solutions} <= wanted
        if goal is Goal.COUNT:
            assert answer.result.count == len(wanted)
        if isinstance(answer.result.certificate, Certificate):
            assert not tilings(instance)


@pytest.mark.parametrize("shapes", INSIDE, ids=" ".join)
def test_no_placement_off_the_border(shapes: tuple[str, ...]) -> None:
    instance = formats.inline(list(shapes))
    assert not with_features(instance, ("border",))
    for spec in ("auto", "coloring", "auto:filter=dead"):
        decided = solve(instance, spec, Question(features=("border",))).result
        assert decided.certificate is None
        assert decided.status is Status.UNSAT or decided.stop is Stop.UNDECIDED
    counted = solve(instance, "auto", Question(Goal.COUNT, features=("border",))).result
    assert (counted.count, "off the border" in counted.message) == (0, True)


@pytest.mark.parametrize("features", [(), *((name,) for name in MEANING), ("border", "apart")], ids="+".join)
def test_whatever_narrows_a_cover(features: tuple[str, ...]) -> None:
    for seed in range(12, 20):
        instance = drawn(seed)
        for spec in PROVERS:
            check(instance, spec, features)


def test_counts_up_to_symmetry() -> None:
    for seed in range(12, 20):
        instance = drawn(seed)
        kept = with_features(instance, ("border",))
        question = Question(Goal.COUNT, up_to_symmetry=True, features=("border",))
        number = sum(not orbit.isdisjoint(kept) for orbit in orbits(instance))
        assert solve(instance, "auto", question).result.count == number


def test_what_a_filter_leaves_is_not_the_whole() -> None:
    instance = formats.inline(["xxxxx/.xxxx/xxxxx", "2"])
    result = solve(instance, "matching:filter=parity+volume+dead+probe").result
    assert (result.status, result.certificate) == (Status.UNSAT, None)
    assert result.message.endswith("the search had only what filter=parity+volume+dead+probe leaves")
    assert isinstance(solve(instance, "matching").result.certificate, Certificate)


@pytest.mark.long
def test_a_model_that_names_the_placements_left_out() -> None:
    """Models that say what a placement is not, and symmetries of a formula, are about the placements that a feature leaves."""
    instance = formats.inline(["3x4", "1", "2", "2:3I"])
    kept = with_features(instance, ("border",))
    assert kept != tilings(instance)
    question = Question(Goal.COUNT, features=("border",))
    assert solve(instance, "cpsat:model=automaton", question).result.count == len(kept)
    assert solve(instance, "sat:symmetry=lex", Question(features=("border",))).result.status is Status.SAT
