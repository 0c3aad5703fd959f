"""A studio that tests share, so that its processes are started once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from studio_client import SESSION, Client, served

from tiler.studio.campaign_process import Campaigns


@pytest.fixture(scope="session")
def in_studio() -> Iterator[Callable[..., None]]:
    """Runs a test with a page of the studio, whose session ends with the test; `results` is the folder of its campaigns."""
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
