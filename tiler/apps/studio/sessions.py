"""Keep the engines of open pages: one process for each page, and one for each long question, no more of those than cores.

All of this runs in the event loop of the server. A session holds the events that its page has not seen yet, so that a stream that
breaks off goes on where it was. A session whose page is gone for a minute ends, with all its work.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from tiler.apps.studio.message_json import dumps
from tiler.apps.studio.messages import AnswerMessage, Data, FailedMessage, GoneMessage, LayMessage
from tiler.apps.studio.processes import Lost, Pool, WorkerProcess
from tiler.errors import TilerError

GONE_SECONDS = 60.0  #: after which the work of a page that is gone ends
MOST_SESSIONS = 24
MOST_QUESTIONS = 16  #: of a session that run or wait
_KEPT_EVENTS = 2000
_KEPT_CHARACTERS = 64 << 20
_PING_SECONDS = 15.0
_SHORT_SECONDS = 10.0  # of a question after which its worker is not kept for the next one
_QUICK = ("solve", "hint")  # questions that the process of the page tries to answer at once
_AWAY = "this page was away for more than a minute, so what was asked has ended; ask again"


class Busy(TilerError):  # noqa: N818
    """Too much is asked for at a time."""


class NotOpen(TilerError):  # noqa: N818
    """No problem is open in the session, because it is new."""

    def __init__(self) -> None:
        super().__init__("no problem is open")


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
        self._held: Data | None = None  # the problem that the worker has opened
        self._opening = asyncio.Lock()
        self.name = secrets.token_hex(4)  #: begins the ids of all events, so that those of other sessions are known
        self._events: deque[tuple[int, str]] = deque()
        self._characters = 0
        self._last_event = 0
        self._news = asyncio.Event()
        self._questions: dict[str, _Question] = {}
        self._asked = 0
        self._streams = 0
        self.endings: list[Callable[[], Awaitable[None]]] = []  #: called when the session ends, for work beside its questions
        self._gone_since = now()
        self._is_closed = False

    # Problems and moves

    async def open(self, problem: Data) -> Data:
        """Open a problem."""
        self._problem, self._held = problem, None
        _, opened = await self._ready()
        return opened or {}

    async def lay(self, message: LayMessage) -> Data:
        """The answer to a move."""
        for attempt in (1, 2):
            worker, _ = await self._ready()
            try:
                reply: Data = await worker.order("lay", message)
                return reply
            except Lost as lost:
                await self._drop(worker, lost)
                if attempt == 2:
                    raise
        raise AssertionError

    async def _ready(self) -> tuple[WorkerProcess, Data | None]:
        """The worker of the session, with the problem open; and what it said, if it was opened now. If its process is gone, the
        page is told, and another one takes over once."""
        if self._problem is None:
            raise NotOpen
        async with self._opening:
            for attempt in (1, 2):
                if self._worker is not None and not self._worker.is_alive:
                    await self._drop(self._worker, self._worker.loss)
                if self._worker is None:
                    self._worker, self._held = await self._pool.take(), None
                    self._worker.on_news = self._emit
                problem, worker = self._problem, self._worker
                if self._held is problem:
                    return worker, None
                try:
                    opened: Data = await worker.order("open", problem)
                except Lost as lost:
                    await self._drop(worker, lost)
                    if attempt == 2:
                        raise
                else:
                    self._held = problem
                    return worker, opened
        raise AssertionError

    async def _drop(self, worker: WorkerProcess, lost: Lost) -> None:
        """Tell the page that a worker is gone, once."""
        if self._worker is worker:
            self._worker = None
            self._emit(GoneMessage(str(lost)))
            await self._pool.end(worker)

    # Questions

    def ask(self, question: str, parameters: Data, laid: Any) -> str:
        """Begin to answer a question; its id. Busy if too many are asked."""
        if self._problem is None:
            raise NotOpen
        if len(self._questions) >= MOST_QUESTIONS:
            raise Busy(f"{len(self._questions)} questions are being answered; stop one, or wait")
        self._asked += 1
        id = f"{self.name}-{self._asked}"
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
            is_quick = asked.question in _QUICK and not data["message"]["parameters"]
            if not (is_quick and await self._attempt(data, forward)):
                async with self._pool.slots:
                    await self._ask_alone(data, forward)
        except TilerError as error:
            if not asked.is_answered:
                self._emit(FailedMessage(id, str(error)))
        finally:
            self._questions.pop(id, None)

    async def _attempt(self, data: Data, forward: Callable[[Data], None]) -> bool:
        """Whether the process of the page has answered the question: it has the problem at hand, but may not take long."""
        try:
            worker, _ = await self._ready()
            if not worker.is_free_soon or self._held is not data["problem"]:
                return False
            return bool(await worker.order("attempt", {"id": data["id"], "message": data["message"]}, on_event=forward))
        except Lost:
            return False

    async def _ask_alone(self, data: Data, forward: Callable[[Data], None]) -> None:
        """Answer a question by a process of its own. It serves again if it has ended soon, and else it ends."""
        worker = await self._pool.take()
        started, is_done = time.monotonic(), False
        try:
            await worker.order("ask", data, seconds=None, on_event=forward)
            is_done = time.monotonic() - started < _SHORT_SECONDS
        finally:
            await asyncio.shield(self._pool.give_back(worker) if is_done else self._pool.end(worker))

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

    async def stream(self, last: str = "") -> AsyncGenerator[str, None]:
        """The events after the one of that id, those kept and those to come, as server-sent events. To a page that saw events of
        another session this says first that the other session has ended."""
        self._streams += 1
        name, _, number = last.partition("-")
        is_ours = name == self.name and number.isdecimal() and len(number) < 16
        after = int(number) if is_ours else 0
        try:
            yield ": here\n\n"
            if last and not is_ours:
                yield f"id: {self.name}-0\ndata: {dumps(GoneMessage(_AWAY, self.name))}\n\n"
            while not self._is_closed:
                for after, text in [event for event in self._events if event[0] > after]:
                    yield f"id: {self.name}-{after}\ndata: {text}\n\n"
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
        for end in self.endings:
            await end()
        if self._worker is not None:
            await self._pool.give_back(self._worker)
            self._worker = None


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
