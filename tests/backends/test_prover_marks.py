"""The prover with marks of sides: a mark occurs as often as its mate, or there is no tiling. The checker believes nothing."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from operator import add, sub

import pytest

from tiler import formats
from tiler.ask.solve import solve
from tiler.backends.coloring import checker
from tiler.backends.coloring.remaining_cells import ResidualBoard
from tiler.cover.board import BoardCover
from tiler.errors import InputError
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.model.lattice import Cell, Lattice
from tiler.model.lattices import LATTICES
from tiler.model.paint import CellSide, Coat, Ground, Paint, border_of, coat_of
from tiler.model.tile import Tile
from tiler.model.wrap import FLAT
from tiler.question.certificate import Certificate, Colouring, Colourings, Proof, Weights, of_json
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
    """The 24 squares of three colours on 4x6, all the border red; or another one in place of that with three green sides."""
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


def test_pairs_of_cells_that_can_be_matched_are_no_tiling_where_sides_have_marks() -> None:
    dominoes = problem("4x2", ["2 [rr.g] [.rrr]"], "colours: r red, g green", "border: red")
    result = solve(dominoes, "coloring", Question(Goal.PROVE)).result
    assert (result.status, result.stats["stage"]) == (Status.UNSAT, "marks")


def test_nothing_is_proved_of_boards_that_can_be_filled() -> None:
    for seed, colours in product(range(3), (2, 3)):
        whole = changed(3, colours, seed)
        answer = solve(whole, "sat")
        proved = solve(whole, ONLY_MARKS).result.status is Status.UNSAT
        assert not (proved and answer.solutions)
    assert solve(macmahon(), ONLY_MARKS).result.status is Status.UNKNOWN


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("one side changed", ("the mark bb (1) and of some cells", "weigh an odd number, the board an even number")),
        ("weights", ("the marks aa, bb and zz and of some cells", "weigh at most 3, the board 7")),
    ],
)
def test_it_is_said_which_marks_weigh_and_how_much_it_comes_to(name: str, said: tuple[str, str]) -> None:
    told = f"weights of {said[0]}: where two tiles touch, their marks cancel; all tiles together {said[1]}"
    assert solve(PROVED[name], ONLY_MARKS).result.message == told


# Changed proofs


def test_a_mark_weighs_what_it_weighs() -> None:
    """Each of the marks in turn weighs more, or nothing."""
    for name in ("tabs and blanks", "dominoes"):
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
    # Much more or much less: placements at one of the ends are too heavy then.
    for i, (mark, weight) in enumerate(proof.marks):
        others = ((*proof.marks[:i], (mark, weight + more), *proof.marks[i + 1 :]) for more in (1000, -1000))
        assert any(wrong(instance, replace(proof, marks=each)) for each in others), mark


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


def painted(lattice: Lattice, draw: random.Random) -> Instance:
    """A board of two units by two, a tile of two cells and one of one, painted at random, and what the board wants."""
    units = product(*(range(0, 2 * m, m) for m in lattice.moduli))
    board = sorted(tuple(map(add, unit, residue)) for unit in units for residue in lattice.residues)
    one = draw.choice(board)
    other = draw.choice([cell for cell in lattice.neighbours(one) if cell in board])

    def coat(shape: frozenset[Cell]) -> Coat:
        sides = [CellSide(cell, beyond) for cell in sorted(shape) for beyond in lattice.neighbours(cell) if beyond not in shape]
        marks = {side: draw.choice("rgb") for side in sides if draw.random() < 0.8}
        return coat_of({cell: draw.choice("kw") for cell in sorted(shape) if draw.random() < 0.5}, marks)

    tiles = []
    for shape in (frozenset({one, other}), frozenset({one})):
        front = coat(shape)
        back = coat(shape) if lattice.dimension == 2 and draw.random() < 0.7 else front
        tiles.append(Tile(f"tile{len(tiles)}", shape, paint=Paint(front, back), lattice=lattice))
    border = border_of(lattice, FLAT, frozenset(board))
    ground = Ground(
        colours=tuple((cell, draw.choice("kw")) for cell in board if draw.random() < 0.4),
        border=tuple((side, tuple(sorted(draw.sample("rgb", 2)))) for side in border if draw.random() < 0.4),
        mates=(("g", "r"),),
    )
    return Instance(frozenset(board), tuple(tiles), reflections=draw.random() < 0.5, ground=ground, lattice=lattice)


@pytest.mark.parametrize("name", [name for name, each in LATTICES.items() if not each.has_edges])
def test_the_checker_lists_what_the_search_does(name: str) -> None:
    """Painted placements, by code that shares nothing with the listing, with borders, mates, backs and colours of cells."""
    draw = random.Random(name)
    for _ in range(3):
        instance = painted(LATTICES[name], draw)
        number = {cell: i for i, cell in enumerate(sorted(instance.board))}
        cover = BoardCover.of(instance)
        listed = set()
        for tile, placement in zip(cover.tile.tolist(), cover.placements(range(len(cover))), strict=True):
            marks = [((number[cell], tuple(map(sub, beyond, cell))), mark) for (cell, beyond), mark in placement.coat.marks]
            colours = sorted((number[cell], colour) for cell, colour in placement.coat.colours)
            listed.add(((tile, *sorted(number[cell] for cell in placement.cells)), (tuple(sorted(marks)), tuple(colours))))
        found = {(placed, tuple(look)) for placed, looks in ResidualBoard(instance).looks.items() for look in looks}
        assert len(listed) == len(cover) > 0
        assert found == listed
