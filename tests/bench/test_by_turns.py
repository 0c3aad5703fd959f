"""Two copies of Tiler make each run by turns, and are compared; what the other copy cannot do is told."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import psutil
import pytest
from records import record

import tiler
from tiler.bench import record as recorded
from tiler.bench.by_turns import OtherCode
from tiler.bench.calibration import Calibrator, fixed_work
from tiler.bench.compare import compare
from tiler.cli.main import main
from tiler.errors import BadOption
from tiler.process import executors
from tiler.process.elsewhere import CodeCopy, Elsewhere
from tiler.process.executors import Call
from tiler.process.isolate import RunEnd

PACKAGE = Path(tiler.__file__).parent


@pytest.fixture
def other(tmp_path: Path) -> str:
    """A folder with the same code."""
    folder = tmp_path / "other"
    folder.mkdir()
    (folder / "tiler").symlink_to(PACKAGE)
    return str(folder)


def by(sources: str) -> dict[str, Any]:
    return {"sources": sources}


def code(**lacks: str) -> OtherCode:
    here = CodeCopy("python", {})
    return OtherCode(here, {"a": "a:old=1"}, lacks, {"a:old=1": "1234"}, {"versions": {"tiler": "0.1"}})


def test_a_run_is_made_again_unless_both_have_made_it_by_turns() -> None:
    ours = [record(f"f/{turn}", "a", 1.0, turn=turn) for turn in ("one", "two", "three")] + [record("f/4", "a", 1.0)]
    others = [record(f"f/{turn}", "a:old=1", 1.0, turn=turn, **by("1234")) for turn in ("one", "three")]
    others += [record("f/two", "a:old=1", 1.0, turn="two", **by("of another day")), record("f/4", "a:old=1", 1.0, **by("1234"))]
    assert [run["instance"] for run in code().paired(ours, others)] == ["f/one", "f/three"]
    alone = record("f/5", "new", 1.0)
    assert code(new="there is no solver new").paired([alone], others) == (alone,)


def test_a_run_that_was_killed_names_its_code_too() -> None:
    """The process says which code it is, unless it is killed."""
    signed = code().signed(record("f/1", "a:old=1", **by("of ours")))
    assert (signed["sources"], signed["versions"]) == ("1234", {"tiler": "0.1"})


def test_what_is_no_copy(tmp_path: Path) -> None:
    with pytest.raises(BadOption, match="neither a folder with a folder tiler in it, nor a Python"):
        CodeCopy.at(str(tmp_path))
    (tmp_path / "tiler").mkdir()
    (tmp_path / "tiler" / "__init__.py").write_text("raise ImportError('out of order')\n")
    with pytest.raises(BadOption, match="has no Tiler that works: ImportError: out of order"):
        CodeCopy.at(str(tmp_path))
    (tmp_path / "notes.txt").write_text("not a program\n")
    with pytest.raises(BadOption, match="cannot be run"):
        CodeCopy.at(str(tmp_path / "notes.txt"))
    for options in (["--jobs", "2"], ["--executor", "local:1"]):
        assert main(["bench", "--against", str(tmp_path), *options]) == 2


class Elapsing(executors.Executor):
    """Makes calls at once, and counts them."""

    def __init__(self) -> None:
        self.calls = 0

    slots = 1

    def submit(self, function: Any, *arguments: Any, seconds: float | None = None, megabytes: float | None = None) -> Call[Any]:
        self.calls += 1
        call: Call[Any] = Call()
        call.result = executors.Outcome(RunEnd.FINISHED, function(*arguments))
        return call

    def wait(self, calls: Any, seconds: float) -> None: ...

    def close(self) -> None: ...


def test_calibrations_are_made_from_time_to_time(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [100.0]
    monkeypatch.setattr("tiler.bench.calibration.time.monotonic", lambda: clock[0])
    executor = Elapsing()
    calibrator = Calibrator(executor)
    first = calibrator.seconds()
    assert first is not None
    assert first > 0
    assert calibrator.seconds() == first
    assert executor.calls == 1
    clock[0] += 5
    assert calibrator.seconds() != first
    assert executor.calls == 2
    assert fixed_work() > 0


@pytest.mark.long
def test_calls_of_another_copy(other: str) -> None:
    copy = CodeCopy.at(other)
    assert copy.environment["PYTHONPATH"].split(os.pathsep)[0] == other
    with Elsewhere(copy) as there:
        calls = [there.submit(divmod, number, 3) for number in (7, 8)]
        assert [there.outcome(call).value for call in calls] == [(2, 1), (2, 2)]
        assert there.outcome(there.submit(os._exit, 3)).exit_status == 3
        helper = psutil.Process().children()
        there.submit(__import__("time").sleep, 1000.0)
    assert not psutil.Process().children()
    assert helper


@pytest.mark.long
def test_bench_against(other: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "problems").mkdir()
    for number in (2, 3):
        (tmp_path / "problems" / f"{number}x4_s.txt").write_text(f"{number}x4\n\n2\n")
    command = ["bench", "--solver", "dlx", "--repeat", "2", "--no-plots", "--no-warm-repeats", "-o", "out", "--against", other]
    assert main(command) == 0
    said = capsys.readouterr()
    assert "Both versions made each run by turns" in " ".join(said.out.split())
    assert "The same search, and the same code: the same number of nodes in 2 of 2 runs" in " ".join(said.out.split())
    ours, others = (recorded.read(Path(name)).records for name in ("out", "out-against"))
    assert [run["turn"] for run in ours] == [run["turn"] for run in others]
    began = [(str(one["started"]), str(two["started"])) for one, two in zip(ours, others, strict=True)]
    assert [one < two for one, two in began] == [True, False, True, False]
    ((change,),) = (each.changes for each in compare(others, ours))
    assert change.is_by_turns
    assert main(command) == 0
    assert "4 of them recorded already" in capsys.readouterr().err
    assert len(recorded.read(Path("out-against")).records) == 4
    assert not psutil.Process().children()
