"""Counting and enumerating up to symmetry."""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import inf
from typing import Any

import numpy as np
import pytest
from brute_force import as_tiling, symmetries, tilings
from brute_force import orbits as orbits_by_brute_force
from following import result_of
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import instances

from tiler import formats
from tiler.ask import planner
from tiler.ask.parts import Decomposition, Done
from tiler.ask.size import search_selection, stochastic_enumeration
from tiler.ask.solve import solve
from tiler.ask.split import parallel
from tiler.ask.symmetry import anchors, burnside, decomposition, orbits
from tiler.ask.symmetry.anchors import Anchor
from tiler.backends.dlx import Dlx
from tiler.backends.registry import parse_spec
from tiler.backends.searching import driver as driving
from tiler.backends.searching import work_sharing
from tiler.backends.searching.work_units import WorkUnit
from tiler.cover import group_action
from tiler.cover.board import BoardCover
from tiler.cover.cover import Cover
from tiler.cover.group_action import actions
from tiler.errors import BadSolution
from tiler.kernels import python_time
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.model.lattices import HEXAGONAL
from tiler.model.symmetry import group
from tiler.model.tile import Tile
from tiler.model.wrap import parse_wrap
from tiler.process import threads as process_threads
from tiler.question.events import NO_EXTRAS, Progress, RunningSearch, SearchContext
from tiler.question.plan import Way
from tiler.question.question import Goal, Limits, Question
from tiler.question.result import Stop

FREE = [f"1:{letter}" for letter in "FILNPTUVWXYZ"]
SOMA = ["1:3L", "1:4L", "1:4S", "1:4T", "1:4^", "1:4<", "1:4>"]
BEDLAM = ["1:4>", "1:L1", "1:L2", "1:L3", "1:J4", "1:S1", "1:S2", "1:T1", "1:T2", "1:V2", "1:5F", "1:5W", "1:5X"]
LESS_2X2 = "/".join(["xxxxxxxx"] * 3 + ["xxx..xxx"] * 2 + ["xxxxxxxx"] * 3)
COUNT = Question(Goal.COUNT, up_to_symmetry=True)
slow = pytest.mark.slow


@pytest.mark.parametrize(
    "shapes",
    [
        ["4x4", "2"],
        ["4x4", "2:3L", "1:2", "1..:4L"],
        ["3x4", "1..1:4L", "2"],
        ["xxxx/xxox/xoxx/xxxx", "1..1:3I", "4O", "2:2"],
        ["2x2x3", "1x1x2"],
        ["2x2x2", "2:1x1x2", "4L"],
        ["2x3x2", "1..1:3L", "1x1x3", "2"],
        ["2x2x2", "1:4<", "1:4>", "2"],  # mirrors swap two tiles
        ["3x4", "1..:4L", "4J"],  # they would swap the bounds
        ["3x4", "1..1:4L", "1..1:4J", "2"],  # no anchor for the mirrors, which take it to the other tile
    ],
)
@pytest.mark.parametrize("reflections", [False, True])
def test_sizes_of_orbits(shapes: list[str], reflections: bool) -> None:
    instance = formats.inline(shapes, reflections=reflections)
    expected = orbits_by_brute_force(instance)
    order = len(symmetries(instance))
    for spec in ("backtracking", "dlx", "fila"):
        listed = solve(instance, spec, Question(Goal.ENUMERATE, up_to_symmetry=True))
        sizes = [len(next(orbit for orbit in expected if as_tiling(solution) in orbit)) for solution in listed.solutions]
        assert sorted(sizes) == sorted(map(len, expected))
        assert all(order % size == 0 for size in sizes)
        counted = solve(instance, spec, COUNT)
        assert (counted.result.count, counted.result.symmetry) == (len(sizes), order)


@settings(max_examples=150)
@given(instances(max_cells=12, words=False), st.sampled_from(["off", "auto"]))
def test_each_orbit_once(instance: Instance, anchor: str) -> None:
    expected = orbits_by_brute_force(instance)
    spec = f"backtracking:anchor={anchor}"
    counted = solve(instance, spec, COUNT)
    assert (counted.result.count, counted.result.symmetry) == (len(expected), len(symmetries(instance)))
    listed = solve(instance, spec, Question(Goal.ENUMERATE, up_to_symmetry=True))
    found = [as_tiling(solution) for solution in listed.solutions]
    assert len(found) == listed.result.count == len(expected)
    assert {next(orbit for orbit in expected if tiling in orbit) for tiling in found} == expected


@pytest.mark.parametrize("most", [0, 2])
@pytest.mark.parametrize("shapes", [["3x20", *FREE], ["3x3x3", *SOMA], ["5x5", "1..1:X", "1:2", "1..:3L"]])
def test_many_placements_of_the_anchor_may_be_one_part(shapes: list[str], most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    instance = formats.inline(shapes, reflections=True)
    cover, backend = BoardCover.of(instance), parse_spec("dlx")
    single = decomposition.decomposed(backend, cover, Goal.COUNT)
    expected = solve(instance, backend, COUNT).result.count
    monkeypatch.setattr(anchors, "_MOST_ANCHORS", most)
    joint = decomposition.decomposed(backend, cover, Goal.COUNT)
    assert single.method == joint.method == "anchor"
    assert len(joint.parts) <= len(single.parts)
    assert solve(instance, backend, COUNT).result.count == expected


def test_nothing_touches_the_anchor_in_a_part_of_its_own() -> None:
    cover = BoardCover.of(formats.inline(["6x10", *FREE], reflections=True))
    whole = decomposition.decomposed(parse_spec("dlx"), cover, Goal.COUNT)
    assert len(whole.parts) == 8  # the X, in a quarter of its 32 places
    for part in whole.parts:
        (anchor,) = (t for t in range(len(cover.tiles)) if len(part.cover.by_tile[t]) == 1)
        (placed,) = part.cover.by_tile[anchor]
        assert part.cover.tiles[anchor].name == "X"
        assert part.cover.touching(placed).sum() == 1


@settings(max_examples=100)
@given(instances(max_cells=12, words=False))
def test_burnside_agrees(instance: Instance) -> None:
    cover, symmetries = BoardCover.of(instance), group(instance)
    turned, maps = group_action.images(cover, list(symmetries))
    parts = burnside.burnside_parts(parse_spec("backtracking"), cover, turned, maps)
    assume(parts is not None)
    whole = Decomposition(Way.BURNSIDE, len(maps), parts or (), len(maps))
    result = result_of(orbits._search_parts(whole, Question(Goal.COUNT), NO_EXTRAS))
    assert result.count == len(orbits_by_brute_force(instance))


@given(instances(max_cells=12, words=False))
def test_fixed_covers_have_the_tilings_that_stay(instance: Instance) -> None:
    cover = BoardCover.of(instance)
    expected = tilings(instance)
    symmetries = group(instance)
    for symmetry, cell_map, option_map in zip(symmetries, *group_action.images(cover, list(symmetries)), strict=True):
        fixed = burnside.fixed_covers(cover, cell_map, option_map)
        assume(fixed is not None)
        count = sum(parse_spec("dlx").solve(part, Question(Goal.COUNT)).count or 0 for part in fixed or ())
        cells = [{frozenset(cells) for _, cells in tiling} for tiling in expected]
        assert count == sum({frozenset(map(symmetry, part)) for part in tiling} == tiling for tiling in cells)


@dataclass(frozen=True)
class Wrong(Dlx):
    """Finds a tiling too many in every part."""

    name = "wrong"

    def search(self, cover: Cover, question: Question, context: SearchContext) -> RunningSearch:
        result = yield from super().search(cover, question, context)
        assert result.count is not None
        return replace(result, found=result.found + 1, count=result.count + 1)


def in_one_process() -> None:
    solve(formats.inline(["4x4", "2"]), Wrong(), COUNT)


def in_several() -> None:
    whole = decomposition.decomposed(Dlx(), BoardCover.of(formats.inline(["4x4", "2"])), Goal.COUNT)
    parallel._Totals(whole, 1, (), sums=Done(found=73)).result(Goal.COUNT, Stop.DONE)


REFUSED = "the symmetries map 73 tilings onto themselves, no multiple of 8, the group's order: please report it"


@pytest.mark.parametrize("ask", [in_one_process, in_several])
def test_a_count_that_cannot_be_right_is_refused(ask: Callable[[], None]) -> None:
    """By an error of its own, not by an assertion: so with `python -O` too."""
    with pytest.raises(BadSolution, match=REFUSED):
        ask()


@pytest.mark.parametrize(
    ("shapes", "reflections", "count", "order", "method"),
    [
        (["3x20", *FREE], True, 2, 4, "anchor"),
        (["4x15", *FREE], True, 368, 4, "anchor"),
        (["5x12", *FREE], True, 1010, 4, "anchor"),
        (["6x10", *FREE], True, 2339, 4, "anchor"),
        ([LESS_2X2, *FREE], True, 65, 8, "anchor"),
        (["3x3x3", *SOMA], False, 240, 48, "anchor"),
        (["2x3x10", *FREE], False, 12, 8, "anchor"),
        pytest.param(["2x5x6", *FREE], False, 264, 8, "anchor", marks=slow),
        pytest.param(["3x4x5", *FREE], False, 3940, 8, "anchor", marks=slow),
        pytest.param(["8x8", *FREE, "1:4O"], True, 16146, 8, "anchor", marks=slow),
        pytest.param(["4x4x4", *BEDLAM], False, 19186, 24, "anchor", marks=slow),
        # No tile is used once; the test above compares this way with the other one.
        (["4x4", "2"], False, 9, 8, "burnside"),
        (["6x6", "2"], False, 930, 8, "burnside"),
    ],
)
def test_published_counts(shapes: list[str], reflections: bool, count: int, order: int, method: str) -> None:
    answer = solve(formats.inline(shapes, reflections=reflections), "dlx", COUNT)
    assert (answer.result.count, answer.result.symmetry, answer.result.stats["method"]) == (count, order, method)


@pytest.mark.parametrize(
    ("shapes", "times"),
    [
        (["4x4", "2"], [1, 1, 2, 2, 2]),
        (["2x2x2", "2"], [1, 1, 3, 3, 6, 6, 6, 6, 8]),  # The rotations by a third keep no tiling.
    ],
)
def test_conjugate_symmetries_are_one_part(shapes: list[str], times: list[int]) -> None:
    parts = solve(formats.inline(shapes), "dlx", COUNT).result.parts
    assert parts is not None
    assert sorted(parts.times) == times


def test_limits_hold_over_all_parts() -> None:
    instance = formats.inline(["6x10", *FREE], reflections=True)
    some = solve(instance, "dlx", Question(Goal.ENUMERATE, Limits(solutions=5), up_to_symmetry=True))
    assert (len(some.solutions), some.result.stop, some.result.count) == (5, Stop.SOLUTIONS, None)
    cut = solve(instance, "dlx", Question(Goal.COUNT, Limits(nodes=1000), up_to_symmetry=True))
    assert (cut.result.stop, cut.result.count) == (Stop.NODES, None)
    assert cut.result.nodes <= 1000
    assert cut.result.status in (Status.SAT, Status.UNKNOWN)


@pytest.mark.parametrize("limit", [1, 2, 5, 10, 11, 12])
def test_limits_hold_where_every_part_has_few(limit: int) -> None:
    """Eleven tilings up to symmetry, in several parts by where the bar lies."""
    instance = formats.inline(["3x4", "1..1:3I", "2", "3L"], reflections=True)
    some = solve(instance, "dlx", Question(Goal.ENUMERATE, Limits(solutions=limit), up_to_symmetry=True))
    assert len(some.solutions) == some.result.found == min(limit, 11)
    assert some.result.stop is (Stop.SOLUTIONS if limit <= 11 else Stop.DONE)


@pytest.mark.parametrize("shapes", [["4x3", "1..1:4L", "1..1:4J", "2"], ["4x4", "1..1:4L", "1..1:4J", "2"]])
def test_no_anchor_is_a_tile_that_mirrors_take_to_another(shapes: list[str]) -> None:
    instance = formats.inline(shapes)
    expected = len(orbits_by_brute_force(instance))
    for goal in (Goal.COUNT, Goal.ENUMERATE):
        assert solve(instance, "dlx", Question(goal, up_to_symmetry=True)).result.count == expected


@pytest.mark.parametrize("spec", ["backtracking", "dlx"])
@pytest.mark.parametrize("shapes", [["3x3x3", *SOMA], ["6x6", "2"], ["6x7", "1:5X", "1..:3L", "2"]])
@pytest.mark.parametrize("goal", [Goal.COUNT, Goal.ENUMERATE])
def test_progress_only_grows_over_all_parts(spec: str, shapes: list[str], goal: Goal) -> None:
    seen = []

    def tick(progress: Progress) -> bool:
        if seen or progress != Progress():  # What comes before the search has no parts.
            seen.append(progress)
        return len(seen) < 20

    solve(formats.inline(shapes), spec, Question(goal, up_to_symmetry=True), on_solution=lambda solution: None, on_tick=tick)
    parts = [progress.fraction for progress in seen if progress.fraction is not None]
    assert len(parts) == len(seen) > 0
    assert all(0 <= part <= 1 for part in parts)
    assert parts == sorted(parts)
    assert [progress.nodes for progress in seen] == sorted(progress.nodes for progress in seen)


def test_an_interrupted_mean_says_how_many_there_are_at_least() -> None:
    instance = formats.inline(["6x6", "2"])
    result = solve(instance, "dlx", Question(Goal.COUNT, Limits(nodes=5000), up_to_symmetry=True)).result
    raw = solve(instance, "dlx", Question(Goal.COUNT, Limits(nodes=5000))).result
    assert (result.stop, result.count, result.status) == (Stop.NODES, None, Status.SAT)
    assert result.found == -(-raw.found // 8) > 1


@pytest.mark.parametrize(
    ("shapes", "goal"), [(["6x6", "2"], Goal.COUNT), (["3x3x3", *SOMA], Goal.COUNT), (["3x4", "2"], Goal.ENUMERATE)]
)
def test_whenever_it_is_stopped_it_tells_all_that_was_found(
    shapes: list[str], goal: Goal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between two parts as well, while the next one is being set up."""
    # So that all runs tick at the same nodes, and not too seldom.
    monkeypatch.setattr(time, "perf_counter", lambda: 0.0)
    monkeypatch.setattr(WorkUnit, "aim", lambda unit, took, seconds: setattr(unit, "budget", 2 * unit.budget))
    instance, seen, told = formats.inline(shapes), [], []
    question = Question(goal, up_to_symmetry=True)
    ticks = itertools.count(1)
    solve(instance, "dlx", question, on_tick=lambda progress: next(ticks) > 0)
    every = max(1, (last := next(ticks)) // 20)
    for stop in range(1, last, every):
        left = iter(range(1, stop))
        answer = solve(instance, "dlx", question, on_tick=lambda progress, left=left: next(left, None) is not None)
        assert answer.result.stop is Stop.INTERRUPTED
        assert (answer.result.status is Status.SAT) == (answer.result.found > 0)
        seen.append(answer.result.found)
        told.append(len(answer.solutions))
    assert seen == sorted(seen)
    assert seen[-1] > 1
    if goal is Goal.ENUMERATE:
        assert told == seen


def test_option_maps_are_permutations() -> None:
    cover = BoardCover.of(formats.inline(["xxo/xxx/oxx", "2", "1", "3L"]))
    _, maps = actions(cover)
    assert len(maps) == 4
    assert all(sorted(map_) == list(range(len(cover))) for map_ in maps.tolist())
    assert (cover.tile[maps] == cover.tile).all()
    assert np.array_equal(maps[0], np.arange(len(cover)))


@pytest.mark.parametrize("spec", ["backtracking", "dlx", "frontier", "auto"])
def test_tiles_that_cover_the_same_cells_of_a_wrapped_board_stay_apart(spec: str) -> None:
    board = frozenset({(-1, 2), (-1, 3), (0, 2), (1, 1)})
    tiles = (
        Tile("p0", frozenset({(0, 2), (1, 1), (2, 0), (2, 1)}), lattice=HEXAGONAL),
        Tile("p1", frozenset({(0, 1), (1, 1), (2, 0)}), at_most=1, lattice=HEXAGONAL),
        Tile("p2", frozenset({(0, 0), (0, 1), (0, 2)}), at_most=1, lattice=HEXAGONAL),
    )
    instance = Instance(board, tiles, lattice=HEXAGONAL, wrap=parse_wrap("3,1 0,3", HEXAGONAL, board))
    cover = BoardCover.of(instance)
    _, maps = actions(cover)
    assert all(sorted(map_) == list(range(len(cover))) for map_ in maps.tolist())
    assert (cover.tile[maps] == cover.tile).all()
    assert solve(instance, spec, COUNT).result.count == 1


def test_the_anchor_is_the_tile_that_leaves_the_smallest_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    cover, backend = BoardCover.of(formats.inline(["3x3x3", *SOMA])), parse_spec("dlx")
    monkeypatch.setattr(stochastic_enumeration, "_FEW_PIECES", 0)
    monkeypatch.setattr(search_selection, "_ROUNDS", (search_selection._Round(99, inf, 1 << 30, 0),))  # Then it is no estimate.
    whole = decomposition.decomposed(backend, cover, Goal.COUNT)
    nodes = {}
    for name in cover.names:
        named = decomposition.decomposed(parse_spec(f"dlx:anchor={name}"), cover, Goal.COUNT)
        if named.method == "anchor":
            nodes[name] = solve(cover.instance, f"dlx:anchor={name}", COUNT).result.nodes
    assert len(nodes) > 2
    assert nodes[whole.stats["anchor"]] == min(nodes.values())
    assert f"samples of {len(nodes)} anchors" in whole.stats["anchor_because"]


def test_an_anchor_is_chosen_alike_by_any_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    python_time.exhaust()
    monkeypatch.setattr(
        search_selection,
        "_ROUNDS",
        tuple(search_selection._Round(*each, 0) for each in ((99, inf, 8), (4, inf, 16), (2, inf, 32))),
    )
    monkeypatch.setattr(search_selection, "_LONG", 0.0)
    monkeypatch.setattr(stochastic_enumeration, "_FEW_PIECES", 0)
    monkeypatch.setattr(process_threads, "ROUND_SECONDS", 0.001)
    cover, backend = BoardCover.of(formats.inline(["3x3x3", *SOMA])), parse_spec("fila:order=auto")
    told = [decomposition.decomposed(backend, cover, Goal.COUNT, threads=threads).stats for threads in (1, 2, 8)]
    assert "samples of 5 anchors" in told[0]["anchor_because"]
    assert "in samples" in told[0]["because"]
    assert told[1:] == told[:-1]


def test_an_answer_up_to_symmetry_names_its_anchor() -> None:
    stats = solve(formats.inline(["3x3x3", *SOMA]), "fila:order=s", COUNT).result.stats
    assert (stats["anchor"], stats["anchor_because"]) == ("4S", "it has the fewest placements; 2 placements up to symmetry")
    asked = solve(formats.inline(["3x3x3", *SOMA]), "fila:order=s,anchor=4L", COUNT).result.stats
    assert (asked["anchor"], asked["anchor_because"].partition(";")[0]) == ("4L", "it was asked for")


def test_a_count_up_to_symmetry_by_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(orbits, "TINY", 10)
    answer = solve(formats.inline(["3x20", *FREE], reflections=True), "auto", COUNT).result
    assert (answer.count, answer.symmetry) == (2, 4)
    assert answer.stats["chosen"]
    assert set(answer.stats["asked"]) <= {"frontier", "fila:order=auto"}


def test_anchors_are_not_compared_while_the_frontier_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the plane it begins, and is over on a narrow board before samples would be of use."""
    thought = []
    decompose = decomposition._decomposed

    def noted(*arguments: Any, thorough: bool) -> Decomposition:
        thought.append((str(arguments[0]).partition(":")[0], thorough))
        return decompose(*arguments, thorough=thorough)

    monkeypatch.setattr(orbits, "TINY", 10)
    monkeypatch.setattr(planner, "_LEAST_SECONDS", 1e9)
    monkeypatch.setattr(decomposition, "_decomposed", noted)
    answer = solve(formats.inline(["3x20", *FREE], reflections=True), "auto", COUNT).result
    assert (answer.count, answer.stats["chosen"]) == (2, "frontier")
    assert thought == [("fila", False), ("frontier", True)]
    monkeypatch.setattr(planner, "_LEAST_SECONDS", 0.0)
    assert solve(formats.inline(["3x20", *FREE], reflections=True), "auto", COUNT).result.count == 2
    assert thought[-1] == ("fila", True)


def test_what_gains_nothing_by_an_anchor_counts_all_tilings() -> None:
    stats = solve(formats.inline(["3x20", *FREE], reflections=True), "frontier", COUNT).result.stats
    assert stats["method"] == "burnside"
    named = solve(formats.inline(["3x20", *FREE], reflections=True), "frontier:anchor=X", COUNT).result
    assert (named.count, named.stats["method"]) == (2, "anchor")


@given(instances(), st.randoms(use_true_random=False))
@settings(max_examples=30)
def test_placements_are_ranked_by_their_cells(instance: Instance, chance: random.Random) -> None:
    """As Python sorts lists: a list that begins another one comes before it, and of equal ones the first."""
    cover = BoardCover.of(instance)
    assume(len(cover) > 0)
    numbering = list(range(len(cover.items)))
    chance.shuffle(numbering)
    cells = [sorted(numbering[cell] for cell in cover.members[option].tolist()) for option in range(len(cover))]
    ranks = anchors._ranks(cover, np.array(numbering))
    assert ranks[sorted(range(len(cells)), key=cells.__getitem__)].tolist() == list(range(len(cells)))


@pytest.mark.parametrize(("spec", "looked_at"), [("frontier", 1), ("dlx", 12)])
def test_anchors_are_compared_only_where_samples_can(spec: str, looked_at: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without samples the first one, with the fewest placements, is taken."""
    listed, plain = list[int](), decomposition.anchors

    def noted(*arguments: Any) -> Iterator[Anchor]:
        for anchor in plain(*arguments):
            listed.append(anchor.tile)
            yield anchor

    monkeypatch.setattr(decomposition, "anchors", noted)
    decomposition.decomposed(parse_spec(spec), BoardCover.of(formats.inline(["3x20", *FREE], reflections=True)), Goal.COUNT)
    assert len(listed) == looked_at


@pytest.mark.parametrize("spec", ["dlx", "backtracking"])
@pytest.mark.parametrize(("problem", "orbits_"), [(["3x3x3", *SOMA], 240), (["4x4", "2:3L", "1:2", "1..:4L"], None)])
def test_answers_do_not_depend_on_the_number_of_threads(
    spec: str, problem: list[str], orbits_: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Below an anchor, and by the least of all images: tilings come in the order of one thread, so the same ones are shown."""
    for name, value in (("ROUND_SECONDS", 0.004), ("STEP_SECONDS", 0.0002)):
        monkeypatch.setattr(work_sharing, name, value)
    monkeypatch.setattr(driving, "ALONE_SECONDS", 0.0)
    instance = formats.inline(problem)
    for goal in (Goal.COUNT, Goal.ENUMERATE):
        answers = []
        for threads in (1, 3):
            answer = solve(instance, spec, Question(goal, Limits(threads=threads), up_to_symmetry=True))
            result = answer.result
            answers.append((result.count, result.found, result.nodes, result.stats, answer.solutions))
        assert answers[0] == answers[1]
        assert orbits_ in (None, answers[0][0])


@pytest.mark.parametrize("spec", ["auto", "dlx", "frontier"])
@pytest.mark.parametrize(
    ("shapes", "wrap"),
    [(["3x4", "2"], "rows columns"), (["3x4", "3L"], "rows columns"), (["4x4", "4L"], "columns")],
)
def test_a_class_of_symmetries_counts_as_all_of_them(
    shapes: list[str], wrap: str, spec: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    instance = formats.inline(shapes, wrap=wrap)
    each = solve(instance, spec, COUNT).result
    monkeypatch.setattr(group_action, "MAX_IMAGES", 0)
    together = solve(instance, spec, COUNT).result
    assert together.parts is not None
    assert max(together.parts.times) > 1
    assert together.count == each.count == len(orbits_by_brute_force(instance))


@pytest.mark.parametrize(
    "content",
    [
        "# forbid: 0,0 for 2\n\nxxxx\nxxxx\nxxxx\n\n2\n1..2:1\n",
        "# labels: a b c d\n# group: one a b\n# group: two c d\n\nooxxx\nxxxxx\nxxxoo\n\n1:3L\n1:4L\n2:3I\n1..1:4T\n",
        "# wrap: columns\n# labels: a b c d\n# group: one a b\n# group: two c d\n\nooxx\nooxx\n\n3L\n",
        "# wrap: columns\n# labels: a b c d\n# group: one a\n# group: two b c d\n\nooxx\nooxx\n\n3L\n",
    ],
)
@pytest.mark.parametrize("spec", ["dlx", "frontier"])
def test_symmetries_keep_constraints_and_groups(content: str, spec: str) -> None:
    instance = formats.parse(content)
    expected = orbits_by_brute_force(instance)
    assert len(expected) > 1
    assert solve(instance, spec, COUNT).result.count == len(expected)


def test_mirrors_of_a_wrapped_board_take_tiles_to_each_other() -> None:
    cover = BoardCover.of(formats.inline(["2x4", "4L", "4J"], wrap="columns"))
    _, maps = actions(cover)
    assert all(sorted(map_) == list(range(len(cover))) for map_ in maps.tolist())
    assert (cover.tile[maps] != cover.tile).any()
    assert (cover.tile[maps] == cover.tile).any()


def test_symmetries_of_a_wrapped_board_take_each_group_to_itself() -> None:
    instance = formats.parse("# wrap: columns\n# labels: a b c d\n# group: one a\n# group: two b c d\n\nooxx\nooxx\n\n3L\n")
    reduce = instance.wrap.reduce
    for symmetry in group(instance):
        for cells, _, _ in instance.openings:
            assert {reduce(symmetry(cell)) for cell in cells} == set(map(reduce, cells))
