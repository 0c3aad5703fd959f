"""Every kernel does the same as Python and compiled: answers, solutions and counters, and it can be compiled in the middle."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tiler
from tiler import formats
from tiler.apps.puzzles.apart import search as apart_search
from tiler.apps.puzzles.apart.search import take_apart
from tiler.ask.size import stochastic_enumeration
from tiler.ask.solve import solve
from tiler.backends.dlx import driver as dlx_search
from tiler.backends.fila import window_search
from tiler.backends.frontier.diagram.solution_diagram import SolutionDiagram
from tiler.backends.frontier.halves import blocks, half_counts, meet_in_the_middle, profile_graph, shared_data
from tiler.backends.frontier.lists import layers, merge_threads
from tiler.backends.frontier.shared import depth_first, symmetries
from tiler.backends.frontier.shared.model import Model
from tiler.backends.frontier.tables import exchange, hash_tables
from tiler.backends.frontier.tables.forecast import forecast
from tiler.backends.registry import parse_spec
from tiler.backends.sat.checking import rup
from tiler.cover import filters
from tiler.cover.board import BoardCover
from tiler.kernels import EXHAUSTED, Kernel, python_time
from tiler.kernels.digest import sources
from tiler.model.lattices import SQUARE
from tiler.question.question import Goal, Question

FLAT = formats.inline(["4x5", "1:5V", "5L", "2:3L"], reflections=True)
EXACT = formats.inline(["4x5", "1:5I", "1:5L", "1:5V", "1:5P"], reflections=True)
DOMINOES = formats.inline(["4x4", "2"])
SOLID = formats.inline(["2x2x3", "1:3L", "1:4T", "3L", "5L"])
LOOSE = formats.inline(["3x4", "1..3:4L", "2:3I", "2"])
UNSAT = formats.inline(["6x6", "4T"])
INSTANCES = {"flat": FLAT, "exact": EXACT, "dominoes": DOMINOES, "solid": SOLID, "loose": LOOSE, "unsat": UNSAT}
SPECS = (
    *("backtracking", "dlx", "dlx:order=first", "dlx:order=forced,volume=2", "dlx:parity=on"),
    *("fila", "fila:window=off", "fila:nof=off,window=off", "fila:order=e", "fila:order=s", "fila:order=e+f:2,nof=off"),
    *("fila:order=s+f:3", "dlx:order=cells", "dlx:order=mrv+cells:2", "fila:order=radial", "fila:handoff=3,volume=1"),
    *("fila:handoff=3,order=s", "frontier", "frontier:order=diagonal", "backtracking:filter=dead+volume"),
    *("beam:width=3,widest=12", "beam:seed=1"),
)
#: Kernels are slow as Python: each spec searches two of the instances, the next spec the next two, and with --slow all of them.
PAIRS = [
    pytest.param(spec, name, marks=[] if at % 3 == number % 3 else pytest.mark.slow)
    for number, spec in enumerate(SPECS)
    for at, name in enumerate(INSTANCES)
]
#: From how much to do on threads are started.
FEWEST = (
    *((hash_tables, "_WORTH_THREADS"), (exchange, "_FEWEST")),
    *((layers, "_WORTH_THREADS"), (merge_threads, "_FEWEST_TRANSITIONS")),
)


@pytest.fixture
def ways(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[float], None]]:
    """Sets for how many seconds kernels run as Python from now on."""
    before = python_time.seconds
    yield partial(monkeypatch.setattr, python_time, "seconds")
    python_time.seconds = before


def told(result: Any) -> tuple[Any, ...]:
    """What does not depend on clocks and memory."""
    stats = {name: value for name, value in result.stats.items() if not name.endswith(("seconds", "bytes"))}
    return result.status, result.stop, result.count, result.found, result.uses, stats


@pytest.mark.parametrize(("spec", "name"), PAIRS)
def test_searches_take_the_same_steps_both_ways(spec: str, name: str, ways: Callable[[float], None]) -> None:
    goals = (Goal.DECIDE, Goal.COUNT) if name in ("dominoes", "unsat") else (Goal.DECIDE, Goal.ENUMERATE)
    for goal in parse_spec(spec).goals.intersection(goals):
        answers = []
        for seconds in (math.inf, 0.0):
            ways(seconds)
            found = solve(INSTANCES[name], spec, Question(goal))
            answers.append((told(found.result), found.solutions))
        assert answers[0] == answers[1]


def uses() -> Any:
    return told(solve(LOOSE, "frontier", Question(Goal.USES)).result)


def drawn() -> Any:
    return solve(LOOSE, "frontier", Question(Goal.SAMPLE, samples=5, seed=1)).solutions


def made_one() -> Any:
    """The diagrams of all tilings, from tables and from lists."""
    found = []
    for suits in (hash_tables.Tables.suits, lambda model: False):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(hash_tables.Tables, "suits", suits)
            whole = SolutionDiagram(Model.of(BoardCover.of(LOOSE)))
            list(whole.build())
            found.append((whole.diagram.starts.tolist(), whole.diagram.option.tolist(), whole.diagram.target.tolist()))
    return found


def listed() -> Any:
    return solve(LOOSE, "frontier", Question(Goal.ENUMERATE)).solutions


def forecasted() -> Any:
    return forecast(Model.of(BoardCover.of(LOOSE)), pool=20)


def grown() -> Any:
    """With tables so small that they must grow."""
    deep = depth_first.FrontierSearch(Model.of(BoardCover.of(formats.inline(["4x6", "1..2:4L", "2:4T", "3:3I", "1:2"]))))
    deep._descent = deep._descent._replace(failed=deep._descent.failed[:4].copy())
    known = deep._profiles
    known.arrays = known.arrays._replace(masks=known.arrays.masks[:64].copy(), links=known.arrays.links[:64].copy())
    deep._bind()
    while deep.step(50, False) != EXHAUSTED:
        pass
    return deep.nodes(), deep.found(), deep.failed, deep.profiles


def widened() -> Any:
    """With a word more for the ways, and room for rows only if those no longer needed are moved away."""
    states = layers.Layers(Model.of(BoardCover.of(LOOSE)))
    for _ in states.build():
        if states._first_kept and states.lists.rows.shape[1] < 4:
            list(states._widen(10))  # This moves them to the front.
    return states.total(), states.lists.rows.shape, states.lists.rows.tolist()


def matched() -> Any:
    """Matchings: found or not, counted, also on tori with and without two colours, and drawn."""
    diamond, holey = (formats.inline([board, "2"]) for board in ("aztec:3", "holey:6"))
    tori = [formats.inline([board, "2"], wrap="rows columns") for board in ("4x4", "3x4")]
    asked = [
        *((instance, Goal.DECIDE) for instance in (holey, formats.inline(["xxx/x.x/xx/.xx", "2"]))),
        *((instance, Goal.COUNT) for instance in tori),
        *((instance, Goal.USES) for instance in (holey, formats.inline(["rhombus:3x4", "x.x"], lattice="hexagonal"))),
        *((instance, Goal.SAMPLE) for instance in (holey, diamond)),
    ]
    answers = [solve(instance, "matching", Question(goal, seed=3)) for instance, goal in asked]
    return [(told(answer.result), answer.solutions) for answer in answers]


def proved() -> Any:
    """That two variables cannot be made unlike all of their four pairs of values, and where a step is missing."""
    cnf = rup.read_cnf("p cnf 3 5\n1 2 0\n1 -2 0\n-1 2 3 0\n-1 -2 3 0\n-3 1 2 0\n")
    return [rup.follow(cnf, proof) for proof in ("1 0\n3 0\n-3 0\n0\n", "1 0\nd 1 2 0\n3 0\n", "-1 0\n0\n")]


def in_small_tables() -> Any:
    """That have to grow, with mirror images merged and, after a while, a word more for the ways."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hash_tables, "_BATCH", 2)
        patch.setattr(symmetries, "_FEWEST_FITS", 0)
        cover = BoardCover.of(formats.inline(["4x4", "2", "3L"]))
        model = Model.of(cover)
        states = hash_tables.Tables(model, symmetries.Symmetries.of(cover, model))
        for _ in states.build():
            if states.position > 9 and states._rows.shape[1] < 3:
                list(states._widen([]))
        return states.total(), states.states, states.transitions


def by_threads() -> Any:
    """Tables and layers."""
    with pytest.MonkeyPatch.context() as patch:
        for module, name in FEWEST:
            patch.setattr(module, name, 1)
        for module in (exchange, merge_threads):
            patch.setattr(module, "ready", lambda *kernels: None)
        found: list[Any] = []
        many = formats.inline(["4x4", "0..3:3L", "0..3:2", "0..1:3I", "1"])  # So many that a table must grow.
        for kind, instance in ((hash_tables.Tables, many), (layers.Layers, LOOSE)):
            states = kind(Model.of(BoardCover.of(instance)), threads=3)
            list(states.build())
            found.append((states.total(), states.states, states.transitions))
        return found


def in_halves() -> Any:
    """With arrays that have to grow, and mirror images merged."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(profile_graph, "_LEAST_PROFILES", 1)
        patch.setattr(blocks, "SMALL", 1)
        patch.setattr(symmetries, "_FEWEST_FITS", 0)
        cover = BoardCover.of(formats.inline(["4x5", "2..4:3L", "1..2:4L", "4:1"]))
        model = Model.of(cover)
        states = meet_in_the_middle.Halves(model, symmetries.Symmetries.of(cover, model))
        list(states.build())
        assert states.graph is not None
        again = half_counts.SliceCount(states.graph, shared_data.Slice(), 7, budget=1 << 30)  # Once more, with a given cut.
        list(again.meet())
        assert again.total == states.total()
        return states.total(), states.states, states.transitions, again.states, again.transitions


def counted_up_again() -> Any:
    """Dancing links where degrees are not kept for each level."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dlx_search, "_LEVELS_BYTES", 0)
        return told(solve(LOOSE, "dlx", Question(Goal.COUNT)).result)


def filtered() -> Any:
    cover = BoardCover.of(EXACT)
    return [each(cover).origin.tolist() for each in (filters.dead, filters.volume)]


def sampled() -> Any:
    """With room for one child at a time, and lists that have to grow."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (dlx_search, window_search):
            patch.setattr(module, "_CHILDREN", 1)
        patch.setattr(window_search, "_FIRST_ROOM", 1)
        cover = BoardCover.of(EXACT)
        trees = [parse_spec(spec).tree(cover) for spec in ("dlx", "fila")]
        return [stochastic_enumeration.levels(stochastic_enumeration.roots([tree]), random.Random(1), 9) for tree in trees]


def taken_apart() -> Any:
    """Pieces that have to get out of each other's way, with room for few positions at first, and pieces that are stuck."""
    pictures = "aaaaaa/ab...a/aaaa.a/a....a/a.aaaa", "aaaaa/ab.ca/aaa.a", "aaa/aba/aaa"
    found = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(apart_search, "_ROOM", 2)
        for picture in pictures:
            cells = [(letter, (i, j)) for i, row in enumerate(picture.split("/")) for j, letter in enumerate(row)]
            names = sorted({letter for letter, _ in cells} - {"."})
            found.append(take_apart(SQUARE, [frozenset(cell for letter, cell in cells if letter == name) for name in names]))
    assert [each.level if each.comes_apart else None for each in found] == ["4", "1.2", None]
    return found


def searched() -> Any:
    specs = ("backtracking", "dlx", "fila", "fila:order=s", "fila:handoff=3", "frontier")
    return [told(solve(EXACT, spec, Question(goal)).result) for spec in specs for goal in (Goal.DECIDE, Goal.COUNT)]


def searched_in_two_words() -> Any:
    return told(solve(formats.inline(["16x5", "5I"]), "fila:axes=yx,window=3", Question(Goal.COUNT)).result)


def divided() -> list[tuple[int, int]]:
    """A tree of which another search gets a part, by dancing links with and without their last stage too."""
    sums = []
    for made in (
        lambda cover: parse_spec("backtracking").tree(cover),
        lambda cover: dlx_search.DlxSearch(dlx_search.merged(cover)),
        lambda cover: dlx_search.DlxSearch(dlx_search.merged(cover), narrows=True),
    ):
        search: Any = made(BoardCover.of(LOOSE))
        search.step(4, False)
        other = search.twin()
        assert search.give(other)
        for each in (search, other):
            while each.step(50, False) != EXHAUSTED:
                pass
            sums.append((each.nodes(), each.found()))
    return sums


def beamed() -> Any:
    """A beam that is too narrow at first, and cells that stay open."""
    instance = formats.inline(["6x6", "1..:4T", "4L"], reflections=True, open="0..4")
    return told(solve(instance, "beam:width=1", Question()).result)


def test_every_kernel_does_the_same_both_ways(
    tmp_path: Path, ways: Callable[[float], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    cases = (
        uses,
        drawn,
        made_one,
        listed,
        forecasted,
        grown,
        widened,
        in_small_tables,
        by_threads,
        in_halves,
        sampled,
        proved,
        counted_up_again,
        filtered,
        searched,
        searched_in_two_words,
        matched,
        taken_apart,
        divided,
        beamed,
    )
    as_python: set[Kernel] = set()
    call = Kernel.as_python

    def noted(kernel: Kernel, *arguments: Any) -> Any:
        as_python.add(kernel)
        return call(kernel, *arguments)

    ways(math.inf)
    with monkeypatch.context() as patch:
        patch.setattr(Kernel, "as_python", noted)
        before = [case() for case in cases]
    ways(0.0)
    assert [case() for case in cases] == before
    package = Path(tiler.__file__).parent
    for source in sources():
        if source.stem.startswith("kernel"):
            import_module(".".join(("tiler", *source.relative_to(package).with_suffix("").parts)))
    ours = {kernel.__wrapped__ for kernel in Kernel.all if kernel.__wrapped__.__module__.startswith("tiler.")}
    assert ours <= {kernel.__wrapped__ for kernel in as_python}


class Calls:
    """Patience for so many calls."""

    def __init__(self, number: int) -> None:
        self._left = number

    @property
    def is_left(self) -> bool:
        self._left -= 1
        return self._left >= 0

    def spent(self) -> AbstractContextManager[object]:
        return np.errstate(over="ignore")

    def prolong(self, is_made: Callable[[], bool]) -> None:
        """It stays so many calls."""

    def share(self, budget: int) -> int:
        return budget


@pytest.mark.parametrize("spec", SPECS)
def test_a_search_goes_on_compiled_where_python_left_it(spec: str, ways: Callable[[float], None]) -> None:
    """Whatever call of a kernel is the first that is compiled."""
    ways(0.0)
    question = Question(Goal.ENUMERATE if Goal.ENUMERATE in parse_spec(spec).goals else Goal.DECIDE)
    expected = solve(SOLID, spec, question)
    for calls in (1, 8, 60):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("tiler.kernels.python_time", Calls(calls))
            found = solve(SOLID, spec, question)
        assert (told(found.result), found.solutions) == (told(expected.result), expected.solutions)
