"""The puzzles with colours and with sides that match: what their files state, and that solvers still count them so."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from tiler import formats
from tiler.ask.solve import solve
from tiler.cover.board import BoardCover
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.question.question import Goal, Question

PROBLEMS = Path(__file__).parents[2] / "problems"
#: Those that take a solver longer than the others.
LONG = {
    "edges/macmahon-24-6x4_s",
    "edges/macmahon-triangles-24_s",
    "edges/macmahon-triangles-11_s",
    "edges/macmahon-9-3x3_s",
    "edges/wang-16-torus-3x3_s",
    "edges/macmahon-cubes-30_s",
    "edges/dominoes-4-row_s",
    "edges/links-14-torus-7x2_s",
    "edges/kari-4x4_s",
    "edges/framed-6-6_s",
    "colours/bedlam-checkered_s",
    "colours/checkered-pentominoes-backs-10x9_s",
}
COUNT, UP_TO_SYMMETRY = Question(Goal.COUNT), Question(Goal.COUNT, up_to_symmetry=True)


@cache
def painted() -> dict[str, Instance]:
    """The problems by their names."""
    read = (formats.read(path) for folder in ("colours", "edges") for path in sorted((PROBLEMS / folder).glob("*.*")))
    return {instance.name: instance for instance in read}


NAMES = sorted(
    path.relative_to(PROBLEMS).with_suffix("").as_posix() for each in ("colours", "edges") for path in (PROBLEMS / each).iterdir()
)


def test_there_are_enough_of_each_kind() -> None:
    folders = [name.partition("/")[0] for name in painted()]
    assert folders.count("edges") >= 40
    assert folders.count("colours") >= 20
    assert {instance.lattice.name for instance in painted().values()} == {"square", "hexagonal", "triangular", "cubic"}
    assert sum(bool(instance.wrap) for instance in painted().values()) >= 7
    assert sum(not instance.turning for instance in painted().values()) >= 15


def test_every_one_has_paint_and_a_source_and_a_verdict() -> None:
    for name, instance in painted().items():
        marks = any(coat.marks for tile in instance.tiles for coat in tile.paint.coats)
        assert marks == name.startswith("edges/"), name
        assert instance.is_painted, name
        assert instance.about.title, name
        assert "here by" in instance.about.source, name
        assert instance.about.tags == (name.partition("/")[0], instance.lattice.name)
        assert instance.about.expected.verdict is (Status.SAT if name.endswith("_s") else Status.UNSAT)


@pytest.mark.parametrize("name", sorted(set(NAMES) - LONG))
def test_the_quick_ones_are_counted_so(name: str) -> None:
    instance = painted()[name]
    expected, cover = instance.about.expected, BoardCover.of(instance)
    assert solve(instance, "dlx", COUNT, cover=cover).result.count == expected.count
    assert solve(instance, "dlx", UP_TO_SYMMETRY, cover=cover).result.count == expected.up_to_symmetry


@pytest.mark.slow
def test_the_only_one_without_a_count_is_solved() -> None:
    (name,) = (name for name, each in painted().items() if each.about.expected.count is None)
    assert solve(painted()[name], "sat", Question(Goal.DECIDE)).result.status is Status.SAT


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("spec", ["dlx", "fila"])
def test_all_are_counted_so(spec: str, name: str) -> None:
    expected = painted()[name].about.expected
    if expected.count is not None:
        assert solve(painted()[name], spec, COUNT).result.count == expected.count
    if expected.up_to_symmetry is not None:
        assert solve(painted()[name], spec, UP_TO_SYMMETRY).result.count == expected.up_to_symmetry
