"""Calls made by several threads at once, and how many threads there may be."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import NoReturn

import pytest

from tiler.errors import BadOption
from tiler.process import threads


def test_calls_are_made_at_the_same_time() -> None:
    met = threading.Barrier(3, timeout=30)
    assert sorted(threads.together([met.wait] * 3)) == [0, 1, 2]
    assert threads.together([]) == []


def test_an_error_is_raised_once_all_calls_are_over() -> None:
    over = list[int]()
    go_on = threading.Event()

    def fail() -> NoReturn:
        go_on.set()
        raise MemoryError("full")

    def end() -> None:
        go_on.wait(30)
        over.append(1)

    with pytest.raises(MemoryError, match="full"):
        threads.together([fail, end, end])
    assert over == [1, 1]


def test_ctrl_c_waits_for_the_calls() -> None:
    over = list[int]()

    def interrupt() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        threads.together([interrupt, lambda: over.append(1)])
    assert over == [1]


def test_ctrl_c_while_a_thread_is_started_waits_for_a_call_that_has_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    over, begun, start = list[int](), threading.Event(), threading.Thread.start

    def interrupted(self: threading.Thread) -> NoReturn:
        start(self)
        begun.wait(30)
        raise KeyboardInterrupt

    def call() -> None:
        begun.set()
        over.append(1)

    monkeypatch.setattr(threads.Thread, "start", interrupted)
    with pytest.raises(KeyboardInterrupt):
        threads.together([call, call, call])
    assert over == [1]


def test_ctrl_c_while_a_thread_is_started_calls_off_what_has_not_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    over, late = list[int](), list[threading.Thread]()

    def interrupted(self: threading.Thread) -> NoReturn:
        late.append(self)
        raise KeyboardInterrupt

    monkeypatch.setattr(threads.Thread, "start", interrupted)
    with pytest.raises(KeyboardInterrupt):
        threads.together([lambda: over.append(0), lambda: over.append(1)])
    monkeypatch.undo()
    for thread in late:
        thread.start()
        thread.join()
    assert over == []


def test_no_thread_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    class Late(threading.Thread):
        """A thread that takes some time to end after its call."""

        def run(self) -> None:
            super().run()
            sum(range(3_000_000))

    monkeypatch.setattr(threads, "Thread", Late)
    assert threads.together([lambda: 1, lambda: 2]) == [1, 2]
    assert [each.name for each in threading.enumerate() if each.name.startswith(threads.NAME)] == []


def test_a_call_without_a_thread_is_made_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: threading.Thread) -> NoReturn:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threads.Thread, "start", refuse)
    assert threads.together([lambda: 1, lambda: 2, lambda: 3]) == [1, 2, 3]


@pytest.mark.parametrize("said", ["0", "-1", "two", "1.5"])
def test_the_environment_must_say_a_number(monkeypatch: pytest.MonkeyPatch, said: str) -> None:
    monkeypatch.setenv(threads.VARIABLE, said)
    with pytest.raises(BadOption, match=threads.VARIABLE):
        threads.default_threads()


def test_the_environment_says_how_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(threads.VARIABLE, "7")
    assert threads.default_threads() == 7
    monkeypatch.setenv(threads.VARIABLE, "")
    assert threads.default_threads() == threads.cores() <= (os.cpu_count() or 1)


@pytest.mark.parametrize(
    ("told", "files", "quotas"),
    [
        ("0::/a/b\n", {"a/b/cpu.max": "150000 100000\n", "a/cpu.max": "max 100000\n", "cpu.max": "400000 100000\n"}, [1.5, 4.0]),
        ("0::/\n", {}, []),
        ("4:memory:/x\n3:cpu,cpuacct:/x\n", {"x/cpu.cfs_quota_us": "200000\n", "x/cpu.cfs_period_us": "100000\n"}, [2.0]),
        ("3:cpu,cpuacct:/\n", {"cpu.cfs_quota_us": "-1\n", "cpu.cfs_period_us": "100000\n"}, []),
    ],
)
def test_quotas_of_control_groups(tmp_path: Path, told: str, files: dict[str, str], quotas: list[float]) -> None:
    (tmp_path / "told").write_text(told)
    for name, text in files.items():
        path = tmp_path / "groups" / ("cpu,cpuacct" if "cfs" in name else "") / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    assert list(threads._quotas(tmp_path / "groups", tmp_path / "told")) == quotas
