"""Diagrams made layer by layer: nodes with the same arcs become one, whatever codes say, and paths are counted exactly."""

from __future__ import annotations

import numpy as np
import pytest

from tiler.cover import building
from tiler.cover.building import Building
from tiler.cover.diagram import Diagram
from tiler.cover.uses import uses
from tiler.process.look import Stopped

Layer = list[list[tuple[int, int]]]


def add(made: Building, layer: Layer) -> list[int]:
    """A layer of nodes, each with its arcs: option, and the node that it leads to."""
    arcs = [arc for node in layer for arc in node]
    option, target = (np.array([arc[side] for arc in arcs], np.int32) for side in (0, 1))
    numbers: list[int] = made.layer(np.array([len(node) for node in layer], np.int64), option, target).tolist()
    return numbers


def test_nodes_with_the_same_arcs_become_one(monkeypatch: pytest.MonkeyPatch) -> None:
    layer: Layer = [[(1, 0)], [(2, 0)], [(1, 0), (2, 0)], [(2, 0)], [(1, 0)], [(1, 0), (3, 0)], [(1, 0), (2, 0)]]
    made = Building()
    a, b, c, b_again, a_again, d, c_again = add(made, layer)
    assert (a, b, c) == (a_again, b_again, c_again)
    assert sorted([a, b, c, d]) == [1, 2, 3, 4]
    # Where all codes are equal, none is taken for another that has other arcs.
    monkeypatch.setattr(building, "_mixed", lambda to, options: np.zeros(len(to), np.uint64))
    equal = Building()
    a, b, *_, c_again = numbers = add(equal, layer)
    assert a == numbers[4] != b
    assert len(set(numbers)) == equal.nodes - 1
    assert add(equal, [[(0, c_again), (9, b)]]) == [equal.nodes - 1]
    assert list(equal.diagram().solutions()) == [(0, 1), (0, 2), (9, 2)]


def test_layers_without_nodes_and_looks_meanwhile() -> None:
    made, looks = Building(), 0

    def look() -> None:
        nonlocal looks
        looks += 1
        if looks == 8:
            raise Stopped("interrupted")

    assert add(made, []) == []
    assert add(made, [[(0, 0)]]) == [1]
    assert made.diagram().layers.tolist() == [0, 1, 1, 2]
    stopped = Building(look)
    for _ in range(2):
        add(stopped, [[(0, 0)]])
    with pytest.raises(Stopped):
        add(stopped, [[(0, 0)]])
    assert looks == 8


def full(options: int) -> Diagram:
    """A diagram with 2**options paths: all but one of them go through the second arc of the root."""
    made, node = Building(), 0
    for number in range(2, 2 * options, 2):
        (node,) = add(made, [[(0, 0), (number, node), (number + 1, node)]])
    add(made, [[(0, 0), (1, node)]])
    return made.diagram()


@pytest.mark.parametrize("options", [1, 31, 32, 33, 63, 64, 65, 200])
def test_paths_are_counted_on_either_side_of_a_word(options: int) -> None:
    """A carry goes through all of the words at the last addition."""
    every = full(options)
    assert every.total == 1 << options
    last = every.total - 1
    assert every.number_of(every.solution(last)) == last
    assert list(every.solutions(last)) == [every.solution(last)]
    found = uses(every)
    assert found[1] == every.total - 1
    assert found.get(3) == (1 << options - 2 if options > 1 else None)


def test_uses_are_those_of_all_paths() -> None:
    every = full(6)
    listed = list(every.solutions())
    assert listed == [every.solution(number) for number in range(every.total)]
    assert len(set(listed)) == len(listed) == 64
    for option, number in uses(every).items():
        assert number == sum(option in solution for solution in listed)
    assert uses(Diagram.empty(3)) == {}
    assert list(Diagram.empty(3).solutions()) == []
