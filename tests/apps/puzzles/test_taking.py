"""How assemblies come apart, beside a brute force (assemblies.py)."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from assemblies import Assembly, levels_of

from tiler.apps.puzzles.apart.disassembly import Disassembly, Separation, Slide, error_in
from tiler.apps.puzzles.apart.search import MOST_PIECES, take_apart
from tiler.errors import BadOption
from tiler.model.lattice import Cell, Lattice, Shape, move
from tiler.model.lattices import CUBIC, HEXAGONAL, SQUARE
from tiler.process.cancellation import Stopped


def read(*layers: str) -> tuple[Shape, ...]:
    """The pieces of a picture, a letter for each, `.` for no cell; of several layers in space."""
    found: dict[str, set[Cell]] = {}
    for layer, picture in enumerate(layers):
        for row, line in enumerate(picture.split("/")):
            for column, letter in enumerate(line):
                cell = (layer, row, column) if len(layers) > 1 else (row, column)
                found.setdefault(letter, set()).add(cell)
    return tuple(frozenset(found[letter]) for letter in sorted(found) if letter != ".")


#: Pictures of assemblies, and their levels; None: they do not come apart.
KNOWN = {
    "one piece": (("aa",), ()),
    "side by side": (("ab",), (1,)),
    "held in": (("aaa/aba/aaa",), None),
    "a hook": (("aaa/abb/aab",), (1,)),
    "both hooks": (("aab/a.b/abb",), (1,)),
    "out of the way": (("aaaaa/ab.ca/aaa.a",), (1, 2)),
    "round a corner": (("aaaaa/ab..a/aaa.a",), (2,)),
    "round two": (("aaaaaa/ab...a/aaaa.a/a....a/a.aaaa",), (4,)),
    "with its neighbour": (("aaaa/abca/a..a",), (1, 1)),
    "in space": (("aaa/aba/aaa", "aaa/aba/aaa"), (1,)),
    "pieces in two parts": (("aba",), (1,)),
    "held by two parts": (("aaa/a.a/aba/a.a/aaa",), None),
}


@pytest.mark.parametrize("name", KNOWN)
def test_assemblies_that_are_told_by_looking_at_them(name: str) -> None:
    layers, levels = KNOWN[name]
    shapes = read(*layers)
    found = take_apart(SQUARE if len(layers) == 1 else CUBIC, shapes)
    assert (found.levels if found.comes_apart else None) == levels
    assert found.comes_apart or found.stuck == tuple(range(len(shapes)))
    if len(shapes) > 1:
        assert levels_of((shapes,)) == levels


def drawn(seed: int, sides: Sequence[int], pieces: int) -> Assembly:
    """An assembly at random: a box with gaps and walls, and small pieces in it, with some room to move."""
    draw = random.Random(seed)
    lattice = SQUARE if len(sides) == 2 else CUBIC
    cells: list[Cell] = list(product(*map(range, sides)))
    border = [cell for cell in cells if any(at in (0, side - 1) for at, side in zip(cell, sides, strict=True))]
    box = set(border) - set(draw.sample(border, 1 + len(border) // 14))
    left = set(cells) - set(border)
    walls = draw.sample(sorted(left), len(left) // 5)
    left -= set(walls)
    grown = [[cell] for cell in draw.sample(sorted(left), pieces - 1)]
    left -= {cell for piece in grown for cell in piece}
    for piece in grown * 2:
        beside = sorted({other for cell in piece for other in lattice.neighbours(cell)} & left)
        if beside and draw.random() < 0.6:
            piece.append(draw.choice(beside))
            left.discard(piece[-1])
    return (frozenset({*box, *walls}), *map(frozenset, grown))


BOXES = [((5, 6), 3), ((6, 6), 4), ((3, 5, 5), 3), ((3, 4, 5), 4)]
DRAWN = [(seed, *box) for box in BOXES for seed in range(12)] + [
    (67, (6, 6), 4),
    (87, (3, 4, 5), 4),
    (52, (5, 6), 3),
    (77, (3, 5, 5), 3),
]


@pytest.mark.parametrize(("seed", "sides", "pieces"), DRAWN)
def test_levels_are_those_of_a_brute_force(seed: int, sides: tuple[int, ...], pieces: int) -> None:
    shapes = drawn(seed, sides, pieces)
    found = take_apart(SQUARE if len(sides) == 2 else CUBIC, shapes)
    assert (found.levels if found.comes_apart else None) == levels_of((shapes,))
    quick = take_apart(SQUARE if len(sides) == 2 else CUBIC, shapes, shortest=False)
    assert quick.comes_apart is found.comes_apart
    assert quick.levels[:1] == found.levels[:1]


def test_the_drawn_assemblies_are_of_all_sorts() -> None:
    found = [take_apart(SQUARE if len(sides) == 2 else CUBIC, drawn(seed, sides, pieces)) for seed, sides, pieces in DRAWN]
    assert len([each for each in found if not each.comes_apart]) >= 5
    assert len([each for each in found if each.comes_apart and max(each.levels) > 1]) >= 5
    assert len({each.level for each in found}) >= 5


@pytest.mark.parametrize("seed", [11, 12, 26, 67, 82, 87])
@pytest.mark.parametrize("lattice", [SQUARE, CUBIC], ids=str)
def test_turning_and_numbering_change_no_level(lattice: Lattice, seed: int) -> None:
    shapes = drawn(seed, (6, 6) if lattice is SQUARE else (3, 4, 5), 4)
    levels = take_apart(lattice, shapes).levels
    draw = random.Random(seed)
    for turn in draw.sample(lattice.isometries(reflections=True), 4):
        turned = [frozenset(move(frozenset(turn.images(shape)), (7, -3, 5)[: lattice.dimension])) for shape in shapes]
        draw.shuffle(turned)
        assert take_apart(lattice, turned).levels == levels


def test_pieces_may_stay_together() -> None:
    shapes = read("aaa/aba/aaa", "aaa/aaa/aaa")  # b is held from below, and not from above.
    assert take_apart(CUBIC, shapes).levels == (1,)
    linked = read("aaaaa/abbba/ab.ba/abbba/aaaaa")
    assert not take_apart(SQUARE, linked).comes_apart
    assert take_apart(SQUARE, linked, [frozenset({0, 1})]).levels == ()
    with_third = (*linked, frozenset({(0, 5)}))
    assert take_apart(SQUARE, with_third).stuck == (0, 1)
    assert take_apart(SQUARE, with_third, [frozenset({0, 1})]).levels == (1,)
    assert not take_apart(SQUARE, with_third, [frozenset({0, 2})]).comes_apart


def test_what_cannot_be_taken_apart_here_is_refused() -> None:
    with pytest.raises(BadOption, match="the hexagonal lattice has none"):
        take_apart(HEXAGONAL, [frozenset({(1, 1)}), frozenset({(2, 2)})])
    with pytest.raises(BadOption, match="61 pieces are too many"):
        take_apart(SQUARE, [frozenset({(0, at)}) for at in range(MOST_PIECES + 1)])


def test_many_loose_pieces_come_apart_one_by_one() -> None:
    found = take_apart(SQUARE, [frozenset({(row, column)}) for row in range(5) for column in range(5)])
    assert found.levels == (1,) * 24


def test_a_look_ends_the_search() -> None:
    looks = 0

    def check_stop() -> None:
        nonlocal looks
        looks += 1
        if looks == 3:
            raise Stopped("time")

    with pytest.raises(Stopped):
        take_apart(SQUARE, read("aaaaaa/ab...a/aaaa.a/a....a/a.aaaa"), check_stop=check_stop)


def with_slides(found: Disassembly, slides: tuple[Slide, ...]) -> Separation:
    return replace(found.separations[0], slides=slides)


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        (lambda found: {"separations": ()}, "left together"),
        (lambda found: {"separations": found.separations * 2}, "do not lie together"),
        (lambda found: {"separations": (with_slides(found, found.separations[0].slides[-1:]),)}, "meets piece"),
        (lambda found: {"separations": (with_slides(found, found.separations[0].slides[:-1]),)}, "does not end"),
    ],
)
def test_a_wrong_way_is_found_out(change: Callable[[Disassembly], dict[str, Any]], wrong: str) -> None:
    shapes = read("aaaaa/ab..a/aaa.a")
    found = take_apart(SQUARE, shapes)
    assert error_in(shapes, found) is None
    assert wrong in (error_in(shapes, replace(found, **change(found))) or "")


@pytest.mark.parametrize("step", [(0, 1), (0, -1), (1, 0), (-1, 0)])
@pytest.mark.parametrize("gap", [1, 5, 6])
def test_a_piece_in_the_way_far_off_is_found_out(step: Cell, gap: int) -> None:
    one, other = frozenset({(0, 0)}), frozenset({tuple((gap + 1) * a for a in step)})
    goes = Disassembly((Separation((0,), (1,), (Slide((0,), step, off=True),)),))
    assert error_in((one, other), goes) == "separation 1, move 1: piece 0 meets piece 1"
    back = Disassembly((Separation((1,), (0,), (Slide((1,), step, off=True),)),))
    assert error_in((one, other), back) is None


@pytest.mark.parametrize(
    "together", [[{0, 1}], [{1, 2}], [{0, 2}], [{0, 1}, {2, 3}], [{1, 2}, {0, 3}], [{0, 2}, {1, 3}], [{0, 1, 2}], [{1, 2, 3}]]
)
def test_sets_that_may_stay_together_are_not_split(together: list[set[int]]) -> None:
    pieces = read("abcd") if {3} & set().union(*together) else read("abc")
    rest = len(pieces) - len(set().union(*together))
    found = take_apart(SQUARE, pieces, [*map(frozenset, together)])
    assert found.levels == (1,) * (len(together) + rest - 1)


@pytest.mark.parametrize(
    ("slides", "wrong"),
    [
        ([Slide((0,), (0, -1), off=True)], None),
        ([Slide((1,), (1, 0), off=True)], "separation 1: other pieces go off"),
        ([Slide((0,), (0, 3)), Slide((0,), (0, -1), off=True)], "separation 1, move 1: piece 0 meets piece 1"),
        ([Slide((0, 1, 2), (0, 1)), Slide((0,), (0, -1), off=True)], "separation 1, move 1: it moves nothing"),
        ([Slide((3,), (0, 1)), Slide((0,), (0, -1), off=True)], "separation 1, move 1: it moves nothing"),
        ([Slide((0,), (0, 0)), Slide((0,), (0, -1), off=True)], "separation 1, move 1: it moves nothing"),
        ([Slide((0,), (0, -1)), Slide((0,), (0, 1), off=True)], "separation 1, move 2: piece 0 meets piece 1"),
    ],
)
def test_a_wrong_move_is_found_out(slides: list[Slide], wrong: str | None) -> None:
    second = Separation((1,), (2,), (Slide((2,), (0, 1), off=True),))
    found = Disassembly((Separation((0,), (1, 2), tuple(slides)), second))
    assert error_in(read("abc"), found) == wrong
