"""Join streams of events: a browser opens six connections at most to a host, for all its tabs, so all tabs have one stream."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator


async def addressed(page: str, stream: AsyncGenerator[str, None]) -> AsyncGenerator[str, None]:
    """The texts of a stream, each with the page that it is for."""
    async with contextlib.aclosing(stream):
        async for text in stream:
            yield f"page: {page}\n{text}"


async def joined(*streams: AsyncGenerator[str, None]) -> AsyncIterator[str]:
    """The texts of all streams, as they come, until one of the streams ends; then all are closed. No stream runs ahead: each
    makes its next text when the last one has been taken. Of texts that are ready at the same time that of the first stream comes
    first."""
    waiting = {asyncio.ensure_future(anext(stream)): stream for stream in streams}
    try:
        while True:
            ready, _ = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            for task in [task for task in waiting if task in ready]:
                stream = waiting.pop(task)
                try:
                    text = task.result()
                except StopAsyncIteration:
                    return
                yield text
                waiting[asyncio.ensure_future(anext(stream))] = stream
    finally:
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        for stream in streams:
            await stream.aclose()
