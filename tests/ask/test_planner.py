"""Plans: who is asked about what, from when on, and why. The tables are the rules, as data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tiler import formats
from tiler.ask import planner
from tiler.ask.size import search_selection, stochastic_enumeration
from tiler.ask.solve import solve, solve_cover
from tiler.ask.symmetry import decomposition
from tiler.backends.registry import parse_spec
from tiler.cli.main import main
from tiler.cover.board import BoardCover
from tiler.cover.cover import Cover
from tiler.errors import BadOption
from tiler.model.expected import Status
from tiler.question.events import NO_EXTRAS, SearchContext
from tiler.question.plan import Candidate, Plan, Way
from tiler.question.question import Goal, Limits, Question, TallyBy

FREE = [f"1:{letter}" for letter in "FILNPTUVWXYZ"]
SOMA = ["3x3x3", "1:3L", "1:4L", "1:4S", "1:4T", "1:4^", "1:4<", "1:4>"]
DOMINOES, BARS, BOXES = ["6x6", "2"], ["6x6", "3I"], ["2x3x2", "1x1x2"]
LATTICE = "first coloring:stages=area+lattice"
DECIDE, COUNT, LIST = Question(), Question(Goal.COUNT), Question(Goal.ENUMERATE)


def board(*blocks: str) -> BoardCover:
    return BoardCover.of(formats.inline(blocks, reflections=True))


def without_reasons(told: Plan) -> list[str]:
    """Who is asked, when, for how long and in which way."""
    return [line.partition(": ")[0] for line in str(told).splitlines()]


@pytest.mark.parametrize(
    ("spec", "blocks", "question", "expected"),
    [
        (
            *("auto", BARS, DECIDE),
            [
                *(LATTICE, "dlx", "frontier, after 4.00 ms", "fila, after 20 ms"),
                *("coloring:stages=weights+probe+cases, after 1.00 s", "sat, after 1.00 s"),
            ],
        ),
        (
            *("auto", ["18x18", "3I"], DECIDE),
            [
                *(LATTICE, "dlx", "frontier, after 4.00 ms", "fila, after 20 ms", "strips, after 100 ms"),
                *("coloring:stages=weights+probe+cases, after 1.00 s", "sat, after 1.00 s", "beam:widest=800, after 200 ms"),
            ],
        ),
        (
            *("auto", BARS, COUNT),
            [LATTICE, "frontier, 2 shares of the time", "fila:order=auto, after 20 ms", "dlx, after 10 min"],
        ),
        (
            *("auto", SOMA, COUNT),
            [LATTICE, "fila:order=auto, 2 shares of the time", "frontier, after 20 ms", "dlx, after 10 min"],
        ),
        # The lattice stage hardly ever refutes so many tiles that differ.
        ("auto", ["6x10", *FREE], LIST, ["fila"]),
        ("auto", BARS, LIST, [LATTICE, "fila"]),
        # Tilings by two cells take polynomial time.
        *(
            ("auto", DOMINOES, Question(goal), ["matching"])
            for goal in Goal
            if goal not in (Goal.ENUMERATE, Goal.TALLY, Goal.PROVE)
        ),
        ("auto", DOMINOES, LIST, [LATTICE, "fila"]),
        ("auto:among=lattice+dlx", DOMINOES, DECIDE, [LATTICE, "dlx"]),
        ("auto", BARS, Question(Goal.SAMPLE), ["frontier"]),
        ("auto", BARS, Question(Goal.USES), ["frontier"]),
        (
            "auto",
            BARS,
            Question(Goal.TALLY, tally_by=(TallyBy.OPEN,)),
            ["frontier, 2 shares of the time", "fila:order=auto, after 200 ms"],
        ),
        # Every copy of large pieces is used.
        (
            *("auto", ["8x5", "1:4x5", "2:2x5"], DECIDE),
            [
                *(LATTICE, "dlx", "frontier, after 4.00 ms", "fila, after 20 ms, 4 shares of the time"),
                *("coloring:stages=weights+probe+cases, after 1.00 s", "sat, after 1.00 s"),
            ],
        ),
        # Where cells may stay open, a beam finds most tilings. By many copies it is a try.
        (
            *("auto", ["/".join(["o" * 10] * 10), "3..3:5F", "5..5:5W"], DECIDE),
            [
                *(
                    LATTICE,
                    "dlx",
                    "frontier, after 4.00 ms",
                    "fila, after 20 ms",
                    "coloring:stages=weights+probe+cases, after 3.00 s",
                ),
                *("sat, after 3.00 s", "beam, after 200 ms, 4 shares of the time"),
            ],
        ),
        (
            *("auto", ["10x10", "4I", "5X"], DECIDE),
            [
                *(LATTICE, "dlx", "frontier, after 4.00 ms", "fila, after 20 ms"),
                *(
                    "coloring:stages=weights+probe+cases, after 1.00 s",
                    "sat, after 1.00 s",
                    "beam:widest=800, after 200 ms",
                ),
            ],
        ),
        ("auto:among=dlx", ["10x10", "4I", "5X"], DECIDE, ["dlx"]),
        ("auto", BARS, Question(Goal.PROVE), ["coloring"]),
        ("auto", BARS, Question(Goal.OPTIMISE), ["auto"]),
        ("auto", ["6x10", *FREE], Question(Goal.OPTIMISE), ["cpsat"]),
        ("auto", ["20x20", "2", "3I", "3L"], Question(Goal.OPTIMISE), ["cpsat"]),  # few tiles, many choices of their copies
        ("fila:order=auto", ["6x10", *FREE], Question(Goal.OPTIMISE), ["fila:order=auto"]),
        ("auto:among=dlx", BARS, COUNT, ["dlx, after 10 min, 2 shares of the time"]),
        ("auto:among=lattice+dlx+fila", BARS, DECIDE, [LATTICE, "dlx", "fila, after 20 ms"]),
        # By the form of the board.
        ("fila:order=auto", BARS, COUNT, ["fila"]),
        ("fila:order=auto", SOMA, DECIDE, ["dlx:order=mrv+cells:6"]),
        ("fila:order=auto,nof=off", SOMA, DECIDE, ["fila:nof=off"]),
    ],
)
def test_one_search(spec: str, blocks: list[str], question: Question, expected: list[str]) -> None:
    for name in ("highspy", "pysat", "ortools"):
        pytest.importorskip(name)
    assert without_reasons(planner.plan(parse_spec(spec), board(*blocks), question)) == expected


def test_solvers_that_need_pins_for_marks_wait() -> None:
    """Making them takes longer than dancing links take for most such boards."""
    cover = BoardCover.of(formats.read(Path(__file__).parents[2] / "problems/edges/macmahon-9-3x3_s.txt"))
    found = {each.name: each.delay for each in planner.plan(parse_spec("auto"), cover, DECIDE).candidates}
    assert (found["dlx"], found["frontier"], found["fila"]) == (0, 0.1, 0.1)


def test_narrow_strips_are_tried_before_large_tables_are_made() -> None:
    large, auto, asked = board("66x66", "3L"), parse_spec("auto"), Question(limits=Limits(threads=1))

    def first(cover: BoardCover, question: Question = asked) -> str | None:
        trial = planner.first_trial(auto, cover, question, NO_EXTRAS)
        return trial and trial.solver

    assert first(large) == "strips:widest=6"
    assert (first(large, COUNT), first(board("20x20", "3L")), first(board("66x66", "9:3L", "4L"))) == ("backtracking",) * 3
    assert first(board("66x66", "2")) is None
    assert planner.first_trial(parse_spec("auto:among=lattice+dlx"), large, asked, NO_EXTRAS) is None
    assert solve(large.instance, "auto", asked, cover=large).result.stats["chosen"] == "strips:widest=6"
    # A colouring refutes what narrow strips leave open.
    refuted = solve(formats.inline(["66x66", "4T"]), "auto", asked).result
    assert (refuted.status, refuted.stats["chosen"]) == (Status.UNSAT, planner.LATTICE.solver)


@pytest.mark.parametrize(
    ("spec", "context", "expected"),
    [
        ("auto", SearchContext(traces=True), ["fila"]),
        ("auto", SearchContext(saves=True), ["fila"]),
        ("auto:among=frontier", SearchContext(saves=True), ["frontier"]),
    ],
)
def test_a_count_that_is_traced_or_saved_is_one_search(spec: str, context: SearchContext, expected: list[str]) -> None:
    assert [each.solver for each in planner.plan(parse_spec(spec), board("6x10", *FREE), COUNT, context).candidates] == expected


def test_a_part_below_an_anchor_and_what_has_no_board() -> None:
    whole = board(*BARS)
    part = whole.restrict(np.arange(len(whole)) > 0)
    assert [each.solver for each in planner.plan(parse_spec("auto"), part, COUNT).candidates] == [
        "fila:order=auto",
        "frontier",
        "dlx",
    ]
    rows = Cover.from_rows([["a", "b"], ["a"], ["b"]])
    assert [each.solver for each in planner.plan(parse_spec("auto"), rows, COUNT).candidates] == ["dlx", "sat"]
    assert solve_cover(rows, "auto", COUNT).result.count == 2


def test_nothing_of_what_may_be_asked_can() -> None:
    with pytest.raises(BadOption, match="no solver in among=sat can answer this question"):
        planner.plan(parse_spec("auto:among=sat"), board(*DOMINOES), COUNT)
    with pytest.raises(BadOption, match="no solver in among=sat can answer this question"):
        planner.split(parse_spec("auto:among=sat"), board(*DOMINOES), COUNT)


def test_rules_are_good_for_some_nodes_and_then_there_are_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    backend, cover = parse_spec("fila:order=auto"), board(*SOMA)

    def candidate(cover: BoardCover, question: Question, context: SearchContext = NO_EXTRAS) -> Candidate:
        (only,) = planner.plan(backend, cover, question, context).candidates
        return only

    trial = candidate(cover, COUNT)
    assert (trial.solver, trial.nodes, trial.stands_for) == ("dlx:order=mrv+cells:6", planner._SOON_OVER // 4, "fila:order=auto")
    assert candidate(board(*DOMINOES), COUNT).nodes == planner._SOON_OVER
    for question in (DECIDE, Question(Goal.ENUMERATE, Limits(solutions=1))):
        assert candidate(cover, question).nodes is None
    assert candidate(cover, COUNT, SearchContext(traces=True)).nodes is None
    # What cannot begin anew is not begun before samples are drawn.
    assert candidate(cover, LIST).nodes == candidate(cover, COUNT, SearchContext(saves=True)).nodes == 0
    assert planner.after_trial(candidate(cover, LIST), cover, LIST, NO_EXTRAS).because == "there are few pieces"
    monkeypatch.setattr(stochastic_enumeration, "_FEW_PIECES", 0)
    by_samples = planner.after_trial(trial, cover, COUNT, NO_EXTRAS)
    assert by_samples.nodes is None
    assert by_samples.because == "it suits the form of the board, and samples say that it ends soon"
    assert by_samples.seconds is not None
    assert 0 < by_samples.seconds < search_selection._LONG


@pytest.mark.parametrize(
    ("spec", "blocks", "question", "expected", "trial"),
    [
        ("dlx", SOMA, COUNT, "dlx", 0.3),
        ("auto", SOMA, DECIDE, "dlx", 3.0),
        ("auto", SOMA, COUNT, "dlx:order=mrv+cells:6", 3.0),
        ("auto", DOMINOES, COUNT, "fila", 3.0),
        ("auto:filter=dead", DOMINOES, LIST, "fila:filter=dead", 3.0),
        ("fila:order=auto", DOMINOES, Question(Goal.ENUMERATE, Limits(solutions=3)), "fila", 3.0),
    ],
)
def test_a_search_that_is_split(spec: str, blocks: list[str], question: Question, expected: str, trial: float) -> None:
    told = planner.split(parse_spec(spec), board(*blocks), question)
    assert ([each.solver for each in told.candidates], told.trial, told.is_split) == ([expected], trial, True)
    assert "; split among processes" in str(told)


@pytest.mark.parametrize(
    ("dimension", "searcher", "merger", "expected"),
    [
        (2, None, Way.BURNSIDE, ["b, by Burnside's lemma", "a, after 2.00 s, 2 shares of the time"]),
        (
            *(2, (Way.ANCHOR, 60), Way.BURNSIDE),
            ["b, by Burnside's lemma", "a, below an anchor, after 30 s, 2 shares of the time"],
        ),
        (2, None, Way.CANONICAL, ["a"]),
        (3, (Way.ANCHOR, 60), None, ["a, below an anchor, 2 shares of the time", "b, after 2.00 min"]),
        (3, (Way.ANCHOR, 1), Way.BURNSIDE, ["a, below an anchor, 2 shares of the time", "b, by Burnside's lemma, after 8.00 s"]),
        (3, (Way.ANCHOR, 60), Way.CANONICAL, ["a, below an anchor"]),
        (3, (Way.BURNSIDE, None), None, ["a, by Burnside's lemma", "b, after 200 ms"]),
    ],
)
def test_two_ways_take_turns(dimension: int, searcher: Any, merger: Way | None, expected: list[str]) -> None:
    way, seconds = searcher or (None, None)
    told = planner.in_turns(dimension, Candidate("a", way=way, seconds=seconds), Candidate("b", way=merger))
    assert [line.partition(", about ")[0] + line.partition(" by samples")[2] for line in without_reasons(told)] == expected


@pytest.mark.parametrize(
    ("spec", "blocks", "goal", "method", "solver"),
    [
        ("dlx", ["3x20", *FREE], Goal.COUNT, Way.ANCHOR, "dlx"),
        ("frontier", ["3x20", *FREE], Goal.COUNT, Way.BURNSIDE, "frontier"),
        ("frontier:anchor=X", ["3x20", *FREE], Goal.COUNT, Way.ANCHOR, "frontier"),
        ("fila:order=auto", SOMA, Goal.COUNT, Way.ANCHOR, "dlx:order=mrv+cells:6"),
        ("fila:order=auto", DOMINOES, Goal.COUNT, Way.BURNSIDE, "fila:order=auto"),
        ("dlx", DOMINOES, Goal.ENUMERATE, Way.CANONICAL, "dlx"),
        ("dlx", ["xxo/xoo", "1"], Goal.COUNT, Way.PLAIN, "dlx"),
    ],
)
def test_ways_up_to_symmetry(spec: str, blocks: list[str], goal: Goal, method: Way, solver: str) -> None:
    whole = decomposition.decomposed(parse_spec(spec), board(*blocks), goal)
    assert (whole.method, str(whole.parts[0].backend), whole.asked) == (method, solver, str(parse_spec(spec)))
    assert whole.candidate.solver == spec


def test_who_takes_turns_up_to_symmetry() -> None:
    question = Question(Goal.COUNT, up_to_symmetry=True)

    def asked(spec: str, context: SearchContext = NO_EXTRAS, blocks: list[str] = BARS) -> list[str]:
        return [str(each) for each in planner.rivals(parse_spec(spec), board(*blocks), question, context)]

    assert asked("auto:filter=dead", blocks=DOMINOES) == ["matching:filter=dead"]
    assert asked("auto:filter=dead") == ["fila:filter=dead,order=auto", "frontier:filter=dead"]
    assert asked("auto:among=frontier") == ["frontier"]
    assert asked("auto:among=dlx") == ["auto:among=dlx"]
    assert asked("auto", SearchContext(saves=True)) == ["auto"]
    assert asked("dlx") == ["dlx"]


@pytest.mark.parametrize("name", ["auto", "fila:order=auto"])
def test_what_leaves_the_choice_to_a_plan_does_not_search_by_itself(name: str) -> None:
    backend, cover = parse_spec(name), board(*DOMINOES)
    assert backend.delegates
    assert not any(parse_spec(each).delegates for each in ("dlx", "fila", "frontier"))
    with pytest.raises(BadOption, match=r"ask tiler\.ask\.solve"):
        backend.solve(cover, COUNT)


@pytest.mark.parametrize(
    ("question", "executor", "solvers", "ways"),
    [
        (COUNT, None, ["backtracking"], {"plain"}),
        (Question(Goal.COUNT, up_to_symmetry=True), None, ["fila:order=auto"], {"anchor"}),
        (LIST, "local:1", ["fila"], {"plain"}),
        (Question(Goal.OPTIMISE), None, ["auto"], {"plain"}),
    ],
)
def test_the_answer_has_its_plan(question: Question, executor: str | None, solvers: list[str], ways: set[str]) -> None:
    pieces = formats.inline(["4x5", *(f"1:5{name}" for name in "PLUV")], reflections=True)
    told = json.loads(json.dumps(solve(pieces, "auto", question, executor=executor).summary()))["stats"]["plan"]
    assert [each["solver"] for each in told["candidates"]] == solvers
    assert {each["way"] for each in told["candidates"]} == ways
    assert all(each["because"] not in ("", "it was asked for") for each in told["candidates"])
    assert told["is_split"] == (executor is not None)


def test_stats_print_the_plan(capsys: pytest.CaptureFixture[str]) -> None:
    main(["count", "12x12", "3I", "--stats", "--threads", "2"])
    lines = capsys.readouterr().err.splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("plan "))
    assert [" ".join(line.split()) for line in lines[first:]] == [
        "plan first backtracking: it is prepared soonest",
        "first coloring:stages=area+lattice: a colouring shows that there is no tiling",
        "frontier, 2 shares of the time, 2 threads: partial tilings that can be completed in the same ways are counted together",
        "fila:order=auto, after 20 ms, 2 threads: a tree takes no memory",
        "dlx, after 10 min, 2 threads: no other was over in ten minutes",
    ]


@pytest.mark.parametrize(
    ("goal", "threads", "expected"),
    [
        (Goal.COUNT, 8, ["frontier, 2 shares of the time, 8 threads", "fila:order=auto, after 20 ms, 8 threads"]),
        (Goal.DECIDE, 2, ["cpsat, after 500 ms", "sat, after 10 s"]),
        (Goal.DECIDE, 3, ["cpsat, after 500 ms", "sat, after 1.00 s"]),
        # Beside four that know one thread, engines among them, six threads for each of two.
        (Goal.DECIDE, 16, ["dlx, 6 threads", "frontier, after 4.00 ms", "fila, after 20 ms, 6 threads"]),
        (Goal.ENUMERATE, 2, ["fila"]),
    ],
)
def test_threads_are_shared_out(goal: Goal, threads: int, expected: list[str]) -> None:
    for name in ("highspy", "pysat", "ortools"):
        pytest.importorskip(name)
    found = planner.plan(parse_spec("auto"), board(*BARS), Question(goal, Limits(threads=threads)))
    assert set(expected) <= set(without_reasons(found))
    assert ("dlx" in without_reasons(found)) == (goal is Goal.DECIDE and threads < 16)


def test_where_cells_may_stay_open_cpsat_has_its_local_search() -> None:
    pytest.importorskip("ortools")
    cover, asked = board("/".join(["o" * 10] * 10), "3..3:5F"), Question(limits=Limits(threads=2))
    assert "cpsat:workers=2, after 3.00 s" in without_reasons(planner.plan(parse_spec("auto"), cover, asked))
    # On a calendar, one cell of each group stays open: nearly all is covered.
    calendar = formats.read("problems/calendars/a-puzzle-a-day_s.txt")
    assert "cpsat, after 500 ms" in without_reasons(planner.plan(parse_spec("auto"), BoardCover.of(calendar), asked))


def test_a_limit_of_nodes_is_for_one_thread() -> None:
    found = planner.plan(parse_spec("auto"), board(*BARS), Question(Goal.COUNT, Limits(nodes=10, threads=8)))
    assert {each.threads for each in found.candidates} == {1}
