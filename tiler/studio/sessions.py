"""Keep the engines of open pages: one process for each page, and one for each long question, no more of those than cores.

All of this runs in the event loop of the server. A session holds the events that its page has not seen yet, so that a stream that
breaks off goes on where it was. A session whose page is gone for a minute ends, with all its work.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from tiler.errors import TilerError
from tiler.process import threads
from tiler.studio.message_json import dumps
from tiler.studio.messages import AnswerMessage, Data, FailedMessage, GoneMessage, LaidMessage, LayMessage

GONE_SECONDS = 60.0  #: after which the work of a page that is gone ends
MOST_SESSIONS = 24
MOST_QUESTIONS = 16  #: of a session that run or wait
PATIENCE_SECONDS = 60.0  #: for one order; a process that takes longer is killed
_KEPT_EVENTS = 2000
_KEPT_CHARACTERS = 64 << 20
_LINE_BYTES = 256 << 20  # the longest line of a worker
_PING_SECONDS = 15.0
_MOST_SPARES = 2
_FORGET_SECONDS = 2.0  # in which a worker lays down what it holds
_LOST = "the engine's process has ended ({why}); the problem is opened again with the next move"


class Busy(TilerError):  # noqa: N818
    """Too much is asked for at a time."""


class Lost(TilerError):  # noqa: N818
    """The process of a worker is gone."""


class WorkerProcess:
    """A process of worker.py, in a process group of its own. It takes one order at a time."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._orders = 0
        self._lock = asyncio.Lock()

    @classmethod
    async def start(cls) -> WorkerProcess:
        """A new process."""
        return cls(
            await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "tiler.studio.worker",
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
        return self._lock.locked()

    @property
    def end(self) -> str:
        """How the process ended."""
        status = self._process.returncode
        if status is not None and status < 0:
            return f"killed by {signal.Signals(-status).name}"
        return f"status {status}"

    async def order(
        self,
        do: str,
        data: Any,
        *,
        seconds: float | None = PATIENCE_SECONDS,
        on_event: Callable[[Data], None] = lambda event: None,
    ) -> Any:
        """The reply to an order; TilerError with the sentence of the worker, Lost if its process is gone or had to be killed."""
        async with self._lock:
            try:
                async with asyncio.timeout(seconds):
                    return await self._order(do, data, on_event)
            except TimeoutError:
                await self.kill()
                raise Lost(f"this takes more than {seconds:g} seconds") from None
            except asyncio.CancelledError:
                await self.kill()  # Its reply would be taken for that of the next order.
                raise

    async def _order(self, do: str, data: Any, on_event: Callable[[Data], None]) -> Any:
        self._orders += 1
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        try:
            stdin.write(dumps({"order": self._orders, "do": do, "data": data}).encode(errors="replace") + b"\n")
            await stdin.drain()
            while line := await stdout.readline():
                reply = json.loads(line)
                if "event" in reply:
                    on_event(reply["event"])
                elif "error" in reply:
                    raise TilerError(reply["error"])
                else:
                    return reply["reply"]
        except (BrokenPipeError, ConnectionResetError, ValueError):
            pass
        await self.kill()
        raise Lost(_LOST.format(why=self.end))

    async def kill(self) -> None:
        """End the process and all of its children."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        await self._process.wait()


async def _itself(worker: WorkerProcess) -> WorkerProcess:
    return worker


class Pool:
    """Workers: a spare one is always warm, so that nobody waits for imports. At most as many questions run as there are cores."""

    def __init__(self, cores: int | None = None) -> None:
        self.slots = asyncio.Semaphore(cores or threads.cores())
        self._spares: deque[asyncio.Task[WorkerProcess]] = deque()
        self._clerk: WorkerProcess | None = None
        self._alive: set[WorkerProcess] = set()

    def warm(self, count: int = 1) -> None:
        """Begin to start spare workers, so that there are as many."""
        while len(self._spares) < count:
            self._spares.append(asyncio.create_task(self._started()))

    async def _started(self) -> WorkerProcess:
        worker = await WorkerProcess.start()
        self._alive.add(worker)
        return worker

    async def take(self) -> WorkerProcess:
        """A worker for the caller alone, who gives it back by `end`."""
        self.warm()
        worker = await self._spares.popleft()
        self.warm()
        return worker if worker.is_alive else await self._started()

    async def give_back(self, worker: WorkerProcess) -> None:
        """Take a worker back that has nothing to do; it is the next spare one, or it ends if there are enough."""
        if worker.is_alive and not worker.is_busy and len(self._spares) < _MOST_SPARES:
            with contextlib.suppress(TilerError):
                await worker.order("forget", None, seconds=_FORGET_SECONDS)
                self._spares.appendleft(asyncio.create_task(_itself(worker)))
                return
        await self.end(worker)

    async def end(self, worker: WorkerProcess) -> None:
        """End a worker."""
        self._alive.discard(worker)
        await worker.kill()

    async def clerk(self, do: str, data: Any, seconds: float = PATIENCE_SECONDS) -> Any:
        """The reply of the worker for small things: reading, naming, saving."""
        if self._clerk is None or not self._clerk.is_alive:
            self._clerk = await self.take()
        return await self._clerk.order(do, data, seconds=seconds)

    @property
    def pids(self) -> list[int]:
        """The processes there are."""
        return [worker.pid for worker in self._alive if worker.is_alive]

    async def close(self) -> None:
        """End all processes."""
        while self._spares:
            with contextlib.suppress(asyncio.CancelledError):
                await self._spares.popleft()
        for worker in list(self._alive):
            await self.end(worker)


@dataclass
class _Question:
    """A question under way."""

    question: str
    task: asyncio.Task[None] | None = None
    last: Data = field(default_factory=dict)  #: the last event of progress
    found: int = 0  #: tilings emitted so far
    is_answered: bool = False
    started: float = field(default_factory=time.monotonic)


class Session:
    """The work for one page."""

    def __init__(self, pool: Pool, now: Callable[[], float] = time.monotonic) -> None:
        self._pool, self._now = pool, now
        self._worker: WorkerProcess | None = None
        self._problem: Data | None = None
        self._is_opened = False
        self._opening = asyncio.Lock()
        self._waiting_lay = 0  #: the newest revision that was asked about
        self._events: deque[tuple[int, str]] = deque()
        self._characters = 0
        self._last_event = 0
        self._news = asyncio.Event()
        self._questions: dict[str, _Question] = {}
        self._asked = 0
        self._streams = 0
        self._gone_since = now()
        self._is_closed = False

    # Problems and moves

    async def open(self, problem: Data) -> Data:
        """Open a problem."""
        self._problem, self._waiting_lay, self._is_opened = problem, 0, False
        return await self._with_worker(self._reopened)

    async def _reopened(self, worker: WorkerProcess) -> Data:
        reply: Data = await worker.order("open", self._problem)
        self._is_opened = True
        return reply

    async def lay(self, message: LayMessage) -> Data:
        """The answer to a move. A move older than another that waits is not looked at."""
        if self._problem is None:
            raise TilerError("no problem is open")
        self._waiting_lay = max(self._waiting_lay, message.revision)

        async def laid(worker: WorkerProcess) -> Data:
            if message.revision < self._waiting_lay:
                nothing = LaidMessage(message.revision, None, None, (), (), (), (), None, 0.0)
                dropped: Data = json.loads(dumps(nothing))
                return dropped
            if not self._is_opened:
                await self._reopened(worker)
            reply: Data = await worker.order("lay", message)
            return reply

        return await self._with_worker(laid)

    async def _with_worker(self, work: Callable[[WorkerProcess], Awaitable[Data]]) -> Data:
        """What the worker of the session replies. If its process is gone, the page is told, and another one takes over once."""
        async with self._opening:
            for attempt in (1, 2):
                if self._worker is None or not self._worker.is_alive:
                    if self._worker is not None:
                        self._emit(GoneMessage(_LOST.format(why=self._worker.end)))
                        await self._pool.end(self._worker)
                    self._worker, self._is_opened = await self._pool.take(), False
                try:
                    return await work(self._worker)
                except Lost as lost:
                    self._emit(GoneMessage(str(lost)))
                    await self._pool.end(self._worker)
                    self._worker = None
                    if attempt == 2:
                        raise
        raise AssertionError

    # Questions

    def ask(self, question: str, parameters: Data, laid: Any) -> str:
        """Begin to answer a question; its id. Busy if too many are asked."""
        if self._problem is None:
            raise TilerError("no problem is open")
        if len(self._questions) >= MOST_QUESTIONS:
            raise Busy(f"{len(self._questions)} questions are being answered; stop one, or wait")
        self._asked += 1
        id = str(self._asked)
        asked = self._questions[id] = _Question(question)
        message = {"session": "-", "question": question, "parameters": parameters, "laid": laid}
        asked.task = asyncio.create_task(self._answer(id, asked, {"id": id, "problem": self._problem, "message": message}))
        return id

    async def _answer(self, id: str, asked: _Question, data: Data) -> None:
        def forward(event: Data) -> None:
            if event["event"] == "progress":
                asked.last = event
            elif event["event"] == "part":
                asked.found += len(event["tilings"])
            else:
                asked.is_answered = True
            self._emit(event)

        try:
            async with self._pool.slots:
                worker = await self._pool.take()
                try:
                    await worker.order("ask", data, seconds=None, on_event=forward)
                finally:
                    await asyncio.shield(self._pool.end(worker))
        except TilerError as error:
            if not asked.is_answered:
                self._emit(FailedMessage(id, str(error)))
        finally:
            self._questions.pop(id, None)

    async def stop(self, id: str) -> None:
        """End the work on a question; its answer is what is known by then."""
        asked = self._questions.get(id)
        if asked is None or asked.task is None:
            return
        asked.task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await asked.task
        self._questions.pop(id, None)
        if not asked.is_answered:
            known = asked.last.get("words", "")
            found = max(asked.found, int(asked.last.get("found", "0")))
            sentences = ("stopped", *([known] if known else []))
            seconds = round(time.monotonic() - asked.started, 3)
            status = "sat" if found else "unknown"
            self._emit(AnswerMessage(id, asked.question, status, sentences, (), "", "", seconds, "interrupted"))

    # Events

    def _emit(self, event: object) -> None:
        text = dumps(event)
        self._last_event += 1
        self._events.append((self._last_event, text))
        self._characters += len(text)
        while len(self._events) > _KEPT_EVENTS or (self._characters > _KEPT_CHARACTERS and len(self._events) > 1):
            self._characters -= len(self._events.popleft()[1])
        self._news.set()

    async def stream(self, after: int) -> AsyncIterator[str]:
        """The events after that number, those kept and those to come, as server-sent events."""
        self._streams += 1
        try:
            yield "retry: 1000\n\n"
            while not self._is_closed:
                for number, text in [event for event in self._events if event[0] > after]:
                    after = number
                    yield f"id: {number}\ndata: {text}\n\n"
                self._news.clear()
                if self._events and self._events[-1][0] > after:
                    continue
                try:
                    await asyncio.wait_for(self._news.wait(), _PING_SECONDS)
                except TimeoutError:
                    yield ": still here\n\n"
        finally:
            self._streams -= 1
            self._gone_since = self._now()

    @property
    def is_gone(self) -> bool:
        """Whether no page has listened for a minute."""
        return self._streams == 0 and self._now() - self._gone_since > GONE_SECONDS

    async def close(self) -> None:
        """End all work."""
        self._is_closed = True
        self._news.set()
        tasks = [asked.task for asked in self._questions.values() if asked.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._worker is not None:
            await self._pool.give_back(self._worker)
            self._worker = None

    @property
    def questions(self) -> int:
        """The number of questions that run or wait."""
        return len(self._questions)

    @property
    def worker_pid(self) -> int | None:
        """The process that holds the problem."""
        return None if self._worker is None else self._worker.pid


class Sessions:
    """The sessions of all pages, by the ids that the pages made."""

    def __init__(self, pool: Pool, now: Callable[[], float] = time.monotonic) -> None:
        self.pool, self._now = pool, now
        self._by_id: dict[str, Session] = {}

    def of(self, id: str) -> Session:
        """The session of that id, a new one if there is none; TilerError for an id that is none, Busy if there are too many."""
        if not (8 <= len(id) <= 64 and id.isascii() and id.replace("-", "").isalnum()):
            raise TilerError("session: an id has 8 to 64 letters, digits and hyphens")
        if id not in self._by_id:
            if len(self._by_id) >= MOST_SESSIONS:
                raise Busy(f"{len(self._by_id)} pages are open; close one")
            self._by_id[id] = Session(self.pool, self._now)
        return self._by_id[id]

    def __len__(self) -> int:
        return len(self._by_id)

    async def end(self, id: str) -> None:
        """End a session."""
        session = self._by_id.pop(id, None)
        if session is not None:
            await session.close()

    async def end_gone(self) -> None:
        """End the sessions whose pages are gone."""
        for id in [id for id, session in self._by_id.items() if session.is_gone]:
            await self.end(id)

    async def close(self) -> None:
        """End everything."""
        for id in list(self._by_id):
            await self.end(id)
        await self.pool.close()
