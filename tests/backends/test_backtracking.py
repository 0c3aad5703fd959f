"""The compiled search does what the readable reference does, node for node."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference_backtracking import Reference
from strategies import instances

from tiler import formats
from tiler.ask.solve import solve
from tiler.backends.backtracking import Backtracking
from tiler.model.instance import Instance
from tiler.question.question import Goal, Limits, Question

ORDERS = ["default", "frequent", "rare", "fill-row"]


@settings(max_examples=100)
@given(instances(words=False), st.sampled_from(ORDERS), st.sampled_from(sorted(Backtracking.goals)))
def test_same_search_as_the_reference(instance: Instance, order: str, goal: Goal) -> None:
    question = Question(goal, Limits(nodes=20_000))
    compiled, reference = (solve(instance, backend, question) for backend in (Backtracking(order=order), Reference(order=order)))
    assert compiled.result.stats == reference.result.stats
    assert compiled.solutions == reference.solutions
    assert replace(compiled.result, solutions=(), plan=None) == replace(reference.result, solutions=(), plan=None)


@pytest.mark.parametrize("order", ORDERS)
def test_same_nodes_on_a_larger_board(order: str) -> None:
    instance = formats.inline(["11x7", "4T", "3:3I"])
    compiled, reference = (solve(instance, backend(order=order), Question(Goal.DECIDE)) for backend in (Backtracking, Reference))
    assert replace(compiled.result, plan=None) == replace(reference.result, plan=None)


@pytest.mark.slow
def test_nodes_of_6x10_are_the_fits_that_fila_must_make() -> None:
    # Busche 2018: without any restriction, ordering f along the short side fits 25,848,915 images.
    instance = formats.inline(["6x10", *(f"1:{letter}" for letter in "FILNPTUVWXYZ")], reflections=True)
    result = solve(instance, "backtracking", Question(Goal.COUNT)).result
    assert (result.count, result.nodes) == (9356, 25_848_915)
