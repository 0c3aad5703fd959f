"""Campaigns of the studio: what is chosen, where records go, and what names of folders cannot do."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import shlex
import shutil
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import records
from studio_client import Client

import tiler
from tiler.apps.studio import campaigns, message_json
from tiler.apps.studio.campaign_messages import CampaignMessage, ProblemFilterMessage
from tiler.apps.studio.engine import document_of
from tiler.apps.studio.results import ResultsService
from tiler.apps.studio.results_folder import ResultsFolder, owner
from tiler.bench import plan, record, store
from tiler.cli.main import main
from tiler.errors import InputError
from tiler.report import chosen_records, runs

PROBLEMS = ("4L/02x06_u", "classic/soma_s")
SOLVERS = ("dlx", "backtracking:order=rare")
RECORDS = records.campaign()
CAMPAIGN = CampaignMessage("first", PROBLEMS, SOLVERS, title="The first", seconds=5.0)
#: A count that takes far longer than any test.
ENDLESS = document_of(tiler.make("40x40", "3L", "4T", "5X", "7:5F"))


def results(root: Path, name: str = "first") -> Path:
    """A folder of results with the usual records."""
    (root / name).mkdir(parents=True)
    lines = [json.dumps(each) for each in RECORDS]
    (root / name / store.RUNS).write_text("".join(f"{line}\n" for line in lines))
    return root / name


def service(root: Path) -> Callable[..., Any]:
    """Asks a service, and gives its reply as the page has it."""
    asked = ResultsService(root, root / "no references")
    return lambda do, **data: message_json.to_json(asked.handle(do, data))


# What is chosen


def test_the_campaign_file_has_what_was_chosen(tmp_path: Path) -> None:
    path = campaigns.create(CAMPAIGN, ResultsFolder(tmp_path))
    made = plan.read(str(path / "campaign.toml"))
    (part,) = made.parts
    assert (made.title, made.output) == ("The first", str(path))
    assert (part.filter, part.solvers, part.time_limit, part.memory_limit) == (PROBLEMS, SOLVERS, 5.0, 2048)
    assert {job.name for job in made.runs().jobs} == set(PROBLEMS)


def test_names_that_are_part_of_others_and_titles_with_quotes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(campaigns.naming, "problem_names", lambda: {"a/b.c": Path(), "a/b.cd": Path()})
    text = campaigns.toml(CampaignMessage("n", ("a/b.c", "a/b.cd"), ("dlx",), title='"\\ \x7f\n[x]'), tmp_path)
    (tmp_path / "campaign.toml").write_text(text)
    made = plan.read(str(tmp_path / "campaign.toml"))
    assert made.parts[0].filter == (r"/^a/b\.c$/", "a/b.cd")
    assert '"\\' in made.title


def test_a_drawn_problem_is_a_file_of_the_campaign(tmp_path: Path) -> None:
    drawn = document_of(tiler.make("2x3", "2"))
    path = campaigns.create(CampaignMessage("drawn", (), ("dlx",), drawn=drawn), ResultsFolder(tmp_path))
    (job,) = plan.read(str(path / "campaign.toml")).runs().jobs
    assert len(job.instance.board) == 6


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"problems": ()}, "at least one problem"),
        ({"solvers": ()}, "at least one solver"),
        ({"solvers": ("dlxx",)}, "dlxx"),
        # A campaign file may name a file in a spec; for a page that would read any file of this machine.
        ({"solvers": ("backtracking:cells=/etc/passwd",)}, "there is no order '/etc/passwd'"),
        ({"solvers": ("backtracking:order=*,cells=order.txt",)}, "there is no order 'order.txt'"),
        ({"problems": ("../../etc/passwd",)}, "no problem is called"),
        ({"seconds": 0.0}, "seconds: 0 is not between"),
        ({"repeat": 10_000, "seeds": 10_000}, "at most 100,000"),
        ({"name": "a/b"}, "the name of a campaign has letters"),
        ({"drawn": {"schema": "x"}}, "schema"),
    ],
)
def test_a_wrong_campaign_leaves_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: dict[str, Any], said: str
) -> None:
    message = CampaignMessage(**{**vars(CAMPAIGN), **change})
    (tmp_path / "order.txt").write_text("1 2 3 4 5 6\n7 8 9 10 11 12\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(Exception, match=said):
        campaigns.create(message, ResultsFolder(tmp_path / "new"))
    assert not (tmp_path / "new").exists()


def test_filters_are_those_of_the_command() -> None:
    def names(text: str) -> tuple[str, ...]:
        return campaigns.problems(ProblemFilterMessage(text)).names

    assert "4L/06x06_u" in names("4L/0?x*_u")
    assert names("/^4L/02x06_u$/") == ("4L/02x06_u",)
    assert set(names("4L/")) < set(names(""))


def test_who_refuses_says_why() -> None:
    told = campaigns.refused(CampaignMessage("n", PROBLEMS[:2], ("dlx", "matching", "frontier:nothing=1"), goal="count"))
    by_solver = {each.solver: each for each in told.refusals}
    assert "tiles of two cells" in by_solver["matching"].sentence
    assert by_solver["matching"].is_all
    assert "unknown option" in by_solver["frontier:nothing=1"].sentence
    assert "dlx" not in by_solver


# Names and links


@pytest.mark.parametrize("name", ["..", "../first", "/etc", "first/../first", ".git", "first/", "", "a" * 101, "first\x00", "@x"])
def test_names_lead_nowhere_else(tmp_path: Path, name: str) -> None:
    results(tmp_path / "below")
    results(tmp_path)
    with pytest.raises(InputError, match="no results called"):
        ResultsFolder(tmp_path / "below", tmp_path / "none").existing(name)


def test_links_are_not_followed(tmp_path: Path) -> None:
    root, elsewhere = tmp_path / "below", results(tmp_path, "elsewhere")
    root.mkdir()
    (root / "linked").symlink_to(elsewhere)
    own = results(root, "own")
    folder = ResultsFolder(root, tmp_path / "none")
    assert [entry.name for entry in folder.listed().campaigns] == ["own"]
    with pytest.raises(InputError, match="is a link now"):
        folder.existing("linked")
    (own / store.RUNS).unlink()
    (own / store.RUNS).symlink_to(elsewhere / store.RUNS)
    with pytest.raises(InputError, match="is a link"):
        folder.existing("own")
    assert folder.listed().campaigns == ()
    with pytest.raises(InputError, match="something called linked already"):
        folder.new("linked")


# Looking


def test_results_are_those_of_the_report(tmp_path: Path) -> None:
    results(tmp_path)
    ask = service(tmp_path)
    found = ask("results", name="first")
    assert len(found["data"]["rows"]) == len(RECORDS)
    assert found["data"] == json.loads(json.dumps(runs.data(chosen_records.read(tmp_path / "first"), runs.Clock.SOLVE)))
    assert ask("results", name="first", version=found["version"])["data"] is None
    row = found["data"]["rows"][0]
    told = ask("record", name="first", number=row[-2])
    assert told["instance"] == found["data"]["problems"][row[0]]
    with pytest.raises(InputError, match="is gone"):
        ask("record", name="first", number=len(RECORDS))


def test_a_record_cut_off_costs_itself_only(tmp_path: Path) -> None:
    path = results(tmp_path)
    ask = service(tmp_path)
    version = ask("results", name="first")["version"]
    with (path / store.RUNS).open("a") as file:
        file.write('{"schema": "tiler-run-1", "instance"')
    found = ask("results", name="first", version=version)
    assert len(found["data"]["rows"]) == len(RECORDS)
    assert found["state"]["skipped"] == 1


def test_another_process_is_named(tmp_path: Path) -> None:
    path = results(tmp_path)
    ask = service(tmp_path)
    with store.locked(path, print):
        assert ask("results", name="first")["state"]["runner"] == f"process {os.getpid()}"
    assert ask("results", name="first")["state"]["runner"] == ""
    (path / store.LOCK).write_text("not a number")
    assert owner(path) is None


def test_two_campaigns_are_compared_as_by_the_report(tmp_path: Path) -> None:
    results(tmp_path, "before")
    results(tmp_path, "after")
    blocks = service(tmp_path)("compare", before="before", after="after")["blocks"]
    assert blocks[0]["text"] == "after against before"
    assert any(block["kind"] == "table" and block["heads"][0] == "solver" for block in blocks)


def test_the_reference_campaigns_open(tmp_path: Path) -> None:
    if ResultsFolder(tmp_path).references is None:
        pytest.skip("only a clone has them")
    ask = ResultsService(tmp_path)
    named = {entry.name for entry in ask.handle("list", None).campaigns}
    assert {"@thesis", "@calendars"} <= named
    found = message_json.to_json(ask.handle("results", {"name": "@calendars"}))
    assert len(found["data"]["rows"]) == 26
    assert not found["state"]["can_go_on"]
    with pytest.raises(InputError, match="only looked at"):
        ask.handle("writable", {"name": "@calendars"})


# Saving: the command that is told writes the same


def saved(ask: Callable[..., Any], folder: Path, **how: Any) -> tuple[dict[str, Any], bytes]:
    """What is saved, and what its command writes in the folder, which is the current one: the browser's file has the name of the
    campaign in front."""
    reply = ask("save", name="first", **how)
    command = shlex.split(reply["command"])
    assert command[0] == "tiler"
    assert main(command[1:]) in (0, 4)
    campaign, _, name = reply["name"].partition("-")
    assert campaign == "first"
    return reply, (folder / name).read_bytes()


@pytest.mark.parametrize(
    "how",
    [
        {"form": "figure", "format": "pdf", "kind": "survival"},
        {"form": "figure", "format": "svg", "kind": "scatter", "solvers": ["dlx:order=first", "backtracking"], "width": 7.0},
        {"form": "table", "format": "tex"},
        {"form": "table", "format": "csv", "problems": ["/^f.[^.]*$/"]},
        {"form": "runs", "format": "csv", "solvers": ["dlx"]},
    ],
)
def test_what_is_saved_is_what_its_command_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: dict[str, Any]) -> None:
    results(tmp_path)
    monkeypatch.chdir(tmp_path)
    reply, written = saved(service(tmp_path), tmp_path, **how)
    assert base64.b64decode(reply["base64"]) == written


# Runs


def without_times(folder: Path) -> list[dict[str, Any]]:
    """The records of a folder but for times and memory."""
    measured = ("seconds", "load", "megabytes", "started", "warm", "environment")
    return [
        {key: value for key, value in each.items() if not any(word in key for word in measured) and key != "stats"}
        for each in record.read(folder).records
    ]


async def until(client: Client, name: str, fits: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """The results of a campaign, once its state fits: a page too asks again and again."""
    async with asyncio.timeout(120):
        while True:
            found: dict[str, Any] = await client.post("/api/campaign/results", name=name)
            if fits(found["state"]):
                return found
            assert found["state"]["sentence"] == ""
            await asyncio.sleep(0.05)


class FakeCampaignRun:
    """What the studio knows of the process of a campaign, which a test ends."""

    def __init__(self) -> None:
        self.pid, self.returncode, self.signals = 1 << 29, None, list[int]()
        self.stderr, self._ended = asyncio.StreamReader(), asyncio.Event()

    def send_signal(self, number: int) -> None:
        self.signals.append(number)
        self.end(130)

    def end(self, status: int, said: str = "") -> None:
        self.returncode = status
        self.stderr.feed_data(said.encode())
        self.stderr.feed_eof()
        self._ended.set()

    async def wait(self) -> int | None:
        async with asyncio.timeout(60):
            await self._ended.wait()
        return self.returncode


def test_one_campaign_runs_at_a_time_and_says_why_it_ended(
    in_studio_here: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[tuple[tuple[str, ...], FakeCampaignRun]] = []

    async def start(*command: str, **how: Any) -> FakeCampaignRun:
        started.append((command, FakeCampaignRun()))
        return started[-1][1]

    monkeypatch.setattr(asyncio, "create_subprocess_exec", start)

    async def state(client: Client) -> dict[str, Any]:
        await asyncio.gather(*client.studio.campaigns._watchers)
        found: dict[str, Any] = (await client.post("/api/campaign/results", name="first"))["state"]
        return found

    async def test(client: Client) -> None:
        assert await client.post_data("/api/campaign/create", vars(CAMPAIGN)) == {"name": "first"}
        running = await client.post("/api/campaign/results", name="first")
        assert (running["state"]["runner"], running["state"]["total"]) == ("this studio", 4)
        assert client.studio.campaigns.pids == [started[0][1].pid]
        assert "is running" in (await client.post("/api/campaign/create", 400, **{**vars(CAMPAIGN), "name": "second"}))["error"]
        assert "is running" in (await client.post("/api/campaign/go-on", 400, name="first"))["error"]
        await client.post("/api/campaign/stop", 204, name="nothing")
        await client.post("/api/campaign/stop", 204, name="first")
        await client.post("/api/campaign/stop", 204, name="first")
        assert started[0][1].signals == [signal.SIGINT]
        stopped = await state(client)
        assert (stopped["runner"], stopped["sentence"], stopped["can_go_on"]) == ("", "", True)
        for status, said, told in (
            (1, "a line\ntiler: the disk is full\n", "tiler: the disk is full"),
            (1, "", "the campaign ended without a word; going on may help"),
            (0, "a warning\n", ""),
        ):
            assert await client.post("/api/campaign/go-on", name="first") == {"name": "first"}
            started[-1][1].end(status, said)
            assert (await state(client))["sentence"] == told
        assert [command[-1] for command, _ in started] == [str(tmp_path / "first")] * 4
        assert client.studio.campaigns.pids == []

    in_studio_here(test, results=tmp_path)


def test_what_goes_wrong_is_said(in_studio_here: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    campaigns.create(CAMPAIGN, ResultsFolder(tmp_path))
    answered = threading.Event()

    async def test(client: Client) -> None:
        assert (await client.post("/api/campaign/results", name="first"))["state"]["total"] == 4
        for name in ("..", "first/../../x", "nothing"):
            assert "no results" in (await client.post("/api/campaign/results", 400, name=name))["error"]
            assert "no results" in (await client.post("/api/campaign/go-on", 400, name=name))["error"]
        assert "unknown key" in (await client.post("/api/campaign/results", 400, name="first", folder="/etc"))["error"]
        worker = client.studio.campaigns._worker
        assert worker is not None
        with monkeypatch.context() as patched:
            patched.setattr(ResultsService, "handle", lambda *asked: answered.wait(60))
            lost = asyncio.create_task(client.post("/api/campaign/results", 503, name="first"))
            while not worker.is_busy:
                await asyncio.sleep(0)
            killing = asyncio.create_task(worker.kill())
            await asyncio.sleep(0)
            answered.set()  # What it says now comes too late.
            assert "the process that reads results has ended (killed by SIGKILL); the records stay" in (await lost)["error"]
            await killing
        assert (await client.post("/api/campaign/results", name="first"))["state"]["total"] == 4
        assert (await client.raw("GET", "/runs/runs.js")).status_code == 200
        assert (await client.raw("GET", "/runs/..%2Fruns.py")).status_code == 404
        plan_of = tmp_path / "first" / "campaign.toml"
        plan_of.write_text(plan_of.read_text().replace("classic", "gone") + "solver = 1\n")
        assert (await client.post("/api/campaign/results", name="first"))["state"]["sentence"]
        shutil.move(tmp_path / "first", tmp_path / "other")
        (tmp_path / "first").symlink_to(tmp_path / "other")
        assert "is a link" in (await client.post("/api/campaign/go-on", 400, name="first"))["error"]

    in_studio_here(test, results=tmp_path)
