"""The frontier against brute force, published counts and other ways of counting."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from brute_force import as_tiling, tilings
from following import Follower, result_of
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import instances

from tiler import formats
from tiler.ask.solve import solve
from tiler.backends.frontier import dispatch
from tiler.backends.frontier.diagram.solution_diagram import SolutionDiagram
from tiler.backends.frontier.lists.layers import Layers
from tiler.backends.frontier.shared import depth_first, order
from tiler.backends.frontier.shared.depth_first import FrontierSearch
from tiler.backends.frontier.shared.model import Model
from tiler.backends.registry import parse_spec
from tiler.cover.board import BoardCover
from tiler.errors import BadOption
from tiler.kernels import EXHAUSTED, SOLUTION, bind
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.model.shapes import parse_shape
from tiler.model.tile import Tile
from tiler.question.events import NO_EXTRAS
from tiler.question.question import Goal, Limits, Question
from tiler.question.result import Stop

PENTOMINOES = "FILNPTUVWXYZ"
COUNT, USES = Question(Goal.COUNT), Question(Goal.USES)
ENOUGH = 1 << 30


def counted(*blocks: str, reflections: bool = False, spec: str = "frontier") -> int | None:
    return solve(formats.inline(blocks, reflections=reflections), spec, COUNT).result.count


def pentominoes(board: str) -> int | None:
    return counted(board, *(f"1:{letter}" for letter in PENTOMINOES), reflections=True)


def one_sided(board: str) -> Instance:
    """The 18 one-sided pentominoes, once each."""
    tiles: dict[object, Tile] = {}
    for letter in PENTOMINOES:
        shape = parse_shape(letter)
        for name, image in ((letter, shape), (f"{letter}'", frozenset((row, -column) for row, column in shape))):
            tile = Tile(name, image, 1)
            tiles.setdefault(Instance(parse_shape(board), (tile,)).variants(tile)[0], tile)
    return Instance(parse_shape(board), tuple(tiles.values()))


#: Domino tilings of a square by its side: Kasteleyn 1961, OEIS A004003.
DOMINOES = {
    2: 2,
    4: 36,
    6: 6728,
    8: 12988816,
    10: 258584046368,
    12: 53060477521960000,
    14: 112202208776036178000000,
    16: 2444888770250892795802079170816,
}


@settings(max_examples=150)
@given(instances(max_cells=12, words=False), st.sampled_from(["axes", "diagonal", "breadth", "auto"]), st.integers(1, 5))
def test_finds_the_tilings_of_the_brute_force(instance: Instance, kind: str, limit: int) -> None:
    expected = tilings(instance)
    spec = f"frontier:order={kind}"
    assert solve(instance, spec).result.status is (Status.SAT if expected else Status.UNSAT)
    assert solve(instance, spec, COUNT).result.count == len(expected)
    every = solve(instance, spec, Question(Goal.ENUMERATE))
    assert Counter(map(as_tiling, every.solutions)) == Counter(expected)
    some = solve(instance, spec, Question(Goal.ENUMERATE, Limits(solutions=limit)))
    assert len(set(map(as_tiling, some.solutions))) == len(some.solutions) == min(limit, len(expected))
    assert set(map(as_tiling, some.solutions)) <= expected


@settings(max_examples=150)
@given(instances(max_cells=12, words=False))
def test_uses_and_draws_agree_with_the_tilings_of_the_brute_force(instance: Instance) -> None:
    expected = tilings(instance)
    cover = BoardCover.of(instance)
    result = solve(instance, "frontier", USES).result
    assert (result.count, result.status) == (len(expected), Status.SAT if expected else Status.UNSAT)
    assert result.uses is not None  # Also where no search was needed to see that there is none.
    uses = result.uses
    named = {(p.tile, p.cells): number for option, number in uses.items() for p in cover.placements([option])}
    assert named == Counter(placement for tiling in expected for placement in tiling)
    drawn = solve(instance, "frontier", Question(Goal.SAMPLE, samples=5))
    assert {as_tiling(solution) for solution in drawn.solutions} <= expected
    assert len(drawn.solutions) == (5 if expected else 0)


@settings(max_examples=100)
@given(instances(max_cells=12, words=False))
def test_counts_the_same_depth_first(instance: Instance) -> None:
    cover = BoardCover.of(instance)
    if cover.refusal() is None:
        search = FrontierSearch(Model.of(cover))
        while search.step(1000, stop_at_solutions=False) != EXHAUSTED:
            pass
        assert search.found() == solve(instance, "frontier", COUNT).result.count


@pytest.mark.parametrize(("board", "count"), [("6x10", 9356), ("5x12", 4040), ("4x15", 1472), ("3x20", 8)])
def test_pentominoes(board: str, count: int) -> None:
    assert pentominoes(board) == count


def test_one_sided_pentominoes() -> None:
    assert solve(one_sided("3x30"), "frontier", COUNT).result.count == 184


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
def test_one_sided_pentominoes_on_the_widest_board(threads: int) -> None:
    question = Question(Goal.COUNT, Limits(threads=threads))
    assert solve(one_sided("5x18"), "frontier", question).result.count == 2_746_512


def test_boards_with_holes_and_in_space() -> None:
    hole = "/".join(["xxxxxxxx"] * 3 + ["xxx..xxx"] * 2 + ["xxxxxxxx"] * 3)
    assert pentominoes(hole) == 520
    assert counted("3x3x3", *(f"1:{name}" for name in ("3L", "4L", "4S", "4T", "4branch", "4left", "4right"))) == 11520
    assert counted("2x2x3", "2") == 32


@pytest.mark.long
@pytest.mark.parametrize("side", DOMINOES)
def test_dominoes(side: int) -> None:
    assert counted(f"{side}x{side}", "2") == DOMINOES[side]


@pytest.mark.parametrize("length", [90, 91, 92, 93, 94, 185, 186, 400])
def test_counts_of_any_size(length: int) -> None:
    """Fibonacci numbers on either side of one, two and four words of 64 bits."""
    a, b = 1, 1
    for _ in range(length - 1):
        a, b = b, a + b
    assert counted(f"{length}x2", "2") == b
    assert counted(f"{length}x1", "1", "2") == b


def test_uses_of_counts_beyond_every_prime() -> None:
    """On a board of two rows the first column is one upright domino in F(n-1) of F(n) tilings."""
    uses = solve(formats.inline(["2x200", "2"]), "frontier", USES).result
    assert uses.count is not None
    assert uses.uses is not None
    assert uses.count > 1 << 128
    cover = BoardCover.of(formats.inline(["2x200", "2"]))
    upright = next(o for o in range(len(cover)) if set(cover.members[o].tolist()) == {0, 1})
    assert uses.uses[upright] == counted("2x199", "2")
    per_cell = [sum(uses.uses.get(int(option), 0) for option in cover.by_item[c]) for c in range(len(cover.cells))]
    assert set(per_cell) == {uses.count}


def test_profiles_of_several_words_and_lower_bounds() -> None:
    assert counted("1x200", "1x100", "1x50") == 5
    names = ["2", "3I", "3L", "4I", "4L", "4O", "4S", "4T", "4Z", "4J"]
    assert counted("5x4", "1..19:1", *names) == 22_056_174  # as backtracking and dancing links count them


def test_keys_of_several_words() -> None:
    tiles = [f"2:1x{n}" for n in range(1, 41)]
    instance = formats.inline(["8x2", *tiles])
    model = Model.of(BoardCover.of(instance))
    wide = model.counters.copy()
    # Spread the fields over several words, as if there were more of them.
    counted_tiles = np.flatnonzero(wide[:, 0] >= 0)
    wide[counted_tiles, 0] = np.arange(len(counted_tiles)) % 3
    spread = Model(**{**model.__dict__, "counters": wide, "key_words": 3})
    expected = 1874  # as backtracking counts them
    for each in (model, spread):
        assert result_of(dispatch._count(each, ENOUGH, threads=1)).count == expected
        for search in (
            dispatch._search(each, Question(Goal.ENUMERATE), NO_EXTRAS, ENOUGH),
            dispatch._enumerate(SolutionDiagram(each), Question(Goal.ENUMERATE), NO_EXTRAS),
        ):
            listed = Follower().follow(search)
            assert listed.result is not None
            assert listed.result.count == len(set(listed.solutions)) == len(listed.solutions) == expected


def test_repeated_tiles_are_decided_at_once() -> None:
    for tile, status in (("4L", Status.UNSAT), ("4I", Status.UNSAT), ("4T", Status.UNSAT), ("5P", Status.SAT)):
        result = solve(formats.inline(["10x10", tile]), "frontier").result
        assert (result.status, result.stop) == (status, Stop.DONE)
        assert result.nodes < 20_000
    assert counted("12x12", "3L") == 2_033_502_499_954


@pytest.mark.long
def test_thesis_instances_are_decided() -> None:
    decided = 0
    for path in sorted((Path(__file__).parents[2] / "problems").glob("*/*.txt")):
        instance = formats.read(str(path))
        if "thesis" in instance.about.tags:
            found = solve(instance, "frontier", Question(limits=Limits(seconds=20)))
            assert (path.name, found.result.status) == (path.name, instance.about.expected.verdict)
            decided += 1
    assert decided == 204


def test_the_frontier_is_kept_short() -> None:
    wide, tall = (BoardCover.of(formats.inline([board, "2"])) for board in ("30x4", "4x30"))
    for cover in (wide, tall):
        assert 4 <= order.effort(order.choose(cover), cover.neighbours) < 4 + 7.1
    # A staircase two cells wide: no axis order comes near the diagonal one.
    stairs = "/".join("." * row + "xx" + "." * (30 - row) for row in range(30))
    cover = BoardCover.of(formats.inline([stairs, "2"]))
    assert order.effort(order.choose(cover), cover.neighbours) <= order.effort(order.choose(cover, "axes"), cover.neighbours)
    assert counted(stairs, "2") == 1


def test_orders_number_every_cell_once() -> None:
    cover = BoardCover.of(formats.inline(["xx.x/x..x/.xxx", "1"]))
    for kind in ("auto", *order.KINDS):
        assert sorted(order.choose(cover, kind).tolist()) == list(range(len(cover.cells)))
    assert [cover.neighbours[c].tolist() for c in range(len(cover.cells))] == [
        [int(d) for d, b in enumerate(cover.cells) if sum(abs(x - y) for x, y in zip(a, b, strict=True)) == 1]
        for a in cover.cells
    ]


def test_filters_and_anchors_serve_too() -> None:
    blocks = ["4x15", *(f"1:{letter}" for letter in PENTOMINOES)]
    instance = formats.inline(blocks, reflections=True)
    assert solve(instance, "frontier:anchor=auto", Question(Goal.COUNT, up_to_symmetry=True)).result.count == 368
    uses = solve(instance, "frontier:filter=dead+volume", USES).result
    plain = solve(instance, "frontier", USES).result
    assert plain.uses
    assert (uses.count, uses.uses) == (plain.count, plain.uses)


def test_options_that_make_no_sense_are_refused() -> None:
    with pytest.raises(BadOption, match="unknown option 'threads'"):
        parse_spec("frontier:threads=2")
    with pytest.raises(BadOption, match="unknown option 'spill'"):
        parse_spec("frontier:spill=/tmp")
    with pytest.raises(BadOption, match="frontier: it cannot prove; these can prove: "):
        solve(formats.inline(["2x2", "2"]), "frontier", Question(Goal.PROVE))


def test_layers_that_are_kept_hold_all_states() -> None:
    model = Model.of(BoardCover.of(formats.inline(["6x6", "2"])))
    kept, dropped = Layers(model, keep=True), Layers(model)
    for each in (kept, dropped):
        for _ in each.build():
            pass
    assert (kept.total(), kept.states) == (dropped.total(), dropped.states)
    assert sum(int(np.diff(kept.lists.spans[kept.at(position)]).sum()) for position in range(37)) == kept.states


@pytest.mark.parametrize(("tiles", "words"), [(12, 1), (13, 2)])
def test_the_fields_of_a_key_lie_within_its_words(tiles: int, words: int) -> None:
    # Bounds of 20 take 5 bits each: the thirteenth would end at bit 65. A bound of 9 takes the 4 bits that are left after twelve.
    blocks = ["400x1", *(f"20:{length}x1" for length in range(1, tiles + 1)), *(["9:20x1"] if tiles == 12 else [])]
    model = Model.of(BoardCover.of(formats.inline(blocks)))
    assert model.key_words == words
    taken = []
    for word, shift, field, most, *_ in model.counters.tolist():
        assert most <= field
        taken += [(word, shift + bit) for bit in range(field.bit_length())]
    assert len(taken) == len(set(taken)) == (64 if tiles == 12 else 65)
    assert all(0 <= word < words and 0 <= bit < 64 for word, bit in taken)


def test_a_search_looks_at_its_arrays_only_where_they_have_grown(monkeypatch: pytest.MonkeyPatch) -> None:
    bound: list[Any] = []

    def noted(function: Any, *arrays: Any) -> Any:
        bound.append(function)
        return bind(function, *arrays)

    monkeypatch.setattr(depth_first, "bind", noted)
    search = FrontierSearch(Model.of(BoardCover.of(formats.inline(["4x4", "2"]))))
    while search.step(1000, True) == SOLUTION:
        pass
    assert search.found() == 36
    assert len(bound) <= 3
