"""Orbits of tilings, against published counts, against all tilings of small tori, and against words round the border of a tile.

J. Myers: polyominoes, polyhexes and polyiamonds that tile isohedrally, OEIS A075205, A075214, A075223, and those that tile, but
not isohedrally, OEIS A075206, A075215, A075224; polyominoes that tile by translations or half turns, OEIS A075203.
"""

from __future__ import annotations

from itertools import product
from operator import add

import pytest

from tiler.apps.mathematics import isohedral
from tiler.apps.mathematics.coronas import holes_in
from tiler.apps.mathematics.tori import on_torus, tori
from tiler.ask.solve import solve
from tiler.model import verify
from tiler.model.instance import Instance
from tiler.model.lattice import Shape
from tiler.model.lattices import SQUARE
from tiler.model.piece_sets import ALL
from tiler.model.symmetry import turns_of_tiles
from tiler.model.tile import Placement, Tile
from tiler.question.question import Goal, Question


def asked(name: str, number: str, *, reflections: bool = True) -> Instance:
    lattice, shape = ALL[name].lattice, ALL[name].shapes()[number]
    return Instance(shape, (Tile(number, shape, lattice=lattice),), reflections=reflections, lattice=lattice)


def without_holes(name: str) -> list[str]:
    return [number for number, shape in ALL[name].shapes().items() if not holes_in(ALL[name].lattice, shape)]


@pytest.mark.parametrize(
    ("name", "number_of"),
    [
        ("pentominoes", 12),
        ("hexominoes", 35),
        ("heptominoes", 104),
        ("pentahexes", 22),
        ("hexiamonds", 12),
        ("heptiamonds", 23),
        ("octiamonds", 66),
        pytest.param("hexahexes", 76, marks=pytest.mark.slow),
        pytest.param("heptahexes", 290, marks=pytest.mark.slow),
        pytest.param("octominoes", 342, marks=pytest.mark.slow),
        pytest.param("nonominoes", 1041, marks=pytest.mark.slow),
    ],
)
def test_published_numbers_of_isohedral_tiles(name: str, number_of: int) -> None:
    assert sum(isohedral.with_orbits(asked(name, number), 1) is not None for number in without_holes(name)) == number_of


@pytest.mark.parametrize(("name", "number"), [("octominoes", "8-306"), ("hexahexes", "6-58"), ("tetrakites", "4-08")])
def test_tiles_that_need_two_orbits(name: str, number: str) -> None:
    """The first two are all of their size: A075206(8) = A075215(6) = 1."""
    assert isohedral.with_orbits(asked(name, number), 1) is None
    found = isohedral.with_orbits(asked(name, number), 2)
    assert found is not None
    assert set(isohedral.orbits_of(*found)) == {0, 1}
    assert verify.error_in(*found) is None


def naive_orbits(instance: Instance, tiling: tuple[Placement, ...]) -> int:
    """Try every isometry of the lattice on every piece."""
    lattice, reduce = instance.lattice, instance.wrap.reduce
    pieces = {frozenset(map(reduce, placement.cells)) for placement in tiling}
    (high, _), (_, wide) = instance.wrap.vectors
    units = list(product(range(0, high, lattice.moduli[0]), range(0, wide, lattice.moduli[1])))
    together = {piece: {piece} for piece in pieces}
    for turn in lattice.isometries(reflections=True):
        if not instance.wrap.keeps(turn):
            continue
        for unit in units:
            images = {piece: frozenset(reduce(tuple(map(add, image, unit))) for image in turn.images(piece)) for piece in pieces}
            if set(images.values()) == pieces:
                for piece, image in images.items():
                    both = together[piece] | together[image]
                    together.update(dict.fromkeys(both, both))
    return len({frozenset(orbit) for orbit in together.values()})


@pytest.mark.parametrize(
    ("name", "reflections", "most"),
    [("trominoes", False, 2), ("trihexes", True, 2), ("tetrakites", True, 3), ("triamonds", True, 4)],
)
def test_all_tilings_of_small_tori(name: str, reflections: bool, most: int) -> None:
    """The least number of orbits of any tiling of a torus with few pieces is what the search finds."""
    for number in ALL[name].shapes():
        instance = asked(name, number, reflections=reflections)
        lattice, size = instance.lattice, instance.tiles[0].size
        fewest = 0
        for pieces in range(1, most + 1):
            for wrap in tori(lattice, pieces * size // lattice.kinds, turns_of_tiles(instance)):
                torus = on_torus(instance, wrap)
                if len(torus.board) == pieces * size:
                    for tiling in solve(torus, question=Question(Goal.ENUMERATE)).solutions:
                        orbits = max(isohedral.orbits_of(torus, tiling)) + 1
                        assert orbits == naive_orbits(torus, tiling)
                        fewest = min(fewest, orbits) or orbits
        for orbits in (1, 2):
            found = isohedral.with_orbits(instance, orbits)
            if found is None:
                assert not 0 < fewest <= orbits
            elif len(found[1]) <= most:
                assert 0 < fewest <= orbits


WAYS = {  # a step, the cell on its right, and the cell on its left
    "e": ((0, 1), (0, 0), (-1, 0)),
    "s": ((1, 0), (0, -1), (0, 0)),
    "w": ((0, -1), (-1, -1), (0, -1)),
    "n": ((-1, 0), (-1, 0), (-1, -1)),
}


def border(shape: Shape) -> str:
    """The steps round a polyomino without holes, with the polyomino on the right."""

    def at(corner: tuple[int, ...], way: tuple[int, int]) -> tuple[int, ...]:
        return tuple(map(add, corner, way))

    start = corner = min(shape)
    word = ""
    while not word or corner != start:
        word += next(
            letter for letter, (_, right, left) in WAYS.items() if at(corner, right) in shape and at(corner, left) not in shape
        )
        corner = at(corner, WAYS[word[-1]][0])
    return word


def back(word: str) -> str:
    """The same way in the other direction."""
    return word[::-1].translate(str.maketrans("nesw", "swne"))


def is_half_turned(word: str) -> bool:
    """Whether a border is two parts, each taken to itself by a half turn."""
    return any(part == part[::-1] and rest == rest[::-1] for k in range(len(word)) for part, rest in [(word[:k], word[k:])])


def tiles_by_border(shape: Shape) -> bool:
    """Whether the border of a polyomino is A B C A' B' C', where A' is A backwards (D. Beauquier and M. Nivat, 1991), or else
    A B A' C, where B and C are two parts each that half turns take to themselves (J. Conway)."""
    word = border(shape)
    half = len(word) // 2
    for first in range(len(word)):
        turned = word[first:] + word[:first]
        front, behind = turned[:half], turned[half:]
        for a, b in product(range(half + 1), repeat=2):
            if a <= b and behind == back(front[:a]) + back(front[a:b]) + back(front[b:]):
                return True
        for length in range(half + 1):
            way = back(turned[:length])
            for place in range(length, len(word) - length + 1):
                middle, rest = turned[length:place], turned[place + length :]
                if turned[place : place + length] == way and is_half_turned(middle) and is_half_turned(rest):
                    return True
    return False


@pytest.mark.parametrize(
    ("name", "number_of"),
    [("tetrominoes", 5), ("pentominoes", 12), ("hexominoes", 35), pytest.param("heptominoes", 101, marks=pytest.mark.slow)],
)
def test_border_words(name: str, number_of: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Polyominoes that tile by translations or half turns alone: the same ones by their borders."""
    monkeypatch.setattr(isohedral, "turns_of_tiles", lambda _: [t for t in SQUARE.isometries(False) if t.matrix[0][1] == 0])
    by_border = {number: tiles_by_border(ALL[name].shapes()[number]) for number in without_holes(name)}
    assert {number: isohedral.with_orbits(asked(name, number), 1) is not None for number in by_border} == by_border
    assert sum(by_border.values()) == number_of
