"""Certificates: through JSON and back, and refused as soon as anything in them is not so."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from test_prover import SPLIT

from tiler import formats
from tiler.ask.solve import solve
from tiler.backends.coloring import checker
from tiler.backends.coloring.remaining_cells import ResidualBoard
from tiler.errors import BadSolution, InputError
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.question.certificate import (
    Area,
    Cases,
    Certificate,
    Colouring,
    Colourings,
    Proof,
    Propagation,
    Removal,
    Weights,
    of_json,
    parse,
)
from tiler.question.events import RunningSearch, SearchContext, without_events
from tiler.question.question import Question
from tiler.question.result import Result, Stop

PROBLEMS = Path(__file__).parents[2] / "problems"


def problem(name: str) -> Instance:
    return formats.read(PROBLEMS / f"{name}.txt")


def proof_of(instance: Instance, stages: str = "lattice+weights+probe+cases") -> Proof:
    result = solve(instance, f"coloring:stages={stages}").result
    assert result.status is Status.UNSAT
    assert isinstance(result.certificate, Certificate)
    return result.certificate.proof


def wrong(instance: Instance, proof: Proof) -> str | None:
    return checker.error_in(instance, Certificate(instance.digest, proof))


# One of each kind: the proof, and the instance it is about.
DOMINOES, ELLS = problem("2/corners-06x06_u"), problem("4L/06x06_u")
MIXED, MISC = problem("mixed/4Os-4T-06x06_u"), problem("misc/02_u")
SKEW = formats.inline(
    ["xx.xxx/.xxxx./xxxxxx/x.xxxx/xxxxxx/xxxxxx", "1..1:5F", "3..3:4S", "2..2:3I", "2..2:4O", "1..1:1"], reflections=True
)
KINDS: dict[str, tuple[Instance, str]] = {
    "area": (formats.inline(["5x5", "4L"]), "area"),
    "exact": (DOMINOES, "lattice"),
    "modular": (ELLS, "lattice"),
    "bare": (formats.inline(["xxx/x.x/xxx/..x", "3L"]), "lattice"),
    "weights": (MIXED, "weights"),
    "removal": (MISC, "probe"),
    "removal and weights": (SKEW, "weights+probe"),
    "cases": (SPLIT, "weights+cases"),
    "filler": (formats.inline(["xxxxx/oox.x/xo.xx/xxxox", "3I", "4O"]), "lattice"),
    "space": (formats.inline(["2x6x6", "1x2x4"]), "lattice"),
}


@pytest.fixture(scope="module")
def proofs() -> dict[str, tuple[Instance, Proof]]:
    return {kind: (instance, proof_of(instance, stages)) for kind, (instance, stages) in KINDS.items()}


@pytest.mark.parametrize("kind", KINDS)
def test_round_trip(kind: str, proofs: dict[str, tuple[Instance, Proof]]) -> None:
    instance, proof = proofs[kind]
    certificate = Certificate(instance.digest, proof, instance.name)
    again = parse(json.dumps(certificate.to_json()))
    assert again == certificate
    assert checker.error_in(instance, again) is None
    other = DOMINOES if instance is not DOMINOES else ELLS
    assert checker.error_in(other, certificate) == "it is about another problem"


@pytest.mark.parametrize("kind", ["exact", "modular", "filler", "space"])
def test_a_colouring_cannot_be_changed(kind: str, proofs: dict[str, tuple[Instance, Proof]]) -> None:
    instance, proof = proofs[kind]
    assert isinstance(proof, Colourings)
    (colouring,) = proof.colourings
    for changed in changed_colourings(colouring):
        assert wrong(instance, Colourings((changed,))), changed
    assert wrong(instance, Colourings(()))
    # A second colouring does no harm, and a true one that says nothing proves nothing.
    nothing = Colouring(0, (0,) * len(instance.board), (0,) * len(colouring.values))
    assert wrong(instance, Colourings((nothing, colouring))) is None
    assert wrong(instance, Colourings((nothing,)))
    assert wrong(instance, Colourings((replace(colouring, modulus=1),))) == "nothing follows modulo 1"
    assert wrong(instance, Colourings((replace(colouring, modulus=-2),)))


def changed_colourings(colouring: Colouring) -> Iterator[Colouring]:
    for cell in range(len(colouring.weights)):
        yield replace(colouring, weights=added(colouring.weights, cell))
    for tile in range(len(colouring.values)):
        yield replace(colouring, values=added(colouring.values, tile))
    yield replace(colouring, weights=colouring.weights[:-1])
    yield replace(colouring, values=(*colouring.values, 0))
    if colouring.modulus:
        yield replace(colouring, modulus=colouring.modulus + 1)
        yield replace(colouring, modulus=0)
    yield replace(colouring, modulus=101 if colouring.modulus else 1)


def added(numbers: tuple[int, ...], index: int) -> tuple[int, ...]:
    return (*numbers[:index], numbers[index] + 1, *numbers[index + 1 :])


def test_weights_cannot_be_changed(proofs: dict[str, tuple[Instance, Proof]]) -> None:
    instance, proof = proofs["weights"]
    assert isinstance(proof, Weights)
    for cell in range(len(proof.weights)):
        assert wrong(instance, replace(proof, weights=added(proof.weights, cell))), cell
    for tile in range(len(proof.values)):
        for step in (-1, 2):
            values = list(proof.values)
            values[tile] += step
            assert wrong(instance, replace(proof, values=tuple(values)))
    assert wrong(instance, replace(proof, weights=(0,) * 36, values=(0, 0)))
    assert wrong(instance, replace(proof, weights=proof.weights[1:]))


def test_area_and_propagation_are_no_proof_elsewhere(proofs: dict[str, tuple[Instance, Proof]]) -> None:
    for kind, (instance, _) in proofs.items():
        assert (wrong(instance, Area()) is None) == (kind == "area")
    assert wrong(SKEW, Propagation())
    assert wrong(formats.inline(["xxx/.x.", "2"]), Propagation()) is None


def test_a_log_cannot_be_changed(proofs: dict[str, tuple[Instance, Proof]]) -> None:
    instance, proof = proofs["removal and weights"]
    assert isinstance(proof, Removal)
    log = proof.log
    assert isinstance(proof.then, Weights)
    assert wrong(instance, proof.then)  # without the log
    assert wrong(instance, replace(proof, log=()))
    assert wrong(instance, replace(proof, log=tuple(reversed(log))))
    assert wrong(instance, replace(proof, log=(*log, log[0])))
    assert wrong(instance, replace(proof, log=((0, 1, 2, 3, 4, 5), *log)))
    # Not all of it is needed, but some is.
    assert any(wrong(instance, replace(proof, log=(*log[:at], *log[at + 1 :]))) for at in range(0, len(log), 15))
    cells = log[0][1:]
    assert wrong(instance, replace(proof, log=((log[0][0] + 1, *cells), *log[1:])))
    solvable = [placed for placed in checker_placements(instance) if placed not in set(log)]
    assert wrong(instance, replace(proof, log=(solvable[0], *log)))


def checker_placements(instance: Instance) -> list[tuple[int, ...]]:
    from tiler.cover.board import BoardCover

    cover = BoardCover.of(instance)
    return [(int(t), *cells) for t, cells in zip(cover.tile, cover.members.lists(), strict=True)]


def test_a_case_split_cannot_be_changed(proofs: dict[str, tuple[Instance, Proof]]) -> None:
    instance, proof = proofs["cases"]
    assert isinstance(proof, Removal)
    cases = proof.then
    assert isinstance(cases, Cases)
    # The log holds, by the round trip: what it rules out is ruled out once for all changes.
    left = ResidualBoard(instance)
    for placed in proof.log:
        left.remove(placed)
    left.fails()

    def judged(changed: Cases) -> str | None:
        return checker._wrong(left, changed)

    branches = cases.branches
    assert judged(replace(cases, branches=branches[1:]))
    assert judged(replace(cases, branches=(*branches[1:], (branches[0][0], Propagation()))))
    assert judged(replace(cases, branches=(*branches[1:], ((0, 1, 2), branches[0][1]))))
    assert judged(replace(cases, number=cases.number + 1))
    assert judged(replace(cases, number=10**6))
    assert judged(replace(cases, number=-1))
    assert judged(replace(cases, item="tile" if cases.item == "cell" else "cell"))
    assert judged(replace(cases, item="house"))
    assert judged(cases) is None


def test_what_holds_of_one_board_holds_of_no_other() -> None:
    """A proof about dominoes on a mutilated board, told of boards that have tilings."""
    proof = proof_of(DOMINOES)
    whole = formats.inline(["6x6", "2"])
    assert wrong(whole, proof)
    assert isinstance(proof, Colourings)
    for cut in ((0, 1), (1, 0)):
        board = whole.board - {(0, 0), cut}
        assert wrong(dataclasses.replace(whole, board=board), proof)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda data: data.update(schema="x"), "a certificate is an object with the schema tiler-certificate-1"),
        (lambda data: data.update(digest=3), "a digest and a name"),
        (lambda data: data.update(proof=[]), "a proof is an object whose kind is one of area, colourings"),
        (lambda data: data["proof"].update(kind="magic"), "whose kind is one of"),
        (lambda data: data["proof"].update(colourings={}), "is no list"),
        (lambda data: data["proof"].update(colourings=[1]), "a colouring is an object"),
        (lambda data: data["proof"]["colourings"][0].update(modulus=2.0), "'2.0' in a proof is no whole number"),
        (lambda data: data["proof"]["colourings"][0].update(modulus=True), "no whole number"),
        (lambda data: data["proof"]["colourings"][0].update(weights=["1"]), "no whole number"),
    ],
)
def test_what_is_no_certificate(change: Any, text: str) -> None:
    data = json.loads(json.dumps(Certificate(DOMINOES.digest, proof_of(DOMINOES)).to_json()))
    change(data)
    with pytest.raises(InputError, match=text):
        of_json(data)
    with pytest.raises(InputError):
        parse("[" * 100_000)


def test_a_wrong_certificate_of_a_backend_is_loud(monkeypatch: pytest.MonkeyPatch) -> None:
    from tiler.backends.coloring import Coloring

    def claims(self: Coloring, cover: object, question: Question, context: SearchContext) -> RunningSearch:
        certificate = Certificate(formats.inline(["2x2", "2"]).digest, Area())
        return without_events(Result(Status.UNSAT, Stop.DONE, certificate=certificate))

    monkeypatch.setattr(Coloring, "search", claims)
    with pytest.raises(BadSolution, match=r"coloring answered with a wrong proof about 2x2 2: some numbers of copies"):
        solve(formats.inline(["2x2", "2"]), "coloring", Question())
