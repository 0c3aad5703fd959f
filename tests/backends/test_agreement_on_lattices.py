"""Every backend finds what the brute force finds, on every lattice, and on cylinders and tori."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import pytest
from brute_force import Tiling, allowed_tilings, as_tiling, orbits, symmetries
from hypothesis import HealthCheck, Phase, assume, given, settings
from strategies import constrained, instances, wrapped

from tiler.ask.solve import solve
from tiler.backends.registry import parse_spec
from tiler.cover.board import BoardCover
from tiler.cover.group_action import actions
from tiler.formats import json, text
from tiler.model import verify
from tiler.model.corners import beside
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.model.lattice import Lattice
from tiler.model.lattices import LATTICES
from tiler.model.symmetry import group
from tiler.model.text_maps import has_maps
from tiler.question.question import Goal, Question

pytestmark = pytest.mark.usefixtures("sat_in_this_process")

ENUMERATE, COUNT = Question(Goal.ENUMERATE), Question(Goal.COUNT)
UP_TO_SYMMETRY = Question(Goal.COUNT, up_to_symmetry=True)
OTHERS = [lattice for lattice in LATTICES.values() if not lattice.has_boxes]
SEARCHES = (
    *("backtracking", "dlx", "dlx:order=first,parity=on", "fila", "fila:order=e", "dlx:order=mrv+cells:2", "fila:order=radial"),
    *("frontier", "auto", "sat", "ilp", "cpsat"),
)
FILTERS = ("dlx:filter=dead+volume+parity", "backtracking:filter=probe")
PROVER = "coloring:stages=area+lattice+weights+probe+cases"
_EACH, _DRAWN = 2, 20  #: instances of each kind, and how many are drawn


@cache
def drawn(lattice: Lattice, is_wrapped: bool) -> tuple[tuple[Instance, set[Tiling], int], ...]:
    """Instances with all their tilings, and how many there are up to symmetry: half of them have some."""
    found: list[tuple[Instance, set[Tiling], int]] = []
    plain = instances(max_cells=9, max_tile=3, words=False, lattice=lattice, bounded=True)
    some = wrapped(plain) if is_wrapped else plain | constrained(plain)

    @settings(max_examples=_DRAWN, phases=[Phase.generate], database=None, suppress_health_check=list(HealthCheck))
    @given(some)
    def draw(instance: Instance) -> None:
        if len(found) == _EACH:
            return
        tilings = allowed_tilings(instance)
        assume(len(tilings) <= 60)
        wanted = _EACH // 2 if tilings else _EACH
        if len([1 for _, each, _ in found if bool(each) == bool(tilings)]) < wanted and not BoardCover.of(instance).refusal():
            found.append((instance, tilings, len(orbits(instance))))

    draw()
    return tuple(found[:_EACH])


KINDS = [
    *(pytest.param(lattice, False, id=lattice.name) for lattice in OTHERS),
    *(pytest.param(lattice, True, id=f"{lattice.name} wrapped") for lattice in LATTICES.values()),
]


def asked(kind: int, specs: Sequence[str], at_once: int) -> list[str]:
    """Some specs for the instances of a kind; all of them have their turn."""
    return [specs[(kind * at_once + k) % len(specs)] for k in range(at_once)]


def agree(instance: Instance, tilings: set[Tiling], specs: Sequence[str]) -> None:
    for spec in specs:
        found = solve(instance, spec, ENUMERATE).solutions
        assert len(found) == len(tilings), (spec, json.write(instance))
        assert {as_tiling(solution) for solution in found} == tilings, (spec, json.write(instance))


@pytest.mark.parametrize("kind", range(len(KINDS)), ids=[kind.id for kind in KINDS])
def test_some_find_the_same_tilings(kind: int) -> None:
    for instance, tilings, _ in drawn(*KINDS[kind].values):
        agree(instance, tilings, [*asked(kind, SEARCHES, 4), *asked(kind, FILTERS, 1)])


@pytest.mark.slow
@pytest.mark.parametrize(("lattice", "is_wrapped"), KINDS)
def test_all_find_the_same_tilings(lattice: Lattice, is_wrapped: bool) -> None:
    for instance, tilings, _ in drawn(lattice, is_wrapped):
        agree(instance, tilings, [*SEARCHES, *FILTERS])


def test_there_is_something_to_find() -> None:
    found = [tilings for kind in KINDS for _, tilings, _ in drawn(*kind.values)]
    assert len(found) > sum(map(bool, found)) >= len(KINDS)


@pytest.mark.parametrize(("lattice", "is_wrapped"), KINDS)
def test_counts_up_to_symmetry(lattice: Lattice, is_wrapped: bool) -> None:
    for instance, _, apart in drawn(lattice, is_wrapped):
        for spec in ("dlx", "fila"):
            counted = solve(instance, spec, UP_TO_SYMMETRY).result
            assert (counted.count, counted.symmetry) == (apart, len(symmetries(instance))), (spec, json.write(instance))
        listed = solve(instance, "dlx", Question(Goal.ENUMERATE, up_to_symmetry=True))
        assert len(listed.solutions) == apart


@pytest.mark.parametrize(("lattice", "is_wrapped"), KINDS)
def test_the_prover_refutes_only_what_has_no_tiling(lattice: Lattice, is_wrapped: bool) -> None:
    """What it proves, the checker confirms: `solve` raises if not."""
    for instance, tilings, _ in drawn(lattice, is_wrapped):
        status = solve(instance, PROVER, Question(Goal.PROVE)).result.status
        assert status is (Status.UNKNOWN if tilings else Status.UNSAT), json.write(instance)


@pytest.mark.parametrize(("lattice", "is_wrapped"), KINDS)
def test_what_cells_and_placements_are_told_by_corners(lattice: Lattice, is_wrapped: bool) -> None:
    for instance, _, _ in drawn(lattice, is_wrapped):
        cover = BoardCover.of(instance)
        around = beside(instance.lattice, cover.cells, instance.wrap)
        assert [[cover.cells[other] for other in others] for others in cover.neighbours.lists()] == list(around.values())
        verifier = verify.Verifier(instance)
        for option in range(len(cover)):
            for placement in cover.placements([option]):
                assert verifier._looks_right(placement, verifier.forms[placement.tile])


@pytest.mark.parametrize(("lattice", "is_wrapped"), KINDS)
def test_files_keep_them(lattice: Lattice, is_wrapped: bool) -> None:
    for instance, _, _ in drawn(lattice, is_wrapped):
        assert json.parse(json.write(instance)) == instance
        if has_maps(instance.lattice):
            assert text.parse(text.write(instance)) == instance


@pytest.mark.parametrize(("lattice", "is_wrapped"), KINDS)
def test_symmetries_make_a_group(lattice: Lattice, is_wrapped: bool) -> None:
    for instance, _, _ in drawn(lattice, is_wrapped):
        turned, maps = actions(BoardCover.of(instance))
        rows = {tuple(row) for row in turned.tolist()}
        assert {tuple(row[cell] for cell in other) for row in rows for other in rows} == rows
        assert maps.min() >= 0
        assert len(turned) <= len(group(instance))


def test_specs_are_those_of_now() -> None:
    for spec in (*SEARCHES, *FILTERS, PROVER):
        assert parse_spec(spec)
