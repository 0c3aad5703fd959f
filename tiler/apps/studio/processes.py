"""Keep the processes in which engines run: each in a process group of its own, started before it is needed.

All of this runs in the event loop of the server.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
from collections import deque
from collections.abc import Callable
from typing import Any, NamedTuple

from tiler.apps.studio.message_json import dumps
from tiler.apps.studio.messages import Data
from tiler.errors import TilerError
from tiler.process import threads

SHARED = "shared"  #: the word for a worker that never rehearses: it must answer also while kernels are compiled
PATIENCE_SECONDS = 60.0  #: for one order; a process that takes longer is killed
_LINE_BYTES = 256 << 20  # the longest line of a worker
MOST_SPARES = 2  #: that are kept while they have nothing to do
_FORGET_SECONDS = 2.0  # in which a worker lays down what it holds


class Lost(TilerError):  # noqa: N818
    """The process of a worker is gone."""


class Ended(Lost):
    """It has ended by itself, or somebody else has ended it; `why` says how."""

    def __init__(self, why: str) -> None:
        super().__init__(f"the engine's process has ended ({why}); the problem is opened again with the next move")
        self.why = why


class _Order(NamedTuple):
    """An order that a worker handles or will handle."""

    do: str
    reply: asyncio.Future[Any]
    on_event: Callable[[Data], None]


class WorkerProcess:
    """A process of worker.py, in a process group of its own. It obeys its orders one after the other."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._given = 0
        self._orders: dict[int, _Order] = {}
        self._reader = asyncio.create_task(self._read())
        self.on_news: Callable[[Data], None] = lambda event: None  #: hears events that belong to no order

    @classmethod
    async def start(cls, *words: str) -> WorkerProcess:
        """A new process, with words for its command line."""
        return cls(
            await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "tiler.apps.studio.worker",
                *words,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                start_new_session=True,
                limit=_LINE_BYTES,
                env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
            )
        )

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        return self._process.returncode is None

    @property
    def is_busy(self) -> bool:
        """Whether it obeys an order."""
        return bool(self._orders)

    @property
    def is_free_soon(self) -> bool:
        """Whether it obeys moves at most, which it cuts short for an order that waits."""
        return all(order.do == "lay" for order in self._orders.values())

    @property
    def loss(self) -> Lost:
        """What is said when it is gone."""
        status = self._process.returncode
        is_killed = status is not None and status < 0
        why = f"killed by {signal.Signals(-status).name}" if status is not None and is_killed else f"status {status}"
        return Ended(why)

    async def order(
        self,
        do: str,
        data: Any,
        *,
        seconds: float | None = PATIENCE_SECONDS,
        on_event: Callable[[Data], None] = lambda event: None,
    ) -> Any:
        """The reply to an order; TilerError with the sentence of the worker, Lost if its process is gone or had to be killed."""
        self._given += 1
        number = self._given
        reply: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._orders[number] = _Order(do, reply, on_event)
        try:
            async with asyncio.timeout(seconds):
                await self._write({"order": number, "do": do, "data": data})
                return await reply
        except TimeoutError:
            await self.kill()
            raise Lost(f"this takes more than {seconds:g} seconds") from None
        except (BrokenPipeError, ConnectionResetError):
            await self.kill()
            raise self.loss from None
        finally:
            self._orders.pop(number, None)

    async def tell(self, do: str, data: Any) -> None:
        """Give an order that is obeyed at once, whatever else is obeyed, and has no reply. If the process is gone, nothing
        happens."""
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            await self._write({"order": 0, "do": do, "data": data})

    async def _write(self, order: Data) -> None:
        stdin = self._process.stdin
        assert stdin is not None
        stdin.write(dumps(order).encode(errors="replace") + b"\n")
        await stdin.drain()

    async def _read(self) -> None:
        """Hand over replies and events, until the process is gone."""
        stdout = self._process.stdout
        assert stdout is not None
        with contextlib.suppress(ValueError):  # A line that is too long, or no JSON.
            while line := await stdout.readline():
                self._hand_over(json.loads(line))
        await self.kill()
        for order in self._orders.values():
            if not order.reply.done():
                order.reply.set_exception(self.loss)

    def _hand_over(self, said: Data) -> None:
        order = self._orders.get(said.get("order", 0))
        if "event" in said:
            (order.on_event if order else self.on_news)(said["event"])
        elif order is None or order.reply.done():
            return  # Nobody waits for it any more.
        elif "error" in said:
            order.reply.set_exception(TilerError(said["error"]))
        else:
            order.reply.set_result(said["reply"])

    async def kill(self) -> None:
        """End the process and all of its children."""
        await kill(self._process)


async def kill(process: asyncio.subprocess.Process) -> None:
    """End a process and all others of its group."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    await process.wait()


async def _itself(worker: WorkerProcess) -> WorkerProcess:
    return worker


class Pool:
    """Workers: a spare one is always warm, so that nobody waits for imports. At most as many questions run as there are cores."""

    def __init__(self) -> None:
        self.slots = asyncio.Semaphore(threads.cores())
        self._spares: deque[asyncio.Task[WorkerProcess]] = deque()
        self._shared: asyncio.Task[WorkerProcess] | None = None
        self._alive: set[WorkerProcess] = set()

    def warm(self) -> None:
        """Begin to start a spare worker, if there is none, and the one for small things."""
        if self._shared is None:
            self._shared = asyncio.create_task(self._started(SHARED))
        if not self._spares:
            self._spares.append(asyncio.create_task(self._started()))

    async def _started(self, *words: str) -> WorkerProcess:
        worker = await WorkerProcess.start(*words)
        self._alive.add(worker)
        return worker

    async def take(self) -> WorkerProcess:
        """A worker for the caller alone, who gives it back by `end`."""
        self.warm()
        spare = self._spares.popleft()
        try:
            worker = await asyncio.shield(spare)
        except asyncio.CancelledError:  # Its process starts all the same.
            self._spares.appendleft(spare)
            raise
        self.warm()
        return worker if worker.is_alive else await self._started()

    async def give_back(self, worker: WorkerProcess) -> None:
        """Take a worker back that has nothing to do; it is the next spare one, or it ends if there are enough."""
        worker.on_news = lambda event: None
        if worker.is_alive and not worker.is_busy and len(self._spares) < MOST_SPARES:
            with contextlib.suppress(TilerError):
                await worker.order("forget", None, seconds=_FORGET_SECONDS)
                self._spares.appendleft(asyncio.create_task(_itself(worker)))
                return
        await self.end(worker)

    async def end(self, worker: WorkerProcess) -> None:
        """End a worker."""
        self._alive.discard(worker)
        await worker.kill()

    async def ask_shared(self, do: str, data: Any) -> Any:
        """The reply of the worker for small things: reading, naming, saving."""
        while True:
            self.warm()
            assert self._shared is not None
            task = self._shared
            worker = await asyncio.shield(task)
            if worker.is_alive:
                return await worker.order(do, data)
            if self._shared is task:
                self._shared = None

    @property
    def pids(self) -> list[int]:
        """The processes there are."""
        return [worker.pid for worker in self._alive if worker.is_alive]

    async def close(self) -> None:
        """End all processes."""
        if self._shared is not None:
            await self._shared
        while self._spares:
            with contextlib.suppress(asyncio.CancelledError):
                await self._spares.popleft()
        for worker in list(self._alive):
            await self.end(worker)
