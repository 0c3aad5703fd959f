"""Races through the server: frames, paces, and how many race at once. What ends a race: test_processes.py."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable
from typing import Any

import pytest
from studio_client import SESSION, Client
from test_server import DOMINOES, PENTOMINOES

from tiler.apps.studio import race as races
from tiler.apps.studio.race import MOST, Race
from tiler.apps.studio.server import joined
from tiler.apps.studio.sessions import Session

THREE = [{"solver": "dlx", "name": "dlx"}, {"solver": "fila"}, {"solver": "backtracking:cells=columns", "name": "columns"}]


def of(client: Client) -> Race:
    return client.studio.races.of(client.session)


async def frame(client: Client, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """The first frame of the race that is wanted."""
    async with contextlib.aclosing(of(client).watch()) as frames:  # type: ignore[type-var]
        async for text in frames:
            for line in text.splitlines():
                if line.startswith("data: "):
                    found: dict[str, Any] = json.loads(line.removeprefix("data: "))
                    if wanted(found):
                        return found
    raise AssertionError


async def begin(client: Client, problem: Any = PENTOMINOES, racers: Any = THREE, **how: Any) -> int:
    body = {"session": SESSION, "problem": problem, "goal": "decide", "racers": racers, **how}
    return int((await client.post_data("/api/race/begin", body))["race"])


def test_a_race_is_run_slowed_paused_stepped_and_finished(in_studio_here: Any) -> None:
    async def test(client: Client) -> None:
        about = await client.post("/api/race/about", problem=PENTOMINOES)
        assert len(about["cells"]) == 60
        assert await begin(client, per_second=0) == 1
        paused = await frame(client, lambda told: all(racer["state"] == "paused" for racer in told["racers"]))
        assert [racer["nodes"] for racer in paused["racers"]] == [1, 1, 1]
        await client.post("/api/race/pace", 204, session=SESSION, racer=1, per_second=0, steps=2)
        stepped = await frame(client, lambda told: told["racers"][1]["nodes"] == 3)
        assert [racer["nodes"] for racer in stepped["racers"]] == [1, 3, 1]
        assert len(stepped["racers"][1]["pieces"]) >= 1
        await client.post("/api/race/pace", 204, session=SESSION, racer=0, per_second=None)
        first = await frame(client, lambda told: told["racers"][0]["state"] == "done")
        assert first["racers"][0]["place"] == 1
        assert first["sentences"][0] == f"dlx was first: it found a tiling after {first['racers'][0]['nodes']} steps."
        assert not first["over"]
        await client.post("/api/race/pace", 204, session=SESSION, per_second=None)
        over = await frame(client, lambda told: told["over"])
        assert [racer["name"] for racer in over["racers"]] == ["dlx", "fila", "columns"]
        assert sorted(racer["place"] for racer in over["racers"]) == [1, 2, 3]
        assert all(racer["seconds"] is not None for racer in over["racers"])
        assert "At full speed" in over["sentences"][2]
        await client.post("/api/race/end", 204, session=SESSION)
        assert of(client).frame.sentences == tuple(over["sentences"])
        assert client.studio.races.racing == 0

    in_studio_here(test)


def test_the_number_of_racers_is_limited(in_studio_here: Any) -> None:
    async def test(client: Client) -> None:
        for wrong, said in (
            (THREE[:1], "a race has 2 to 4 solvers, not 1"),
            ([*THREE, *THREE], "not 6"),
            ([{"solvr": "dlx"}], "unknown key"),
        ):
            body = {"session": SESSION, "problem": DOMINOES, "goal": "decide", "racers": wrong}
            assert said in (await client.post_data("/api/race/begin", body, 400))["error"]
        body = {"session": SESSION, "problem": DOMINOES, "goal": "decide", "racers": THREE, "per_second": -1}
        assert "a pace is a number" in (await client.post_data("/api/race/begin", body, 400))["error"]
        usual, client.studio.races._most = client.studio.races._most, MOST
        await begin(client, per_second=0)
        await client.post("/api/race/pace", 400, session=SESSION, racer=3, per_second=0)
        other = {"session": "session-2", "problem": DOMINOES, "goal": "decide", "racers": THREE, "per_second": 0}
        async with contextlib.aclosing(of(client).watch()) as frames:  # type: ignore[type-var]
            await anext(frames)
            assert "3 solvers race" in (await client.post_data("/api/race/begin", other, 429))["error"]
            assert client.studio.races.of(client.studio.sessions.of("session-2")).frame.racers == ()
            assert client.studio.races.racing == len(THREE)
        # The page is closed, or shows another room: its race makes room for one that somebody wants to see.
        await client.post_data("/api/race/begin", other)
        assert client.studio.races.racing == len(THREE)
        assert {racer.sentence for racer in of(client).frame.racers} == {races._MADE_ROOM}
        client.studio.races._most = usual
        await client.studio.sessions.end("session-2")

    in_studio_here(test)


def test_one_stream_has_the_events_of_a_page_and_the_frames_of_its_race() -> None:
    """A browser has six connections to a host, for all tabs: a page may not take two of them."""

    async def test() -> None:
        session, race = Session(None), Race(races.Races(None))  # type: ignore[arg-type]
        stream = joined(session.stream(), race.watch())
        assert [await anext(stream) for _ in range(2)] == [": here\n\n"] * 2
        assert (await anext(stream)).startswith("event: frame\ndata: ")
        session._emit({"event": "news"})
        assert (await anext(stream)).startswith(f"id: {session.name}-1\ndata: ")
        race._tell()
        assert (await anext(stream)).startswith("event: frame\ndata: ")
        assert not session.is_gone
        assert race._watchers == 1
        await session.close()
        assert [text async for text in stream] == []  # A page that goes on with its old session would hear nothing more.
        assert race._watchers == session._streams == 0

    asyncio.run(test())


def test_a_page_that_slept_is_told_first_that_its_work_has_ended_and_then_that_its_race_has() -> None:
    """The page shows what it is told last: in the room of races that is what became of the race."""

    async def test() -> None:
        session, race = Session(None), Race(races.Races(None))  # type: ignore[arg-type]
        stream = joined(session.stream("another-1"), race.watch())
        assert [await anext(stream) for _ in range(2)] == [": here\n\n"] * 2
        assert '"gone"' in await anext(stream)
        assert (await anext(stream)).startswith("event: frame\ndata: ")
        await session.close()

    for _ in range(20):
        asyncio.run(test())


def test_nobody_is_told_more_than_thirty_times_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between two frames there is a pause; a frame that was overtaken is left out."""
    slept: list[float] = []
    asleep = asyncio.sleep

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        await asleep(0)

    monkeypatch.setattr(races.asyncio, "sleep", sleep)

    async def test() -> None:
        race = Race(races.Races(None))  # type: ignore[arg-type]
        frames = race.watch()
        assert (await anext(frames)).startswith(": here")
        for _ in range(5):
            race._tell()
        versions = [json.loads((await anext(frames)).removeprefix("event: frame\ndata: "))]
        race._tell()
        versions.append(json.loads((await anext(frames)).removeprefix("event: frame\ndata: ")))
        await frames.aclose()  # type: ignore[attr-defined]
        assert len(versions) == 2

    asyncio.run(test())
    assert slept == [races._FRAME_SECONDS]
    assert races._FRAME_SECONDS >= 1 / 30
