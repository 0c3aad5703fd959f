"""Marks that fit several others: no two equal marks side by side, and relations drawn at random."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import combinations_with_replacement
from math import inf
from random import Random

import pytest
from specs import INSTALLED

import tiler
from tiler.ask.solve import solve
from tiler.backends.base import Backend
from tiler.backends.coloring import checker
from tiler.backends.sat.checking.problem import NotShownError, PlacementVariables
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.model.lattices import LATTICES
from tiler.question.certificate import Certificate
from tiler.question.question import Goal, Question
from tiler.render.paint import Inks
from tiler.selftest import random_instances
from tiler.selftest.compare import Judged, answers
from tiler.selftest.examples import Example

pytestmark = pytest.mark.usefixtures("engines_in_this_process")

THREE = ("1 [rrrr]", "1 [gggg]", "1 [bbbb]")
DIFFERENT = "r g, r b, g b"


@pytest.mark.parametrize(
    ("board", "wrap", "number"), [("2x2", None, 18), ("3x3", None, 246), ("4x4", None, 7812), ("3x3", "rows columns", 12)]
)
def test_boards_in_three_colours(board: str, wrap: str | None, number: int) -> None:
    """OEIS A068253; around a torus of 3 x 3 these are the 12 Latin squares."""
    assert tiler.count(tiler.make(board, *THREE, mates=DIFFERENT, wrap=wrap)) == number


#: Seeds of small boards with tilings, on four lattices and around some; some have symmetries.
SEEDS = (20, 60, 63, 153, 174, 222, 293, 303, 345, 397)


def drawn(seed: int) -> Instance:
    chance = Random(seed)
    name = ("square", "square", "hexagonal", "triangular", "cubic")[seed % 5]
    made = random_instances.instance(chance, LATTICES[name], wrapped=seed % 3 == 0 and name != "cubic", painted=True)
    marks = sorted({mark for tile in made.tiles for coat in tile.paint.coats for _, mark in coat.marks})
    pairs = [pair for pair in combinations_with_replacement(marks, 2) if chance.random() < 0.6]
    return replace(made, ground=replace(made.ground, mates=tuple(pairs)))


@cache
def examples() -> list[Example]:
    found = [Example.of(drawn(seed)) for seed in SEEDS]
    return [example for example in found if example is not None]


def test_the_relations_tell_tilings_apart() -> None:
    assert len(examples()) == len(SEEDS)
    assert all(example.tilings and not example.instance.ground.is_paired for example in examples())
    with_mates_of_none = [
        Example.of(replace(each.instance, ground=replace(each.instance.ground, mates=()))) for each in examples()
    ]
    pairs = zip(with_mates_of_none, examples(), strict=True)
    assert sum(each is not None and each.tilings != example.tilings for each, example in pairs) > 4


@pytest.mark.parametrize("backend", INSTALLED, ids=lambda backend: backend.name)
def test_answers_are_those_of_the_brute_force(backend: type[Backend]) -> None:
    """Without a bound on the seconds, so that engines are asked in this process. They are asked about a part, and so is the
    backend that asks the others."""
    some = examples()[::3] if backend.requires or backend.name == "auto" else examples()
    judged = [(example, answers(example, backend.name, bound=lambda: inf)) for example in some]
    asked = [(example, question, *judgement) for example, judgements in judged for question, judgement in judgements]
    assert [each for each in asked if each[2] in (Judged.WRONG, Judged.UNANSWERED)] == []


def test_a_proof_that_a_mark_is_cancelled_by_its_mate_holds_for_pairs_only() -> None:
    tiles = ("2:1 [flat tab flat flat]", "1 [flat tab flat tab]", "1 [flat blank flat tab]")
    paired = tiler.make("3x1", *tiles, mates="tab blank", border="flat")
    certificate = solve(paired, "coloring:stages=marks", Question(Goal.PROVE)).result.certificate
    assert isinstance(certificate, Certificate)
    several = replace(paired, ground=replace(paired.ground, mates=(("blank", "tab"), ("tab", "tab"))))
    assert checker.error_in(paired, certificate) is None
    assert "has several mates" in str(checker.error_in(several, Certificate(several.digest, certificate.proof)))
    assert solve(several, "coloring").result.status is Status.UNKNOWN
    assert solve(several, "dlx").result.status is Status.SAT


def test_clauses_about_marks_with_several_mates_are_not_checked() -> None:
    with pytest.raises(NotShownError, match="a mark has several mates"):
        PlacementVariables(tiler.make("2x2", *THREE, mates=DIFFERENT), {})


def test_marks_with_several_mates_are_drawn_as_bands_of_their_own_colour() -> None:
    inks = Inks.of(tiler.make("2x1", *THREE, mates=DIFFERENT))
    assert (len(set(inks.fills.values())), inks.tabs) == (3, {})
