"""Tilings by two cells as matchings: found, counted, drawn at random, or shown to be impossible."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import tiler
from tiler.ask.solve import solve
from tiler.backends.coloring import checker
from tiler.backends.coloring.sentence import hall
from tiler.backends.matching.graph import Pairs
from tiler.backends.matching.match import Matcher
from tiler.errors import BadOption
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.model.tile import Tile
from tiler.question.certificate import Certificate, Proof, TutteSet, Weights, of_json

#: Boards in letters, with the two cells that tile them.
BOARDS = {
    "square": ("4x5", "2"),
    "hexagonal": ("hex:3", "x.x"),
    "triangular": ("hex:2", ".xx"),
    "cubic": ("2x3x3", "1x1x2"),
}
#: As many cells of each colour, and no tiling.
TRAPPED = ("x.x.x/xxxxx/.xxxx/xx..x/xxxxx/xxx.x", "2")


def graph_of(edges: list[tuple[int, int]], cells: int, may_open: list[int]) -> Pairs:
    """A graph that belongs to no board."""
    filler = np.full(cells, -1, np.int64)
    filler[may_open] = len(edges) + np.arange(len(may_open))
    numbers = np.arange(len(edges))
    return Pairs(np.array(edges, np.int64).reshape(-1, 2), numbers, np.ones(len(edges), np.int64), numbers, filler)


def covered(matcher: Matcher) -> bool:
    """What a matcher says when it is run to its end."""
    running = matcher.run()
    while True:
        try:
            next(running)
        except StopIteration as ended:
            return bool(ended.value)


def can_be_covered(edges: list[tuple[int, int]], cells: int, may_open: list[int], most_open: int) -> bool:
    """The same by trying everything."""

    @cache
    def rest(left: int, opened: int) -> bool:
        if not left:
            return True
        cell = (left & -left).bit_length() - 1
        left &= left - 1
        if cell in may_open and opened < most_open and rest(left, opened + 1):
            return True
        others = [a + b - cell for a, b in edges if cell in (a, b)]
        return any(rest(left & ~(1 << other), opened) for other in others if left >> other & 1)

    return rest((1 << cells) - 1, 0)


def error_in_refutation(
    proof: Proof, edges: list[tuple[int, int]], cells: int, may_open: list[int], most_open: int
) -> str | None:
    """What is wrong with a reason why a graph has no matching."""
    if isinstance(proof, Weights):
        weights = proof.weights
        if any(weights[a] + weights[b] > 0 for a, b in edges) or any(weights[cell] > proof.values[-1] for cell in may_open):
            return "some cell has more neighbours"
        return None if sum(weights) > proof.values[-1] * most_open else "there are enough neighbours"
    assert isinstance(proof, TutteSet)
    part = list(range(cells))
    for _ in range(cells):
        for a, b in edges:
            if a not in proof.cells and b not in proof.cells:
                part[a] = part[b] = min(part[a], part[b])
    parts = [[cell for cell in range(cells) if part[cell] == name and cell not in proof.cells] for name in range(cells)]
    odd = [each for each in parts if len(each) % 2]
    closed = [each for each in odd if not set(each) & set(may_open)]
    size = len(proof.cells)
    return None if len(closed) > size or len(odd) > size + most_open else "there are too few odd parts"


def test_graphs_drawn_at_random_are_matched_if_they_can_be() -> None:
    drawn = random.Random(34)
    seen = set()
    for _ in range(400):
        cells = drawn.randrange(2, 13)
        share = drawn.choice((0.1, 0.15, 0.2, 0.3))
        edges = [(a, b) for a in range(cells) for b in range(a + 1, cells) if drawn.random() < share]
        may_open = sorted(drawn.sample(range(cells), drawn.choice((0, 0, 1, cells // 2))))
        most_open = drawn.randrange(len(may_open) + 1)
        matcher = Matcher(graph_of(edges, cells, may_open), 2, most_open)
        covers = covered(matcher)
        assert covers == can_be_covered(edges, cells, may_open, most_open), (edges, may_open, most_open)
        mate = matcher.mate.tolist()
        assert all(b < 0 or (mate[b] == a and (min(a, b), max(a, b)) in edges) for a, b in enumerate(mate))
        seen.add(covers)
        if not covers:
            proof = matcher.refutation()
            assert error_in_refutation(proof, edges, cells, may_open, most_open) is None, (edges, may_open, most_open)
            seen.add(type(proof))
    assert seen == {True, False, Weights, TutteSet}


def drawn_board(lattice: str, seed: int, *, opens: bool = False) -> Instance:
    """A board with holes, some of its cells optional if wanted."""
    drawn = random.Random(seed)
    whole = tiler.instance(*BOARDS[lattice], lattice=lattice)
    cells = sorted(whole.board)
    board = frozenset(cells) - frozenset(drawn.sample(cells, drawn.randrange(2, len(cells) // 3, 2)))
    optional = frozenset(drawn.sample(sorted(board), 3)) if opens else frozenset()
    return replace(whole, board=board, optional=optional)


@pytest.mark.parametrize("opens", [False, True], ids=["covered", "open"])
@pytest.mark.parametrize("lattice", BOARDS)
def test_boards_are_decided_as_by_search(lattice: str, opens: bool) -> None:
    """Tilings and certificates are checked by whoever asks."""
    for seed in range(12):
        instance = drawn_board(lattice, seed, opens=opens)
        answer = solve(instance, "matching").result
        assert answer.status is solve(instance, "dlx").result.status, seed
        assert (answer.certificate is None) == (answer.status is Status.SAT), seed


DOMINO = frozenset({(0, 0), (0, 1)})


def test_a_trapped_board_has_too_few_neighbours() -> None:
    instance = tiler.instance(*TRAPPED)
    answer = solve(instance, "matching").result
    assert answer.status is Status.UNSAT
    assert isinstance(answer.certificate, Certificate)
    proof = answer.certificate.proof
    assert isinstance(proof, Weights)
    assert proof.weights.count(1) == proof.weights.count(-1) + 1
    assert answer.message == hall(proof)
    assert solve(instance, "coloring:stages=area+lattice").result.status is Status.UNKNOWN  # balanced in colours


def with_odd_parts() -> Instance:
    """Four triangles of hexagonal cells apart from each other, beside one cell in the middle."""
    whole = tiler.instance("x.x.x/.x.x.x", "x.x", lattice="hexagonal")
    board = {(0, 0)}
    for away in ((0, 1), (-1, 0), (1, -1)):
        far = (2 * away[0], 2 * away[1])
        third = {(0, 1): (1, 1), (-1, 0): (-2, 1), (1, -1): (1, -2)}[away]
        board |= {away, far, third}
    return replace(whole, board=frozenset(board))


def test_odd_parts_are_tuttes_set() -> None:
    instance = with_odd_parts()
    answer = solve(instance, "matching").result
    assert answer.certificate == Certificate(instance.digest, TutteSet((sorted(instance.board).index((0, 0)),)), instance.name)
    assert "3 parts" in answer.message


def wrong(instance: Instance, proof: Proof) -> str | None:
    return checker.error_in(instance, Certificate(instance.digest, proof))


def test_a_set_that_is_not_tuttes_is_refused() -> None:
    instance = with_odd_parts()
    middle = sorted(instance.board).index((0, 0))
    assert wrong(instance, TutteSet((middle,))) is None
    assert of_json(Certificate("", TutteSet((middle,))).to_json()).proof == TutteSet((middle,))
    others = [cell for cell in range(len(instance.board)) if cell != middle]
    for cells in [(), *[(cell,) for cell in others], *[(middle, cell) for cell in others], (middle, middle), (99,), (-1,)]:
        assert wrong(instance, TutteSet(cells)), cells
    assert wrong(replace(instance, optional=frozenset({(0, 2)})), TutteSet((middle,))) is None  # two parts may not
    assert wrong(replace(instance, optional=frozenset({(0, 2), (-2, 0)})), TutteSet((middle,)))
    assert wrong(tiler.instance("5x5", "3I"), TutteSet(())) == "a placement covers 3 cells"


def test_weights_that_are_tampered_with_are_refused() -> None:
    instance = tiler.instance(*TRAPPED)
    certificate = solve(instance, "matching").result.certificate
    assert isinstance(certificate, Certificate)
    assert isinstance(certificate.proof, Weights)
    weights, values = certificate.proof.weights, certificate.proof.values
    for cell, weight in enumerate(weights):
        for other in {-1, 0, 1} - {weight}:
            changed = Weights((*weights[:cell], other, *weights[cell + 1 :]), values)
            # What is left may be a proof too, if the cell was one too many.
            if wrong(instance, changed) is None:
                assert sum(changed.weights) > 0
    assert wrong(instance, Weights(weights, (1,)))
    assert wrong(instance, Weights(tuple(-each for each in weights), values))


FAR = Tile("far", frozenset({(0, 0), (0, 2)}), at_most=2)


@pytest.mark.parametrize(
    ("instance", "reason"),
    [
        (tiler.instance("4x4", "4I"), "it is made for tiles of two cells"),
        (tiler.instance("4x4", "2", "4I"), "it is made for tiles of two cells"),
        (replace(tiler.instance("4x4", "2"), tiles=(FAR, Tile("2", DOMINO))), "it does not count the copies of each tile"),
        (tiler.instance("4x4", "5:2", open=8), "it does not count the copies of a tile where cells may stay open"),
        (tiler.instance("5x5", "2", open="3..3"), "it leaves as few cells open as it can, not a given number"),
        (tiler.instance("2x2", "x.x", lattice="square-edges", crossing=False), "it does not know of edges that must not cross"),
    ],
)
def test_what_is_no_matching_is_refused(instance: Instance, reason: str) -> None:
    with pytest.raises(BadOption, match=reason):
        solve(instance, "matching")


@pytest.mark.parametrize(
    "instance",
    [
        tiler.instance("4x4", "8:2"),
        tiler.instance("5x5", "2", open="1..1"),
        replace(tiler.instance("4x4", "2"), tiles=(replace(FAR, at_most=None), Tile("2", DOMINO))),
    ],
)
def test_bounds_that_cannot_bind_are_none(instance: Instance) -> None:
    assert solve(instance, "matching").result.status is Status.SAT


def test_the_prover_asks_for_a_matching() -> None:
    assert tiler.prove(tiler.instance(*TRAPPED)).answer.result.stats["stage"] == "pairs"
    assert str(tiler.prove(tiler.instance("4x4", "2"))).startswith("unknown")
    assert str(tiler.prove(tiler.instance("4x4", "2"), solver="matching")).startswith("sat: there is a tiling")
