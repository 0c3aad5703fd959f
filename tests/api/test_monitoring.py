"""Long questions from Python: progress is shown or told, and Ctrl-C ends them with what is known."""

from __future__ import annotations

import io
import itertools
import signal
import sys
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

import tiler
from tiler.ask import solve as asking
from tiler.question.events import Progress
from tiler.render import ticker

HARD = tiler.make("26x26", "4T", "4L")
Call = Callable[..., object]


@pytest.fixture(autouse=True)
def _ctrl_c() -> Iterator[None]:
    """As Python starts, whatever the tests were started by."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    signal.signal(signal.SIGINT, before)


def press(progress: Progress) -> None:
    signal.raise_signal(signal.SIGINT)


@pytest.mark.parametrize(
    ("ask", "known"),
    [
        (lambda how: tiler.solve(HARD, solver="backtracking", progress=how), tiler.Answer),
        (lambda how: tiler.count(HARD, solver="dlx", progress=how), tiler.Answer),
        (lambda how: tiler.count(HARD, threads=3, progress=how), tiler.Answer),
        (lambda how: tiler.solve(tiler.make("23x24", "6-03", reflections=True), threads=3, progress=how), tiler.Answer),
        (lambda how: tiler.uses(HARD, progress=how), tiler.Answer),
        (lambda how: list(tiler.tilings(HARD, solver="backtracking", progress=how)), int),
        (lambda how: tiler.TilingSet.of(HARD, progress=how), type(None)),
        (lambda how: tiler.estimate(tiler.make("8x8", "2"), solver="dlx", progress=how), type(None)),
    ],
)
def test_ctrl_c_ends_a_question_with_what_is_known(ask: Call, known: type) -> None:
    with pytest.raises(tiler.Interrupted, match="interrupted") as caught:
        ask(press)
    assert isinstance(caught.value, KeyboardInterrupt)
    assert isinstance(caught.value.answer, known)
    if known is tiler.Answer:
        assert caught.value.answer.stop == "interrupted"


def test_a_second_ctrl_c_does_not_wait() -> None:
    def twice(progress: Progress) -> None:
        press(progress)
        press(progress)

    with pytest.raises(KeyboardInterrupt) as caught:
        tiler.count(HARD, solver="dlx", progress=twice)
    assert not isinstance(caught.value, tiler.Interrupted)


def test_ctrl_c_at_the_end_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """It comes too late to end the search."""
    solve = asking.solve

    def solve_and_press(*args: Any, **kwargs: Any) -> object:
        found = solve(*args, **kwargs)
        signal.raise_signal(signal.SIGINT)
        return found

    monkeypatch.setattr(asking, "solve", solve_and_press)
    with pytest.raises(tiler.Interrupted) as caught:
        tiler.count(tiler.make("4x4", "2"))
    assert (caught.value.answer.stop, caught.value.answer.found) == ("done", 36)


def test_a_callback_is_told_and_ends_it() -> None:
    told: list[Progress] = []

    def few(progress: Progress) -> bool:
        told.append(progress)
        return len(told) < 3

    answer = tiler.solve(HARD, solver="backtracking", progress=few)
    assert (answer.stop, len(told)) == ("interrupted", 3)
    told.clear()
    with pytest.raises(tiler.Unfinished) as caught:
        tiler.count(HARD, solver="backtracking", progress=few)
    assert caught.value.stop == "interrupted"


def test_a_handler_of_somebody_else_stays() -> None:
    came: list[int] = []
    signal.signal(signal.SIGINT, lambda number, frame: came.append(number))
    assert tiler.solve(tiler.make("8x8", "2"), progress=press).status == "sat"
    assert set(came) <= {signal.SIGINT}
    signal.signal(signal.SIGINT, signal.default_int_handler)


def test_a_notebook_shows_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[dict[str, str]] = []
    handle = SimpleNamespace(update=lambda bundle, raw: shown.append(bundle))

    def display(bundle: dict[str, str], **how: Any) -> Any:
        shown.append(bundle)
        return handle

    notebook = SimpleNamespace(get_ipython=lambda: SimpleNamespace(kernel=1), display=SimpleNamespace(display=display))
    monkeypatch.setitem(sys.modules, "IPython", notebook)
    monkeypatch.setattr("sys.stderr", io.StringIO())
    clock = iter([0.0, 2.0, 4.0])
    monkeypatch.setattr(ticker.time, "perf_counter", lambda: next(clock))
    with ticker.Ticker() as line:
        for fraction in (0.1, 0.2, 0.3):
            line.show(Progress(10, 0, fraction))
    assert '<progress value="0.3000"></progress> 4.0 s: 30.00% done' in shown[1]["text/html"]
    assert shown[-1] == {"text/plain": "after 4.0 s"}  # It cannot be taken away, and must not be empty.


def test_the_pace_is_that_of_one_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where several take turns, the other one has other nodes."""
    said = io.StringIO()
    monkeypatch.setattr("sys.stderr", said)
    clock = itertools.count(0.0, 3.0)
    monkeypatch.setattr(ticker.time, "perf_counter", lambda: next(clock))
    with ticker.as_lines(), ticker.Ticker() as line:
        for progress in (
            Progress(900, where="layer 2 of 9"),
            Progress(100, 7),
            Progress(400, 8),
            Progress(50, 9),
            Progress(950, 9),
        ):
            line.show(progress)
    words = [each.partition(": ")[2].partition(": ")[2] for each in said.getvalue().splitlines()]
    assert words == ["100 nodes, 7 tilings", "400 nodes, 100/s, 8 tilings", "50 nodes, 9 tilings", "950 nodes, 300/s, 9 tilings"]


def test_a_stage_without_progress_has_no_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    said = io.StringIO()
    monkeypatch.setattr("sys.stderr", said)
    clock = itertools.count(0.0, 3.0)
    monkeypatch.setattr(ticker.time, "perf_counter", lambda: next(clock))
    with ticker.Ticker(lines_every=2.0) as line:
        line.show(Progress())
        line.show(Progress())
    assert said.getvalue() == "tiler: 3.0 s: preparing the search\n"


def pace(fractions: list[float], where: str = "") -> float | None:
    found = ticker.Pace()
    for second, fraction in enumerate(fractions):
        found.note(second, Progress(fraction=fraction, where=where))
    return found.left()


def test_a_forecast_is_made_only_where_the_pace_holds() -> None:
    steady = [second / 100 for second in range(41)]
    assert pace(steady) == pytest.approx(60)
    assert pace(steady, "layer 2 of 9") == pytest.approx(60)
    # A count by states that takes 10^24 years: 40 of 400 layers in a minute, each twice as long as the one before it.
    assert pace([0.1 * second**0.3 / 60**0.3 for second in range(60)], "layer 40 of 400") is None
    assert pace(steady[:20], "layer 2 of 9") is None  # The layers before the middle say nothing.
    assert pace([0.009 * second / 60 for second in range(60)]) is None  # A tree whose first branches end at once.
    assert pace([0.5] * 30) is None
    assert pace([1 - 0.8**second for second in range(30)]) is None
    assert pace([0.9, *steady]) == pytest.approx(60)  # Another search has taken over.
