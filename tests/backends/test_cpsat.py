"""CP-SAT: the three models, and the automata of the third."""

from __future__ import annotations

import re
from itertools import product

import pytest
from engine_tests import agrees, agrees_on_fixed_instances
from hypothesis import given, settings
from hypothesis import strategies as st
from processes import SOON
from strategies import instances

from tiler import formats
from tiler.ask.solve import solve
from tiler.backends.cpsat.models import MODELS, Plane, automaton
from tiler.cover.board import BoardCover
from tiler.errors import BadOption
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.question.question import Goal, Limits, Question
from tiler.question.result import Stop

pytestmark = pytest.mark.usefixtures("engines_in_this_process")


@pytest.mark.parametrize("model", MODELS)
@settings(max_examples=8)
@given(instances(max_cells=10, words=False), st.integers(1, 4))
def test_models_agree_with_the_brute_force(model: str, instance: Instance, limit: int) -> None:
    agrees(f"cpsat:model={model}", instance, limit)


@pytest.mark.parametrize("model", MODELS)
def test_models_agree_on_fixed_instances(model: str) -> None:
    agrees_on_fixed_instances(f"cpsat:model={model}")


@pytest.mark.slow
@pytest.mark.parametrize("model", MODELS)
@settings(max_examples=150)
@given(instances(max_cells=10, words=False), st.integers(1, 4))
def test_models_agree_with_the_brute_force_at_length(model: str, instance: Instance, limit: int) -> None:
    agrees(f"cpsat:model={model}", instance, limit)


@pytest.mark.parametrize("model", MODELS)
def test_filters_and_anchors(model: str) -> None:
    instance = formats.inline(["4x5", "1:L", "1:I", "1:P", "1:V"], reflections=True)
    whole = solve(instance, question=Question(Goal.COUNT)).result.count
    assert solve(instance, f"cpsat:model={model},filter=dead+volume+parity", Question(Goal.COUNT)).result.count == whole
    symmetric = Question(Goal.COUNT, up_to_symmetry=True)
    assert solve(instance, f"cpsat:model={model},anchor=L", symmetric).result.count == (whole or 0) // 4


def test_all_solutions_are_counted() -> None:
    assert solve(formats.inline(["6x6", "2"]), "cpsat", Question(Goal.COUNT)).result.count == 6728


def test_several_workers_decide_only() -> None:
    assert solve(formats.inline(["6x6", "2"]), "cpsat:workers=2").result.status is Status.SAT
    assert solve(formats.inline(["6x6", "4L"]), "cpsat:workers=2").result.status is Status.UNSAT
    with pytest.raises(BadOption, match=re.escape("cpsat: workers=2: CP-SAT can count with one worker only")):
        solve(formats.inline(["6x6", "2"]), "cpsat:workers=2", Question(Goal.COUNT))
    with pytest.raises(BadOption, match="workers=0: it must be from 1 to 1024"):
        solve(formats.inline(["6x6", "2"]), "cpsat:workers=0")


@pytest.mark.long
def test_what_was_found_is_kept_when_it_is_stopped() -> None:
    limited = Question(Goal.COUNT, Limits(seconds=10 * SOON))  # hence in a process
    result = solve(formats.inline(["10x10", "2"]), "cpsat", limited, on_tick=lambda progress: progress.found < 9).result
    assert (result.status, result.stop, result.count) == (Status.SAT, Stop.INTERRUPTED, None)
    assert result.found >= 9


def test_sizes_and_counters() -> None:
    stats = solve(formats.inline(["6x6", "4L", "2:2"]), "cpsat").result.stats
    assert (stats["variables"], stats["constraints"]) == (140, 37)
    assert min(stats["model_seconds"], stats["engine_seconds"]) > 0


@given(st.sets(st.text("01", max_size=4), min_size=1, max_size=4))
def test_automata_accept_zeros_a_word_zeros(middles: set[str]) -> None:
    most = max(middle.count("1") for middle in middles)
    words = sorted(f"1{middle}1" for middle in middles if middle.count("1") == most)
    start, end, arcs = automaton(words)
    step = {(state, label): after for state, label, after in arcs}
    assert len(step) == len(arcs)
    for letters in product((0, 1), repeat=8):
        state: int | None = start
        for letter in letters:
            state = step.get((state, letter)) if state is not None else None
        assert (state == end) == any(re.fullmatch(f"0*{word}0*", "".join(map(str, letters))) for word in words)


@given(instances(max_cells=12, words=False))
def test_rectangles_are_the_cells_of_a_variant(instance: Instance) -> None:
    cover = BoardCover.of(instance)
    plane = Plane.of(cover, margin=0)
    for option in range(len(cover)):
        cells = [plane.number(cover.cells[cell]) for cell in cover.members[option]]
        row, column = divmod(cells[0], plane.width)
        covered = [
            (row + top + i) * plane.width + column + left + j
            for top, left, height, width in plane.rectangles(cover.variants[cover.tile[option]][cover.variant[option]])
            for i in range(height)
            for j in range(width)
        ]
        assert sorted(covered) == sorted(cells)
