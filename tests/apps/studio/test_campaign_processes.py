"""Campaigns of the studio in processes: their records are those of the command, and no process outlives the studio."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest
from studio_client import Client
from test_campaigns import CAMPAIGN, PROBLEMS, until
from test_server import ENDLESS

from tiler.bench import record
from tiler.cli.main import main

pytestmark = pytest.mark.long


def without_times(folder: Path) -> list[dict[str, Any]]:
    """The records of a folder but for times and memory."""
    measured = ("seconds", "load", "megabytes", "started", "warm", "environment")
    return [
        {key: value for key, value in each.items() if not any(word in key for word in measured) and key != "stats"}
        for each in record.read(folder).records
    ]


def test_a_campaign_runs_and_its_records_are_those_of_the_command(in_studio_here: Any, tmp_path: Path) -> None:
    async def test(client: Client) -> None:
        await client.post_data("/api/campaign/create", {**vars(CAMPAIGN), "problems": PROBLEMS[:1]})
        found = await until(client, "first", lambda state: not state["runner"])
        assert (found["state"]["done"], found["state"]["total"], found["title"]) == (2, 2, "The first")
        assert len(found["data"]["rows"]) == 2

    in_studio_here(test, results=tmp_path)
    plan_of = tmp_path / "first" / "campaign.toml"
    assert main(["bench", str(plan_of), "-o", str(tmp_path / "command"), "--no-plots", "--quiet"]) == 0
    assert without_times(tmp_path / "first") == without_times(tmp_path / "command")


def family(pid: int) -> list[psutil.Process]:
    return [psutil.Process(pid), *psutil.Process(pid).children(recursive=True)]


def test_a_campaign_is_stopped_and_goes_on_and_leaves_no_process(in_studio_here: Any, tmp_path: Path) -> None:
    most = 60  # Runs of a tenth of a second: they are not all made when the campaign is stopped after the first.
    endless = {"problems": [], "drawn": ENDLESS, "goal": "count", "solvers": ["dlx"], "seconds": 0.1, "repeat": most}
    seen: list[psutil.Process] = []

    async def test(client: Client) -> None:
        await client.post_data("/api/campaign/create", {**vars(CAMPAIGN), **endless})
        await until(client, "first", lambda state: state["done"] >= 1)
        (pid,) = client.studio.campaigns.pids
        seen.extend(family(pid))
        await client.post("/api/campaign/stop", 204, name="first")
        found = await until(client, "first", lambda state: not state["runner"])
        before = found["state"]["done"]
        assert 1 <= before < most
        assert found["state"]["can_go_on"]
        assert found["state"]["seconds_left"] > 0
        await client.post("/api/campaign/go-on", name="first")
        await until(client, "first", lambda state: state["done"] > before)
        (pid,) = client.studio.campaigns.pids
        seen.extend(family(pid))

    in_studio_here(test, results=tmp_path)
    _, alive = psutil.wait_procs(seen, timeout=60)
    assert alive == []
    assert without_times(tmp_path / "first")
    assert [path.name for path in tmp_path.iterdir()] == ["first"]


def is_campaign(process: psutil.Process) -> bool:
    try:
        return "tiler.apps.studio.campaign_run" in process.cmdline()
    except psutil.Error:  # It has ended in between.
        return False


def test_a_studio_that_is_killed_leaves_no_campaign(tmp_path: Path) -> None:
    """Nothing in the studio can act at SIGKILL: the process of the campaign sees that its input has ended."""
    command = [sys.executable, "-m", "tiler", "studio", "--no-browser", "--port", "8740", "--results", str(tmp_path / "results")]
    campaign = {**vars(CAMPAIGN), "problems": [], "drawn": ENDLESS, "goal": "count", "solvers": ["dlx"], "seconds": 600.0}
    seen: list[psutil.Process] = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True) as studio:
        try:
            assert studio.stdout is not None
            home, token = next(filter(None, (re.search(r"(http://\S+)/#token=(\S+)", line) for line in studio.stdout))).groups()
            with httpx.Client(base_url=home, headers={"origin": home, "sec-fetch-site": "same-origin"}, timeout=120) as client:
                assert client.post("/enter", json={"token": token}).status_code == 204
                assert client.post("/api/campaign/create", json=campaign).status_code == 200
                running: list[psutil.Process] = []
                deadline = time.monotonic() + 120
                while not (running and running[0].children()):  # until a run is being made
                    assert time.monotonic() < deadline
                    client.post("/api/campaign/results", json={"name": "first"})
                    seen = psutil.Process(studio.pid).children(recursive=True)
                    running = [process for process in seen if is_campaign(process)]
        finally:
            studio.kill()
    _, alive = psutil.wait_procs(seen, timeout=60)
    for process in alive:
        process.kill()
    assert alive == []
