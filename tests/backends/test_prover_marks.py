"""The prover with marks of sides: marks occur as often as their mates, or there is no tiling. And the checker believes nothing."""

from __future__ import annotations

import json
import random
from itertools import product

import pytest

from tiler import formats
from tiler.ask.solve import solve
from tiler.backends.coloring import checker
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.question.certificate import Certificate, Colourings, Proof, Weights, of_json
from tiler.question.question import Goal, Question

ONLY_MARKS = "coloring:stages=marks"


def problem(board: str, tiles: list[str], *settings: str) -> Instance:
    return formats.parse("\n".join([*(f"# {each}" for each in settings), "", *board.split("/"), "", *tiles, ""]))


def changed(side: int, colours: int, seed: int, *, wrap: bool = False) -> Instance:
    """Squares that fill a board with a grey border, or a torus, but for one whose mark on one side is another."""
    draw = random.Random(seed)
    letters = "abcdef"[:colours]
    across = {(i, j): draw.choice(letters) for i in range(side + 1) for j in range(side)}
    along = {(i, j): draw.choice(letters) for i in range(side) for j in range(side + 1)}
    for i in range(side):
        across[0, i] = across[side, i] = across[side, i] if wrap else "z"
        along[i, 0] = along[i, side] = along[i, side] if wrap else "z"
    squares = [[across[i, j], along[i, j + 1], across[i + 1, j], along[i, j]] for i, j in product(range(side), repeat=2)]
    middle = squares[side * (side // 2) + 1]
    middle[0] = next(letter for letter in letters if letter != middle[0])
    legend = "colours: " + ", ".join(f"{letter} {letter}{letter}" for letter in letters + "z")
    tiles = [f"1:1 [{''.join(square)}]" for square in squares]
    return problem(f"{side}x{side}", tiles, legend, "wrap: rows columns" if wrap else "border: zz")


def macmahon(other: str = "") -> Instance:
    """The 24 squares of three colours on 4x6, all the border red; or with another one for that with three green sides and a red."""
    squares = {min(t[i:] + t[:i] for i in range(4)) for t in product("rgb", repeat=4)}
    squares = {tuple(other) if square == tuple("gggr") and other else square for square in squares}
    tiles = [f"1:1 [{''.join(square)}]" for square in sorted(squares)]
    return problem("6x4", tiles, "colours: r red, g green, b blue", "border: red")


PROVED = {
    "one side changed": changed(4, 3, 1),
    "of five colours": changed(6, 5, 2),
    "on a torus": changed(4, 3, 3, wrap=True),
    "MacMahon's squares with another": macmahon("gggb"),
    "tabs and blanks": problem(
        "3x1",
        ["2:1 [flat tab flat flat]", "1 [flat tab flat tab]", "1 [flat blank flat tab]"],
        "mates: tab blank",
        "border: flat",
    ),
    "dominoes": problem("4x2", ["3:2 [rr.r] [.rrr]", "1:2 [rr.g] [.rrr]"], "colours: r red, g green", "border: red"),
    "weights": problem(
        "3x3",
        [f"1:1 [{each}]" for each in ("zbbz", "abzz", "bbaz", "zbaa", "zaaz", "bbbz", "bbab", "zabz", "baaz")],
        "colours: z zz, a aa, b bb",
        "border: zz",
    ),
}


def proof_of(instance: Instance) -> Proof:
    result = solve(instance, ONLY_MARKS, Question(Goal.PROVE)).result
    assert result.status is Status.UNSAT
    assert isinstance(result.certificate, Certificate)
    return result.certificate.proof


def wrong(instance: Instance, proof: Proof) -> str | None:
    return checker.error_in(instance, Certificate(instance.digest, proof))


@pytest.mark.parametrize("name", PROVED)
def test_marks_prove_what_cells_alone_do_not(name: str) -> None:
    instance = PROVED[name]
    assert solve(instance, "coloring:stages=lattice+weights", Question(Goal.PROVE)).result.status is Status.UNKNOWN
    proof = proof_of(instance)
    assert isinstance(proof, Weights if name == "weights" else Colourings)
    assert wrong(instance, proof) is None
    told = json.loads(json.dumps(Certificate(instance.digest, proof).to_json()))
    assert of_json(told).proof == proof
    if len(instance.board) < 10:
        assert solve(instance, "sat").result.status is Status.UNSAT


def test_nothing_is_proved_of_boards_that_can_be_filled() -> None:
    for seed, colours in product(range(6), (2, 3)):
        whole = changed(3, colours, seed)
        answer = solve(whole, "sat")
        proved = solve(whole, ONLY_MARKS).result.status is Status.UNSAT
        assert not (proved and answer.solutions)
    assert solve(macmahon(), ONLY_MARKS).result.status is Status.UNKNOWN


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("one side changed", "weights of the mark bb and of some cells: where two tiles touch, their marks cancel; all tiles together "
         "weigh an odd number, the board an even number"),
        ("weights", "weights of the marks aa, bb and zz and of some cells: where two tiles touch, their marks cancel; all tiles "
         "together weigh at most 3, the board 7"),
    ],
)  # fmt: skip
def test_it_is_said_which_marks_weigh_and_how_much_it_comes_to(name: str, said: str) -> None:
    assert solve(PROVED[name], ONLY_MARKS).result.message == said


# Changed proofs


def test_a_mark_weighs_what_it_weighs() -> None:
    """Each of the marks in turn weighs more, or nothing."""
    for name in ("one side changed", "tabs and blanks", "dominoes"):
        instance = PROVED[name]
        proof = proof_of(instance)
        assert isinstance(proof, Colourings)
        for number, colouring in enumerate(proof.colourings):
            for changed_one in changed_marks(colouring):
                others = (*proof.colourings[:number], changed_one, *proof.colourings[number + 1 :])
                assert wrong(instance, Colourings(others)), (name, changed_one)


def changed_marks(colouring: Colouring) -> Iterator[Colouring]:
    for i, (mark, weight) in enumerate(colouring.marks):
        for other in ([(mark, weight + 1)], []):
            yield replace(colouring, marks=(*colouring.marks[:i], *other, *colouring.marks[i + 1 :]))
    yield replace(colouring, marks=())
    yield replace(colouring, modulus=0 if colouring.modulus else 2, values=tuple(value + 1 for value in colouring.values))


def test_weights_of_marks_cannot_be_changed() -> None:
    instance = PROVED["weights"]
    proof = proof_of(instance)
    assert isinstance(proof, Weights)
    assert wrong(instance, replace(proof, marks=()))
    assert wrong(instance, replace(proof, values=tuple(value - 1 for value in proof.values)))
    refused = [wrong(instance, replace(proof, marks=marks)) for marks in stronger(proof)]
    assert all(refused)


def stronger(proof: Weights) -> Iterator[tuple[object, ...]]:
    """Marks of which each in turn weighs much more, which only the placements at one end are allowed to."""
    for i, (mark, weight) in enumerate(proof.marks):
        for other in (weight + 1000, weight - 1000):
            yield (*proof.marks[:i], (mark, other), *proof.marks[i + 1 :])


@pytest.mark.parametrize(
    ("board", "tiles", "settings", "side"),
    [
        ("2x1", ["2:1 [rrrr]"], [], ((0, 0), (-1, 0))),  # the border
        ("2x1", ["2:1 [rrrr]"], [], ((0, 1), (0, 3))),  # no side
        ("2x1", ["2:1 [rrrr]"], [], ((0, 0), (0, 0))),
        ("2x1", ["2:1 [rrrr]"], [], ((5, 5), (5, 6))),
        ("2x1", ["2:1 [rrrr]"], [], ((0,), (0, 1))),
        ("2x1", ["1:1 [rrrr]", "1"], [], ((0, 0), (0, 1))),  # a tile without marks
        ("2x1", ["2:1 [.rrr]"], [], ((0, 0), (0, 1))),  # a side without one
        ("xo", ["2:1 [rrrr]"], [], ((0, 0), (0, 1))),  # a cell that may stay open
        ("1x2", ["2 [rr.r] [.r.r]", "1 [rrrr]"], ["wrap: rows"], ((1, 0), (2, 0))),  # a tile that meets itself, marked at one end
    ],
)
def test_marks_that_need_not_fit_weigh_nothing(
    board: str, tiles: list[str], settings: list[str], side: tuple[tuple[int, ...], tuple[int, ...]]
) -> None:
    """One side of these counts in no tiling, or not in all: a weight there would prove what is not so."""
    instance = problem(board, tiles, "colours: r red", *settings)
    assert solve(instance, "sat").solutions
    values = (0,) * (len(instance.distinct_tiles) + bool(instance.optional))
    nothing = Colouring(7, (0,) * len(instance.board), values)
    said = wrong(instance, Colourings((replace(nothing, marks=(((*side, "red"), 1),)),)))
    assert said is not None
    assert said.startswith(f"the side from {side[0]} to {side[1]}: ")
    assert wrong(instance, Colourings((nothing,))) == "some numbers of copies weigh what the board weighs"


def test_what_is_no_weight_of_a_mark_is_refused() -> None:
    instance = PROVED["dominoes"]
    told = Certificate(instance.digest, proof_of(instance)).to_json()
    for marks in (3, [[1]], [[[0, 0], [0, 1], 3, 1]], [[[0, 0], [0, 1], "red", "1"]], [[[0, "x"], [0, 1], "red", 1]]):
        told["proof"]["colourings"][0]["marks"] = marks
        with pytest.raises(InputError, match="in a proof is no"):
            of_json(told)


# Placements listed twice


@pytest.mark.parametrize("lattice", [name for name, each in LATTICES.items() if not each.has_edges])
def test_the_checker_lists_what_the_search_does(lattice: str) -> None:
    """Painted placements, by code that shares nothing with the listing, with borders, mates, backs and colours of cells."""
    lattice_of = LATTICES[lattice]
    draw = random.Random(lattice)
    origin = (0,) * lattice_of.dimension
    cells = [tuple(a + b for a, b in zip(residue, unit, strict=True)) for residue in lattice_of.residues for unit in _units(lattice_of)]
    for _ in range(3):
        first = min(cells)
        pair = frozenset({first, draw.choice(sorted(set(lattice_of.neighbours(first)) & set(cells)) or [first])})

        def coat(shape: frozenset[tuple[int, ...]] = pair) -> object:
            sides = [CellSide(cell, beyond) for cell in sorted(shape) for beyond in lattice_of.neighbours(cell) if beyond not in shape]
            marks = {side: draw.choice("rgb") for side in sides if draw.random() < 0.8}
            return coat_of({cell: draw.choice("kw") for cell in sorted(shape) if draw.random() < 0.5}, marks)
