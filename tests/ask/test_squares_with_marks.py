"""Squares with marks, as MacMahon's, on small boards and tori, against a brute force of a few lines that shares nothing with
Tiler: a tiling is a word of four marks for every cell, clockwise from the top.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import product
from json import dumps, loads
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from commands import call

import tiler
from tiler.formats import json, tilings
from tiler.model.instance import Instance
from tiler.model.tile import Placement

WAYS = ((-1, 0), (0, 1), (1, 0), (0, -1))
Cell = tuple[int, int]
Seen = dict[Cell, tuple[str, str]]  #: for each cell the name of its tile, and the marks that are seen there
Look = frozenset[tuple[Cell, tuple[str, str]]]


class Squares(NamedTuple):
    """Tiles of one cell on a rectangle."""

    rows: int
    columns: int
    copies: dict[str, int]  #: of each tile, by its marks; no two are turns of each other
    wrap: str  #: nothing, "rows columns" or "columns"
    top: str  #: the marks that the border may have at the top; nothing: any
    mates: bool  #: whether r fits b instead of itself

    @property
    def instance(self) -> Instance:
        tiles = [f"{number}:1 [{marks}]" for marks, number in self.copies.items()]
        board = f"{self.columns}x{self.rows}"
        paint = {"border": f"{' '.join(self.top)} at top"} if self.top else {}
        return tiler.make(board, *tiles, wrap=self.wrap or None, mates="r b" if self.mates else None, **paint)

    def cells(self) -> list[Cell]:
        return list(product(range(self.rows), range(self.columns)))

    def home(self, cell: Cell) -> Cell | None:
        """The cell of the board that this one is, across the seams; None if there is none."""
        row, column = cell
        row = row % self.rows if "rows" in self.wrap else row
        column = column % self.columns if "columns" in self.wrap else column
        return (row, column) if 0 <= row < self.rows and 0 <= column < self.columns else None

    def fits(self, one: str, other: str) -> bool:
        return other == ({"r": "b", "b": "r"}.get(one, one) if self.mates else one)

    def tilings(self) -> set[Look]:
        ways = {(name, name[n:] + name[:n]) for name in self.copies for n in range(4)}
        found = set()
        for laid in product(sorted(ways), repeat=self.rows * self.columns):
            used = Counter(name for name, _ in laid)
            seen = dict(zip(self.cells(), laid, strict=True))
            if all(number <= self.copies[name] for name, number in used.items()) and self.matches(seen):
                found.add(frozenset(seen.items()))
        return found

    def matches(self, seen: Seen) -> bool:
        for (row, column), (_, marks) in seen.items():
            for number, (down, right) in enumerate(WAYS):
                beyond = self.home((row + down, column + right))
                if beyond is None:
                    if self.top and number == 0 and marks[0] not in self.top:
                        return False
                elif not self.fits(marks[number], seen[beyond][1][(number + 2) % 4]):
                    return False
        return True

    def orbits(self, every: set[Look]) -> set[frozenset[Look]]:
        maps = list(self.maps())
        return {frozenset(image(tiling) for image in maps) for tiling in every}

    def maps(self) -> Iterator[_Map]:
        """The maps of the board to itself that keep the set of tiles and the border."""
        cells = set(self.cells())
        for turn, mirrored in product(range(4), (False, True)):
            renamed = {name: _same(_turned(name, turn, mirrored=mirrored), self.copies) for name in self.copies}
            if any(new is None or self.copies[new] != self.copies[name] for name, new in renamed.items()):
                continue
            moves = product(range(-3, 4), repeat=2)
            maps = (_Map(self, turn, mirrored, move, renamed) for move in moves)
            seen = set()
            for each in maps:
                to = {cell: each.cell(cell) for cell in self.cells()}
                key = tuple(to.items())
                if set(to.values()) == cells and key not in seen and each.keeps():
                    seen.add(key)
                    yield each


def _turned(marks: str, turn: int, *, mirrored: bool) -> str:
    """The marks after a mirror that swaps left and right, and then some quarter turns clockwise."""
    marks = marks[0] + marks[3] + marks[2] + marks[1] if mirrored else marks
    return marks[-turn:] + marks[:-turn] if turn else marks


def _same(marks: str, names: dict[str, int]) -> str | None:
    return next((name for name in names if marks in {name[n:] + name[:n] for n in range(4)}), None)


class _Map(NamedTuple):
    of: Squares
    turn: int
    mirrored: bool
    move: Cell
    renamed: dict[str, str | None]

    def way(self, step: Cell) -> Cell:
        row, column = step
        column = -column if self.mirrored else column
        for _ in range(self.turn):
            row, column = column, -row
        return row, column

    def cell(self, cell: Cell) -> Cell | None:
        row, column = self.way(cell)
        return self.of.home((row + self.move[0], column + self.move[1]))

    def keeps(self) -> bool:
        """Whether steps from cell to cell stay such steps, and the border at the top stays there."""
        for row, column in self.of.cells():
            here = self.cell((row, column))
            assert here is not None
            for step in WAYS:
                beyond, (down, right) = self.of.home((row + step[0], column + step[1])), self.way(step)
                there = self.of.home((here[0] + down, here[1] + right))
                if (beyond is None) != (there is None) or (beyond is not None and self.cell(beyond) != there):
                    return False
                if beyond is None and self.of.top and (step == WAYS[0]) != ((down, right) == WAYS[0]):
                    return False
        return True

    def __call__(self, tiling: Look) -> Look:
        return frozenset(
            (self.cell(cell), (self.renamed[name], _turned(marks, self.turn, mirrored=self.mirrored)))
            for cell, (name, marks) in tiling
        )


def check_stop(placements: Iterable[Placement]) -> Look:
    found: Seen = {}
    for tile, (cell,), coat in ((each.tile, each.cells, each.coat) for each in placements):
        marks = {tuple(b - a for a, b in zip(*side, strict=True)): mark for side, mark in coat.marks}
        found[cell] = (tile, "".join(marks[way] for way in WAYS))
    return frozenset(found.items())


def drawn(seed: int) -> Squares:
    chance = Random(seed)
    rows, columns = chance.choice([(1, 1), (1, 2), (2, 2), (1, 3), (2, 1), (2, 2)])
    copies: dict[str, int] = {}
    while len(copies) < chance.randint(1, 3):
        marks = "".join(chance.choice("rgb"[: chance.choice([2, 2, 3])]) for _ in range(4))
        if _same(marks, copies) is None:
            copies[marks] = chance.choice([1, rows * columns])
    wrap = chance.choice(["", "", "rows columns", "columns"])
    top = chance.choice(["", "", "rg"]) if not wrap else ""
    return Squares(rows, columns, copies, wrap, top, chance.random() < 0.3)


DRAWN = {seed: drawn(seed) for seed in range(30) if seed != 27}  # which has 160 tilings, more than all others
each_drawn = pytest.mark.parametrize("squares", DRAWN.values(), ids=map(str, DRAWN))


def test_what_is_drawn() -> None:
    orbits = [squares.orbits(squares.tilings()) for squares in DRAWN.values()]
    assert sum(len(each) > 1 for each in orbits) > 9  # which all lie on the same cells
    assert sum(any(len(orbit) > 1 for orbit in each) for each in orbits) > 9
    assert sum(len(each) == 1 for each in orbits) > 1


@each_drawn
def test_counts_and_lists(squares: Squares) -> None:
    every = squares.tilings()
    assert {check_stop(each.placements) for each in tiler.tilings(squares.instance)} == every
    assert tiler.count(squares.instance, up_to_symmetry=True) == len(squares.orbits(every))


@each_drawn
def test_what_is_listed_is_checked(squares: Squares, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    orbits = squares.orbits(squares.tilings())
    if not orbits:
        return
    problem, listed = str(tmp_path / "p.json"), tmp_path / "s.json"
    Path(problem).write_text(json.write(squares.instance))
    assert ("not unique" in "".join(call(capsys, "solve", problem, "--unique")[1:])) is (len(orbits) > 1)
    for more in ([], ["--up-to-symmetry"]):
        assert call(capsys, "solve", problem, "--all", *more, "-o", str(listed))[0] == 0
        assert call(capsys, "check", problem, str(listed))[0] == 0
    # An image of the last tiling, which is another tiling, is found out.
    *lines, answer = listed.read_text().splitlines()
    told = loads(answer)
    assert told["count"] == len(lines) == len(orbits)
    ((_, last),) = tilings.read(lines[-1], "")
    (orbit,) = (each for each in orbits if check_stop(last) in each)
    image = next((each for each in tiler.tilings(squares.instance) if check_stop(each) in orbit - {check_stop(last)}), None)
    if image is not None:
        listed.write_text("\n".join([*lines, tilings.line(image), dumps({**told, "count": len(lines) + 1}), ""]))
        status, out, _ = call(capsys, "check", problem, str(listed))
        assert status == 4
        assert f"s.json:{len(lines) + 1}: up to symmetry it is the same tiling as in line {len(lines)}\n" in out


@each_drawn
def test_chosen_sets(squares: Squares) -> None:
    sets: dict[tuple[int, ...], set[Look]] = {}
    for tiling in squares.tilings():
        used = Counter(name for _, (name, _) in tiling)
        sets.setdefault(tuple(used[name] for name in squares.copies), set()).add(tiling)
    for unique in (False, True):
        expected = {}
        for copies, tilings_of_set in sets.items():
            alone = squares._replace(copies={name: n for name, n in zip(squares.copies, copies, strict=True) if n})
            if not unique or len(alone.orbits(tilings_of_set)) == 1:
                expected[copies] = len(tilings_of_set)
        found = tiler.choose(squares.instance, unique=unique)
        assert {tuple(map(each.pieces.count, squares.copies)): each.tilings for each in found} == expected


@each_drawn
def test_the_set_of_all(squares: Squares, tmp_path: Path) -> None:
    whole = tiler.TilingSet.of(squares.instance)
    listed = [check_stop(each) for each in whole]
    assert set(listed) == squares.tilings()
    assert len(listed) == whole.count
    for number, tiling in enumerate(whole):
        assert (whole.index(tiling), tiling in whole) == (number, True)
    ways = sorted({placement for tiling in whole for placement in tiling}, key=str)
    for placement in ways[:: max(1, len(ways) // 5)]:
        (part,) = check_stop([placement])
        with_it, without = whole.including(placement), whole.excluding(placement)
        assert [check_stop(each) for each in with_it] == [each for each in listed if part in each]
        assert [check_stop(each) for each in without] == [each for each in listed if part not in each]
        assert [tiling in with_it for tiling in whole] == [part in each for each in listed]
        assert {check_stop(each) for each in with_it.sample(3)} <= {each for each in listed if part in each}
    for each in (whole, whole.excluding(*ways)):
        each.save(tmp_path / "all.tilings")
        again = tiler.TilingSet.load(tmp_path / "all.tilings")
        assert again == each
        assert list(again) == list(each)
