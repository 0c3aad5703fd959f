"""Random tilings are uniform, counts by cell add up, and both commands show them."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from collections import defaultdict
from fractions import Fraction
from math import prod
from pathlib import Path
from types import SimpleNamespace

import pytest
from brute_force import tilings
from commands import call
from hypothesis import given, settings
from strategies import instances

from tiler import formats
from tiler.ask.solve import solve
from tiler.backends.frontier.diagram import arcs, solution_diagram
from tiler.backends.frontier.diagram.arcs import StatesInTables
from tiler.backends.frontier.shared.model import Model
from tiler.backends.frontier.tables.hash_tables import Tables
from tiler.cover.board import BoardCover
from tiler.model.instance import Instance
from tiler.model.lattices import CUBIC
from tiler.model.tile import Placement
from tiler.model.verify import error_in
from tiler.question.question import Goal, Question
from tiler.question.result import Stop
from tiler.render.heat_maps import Heat, image, svg, table


def draw(instance: Instance, number: int, seed: int) -> list[tuple[Placement, ...]]:
    answer = solve(instance, "frontier", Question(Goal.SAMPLE, samples=number, seed=seed))
    assert answer.result.stop is Stop.SOLUTIONS
    assert answer.result.found == number
    return list(answer.solutions)


class EveryChoice:
    """In place of a generator of random numbers: takes one way after another to choose each of them, until `is_done`."""

    def __init__(self) -> None:
        self._numbers: list[int] = []
        self._below: list[int] = []
        self._at, self.is_done = 0, False

    def randrange(self, below: int) -> int:
        if self._at == len(self._numbers):
            self._numbers.append(0)
            self._below.append(below)
        self._at += 1
        return self._numbers[self._at - 1]

    def go_on(self) -> Fraction:
        """The probability of the numbers since the last time; the next ones are others."""
        probability = Fraction(1, prod(self._below))
        while self._numbers and self._numbers[-1] + 1 == self._below[-1]:
            self._numbers.pop()
            self._below.pop()
        self._at, self.is_done = 0, not self._numbers
        if self._numbers:
            self._numbers[-1] += 1
        return probability


@pytest.mark.parametrize("in_tables", [True, False])
@pytest.mark.parametrize(
    "blocks",
    [
        ["2x5", "2"],  # no counters
        ["2x3", "2", "3L"],
        ["5x1", "1..2:2", "1"],  # both bounds
        ["2x3", "2..:2", "1"],  # a lower bound alone: the counter stays at it
        ["xxo/ooo", "2..:2", "3L"],  # optional cells
    ],
)
def test_tilings_are_equally_likely(blocks: list[str], in_tables: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exactly: by all numbers that a generator could give."""
    if not in_tables:
        monkeypatch.setattr(Tables, "suits", lambda model: False)
    choices, instance = EveryChoice(), formats.inline(blocks)
    for module in (arcs, solution_diagram):
        monkeypatch.setattr(module, "random", SimpleNamespace(Random=lambda seed: choices))
    model = Model.of(BoardCover.of(instance))
    words, diagram = StatesInTables(model, with_ways=True), solution_diagram.SolutionDiagram(model)
    states = words if in_tables else diagram
    list(states.build())
    drawing = states.drawn(0)
    likely: defaultdict[object, Fraction] = defaultdict(Fraction)
    while not choices.is_done:
        options = next(drawing)
        likely[options] += choices.go_on()
    every = len(tilings(instance))
    assert set(likely.values()) == {Fraction(1, every)}
    assert len(likely) == every


def test_the_seed_decides() -> None:
    instance = formats.inline(["6x6", "2"])
    assert draw(instance, 5, seed=1) == draw(instance, 5, seed=1)
    assert draw(instance, 5, seed=1) != draw(instance, 5, seed=2)
    assert draw(instance, 9, seed=1)[:5] == draw(instance, 5, seed=1)


def test_draws_from_more_tilings_than_fit_a_word() -> None:
    instance = formats.inline(["16x16", "2"])
    (drawn,) = draw(instance, 1, seed=5)
    assert error_in(instance, drawn) is None
    assert len(drawn) == 128


@settings(max_examples=60)
@given(instances(max_cells=12, words=False))
def test_each_cell_is_covered_in_every_tiling(instance: Instance) -> None:
    result = solve(instance, "frontier", Question(Goal.USES)).result
    cover = BoardCover.of(instance)
    uses = result.uses or {}
    for options in cover.by_item.lists():
        assert sum(uses.get(option, 0) for option in options) == result.count


def test_sample_draws_on_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = call(capsys, "sample", "2x2", "2", "-n", "2", "--seed", "1", "--solver", "frontier")
    lying, standing = (
        "┌───────┐\n│       │\n├───────┤\n│       │\n└───────┘\n",
        "┌───┬───┐\n│   │   │\n│   │   │\n│   │   │\n└───┴───┘\n",
    )
    assert (status, err) == (0, "")
    pictures, _, last = out.rpartition("\n\n")
    assert set(pictures.split("\n\n")) <= {lying.strip(), standing.strip()}
    assert last == "2 drawn at random from 2 tilings\n"
    assert call(capsys, "sample", "2x2", "2", "-n", "2", "--seed", "1", "--solver", "frontier")[1] == out


def test_sample_as_json_and_svg(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, out, _ = call(capsys, "sample", "4x4", "2", "-n", "3", "--format", "json", "--solver", "frontier")
    *lines, summary = map(json.loads, out.splitlines())
    instance = formats.inline(["4x4", "2"])
    assert (status, len(lines), summary["stop"], summary["stats"]["tilings"]) == (0, 3, "solutions", 36)
    for line in lines:
        placements = [Placement(each["tile"], frozenset(map(tuple, each["cells"]))) for each in line]
        assert error_in(instance, placements) is None
    target = tmp_path / "tiling.svg"
    assert (
        call(capsys, "sample", "4x4", "2", "-o", str(target), "--solver", "frontier")[1] == "1 drawn at random from 36 tilings\n"
    )
    ET.parse(target)


def test_sample_says_what_it_cannot_do(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(capsys, "sample", "5x3", "4O", "3L", "--reflections")[:2] == (0, "unsat: there is no tiling\n")
    status, out, err = call(capsys, "sample", "5x5", "2")
    assert (status, out.startswith("unsat: there is no tiling (area"), err) == (0, True, "")
    assert call(capsys, "sample", "4x4", "2", "--solver", "backtracking")[0] == 2
    assert call(capsys, "sample", "4x4", "2", "--up-to-symmetry")[0] == 2
    assert call(capsys, "sample", "4x4", "2", "--seed", "-1")[0] == 2
    status, out, _ = call(capsys, "sample", "26x26", "4I", "--time-limit", "100ms")
    assert (status, out) == (3, "0 drawn at random (the time limit is over)\n")


def test_count_by_cell(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    expected = "cell  2  3L\n0,0   3   2\n0,1   3   2\n1,0   3   2\n1,1   3   2\n2,0   3   2\n2,1   3   2\n"
    assert call(capsys, "count", "2x3", "2", "3L", "--by-cell") == (0, expected + "5\n", "")
    for name, begins in (("heat.svg", b"<svg"), ("heat.png", b"\x89PNG"), ("heat.txt", b"cell  2  3L")):
        target = tmp_path / name
        assert call(capsys, "count", "2x3", "2", "3L", "--by-cell", "-o", str(target)) == (0, "5\n", "")
        assert target.read_bytes().startswith(begins)
    ET.parse(tmp_path / "heat.svg")
    status, out, _ = call(capsys, "count", "2x3", "2", "3L", "--by-cell", "--format", "json")
    *cells, summary = map(json.loads, out.splitlines())
    assert (status, len(cells), summary["count"]) == (0, 6, 5)
    assert cells[0] == {"cell": [0, 0], "tilings": {"2": 3, "3L": 2}}
    assert "uses" not in summary["stats"]
    # A tile may be called as what no tile covers.
    problem = tmp_path / "problem.json"
    problem.write_text(json.dumps({"board": "3x1", "tiles": [{"name": "uncovered", "cells": "2"}]}))
    status, out, _ = call(capsys, "count", str(problem), "--open", "1", "--by-cell", "--format", "json")
    told = [{"tilings": {"uncovered": covers}, "uncovered": leaves} for covers, leaves in ((1, 1), (2, 0), (1, 1))]
    assert [json.loads(line) for line in out.splitlines()[:3]] == [{"cell": [0, n], **each} for n, each in enumerate(told)]


def test_count_by_cell_says_what_it_cannot_do(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys, "count", "3x1", "2", "--by-cell")
    assert (status, out) == (0, "cell  2\n0,0   0\n0,1   0\n0,2   0\n0\n")
    assert call(capsys, "count", "4x4", "2", "--by-cell", "--solver", "backtracking:order=rare")[0] == 2
    assert call(capsys, "count", "4x4", "2", "-o", "heat.svg")[0] == 2
    assert call(capsys, "count", "26x26", "4I", "--by-cell", "--time-limit", "100ms")[:2] == (3, "at least 0\n")


def test_heat_of_a_board_in_space_with_optional_cells() -> None:
    cells = ((0, 0, 0), (0, 0, 1), (1, 0, 0))
    heat = Heat(CUBIC, cells, ("2", ""), ((10**40, 0), (5 * 10**39, 5 * 10**39), (0, 10**40)), 10**40)
    assert table(heat).splitlines()[0].split() == ["cell", "2", "uncovered"]
    document = ET.fromstring(svg(heat, "a <title> & more"))
    squares = [node for node in document.iter() if node.tag.endswith("path") and len(node)]
    assert len(squares) == 6
    assert image(heat).startswith(b"\x89PNG")
    assert svg(Heat(CUBIC, cells, ("2",), ((0,),) * 3, 0))
