"""Run campaigns for the room where solvers are compared, one at a time, each in a process of its own; a worker reads results.

All of this runs in the event loop of the server. A campaign goes on when its page is closed; it ends with the studio. Its records
stay in any case, and it can go on from there.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tiler.apps.studio.processes import Ended, Lost, Pool, WorkerProcess, kill
from tiler.errors import InputError

_PATIENCE_SECONDS = 600.0  # for one order, such as drawing thousands of runs
_ENDING_SECONDS = 8.0  # that a campaign has to end in good order
_HERE = "this studio"
_MOST_SAID = 2000  # characters of an error


@dataclass
class _Running:
    """A campaign whose process runs, or has ended."""

    process: asyncio.subprocess.Process
    said: str = ""

    @property
    def is_running(self) -> bool:
        return self.process.returncode is None


class Campaigns:
    """The campaigns of a studio, in the folders below one."""

    def __init__(self, pool: Pool, root: Path) -> None:
        self._pool, self._root = pool, root
        self._worker: WorkerProcess | None = None
        self._taking = asyncio.Lock()
        self._running: dict[str, _Running] = {}
        self._watchers: set[asyncio.Task[None]] = set()

    async def order(self, do: str, data: Any) -> Any:
        """The reply of the worker that reads results."""
        async with self._taking:
            if self._worker is None or not self._worker.is_alive:
                self._worker = await self._pool.take()
        asked = {"root": str(self._root), "do": do, "data": data}
        try:
            return await self._worker.order("campaign", asked, seconds=_PATIENCE_SECONDS)
        except Ended as error:
            raise Lost(
                f"the process that reads results has ended ({error.why}); the records stay, and another one begins: try again"
            ) from None

    async def create(self, data: Any) -> Any:
        """Make a campaign, and begin with its runs; the reply is its name."""
        self._refuse_second()
        reply = await self.order("create", data)
        await self._start(reply["name"], Path(await self.order("writable", reply)))
        return reply

    async def go_on(self, data: Any) -> Any:
        """Go on with a campaign."""
        path = Path(await self.order("writable", data))
        self._refuse_second()
        await self._start(data["name"], path)
        return data

    async def results(self, data: Any) -> Any:
        """The results of a campaign, and whether it runs here."""
        reply = await self.order("results", data)
        running = self._running.get(reply["name"])
        if running is not None:
            if running.is_running:
                reply["state"]["runner"] = _HERE
            elif running.said:
                reply["state"]["sentence"] = running.said
        return reply

    async def stop(self, name: str) -> None:
        """End the runs of a campaign; the records stay."""
        running = self._running.get(name)
        if running is None or not running.is_running:
            return
        with contextlib.suppress(ProcessLookupError):
            running.process.send_signal(signal.SIGINT)
        try:
            async with asyncio.timeout(_ENDING_SECONDS):
                await running.process.wait()
        except TimeoutError:
            await kill(running.process)

    async def close(self) -> None:
        """End all campaigns, and the worker."""
        for name in list(self._running):
            await self.stop(name)
        for task in self._watchers:
            task.cancel()
        if self._worker is not None:
            await self._pool.end(self._worker)

    @property
    def pids(self) -> list[int]:
        """The processes of campaigns that run."""
        return [running.process.pid for running in self._running.values() if running.is_running]

    def _refuse_second(self) -> None:
        busy = [name for name, running in self._running.items() if running.is_running]
        if busy:
            raise InputError(f"{busy[0]} is running; stop it first: two campaigns at a time disturb each other's seconds")

    async def _start(self, name: str, path: Path) -> None:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tiler.apps.studio.campaign_run", str(path)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,
        )
        running = self._running[name] = _Running(process)
        task = asyncio.create_task(_follow(running))
        self._watchers.add(task)
        task.add_done_callback(self._watchers.discard)


async def _follow(running: _Running) -> None:
    """Wait for the end, and keep the last line that the process said if it failed."""
    assert running.process.stderr is not None
    tail = b""
    while chunk := await running.process.stderr.read(1 << 12):
        tail = (tail + chunk)[-_MOST_SAID:]
    if await running.process.wait() not in (0, 130):
        lines = tail.decode(errors="replace").strip().splitlines()
        running.said = lines[-1] if lines else "the campaign ended without a word; going on may help"
