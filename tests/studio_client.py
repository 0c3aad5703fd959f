"""A studio without a port, and a page that sends it requests, for tests."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import queue
import signal
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest

from tiler.apps.studio.campaign_process import Campaigns
from tiler.apps.studio.message_json import dumps
from tiler.apps.studio.processes import WorkerProcess
from tiler.apps.studio.server import Studio
from tiler.apps.studio.sessions import Session
from tiler.apps.studio.worker import Worker

PORT = 8520
HOME = {"origin": f"http://127.0.0.1:{PORT}", "sec-fetch-site": "same-origin", "content-type": "application/json"}
SESSION = "session-1"


class Client:
    """A page: a studio, and requests to it."""

    def __init__(self, studio: Studio, client: httpx.AsyncClient) -> None:
        self.studio, self._client = studio, client

    async def post(self, path: str, status: int = 200, **body: Any) -> Any:
        return await self.post_data(path, body, status)

    async def post_data(self, path: str, body: Any, status: int = 200) -> Any:
        reply = await self._client.post(path, json=body, headers=HOME, timeout=120)
        assert reply.status_code == status, reply.text[:300]
        return reply.json() if reply.content else None

    async def raw(self, method: str, path: str, **how: Any) -> httpx.Response:
        return await self._client.request(method, path, **how)

    @property
    def session(self) -> Session:
        return self.studio.sessions.of(SESSION)

    async def events_until(self, wanted: Callable[[dict[str, Any]], bool], after: str = "") -> list[dict[str, Any]]:
        """The events of the session, up to one."""
        found = []
        async with contextlib.aclosing(self.session.stream(after)) as stream:  # type: ignore[type-var]
            async for text in stream:
                for line in text.splitlines():
                    if line.startswith("data: "):
                        found.append(json.loads(line.removeprefix("data: ")))
                        if wanted(found[-1]):
                            return found
        raise AssertionError

    async def number(self, revision: int = 1) -> str:
        """The number of tilings with nothing laid; where it takes long it is told later, as an event."""
        told = await self.post("/api/lay", session=SESSION, revision=revision, laid=[])
        if told["count"] == "many":
            told = (await self.events_until(lambda event: event["event"] == "counted"))[-1]["answer"]
        assert told["revision"] == revision
        return str(told["count"])

    async def answer(self, question: str, /, **parameters: Any) -> tuple[list[dict[str, Any]], dict[str, Any]]:
        """Ask, and wait for the end, and until the worker is given back."""
        id = (await self.post("/api/ask", session=SESSION, question=question, parameters=parameters, laid=[]))["id"]
        events = await self.events_until(lambda event: event.get("id") == id and event["event"] in ("answer", "failed"))
        asked = self.session._questions.get(id)
        if asked is not None and asked.task is not None:
            await asked.task
        return [event for event in events if event.get("id") == id], events[-1]


class ThreadOfWorker:
    """What the studio knows of the process of a worker, played by a thread: it obeys the same orders, and costs no start. Nothing
    ends it while it obeys one, so nobody asks it for anything that takes long."""

    _pids = itertools.count(1 << 30)  # numbers that no process has

    def __init__(self) -> None:
        self.pid, self.returncode = next(self._pids), None
        self.stdin, self.stdout = self, asyncio.StreamReader(limit=1 << 28)
        self._loop = asyncio.get_running_loop()
        self._orders: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._worker = Worker(self._say, self._orders.empty)
        self._worker._is_rehearsed = True
        self._thread = threading.Thread(target=self._obey, daemon=True)
        self._thread.start()

    @classmethod
    async def start(cls, *words: str) -> WorkerProcess:
        return WorkerProcess(cls())  # type: ignore[arg-type]

    def write(self, line: bytes) -> None:
        order = json.loads(line)
        if order["do"] == "race_pace":
            self._worker.steer(order["data"])
            return
        if order["do"] in ("open", "lay"):
            self._worker.newest = order["data"].get("revision", 0) and max(self._worker.newest, order["data"]["revision"])
        self._orders.put(order)

    async def drain(self) -> None:
        pass

    def _obey(self) -> None:
        while (order := self._orders.get()) is not None:
            self._worker.handle(order)
            if self._orders.empty():
                self._worker.prepare()

    def _say(self, reply: dict[str, Any]) -> None:
        self._loop.call_soon_threadsafe(self._hear, f"{dumps(reply)}\n".encode(errors="replace"))

    def _hear(self, line: bytes) -> None:
        if self.returncode is None:
            self.stdout.feed_data(line)

    async def wait(self) -> int | None:
        """The end, once nothing is obeyed any more: a process would have been killed before."""
        if self.returncode is None:
            self.returncode = -signal.SIGKILL
            self.stdout.feed_eof()
            self._worker.steer({"is_seen": False, "per_second": None, "steps": 0})
            self._orders.put(None)
        await asyncio.to_thread(self._thread.join)
        return self.returncode


@contextlib.contextmanager
def workers_here() -> Iterator[None]:
    """Workers are threads of this process."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(WorkerProcess, "start", ThreadOfWorker.start)
        yield


@contextlib.asynccontextmanager
async def served(**how: Any) -> AsyncIterator[Client]:
    studio = Studio(PORT, **how)
    async with studio.lifespan():
        transport = httpx.ASGITransport(app=studio.guard)  # type: ignore[arg-type]
        async with httpx.AsyncClient(transport=transport, base_url=f"http://127.0.0.1:{PORT}") as client:
            page = Client(studio, client)
            await page.post("/enter", 204, token=studio.guard.new_token())
            yield page
        pids = studio.sessions.pool.pids
    assert not any(psutil.pid_exists(pid) for pid in pids)


def page(test: Callable[[Client], Awaitable[None]], **how: Any) -> None:
    """Run a test with a studio of its own."""

    async def run() -> None:
        async with served(**how) as client:
            await test(client)

    asyncio.run(run())


@contextlib.contextmanager
def shared() -> Iterator[Callable[..., None]]:
    """Runs tests with a page of one studio, whose processes are started once. The session ends with each test; `results` is the
    folder of its campaigns."""
    with asyncio.Runner() as runner:
        studio = served()
        client = runner.run(studio.__aenter__())

        async def tried(test: Callable[[Client], Awaitable[None]], results: Path | None) -> None:
            usual = client.studio.campaigns
            if results is not None:
                client.studio.campaigns = Campaigns(client.studio.sessions.pool, results)
            try:
                await test(client)
            finally:
                await client.studio.sessions.end(SESSION)
                if results is not None:
                    await client.studio.campaigns.close()
                client.studio.campaigns = usual

        def run(test: Any, results: Path | None = None) -> None:
            runner.run(tried(test, results))

        yield run
        runner.run(studio.__aexit__(None, None, None))
