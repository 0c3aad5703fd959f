"""The campaigns of a page with the engine inside, without a browser: the orders that its workers handle."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tiler.apps.studio.page_campaigns import ROOT, PageResultsService
from tiler.bench import record
from tiler.bench.stats import Clock, End, tables
from tiler.errors import InputError
from tiler.report import draw

CAMPAIGN = {"name": "small", "problems": ["4L/02x06_u", "misc/01_s"], "solvers": ["dlx"], "goal": "decide", "seconds": 5.0}


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_runs_are_made_and_recorded_as_far_as_a_page_knows_them() -> None:
    service = PageResultsService()
    service.handle("create", CAMPAIGN)
    files = service.files("small")
    assert list(files) == ["campaign.toml"]
    first, second = service.todo("small")
    maker = PageResultsService()  # Another worker.
    maker.prepare("small", first["number"], files)
    service.append("small", maker.run("small", first["number"]))
    service.append("small", service.lost("small", second["number"], 6.0, ""))
    assert service.todo("small") == []
    assert service.handle("results", {"name": "small"}).state.done == 2

    made, lost = record.read(ROOT / "small").records
    assert (made["category"], made["cpu_seconds"], made["peak_megabytes"], made["load"]) == ("correct", None, None, None)
    assert (lost["category"], lost["stop"], lost["wall_seconds"]) == ("unknown", "time", 6.0)
    for clock in Clock:
        (table,) = tables([made, lost], clock)
        ends = [table.cell(str(each["instance"]), str(each["solver"])).end for each in (made, lost)]
        assert ends == [End.MISSING if clock is Clock.CPU else End.SOLVED, End.TIME]
        assert list(draw.drawings(table)) or clock is Clock.CPU


def test_a_worker_that_ends_by_itself_is_an_error() -> None:
    service = PageResultsService()
    service.handle("create", CAMPAIGN)
    lost = service.lost("small", 0, 1.0, "out of memory")
    assert (lost["category"], lost["message"]) == ("error", "lost: out of memory")


def test_files_without_records_are_refused_by_a_sentence() -> None:
    service = PageResultsService()
    service.handle("create", CAMPAIGN)
    line = json.dumps(service.lost("small", 0, 1.0, ""))
    told = {"runs.jsonl": f"{line}\n{line.replace('tiler-run-1', 'tiler-run-2')}\n{line[:50]}", "env.json": '{"title": "Two"}'}
    assert [service.open_records("my runs.jsonl", told) for _ in range(2)] == ["my-runs", "my-runs-2"]
    found = service.handle("results", {"name": "my-runs"})
    assert (found.title, found.state.done, found.state.skipped) == ("Two", 1, 2)
    for text, said in (("", "x.jsonl holds no records of tiler bench"), ("1\n{\n", ": none of its 2 lines can be read")):
        with pytest.raises(InputError, match=said):
            service.open_records("x.jsonl", {"runs.jsonl": text})
    assert sorted(path.name for path in ROOT.iterdir()) == ["my-runs", "my-runs-2", "small"]
