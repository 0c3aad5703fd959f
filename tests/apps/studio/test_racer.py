"""One racer in this process: its pace, what it tells, and what comes of a race, in sentences."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import tiler
from tiler.apps.studio import racer
from tiler.apps.studio.engine import document_of, instance_of
from tiler.apps.studio.message_json import read, to_json
from tiler.apps.studio.race import verdict
from tiler.apps.studio.race_messages import OrderRaceMessage, RaceAboutMessage, RacerMessage, RacerStateMessage
from tiler.apps.studio.racer import RacePace, Racer
from tiler.ask.solve import solve
from tiler.errors import TilerError

PENTOMINOES = document_of(tiler.make("6x10", "1:pentominoes"))
DOMINOES = document_of(tiler.make("4x3", "2"))
COLUMNS = tuple((row, column) for column in range(4) for row in range(3))


def in_another_thread(pace: RacePace, *change: Any) -> None:
    threading.Thread(target=pace.change, args=change).start()


def test_a_pace_waits_in_a_pause_until_there_are_steps_or_another_pace() -> None:
    pace = RacePace()
    assert pace.stride() is None
    pace.change(0, 2)
    pace.change(0)
    assert pace.stride() == 1
    paused: list[int] = []
    for _ in range(2):
        pace.wait(1, lambda: paused.append(1))
    assert paused == []
    pace.wait(1, lambda: (paused.append(2), in_another_thread(pace, 0, 1)))
    pace.wait(1, lambda: (paused.append(3), in_another_thread(pace, None)))
    assert paused == [2, 3]
    assert pace.was_slowed
    pace.change(3000)
    assert pace.stride() == 3000 // racer.PICTURES


def test_a_racer_at_full_speed_finds_what_the_solver_finds() -> None:
    told: list[RacerStateMessage] = []
    Racer(PENTOMINOES, "decide", RacerMessage("dlx"), RacePace(), told.append).search()
    last = told[-1]
    answer = solve(instance_of(PENTOMINOES), "dlx", racer.question_of("decide"))
    assert (last.state, last.status, last.found) == ("done", "sat", "1")
    assert last.nodes == answer.result.nodes
    assert sorted(cell for _, *cells in last.pieces for cell in cells) == list(range(60))
    assert last.seconds is not None
    assert read(RacerStateMessage, to_json(last)) == last


def test_a_racer_that_nobody_sees_tells_only_the_end() -> None:
    pace, told = RacePace(), list[RacerStateMessage]()
    pace.is_seen = False
    Racer(document_of(tiler.make("6x6", "2")), "count", RacerMessage("dlx"), pace, told.append).search()
    assert [(state.state, state.found) for state in told] == [("done", "6728")]


def test_step_by_step_every_node_is_told_and_the_seconds_are_those_of_full_speed() -> None:
    pace, told = RacePace(), list[RacerStateMessage]()
    pace.change(0)

    def tell(state: RacerStateMessage) -> None:
        told.append(state)
        if state.state == "paused":
            in_another_thread(pace, 0, 1)

    Racer(DOMINOES, "count", RacerMessage("backtracking", COLUMNS, "mine"), pace, tell).search()
    steps = [state.nodes for state in told if state.state == "paused"]
    assert steps == list(range(1, len(steps) + 1))
    assert [state.state for state in told[-2:]] == ["measuring", "done"]
    assert (told[-1].found, told[-1].nodes) == ("11", 40)
    assert told[-1].seconds is not None
    assert all(set(cells) <= set(range(12)) for state in told for _, *cells in state.pieces)


def test_a_problem_without_a_tiling_is_told(tmp_path: Path) -> None:
    told: list[RacerStateMessage] = []
    Racer(document_of(tiler.make("3x3", "2")), "decide", RacerMessage("fila"), RacePace(), told.append).search()
    assert (told[-1].state, told[-1].status, told[-1].pieces) == ("done", "unsat", ())


@pytest.mark.parametrize(
    ("problem", "entrant", "said"),
    [
        (DOMINOES, RacerMessage("backtracking:cells=/etc/passwd"), "there is no order '/etc/passwd'"),
        (DOMINOES, RacerMessage("backtracking", COLUMNS[1:]), "the order has 11 of the 12 cells of the board"),
        (DOMINOES, RacerMessage("backtracking", (*COLUMNS[1:], COLUMNS[1])), "or some twice"),
        (DOMINOES, RacerMessage("dlx", COLUMNS), "dlx takes no order of cells"),
        (DOMINOES, RacerMessage("frontier"), "it does not show its steps"),
        (DOMINOES, RacerMessage("dlxx"), "dlxx"),
        (document_of(tiler.make("40x40", "2")), RacerMessage("dlx"), "the board has 1,600 cells"),
        ({**DOMINOES, "tiles": []}, RacerMessage("dlx"), "there is no piece yet"),
    ],
)
def test_who_cannot_race_is_told_why(problem: dict[str, Any], entrant: RacerMessage, said: str) -> None:
    with pytest.raises(TilerError, match=said):
        Racer(problem, "decide", entrant, RacePace(), lambda state: None)


def test_what_a_page_needs_before_a_race() -> None:
    about = racer.about(DOMINOES)
    assert {order.name: order.cells[:4] for order in about.orders} == {
        "rows": (0, 1, 2, 3),
        "columns": (0, 4, 8, 1),
        "spiral": (0, 1, 2, 3),
    }
    assert {solver.name for solver in about.solvers} >= {"dlx", "fila", "backtracking"}
    assert [solver.name for solver in about.solvers if solver.takes_cells] == ["backtracking"]
    assert read(RaceAboutMessage, to_json(about)) == about
    text = racer.order_file(OrderRaceMessage(DOMINOES, COLUMNS)).text
    assert text == " 1  4  7 10\n 2  5  8 11\n 3  6  9 12\n"


def test_the_verdict_says_who_was_first_and_by_how_much() -> None:
    dlx = RacerStateMessage("dlx", "done", nodes=800, found="1", place=1, status="sat", seconds=0.008)
    fila = RacerStateMessage("fila", "done", nodes=1523, found="1", place=2, status="sat", seconds=0.004)
    slow = RacerStateMessage("backtracking", "searching", nodes=900)
    assert verdict("decide", [slow]) == ()
    assert verdict("decide", [dlx, slow])[0] == "dlx was first: it found a tiling after 800 steps."
    assert verdict("decide", [slow, fila, dlx]) == (
        "dlx was first: it found a tiling after 800 steps.",
        "fila needed 1,523 steps, 1.9 times as many.",
        "At full speed fila takes 0.004 seconds; dlx 0.008 seconds, 2.0 times as long.",
        "One race is no benchmark: on another board, or with another order of cells, another solver may be first.",
    )
    ended = replace(slow, state="ended")
    assert "backtracking was not there after 900 steps." in verdict("decide", [ended, dlx])
    assert verdict("decide", [ended]) == ("Nobody was there when the race ended.",)
    assert verdict("count", [replace(dlx, found="9356")])[0] == "dlx was first: it counted 9,356 tilings after 800 steps."
    assert verdict("count", [replace(dlx, status="unsat")])[0].startswith("dlx was first: it showed that there is no tiling")
