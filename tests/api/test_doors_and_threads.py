"""How many threads a question may have: said at the doors, and known to every search that answers it."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from typing import Any

import pytest
from commands import call

import tiler
from tiler.apps.mathematics import series as counting
from tiler.backends.base import Backend
from tiler.cli.main import main
from tiler.process import threads
from tiler.question.question import Question

SMALL = tiler.make("4x4", "2")
#: What has a limit of seconds, but nothing to do for a second thread; and where one thread is the default.
WITHOUT, ONE = {"estimate", "prove"}, {"benchmark"}
ASKED: dict[str, Callable[[int | None], Any]] = {
    "solve": lambda number: tiler.solve(SMALL, threads=number),
    "count": lambda number: tiler.count(SMALL, threads=number),
    "tilings": lambda number: list(tiler.tilings(SMALL, limit=2, threads=number)),
    "sample": lambda number: tiler.sample(SMALL, threads=number),
    "uses": lambda number: tiler.uses(SMALL, threads=number),
    "by_open": lambda number: tiler.by_open(tiler.make("3x3", "2", open=1), threads=number),
    "unique": lambda number: tiler.unique(tiler.make("4x3", "2"), threads=number),
    "choose": lambda number: tiler.choose(tiler.make("5x3", "1:pentominoes"), pieces=3, unique=True, threads=number),
    "hint": lambda number: tiler.hint(tiler.make("4x3", "2"), threads=number),
    "rectangles": lambda number: tiler.rectangles("4L", up_to=6, threads=number),
    "plane": lambda number: tiler.plane("5X", threads=number),
}


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> set[int]:
    """How many threads the searches are told of."""
    told = set[int]()
    start = Backend.start

    def noted(self: Backend, cover: Any, question: Question, *args: Any, **kwargs: Any) -> Any:
        told.add(question.limits.threads)
        return start(self, cover, question, *args, **kwargs)

    monkeypatch.setattr(Backend, "start", noted)
    return told


@pytest.mark.parametrize("name", ASKED)
def test_every_search_is_told(name: str, known: set[int], monkeypatch: pytest.MonkeyPatch) -> None:
    ASKED[name](3)
    assert known == {3}
    known.clear()
    monkeypatch.setenv(threads.VARIABLE, "5")
    ASKED[name](None)
    assert known == {5}


def test_what_has_a_limit_of_seconds_has_threads() -> None:
    limited = {name for name in dir(tiler) if "seconds" in _arguments(getattr(tiler, name))}
    assert {name for name in limited if "threads" not in _arguments(getattr(tiler, name))} == WITHOUT
    assert limited - WITHOUT - ONE == {*ASKED, "series"}
    assert "threads" in _arguments(tiler.TilingSet.of)


def test_a_series_has_as_many(monkeypatch: pytest.MonkeyPatch) -> None:
    told = list[int]()
    made = counting.series

    def noted(*args: Any, threads: int, **kwargs: Any) -> Any:
        told.append(threads)
        return made(*args, threads=threads, **kwargs)

    monkeypatch.setattr(counting, "series", noted)
    tiler.series("3xn", "2", threads=3)
    monkeypatch.setenv(threads.VARIABLE, "5")
    assert main(["series", "3xn", "2", "--terms", "3"]) == 0
    tiler.series("3xn", "2")
    assert told == [3, 5, 5]


def _arguments(function: Any) -> set[str]:
    return set(inspect.signature(function).parameters) if inspect.isroutine(function) else set()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [((), 5), (("--threads", "3"), 3), (("--executor", "local:2"), 1), (("--executor", "local:2", "--threads", "3"), 1)],
)
def test_json_says_how_many(
    arguments: tuple[str, ...], told: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(threads.VARIABLE, "5")
    status, out, _ = call(capsys, "count", "4x4", "2", "--format", "json", *arguments)
    assert status == 0
    assert json.loads(out)["threads"] == told


@pytest.mark.parametrize("said", ["0", "two", "-1"])
def test_a_bad_number_is_refused_in_a_line(
    said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, talk = call(capsys, "count", "4x4", "2", f"--threads={said}")
    assert (status, out, talk.count("\n")) == (2, "", 1)
    monkeypatch.setenv(threads.VARIABLE, said)
    status, out, talk = call(capsys, "count", "4x4", "2")
    assert (status, out, talk.count("\n")) == (2, "", 1)
    assert threads.VARIABLE in talk
