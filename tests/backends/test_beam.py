"""The beam: all that it finds is a tiling, it never says that there is none, and if it drops nothing it finds what there is."""

from __future__ import annotations

import pytest

from tiler import formats
from tiler.ask.solve import solve
from tiler.backends.beam import Beam
from tiler.backends.beam import search as beam_search
from tiler.backends.frontier.shared.model import Model
from tiler.backends.searching.driver import drive
from tiler.cover.board import BoardCover
from tiler.kernels import EXHAUSTED, PAUSED, SOLUTION
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.question.events import NO_EXTRAS, Events, Progress
from tiler.question.question import Goal, Limits, Question
from tiler.question.result import Stop

#: The six pieces of the example in Advent of Code 2025, day 12, and how many of each go into its three regions.
PIECES = ("xxx/xx./xx.", "xxx/xx./.xx", ".xx/xxx/xx.", "xx./xxx/xx.", "xxx/x../xxx", "xxx/.x./xxx")
REGIONS = {"4x4": (0, 0, 0, 0, 2, 0), "12x5": (1, 0, 1, 0, 2, 2), "5x12": (1, 0, 1, 0, 3, 2)}


def region(board: str, copies: tuple[int, ...]) -> Instance:
    """Pieces on a board that has room to spare."""
    pieces = [f"{n}..{n}:{piece}" for n, piece in zip(copies, PIECES, strict=True) if n]
    return formats.inline([board, *pieces], reflections=True, open="0..")


#: Small boards of all kinds, on most of which cells may stay open.
SMALL = {
    "bounds": formats.inline(["5x5", "1..2:4L", "2..:3I", "0..2:2"], open="2..4"),
    "bounds that cannot be met": formats.inline(["5x4", "3..:4T", "1..2:4L"], open="0..4"),
    "open cells": formats.inline(["4x4", "1..:4T", "3L"], open="1"),
    "open cells, unsat": formats.inline(["4x4", "4..4:4T"], reflections=True),
    "marked cells": formats.inline(["oxxx/xxxx/xxxo", "2..:4S", "3I"]),
    "groups": formats.parse("# labels: a b c d e f g h\n# group: top a..d\n# group: low e..h\n\noooo\nxxxx\noooo\n\n1:4L\n3:2\n"),
    "single cells": formats.inline(["3x4", "1..2:1", "1..:4S", "3L"], open="0..1"),
    "in space": formats.inline(["3x3x2", "1..:4S", "2:4T", "3L"], open="0..3"),
    "hexagons": formats.inline(["rhombus:4x4", "1..:x.x/.x.x", "1..2:x.x.x", "1:x.x/.x"], lattice="hexagonal", open="0..2"),
    "triangles": formats.inline(["hexagon:2,2,2", "1..:.xx", "1..2:xxx"], lattice="triangular", open="0..2"),
    "in two parts": formats.inline(["xxxx..xx/xxxx..xx", "1..:4L", "2"], open="1"),
    "exact": formats.inline(["4x5", "1:5I", "1:5L", "1:5V", "1:5P"], reflections=True),
    "too little area": formats.inline(["6x6", "4T"]),
}


@pytest.mark.parametrize("name", SMALL)
def test_a_beam_that_drops_nothing_finds_a_tiling_where_there_is_one(name: str) -> None:
    there_is_one = solve(SMALL[name], "dlx").result.status is Status.SAT
    for spec in ("beam:width=100000", "beam:width=100000,seed=5"):
        answer = solve(SMALL[name], spec)
        assert answer.result.status is (Status.SAT if there_is_one else Status.UNKNOWN)
        assert len(answer.solutions) == there_is_one


def test_the_published_example() -> None:
    answers = [solve(region(board, copies), "beam") for board, copies in REGIONS.items()]
    assert [answer.result.status for answer in answers] == [Status.SAT, Status.SAT, Status.UNKNOWN]
    assert answers[2].result.stop is Stop.UNDECIDED
    assert "no state was left out, and none led to a tiling" in answers[2].result.reason
    assert solve(region("5x12", REGIONS["5x12"]), "frontier").result.status is Status.UNSAT


def test_a_beam_that_is_too_narrow_gets_wider_until_it_gives_up() -> None:
    instance = region("9x9", (2, 1, 2, 1, 2, 2))
    given_up = solve(instance, "beam:width=1,widest=1").result
    assert (given_up.status, given_up.stop, given_up.stats["passes"]) == (Status.UNKNOWN, Stop.UNDECIDED, 1)
    assert given_up.reason == "no tiling was found with 1 state at each cell"
    found = solve(instance, "beam:width=1").result
    assert found.status is Status.SAT
    assert found.stats["width"] == 2 ** (found.stats["passes"] - 1) > 1


def test_a_seed_makes_the_same_search_again_and_another_seed_another() -> None:
    packing = region("9x9", (2, 1, 2, 1, 2, 2))
    answers = [solve(packing, f"beam:seed={seed},width=20") for seed in (1, 1, 2)]
    assert all(answer.result.status is Status.SAT for answer in answers)
    first, again, other = [(answer.result.nodes, answer.solutions) for answer in answers]
    assert first == again
    assert first != other


@pytest.mark.parametrize("board", ["9x7", "7x9"])
def test_more_open_cells_and_a_turned_board_stay_as_good(board: str) -> None:
    for copies in ((1, 1, 1, 1, 1, 2), (1, 1, 1, 1, 1, 1), (0, 1, 1, 1, 1, 1)):
        assert solve(region(board, copies), "beam").result.status is Status.SAT


def searching(spec: Beam, instance: Instance, budget: int) -> beam_search.BeamSearch:
    cover = BoardCover.of(instance)
    return beam_search.BeamSearch(spec, cover, Model.of(cover), budget)


def test_memory_that_does_not_suffice_ends_the_search() -> None:
    packing = region("9x9", (2, 1, 2, 2, 2, 2))
    for budget in (1 << 10, 1 << 17):
        search = searching(Beam(), packing, budget)
        while search.step(1000) != EXHAUSTED:
            pass
        assert search.short
        assert search.verdict().startswith("the ")
    assert search.nodes() > 0
    assert search.peak <= (1 << 17) // 40  # bytes of a state, at least


def test_a_step_makes_as_many_states_as_it_may_and_changes_nothing_else() -> None:
    packing = region("9x9", (2, 1, 2, 1, 2, 2))
    outcomes = []
    for budget in (7, 10_000):
        search = searching(Beam(width=10), packing, 1 << 30)
        before, code = 0, PAUSED
        while code not in (SOLUTION, EXHAUSTED):
            code = search.step(budget)
            assert search.nodes() - before == budget or code != PAUSED
            before = search.nodes()
        outcomes.append((search.nodes(), search.chosen(), dict(search.stats())))
    assert outcomes[0] == outcomes[1]


def test_a_limit_of_nodes_ends_it_and_progress_is_told() -> None:
    result = solve(region("20x20", (10, 10, 10, 9, 9, 9)), "beam", Question(limits=Limits(nodes=3000))).result
    assert (result.status, result.stop, result.nodes) == (Status.UNKNOWN, Stop.NODES, 3000)
    search = searching(Beam(), region("20x20", (10, 10, 10, 9, 9, 9)), 1 << 30)
    with Events(drive(search, Question(), NO_EXTRAS)) as events:
        told = [event for event, _ in zip(events, range(3), strict=False)]
    assert all(isinstance(event, Progress) for event in told)
    nodes = [event.nodes for event in told if isinstance(event, Progress)]
    assert nodes == sorted(set(nodes))


@pytest.mark.parametrize("goal", [Goal.COUNT, Goal.ENUMERATE, Goal.PROVE])
def test_it_only_decides(goal: Goal) -> None:
    assert Beam().refusal(Question(goal)) == f"it cannot {goal.verb}"
