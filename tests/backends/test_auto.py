"""The backend that chooses: the same answers whatever it chooses, and what it says of its choice."""

from __future__ import annotations

from pathlib import Path

import pytest
from brute_force import as_tiling, tilings
from hypothesis import given, settings
from strategies import instances

from tiler import formats
from tiler.ask.solve import solve
from tiler.backends.auto import Auto
from tiler.backends.registry import parse_spec
from tiler.bench import corpus
from tiler.errors import BadOption
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.question.question import Goal, Limits, Question
from tiler.question.result import Stop

FREE = [f"1:{letter}" for letter in "FILNPTUVWXYZ"]
SOMA = ["3x3x3", "1:3L", "1:4L", "1:4S", "1:4T", "1:4^", "1:4<", "1:4>"]
SYMMETRIC = Question(Goal.COUNT, up_to_symmetry=True)
PROBLEMS = Path(__file__).parents[2] / "problems"
SPECS = [
    "auto",
    *(f"auto:among={name}" for name in ("dlx", "frontier", "fila", "lattice+dlx", "frontier+coloring", "dlx+frontier+fila")),
]


@settings(max_examples=40)
@given(instances(max_cells=12, words=False))
def test_whatever_is_chosen_the_answer_is_that_of_the_brute_force(instance: Instance) -> None:
    expected = tilings(instance)
    orbits = solve(instance, "dlx", Question(Goal.COUNT, up_to_symmetry=True)).result.count
    for spec in SPECS:
        assert solve(instance, spec).result.status is (Status.SAT if expected else Status.UNSAT), spec
        assert solve(instance, spec, Question(Goal.COUNT)).result.count == len(expected), spec
        listed = solve(instance, spec, Question(Goal.ENUMERATE)).solutions
        assert len(listed) == len(expected), spec
        assert set(map(as_tiling, listed)) == expected, spec
        assert solve(instance, spec, Question(Goal.COUNT, up_to_symmetry=True)).result.count == orbits, spec


@pytest.mark.long
def test_the_thesis_instances_are_decided() -> None:
    for instance in corpus.select(PROBLEMS, tags=["thesis"]):
        assert solve(instance, "auto").result.status is instance.about.expected.verdict, instance.name


@pytest.mark.parametrize("spec", ["auto:among=sat", "auto:among=sat+coloring"])
def test_engines_alone(spec: str) -> None:
    pytest.importorskip("pysat")
    assert solve(formats.inline(["8x8", "4T"]), spec).result.status is Status.SAT
    assert solve(formats.inline(["6x6", "4T"]), spec).result.status is Status.UNSAT


def test_a_colouring_is_found_first_and_certified() -> None:
    answer = solve(formats.inline(["50x50", "4L"]), "auto", Question(Goal.COUNT))
    assert (answer.result.count, answer.result.certificate is not None) == (0, True)
    assert answer.result.stats["chosen"] == "coloring:stages=area+lattice"


def test_the_answer_says_who_gave_it() -> None:
    stats = solve(formats.inline(["6x6", "3I"]), "auto", Question(Goal.COUNT)).result.stats
    assert stats["chosen"] in ("frontier", "fila")
    assert stats["because"]
    assert stats["chosen"] in stats["asked"]


def test_an_answer_up_to_symmetry_says_so_too() -> None:
    answer = solve(formats.inline(["4x5", *(f"1:5{name}" for name in "PLUV")], reflections=True), "auto", SYMMETRIC)
    assert answer.result.stats["chosen"] == "fila"
    assert answer.result.stats["because"]


@pytest.mark.parametrize(
    ("shapes", "chosen"), [(["3x3x4", "4T", "4L"], "dlx"), (["2x5x6", "4L", "4T"], "frontier")], ids=["few nodes", "few states"]
)
def test_up_to_symmetry_in_space_without_an_anchor(shapes: list[str], chosen: str) -> None:
    """A tree that is small is searched at once; else states are counted beside it."""
    question = Question(Goal.COUNT, up_to_symmetry=True)
    result = solve(formats.inline(shapes), "auto", question).result
    assert result.stats["chosen"].partition(":")[0] == chosen
    assert result.stats["method"] == "burnside"
    other = {"dlx": "frontier", "frontier": "fila:order=auto"}[chosen]
    if chosen == "dlx":
        assert result.count == solve(formats.inline(shapes), other, question).result.count


def test_limits_hold() -> None:
    answer = solve(
        formats.inline(["40x40", "3L", "4L"]),
        "auto:among=dlx+fila",
        Question(Goal.COUNT, Limits(seconds=0.3)),
    )
    assert answer.result.stop is Stop.TIME
    assert answer.result.count is None


@pytest.mark.parametrize(
    ("among", "reason"),
    [("dance", "'dance' is no method"), ("lattice", "it needs one that can find a tiling"), ("", "'' is no method")],
)
def test_bad_options(among: str, reason: str) -> None:
    with pytest.raises(BadOption, match=reason):
        parse_spec(f"auto:among={among}")


def test_what_cannot_be_done_is_said() -> None:
    with pytest.raises(BadOption, match="nothing of among=sat can do what is asked"):
        solve(formats.inline(["6x6", "2"]), Auto(among="sat"), Question(Goal.COUNT))


@pytest.mark.parametrize("options", ["filter=parity", "anchor=auto"])
def test_a_proof_is_about_all_placements(options: str) -> None:
    """The prover is asked about what is left, and the checker about everything."""
    with pytest.raises(BadOption, match="auto: a proof has to account for every placement; leave out filter and anchor"):
        solve(formats.inline(["4x4", "1:4T", "3:4L"]), f"auto:{options}", Question(Goal.PROVE))
