"""Serve the page of the studio on this machine, with an engine behind it. The module `guard` says which requests may pass."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import hashlib
import re
import socket
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from functools import partial
from importlib.resources import files
from itertools import zip_longest
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from tiler import jsontext
from tiler.apps.studio.campaign_messages import CampaignNameMessage
from tiler.apps.studio.campaign_process import Campaigns
from tiler.apps.studio.guard import Guard
from tiler.apps.studio.message_json import dumps, loads
from tiler.apps.studio.messages import (
    AskMessage,
    CloseMessage,
    Data,
    ErrorMessage,
    LayMessage,
    NameMessage,
    OpenMessage,
    StopMessage,
)
from tiler.apps.studio.processes import Lost, Pool
from tiler.apps.studio.race import Race, Races
from tiler.apps.studio.race_messages import BeginRaceMessage, EndRaceMessage, PaceRaceMessage
from tiler.apps.studio.sessions import Busy, NotOpen, Sessions
from tiler.errors import TilerError

HOST = "127.0.0.1"
PORT = 8520  #: what is kept in the browser belongs to the port
RESULTS = Path("results")  #: the folder of campaigns, where none is named
_TRIES = 20  # ports that are tried
_MOST_CONNECTIONS = 256
_LOOK_SECONDS = 5.0  # between two looks for pages that are gone

#: The files that the page may have, by their endings.
_TYPES = {
    **dict.fromkeys((".js", ".mjs"), "text/javascript; charset=utf-8"),
    **{".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml", ".png": "image/png"},
    **{".txt": "text/plain; charset=utf-8", ".json": "application/json", ".webmanifest": "application/manifest+json"},
    **{".woff2": "font/woff2", ".ico": "image/x-icon"},
}
#: Scripts and styles of other pages, which this one uses too, by the first part of their path: the package, and its folder.
_SHARED_FILES = {"viewer": ("tiler.render", "viewer"), "runs": ("tiler.report", "page")}
#: What the room where solvers are compared asks the worker that reads results.
_CAMPAIGN_ORDERS = ("list", "forms", "problems", "refusals", "record", "compare", "save")
_NO_PAGE = b"<!DOCTYPE html><title>Tiler Studio</title><p>The files of the page are missing in this installation.</p>"

#: The statuses of errors that a person can do something about, where they are not 400.
_STATUS = {Busy: 429, Lost: 503, NotOpen: 409}

M = TypeVar("M")
Answer = Callable[[Request], Awaitable[Response]]


class Studio:
    """The application with its sessions. `file` is the problem that is opened first; results of campaigns are below `results`."""

    def __init__(self, port: int = PORT, *, file: str = "", folder: Path | None = None, results: Path = RESULTS) -> None:
        self._folder = folder or Path(str(files("tiler.apps.studio") / "page"))
        self._file = file
        self.sessions = Sessions(Pool())
        self.races = Races(self.sessions.pool)
        self.campaigns = Campaigns(self.sessions.pool, results)
        self._app = Starlette(routes=self._routes(), lifespan=lambda app: self.lifespan())
        self.guard = Guard(self._app, port, scripts=inline_scripts(self._index()))

    def _posts(self) -> dict[str, Answer]:
        """What is asked by POST, by its path."""
        session = self.sessions.of

        def shared(do: str, data: Any) -> Awaitable[Any]:
            return self.sessions.pool.ask_shared(do, data)

        def campaign(do: str, data: Any) -> Awaitable[Any]:
            return self.campaigns.order(do, data)

        def running(do: str, data: Any) -> Any:
            return getattr(self.campaigns, do)(data)

        return {
            "open": _to(OpenMessage, lambda asked: session(asked.session).open(asked.problem)),
            "lay": _to(LayMessage, lambda asked: session(asked.session).lay(asked)),
            "ask": _to(AskMessage, self._ask),
            "stop": _to(StopMessage, lambda asked: session(asked.session).stop(asked.id)),
            "close": _to(CloseMessage, lambda asked: self.sessions.end(asked.session)),
            "save": self._save,
            "lattice": _to(NameMessage, lambda asked: shared("lattice", asked.name)),
            "problem": _to(NameMessage, lambda asked: shared("problem", asked.name)),
            **{name: _to_data(partial(shared, name)) for name in ("read", "tiles", "board")},
            "race/about": _to_data(partial(shared, "race_about")),
            "race/order": _to_data(partial(shared, "race_order")),
            "race/begin": _to(BeginRaceMessage, self._begin_race),
            "race/pace": _to(PaceRaceMessage, lambda asked: self._race(asked.session).pace(asked)),
            "race/end": _to(EndRaceMessage, lambda asked: self._race(asked.session).end()),
            **{f"campaign/{name}": _to_data(partial(campaign, name)) for name in _CAMPAIGN_ORDERS},
            "campaign/create": _to_data(partial(running, "create")),
            "campaign/go-on": _to_data(partial(running, "go_on")),
            "campaign/results": _to_data(partial(running, "results")),
            "campaign/stop": _to(CampaignNameMessage, lambda asked: self.campaigns.stop(asked.name)),
        }

    def _routes(self) -> list[Route]:
        return [
            *(Route(f"/api/{name}", _answering(function), methods=["POST"]) for name, function in self._posts().items()),
            Route("/api/catalogue", _answering(self._catalogue), methods=["GET"]),
            Route("/api/start", _answering(self._start), methods=["GET"]),
            Route("/api/thumbnail", _answering(self._thumbnail), methods=["GET"]),
            Route("/api/events", _answering(self._events), methods=["GET"]),
            *(Route(f"/{part}/{{name}}", _shared(part), methods=["GET"]) for part in _SHARED_FILES),
            Route("/{path:path}", self._static, methods=["GET"]),
        ]

    @contextlib.asynccontextmanager
    async def lifespan(self) -> AsyncIterator[None]:
        """While this is open there are workers; at the end there are none."""
        self.sessions.pool.warm()
        reaper = asyncio.create_task(self._reap())
        try:
            yield
        finally:
            reaper.cancel()
            await self.campaigns.close()
            await self.sessions.close()

    async def _reap(self) -> None:
        while True:
            await asyncio.sleep(_LOOK_SECONDS)
            await self.sessions.end_gone()

    # The files of the page

    def _index(self) -> bytes:
        index = self._folder / "index.html"
        return index.read_bytes() if index.is_file() else _NO_PAGE

    async def _static(self, request: Request) -> Response:
        path = request.path_params["path"]
        if path in ("", "index.html"):
            return Response(self._index(), media_type=_TYPES[".html"])
        return _file(self._folder, path)

    # What is asked

    async def _catalogue(self, request: Request) -> Response:
        return _json(await self.sessions.pool.ask_shared("catalogue", None))

    async def _start(self, request: Request) -> Response:
        """The problem that the command named; nothing if it named none."""
        return _json(await self.sessions.pool.ask_shared("file", self._file) if self._file else None)

    async def _thumbnail(self, request: Request) -> Response:
        svg = await self.sessions.pool.ask_shared("thumbnail", request.query_params.get("name", ""))
        return Response(svg, media_type="image/svg+xml", headers={"cache-control": "private, max-age=86400"})

    async def _save(self, request: Request) -> Response:
        name, kind, content = await self.sessions.pool.ask_shared("save", jsontext.loads(await _text(request)))
        headers = {"content-disposition": f"attachment; filename*=UTF-8''{quote(name)}", "content-security-policy": "sandbox"}
        return Response(base64.b64decode(content), media_type=kind, headers=headers)

    async def _ask(self, asked: AskMessage) -> Data:
        return {"id": self.sessions.of(asked.session).ask(asked.question, asked.parameters, asked.laid)}

    def _race(self, session: str) -> Race:
        return self.races.of(self.sessions.of(session))

    async def _begin_race(self, asked: BeginRaceMessage) -> Data:
        return {"race": await self._race(asked.session).begin(asked)}

    async def _events(self, request: Request) -> Response:
        """The events of all pages of a browser, and the frames of the races that they look at. The address has their sessions,
        for each the last event that was seen, and the sessions that look at races. A page that is one too many has no events: it
        is told so when it asks for something."""
        asked = request.query_params
        watching = set(asked.getlist("race"))
        streams: list[AsyncGenerator[str, None]] = []
        refused = Busy("no page listens")
        for id, last in zip_longest(asked.getlist("session"), asked.getlist("after"), fillvalue=""):
            try:
                session = self.sessions.of(id)
            except Busy as busy:
                refused = busy
                continue
            streams.append(addressed(id, session.stream(last)))
            if id in watching:
                streams.append(addressed(id, self.races.of(session).watch()))
        if not streams:
            raise refused
        return StreamingResponse(joined(*streams), media_type="text/event-stream")


def _shared(part: str) -> Answer:
    package, folder = _SHARED_FILES[part]
    place = Path(str(files(package) / folder))

    async def answer(request: Request) -> Response:
        return _file(place, request.path_params["name"])

    return answer


def _file(folder: Path, path: str) -> Response:
    """A file of a folder, if it is one of a page."""
    try:
        file = (folder / path).resolve()
        kind = _TYPES.get(file.suffix)
        if kind is not None and file.is_relative_to(folder.resolve()):
            return Response(file.read_bytes(), media_type=kind)
    except (OSError, ValueError):  # There is none, or there cannot be one of that name.
        pass
    return _error(404, "there is no such file")


async def addressed(page: str, stream: AsyncGenerator[str, None]) -> AsyncGenerator[str, None]:
    """The texts of a stream, each with the page that it is for."""
    async with contextlib.aclosing(stream):
        async for text in stream:
            yield f"page: {page}\n{text}"


async def joined(*streams: AsyncGenerator[str, None]) -> AsyncIterator[str]:
    """The texts of all streams, as they come, until one of the streams ends; then all are closed. No stream runs ahead: each
    makes its next text when the last one has been taken. Of texts that are ready at the same time that of the first stream comes
    first. A browser opens six connections at most to a host, for all its tabs, so all tabs have one stream."""
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


def inline_scripts(page: bytes) -> list[str]:
    """The hashes of the scripts inside a page, which its security policy names: the import map alone."""
    inside = re.findall(rb'<script type="importmap">(.*?)</script>', page, re.DOTALL)
    return [f"sha256-{base64.b64encode(hashlib.sha256(script).digest()).decode()}" for script in inside]


def _answering(function: Answer) -> Answer:
    """The function, with errors as sentences."""

    async def answer(request: Request) -> Response:
        try:
            return await function(request)
        except TilerError as error:
            return _error(next((status for kind, status in _STATUS.items() if isinstance(error, kind)), 400), str(error))
        except asyncio.CancelledError:  # The server ends, and with it the work that this waited for.
            return _error(503, "Tiler ends on this machine")
        except Exception as error:
            from tiler.backends import fault_origin

            return _error(500, f"{fault_origin.in_words(error)} (please report it)")

    return answer


def _to(kind: type[M], reply: Callable[[M], Awaitable[Any]]) -> Answer:
    """What answers requests with a message of that kind."""
    return _replying(partial(loads, kind), reply)


def _to_data(reply: Callable[[Any], Awaitable[Any]]) -> Answer:
    """What answers requests whose data a worker reads strictly."""
    return _replying(jsontext.loads, reply)


def _replying(read: Callable[[str], M], reply: Callable[[M], Awaitable[Any]]) -> Answer:
    """What answers requests by the reply to what `read` finds in them; there is nothing in the answer if the reply is None."""

    async def answer(request: Request) -> Response:
        replied = await reply(read(await _text(request)))
        return Response(status_code=204) if replied is None else _json(replied)

    return answer


async def _text(request: Request) -> str:
    return (await request.body()).decode(errors="replace")


def _json(data: Any) -> Response:
    return Response(dumps(data), media_type="application/json")


def _error(status: int, sentence: str) -> Response:
    return Response(dumps(ErrorMessage(sentence)), status_code=status, media_type="application/json")


def listening(port: int) -> socket.socket:
    """A socket on the port, or on the next one that is free; TilerError if none is."""
    for number in range(port, min(port + _TRIES, 65536)):
        candidate = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        candidate.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            candidate.bind((HOST, number))
            candidate.listen(128)
        except OSError:
            candidate.close()
            continue
        return candidate
    raise TilerError(f"no port from {port} on is free; choose another one with --port")


class _Server(uvicorn.Server):
    """A server that says when it is ready, and ends in peace at SIGINT, SIGTERM and SIGHUP."""

    def __init__(self, studio: Studio, on_ready: Callable[[], object]) -> None:
        super().__init__(
            uvicorn.Config(
                studio.guard,
                log_level="critical",
                access_log=False,
                server_header=False,
                lifespan="on",
                timeout_graceful_shutdown=1,
                ws="none",
                limit_concurrency=_MOST_CONNECTIONS,
            )
        )
        self._on_ready = on_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._on_ready()


def serve(studio: Studio, listener: socket.socket, on_ready: Callable[[], object]) -> None:
    """Serve until a signal ends it; then no process is left."""
    server = _Server(studio, on_ready)
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(server.serve(sockets=[listener]))
