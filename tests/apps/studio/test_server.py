"""The server with its workers, asked without a port: problems, moves, questions, and what goes wrong."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock
from urllib.parse import urlencode

import pytest
from starlette.requests import Request
from starlette.responses import StreamingResponse
from studio_client import HOME, SESSION, Client, ThreadOfWorker, page, workers_here

import tiler
from tiler.apps.studio import engine, sessions
from tiler.apps.studio.engine import document_of
from tiler.apps.studio.processes import MOST_SPARES, Pool, WorkerProcess
from tiler.apps.studio.server import inline_scripts
from tiler.apps.studio.sessions import MOST_QUESTIONS, MOST_SESSIONS

PENTOMINOES = document_of(tiler.make("6x10", "1:pentominoes"))
DOMINOES = document_of(tiler.make("4x4", "2"))
#: A count that takes far longer than any test.
ENDLESS = document_of(tiler.make("40x40", "3L", "4T", "5X", "7:5F"))


@contextlib.contextmanager
def waiting(client: Client) -> Iterator[None]:
    """Questions that need a worker of their own wait for one."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(client.studio.sessions.pool, "slots", asyncio.Semaphore(0))
        yield


def test_a_game_is_played(in_studio_here: Any) -> None:
    async def test(client: Client) -> None:
        opened = await client.post("/api/open", session=SESSION, problem=PENTOMINOES)
        assert len(opened["cells"]) == 60
        assert len(opened["placements"]) == 2056
        assert await client.number() == "9356"
        laid: list[Any] = []
        counts = []
        for revision, placement in enumerate(next(tiler.tilings(tiler.make("6x10", "1:pentominoes"))), 2):
            laid.append({"tile": placement.tile, "cells": sorted(placement.cells)})
            told = await client.post("/api/lay", session=SESSION, revision=revision, laid=laid)
            counts.append(int(told["count"]))
        assert counts == sorted(counts, reverse=True)
        assert counts[-1] == 1
        assert await client.number(50) == "9356"
        older = await client.post("/api/lay", session=SESSION, revision=3, laid=[])
        assert older["possible"] is None

    in_studio_here(test)


def test_names_texts_and_files_become_messages(in_studio_here: Any) -> None:
    async def test(client: Client) -> None:
        assert (await client.post("/api/lattice", name="hexagonal"))["dimension"] == 2
        assert len((await client.post("/api/tiles", words="1:pentominoes"))["tiles"]) == 12
        assert len((await client.post("/api/board", words="3x4"))["board"]) == 12
        assert (await client.post("/api/problem", name="4L/10x10_u"))["problem"]["reflections"] is not None
        read = await client.post("/api/read", name="a.txt", text="# place: 2 0,0 0,1\n4x1\n\n2\n")
        assert [tile["cells"] for tile in read["laid"]] == [[[0, 0], [0, 1]]]
        assert read["problem"]["constraints"] == []
        assert "nearest" in (await client.post("/api/lattice", 400, name="hexagnal"))["error"]
        assert (await client.post("/api/problem", 400, name="/etc/passwd"))["error"]
        assert (await client.post("/api/problem", 400, name="../README"))["error"]
        assert (await client.post("/api/read", 400, name="x", text="a", base64="b"))["error"]
        assert (await client.post("/api/read", 400, name="x", base64="%%"))["error"]
        catalogue = await client.raw("GET", "/api/catalogue")
        assert len(catalogue.json()["problems"]) > 500
        picture = await client.raw("GET", "/api/thumbnail?name=4L/10x10_u")
        assert picture.text.startswith("<svg")

    in_studio_here(test)


def test_a_list_comes_in_parts_and_can_be_replayed(in_studio_here: Any) -> None:
    async def test(client: Client) -> None:
        await client.post("/api/open", session=SESSION, problem=DOMINOES)
        events, answer = await client.answer("tilings")
        parts = [event for event in events if event["event"] == "part"]
        assert sum(len(part["tilings"]) for part in parts) == 36
        assert answer["blocks"] == [{"count": "36", "tilings": [], "complete": True, "kind": "tilings"}]
        everything = await client.events_until(lambda event: event["event"] == "answer")
        rest = await client.events_until(lambda event: event["event"] == "answer", after=f"{client.session.name}-1")
        assert everything[1:] == rest

    in_studio_here(test)


def test_what_is_wrong_with_a_question_is_said(in_studio_here: Any) -> None:
    async def test(client: Client) -> None:
        assert "no problem is open" in (await client.post("/api/lay", 409, session=SESSION, revision=1))["error"]
        await client.post("/api/open", session=SESSION, problem=DOMINOES)
        for question, parameters, said in (
            ("conut", {}, "nearest: count"),
            ("count", {"secnds": 3}, "nearest: seconds"),
            ("count", {"executor": "local:2"}, "there is no parameter 'executor'"),
            ("count", {"solver": "nothing"}, "nothing"),
            ("count", {"seconds": -1}, "seconds"),
            ("series", {}, "say board"),
        ):
            _, answer = await client.answer(question, **parameters)
            assert answer["event"] == "failed"
            assert said in answer["error"]

    in_studio_here(test)


def test_a_question_that_waits_is_stopped(in_studio_here: Any) -> None:
    async def test(client: Client) -> None:
        await client.post("/api/open", session=SESSION, problem=DOMINOES)
        with waiting(client):
            id = (await client.post("/api/ask", session=SESSION, question="count", parameters={}, laid=[]))["id"]
            for _ in range(2):
                await client.post("/api/stop", 204, session=SESSION, id=id)
            assert not client.session._questions
        (answer,) = await client.events_until(lambda event: event["event"] == "answer")
        assert (answer["id"], answer["stop"], answer["sentences"]) == (id, "interrupted", ["stopped"])

    in_studio_here(test)


def test_a_question_that_is_stopped_says_what_was_known(in_studio_here: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    async def order(do: str, data: Any, *, seconds: float | None, on_event: Any) -> None:
        on_event({"event": "progress", "id": data["id"], "words": "7 nodes", "found": "2"})
        await asyncio.Event().wait()

    async def test(client: Client) -> None:
        await client.post("/api/open", session=SESSION, problem=DOMINOES)
        pool = client.studio.sessions.pool
        with monkeypatch.context() as patched:
            patched.setattr(pool, "take", AsyncMock(return_value=SimpleNamespace(order=order)))
            patched.setattr(pool, "end", AsyncMock())
            id = (await client.post("/api/ask", session=SESSION, question="count", parameters={}, laid=[]))["id"]
            await client.events_until(lambda event: event["event"] == "progress")
            await client.post("/api/stop", 204, session=SESSION, id=id)
        answer = json.loads(client.session._events[-1][1])
        assert (answer["event"], answer["status"], answer["sentences"]) == ("answer", "sat", ["stopped", "7 nodes"])

    in_studio_here(test)


def test_too_many_questions_and_pages_are_refused(in_studio_here: Any) -> None:
    async def test(client: Client) -> None:
        await client.post("/api/open", session=SESSION, problem=DOMINOES)
        asked = {"session": SESSION, "question": "count", "parameters": {}, "laid": []}
        with waiting(client):
            for _ in range(MOST_QUESTIONS):
                await client.post_data("/api/ask", asked)
            for _ in range(2):
                refused = await client.post_data("/api/ask", asked, 429)
            assert "stop one, or wait" in refused["error"]
            for number in range(MOST_SESSIONS):
                client.studio.sessions.of(f"session-{number}")
            await client.post("/api/lay", 429, session="one-too-many", revision=1)
            await client.post("/api/close", 204, session=SESSION)
        for number in range(MOST_SESSIONS):
            await client.studio.sessions.end(f"session-{number}")
        assert len(client.studio.sessions.pool.pids) <= 1 + MOST_SPARES  # One is for small things.

    in_studio_here(test)


def test_the_process_of_a_page_that_is_closed_serves_the_next_one(in_studio_here: Any) -> None:
    async def test(client: Client) -> None:
        await client.post("/api/open", session=SESSION, problem=DOMINOES)
        await client.post("/api/lay", session=SESSION, revision=7, laid=[])
        pid = client.session._worker.pid
        await client.post("/api/close", 204, session=SESSION)
        assert "no problem is open" in (await client.post("/api/lay", 409, session=SESSION, revision=1))["error"]
        await client.post("/api/open", session=SESSION, problem=PENTOMINOES)
        assert client.session._worker.pid == pid
        assert await client.number() == "9356"

    in_studio_here(test)


def test_a_page_that_slept_is_told_what_ended_and_goes_on(in_studio_here: Any) -> None:
    async def test(client: Client) -> None:
        await client.post("/api/open", session=SESSION, problem=DOMINOES)
        _, answer = await client.answer("solve")
        assert answer["status"] == "sat"
        last = f"{client.session.name}-1"
        await client.studio.sessions.end(SESSION)  # As after a minute without the page.
        assert (await client.post("/api/lay", 409, session=SESSION, revision=1, laid=[]))["error"]
        told = await client.events_until(lambda event: True, after=last)
        assert (told[0]["event"], told[0]["session"]) == ("gone", client.session.name)
        await client.post("/api/open", session=SESSION, problem=DOMINOES)
        assert await client.number() == "36"
        await client.answer("count")
        events = await client.events_until(lambda event: event["event"] == "answer", after=last)
        assert (events[0]["event"], events[-1]["event"]) == ("gone", "answer")

    in_studio_here(test)


def test_a_process_that_answered_soon_answers_the_next_question(in_studio_here: Any) -> None:
    async def test(client: Client) -> None:
        await client.post("/api/open", session=SESSION, problem=DOMINOES)
        pids = []
        for _ in range(2):
            await client.answer("count")
            pids.append(set(client.studio.sessions.pool.pids))
        assert pids[0] == pids[1]

    in_studio_here(test)


def test_the_process_of_the_page_solves_at_once_and_others_take_over_what_is_long(
    in_studio_here: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(client: Client) -> None:
        await client.post("/api/open", session=SESSION, problem=PENTOMINOES)
        worker = client.session._worker
        assert worker is not None
        monkeypatch.setattr(engine, "ATTEMPT_SECONDS", 60.0)
        with waiting(client):  # Only the worker of the page can answer.
            first = asyncio.create_task(client.number())
            while not worker.is_busy:
                await asyncio.sleep(0)
            _, answer = await client.answer("solve")  # also while a move is looked at
            assert len(answer["blocks"][0]["tilings"][0]) == 12
            assert await first in {"many", "9356"}
            monkeypatch.setattr(engine, "ATTEMPT_SECONDS", 1e-6)
            id = (await client.post("/api/ask", session=SESSION, question="solve", parameters={}, laid=[]))["id"]
            assert (await client.post("/api/lay", session=SESSION, revision=2, laid=[]))["revision"] == 2
            assert list(client.session._questions) == [id]
            await client.post("/api/stop", 204, session=SESSION, id=id)

    in_studio_here(test)


def test_the_work_of_a_page_that_is_gone_ends_after_a_minute(in_studio_here: Any) -> None:
    clock = [0.0]

    async def test(client: Client) -> None:
        with waiting(client):
            await looked_for(client)

    async def looked_for(client: Client) -> None:
        usual, client.studio.sessions._now = client.studio.sessions._now, lambda: clock[0]
        await client.post("/api/open", session=SESSION, problem=DOMINOES)
        await client.post("/api/ask", session=SESSION, question="count", parameters={}, laid=[])
        clock[0] = 59.0
        await client.studio.sessions.end_gone()
        assert len(client.session._questions) == 1
        stream = client.session.stream()
        await anext(stream)
        clock[0] = 500.0
        await client.studio.sessions.end_gone()
        assert len(client.studio.sessions) == 1
        await stream.aclose()  # type: ignore[attr-defined]
        clock[0] = 561.0
        await client.studio.sessions.end_gone()
        assert len(client.studio.sessions) == 0
        client.studio.sessions._now = usual

    in_studio_here(test)


def test_a_hostile_text_is_refused_and_a_large_board_is_shown_without_numbers(in_studio_here: Any) -> None:
    async def test(client: Client) -> None:
        for text in ("x" * (1 << 20), "{" * (1 << 20), "1\n" * (1 << 19)):
            assert (await client.post("/api/read", 400, name="a", text=text))["error"]
        board = await client.post("/api/board", words="500x500")
        assert len(board["board"]) == 250_000
        assert (await client.post("/api/board", 400, words="100000x100000"))["error"]
        opened = await client.post("/api/open", session=SESSION, problem=document_of(tiler.make("101x100", "2")))
        assert opened["live"] is False
        assert "10,100 cells" in opened["live_sentence"]
        assert (await client.post("/api/lay", session=SESSION, revision=1, laid=[]))["possible"] is None
        assert (await client.post("/api/open", 400, session=SESSION, problem={"board": 1, "tiles": []}))["error"]

    in_studio_here(test)


def test_a_fault_of_the_server_is_a_sentence(in_studio_here: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(client: Client) -> None:
        for fault, status, said in (
            (ZeroDivisionError("injected"), 500, "internal error: ZeroDivisionError: injected (please report it)"),
            (asyncio.CancelledError(), 503, "Tiler ends on this machine"),
        ):
            with monkeypatch.context() as patched:
                patched.setattr(client.studio.sessions.pool, "ask_shared", AsyncMock(side_effect=fault))
                assert (await client.post("/api/board", status, words="3x4"))["error"] == said
        assert len((await client.post("/api/board", words="3x4"))["board"]) == 12

    in_studio_here(test)


def test_one_stream_has_the_events_of_all_pages(in_studio_here: Any) -> None:
    """Each text says for which page it is; a page that is one too many has none, and the others have theirs."""

    async def test(client: Client) -> None:
        for session in (SESSION, "session-2"):
            await client.post("/api/open", session=session, problem=DOMINOES)
            client.studio.sessions.of(session)._emit({"event": "news", "of": session})
        asked = {
            "session": [SESSION, "session-2", "session-3"],
            "after": ["", f"{client.studio.sessions.of('session-2').name}-0"],
        }
        monkeypatch = pytest.MonkeyPatch()
        monkeypatch.setattr(sessions, "MOST_SESSIONS", len(client.studio.sessions))
        scope = {"type": "http", "query_string": urlencode({**asked, "race": "session-2"}, doseq=True).encode(), "headers": []}
        reply = await client.studio._events(Request(scope))
        assert (await client.raw("GET", "/api/events?session=session-3&after=", headers=HOME)).status_code == 429
        monkeypatch.undo()
        assert isinstance(reply, StreamingResponse)
        texts = [str(await anext(reply.body_iterator)) for _ in range(6)]  # type: ignore[call-overload]
        told = [text.split("\n") for text in texts if "data: " in text]
        assert sorted(line[0] for line in told) == [f"page: {SESSION}", "page: session-2", "page: session-2"]
        assert any(line[1] == "event: frame" for line in told)
        for of, *_, data in ([line for line in text if line] for text in told):
            assert '"of"' not in data or of.removeprefix("page: ") in data
        await client.studio.sessions.end("session-2")

    in_studio_here(test)


def test_a_problem_is_saved_in_every_form(in_studio_here: Any) -> None:
    async def test(client: Client) -> None:
        tiling = [{"tile": "2", "cells": [[0, 0], [0, 1]]}, {"tile": "2", "cells": [[1, 0], [1, 1]]}]
        problem = document_of(tiler.make("2x2", "2"))
        forms = (await client.raw("GET", "/api/catalogue")).json()["forms"]
        for form in forms:
            body = {"problem": problem, "form": form["form"], "laid": tiling if form["needs"] != "problem" else []}
            reply = await client.raw("POST", "/api/save", json=body, headers=HOME)
            assert reply.status_code == 200, (form, reply.text)
            assert reply.content, form
            assert reply.headers["content-disposition"].startswith("attachment; filename*=UTF-8''2x2-2"), form
        refused = await client.raw("POST", "/api/save", json={"problem": problem, "form": "exe"}, headers=HOME)
        assert refused.status_code == 400

    in_studio_here(test)


def test_the_files_of_the_page_and_no_others_are_served(tmp_path: Path) -> None:
    folder = tmp_path / "page"
    folder.mkdir()
    script = '{"imports": {}}'
    (folder / "index.html").write_text(f'<!DOCTYPE html><script type="importmap">{script}</script>')
    (folder / "main.js").write_text("export {};")
    (folder / "secret.py").write_text("")
    (tmp_path / "outside.js").write_text("")
    (folder / "link.js").symlink_to(tmp_path / "outside.js")

    async def test(client: Client) -> None:
        index = await client.raw("GET", "/")
        (expected,) = inline_scripts(index.content)
        assert expected in index.headers["content-security-policy"]
        assert (await client.raw("GET", "/main.js")).headers["content-type"].startswith("text/javascript")
        assert (await client.raw("GET", "/viewer/view.js")).status_code == 200
        for path in (
            "/secret.py",
            "/../outside.js",
            "/%2e%2e/outside.js",
            "/link.js",
            "/viewer/nothing",
            "/none.js",
            "/vendor",
            "/a%00.js",
            f"/{'a' * 999}.js",
        ):
            assert (await client.raw("GET", path)).status_code == 404, path

    with workers_here():
        page(test, folder=folder)


def test_a_problem_named_by_the_command_is_the_start() -> None:
    async def test(client: Client) -> None:
        start = (await client.raw("GET", "/api/start")).json()
        assert start["problem"] == {**document_of(tiler.read("4L/10x10_u")), "constraints": []}

    with workers_here():
        page(test, file="4L/10x10_u")


def test_a_process_that_nobody_waits_for_any_more_is_the_next_spare(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[tuple[str, ...]] = []
    start = ThreadOfWorker.start

    async def noting(*words: str) -> WorkerProcess:
        started.append(words)
        await may_start.wait()
        return await start(*words)

    may_start = asyncio.Event()
    monkeypatch.setattr(WorkerProcess, "start", noting)

    async def run() -> None:
        pool = Pool()
        pool.warm()
        waiting = asyncio.create_task(pool.take())
        await asyncio.sleep(0)  # It waits for a process now.
        waiting.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await waiting
        may_start.set()
        worker = await pool.take()
        assert started.count(()) == 1
        await pool.close()
        assert not worker.is_alive

    asyncio.run(run())
