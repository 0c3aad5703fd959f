"""Let several solvers race on one problem, each in a process of its own, and say what came of it. This module knows no HTTP.

All of this runs in the event loop of the server. A race belongs to the session of a page and ends with it. The page is told how
far all racers are, at most thirty times a second, and only while it looks; else the racers tell nothing.
"""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import AsyncGenerator, Sequence
from typing import Any
from weakref import WeakKeyDictionary

from tiler.amounts import counted, duration, rounded
from tiler.apps.studio.message_json import dumps, read, to_json
from tiler.apps.studio.messages import Data
from tiler.apps.studio.processes import Ended, Pool, WorkerProcess
from tiler.apps.studio.race_messages import (
    BeginRaceMessage,
    Goal,
    PaceRaceMessage,
    RaceFrameMessage,
    RacerMessage,
    RacerStateMessage,
)
from tiler.apps.studio.sessions import Busy, Session
from tiler.errors import InputError, TilerError
from tiler.process import threads

FEWEST, MOST = 2, 4  #: racers of a race
MOST_PACE = 1_000_000  #: nodes a second of a race that is not at full speed
_FRAME_SECONDS = 1 / 30
_STILL_HERE_SECONDS = 15.0
_OVER = ("done", "failed", "ended")
_MADE_ROOM = "ended for a race in another window, while nobody looked here"
_NO_BENCHMARK = "One race is no benchmark: on another board, or with another order of cells, another solver may be first."


class Races:
    """The races of all sessions, and the processes that there may be for them, beside those for questions: one for each core, but
    at least as many as one race needs. At a slow pace they hardly work."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._most = max(MOST, threads.cores())
        self.racing = 0  #: the number of processes that race
        self._of: WeakKeyDictionary[Session, Race] = WeakKeyDictionary()

    def of(self, session: Session) -> Race:
        """The race of a session; it ends with the session."""
        if session not in self._of:
            race = self._of[session] = Race(self)
            session.endings.append(race.end)
        return self._of[session]

    async def take(self, count: int) -> list[WorkerProcess]:
        """Processes for the racers of a race. If there are too few, races that nobody looks at end: their pages are closed, or
        hidden, or in another room. Busy if others look at all races."""
        for race in list(self._of.values()):
            if self.racing + count > self._most and race.is_forgotten:
                await race.make_room()
        if self.racing + count > self._most:
            raise Busy(f"{counted(self.racing, 'solver')} race on this machine already, in another window; end that race first")
        self.racing += count
        taken: list[WorkerProcess] = []
        try:
            for _ in range(count):
                taken.append(await self._pool.take())
        except BaseException:
            self.racing -= count
            for worker in taken:
                await asyncio.shield(self._pool.end(worker))
            raise
        return taken

    async def end(self, worker: WorkerProcess) -> None:
        """End the process of a racer."""
        self.racing -= 1
        await self._pool.end(worker)


class Race:
    """The race of one session: nothing, then one race after the other."""

    def __init__(self, races: Races) -> None:
        self._races = races
        self._changing = asyncio.Lock()
        self._number = 0
        self._goal: Goal = "decide"
        self._states: list[RacerStateMessage] = []
        self._paces: list[int | None] = []
        self._workers: list[WorkerProcess | None] = []
        self._tasks: list[asyncio.Task[None]] = []
        self._news = asyncio.Event()
        self._watchers = 0
        self._version = 0

    @property
    def is_forgotten(self) -> bool:
        """Whether somebody races and nobody looks."""
        return not self._watchers and any(self._workers)

    @property
    def frame(self) -> RaceFrameMessage:
        """How far all racers are."""
        over = bool(self._states) and all(state.state in _OVER for state in self._states)
        return RaceFrameMessage(self._number, tuple(self._states), over, verdict(self._goal, self._states))

    async def begin(self, message: BeginRaceMessage) -> int:
        """Begin a race; its number. InputError or Busy if it cannot begin; a racer that fails later says so itself."""
        if not FEWEST <= len(message.racers) <= MOST:
            raise InputError(f"a race has {FEWEST} to {MOST} solvers, not {len(message.racers)}")
        pace = _checked(message.per_second)
        async with self._changing:
            await self._end()
            await self._begin(message, pace)
        self._tell()
        return self._number

    async def _begin(self, message: BeginRaceMessage, pace: int | None) -> None:
        self._number += 1
        self._goal = message.goal
        self._states = [RacerStateMessage(racer.name or racer.solver, "preparing", pace=pace) for racer in message.racers]
        self._paces, self._workers = [pace] * len(message.racers), [None] * len(message.racers)
        try:
            self._workers[:] = await self._races.take(len(message.racers))
        except BaseException:
            self._states = []  # There is no race: nobody was late.
            self._tell()
            raise
        self._tasks = [asyncio.create_task(self._prepare(number, message, racer)) for number, racer in enumerate(message.racers)]
        self._tasks.append(asyncio.create_task(self._start(list(self._tasks))))

    async def _prepare(self, number: int, message: BeginRaceMessage, racer: RacerMessage) -> None:
        """Make a racer ready."""
        data = {"problem": message.problem, "goal": message.goal, "racer": to_json(racer)}
        await self._ordered(number, "race_prepare", data)

    async def _start(self, preparing: Sequence[asyncio.Task[None]]) -> None:
        """Let all racers start at the same time, as soon as all are ready."""
        await asyncio.gather(*preparing)
        ready = [number for number, state in enumerate(self._states) if state.state == "preparing"]
        await asyncio.gather(*map(self._send_pace, ready))
        await asyncio.gather(*(self._search(number) for number in ready))

    async def _search(self, number: int) -> None:
        self._states[number] = dataclasses.replace(self._states[number], state="searching")
        self._tell()
        await self._ordered(number, "race_search", None)
        if self._states[number].state not in _OVER:
            self._states[number] = dataclasses.replace(self._states[number], state="ended")
        await self._end_worker(number)
        self._tell()

    async def _ordered(self, number: int, do: str, data: Any) -> None:
        worker = self._workers[number]
        if worker is None:
            return

        def hear(event: Data) -> None:
            self._hear(number, event)

        try:
            await worker.order(do, data, seconds=None, on_event=hear)
        except TilerError as error:
            said = (
                f"the process of this solver has ended ({error.why}); the others go on"
                if isinstance(error, Ended)
                else str(error)
            )
            self._states[number] = dataclasses.replace(self._states[number], state="failed", per_second=0, sentence=said)
            await self._end_worker(number)
            self._tell()

    def _hear(self, number: int, event: Data) -> None:
        state = read(RacerStateMessage, event)
        before = self._states[number]
        place = before.place
        if not place and (state.state == "measuring" or (state.state == "done" and state.status != "unknown")):
            place = 1 + sum(other.place > 0 for other in self._states)
        self._states[number] = dataclasses.replace(state, name=before.name, place=place, pace=self._paces[number])
        self._tell()

    async def pace(self, message: PaceRaceMessage) -> None:
        """Change the pace of one racer, or of all."""
        pace = _checked(message.per_second)
        if message.racer is not None and not 0 <= message.racer < len(self._states):
            raise InputError(f"there is no racer {message.racer}")
        for number in range(len(self._states)):
            if message.racer in (None, number):
                self._paces[number] = pace
                self._states[number] = dataclasses.replace(self._states[number], pace=pace)
                if self._states[number].state != "preparing":
                    await self._send_pace(number, message.steps)
        self._tell()

    async def _send_pace(self, number: int, steps: int = 0) -> None:
        worker = self._workers[number]
        if worker is None:
            return
        data = {"per_second": self._paces[number], "steps": min(max(0, steps), MOST_PACE), "is_seen": self._watchers > 0}
        await worker.tell("race_pace", data)

    async def end(self) -> None:
        """End all racers; those that are not there stay unfinished."""
        async with self._changing:
            await self._end()

    async def make_room(self) -> None:
        """End if still nobody looks."""
        async with self._changing:
            if not self._watchers:
                await self._end(_MADE_ROOM)

    async def _end(self, sentence: str = "") -> None:
        tasks, self._tasks = self._tasks, []
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for number in range(len(self._workers)):
            await self._end_worker(number)
        ended = {"state": "ended", "per_second": 0, "sentence": sentence}
        self._states = [
            state if state.state in _OVER else dataclasses.replace(state, **{**ended, "state": "done"} if state.place else ended)  # type: ignore[arg-type]
            for state in self._states
        ]
        self._tell()

    async def _end_worker(self, number: int) -> None:
        worker, self._workers[number] = self._workers[number], None
        if worker is not None:
            await asyncio.shield(self._races.end(worker))

    def _tell(self) -> None:
        self._version += 1
        self._news.set()

    async def watch(self) -> AsyncGenerator[str, None]:
        """The frames of the race, as server-sent events called frame: the newest one, whenever the reader is ready for one."""
        self._watchers += 1
        seen = -1
        try:
            await self._seen()
            yield ": here\n\n"
            while True:
                if seen != self._version:
                    seen = self._version
                    self._news.clear()
                    yield f"event: frame\ndata: {dumps(self.frame)}\n\n"
                    await asyncio.sleep(_FRAME_SECONDS)
                    continue
                try:
                    await asyncio.wait_for(self._news.wait(), _STILL_HERE_SECONDS)
                except TimeoutError:
                    yield ": still here\n\n"
        finally:
            self._watchers -= 1
            if not self._watchers:
                task = asyncio.get_running_loop().create_task(self._seen())
                self._tasks.append(task)

    async def _seen(self) -> None:
        """Tell the racers whether somebody looks."""
        for number, state in enumerate(self._states):
            if state.state != "preparing":
                await self._send_pace(number)


def _checked(per_second: int | None) -> int | None:
    if per_second is not None and not 0 <= per_second <= MOST_PACE:
        raise InputError(f"a pace is a number of nodes a second up to {MOST_PACE:,}, or full speed")
    return per_second


def verdict(goal: Goal, racers: Sequence[RacerStateMessage]) -> tuple[str, ...]:
    """What came of a race, in sentences; none before somebody is there."""
    there = sorted((racer for racer in racers if racer.place), key=lambda racer: racer.place)
    is_over = bool(racers) and all(racer.state in _OVER for racer in racers)
    if not there:
        return ("Nobody was there when the race ended.",) if is_over else ()
    first = there[0]
    said = [f"{first.name} was first: {_answer(goal, first)} after {_steps(first)}."]
    others = [f"{racer.name} needed {_steps(racer)}{_times(racer.nodes, first.nodes, 'as many')}" for racer in there[1:]]
    if others:
        said.append(f"{'; '.join(others)}.")
    away = [f"{racer.name} was not there after {_steps(racer)}" for racer in racers if not racer.place and racer.nodes]
    if away and is_over:
        said.append(f"{'; '.join(away)}.")
    timed = sorted((racer for racer in there if racer.seconds is not None), key=lambda racer: racer.seconds or 0.0)
    if timed and len(timed) == len(there):
        fastest = timed[0]
        times = [f"{fastest.name} takes {_seconds(fastest)}"]
        times += [
            f"{racer.name} {_seconds(racer)}{_times(racer.seconds or 0.0, fastest.seconds or 0.0, 'as long')}"
            for racer in timed[1:]
        ]
        said.append(f"At full speed {'; '.join(times)}.")
    return (*said, _NO_BENCHMARK)


def _answer(goal: Goal, racer: RacerStateMessage) -> str:
    if racer.status == "unsat":
        return "it showed that there is no tiling"
    return "it found a tiling" if goal == "decide" else f"it counted {counted(int(racer.found), 'tiling')}"


def _steps(racer: RacerStateMessage) -> str:
    return counted(racer.nodes, "step")


def _seconds(racer: RacerStateMessage) -> str:
    """The seconds of a racer, which everybody knows, rather than thousandths of them."""
    seconds = racer.seconds or 0.0
    return f"{seconds:.2g} seconds" if 1e-4 <= seconds < 99 else duration(seconds, 2)


def _times(number: float, least: float, words: str) -> str:
    """How many times as much a number is, if that can be said and is more than a trifle."""
    if least <= 0 or number / least < 1.05:
        return ""
    ratio = number / least
    return f", {rounded(ratio) if ratio >= 10 else f'{ratio:.1f}'} times {words}"
