"""A studio without a port, and a page that sends it requests, for tests."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import psutil

from tiler.studio.campaign_process import Campaigns
from tiler.studio.server import Studio
from tiler.studio.sessions import Session

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
        """Ask, and wait for the end."""
        id = (await self.post("/api/ask", session=SESSION, question=question, parameters=parameters, laid=[]))["id"]
        events = await self.events_until(lambda event: event.get("id") == id and event["event"] in ("answer", "failed"))
        return [event for event in events if event.get("id") == id], events[-1]


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
