"""The studio with workers that are processes: they are stopped and killed, and none is left."""

from __future__ import annotations

import os
import signal
from typing import Any

import psutil
import pytest
from studio_client import SESSION, Client
from test_race import THREE, begin, frame, of
from test_server import DOMINOES, ENDLESS

from tiler.apps.studio.processes import MOST_SPARES, WorkerProcess

pytestmark = pytest.mark.long


def test_a_question_is_stopped_and_leaves_no_process(in_studio: Any) -> None:
    async def test(client: Client) -> None:
        await client.post("/api/open", session=SESSION, problem=ENDLESS)
        id = (await client.post("/api/ask", session=SESSION, question="count", parameters={"solver": "dlx"}, laid=[]))["id"]
        await client.events_until(lambda event: event["event"] == "progress")
        before = len(client.studio.sessions.pool.pids)
        await client.post("/api/stop", 204, session=SESSION, id=id)
        answer = (await client.events_until(lambda event: event["event"] == "answer"))[-1]
        assert answer["stop"] == "interrupted"
        assert answer["sentences"][0] == "stopped"
        assert len(client.studio.sessions.pool.pids) == before - 1
        await client.post("/api/stop", 204, session=SESSION, id=id)
        await client.post("/api/ask", session=SESSION, question="count", parameters={"solver": "dlx"}, laid=[])
        await client.events_until(lambda event: event["event"] == "progress" and event["id"] != id)
        await client.post("/api/close", 204, session=SESSION)
        assert len(client.studio.sessions.pool.pids) <= 1 + MOST_SPARES  # One is for small things.

    in_studio(test)


def test_a_killed_engine_is_told_and_goes_on(in_studio: Any) -> None:
    async def test(client: Client) -> None:
        await client.post("/api/open", session=SESSION, problem=DOMINOES)
        pid = client.session._worker.pid
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        told = await client.post("/api/lay", session=SESSION, revision=1, laid=[])
        assert told["count"] == "36"
        assert (await client.events_until(lambda event: event["event"] == "gone"))[-1]["sentence"]
        assert client.session._worker.pid != pid

    in_studio(test)


def test_a_killed_question_is_told(in_studio: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(client: Client) -> None:
        pool = client.studio.sessions.pool
        await client.post("/api/open", session=SESSION, problem=ENDLESS)
        taken: list[WorkerProcess] = []
        take = pool.take

        async def noting() -> WorkerProcess:
            taken.append(await take())
            return taken[-1]

        monkeypatch.setattr(pool, "take", noting)
        await client.post("/api/ask", session=SESSION, question="count", parameters={"solver": "dlx"}, laid=[])
        await client.events_until(lambda event: event["event"] == "progress")
        os.kill(taken[0].pid, signal.SIGKILL)
        failed = (await client.events_until(lambda event: event["event"] == "failed"))[-1]
        assert "SIGKILL" in failed["error"]
        assert (await client.post("/api/lay", session=SESSION, revision=1, laid=[]))["revision"] == 1

    in_studio(test)


def test_what_ends_a_race_leaves_no_process(in_studio: Any) -> None:
    async def test(client: Client) -> None:
        await begin(client, goal="count", per_second=4)
        await frame(client, lambda told: all(racer["nodes"] for racer in told["racers"]))
        workers = [worker.pid for worker in of(client)._workers if worker is not None]
        os.kill(workers[0], signal.SIGKILL)
        lost = await frame(client, lambda told: told["racers"][0]["state"] == "failed")
        assert lost["racers"][0]["sentence"] == "the process of this solver has ended (killed by SIGKILL); the others go on"
        await client.post("/api/race/end", 204, session=SESSION)
        assert of(client).frame.over
        assert not any(map(psutil.pid_exists, workers))

        await begin(client, DOMINOES, goal="count", per_second=1)
        await frame(client, lambda told: all(racer["nodes"] for racer in told["racers"]))
        workers = [worker.pid for worker in of(client)._workers if worker is not None]
        assert len(workers) == len(THREE)
        await client.post("/api/close", 204, session=SESSION)
        assert not any(map(psutil.pid_exists, workers))
        assert client.studio.races.racing == 0

    in_studio(test)
