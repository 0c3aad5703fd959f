"""Heesch numbers against C. S. Kaplan, Heesch numbers of unmarked polyforms (2022), tables 1 to 6; and the proofs.

The tables say how many of the tiles of a size that have no holes and do not tile have the Heesch number 0, 1 and so on: without
holes in the last corona, and with.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

import pytest
from commands import call

import tiler
from tiler.apps.mathematics import corona_proofs, plane
from tiler.apps.mathematics.coronas import Coronas, Surrounding, halo_of, holes_in
from tiler.errors import BadSolution
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.model.lattice import Shape
from tiler.model.piece_sets import ALL
from tiler.model.tile import Tile
from tiler.question.drup import Drup

NOT_TILING = {
    "heptominoes": ("7-008", "7-061", "7-105"),
    "heptiamonds": ("7-11",),
    "hexahexes": ("6-38", "6-41", "6-63", "6-80"),
}


def coronas_of(name: str, number: str) -> Coronas:
    return Coronas(Tile(number, ALL[name].shapes()[number], lattice=ALL[name].lattice), True)


def numbers(coronas: Coronas) -> tuple[int | None, int | None]:
    asked = Instance(coronas.tile.shape, (coronas.tile,), reflections=True, lattice=coronas.tile.lattice)
    answer = plane.ask(asked, plane.PlaneQuestion(heesch=True, seconds_each=60))
    assert answer.status is Status.UNSAT
    return answer.hole_free, answer.heesch


@pytest.mark.parametrize(
    ("name", "without", "with_holes"),
    [
        ("heptominoes", {0: 1, 1: 2}, {1: 3}),
        ("heptiamonds", {1: 1}, {1: 1}),
        pytest.param("hexahexes", {1: 3, 2: 1}, {1: 3, 2: 1}, marks=pytest.mark.slow),
    ],
)
def test_published_tables(name: str, without: dict[int, int], with_holes: dict[int, int]) -> None:
    found = [numbers(coronas_of(name, number)) for number in NOT_TILING[name]]
    assert (Counter(number for number, _ in found), Counter(number for _, number in found)) == (without, with_holes)


def test_each_corona_covers_all_that_touches_the_last_one() -> None:
    coronas = coronas_of("heptominoes", "7-105")
    rings = coronas.surrounded(1, 60).rings
    covered = [cell for ring in rings for placement in ring for cell in placement.cells]
    assert len(covered) == len(set(covered))
    for inner, outer in pairwise(rings):
        near = {cell for placement in inner for cell in halo_of(coronas.tile.lattice, placement.cells)}
        assert near <= set(covered)
        assert all(placement.cells & near for placement in outer)


def test_a_corona_of_hats_has_no_hole_if_none_is_wanted() -> None:
    hat = coronas_of("octakites", "hat")
    surrounding = hat.surrounded(2, 60, holes_matter=True)
    assert (surrounding.with_holes, surrounding.without) == (Status.SAT, Status.SAT)
    assert holes_in(hat.tile.lattice, frozenset(cell for placed in chain(*surrounding.rings) for cell in placed.cells)) == []


def test_a_tile_with_a_hole_has_the_number_0() -> None:
    shape: Shape = frozenset({(0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)})
    assert numbers(Coronas(Tile("ring", shape), True)) == (0, 0)
    assert holes_in(ALL["heptominoes"].lattice, shape) == [{(1, 1)}]


def test_nothing_is_known_without_time() -> None:
    surrounding = coronas_of("hexahexes", "6-38").surrounded(3, 0)
    assert (surrounding.with_holes, surrounding.without, surrounding.rings) == (Status.UNKNOWN, Status.UNKNOWN, ())


@pytest.fixture(scope="module")
def heptiamond() -> tuple[Coronas, Drup]:
    coronas = coronas_of("heptiamonds", "7-11")
    proof = coronas.surrounded(2, 60, proof=True).proof
    assert proof is not None
    return coronas, proof


def test_proofs_are_checked(heptiamond: tuple[Coronas, Drup]) -> None:
    coronas, proof = heptiamond
    assert corona_proofs.check(coronas, 2, proof, with_holes=True) > 0
    with pytest.raises(BadSolution, match="before the contradiction"):
        corona_proofs.check(coronas, 2, replace(proof, drup=()), with_holes=True)
    with pytest.raises(BadSolution, match="cannot be surrounded 1 times: clauses"):
        corona_proofs.check(coronas, 1, proof, with_holes=True)


@pytest.mark.parametrize("change", ["a literal less", "one clause more", "another meaning", "a corona less"])
def test_clauses_that_coronas_need_not_satisfy_are_refused(heptiamond: tuple[Coronas, Drup], change: str) -> None:
    coronas, proof = heptiamond
    lines = list(proof.cnf)
    head = next(number for number, line in enumerate(lines) if line.startswith("p "))
    if change == "a literal less":
        long = max(range(head + 1, len(lines)), key=lambda number: len(lines[number].split()))
        lines[long] = lines[long].split(" ", 2)[0] + " " + lines[long].split(" ", 2)[2]
    elif change == "one clause more":
        _, _, variables, clauses = lines[head].split()
        lines[head] = f"p cnf {variables} {int(clauses) + 1}"
        lines.append("-1 0")
    elif change == "another meaning":
        lines[0], lines[1] = (f"c {number} {lines[2 - number].split(' ', 2)[2]}" for number in (1, 2))
    else:
        lines[0] = lines[0].replace('"corona": 1', '"corona": 2')
    with pytest.raises(BadSolution):
        corona_proofs.check(coronas, 2, replace(proof, cnf=tuple(lines)), with_holes=True)


def test_a_proof_about_holes_is_none_about_all(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    coronas = coronas_of("heptominoes", "7-105")
    proof = coronas.surrounded(1, 60, holes_matter=True, proof=True).proof
    assert proof is not None
    assert corona_proofs.check(coronas, 1, proof, with_holes=False) > 0
    with pytest.raises(BadSolution, match="does not follow"):
        corona_proofs.check(coronas, 1, proof, with_holes=True)
    status, out, _ = call(capsys, "plane", "7-105", "--reflections", "--heesch", "--proofs", str(tmp_path))
    assert (status, "Heesch number: 1 if the last corona may have holes, 0 if not\nproof checked: " in out) == (0, True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["7-105-1-coronas.cnf", "7-105-1-coronas.drup"]


def test_the_command_and_the_function(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys, "plane", "hat", "--reflections", "--heesch", "--coronas", "1")
    assert (status, "Heesch number at least: 1 if the last corona may have holes, 1 if not" in out) == (3, True)
    found = tiler.plane("7-11", lattice="triangular", reflections=True, heesch=True)
    assert (found.heesch, found.answer is not None and found.answer.hole_free, found.period) == (1, 1, None)
    assert "a single tile has a Heesch number" in call(capsys, "plane", "3L", "2", "--heesch")[2]
    assert "proofs are written with heesch only" in call(capsys, "plane", "3L", "--proofs", "x")[2]


def test_a_missing_corona_without_holes_refutes_no_tiling(monkeypatch: pytest.MonkeyPatch) -> None:
    """Coronas of a tiling may have holes that later ones fill. No small tile that has only such coronas is known: pretend one."""
    surrounded = Coronas.surrounded

    def only_with_holes(coronas: Coronas, times: int, seconds: float, **asked: Any) -> Surrounding:
        found = surrounded(coronas, times, seconds, **asked)
        return replace(found, without=Status.UNSAT) if asked.get("holes_matter") else found

    monkeypatch.setattr(Coronas, "surrounded", only_with_holes)
    for number, status in (("7-001", Status.UNKNOWN), ("7-105", Status.UNSAT)):  # The first tiles, the second does not.
        tile = coronas_of("heptominoes", number).tile
        asked = Instance(tile.shape, (tile,), reflections=True)
        answer = plane.ask(asked, plane.PlaneQuestion(heesch=True, seconds_each=60))
        assert (answer.status, answer.heesch, answer.hole_free) == (status, 1, 0)


@pytest.mark.slow
def test_a_nonomino_that_can_be_surrounded_more_often_with_holes_than_without() -> None:
    """It has no third corona without holes, but a fourth round one with holes: so it may tile."""
    shape = ALL["nonominoes"].shapes()["9-1039"]
    answer = plane.ask(Instance(shape, (Tile("9-1039", shape),)), plane.PlaneQuestion(heesch=True, seconds_each=60))
    assert (answer.status, answer.heesch, answer.hole_free) == (Status.UNKNOWN, 3, 2)
