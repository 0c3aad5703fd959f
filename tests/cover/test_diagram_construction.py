"""Diagrams made layer by layer: nodes with the same arcs become one, whatever codes say, and paths are counted exactly."""

from __future__ import annotations

import numpy as np
import pytest

from tiler.cover import diagram_construction, kernel_diagram
from tiler.cover.diagram import Diagram
from tiler.cover.diagram_construction import DiagramBuilder
from tiler.cover.diagram_operations import option_counts
from tiler.kernels import python_time
from tiler.process.cancellation import Stopped

Layer = list[list[tuple[int, int]]]


def add(made: DiagramBuilder, layer: Layer) -> list[int]:
    """A layer of nodes, each with its arcs: option, and the node that it leads to."""
    arcs = np.array([(node, *arc) for node, several in enumerate(layer) for arc in several], np.int32).reshape(-1, 3)
    numbers: list[int] = made.layer(len(layer), [arcs[:2], arcs[2:]]).tolist()
    return numbers


def test_nodes_with_the_same_arcs_become_one(monkeypatch: pytest.MonkeyPatch) -> None:
    layer: Layer = [[(1, 0)], [(2, 0)], [(1, 0), (2, 0)], [(2, 0)], [(1, 0)], [(1, 0), (3, 0)], [(1, 0), (2, 0)]]
    made = DiagramBuilder()
    a, b, c, b_again, a_again, d, c_again = add(made, layer)
    assert (a, b, c) == (a_again, b_again, c_again)
    assert sorted([a, b, c, d]) == [1, 2, 3, 4]
    # In any order of the arcs, in pauses after every one, and where all codes are equal.
    monkeypatch.setattr(python_time, "seconds", 1000.0)
    monkeypatch.setattr(diagram_construction, "_STEPS", 1)
    monkeypatch.setattr(kernel_diagram, "mixed", lambda option, target: np.uint64(0))
    equal = DiagramBuilder()
    assert add(equal, [arcs[::-1] for arcs in layer]) == [a, b, c, b, a, d, c]
    assert equal.arcs == made.arcs == 6
    assert add(equal, [[(9, b), (0, c)], []]) == [equal.nodes - 1, -1]
    assert list(equal.diagram().solutions()) == [(0, 1), (0, 2), (9, 2)]


def test_layers_without_nodes_and_looks_meanwhile() -> None:
    made, looks = DiagramBuilder(), 0

    def check_stop() -> None:
        nonlocal looks
        looks += 1
        if looks == 10:
            raise Stopped("interrupted")

    assert add(made, []) == []
    assert add(made, [[(0, 0)]]) == [1]
    assert made.diagram().layers.tolist() == [0, 1, 1, 2]
    stopped = DiagramBuilder(check_stop)
    for _ in range(2):
        add(stopped, [[(0, 0)]])
    with pytest.raises(Stopped):
        add(stopped, [[(0, 0)]])
    assert looks == 10


def full(options: int) -> Diagram:
    """A diagram with 2**options paths: all but one of them go through the second arc of the root."""
    made, node = DiagramBuilder(), 0
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
    found = option_counts(every)
    assert found[1] == every.total - 1
    assert found.get(3) == (1 << options - 2 if options > 1 else None)


@pytest.mark.parametrize("seconds", [0.0, 1000.0], ids=["compiled", "as Python"])
def test_uses_are_those_of_all_paths(seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(python_time, "seconds", seconds)
    every = full(6)
    listed = list(every.solutions())
    assert listed == [every.solution(number) for number in range(every.total)]
    assert len(set(listed)) == len(listed) == 64
    for option, number in option_counts(every).items():
        assert number == sum(option in solution for solution in listed)
    assert option_counts(Diagram.empty(3)) == {}
    assert list(Diagram.empty(3).solutions()) == []
